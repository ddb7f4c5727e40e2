//! The accesses of a program's text: what they do, where, and what models know about them.

use crate::flow::{Flow, Known, Step, StepId};
use ir::op::{Access, Conversion, Inst, Op, Operand, PrintPiece, PrintTarget};
use ir::order::Order;
use ir::points_to::{Object, Objects, PointsTo, passed};
use ir::program::Width;
use ir::tag::{self, Tag};
use replay::events::record::order_name;
use replay::language::Language;
use std::collections::BTreeSet;

/// What an access does, as a model sees it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Deed {
    /// The sets that its read is in, if it reads.
    pub read: Option<BTreeSet<String>>,
    /// The sets that its write is in, if it writes.
    pub write: Option<BTreeSet<String>>,
    /// The fences before and after it.
    pub around: BTreeSet<String>,
    /// Sides of operators of C on which it is.
    pub sides: BTreeSet<(u32, bool)>,
}

impl Deed {
    /// Whether it reads and writes in one step.
    pub fn is_update(&self) -> bool {
        self.read.is_some() && self.write.is_some()
    }

    /// What the user calls it.
    pub fn words(&self) -> &'static str {
        match (&self.read, &self.write) {
            (Some(_), Some(_)) => "update",
            (Some(_), None) => "read",
            _ => "write",
        }
    }

    /// Whether it may order other accesses: whether models know more of it than that it reads or
    /// writes.
    pub fn may_order(&self) -> bool {
        const PLAIN: [&str; 6] = ["P", "PLAIN", "NA", "RLX", "A", "Once"];
        let sets = self.read.iter().chain(&self.write).flatten();
        let mut others = sets.filter(|set| !PLAIN.contains(&set.as_str()));
        self.is_update() || others.next().is_some() || !self.around.is_empty()
    }
}

/// Where an access may be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// The shared objects that it may access.
    pub objects: Objects,
    /// The first byte and the number of bytes, if it is known.
    pub bytes: Option<(i64, u64)>,
}

impl Spot {
    /// Whether two accesses may meet.
    pub fn meets(&self, other: &Spot) -> bool {
        let apart = match (self.bytes, other.bytes) {
            (Some((a, n)), Some((b, m))) => {
                a.saturating_add_unsigned(n) <= b || b.saturating_add_unsigned(m) <= a
            }
            _ => false,
        };
        !apart && !self.objects.is_disjoint(&other.objects)
    }

    /// Whether two accesses are always at the same place.
    pub fn is(&self, other: &Spot) -> bool {
        let global = |spot: &Spot| {
            spot.objects.iter().all(|object| matches!(object, Object::Global(_)))
                && spot.objects.len() == 1
                && spot.bytes.is_some()
        };
        self == other && global(self)
    }
}

/// An access of a step: a step may make several, or one of several.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it does.
    pub deed: Deed,
    /// Where.
    pub spot: Spot,
    /// The operand with its address.
    pub address: Option<Operand>,
    /// The operands with what it writes.
    pub values: Vec<Operand>,
    /// What the source calls the place.
    pub path: Option<String>,
}

/// What is needed to find accesses.
pub struct Reader<'a> {
    /// What addresses may point into.
    pub known: &'a PointsTo<'a>,
    /// The objects that several threads share.
    pub shared: Objects,
    /// The kind of language, for the model.
    pub language: Language,
}

/// Which part of an update a tag is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Read,
    FailedRead,
    Write,
}

