//! The cat language: constructs that published models use, in texts of our own, and what is said
//! about texts that are wrong.

use crate::common::{Op, relate, skeleton};
use execution::event::{EventId, Execution};
use execution::ids::Id;
use models::{Judgement, Model, Shown, check_execution};

fn id(index: usize) -> EventId {
    EventId::new(index)
}

/// Message passing with the stale read: events 2 and 3 write x and y, 4 and 5 read y and x.
fn mp() -> Execution {
    let write = |x| Op::Write(x, vec!["Once"]);
    let read = |x| Op::Read(x, vec!["Once"]);
    let threads = [vec![write("x"), write("y")], vec![read("y"), read("x")]];
    let mut e = skeleton(&["x", "y"], &threads);
    relate(&mut e, "rf", &[(id(3), id(4)), (id(0), id(5))]);
    relate(&mut e, "co", &[(id(0), id(2)), (id(1), id(3))]);
    e
}

#[track_caller]
fn outcome(text: &str) -> Judgement {
    let model = Model::from_text("model.cat", text).unwrap_or_else(|error| {
        let style = report::Style::Plain;
        panic!("{}", report::diagnostics::render(&error.diagnostic, &error.sources, style))
    });
    check_execution(&model, &mp()).unwrap()
}

/// The pairs (or, of a set, the events) of `expr` on message passing.
#[track_caller]
fn value(definitions: &str, expr: &str) -> Vec<Vec<usize>> {
    let shows = outcome(&format!("{definitions}\nshow {expr} as it")).shows;
    match shows.first() {
        Some((_, Shown::Relation(r))) => {
            r.iter().map(|(a, b)| vec![a.index(), b.index()]).collect()
        }
        Some((_, Shown::Set(s))) => s.iter().map(|a| vec![a.index()]).collect(),
        None => Vec::new(),
    }
}

#[test]
fn a_title_is_a_string_or_words() {
    for (text, title) in [
        ("\"A model\" acyclic po", Some("A model")),
        ("X86 TSO\ninclude \"cos.cat\"", Some("X86 TSO")),
        ("C \"C++11\"\nlet a = po", Some("C C++11")),
        ("(* none *) acyclic po", None),
        ("\"Arm\" catdep include \"cos.cat\"", Some("Arm")),
    ] {
        assert_eq!(Model::from_text("t", text).unwrap().title.as_deref(), title, "{text}");
    }
}

#[test]
fn operators_bind_as_in_published_models() {
    assert_eq!(value("", "po | rf; fr"), value("", "po | (rf; fr)"));
    assert_eq!(value("", "W * R & loc \\ id"), value("", "((W * R) & loc) \\ id"));
    assert_eq!(value("", "[R]; po \\ loc; [R]"), value("", "[R]; (po \\ loc); [R]"));
    assert_eq!(value("", "~po & ext"), value("", "(~po) & ext"));
    assert_eq!(value("", "rf^-1; co"), value("", "fr"));
    // A star is a product only where an operand follows.
    assert_eq!(value("let a = po* let b = W*R", "a & b"), value("", "(po*) & (W * R)"));
}

#[test]
fn functions_take_tuples_or_one_argument_after_the_other() {
    let definitions = "
        let first(r, s) = r
        let curried r s = r; s
        let twice = fun f -> fun r -> f (f r)
        let step r = r; po";
    assert_eq!(value(definitions, "first(po, rf)"), value("", "po"));
    assert_eq!(value(definitions, "curried rf fr"), value("", "rf; fr"));
    assert_eq!(value(definitions, "twice step rf"), value("", "rf; po; po"));
    assert_eq!(value("let A-cumul(r) = rfe?; r", "A-cumul(po)"), value("", "rfe?; po"));
    assert_eq!(value("let f(r) = r and g(r) = r^-1", "f(g(po))"), value("", "po^-1"));
}

#[test]
fn names_can_be_bound_anew() {
    let definitions = "let po = po & (W * W)\nlet (a, b) = (po, rf)\nlet c = let po = 0 in po | b";
    assert_eq!(value(definitions, "a"), [[2, 3]]);
    assert_eq!(value(definitions, "c"), value("", "rf"));
}

