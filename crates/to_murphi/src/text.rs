//! The whole model as text.

use crate::client::{Client, released};
use crate::facts::{Facts, facts};
use crate::inline::{Whole, inline};
use crate::memory::{Memory, memory, type_of};
use crate::names::{bare, quoted};
use crate::shape::{Numbers, Shape, factor};
use crate::steps::{Cut, Guard, Known, Learnt, Maker, Part, Rule, Stmt};
use crate::term::{Kind, Term, Writer};
use crate::value::{Abs, Meaning, Set};
use crate::{Operation, Refused, Subject};
use ir::cfg::Liveness;
use ir::op::Operand;
use ir::program::{BlockId, Reg};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What is known of one operation from one iteration to the next.
#[derive(Default)]
struct Progress {
    known: BTreeMap<Cut, Known>,
    loops: BTreeSet<BlockId>,
    kept: BTreeMap<Cut, Vec<Reg>>,
}

/// The rules of one operation.
struct Made {
    first: (Part, Vec<(String, Shape)>),
    rules: Vec<Rule>,
    labels: BTreeMap<Cut, String>,
    titles: BTreeMap<Cut, String>,
    /// The lines of loops of several accesses that change nothing which other threads know.
    loops: BTreeSet<u32>,
}

/// Iterations of making rules, and no more: each learns something.
const MOST_ITERATIONS: usize = 1000;

/// Everything that a model is made of.
struct Model<'a> {
    subject: &'a Subject<'a>,
    client: Client<'a>,
    wholes: Vec<Whole>,
    facts: Facts,
    numbers: Numbers,
    factor: u64,
    memory: Memory,
    learnt: Learnt,
    /// The variables of a thread.
    vars: BTreeMap<String, Shape>,
}

/// The Murphi model of a data type.
pub fn emit(subject: &Subject<'_>) -> Result<crate::Model, Refused> {
    let mut wholes = Vec::new();
    for operation in &subject.operations {
        let whole = inline(subject.program, operation.function)?;
        let least = operation.choices.iter().map(Vec::len).min().unwrap_or(0);
        let most = operation.choices.iter().map(Vec::len).max().unwrap_or(0);
        if whole.choices.len() > 1 || least != most || most > 1 {
            return Err(Refused::at(
                "an operation that chooses more than once",
                whole.function.place,
            ));
        }
        wholes.push(whole);
    }
    let chosen: Vec<Vec<i128>> = subject
        .operations
        .iter()
        .map(|operation| operation.choices.iter().flatten().copied().collect())
        .collect();
    let facts = facts(subject.program, &wholes, subject.start, &chosen)?;
    let (numbers, factor) = numbers(&wholes, &facts);
    let memory = memory(subject.program, &facts, &numbers)?;
    let client = Client::new(&subject.operations, &subject.serial, subject.threads.get());
    let (learnt, vars) = (Learnt::default(), BTreeMap::new());
    let mut model = Model { subject, client, wholes, facts, numbers, factor, memory, learnt, vars };
    let made = model.rules()?;
    let loops: BTreeSet<u32> = made.iter().flat_map(|made| made.loops.iter().copied()).collect();
    let loops: Vec<u32> = loops.into_iter().collect();
    Ok(crate::Model { text: model.text(&made, &loops), loops })
}

/// The cuts from which, without changing what other threads know, a thread can come back by way of
/// other cuts.
fn loops(idle: &BTreeSet<(Cut, Cut)>) -> BTreeSet<Cut> {
    let steps = || idle.iter().filter(|(from, to)| from != to);
    let mut reached: BTreeSet<(Cut, Cut)> = steps().copied().collect();
    loop {
        let longer: Vec<(Cut, Cut)> = reached
            .iter()
            .flat_map(|&(from, at)| {
                let next = steps().filter(move |(other, _)| *other == at);
                next.map(move |&(_, to)| (from, to))
            })
            .filter(|way| !reached.contains(way))
            .collect();
        if longer.is_empty() {
            return reached.iter().filter(|(from, to)| from == to).map(|(cut, _)| *cut).collect();
        }
        reached.extend(longer);
    }
}

