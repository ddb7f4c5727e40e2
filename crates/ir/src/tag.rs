//! What a model of an architecture or of the Linux kernel knows about an access besides its memory
//! order.
//!
//! The tags that the front ends and the mappings give are known by name here, so that nothing
//! compares texts to find out what an access is. A program in the text form may have others, for
//! models of its own: these are [`Annotation::Other`], about which nothing is known but the name.

use std::fmt;
use std::sync::Arc;

/// A tag of an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// An annotation of the event; of a read-modify-write, of both.
    Both(Annotation),
    /// `R.A`: an annotation of the read alone.
    Read(Annotation),
    /// `W.L`: an annotation of the write alone.
    Write(Annotation),
    /// `S.Acquire`: an annotation of the read if the write takes place.
    Success(Annotation),
    /// `N.Once`: an annotation of the read if the write does not take place.
    Failure(Annotation),
    /// `F.Mb`: a fence of this name before and after, if the write takes place.
    Around(Annotation),
    /// `mark`: the access is neither read nor write, only a place for its other tags (SRCU).
    Mark,
    /// `seq.3.a`: it is on a side of an operator of C. What is on different sides of one is not in
    /// program order.
    Side(Side),
}

/// A side of an operator of C whose operands are evaluated in no order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side {
    /// The operator, by a number of its own in the thread.
    pub operator: u32,
    /// Whether it is the left side.
    pub left: bool,
}

impl Side {
    /// The other side of the same operator.
    pub fn other(self) -> Side {
        Side { left: !self.left, ..self }
    }
}

macro_rules! annotations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A set of events in some model, by its name in the cat language.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum Annotation {
            $($(#[$doc])* $variant,)*
            /// A name that only the user's own model knows.
            Other(Arc<str>),
        }

        impl Annotation {
            /// All that are known.
            pub const KNOWN: &[Annotation] = &[$(Annotation::$variant),*];

            /// The name in the cat language.
            pub fn name(&self) -> &str {
                match self {
                    $(Annotation::$variant => $name,)*
                    Annotation::Other(name) => name,
                }
            }

            /// The one of this name.
            pub fn named(name: &str) -> Annotation {
                match name {
                    $($name => Annotation::$variant,)*
                    other => Annotation::Other(other.into()),
                }
            }
        }
    };
}

annotations! {
    /// Linux: `READ_ONCE`, `WRITE_ONCE` and everything that is not stronger.
    Once = "Once",
    /// Linux: `smp_load_acquire` and the like.
    Acquire = "Acquire",
    /// Linux: `smp_store_release` and the like.
    Release = "Release",
    /// Linux: the read of an update that returns nothing.
    Noreturn = "Noreturn",
    /// Linux: the read of an update that did not write.
    Rmw = "RMW",
    /// Linux: a full fence.
    Mb = "Mb",
    /// Linux: accesses and fences whose use the program's own library checks.
    Library = "Library",
    /// Linux: the read that acquires a lock.
    LockRead = "LKR",
    /// Linux: the write that acquires a lock.
    LockWrite = "LKW",
    /// Linux: a read that fails to acquire a lock.
    LockFailed = "LF",
    /// Linux: a read that finds a lock held.
    ReadLocked = "RL",
    /// Linux: a read that finds a lock free.
    ReadUnlocked = "RU",
    /// Linux: the write that releases a lock.
    Unlock = "UL",
    /// Linux: the begin of an SRCU section.
    SrcuLock = "Srcu-lock",
    /// Linux: the end of an SRCU section.
    SrcuUnlock = "Srcu-unlock",
    /// Linux: a grace period of SRCU.
    SyncSrcu = "Sync-srcu",
    /// An event of an atomic update or of an exclusive pair.
    X = "X",
    /// An event of an exclusive pair.
    Ex = "EX",
    /// Arm: acquire. x86: an access of a locked instruction.
    A = "A",
    /// Arm: release.
    L = "L",
    /// Arm: acquire of `LDAPR`.
    Q = "Q",
    /// Arm: the read of an update that returns nothing.
    NoRet = "NoRet",
    /// x86: an access of an instruction that is not locked.
    P = "P",
    /// RISC-V: `.aq`.
    Acq = "Acq",
    /// RISC-V: `.rl`.
    Rel = "Rel",
    /// RISC-V: `.aq.rl`.
    AcqRel = "AcqRel",
}

