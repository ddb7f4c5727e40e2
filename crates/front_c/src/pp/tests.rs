//! The preprocessor as a whole: programs in, tokens or messages out.

use super::*;
use crate::token::TokenKind;
use execution::diagnostic::Severity;

struct Run {
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    map: SourceMap,
}

fn run_with(options: &COptions, loader: &MemoryLoader) -> Run {
    let mut map = SourceMap::new();
    let (tokens, diagnostics) = preprocess(Path::new("main.c"), options, loader, &mut map);
    Run { tokens, diagnostics, map }
}

fn run(text: &str) -> Run {
    run_with(&COptions::default(), &MemoryLoader::new().with("main.c", text))
}

fn spelled(tokens: &[Token]) -> String {
    let words: Vec<String> = tokens.iter().filter_map(|token| spelling(&token.kind)).collect();
    words.join(" ")
}

fn spelling(kind: &TokenKind) -> Option<String> {
    Some(match kind {
        TokenKind::Ident(name) | TokenKind::Number(name) => name.to_string(),
        TokenKind::Char { value, .. } => format!("'{value}'"),
        TokenKind::String { units, .. } => {
            let text: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
            format!("\"{text}\"")
        }
        TokenKind::Punct(text) => text.to_string(),
        TokenKind::Pragma(words) => format!("<pragma {words}>"),
        TokenKind::End => return None,
    })
}

/// The tokens of a correct program.
fn ok(text: &str) -> String {
    let run = run(text);
    assert_eq!(run.diagnostics, [], "for {text}");
    spelled(&run.tokens)
}

/// The first message of a wrong program, with its line.
fn error(text: &str) -> String {
    let run = run(text);
    let first = run.diagnostics.first().expect("a diagnostic");
    assert_eq!(first.severity, Severity::Error, "for {text}");
    let line = first.primary.as_ref().map_or(0, |label| run.map.location(label.span).line);
    format!("{line}: {}", first.message)
}

#[test]
fn object_macros_are_replaced_and_rescanned() {
    assert_eq!(ok("#define A B\n#define B 1\nA B"), "1 1");
    assert_eq!(ok("#define A A b\nA"), "A b");
    assert_eq!(ok("#define A B\n#define B A\nA B"), "A B");
    assert_eq!(ok("#define E\nE x E"), "x");
}

#[test]
fn function_macros_take_arguments() {
    assert_eq!(ok("#define F(a, b) b-a\nF(1, (2, 3))"), "( 2 , 3 ) - 1");
    assert_eq!(ok("#define F() x\nF() F( ) F"), "x x F");
    assert_eq!(ok("#define F(a) [a]\nF() F(\n1\n)"), "[ ] [ 1 ]");
    assert_eq!(ok("#define F(a) <a>\nF(F(1))"), "< < 1 > >");
    assert_eq!(ok("#define F(a) a\n#define G F\nG(1) G G"), "1 F F");
    assert_eq!(ok("#define F (a)\nF"), "( a )");
}

#[test]
fn an_argument_list_may_start_after_the_end_of_an_expansion() {
    assert_eq!(ok("#define F(a) a*G\n#define G(a) F(a)\nF(2)(9)"), "2 * 9 * G");
    assert_eq!(ok("#define F(x) x f\n#define f(x) F(x)\nf(1)(2)"), "1 f ( 2 )");
}

#[test]
fn a_painted_name_never_expands() {
    assert_eq!(ok("#define f(x) x f\nf(1)(2)"), "1 f ( 2 )");
    assert_eq!(ok("#define foo foo a\n#define id(x) x\nid(foo)"), "foo a");
}

/// The examples of C11 6.10.3.5.
#[test]
fn the_standards_examples_come_out_as_it_says() {
    let three = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n\
        #define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
        #define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n";
    let check = |line: &str, expected: &str| assert_eq!(ok(&format!("{three}{line}")), expected);
    check(
        "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);",
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ;",
    );
    check(
        "g(x+(3,4)-w) | h 5) & m\n(f)^m(m);",
        "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ;",
    );
    check(
        "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };",
        "int i [ ] = { 1 , 23 , 4 , 5 , } ;",
    );
    check("char c[2][6] = { str(hello), str() };", "char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;");
    let four = "#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\n\
        #define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
        #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n";
    assert_eq!(
        ok(&format!("{four}xstr(INCFILE(2).h) glue(HIGH, LOW); xglue(HIGH, LOW)")),
        "\"vers2.h\" \"hello\" ; \"hello\" \", world\""
    );
    assert_eq!(
        ok(&format!("{four}str(strncmp(\"abc\\0d\", \"abc\", '\\4') == 0)")),
        "\"strncmp(\"abc\\0d\", \"abc\", '\\4') == 0\""
    );
    let hash = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
        #define join(c, d) in_between(c hash_hash d)\njoin(x, y)";
    assert_eq!(ok(hash), "\"x ## y\"");
    let five = "#define t(x,y,z) x ## y ## z\nt(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,)";
    assert_eq!(ok(five), "123 , 45 , 67 , 89 , 10 , 11 , 12 ,");
}

