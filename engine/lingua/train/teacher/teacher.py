#!/usr/bin/env python3
"""A slow tagger that teaches the fast one: trains a neural network on the treebanks, and tags raw text with it.

The network sees characters, the tags that the lexicon gives a form, word clusters and, for English, the small
pre-trained MiniLM; a bidirectional LSTM reads the sentence. It never ships: `glosa-train tagger` learns from the text
that it has tagged, beside the treebanks. README.md says how to run it.
"""

import argparse
import glob
import lzma
import os
import random
import re
import time
from collections import Counter, defaultdict
from contextlib import nullcontext

import torch
from torch import nn
from torch.nn import functional

HELD_OUT_EVERY = 6
BATCH_WORDS = 1500
LONGEST_SENTENCE = 200
LONGEST_WORD = 24
LONGEST_INPUT = 500
MOST_PIECES = 8
MOST_CHOICES = 4
SURE = 0.98
LEAST_CHANCE = 0.02
UNKNOWN = 1
IGNORED = -100
LANGUAGES = {"es": 0, "ca": 1, "en": 2}
# Languages whose lexicon tags begin with V for verbs and hold no proper names in lower case: it may overrule the teacher.
CHECKED = {"es", "ca"}

# Source 0 is the treebank whose conventions are wanted; (number, language, file, times it is seen).
TREEBANKS = {
    "en": [
        (0, "en", "en/train/en_ewt-train.conllu", 1),
        (1, "en", "en/train/en_gum-open-train.conllu", 1),
    ],
    "ca": [
        (0, "ca", "ca/train/ca_ancora-dev-2021-10-29.lemmafix.conllu", 2),
        (1, "es", "es/train/es_ancora-dev-2021-10-29.conllu", 1),
        (2, "ca", "ca/train/ca_silver-projected-from-es.conllu", 1),
        (3, "es", "es/train/es_cess-nltk-converted.conllu", 1),
    ],
}
HELD_OUT = {"en": "en/dev/en_ewt-dev.conllu"}


def lines_of(path):
    """The lines of a file, packed with xz or not."""
    opened = open(path, encoding="utf-8") if os.path.exists(path) else lzma.open(path + ".xz", "rt", encoding="utf-8")
    with opened:
        for line in opened:
            yield line.rstrip("\n")


def documents(path):
    """The documents of a treebank: sentences of (form, part of speech and features)."""
    found, document, sentence, fresh = [], [], [], False
    for line in lines_of(path):
        if line.startswith("# newdoc"):
            fresh = True
        elif line and not line.startswith("#"):
            fields = line.split("\t")
            if "-" not in fields[0] and "." not in fields[0]:
                sentence.append((fields[1], fields[3] + "|" + (fields[5] if fields[5] != "_" else "")))
        elif not line and sentence:
            if fresh and document:
                found.append(document)
                document = []
            fresh = False
            document.append(sentence)
            sentence = []
    if sentence:
        document.append(sentence)
    return found + [document] if document else found


def treebanks(language, data):
    """Training and held-out sentences, each with the number of its source and its language."""
    training, held_out = [], []
    for source, of, path, times in TREEBANKS[language]:
        for number, document in enumerate(documents(f"{data}/{path}"), 1):
            examples = [(sentence, source, of) for sentence in document]
            if language not in HELD_OUT and source < 2 and number % HELD_OUT_EVERY == 0:
                held_out += examples
            else:
                training += examples * times
    if language in HELD_OUT:
        held_out = [(s, 0, language) for document in documents(f"{data}/{HELD_OUT[language]}") for s in document]
    return training, held_out


def plain(form):
    return form.replace("’", "'").replace("ʼ", "'")


def lexicon_tags(language, forms, data):
    """The tags that the lexicon gives some forms and their lower-case forms."""
    wanted, tags = forms | {form.lower() for form in forms}, defaultdict(set)
    for line in lines_of(f"{data}/{language}/lexicon/languagetool_{language}.tsv"):
        form, _, tag = line.split("\t")[:3]
        if form in wanted:
            tags[form].add(tag)
    return tags


