//! Litmus tests whose accesses of several sizes overlap: on one thread, memory is bytes; between
//! threads, both engines find the same states; and models that give such accesses no meaning refuse
//! them.

use fencepost::litmus::{Engine, Limits, model, run};
use front_litmus::test::Test;
use oracle::litmus::Answer;
use std::collections::BTreeSet;

fn parsed(text: &str) -> Test {
    let mut sources = execution::span::SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    match front_litmus::parse(&sources, file) {
        Ok(test) => test,
        Err(problem) => panic!("{}\n{text}", problem.message),
    }
}

/// The answer of an engine, or why there is none.
fn ask(text: &str, name: &str, engine: Engine) -> Result<Answer, String> {
    let limits = Limits { time: None, memory: None, unroll: 2, engine };
    let outcome = run(&parsed(text), &[model(name).unwrap()], &limits, false).remove(0);
    outcome.answer.map_err(|problem| problem.to_string())
}

fn states(answer: &Answer) -> BTreeSet<String> {
    answer.states.iter().map(|state| state.text.clone()).collect()
}

/// Numbers that look random (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arch {
    AArch64,
    X86,
    RiscV,
}

impl Arch {
    const ALL: [Arch; 3] = [Arch::AArch64, Arch::X86, Arch::RiscV];

    fn models(self) -> &'static [&'static str] {
        match self {
            Arch::AArch64 => &["armv8", "armv8-simple", "sc"],
            Arch::X86 => &["tso", "pso", "rmo", "relaxed", "sc"],
            Arch::RiscV => &["riscv", "tso", "sc"],
        }
    }
}

/// An access of some bytes of `x`, from an offset on.
#[derive(Clone, Copy, Debug)]
struct Access {
    kind: Kind,
    bytes: u64,
    offset: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Into the next register.
    Read,
    Write(u64),
    /// Atomically; of four or eight bytes.
    Add(u64),
    Fence,
}

/// An access by its size and the letters that sizes have: bytes, halves, words, doublewords.
fn by_size<T: Copy>(bytes: u64, list: [T; 4]) -> T {
    list[bytes.ilog2() as usize]
}

/// The registers that reads go to.
const X86_READ: [[&str; 3]; 2] = [["rax", "rbx", "rcx"], ["eax", "ebx", "ecx"]];

