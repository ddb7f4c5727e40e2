//! Instructions that stand alone: barriers and pauses of all architectures, and how a template is
//! cut into instructions, whatever its spelling of blanks, case, separators, comments and prefixes.

use super::syntax::named;
use ir::machine::x86::{self, Operation};
use ir::order::Fence;

/// What such an instruction does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A fence.
    Fence(Fence),
    /// Advice to let others run: `pause`, `yield`.
    Yield,
}

/// Whether a fence has this name in an architecture's manual or in the Linux kernel's model.
pub fn is_fence(name: &str) -> bool {
    const KERNEL: [&str; 13] = [
        "mb",
        "rmb",
        "wmb",
        "rcu-lock",
        "rcu-unlock",
        "rcu-begin",
        "rcu-end",
        "sync-rcu",
        "before-atomic",
        "after-atomic",
        "after-spinlock",
        "after-unlock-lock",
        "barrier",
    ];
    let instruction = match name.split_once('.') {
        Some(("dmb" | "dsb", domain)) => format!("{} {domain}", &name[..3]),
        Some(("fence", sets)) if sets.contains('.') => format!("fence {}", sets.replace('.', ",")),
        _ => name.to_string(),
    };
    let named = vec![Step::Fence(Fence::Named(name.into()))];
    KERNEL.contains(&name) || step(&instruction) == Some(named)
}

/// What an instruction does that stands alone; the prefix `lock` stands before its instruction.
pub fn steps(instruction: &str) -> Option<Vec<Step>> {
    let instruction = instruction.to_lowercase().replace("%%", "%");
    match instruction.strip_prefix("lock ") {
        Some(locked) => locked_instruction(locked),
        None => step(&instruction),
    }
}

/// The instructions of a template, with single blanks and without comments; the prefixes `lock`
/// and `rep` stay with their instruction however they are separated from it.
pub fn instructions(template: &str) -> Vec<String> {
    let text = without_comments(template);
    let words = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut instructions: Vec<String> = Vec::new();
    for part in text.split([';', '\n']).map(words).filter(|part| !part.is_empty()) {
        match instructions.last_mut() {
            Some(prefix) if ends_with_prefix(prefix) => {
                prefix.push(' ');
                prefix.push_str(&part);
            }
            _ => instructions.push(part),
        }
    }
    instructions
}

/// Whether an instruction so far is a prefix alone, if need be after a label.
fn ends_with_prefix(text: &str) -> bool {
    let last = text.rsplit([' ', ':']).next().unwrap_or(text);
    let is_prefix = ["lock", "rep"].iter().any(|word| last.eq_ignore_ascii_case(word));
    is_prefix && (last.len() == text.len() || text.contains(':'))
}

/// Replaces `/* … */`, and `//` and `# ` to the end of the line. (A `#` with something right after
/// it can be an immediate operand.)
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '#']) {
        out += &rest[..at];
        let tail = &rest[at..];
        let end = if let Some(body) = tail.strip_prefix("/*") {
            body.find("*/").map_or(tail.len(), |end| end + 4)
        } else if tail.starts_with("//") || tail.starts_with("# ") {
            tail.find('\n').unwrap_or(tail.len())
        } else {
            out.push_str(&tail[..1]);
            1
        };
        out.push(' ');
        rest = &tail[end..];
    }
    out + rest
}

/// An instruction without a `lock` prefix.
fn step(instruction: &str) -> Option<Vec<Step>> {
    let (name, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
    let operands: String = operands.split(' ').collect();
    match x86::operation(name).filter(|_| operands.is_empty()) {
        Some(Operation::Fence(name)) => return Some(vec![Step::Fence(Fence::Named(name.into()))]),
        Some(Operation::Pause) => return Some(vec![Step::Yield]),
        Some(Operation::Nothing) => return Some(Vec::new()),
        _ => {}
    }
    let fence = match (name, &*operands) {
        // Waking others up means nothing here: a waiting thread may continue at any time.
        ("sev" | "sevl", "") => return Some(Vec::new()),
        ("yield" | "wfe" | "wfi", "") | ("rep", "nop") | ("or", "27,27,27") => {
            return Some(vec![Step::Yield]);
        }
        ("sync" | "hwsync", "") | ("sync", "0") | ("msync", "") => "sync".into(),
        ("lwsync", "") | ("sync", "1") => "lwsync".into(),
        ("isync" | "eieio" | "mb" | "wmb" | "rmb", "") => name.to_string(),
        ("isb", "" | "sy" | "15" | "0xf") => "isb".into(),
        ("dmb" | "dsb", domain) => format!("{name}.{}", domain_of(domain)?),
        ("fence", "") => "fence.rw.rw".into(),
        ("fence", sets) => {
            let (before, after) = sets.split_once(',')?;
            format!("fence.{}.{}", memory_part(before)?, memory_part(after)?)
        }
        ("fence.tso" | "fence.i", "") => name.to_string(),
        _ => return None,
    };
    Some(vec![Step::Fence(Fence::Named(fence))])
}

/// A shareability domain and access kind of ARM's barriers.
fn domain_of(domain: &str) -> Option<&str> {
    const KNOWN: [&str; 12] = [
        "sy", "ld", "st", "ish", "ishld", "ishst", "osh", "oshld", "oshst", "nsh", "nshld", "nshst",
    ];
    match domain {
        "" | "15" | "0xf" => Some("sy"),
        _ => KNOWN.into_iter().find(|known| *known == domain),
    }
}

/// The part of a RISC-V fence's set that is about memory: `i` and `o` are about devices. A set of
/// devices alone is not understood.
fn memory_part(set: &str) -> Option<&'static str> {
    let known = !set.is_empty() && set.chars().all(|c| "iorw".contains(c));
    match (known, set.contains('r'), set.contains('w')) {
        (true, true, true) => Some("rw"),
        (true, true, false) => Some("r"),
        (true, false, true) => Some("w"),
        _ => None,
    }
}

