//! What the rarer instructions and C statements of litmus tests compute, on one thread: every
//! final value is forced, so each test's `forall` must hold in the only final state.

use execution::span::SourceMap;
use models::Model;
use oracle::EnumerationOptions;
use oracle::litmus::{Observation, Prepared, language};

fn refused(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    front_litmus::parse(&sources, file).err().map(|problem| problem.message)
}

fn holds(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("test.litmus", text);
    let test = match front_litmus::parse(&sources, file) {
        Ok(test) => test,
        Err(problem) => panic!("{}\n{text}", problem.message),
    };
    let prepared = Prepared::new(&test, EnumerationOptions::new(language(&test))).unwrap();
    let answer = prepared.ask(&Model::named("sc").unwrap(), false).unwrap();
    let states: Vec<String> = answer.states.iter().map(|state| state.text.clone()).collect();
    assert_eq!(
        (answer.observation(), states.len()),
        (Observation::Always, 1),
        "{states:?}\n{text}"
    );
}

fn one_thread(arch: &str, init: &str, code: &[&str], condition: &str) {
    let rows: String = code.iter().map(|line| format!(" {line} ;\n")).collect();
    holds(&format!("{arch} test\n{{ {init} }}\n P0 ;\n{rows}forall ({condition})\n"));
}

#[test]
fn aarch64_products_and_quotients() {
    let check = |code: &[&str], condition| {
        one_thread("AArch64", "0:X5=7; 0:X6=-3; 0:X7=0; uint64_t 0:X1;", code, condition);
    };
    check(&["MADD W0,W5,W6,W5"], "0:X0=-14");
    check(&["MSUB W0,W5,W6,W5"], "0:X0=28");
    check(&["MNEG W0,W5,W6"], "0:X0=21");
    check(&["SMULL X0,W5,W6"], "0:X0=-21");
    check(&["UMULL X1,W5,W6"], "0:X1=0x6ffffffeb");
    check(&["SMADDL X0,W5,W6,X5"], "0:X0=-14");
    check(&["SDIV W0,W5,W6"], "0:X0=-2");
    check(&["UDIV W0,W6,W5"], "0:X0=613566756");
    check(&["SDIV W0,W5,W7"], "0:X0=0");
    check(&["MOV W8,#-2147483648", "MOV W9,#-1", "SDIV W0,W8,W9"], "0:X0=-2147483648");
}

#[test]
fn aarch64_bits() {
    let check = |code: &[&str], condition| {
        one_thread("AArch64", "0:X5=0xf0; 0:X6=-1;", code, condition);
    };
    check(&["UBFX W0,W5,#4,#4"], "0:X0=15");
    check(&["SBFX W0,W5,#4,#4"], "0:X0=-1");
    check(&["UBFIZ W0,W6,#4,#2"], "0:X0=48");
    check(&["SBFIZ W0,W6,#4,#2"], "0:X0=-16");
    check(&["BFI W5,W6,#0,#2"], "0:X5=0xf3");
    check(&["MOV W0,#0", "BFXIL W0,W5,#6,#2"], "0:X0=3");
    check(&["ROR W0,W5,#4"], "0:X0=15");
    check(&["MOV W1,#4", "ROR W0,W5,W1"], "0:X0=15");
    check(&["MOV W1,#32", "ROR W0,W5,W1"], "0:X0=0xf0");
    check(&["MOV W1,#33", "LSL W0,W5,W1"], "0:X0=0x1e0");
    check(&["CLZ W0,W5", "CLZ X1,X5"], "0:X0=24 /\\ 0:X1=56");
    check(&["REV W0,W5"], "0:X0=-268435456");
    check(&["EOR W0,W5,W5,LSL #4"], "0:X0=0xff0");
}

