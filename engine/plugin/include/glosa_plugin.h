/* The binary interface of glosa plugins. Generated from engine/plugin/src/abi.rs; do not edit.
 * Everything is borrowed for the duration of the call, and the receiver copies.
 * A plugin exports one function: const glosa_plugin *glosa_plugin_NAME(void); */

#ifndef GLOSA_PLUGIN_H
#define GLOSA_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * First number of the interface version; another first number is another interface.
 */
#define GLOSA_ABI_MAJOR 0

/**
 * Second number of the interface version; that of a plugin may be lower than that of the host, not higher.
 */
#define GLOSA_ABI_MINOR 2

/**
 * The earliest second number that a host of this version still loads.
 */
#define GLOSA_ABI_EARLIEST 1

/**
 * All went well.
 */
#define GLOSA_OK 0

/**
 * No such parameter, glossary, row or column.
 */
#define GLOSA_UNKNOWN 1

/**
 * The parameter has another type than was asked for.
 */
#define GLOSA_MISMATCH 2

/**
 * An argument is not valid: a span outside the text, bytes that are not UTF-8, a struct that is too small.
 */
#define GLOSA_INVALID 3

/**
 * The host wants the metric to stop.
 */
#define GLOSA_STOPPED 4

/**
 * The metric gave up; `fail` says why.
 */
#define GLOSA_FAILED 5

/**
 * The metric panicked; `fail` says why.
 */
#define GLOSA_PANICKED 6

/**
 * Spanish: the number of the language in a document; `1 << GLOSA_ES` in a set of languages.
 */
#define GLOSA_ES 0

/**
 * Catalan.
 */
#define GLOSA_CA 1

/**
 * English.
 */
#define GLOSA_EN 2

/**
 * The metric calculates one number.
 */
#define GLOSA_MEASUREMENT 0

/**
 * The metric finds issues.
 */
#define GLOSA_RULE 1

/**
 * A paragraph.
 */
#define GLOSA_PARAGRAPH 0

/**
 * A heading.
 */
#define GLOSA_HEADING 1

/**
 * An item of a list.
 */
#define GLOSA_LIST_ITEM 2

/**
 * A whole number.
 */
#define GLOSA_INTEGER 0

/**
 * A number with decimals; a parameter that is a whole number can be read as one.
 */
#define GLOSA_NUMBER 1

/**
 * True or false.
 */
#define GLOSA_FLAG 2

/**
 * A word.
 */
#define GLOSA_TEXT 3

/**
 * A list of words.
 */
#define GLOSA_LIST 4

/**
 * White space (or the start of the text) stands before the token.
 */
#define GLOSA_SPACE_BEFORE 1

/**
 * The first letter of the token is a capital.
 */
#define GLOSA_CAPITALISED 2

/**
 * All letters of the token are capitals.
 */
#define GLOSA_ALL_CAPS 4

/**
 * The token has a letter.
 */
#define GLOSA_WORD 8

/**
 * The token has digits and no letter.
 */
#define GLOSA_DIGITS 16

/**
 * The token is punctuation only.
 */
#define GLOSA_PUNCTUATION 32

/**
 * The lexicon of the language knows the token.
 */
#define GLOSA_KNOWN 64

/**
 * The metric requires syllables.
 */
#define GLOSA_NEEDS_SYLLABLES 1

/**
 * The metric requires lemmas.
 */
#define GLOSA_NEEDS_LEMMA 2

/**
 * The metric requires parts of speech.
 */
#define GLOSA_NEEDS_POS 4

/**
 * The metric requires morphological features.
 */
#define GLOSA_NEEDS_MORPH 8

/**
 * The metric requires the making of inflected forms.
 */
#define GLOSA_NEEDS_INFLECT 16

/**
 * The metric requires frequencies of words.
 */
#define GLOSA_NEEDS_FREQUENCY 32

/**
 * The metric requires dependency trees.
 */
#define GLOSA_NEEDS_DEPENDENCY 64

/**
 * The sentence index of a heading, which is no sentence.
 */
#define GLOSA_NO_INDEX 4294967295

/**
 * No token or clause: the head of a root, a subject that is left out.
 */
