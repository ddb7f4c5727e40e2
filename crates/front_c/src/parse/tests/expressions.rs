//! Expressions: precedence, casts against calls, and the GNU forms.

use super::expr;

#[test]
fn operators_bind_as_c_says() {
    for (text, expected) in [
        ("a + b * c - d", "(Sub (Add a (Mul b c)) d)"),
        (
            "a << 1 + b < c == d & e ^ f | g && h || i",
            "(|| (&& (BitOr (BitXor (BitAnd (Eq (Lt (Shl a (Add 1 b)) c) d) e) f) g) h) i)",
        ),
        ("a - b - c", "(Sub (Sub a b) c)"),
        ("a = b = c ? d : e ? f : g", "(= a (= b (? c d (? e f g))))"),
        ("a ?: b", "(? a () b)"),
        ("a += b, c >>= 2", "(, (Add= a b) (Shr= c 2))"),
        ("-a++ * !*p--", "(Mul (Minus (post++ a)) (Not (* (post-- p))))"),
        ("&x->y[1].z", "(& (. ([] (-> x y) 1) z))"),
        ("f(a, (b, c))(d)", "(call (call f a (, b c)) d)"),
        ("~+a", "(BitNot (Plus a))"),
        ("++*--p", "(++ (* (-- p)))"),
        ("a || b && c || d", "(|| (|| a (&& b c)) d)"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn a_parenthesis_with_a_type_is_a_cast_or_a_literal() {
    for (text, expected) in [
        ("(T)-1", "(cast T (Minus 1))"),
        ("(x)-1", "(Sub x 1)"),
        ("(T *)(void *)p", "(cast pointer to T (cast pointer to void p))"),
        ("(struct s){1, .b = 2}.b", "(. (literal struct s [1 .b=2]) b)"),
        ("&(int){3}", "(& (literal int [3]))"),
        ("sizeof(T)", "(sizeof-type T)"),
        ("sizeof(x) + 1", "(Add (sizeof x) 1)"),
        ("sizeof (int){1}", "(sizeof (literal int [1]))"),
        ("sizeof (T)-1", "(Sub (sizeof-type T) 1)"),
        ("sizeof *p", "(sizeof (* p))"),
        ("_Alignof(int[2])", "(alignof-type array of 2 int)"),
        ("__alignof__(x)", "(alignof x)"),
        ("(int (*)(void))p", "(cast pointer to function() returning int p)"),
        ("(_Atomic int *)p", "(cast pointer to atomic int p)"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn gnu_and_c11_forms() {
    for (text, expected) in [
        ("({ int x = 1; x; })", "(statement {(x is int = 1) x})"),
        (
            "_Generic(x, int: 1, T *: 2, default: 3)",
            "(generic x (int: 1) (pointer to T: 2) (default: 3))",
        ),
        ("__builtin_offsetof(struct s, a.b[2])", "(offsetof struct s .a.b[2])"),
        ("__builtin_types_compatible_p(T, int)", "(compatible (T) (int))"),
        ("__builtin_choose_expr(1, a, b)", "(choose 1 a b)"),
        ("__builtin_va_arg(ap, int)", "(va_arg ap int)"),
        ("__extension__ (1)", "(extension 1)"),
        ("&&label", "(label label)"),
        ("__func__", "__func__"),
        ("'a' + 1.5", "(Add char:97 float:1.5)"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}