#[test]
fn aarch64_conditions() {
    let check = |code: &[&str], condition| one_thread("AArch64", "0:X5=3;", code, condition);
    check(&["CMP W5,#3", "CINC W0,W5,EQ", "CINC W1,W5,NE"], "0:X0=4 /\\ 0:X1=3");
    check(&["CMP W5,#3", "CINV W0,W5,EQ", "CINV W1,W5,NE"], "0:X0=-4 /\\ 0:X1=3");
    check(&["CMP W5,#3", "CNEG W0,W5,EQ", "CNEG W1,W5,NE"], "0:X0=-3 /\\ 0:X1=3");
    check(&["CMP W5,#3", "CCMP W5,#4,#0,EQ", "CSET W0,LT"], "0:X0=1");
    check(&["CMP W5,#4", "CCMP W5,W5,#0,EQ", "CSET W0,EQ"], "0:X0=0");
    check(&["CMP W5,#4", "CCMP W5,#9,#4,EQ", "CSET W0,EQ"], "0:X0=1");
    check(&["CMP W5,#3", "CCMN W5,#-3,#0,EQ", "CSET W0,EQ"], "0:X0=1");
    check(&["NEGS W0,W5", "CSET W1,MI"], "0:X0=-3 /\\ 0:X1=1");
    check(&["CMP W5,#3", "ADC W0,W5,W5", "SBC W1,W5,W5"], "0:X0=7 /\\ 0:X1=0");
    check(&["CMP W5,#4", "ADC W0,W5,W5", "SBC W1,W5,W5"], "0:X0=6 /\\ 0:X1=-1");
    check(&["TBZ W5,#2,L", "MOV W0,#9", "L: TBNZ W5,#0,M", "MOV W0,#8", "M:"], "0:X0=0");
}

#[test]
fn aarch64_rarer_accesses() {
    let init = "int t[4]={1,-2,3,4}; 0:X1=t; 0:X2=8;";
    let check = |code: &[&str], condition| one_thread("AArch64", init, code, condition);
    check(&["LDAPUR W0,[X1,#8]"], "0:X0=3");
    check(&["MOV W0,#9", "STLUR W0,[X1,#4]"], "t[1]=9");
    check(&["LDAPURSW X0,[X1,#4]", "LDRSW X3,[X1,#4]"], "0:X0=-2 /\\ 0:X3=-2");
    check(&["LDTR W0,[X1,#4]", "STTR W0,[X1]"], "t[0]=-2");
    check(&["LDPSW X0,X3,[X1,#4]"], "0:X0=-2 /\\ 0:X3=3");
    check(&["LDR W0,[X1,X2,LSL #0]", "PRFM pldl1keep,[X1,#8]"], "0:X0=3");
    check(&["MOV X3,#2", "LDR W0,[X1,X3,LSL #2]"], "0:X0=3");
    check(&["MOV W3,#1", "LDR W0,[X1,W3,UXTW #2]", "HINT #0", "YIELD"], "0:X0=-2");
}

#[test]
fn aarch64_compare_and_swap_of_pairs() {
    let init = "int t[4]={1,2,3,4}; 0:X9=t; 0:X2=5; 0:X3=6;";
    let check = |code: &[&str], condition| one_thread("AArch64", init, code, condition);
    check(
        &["MOV W0,#1", "MOV W1,#2", "CASP W0,W1,W2,W3,[X9]"],
        "0:X0=1 /\\ 0:X1=2 /\\ t={5,6,3,4}",
    );
    check(
        &["MOV W0,#1", "MOV W1,#9", "CASPAL W0,W1,W2,W3,[X9]"],
        "0:X0=1 /\\ 0:X1=2 /\\ t={1,2,3,4}",
    );
    let odd = "AArch64 t\n{ 0:X9=x; }\n P0 ;\n CASP W1,W2,W4,W5,[X9] ;\nexists (x=1)\n";
    assert!(refused(odd).unwrap().contains("even register"));
}

#[test]
fn x86_conditional_moves_and_sets() {
    let check = |code: &[&str], condition| one_thread("X86_64", "[x]=5;", code, condition);
    check(&["movl (x),%eax", "cmpl $5,%eax", "sete %bl", "setne %cl"], "0:rbx=1 /\\ 0:rcx=0");
    check(&["movl $1,%eax", "cmpl $2,%eax", "cmovl (x),%eax"], "0:rax=5");
    check(&["movl $3,%eax", "cmpl $2,%eax", "cmovll (x),%eax"], "0:rax=3");
    check(
        &["movl $1,%eax", "movl $-1,%ebx", "cmpl %ebx,%eax", "setb %cl", "setg %dl"],
        "0:rcx=1 /\\ 0:rdx=1",
    );
    check(&["movl $-1,%eax", "addl $1,%eax", "incl %eax", "setc %bl"], "0:rbx=1");
}

