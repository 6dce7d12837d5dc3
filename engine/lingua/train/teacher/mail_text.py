#!/usr/bin/env python3
"""Takes the text that people wrote out of a folder of e-mail messages: one paragraph a line, blank lines between.

Headers, quoted lines, signatures, attachments, code and doubles are left out. Called with the message files; used for
the SpamAssassin messages (README.md of the models).
"""

import email
import html
import re
import sys

SHORTEST, LONGEST = 12, 3000
LEAST_LETTERS = 0.65
LONGEST_WORD, MOST_LONG_WORDS = 25, 0.1
CHARSETS = {"us-ascii", "ascii", "utf-8", "iso-8859-1", "latin-1", "windows-1252"}
END = re.compile(r"\n-- ?\n|\n_{10,}|\n-{5,} ?Original|\n=-=-=")
QUOTED = re.compile(r"\s*[>|:}]")


def body(path):
    """The text of a message; empty where it has none in a known encoding."""
    with open(path, "rb") as file:
        message = email.message_from_bytes(file.read())
    plain = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    if plain is None and message.get_content_type() != "text/html":
        return ""
    part = message if plain is None else plain
    charset = (part.get_content_charset() or "latin-1").lower()
    payload = part.get_payload(decode=True)
    if not payload or charset not in CHARSETS:
        return ""
    text = payload.decode("latin-1" if "ascii" in charset else charset, "replace").replace("\r", "")
    if plain is None:
        text = re.sub(r"(?is)<(script|style).*?</\1>", " ", text)
        text = re.sub(r"(?i)<(p|br|tr|div|li|h\d)[^>]*>", "\n\n", text)
        text = html.unescape(re.sub(r"<[^>]*>", " ", text))
    return END.split(text)[0]


def prose(paragraph):
    """Whether a paragraph is text, not a listing, a table or an address book."""
    words = paragraph.split()
    letters = sum(c.isalpha() and c.isascii() for c in paragraph)
    return (
        SHORTEST <= len(paragraph) <= LONGEST
        and "\ufffd" not in paragraph
        and letters >= LEAST_LETTERS * len(paragraph)
        and sum(len(word) > LONGEST_WORD for word in words) <= MOST_LONG_WORDS * len(words)
    )


def main():
    seen = set()
    for path in sorted(sys.argv[1:]):
        for block in re.split(r"\n\s*\n", body(path)):
            lines = [line for line in block.split("\n") if not QUOTED.match(line)]
            paragraph = " ".join(" ".join(lines).split())
            if paragraph not in seen and prose(paragraph):
                seen.add(paragraph)
                print(paragraph + "\n")


if __name__ == "__main__":
    main()
