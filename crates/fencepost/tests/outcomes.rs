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
