/* How a thing looks, told in another language than English: "rund" is round,
 * "aus Holz" and the "Holz" of "Holztisch" are wooden. Pure. */
#ifndef ETNA_WORKER_ASSETS_LOOKS_H
#define ETNA_WORKER_ASSETS_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

/* The English word for a folded word of a language ("de", "pt_PT"), which stands
 * behind `before`, "" at the beginning; NULL: it says nothing of looks, or the
 * language's words are not known. Constant. */
const char *looks_english(const char *language,
                          const char *before,
                          const char *word);
/* The same of what a word begins with: of its first `length` bytes. */
const char *looks_stuff(const char *language, const char *word, size_t length);
/* Does the word only lead to what a thing is made of, as "aus" does? */
bool looks_leads(const char *language, const char *word);

#endif
