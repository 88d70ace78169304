/* What the parts of the reader of names share: builtin_query.c reads a phrase's words and says whether an object answers to them,
 * builtin_choose.c picks among those that do, builtin_name.c is the whole. Nobody else includes this. */
#ifndef ETNA_WORKER_MODEL_BUILTIN_NAME_OWN_H
#define ETNA_WORKER_MODEL_BUILTIN_NAME_OWN_H

#include "worker/model/builtin.h"

enum { TOKENS_MAX = 24, TIERS = 3, NAMES_TOLD = 6 };

typedef enum size_word { SIZE_NONE = 0, SIZE_LARGEST, SIZE_SMALLEST, SIZE_TALLEST, SIZE_SHORTEST } size_word;

typedef enum place_word {
    PLACE_NONE = 0,
    PLACE_LEFT,
    PLACE_RIGHT,
    PLACE_MIDDLE,
    PLACE_FRONT,
    PLACE_BACK
} place_word; /* in the image */

typedef struct token {
    const char *text;
    builtin_colour colour;
} token;

typedef struct query {
    token tokens[TOKENS_MAX];
    uint32_t token_count;
    const char *literal;                               /* a name in quotes */
    bool all, any, other, plural, generic, extreme_of; /* extreme_of: one of several, by its size or place */
    bool part_of;                                      /* "two of the ..." */
    uint32_t number, ordinal;                          /* "the second cup" */
    bool from_right;
    place_word place;
    size_word size;
    uint32_t nearest_first, nearest_end; /* words behind "nearest" */
} query;

typedef struct found {
    uint32_t *objects;
    uint32_t count;
} found;

bool query_one_of(const char *word, const char *const *list);
/* Words [first, end) into the query; `borrowed` ones give their nouns only. ETNA_E_INPUT, ETNA_E_NOMEM. */
etna_code query_parse(const builtin_phrase *phrase, uint32_t first, uint32_t end, bool borrowed, etna_arena *arena,
                      query *q, etna_error *err);
bool query_has_noun(const query *q);
/* The last word of a name that says what the thing is; BUILTIN_NONE: none does. */
uint32_t query_head_of(const builtin_object *object);
/* 0: the name says that and no more; 1: its head is meant; 2: a word of it is; TIERS: it is not that. */
uint32_t query_tier_of(const builtin_object *object, const query *q, bool lenient);

/* Metres between two things: of their boxes, and a little of their middles, for among those that touch. */
double name_way_between(const builtin_object *a, const builtin_object *b);
/* Names with their colours, and the words of a phrase, for refusals. */
void name_told(const builtin_facts *facts, const found *list, char *text, size_t size);
void name_said(const builtin_phrase *phrase, char *text, size_t size);

/* The one thing that is meant, or the several. ETNA_E_INPUT: any of several may be; there are not so many. */
etna_code name_choose_one(const builtin_facts *facts, const builtin_phrase *phrase, const builtin_scope *scope,
                          const query *q, uint32_t nearest_to, found tiers[TIERS], builtin_set *ret, etna_error *err);
etna_code name_choose_set(const builtin_facts *facts, const builtin_phrase *phrase, const query *q, found tiers[TIERS],
                          builtin_set *ret, etna_error *err);

#endif