impl Annotation {
    /// Whether only models of the Linux kernel know it, and it says what a memory order says.
    pub fn is_order_of_linux(&self) -> bool {
        use Annotation::{Acquire, Mb, Noreturn, Once, Release, Rmw};
        matches!(self, Once | Acquire | Release | Noreturn | Rmw | Mb)
    }
}

impl Tag {
    /// The annotation, whichever event it is of.
    pub fn annotation(&self) -> Option<&Annotation> {
        match self {
            Tag::Both(a) | Tag::Read(a) | Tag::Write(a) => Some(a),
            Tag::Success(a) | Tag::Failure(a) | Tag::Around(a) => Some(a),
            Tag::Mark | Tag::Side(_) => None,
        }
    }

    /// What the text form writes so.
    pub fn parse(text: &str) -> Tag {
        let side = |text: &str| {
            let (operator, letter) = text.split_once('.')?;
            let left = match letter {
                "a" => true,
                "b" => false,
                _ => return None,
            };
            Some(Tag::Side(Side { operator: operator.parse().ok()?, left }))
        };
        let tag = match text.split_once('.') {
            Some(("R", name)) => Tag::Read(Annotation::named(name)),
            Some(("W", name)) => Tag::Write(Annotation::named(name)),
            Some(("S", name)) => Tag::Success(Annotation::named(name)),
            Some(("N", name)) => Tag::Failure(Annotation::named(name)),
            Some(("F", name)) => Tag::Around(Annotation::named(name)),
            Some(("seq", rest)) => side(rest).unwrap_or(Tag::Both(Annotation::named(text))),
            _ if text == "mark" => Tag::Mark,
            _ => Tag::Both(Annotation::named(text)),
        };
        // A text that is written in an odd way, `seq.01.a`, is a name like any other.
        match tag.to_string() == text {
            true => tag,
            false => Tag::Both(Annotation::named(text)),
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tag::Both(a) => f.write_str(a.name()),
            Tag::Read(a) => write!(f, "R.{}", a.name()),
            Tag::Write(a) => write!(f, "W.{}", a.name()),
            Tag::Success(a) => write!(f, "S.{}", a.name()),
            Tag::Failure(a) => write!(f, "N.{}", a.name()),
            Tag::Around(a) => write!(f, "F.{}", a.name()),
            Tag::Mark => f.write_str("mark"),
            Tag::Side(Side { operator, left: true }) => write!(f, "seq.{operator}.a"),
            Tag::Side(Side { operator, left: false }) => write!(f, "seq.{operator}.b"),
        }
    }
}

/// Whether an access with these tags is neither read nor write.
pub fn is_mark(tags: &[Tag]) -> bool {
    tags.contains(&Tag::Mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_read_back_as_it_is_written() {
        let scopes = [Tag::Both, Tag::Read, Tag::Write, Tag::Success, Tag::Failure, Tag::Around];
        let own = Annotation::Other("own set".into());
        let all = Annotation::KNOWN.iter().chain([&own]);
        let annotated = all.flat_map(|a| scopes.map(|scope| scope(a.clone())));
        let sides = [true, false].map(|left| Tag::Side(Side { operator: 12, left }));
        for tag in annotated.chain(sides).chain([Tag::Mark]) {
            assert_eq!(Tag::parse(&tag.to_string()), tag);
        }
    }

    #[test]
    fn what_is_not_known_is_a_set_of_the_users_model() {
        for text in ["Mine", "seq.x", "seq.01.a", "seq.1.c", "Z.A", "mark.", ""] {
            assert_eq!(Tag::parse(text), Tag::Both(Annotation::Other(text.into())), "{text}");
        }
        assert_eq!(Tag::parse("R.mine"), Tag::Read(Annotation::Other("mine".into())));
    }
}
