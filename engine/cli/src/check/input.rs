//! A file as it stands on the disk: its bytes, their encoding, and the text that they say.

use std::borrow::Cow;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::Failure;
use crate::roots::read_bytes;

/// A text and where it came from.
#[derive(Debug)]
pub(super) struct Input {
    /// The path as it was given; `-` is standard input.
    pub path: PathBuf,
    /// The text, with its byte-order mark where it has one.
    pub text: String,
    bytes: Vec<u8>,
    encoding: &'static Encoding,
}

impl Input {
    /// Reads a file, or standard input.
    pub fn read(path: &Path, encoding: Option<&'static Encoding>) -> Result<Input, Failure> {
        Input::of(path, read_bytes(path)?, encoding)
    }

    /// Reads bytes: a byte-order mark tells their encoding, else whoever asks, else it is UTF-8.
    pub fn of(path: &Path, bytes: Vec<u8>, asked: Option<&'static Encoding>) -> Result<Input, Failure> {
        let encoding = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding).or(asked).unwrap_or(UTF_8);
        let name = path.display();
        let text = if encoding == UTF_8 {
            String::from_utf8(bytes.clone()).map_err(|error| {
                let at = error.utf8_error().valid_up_to() + 1;
                Failure::usage(format!(
                    "{name}: not UTF-8 (byte {at}); save the text as UTF-8, or name its encoding with `--encoding`"
                ))
            })?
        } else {
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            let wrong =
                || Failure::usage(format!("{name}: not {}; name its encoding with `--encoding`", encoding.name()));
            decoded.map(Cow::into_owned).ok_or_else(wrong)?
        };
        Ok(Input { path: path.to_owned(), text, bytes, encoding })
    }

    /// Whether it is standard input.
    pub fn is_stream(&self) -> bool {
        self.path == Path::new("-")
    }

    /// The name that people read.
    pub fn name(&self) -> String {
        if self.is_stream() { "<stdin>".to_owned() } else { self.path.display().to_string() }
    }

    /// Another text in the encoding of this one.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, Failure> {
        if self.encoding == UTF_16LE {
            return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
        }
        if self.encoding == UTF_16BE {
            return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
        }
        let (bytes, used, unwritable) = self.encoding.encode(text);
        if unwritable || used != self.encoding {
            let message = format!(
                "{}: {} cannot write the corrected text; nothing was written",
                self.name(),
                self.encoding.name()
            );
            return Err(Failure::usage(message));
        }
        Ok(bytes.into_owned())
    }

    /// Puts another text in the place of the file: wholly or not at all, with the mode that the file has. A link stays a link.
    pub fn replace(&self, text: &str) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}; nothing was written", self.name()));
        let bytes = self.encode(text)?;
        let path = fs::canonicalize(&self.path).map_err(failed)?;
        if fs::read(&path).map_err(failed)? != self.bytes {
            return Err(Failure::usage(format!("{}: changed in the meantime; nothing was written", self.name())));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut new = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        new.write_all(&bytes).map_err(failed)?;
        new.as_file().set_permissions(fs::metadata(&path).map_err(failed)?.permissions()).map_err(failed)?;
        new.as_file().sync_all().map_err(failed)?;
        new.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }
}

/// The encoding of a label of the Encoding Standard.
pub(super) fn encoding(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.name() != "replacement").ok_or_else(|| {
        format!("unknown encoding `{label}`; usual ones are utf-8, utf-16le, windows-1252 and iso-8859-15")
    })
}
