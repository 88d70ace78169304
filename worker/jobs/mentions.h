/* What a sentence names, as far as names and their words tell without a reader
 * of language: for choosing a camera before anybody has read anything. Each
 * place of a text that speaks of a thing is a mention: the things that bear
 * most of its words. Pure. */
#ifndef ETNA_WORKER_JOBS_MENTIONS_H
#define ETNA_WORKER_JOBS_MENTIONS_H

#include "worker/scene/scene.h"

enum {
    MENTIONS_MAX = 24,
    MENTION_OBJECTS_MAX = 64
};

typedef struct mention {
    /* objects it may mean, ascending; how many of them must show: 1, or all */
    uint32_t count, need;
    /* the first ones, where there are more */
    uint32_t objects[MENTION_OBJECTS_MAX];
    /* of its sentence: what is to be moved, most often */
    bool first;
} mention;

/* Adds the mentions of one text to list[0 .. *count), up to MENTIONS_MAX.
 * What is as wide as a room both ways is never meant. */
void mentions_find(const scene *s,
                   const char *text,
                   mention *list,
                   uint32_t *count);

/* How well a picture that shows `shown[object]` serves: places to go count
 * twice, things to be moved once. */
uint32_t mentions_worth(const mention *list, uint32_t count, const bool *shown);

#endif
