//! Which litmus files a command line means: files, folders, and `@lists` of either.

use execution::input::read_text;
use execution::printable::shown;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// How deep lists may name lists.
const MAX_DEPTH: usize = 16;

/// All litmus files that the arguments name, each once, in the order in which they are named.
pub fn collect<P: AsRef<OsStr>>(arguments: &[P]) -> Result<Vec<PathBuf>, String> {
    let mut files = Files::default();
    for argument in arguments {
        files.argument(argument.as_ref(), Path::new(""), 0)?;
    }
    Ok(files.list)
}

#[derive(Default)]
struct Files {
    list: Vec<PathBuf>,
    seen: BTreeSet<PathBuf>,
}

impl Files {
    fn argument(&mut self, argument: &OsStr, base: &Path, depth: usize) -> Result<(), String> {
        match argument.to_str().and_then(|text| text.strip_prefix('@')) {
            Some(list) => self.list_file(&base.join(list), depth),
            None => self.path(&base.join(argument)),
        }
    }

    fn path(&mut self, path: &Path) -> Result<(), String> {
        if path.is_dir() {
            return self.folder(path);
        }
        if !path.exists() {
            return Err(format!("there is no file or folder `{}`", shown(path)));
        }
        self.add(path);
        Ok(())
    }

    fn add(&mut self, path: &Path) {
        if self.seen.insert(path.to_path_buf()) {
            self.list.push(path.to_path_buf());
        }
    }

    fn folder(&mut self, folder: &Path) -> Result<(), String> {
        let unreadable = |error| format!("cannot read folder `{}`: {error}", shown(folder));
        let entries = std::fs::read_dir(folder).map_err(unreadable)?;
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(unreadable)?.path());
        }
        paths.sort();
        for path in paths {
            if path.is_dir() && !path.is_symlink() {
                self.folder(&path)?;
            } else if path.extension().is_some_and(|extension| extension == "litmus") {
                self.add(&path);
            }
        }
        Ok(())
    }

    /// A list has one file, folder or list per line, relative to its own folder; `#` starts a
    /// comment.
    fn list_file(&mut self, list: &Path, depth: usize) -> Result<(), String> {
        if depth >= MAX_DEPTH {
            return Err(format!("lists name each other too deeply at `{}`", shown(list)));
        }
        let text = read_text(list)
            .map_err(|error| format!("cannot read list `{}`: {error}", shown(list)))?;
        let base = list.parent().unwrap_or(Path::new(""));
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or("").trim();
            if !line.is_empty() {
                self.argument(line.as_ref(), base, depth + 1)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_lists_are_followed_and_nothing_is_named_twice() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("inner")).unwrap();
        for name in ["b.litmus", "a.litmus", "inner/c.litmus", "notes.txt"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        std::fs::write(root.join("all"), "# a list\ninner\na.litmus # again\n").unwrap();
        let list = format!("@{}", root.join("all").display());
        let files = collect(&[list, root.display().to_string()]).unwrap();
        let names: Vec<_> =
            files.iter().map(|path| path.strip_prefix(root).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["inner/c.litmus", "a.litmus", "b.litmus"]);
    }

    #[test]
    fn a_list_that_names_itself_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("loop");
        std::fs::write(&list, "@loop\n").unwrap();
        let problem = collect(&[format!("@{}", list.display())]).unwrap_err();
        assert!(problem.starts_with("lists name each other too deeply"), "{problem}");
    }
}
