//! The page that the command line makes of a report.
use crate::harness::process::{run_well, settings};

/// The page shows the text as it is, whatever stands in it, with marks that lie over each other.
#[test]
fn the_page_shows_the_text_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("letter.txt");
    let text = "Estimada vecina:\n\n  Con el fin de <b>resolver</b> su \"solicitud\" & enviarle la  resolución, le comunicamos que la ayuda \
                fue concedida por el Ayuntamiento.\n\n· Don't <script>\n";
    std::fs::write(&file, text).expect("written");
    let file = file.to_str().expect("UTF-8");
    let genre = "administracion-clara/carta";
    let page = run_well(&["check", file, "--language", "es", "--genre", genre, "--format", "html"], &settings(&[]));
    let (_, article) = page.split_once("<article>").expect("an article");
    let (article, aside) = article.split_once("</article>").expect("its end");
    let mut shown = String::new();
    let mut marks = 0;
    for part in article.split('<').enumerate() {
        let (tag, words) = match part {
            (0, words) => ("", words),
            (_, part) => part.split_once('>').expect("a tag"),
        };
        let name = tag.split(' ').next().unwrap_or_default();
        assert!(["", "a", "/a", "mark", "/mark"].contains(&name), "{tag}");
        marks += usize::from(tag.starts_with("mark "));
        shown.push_str(words);
    }
    for (reference, sign) in [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#38;", "&")] {
        shown = shown.replace(reference, sign);
    }
    assert_eq!(shown, text);
    assert!(marks >= 3 && aside.contains("<ins>Para</ins>"), "{page}");
}