fn numbers(wholes: &[Whole], facts: &Facts) -> (Numbers, u64) {
    let mut numbers = Numbers::default();
    let sets = || {
        facts.regs.iter().flat_map(|regs| regs.iter()).chain(facts.words.values().map(|it| &it.0))
    };
    for value in sets().flatten() {
        if let Abs::Int(number) = value {
            numbers.meet(*number);
        }
    }
    for inst in wholes.iter().flat_map(|it| &it.function.blocks).flat_map(|block| &block.insts) {
        for operand in inst.op.operands() {
            if let Operand::Int { width, bits } = operand
                && let Some(Abs::Int(number)) = crate::value::int(*width, *bits).first()
            {
                numbers.meet(*number);
            }
        }
    }
    (numbers, factor(sets()))
}

impl Model<'_> {
    /// Makes the rules until nothing is learnt any more.
    fn rules(&mut self) -> Result<Vec<Made>, Refused> {
        let mut progress: Vec<Progress> = self.wholes.iter().map(|_| Progress::default()).collect();
        let alive: Vec<Liveness> =
            self.wholes.iter().map(|whole| Liveness::new(&whole.function)).collect();
        let globals = self.names_of_globals();
        for _ in 0..MOST_ITERATIONS {
            let mut learnt = std::mem::take(&mut self.learnt);
            learnt.grown = false;
            let mut vars = BTreeMap::new();
            let mut all = Vec::new();
            for (at, progress) in progress.iter_mut().enumerate() {
                let made =
                    self.operation(at, &alive[at], progress, (&mut learnt, &mut vars, &globals))?;
                all.push(made);
            }
            (self.learnt, self.vars) = (learnt, vars);
            if !self.learnt.grown {
                return Ok(all);
            }
        }
        Err(Refused::at("a program whose steps are not found", None))
    }

    fn names_of_globals(&self) -> BTreeSet<String> {
        let owner = |name: &str| name.split('.').next().unwrap_or(name).to_string();
        self.memory.globals().map(|(_, name, ..)| owner(name)).chain(["t".to_string()]).collect()
    }

    /// The rules of one operation, with what is known so far.
    fn operation(
        &self,
        at: usize,
        alive: &Liveness,
        progress: &mut Progress,
        (learnt, vars, globals): (&mut Learnt, &mut BTreeMap<String, Shape>, &BTreeSet<String>),
    ) -> Result<Made, Refused> {
        let whole = &self.wholes[at];
        let operation = &self.subject.operations[at];
        let returns = |writer: &Writer<'_>, shown: &[(String, Term)]| -> Meaning<Vec<Stmt>> {
            self.client.ends(at, writer, shown)
        };
        let others = vars.clone();
        let mut maker = Maker {
            program: self.subject.program,
            facts: &self.facts,
            whole,
            alive,
            at,
            numbers: &self.numbers,
            factor: self.factor,
            words: &self.memory.names,
            learnt,
            arg: arg(whole, operation),
            known: std::mem::take(&mut progress.known),
            loops: std::mem::take(&mut progress.loops),
            vars: BTreeMap::new(),
            kept: std::mem::take(&mut progress.kept),
            labels: BTreeMap::new(),
            found: Vec::new(),
            idle: BTreeSet::new(),
            others: &others,
            name: &operation.name,
            globals,
            locals: Vec::new(),
            taken: BTreeSet::new(),
            from: (whole.function.entry(), 0),
            spurious: false,
            weak: false,
            returns: &returns,
        };
        let first = maker.first()?;
        let mut rules = Vec::new();
        while let Some(cut) = maker.found.get(rules.len()).copied() {
            rules.push(maker.rule(cut)?);
        }
        for (reg, name) in &maker.vars {
            let shape = maker.variable_shape(*reg).map_err(|what| Refused::at(what, None))?;
            let joined = vars.get(name).and_then(|known| known.joined(shape));
            vars.insert(name.clone(), joined.unwrap_or(shape));
        }
        let titles = maker.found.iter().map(|&cut| (cut, self.title(&maker, cut))).collect();
        let loops = loops(&maker.idle);
        let places = loops.iter().filter_map(|&cut| maker.place_of(cut));
        let loops = places.map(|at| self.subject.program.places[at].location.line).collect();
        progress.known = maker.known;
        progress.loops = maker.loops;
        progress.kept = maker.kept;
        Ok(Made { first, rules, labels: maker.labels, titles, loops })
    }

    /// What the rule at a cut does, for people: the line, and what is accessed there.
    fn title(&self, maker: &Maker<'_>, (block, at): Cut) -> String {
        let program = self.subject.program;
        let line = maker.place_of((block, at)).map(|place| &program.places[place].location);
        let line = line.map_or(String::new(), |at| format!(" {}:{}", file_name(&at.file), at.line));
        let insts = &maker.whole.function.blocks[block].insts[at..];
        let path = insts.iter().find_map(|inst| {
            let access = inst.op.accesses().first().copied();
            access.and_then(|access| access.path.clone())
        });
        let path = path.map_or(String::new(), |path| format!(" {}", path.replace("__fp_", "")));
        quoted(&format!("{}{line}{path}", maker.whole.origins[block].name))
    }

    /// The model.
    fn text(&self, made: &[Made], loops: &[u32]) -> String {
        let mut out = self.head(loops);
        out += &self.declarations(made);
        out += &self.functions();
        out += &self.client.text(&released(&self.memory));
        let _ = write!(
            out,
            "\nstartstate \"after init\"\nbegin\n{}  for t: Thread do th[t].pc := idle; end;\n  for s: \
             State do for e: Effects do could[s][e] := false; end; end;\n  could[0][0] := true;\nend;\n",
            self.start()
        );
        for (at, made) in made.iter().enumerate() {
            self.operation_text(at, made, &mut out);
        }
        out
    }

    fn head(&self, loops: &[u32]) -> String {
        let subject = self.subject;
        let threads = subject.threads;
        let mut out = format!(
            "-- {}: {threads} threads that for ever pick an operation and its argument, on sequential\n\
             -- consistency. Written by `fencepost prove --emit-murphi`.\n--\n\
             -- Each rule is one access that other threads may notice, with the local work after it. When an\n\
             -- operation ends, some order of the operations must explain what it has shown (see `ends`).\n\
             -- With `--deadlock stuttering`, threads that wait for each other are a deadlock, also in a loop\n\
             -- of one access.",
            quoted(&subject.file)
        );
        if !loops.is_empty() {
            let _ = write!(
                out,
                " In a loop of several accesses, a thread can always take a step: whether it waits\n-- there \
                 for ever is not seen. Such loops have accesses at line{} {}.",
                if loops.len() > 1 { "s" } else { "" },
                listed(loops)
            );
        }
        let _ = write!(out, "\n\nconst\n  THREADS: {threads};\n");
        if self.has_nodes() {
            let _ = writeln!(
                out,
                "  NODES: {};  -- heap blocks that are known at a time",
                subject.nodes
            );
            out += "  null: 0;\n";
        }
        if self.has_owners() {
            out += "  free: 0;  -- a lock that no thread holds\n";
        }
        let _ = writeln!(
            out,
            "  RESULTS: {};  -- the most that one operation can return",
            self.client.most_results()
        );
        out += &self.numbers.constants();
        out
    }

    fn has_nodes(&self) -> bool {
        self.learnt.any_alloc || self.memory.has_nodes() || self.subject.start.blocks() > 0
    }

    fn has_owners(&self) -> bool {
        let shapes = self.memory.types.values().map(|(shape, _)| *shape);
        shapes.chain(self.vars.values().copied()).any(|shape| shape == Shape::Owner)
    }

    fn declarations(&self, made: &[Made]) -> String {
        let mut out = String::from("\ntype\n  Thread: 1..THREADS;\n");
        if self.has_owners() {
            out += "  Owner: 0..THREADS;\n";
        }
        if self.has_nodes() {
            out += "  Node: 1..NODES;\n  Ref: 0..NODES;\n";
            let links = self.memory.types.values().map(|(shape, _)| *shape);
            if links.chain(self.vars.values().copied()).any(|shape| shape == Shape::Link) {
                let by = self.factor;
                let _ = writeln!(
                    out,
                    "  Link: 0..NODES * {by} + {};  -- a node times {by}, plus the low bits of its address",
                    by - 1
                );
            }
        }
        out += &self.client.types();
        let labels: Vec<&str> = made
            .iter()
            .flat_map(|made| made.rules.iter().map(|rule| made.labels[&rule.cut].as_str()))
            .collect();
        let _ = writeln!(out, "  Label: enum {{ idle, {} }};", labels.join(", "));
        if self.has_nodes() {
            out += &self.node_type();
        }
        out += "\nvar\n";
        if self.has_nodes() {
            out += "  heap: array[Node] of HeapNode;\n";
        }
        out += &self.memory.declarations();
        out += "  th: array[Thread] of record\n    pc: Label;\n    op: Operation;\n";
        if let Some((low, high)) = self.client.range() {
            let _ = writeln!(out, "    arg: {low}..{high};");
        }
        for (name, shape) in &self.vars {
            let _ = writeln!(out, "    {name}: {};", type_of(*shape, &Set::new(), &self.numbers));
        }
        out += "  end;\n\n  -- What the operations so far can have done: whether the abstract state can be s when, for each\n\
                \x20 -- thread, its running operation has taken effect and will return a result, or has not.\n\
                \x20 could: array[State] of array[Effects] of boolean;\n";
        out
    }

    /// The type of a node.
    fn node_type(&self) -> String {
        let released = if self.learnt.any_free { ", released" } else { "" };
        let mut out =
            format!("  HeapNode: record\n    is: enum {{ nothing, present{released} }};\n");
        for (name, _, text) in self.memory.fields() {
            let _ = writeln!(out, "    {name}: {text};");
        }
        out + "  end;\n  Numbering: array[Node] of Ref;\n"
    }

    /// What rules call.
    fn functions(&self) -> String {
        let mut out = String::from(
            "\nfunction running(): 0..THREADS;\nvar n: 0..THREADS;\nbegin\n  n := 0;\n  for t: Thread do\n    \
             if !isundefined(th[t].op) then n := n + 1; end;\n  end;\n  return n;\nend;\n",
        );
        if !self.has_nodes() {
            return out;
        }
        let freed = match self.learnt.any_free {
            true => "  assert heap[r].is = present \"use after free\";\n",
            false => "",
        };
        let _ = write!(
            out,
            "
-- The node that r points to.
function node(r: Ref): Node;
begin
  assert r != null \"null pointer\";
{freed}  return r;
end;

function spare(): Ref;
var n: Ref;
begin
  n := 0;
  for i: Node do
    if heap[i].is = nothing then n := n + 1; end;
  end;
  return n;
end;

function unused(): Node;
begin
  for n: Node do
    if heap[n].is = nothing then return n; end;
  end;
  error \"more than NODES nodes are needed\";
  return 1;
end;
"
        );
        if self.learnt.any_free {
            out += "\nprocedure release(r: Ref);\nvar n: Node;\nbegin\n  n := node(r);\n  undefine heap[n];\n  \
                    heap[n].is := released;\nend;\n";
        }
        out += &self.collector();
        out
    }

    /// Drops the nodes that nothing leads to, and numbers the others in the order in which they are
    /// found, so that states that differ by the numbers of nodes are one.
    fn collector(&self) -> String {
        let visit = |name: &str, shape: Shape, indent: &str| {
            let call = match shape {
                Shape::Ref(_) => format!("visit({name}, new, count);"),
                Shape::Link => format!("visit_link({name}, new, count);"),
                _ => return String::new(),
            };
            format!("{indent}if !isundefined({name}) then {call} end;\n")
        };
        let mut roots = String::new();
        for (_, name, shape, _) in self.memory.globals() {
            roots += &visit(name, shape, "  ");
        }
        let vars: String = self
            .vars
            .iter()
            .map(|(name, shape)| visit(&format!("th[t].{name}"), *shape, "    "))
            .collect();
        if !vars.is_empty() {
            let _ = write!(roots, "  for t: Thread do\n{vars}  end;\n");
        }
        let fields: String = self
            .memory
            .fields()
            .map(|(name, shape, _)| visit(&format!("heap[n].{name}"), shape, "          "))
            .collect();
        let uses = |wanted: Shape| {
            let shapes = self.memory.types.values().map(|(shape, _)| *shape);
            shapes.chain(self.vars.values().copied()).any(|shape| shape == wanted)
        };
        let mut out = String::from(
            "
-- Gives the node that r points to a new number, if it has none, and lets r point to it.
procedure visit(var r: Ref; var new: Numbering; var count: Ref);
begin
  if r != null then
    if new[r] = 0 then count := count + 1; new[r] := count; end;
    r := new[r];
  end;
end;
",
        );
        if uses(Shape::Link) {
            let by = self.factor;
            let _ = write!(
                out,
                "
procedure visit_link(var l: Link; var new: Numbering; var count: Ref);
var r: Ref;
begin
  r := l / {by};
  visit(r, new, count);
  l := r * {by} + l % {by};
end;
"
            );
        }
        let _ = write!(
            out,
            "
-- Forgets the nodes that nothing leads to, and numbers the others in the order in which they are
-- found: states that differ by these numbers only are one.
procedure collect();
var
  old: array[Node] of HeapNode;
  new: Numbering;
  count: Ref;
begin
  for n: Node do new[n] := 0; end;
  old := heap;
  count := 0;
{roots}  for n: Node do
    undefine heap[n];
    heap[n].is := nothing;
    if n <= count then
      for m: Node do
        if new[m] = n then
          heap[n] := old[m];
{fields}        end;
      end;
    end;
  end;
end;
"
        );
        out
    }

    fn start(&self) -> String {
        let mut out = String::new();
        if self.has_nodes() {
            out += "  for n: Node do heap[n].is := nothing; end;\n";
        }
        out + &self.memory.start(self.subject.start, &self.numbers, self.factor)
    }

    fn operation_text(&self, at: usize, made: &Made, out: &mut String) {
        let operation = &self.subject.operations[at];
        let allocates = self.subject.operations.len() > at && self.allocates(at);
        let mut guard = vec!["th[t].pc = idle".to_string()];
        if self.client.grows(at) {
            guard.push("fits()".into());
        }
        if allocates {
            guard.push("spare() > running()".into());
        }
        let mut params = "t: Thread".to_string();
        let mut begin = vec![Stmt::Line(format!("th[t].op := {};", self.client.name(at)))];
        if self.client.chooses(at) {
            let values: Vec<i128> = operation.choices.iter().flatten().copied().collect();
            let (low, high) = (
                values.iter().min().copied().unwrap_or(0),
                values.iter().max().copied().unwrap_or(0),
            );
            let _ = write!(params, "; arg: {low}..{high}");
            if high - low + 1 != values.len() as i128 {
                let one: Vec<String> =
                    values.iter().map(|value| format!("arg = {value}")).collect();
                guard.push(format!("({})", one.join(" | ")));
            }
            begin.push(Stmt::Line("th[t].arg := arg;".into()));
        }
        let (part, locals) = &made.first;
        let _ = write!(out, "\n\n-- {}\n", operation.name);
        let stmts = begin.iter().chain(&part.stmts).cloned().collect();
        let part = Part { stmts, guard: part.guard.clone() };
        self.rule_text(
            &format!("{} begins", operation.name),
            (&params, &guard),
            (&part, locals),
            out,
        );
        for rule in &made.rules {
            let guard = vec![format!("th[t].pc = {}", made.labels[&rule.cut])];
            let title = &made.titles[&rule.cut];
            self.rule_text(title, ("t: Thread", &guard), (&rule.part, &rule.locals), out);
            if let Some((part, locals)) = &rule.spurious {
                let title = format!("{title} (fails although it need not)");
                self.rule_text(&title, ("t: Thread", &guard), (part, locals), out);
            }
        }
    }

    fn allocates(&self, at: usize) -> bool {
        let insts = self.wholes[at].function.blocks.iter().flat_map(|block| &block.insts);
        let mut ops = insts.map(|inst| &inst.op);
        ops.any(|op| matches!(op, ir::op::Op::Alloc { .. }))
    }

    fn rule_text(
        &self,
        title: &str,
        (params, guard): (&str, &[String]),
        (part, locals): (&Part, &[(String, Shape)]),
        out: &mut String,
    ) {
        let mut stmts = part.stmts.clone();
        drop_unused(&mut stmts);
        if self.has_nodes() {
            stmts.push(Stmt::Line("collect();".into()));
        }
        let mut body = String::new();
        lines(&stmts, 2, &mut body);
        let mut guard = guard.to_vec();
        guard.extend(guard_text(&part.guard));
        let _ = write!(
            out,
            "\nruleset {params} do rule \"{}\"\n  {}\n==>\n",
            quoted(title),
            guard.join(" & ")
        );
        let used: Vec<&(String, Shape)> =
            locals.iter().filter(|(name, _)| mentions(&body, name)).collect();
        if !used.is_empty() {
            *out += "var\n";
            for (name, shape) in used {
                let _ = writeln!(out, "  {name}: {};", type_of(*shape, &Set::new(), &self.numbers));
            }
        }
        let _ = write!(out, "begin\n{body}end; end;\n");
    }
}

