//! Whatever a file holds: the prose is that of the file, and places of the prose are places of the file.

use glosa_markup::{Reading, Syntax};
use glosa_text::Span;
use proptest::prelude::*;

/// Pieces of which files are made, so that markup meets markup.
fn pieces() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "palabra",
        "con el fin de",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\n\n",
        "\r",
        "*",
        "**",
        "_",
        "`",
        "``",
        "```\n",
        "> ",
        "- ",
        "1. ",
        "# ",
        "|",
        "|-|-|\n",
        "---\n",
        "+++\n",
        "[",
        "](a)",
        "]",
        "![",
        "<a@b.c>",
        "<http://a.b>",
        "[^1]",
        "[^1]: ",
        "[a]: b\n",
        "<b>",
        "</b>",
        "<q>",
        "</q>",
        "<p>",
        "</p>",
        "<pre>",
        "</pre>",
        "<script>",
        "</script>",
        "<li>",
        "<ul>",
        "</ul>",
        "<h1>",
        "</h1>",
        "<br>",
        "<td>",
        "<blockquote>",
        "</blockquote>",
        "<!--",
        "-->",
        "<!-- glosa off -->",
        "<!-- glosa on -->",
        "<!-- glosa off: a, b -->",
        "&eacute;",
        "&nbsp;",
        "&",
        "&#x301;",
        "&lt;",
        "\\",
        "\\*",
        "$",
        "$$",
        "~~",
        "é",
        "e\u{301}",
        "\u{301}",
        "👩\u{200D}👧",
        "🇪🇸",
        "\u{FEFF}",
        "\0",
        "\u{B}",
        "\u{C}",
        "\t",
        "    ",
        "[!NOTE]\n",
        ": ",
        "<",
        "<!",
        "<?",
        "</",
        "<title>",
        "<textarea>",
        "<![CDATA[",
    ]);
    prop_oneof![9 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

fn file() -> impl Strategy<Value = String> {
    prop::collection::vec(pieces(), 0..40).prop_map(|pieces| pieces.concat())
}

fn check(source: &str, syntax: Syntax) -> Result<(), TestCaseError> {
    let reading = Reading::new(source, syntax);
    prop_assert_eq!(reading.source(), source);
    let failed = reading.faults().iter().find(|fault| fault.message.contains("failed"));
    prop_assert!(failed.is_none(), "{:?}", failed);
    let total = reading.prose().chars().count() as u32;
    let mut last = Span::default();
    for (at, c) in reading.prose().chars().enumerate() {
        let at = at as u32;
        let place = reading.place(Span::new(at, at + 1)).expect("a place");
        prop_assert!(place.end <= source.chars().count() as u32);
        prop_assert!(place.start >= last.start && place.end >= last.end, "in the order of the file");
        last = place;
        let shown = reading.index().slice(source, place);
        let known = c == '\n' || c == ' ' || c == '\u{FFFC}' || shown.contains(c) || shown.contains('&');
        prop_assert!(known, "{:?} is shown as {:?}", c, shown);
    }
    for block in reading.layout().into_iter().flat_map(|layout| &layout.blocks) {
        let content = &reading.prose()[block.content.clone()];
        prop_assert_eq!(content, content.trim());
        prop_assert!(content.contains(char::is_alphanumeric));
    }
    let whole = reading.place(Span::new(0, total));
    prop_assert!(total == 0 || whole.is_some());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn markdown(source in file()) {
        check(&source, Syntax::Markdown)?;
    }

    #[test]
    fn html(source in file()) {
        check(&source, Syntax::Html)?;
    }

    #[test]
    fn plain(source in file()) {
        check(&source, Syntax::Plain)?;
        let reading = Reading::new(&source, Syntax::Plain);
        prop_assert_eq!(reading.prose(), &source);
    }
}

#[test]
fn long_files_cost_what_they_are_long() {
    let pieces = [
        "*a ",
        "[",
        "[a](",
        "`a",
        "> ",
        "- a\n",
        "<q>",
        "<pre><p>",
        "<pre></q>",
        "<li>a",
        "</li>",
        "<h1>",
        "a &eacute; ",
        "&",
        "<!-- glosa off: a -->a",
        "<!-- glosa off -->a<!-- glosa on -->",
        "|a|\n|-|\n",
        "<b",
        "a\n",
        "**a** ",
        "<td>a",
        "$a",
        "![a",
        "<!--",
        "</",
    ];
    for piece in pieces {
        for syntax in [Syntax::Markdown, Syntax::Html] {
            let started = std::time::Instant::now();
            let reading = Reading::new(&piece.repeat(20_000), syntax);
            reading.place(Span::new(0, reading.prose().chars().count() as u32));
            assert!(started.elapsed().as_secs() < 10, "{piece} in {syntax:?}: {:?}", started.elapsed());
        }
    }
}
