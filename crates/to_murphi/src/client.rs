//! What is checked in a model: that some order of the operations, in which each takes effect between
//! its begin and its end, explains what all of them have shown.

use crate::names::identifier;
use crate::shape::Shape;
use crate::steps::Stmt;
use crate::term::{Term, Writer};
use crate::value::{Abs, Meaning};
use crate::{Observed, Operation, Serial};
use ir::op::BinaryOp;
use ir::program::Width;
use std::collections::VecDeque;
use std::fmt::Write;

/// The abstract type with numbered results.
pub struct Client<'a> {
    pub operations: &'a [Operation],
    pub serial: &'a Serial,
    pub threads: u32,
    /// For each operation, for each invocation, what it can show; results count from one.
    results: Vec<Vec<Vec<Observed>>>,
}

impl<'a> Client<'a> {
    pub fn new(operations: &'a [Operation], serial: &'a Serial, threads: u32) -> Self {
        let mut results: Vec<Vec<Vec<Observed>>> =
            operations.iter().map(|it| vec![Vec::new(); it.choices.len()]).collect();
        for state in &serial.moves {
            for (operation, invocations) in state.iter().enumerate() {
                for (number, next) in invocations.iter().enumerate() {
                    let Some((observed, _)) = next else { continue };
                    let known = &mut results[operation][number];
                    if !known.contains(observed) {
                        known.push(observed.clone());
                    }
                }
            }
        }
        results.iter_mut().flatten().for_each(|known| known.sort());
        Self { operations, serial, threads, results }
    }

    /// The most results that an invocation has.
    pub fn most_results(&self) -> usize {
        self.results.iter().flatten().map(Vec::len).max().unwrap_or(1).max(1)
    }

    /// Whether an operation chooses.
    pub fn chooses(&self, operation: usize) -> bool {
        self.operations[operation].choices.iter().any(|choice| !choice.is_empty())
    }

    /// Whether any does, and between which numbers.
    pub fn range(&self) -> Option<(i128, i128)> {
        let all = self.operations.iter().flat_map(|it| it.choices.iter().flatten().copied());
        Some((all.clone().min()?, all.max()?))
    }

    /// The name of an operation in the model.
    pub fn name(&self, operation: usize) -> String {
        format!("op_{}", identifier(&self.operations[operation].name))
    }

