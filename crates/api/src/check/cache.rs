//! Answers that are known already: one small file each, in the platform's folder for caches.
//!
//! What an answer depends on is part of the name of its file, as a hash: the program, the model,
//! the options, and the content of the executable that gave it. A file that cannot be read is as
//! good as none, and a violation that comes from here is replayed like any other.

use crate::hash::{hash, hash_bytes};
use execution::input;
use sat::whole_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A folder with answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    build: String,
}

impl Cache {
    /// The user's cache; `None` if the platform has no place for one, or this build cannot be told
    /// from others.
    pub fn of_user() -> Option<Cache> {
        Cache::at(&platform_folder()?.join("fencepost"))
    }

    /// The cache in this folder, which need not exist.
    pub fn at(folder: &Path) -> Option<Cache> {
        Some(Cache { folder: folder.to_path_buf(), build: build()? })
    }

    /// The name of an answer that depends on these texts.
    pub fn key<'t>(&'t self, texts: impl IntoIterator<Item = &'t str>) -> String {
        hash(std::iter::once(self.build.as_str()).chain(texts))
    }

    /// What is known under a name.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let text = input::read_text(&self.file(key)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Remembers something; if that is not possible, it will be found out again.
    pub fn put<T: Serialize>(&self, key: &str, value: &T) {
        let Ok(text) = serde_json::to_string(value) else { return };
        let _ = std::fs::create_dir_all(&self.folder)
            .and_then(|()| whole_file::write(&self.file(key), text));
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// What tells this build of Fencepost from others: the content of its executable. A time stamp
/// would say the same of two builds that were packed, or made reproducible.
fn build() -> Option<String> {
    static BUILD: OnceLock<Option<String>> = OnceLock::new();
    let executable = || {
        // What runs, even if there is another file under its name by now.
        let running = File::open("/proc/self/exe");
        let file = running.or_else(|_| std::env::current_exe().and_then(File::open));
        file.and_then(hash_bytes).ok()
    };
    BUILD.get_or_init(executable).clone()
}

fn platform_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    if let Some(folder) = variable("XDG_CACHE_HOME") {
        return Some(folder);
    }
    if cfg!(windows) {
        return variable("LOCALAPPDATA");
    }
    let home = variable("HOME")?;
    Some(home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_under_its_own_name_only() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(&folder.path().join("answers")).unwrap();
        let key = cache.key(["program", "model"]);
        assert_eq!(cache.get::<u32>(&key), None);
        cache.put(&key, &7u32);
        assert_eq!(cache.get::<u32>(&key), Some(7));
        assert_eq!(cache.get::<u32>(&cache.key(["program", "other"])), None);
        std::fs::write(cache.file(&key), "{").unwrap();
        assert_eq!(cache.get::<u32>(&key), None, "a broken file is as good as none");
    }
}
