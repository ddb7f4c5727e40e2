//! Objects as a view sees them, and the one form in which equal views are equal.
//!
//! Objects on the heap are numbered: first those that the globals lead to, in the order of a
//! breadth-first walk, then those that only the tracked thread leads to. An object's address is
//! computed from its number, so renumbering rewrites every pointer. A pointer whose bits do not say
//! where in its object it points cannot be rewritten, and is refused.

use execution::ids::Id;
use ir::program::{FuncId, GlobalId, LocId, SlotId, Width};
use ir::step::sc::contents::Contents;
use ir::step::thread::Thread;
use ir::value::{RegionId, Value};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

/// A hash function for what we make ourselves.
pub(super) type Quick = rustc_hash::FxBuildHasher;

const GLOBALS: u64 = 0x0010_0000;
const FUNCTIONS: u64 = 0x0800_0000_0000;
const OBJECTS: u64 = 0x1000_0000_0000;
/// How far the addresses of two objects are from each other, and how large an object can be.
pub(super) const STRIDE: u64 = 1 << 24;
/// The bits of a pointer that hold an address; those above may be a tag.
const ADDRESS: u64 = (1 << 48) - 1;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum What {
    Global(GlobalId),
    /// A heap block, by where it was allocated.
    Heap(Option<LocId>),
    Slot(FuncId, SlotId),
}

/// Whether an object exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Life {
    Alive,
    Freed,
    /// A stack object of a call that has returned.
    Over,
    /// Too many pointers away from the tracked thread for its contents to be kept.
    Cut,
}

/// What is known of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Body {
    pub what: What,
    pub life: Life,
    /// Whether a pointer to it was ever stored where other threads might read it.
    pub escaped: bool,
    pub contents: Contents,
}

/// An object, with its hash and the objects it points to.
#[derive(Debug)]
pub(super) struct Object {
    body: Body,
    /// Where there are pointers to heap objects, and to which.
    links: Vec<(u32, RegionId)>,
    hash: u64,
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.body == other.body
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A pointer that cannot be rewritten when its object gets another number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OddPointer;

impl Object {
    pub fn new(regions: &Regions, body: Body) -> Result<Arc<Self>, OddPointer> {
        let links = links(regions, &body.contents)?;
        let hash = Quick::default().hash_one(&body);
        Ok(Arc::new(Self { body, links, hash }))
    }

    pub fn body(&self) -> &Body {
        &self.body
    }

    pub fn links(&self) -> &[(u32, RegionId)] {
        &self.links
    }
}

/// The pointers to heap objects in some contents; they are whole.
fn links(regions: &Regions, contents: &Contents) -> Result<Vec<(u32, RegionId)>, OddPointer> {
    let mut links = Vec::new();
    let mut next = 0;
    for byte in contents.pointing() {
        if byte < next {
            continue;
        }
        if byte + 8 > contents.len() {
            return Err(OddPointer);
        }
        let value = contents.read(byte, Width::PTR);
        next = byte + 8;
        let region = value.provenance.ok_or(OddPointer)?;
        if regions.heap(region).is_some() {
            links.push((byte as u32, region));
        }
    }
    Ok(links)
}

/// The numbers of regions: functions, globals, objects on the heap.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    pub functions: usize,
    /// The addresses of the globals.
    pub globals: Vec<u64>,
}

impl Regions {
    /// Places globals of these sizes and alignments.
    pub fn new(functions: usize, globals: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut next = GLOBALS;
        let place = |(size, align): (u64, u64)| {
            let base = next.next_multiple_of(align.max(16));
            next = base + size + 16;
            base
        };
        Self { functions, globals: globals.map(place).collect() }
    }

    fn first_heap(&self) -> usize {
        self.functions + self.globals.len()
    }

    pub fn of_function(&self, function: FuncId) -> Value {
        let base = FUNCTIONS + 16 * function.index() as u64;
        Value::pointer(RegionId::new(function.index()), base)
    }

    pub fn of_global(&self, global: GlobalId) -> Value {
        let region = RegionId::new(self.functions + global.index());
        Value::pointer(region, self.globals[global.index()])
    }

