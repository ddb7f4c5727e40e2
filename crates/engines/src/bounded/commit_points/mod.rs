//! Commit points: do operations take effect where they say, one after the other?
//!
//! Burckhardt, Alur, Martin, *Bounded model checking of concurrent data types on relaxed memory
//! models: a case study*, CAV 2006. The code says with `fp_commit` where an operation takes
//! effect: at its last access before the last commit point that it passes. Then no observation
//! set is needed. An execution determines a serial one: the operations run in the memory order of
//! their commit accesses, and those of one thread in its order. Both must show the same. One
//! formula asks for an execution that does not.
//!
//! Where we deviate: the paper has the serial execution in the formula as a second copy of the
//! program. Here the stepper runs all serial executions beforehand, and their [graph](Orders) is
//! in the formula: following the order of the commit accesses and what the operations show, does
//! one get through? This needs no bounds for the serial side, where a bound that is too small
//! would hide a violation, and the graph is small. What is compared is what operations show; an
//! argument that an operation does not show may be another one in the serial execution.
//!
//! The memory order of a model is what its acyclic axioms order (see
//! [`encoding::memory::encode_ordered`]). If it leaves two commit accesses unordered, both orders
//! are explored. In a model with several such axioms that disagree about two commit accesses
//! (Power, C11), there is no order to follow, and the execution is left out. So there nothing
//! is said to hold unless it does whichever order one of these axioms alone allows: each of them
//! gives every execution an order.
//!
//! Soundness S-072 (check; power, armv7, languages; refuses): Where several relations of the model
//! that must be acyclic may order two commit accesses differently, a test holds only if it does in
//! every order that one of them allows by itself; otherwise the answer is `? cannot`. Test:
//! crates/engines/tests/commit_points.rs::orders_that_may_disagree_prove_nothing.
//!
//! Soundness S-073 (check; all; cries wolf): Where the model leaves two commit accesses unordered
//! that hardware orders, or a serial execution is missing from the set, `--method commit-points`
//! may report a false violation. Test:
//! crates/engines/tests/commit_points.rs::a_commit_point_in_the_wrong_place_is_found_and_both_executions_are_right.
//!
//! Soundness S-074 (check; all; misses): Commit points compare arguments only as far as operations
//! show them; one that is not shown may differ in the serial execution. Test: untested.
//!
//! Soundness S-075 (check; own; misses): On a user model with one such relation that does not
//! contain `rf` and `co` between threads, executions in which these contradict it are not checked.
//! Test: untested.

mod explain;

use crate::bounded::unrolling::{self, CheckOptions, Method, Unrolling, solve, solve_simply};
use crate::bounded::wanted::Wanted;
use crate::serial::Orders;
use crate::test::compose::{Composed, Instance, InstanceId};
use crate::verdict::{Reason, Statistics, Verdict, Violation};
use encoding::encode::Encoding;
use execution::diagnostic::Diagnostic;
use execution::ids::{Id, IdVec};
use models::Model;
use sat::Lit;
use std::cell::Cell;

/// Checks a test. `orders` are its serial executions ([`explore`](crate::serial::explore)).
pub fn check(
    composed: &Composed,
    orders: &Orders,
    model: &Model,
    options: &CheckOptions<'_>,
) -> (Verdict, Statistics) {
    check_only(composed, orders, model, options, &Wanted::default())
}

/// Checks what is wanted of a test.
pub fn check_only(
    composed: &Composed,
    orders: &Orders,
    model: &Model,
    options: &CheckOptions<'_>,
    wanted: &Wanted,
) -> (Verdict, Statistics) {
    let method = CommitPoints { orders, wanted, doubtful: Cell::new(false) };
    let (verdict, statistics) = unrolling::check(composed, model, options, &method);
    let holds = matches!(verdict, Verdict::Holds | Verdict::HoldsWithinBounds(_));
    let verdict = match holds && method.doubtful.get() {
        true => Verdict::unknown(Reason::Unsupported { what: no_order(model), place: None }),
        false => verdict,
    };
    (verdict, statistics)
}

/// That a model may have no order in which operations take effect.
fn no_order(Model { name, .. }: &Model) -> String {
    format!(
        "an order in which operations take effect, since the orders of memory that {name} has may \
         disagree about it. (Nothing is wrong with the executions in which they agree; \
         `--method observations` needs no order.)"
    )
}