    /// What an operation does when it ends: it says which of its results it has shown.
    pub fn ends(
        &self,
        operation: usize,
        writer: &Writer<'_>,
        shown: &[(String, Term)],
    ) -> Meaning<Vec<Stmt>> {
        let mut cases: Vec<Vec<(Vec<String>, usize)>> = Vec::new();
        for (number, results) in self.results[operation].iter().enumerate() {
            let chosen = self.operations[operation].choices[number].first().copied();
            let mut own = Vec::new();
            for (result, observed) in results.iter().enumerate() {
                if let Some(conds) = shows(writer, shown, observed, chosen)? {
                    own.push((conds, result + 1));
                }
            }
            cases.push(own);
        }
        let stmts = |case: &Vec<(Vec<String>, usize)>| chain(case);
        if cases.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(stmts(&cases[0]));
        }
        let mut out = vec![Stmt::Line("error \"a choice that there is not\";".into())];
        for (case, choice) in cases.iter().zip(&self.operations[operation].choices).rev() {
            let number = choice.first().copied().unwrap_or(0);
            out = vec![Stmt::If(format!("th[t].arg = {number}"), stmts(case), out)];
        }
        Ok(out)
    }

    /// The definitions that the check needs, as text.
    pub fn text(&self, owners: &[String]) -> String {
        let mut out = self.serial_text();
        out += &self.room();
        let _ = write!(
            out,
            "
-- What t's operation will return if it has taken effect, or 0.
function effect(e: Effects; t: Thread): 0..RESULTS;
begin
  return e / weight(t) % (RESULTS + 1);
end;

-- Thread t's operation ends and returns r. Until now, the running operations may have taken effect
-- in any order; what remains are the orders in which t's has, and returns r.
procedure ends(t: Thread; r: 1..RESULTS);
var
  after: array[State] of array[Effects] of boolean;
  next: State;
  result: 1..RESULTS;
  explained: boolean;
begin
  for round: Thread do
    for s: State do for e: Effects do
      if could[s][e] then
        for u: Thread do
          if !isundefined(th[u].op) & effect(e, u) = 0 then
            serial(s, u, next, result);
            could[next][e + result * weight(u)] := true;
          end;
        end;
      end;
    end; end;
  end;
  explained := false;
  for s: State do for e: Effects do after[s][e] := false; end; end;
  for s: State do for e: Effects do
    if could[s][e] & effect(e, t) = r then
      after[s][e - r * weight(t)] := true;
      explained := true;
    end;
  end; end;
  could := after;
  assert explained \"no order of the operations explains what this one returns\";
"
        );
        for owner in owners {
            let _ = writeln!(out, "  {owner}");
        }
        out += "  undefine th[t].op;\n";
        if self.range().is_some() {
            out += "  undefine th[t].arg;\n";
        }
        out += "end;\n";
        out
    }

    /// The types that the check needs.
    pub fn types(&self) -> String {
        let names: Vec<String> = (0..self.operations.len()).map(|at| self.name(at)).collect();
        format!(
            "  Operation: enum {{ {} }};\n  State: 0..{};  -- of the abstract type\n  Effects: \
             0..{};  -- a digit for each thread\n",
            names.join(", "),
            self.serial.moves.len() - 1,
            (self.most_results() as u64 + 1).pow(self.threads) - 1,
        )
    }

    /// The abstract type as a table.
    fn serial_text(&self) -> String {
        let mut out = String::from(
            "\n-- The abstract type: what thread t's operation does in state s when it runs alone. It was found\n\
             -- by running the C code (or that of --spec), one operation after the other.\n",
        );
        for (state, path) in self.paths().into_iter().enumerate() {
            let path = if path.is_empty() {
                "at first".to_string()
            } else {
                format!("after {}", path.join(", "))
            };
            let _ = writeln!(out, "--   state {state}: {path}");
        }
        out += "procedure serial(s: State; t: Thread; var next: State; var r: 1..RESULTS);\nbegin\n  switch th[t].op\n";
        for (at, operation) in self.operations.iter().enumerate() {
            let _ = writeln!(out, "  case {}:", self.name(at));
            let chooses = self.chooses(at);
            if chooses {
                out += "    switch th[t].arg\n";
            }
            for (number, choice) in operation.choices.iter().enumerate() {
                let indent = if chooses { "      " } else { "    " };
                if let Some(value) = choice.first() {
                    let _ = writeln!(out, "    case {value}:");
                }
                for (result, observed) in self.results[at][number].iter().enumerate() {
                    let shown: Vec<String> = observed
                        .iter()
                        .map(|(label, value)| format!("{label} = {value}"))
                        .collect();
                    let _ = writeln!(out, "{indent}-- r = {}: {}", result + 1, shown.join(", "));
                }
                let _ = writeln!(out, "{indent}switch s");
                for (state, moves) in self.serial.moves.iter().enumerate() {
                    let Some((observed, to)) = &moves[at][number] else { continue };
                    let mut all = self.results[at][number].iter();
                    let result = all.position(|other| other == observed).unwrap_or(0) + 1;
                    let _ = writeln!(out, "{indent}case {state}: next := {to}; r := {result};");
                }
                if self.serial.moves.iter().any(|moves| moves[at][number].is_none()) {
                    let message = "the abstract type is larger than its bound";
                    let _ = writeln!(out, "{indent}else error \"{message}\";");
                }
                let _ = writeln!(out, "{indent}end;");
            }
            if chooses {
                out += "    end;\n";
            }
        }
        out += "  end;\nend;\n";
        let _ = write!(
            out,
            "\nfunction weight(t: Thread): 1..{};\nbegin\n",
            self.weight(self.threads - 1)
        );
        for thread in 1..self.threads {
            let weight = self.weight(thread - 1);
            let _ = writeln!(out, "  if t = {thread} then return {weight}; end;");
        }
        let _ = write!(out, "  return {};\nend;\n", self.weight(self.threads - 1));
        out
    }

    fn weight(&self, thread: u32) -> u64 {
        (self.most_results() as u64 + 1).pow(thread)
    }

    /// For each state, the shortest way to it.
    fn paths(&self) -> Vec<Vec<String>> {
        let mut paths: Vec<Option<Vec<String>>> = vec![None; self.serial.moves.len()];
        paths[0] = Some(Vec::new());
        let mut open = VecDeque::from([0]);
        while let Some(state) = open.pop_front() {
            let path = paths[state].clone().unwrap_or_default();
            for (at, operation) in self.operations.iter().enumerate() {
                for (number, choice) in operation.choices.iter().enumerate() {
                    let Some((_, to)) = &self.serial.moves[state][at][number] else { continue };
                    if paths[*to].is_none() {
                        let values: Vec<String> = choice.iter().map(i128::to_string).collect();
                        let step = format!("{}({})", operation.name, values.join(", "));
                        paths[*to] = Some([path.clone(), vec![step]].concat());
                        open.push_back(*to);
                    }
                }
            }
        }
        paths.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Whether an operation may make the type larger than its bound.
    pub fn grows(&self, operation: usize) -> bool {
        self.serial.moves.iter().any(|moves| moves[operation].iter().any(Option::is_none))
    }

    /// For each state, how many operations that let the type grow can run before it may be larger
    /// than its bound.
    fn rooms(&self) -> Vec<usize> {
        let states = self.serial.moves.len();
        let mut rooms = vec![usize::MAX; states];
        for _ in 0..=states {
            for (state, moves) in self.serial.moves.iter().enumerate() {
                for (operation, invocations) in moves.iter().enumerate() {
                    let cost = usize::from(self.grows(operation));
                    for next in invocations {
                        let room =
                            next.as_ref().map_or(0, |(_, to)| rooms[*to].saturating_add(cost));
                        rooms[state] = rooms[state].min(room);
                    }
                }
            }
        }
        rooms
    }

    /// The functions that keep the type within its bound.
    fn room(&self) -> String {
        let grow = (0..self.operations.len()).filter(|operation| self.grows(*operation));
        let grow: Vec<String> =
            grow.map(|operation| format!("th[t].op = {}", self.name(operation))).collect();
        if grow.is_empty() {
            return String::new();
        }
        let most = self.threads as usize;
        let mut out = format!(
            "\n-- How many operations that let the type grow can run in state s, at least.\n\
             function room(s: State): 0..{most};\nbegin\n  switch s\n"
        );
        let rooms = self.rooms();
        for few in 0..most {
            let of = rooms.iter().enumerate().filter(|(_, room)| **room == few);
            let states: Vec<String> = of.map(|(state, _)| state.to_string()).collect();
            if !states.is_empty() {
                let _ = writeln!(out, "  case {}: return {few};", states.join(", "));
            }
        }
        let _ = write!(
            out,
            "  else return {most};
  end;
end;

-- Whether one more of these can begin: the client keeps the type within its bound.
function fits(): boolean;
var growing: 0..THREADS;
begin
  growing := 0;
  for t: Thread do
    if !isundefined(th[t].op) & ({}) then growing := growing + 1; end;
  end;
  for s: State do
    if room(s) <= growing & exists e: Effects do could[s][e] end then return false; end;
  end;
  return true;
end;
",
            grow.join(" | ")
        );
        out
    }
}

