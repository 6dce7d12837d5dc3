//! What an editor can carry out: ready edits, suggestions, and all ready edits of a document at once.

use std::collections::{HashMap, HashSet};

use glosa_report::{Occurrence, Recommendation};
use glosa_text::Span;
use tower_lsp_server::ls_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Diagnostic, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use crate::analysis::{Analysis, clip};
use crate::words::{filled, words};

/// The kind under which all ready edits of a document are carried out.
pub(crate) const FIX_ALL: &str = "source.fixAll.glosa";

/// What is offered for a part of a document.
pub(crate) fn actions(
    analysis: &Analysis,
    uri: &Uri,
    range: Range,
    context: &CodeActionContext,
    versioned: bool,
) -> Vec<CodeActionOrCommand> {
    let wants = |kind: &str| {
        context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| kind == wanted.as_str() || kind.starts_with(&format!("{}.", wanted.as_str())))
        })
    };
    let page = Page { analysis, uri, versioned };
    let mut offered = Vec::new();
    if wants(CodeActionKind::QUICKFIX.as_str()) {
        for (said, occurrence) in analysis.touching(analysis.code_points(range)) {
            page.of_place(said, occurrence, context, &mut offered);
        }
    }
    if wants(FIX_ALL) {
        offered.extend(page.all());
    }
    offered.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

struct Page<'a> {
    analysis: &'a Analysis,
    uri: &'a Uri,
    versioned: bool,
}

impl Page<'_> {
    /// The edits of this version of the document.
    fn edit(&self, edits: Vec<TextEdit>) -> WorkspaceEdit {
        if !self.versioned {
            return WorkspaceEdit {
                changes: Some(HashMap::from([(self.uri.clone(), edits)])),
                ..WorkspaceEdit::default()
            };
        }
        let text_document =
            OptionalVersionedTextDocumentIdentifier { uri: self.uri.clone(), version: Some(self.analysis.version) };
        let change = TextDocumentEdit { text_document, edits: edits.into_iter().map(OneOf::Left).collect() };
        WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(vec![change])), ..WorkspaceEdit::default() }
    }

    fn of_place(
        &self,
        said: &Recommendation,
        occurrence: &Occurrence,
        context: &CodeActionContext,
        offered: &mut Vec<CodeAction>,
    ) {
        let own = self.analysis.diagnostic(self.uri, false, said, occurrence);
        let same = |known: &&Diagnostic| known.range == own.range && known.code == own.code;
        let mut solved: Vec<Diagnostic> = context.diagnostics.iter().filter(same).cloned().collect();
        if solved.is_empty() {
            solved.push(own);
        }
        let quick = |title: String, edits: Vec<TextEdit>, preferred: bool| CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(solved.clone()),
            edit: Some(self.edit(edits)),
            is_preferred: preferred.then_some(true),
            ..CodeAction::default()
        };
        let words = words(self.analysis.language);
        let text = clip(&occurrence.text);
        let ready = !occurrence.edits.is_empty();
        if ready {
            let title = match occurrence.replacement.as_deref() {
                Some("") => filled(&words.delete, &[("text", &text)]),
                Some(new) => filled(&words.replace, &[("text", &text), ("new", &clip(new))]),
                None => said.metric_title.clone(),
            };
            offered.push(quick(title, self.analysis.edits(occurrence), true));
        }
        let Some((start, end)) = occurrence.start.zip(occurrence.end) else { return };
        let unsure = occurrence.replacement.iter().filter(|new| !ready && !new.is_empty());
        for new in unsure.chain(&occurrence.alternatives) {
            let Some(new_text) = self.analysis.reading.words_for(Span { start, end }, new) else { continue };
            let title = filled(&words.suggest, &[("new", &clip(new))]);
            offered.push(quick(title, vec![TextEdit { range: self.analysis.range(start, end), new_text }], false));
        }
    }

    /// All ready edits, where there are any.
    fn all(&self) -> Option<CodeAction> {
        let occurrences = self.analysis.result.recommendations.iter().flat_map(|said| &said.occurrences);
        let ready: Vec<&Occurrence> = occurrences.filter(|occurrence| !occurrence.edits.is_empty()).collect();
        let mut edits: Vec<TextEdit> = ready.iter().flat_map(|occurrence| self.analysis.edits(occurrence)).collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let places: HashSet<_> = edits.iter().map(|edit| edit.range.start).collect();
        debug_assert_eq!(places.len(), edits.len(), "edits of a report never meet");
        let title = filled(&words(self.analysis.language).fix_all, &[("count", &ready.len().to_string())]);
        (!edits.is_empty()).then(|| CodeAction {
            title,
            kind: Some(CodeActionKind::new(FIX_ALL)),
            edit: Some(self.edit(edits)),
            ..CodeAction::default()
        })
    }
}
