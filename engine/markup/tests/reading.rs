//! What of a file is prose, in which blocks, and what its comments and front matter say.

use glosa_markup::{Reading, Syntax};
use glosa_text::{BlockKind, Span};

/// The blocks of a file: P, H or L and the words, with `_` for what is hidden.
fn blocks(source: &str, syntax: Syntax) -> Vec<String> {
    let reading = Reading::new(source, syntax);
    let blocks = &reading.layout().expect("marked blocks").blocks;
    let shown = |block: &glosa_text::Block| {
        let kind = match block.kind {
            BlockKind::Paragraph => 'P',
            BlockKind::Heading => 'H',
            BlockKind::ListItem => 'L',
        };
        format!("{kind} {}", &reading.prose()[block.content.clone()].replace('\u{FFFC}', "_").replace('\n', "/"))
    };
    blocks.iter().map(shown).collect()
}

fn markdown(source: &str) -> Vec<String> {
    blocks(source, Syntax::Markdown)
}

fn html(source: &str) -> Vec<String> {
    blocks(source, Syntax::Html)
}

#[test]
fn blocks_of_markdown() {
    let source = "# Título *uno*\n\nUna línea\ny otra.\n\n- punto **uno**\n- punto dos\n\n  con más\n\n1. primero\n   sigue\n\nSubtítulo\n---\n\n| A | B |\n|---|---|\n| celda uno | Dos es más. |\n";
    assert_eq!(
        markdown(source),
        [
            "H Título uno",
            "P Una línea/y otra.",
            "L punto uno",
            "L punto dos",
            "P con más",
            "L primero/sigue",
            "H Subtítulo",
            "H A",
            "H B",
            "H celda uno",
            "P Dos es más."
        ]
    );
    assert_eq!(markdown("Uno.\r\n\r\n* dos\r\n* tres\r\n"), ["P Uno.", "L dos", "L tres"]);
    assert_eq!(markdown("> [!NOTE]\n> Es una nota\n> del autor.\n"), ["P Es una nota/del autor."]);
    assert_eq!(markdown("\u{FEFF}# Título\n\nTexto."), ["H Título", "P Texto."]);
}

#[test]
fn what_markdown_hides() {
    assert_eq!(markdown("Use `con el fin de` aquí."), ["P Use _ aquí."]);
    assert_eq!(markdown("Uno.\n\n```\nel código\n```\n\n    más código\n\nDos."), ["P Uno.", "P Dos."]);
    assert_eq!(markdown("Vea [la página](http://a.b/c \"título\") o <http://a.b>."), ["P Vea la página o _."]);
    assert_eq!(markdown("[la página][1]\n\n[1]: http://a.b/c\n"), ["P la página"]);
    assert_eq!(markdown("Vea ![una foto](a.png) y ya."), ["P Vea _ y ya."]);
    assert_eq!(markdown("Dijo:\n\n> esto es de otro\n\nFin."), ["P Dijo:", "P Fin."]);
    assert_eq!(markdown("Dijo <q>esto de otro</q> ayer, según <cite>El libro</cite>."), ["P Dijo _ ayer, según _."]);
    assert_eq!(markdown("La masa $m_1$ crece."), ["P La masa _ crece."]);
    assert_eq!(markdown("Palabra[^1].\n\n[^1]: La nota.\n"), ["P Palabra.", "P La nota."]);
    assert_eq!(markdown("Un \\*asterisco\\* y &eacute;l&nbsp;mismo."), ["P Un *asterisco* y él\u{A0}mismo."]);
    assert_eq!(markdown("- [ ] tarea\n\n`solo`\n\n![foto](a.png)\n"), ["L tarea"], "a block without words is none");
    assert_eq!(
        markdown("<div>\n<p>Un párrafo.</p>\n<blockquote>\n\nDe otro.\n\n</blockquote>\n</div>\n\nFin."),
        ["P Un párrafo.", "P Fin."]
    );
    assert_eq!(markdown("Un <q>texto sin fin\n\nOtro."), ["P Un _", "P Otro."]);
}

#[test]
fn blocks_of_html() {
    let source = "<!DOCTYPE html><html lang=es><head><title>No</title><style>p {}</style></head><body>\n<h1>El <em>título</em></h1>\n\
                  <p>Una línea\n   y otra.<p>Sin cerrar\n<ul><li>uno<li>dos<ul><li>dos uno</ul><p>más</ul><script>let x = 'no';</script>\n\
                  <table><tr><th>A<td>celda</table>cola</body>";
    assert_eq!(
        html(source),
        [
            "H El título",
            "P Una línea y otra.",
            "P Sin cerrar",
            "L uno",
            "L dos",
            "L dos uno",
            "P más",
            "H A",
            "H celda",
            "P cola"
        ]
    );
    assert_eq!(html("<p>Calle Mayor, 1 <br>\n  08001 Barcelona</p>"), ["P Calle Mayor, 1/08001 Barcelona"]);
    assert_eq!(
        html("<dl><dt>Plazo<dd>Diez días</dl><table><caption>Datos<tr><td>Uno es.<td>dos</table>"),
        ["H Plazo", "H Diez días", "H Datos", "P Uno es.", "H dos"]
    );
    assert_eq!(html("<H2>Uno</H2>dos"), ["H Uno", "P dos"]);
}

