//! Data type reduction: a model with any number of members of a scalarset as one with a few.
//!
//! The idea (K. L. McMillan, "Verification of infinite state systems by compositional model
//! checking", CHARME 1999; Chou, Mannava, Park, "A simple method for parameterized verification of
//! cache coherence protocols", FMCAD 2004): some members are *tracked*, all others become one value,
//! Other. Variables of the type hold a tracked member or Other, and arrays over the type keep the
//! cells of tracked members. A step of Other may do whatever it could do with any contents of its
//! own cells.
//!
//! The papers rewrite the text of each rule: reads at Other are replaced by choices, writes at Other
//! dropped, parts of guards that depend on Other weakened. Here the rules stay as they are: a step
//! depends on a few members ([`depend`]), of which those that are not tracked are *witnesses*. It is
//! executed in a state of the tracked members and the witnesses, in which the witnesses' cells, and
//! which of them a variable that holds Other refers to, are chosen when they are read; then the
//! witnesses are forgotten. This includes every step of the rewritten rules that a configuration of
//! some size has, keeps what a step knows about one member together, and needs no rewriting.
//!
//! Why no step is lost: let a configuration with members `M` step by a rule, and `R` be its
//! parameters, the members to which variables refer that are read, and one member for each
//! quantifier that one member decides. Restricted to the tracked members and `R`, the rule is
//! enabled (quantifiers over fewer members have the same value: what all members satisfy all of `R`
//! do, and what one member decides is decided by one in `R`), and does the same: loops over members
//! change only what belongs to each. The order of the tracked members and of `R` does not matter,
//! because members are symmetric. A mistake in here would miss a violation.
//!
//! Soundness S-270 (murphi; all; refuses): Members that are not tracked are abstracted to one only
//! in models without multisets, comparisons of whole arrays, loops that count members, and
//! quantifiers that need a witness for each of all members; others are refused at the rule. Test:
//! crates/engines/tests/murphi_cmp.rs::what_depends_on_all_members_is_refused.
//!
//! Soundness S-271 (murphi; all; misses): An undefined value that is read by a quantifier before the
//! member that decides it, in some order of the members only, or in a part of a guard that needs a
//! witness for each member, may not be reported in proofs for any number. Test:
//! crates/engines/tests/murphi_cmp.rs::undefined_values_in_parts_that_need_a_witness_for_each_member_are_not_seen.

pub mod depend;
pub mod layout;

use crate::fold::{Order, fold_functions};
use crate::instance::{Instance, Instances};
use crate::model::{Model, Parameter, ParameterDomain, PropertyId, PropertyKind, RuleId, ScalarId};
use crate::modular::Refusal;
use depend::{Depend, Use, polarised};
use layout::Layout;
use std::collections::HashMap;

/// The code of a cell that holds a member that is not tracked.
pub const OTHER: u16 = u16::MAX;

/// The code of a cell of which nothing is known.
pub const UNKNOWN: u16 = u16::MAX - 1;

/// More witnesses than this are not considered in one step.
pub const MOST_WITNESSES: usize = 5;

/// The sizes that the reduction of a model needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// How many members must be tracked.
    pub tracked: usize,
    /// On how many others one step can depend.
    pub witnesses: usize,
}

/// A model with few members, and how its steps are taken.
#[derive(Debug)]
pub struct Reduction {
    /// The scalarset.
    pub set: ScalarId,
    /// How many members are tracked.
    pub tracked: usize,
    /// On how many others a step can depend; the model has these members, too.
    pub witnesses: usize,
    /// The cells of the state.
    pub layout: Layout,
    /// The cells that an abstract state has: those of no member and of tracked ones.
    pub kept: Vec<usize>,
    /// The rules, by how many witnesses they see.
    pub variants: Vec<Variant>,
}

/// Whether it is a start state, which one, and its parameters.
type Key = (bool, RuleId, Vec<(u32, i64)>);

/// The rules as they are for a number of witnesses.
#[derive(Debug)]
pub struct Variant {
    /// The model; its quantifiers see this many witnesses.
    pub model: Model,
    /// Its rules.
    pub instances: Instances,
    /// Start states that are tried with this number of witnesses.
    pub starts: Vec<usize>,
    /// Rules that are.
    pub rules: Vec<usize>,
    /// Of each rule, whether members are parameters of it, and all of them are witnesses.
    pub of_witnesses: Vec<bool>,
    positions: HashMap<Key, usize>,
}