def clusters(language, data):
    path = f"{data}/{language}/lexicon/spacy_cluster_{language}.tsv"
    if not os.path.exists(path):
        return {}
    rows = (line.split("\t") for line in lines_of(path))
    return {form: int(cluster) for form, cluster in rows}


class Encoder:
    """Numbers for words, characters, lexicon tags, clusters and tags; sentences to tensors."""

    KINDS = ("word", "char", "lexicon", "cluster", "tag")

    def __init__(self, data, examples, numbers=None):
        self.numbers = numbers or {kind: {"<none>": 0, "<unknown>": UNKNOWN} for kind in self.KINDS}
        if numbers is None:
            self.numbers["tag"] = {}
        forms = defaultdict(set)
        for sentence, _, language in examples:
            forms[language].update(plain(form) for form, _ in sentence)
        self.lexica = {language: lexicon_tags(language, of, data) for language, of in forms.items()}
        self.clusters = {language: clusters(language, data) for language in forms}
        self.types, self.pieces, self.tokenizer = {}, {}, None

    def learn(self, examples):
        """Numbers all that training sentences hold."""
        counts = Counter()
        for sentence, _, language in examples:
            for form, tag in sentence:
                counts[language + plain(form).lower()] += 1
                self.number("tag", tag, grow=True)
        for word, count in counts.items():
            if count > 1:
                self.number("word", word, grow=True)
        for sentence, _, language in examples:
            for form, _ in sentence:
                self.type_of(form, language, grow=True)

    def number(self, kind, key, grow=False):
        numbers = self.numbers[kind]
        return numbers.setdefault(key, len(numbers)) if grow else numbers.get(key, UNKNOWN)

    def type_of(self, form, language, grow=False):
        """What is known of a form without its sentence."""
        if (form, language) in self.types:
            return self.types[form, language]
        written = plain(form)
        lower = written.lower()
        tags = ["A:" + tag for tag in sorted(self.lexica[language].get(written, ()))]
        if lower != written:
            tags += ["B:" + tag for tag in sorted(self.lexica[language].get(lower, ()))]
        cluster = self.clusters[language].get(form) or self.clusters[language].get(lower) or 0
        paths = [f"{language}{bits}:{cluster & ((1 << bits) - 1)}" for bits in (4, 6, 8, 12, 16)] if cluster else []
        chars = "^" + re.sub(r"\d", "0", form)[:LONGEST_WORD] + "$"
        capitals = [written[:1].isupper(), written.isupper() and len(written) > 1, any(c.isdigit() for c in written)]
        found = (
            [self.number("char", c, grow) for c in chars],
            [self.number("lexicon", tag, grow) for tag in tags or ["none"]],
            [self.number("cluster", path, grow) for path in paths or ["none"]],
            [float(c) for c in capitals],
        )
        self.types[form, language] = found
        return found

    def batch(self, examples, hide=0.0):
        """Tensors of some sentences and their tags; `hide` is the share of words that are made unknown."""
        size = (len(examples), max(len(sentence) for sentence, _, _ in examples))
        words, places, gold = torch.zeros(size).long(), torch.zeros(size).long(), torch.full(size, IGNORED)
        numbers, rows = {}, []
        for i, (sentence, _, language) in enumerate(examples):
            for j, (form, tag) in enumerate(sentence):
                if (form, language) not in numbers:
                    numbers[form, language] = len(numbers)
                    rows.append(self.type_of(form, language))
                places[i, j] = numbers[form, language]
                hidden = hide > 0 and random.random() < hide
                words[i, j] = UNKNOWN if hidden else self.number("word", language + plain(form).lower())
                gold[i, j] = self.numbers["tag"].get(tag, IGNORED)

        def padded(column):
            longest = max(len(row[column]) for row in rows)
            return torch.tensor([row[column] + [0] * (longest - len(row[column])) for row in rows])

        batch = {
            "chars": padded(0),
            "lexicon": padded(1),
            "clusters": padded(2),
            "capitals": torch.tensor([row[3] for row in rows]),
            "places": places,
            "words": words,
            "source": torch.tensor([source for _, source, _ in examples]),
            "language": torch.tensor([LANGUAGES[language] for _, _, language in examples]),
            "lengths": torch.tensor([len(sentence) for sentence, _, _ in examples]),
        }
        if self.tokenizer:
            self.add_pieces(batch, examples, size)
        return batch, gold

    def add_pieces(self, batch, examples, size):
        """The word pieces of the pre-trained network, and the first and last one of each word."""
        start, end, unknown = (self.tokenizer.convert_tokens_to_ids(t) for t in ("[CLS]", "[SEP]", "[UNK]"))
        first, last, rows = torch.zeros(size).long(), torch.zeros(size).long(), []
        for i, (sentence, _, _) in enumerate(examples):
            row = [start]
            for j, (form, _) in enumerate(sentence):
                if form not in self.pieces:
                    pieces = self.tokenizer.encode(form, add_special_tokens=False) or [unknown]
                    self.pieces[form] = pieces[:MOST_PIECES]
                pieces = self.pieces[form]
                if len(row) + len(pieces) > LONGEST_INPUT:
                    first[i, j] = last[i, j] = len(row) - 1
                    continue
                first[i, j] = len(row)
                row += pieces
                last[i, j] = len(row) - 1
            rows.append(row + [end])
        longest = max(map(len, rows))
        batch["ids"] = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        batch["mask"] = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        batch["first"], batch["last"] = first, last


