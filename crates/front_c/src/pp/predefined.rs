//! The macros that exist before a program starts: gcc's on x86-64 Linux, and the command line's.

use super::COptions;

/// The name of the file that holds [`TEXT`].
pub const BUILT_IN: &str = "<built-in>";
/// The name of the file that holds the command line's macros.
pub const COMMAND_LINE: &str = "<command line>";

/// The predefined macros: the facts about gcc 12 and the LP64 ABI that programs ask for, and
/// `__FENCEPOST__`. Dates are fixed, so that a program always means the same.
pub const TEXT: &str = include_str!("predefined.h");

/// The command line's `-D`, `-U` and `-include` as directives.
pub fn command_line(options: &COptions) -> String {
    let mut text = String::new();
    for define in &options.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        text.push_str(&format!("#define {} {}\n", one_line(name), one_line(value)));
    }
    for name in &options.undefines {
        text.push_str(&format!("#undef {}\n", one_line(name)));
    }
    for file in &options.included {
        text.push_str(&format!("#include \"{}\"\n", one_line(&file.display().to_string())));
    }
    text
}

/// Text that stays within one directive.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").trim_end_matches('\\').to_string()
}