#[test]
fn variadic_macros_pass_the_rest_on() {
    assert_eq!(ok("#define P(...) f(__VA_ARGS__)\nP() P(1) P(1, 2)"), "f ( ) f ( 1 ) f ( 1 , 2 )");
    assert_eq!(ok("#define P(a, ...) f(a, ## __VA_ARGS__)\nP(1) P(1, 2)"), "f ( 1 ) f ( 1 , 2 )");
    assert_eq!(
        ok("#define P(a, rest...) f(a, ##rest)\nP(1) P(1, 2, 3)"),
        "f ( 1 ) f ( 1 , 2 , 3 )"
    );
    assert_eq!(ok("#define S(...) #__VA_ARGS__\nS(a,  b)"), "\"a, b\"");
    assert_eq!(
        ok("#define P(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nP(1) P(1,) P(1, 2)"),
        "f ( 1 ) f ( 1 ) f ( 1 , 2 )"
    );
    assert_eq!(ok("#define X 7\n#define P(...) x, ##__VA_ARGS__\nP(X)"), "x , 7");
}

#[test]
fn operands_of_hash_are_not_expanded_and_others_are() {
    assert_eq!(ok("#define X 1\n#define S(a) #a a a##1\n#define X1 z\nS(X)"), "\"X\" 1 z");
    assert_eq!(ok("#define S(a) #a\nS( a  +\n b \"q\\n\" '\\'' )"), "\"a + b \"q\\n\" '\\''\"");
}

#[test]
fn blanks_before_a_macro_that_vanishes_are_kept() {
    let text = "#define E\n#define S(...) #__VA_ARGS__\n#define X(...) S(__VA_ARGS__)\nX(a E.b) X(a,E) X(f( E))";
    assert_eq!(ok(text), "\"a .b\" \"a,\" \"f( )\"");
}

#[test]
fn digraphs_are_their_punctuators() {
    assert_eq!(ok("%:define X <::>\nX <% %>"), "[ ] { }");
    assert_eq!(ok("#define S(x) %:x\n#define C(a,b) a%:%:b\nS(<:) C(x,y)"), "\"<:\" xy");
}

#[test]
fn conditions_choose_groups() {
    assert_eq!(ok("#if 1\na\n#elif 1/0\nb\n#else\nc\n#endif"), "a");
    assert_eq!(ok("#if 0\na\n#elif 1\nb\n#elif 1\nx\n#else\nc\n#endif"), "b");
    assert_eq!(ok("#ifdef A\na\n#elifndef B\nb\n#else\nc\n#endif"), "b");
    assert_eq!(ok("#define B\n#ifdef A\na\n#elifdef B\nb\n#elifndef C\nc\n#endif"), "b");
    assert_eq!(ok("#define B\n#ifdef A\na\n#elifndef B\nb\n#else\nc\n#endif"), "c");
    assert_eq!(ok("#if 1\na\n#elifndef\nb\n#endif"), "a");
    assert_eq!(ok("#if 0\n#if 0\n#elifndef B\nb\n#endif\n#endif"), "");
    assert_eq!(ok("#ifdef A\na\n#else\nc\n#endif"), "c");
    assert_eq!(ok("#ifndef A\n#define A\n#endif\n#ifdef A\na\n#endif"), "a");
    assert_eq!(ok("#if 0\n#if 1\nx\n#else\ny\n#endif\n#bad don't\n#else\nz\n#endif"), "z");
    assert_eq!(ok("#if 0\n/* #endif\n*/ \" /* \" '\n#endif\nx"), "x");
}