impl Reader<'_> {
    /// The accesses that an instruction of a step may make.
    pub fn made(&self, flow: &Flow<'_>, step: StepId, inst: &Inst) -> Vec<Made> {
        let at = &flow.steps[step];
        match &inst.op {
            Op::Load { access, .. } => self.one(flow, at, access, vec![], (true, false)),
            Op::Store { access, value } | Op::StoreExclusive { access, value, .. } => {
                self.one(flow, at, access, vec![*value], (false, true))
            }
            Op::Rmw { access, value, .. } => self.one(flow, at, access, vec![*value], (true, true)),
            Op::Cas { access, failure, .. } => {
                let mut all = self.one(flow, at, access, vec![], (true, true));
                let failed = Access { order: *failure, ..access.clone() };
                for mut made in self.one(flow, at, &failed, vec![], (true, false)) {
                    made.deed.read = Some(self.sets(&failed, Part::FailedRead));
                    all.push(made);
                }
                all
            }
            // Its words are one step, but apart they may do more.
            Op::Mcas { words, .. } => {
                let both = words.iter().flat_map(|word| {
                    let bare =
                        Access { tags: Vec::new(), order: Order::Relaxed, ..word.access.clone() };
                    [(true, false), (false, true)]
                        .map(|does| self.one(flow, at, &bare, vec![], does))
                });
                both.flatten().collect()
            }
            Op::Free { address } => vec![self.whole(flow, at, address)],
            Op::Enter { slot } => vec![self.whole(flow, at, &Operand::Slot(*slot, 0))],
            Op::Alloc { .. } => {
                let spot = self.spot_of(Objects::from([Object::Heap]), None);
                vec![self.plain(spot, (false, true))]
            }
            Op::Print { target, pieces, .. } => self.printed(flow, at, target, pieces),
            _ => Vec::new(),
        }
    }

    fn one(
        &self,
        flow: &Flow<'_>,
        step: &Step<'_>,
        access: &Access,
        values: Vec<Operand>,
        (reads, writes): (bool, bool),
    ) -> Vec<Made> {
        if tag::is_mark(&access.tags) {
            return Vec::new();
        }
        let sides = access.tags.iter().filter_map(|tag| match tag {
            Tag::Side(side) => Some((side.operator, side.left)),
            _ => None,
        });
        let around = access.tags.iter().filter_map(|tag| match tag {
            Tag::Around(name) if reads && writes => Some(name.name().to_string()),
            _ => None,
        });
        let deed = Deed {
            read: reads.then(|| self.sets(access, Part::Read)),
            write: writes.then(|| self.sets(access, Part::Write)),
            around: around.collect(),
            sides: sides.collect(),
        };
        let spot = self.spot(flow, step, &access.address, Some(access.width));
        let path = access.path.clone();
        vec![Made { deed, spot, address: Some(access.address), values, path }]
    }

    /// The sets of an event: as the recorder of the replay says.
    fn sets(&self, access: &Access, part: Part) -> BTreeSet<String> {
        let named = |tag: &Tag| match tag {
            Tag::Both(annotation) => Some(annotation.name().to_string()),
            Tag::Read(annotation) if part != Part::Write => Some(annotation.name().to_string()),
            Tag::Write(annotation) if part == Part::Write => Some(annotation.name().to_string()),
            Tag::Success(annotation) if part == Part::Read => Some(annotation.name().to_string()),
            Tag::Failure(annotation) if part == Part::FailedRead => {
                Some(annotation.name().to_string())
            }
            _ => None,
        };
        let mut sets: BTreeSet<String> = access.tags.iter().filter_map(named).collect();
        if self.language == Language::C11 {
            sets.insert(order_name(access.order).to_string());
            if access.order.is_atomic() {
                sets.insert("A".to_string());
            }
        }
        if access.order == Order::NonAtomic {
            sets.insert("PLAIN".to_string());
        }
        sets
    }

    fn spot_of(&self, objects: Objects, bytes: Option<(i64, u64)>) -> Spot {
        Spot { objects: objects.intersection(&self.shared).copied().collect(), bytes }
    }

    fn spot(
        &self,
        flow: &Flow<'_>,
        at: &Step<'_>,
        address: &Operand,
        width: Option<Width>,
    ) -> Spot {
        if let Some(Known::Address(object, offset)) = flow.known(at.activation, address) {
            let bytes = width.map(|width| (offset, width.bytes()));
            return self.spot_of(Objects::from([object]), bytes);
        }
        let function = flow.activations[at.activation].function;
        self.spot_of(passed(self.known.objects(function, address)), None)
    }

    /// A plain write to a whole object.
    fn whole(&self, flow: &Flow<'_>, at: &Step<'_>, address: &Operand) -> Made {
        self.plain(self.spot(flow, at, address, None), (false, true))
    }

    fn printed(
        &self,
        flow: &Flow<'_>,
        at: &Step<'_>,
        target: &PrintTarget,
        pieces: &[PrintPiece],
    ) -> Vec<Made> {
        let strings = pieces.iter().filter_map(|piece| match piece {
            PrintPiece::Value { format, value } if format.conversion == Conversion::String => {
                Some(self.plain(self.spot(flow, at, value, None), (true, false)))
            }
            _ => None,
        });
        let buffer = match target {
            PrintTarget::Buffer { address, .. } => Some(self.whole(flow, at, address)),
            _ => None,
        };
        strings.chain(buffer).collect()
    }

    fn plain(&self, spot: Spot, (reads, writes): (bool, bool)) -> Made {
        let sets = || {
            let names = match self.language {
                Language::C11 => vec!["PLAIN", "NA"],
                _ => vec!["PLAIN"],
            };
            names.into_iter().map(String::from).collect()
        };
        let deed = Deed { read: reads.then(sets), write: writes.then(sets), ..Deed::default() };
        Made { deed, spot, address: None, values: Vec::new(), path: None }
    }
}
