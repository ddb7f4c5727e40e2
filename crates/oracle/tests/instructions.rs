//! What single instructions compute, on one thread: every final value is forced, so each test's
//! `forall` must hold in the only final state.

use execution::span::SourceMap;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Observation, Prepared, language};

fn final_state(text: &str) -> (Observation, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    let test = match front_litmus::parse(&sources, file) {
        Ok(test) => test,
        Err(problem) => panic!("{}\n{text}", problem.message),
    };
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    let answer = prepared.ask(&Model::named("sc").unwrap(), false).unwrap();
    (answer.observation(), answer.states.into_iter().map(|state| state.text).collect())
}

fn holds(text: &str) {
    let (observation, states) = final_state(text);
    assert_eq!((observation, states.len()), (Observation::Always, 1), "{states:?}\n{text}");
}

fn one_thread(arch: &str, init: &str, code: &[&str], condition: &str) {
    let rows: String = code.iter().map(|line| format!(" {line} ;\n")).collect();
    holds(&format!("{arch} test\n{{ {init} }}\n P0 ;\n{rows}forall ({condition})\n"));
}

#[test]
fn aarch64_arithmetic() {
    let check = |init, code: &[&str], condition| one_thread("AArch64", init, code, condition);
    check("", &["MOV W0,#5", "SUB W1,W0,#7"], "0:X1=-2");
    check("uint64_t 0:X1;", &["MOV W0,#5", "SUB W1,W0,#7"], "0:X1=0xfffffffe");
    check("", &["MOVZ X0,#1,LSL #16", "ADD X1,X0,X0,LSR #15"], "0:X1=65538");
    check("", &["MOV X0,#8", "ORR X1,X0,X0,ROR 3"], "0:X1=9");
    check("", &["MOV W0,#-1", "MOV X1,#0", "ADD X2,X1,W0,UXTB"], "0:X2=255");
    check("", &["MOV W0,#-1", "SXTW X1,W0", "MVN X2,X1"], "0:X2=0");
    check("", &["MOV W0,#3", "MUL W1,W0,W0", "EOR W2,W1,#1"], "0:X2=8");
    check("", &["MOV W0,#6", "AND W1,W0,#3", "BIC W2,W0,W1", "NEG W3,W2"], "0:X3=-4");
}

#[test]
fn aarch64_flags_and_conditions() {
    let compared = |a: &str, b: &str, condition: &str, expected: u8| {
        let code = [
            format!("MOV W0,#{a}"),
            format!("MOV W1,#{b}"),
            "CMP W0,W1".to_string(),
            format!("CSET W2,{condition}"),
        ];
        let code: Vec<&str> = code.iter().map(String::as_str).collect();
        one_thread("AArch64", "", &code, &format!("0:X2={expected}"));
    };
    for (a, b, condition, expected) in [
        ("1", "1", "EQ", 1),
        ("1", "2", "EQ", 0),
        ("1", "2", "NE", 1),
        ("1", "2", "LT", 1),
        ("-1", "1", "LT", 1),
        ("-1", "1", "HI", 1),
        ("-1", "1", "CS", 1),
        ("1", "-1", "CC", 1),
        ("1", "1", "GE", 1),
        ("1", "1", "GT", 0),
        ("1", "1", "LE", 1),
        ("1", "1", "LS", 1),
        ("1", "2", "MI", 1),
        ("2", "1", "PL", 1),
        ("-2147483648", "1", "VS", 1),
        ("3", "1", "VC", 1),
    ] {
        compared(a, b, condition, expected);
    }
    let code =
        ["MOV W0,#1", "CMP W0,#1", "CSINC W1,W0,W0,NE", "CSNEG W2,W0,W0,NE", "CSINV W3,W0,W0,EQ"];
    one_thread("AArch64", "", &code, "0:X1=2 /\\ 0:X2=-1 /\\ 0:X3=1");
}