impl Variant {
    /// A rule or start state with the parameters of another variant's.
    pub fn same(&self, is_start: bool, instance: &Instance) -> Option<&Instance> {
        let key = (is_start, instance.rule, instance.slots.clone());
        let all = if is_start { &self.instances.starts } else { &self.instances.rules };
        self.positions.get(&key).map(|position| &all[*position])
    }
}

/// The sizes that a model needs, or why it cannot be reduced. The model may have any size.
pub fn needs(model: &Model, set: ScalarId) -> Result<Needs, Refusal> {
    let global = |what| Refusal { what, span: None };
    let layout = Layout::new(model, set).map_err(global)?;
    let mut model = model.clone();
    polarise(&mut model, set);
    let mut depend = Depend::new(&model, set);
    let mut needs = Needs { tracked: 1, witnesses: 0 };
    for rule in model.rules.iter().chain(&model.starts) {
        let at = |what| Refusal { what, span: Some(rule.span) };
        let multiset = |one: &Parameter| matches!(one.domain, ParameterDomain::Multiset { .. });
        if rule.parameters.iter().any(multiset) {
            return Err(at("there is a multiset"));
        }
        let Use { demand, depth } = rule_use(&mut depend, rule).map_err(at)?;
        let members = rule.parameters.iter().filter(|one| depend.is_member(one)).count();
        needs.tracked = needs.tracked.max(depth);
        needs.witnesses = needs.witnesses.max(members + demand);
    }
    for property in &model.properties {
        let at = |what| Refusal { what, span: Some(property.span) };
        if property.kind == PropertyKind::Invariant {
            let members = property.parameters.iter().filter(|one| depend.is_member(one)).count();
            let involved = depend.involved(&property.condition, true).map_err(at)?;
            needs.tracked = needs.tracked.max(members + involved);
        }
    }
    // Variables that hold members can refer to more of them.
    let pointers = layout.cells.iter().any(layout::Cell::is_pointer);
    needs.witnesses = (needs.witnesses + 2 * usize::from(pointers)).max(2);
    if needs.witnesses > MOST_WITNESSES + 2 {
        return Err(global("a step depends on too many members"));
    }
    needs.witnesses = needs.witnesses.min(MOST_WITNESSES);
    Ok(needs)
}

fn rule_use(depend: &mut Depend<'_>, rule: &crate::model::Rule) -> Result<Use, depend::Reason> {
    let guard = depend.expr(&rule.guard, Some(true))?;
    let body = depend.block(&rule.body)?;
    Ok(Use { demand: guard.demand + body.demand, depth: guard.depth.max(body.depth) })
}

/// Writes guards and invariants so that it is known which quantifiers need a witness.
fn polarise(model: &mut Model, set: ScalarId) {
    let original = model.clone();
    let mut depend = Depend::new(&original, set);
    for rule in model.rules.iter_mut().chain(&mut model.starts) {
        rule.guard = polarised(&mut depend, &rule.guard, true, true);
    }
    for property in model.properties.iter_mut() {
        property.condition = polarised(&mut depend, &property.condition, true, false);
    }
}

impl Reduction {
    /// Reduces a model, which must have `tracked + witnesses` members, and whose [`needs`] are met.
    pub fn new(
        model: &Model,
        set: ScalarId,
        tracked: usize,
        witnesses: usize,
    ) -> Result<Self, Refusal> {
        let global = |what| Refusal { what, span: None };
        assert_eq!(model.types.scalars[set].span() as usize, tracked + witnesses, "another size");
        let layout = Layout::new(model, set).map_err(global)?;
        let is_kept = |cell: &usize| layout.cells[*cell].members.iter().all(|one| *one < tracked);
        let kept = (0..layout.cells.len()).filter(is_kept).collect();
        let mut model = model.clone();
        polarise(&mut model, set);
        let demands = Demands::new(&model, set)?;
        let variants = (0..=witnesses).map(|visible| {
            let mut model = model.clone();
            model.types.scalars[set].hidden = (witnesses - visible) as i64;
            Variant::new(model, set, &demands, (tracked, visible)).map_err(global)
        });
        let variants = variants.collect::<Result<_, _>>()?;
        Ok(Self { set, tracked, witnesses, layout, kept, variants })
    }