/// The instructions of a thread, and what it needs in the initial state.
fn thread(arch: Arch, number: usize, accesses: &[Access]) -> (Vec<String>, String) {
    let (mut lines, mut init) = (Vec::new(), String::new());
    let mut reads = 0;
    for (index, access) in accesses.iter().enumerate() {
        let &Access { kind, bytes, offset } = access;
        let (source, target) = (10 + index, 20 + reads);
        if let Kind::Write(value) | Kind::Add(value) = kind {
            match arch {
                Arch::AArch64 => init += &format!("{number}:X{source}={value:#x}; "),
                Arch::RiscV => init += &format!("{number}:x{source}={value:#x}; "),
                Arch::X86 => {}
            }
        }
        let letter = |list: [&'static str; 4]| by_size(bytes, list);
        lines.push(match (arch, kind) {
            (Arch::AArch64, Kind::Fence) => "DMB SY".to_string(),
            (Arch::AArch64, Kind::Read) => {
                format!("{}{target},[X1,#{offset}]", letter(["LDRB W", "LDRH W", "LDR W", "LDR X"]))
            }
            (Arch::AArch64, Kind::Write(_)) => {
                format!("{}{source},[X1,#{offset}]", letter(["STRB W", "STRH W", "STR W", "STR X"]))
            }
            (Arch::AArch64, Kind::Add(_)) => {
                let (own, base) = (letter(["W", "W", "W", "X"]), 1 + offset / 4);
                format!("LDADD {own}{source},{own}30,[X{base}]")
            }
            (Arch::RiscV, Kind::Fence) => "fence rw,rw".to_string(),
            (Arch::RiscV, Kind::Read) => {
                format!("{} x{target},{offset}(x6)", letter(["lbu", "lhu", "lwu", "ld"]))
            }
            (Arch::RiscV, Kind::Write(_)) => {
                format!("{} x{source},{offset}(x6)", letter(["sb", "sh", "sw", "sd"]))
            }
            (Arch::RiscV, Kind::Add(_)) => {
                let base = 6 + offset / 4;
                format!("amoadd.{} x30,x{source},(x{base})", letter(["b", "h", "w", "d"]))
            }
            (Arch::X86, Kind::Fence) => "mfence".to_string(),
            (Arch::X86, Kind::Read) => {
                let name = X86_READ[usize::from(bytes < 8)][reads];
                format!("{} (x+{offset}),%{name}", letter(["movzbl", "movzwl", "movl", "movq"]))
            }
            (Arch::X86, Kind::Write(value)) => {
                format!("mov{} ${value},(x+{offset})", letter(["b", "w", "l", "q"]))
            }
            (Arch::X86, Kind::Add(value)) => {
                format!("lock add{} ${value},(x+{offset})", letter(["b", "w", "l", "q"]))
            }
        });
        reads += usize::from(matches!(kind, Kind::Read));
    }
    for name in registers(arch).into_iter().take(reads) {
        init += &format!("uint64_t {number}:{name}; ");
    }
    init += &match arch {
        Arch::AArch64 => format!("{number}:X1=x; {number}:X2=x+4; "),
        Arch::RiscV => format!("{number}:x6=x; {number}:x7=x+4; "),
        Arch::X86 => String::new(),
    };
    (lines, init)
}

fn registers(arch: Arch) -> [&'static str; 3] {
    match arch {
        Arch::AArch64 => ["X20", "X21", "X22"],
        Arch::RiscV => ["x20", "x21", "x22"],
        Arch::X86 => X86_READ[0],
    }
}

/// A test that lists all that its threads read and what `x` holds in the end.
fn test(arch: Arch, initial: u64, threads: &[Vec<Access>]) -> String {
    let name = match arch {
        Arch::AArch64 => "AArch64",
        Arch::X86 => "X86_64",
        Arch::RiscV => "RISCV",
    };
    let (mut init, mut looks) = (format!("uint64_t x={initial:#x}; "), "x;".to_string());
    let mut columns = Vec::new();
    for (number, accesses) in threads.iter().enumerate() {
        let (lines, needs) = thread(arch, number, accesses);
        let reads = accesses.iter().filter(|access| matches!(access.kind, Kind::Read)).count();
        let seen = registers(arch).into_iter().take(reads);
        looks.extend(seen.map(|register| format!(" {number}:{register};")));
        init += &needs;
        columns.push(lines);
    }
    let names: Vec<String> = (0..threads.len()).map(|number| format!("P{number}")).collect();
    let mut text = format!("{name} test\n{{ {init}}}\n {} ;\n", names.join(" | "));
    for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        let cells: Vec<&str> =
            columns.iter().map(|lines| lines.get(row).map_or("", String::as_str)).collect();
        text += &format!(" {} ;\n", cells.join(" | "));
    }
    format!("{text}locations [{looks}]\n")
}

fn random_access(numbers: &mut Numbers, sizes: &[u64]) -> Access {
    let bytes = numbers.of(sizes);
    let offset = numbers.below(8 / bytes) * bytes;
    let mask = u64::MAX >> (64 - 8 * bytes);
    let value = numbers.below(u64::MAX) & mask & 0x7f7f_7f7f_7f7f_7f7f;
    let kind = match numbers.below(8) {
        0..3 => Kind::Read,
        3..6 => Kind::Write(value),
        6 if bytes >= 4 => Kind::Add(value),
        _ => Kind::Fence,
    };
    Access { kind, bytes, offset }
}

