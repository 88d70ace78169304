/* What the files share that make things with models and ties of a brief. Nobody
 * else includes this. */
#ifndef ETNA_WORKER_CLI_FURNISH_PICK_INTERNAL_H
#define ETNA_WORKER_CLI_FURNISH_PICK_INTERNAL_H

#include "worker/cli/furnish.h"

/* ---- which there are: furnish_things.c ---- */
/* NULL: there are FURNISH_THINGS_MAX. */
furnish_thing *furnish_thing_add(furnishing *f,
                                 furnish_source source,
                                 const char *head,
                                 const char *said,
                                 uint32_t wanted);
/* A thing for each that the brief names, in its order. */
void furnish_things_name(furnishing *f);
/* How many there are of what stands at each of something, who sits where, then
 * what serves the uses and rooms that are named. */
void furnish_things_complete(furnishing *f);

/* ---- their models: furnish_pick.c ---- */
/* Does it stand on the floor, by its habits or its size? */
bool furnish_thing_is_on_floor(const furnish_thing *t);
/* How many sit at a table of that size. */
uint32_t furnish_seats_at(const double size[3]);

/* ---- how they go together: furnish_ties.c ---- */
/* A thing of the kind that has models; not `self`. BRIEF_NONE. */
uint32_t furnish_thing_of_kind(const furnishing *f,
                               const char *kind,
                               uint32_t self,
                               uint32_t from);
/* What the layout needs of a thing that has its models. `anywhere`: what it
 * could stand on is there by now. */
void furnish_thing_lay(furnishing *f, uint32_t thing, bool anywhere);
/* Is it to stand on something, and there is nothing for that? */
bool furnish_thing_hovers(const furnishing *f, uint32_t thing);
/* After all things are laid: what bears follows what it bears, pairs are tied,
 * who watches is turned. */
void furnish_ties_settle(furnishing *f);

#endif
