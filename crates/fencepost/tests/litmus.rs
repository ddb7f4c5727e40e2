//! `fencepost litmus` as its users see it: answers, comparisons, pictures, and messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn fencepost(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .arg("litmus")
        .args(args)
        .current_dir(root())
        .output()
        .expect("fencepost runs")
}

/// Standard output, with times taken out.
fn shown(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let without_time = |line: &str| match line.strip_prefix("Time ") {
        Some(rest) => format!("Time {} …", rest.split(' ').next().unwrap_or("")),
        None => line.to_string(),
    };
    text.lines().map(without_time).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_test_is_answered_as_herd_answers_it() {
    let output = fencepost(&["corpus/litmus/X86/SB.litmus"]);
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_forbidden_outcome_is_drawn_with_its_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let test = "corpus/litmus/AArch64/IRIW+light.litmus";
    let output = fencepost(&[test, "--model", "armv8", "--show", &path]);
    let text = shown(&output);
    let drawing = text.split("IRIW+light: an execution").nth(1).unwrap_or(&text);
    insta::assert_snapshot!(drawing);
    let svg = std::fs::read_to_string(folder.path().join("IRIW+light.armv8.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for word in ["a: W x=1", "h: R x=0", "DMB.LD", ">fr</text>", ">rf</text>"] {
        assert!(svg.contains(word), "{word} is missing in\n{svg}");
    }
}

#[test]
fn tests_of_one_name_have_pictures_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("corpus/litmus/X86/SB.litmus")).unwrap();
    let paths = ["a", "b"].map(|name| {
        let path = folder.path().join(name).join("SB.litmus");
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
        path.display().to_string()
    });
    let pictures = folder.path().join("pictures");
    let args = [&paths[0], &paths[1], "--show", &pictures.display().to_string()];
    assert_eq!(fencepost(&args).status.code(), Some(0));
    for name in ["a-SB.tso.svg", "b-SB.tso.svg"] {
        assert!(pictures.join(name).exists(), "{name}");
    }
    let args = [&paths[0], "--show", &paths[1]];
    let output = fencepost(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "it is noticed before anything is answered");
}

#[test]
fn json_has_one_line_per_test_and_model() {
    let tests = ["corpus/litmus/X86/SB.litmus", "corpus/litmus/X86/MP.litmus"];
    let output = fencepost(&[tests[0], tests[1], "--model", "sc", "--model", "tso", "--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<&str> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(files, [tests[0], tests[0], tests[1], tests[1]]);
    let summary: Vec<(&str, &str, &str)> = lines
        .iter()
        .map(|line| {
            let word = |name: &str| line[name].as_str().unwrap();
            (word("test"), word("model"), word("observation"))
        })
        .collect();
    assert_eq!(
        summary,
        [
            ("SB", "sc", "Never"),
            ("SB", "tso", "Sometimes"),
            ("MP", "sc", "Never"),
            ("MP", "tso", "Never"),
        ]
    );
}

fn compare(rows: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("expected.csv");
    std::fs::write(&file, format!("file,model,quantifier,verdict,states\n{rows}")).unwrap();
    let output = fencepost(&["corpus/litmus/X86", "--expect", &file.display().to_string()]);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn agreement_and_disagreement_with_recorded_answers_are_told_apart() {
    let (code, text) = compare("SB.litmus,x86tso.cat,exists,Sometimes,4\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("x86tso.cat as tso: 1 of 1 agree"), "{text}");
    assert!(!text.contains("not given"), "{text}");

    let (_, text) = compare("Absent.litmus,x86tso.cat,exists,Sometimes,4\n");
    assert!(text.contains("1 rows of tests that were refused or not given"), "{text}");

    let (code, text) =
        compare("SB.litmus,sc-rmw.cat,exists,Sometimes,4\nMP.litmus,sc,exists,Never,3\n");
    assert_eq!(code, Some(1), "{text}");
    let line =
        "SB.litmus (sc-rmw.cat as sc): verdict Never, recorded Sometimes; 3 states, recorded 4";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("sc-rmw.cat as sc: 0 of 1 agree"), "{text}");
    assert!(text.contains("sc as sc: 1 of 1 agree"), "{text}");
}

#[test]
fn a_test_without_an_answer_in_time_is_inconclusive() {
    let output = fencepost(&["corpus/litmus/X86/IRIW.litmus", "--time-limit", "0.000000001"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(shown(&output).contains("Inconclusive (no answer within the time limit)"));
}

#[test]
fn unknown_models_and_paths_are_named() {
    let output = fencepost(&["corpus/litmus/X86/SB.litmus", "--model", "tsx"]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("error: there is no model `tsx`; did you mean `tso`?"), "{text}");
    let output = fencepost(&["corpus/litmus/nowhere"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(text, "error: there is no file or folder `corpus/litmus/nowhere`\n");
}

#[test]
fn every_bad_test_is_refused_with_a_place_and_a_sentence() {
    let folder = root().join("corpus/litmus-bad");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut all = String::new();
    for name in names {
        let output = fencepost(&[&format!("corpus/litmus-bad/{name}")]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name} is accepted");
        assert!(
            text.starts_with("error: ") && text.contains(&format!("{name}:")),
            "{name}: {text}"
        );
        all.push_str(&text);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_row_whose_loops_were_cut_off_is_inconclusive() {
    let folder = tempfile::tempdir().unwrap();
    let test = folder.path().join("spin.litmus");
    let text = "AArch64 spin
{ 0:X1=x; 1:X1=x; }
 P0             | P1          ;
 L: LDR W0,[X1] | MOV W0,#1   ;
 CBZ W0,L       | STR W0,[X1] ;
exists (0:X0=1)
";
    std::fs::write(&test, text).unwrap();
    let rows = folder.path().join("expected.csv");
    let compare = |row: &str| {
        std::fs::write(&rows, format!("file,model,verdict,states\n{row}\n")).unwrap();
        let rows = rows.display().to_string();
        let output = fencepost(&[&test.display().to_string(), "--expect", &rows]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // More rounds of the loop could add states, but never take one away.
    for row in ["spin.litmus,armv8,Always,1", "spin.litmus,armv8,Sometimes,2"] {
        let (code, text) = compare(row);
        assert_eq!(code, Some(3), "{text}");
        assert!(text.contains("1 of these because loops were cut off (--unroll)"), "{text}");
    }
    let (code, text) = compare("spin.litmus,armv8,Never,0");
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn recorded_models_that_are_not_compared_are_named_with_the_reason() {
    let (code, text) = compare("SB.litmus,nobody.cat,exists,Sometimes,4\n");
    assert_eq!(code, Some(0), "{text}");
    let line = "nobody.cat: 1 rows not compared: the library has no model for it";
    assert!(text.contains(line), "{text}");
    let (code, _) = compare("SB.litmus,tso,exists,Perhaps,4\n");
    assert_eq!(code, Some(2));
}