#[test]
fn recursion_is_the_least_fixpoint() {
    let ppo = "
        let rec ii = rfi | ci | ic; ci | ii; ii
        and ic = 0 | ii | cc | ic; cc | ii; ic
        and ci = 0 | ci; ii | cc; ci
        and cc = po-loc | ci | ci; ic | cc; cc";
    assert_eq!(value(ppo, "ic"), value("", "po-loc+ | rfi+"));
    assert_eq!(value("let rec r = po | r; r", "r"), value("", "po+"));
    let reached = "let rec S = W & domain(po) | range([S]; (po | rf))";
    assert_eq!(value(reached, "S"), [[2], [3], [4], [5]]);
}

#[test]
fn a_definition_that_only_grows_may_use_difference() {
    let matching = "
        let rec open = W \\ domain(done)
        and done = done | [open]; po; [W]
        let result = done";
    assert_eq!(value(matching, "result"), [[2, 3]]);
}

#[test]
fn recursive_functions_match_on_sets() {
    let rebuild = "
        let rec copy S = match S with
          || {} -> emptyset
          || e ++ rest -> e ++ copy rest
        end";
    assert_eq!(value(rebuild, "copy (R | IW)"), value("", "R | IW"));
    let pairs = "let to-relation p = p ++ 0 let all = map to-relation po";
    assert!(outcome(&format!("{pairs}\nforall r in all do empty r \\ po end")).allowed());
}

#[test]
fn choices_are_made_in_the_model() {
    // Some order of the writes has y before x; none has x before itself.
    let choose = "with mo from linearisations(W \\ IW, 0)\n";
    assert!(outcome(&format!("{choose} acyclic mo | (po & (W * W))^-1")).allowed());
    assert!(!outcome(&format!("{choose} ~acyclic mo")).allowed());
    let cos = "include \"cross.cat\" with co from generate_orders(W, co0)\n";
    assert!(outcome(&format!("{cos} acyclic po | rf | (rf^-1; co)")).failed.is_some());
    assert!(outcome(&format!("{cos} empty co \\ loc as located")).allowed());
}

#[test]
fn tags_and_enumerations() {
    let bell = "
        enum Accesses = 'once || 'acquire
        instructions R[{'once, 'acquire}]
        instructions W[Accesses]
        let strong(t) = match t with || 'once -> 0 || 'acquire -> po || _ -> rf end";
    assert_eq!(value(bell, "strong('acquire)"), value("", "po"));
    assert_eq!(value(bell, "Once"), value("", "M \\ IW"));
    assert_eq!(value(bell, "tag2events('once)"), value("", "Once"));
    assert!(outcome(&format!("{bell} forall t in Accesses do acyclic strong(t) end")).allowed());
}

#[test]
fn annotations_may_be_written_in_capitals() {
    // As in the kernel's model since its full barriers became annotations of RMWs.
    let bell = "enum Accesses = 'ONCE || 'ACQUIRE instructions R[Accesses]";
    assert_eq!(value(bell, "ONCE"), value("", "M \\ IW"));
    assert_eq!(value(bell, "tag2events('ONCE)"), value("", "Once"));
    assert_eq!(value(bell, "ACQUIRE"), value("", "Acquire"));
}

#[test]
fn variants_and_missing_names() {
    assert_eq!(value("let r = if \"mixed\" then nowhere else po", "r"), value("", "po"));
    assert_eq!(
        value("let r = if not \"a\" && (\"b\" || not \"c\") then po else 0", "r"),
        value("", "po")
    );
    assert_eq!(value("let r = try nowhere with rf", "r"), value("", "rf"));
    assert_eq!(value("let MFENCE = try MFENCE with emptyset", "MFENCE"), value("", "emptyset"));
    assert_eq!(
        value("if \"cos-opt\" include \"nowhere.cat\" else let r = po end", "r"),
        value("", "po")
    );
}

#[test]
fn procedures_add_their_checks() {
    let text = "
        procedure ordered(r, s) =
          let both = r | s
          acyclic both as ordered
        end
        call ordered(po | rf, fr)";
    let failed = outcome(text).failed.unwrap();
    assert_eq!(&*failed.axiom, "ordered");
    assert!(outcome("call subseteq(rfe, rf)").allowed());
    assert!(outcome("call total(po, W & domain(po))").failed.is_some());
}

#[test]
fn flags_do_not_forbid() {
    let outcome = outcome(
        "flag ~empty rf as seen
         flag empty rf as unseen
         undefined_unless empty fr as race
         undefined_unless empty 0 as none
         assert empty rmw as no-rmw",
    );
    assert!(outcome.allowed());
    let names: Vec<&str> = outcome.flags.iter().map(|flag| &*flag.name).collect();
    assert_eq!(names, ["seen", "race"]);
}