#[test]
fn condition_expressions_follow_the_integer_rules() {
    for truth in [
        "1 + 2 * 3 == 7",
        "-1 < 0",
        "-1 > 0u",
        "(-1 >> 1) == -1",
        "0xffffffffffffffff == -1",
        "-7 / 2 == -3 && -7 % 2 == -1",
        "0 && 1/0 || 1",
        "1 ? 2 : 1/0",
        "(1 ? -1 : 0u) > 0",
        "~0 == -1 && !0",
        "'a' == 97 && '\\n' == 10 && '\\377' < 0",
        "undefined_name == 0",
        "defined __x86_64__ && !defined(__arm__)",
        "1 << 2 == 4 && (7 & 3 | 8 ^ 1) == 11",
        "__STDC_VERSION__ >= 201112L",
        "__has_attribute(packed) && !__has_attribute(nonesuch)",
        "__has_builtin(__builtin_expect) && __has_builtin(__atomic_load_n)",
        "!__has_include(\"nonesuch.h\") && __has_include(\"main.c\")",
        "__INT_MAX__ == 2147483647 && __SIZEOF_LONG__ == 8",
        "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__",
        "(2 || 3) != 2 && (0, 1)",
        "9223372036854775807 + 1 < 0",
    ] {
        assert_eq!(ok(&format!("#if {truth}\nyes\n#else\nno\n#endif")), "yes", "{truth}");
    }
}

#[test]
fn defined_works_out_of_a_macro_too() {
    assert_eq!(ok("#define D defined X\n#define X\n#if D\nyes\n#endif"), "yes");
}

