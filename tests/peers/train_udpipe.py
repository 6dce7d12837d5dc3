#!/usr/bin/env python3
"""Trains a UDPipe 1 model on treebanks in CoNLL-U, for compare.py; see README.md beside this file."""

import argparse

from ufal.udpipe import InputFormat, ProcessingError, Sentence, Trainer


def sentences(paths):
    """The sentences of some treebanks, as UDPipe holds them."""
    found, error = [], ProcessingError()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        reader = InputFormat.newConlluInputFormat()
        reader.setText(text)
        sentence = Sentence()
        while reader.nextSentence(sentence, error):
            found.append(sentence)
            sentence = Sentence()
        if error.occurred():
            raise SystemExit(f"{path}: {error.message}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="file of the model to write")
    parser.add_argument("treebank", nargs="+", help="treebanks in CoNLL-U")
    parser.add_argument("--iterations", type=int, default=4, help="passes of the tagger (UDPipe's own default is 20)")
    arguments = parser.parse_args()
    error = ProcessingError()
    tagger = f"models=1;iterations={arguments.iterations}"
    training = sentences(arguments.treebank)
    model = Trainer.train("morphodita_parsito", training, [], "epochs=20", tagger, Trainer.NONE, error)
    if error.occurred():
        raise SystemExit(error.message)
    with open(arguments.model, "wb") as file:
        file.write(model)


if __name__ == "__main__":
    main()