    /// The region of the heap object of this number.
    pub fn of_heap(&self, number: usize) -> RegionId {
        RegionId::new(self.first_heap() + number)
    }

    pub fn to_heap(&self, number: usize) -> Value {
        Value::pointer(self.of_heap(number), base(number))
    }

    /// The number of a heap object.
    pub fn heap(&self, region: RegionId) -> Option<usize> {
        region.index().checked_sub(self.first_heap())
    }

    pub fn global(&self, region: RegionId) -> Option<GlobalId> {
        let index = region.index().checked_sub(self.functions)?;
        (index < self.globals.len()).then(|| GlobalId::new(index))
    }

    pub fn function(&self, region: RegionId) -> Option<FuncId> {
        (region.index() < self.functions).then(|| FuncId::new(region.index()))
    }

    pub fn base(&self, region: RegionId) -> u64 {
        match (self.heap(region), self.global(region)) {
            (Some(number), _) => base(number),
            (None, Some(global)) => self.globals[global.index()],
            (None, None) => self.of_function(FuncId::new(region.index())).low(),
        }
    }

    /// A value whose objects have other numbers now.
    pub fn renamed(&self, value: Value, rename: &Rename<'_>) -> Result<Value, OddPointer> {
        if value.provenance.is_none() && value.high.is_none() {
            return Ok(value);
        }
        let half = |region: Option<RegionId>, bits: u64, undefined: u64| {
            let Some(number) = region.and_then(|region| self.heap(region)) else {
                return Ok((region, bits));
            };
            let offset = (bits & ADDRESS).wrapping_sub(base(number));
            if undefined != 0 || offset >= STRIDE || value.width < Width::PTR {
                return Err(OddPointer);
            }
            let to = rename(number).ok_or(OddPointer)?;
            Ok((Some(self.of_heap(to)), (bits & !ADDRESS) | (base(to) + offset)))
        };
        let (low, low_bits) = half(value.provenance, value.bits as u64, value.undef as u64)?;
        let (high, high_bits) =
            half(value.high, (value.bits >> 64) as u64, (value.undef >> 64) as u64)?;
        let bits = u128::from(low_bits) | u128::from(high_bits) << 64;
        Ok(Value { bits, provenance: low, high, ..value })
    }

    /// An object whose pointers lead to objects with other numbers now.
    pub fn object(
        &self,
        object: &Arc<Object>,
        rename: &Rename<'_>,
        escaped: bool,
    ) -> Result<Arc<Object>, OddPointer> {
        let stays = |&(_, region): &(u32, RegionId)| {
            let number = self.heap(region);
            number.is_some_and(|number| rename(number) == Some(number))
        };
        if object.links.iter().all(stays) && object.body.escaped == escaped {
            return Ok(object.clone());
        }
        let mut body = Body { escaped, ..object.body.clone() };
        for &(offset, _) in &object.links {
            let value = body.contents.read(offset as usize, Width::PTR);
            body.contents.write(offset as usize, self.renamed(value, rename)?);
        }
        Object::new(self, body)
    }
}

fn base(number: usize) -> u64 {
    OBJECTS + number as u64 * STRIDE
}

/// The new number of an object.
pub(super) type Rename<'a> = dyn Fn(usize) -> Option<usize> + 'a;

/// What every thread leads to: the globals, and what they lead to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shared {
    /// Nothing for constants.
    pub globals: Vec<Arc<Object>>,
    pub objects: Vec<Arc<Object>>,
}

impl Hash for Shared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for object in self.globals.iter().chain(&self.objects) {
            object.hash(state);
        }
    }
}

/// The word of a lock: its object and its offset there. Or a token: of the threads that ever
/// overwrote the last pointer to an object in words of one kind, the last one has it, until the
/// object is stored in such a word again. The second number is then [`TOKEN`] and the kind.
pub(super) type Lock = (RegionId, u32);

/// The bit that tells tokens from locks.
pub(super) const TOKEN: u32 = 1 << 31;

/// The bit that tells words that are taken for locks from the words of the library's locks.
pub(super) const INFERRED: u32 = 1 << 30;