#[test]
fn x86_unlocked_exchanges_and_bits() {
    let check = |code: &[&str], condition| one_thread("X86_64", "[x]=5;", code, condition);
    check(
        &["movl $5,%eax", "movl $9,%ebx", "cmpxchgl %ebx,(x)", "sete %cl"],
        "[x]=9 /\\ 0:rax=5 /\\ 0:rcx=1",
    );
    check(
        &["movl $6,%eax", "movl $9,%ebx", "cmpxchgl %ebx,(x)", "sete %cl"],
        "[x]=5 /\\ 0:rax=5 /\\ 0:rcx=0",
    );
    check(&["movl $2,%eax", "xaddl %eax,(x)"], "[x]=7 /\\ 0:rax=5");
    check(
        &["lock btsl $1,(x)", "setc %al", "btl $0,(x)", "setc %bl"],
        "[x]=7 /\\ 0:rax=0 /\\ 0:rbx=1",
    );
    check(&["lock notl (x)"], "[x]=-6");
    check(&["movl $511,%eax", "movzbl %al,%ebx", "movsbl %al,%ecx"], "0:rbx=255 /\\ 0:rcx=-1");
    one_thread(
        "X86",
        "x=5;",
        &["MOV EAX,DWORD PTR [x]", "MOV DWORD PTR [x],7", "PAUSE"],
        "0:EAX=5 /\\ x=7",
    );
    one_thread("X86", "x=5;", &["MOV EBX,257", "MOVZX EAX,BL", "CMOVE EBX,EAX"], "0:EAX=1");
}

#[test]
fn power_rarer_instructions() {
    let init = "int t[4]={1,-2,3,4}; 0:r9=t; 0:r8=-1; 0:r7=8;";
    let check = |code: &[&str], condition| one_thread("PPC", init, code, condition);
    check(&["lwzu r1,4(r9)", "lwz r2,4(r9)"], "0:r1=-2 /\\ 0:r2=3");
    check(&["lwzux r1,r9,r7", "lwz r2,4(r9)"], "0:r1=3 /\\ 0:r2=4");
    check(&["li r1,7", "stwu r1,8(r9)", "lwz r2,0(r9)"], "0:r2=7 /\\ t[2]=7");
    check(&["li r1,7", "stwux r1,r9,r7", "lwz r2,0(r9)"], "0:r2=7 /\\ t[2]=7");
    check(&["lwa r1,4(r9)", "lwarx r2,r0,r9,1"], "0:r1=-2 /\\ 0:r2=1");
    check(&["cmpwi cr3,r8,0", "blt cr3,L", "li r1,1", "L: nop"], "0:r1=0");
    check(&["cmpwi 7,r8,0", "blt- 7,L", "li r1,1", "L: nop"], "0:r1=0");
    check(&["cmpwi r8,-1", "isel r1,r7,r8,2", "iseleq r2,r8,r7"], "0:r1=8 /\\ 0:r2=-1");
    check(&["and. r1,r8,r7", "bgt L", "li r2,1", "L: nop"], "0:r1=8 /\\ 0:r2=0");
    check(&["xori r1,r7,1", "andi. r2,r7,8", "beq L", "li r3,1", "L:"], "0:r1=9 /\\ 0:r3=1");
    check(&["andc r1,r8,r7", "nor r2,r7,r7", "nand r3,r8,r7"], "0:r1=-9 /\\ 0:r2=-9 /\\ 0:r3=-9");
    check(&["li r1,32", "slw r2,r7,r1", "li r1,2", "slw r3,r7,r1"], "0:r2=0 /\\ 0:r3=32");
    check(&["srawi r1,r8,4", "clrlwi r2,r8,28", "cntlzw r3,r7"], "0:r1=-1 /\\ 0:r2=15 /\\ 0:r3=28");
    check(&["li r1,3", "mtctr r1", "L: addi r2,r2,1", "bdnz L"], "0:r2=3");
    check(&["cmpwi r7,8", "beqlr", "li r1,5"], "0:r1=0");
    check(&["sync 1", "sync 0", "dcbt r0,r9", "mr r1,r7"], "0:r1=8");
}

