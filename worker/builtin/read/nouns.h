/* Nouns by what such things do here, or do to a phrase: rows of nouns.inc. */
#ifndef ETNA_WORKER_BUILTIN_READ_NOUNS_H
#define ETNA_WORKER_BUILTIN_READ_NOUNS_H

typedef enum noun_class {
#define NOUNS(class, ...) NOUNS_##class,
#include "worker/builtin/read/nouns.inc"
#undef NOUNS
    NOUNS_COUNT
} noun_class;

/* The nouns of the class, in the order of its row; ends with NULL. */
const char *const *nouns_of(noun_class class);

#endif
