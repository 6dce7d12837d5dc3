/* A plugin in plain C: a measurement that counts words with at least `min_letters` letters, and a rule that marks
 * doubled spaces with an edit that removes one. Built with -DMINOR=3 it claims a later interface; with -DENTRY=other it
 * exports another symbol, with -DMETRICS_GIVEN=0 it says that it has no metrics, -DNAME gives it another name, -DVERSION, -DCOUNT and
 * -DSPACES give it, its measurement and its rule another version. */
#include "glosa_plugin.h"

#include <string.h>

#ifndef MINOR
#define MINOR GLOSA_ABI_MINOR
#endif
#ifndef MAJOR
#define MAJOR GLOSA_ABI_MAJOR
#endif
#ifndef ENTRY
#define ENTRY glosa_plugin_words
#endif

#ifndef NAME
#define NAME "words"
#endif
#ifndef COUNT
#define COUNT "1.0.0"
#endif
#ifndef SPACES
#define SPACES "2.1.0"
#endif
#ifndef VERSION
#define VERSION "0.3.0"
#endif

#ifndef METRICS_GIVEN
#define METRICS_GIVEN (sizeof METRICS / sizeof METRICS[0])
#endif

#define STR(s) {(const uint8_t *)(s), sizeof(s) - 1}

static glosa_str str(const char *s) {
  glosa_str lent = {(const uint8_t *)s, strlen(s)};
  return lent;
}

static uint32_t count(void *state, const glosa_document *doc, const glosa_host *host) {
  glosa_value min;
  int64_t found = 0;
  uint32_t status = host->param(host->ctx, str("min_letters"), GLOSA_INTEGER, &min);
  (void)state;
  if (status != GLOSA_OK) return status;
  for (uint32_t i = 0; i < doc->words.count; i++) {
    const glosa_word *word =
        (const glosa_word *)((const char *)doc->words.items + (size_t)i * doc->words.stride);
    if (word->letters >= min.integer) found++;
  }
  return host->measure_integer(host->ctx, found);
}

static uint32_t spaces(void *state, const glosa_document *doc, const glosa_host *host) {
  uint32_t code_point = 0;
  (void)state;
  for (size_t i = 0; i < doc->text.len; i++) {
    uint8_t byte = doc->text.ptr[i];
    if ((byte & 0xC0) == 0x80) continue;
    if (byte == ' ' && i + 1 < doc->text.len && doc->text.ptr[i + 1] == ' ') {
      glosa_edit edit = {{code_point, code_point + 1}, {(const uint8_t *)"", 0}};
      glosa_finding finding;
      uint32_t status;
      memset(&finding, 0, sizeof finding);
      finding.size = sizeof finding;
      finding.span.start = code_point;
      finding.span.end = code_point + 2;
      finding.replacement = str(" ");
      finding.edits.items = &edit;
      finding.edits.count = 1;
      finding.edits.stride = sizeof edit;
      status = host->find(host->ctx, &finding);
      if (status != GLOSA_OK) return status;
    }
    code_point++;
  }
  return GLOSA_OK;
}

static const glosa_metric METRICS[] = {
    {.id = STR("long-word-count"),
     .version = STR(COUNT),
     .kind = GLOSA_MEASUREMENT,
     .languages = 1 << GLOSA_ES | 1 << GLOSA_CA | 1 << GLOSA_EN,
     .run = count},
    {.id = STR("two-spaces"),
     .version = STR(SPACES),
     .kind = GLOSA_RULE,
     .languages = 1 << GLOSA_CA,
     .needs = GLOSA_NEEDS_POS,
     .run = spaces},
};

static const glosa_plugin PLUGIN = {
    .abi_major = MAJOR,
    .abi_minor = MINOR,
    .name = STR(NAME),
    .version = STR(VERSION),
    .metrics = {METRICS, METRICS_GIVEN, sizeof METRICS[0]},
};

const glosa_plugin *ENTRY(void) { return &PLUGIN; }
