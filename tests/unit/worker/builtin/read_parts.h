/* A reader and trees made by hand, for tests of the reader's parts: no grammar
 * is asked. */
#ifndef ETNA_TESTS_BUILTIN_READ_PARTS_H
#define ETNA_TESTS_BUILTIN_READ_PARTS_H

#include "worker/builtin/read/reader.h"

enum {
    READ_PARTS_MAX = 16
};

typedef struct read_parts {
    etna_arena arena;
    etna_error err;
    builtin_facts facts;
    builtin_reading reading;
    sentence_token tokens[READ_PARTS_MAX];
    sentence_part part;
    sentence s;
    uint32_t indices[64];
    reader r;
} read_parts;

/* A reader of the words of `text`, over the world of read_world.h. It stays
 * where it is: it points into itself. */
void read_parts_begin(read_parts *p, const char *text);
void read_parts_end(read_parts *p);

/* The index of a thing of the world; fails the test when there is none. */
uint32_t read_parts_thing(const read_parts *p, const char *name);
/* A move of these things, their names joined by '+', with nothing else said. */
builtin_move read_parts_move(read_parts *p,
                             const char *things,
                             builtin_relation relation,
                             const char *reference);
void read_parts_add(read_parts *p, builtin_move m);

/* A node over all words with these children, which must outlive it. */
chart_node read_parts_node(const read_parts *p,
                           const char *name,
                           const chart_node *const *children,
                           uint32_t count);
chart_node read_parts_word(const char *category,
                           uint32_t token,
                           uint32_t value);

#endif