/// A locked instruction that changes nothing of the stack, like `addl $0,0(%rsp)`: a full fence on
/// x86.
fn locked_instruction(instruction: &str) -> Option<Vec<Step>> {
    let (name, operands) = instruction.split_once(' ')?;
    let operands: String = operands.split(' ').collect();
    let (value, target) = operands.split_once(',')?;
    let nothing = match named(name)?.0 {
        Operation::Compute(x86::AND) => matches!(value, "$-1" | "$~0"),
        Operation::Compute(_) => matches!(value, "$0" | "$0x0"),
        _ => false,
    };
    let stack = ["(%rsp)", "(%esp)", "(%sp)"].iter().find_map(|sp| target.strip_suffix(sp));
    let offset = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.chars().all(|c| c.is_ascii_alphanumeric())
    };
    (nothing && stack.is_some_and(offset)).then(|| vec![Step::Fence(Fence::Named("mfence".into()))])
}

#[cfg(test)]
mod tests {
    use super::{Fence, Step, instructions, is_fence, steps};

    fn known(template: &str) -> Option<Vec<Step>> {
        let each: Option<Vec<_>> = instructions(template).iter().map(|one| steps(one)).collect();
        Some(each?.concat())
    }

    fn named(template: &str) -> Vec<String> {
        let steps = known(template).unwrap_or_else(|| panic!("{template} is known"));
        let name = |step: Step| match step {
            Step::Fence(Fence::Named(name)) => name,
            other => format!("{other:?}"),
        };
        steps.into_iter().map(name).collect()
    }

    #[test]
    fn barriers_of_every_architecture_have_their_manuals_names() {
        for (template, name) in [
            ("mfence", "mfence"),
            ("\tMFENCE\n", "mfence"),
            ("lfence;", "lfence"),
            ("sfence // stores", "sfence"),
            ("/* all */ dmb ish", "dmb.ish"),
            ("dmb\tISHLD", "dmb.ishld"),
            ("dmb ishst", "dmb.ishst"),
            ("dmb sy", "dmb.sy"),
            ("dmb", "dmb.sy"),
            ("dsb ish", "dsb.ish"),
            ("isb", "isb"),
            ("sync", "sync"),
            ("hwsync", "sync"),
            ("lwsync", "lwsync"),
            ("isync", "isync"),
            ("eieio", "eieio"),
            ("fence", "fence.rw.rw"),
            ("fence rw, rw", "fence.rw.rw"),
            ("fence r,rw", "fence.r.rw"),
            ("fence iorw,ow", "fence.rw.w"),
            ("fence.tso", "fence.tso"),
            ("fence.i", "fence.i"),
            ("mb", "mb"),
            ("wmb", "wmb"),
        ] {
            assert_eq!(named(template), [name], "{template:?}");
        }
    }

    #[test]
    fn fences_are_known_by_their_names() {
        for name in ["mfence", "dmb.ish", "dsb.sy", "fence.r.rw", "fence.tso", "lwsync", "rcu-lock"]
        {
            assert!(is_fence(name), "{name}");
        }
        for name in ["mfense", "dmb", "dmb.x", "fence.x.y", "hwsync", "nop", "", "dmb ish"] {
            assert!(!is_fence(name), "{name}");
        }
    }

    #[test]
    fn a_locked_no_op_is_a_full_fence() {
        for template in [
            "lock; addl $0,0(%%rsp)",
            "lock addl $0, 0(%%esp)",
            "lock; orl $0,(%%rsp)",
            "lock\n\taddq $0x0, -4(%%rsp)",
            "LOCK; ORL $0, -128(%%rsp)",
            "lock; subl $0, (%%rsp)",
        ] {
            assert_eq!(named(template), ["mfence"], "{template:?}");
        }
    }

    #[test]
    fn sequences_are_taken_step_by_step() {
        assert_eq!(named("dsb sy; isb"), ["dsb.sy", "isb"]);
        assert_eq!(named("sync\n\tisync"), ["sync", "isync"]);
    }

    #[test]
    fn pauses_yield() {
        for template in ["pause", "yield", "rep nop", "rep; nop", "or 27,27,27"] {
            assert_eq!(known(template), Some(vec![Step::Yield]), "{template:?}");
        }
    }

    #[test]
    fn anything_else_is_not_understood() {
        for template in [
            "movl %1, %0",
            "xchgl %0, %1",
            "lock; xaddl %0, %1",
            "lock",
            "lock; addl $1,0(%%rsp)",
            "lock; addl $0,%0",
            "addl $0,0(%%rsp)",
            "lock; mfence",
            "dmb foo",
            "fence io,io",
            "fence r",
            "cpuid",
            "wfe x0",
            "dmb #11",
            "mfence; movl $1, %0",
            "syncx",
        ] {
            assert_eq!(known(template), None, "{template:?}");
        }
    }
}