#[test]
fn aarch64_memory() {
    let init = "int t[4]={1,2,3,4}; 0:X1=t; 0:X2=8;";
    let check = |code: &[&str], condition| one_thread("AArch64", init, code, condition);
    check(&["LDR W0,[X1,#4]"], "0:X0=2");
    check(&["LDR W0,[X1],#4", "LDR W3,[X1]"], "0:X0=1 /\\ 0:X3=2");
    check(&["LDR W0,[X1,#12]!", "LDR W3,[X1]"], "0:X0=4 /\\ 0:X3=4");
    check(&["LDR W0,[X1,X2]"], "0:X0=3");
    check(&["MOV W3,#1", "LDR W0,[X1,W3,SXTW #2]"], "0:X0=2");
    check(&["LDP W0,W3,[X1]", "STP W3,W0,[X1]"], "t={2,1,3,4}");
    check(&["MOV W0,#5", "SWP W0,W3,[X1]"], "0:X3=1 /\\ t[0]=5");
    check(&["MOV W0,#5", "LDADDAL W0,W3,[X1]"], "0:X3=1 /\\ t[0]=6");
    check(&["MOV W0,#3", "LDCLR W0,W3,[X1,#0]"], "0:X3=1 /\\ t[0]=0");
    check(&["MOV W0,#1", "MOV W3,#9", "CAS W0,W3,[X1]"], "0:X0=1 /\\ t[0]=9");
    check(&["MOV W0,#7", "MOV W3,#9", "CAS W0,W3,[X1]"], "0:X0=1 /\\ t[0]=1");
}

#[test]
fn labels_and_loops() {
    let code = ["MOV W0,#2", "L: SUB W0,W0,#1", "CBNZ W0,L", "MOV W1,#7"];
    one_thread("AArch64", "", &code, "0:X0=0 /\\ 0:X1=7");
    let code = ["li r1,1", "cmpwi r1,1", "beq End", "li r1,5", "End:", "addi r2,r1,1"];
    one_thread("PPC", "", &code, "0:r1=1 /\\ 0:r2=2");
}

#[test]
fn power_arithmetic() {
    let check = |code: &[&str], condition| one_thread("PPC", "0:r9=-1;", code, condition);
    check(&["li r1,3", "subf r2,r1,r1", "addi r3,r2,4"], "0:r3=4");
    check(&["lis r1,1", "addis r2,r1,1"], "0:r2=131072");
    check(&["clrldi r1,r9,60"], "0:r1=15");
    check(&["li r1,1", "rlwinm r2,r1,4,0,31"], "0:r2=16");
    check(&["li r1,1", "li r2,2", "rlwimi r2,r1,0,31,31"], "0:r2=3");
    check(&["li r1,5", "neg r2,r1", "extsw r3,r2", "not r4,r3"], "0:r4=4");
    check(&["li r0,5", "addi r1,r0,1"], "0:r1=1");
}

#[test]
fn risc_v_arithmetic() {
    let check = |code: &[&str], condition| one_thread("RISCV", "0:x9=x;", code, condition);
    check(&["li a0,5", "slli a1,a0,2", "subw a2,a0,a1"], "0:x12=-15");
    check(&["lui x5,1", "srli x6,x5,12"], "0:x6=1");
    check(&["addi x0,x0,5", "or x5,x0,x0"], "0:x5=0");
    check(&["li x5,-1", "sltu x6,x0,x5", "seqz x7,x6"], "0:x6=1 /\\ 0:x7=0");
    check(&["li x5,3", "amoadd.w x6,x5,(x9)", "amoswap.w.aqrl x7,x0,0(x9)"], "0:x7=3 /\\ [x]=0");
    check(&["li x5,3", "amomax.w x6,x5,(x9)", "amoand.w x7,x0,(x9)"], "0:x7=3 /\\ [x]=0");
}

