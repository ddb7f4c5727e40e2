//! How the files of a project are compiled, as its `compile_commands.json` says
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).

use execution::printable::shown;
use front_c::pp::COptions;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// How a file is to be read: what the database says of it, and then what was said of all.
pub fn options_for(file: &Path, options: &COptions) -> Result<COptions, String> {
    let Some(database) = &options.database else { return Ok(options.clone()) };
    let path = match database.is_dir() {
        true => database.join("compile_commands.json"),
        false => database.clone(),
    };
    let text = execution::input::read_text(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", shown(&path)))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        let said = execution::diagnostic::in_words(&error.to_string());
        format!("`{}`: {said}", shown(&path))
    })?;
    let wanted = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let is_it = |entry: &&Entry| {
        let own = entry.directory.join(&entry.file);
        std::fs::canonicalize(&own).unwrap_or(own) == wanted
    };
    let Some(entry) = entries.iter().find(is_it) else {
        return Err(format!("`{}` says nothing of `{}`", shown(&path), shown(file)));
    };
    let words = match entry.arguments.is_empty() {
        true => words(&entry.command),
        false => entry.arguments.clone(),
    };
    let mut own = flags(&words, &entry.directory);
    own.include_dirs.splice(0..0, options.include_dirs.iter().cloned());
    own.defines.extend(options.defines.iter().cloned());
    own.undefines.extend(options.undefines.iter().cloned());
    own.included.extend(options.included.iter().cloned());
    let (quiet, volatile_is_relaxed) = (options.quiet, options.volatile_is_relaxed);
    Ok(COptions { quiet, volatile_is_relaxed, ..own })
}

/// The flags that say how text is read; all others are about what is made of it.
fn flags(words: &[String], directory: &Path) -> COptions {
    let mut options = COptions::default();
    let mut system = Vec::new();
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        // The value stands in the same word, or is the next one.
        let mut value = |flag: &str| match word.strip_prefix(flag) {
            Some("") => rest.next().map(str::to_string),
            Some(value) => Some(value.to_string()),
            None => None,
        };
        if let Some(folder) = value("-isystem").or_else(|| value("-idirafter")) {
            system.push(directory.join(folder));
        } else if let Some(folder) = value("-iquote").or_else(|| value("-I")) {
            options.include_dirs.push(directory.join(folder));
        } else if let Some(file) = value("-include") {
            let here = directory.join(&file);
            options.included.push(if here.exists() { here } else { file.into() });
        } else if let Some(define) = value("-D") {
            options.defines.push(define);
        } else if let Some(name) = value("-U") {
            options.undefines.push(name);
        }
    }
    options.include_dirs.extend(system);
    options
}

/// The words of a command line, as a shell has them.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (Some(open), letter) if open == letter => quote = None,
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(letters.next());
            }
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::{flags, words};
    use std::path::{Path, PathBuf};

    #[test]
    fn a_command_is_cut_into_words_as_a_shell_does() {
        let command = r#"cc -DNAME='"a b"' "-Ix y" -D "V=\"1\"" -c a.c"#;
        let expected = ["cc", "-DNAME=\"a b\"", "-Ix y", "-D", "V=\"1\"", "-c", "a.c"];
        assert_eq!(words(command), expected);
    }

    #[test]
    fn flags_are_found_in_both_spellings() {
        let line = "cc -O2 -I inc -Isrc -DX=1 -D Y -U Z -isystem sys -std=gnu11 -c a.c -o a.o";
        let found = flags(&words(line), Path::new("/p"));
        let folders = ["/p/inc", "/p/src", "/p/sys"].map(PathBuf::from);
        assert_eq!(found.include_dirs, folders);
        assert_eq!(found.defines, ["X=1", "Y"]);
        assert_eq!(found.undefines, ["Z"]);
    }
}