#define GLOSA_NONE 4294967295

/**
 * The clause of the root.
 */
#define GLOSA_CLAUSE_MAIN 0

/**
 * A clause joined to another one.
 */
#define GLOSA_CLAUSE_COORDINATE 1

/**
 * A clause beside another one, without a word that joins them.
 */
#define GLOSA_CLAUSE_INSERTED 2

/**
 * A relative clause.
 */
#define GLOSA_CLAUSE_RELATIVE 3

/**
 * A clause that is subject, object or content.
 */
#define GLOSA_CLAUSE_COMPLEMENT 4

/**
 * A condition.
 */
#define GLOSA_CLAUSE_CONDITIONAL 5

/**
 * A cause.
 */
#define GLOSA_CLAUSE_CAUSAL 6

/**
 * A purpose.
 */
#define GLOSA_CLAUSE_PURPOSE 7

/**
 * A time.
 */
#define GLOSA_CLAUSE_TEMPORAL 8

/**
 * A concession.
 */
#define GLOSA_CLAUSE_CONCESSIVE 9

/**
 * A result.
 */
#define GLOSA_CLAUSE_RESULT 10

/**
 * A comparison or contrast.
 */
#define GLOSA_CLAUSE_COMPARATIVE 11

/**
 * Any other adverbial clause.
 */
#define GLOSA_CLAUSE_ADVERBIAL 12

/**
 * A string: UTF-8, not terminated. A null `ptr` is an absent string, which is not an empty one.
 */
typedef struct {
  /**
   * First byte.
   */
  const uint8_t *ptr;
  /**
   * Number of bytes.
   */
  size_t len;
} glosa_str;

/**
 * An array whose items lie `stride` bytes apart; `stride` is at least the size of the item that the reader knows.
 */
typedef struct {
  /**
   * First item; null only when `count` is 0.
   */
  const void *items;
  /**
   * Number of items.
   */
  uint32_t count;
  /**
   * Bytes from one item to the next.
   */
  uint32_t stride;
} glosa_array;

/**
 * A half-open range: code points of the text, bytes of the text, or numbers of tokens, words or sentences.
 */
typedef struct {
  /**
   * First.
   */
  uint32_t start;
  /**
   * One after the last.
   */
  uint32_t end;
} glosa_range;

/**
 * A surface token.
 */
typedef struct {
  /**
   * Place in code points.
   */
  glosa_range span;
  /**
   * Place in bytes.
   */
  glosa_range bytes;
  /**
   * Symbol of the form as written.
   */
  uint32_t form;
  /**
   * Symbol of the normal form: lower case, composed, straight apostrophe.
   */
  uint32_t norm;
  /**
   * Symbol of the lemma of its first syntactic word.
   */
  uint32_t lemma;
  /**
   * Symbol of the Universal Dependencies features of its first syntactic word; the empty string without any.
   */
  uint32_t feats;
  /**
   * Number of its sentence.
   */
  uint32_t sentence;
  /**
   * Its syntactic words; empty unless it has two or more.
   */
  glosa_range parts;
  /**
   * Universal part of speech: its number in the alphabetical list from ADJ (0) to X (16).
   */
  uint8_t pos;
  /**
   * Facts of its form: GLOSA_SPACE_BEFORE to GLOSA_KNOWN.
   */
  uint8_t flags;
  /**
   * Zipf frequency times 10; 0 is unknown.
   */
  uint8_t zipf;
  /**
   * Always 0.
   */
  uint8_t reserved;
} glosa_token;

/**
 * A syntactic word of a contraction or of a verb with clitics.
 */
typedef struct {
  /**
   * Symbol of its form.
   */
  uint32_t form;
  /**
   * Symbol of its lemma.
   */
  uint32_t lemma;
  /**
   * Symbol of its features.
   */
  uint32_t feats;
  /**
   * Universal part of speech, as in a token.
   */
  uint32_t pos;
} glosa_part;

/**
 * A sentence, a list item's sentence or a whole heading.
 */
