//! Proofs by data type reduction and lemmas, and what they do not prove.

use engines::guarded::cmp::{CmpAnswer, CmpTask, CmpVerdict, LemmaSource, prove};
use execution::span::SourceMap;
use guarded::model::{Model, ScalarId};
use guarded::modular::Refusal;
use guarded::reduction::{Needs, needs};
use limits::Limits;
use std::path::Path;

fn sized(text: &str, set: &str, size: usize) -> (Model, ScalarId) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("model.m", text);
    let model = front_murphi::compile_resized(&sources, file, set, size as u32)
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    let scalars = model.types.scalars.enumerate();
    let found = scalars.into_iter().find(|(_, scalar)| scalar.name.as_deref() == Some(set));
    let id = found.expect("the scalarset is there").0;
    (model, id)
}

fn proof(text: &str, set: &str, tracked: usize, source: LemmaSource) -> Result<CmpAnswer, Refusal> {
    let (model, id) = sized(text, set, tracked + 2);
    let Needs { tracked: least, witnesses } = needs(&model, id)?;
    let tracked = tracked.max(least);
    let (model, id) = sized(text, set, tracked + witnesses);
    let task = CmpTask { source, limits: &Limits::default(), progress: &|_| {} };
    Ok(prove(&model, id, (tracked, witnesses), &task))
}

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

fn shown(answer: &CmpAnswer) -> String {
    match &answer.verdict {
        CmpVerdict::Proved(proof) => proof.text.join("\n"),
        other => format!("{other:?}"),
    }
}

#[test]
fn germans_protocol_is_proved_by_mined_lemmas() {
    let text = file("examples/murphi/german.m");
    let found = proof(&text, "Client", 2, LemmaSource::Mined).unwrap();
    println!("{:?}\n{}", found.effort, shown(&found));
    assert!(matches!(found.verdict, CmpVerdict::Proved(_)));
}

#[test]
fn sets_are_proved_by_mined_lemmas() {
    for set in ["set-fine.m", "set-optimistic.m", "set-lazy.m", "set-lockfree.m"] {
        let text = file(&format!("examples/murphi/{set}")).replace("ITEMS: 2;", "ITEMS: 1;");
        let started = std::time::Instant::now();
        let found = proof(&text, "Thread", 1, LemmaSource::Mined).unwrap();
        println!("{set} {:?} {:?}\n{}", started.elapsed(), found.effort, shown(&found));
        assert!(matches!(found.verdict, CmpVerdict::Proved(_)));
    }
}