/// What one thread that makes these accesses alone sees, as the test prints it.
fn alone(arch: Arch, initial: u64, accesses: &[Access]) -> String {
    let mut memory = initial.to_le_bytes();
    let mut seen = String::new();
    let mut reads = registers(arch).into_iter();
    for &Access { kind, bytes, offset } in accesses {
        let range = offset as usize..(offset + bytes) as usize;
        let mut word = [0; 8];
        word[..bytes as usize].copy_from_slice(&memory[range.clone()]);
        let old = u64::from_le_bytes(word);
        let new = match kind {
            Kind::Fence => continue,
            Kind::Read => {
                seen += &format!("0:{}={old}; ", reads.next().expect("few reads"));
                old
            }
            Kind::Write(value) => value,
            Kind::Add(value) => old.wrapping_add(value),
        };
        memory[range].copy_from_slice(&new.to_le_bytes()[..bytes as usize]);
    }
    format!("{seen}[x]={};", u64::from_le_bytes(memory))
}

fn reads(accesses: &[Access]) -> usize {
    accesses.iter().filter(|access| matches!(access.kind, Kind::Read)).count()
}

#[test]
fn on_one_thread_memory_is_bytes() {
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    let (mut by_oracle, mut by_solver) = (0, 0);
    for _ in 0..60 {
        let arch = numbers.of(&Arch::ALL);
        let initial = numbers.below(u64::MAX);
        let accesses: Vec<Access> =
            (0..4).map(|_| random_access(&mut numbers, &[1, 2, 4, 8])).collect();
        if reads(&accesses) > 3 {
            continue;
        }
        let text = test(arch, initial, std::slice::from_ref(&accesses));
        let expected = BTreeSet::from([alone(arch, initial, &accesses)]);
        let name = numbers.of(arch.models());
        let limits = Limits { time: None, memory: None, unroll: 2, engine: Engine::Auto };
        let outcome = run(&parsed(&text), &[model(name).unwrap()], &limits, false).remove(0);
        assert_eq!(states(&outcome.answer.unwrap()), expected, "{name}\n{text}");
        by_oracle += u32::from(!outcome.fell_over);
        if let Ok(answer) = ask(&text, name, Engine::Sat) {
            assert_eq!(states(&answer), expected, "{name}\n{text}");
            by_solver += 1;
        }
    }
    assert!(
        by_oracle > 40 && by_solver > 40,
        "{by_oracle} by the oracle, {by_solver} by the solver"
    );
}

/// Accesses of two threads, few enough for the oracle.
fn random_threads(numbers: &mut Numbers) -> Vec<Vec<Access>> {
    let sizes: &[u64] = numbers.of(&[&[4, 8], &[1, 8], &[2, 4], &[1, 2, 4, 8]]);
    (0..2)
        .map(|_| (0..=numbers.below(3)).map(|_| random_access(numbers, sizes)).collect())
        .collect()
}

/// `FENCEPOST_MIXED` is how many tests are tried, more than usual.
#[test]
fn the_solver_finds_the_states_that_the_oracle_finds() {
    let count = std::env::var("FENCEPOST_MIXED").ok().and_then(|count| count.parse().ok());
    let mut numbers = Numbers(0x0dd0_5eed_0dd0_5eed ^ count.unwrap_or(0));
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..count.unwrap_or(40) {
        let arch = numbers.of(&Arch::ALL);
        let threads = random_threads(&mut numbers);
        let initial = numbers.of(&[0, 0x0102_0304_0506_0708]);
        let text = test(arch, initial, &threads);
        for name in arch.models() {
            let expected = ask(&text, name, Engine::Oracle);
            let found = ask(&text, name, Engine::Sat);
            match (expected, found) {
                (Ok(expected), Ok(found)) => {
                    assert_eq!(states(&found), states(&expected), "{name}\n{text}");
                    compared += 1;
                }
                (expected, found) => {
                    let why = |answer: Result<Answer, String>| answer.err().unwrap_or_default();
                    let why = [why(expected), why(found)].concat();
                    let known = ["too many values", "nothing but themselves decides"];
                    assert!(known.iter().any(|known| why.contains(known)), "{why}\n{text}");
                    refused += 1;
                }
            }
        }
    }
    assert!(compared > 4 * refused, "{compared} compared, {refused} refused");
}

