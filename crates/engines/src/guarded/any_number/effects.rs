//! The fixpoint of views of one member, without a configuration for each pair of views.
//!
//! The idea: of two members in a configuration, most rules of the one do not read the other. Such a
//! rule is executed once for a view, with the other member unknown: the machine stops if it is read
//! after all. What the rule changes in variables of no member is an *effect*, which meets every
//! other view that has the same variables of no member, and is kept once, however many views have
//! it. Only rules and invariants that read the other member, or change it, are executed for pairs.
//! So what grows with the number of views squared is left for these alone.
//!
//! The views are those of [`super::Fixpoint`], and a test compares the two. A mistake here would miss
//! a violation.

use super::{AnyNumber, Extension, Fixpoint, Key, OTHER, Pointer, Stop, View, keys};
use guarded::fault::{Fault, FaultKind};
use guarded::machine::Knowledge;
use guarded::model::{ParameterDomain, PropertyKind, ScalarId};
use limits::{Exceeded, Limits, Poll};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How often limits are polled, in views and pairs.
const POLL_INTERVAL: u32 = 64;

/// A change of variables of no member by a rule that does not read the other member.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Effect {
    /// The pointers that hold the member that acts: others do not hold them.
    held: Box<[bool]>,
    globals: Box<[u32]>,
    /// The pointers that change, and what they hold then for others.
    pointers: Box<[(usize, Pointer)]>,
}

/// A view, with what depends on other members.
struct Known {
    view: View,
    extension: Extension,
    /// Whether some other view can be that of another member.
    is_met: bool,
    /// The rules that read the other member or change it.
    rules: Vec<Open>,
    /// The invariants that read the other member.
    claims: Vec<usize>,
}

impl Known {
    /// Whether anything needs another member.
    fn is_open(&self) -> bool {
        !self.rules.is_empty() || !self.claims.is_empty()
    }
}

/// A rule that needs another member.
struct Open {
    rule: usize,
    /// What becomes of the view, if only the guard reads the other member, and the rule belongs to
    /// none: then one other member is enough.
    alone: Option<View>,
}

/// The views with the same variables of no member.
#[derive(Default)]
struct Group {
    known: Vec<Known>,
    /// Those with rules or invariants that need another member.
    open: Vec<usize>,
    effects: Vec<Rc<Effect>>,
    numbers: FxHashSet<Rc<Effect>>,
}

/// What a rule does while the other member is unknown.
enum Acts {
    /// Nothing.
    Nothing,
    /// The view after it, and what others notice.
    To(View, Option<Effect>),
    /// It depends on the other member, or changes it.
    Open,
}

/// Whether two views can be those of two members of one configuration.
fn may_meet(a: &Extension, b: &Extension) -> bool {
    !a.held.iter().zip(&b.held).any(|(a, b)| *a && *b)
}

pub(super) struct Effects<'f, 'm> {
    fixpoint: &'f mut Fixpoint<'m>,
    /// The rules of the first member, and those of none.
    rules: Vec<usize>,
    /// Whether a rule belongs to no member.
    is_of_none: Vec<bool>,
    claims: Vec<usize>,
    groups: FxHashMap<Key, Group>,
    poll: Poll<'f>,
}

/// A limit was reached, or something is wrong.
enum Ended {
    Limit,
    Wrong(Stop),
}

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Self {
        Ended::Wrong(stop)
    }
}

impl<'f, 'm> Effects<'f, 'm> {
    pub fn new(fixpoint: &'f mut Fixpoint<'m>, set: ScalarId, limits: &'f Limits) -> Self {
        assert_eq!(fixpoint.tracked, 1, "views of one member");
        let model = fixpoint.model;
        let low = model.types.scalars[set].low;
        let instances = &fixpoint.instances.rules;
        let member = |rule: &guarded::instance::Instance| {
            let parameters = &model.rules[rule.rule].parameters;
            let at = parameters
                .iter()
                .position(|one| matches!(one.domain, ParameterDomain::Scalar(of) if of == set))?;
            Some(rule.slots[at].1)
        };
        let members: Vec<Option<i64>> = instances.iter().map(member).collect();
        let is_of_none = members.iter().map(Option::is_none).collect();
        let is_own = |rule: &usize| members[*rule].is_none_or(|value| value == low);
        let rules = (0..instances.len()).filter(is_own).collect();
        let claims = fixpoint.instances.claims.iter().enumerate();
        let is_invariant = |property| {
            let kind = &model.properties[property];
            kind.kind == PropertyKind::Invariant
        };
        let claims =
            claims.filter(|(_, claim)| is_invariant(claim.property)).map(|(at, _)| at).collect();
        let poll = Poll::new(limits, POLL_INTERVAL);
        Self { fixpoint, rules, is_of_none, claims, groups: FxHashMap::default(), poll }
    }

