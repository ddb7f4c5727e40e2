//! Assembly that is not understood is refused, and says why.

use crate::pp::{COptions, MemoryLoader};
use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use ir::program::Program;
use std::path::Path;

/// The program that a statement of assembly makes, or what is said about it.
fn compiled(asm: &str) -> Result<Program, Vec<String>> {
    let text = format!(
        "void f(int a, int b, long l, int *p, char c, double *d) {{ {asm}; }}\n\
         int main(void) {{ int i = 0; double d = 0; f(0, 0, 0, &i, 0, &d); }}"
    );
    let loader = MemoryLoader::new().with("a.c", text.as_str());
    let mut sources = SourceMap::new();
    let said = |list: Vec<Diagnostic>| list.into_iter().map(|one| one.message).collect();
    match crate::compile(Path::new("a.c"), &COptions::default(), &loader, &mut sources) {
        Ok((program, warnings)) if warnings.is_empty() => Ok(program),
        Ok((_, warnings)) => Err(said(warnings)),
        Err(errors) => Err(said(errors)),
    }
}

fn messages(asm: &str) -> Vec<String> {
    compiled(asm).err().unwrap_or_default()
}

#[test]
fn what_changes_nothing_of_an_operand_accesses_it() {
    let program = compiled(r#"asm volatile("lock; addl $0, %0" : "+m"(*p) : : "memory")"#);
    let text = ir::text::print(&program.expect("known"));
    assert!(text.contains("rmw.add.rlx i32 ["), "{text}");
}

#[test]
fn what_is_understood_is_accepted() {
    for asm in [
        r#"asm("")"#,
        r#"asm volatile("" : "+r"(a) : "r"(b) : "memory")"#,
        r#"asm("" : "=r"(a) : "0"(b))"#,
        r#"asm volatile("" : "=m"(*p) : "m"(*p))"#,
        r#"asm volatile("lock; incl (%0)" : : "r"(p) : "memory")"#,
        r#"asm volatile("1: lock; decl %0; jns 1b" : "+m"(*p))"#,
        r#"asm volatile("rdtsc" : "=a"(a), "=d"(b))"#,
        r#"asm volatile("prefetcht0 %0" : : "m"(*p))"#,
        r#"asm volatile("lock; negl %0" : "+m"(*p))"#,
        r#"asm("1: ldaxr %w0, [%2]\n stlxr %w1, %w3, [%2]\n cbnz %w1, 1b" : "=&r"(a), "=&r"(b) : "r"(p), "r"(1))"#,
        r#"asm("ldaddal %w1, %w0, %2" : "=r"(a), "+r"(b), "+Q"(*p))"#,
        r#"asm("casal %w0, %w2, [%1]" : "+r"(a) : "r"(p), "rZ"(0) : "memory")"#,
        r#"asm("1: lwarx %0,0,%1\n addic %0,%0,1\n stwcx. %0,0,%1\n bne- 1b" : "=&r"(a) : "r"(p) : "cc")"#,
        r#"asm("0: lr.w %0, %2\n addi %1, %0, 1\n sc.w.rl %1, %1, %2\n bnez %1, 0b" : "=&r"(a), "=&r"(b), "+A"(*p))"#,
        r#"asm("amoadd.w.aqrl %1, %2, %0" : "+A"(*p), "=r"(a) : "r"(b) : "memory")"#,
        r#"asm volatile("lock; incl 4(%0)" : : "r"(p) : "memory")"#,
        r#"asm volatile("lock; addl $1, %0; mfence; pause" : "+m"(*p))"#,
        r#"asm volatile("LOCK; XADDL %0, %[M]" : "+r"(a), [M] "+m"(*p))"#,
        r#"asm volatile("xchg %0, %1" : "+r"(a), "+m"(*p))"#,
        r#"int list[4]; asm volatile("lock; btsl %1, %0" : "+m"(list) : "r"(a) : "memory")"#,
    ] {
        assert_eq!(messages(asm), [""; 0], "{asm}");
    }
}

#[test]
fn what_is_not_understood_is_named() {
    for (asm, message) in [
        (r#"asm("rdpmc" : "=a"(a))"#, "the instruction `rdpmc` is not known"),
        (r#"asm("nop; cpuid")"#, "the instruction `cpuid` is not known"),
        (
            r#"asm("1: lock; decl %0; jns 2b" : "+m"(*p))"#,
            "the instruction `jns 2b` is not known: there is no such label",
        ),
        (
            r#"asm("lock; cmpxchgl %1, %0" : "+m"(*p) : "r"(a))"#,
            "the instruction `lock cmpxchgl %1, %0` is not known: no operand is in the register a",
        ),
        (
            r#"asm("movq %1, %0" : "=r"(l) : "r"(a))"#,
            "the instruction `movq %1, %0` is not known: its operands have other sizes",
        ),
        (r#"asm("sete %0" : "=q"(c))"#, "the flags of `e` are not known here"),
        (
            r#"asm("lock; movl %1, %0" : "=m"(*p) : "r"(a))"#,
            "the instruction `lock movl %1, %0` is not known: it cannot be locked",
        ),
        (
            r#"asm("movl %%ecx, %0" : "=r"(a))"#,
            "the instruction `movl %%ecx, %0` is not known: its operands are not understood",
        ),
        (
            r#"asm("movl %7, %0" : "=r"(a))"#,
            "the instruction `movl %7, %0` is not known: its operands are not understood",
        ),
        (
            r#"asm("movl %1, %0" : "=m"(*p) : "m"(a))"#,
            "the instruction `movl %1, %0` is not known: only one of its operands can be in memory",
        ),
        (
            r#"asm("incl %0" : "+m"(((struct { int f : 3; } *)p)->f))"#,
            "an operand in memory must be an object with an address",
        ),
        (
            r#"asm("incl %0" : "+m"(*(const int *)p))"#,
            "this object is `const` and cannot be written",
        ),
        (r#"asm("" : "=t"(a))"#, "the constraint `=t` is not known"),
        (r#"asm("" : "=r"(a) : "3"(b))"#, "there is no such output"),
        (
            r#"asm("ldxrx %w0, [%1]" : "=r"(a) : "r"(p))"#,
            "the instruction `ldxrx %w0, [%1]` is not known",
        ),
        (
            r#"asm("ldxr %w0, [%1, %w0]" : "=r"(a) : "r"(p))"#,
            "the instruction `ldxr %w0, [%1, %w0]` is not known",
        ),
        (
            r#"asm("lr.q %0, (%1)" : "=r"(a) : "r"(p))"#,
            "the instruction `lr.q %0, (%1)` is not known",
        ),
    ] {
        assert_eq!(messages(asm), [message], "{asm}");
    }
}