/// What a thread holds of the descriptor of its operation, which it has made.
pub(super) const MADE: u32 = 1 << 29;

/// What a thread keeps of the object in whose place its own descriptor was published.
pub(super) const REPLACED: u32 = 1 << 28;

/// The bits of what a thread holds that is not a lock.
pub(super) const NO_LOCK: u32 = TOKEN | MADE | REPLACED;

/// A store that the other threads have not seen yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pending {
    pub region: RegionId,
    pub offset: u32,
    pub value: Value,
    /// Whether it releases a lock that the thread holds.
    pub releases: bool,
    pub place: Option<LocId>,
}

/// A thread where it is, with its hash. Registers are most of a view, and many views differ
/// elsewhere.
#[derive(Debug)]
pub(super) struct Frozen {
    thread: Thread<()>,
    hash: u64,
}

impl Frozen {
    pub fn new(thread: Thread<()>) -> Arc<Self> {
        let mut hasher = Quick::default().build_hasher();
        thread.hash_where(&mut hasher);
        Arc::new(Self { thread, hash: hasher.finish() })
    }

    pub fn thread(&self) -> &Thread<()> {
        &self.thread
    }
}

impl PartialEq for Frozen {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.hash == other.hash && self.thread.is_where(&other.thread)
    }
}

impl Eq for Frozen {}

impl Hash for Frozen {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// A thread with what only it leads to, in some numbering of the objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Own {
    /// Nothing between two operations.
    pub thread: Option<Arc<Frozen>>,
    /// The objects that only this thread leads to.
    pub objects: Vec<Arc<Object>>,
    /// The locks that it holds.
    pub mine: Vec<Lock>,
    pub buffer: Vec<Pending>,
}

impl Own {
    /// Whether it holds a lock, and not just a token of an object.
    pub fn holds_lock(&self) -> bool {
        self.mine.iter().any(|(_, offset)| offset & NO_LOCK == 0)
    }
}

/// A thread and what all share, brought into the one form; `own.objects` follow `shared.objects`
/// in the numbering, before and after. Objects are known up to so many pointers away from the
/// thread.
pub(super) fn canonical(
    regions: &Regions,
    shared: Shared,
    mut own: Own,
    depth: usize,
) -> Result<(Shared, Own), OddPointer> {
    own.mine = useful(regions, &own);
    let private = std::mem::take(&mut own.objects);
    let mut threads = [own];
    let (shared, objects) = arrange(regions, shared, private, &mut threads, depth)?;
    let [own] = threads;
    Ok((shared, Own { objects, ..own }))
}

/// Several threads and what all share, brought into the one form; gives the shared part and the
/// objects that only threads lead to.
pub(super) fn arrange(
    regions: &Regions,
    shared: Shared,
    private: Vec<Arc<Object>>,
    threads: &mut [Own],
    depth: usize,
) -> Result<(Shared, Vec<Arc<Object>>), OddPointer> {
    let count = shared.objects.len() + private.len();
    let all: Vec<&Arc<Object>> = shared.objects.iter().chain(&private).collect();
    let mut walk = Walk::new(regions, &all, depth);
    for global in &shared.globals {
        walk.visit_links(global);
    }
    walk.follow(0);
    let split = walk.order.len();
    walk.split = split;
    for own in threads.iter() {
        walk.visit_thread(own, depth);
    }
    let Walk { order, number, whole, .. } = walk;
    let is_whole = |old: usize| whole.as_ref().is_none_or(|whole| whole[old]);
    if order.iter().enumerate().all(|(new, &old)| new == old)
        && order.len() == count
        && split == shared.objects.len()
        && order.iter().skip(split).all(|&old| is_whole(old))
    {
        return Ok((shared, private));
    }
    let rename = |old: usize| number[old];
    let object = |new: usize| {
        let old = all[order[new]];
        let escaped = old.body.escaped || new < split;
        match new < split || is_whole(order[new]) {
            true => regions.object(old, &rename, escaped),
            false => {
                let (life, contents) = (Life::Cut, Contents::default());
                Object::new(regions, Body { life, contents, escaped, ..old.body.clone() })
            }
        }
    };
    let globals = shared.globals.iter().map(|global| regions.object(global, &rename, true));
    let globals = globals.collect::<Result<_, _>>()?;
    let objects = (0..split).map(object).collect::<Result<_, _>>()?;
    let private = (split..order.len()).map(object).collect::<Result<_, _>>()?;
    for own in threads {
        *own = renamed(regions, std::mem::take(own), &rename)?;
    }
    Ok((Shared { globals, objects }, private))
}