#[test]
fn bad_conditions_are_errors_at_their_place() {
    for (condition, message) in [
        ("", "the condition is empty"),
        ("1 /", "the condition ends too early"),
        ("1 / 0", "division by zero in `#if`"),
        ("1 2", "unexpected `2` in the condition"),
        ("(1", "expected `)` in the condition"),
        ("1.0", "a floating constant cannot stand in a condition"),
        ("\"s\"", "a string cannot stand in a condition"),
        ("a = 1", "unexpected `=` in the condition"),
        ("defined", "`defined` needs a macro name"),
        ("1 ? 2", "expected `:` in the condition"),
    ] {
        let text = format!("x\n#if {condition}\n#endif");
        assert_eq!(error(&text), format!("2: {message}"), "{condition}");
    }
    let deep = format!("#if {}1{}\n#endif", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(error(&deep), "1: the condition nests too deep");
    let deep = format!("#if {}1\n#endif", "- ".repeat(100_000));
    assert_eq!(error(&deep), "1: the condition nests too deep");
}

#[test]
fn files_are_included_once_when_they_say_so() {
    let loader = MemoryLoader::new()
        .with("main.c", "#include \"a/g.h\"\n#include \"a/g.h\"\n#include \"o.h\"\n#include \"./o.h\"\n#include <i.h>")
        .with("a/g.h", "#ifndef G\n#define G\n#include \"n.h\"\ng\n#endif\n")
        .with("a/n.h", "n __FILE__ __LINE__ __INCLUDE_LEVEL__")
        .with("o.h", "#pragma once\no")
        .with("inc/i.h", "i #include_next")
        .with("i.h", "wrong");
    let options =
        COptions { include_dirs: vec!["none".into(), "inc".into()], ..COptions::default() };
    let run = run_with(&options, &loader);
    assert_eq!(spelled(&run.tokens), "n \"a/n.h\" 1 2 g o i # include_next");
}

#[test]
fn arguments_may_hold_directives_but_not_end_with_their_file() {
    assert_eq!(ok("#define F(x) [x]\nF(1\n#define N 2\n#if N\n+ N\n#endif\n)"), "[ 1 + 2 ]");
    let loader = MemoryLoader::new()
        .with("main.c", "#define F(x) [x]\nF(1 +\n#include \"two.h\"\n)\n#include \"open.h\"\n)")
        .with("two.h", "2")
        .with("open.h", "F(3");
    let run = run_with(&COptions::default(), &loader);
    assert_eq!(run.diagnostics[0].message, "unterminated arguments of macro `F`");
    assert_eq!((spelled(&run.tokens).as_str(), run.diagnostics.len()), ("[ 1 + 2 ] )", 1));
}

#[test]
fn include_takes_macros_and_include_next_goes_on() {
    let loader = MemoryLoader::new()
        .with("main.c", "#define H <x.h>\n#define Q \"y.h\"\n#include H\n#include Q\n")
        .with("a/x.h", "ax\n#include_next <x.h>\n")
        .with("b/x.h", "bx\n")
        .with("y.h", "y");
    let options = COptions { include_dirs: vec!["a".into(), "b".into()], ..COptions::default() };
    assert_eq!(spelled(&run_with(&options, &loader).tokens), "ax bx y");
}

#[test]
fn a_missing_header_names_the_places_searched() {
    let options = COptions { include_dirs: vec!["inc".into()], ..COptions::default() };
    let run = run_with(&options, &MemoryLoader::new().with("main.c", "#include \"nonesuch.h\"\n"));
    assert_eq!(run.diagnostics[0].message, "cannot find the header `\"nonesuch.h\"`");
    assert_eq!(run.diagnostics[0].notes, ["searched: ., inc, the embedded headers"]);
    let place = run.diagnostics[0].primary.as_ref().unwrap().span;
    assert_eq!(run.map.text(place), "\"nonesuch.h\"");
}

#[test]
fn the_command_line_defines_and_undefines() {
    let options = COptions {
        defines: vec!["A".into(), "B=x+1".into(), "F(a,b)=b a".into(), "E=".into(), "U".into()],
        undefines: vec!["U".into(), "__linux__".into()],
        ..COptions::default()
    };
    let loader = MemoryLoader::new().with("main.c", "A B F(1,2) E U __linux__");
    assert_eq!(spelled(&run_with(&options, &loader).tokens), "1 x + 1 2 1 U __linux__");
    let options = COptions { defines: vec!["1x=2".into()], ..COptions::default() };
    assert!(!run_with(&options, &MemoryLoader::new().with("main.c", "")).diagnostics.is_empty());
}

#[test]
fn places_are_computed_where_macros_are_used() {
    assert_eq!(ok("#define L __LINE__\n\nL __LINE__"), "3 3");
    assert_eq!(ok("__COUNTER__ __COUNTER__ __FILE__ __BASE_FILE__"), "0 1 \"main.c\" \"main.c\"");
    assert_eq!(ok("#line 100 \"other.c\"\n__LINE__ __FILE__"), "100 \"other.c\"");
    assert_eq!(ok("__DATE__ __TIME__"), "\"Jan  1 1970\" \"00:00:00\"");
}

#[test]
fn pragmas_go_to_the_parser_or_nowhere() {
    assert_eq!(ok("#pragma pack(push, 1)\nx"), "<pragma pack(push, 1)> x");
    assert_eq!(ok("_Pragma(\"pack(1)\") x"), "<pragma pack(1)> x");
    assert_eq!(ok("#define P(x) _Pragma(#x)\nP(pack(2)) y"), "<pragma pack(2)> y");
    assert_eq!(ok("#pragma GCC diagnostic push\nx"), "x");
    assert_eq!(
        ok("#define X 1\n#pragma push_macro(\"X\")\n#undef X\nX\n#pragma pop_macro(\"X\")\nX"),
        "X 1"
    );
    assert_eq!(run("#pragma omp parallel\n").diagnostics[0].severity, Severity::Warning);
}

#[test]
fn wrong_directives_are_errors() {
    for (text, message) in [
        ("a /* b", "1: unterminated comment"),
        ("\"abc\nx", "1: missing closing `\"` on this line"),
        ("x = 'a;", "1: missing closing `'` on this line"),
        ("x @ y", "1: stray `@`"),
        ("a\n#foo", "2: unknown directive `#foo`"),
        ("#if 1\nx", "1: `#if` without `#endif`"),
        ("#ifdef X\nx", "1: `#ifdef` without `#endif`"),
        ("#endif", "1: `#endif` without `#if`"),
        ("#else", "1: `#else` without `#if`"),
        ("#elif 1", "1: `#elif` without `#if`"),
        ("#elifdef A", "1: `#elifdef` without `#if`"),
        ("#if 1\n#else\n#elifndef A\n#endif", "3: `#elifndef` after `#else`"),
        ("#if 0\n#elifdef\n#endif", "2: `#elifdef` needs a macro name"),
        ("#if 1\n#else\n#else\n#endif", "3: second `#else` of the same `#if`"),
        ("#if 1\n#else\n#elif 1\n#endif", "3: `#elif` after `#else`"),
        ("#error no way  today", "1: no way today"),
        ("#define", "1: `#define` needs a macro name"),
        ("#define 1", "1: macro names are identifiers; `1` is not"),
        ("#define defined", "1: `defined` cannot be a macro name"),
        ("#define __LINE__ 1", "1: `__LINE__` is built in and cannot be changed"),
        ("#define F(a", "1: the parameter list does not end with `)`"),
        ("#define F(a, a) a", "1: duplicate macro parameter `a`"),
        ("#define F(1) a", "1: expected a parameter name, found `1`"),
        ("#define F(a) #b", "1: `#` in a macro's body must stand before a parameter"),
        ("#define F(a) ## a", "1: `##` cannot stand at either end of a macro's body"),
        (
            "#define F __VA_ARGS__",
            "1: `__VA_ARGS__` can only stand in the body of a variadic macro",
        ),
        ("#define F(a) a\nF(1, 2)", "2: macro `F` takes 1 argument, but 2 are given"),
        ("#define F(a, b, ...) a\nF(1)", "2: macro `F` takes at least 2 arguments, but 1 is given"),
        ("#define F(a) a\nF(1", "2: unterminated arguments of macro `F`"),
        ("#define F(a, b) a ## b\nF(+, x)", "2: pasting `+` and `x` does not give one valid token"),
        ("#include", "1: `#include` needs a header: `<name.h>` or `\"name.h\"`"),
        ("#include x", "1: `#include` needs a header name"),
        ("#include <>", "1: the header's name is empty"),
        ("#line x", "1: `#line` needs a line number"),
        ("_Pragma(1)", "1: `_Pragma` needs one string in parentheses"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn the_same_definition_again_is_fine() {
    assert_eq!(ok("#define A(x)  x +  1\n#define A(x) x + 1\n#define B\n#define B\nA(2)"), "2 + 1");
}

#[test]
fn another_definition_is_a_warning_and_counts() {
    let run = run("#define A 1\n#define A 2\nA\n");
    let [warning] = &run.diagnostics[..] else { panic!("{:?}", run.diagnostics) };
    assert_eq!(warning.severity, Severity::Warning);
    assert_eq!(warning.message, "macro `A` is redefined differently");
    assert_eq!(run.map.location(warning.secondary[0].span).line, 1);
    assert_eq!(spelled(&run.tokens), "2");
}

#[test]
fn headers_and_the_program_may_redefine_each_others_macros() {
    let with = |text: &str, defines: &[&str]| {
        let options = COptions {
            defines: defines.iter().map(|text| text.to_string()).collect(),
            ..COptions::default()
        };
        let run = run_with(&options, &MemoryLoader::new().with("main.c", text));
        let no_errors = run.diagnostics.iter().all(|d| d.severity == Severity::Warning);
        (spelled(&run.tokens), run.diagnostics.len(), no_errors)
    };
    let one = |text: &str, warnings: usize| (text.to_string(), warnings, true);
    assert_eq!(with("#define N 2\nN", &["N=3"]), one("2", 1));
    let redefined = with("#include <stdbool.h>\n#define bool int\nbool", &[]);
    assert_eq!(redefined, one("int", 1));
    let before = with("#define bool int\n#include <stdbool.h>\nbool", &[]);
    assert_eq!(before, one("_Bool", 0));
}

#[test]
fn body_tokens_are_placed_in_the_definition_and_arguments_at_the_use() {
    let run = run("#define F(a) (a + one)\n#define G(b) F(b)\nint x = G(arg);\n");
    let find = |name: &str| {
        let is_name = |kind: &TokenKind| matches!(kind, TokenKind::Ident(id) if &**id == name);
        run.tokens.iter().find(|token| is_name(&token.kind)).unwrap().span
    };
    let names = |span: Span| -> Vec<String> {
        let chain = run.map.expansions_of(span);
        chain.iter().map(|&id| run.map.expansion(id).name.to_string()).collect()
    };
    let body = find("one");
    assert_eq!(run.map.text(body), "one");
    assert_eq!(names(body), ["F", "G"]);
    assert_eq!(run.map.text(run.map.call_site(body)), "G(arg)");
    let argument = find("arg");
    assert_eq!(names(argument), ["F", "G"]);
    let place = run.map.location(argument);
    assert_eq!((place.line, place.column), (3, 11));
    assert_eq!(names(find("x")), [""; 0]);
}

#[test]
fn bytes_that_are_not_utf8_matter_only_in_literals() {
    let loader = |text: &[u8]| MemoryLoader::new().with("main.c", text);
    let run = run_with(&COptions::default(), &loader(b"a // \xe9\nb"));
    assert_eq!((spelled(&run.tokens).as_str(), run.diagnostics.len()), ("a b", 0));
    let run = run_with(&COptions::default(), &loader(b"\"\xe9\""));
    assert_eq!(run.diagnostics[0].message, "this literal holds bytes that are not UTF-8");
}

#[test]
fn explosions_end_with_an_error() {
    let doubling: String =
        (0..64).map(|i| format!("#define A{} A{i} A{i}\n", i + 1)).collect::<String>() + "A64";
    assert!(error(&doubling).contains("too large"));
    let nested = "#define F(x) x x\n".to_string() + &"F(".repeat(100) + "1" + &")".repeat(100);
    assert!(error(&nested).contains("too large"));
    let deep = "#define F(x) x\n".to_string() + &"F(".repeat(1000) + &")".repeat(1000);
    assert!(error(&deep).contains("deep in arguments"));
    let chain = |n: u32| -> String {
        (0..n).map(|i| format!("#define A{i} A{}\n", i + 1)).chain(["A0".into()]).collect()
    };
    assert_eq!(ok(&chain(5000)), "A5000");
    assert!(error(&chain(50_000)).contains("macros nest more than"));
    let loader = MemoryLoader::new().with("main.c", "#include \"main.c\"\n#include \"main.c\"\n");
    let run = run_with(&COptions::default(), &loader);
    assert_eq!(run.diagnostics.len(), 1);
    let tower = (0..64).fold(MemoryLoader::new().with("main.c", "#include \"0.h\"\n"), |all, i| {
        let text = format!("#include \"{0}.h\"\n#include \"{0}.h\"\n", i + 1);
        all.with(format!("{i}.h"), text)
    });
    let run = run_with(&COptions::default(), &tower.with("64.h", ""));
    assert!(run.diagnostics[0].message.contains("too large"));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[#a-c(){}<>,.\"'/*\\\\ \n0-9xX+=&|?:!-]{0,200}") {
        run(&text);
    }

    #[test]
    fn no_sequence_of_directives_makes_it_panic(lines in proptest::collection::vec(0usize..24, 0..40)) {
        let menu = [
            "#define F(a, ...) a ## __VA_ARGS__ F(#a) __VA_OPT__(a ## a)\n", "F(1, 2)\n", "F(F(F),\n",
            "#if F(1)\n", "#ifdef F\n", "#else\n", "#elif defined F\n", "#endif\n", "#undef F\n",
            "#define F G F\n", "#define G(x) F(x) x\n", "G(G)(F)\n", ")\n", "_Pragma(\"once\")\n",
            "#include \"main.c\"\n", "#pragma push_macro(\"F\")\n", "#pragma pop_macro(\"F\")\n",
            "#line __LINE__ __FILE__\n", "#define F() G(\n", "#define E\n", "E F E (E)\n", "'", "/*", "\\\n",
        ];
        run(&lines.iter().map(|&i| menu[i]).collect::<String>());
    }
}

/// Parameters, locals and members of the headers are theirs: whatever a program defines as a macro
/// before it includes a header, the header's text stays as it is.
#[test]
fn macros_of_the_program_do_not_rewrite_the_headers() {
    let includes: String = crate::headers::HEADERS
        .iter()
        .filter(|(name, _)| !name.contains('/'))
        .map(|(name, _)| format!("#include <{name}>\n"))
        .collect();
    let plain = run(&includes);
    assert_eq!(plain.diagnostics, []);
    // Every name that stands in the headers' text and that none of them asks about.
    let asked = ["NDEBUG", "FP_SPURIOUS_WAKEUPS", "FENCEPOST_DIALECT", "BUG", "likely"];
    let mut names: Vec<&str> = Vec::new();
    for token in &plain.tokens {
        if let TokenKind::Ident(name) = &token.kind
            && !asked.contains(&&**name)
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 500 && names.contains(&"mutex") && names.contains(&"result"));
    let defines: String = names.iter().map(|name| format!("#define {name} ) oops (\n")).collect();
    let own = run(&format!("{defines}{includes}"));
    assert_eq!(own.diagnostics, []);
    assert_eq!(spelled(&own.tokens), spelled(&plain.tokens));
    // What is written in the program is the program's.
    let argument = run("#define value 3\n#include <assert.h>\n#define NULL 7\nvalue NULL\n");
    assert!(spelled(&argument.tokens).ends_with("3 7"));
    // A header's own macro stays the header's after the program has undefined or replaced it.
    let replaced = "#include <stdbool.h>\n#undef bool\n#define bool char\n#include <fencepost.h>\n";
    let expected = "#include <stdbool.h>\n#include <fencepost.h>\n";
    assert_eq!(spelled(&run(replaced).tokens), spelled(&run(expected).tokens));
}