#[test]
fn risc_v_pseudo_instructions() {
    let check =
        |code: &[&str], condition| one_thread("RISCV", "x=3; 0:x9=x; 0:x8=-5;", code, condition);
    check(&["neg x5,x8", "not x6,x8", "negw x7,x8"], "0:x5=5 /\\ 0:x6=4 /\\ 0:x7=5");
    check(&["sltz x5,x8", "sgtz x6,x8", "snez x7,x8"], "0:x5=1 /\\ 0:x6=0 /\\ 0:x7=1");
    check(&["sext.b x5,x8", "zext.b x6,x8", "zext.h x7,x8"], "0:x5=-5 /\\ 0:x6=251 /\\ 0:x7=65531");
    check(&["ble x8,x0,L", "li x5,1", "L: bgtz x8,M", "li x6,1", "M:"], "0:x5=0 /\\ 0:x6=1");
    check(&["bnez x8,L", "li x5,1", "L: beqz x8,M", "li x6,1", "M:"], "0:x5=0 /\\ 0:x6=1");
    check(&["la x5,x", "lw x6,0(x5)"], "0:x5=x /\\ 0:x6=3");
    check(&["jal x0,L", "li x5,1", "L: sgt x6,x0,x8"], "0:x5=0 /\\ 0:x6=1");
    check(&["li x5,1", "jalr x0,0(ra)", "li x5,2"], "0:x5=1");
    check(&["li x5,1", "jr ra", "li x5,2"], "0:x5=1");
    check(&["li x5,12", "andn x6,x8,x5", "orn x7,x5,x8"], "0:x6=-13 /\\ 0:x7=12");
    check(&["li x5,3", "li x6,7", "amocas.w.aq x5,x6,(x9)"], "0:x5=3 /\\ [x]=7");
    check(&["li x5,4", "li x6,7", "amocas.w x5,x6,(x9)"], "0:x5=3 /\\ [x]=3");
    check(&["li x5,33", "sllw x6,x8,x5"], "0:x6=-10");
}

#[test]
fn what_computes_with_code_addresses_is_refused_with_a_reason() {
    for line in ["auipc x5,0", "jalr x1,x5,0", "jalr x0,x5,0", "jalr ra,0(ra)", "call f", "jal L"] {
        let text = format!("RISCV t\n{{ 0:x9=x; }}\n P0 ;\n {line} ;\nexists (x=1)\n");
        assert!(refused(&text).unwrap().contains("no addresses"), "{line}");
    }
    let text = "AArch64 t\n{ }\n P0 | P0.F ;\n NOP | NOP ;\nexists (x=1)\n";
    assert_eq!(refused(text).unwrap(), "columns for fault handlers are not supported");
    let text = "AArch64 t\n{ }\n P0:F | P1 ;\n NOP | NOP ;\nexists (x=1)\n";
    assert_eq!(refused(text).unwrap(), "columns for fault handlers are not supported");
}

fn c(parameter: &str, body: &str, condition: &str) {
    holds(&format!(
        "C test\n{{ x=3; }}\nP0({parameter} *x, int *y) {{ {body} }}\nforall ({condition})\n"
    ));
}

#[test]
fn c_loops_and_switches() {
    c("int", "int s = 0; for (int i = 0; i < 3; i++) s += i;", "0:s=3 /\\ 0:i=3");
    c(
        "int",
        "int s = 0; int i; for (i = 0, s = 1; ; ++i) { if (i == 4) break; if (i & 1) continue; s *= 3; }",
        "0:s=9 /\\ 0:i=4",
    );
    c("int", "int r = 0; do { r++; if (r == 2) continue; } while (r < 3);", "0:r=3");
    c(
        "int",
        "int r = READ_ONCE(*x); switch (r) { case 1: r = 10; break; case 3: r = 30; case 4: r += 4; break; default: r = 0; }",
        "0:r=34",
    );
    c(
        "int",
        "int r = 7; switch (r) { case 1: r = 1; break; default: r = 2; case 2: r |= 8; }",
        "0:r=10",
    );
    c("int", "int r = 2; int s = r++; int t = --r;", "0:r=2 /\\ 0:s=2 /\\ 0:t=2");
    c("int", "int r = 6; r <<= 2; r ^= 1; r %= 7; *y -= r;", "0:r=4 /\\ y=-4");
    c("int", "int r = true; int s = r ? 2 : 3; int t = false;", "0:s=2 /\\ 0:t=0");
}

