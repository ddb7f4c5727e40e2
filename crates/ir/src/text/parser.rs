//! Parses programs: everything but instructions.
//!
//! Names may be used before their definition: a first look over the tokens collects the names of
//! layouts, globals and functions. The grammar does not nest, so the parser does not recurse.

use super::cursor::width;
use super::lexer::{Kind, Token, tokens};
use super::names::Handle;
use crate::layout::{Field, Layout, LayoutId, LayoutKind};
use crate::locks::{LockView, LockWord, Purpose};
use crate::op::Inst;
use crate::program::{
    Block, BlockId, FuncId, Function, Global, GlobalId, Init, InitData, LocId, Program, Reg,
    RegInfo, Slot, SlotId, SourcePlace, Storage,
};
use execution::diagnostic::Diagnostic;
use execution::ids::{Id, IdVec};
use execution::span::{FileId, Location, Origin, Span};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A program with the places of its parts in its text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The program.
    pub program: Program,
    /// Where its parts stand in the text.
    pub spans: TextSpans,
}

/// Where the parts of a program stand in its text.
#[derive(Clone, Debug, Default)]
pub struct TextSpans {
    /// The names of functions.
    pub functions: IdVec<FuncId, FunctionSpans>,
    /// The names of globals.
    pub globals: IdVec<GlobalId, Span>,
    /// The names of layouts.
    pub layouts: IdVec<LayoutId, Span>,
    /// The numbers of places that stand in a table.
    pub places: HashMap<LocId, Span>,
}

/// Where the parts of a function stand in its text.
#[derive(Clone, Debug)]
pub struct FunctionSpans {
    /// Its name.
    pub name: Span,
    /// For each block its instructions and, last, its terminator.
    pub blocks: IdVec<BlockId, Vec<Span>>,
}

/// What parsing a part gives.
pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

/// Parses the text of a file. Errors are in the order of their places; there is at least one.
pub fn parse(file: FileId, text: &str) -> std::result::Result<Parsed, Vec<Diagnostic>> {
    let tokens = tokens(file, text).map_err(|error| vec![error])?;
    let mut parser = Parser::new(tokens);
    parser.program();
    if parser.errors.is_empty() {
        Ok(Parsed { program: parser.program, spans: parser.spans })
    } else {
        Err(parser.errors)
    }
}

/// After this many errors the rest of the text is not parsed.
const MAX_ERRORS: usize = 20;

/// Text on its way to a program.
pub(super) struct Parser {
    pub tokens: Vec<Token>,
    pub at: usize,
    errors: Vec<Diagnostic>,
    functions: HashMap<String, FuncId>,
    globals: HashMap<String, GlobalId>,
    layouts: HashMap<String, LayoutId>,
    places: HashMap<SourcePlace, LocId>,
    file: Option<Arc<str>>,
    program: Program,
    spans: TextSpans,
}

/// The function that is being parsed.
pub(super) struct Scope {
    pub regs: HashMap<Handle, Reg>,
    pub slots: HashMap<Handle, SlotId>,
    pub widths: IdVec<Reg, RegInfo>,
    defaults: Defaults,
}

/// What a place leaves unsaid.
#[derive(Clone)]
struct Defaults {
    file: Option<Arc<str>>,
    function: String,
}

impl Parser {
    fn new(tokens: Vec<Token>) -> Self {
        let mut parser = Self {
            tokens,
            at: 0,
            errors: Vec::new(),
            functions: HashMap::new(),
            globals: HashMap::new(),
            layouts: HashMap::new(),
            places: HashMap::new(),
            file: None,
            program: Program::default(),
            spans: TextSpans::default(),
        };
        parser.collect_names();
        parser
    }

    /// Numbers functions, globals and layouts; of two with the same name, uses mean the first.
    fn collect_names(&mut self) {
        let (mut functions, mut globals, mut layouts) = (0, 0, 0);
        for pair in self.tokens.windows(2) {
            let (Kind::Word(word), true) = (&pair[0].kind, pair[0].starts_line) else { continue };
            match (word.as_str(), &pair[1].kind) {
                ("fn", name) => {
                    if let Some(name) = plain_name(name) {
                        self.functions.entry(name).or_insert_with(|| FuncId::new(functions));
                    }
                    functions += 1;
                }
                ("layout", name) => {
                    if let Some(name) = plain_name(name) {
                        self.layouts.entry(name).or_insert_with(|| LayoutId::new(layouts));
                    }
                    layouts += 1;
                }
                ("global" | "thread_local" | "constant", Kind::Global(name)) => {
                    self.globals.entry(name.clone()).or_insert_with(|| GlobalId::new(globals));
                    globals += 1;
                }
                _ => {}
            }
        }
    }

