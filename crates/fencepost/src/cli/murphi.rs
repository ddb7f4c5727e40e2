//! What can be said to `fencepost murphi`.

use super::seconds;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Visit all states of a Murphi model and check what it claims
///
/// A model has variables of finite types, start states, and rules that change the state when their
/// guard is true. Every state that rules can reach is visited, in all orders of rules, and every
/// invariant is checked in each. The language is Murphi's as CMurphi and Rumur read it.
///
/// Besides false invariants these are reported: failed assertions, `error` statements, undefined
/// values that are read, values outside of their range, indices outside of their array, division by
/// zero, multisets without room, cover properties that no state satisfies, and deadlocks. What is
/// found is shown by the fewest steps that lead to it, each with the variables that change.
///
/// States that differ only by a permutation of the members of scalarsets are visited once.
///
/// With --cmp, small numbers of members are explored first; then one or two members are considered
/// together with all others, which are abstracted to one (data type reduction). What these may do is
/// restricted by views, or by lemmas, which are mined unless --lemmas names a file with them. A proof
/// is about invariants, assertions and failures of code for any number of members; deadlocks are
/// looked for among the small numbers only.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = HELP)]
pub struct MurphiArgs {
    /// The model, FILE.m
    pub file: PathBuf,
    /// What counts as a deadlock: a state that no rule changes (`stuttering`), a state in which no
    /// rule is enabled (`stuck`), or no state (`off`)
    #[arg(long, value_enum, default_value_t = DeadlockArg::Stuttering, hide_possible_values = true)]
    #[arg(value_name = "stuttering|stuck|off")]
    pub deadlock: DeadlockArg,
    /// Whether states that differ by a permutation of scalarsets are visited once
    #[arg(long, value_enum, default_value_t = SwitchArg::On, hide_possible_values = true)]
    #[arg(value_name = "on|off")]
    pub symmetry: SwitchArg,
    /// Prove the model for any number of members of this scalarset, or find a number for which it
    /// is violated
    #[arg(long, value_name = "TYPE")]
    pub cmp: Option<String>,
    /// What restricts the members that are not tracked: the views of a few members (`views`), lemmas
    /// that are mined from small numbers (`mined`), the invariants in FILE, or nothing (`none`)
    /// [default: views, and mined lemmas where these give no proof]
    #[arg(long, value_name = "views|mined|FILE|none", requires = "cmp")]
    pub lemmas: Option<PathBuf>,
    /// Write the lemmas of the proof to this file, which --lemmas reads
    #[arg(long, value_name = "FILE", requires = "cmp")]
    pub save_lemmas: Option<PathBuf>,
    /// Give up after S seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub time_limit: Option<f64>,
    /// Give up when the process uses more than M mebibytes of memory (otherwise: most of what the
    /// machine has left)
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    pub memory_limit: Option<u64>,
    /// Use N threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
}

/// What counts as a deadlock
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DeadlockArg {
    /// A state that no rule changes
    Stuttering,
    /// A state in which no rule is enabled
    Stuck,
    /// No state
    Off,
}

/// On or off
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SwitchArg {
    /// Yes
    On,
    /// No
    Off,
}

const HELP: &str = "\
A model:
  const N: 2;
  type Proc: scalarset(N);             -- members that nothing distinguishes
  var critical: array[Proc] of boolean;
  startstate begin for p: Proc do critical[p] := false; end; end;
  ruleset p: Proc do
    rule \"enter\" !critical[p] ==> critical[p] := true; end;
    rule \"leave\" critical[p] ==> critical[p] := false; end;
  end;
  invariant \"mutual exclusion\"
    forall p: Proc do forall q: Proc do critical[p] & critical[q] -> p = q end end;

Examples:
  fencepost murphi german.m                    check a model
  fencepost murphi german.m --symmetry off     count all states, not one of each orbit
  fencepost murphi protocol.m --deadlock off   a protocol that is meant to stop
  fencepost murphi german.m --cmp Client       prove it for any number of clients
  fencepost murphi german.m --cmp Client --lemmas mined
                                               the same by lemmas, which are printed
  fencepost murphi big.m --time-limit 60       give up after a minute, and say what is known

Exit status:
  0    every reachable state was visited, and nothing is wrong
  1    something is wrong, and the way to it is shown
  2    the model is wrong (a caret shows where), or the output cannot be written
  3    a limit was reached, or a signal arrived, before all states were visited";