#[test]
fn c_mistakes_are_found() {
    let message = |body: &str| {
        refused(&format!("C t\n{{ }}\nP0(int *x) {{ {body} }}\nexists (x=1)\n")).unwrap()
    };
    assert_eq!(message("break;"), "`break` is in no loop or `switch`");
    assert_eq!(message("continue;"), "`continue` is in no loop");
    assert!(message("WRITE_ONCE(*z, 1);").contains("neither a parameter nor a local"));
    assert!(message("int r = s;").contains("neither a parameter nor a local"));
    assert!(message("goto out;").contains("`goto`"));
    assert!(message("switch (1) { case 1: case 1: ; }").contains("twice"));
    assert!(message("smp_memb();").contains("smp_memb"));
}

#[test]
fn the_kernels_atomics() {
    let check = |body: &str, condition: &str| c("atomic_t", body, condition);
    check("atomic_andnot(1, x);", "x=2");
    check("int r = atomic_fetch_andnot_relaxed(1, x);", "0:r=3 /\\ x=2");
    check(
        "int r = atomic_add_negative(-4, x); int s = atomic_add_negative_acquire(4, x);",
        "0:r=1 /\\ 0:s=0 /\\ x=3",
    );
    check(
        "int r = atomic_inc_not_zero(x); atomic_set(x, 0); int s = atomic_inc_not_zero(x);",
        "0:r=1 /\\ 0:s=0 /\\ x=0",
    );
    check(
        "int r = atomic_dec_if_positive(x); atomic_set(x, 0); int s = atomic_dec_if_positive(x);",
        "0:r=2 /\\ 0:s=-1 /\\ x=0",
    );
    check(
        "int r = atomic_fetch_add_unless(x, 2, 9); int s = atomic_inc_unless_negative(x);",
        "0:r=3 /\\ 0:s=1 /\\ x=6",
    );
    check(
        "int o = 3; int r = atomic_try_cmpxchg(x, &o, 5); int s = atomic_try_cmpxchg_release(x, &o, 6);",
        "0:r=1 /\\ 0:s=0 /\\ 0:o=5 /\\ x=5",
    );
    check(
        "int r = atomic_long_fetch_or(4, x); int s = atomic64_xor_return(1, x);",
        "0:r=3 /\\ 0:s=6",
    );
    check(
        "int r = atomic_inc_and_test(x); int s = atomic_dec_return_release(x);",
        "0:r=0 /\\ 0:s=3",
    );
    check("int r = smp_cond_load_acquire(x, VAL == 3);", "0:r=3");
    check("spin_lock(y); spin_unlock(y); spin_unlock_wait(y); int r = spin_is_locked(y);", "0:r=0");
    check("raw_spin_lock(y); int r = raw_spin_trylock(y); raw_spin_unlock(y);", "0:r=0");
}

#[test]
fn c11_flags_and_fences() {
    let check = |body: &str, condition: &str| c("atomic_int", body, condition);
    check(
        "int r = atomic_flag_test_and_set(x); atomic_flag_clear_explicit(x, memory_order_release); int s = atomic_flag_test_and_set_explicit(x, memory_order_acquire);",
        "0:r=1 /\\ 0:s=0 /\\ x=1",
    );
    check(
        "atomic_signal_fence(memory_order_seq_cst); int r = atomic_fetch_xor_explicit(x, 1, memory_order_relaxed);",
        "0:r=3 /\\ x=2",
    );
    check(
        "*y = 3; int r = atomic_compare_exchange_strong_explicit(x, y, 8, memory_order_acq_rel, memory_order_relaxed);",
        "0:r=1 /\\ x=8 /\\ y=3",
    );
}

#[test]
fn rarer_instructions_order_and_exclude_each_other_as_argued() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fencepost"))
        .args(["litmus", "corpus/litmus-instructions"])
        .args(["--expect", "corpus/litmus-instructions/expected.csv"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("21 tests, 0 refused, 0 rows inconclusive\n"), "{text}");
}