/// What one of several threads leads to, in the one form of its own view; what all share is in its
/// one form already. With it, which of the objects each of the thread's objects is.
pub(super) fn seen_by(
    regions: &Regions,
    (shared, private): (&Shared, &[Arc<Object>]),
    own: &Own,
    depth: usize,
) -> Result<(Own, Vec<usize>), OddPointer> {
    let split = shared.objects.len();
    let all: Vec<&Arc<Object>> = shared.objects.iter().chain(private).collect();
    let mut walk = Walk::new(regions, &all, depth);
    for at in 0..split {
        walk.number[at] = Some(at);
        walk.order.push(at);
    }
    walk.split = split;
    walk.visit_thread(own, depth);
    let Walk { order, number, whole, .. } = walk;
    let rename = |old: usize| number[old];
    let object = |&old: &usize| match whole.as_ref().is_none_or(|whole| whole[old]) {
        true => regions.object(all[old], &rename, all[old].body().escaped),
        false => {
            let (life, contents) = (Life::Cut, Contents::default());
            Object::new(regions, Body { life, contents, ..all[old].body().clone() })
        }
    };
    let objects = order[split..].iter().map(object).collect::<Result<Vec<_>, _>>()?;
    let own = Own { objects: Vec::new(), ..own.clone() };
    let mut own = Own { objects, ..renamed(regions, own, &rename)? };
    own.mine = useful(regions, &own);
    Ok((own, order[split..].iter().map(|old| old - split).collect()))
}

/// A thread whose objects have other numbers now.
pub(super) fn renamed(regions: &Regions, own: Own, rename: &Rename<'_>) -> Result<Own, OddPointer> {
    let region = |region: RegionId| match regions.heap(region) {
        Some(number) => rename(number).map(|to| regions.of_heap(to)),
        None => Some(region),
    };
    let mut odd = false;
    let moves =
        |at: RegionId| regions.heap(at).is_some_and(|number| rename(number) != Some(number));
    let thread = own.thread.map(|frozen| {
        let slots = frozen.thread.slots().iter().filter_map(|slot| slot.provenance);
        if !frozen.thread.objects().chain(slots).any(moves) {
            return frozen;
        }
        let mut thread = frozen.thread.clone();
        thread.change_values(|value| match regions.renamed(*value, rename) {
            Ok(to) => *value = to,
            Err(OddPointer) => odd = true,
        });
        Frozen::new(thread)
    });
    // A lock in an object to which nothing leads any more is of no interest to anybody.
    let mine = own.mine.iter().filter_map(|&(at, offset)| Some((region(at)?, offset)));
    let mine = sorted(mine.collect());
    let pending = |pending: Pending| {
        let value = regions.renamed(pending.value, rename)?;
        let region = region(pending.region).ok_or(OddPointer)?;
        Ok(Pending { region, value, ..pending })
    };
    let buffer = own.buffer.into_iter().map(pending).collect::<Result<_, _>>()?;
    match odd {
        true => Err(OddPointer),
        false => Ok(Own { thread, objects: own.objects, mine, buffer }),
    }
}

/// The locks that a thread holds, and the tokens of objects that it has pointers to.
fn useful(regions: &Regions, own: &Own) -> Vec<Lock> {
    if own.mine.is_empty() {
        return Vec::new();
    }
    let mut known: Vec<RegionId> =
        own.objects.iter().flat_map(|o| o.links()).map(|l| l.1).collect();
    known.extend(own.thread.iter().flat_map(|frozen| frozen.thread.objects()));
    let pointers = own.buffer.iter().flat_map(|it| [it.value.provenance, it.value.high]);
    known.extend(pointers.flatten());
    let is_useful = |&(region, offset): &Lock| {
        offset & TOKEN == 0 || known.contains(&region) && regions.heap(region).is_some()
    };
    sorted(own.mine.iter().copied().filter(is_useful).collect())
}

