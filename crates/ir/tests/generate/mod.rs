//! Random well-formed programs: every construct of the language, in any combination that the
//! rules of `ir::verify` allow, with names chosen to be as awkward as possible.

mod code;

use execution::ids::{Id, IdVec};
use execution::span::{Location, Origin};
use ir::layout::{Field, Layout, LayoutId, LayoutKind};
use ir::locks::{LockView, LockWord, Purpose};
use ir::program::{
    FuncId, Function, Global, GlobalId, Init, InitData, LocId, Program, Reg, RegInfo, Slot,
    SourcePlace, Storage, Width,
};

/// Makes choices from a seed (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number: small, of some size, or just below a power of two.
    pub fn bits(&mut self) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        match self.below(4) {
            0 => wide,
            1 => u128::MAX - u128::from(self.next() % 300),
            2 => wide >> 64,
            _ => u128::from(self.next() % 300),
        }
    }

    pub fn coin(&mut self) -> bool {
        self.next() & 1 == 1
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    pub fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.coin() { Some(make(self)) } else { None }
    }

    /// Up to `most` of something.
    pub fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| make(self)).collect()
    }

    pub fn name(&mut self) -> String {
        let awkward = [
            "x",
            "tail",
            "x.2",
            "17",
            "",
            "a b",
            "é",
            "\"q\"",
            "\\",
            "a..b",
            ".str.0",
            "b0",
            "i32",
            "undef",
            "line\nbreak",
            "\u{85}",
            "size",
            "_",
            "in",
            "at",
            "fn",
            "x.",
            "-",
            "\x7f;",
            "1.5",
        ];
        self.pick(&awkward).to_string()
    }

    pub fn width(&mut self) -> Width {
        let common = [Width::BOOL, Width::I8, Width::I32, Width::I64, Width::I128];
        match self.below(4) {
            0 => Width::from_bits(1 + self.below(128) as u32).expect("1 to 128"),
            _ => self.pick(&common),
        }
    }

    /// A width in whole bytes.
    pub fn byte_width(&mut self) -> Width {
        Width::from_bytes(1 + self.below(16) as u64).expect("1 to 16 bytes")
    }

    pub fn align(&mut self) -> u64 {
        1 << self.below(7)
    }

    pub fn offset(&mut self) -> i64 {
        let any = self.next() as i64;
        self.pick(&[0, 8, -8, i64::MAX, i64::MIN, any])
    }
}

/// Any id of a vector with `count` items, which is not empty.
pub fn any_id<I: Id>(random: &mut Random, count: usize) -> I {
    I::new(random.below(count))
}

/// What instructions may refer to.
pub struct World {
    pub places: usize,
    pub layouts: usize,
    pub globals: usize,
    pub signatures: Vec<(Vec<Width>, Option<Width>)>,
}

impl World {
    pub fn place(&self, random: &mut Random) -> Option<LocId> {
        if self.places == 0 { None } else { random.maybe(|r| any_id(r, self.places)) }
    }

    pub fn layout(&self, random: &mut Random) -> Option<LayoutId> {
        if self.layouts == 0 { None } else { random.maybe(|r| any_id(r, self.layouts)) }
    }
}

/// A well-formed program.
pub fn program(seed: u64) -> Program {
    let random = &mut Random(seed);
    let places: Vec<SourcePlace> = (0..random.below(8)).map(|i| place(random, i)).collect();
    let layouts: Vec<Layout> = {
        let count = random.below(6);
        (0..count).map(|i| layout(random, i, count)).collect()
    };
    let sound = |layouts: &[Layout]| {
        let program = Program { layouts: layouts.to_vec().into(), ..Program::default() };
        ir::verify::verify(&program).is_empty()
    };
    let layouts = if sound(&layouts) { layouts } else { Vec::new() };
    let functions = 1 + random.below(4);
    let mut signatures: Vec<(Vec<Width>, Option<Width>)> = (0..functions)
        .map(|_| (random.some(3, Random::width), random.maybe(Random::width)))
        .collect();
    signatures[0].0.clear();
    let globals = random.below(5);
    let world = World { places: places.len(), layouts: layouts.len(), globals, signatures };
    let globals = (0..globals).map(|i| global(random, &world, i)).collect();
    let functions: IdVec<FuncId, Function> =
        (0..functions).map(|i| function(random, &world, i)).collect();
    let entry = random.some(2, |_| FuncId::new(0));
    let mut program = Program {
        places: places.into(),
        layouts: layouts.into(),
        globals,
        functions,
        entry,
        ..Program::default()
    };
    plain_outside_the_library(&mut program);
    program
}