typedef struct {
  /**
   * Place in code points, surrounding white space excluded.
   */
  glosa_range span;
  /**
   * Place in bytes.
   */
  glosa_range bytes;
  /**
   * Its tokens.
   */
  glosa_range tokens;
  /**
   * Its orthographic words.
   */
  glosa_range words;
  /**
   * Number of its block.
   */
  uint32_t block;
  /**
   * Its number among the sentences of the document; GLOSA_NO_INDEX for a heading.
   */
  uint32_t index;
} glosa_sentence;

/**
 * A paragraph, heading or list item.
 */
typedef struct {
  /**
   * Place in code points, markers included.
   */
  glosa_range span;
  /**
   * Place in bytes, markers included.
   */
  glosa_range bytes;
  /**
   * Place in bytes without bullet, number or Markdown marks.
   */
  glosa_range content;
  /**
   * Its sentence units.
   */
  glosa_range sentences;
  /**
   * GLOSA_PARAGRAPH, GLOSA_HEADING or GLOSA_LIST_ITEM.
   */
  uint32_t kind;
} glosa_block;

/**
 * An orthographic word: what writers count.
 */
typedef struct {
  /**
   * Place in code points.
   */
  glosa_range span;
  /**
   * Place in bytes.
   */
  glosa_range bytes;
  /**
   * Number of its sentence unit.
   */
  uint32_t sentence;
  /**
   * Syllables; 0 where they are not counted.
   */
  uint16_t syllables;
  /**
   * Letters.
   */
  uint16_t letters;
} glosa_word;

/**
 * The analysed text.
 */
typedef struct {
  /**
   * Size of this struct in bytes, as the host knows it.
   */
  uint32_t size;
  /**
   * GLOSA_ES, GLOSA_CA or GLOSA_EN.
   */
  uint32_t language;
  /**
   * The submitted text, untouched.
   */
  glosa_str text;
  /**
   * Its code points.
   */
  uint32_t code_points;
  /**
   * Surface tokens in reading order: items are `glosa_token`.
   */
  glosa_array tokens;
  /**
   * Syntactic words of contractions: items are `glosa_part`.
   */
  glosa_array parts;
  /**
   * Sentence units in reading order: items are `glosa_sentence`.
   */
  glosa_array sentences;
  /**
   * Blocks in reading order: items are `glosa_block`.
   */
  glosa_array blocks;
  /**
   * Orthographic words in reading order: items are `glosa_word`.
   */
  glosa_array words;
  /**
   * The string table: items are `glosa_str`; symbol 0 is the empty string.
   */
  glosa_array symbols;
} glosa_document;

/**
 * The value of a parameter. Only the member that `kind` names is set.
 */
typedef struct {
  /**
   * GLOSA_INTEGER to GLOSA_LIST.
   */
  uint32_t kind;
  /**
   * For GLOSA_FLAG.
   */
  bool flag;
  /**
   * For GLOSA_INTEGER.
   */
  int64_t integer;
  /**
   * For GLOSA_NUMBER.
   */
  double number;
  /**
   * For GLOSA_TEXT.
   */
  glosa_str text;
  /**
   * For GLOSA_LIST: items are `glosa_str`.
   */
  glosa_array list;
} glosa_value;

/**
 * A change of the text; an empty text deletes, an empty span inserts.
 */
typedef struct {
  /**
   * What is replaced, in code points.
   */
  glosa_range span;
  /**
   * What stands there afterwards.
   */
  glosa_str text;
} glosa_edit;

/**
 * A connector inside a long sentence.
 */
typedef struct {
  /**
   * Its place in code points.
   */
  glosa_range span;
  /**
   * The relation that it expresses.
   */
  glosa_str relation;
  /**
   * Connectors that can open the second half: items are `glosa_str`.
   */
  glosa_array alternatives;
} glosa_connector;

/**
 * A value that the wording may show: a whole number, a number or a text.
 */
typedef struct {
  /**
   * Its name, as the wording writes it between braces.
   */
  glosa_str name;
  /**
   * GLOSA_INTEGER, GLOSA_NUMBER or GLOSA_TEXT.
   */
  uint32_t kind;
  /**
   * For GLOSA_INTEGER.
   */
  int64_t integer;
  /**
   * For GLOSA_NUMBER.
   */
  double number;
  /**
   * For GLOSA_TEXT.
   */
  glosa_str text;
} glosa_fact;