    fn program(&mut self) {
        if let Err(error) = self.header() {
            self.errors.push(error);
            return;
        }
        while *self.peek() != Kind::End && self.errors.len() < MAX_ERRORS {
            if let Err(error) = self.item() {
                self.errors.push(error);
                self.skip_to_item();
            }
        }
    }

    fn header(&mut self) -> Result<()> {
        if !self.eat_word("fpir") {
            return Err(self.error("expected `fpir 1`, the version of the text form"));
        }
        if !self.eat(&Kind::Int(1)) {
            return Err(self.error("only version 1 of the text form is known"));
        }
        if self.eat_word("file") {
            self.file = Some(self.string()?.into());
        }
        if self.eat_word("entry") {
            loop {
                let entry = self.function_name()?;
                self.program.entry.push(entry);
                if !self.eat_punct(',') {
                    break;
                }
            }
        }
        self.line_end()
    }

    /// Skips what is left of an item that is wrong.
    fn skip_to_item(&mut self) {
        loop {
            let token = &self.tokens[self.at];
            match &token.kind {
                Kind::End => return,
                Kind::Word(word) if token.starts_line && ITEMS.contains(&word.as_str()) => return,
                _ => self.at += 1,
            }
        }
    }

    fn item(&mut self) -> Result<()> {
        let span = self.span();
        let word = self.word("a function, global or layout")?;
        match word.as_str() {
            "place" => self.place_item()?,
            "layout" => self.layout()?,
            "global" => self.global(Storage::Static)?,
            "thread_local" => self.global(Storage::ThreadLocal)?,
            "constant" => self.global(Storage::Constant)?,
            "fn" => self.function()?,
            _ => {
                let message = format!("expected a function, global or layout, found `{word}`");
                return Err(Diagnostic::error(span, message));
            }
        }
        self.line_end()
    }

    fn place_item(&mut self) -> Result<()> {
        self.punct('#')?;
        let span = self.span();
        if self.index("a place")? != self.program.places.len() {
            let next = self.program.places.len();
            return Err(Diagnostic::error(
                span,
                format!("expected `#{next}`: places are numbered in order"),
            ));
        }
        self.punct('=')?;
        let file: Arc<str> = self.string()?.into();
        self.punct(':')?;
        let location = self.location(file)?;
        self.expect_word("in")?;
        let function = self.name("a function's name")?;
        let mut inlined_at = None;
        if self.eat_word("at") {
            self.punct('#')?;
            inlined_at = Some(LocId::new(self.index("a place")?));
        }
        let place = SourcePlace { location, function, inlined_at };
        let id = self.program.places.push(place.clone());
        self.spans.places.insert(id, span);
        self.places.entry(place).or_insert(id);
        Ok(())
    }

    fn layout(&mut self) -> Result<()> {
        let span = self.span();
        self.name("a layout's name")?;
        self.spans.layouts.push(span);
        self.punct('=')?;
        let start = self.span();
        let word = self.word("a layout")?;
        let mut natural = None;
        let mut record = None;
        let kind = match word.as_str() {
            "ptr" => {
                natural = Some(8);
                let named = self.on_this_line() && !self.is_extent();
                LayoutKind::Pointer(if named { Some(self.layout_name()?) } else { None })
            }
            "array" => {
                let count = self.size()?;
                self.expect_word("of")?;
                LayoutKind::Array { element: self.layout_name()?, count }
            }
            "record" => {
                record = Some(self.string()?);
                LayoutKind::Opaque
            }
            "opaque" => LayoutKind::Opaque,
            word => {
                let (kind, bytes) = number_shape(word)
                    .ok_or_else(|| Diagnostic::error(start, format!("unknown layout `{word}`")))?;
                natural = Some(bytes);
                kind
            }
        };
        let (size, align) = self.extent(natural)?;
        let kind = match record {
            Some(name) => LayoutKind::Record { name, fields: self.fields()? },
            None => kind,
        };
        self.program.layouts.push(Layout { size, align, kind });
        Ok(())
    }

    fn is_extent(&self) -> bool {
        matches!(self.peek(), Kind::Word(word) if word == "size" || word == "align")
            && matches!(self.tokens[self.at + 1].kind, Kind::Int(_))
    }

