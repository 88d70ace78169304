/* A request for an asset, read: what it is, what it is for, how large, in which
 * colours, without what. Reads any text of up to QUERY_TEXT_MAX bytes; a text
 * is data and can ask for nothing else. Pure. */
#ifndef ETNA_WORKER_ASSETS_QUERY_H
#define ETNA_WORKER_ASSETS_QUERY_H

#include "proto/error.h"
#include "worker/assets/asset.h"
#include "worker/assets/text.h"

enum {
    QUERY_TEXT_MAX = 4096,
    QUERY_WORDS_MAX = 48,
    QUERY_BOUNDS_MAX = 6,
    QUERY_HEAD_SIZE = 96
};

typedef enum query_part {
    QUERY_STOP,  /* says nothing */
    QUERY_HEAD,  /* what it is: "table" of "a round side table for the hall" */
    QUERY_MORE,  /* which, before the head */
    QUERY_AFTER, /* which or what for, behind the head */
    QUERY_NOT,   /* what it must not have */
    QUERY_SIZE,  /* belongs to a bound */
} query_part;

typedef enum query_mark {
    QUERY_NO_MARK,
    QUERY_COMMA,
    QUERY_STOPS
} query_mark;

typedef struct query_word {
    char text[TEXT_WORD_SIZE]; /* folded */
    char stem[TEXT_WORD_SIZE];
    query_part part;
    query_mark mark; /* behind it */
} query_word;

typedef enum query_axis {
    QUERY_ANY,
    QUERY_WIDTH,
    QUERY_HEIGHT,
    QUERY_DEPTH,
    QUERY_LENGTH
} query_axis;
enum {
    QUERY_AXES = QUERY_LENGTH + 1
};

typedef struct query_bound { /* metres */
    query_axis axis;         /* ANY: of the longest side */
    double least, most;      /* 0: none */
    double about;            /* 0: none */
} query_bound;

typedef struct query {
    query_word words[QUERY_WORDS_MAX];
    uint32_t word_count, head_first, head_words;
    /* "side table"; "": it does not say what it is */
    char head[QUERY_HEAD_SIZE];
    bool head_known; /* the head is a kind of thing */
    /* "footstool" of "an armchair with a footstool": a kind of thing, else
     * "" */
    char with[QUERY_HEAD_SIZE];
    query_bound bounds[QUERY_BOUNDS_MAX];
    uint32_t bound_count;
    uint16_t colours, not_colours; /* bits by asset_colour_names */
    /* of `colours` those that it must have: not what "dark" hints at */
    uint16_t named_colours;
    /* -1, 0, 1: "small" is -1 of small, "low" -1 of tall */
    int small, tall, wide;
    /* all its words are ones that say nothing in English */
    bool says_nothing;
} query;

/* ETNA_E_INPUT: empty, too long, or not UTF-8. */
etna_code query_read(const char *text, query *ret, etna_error *err);
/* Forgets what it says of colours and sizes of its kind. */
void query_look_none(query *q);
/* As if an English word of looks stood in it, "red" or "small"; true: it is one of
 * size. */
bool query_look(query *q, const char *word);
/* The outline that it asks for, "round", "square"; NULL: none. Constant. */
const char *query_outline(const query *q);
/* Is the word one of size, colour or outline, which models are measured by? */
bool query_word_is_measured(const query *q, uint32_t i);
/* Fills in that the text does not say what is looked for, and returns
 * ETNA_E_INPUT. */
etna_code query_refuse(const char *text, etna_error *err);

#endif
