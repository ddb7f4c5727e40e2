//! A path in a file: as text, or as bytes where it is not UTF-8, so that it is found again.

use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A path that can be saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct SavedPath(PathBuf);

/// How it is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl SavedPath {
    /// A path as it is.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
}

impl Deref for SavedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl From<SavedPath> for Form {
    fn from(SavedPath(path): SavedPath) -> Self {
        match path.into_os_string().into_string() {
            Ok(text) => Form::Text(text),
            Err(other) => Form::Bytes { bytes: other.into_encoded_bytes() },
        }
    }
}

impl From<Form> for SavedPath {
    fn from(form: Form) -> Self {
        match form {
            Form::Text(text) => Self::new(text),
            #[cfg(unix)]
            Form::Bytes { bytes } => {
                Self::new(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
            }
            #[cfg(not(unix))]
            Form::Bytes { bytes } => Self::new(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_text_where_it_can_be() {
        let json = serde_json::to_string(&SavedPath::new("a/ö.c")).unwrap();
        assert_eq!(json, "\"a/ö.c\"");
        assert_eq!(serde_json::from_str::<SavedPath>(&json).unwrap(), SavedPath::new("a/ö.c"));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_not_utf_8_is_found_again() {
        use std::os::unix::ffi::OsStrExt;
        let path = SavedPath::new(std::ffi::OsStr::from_bytes(b"a\xff.c"));
        let json = serde_json::to_string(&path).unwrap();
        assert_eq!(json, r#"{"bytes":[97,255,46,99]}"#);
        assert_eq!(serde_json::from_str::<SavedPath>(&json).unwrap(), path);
    }
}