    /// Finds all views, from those of the start states on.
    pub fn run(mut self, limits: &Limits) -> AnyNumber {
        match self.views() {
            Ok(()) => AnyNumber::Proved(self.fixpoint.effort()),
            Err(Ended::Wrong(alarm)) => AnyNumber::Alarm(*alarm),
            Err(Ended::Limit) => AnyNumber::Limit(limits.exceeded().unwrap_or(Exceeded::Time)),
        }
    }

    fn views(&mut self) -> Result<(), Ended> {
        self.fixpoint.starts()?;
        while let Some(view) = self.fixpoint.work.pop() {
            let (key, extension) = keys(&view).swap_remove(0);
            let mut group = self.groups.remove(&key).unwrap_or_default();
            let added = self.add(&mut group, view, extension);
            self.groups.insert(key, group);
            added?;
        }
        Ok(())
    }

    /// Adds a view to those with the same variables of no member.
    fn add(&mut self, group: &mut Group, view: View, extension: Extension) -> Result<(), Ended> {
        let at = group.known.len();
        for effect in &group.effects {
            self.apply(effect, &view, &extension);
        }
        let (rules, claims) = (Vec::new(), Vec::new());
        group.known.push(Known { view, extension, is_met: false, rules, claims });
        let own = group.known[at].extension.clone();
        for other in 0..=at {
            if self.poll.expired() {
                return Err(Ended::Limit);
            }
            if !may_meet(&own, &group.known[other].extension) {
                continue;
            }
            for (one, with) in [(at, other), (other, at)] {
                if !std::mem::replace(&mut group.known[one].is_met, true) {
                    self.acts(group, one, with)?;
                }
            }
        }
        // Those that need another member: this one with all, and all others with this one.
        let is_open = group.known[at].is_open();
        for other in 0..=at {
            if is_open && may_meet(&own, &group.known[other].extension) {
                self.meets(group, at, other)?;
            }
        }
        for number in 0..group.open.len() {
            let other = group.open[number];
            if other != at && may_meet(&own, &group.known[other].extension) {
                self.meets(group, other, at)?;
            }
        }
        Ok(())
    }

    /// What a member does that has just met another one, whichever that is. `with` is one of those.
    fn acts(&mut self, group: &mut Group, at: usize, with: usize) -> Result<(), Ended> {
        let view = group.known[at].view.clone();
        let other = group.known[with].extension.clone();
        for number in 0..self.claims.len() {
            let claim = &self.fixpoint.instances.claims[self.claims[number]];
            self.unknown_other(&view);
            match claim.is_true(&mut self.fixpoint.machine) {
                Ok(true) => {}
                Err(Fault { kind: FaultKind::Unchosen, .. }) => {
                    group.known[at].claims.push(self.claims[number]);
                }
                wrong => {
                    let what = wrong.map(|_| claim.property);
                    let state = self.pair(&view, &other);
                    return Err(self.fixpoint.alarm(what, None, &state).into());
                }
            }
        }
        for number in 0..self.rules.len() {
            let rule = self.rules[number];
            match self.alone(&view, rule, true) {
                Ok(Acts::Nothing) => {}
                Ok(Acts::To(to, effect)) => {
                    self.fixpoint.add_view(to);
                    self.add_effect(group, effect);
                }
                Ok(Acts::Open) => {
                    let body = self.is_of_none[rule].then(|| self.alone(&view, rule, false));
                    let alone = match body {
                        Some(Ok(Acts::To(to, _))) => Some(to),
                        _ => None,
                    };
                    group.known[at].rules.push(Open { rule, alone });
                }
                Err(fault) => {
                    let state = self.pair(&view, &other);
                    return Err(self.fixpoint.fails(rule, fault, &state).into());
                }
            }
        }
        if group.known[at].is_open() {
            group.open.push(at);
        }
        Ok(())
    }

    /// Puts a view of the first member into the machine; of the second one nothing is known.
    fn unknown_other(&mut self, view: &View) {
        let Fixpoint { machine, parts, .. } = &mut *self.fixpoint;
        let cells = machine.state().len();
        machine.known.clear();
        machine.known.resize(cells, Knowledge::Value);
        machine.state_mut().fill(0);
        parts.globals.iter().zip(&view.globals).for_each(|(cell, code)| {
            machine.state_mut()[*cell] = *code;
        });
        parts.locals[0].iter().zip(&view.locals[0]).for_each(|(cell, code)| {
            machine.state_mut()[*cell] = *code;
        });
        parts.locals[1].iter().for_each(|cell| machine.known[*cell] = Knowledge::Nothing);
        for (cell, pointer) in parts.pointers.iter().zip(&view.pointers) {
            match *pointer {
                // It may be the second member or any other.
                OTHER => machine.known[*cell] = Knowledge::Defined,
                pointer => machine.state_mut()[*cell] = pointer.into(),
            }
        }
    }