/// What the operation has chosen, if it chooses.
fn arg(whole: &Whole, operation: &Operation) -> Option<(Reg, Term)> {
    let reg = *whole.choices.first()?;
    let set: Set = operation.choices.iter().flatten().copied().map(Abs::Int).collect();
    Some((reg, Term { kind: Kind::Arg, set }))
}

/// Numbers, separated by commas.
fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// When a rule is enabled, if not always.
fn guard_text(guard: &Guard) -> Option<String> {
    match guard {
        Guard::Always => None,
        Guard::Never => Some("false".into()),
        Guard::When(text) => Some(text.clone()),
        Guard::Both(a, b) => match (guard_text(a), guard_text(b)) {
            (Some(a), Some(b)) => Some(format!("{a} & {b}")),
            (a, b) => a.or(b),
        },
        Guard::If(cond, a, b) => {
            let text = |guard: &Guard| guard_text(guard).unwrap_or_else(|| "true".into());
            match (guard_text(a), guard_text(b)) {
                (None, None) => None,
                _ => Some(format!("({cond} ? ({}) : ({}))", text(a), text(b))),
            }
        }
    }
}

/// Whether a text contains a name.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(|c| is_part(c) && c != '.')
    })
}

/// Drops assignments to variables of the rule that nothing reads.
fn drop_unused(stmts: &mut Vec<Stmt>) {
    let mut at = stmts.len();
    while at > 0 {
        at -= 1;
        if let Stmt::If(_, a, b) = &mut stmts[at] {
            drop_unused(a);
            drop_unused(b);
            continue;
        }
        let Stmt::Unless(name, _) = &stmts[at] else { continue };
        let mut rest = String::new();
        lines(&stmts[at + 1..], 0, &mut rest);
        if !mentions(&rest, name) {
            stmts.remove(at);
        }
    }
}

fn lines(stmts: &[Stmt], indent: usize, out: &mut String) {
    for stmt in stmts {
        match stmt {
            Stmt::Line(line) | Stmt::Unless(_, line) => {
                let _ = writeln!(out, "{:indent$}{line}", "");
            }
            Stmt::If(cond, a, b) => {
                let _ = writeln!(out, "{:indent$}if {} then", "", bare(cond));
                lines(a, indent + 2, out);
                if !b.is_empty() {
                    let _ = writeln!(out, "{:indent$}else", "");
                    lines(b, indent + 2, out);
                }
                let _ = writeln!(out, "{:indent$}end;", "");
            }
        }
    }
}