/**
 * One occurrence of a rule.
 */
typedef struct {
  /**
   * Size of this struct in bytes, as the plugin knows it.
   */
  uint32_t size;
  /**
   * Where, in code points. Ignored when `missing` is set.
   */
  glosa_range span;
  /**
   * Name of something that is not in the text, such as a missing section; null for a finding with a place.
   */
  glosa_str missing;
  /**
   * Further places of the same unit, without the first: items are `glosa_range`.
   */
  glosa_array also;
  /**
   * Preferred replacement of the whole place; null without one.
   */
  glosa_str replacement;
  /**
   * Other replacements: items are `glosa_str`.
   */
  glosa_array alternatives;
  /**
   * Changes that carry out the replacement: items are `glosa_edit`.
   */
  glosa_array edits;
  /**
   * Connectors inside the place: items are `glosa_connector`.
   */
  glosa_array connectors;
  /**
   * Values for the wording: items are `glosa_fact`.
   */
  glosa_array facts;
} glosa_finding;

/**
 * What the host offers during one call of `run`. `ctx` is the first argument of all its functions.
 */
typedef struct {
  /**
   * Size of this struct in bytes, as the host knows it.
   */
  uint32_t size;
  /**
   * First argument of every function.
   */
  void *ctx;
  /**
   * Reads a parameter as a type (GLOSA_INTEGER to GLOSA_LIST). The host notes that it was read.
   */
  uint32_t (*param)(void *ctx, glosa_str key, uint32_t kind, glosa_value *out);
  /**
   * Adds an occurrence; the host copies it.
   */
  uint32_t (*find)(void *ctx, const glosa_finding *finding);
  /**
   * Sets the value of a measurement to a whole number.
   */
  uint32_t (*measure_integer)(void *ctx, int64_t value);
  /**
   * Sets the value of a measurement to a number with decimals.
   */
  uint32_t (*measure_number)(void *ctx, double value);
  /**
   * Sets a value for the wording of the whole recommendation.
   */
  uint32_t (*fact)(void *ctx, const glosa_fact *fact);
  /**
   * Whether the metric has to end now; ask in long loops, then return GLOSA_STOPPED.
   */
  bool (*stop)(void *ctx);
  /**
   * Says why the metric gives up; then return GLOSA_FAILED.
   */
  void (*fail)(void *ctx, glosa_str why);
  /**
   * An optional ability: a pointer to its table of functions, or null where the host has none of that name.
   * `glossary/1`, `structure/1`, `inflect/1`, `syntax/2` and `syntax/3` are the tables below.
   */
  const void *(*extension)(void *ctx, glosa_str id);
} glosa_host;

/**
 * A place where a term of a glossary stands.
 */
typedef struct {
  /**
   * Its tokens.
   */
  glosa_range tokens;
  /**
   * Number of its row.
   */
  uint32_t row;
  /**
   * Syntactic words of the last token that the term leaves over: `a través de` leaves the article of
   * `a través del` over.
   */
  uint32_t rest;
} glosa_glossary_hit;

/**
 * A row of a glossary. Columns of its own are read with `column`.
 */
typedef struct {
  /**
   * The term as the file writes it.
   */
  glosa_str term;
  /**
   * Preferred replacement; null without one.
   */
  glosa_str replacement;
  /**
   * Other replacements: items are `glosa_str`.
   */
  glosa_array alternatives;
  /**
   * `replace`, `explain`, `prefer`, `forbid` or `allow`.
   */
  glosa_str kind;
  /**
   * `safe`, `suggest` or `term`.
   */
  glosa_str status;
  /**
   * Why, and when to keep the term; null without one.
   */
  glosa_str note;
  /**
   * Whether the row is applied; rows that are not have no hits.
   */
  bool active;
} glosa_glossary_row;

/**
 * `glossary/1`: the glossaries that the variant lists. `ctx` is that of the host.
 */
