//! Makes a program ready for a model, and says at its place in the source what a model cannot have.

use execution::diagnostic::Diagnostic;
use execution::span::SourceMap;
use ir::op::{Inst, Op};
use ir::order::{Fence, Order};
use ir::passes::mapping::{self, Unsupported};
use ir::program::{LocId, Program};
use models::Model;
use report::explain::advice::Dialect;

pub use replay::target::{compile, target_of};

/// That a program cannot be run by the interpreter, which knows no grace periods.
pub fn check_runnable(program: &Program, sources: &SourceMap) -> Result<(), Diagnostic> {
    let Some(Unsupported { place, .. }) = mapping::first_of_rcu(program) else { return Ok(()) };
    let what = "RCU cannot be run, only verified on the Linux kernel's model";
    Err(at_place(program, sources, what.to_string(), place)
        .note("use `fencepost verify --model lkmm`"))
}

fn at_place(
    program: &Program,
    sources: &SourceMap,
    message: String,
    place: Option<LocId>,
) -> Diagnostic {
    let location = place.map(|place| &program.places[place].location);
    match location.and_then(|location| sources.span_of(location)) {
        Some(span) => Diagnostic::error(span, message),
        None => Diagnostic::general(message),
    }
}

/// The program as it is compiled for a model; what it cannot have there is an error at its place in `sources`.
pub fn prepare(
    program: &Program,
    sources: &SourceMap,
    model: &Model,
) -> Result<Program, Diagnostic> {
    compile(program, model).map_err(|Unsupported { what, place }| {
        let message = format!("{what} is not supported (model {})", model.name);
        at_place(program, sources, message, place)
    })
}

/// The models to ask about a program if nobody says which, from strong to weak.
pub fn default_models(program: &Program) -> &'static [&'static str] {
    if own_instructions(program).any(|instruction| mapping::is_of_kernel(&instruction.op)) {
        return &["sc", "tso", "armv8", "lkmm"];
    }
    match is_written_for_c11(program) {
        true => &["sc", "tso", "armv8", "rc11"],
        false => &["sc", "tso", "pso", "relaxed"],
    }
}

/// What the user's own code uses for ordering.
pub fn dialect(program: &Program) -> Dialect {
    let is_atomic = |instruction: &Inst| match &instruction.op {
        Op::Load { access, .. } | Op::Store { access, .. } => access.order == Order::Relaxed,
        _ => false,
    };
    let is_exclusive =
        |instruction: &Inst| matches!(&instruction.op, Op::Load { exclusive: true, .. });
    let is_of_machine = |instruction: &Inst| matches!(&instruction.op, Op::Fence(Fence::Named(_)));
    if own_instructions(program).any(|instruction| mapping::is_of_kernel(&instruction.op)) {
        Dialect::Linux
    } else if own_instructions(program).any(is_exclusive) {
        Dialect::Machine
    } else if is_written_for_c11(program) || own_instructions(program).any(is_atomic) {
        Dialect::C11
    } else if own_instructions(program).any(is_of_machine) {
        Dialect::Machine
    } else {
        Dialect::Directed
    }
}

/// What the user wrote.
fn own_instructions(program: &Program) -> impl Iterator<Item = &Inst> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.insts).filter(|instruction| {
        instruction.place.is_some_and(|place| !program.places[place].location.is_library())
    })
}

/// Whether the user's own code has C11's means of ordering accesses: memory orders beyond those of
/// the plain compare-and-swap, or `atomic_thread_fence`.
fn is_written_for_c11(program: &Program) -> bool {
    own_instructions(program).any(|instruction| match &instruction.op {
        Op::Fence(Fence::C11(_)) => true,
        op => op.accesses().iter().any(|access| access.order > Order::Relaxed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Language, compile_text};

    fn model(name: &str) -> Model {
        Model::named(name).expect("in the library")
    }

    #[test]
    fn code_for_c11_is_asked_of_models_for_c11() {
        let weakest = |statement: &str| {
            let text = format!(
                "#include <checkfence.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                 atomic_int x; int y; pthread_mutex_t m;\n\
                 int main(void) {{ {statement}; return 0; }}\n"
            );
            let compiled = compile_text("test.c", &text, Language::C).expect("it is right");
            default_models(&compiled.program)[3]
        };
        assert_eq!(weakest("x = 1"), "rc11");
        assert_eq!(weakest("y = 1; atomic_thread_fence(memory_order_release)"), "rc11");
        assert_eq!(weakest("y = 1; cas(&y, 1, 2)"), "relaxed");
        assert_eq!(weakest("pthread_mutex_lock(&m); y = 1"), "relaxed");
        assert_eq!(weakest("fp_fence(\"wmb\"); y = 1"), "lkmm");
    }

    fn refusal(statement: &str, name: &str) -> String {
        let text = format!(
            "#include <checkfence.h>\n#include <stdatomic.h>\natomic_int x;\n\
             int main(void) {{\n  {statement}\n  return 0;\n}}\n"
        );
        refusal_of(&text, name)
    }

    fn refusal_of(text: &str, name: &str) -> String {
        let compiled = compile_text("test.c", text, Language::C).expect("it is right");
        let refused = prepare(&compiled.program, &compiled.sources, &model(name));
        let diagnostic = refused.expect_err("it is refused");
        let span = diagnostic.primary.expect("it has a place").span;
        let line = compiled.sources.location(span).line;
        format!("{line}: {}", diagnostic.message)
    }

    #[test]
    fn fences_that_a_model_does_not_know_are_refused_at_their_place() {
        for (statement, name, message) in [
            (
                "fp_fence(\"load-load\");",
                "rc11",
                "a directed fence under a model for C11 (which knows memory orders and \
                 `atomic_thread_fence` only) is not supported (model rc11)",
            ),
            (
                "fp_fence(\"mfence\");",
                "imm",
                "the fence `mfence` of x86 under a model for C11 is not supported (model imm)",
            ),
            (
                "__asm__ volatile(\"mfence\" ::: \"memory\");",
                "power",
                "the fence `mfence` of x86 under a model for Power is not supported (model power)",
            ),
            (
                "fp_fence(\"dmb.ishld\");",
                "armv7",
                "the fence `dmb.ishld` of ARMv8 under a model for ARMv7 is not supported \
                 (model armv7)",
            ),
            (
                "atomic_store(&x, 1);",
                "lkmm",
                "a C11 atomic under a model of the Linux kernel (for which there is no standard \
                 mapping) is not supported (model lkmm)",
            ),
        ] {
            assert_eq!(refusal(statement, name), format!("5: {message}"));
        }
    }

    #[test]
    fn what_a_header_cannot_have_for_a_model_is_refused_where_the_user_calls_it() {
        let text = "#include <pthread.h>\npthread_rwlock_t lock;\nint main(void) {\n\
                    return pthread_rwlock_rdlock(&lock);\n}\n";
        assert_eq!(
            refusal_of(text, "lkmm"),
            "4: a C11 atomic under a model of the Linux kernel (for which there is no standard \
             mapping) is not supported (model lkmm)"
        );
        let text = "#include <lkmm.h>\nint main(void) {\n  rcu_read_lock();\n  return 0;\n}\n";
        assert_eq!(
            refusal_of(text, "tso"),
            "3: RCU under another model than the Linux kernel's is not supported (model tso)"
        );
    }
}
