/* The table of looks.inc, looked through row by row: it is short, and a request
 * has few words. */
#include "worker/assets/looks.h"
#include "proto/array.h"

#include <string.h>

typedef enum look_form {
    LOOK_OF_LANGUAGE, /* `english` is its code */
    LOOK_ANYWHERE,
    LOOK_OF_STUFF
} look_form;

typedef struct look_row {
    look_form form;
    const char *english;
    const char *words; /* or endings */
    const char *of;
} look_row;

#define LANGUAGE(code, endings, of) {LOOK_OF_LANGUAGE, code, endings, of},
#define LOOK(english, words) {LOOK_ANYWHERE, english, words, ""},
#define STUFF(english, words) {LOOK_OF_STUFF, english, words, ""},
static const look_row rows[] = {
#include "worker/assets/looks.inc"
};
#undef LANGUAGE
#undef LOOK
#undef STUFF

/* Is it, as a whole, one of the words of a list that blanks part? */
static bool list_has(const char *list, const char *word, size_t length)
{
    while (*list) {
        const size_t n = strcspn(list, " ");
        if (n == length && strncmp(list, word, n) == 0)
            return true;
        list += n + (list[n] != 0);
    }
    return false;
}

/* One of the list, with one of the endings or none. */
static bool list_has_form(const char *list,
                          const char *endings,
                          const char *word)
{
    const size_t length = strlen(word);
    while (*list) {
        const size_t n = strcspn(list, " ");
        const bool begins = length >= n && strncmp(list, word, n) == 0;
        const bool ends =
            begins && (length == n || list_has(endings, word + n, length - n));
        if (ends)
            return true;
        list += n + (list[n] != 0);
    }
    return false;
}

/* The row of a language, behind which its words stand; NULL. A country makes no
 * difference. */
static const look_row *language_find(const char *language)
{
    enum {
        CODE = 2
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const bool is_it = rows[i].form == LOOK_OF_LANGUAGE &&
                           strncmp(rows[i].english, language, CODE) == 0;
        if (is_it)
            return &rows[i];
    }
    return NULL;
}

/* Of the language's rows the next, NULL behind the last. */
static const look_row *row_next(const look_row *row)
{
    const look_row *next = row + 1;
    const bool is_end =
        next == rows + COUNT_OF(rows) || next->form == LOOK_OF_LANGUAGE;
    return is_end ? NULL : next;
}

const char *looks_english(const char *language,
                          const char *before,
                          const char *word)
{
    const look_row *of = language_find(language);
    if (!of)
        return NULL;
    const bool is_behind = list_has(of->of, before, strlen(before));
    for (const look_row *r = row_next(of); r; r = row_next(r)) {
        const bool is_stuff = r->form == LOOK_OF_STUFF;
        if (is_stuff && is_behind && list_has(r->words, word, strlen(word)))
            return r->english;
        if (!is_stuff && list_has_form(r->words, of->words, word))
            return r->english;
    }
    return NULL;
}

const char *looks_stuff(const char *language, const char *word, size_t length)
{
    const look_row *of = language_find(language);
    for (const look_row *r = of ? row_next(of) : NULL; r; r = row_next(r)) {
        if (r->form == LOOK_OF_STUFF && list_has(r->words, word, length))
            return r->english;
    }
    return NULL;
}

bool looks_leads(const char *language, const char *word)
{
    const look_row *of = language_find(language);
    return of && list_has(of->of, word, strlen(word));
}
