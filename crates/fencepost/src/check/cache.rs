//! Answers that are known already: one small file each, in the platform's folder for caches.
//!
//! What an answer depends on is part of the name of its file, as a hash: the program, the model,
//! the options, and this very build of Fencepost. A file that cannot be read is as good as none,
//! and a violation that comes from here is replayed like any other.

use super::hash::hash;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A folder with answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    build: String,
}

impl Cache {
    /// The user's cache; `None` if the platform has no place for one.
    pub fn of_user() -> Option<Cache> {
        Some(Cache::at(&platform_folder()?.join("fencepost")))
    }

    /// The cache in this folder, which need not exist.
    pub fn at(folder: &Path) -> Cache {
        Cache { folder: folder.to_path_buf(), build: build() }
    }

    /// The name of an answer that depends on these texts.
    pub fn key<'t>(&'t self, texts: impl IntoIterator<Item = &'t str>) -> String {
        hash(std::iter::once(self.build.as_str()).chain(texts))
    }

    /// What is known under a name.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let text = std::fs::read_to_string(self.file(key)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Remembers something; if that is not possible, it will be found out again.
    pub fn put<T: Serialize>(&self, key: &str, value: &T) {
        let Ok(text) = serde_json::to_string(value) else { return };
        // Written aside and renamed, so that nobody reads half of it.
        let aside = self.folder.join(format!("{key}.{}", std::process::id()));
        let written = std::fs::create_dir_all(&self.folder)
            .and_then(|()| std::fs::write(&aside, text))
            .and_then(|()| std::fs::rename(&aside, self.file(key)));
        if written.is_err() {
            let _ = std::fs::remove_file(&aside);
        }
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// What tells this build of Fencepost from others.
fn build() -> String {
    let executable = std::env::current_exe().and_then(std::fs::metadata);
    let written = executable.as_ref().ok().and_then(|data| data.modified().ok());
    let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let size = executable.map_or(0, |data| data.len());
    format!("{} {size} {:?}", env!("CARGO_PKG_VERSION"), written)
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
        let cache = Cache::at(&folder.path().join("answers"));
        let key = cache.key(["program", "model"]);
        assert_eq!(cache.get::<u32>(&key), None);
        cache.put(&key, &7u32);
        assert_eq!(cache.get::<u32>(&key), Some(7));
        assert_eq!(cache.get::<u32>(&cache.key(["program", "other"])), None);
        std::fs::write(cache.file(&key), "{").unwrap();
        assert_eq!(cache.get::<u32>(&key), None, "a broken file is as good as none");
    }
}
