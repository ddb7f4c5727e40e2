//! [`Diagnostic`]s as text: the caret stands in what the user wrote, and macros are followed
//! from there to the definition that holds the offending text.

use crate::Style;
use crate::message::Message;
use execution::diagnostic::Diagnostic;
use execution::span::{SourceMap, Span};

/// How many levels of macros are shown below the use.
const SHOWN_EXPANSIONS: usize = 4;

/// A diagnostic as text, without a final line end.
pub fn render(diagnostic: &Diagnostic, map: &SourceMap, style: Style) -> String {
    message(diagnostic, map).render(map, style)
}

/// All diagnostics as text, with an empty line after each.
pub fn render_all(diagnostics: &[Diagnostic], map: &SourceMap, style: Style) -> String {
    diagnostics.iter().map(|diagnostic| render(diagnostic, map, style) + "\n\n").collect()
}

/// A diagnostic as a message.
pub fn message(diagnostic: &Diagnostic, map: &SourceMap) -> Message {
    let mut message = Message::of(diagnostic.severity, &diagnostic.message);
    if let Some(primary) = &diagnostic.primary {
        message = message.at_span(map.call_site(primary.span), &primary.text);
    }
    for label in &diagnostic.secondary {
        message = message.also_span(map.call_site(label.span), &label.text);
    }
    for note in &diagnostic.notes {
        message = message.note(note);
    }
    match &diagnostic.primary {
        Some(primary) => expansions(message, primary.span, map),
        None => message,
    }
}

/// Adds one section for each macro between the use and the text, outermost first.
fn expansions(mut message: Message, span: Span, map: &SourceMap) -> Message {
    let mut spelled = Vec::new();
    let mut inner = span;
    while let (Some(id), Some(outer)) = (inner.expansion, map.outwards(inner)) {
        if !outer.is_same_text_as(inner) {
            spelled.push((map.expansion(id).name.clone(), inner));
        }
        inner = outer;
    }
    let hidden = spelled.len().saturating_sub(SHOWN_EXPANSIONS);
    let mut shown = spelled.iter().rev();
    for (name, place) in shown.by_ref().take(SHOWN_EXPANSIONS / 2) {
        message = in_macro(message, name, *place);
    }
    if hidden > 0 {
        message = message.note(format!("through {hidden} more macros"));
    }
    for (name, place) in shown.skip(hidden) {
        message = in_macro(message, name, *place);
    }
    message
}

fn in_macro(message: Message, name: &str, place: Span) -> Message {
    message.section(format!("in expansion of macro `{name}`")).at_span(place, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::span::{Expansion, FileId};

    fn span_of(map: &SourceMap, file: FileId, text: &str) -> Span {
        let start = map.file(file).text.find(text).unwrap();
        Span::new(file, start, start + text.len())
    }

    /// `CHECK(y)` in a.c, whose body in a.h uses `DIV`.
    fn nested() -> (SourceMap, Span, Span) {
        let mut map = SourceMap::new();
        let header =
            map.add_file("a.h", "#define DIV(a) a / zero\n#define CHECK(x) (1 + DIV(x))\n");
        let source = map.add_file("a.c", "#include \"a.h\"\n\nint f(int y) { return CHECK(y); }\n");
        let outer = map.add_expansion(Expansion {
            name: "CHECK".into(),
            call_site: span_of(&map, source, "CHECK(y)"),
            definition: Some(span_of(&map, header, "CHECK")),
        });
        let inner = map.add_expansion(Expansion {
            name: "DIV".into(),
            call_site: Span { expansion: Some(outer), ..span_of(&map, header, "DIV(x)") },
            definition: Some(span_of(&map, header, "DIV")),
        });
        let body = Span { expansion: Some(inner), ..span_of(&map, header, "zero") };
        let call = span_of(&map, source, "(y);");
        let argument = Span { start: call.start + 1, end: call.start + 2, ..call };
        let argument = Span { expansion: Some(inner), ..argument };
        (map, body, argument)
    }

    #[test]
    fn an_error_points_at_its_place_with_labels_and_notes() {
        let mut map = SourceMap::new();
        let file = map.add_file("q.c", "struct q { int n; };\nint n = q.tial;\n");
        let diagnostic = Diagnostic::error(span_of(&map, file, "tial"), "no member `tial` in `q`")
            .label("not a member")
            .also(span_of(&map, file, "struct q"), "`struct q` is declared here")
            .note("did you mean `tail`?");
        insta::assert_snapshot!(render(&diagnostic, &map, Style::Plain));
    }

    #[test]
    fn an_error_in_a_macro_shows_the_use_and_the_way_to_the_text() {
        let (map, body, _) = nested();
        let diagnostic = Diagnostic::error(body, "`zero` is not declared");
        insta::assert_snapshot!(render(&diagnostic, &map, Style::Plain));
    }

    #[test]
    fn an_error_in_an_argument_points_at_the_argument() {
        let (map, _, argument) = nested();
        let diagnostic = Diagnostic::warning(argument, "odd");
        insta::assert_snapshot!(render(&diagnostic, &map, Style::Plain));
    }

    #[test]
    fn an_error_without_a_place_has_only_its_sentence() {
        let diagnostic =
            Diagnostic::general("cannot read `x.c`: no such file").note("is it there?");
        insta::assert_snapshot!(render(&diagnostic, &SourceMap::new(), Style::Plain));
    }

    #[test]
    fn long_ways_through_macros_are_cut_short() {
        let mut map = SourceMap::new();
        let file = map.add_file("a.c", "A\n#define A B C D E F G\n");
        let mut span = span_of(&map, file, "A");
        for name in ["A", "B", "C", "D", "E", "F"] {
            let expansion = Expansion { name: name.into(), call_site: span, definition: None };
            let id = map.add_expansion(expansion);
            let text = format!(" {}", (name.as_bytes()[0] + 1) as char);
            let place = span_of(&map, file, &text);
            span = Span { expansion: Some(id), start: place.start + 1, ..place };
        }
        insta::assert_snapshot!(render(&Diagnostic::error(span, "bad"), &map, Style::Plain));
    }
}