#[test]
fn the_recorded_verdicts_are_found() {
    // The solver says of one test that the model may decide values by themselves.
    for (engine, inconclusive, status) in [("oracle", 0, 0), ("sat", 1, 3)] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_fencepost"))
            .args(["litmus", "corpus/litmus-mixed", "--engine", engine])
            .args(["--expect", "corpus/litmus-mixed/expected.csv"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(status), "{engine}: {text}");
        let summary = format!("48 tests, 0 refused, {inconclusive} rows inconclusive\n");
        assert!(text.contains(&summary), "{engine}: {text}");
        assert!(!text.contains("recorded"), "{engine}: {text}");
    }
}

#[test]
fn a_model_that_gives_them_no_meaning_refuses_them_at_their_lines() {
    let power = "PPC parts\n{ uint64_t x; 0:r1=x; 0:r2=1; }\n P0 ;\n std r2,0(r1) ;\n \
        stw r2,0(r1) ;\nexists (x=1)\n";
    for (name, known) in [("power", false), ("armv7", false), ("alpha", false), ("sc", true)] {
        let answer = ask(power, name, Engine::Oracle);
        match known {
            true => assert_eq!(answer.unwrap().positive, 1),
            false => {
                let problem = answer.map(|answer| states(&answer)).unwrap_err();
                let expected = format!(
                    "accesses of `x` at test.litmus:4:2 and `x+0:4` at test.litmus:5:2 overlap \
                     without being equal, to which the model {name} gives no meaning"
                );
                assert_eq!(problem, expected);
            }
        }
        let solved = ask(power, name, Engine::Sat);
        assert!(known || solved.is_err(), "{name}");
    }
}

#[test]
fn accesses_that_are_not_aligned_are_left_out() {
    let text = "X86_64 across\n{ uint64_t x; }\n P0 ;\n movl $1,(x+2) ;\nexists (x=65536)\n";
    for engine in [Engine::Oracle, Engine::Sat] {
        let answer = ask(text, "tso", engine).unwrap();
        assert!(answer.strays == 1 && answer.is_open(), "{engine:?}");
    }
}

#[test]
fn an_exclusive_pair_has_one_size() {
    let pair = |offset: u64, place: &str| {
        format!(
            "AArch64 sizes\n{{ uint64_t x; 0:X1=x; 0:X2={place}+{offset}; }}\n P0 ;\n \
             LDXR X3,[X1] ;\n STXR W4,W3,[X2] ;\nforall (0:X4=1)\n"
        )
    };
    for engine in [Engine::Oracle, Engine::Sat] {
        for offset in [0, 4] {
            let answer = ask(&pair(offset, "x"), "armv8", engine);
            let problem = answer.map(|answer| states(&answer)).unwrap_err();
            assert!(problem.contains("another size than its load-exclusive"), "{problem}");
        }
        // A store to other bytes fails, whatever its size.
        let elsewhere = ask(&pair(0, "y"), "armv8", engine).unwrap();
        assert_eq!((elsewhere.positive, elsewhere.negative), (1, 0), "{engine:?}");
    }
}

#[test]
fn parts_of_a_location_are_outside_of_others() {
    let refused = |init: &str, condition: &str| {
        let text = format!("AArch64 part\n{{ {init} 0:X1=x; }}\n P0 ;\n NOP ;\n{condition}\n");
        let mut sources = execution::span::SourceMap::new();
        let file = sources.add_file("test.litmus", text.as_str());
        front_litmus::parse(&sources, file).map(|test| test.name).map_err(|p| p.message)
    };
    assert_eq!(refused("uint64_t x;", "exists ([x+4]=0)"), Ok("part".to_string()));
    let outside = Err("this is outside of `x`".to_string());
    assert_eq!(refused("uint32_t x;", "exists ([x+4]=0)"), outside);
    assert_eq!(refused("uint64_t x; [x+8]=1;", "exists (x=0)"), outside);
    let address = Err("an address and its parts cannot be given initial values".to_string());
    assert_eq!(refused("uint64_t x=y; [x+4]=1;", "exists (x=0)"), address);
}
