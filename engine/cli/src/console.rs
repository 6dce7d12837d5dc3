//! Where a command reads answers and writes: a terminal, or a test.

use std::io::{BufRead, Write};

/// Standard streams.
pub trait Console {
    /// The result.
    fn out(&mut self, text: &str);
    /// The result as bytes that are no text for a terminal.
    fn out_bytes(&mut self, bytes: &[u8]);
    /// Words about the result.
    fn err(&mut self, text: &str);
    /// A line of an answer; `None` where there is nobody to ask.
    fn answer(&mut self) -> Option<String>;
}

/// The standard streams of the process. Colours are stripped where nobody sees them, and a closed pipe is no failure.
#[derive(Debug, Default)]
pub struct Terminal;

impl Console for Terminal {
    fn out(&mut self, text: &str) {
        let _closed = anstream::stdout().write_all(text.as_bytes());
    }

    fn out_bytes(&mut self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        let _closed = out.write_all(bytes).and_then(|()| out.flush());
    }

    fn err(&mut self, text: &str) {
        let mut err = anstream::stderr();
        let _closed = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }

    fn answer(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line).unwrap_or(0);
        (read > 0).then_some(line)
    }
}