/// The conditions under which an operation has shown this; nothing if it never has.
fn shows(
    writer: &Writer<'_>,
    shown: &[(String, Term)],
    observed: &Observed,
    chosen: Option<i128>,
) -> Meaning<Option<Vec<String>>> {
    let defined: Vec<&(String, Term)> =
        shown.iter().filter(|(_, term)| *term != Term::undef()).collect();
    if defined.len() != observed.len() {
        return Ok(None);
    }
    let mut conds = Vec::new();
    for ((label, term), (wanted, value)) in defined.into_iter().zip(observed) {
        if label != wanted || !term.set.contains(&Abs::Int(*value)) {
            return Ok(None);
        }
        if term.kind == crate::term::Kind::Arg && chosen == Some(*value) {
            continue;
        }
        let value = Term::constant(Abs::Int(*value));
        let same = Term::binary(BinaryOp::Eq, Width::I64, term, &value)?;
        match same.number() {
            Some(0) => return Ok(None),
            Some(_) => {}
            None => conds.push(writer.truth(&same)?),
        }
    }
    Ok(Some(conds))
}

/// Statements that say which result was shown.
fn chain(cases: &[(Vec<String>, usize)]) -> Vec<Stmt> {
    let mut out = vec![Stmt::Line(
        "error \"it shows what it never shows when operations run alone\";".into(),
    )];
    for (conds, result) in cases.iter().rev() {
        let line = vec![Stmt::Line(format!("ends(t, {result});"))];
        out = match conds.is_empty() {
            true => line,
            false => vec![Stmt::If(conds.join(" & "), line, out)],
        };
    }
    out
}

/// The checks that no lock is held where an operation ends.
pub fn released(memory: &crate::memory::Memory) -> Vec<String> {
    let message = "a lock is held where an operation ends";
    let globals = memory
        .globals()
        .filter(|(_, _, shape, _)| *shape == Shape::Owner)
        .map(|it| format!("assert isundefined({0}) | {0} != t \"{message}\";", it.1));
    let fields = memory.fields().filter(|(_, shape, _)| *shape == Shape::Owner).map(|it| {
        let word = format!("heap[n].{}", it.0);
        format!("assert forall n: Node do isundefined({word}) | {word} != t end \"{message}\";")
    });
    globals.chain(fields).collect()
}