fn sorted(mut locks: Vec<Lock>) -> Vec<Lock> {
    locks.sort_unstable();
    locks
}

/// A breadth-first walk over heap objects.
struct Walk<'a> {
    regions: &'a Regions,
    all: &'a [&'a Arc<Object>],
    order: Vec<usize>,
    number: Vec<Option<usize>>,
    /// How many of them the globals lead to.
    split: usize,
    /// The objects that a thread leads to whose contents are known; nothing if all are.
    whole: Option<Vec<bool>>,
}

impl<'a> Walk<'a> {
    fn new(regions: &'a Regions, all: &'a [&'a Arc<Object>], depth: usize) -> Self {
        let whole = (depth != usize::MAX).then(|| vec![false; all.len()]);
        Walk { regions, all, order: Vec::new(), number: vec![None; all.len()], split: 0, whole }
    }

    fn visit(&mut self, region: RegionId) {
        let Some(heap) = self.regions.heap(region) else { return };
        if self.number[heap].is_none() {
            self.number[heap] = Some(self.order.len());
            self.order.push(heap);
        }
    }

    fn visit_links(&mut self, object: &Object) {
        object.links.iter().for_each(|&(_, region)| self.visit(region));
    }

    /// Follows everything from the object of this new number on.
    fn follow(&mut self, first: usize) {
        let mut next = first;
        while next < self.order.len() {
            let object = self.all[self.order[next]].clone();
            self.visit_links(&object);
            next += 1;
        }
    }

    /// Visits what a thread leads to, up to a number of pointers away. Stack objects are as near as
    /// registers.
    fn visit_thread(&mut self, own: &Own, depth: usize) {
        let mut near = Near { seen: Vec::new(), first: self.order.len() };
        if let Some(Frozen { thread, .. }) = own.thread.as_deref() {
            let slots = thread.slots().iter();
            slots.filter_map(|slot| slot.provenance).for_each(|at| near.visit(self, at));
            for at in 0..near.seen.len() {
                near.visit_links(self, at);
            }
            thread.objects().for_each(|region| near.visit(self, region));
        }
        for pending in &own.buffer {
            near.visit(self, pending.region);
            let pointed = pending.value.provenance.into_iter().chain(pending.value.high);
            pointed.for_each(|region| near.visit(self, region));
        }
        let roots = |kind: u32| kind & TOKEN == 0 && kind & (MADE | REPLACED) != 0;
        for &(region, _) in own.mine.iter().filter(|(_, kind)| roots(*kind)) {
            near.visit(self, region);
        }
        let mut next = 0;
        for _ in 0..depth {
            let last = near.seen.len();
            if next == last {
                break;
            }
            for at in next..last {
                near.visit_links(self, at);
            }
            next = last;
        }
        if let Some(whole) = &mut self.whole {
            near.seen[..next].iter().for_each(|&at| whole[at] = true);
        }
    }
}

/// The objects that one thread leads to and the globals do not, the nearest first.
struct Near {
    seen: Vec<usize>,
    /// How many objects had been visited before this thread.
    first: usize,
}

impl Near {
    fn visit(&mut self, walk: &mut Walk<'_>, region: RegionId) {
        let Some(heap) = walk.regions.heap(region) else { return };
        match walk.number[heap] {
            None => {
                walk.visit(region);
                self.seen.push(heap);
            }
            // Another thread leads to it, too.
            Some(number) if number < self.first => {
                if number >= walk.split && !self.seen.contains(&heap) {
                    self.seen.push(heap);
                }
            }
            Some(_) => {}
        }
    }

    fn visit_links(&mut self, walk: &mut Walk<'_>, at: usize) {
        let object = walk.all[self.seen[at]].clone();
        object.links.iter().for_each(|&(_, region)| self.visit(walk, region));
    }
}
