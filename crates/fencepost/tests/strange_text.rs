//! Names that are not UTF-8, and control characters in names, labels, titles and source lines.
#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// An escape sequence, a bell, a change of direction and a control character past ASCII.
const EVIL: &str = "\x1b[31m\x1b]0;pwned\x07\u{202e}\u{2066}\u{9b}<img src=x onerror=alert(1)>\"'&";

fn fencepost(folder: &Path, args: &[impl AsRef<OsStr>]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// What must not reach a terminal or a page: control characters but line feeds and tabs, and what
/// changes the direction of writing.
fn unsafe_characters(text: &str) -> Vec<char> {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unsafe = |c: &char| (c.is_control() && !"\n\t".contains(*c)) || turns(*c);
    text.chars().filter(is_unsafe).collect()
}

/// Only `ESC [ … m` sequences are removed.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| match part.split_once('m') {
        Some((code, rest)) if code.chars().all(|c| c.is_ascii_digit() || c == ';') => out + rest,
        _ => out + "\x1b[" + part,
    })
}

fn checked(output: &Output) -> (String, i32) {
    let all = text(&output.stdout) + &text(&output.stderr);
    assert!(!all.contains("panicked"), "{all}");
    assert_eq!(unsafe_characters(&all), [], "{all:?}");
    (all, output.status.code().expect("a status"))
}

const WRONG: &str = "#include <assert.h>\nint x;\nint main(void) { assert(x == 1); return 0; }\n";
const TYPE: &str = "int x;\nvoid init(void) { x = 0; }\nint e(void) { return ++x; }\n";
const LITMUS: &str = "X86 SB\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n";

/// A folder with one in it whose name is not UTF-8, where each file has such a name, too.
fn not_utf_8() -> (TempDir, OsString) {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = OsStr::from_bytes(b"in\xffner").to_owned();
    let path = folder.path().join(&inner);
    fs::create_dir(&path).expect("a folder");
    let files: [(&[u8], &str); 3] =
        [(b"a\xff.c", WRONG), (b"t\xff.c", TYPE), (b"l\xff.litmus", LITMUS)];
    for (name, text) in files {
        fs::write(path.join(OsStr::from_bytes(name)), text).expect("written");
    }
    (folder, inner)
}

#[test]
fn every_command_takes_names_that_are_not_utf_8() {
    let (folder, inner) = not_utf_8();
    let folder = folder.path().join(inner);
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let program = name(b"a\xff.c");
    let runs: [(&[&OsStr], i32); 9] = [
        (&[name(b"verify"), program, name(b"--json")], 1),
        (&[name(b"verify"), program, name(b"--html=pag\xffes"), name(b"--save=sav\xffed")], 1),
        (&[name(b"verify"), program, name(b"--coverage"), name(b"--schedules=o\xff")], 0),
        (
            &[
                name(b"verify"),
                program,
                name(b"--property=leak"),
                name(b"--model=sc"),
                name(b"--proof=p\xff.lrat"),
            ],
            0,
        ),
        (&[name(b"run"), program], 1),
        (&[name(b"ir"), program], 0),
        (&[name(b"check"), name(b"t\xff.c"), name(b"--test=( e | e )"), name(b"--save=s\xff")], 1),
        (&[name(b"litmus"), name(b"l\xff.litmus"), name(b"--show=o\xff")], 0),
        (&[name(b"litmus"), name(b"l\xff.litmus"), name(b"--json")], 0),
    ];
    for (args, status) in runs {
        let (said, code) = checked(&fencepost(&folder, args));
        assert_eq!(code, status, "{args:?}: {said}");
    }
    assert!(folder.join(name(b"p\xff.lrat")).is_file());
    // What was saved is found again, from elsewhere, too.
    let saved = |folder: &Path| fs::read_dir(folder).expect("a folder").next().expect("a file");
    for saved in [saved(&folder.join(name(b"sav\xffed"))), saved(&folder.join(name(b"s\xff")))] {
        let path = saved.expect("readable").path();
        let args = [OsStr::new("replay"), path.as_os_str(), name(b"--html=r\xff.html")];
        for from in [&*folder, Path::new("/")] {
            let args = if from == folder { &args[..] } else { &args[..2] };
            let (said, code) = checked(&fencepost(from, args));
            assert_eq!(code, 1, "{path:?}: {said}");
        }
        assert!(folder.join(name(b"r\xff.html")).is_file());
    }
}

#[test]
fn a_file_that_cannot_be_included_is_refused() {
    let (folder, inner) = not_utf_8();
    let args = [OsStr::new("verify"), OsStr::from_bytes(b"a\xff.c"), OsStr::new("--outcomes=x")];
    let (said, code) = checked(&fencepost(&folder.path().join(inner), &args));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("needs a file whose name can be included"), "{said}");
}

