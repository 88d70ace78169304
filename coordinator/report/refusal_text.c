/* See refusal_text.h. */
#include "coordinator/report/refusal_text.h"
#include "coordinator/report/field.h"
#include "coordinator/report/progress.h"
#include "coordinator/report/terminal.h"
#include "proto/ascii.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* of a terminal that does not say its width; the narrowest that is served */
enum {
    COLUMNS_DEFAULT = 80,
    COLUMNS_LEAST = 20
};

const char *refusal_text_sentence(const json_t *document, const json_t *cause)
{
    const char *goal = json_string_value(json_object_get(document, "goal"));
    json_int_t item = json_integer_value(json_object_get(cause, "item"));
    if (goal || item < 1)
        return goal;
    return json_string_value(json_array_get(
        json_object_get(document, "instructions"), (size_t)item - 1));
}

/* Bytes [from, to) of the sentence, escaped; the caller frees it. NULL: out of
 * memory. */
static char *refusal_text_piece(const char *sentence, size_t from, size_t end)
{
    size_t room = 4 * (end - from) + 8;
    char *cut = strndup(sentence + from, end - from);
    char *escaped = malloc(room);
    if (cut && escaped) {
        terminal_escape(cut, escaped, room);
    } else {
        free(escaped);
        escaped = NULL;
    }
    free(cut);
    return escaped;
}

/* What stands before the mark, shortened from its front to `columns`. */
static void add_before(page *to, const char *before, unsigned columns)
{
    const char *at = before;
    while (*at && progress_width(at) > columns) {
        size_t size = etna_utf8_character(at, ETNA_UTF8_MAX, NULL);
        at += size ? size : 1;
    }
    if (at > before)
        page_raw(to, "...");
    page_raw(to, at);
}

static void add_repeated(page *to, const char *mark, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        page_raw(to, mark);
}

/* The rest of the line from the mark on as far as it fits, and below it the
 * mark. */
static void add_marked(page *to,
                       const char *begun,
                       const char *part,
                       unsigned wide,
                       unsigned columns)
{
    unsigned indent = progress_width(begun);
    unsigned most = columns - indent;
    size_t shown = progress_fit(part, most);
    bool is_cut = part[shown] != 0;
    if (is_cut) {
        most -= 3;
        shown = progress_fit(part, most);
    }
    page_add(to, "%s%.*s%s\n", begun, (int)shown, part, is_cut ? "..." : "");
    add_repeated(to, " ", indent);
    add_repeated(to, "^", wide < most ? wide : most);
    page_raw(to, "\n");
}

void refusal_text_mark(
    page *to, const char *sentence, size_t from, size_t end, unsigned columns)
{
    if (from >= end || end > strlen(sentence))
        return;
    if (columns < COLUMNS_LEAST)
        columns = COLUMNS_LEAST;
    char *before = refusal_text_piece(sentence, 0, from);
    char *part = refusal_text_piece(sentence, from, strlen(sentence));
    char *marked = refusal_text_piece(sentence, from, end);
    page line = {0};
    if (before && part && marked)
        add_before(&line, before, columns / 2);
    bool has_begun = line.data || (before && !*before);
    if (has_begun)
        add_marked(to, line.data ? line.data : "", part, progress_width(marked),
                   columns);
    page_free(&line);
    free(before);
    free(part);
    free(marked);
}

void refusal_text_line(page *to, const json_t *cause)
{
    const char *what = field_string(cause, "what");
    const char *advice = field_string(cause, "do");
    json_int_t item = json_integer_value(json_object_get(cause, "item"));
    size_t size = strlen(what);
    bool ends = size && strchr(".!?", what[size - 1]);
    if (item > 0)
        page_add(to, "instruction %lld: ", (long long)item);
    page_raw(to, what);
    if (!*advice)
        return;
    const bool small = ascii_is_lower(*advice); /* it begins a sentence */
    const char first = (char)(small ? *advice - 'a' + 'A' : *advice);
    page_add(to, "%s %c%s", ends ? "" : ".", first, advice + 1);
}

void refusal_text_print(const json_t *document, const json_t *cause)
{
    const char *sentence = refusal_text_sentence(document, cause);
    const json_t *span = json_object_get(cause, "span");
    json_int_t from = json_integer_value(json_array_get(span, 0));
    json_int_t end = json_integer_value(json_array_get(span, 1));
    bool is_span = json_array_size(span) == 2 && from >= 0 && from < end;
    if (!sentence || !is_span || !isatty(STDERR_FILENO))
        return;
    struct winsize size = {0};
    bool known =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    page lines = {0};
    refusal_text_mark(&lines, sentence, (size_t)from, (size_t)end,
                      known ? size.ws_col : COLUMNS_DEFAULT);
    if (lines.data)
        fputs(lines.data, stderr);
    page_free(&lines);
}