class Teacher(nn.Module):
    """Characters, lexicon, clusters (and MiniLM) to tags through a bidirectional LSTM."""

    def __init__(self, encoder, pretrained, hidden=200):
        super().__init__()
        size = {kind: len(numbers) for kind, numbers in encoder.numbers.items()}
        self.word = nn.Embedding(size["word"], 64, padding_idx=0)
        self.char = nn.Embedding(size["char"], 32, padding_idx=0)
        self.narrow = nn.Conv1d(32, 64, 3, padding=1)
        self.wide = nn.Conv1d(32, 64, 5, padding=2)
        self.lexicon = nn.EmbeddingBag(size["lexicon"], 64, mode="sum", padding_idx=0)
        self.cluster = nn.EmbeddingBag(size["cluster"], 64, mode="sum", padding_idx=0)
        self.source, self.language = nn.Embedding(4, 8), nn.Embedding(len(LANGUAGES), 8)
        width, layers, self.pretrained = 64 + 128 + 64 + 64 + 3 + 8 + 8, 2, None
        if pretrained:
            from transformers import AutoModel

            self.pretrained = AutoModel.from_pretrained(pretrained, add_pooling_layer=False)
            width, layers = width + self.pretrained.config.hidden_size, 1
        self.drop = nn.Dropout(0.3)
        dropout = 0.3 if layers > 1 else 0.0
        self.lstm = nn.LSTM(width, hidden, layers, bidirectional=True, batch_first=True, dropout=dropout)
        self.out = nn.Linear(2 * hidden, size["tag"])

    def forward(self, batch):
        chars = self.char(batch["chars"]).transpose(1, 2)
        seen = torch.cat([self.narrow(chars), self.wide(chars)], 1)
        seen = seen.masked_fill((batch["chars"] == 0).unsqueeze(1), -1e4).max(2).values
        types = [torch.relu(seen), self.lexicon(batch["lexicon"]), self.cluster(batch["clusters"]), batch["capitals"]]
        words = torch.cat(types, 1)[batch["places"]]
        length = words.shape[1]
        everywhere = [self.source(batch["source"]), self.language(batch["language"])]
        parts = [self.word(batch["words"]), words] + [v.unsqueeze(1).expand(-1, length, -1) for v in everywhere]
        if self.pretrained is not None:
            bfloat = torch.autocast("cpu", dtype=torch.bfloat16)
            with bfloat if batch["ids"].device.type == "cpu" else nullcontext():
                pieces = self.pretrained(input_ids=batch["ids"], attention_mask=batch["mask"]).last_hidden_state
            pieces = pieces.float()
            at = lambda place: pieces.gather(1, batch[place].unsqueeze(2).expand(-1, -1, pieces.shape[2]))
            parts.append((at("first") + at("last")) / 2)
        read = self.drop(torch.cat(parts, 2))
        packed = nn.utils.rnn.pack_padded_sequence(read, batch["lengths"], batch_first=True, enforce_sorted=False)
        context, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=length)
        return self.out(self.drop(context))


