//! Claims about types, layout and conversions, as static assertions that gcc accepts too.

mod c23;

use crate::pp::{COptions, MemoryLoader};
use execution::span::SourceMap;
use std::path::Path;

fn messages(text: &str) -> Vec<String> {
    let loader = MemoryLoader::new().with("a.c", text);
    let mut sources = SourceMap::new();
    match crate::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources) {
        Ok((_, warnings)) => warnings.into_iter().map(|warning| warning.message).collect(),
        Err(errors) => errors.into_iter().map(|error| error.message).collect(),
    }
}

fn accepted(text: &str) {
    assert_eq!(messages(text), Vec::<String>::new(), "{text}");
}

/// `sizeof` and `_Alignof` as gcc 12 gives them on x86-64.
fn laid_out(declaration: &str, size: u32, align: u32) {
    accepted(&format!(
        "{declaration};\n_Static_assert(sizeof(struct s) == {size}, \"size\");\n\
         _Static_assert(_Alignof(struct s) == {align}, \"alignment\");"
    ));
}

#[test]
fn bit_fields_do_not_cross_a_unit_of_their_type() {
    laid_out("struct s { unsigned a:3; unsigned b:29; int c:1; }", 8, 4);
    laid_out("struct s { char x; int a:5; short b:9; long c:40; char y; }", 16, 8);
    laid_out("struct s { short a:3; char b; short c:14; int d:17; int e:16; }", 12, 4);
    laid_out("struct s { long a:33; long b:33; int c:3; }", 16, 8);
    laid_out("struct s { char a:7; char b:2; char c:7; }", 3, 1);
}

#[test]
fn zero_width_bit_fields_close_the_unit_and_unnamed_ones_do_not_align() {
    laid_out("struct s { int a:4; int :0; int b:4; }", 8, 4);
    laid_out("struct s { char c; int :0; char d; }", 5, 1);
    laid_out("struct s { int :5; char c; }", 2, 1);
    laid_out("struct s { char c; int :17; }", 4, 1);
}

#[test]
fn packing_removes_padding_between_bits_too() {
    let packed = "struct __attribute__((packed))";
    laid_out(&format!("{packed} s {{ char c; int a:20; int b:20; long l:50; short s; }}"), 15, 1);
    laid_out("#pragma pack(1)\nstruct s { char a; int b:7; unsigned long c:63; int d; }", 14, 1);
    laid_out("#pragma pack(2)\nstruct s { char a; int b; long c; }", 14, 2);
    laid_out(
        "struct __attribute__((packed, aligned(4))) s { char a; short b; char c[3]; long d:37; }",
        12,
        4,
    );
}

#[test]
fn alignment_can_be_asked_for_and_atomic_objects_ask_for_it() {
    laid_out(
        "struct s { char a; __attribute__((aligned(8))) char b; _Alignas(16) int c; }",
        32,
        16,
    );
    laid_out("struct p { int a, b; }; struct s { char c; _Atomic struct p p; }", 16, 8);
    laid_out("struct s { int n; char data[]; }", 4, 4);
}

#[test]
fn enumerations_have_the_type_that_holds_them() {
    accepted("enum e { A = -1 }; _Static_assert((enum e)-1 < 0, \"signed\");");
    accepted("enum e { A }; _Static_assert((enum e)-1 > 0, \"unsigned\");");
    accepted("enum e { A = 0x100000000 }; _Static_assert(sizeof(enum e) == 8, \"long\");");
    accepted("enum __attribute__((packed)) e { A }; _Static_assert(sizeof(enum e) == 1, \"\");");
}

#[test]
fn integers_are_promoted_and_converted_to_a_common_type() {
    let is = |expression: &str, ty: &str| {
        accepted(&format!(
            "_Static_assert(_Generic(({expression}), {ty}: 1, default: 0), \"{expression}\");"
        ));
    };
    is("(char)1 + (short)1", "int");
    is("(unsigned short)1 << 1L", "int");
    is("1u + 1", "unsigned int");
    is("1u + 1L", "long");
    is("1UL + 1LL", "unsigned long long");
    is("1 ? 'a' : (char)1", "int");
    is("(_Bool)1 + (_Bool)1", "int");
    is("sizeof 1 - 1", "unsigned long");
    is("(char *)0 - (char *)0", "long");
    accepted("_Static_assert(-1 > 1u, \"\"); _Static_assert(-1L < 1u, \"\");");
    accepted("_Static_assert((unsigned char)-1 == 255 && (signed char)255 == -1, \"\");");
    accepted("_Static_assert(-7 / 2 == -3 && -7 % 2 == -1 && -7 >> 1 == -4, \"\");");
}