#[test]
fn x86_operands_that_herd_writes_otherwise() {
    let check = |code: &[&str], condition| {
        let init = "int x[3]={1,2,3}; 0:rdi=x; 0:rcx=1; y=5;";
        one_thread("X86_64", init, code, condition);
    };
    check(&["movl [y],%eax", "movl $7,[y]", "movl 4[%rdi],%ebx"], "0:rax=5 /\\ y=7 /\\ 0:rbx=2");
    check(&["movl $1,%eax", "cmpl $2,%eax", "jlt L", "movl $9,(y)", "L:"], "y=5");
    check(&["movl $3,%eax", "cmpl $2,%eax", "jgt L", "movl $9,(y)", "L:"], "y=5");
    let check = |code: &[&str], condition| {
        one_thread("X86", "int x[3]={1,2,3}; 0:EBX=x; 0:ECX=1;", code, condition);
    };
    check(&["MOV EAX,[EBX+ECX*4]"], "0:EAX=2");
    check(&["MOV EAX,[EBX+ECX*4+4]"], "0:EAX=3");
    check(&["ADD EBX,8", "MOV EAX,[EBX-4]"], "0:EAX=2");
    let text = "X86_64 test\n{}\n P0 ;\n movl %eax,$1 ;\nexists (true)\n";
    assert_eq!(refused(text).as_deref(), Some("`movl` does not take these operands"));
}

#[test]
fn power_displacements_may_stand_in_front_of_a_comma() {
    let check = |code: &[&str], condition| {
        one_thread("PPC", "int x[2]={1,2}; 0:r2=x;", code, condition);
    };
    check(&["lwz r1,4,r2", "stw r1,0,r2"], "0:r1=2 /\\ x[0]=2");
    check(&["lwzu r1,4,r2", "lwz r3,-4(r2)"], "0:r1=2 /\\ 0:r3=1");
}

#[test]
fn c_pointers_to_elements_of_arrays() {
    let check = |body: &str, condition: &str| {
        holds(&format!(
            "C test\n{{ int a[2]={{-1,2}}; int *p=&a[1]; }}\nP0(int *a, int **p) {{ {body} \
             }}\nforall ({condition})\n"
        ));
    };
    check("int *q = &a[1]; int r0 = *q; *q = 5;", "0:r0=2 /\\ a[1]=5 /\\ a[0]=-1");
    check("int *q = READ_ONCE(*p); int r0 = READ_ONCE(*q);", "0:r0=2 /\\ 0:q=a[1]");
    check("int r0 = xchg(&a[0], 3);", "0:r0=-1 /\\ a={3,2}");
}

#[test]
fn c11_exchanges_may_expect_what_a_local_holds() {
    let check = |body: &str, condition: &str| {
        let text = format!("C test\n{{ x=4; }}\nP0(_Atomic(int) *x) {{ {body} }}\n");
        holds(&format!("{text}forall ({condition})\n"));
    };
    let cas = "atomic_compare_exchange_strong";
    check(&format!("int e = 4; int r0 = {cas}(x, &e, 5);"), "0:r0=1 /\\ 0:e=4 /\\ x=5");
    check(&format!("int e = 3; int r0 = {cas}(x, &e, 5);"), "0:r0=0 /\\ 0:e=4 /\\ x=4");
    check("atomic_store(x, 1), atomic_store(x, 2);", "x=2");
}

#[test]
fn bars_without_a_space_enclose_an_empty_column() {
    let table = |row: &str| {
        format!(
            "AArch64 bars\n{{ 0:X1=x; 2:X1=x; }}\n P0 | P1 | P2 ;\n {row} ;\nforall (2:X0=0 /\\ [x]=1)\n"
        )
    };
    for row in
        ["MOV W0,#1 || MOV W0,#0 ; STR W0,[X1] ||", "MOV W0,#1 | | MOV W0,#0 ; STR W0,[X1] | |"]
    {
        holds(&table(row));
    }
    let message = "this row has more than 3 columns";
    assert_eq!(refused(&table("NOP || NOP |")).as_deref(), Some(message));
    assert_eq!(refused(&table("NOP ||||")).as_deref(), Some(message));
}