#[test]
fn shows_can_be_taken_back() {
    let shows = outcome("show po, rf show co \\ id as strict unshow po").shows;
    let names: Vec<&str> = shows.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["rf", "strict"]);
}

/// Every mistake with what is said about it.
#[test]
fn mistakes_are_shown_where_they_are() {
    let texts = [
        "acyclic po | fro as sc",
        "let a = po\nacyclic a |",
        "let a = po & W",
        "let a = [rf]",
        "let f(x, y) = x\nlet a = f(po)",
        "let rec r = po \\ r",
        "let rec r = ~s & po\nand s = r; po",
        "include \"nowhere.cat\"",
        "enum E = 'a\nlet t = 'b",
        "enum E = 'a || 'b\nlet t = match 'b with || 'a -> 0 end",
        "acyclic (po",
        "let rec f x = f x\nacyclic f po",
        "call nothing(po)",
        "let x = warp; po",
        "empty W * 'a",
        "let x = mfence",
        "\"unfinished",
        "let x = po $ rf",
        "with x from po as y",
    ];
    let mut all = String::new();
    for text in texts {
        let error = Model::from_text("model.cat", text).expect_err(text);
        let style = report::Style::Plain;
        let shown = report::diagnostics::render(&error.diagnostic, &error.sources, style);
        all.push_str(&format!("{shown}\n\n"));
    }
    insta::assert_snapshot!(all);
}

/// A set that depends on a choice cannot be enumerated; this shows only on an execution.
#[test]
fn members_must_follow_from_the_program() {
    let model = Model::from_text("t", "forall e in range(rf) do empty po end").unwrap();
    let error = check_execution(&model, &mp()).unwrap_err();
    assert_eq!(error.message, "the members of this set are not known here");
}

#[test]
fn further_constructs_of_herds_grammar() {
    // `begin … end` are parentheses, and tuples need none.
    assert_eq!(value("let a = begin po | rf end", "a \\ po"), value("", "rf"));
    assert_eq!(value("let a, b = po, rf", "a | b"), value("", "po | rf"));
    assert_eq!(value("let f = fun x -> x let a, (b, _) = po, (f rf, 0)", "b"), value("", "rf"));
    // An instruction's `let` may end in `in`.
    assert_eq!(value("let a = po in let rec b = a | b; b in", "b"), value("", "po+"));
    assert_eq!(value("let a = if po subset po-loc | po then rf else 0", "a"), value("", "rf"));
    assert_eq!(value("let a = if po subset po-loc then rf else 0", "a"), Vec::<Vec<usize>>::new());
}

#[test]
fn procedures_may_call_themselves() {
    let text = "
        procedure rec each(S) =
          match S with
          || {} ->
          || r ++ rest -> acyclic r as each call each(rest)
          end
        end
        call each({po, RELATION})";
    assert!(outcome(&text.replace("RELATION", "rf")).allowed());
    assert_eq!(&*outcome(&text.replace("RELATION", "po | rf | fr")).failed.unwrap().axiom, "each");
    let endless = "procedure rec f(r) = call f(r) end call f(po)";
    let error = Model::from_text("model.cat", endless).unwrap_err();
    assert_eq!(error.diagnostic.message, "these calls do not seem to end");
}

#[test]
fn a_model_that_is_run_for_each_execution_keeps_limits() {
    let text = "\"choices\"\nwith mo from linearisations(W \\ IW, 0)\nacyclic mo\n";
    let model = Model::from_text("choices", text).expect("a model");
    let execution = mp();
    let limits = limits::Limits::default();
    let asked = || models::check_execution_within(&model, &execution, &limits);
    assert!(asked().expect("an outcome").allowed());
    limits.interrupter.interrupt();
    assert_eq!(asked(), Err(models::Unevaluated::GaveUp));
}

#[test]
fn too_many_choices_are_refused_before_they_are_made() {
    // Six events in any order, three times: 720 choices, half a million, and then it is enough.
    let with = |name: &str| format!("with {name} from linearisations(M, 0)\n");
    let text = format!("\"many\"\n{}{}{}acyclic a | b | c\n", with("a"), with("b"), with("c"));
    let model = Model::from_text("many", &text).expect("a model");
    let problem = model.prepare(&mp()).expect_err("it is too much");
    assert_eq!(problem.message, "there are too many choices");
}