def batches(examples, words, shuffle):
    """Groups of sentences of like length, as their numbers."""
    jitter = 3 if shuffle else 0
    order = sorted(range(len(examples)), key=lambda i: len(examples[i][0]) + random.random() * jitter)
    groups, group = [], []
    for i in order:
        if group and (len(group) + 1) * len(examples[i][0]) > words:
            groups.append(group)
            group = []
        group.append(i)
    groups.append(group)
    if shuffle:
        random.shuffle(groups)
    return groups


@torch.no_grad()
def score(teacher, encoder, examples):
    """Parts of speech and features that are right, by language."""
    teacher.eval()
    tags, right = list(encoder.numbers["tag"]), Counter()
    for group in batches(examples, 4000, False):
        some = [examples[i] for i in group]
        best = teacher(encoder.batch(some)[0]).argmax(2)
        for i, (sentence, _, language) in enumerate(some):
            for j, (_, gold) in enumerate(sentence):
                (pos, feats), (gold_pos, gold_feats) = tags[best[i, j]].split("|", 1), gold.split("|", 1)
                right[language, "all"] += 1
                right[language, "UPOS"] += pos == gold_pos
                right[language, "FEATS"] += feats == gold_feats
    rows = []
    for language in sorted({key[0] for key in right}):
        share = lambda what: 100 * right[language, what] / right[language, "all"]
        rows.append(f"{language} UPOS {share('UPOS'):.2f} FEATS {share('FEATS'):.2f} of {right[language, 'all']} words")
    return ", ".join(rows)


def train(arguments):
    training, held_out = treebanks(arguments.language, arguments.data)
    encoder = Encoder(arguments.data, training + held_out)
    encoder.learn(training)
    teacher = Teacher(encoder, load_tokenizer(encoder, arguments.pretrained))
    fine = [p for name, p in teacher.named_parameters() if name.startswith("pretrained")]
    own = [p for name, p in teacher.named_parameters() if not name.startswith("pretrained")]
    groups = [{"params": own, "lr": 2e-3}] + ([{"params": fine, "lr": 1.5e-4}] if fine else [])
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))
    steps = len(batches(training, BATCH_WORDS, False)) * arguments.epochs
    slope = lambda step: min(1, (step + 1) / 200) * max(0.02, 1 - step / steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, slope)
    for epoch in range(arguments.epochs):
        teacher.train()
        start = time.time()
        for group in batches(training, BATCH_WORDS, True):
            batch, gold = encoder.batch([training[i] for i in group], hide=0.15)
            scores = teacher(batch)
            flat = scores.view(-1, scores.shape[-1])
            loss = functional.cross_entropy(flat, gold.view(-1), ignore_index=IGNORED, label_smoothing=0.03)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(teacher.parameters(), 2.0)
            optimizer.step()
            schedule.step()
        print(f"pass {epoch + 1}, {time.time() - start:.0f} s: {score(teacher, encoder, held_out)}", flush=True)
        torch.save({"weights": teacher.state_dict(), "numbers": encoder.numbers}, arguments.teacher)


def believable(form, first, pos, tags_of):
    """Whether the lexicon bears a part of speech out: news hold few first and second persons, and hardly any commands."""
    tags = tags_of.get(plain(form).lower(), ())
    if first and pos == "PROPN" and tags:
        return False
    only_verb = bool(tags) and all(tag.startswith("V") for tag in tags)
    return not only_verb or pos in ("VERB", "AUX", "ADJ")