#[test]
fn x86_arithmetic_and_parts_of_registers() {
    let check = |code: &[&str], condition| one_thread("X86_64", "[x]=5;", code, condition);
    check(&["movl $258,%eax", "movb $1,%al"], "0:rax=257");
    check(&["movl $258,%eax", "movb $7,%ah"], "0:rax=1794");
    check(&["movl $3,%eax", "lock xaddl %eax,(x)"], "0:rax=5 /\\ [x]=8");
    check(&["movl $3,%eax", "xchgl %eax,(x)"], "0:rax=5 /\\ [x]=3");
    check(&["movl $5,%eax", "movl $9,%ebx", "lock cmpxchgl %ebx,(x)"], "[x]=9");
    check(&["movl (x),%eax", "cmpl $5,%eax", "je L", "movl $0,%eax", "L: incl %eax"], "0:rax=6");
    one_thread("X86", "x=5;", &["MOV EAX,[x]", "ADD EAX,2", "SUB [x],EAX"], "0:EAX=7 /\\ x=-2");
}

#[test]
fn c_statements() {
    let check = |dialect: &str, body: &str, condition: &str| {
        holds(&format!(
            "C test\n{{ x=3; }}\nP0({dialect} *x, int *y) {{ {body} }}\nforall ({condition})\n"
        ));
    };
    check("int", "int r = READ_ONCE(*x); if (r == 3 && r > 2) { r = r * 2; } else r = 0;", "0:r=6");
    check("int", "int r = 0; while (r < 2) r = r + 1;", "0:r=2");
    check("int", "int r = *x ? 5 : 6; *y = -r; r++;", "0:r=6 /\\ y=-5");
    check(
        "int",
        "int r = cmpxchg(x, 3, 4); int s = xchg_relaxed(x, 7);",
        "0:r=3 /\\ 0:s=4 /\\ x=7",
    );
    check("atomic_t", "atomic_inc(x); int r = atomic_sub_and_test(4, x);", "0:r=1 /\\ x=0");
    check(
        "atomic_t",
        "int r = atomic_add_unless(x, 1, 3); int s = atomic_fetch_add(2, x);",
        "0:r=0 /\\ 0:s=3",
    );
    let exchange = "int r = atomic_exchange_explicit(x, 4, memory_order_relaxed); int s = atomic_fetch_sub(x, 1);";
    check("atomic_int", exchange, "0:r=3 /\\ 0:s=4 /\\ x=3");
    let swap = "*y = 3; int r = atomic_compare_exchange_strong(x, y, 9);";
    check("atomic_int", swap, "0:r=1 /\\ x=9 /\\ y=3");
    let fail = "*y = 2; int r = atomic_compare_exchange_strong(x, y, 9);";
    check("atomic_int", fail, "0:r=0 /\\ x=3 /\\ y=3");
}

#[test]
fn addresses_are_values() {
    let text = "AArch64 test\n{ p=x; x=7; 0:X1=p; }\n P0 ;\n LDR X0,[X1] ;\n LDR W2,[X0] ;\n\
                forall (0:X0=x /\\ 0:X2=7)\n";
    assert_eq!(final_state(text).1, ["0:X0=x; 0:X2=7;"]);
}

#[test]
fn a_value_that_only_copies_itself_is_symbolic() {
    let text = "C test\n{ }\n\
        P0(atomic_int *x, atomic_int *y) {\n\
          int r = atomic_load_explicit(x, memory_order_relaxed);\n\
          atomic_store_explicit(y, r, memory_order_relaxed);\n}\n\
        P1(atomic_int *x, atomic_int *y) {\n\
          int r = atomic_load_explicit(y, memory_order_relaxed);\n\
          atomic_store_explicit(x, r, memory_order_relaxed);\n}\n\
        exists (0:r=1)\n";
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    let test = front_litmus::parse(&sources, file).unwrap();
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    let ask = |model| {
        let answer = prepared.ask(&Model::named(model).unwrap(), false).unwrap();
        answer.states.into_iter().map(|state| state.text).collect::<Vec<_>>()
    };
    assert_eq!(ask("rc11"), ["0:r=0;"]);
    assert_eq!(ask("c11"), ["0:r=0;", "0:r=S;"]);
}
