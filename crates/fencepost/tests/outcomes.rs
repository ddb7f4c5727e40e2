//! How `fencepost verify --outcomes` shows values.

use std::process::Command;

/// Verifies a program; what is printed.
fn verify(program: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), program).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(["verify", "program.c"]).args(args).current_dir(folder.path());
    String::from_utf8(command.output().expect("the program starts").stdout).expect("UTF-8")
}

#[test]
fn what_has_no_sign_is_shown_without_one() {
    let program = "unsigned char c = 200; unsigned short s = 65535; unsigned u = 4294967295u;\n\
                   unsigned long l = -1ul; int i = -5; signed char k = -3; _Bool b = 1;\n\
                   int main(void) { return 0; }\n";
    for engine in ["states", "sat"] {
        let asked = "u,l,c,s,i,k,b,l+1,u+1";
        let args = ["--model", "sc", "--engine", engine, "--property", "assert"];
        let text = verify(program, &[&args[..], &["--outcomes", asked]].concat());
        let shown = "u=4294967295 l=18446744073709551615 c=200 s=65535 i=-5 k=-3 b=1 l+1=0 u+1=0";
        assert!(text.contains(&format!("  {shown}\n")), "{engine}: {text}");
    }
}

/// Where a limit of the library ends executions, there may be more than what was found.
#[test]
fn a_limit_of_the_library_leaves_outcomes_and_branches_open() {
    let program = "#include <pthread.h>\nint y;\nint main(void) {\n\
                   for (int i = 0; i < 33; i++) { pthread_key_t key; pthread_key_create(&key, 0); }\n\
                   if (y == 0) y = 2;\nreturn 0;\n}\n";
    for engine in ["states", "sat"] {
        let args = ["--model=sc", "--max-unroll=40", "--engine", engine];
        let outcomes = verify(program, &[&args[..], &["--outcomes=y"]].concat());
        assert!(outcomes.contains("0 outcomes, perhaps not all"), "{engine}: {outcomes}");
        assert!(outcomes.contains("what is not supported"), "{engine}: {outcomes}");
        let coverage = verify(program, &[&args[..], &["--coverage"]].concat());
        assert!(coverage.contains("perhaps not all"), "{engine}: {coverage}");
        assert!(coverage.contains("NOT FOUND") && !coverage.contains("NEVER"), "{coverage}");
    }
}

#[test]
fn outcomes_that_a_finding_prevents_are_explained() {
    let program = "int zero;\nint main(void) { return 5 / zero; }\n";
    let text = verify(program, &["--model=sc", "--outcomes=zero"]);
    assert!(text.contains("no execution has one: something goes wrong"), "{text}");
}