/// Only the library's text may say what is the word of a lock.
fn plain_outside_the_library(program: &mut Program) {
    let places = &program.places;
    let of_library =
        |place: Option<LocId>| place.is_some_and(|place| places[place].location.is_library());
    for function in program.functions.iter_mut() {
        if !of_library(function.place) {
            function.lock_view = LockView::Exact;
        }
        for inst in function.blocks.iter_mut().flat_map(|block| block.insts.iter_mut()) {
            if !of_library(inst.place) {
                inst.op
                    .accesses_mut()
                    .into_iter()
                    .for_each(|access| access.purpose = Purpose::Data);
            }
        }
    }
}

fn place(random: &mut Random, index: usize) -> SourcePlace {
    let column = random.below(40) as u32;
    let end_column = column + random.below(3) as u32;
    let file = random.pick(&["a.c", "b.h", "<c.h>", "odd \"file\""]);
    let (file, origin) = (file.into(), Origin::of_name(file));
    let location = Location { file, origin, line: random.below(9) as u32, column, end_column };
    let inlined_at = if index == 0 { None } else { random.maybe(|r| any_id(r, index)) };
    SourcePlace { location, function: random.name(), inlined_at }
}

/// What a member or an access is for.
pub fn purpose(random: &mut Random) -> Purpose {
    let word = |random: &mut Random| Purpose::LockWord(random.pick(&LockWord::ALL));
    random.maybe(word).unwrap_or_default()
}

/// A layout, which may contain only earlier ones but may point to any.
fn layout(random: &mut Random, index: usize, count: usize) -> Layout {
    let earlier = |r: &mut Random| any_id::<LayoutId>(r, index);
    let natural = 1 << random.below(4);
    let (size, kind) = match random.below(6) {
        5 => (natural, LayoutKind::Float),
        0 => (natural, LayoutKind::Int { signed: random.coin() }),
        1 => (8, LayoutKind::Pointer(random.maybe(|r| any_id(r, count)))),
        2 if index > 0 => {
            let (element, count) = (earlier(random), random.below(3) as u64);
            (1 << 20, LayoutKind::Array { element, count })
        }
        3 if index > 0 => {
            let field = |r: &mut Random| Field {
                name: r.name(),
                offset: r.below(64) as u64,
                layout: earlier(r),
                bits: r.maybe(|r| (r.below(8) as u8, r.below(2) as u8)),
                purpose: purpose(r),
            };
            (1 << 30, LayoutKind::Record { name: random.name(), fields: random.some(4, field) })
        }
        3 => (3, LayoutKind::Record { name: "struct empty".to_string(), fields: Vec::new() }),
        _ => (random.below(20) as u64, LayoutKind::Opaque),
    };
    let align = if random.coin() { natural } else { random.align() };
    Layout { size, align, kind }
}

fn global(random: &mut Random, world: &World, index: usize) -> Global {
    let mut size = 0;
    let mut init = Vec::new();
    for _ in 0..random.below(4) {
        let offset = size + random.below(3) as u64;
        let data = match random.below(4) {
            0 => InitData::Global(any_id::<GlobalId>(random, world.globals), random.offset()),
            1 => InitData::Function(any_id(random, world.signatures.len())),
            2 => InitData::Bytes(random.some(20, |r| r.bits() as u8)),
            _ => InitData::Bytes(random.name().into_bytes()),
        };
        size = offset
            + match &data {
                InitData::Bytes(bytes) => bytes.len() as u64,
                _ => 8,
            };
        init.push(Init { offset, data });
    }
    Global {
        name: format!("{}{index}", random.name()),
        size: size + random.below(3) as u64,
        align: random.align(),
        storage: random.pick(&[Storage::Static, Storage::ThreadLocal, Storage::Constant]),
        init,
        layout: world.layout(random),
        place: world.place(random),
    }
}

fn function(random: &mut Random, world: &World, index: usize) -> Function {
    let (params, result) = world.signatures[index].clone();
    // One register of each common width, so that a result always has somewhere to go.
    let common = [Width::BOOL, Width::I8, Width::I32, Width::I64];
    let extra = random.some(8, Random::width);
    let name = |r: &mut Random| r.maybe(Random::name);
    let in_front: Vec<Width> = if random.coin() { Vec::new() } else { vec![Width::I8] };
    let first = in_front.len();
    let widths = in_front.into_iter().chain(params.iter().copied()).chain(common).chain(extra);
    let regs: IdVec<Reg, RegInfo> =
        widths.map(|width| RegInfo { width, name: name(random) }).collect();
    let slot = |r: &mut Random| Slot {
        name: r.name(),
        size: r.below(100) as u64,
        align: r.align(),
        layout: world.layout(r),
        place: world.place(r),
    };
    let mut function = Function {
        name: format!("{}{index}", random.name()),
        params: (first..first + params.len()).map(Reg::new).collect(),
        result,
        regs,
        slots: random.some(3, slot).into(),
        blocks: IdVec::new(),
        lock_view: random.pick(&[LockView::Exact, LockView::OwnHolderOnly]),
        place: world.place(random),
    };
    code::fill(random, world, &mut function);
    function
}
