/* The catalogue of a Sweet Home 3D furniture library: a Java properties file
 * with keys as `name#3`. Internal to worker/convert. */
#ifndef ETNA_WORKER_CONVERT_CATALOGUE_H
#define ETNA_WORKER_CONVERT_CATALOGUE_H

#include "proto/arena.h"
#include "proto/error.h"
#include "worker/convert/archive.h"

#include <jansson.h>
#include <stdbool.h>

enum {
    CATALOGUE_MODELS_MAX = 100000
};

typedef struct catalogue_model {
    /* the number behind # in the file */
    uint32_t index;
    const char *id, *name, *category, *creator; /* UTF-8, "" when unsaid */
    const char *path; /* of the model in the archive, without leading slash */
    /* width (X), height (Y), depth (Z), metres; 0: unsaid */
    double size[3];
    /* row-major, applied to the model before it gets its size */
    double rotation[9];
    bool movable;
    /* "" when unsaid; the licence is the model's own */
    const char *tags, *information, *licence;
    /* a size that is none: "width is \"nan\""; NULL: all are well */
    const char *fault;
    double elevation,
        /* metres above the floor; of the surface that things stand on, 0:
         * unsaid */
        top;
    bool is_opening, is_light;        /* a door or window; it shines */
    uint32_t first_words, word_count; /* of catalogue.words, by language */
} catalogue_model;

/* a model in another language; "" when unsaid */
typedef struct catalogue_words {
    uint32_t index;       /* the model's */
    const char *language; /* "de", "pt_PT" */
    const char *name, *tags, *category;
} catalogue_words;

typedef struct catalogue {
    const char *name, *licence;
    uint32_t count;
    catalogue_model *models; /* by index */
    uint32_t words_count, words_room;
    catalogue_words *words; /* by model, then language; catalogue_read_words */
    etna_arena arena;
} catalogue;

/* Parses the properties text (`size` bytes with a NUL behind them).
 * ETNA_E_INPUT with the line. */
etna_code catalogue_parse(const char *text,
                          size_t size,
                          catalogue *ret,
                          etna_error *err);
/* Finds and parses the archive's catalogue. */
etna_code catalogue_read(archive *a, catalogue *ret, etna_error *err);
/* Adds what the archive's files in other languages say of the models. A file
 * that cannot be read is left out. */
etna_code catalogue_read_words(archive *a, catalogue *c, etna_error *err);
void catalogue_free(catalogue *c);

/* By index, by id, by the part of the id behind its last '#', or by name when
 * one model alone has it (letters of either case). ETNA_E_INPUT says which
 * models share the name, or how to list them. */
etna_code catalogue_find(const catalogue *c,
                         const char *wanted,
                         const catalogue_model **ret,
                         etna_error *err);

/* As convert_list documents it; NULL: no memory. */
json_t *catalogue_json(const catalogue *c);
/* As convert_catalogue documents it; NULL: no memory. */
json_t *catalogue_json_whole(const catalogue *c);

#endif
