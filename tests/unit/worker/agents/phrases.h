/* Sentences with a known meaning, made from templates over the things of a
 * scene by a fixed random stream, and slips of the finger in them. */
#ifndef ETNA_TESTS_AGENTS_PHRASES_H
#define ETNA_TESTS_AGENTS_PHRASES_H

#include "proto/seed.h"
#include "worker/builtin/builtin.h"

enum {
    PHRASES_TEXT = 600,
    PHRASES_MEANS = 3000
};

typedef struct phrases_scene phrases_scene;

typedef struct phrase {
    char said[PHRASES_TEXT];
    char means[PHRASES_MEANS]; /* in the notation of readings.h */
    const char *form;          /* the template it was made from */
} phrase;

uint32_t phrases_scene_count(void);
const phrases_scene *phrases_scene_at(uint32_t index);
/* a fixture of the build */
const char *phrases_scene_name(const phrases_scene *scene);

/* One sentence of one to three clauses. */
void phrases_make(const phrases_scene *scene,
                  const builtin_facts *facts,
                  etna_random *random,
                  phrase *ret);
/* One slip (two letters swapped, one dropped, doubled, or hit beside) in one
 * word of four letters or more, such that no other word of the lexicon, of
 * these templates or of the scene's names comes of it. False: no word gives
 * one. */
bool phrases_slip(const builtin_facts *facts,
                  etna_random *random,
                  const char *said,
                  char ret[PHRASES_TEXT]);

#endif