typedef struct {
  /**
   * Size of this struct in bytes.
   */
  uint32_t size;
  /**
   * Hits of a glossary in reading order; they do not overlap. Items are `glosa_glossary_hit`. A glossary without
   * rows for the genre has no hits and no rows.
   */
  uint32_t (*hits)(void *ctx, glosa_str key, glosa_array *out);
  /**
   * Number of rows of a glossary.
   */
  uint32_t (*rows)(void *ctx, glosa_str key, uint32_t *out);
  /**
   * A row.
   */
  uint32_t (*row)(void *ctx, glosa_str key, uint32_t row, glosa_glossary_row *out);
  /**
   * A column of a row; `out` gets a null string where the row has no such column.
   */
  uint32_t (*column)(void *ctx, glosa_str key, uint32_t row, glosa_str name, glosa_str *out);
} glosa_glossary_1;

/**
 * A section of the recommended structure.
 */
typedef struct {
  /**
   * Its usual heading.
   */
  glosa_str name;
  /**
   * Other headings that name it: items are `glosa_str`.
   */
  glosa_array synonyms;
  /**
   * What it should cover: items are `glosa_content`.
   */
  glosa_array contents;
} glosa_section;

/**
 * A content of a section.
 */
typedef struct {
  /**
   * What it is.
   */
  glosa_str name;
  /**
   * `always`, `usual`, `optional` …; null where nothing is known.
   */
  glosa_str occurrence;
  /**
   * Words or phrases that show that the content is there: items are `glosa_str`.
   */
  glosa_array cues;
  /**
   * Suggested wording: items are `glosa_str`.
   */
  glosa_array phraseology;
} glosa_content;

/**
 * `structure/1`: the recommended structure of the genre. `ctx` is that of the host.
 */
typedef struct {
  /**
   * Size of this struct in bytes.
   */
  uint32_t size;
  /**
   * Sections in reading order: items are `glosa_section`.
   */
  uint32_t (*sections)(void *ctx, glosa_array *out);
  /**
   * Whether the order of the sections is free.
   */
  bool (*free_order)(void *ctx);
} glosa_structure_1;

/**
 * `inflect/1`: forms of words in the language of the document. `ctx` is that of the host.
 */
typedef struct {
  /**
   * Size of this struct in bytes.
   */
  uint32_t size;
  /**
   * The form of `lemma` with a part of speech (`VERB`) and features (`Mood=Ind|Number=Sing`). GLOSA_UNKNOWN where
   * the host does not know it: then offer no replacement.
   */
  uint32_t (*form)(void *ctx, glosa_str lemma, glosa_str pos, glosa_str feats, glosa_str *out);
} glosa_inflect_1;

/**
 * Where a token stands in the tree of its sentence.
 */
typedef struct {
  /**
   * Number of the token that is its head; GLOSA_NONE for a root.
   */
  uint32_t head;
  /**
   * Symbol of the Universal Dependencies relation to the head.
   */
  uint32_t relation;
} glosa_arc;

/**
 * A finite clause. Tokens are numbers of the document.
 */
typedef struct {
  /**
   * Place in code points, punctuation at its ends excluded.
   */
  glosa_range span;
  /**
   * From its first token to its last, the clauses inside it included; those joined to it after it are not.
   */
  glosa_range tokens;
  /**
   * The words that introduce it; empty without any.
   */
  glosa_range introducer;
  /**
   * From the first word of its verb group to the last.
   */
  glosa_range verbs;
  /**
   * GLOSA_CLAUSE_MAIN to GLOSA_CLAUSE_ADVERBIAL.
   */
  uint32_t kind;
  /**
   * Clauses that hold it; a main clause has 0.
   */
  uint32_t depth;
  /**
   * The clause that it hangs on or is joined to, by its number in the sentence; GLOSA_NONE without one.
   */
  uint32_t parent;
  /**
   * The word that heads it.
   */
  uint32_t head;
  /**
   * The finite verb.
   */
  uint32_t finite;
  /**
   * Head of the subject; GLOSA_NONE where it is left out.
   */
  uint32_t subject;
  /**
   * Head of the agent of a passive; GLOSA_NONE without one.
   */
  uint32_t agent;
  /**
   * 1 where the verb is passive, else 0.
   */
  uint32_t passive;
  /**
   * The person of its subject, 1 to 3, also where the subject is left out. Since 0.2.
   */
  uint32_t person;
} glosa_clause;

