//! Reading and writing model files: a magic word, then numbers (LEB128), texts and byte arrays.

use crate::ModelError;

/// Writes a model file.
#[derive(Debug)]
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// A file that begins with `magic`.
    pub fn new(magic: &[u8; 4]) -> Self {
        Writer { out: magic.to_vec() }
    }
    /// A number in LEB128.
    pub fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.out.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.out.push(n as u8);
    }
    /// A text with its length.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
    /// Bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }
    /// Four bytes, little endian.
    pub fn word(&mut self, n: u32) {
        self.out.extend_from_slice(&n.to_le_bytes());
    }
    /// The file.
    pub fn finish(self) -> Vec<u8> {
        self.out
    }
}

/// Reads a model file.
#[derive(Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    what: &'static str,
}

impl<'b> Reader<'b> {
    /// Opens a file that must begin with `magic`; `what` names it in errors.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] when the magic word is another.
    pub fn new(bytes: &'b [u8], magic: &[u8; 4], what: &'static str) -> Result<Self, ModelError> {
        if bytes.len() < 4 || &bytes[..4] != magic {
            return Err(ModelError::Damaged(what));
        }
        Ok(Reader { bytes, at: 4, what })
    }
    /// A number in LEB128.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] at the end of the file.
    pub fn number(&mut self) -> Result<u64, ModelError> {
        let mut n = 0u64;
        let mut shift = 0;
        loop {
            let byte = *self.bytes.get(self.at).ok_or(ModelError::Damaged(self.what))?;
            self.at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
            shift += 7;
            if shift > 63 {
                return Err(ModelError::Damaged(self.what));
            }
        }
    }
    /// A number of things that follow: never more than bytes are left.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] where the file cannot hold so many.
    pub fn count(&mut self) -> Result<usize, ModelError> {
        let n = self.number()? as usize;
        if n > self.bytes.len() - self.at { Err(ModelError::Damaged(self.what)) } else { Ok(n) }
    }
    /// Bytes with their length.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] where the file is too short.
    pub fn bytes(&mut self) -> Result<&'b [u8], ModelError> {
        let n = self.count()?;
        let slice = &self.bytes[self.at..self.at + n];
        self.at += n;
        Ok(slice)
    }
    /// A text with its length.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] where it is no UTF-8 or too short.
    pub fn text(&mut self) -> Result<&'b str, ModelError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| ModelError::Damaged(self.what))
    }
    /// Four bytes, little endian.
    ///
    /// # Errors
    /// [`ModelError::Damaged`] at the end of the file.
    pub fn word(&mut self) -> Result<u32, ModelError> {
        let four = self.bytes.get(self.at..self.at + 4).ok_or(ModelError::Damaged(self.what))?;
        self.at += 4;
        Ok(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    }
    /// Where the next byte stands in the file.
    pub fn position(&self) -> usize {
        self.at
    }
}
