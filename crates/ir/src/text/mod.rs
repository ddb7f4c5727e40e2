//! The stable text form of programs: [`print`] and [`parse`] are inverse to each other.
//!
//! ```text
//! fpir 1
//! file "queue.c"
//! entry main
//!
//! layout int = i32
//! layout node = record "struct node" size 16 align 8 {
//!   0: value int
//!   8: next ptr.node
//! }
//! layout ptr.node = ptr node
//!
//! global @head: 8 align 8 as ptr.node = {0: @dummy} !3:14-18
//! global @dummy: 16 align 8 as node
//!
//! fn push(%value: i32) !7:6-10 {
//!   reg %n: i64, %old: i64, %3: i64, %ok: i1
//! b0:
//!   %n = alloc 16 align 16 as node               !8:20-31
//!   store i32 [%n "n->value"], %value            !9:5-13
//!   jump b1                                      !10:5-7
//! b1:   ; loop header, depth 1
//!   %old = load.rlx i64 [@head "head"]           !11:9-13
//!   %3 = add i64 %n, 8                           !12:9-16
//!   store i64 [%3 "n->next"], %old               !12:9-16
//!   _, %ok = cas.weak.rel.rlx i64 [@head "head"], %old, %n !13:12-49
//!   branch %ok, b2, b1                           !13:5-12
//! b2:
//!   return                                       !14:1
//! }
//!
//! fn main() -> i32 !16:5-9 {
//! b0:
//!   call push(i32 7)                             !17:5-12
//!   return i32 0                                 !18:5-14
//! }
//! ```
//!
//! # Lexical matters
//!
//! Text is UTF-8. A comment runs from `;` to the end of its line and means nothing. Line ends
//! count in one way only: an instruction, a declaration and a block label each begin on a new
//! line. WORD is a letter or `_` followed by letters, digits, `_` and single `.`. INT is decimal,
//! or hexadecimal after `0x`, up to 128 bits. STRING is between double quotes with the escapes
//! `\n \r \t \0 \\ \" \xHH`.
//!
//! A *handle* names a register (`%`) or a stack object (`$`) and shows the source name: `%tail` is
//! the register of the source variable `tail`, `%tail.2` another one of the same name, `%17` one
//! without a name. Names with other characters, and such as end in `.` and digits, are quoted:
//! `%"a b"`, `%"x.2".3`. Globals (`@q`), functions (`push`, and `&push` for the address) and
//! layouts are named by a WORD or STRING; a global's name may also begin with `.` or a digit.
//!
//! # Grammar
//!
//! ```text
//! program   = "fpir" "1" ["file" STRING] ["entry" NAME {"," NAME}] {item}
//! item      = place | layout | global | function
//!
//! place     = "place" "#" INT "=" STRING ":" span "in" NAME ["at" "#" INT]
//! at        = "!" where | "!" "#" INT
//! where     = [STRING ":"] span ["in" NAME] ["at" where]
//! span      = INT ":" INT ["-" INT]               line, column, one past the last column
//!
//! layout    = "layout" NAME "=" shape
//! shape     = ("i" | "u") BITS extent             integer: i32, u64
//!           | "ptr" [NAME] extent                 pointer, to a layout or to anything
//!           | "array" INT "of" NAME extent
//!           | "record" STRING extent "{" {INT ":" NAME NAME ["bits" INT "+" INT] [purpose]} "}"
//!           | "opaque" extent
//! extent    = ["size" INT] ["align" INT]          integers and pointers have natural ones
//!
//! global    = ("global" | "thread_local" | "constant") @NAME ":" INT "align" INT ["as" NAME]
//!             ["=" "{" [part {"," part}] "}"] [at]
//! part      = INT ":" (STRING | WIDTH INT | "@"NAME [offset] | "&"NAME)
//!
//! function  = "fn" NAME "(" [param {"," param}] ")" ["->" WIDTH] ["own_holder_only"]
//!             ["file" STRING] [at] "{"
//!             {"reg" %HANDLE ":" WIDTH {"," %HANDLE ":" WIDTH}}
//!             {"slot" $HANDLE ":" INT "align" INT ["as" NAME] [at]}
//!             {block} "}"
//! param     = %HANDLE [":" WIDTH]                 with a width, this declares the register
//! block     = "b"N ":" {inst [at]} end [at]       numbered from 0 in order
//!
//! operand   = [WIDTH] (%HANDLE | ["-"] INT | "@"NAME [offset] | $HANDLE [offset]
//!           | "&"NAME | "undef")
//! offset    = ("+" | "-") INT
//! access    = WIDTH "[" operand [STRING] "]" ["align" INT] [purpose]
//!             ["tags" "(" NAME {"," NAME} ")"]
//! purpose   = "lock_word" "(" ("owner" | "count") ")"
//!
//! inst      = %d "=" "copy" operand
//!           | %d "=" UNARY[".chk"] WIDTH operand
//!           | %d "=" BINARY[".chk"] WIDTH operand "," operand
//!           | %d "=" ("zext" | "sext" | "trunc") operand "to" WIDTH
//!           | %d "=" "select" WIDTH operand "," operand "," operand
//!           | %d "=" ("load" | "loadx")[ORDER] access
//!           | "store"[ORDER] access "," operand
//!           | %d "=" "storex"[ORDER] access "," operand
//!           | [%d "="] "rmw."RMW[ORDER] access "," operand
//!           | [dst "," dst "="] "cas"[".weak"]ORDER ORDER access "," operand "," operand
//!           | [%d "="] "mcas" "(" ORDER access "," operand "," operand ")" {"," "(" … ")"}
//!           | "fence"ORDER | "fence" "compiler" | "fence" STRING
//!           | "fence" ("none" | direction {"," direction})
//!           | "atomic_begin" | "atomic_end" | "enter" $s
//!           | %d "=" "alloc" operand "align" operand ["zeroed"] ["as" NAME]
//!           | "free" operand | %d "=" "block_size" operand
//!           | %d "=" "spawn" callee args | [%d "="] "join" operand | "detach" operand | %d "=" "self" | "yield"
//!           | ( "assert" | "require" | "supported" ) operand "," STRING | "bound" operand "," INT | ( "assume" | "discard_unless" ) operand
//!           | %d "=" "choose" WIDTH (operand ".." operand | "{" operands "}" | "any")
//!           | "observe" STRING "," operand | "commit" STRING
//!           | "op_begin" STRING args | "op_end" [operand]
//!           | [%d "="] "call" callee args
//!           | %d "=" "native" STRING "," STRING args
//!           | [%d "="] "print" ("stdout" | "stderr" | "buffer" "(" operand "," operand ")")
//!             {"," (STRING | FORMAT {"."FLAG} "(" operand ["width" operand] ["prec" operand] ")")}
//! dst       = %HANDLE | "_"
//! callee    = NAME | "*" operand
//! args      = "(" [operand {"," operand}] ")"
//! direction = ("load" | "store") "-" ("load" | "store")
//!
//! end       = "jump" bN | "branch" operand "," bN "," bN
//!           | "switch" WIDTH operand "{" {INT [".." INT] ":" bN ","} "default" ":" bN "}"
//!           | "return" [operand] | "thread_exit" [operand] | "exit" operand | "trap" STRING
//! ```
//!
//! WIDTH is `i1` to `i128`. ORDER is `.rlx`, `.acq` and so on ([`crate::order::Order::name`]); a
//! plain access has none. UNARY, BINARY, RMW, FORMAT and FLAG are listed in `words.rs`.
//!
//! A number needs its width in front (`i32 5`) except where the instruction has said it: after a
//! WIDTH of the instruction it is that width; addresses, sizes and thread handles are `i64`;
//! conditions are `i1`. The WIDTH of an operation is that of its first value operand, of `choose`
//! that of its register; a text that says otherwise is refused.
//!
//! # Places
//!
//! `!12:5-9` is a place in the file that the function's `file` clause names, else the program's,
//! in the function itself. A place in another file, in the source of another function, or
//! inlined, is written out: `!"list.h":3:5-9 in find at 12:5-9`. Places are numbered in the order
//! in which they appear. Only where a program numbers its places differently (or has some that
//! nothing refers to) is the whole table written, as `place` items; `!#4` refers to it by number.

mod cursor;
mod lexer;
mod names;
mod parse_op;
mod parser;
pub(crate) mod places;
mod print;
mod print_op;
mod words;

pub use parser::{FunctionSpans, Parsed, TextSpans, parse};
pub use print::print;

#[cfg(test)]
mod tests;