#[test]
fn what_html_hides() {
    assert_eq!(html("<p>Use <code>con el fin de</code> aquí.</p><pre>no</pre>"), ["P Use _ aquí."]);
    assert_eq!(
        html("<p>Dijo <q>algo <b>más</b></q>.</p><blockquote><p>No.</p></blockquote>Sí."),
        ["P Dijo _.", "P Sí."]
    );
    assert_eq!(
        html("gesti&oacute;n &amp; 10&nbsp;%, &lt;así&gt; &#233;l &noexiste; a & b"),
        ["P gestión & 10\u{A0}%, <así> él &noexiste; a & b"]
    );
    assert_eq!(html("a<!-- no -->b <span title=\"no\">sí</span> c"), ["P ab sí c"]);
    assert_eq!(html("<p>uno  <b> dos</b>\r\n\ttres</p>"), ["P uno dos tres"]);
}

#[test]
fn comments_switch_analysis_off_and_on() {
    for syntax in [Syntax::Markdown, Syntax::Html] {
        let p = |text: &str| if syntax == Syntax::Html { format!("<p>{text}</p>\n") } else { format!("{text}\n\n") };
        let source = [
            p("Uno."),
            "<!-- glosa off -->\n\n".into(),
            p("Dos."),
            p("Tres."),
            "<!-- glosa on -->\n\n".into(),
            p("Cuatro."),
        ];
        assert_eq!(blocks(&source.concat(), syntax), ["P Uno.", "P Cuatro."]);
        let source = p("Uno <!-- glosa off -->dos tres<!--glosa on--> cuatro.");
        assert_eq!(blocks(&source, syntax), ["P Uno _ cuatro."]);
        let source = [p("Uno."), "<!-- glosa off -->\n\n".into(), p("Dos.")];
        assert_eq!(blocks(&source.concat(), syntax), ["P Uno."], "to the end of the file");
    }
}

#[test]
fn comments_silence_rules() {
    let source =
        "Uno.\n\n<!-- glosa off: a, b -->\n\nDos.\n\n<!-- glosa on: a -->\n\nTres.\n\n<!-- glosa on -->\n\nCuatro.\n";
    let reading = Reading::new(source, Syntax::Markdown);
    let silent = |rule: &str| -> Vec<&str> {
        let starts = ["Uno", "Dos", "Tres", "Cuatro"].into_iter();
        starts
            .filter(|word| {
                let at = reading.prose()[..reading.prose().find(word).expect("a word")].chars().count() as u32;
                reading.silences(rule, Some(Span::new(at, at + 3)))
            })
            .collect()
    };
    assert_eq!((silent("a"), silent("b"), silent("c")), (vec!["Dos"], vec!["Dos", "Tres"], vec![]));
    assert!(!reading.silences("b", None), "what is missing is missing in the whole text");
    let named: Vec<_> = reading.named_rules().iter().map(|(rule, at)| (rule.as_str(), &source[at.clone()])).collect();
    assert_eq!(named, [("a", "a"), ("b", "b"), ("a", "a")]);
    let whole = Reading::new("<!-- glosa off: a -->\n\nUno.\n", Syntax::Markdown);
    assert!(whole.silences("a", None) && !whole.silences("b", None));
}

#[test]
fn faults_are_told() {
    let reading = Reading::new("<!-- glosa of -->\n\nUno.\n\n<!-- glosario -->\n", Syntax::Markdown);
    let told: Vec<_> = reading.faults().iter().map(|f| f.message.as_str()).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("`glosa of` is no instruction"), "{told:?}");
}

#[test]
fn front_matter_is_no_text() {
    let source = "---\ntitle: Con el fin de\nglosa: {genre: a/b, language: ca}\n---\n\nUno.\n";
    for syntax in [Syntax::Markdown, Syntax::Html] {
        let reading = Reading::new(source, syntax);
        assert_eq!(reading.prose(), "Uno.");
        assert_eq!(reading.settings().genre.as_ref().map(|genre| genre.value.as_str()), Some("a/b"));
    }
    assert_eq!(Reading::new(source, Syntax::Plain).prose(), source, "plain text is text as it stands");
}

#[test]
fn a_file_that_its_parser_has_no_places_for() {
    // pulldown-cmark issue 1129.
    let reading = Reading::new("+\t[\u{0}]:d\n\u{b}", Syntax::Markdown);
    assert_eq!(reading.faults(), []);
}
