#!/usr/bin/env python3
"""Speed and accuracy of glosa, spaCy and UDPipe on one raw text; see README.md beside this file."""

import argparse
import resource
import subprocess
import sys
import tempfile
import time


def read_conllu(text):
    """Sentences of a CoNLL-U text: lists of (form, is_range, upos, feats, lemma) in surface order."""
    sentences, tokens, inside = [], [], 0
    for line in text.splitlines() + [""]:
        if not line:
            if tokens:
                sentences.append(tokens)
            tokens, inside = [], 0
            continue
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if "." in fields[0]:
            continue
        if "-" in fields[0]:
            inside = int(fields[0].split("-")[1])
            tokens.append((fields[1], True, "_", "_", "_"))
        elif int(fields[0]) > inside:
            tokens.append((fields[1], False, fields[3], fields[5], fields[2]))
    return sentences


def raw_text(conllu):
    """The raw text of a treebank: sentences by spaces, paragraphs and documents by blank lines."""
    parts, fresh = [], False
    for line in conllu.splitlines():
        if line.startswith("# newdoc") or line.startswith("# newpar"):
            fresh = True
        elif line.startswith("# text = "):
            parts.append(("\n\n" if fresh and parts else " " if parts else "") + line[9:])
            fresh = False
    return "".join(parts) + "\n"


def spans(sentences):
    """Tokens and sentences by their place among the characters that are no white space."""
    tokens, bounds, at = {}, set(), 0
    for sentence in sentences:
        start = at
        for form, is_range, upos, feats, lemma in sentence:
            length = len("".join(form.split()))
            tokens[(at, at + length)] = (is_range, upos, feats, lemma)
            at += length
        bounds.add((start, at))
    return tokens, bounds


def f1(gold, found):
    return 200.0 * len(set(gold) & set(found)) / max(len(gold) + len(found), 1)


def scores(gold, found):
    gold_tokens, gold_bounds = spans(gold)
    tokens, bounds = spans(found)
    single = {place: word for place, word in gold_tokens.items() if not word[0]}
    right = [0, 0, 0]
    for place, word in single.items():
        other = tokens.get(place)
        if other and not other[0]:
            for column in range(3):
                right[column] += word[column + 1] == other[column + 1]
    shares = [100.0 * n / max(len(single), 1) for n in right]
    return shares + [f1(gold_bounds, bounds), f1(gold_tokens, tokens)]


def with_runtime(trainer, language, text):
    """The runtime inside the trainer, `glosa-train speed`: its own words per CPU second, without start and output."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/{language}.txt", "w", encoding="utf-8") as file:
            file.write(text)
        command = [trainer, "--data", folder, "--language", language, "speed", folder]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    words_per_second = float(done.stdout.split(":", 1)[1].split()[0])
    return None, len(text.split()) / words_per_second


def with_glosa(binary, language, text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([binary, "annotate", file.name, "--language", language], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return read_conllu(done.stdout.decode("utf-8")), seconds


def with_spacy(model, text):
    import spacy

    nlp = spacy.load(model)
    nlp.max_length = len(text) + 1
    paragraphs = [p for p in text.split("\n\n") if p.strip()]
    list(nlp.pipe(paragraphs[:3]))
    start = time.process_time()
    sentences = []
    for doc in nlp.pipe(paragraphs):
        for sentence in doc.sents:
            tokens = [(t.text, False, t.pos_, str(t.morph) or "_", t.lemma_) for t in sentence if t.text.strip()]
            if tokens:
                sentences.append(tokens)
    return sentences, time.process_time() - start


def with_udpipe(path, text):
    from ufal.udpipe import Model, Pipeline, ProcessingError

    model = Model.load(path)
    if model is None:
        raise RuntimeError(f"{path} is no UDPipe 1 model; PyPI has none, README.md says how to train one")
    pipeline = Pipeline(model, "tokenize", Pipeline.DEFAULT, Pipeline.NONE, "conllu")
    start = time.process_time()
    out = pipeline.process(text, ProcessingError())
    return read_conllu(out), time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", required=True, choices=["es", "ca", "en"])
    parser.add_argument("--gold", help="treebank in CoNLL-U: scores and speed")
    parser.add_argument("--text", help="raw text: speed alone")
    parser.add_argument("--runtime", help="the glosa-train binary: speed of the runtime alone")
    parser.add_argument("--glosa", help="the glosa binary: start, analysis and output")
    parser.add_argument("--spacy", help="name of an installed spaCy model")
    parser.add_argument("--udpipe", help="file of a UDPipe 1 model")
    arguments = parser.parse_args()
    if not arguments.gold and not arguments.text:
        parser.error("give --gold or --text")
    gold = None
    if arguments.gold:
        with open(arguments.gold, encoding="utf-8") as file:
            conllu = file.read()
        gold, text = read_conllu(conllu), raw_text(conllu)
    else:
        with open(arguments.text, encoding="utf-8") as file:
            text = file.read()
    words = len(text.split())
    runs = []
    if arguments.runtime:
        runs.append(("glosa-lingua", lambda: with_runtime(arguments.runtime, arguments.language, text)))
    if arguments.glosa:
        runs.append(("glosa annotate, start and output", lambda: with_glosa(arguments.glosa, arguments.language, text)))
    if arguments.spacy:
        runs.append((f"spaCy {arguments.spacy}", lambda: with_spacy(arguments.spacy, text)))
    if arguments.udpipe:
        runs.append(("UDPipe", lambda: with_udpipe(arguments.udpipe, text)))
    print(f"{words} words")
    fastest = None
    for name, run in runs:
        try:
            found, seconds = run()
        except (ImportError, OSError, RuntimeError) as cause:
            first = str(cause).splitlines()[0] if str(cause) else type(cause).__name__
            print(f"{name}: left out ({first})", file=sys.stderr)
            continue
        speed = words / max(seconds, 1e-9)
        fastest = fastest or speed
        row = f"{name:32} {speed:12,.0f} words/CPU s  1 : {fastest / speed:.0f}"
        if gold and found is not None:
            upos, feats, lemma, sentences, tokens = scores(gold, found)
            row += f"  UPOS {upos:.2f}  FEATS {feats:.2f}  lemma {lemma:.2f}  sentences {sentences:.2f}  tokens {tokens:.2f}"
        print(row)


if __name__ == "__main__":
    main()