/// Files with escape sequences in every place where a text of theirs is shown.
fn evil() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let program = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <fencepost.h>\nint x; // {EVIL}\n\
         void *t(void *u) {{ x = 1; return 0; }} // {EVIL}\nint main(void) {{\n  pthread_t a;\n  \
         pthread_create(&a, 0, t, 0);\n  fp_observe(\"l\\033[31m\\n{0}\", x);\n  \
         if (x) /* {EVIL} */ x = 2;\n  assert(x == 0 && \"{0}\");\n  pthread_join(a, 0);\n  return 0;\n}}\n",
        EVIL.replace('"', "\\\"")
    );
    let broken = format!("int main(void) {{ return nothing; }} // {EVIL}\n#error {EVIL}\n");
    let renamed =
        format!("# 7 \"{}\"\nint main(void) {{ return nothing; }}\n", "a\\n\u{202e}\\033[31m");
    let printing = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  \
        printf(\"\\033[31m\\r\"); assert(0); return 0;\n}\n";
    let data_type = format!(
        "#include <fencepost.h>\nint x;\nvoid init(void) {{ x = 0; }}\n\
         void e(void) {{ fp_observe(\"<b>\\033[31m\\n{}\", x); x = 1; x = 2; fp_observe(\"m\", x); }}\n",
        EVIL.replace('"', "\\\"")
    );
    let title = EVIL.replace(['"', ' '], "");
    let litmus = format!(
        "X86 SB{title}\n\"{title}\"\n{{ x=0; y=0; }}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n \
         MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"
    );
    let model = format!("\"{title}\"\nlet x = {EVIL}\n");
    let suite = "files = [\"type.c\"]\n[tests]\n\"T\\u001b[31m\" = \"( e | e )\"\n";
    let files = [
        ("program.c", program.as_str()),
        ("broken.c", &broken),
        ("renamed.c", &renamed),
        ("printing.c", printing),
        ("type.c", &data_type),
        ("SB.litmus", &litmus),
        ("model.cat", &model),
        ("suite.toml", suite),
        ("line\nfeed\x1b[31m.c", WRONG),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

const EVIL_RUNS: [(&[&str], i32); 18] = [
    (&["verify", "program.c", "--model=sc", "--model=rc11", "--html=out"], 1),
    (&["verify", "program.c", "--model=sc", "--coverage", "--observe", "--html=out"], 0),
    (&["verify", "program.c", "--model=sc", "--json"], 1),
    (&["verify", "broken.c"], 2),
    (&["verify", "renamed.c"], 2),
    (&["verify", "printing.c"], 1),
    (&["verify", "line\nfeed\x1b[31m.c", "--html=out"], 1),
    (&["verify", "line\nfeed\x1b[31m.c", "--json"], 1),
    (&["check", "type.c", "--test=( e | e )", "--model=relaxed", "--html=out"], 1),
    (&["check", "type.c", "--test=( e | e )", "--model=relaxed", "--json"], 1),
    (&["check", "--suite=suite.toml", "type.c"], 2),
    (&["litmus", "SB.litmus", "--show=out"], 0),
    (&["litmus", "SB.litmus", "--json"], 0),
    (&["litmus", "SB.litmus", "--model=model.cat"], 2),
    (&["litmus", "no\nfile\x1b[31m"], 2),
    (&["models", "--compare", "sc", "no\x1b[31m"], 2),
    (&["replay", "no\nfile\x1b[31m"], 2),
    (&["--no\x1b[31m"], 2),
];

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = evil();
    for (args, status) in EVIL_RUNS {
        let output = fencepost(folder.path(), args);
        let (said, code) = checked(&output);
        assert_eq!(code, status, "{args:?}: {said}");
        // No line begins with what follows a line feed in a name or a label.
        let forged = |line: &str| line.starts_with("feed") || line.starts_with("<b>");
        assert!(!said.lines().any(forged), "{args:?}: {said}");
        if args.contains(&"--json") {
            let valid = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
            let out = text(&output.stdout);
            assert!(valid(&out) || out.lines().all(valid), "{args:?}: {out}");
        }
        let coloured = fencepost(folder.path(), &[&["--color=always"], args].concat());
        let said = text(&coloured.stdout) + &text(&coloured.stderr);
        assert_eq!(unsafe_characters(&without_colours(&said)), [], "{args:?}: {said:?}");
        // Where the text has escape sequences, there are none of ours to tell them from.
        let of_text = ["\\x1b", "\\u{1b}", "\u{241b}"].iter().any(|shown| said.contains(shown));
        assert!(!of_text || !said.contains("\x1b[31m"), "{args:?}: {said:?}");
    }
}

#[test]
fn pages_and_pictures_show_them_escaped() {
    let folder = evil();
    for (args, _) in EVIL_RUNS {
        fencepost(folder.path(), args);
    }
    let out = fs::read_dir(folder.path().join("out")).expect("a folder");
    let pages: Vec<_> = out.map(|entry| entry.expect("readable").path()).collect();
    let pages = pages.iter().filter(|path| path.extension().is_some_and(|end| end != "json"));
    let mut count = 0;
    for page in pages {
        let text = fs::read_to_string(page).expect("UTF-8");
        assert_eq!(unsafe_characters(&text), [], "{}", page.display());
        assert!(!text.contains("<img") && !text.contains("<b>"), "{}", page.display());
        count += 1;
    }
    assert!(count > 5, "{count}");
}

/// What a program prints when it runs is its own affair.
#[test]
fn what_a_program_prints_is_passed_on() {
    let folder = evil();
    let output = fencepost(folder.path(), &["run", "printing.c"]);
    assert_eq!(output.stdout, b"\x1b[31m\r");
}

/// The text form of a program is read again as it is printed.
#[test]
fn a_printed_program_is_printable_and_parses_back() {
    let folder = evil();
    let output = fencepost(folder.path(), &["ir", "program.c"]);
    let (said, code) = checked(&output);
    assert_eq!(code, 0, "{said}");
    fs::write(folder.path().join("again.fpir"), &output.stdout).expect("written");
    let again = fencepost(folder.path(), &["ir", "again.fpir"]);
    assert_eq!(text(&again.stdout), text(&output.stdout));
}