fn never_commits(Instance { operation, span, .. }: &Instance) -> Diagnostic {
    let message = format!("operation `{operation}` can end without taking effect anywhere");
    Diagnostic::error(*span, message)
        .note("on every way through it there must be an access to shared memory, and `fp_commit` after it")
}

struct CommitPoints<'a> {
    orders: &'a Orders,
    wanted: &'a Wanted,
    /// Whether executions without an order may have been missed when this was asked last.
    doubtful: Cell<bool>,
}

impl Method for CommitPoints<'_> {
    fn needs_commits(&self) -> bool {
        true
    }

    fn wanted(&self) -> Wanted {
        self.wanted.clone()
    }

    fn ask(
        &self,
        unrolling: &Unrolling<'_>,
        encoding: &mut Encoding<'_>,
    ) -> Result<Option<Violation>, Reason> {
        let before = Before { composed: unrolling.composed, numbers: unrolling.numbers(encoding) };
        before.all_commit(encoding)?;
        let unexplained = explain::unexplained(encoding, self.orders, &before);
        // Of threads that could be exchanged, the first takes effect first. (This is so for
        // neighbours in some exchange, even where the order is not transitive.)
        for (first, second) in unrolling.symmetric_operations() {
            let [first, second] = [first, second].map(InstanceId::new);
            let right = before.lit(encoding, first, second);
            encoding.formula.clause(&[!unexplained, right]);
        }
        let mut assumptions = encoding.ordered();
        assumptions.extend([encoding.complete(), unexplained]);
        let found = solve_simply(encoding, &assumptions)?;
        if !found {
            self.doubtful.set(is_doubtful(encoding, unexplained)?);
        }
        Ok(found.then(|| {
            let seen = unrolling.observation(encoding);
            let order = before.order(encoding);
            let serial = order.as_ref().and_then(|order| self.orders.in_order(order, &seen));
            let order = order.map(|order| order.into_iter().map(Id::index).collect());
            Violation::CommitPoints { seen, order, serial }
        }))
    }
}

/// Whether an execution may be wrong on whose order the model's orders of memory disagree.
fn is_doubtful(encoding: &mut Encoding<'_>, unexplained: Lit) -> Result<bool, Reason> {
    let each = encoding.ordered_by_one();
    for [asked, order] in &each {
        if !solve(encoding, &[*asked, *order, encoding.complete(), unexplained])? {
            return Ok(false);
        }
    }
    Ok(!each.is_empty())
}

/// The order of the operations of a test.
struct Before<'a> {
    composed: &'a Composed,
    numbers: IdVec<InstanceId, Option<u32>>,
}

impl Before<'_> {
    /// Refuses operations that can end without having committed.
    fn all_commit(&self, encoding: &mut Encoding<'_>) -> Result<(), Reason> {
        for (id, instance) in self.composed.instances.enumerate() {
            let (Some(number), true) = (self.numbers[id], instance.column > 0) else { continue };
            let commits = encoding.commits(number);
            if commits != Lit::TRUE && solve(encoding, &[encoding.complete(), !commits])? {
                return Err(Reason::Input(Box::new(never_commits(instance).into())));
            }
        }
        Ok(())
    }

    /// Whether an operation comes before another.
    fn lit(&self, encoding: &Encoding<'_>, first: InstanceId, second: InstanceId) -> Lit {
        let place = |id: InstanceId| {
            let instance = &self.composed.instances[id];
            (instance.column, instance.index)
        };
        let (a, b) = (place(first), place(second));
        if a.0 == b.0 || a.0 == 0 || b.0 == 0 {
            return Lit::constant(a < b);
        }
        match (self.numbers[first], self.numbers[second]) {
            (Some(first), Some(second)) => encoding.before(first, second),
            // An operation that no execution reaches: none is complete.
            _ => Lit::FALSE,
        }
    }

    /// After a solution: the operations in their order, if that is one.
    fn order(&self, encoding: &Encoding<'_>) -> Option<Vec<InstanceId>> {
        let all: Vec<InstanceId> = self.composed.instances.ids().collect();
        let is_before = |first: InstanceId, second: InstanceId| {
            first != second && encoding.formula.value(self.lit(encoding, first, second))
        };
        let count = |id: &InstanceId| all.iter().filter(|&&other| is_before(other, *id)).count();
        let mut order = all.clone();
        order.sort_by_key(count);
        // Each pair is ordered, so this is an order iff each has as many before it as it should.
        order.iter().enumerate().all(|(index, id)| count(id) == index).then_some(order)
    }
}