/**
 * A noun with what belongs to it. Tokens are numbers of the document. Since 0.2.
 */
typedef struct {
  /**
   * From its first token to its last, without a gap: determiners, adjectives, complements.
   */
  glosa_range tokens;
  /**
   * The noun, name or pronoun that heads it.
   */
  uint32_t head;
  /**
   * Heads of what modifies it, in reading order: items are `uint32_t`.
   */
  glosa_array modifiers;
} glosa_phrase;

/**
 * `syntax/2`: tree and clauses of a sentence, which are made when they are asked for: ask for what is needed. `ctx` is that
 * of the host.
 */
typedef struct {
  /**
   * Size of this struct in bytes.
   */
  uint32_t size;
  /**
   * The arcs of the tokens of a sentence unit, by its number: items are `glosa_arc`. GLOSA_UNKNOWN where the document
   * has no such sentence or no trees, which happens where no metric of the genre has GLOSA_NEEDS_DEPENDENCY.
   */
  uint32_t (*arcs)(void *ctx, uint32_t sentence, glosa_array *out);
  /**
   * Its finite clauses in the order of their first tokens: items are `glosa_clause`. GLOSA_UNKNOWN as above.
   */
  uint32_t (*clauses)(void *ctx, uint32_t sentence, glosa_array *out);
} glosa_syntax_2;

/**
 * `syntax/3`: that of `syntax/2` and the noun phrases. Since 0.2.
 */
typedef struct {
  /**
   * Size of this struct in bytes.
   */
  uint32_t size;
  /**
   * As in `syntax/2`.
   */
  uint32_t (*arcs)(void *ctx, uint32_t sentence, glosa_array *out);
  /**
   * As in `syntax/2`.
   */
  uint32_t (*clauses)(void *ctx, uint32_t sentence, glosa_array *out);
  /**
   * The noun phrases of a sentence unit in the order of their heads, those inside others among them: items are
   * `glosa_phrase`. GLOSA_UNKNOWN as in `syntax/2`.
   */
  uint32_t (*phrases)(void *ctx, uint32_t sentence, glosa_array *out);
} glosa_syntax_3;

/**
 * A measurement or rule of a plugin.
 */
typedef struct {
  /**
   * Its public name, that of its folder.
   */
  glosa_str id;
  /**
   * Version of the implementation, `major.minor.patch`.
   */
  glosa_str version;
  /**
   * GLOSA_MEASUREMENT or GLOSA_RULE.
   */
  uint32_t kind;
  /**
   * The set of languages: bits `1 << GLOSA_ES` and so on.
   */
  uint32_t languages;
  /**
   * What it requires of the linguistic runtime: bits GLOSA_NEEDS_…
   */
  uint64_t needs;
  /**
   * Makes the state of the metric, once, at load; null where there is none. A null result refuses the plugin.
   */
  void *(*create)(void);
  /**
   * Analyses one document. Called from any thread, concurrently. `state` is what `create` gave, else null.
   */
  uint32_t (*run)(void *state, const glosa_document *document, const glosa_host *host);
  /**
   * Gives the state up; null where there is nothing to give up.
   */
  void (*destroy)(void *state);
} glosa_metric;

/**
 * What a plugin library is. The only symbol of the library is a function without arguments, named `glosa_plugin_`
 * and the name of the plugin, that gives a pointer to this struct; it lives as long as the process.
 */
typedef struct {
  /**
   * GLOSA_ABI_MAJOR of the header that it was built with. This and the next member never move.
   */
  uint16_t abi_major;
  /**
   * GLOSA_ABI_MINOR of the header that it was built with.
   */
  uint16_t abi_minor;
  /**
   * Its name.
   */
  glosa_str name;
  /**
   * Its version.
   */
  glosa_str version;
  /**
   * Its metrics: items are `glosa_metric`.
   */
  glosa_array metrics;
} glosa_plugin;

/**
 * The function that a plugin library exports.
 */
typedef const glosa_plugin *(*glosa_entry)(void);

#endif  /* GLOSA_PLUGIN_H */