def as_misc(tag, chance):
    """A tag and its probability in the last column, where `|` parts the values."""
    pos, feats = tag.split("|", 1)
    return f"{pos}/{feats.replace('|', ',')}:{chance:.2f}"


@torch.no_grad()
def tag(arguments):
    blocks = "\n".join(lines_of(arguments.text)).split("\n\n")
    is_word = lambda line: line and not line.startswith("#") and not set("-.") & set(line.split("\t", 1)[0])
    examples, numbers = [], []
    for number, block in enumerate(blocks):
        sentence = [(line.split("\t")[1], "") for line in block.split("\n") if is_word(line)]
        if 0 < len(sentence) < LONGEST_SENTENCE:
            examples.append((sentence, 0, arguments.language))
            numbers.append(number)
    saved = torch.load(arguments.teacher)
    encoder = Encoder(arguments.data, examples, saved["numbers"])
    teacher = Teacher(encoder, load_tokenizer(encoder, arguments.pretrained))
    teacher.load_state_dict(saved["weights"])
    teacher.eval()
    tags, tagged = list(encoder.numbers["tag"]), {}
    for group in batches(examples, 4000, False):
        best = teacher(encoder.batch([examples[i] for i in group])[0]).softmax(2).topk(MOST_CHOICES, 2)
        for i, example in enumerate(group):
            length = len(examples[example][0])
            words = zip(best.indices[i, :length].tolist(), best.values[i, :length].tolist())
            tagged[numbers[example]] = [[(tags[c], chance) for c, chance in zip(*word)] for word in words]
    with open(arguments.tagged, "w", encoding="utf-8") as out:
        for number in sorted(tagged):
            words, first = iter(tagged[number]), True
            for line in blocks[number].split("\n"):
                if is_word(line):
                    fields, choices = line.split("\t"), next(words)
                    pos, feats = choices[0][0].split("|", 1)
                    right = arguments.language not in CHECKED or believable(
                        fields[1], first, pos, encoder.lexica[arguments.language]
                    )
                    first = False
                    fields[3], fields[5] = (pos, feats or "_") if right else ("_", "_")
                    fields[9] = "Silver=Yes" if fields[9] == "_" else fields[9] + "|Silver=Yes"
                    if right and choices[0][1] < SURE:
                        fields[9] += "|Chances=" + ";".join(as_misc(*c) for c in choices if c[1] > LEAST_CHANCE)
                    line = "\t".join(fields)
                out.write(line + "\n")
            out.write("\n")


def load_tokenizer(encoder, package):
    """The folder of the pre-trained network inside an installed package, once its tokenizer is at hand."""
    if not package:
        return None
    from importlib.util import find_spec
    from transformers import AutoTokenizer

    root = find_spec(package).submodule_search_locations[0]
    folder = next(os.path.dirname(path) for path in glob.glob(f"{root}/**/tokenizer_config.json", recursive=True))
    encoder.tokenizer = AutoTokenizer.from_pretrained(folder)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="data", help="folder with the treebanks and lexica")
    parser.add_argument("--teacher", required=True, help="file of the trained network")
    parser.add_argument("--pretrained", help="installed package with the pre-trained network (English)")
    parser.add_argument("--threads", type=int, default=1)
    tasks = parser.add_subparsers(dest="task", required=True)
    training = tasks.add_parser("train", help="train a teacher; its score on held-out documents is printed")
    training.add_argument("language", choices=sorted(TREEBANKS))
    training.add_argument("--epochs", type=int, default=8)
    tagging = tasks.add_parser("tag", help="tag the CoNLL-U of `glosa annotate`")
    tagging.add_argument("language", choices=sorted(TREEBANKS))
    tagging.add_argument("text", help="CoNLL-U with words, whose tags are replaced")
    tagging.add_argument("tagged", help="where it goes: <data>/<language>/train/<language>_tagged.conllu")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    random.seed(1)
    train(arguments) if arguments.task == "train" else tag(arguments)


if __name__ == "__main__":
    main()
