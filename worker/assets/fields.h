/* What an asset is indexed by: terms in fields, and kinds. Internal to
 * worker/assets. */
#ifndef ETNA_WORKER_ASSETS_FIELDS_H
#define ETNA_WORKER_ASSETS_FIELDS_H

#include "worker/assets/asset.h"
#include "worker/assets/pivot.h"
#include "worker/assets/strings.h"
#include "worker/builtin/language/kinds.h"

typedef enum field {
    FIELD_NAME,
    FIELD_ID,
    FIELD_TAGS,
    FIELD_CATEGORY,
    /* English words that its names in other languages stand for */
    FIELD_OTHER,
    FIELD_SAME,    /* other words of its kinds */
    FIELD_ABOVE,   /* words of what its kinds are kinds of */
    FIELD_GLOSS,   /* words of its kinds' definitions */
    FIELD_FACET,   /* what its form says */
    FIELD_SURFACE, /* colours, materials */
    FIELD_FOREIGN, /* names and tags in other languages, "de:regal" */
    FIELD_WHOLE,   /* a name as one term, "de=regal", and its language, "@de" */
    FIELDS
} field;

enum {
    FIELD_TERM_SIZE = 56,
    KINDS_OF_ASSET_MAX = 16
};

typedef struct asset_kind {
    uint16_t kind;
    uint8_t weight; /* of 255: how sure it is */
} asset_kind;

typedef struct field_sink {
    void *context;
    /* `term`: its number among fields_names */
    void (*term)(void *context, field f, uint32_t term, double weight);
} field_sink;

/* What works out terms and kinds, and keeps what it did for the assets after:
 * one for all of a library. */
typedef struct fields fields;
/* `p` may be NULL, and must outlive it. NULL: no memory. */
fields *fields_new(const pivot *p);
void fields_free(fields *f); /* NULL is fine */
/* Memory ended somewhere: what came since is not whole. */
bool fields_failed(const fields *f);
/* The texts of all terms; fields' own. */
strings *fields_names(fields *f);
/* The number of a kind's term ('#'), or of what it stands directly below ('^').
 * STRINGS_NONE: no memory. */
uint32_t fields_mark(fields *f, char mark, uint16_t kind);
/* As kinds_find_above has it. NULL: no memory. */
const kinds_id *fields_above(fields *f, uint16_t kind);

/* The kinds of what `count` sources of one content say together, surest
 * first. */
uint32_t fields_kinds(fields *f,
                      const asset *sources,
                      uint32_t count,
                      asset_kind ret[KINDS_OF_ASSET_MAX]);
/* Every term of every field. */
void fields_emit(fields *f,
                 const asset *sources,
                 uint32_t count,
                 const asset_kind *kinds,
                 uint32_t kind_count,
                 const field_sink *sink);

#endif