    /// The model; its quantifiers see tracked members only.
    pub fn model(&self) -> &Model {
        &self.variants[0].model
    }

    /// The invariants of the model.
    pub fn is_invariant(&self, property: PropertyId) -> bool {
        self.model().properties[property].kind == PropertyKind::Invariant
    }

    /// A state in which these members are the tracked ones, in this order, and all others Other.
    /// Codes may be unknown.
    pub fn restricted(&self, state: &[u16], members: &[usize]) -> Box<[u16]> {
        let code = |cell: &usize| {
            let from = self.layout.renamed(*cell, members);
            self.renamed_code(from, state[from], members)
        };
        self.kept.iter().map(code).collect()
    }

    /// A code in which a member is its position among these, and Other if it is not among them.
    pub fn renamed_code(&self, cell: usize, code: u16, members: &[usize]) -> u16 {
        let shape = &self.layout.cells[cell];
        match shape.member(code) {
            Some(member) => match members.iter().position(|one| *one == member) {
                Some(position) => shape.code_of(position),
                None => OTHER,
            },
            None => code,
        }
    }
}

/// How many members can decide quantifiers of each start state and rule.
struct Demands {
    starts: Vec<usize>,
    rules: Vec<usize>,
}

impl Demands {
    fn new(model: &Model, set: ScalarId) -> Result<Self, Refusal> {
        let mut depend = Depend::new(model, set);
        let mut demand = |rule: &crate::model::Rule| match rule_use(&mut depend, rule) {
            Ok(found) => Ok(found.demand),
            Err(what) => Err(Refusal { what, span: Some(rule.span) }),
        };
        let starts = model.starts.iter().map(&mut demand).collect::<Result<_, _>>()?;
        let rules = model.rules.iter().map(&mut demand).collect::<Result<_, _>>()?;
        Ok(Self { starts, rules })
    }
}

impl Variant {
    fn new(
        mut model: Model,
        set: ScalarId,
        demands: &Demands,
        (tracked, visible): (usize, usize),
    ) -> Result<Self, &'static str> {
        fold_functions(&mut model, Order::Fixed);
        let Ok(instances) = Instances::new(&model, Order::Fixed) else {
            return Err("there are too many choices of parameters of rules");
        };
        let depend = Depend::new(&model, set);
        let low = model.types.scalars[set].low;
        let mut positions = HashMap::new();
        let mut of_witnesses = Vec::new();
        let mut chosen = |is_start: bool, all: &[Instance], demands: &[usize]| {
            let mut found = Vec::new();
            for (position, instance) in all.iter().enumerate() {
                let number = execution::ids::Id::index(instance.rule);
                let rule =
                    if is_start { &model.starts[number] } else { &model.rules[instance.rule] };
                let mut seen = 0;
                let mut in_order = true;
                let mut of_tracked = false;
                for (parameter, (_, value)) in rule.parameters.iter().zip(&instance.slots) {
                    let is_member = depend.is_member(parameter) && *value >= low;
                    let Ok(member) = usize::try_from(value - low) else { continue };
                    if !is_member || member >= tracked + visible {
                        continue; // The value of another part of a union, perhaps.
                    }
                    let Some(witness) = member.checked_sub(tracked) else {
                        of_tracked = true;
                        continue;
                    };
                    in_order &= witness <= seen;
                    seen = seen.max(witness + 1);
                }
                if in_order {
                    positions.insert((is_start, instance.rule, instance.slots.clone()), position);
                    if visible <= seen + demands[number] && visible >= seen {
                        found.push(position);
                    }
                }
                if !is_start {
                    of_witnesses.push(seen > 0 && !of_tracked);
                }
            }
            found
        };
        let starts = chosen(true, &instances.starts, &demands.starts);
        let rules = chosen(false, &instances.rules, &demands.rules);
        Ok(Self { model, instances, starts, rules, of_witnesses, positions })
    }
}
