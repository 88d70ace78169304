/* What foreign names mean in English, learned from catalogues that have both: a
 * model whose English name is poor is named better in another language, and
 * other models of that name have better English ones. Internal to
 * worker/assets. */
#ifndef ETNA_WORKER_ASSETS_PIVOT_H
#define ETNA_WORKER_ASSETS_PIVOT_H

#include "worker/assets/asset.h"
#include "worker/assets/text.h"

typedef struct pivot pivot;

enum {
    PIVOT_SOURCES_MAX = 20000
}; /* learned from; more say nothing new */

/* NULL: no memory. The assets must outlive it. */
pivot *pivot_make(const asset *assets, uint32_t count);
void pivot_free(pivot *p); /* NULL is fine */

/* Calls `each` for the English words that a foreign word stands for, with how
 * surely, 0..1. */
typedef void (*pivot_word_fn)(void *context, const char *word, double share);
void pivot_of_word(const pivot *p,
                   const char *language,
                   const char *word,
                   pivot_word_fn each,
                   void *context);
/* The same for the English names of models with that foreign name. */
void pivot_of_name(const pivot *p,
                   const char *language,
                   const char *name,
                   pivot_word_fn each,
                   void *context);

#endif
