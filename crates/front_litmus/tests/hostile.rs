//! Tests that are not written by hand: long chains of operators and updates of updates are refused
//! at once, with a place, and do not use up the stack or the memory.

use execution::span::SourceMap;

fn refusal(body: &str) -> String {
    let text = format!("C test\n{{}}\nP0(int *x) {{ {body}; }}\nexists (x=1)\n");
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    front_litmus::parse(&sources, file).expect_err("the test is refused").message
}

#[test]
fn chains_of_operators_have_an_end() {
    let message = "this statement has too many operators";
    assert_eq!(refusal(&format!("int r0 = 0{}", "+1".repeat(100_000))), message);
    assert_eq!(refusal(&format!("int r0 = 1{}", "&&1".repeat(100_000))), message);
    assert_eq!(refusal(&format!("int r0 = x{}", "[0]".repeat(100_000))), message);
}

#[test]
fn an_update_cannot_be_updated() {
    assert_eq!(refusal(&format!("int i = 0; i{}", "++".repeat(60))), "this cannot be assigned to");
    assert_eq!(refusal("int i = 0; 3 += i"), "this cannot be assigned to");
    // `*(p = x) = *(p = x) + 1` would assign twice.
    let message = "what is updated here is found by reading or assigning: do that first";
    assert_eq!(refusal("int p; *(p = x) += 1"), message);
}