    fn extent(&mut self, natural: Option<u64>) -> Result<(u64, u64)> {
        let part = |parser: &mut Self, word: &str| match natural {
            Some(natural) if !(parser.on_this_line() && parser.eat_word(word)) => Ok(natural),
            Some(_) => parser.size(),
            None => parser.expect_word(word).and_then(|()| parser.size()),
        };
        Ok((part(self, "size")?, part(self, "align")?))
    }

    fn fields(&mut self) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        self.punct('{')?;
        while !self.eat_punct('}') {
            let offset = self.size()?;
            self.punct(':')?;
            let name = self.name("a member's name")?;
            let layout = self.layout_name()?;
            let mut bits = None;
            if self.eat_word("bits") {
                let first = self.small()?;
                self.punct('+')?;
                bits = Some((first, self.small()?));
            }
            let purpose = self.purpose()?;
            fields.push(Field { name, offset, layout, bits, purpose });
        }
        Ok(fields)
    }

    /// What an access or a member is for; for data if the text does not say.
    pub(super) fn purpose(&mut self) -> Result<Purpose> {
        if !self.eat_word("lock_word") {
            return Ok(Purpose::Data);
        }
        self.punct('(')?;
        let span = self.span();
        let name = self.word("what the word of the lock says")?;
        let unknown = || Diagnostic::error(span, format!("`{name}` is not a kind of lock word"));
        let word = LockWord::named(&name).ok_or_else(unknown)?;
        self.punct(')')?;
        Ok(Purpose::LockWord(word))
    }

    fn global(&mut self, storage: Storage) -> Result<()> {
        let span = self.span();
        let Kind::Global(name) = self.next() else {
            return Err(Diagnostic::error(span, "expected the global's name, such as `@q`"));
        };
        self.spans.globals.push(span);
        self.punct(':')?;
        let (size, align) = self.size_and_align()?;
        let layout = self.as_layout()?;
        let mut init = Vec::new();
        if self.eat_punct('=') {
            self.punct('{')?;
            while !self.eat_punct('}') {
                let offset = self.size()?;
                self.punct(':')?;
                init.push(Init { offset, data: self.init_data()? });
                if !self.eat_punct(',') {
                    self.punct('}')?;
                    break;
                }
            }
        }
        let defaults = Defaults { file: self.file.clone(), function: String::new() };
        let place = self.at_place(&defaults)?;
        self.program.globals.push(Global { name, size, align, storage, init, layout, place });
        Ok(())
    }

    fn init_data(&mut self) -> Result<InitData> {
        let span = self.span();
        match self.next() {
            Kind::Str(bytes) => Ok(InitData::Bytes(bytes)),
            Kind::Global(name) => {
                let global = self.find_global(&name, span)?;
                Ok(InitData::Global(global, self.offset()?))
            }
            Kind::Function(name) => Ok(InitData::Function(self.find_function(&name, span)?)),
            Kind::Word(word) => {
                let width = width(&word).filter(|width| width.bits().is_multiple_of(8));
                let width = width.ok_or_else(|| {
                    Diagnostic::error(span, format!("`{word}` is not a width in whole bytes"))
                })?;
                let bits = self.number(width)?;
                Ok(InitData::Bytes(bits.to_le_bytes()[..width.bytes() as usize].to_vec()))
            }
            _ => Err(Diagnostic::error(
                span,
                "expected a string, a number with its width, or an address",
            )),
        }
    }

    fn function(&mut self) -> Result<()> {
        let span = self.span();
        let name = self.name("the function's name")?;
        self.spans.functions.push(FunctionSpans { name: span, blocks: IdVec::new() });
        let defaults = Defaults { file: self.file.clone(), function: name.clone() };
        let mut scope =
            Scope { regs: HashMap::new(), slots: HashMap::new(), widths: IdVec::new(), defaults };
        let params = self.params(&mut scope)?;
        let result = if self.eat(&Kind::Arrow) { Some(self.width()?) } else { None };
        let lock_view = match self.eat_word("own_holder_only") {
            true => LockView::OwnHolderOnly,
            false => LockView::Exact,
        };
        if self.eat_word("file") {
            scope.defaults.file = Some(self.string()?.into());
        }
        let place = self.at_place(&scope.defaults)?;
        self.punct('{')?;
        while self.eat_word("reg") {
            loop {
                self.declare_reg(&mut scope)?;
                if !self.eat_punct(',') {
                    break;
                }
            }
        }
        let mut slots = IdVec::new();
        while self.eat_word("slot") {
            self.declare_slot(&mut scope, &mut slots)?;
        }
        let find = |(handle, span)| find(&scope.regs, &handle, span, '%');
        let params = params.into_iter().map(find).collect::<Result<_>>()?;
        let mut blocks = IdVec::new();
        while !self.eat_punct('}') {
            let block = self.block(&scope, blocks.next_id())?;
            blocks.push(block);
        }
        let regs = scope.widths;
        let function = Function { name, params, result, regs, slots, blocks, lock_view, place };
        self.program.functions.push(function);
        Ok(())
    }

    /// Parameters: a declaration, or the handle of a register that is declared later.
    fn params(&mut self, scope: &mut Scope) -> Result<Vec<(Handle, Span)>> {
        let mut params = Vec::new();
        self.punct('(')?;
        while !self.eat_punct(')') {
            let span = self.span();
            let Kind::Reg(handle) = self.peek().clone() else {
                return Err(self.error("expected a parameter, such as `%x: i32`"));
            };
            if self.tokens[self.at + 1].kind == Kind::Punct(':') {
                self.declare_reg(scope)?;
            } else {
                self.at += 1;
            }
            params.push((handle, span));
            if !self.eat_punct(',') {
                self.punct(')')?;
                break;
            }
        }
        Ok(params)
    }

    fn declare_reg(&mut self, scope: &mut Scope) -> Result<()> {
        let span = self.span();
        let Kind::Reg(handle) = self.next() else {
            return Err(Diagnostic::error(span, "expected a register, such as `%x`"));
        };
        self.punct(':')?;
        let width = self.width()?;
        let reg = scope.widths.push(RegInfo { width, name: handle.name.clone() });
        match scope.regs.insert(handle, reg) {
            None => Ok(()),
            Some(_) => Err(Diagnostic::error(span, "this register is declared twice")),
        }
    }

    fn declare_slot(&mut self, scope: &mut Scope, slots: &mut IdVec<SlotId, Slot>) -> Result<()> {
        let span = self.span();
        let Kind::Slot(handle) = self.next() else {
            return Err(Diagnostic::error(span, "expected a stack object, such as `$x`"));
        };
        self.punct(':')?;
        let (size, align) = self.size_and_align()?;
        let layout = self.as_layout()?;
        let place = self.at_place(&scope.defaults)?;
        let name = handle.name.clone().unwrap_or_default();
        let slot = slots.push(Slot { name, size, align, layout, place });
        if scope.slots.insert(handle, slot).is_some() {
            return Err(Diagnostic::error(span, "this stack object is declared twice"));
        }
        self.line_end()
    }

    fn block(&mut self, scope: &Scope, expected: BlockId) -> Result<Block> {
        let span = self.span();
        if self.block_id()? != expected {
            let message = format!("expected `{expected}:`: blocks are numbered in order");
            return Err(Diagnostic::error(span, message));
        }
        self.punct(':')?;
        let mut insts = Vec::new();
        let mut spans = Vec::new();
        let (terminator, place) = loop {
            let start = self.span();
            if !self.tokens[self.at].starts_line {
                return Err(self.error("an instruction begins on a new line"));
            }
            let step = match self.terminator(scope)? {
                Some(end) => ControlFlow::Break(end),
                None => ControlFlow::Continue(self.op(scope)?),
            };
            spans.push(start.to(self.tokens[self.at - 1].span));
            let place = self.at_place(&scope.defaults)?;
            self.line_end()?;
            match step {
                ControlFlow::Break(end) => break (end, place),
                ControlFlow::Continue(op) => insts.push(Inst { op, place }),
            }
        };
        if let Some(function) = self.spans.functions.as_mut_slice().last_mut() {
            function.blocks.push(spans);
        }
        Ok(Block { insts, terminator, place })
    }

    /// `!` and a place, if there is one.
    fn at_place(&mut self, defaults: &Defaults) -> Result<Option<LocId>> {
        if !self.eat_punct('!') {
            return Ok(None);
        }
        if self.eat_punct('#') {
            return Ok(Some(LocId::new(self.index("a place")?)));
        }
        // Innermost first in the text; a place is entered after the one it is inlined at.
        let mut stack = Vec::new();
        loop {
            let file = match self.peek() {
                Kind::Str(_) => {
                    let file = self.string()?;
                    self.punct(':')?;
                    Some(file.into())
                }
                _ => defaults.file.clone(),
            };
            let Some(file) = file else {
                return Err(self.error("this place needs a file: there is no `file` clause"));
            };
            let location = self.location(file)?;
            let function = match self.eat_word("in") {
                true => self.name("a function's name")?,
                false => defaults.function.clone(),
            };
            stack.push((location, function));
            if !self.eat_word("at") {
                break;
            }
        }
        let mut inlined_at = None;
        for (location, function) in stack.into_iter().rev() {
            let place = SourcePlace { location, function, inlined_at };
            let places = &mut self.program.places;
            let id = self.places.entry(place);
            inlined_at = Some(*id.or_insert_with_key(|place| places.push(place.clone())));
        }
        Ok(inlined_at)
    }

    fn location(&mut self, file: Arc<str>) -> Result<Location> {
        let line = self.position()?;
        self.punct(':')?;
        let column = self.position()?;
        let end_column = match self.eat_punct('-') {
            true => self.position()?,
            false => column.checked_add(1).ok_or_else(|| self.error("this column is too large"))?,
        };
        let origin = Origin::of_name(&file);
        Ok(Location { file, origin, line, column, end_column })
    }

    fn size_and_align(&mut self) -> Result<(u64, u64)> {
        let size = self.size()?;
        self.expect_word("align")?;
        Ok((size, self.size()?))
    }

    /// `as` and a layout, if there is one.
    pub fn as_layout(&mut self) -> Result<Option<LayoutId>> {
        if self.eat_word("as") { self.layout_name().map(Some) } else { Ok(None) }
    }

    fn layout_name(&mut self) -> Result<LayoutId> {
        let span = self.span();
        let name = self.name("a layout's name")?;
        let found = self.layouts.get(&name).copied();
        found.ok_or_else(|| Diagnostic::error(span, format!("no layout is called `{name}`")))
    }

    /// The name of a function.
    pub fn function_name(&mut self) -> Result<FuncId> {
        let span = self.span();
        let name = self.name("a function's name")?;
        self.find_function(&name, span)
    }

    /// The function of a name.
    pub fn find_function(&self, name: &str, span: Span) -> Result<FuncId> {
        let found = self.functions.get(name).copied();
        found.ok_or_else(|| Diagnostic::error(span, format!("no function is called `{name}`")))
    }

    /// The global of a name.
    pub fn find_global(&self, name: &str, span: Span) -> Result<GlobalId> {
        let found = self.globals.get(name).copied();
        found.ok_or_else(|| Diagnostic::error(span, format!("no global is called `{name}`")))
    }

    /// `b` and a number.
    pub fn block_id(&mut self) -> Result<BlockId> {
        let span = self.span();
        let number = match self.next() {
            Kind::Word(word) => {
                word.strip_prefix('b').and_then(|digits| digits.parse::<u32>().ok())
            }
            _ => None,
        };
        let number =
            number.ok_or_else(|| Diagnostic::error(span, "expected a block, such as `b0`"))?;
        Ok(BlockId::new(number as usize))
    }
}

/// The words with which items begin.
const ITEMS: [&str; 6] = ["fn", "global", "thread_local", "constant", "layout", "place"];

/// The kind and the bytes of `i32`, `u64` or `f32` as a layout.
fn number_shape(word: &str) -> Option<(LayoutKind, u64)> {
    let kind = match word.chars().next()? {
        'i' => LayoutKind::Int { signed: true },
        'u' => LayoutKind::Int { signed: false },
        'f' => LayoutKind::Float,
        _ => return None,
    };
    let bits: u128 = word[1..].parse().ok()?;
    let bytes = u64::try_from(bits / 8).ok()?;
    bits.is_multiple_of(8).then_some((kind, bytes))
}

/// What a token says as a name without a sigil.
fn plain_name(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Word(word) => Some(word.clone()),
        Kind::Str(bytes) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

/// The register or slot of a handle.
pub(super) fn find<I: Copy>(
    table: &HashMap<Handle, I>,
    handle: &Handle,
    span: Span,
    sigil: char,
) -> Result<I> {
    let what = if sigil == '%' { "register" } else { "stack object" };
    let found = table.get(handle).copied();
    found.ok_or_else(|| Diagnostic::error(span, format!("this {what} is not declared")))
}
