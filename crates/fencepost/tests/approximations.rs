//! Approximations and refusals of the register in SOUNDNESS.md that programs of the corpus cannot
//! show: each test says what a correct answer would be, and what the answer is.

use std::path::Path;
use std::process::Command;

/// What the command prints, in the root of the repository.
fn fencepost(args: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(root)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is printed about a litmus test.
fn answer(name: &str, text: &str, args: &[&str]) -> String {
    let folder = std::env::temp_dir().join(format!("fencepost-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("test.litmus");
    std::fs::write(&file, text).unwrap();
    let model = folder.join("own.cat");
    std::fs::write(&model, OWN).unwrap();
    let (file, model) = (file.display().to_string(), model.display().to_string());
    let args = args.iter().map(|arg| if *arg == "own" { model.as_str() } else { arg });
    let answer = fencepost(&["litmus", &file].into_iter().chain(args).collect::<Vec<_>>());
    std::fs::remove_dir_all(&folder).unwrap();
    answer
}

/// The line of a litmus test's answer that says how often its condition holds.
fn observation(name: &str, text: &str, args: &[&str]) -> String {
    let answer = answer(name, text, args);
    let line = answer.lines().find(|line| line.starts_with("Observation"));
    line.unwrap_or_else(|| panic!("no answer: {answer}")).to_string()
}

/// A model that forbids all that has no counterpart here.
const OWN: &str = "\"own\"\ninclude \"cos.cat\"\nempty R & W as updates-are-two-events\n\
                   empty T | TLBI as no-system-level\n";

#[test]
fn a_register_without_a_type_shows_its_lower_half_only() {
    let test = |declared: &str| {
        format!(
            "AArch64 half\n{{ uint64_t x=0x100000000; {declared} 0:X1=x; }}\n P0          ;\n LDR \
             X0,[X1] ;\nexists (0:X0=0)\n"
        )
    };
    assert_eq!(observation("untyped", &test(""), &[]), "Observation half Always 1 0");
    assert_eq!(observation("typed", &test("uint64_t 0:X0;"), &[]), "Observation half Never 0 1");
    let warning = "Warning: the upper half of 0:X0 is not shown: declare `uint64_t 0:X0;`";
    for engine in ["oracle", "sat"] {
        let warns = |text: &str| answer("half", text, &["--engine", engine]).contains(warning);
        assert!(warns(&test("")), "{engine}");
        assert!(!warns(&test("uint64_t 0:X0;")), "{engine}");
        assert!(!warns(&test("int 0:X0;")), "{engine}: it says what it wants");
        // Numbers that 32 bits can show lose nothing, whatever their sign.
        for fits in ["0xffffffff", "0xffffffffffffffff", "0x7fffffff"] {
            assert!(!warns(&test("").replace("0x100000000", fits)), "{engine}: {fits}");
        }
        let compared = test("").replace("x=0x100000000", "x=0").replace("X0=0)", "X0=0x100000000)");
        assert!(warns(&compared), "{engine}: the condition has more in it");
    }
}

/// A processor would set the carry flag to the bit that is shifted out.
#[test]
fn a_shift_clears_the_carry_flag() {
    let text = "X86_64 carry\n{ 0:rax=3; }\n P0           ;\n shrl $1,%eax ;\n setc %bl     ;\n\
                exists (0:rbx=0)\n";
    assert_eq!(observation("carry", text, &[]), "Observation carry Always 1 0");
}

#[test]
fn an_update_is_never_one_event_and_the_system_level_is_empty() {
    let text = "X86_64 update\n{}\n P0             ;\n movl $1,%eax   ;\n xchgl %eax,(x) ;\n\
                exists (x=1)\n";
    let answer = observation("update", text, &["--model", "own"]);
    assert_eq!(answer, "Observation update Always 1 0");
}

#[test]
fn memory_is_not_used_again_under_models_of_languages() {
    let queue = "examples/msn/msn_fenced.c";
    let check = ["check", queue, "--test", "( e | d )", "--reuse-memory", "--no-cache", "--model"];
    let answer = |model| fencepost(&[&check[..], &[model]].concat());
    assert!(answer("rc11").contains("? cannot"), "{}", answer("rc11"));
    assert!(answer("sc").contains("holds"), "{}", answer("sc"));
}