    /// What a rule does, or (if not `guarded`) its body.
    fn alone(&mut self, view: &View, rule: usize, guarded: bool) -> Result<Acts, Fault> {
        self.unknown_other(view);
        let fixpoint = &mut *self.fixpoint;
        let instance = &fixpoint.instances.rules[rule];
        let machine = &mut fixpoint.machine;
        let executed = match guarded.then(|| instance.is_enabled(machine)) {
            Some(Ok(false)) => return Ok(Acts::Nothing),
            Some(Err(fault)) => Err(fault),
            Some(Ok(true)) | None => instance.execute(machine),
        };
        match executed {
            Ok(()) => {}
            Err(Fault { kind: FaultKind::Unchosen, .. }) => return Ok(Acts::Open),
            Err(Fault { kind: FaultKind::Assumption, .. }) => return Ok(Acts::Nothing),
            Err(fault) => return Err(fault),
        }
        let (machine, parts) = (&fixpoint.machine, fixpoint.parts);
        let state = machine.state();
        let is_known = |cell: &usize| state[*cell] != 0 || machine.known[*cell] == Knowledge::Value;
        if parts.locals[1].iter().any(is_known) {
            return Ok(Acts::Open);
        }
        let mut pointers = Vec::new();
        for cell in &parts.pointers {
            pointers.push(match (state[*cell], machine.known[*cell]) {
                (0, Knowledge::Defined) => OTHER,
                (code @ (0 | 1), _) => code as Pointer,
                // It holds the second member now.
                _ => return Ok(Acts::Open),
            });
        }
        let globals: Box<[u32]> = parts.globals.iter().map(|cell| state[*cell]).collect();
        let local = parts.locals[0].iter().map(|cell| state[*cell]).collect();
        let changed = pointers.iter().zip(&view.pointers).enumerate();
        let changed = changed.filter(|(_, (now, before))| now != before);
        let changed: Box<[(usize, Pointer)]> =
            changed.map(|(at, (now, _))| (at, if *now == 0 { 0 } else { OTHER })).collect();
        let is_noticed = globals != view.globals || !changed.is_empty();
        let effect = is_noticed.then(|| Effect {
            held: view.pointers.iter().map(|pointer| *pointer == 1).collect(),
            globals: globals.clone(),
            pointers: changed,
        });
        let to = View { globals, pointers: pointers.into(), locals: [local].into() };
        Ok(Acts::To(to, effect))
    }

    fn add_effect(&mut self, group: &mut Group, effect: Option<Effect>) {
        let Some(effect) = effect else { return };
        if group.numbers.contains(&effect) {
            return;
        }
        let effect = Rc::new(effect);
        for known in &group.known {
            self.apply(&effect, &known.view, &known.extension);
        }
        group.numbers.insert(effect.clone());
        group.effects.push(effect);
    }

    /// What an effect of another member makes of a view.
    fn apply(&mut self, effect: &Effect, view: &View, extension: &Extension) {
        if effect.held.iter().zip(&extension.held).any(|(a, b)| *a && *b) {
            return;
        }
        let mut pointers = view.pointers.clone();
        effect.pointers.iter().for_each(|(at, pointer)| pointers[*at] = *pointer);
        let (globals, locals) = (effect.globals.clone(), view.locals.clone());
        self.fixpoint.add_view(View { globals, pointers, locals });
    }

    /// The configuration of two members.
    fn pair(&self, view: &View, other: &Extension) -> Vec<u32> {
        let mut state = vec![0; self.fixpoint.model.cells as usize];
        self.fixpoint.fill(&mut state, view, other);
        state
    }

    /// Executes what needs another member with this one.
    fn meets(&mut self, group: &mut Group, at: usize, with: usize) -> Result<(), Ended> {
        if self.poll.expired() {
            return Err(Ended::Limit);
        }
        if !group.known[at].is_open() {
            return Ok(());
        }
        let state = self.pair(&group.known[at].view, &group.known[with].extension);
        let fixpoint = &mut *self.fixpoint;
        fixpoint.configurations += 1;
        fixpoint.machine.known.clear();
        fixpoint.machine.state_mut().copy_from_slice(&state);
        for claim in &group.known[at].claims {
            fixpoint.claim(*claim, &state)?;
        }
        let mut rules = std::mem::take(&mut group.known[at].rules);
        let mut result = Ok(());
        rules.retain(|open| {
            if result.is_err() {
                return true;
            }
            let Some(alone) = &open.alone else {
                result = fixpoint.rule(open.rule, &state);
                return true;
            };
            fixpoint.machine.state_mut().copy_from_slice(&state);
            let instance = &fixpoint.instances.rules[open.rule];
            match instance.is_enabled(&mut fixpoint.machine) {
                Ok(true) => {
                    fixpoint.add_view(alone.clone());
                    false
                }
                Ok(false) => true,
                Err(fault) => {
                    result = Err(fixpoint.fails(open.rule, fault, &state));
                    true
                }
            }
        });
        group.known[at].rules = rules;
        Ok(result?)
    }
}