#[test]
fn floating_point_numbers_are_converted_to_a_common_type() {
    let is = |expression: &str, ty: &str| {
        accepted(&format!(
            "_Static_assert(_Generic(({expression}), {ty}: 1, default: 0), \"{expression}\");"
        ));
    };
    is("1 + 1.0f", "float");
    is("1.0f * 1.0", "double");
    is("1ULL - 0x1p3f", "float");
    is("1 ? 'a' : 1.5", "double");
    is("-1.5f", "float");
    is("1.5 < 2", "int");
    is("!1.5", "int");
    accepted("_Static_assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f, \"rounded\");");
    accepted("_Static_assert((int)-2.9 == -2 && (unsigned char)255.9 == 255, \"truncated\");");
    accepted("_Static_assert((_Bool)0.1 && !-0.0 && (1.5 ? 1 : 0) && (0.5 || 0), \"truth\");");
    accepted("static double x = 1 / 3.0, y = -0.5, z = 2, *p = &x; static int n = (int)2.5;");
}

#[test]
fn what_is_not_defined_for_floating_point_numbers_is_refused() {
    for (code, message) in [
        ("return 1.5 % 2;", "`%` does not take `double` and `int`"),
        ("return 1 << 1.0f;", "`<<` does not take `int` and `float`"),
        ("return ~1.5;", "`~` takes an integer, not `double`"),
        ("int x = 3; x |= 1.5; return x;", "this operator does not take `int` and `double`"),
        ("return (char *)1.5 == 0;", "`double` cannot be cast to `char *`"),
        (
            "int a[3] = {0}; return a[1.0];",
            "only an array or a pointer can be indexed, by an integer",
        ),
        ("return 1.5L > 1;", "`long double` is not supported"),
        ("return 1.5x > 1;", "invalid suffix `x` on floating constant"),
        ("return 1.5 ?: 2;", "`?:` without a middle takes no floating-point number"),
        (
            "float f = 1; return __atomic_fetch_add(&f, 1, 0);",
            "this operation is not possible on `float`",
        ),
        (
            "float f = 1; return __sync_fetch_and_add(&f, 1);",
            "this operation is not possible on `float`",
        ),
        ("switch (1.5) { default: return 1; }", "the value of a `switch` must be an integer"),
    ] {
        assert_eq!(messages(&format!("int main(void) {{ {code} }}")), [message], "{code}");
    }
}

#[test]
fn addresses_are_constants_in_static_initialisers() {
    accepted(
        "static struct { int a; struct { char b[4]; int c; } in[2]; } s;\n\
         static int *p = &s.in[1].c, *q = (int *)((char *)&s + 4) - 1;\n\
         static long far = (char *)&s.in[1] - (char *)&s.in[0];\n\
         static int (*f)(void);\n\
         static void *g = &f, *null = (void *)(1 - 1);\n\
         int main(void) { return *p + *q + (int)far + (g != null); }",
    );
    assert_eq!(
        messages("static int x; static int y = x + 1;"),
        ["the initial value of a static object must be a constant"]
    );
}

#[test]
fn one_run_reports_several_mistakes() {
    let found = messages(
        "int f(void) { return a; }\nint g(void) { undeclared(); int *p; p.x = 1; return 1.5 % 2; }\n",
    );
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn an_access_can_have_an_order_of_the_kernel() {
    let accesses = |statement: &str| format!("int x; int *f(void) {{ {statement}; return &x; }}");
    for statement in [
        "__fp_atomic_load(&x, \"once\")",
        "__fp_atomic_store(&x, 1, \"release\")",
        "__fp_atomic_fetch_add(&x, 1, \"noreturn\")",
        "__fp_atomic_cmpxchg(&x, 0, 1, \"full\")",
    ] {
        accepted(&accesses(statement));
    }
    let wrong = accesses("__fp_atomic_load(&x, \"release\")");
    assert_eq!(messages(&wrong), ["the kernel has no such access with order `release`"]);
}
