/* What the parts of the search for a room share. Nobody else includes this.
 *
 *   layout.c        the order of things, the beam of rooms, what stands on others
 *   layout_tries.c  the places at which an item is tried
 *   layout_score.c  how good such a place is
 *   layout_way.c    what is moved that keeps people from a seat */
#ifndef ETNA_WORKER_FURNISH_LAYOUT_SEARCH_INTERNAL_H
#define ETNA_WORKER_FURNISH_LAYOUT_SEARCH_INTERNAL_H

#include "worker/furnish/layout.h"
#include "worker/furnish/layout_internal.h"

enum {
    SEARCH_BRANCHES = 4,     /* best places of an item that are gone on from */
    SEARCH_TRIES_MOST = 6000 /* places of one item */
};

typedef struct candidate {
    layout_place place;
    double score;
    uint32_t number; /* of those tried */
} candidate;

/* A beam search: beam holds the best plans with the items placed so far, next
 * those with one more. */
typedef struct search {
    layout_context c;
    uint32_t thing_count, item_count;
    uint64_t seed;
    uint32_t first[LAYOUT_ITEMS_MAX]; /* of a thing, its first item */
    uint32_t thing_of[LAYOUT_ITEMS_MAX];
    uint32_t order[LAYOUT_ITEMS_MAX];
    /* per thing: how often it found no place */
    uint32_t raised[LAYOUT_ITEMS_MAX];
    /* per thing: not told, and the floor is full without it */
    bool spared[LAYOUT_ITEMS_MAX];
    /* smaller models first; nothing that was not told */
    bool small, bare;
    candidate *tried; /* room for SEARCH_TRIES_MOST */
    uint32_t tried_count;
    layout_plan *beam, *next; /* BEAM, and BEAM * SEARCH_BRANCHES + BEAM */
    uint32_t beam_count, next_count;
    uint32_t states;
} search;

/* ---- layout.c ---- */
/* ETNA_E_LIMIT: there are too many items. */
etna_code search_check(const layout_thing *things,
                       uint32_t thing_count,
                       etna_error *err);
/* NULL: no memory. Things are borrowed. */
search *search_new(const layout_room *room,
                   const layout_thing *things,
                   uint32_t thing_count,
                   uint64_t seed);
void search_free(search *s); /* NULL is fine */
/* Fills s->order: in which the items come. */
void search_order(search *s);
/* A plan in which only what is fixed stands. */
void search_begin(const search *s, layout_plan *ret);
/* What told items without a place weigh, the larger the more. */
uint32_t search_missing(const search *s, const layout_plan *plan);
/* Items of which something does not hold that is told of them. */
uint32_t search_unmet(const search *s, const layout_plan *plan);

/* ---- layout_on.c ---- */
/* Is it one of those that are told to be on something, and stand on the floor? */
bool search_is_grounded(const search *s, uint32_t item);
/* Is there room on what it is tied to for all items of the thing? */
bool search_bears_all(const search *s,
                      const layout_plan *plan,
                      uint32_t thing,
                      uint32_t model);
/* On what: an item that it is tied to and that has room by its boxes; the same,
 * with no room left; flat likes of it that stand there; any that can bear
 * things. */
typedef enum search_bearing {
    BEARING_ROOMY,
    BEARING_TIGHT,
    BEARING_STACKED,
    BEARING_ANY,
    BEARING_COUNT
} search_bearing;
/* Puts it onto the item that bears it best. False: there is none such. */
bool search_place_on(const search *s,
                     layout_plan *plan,
                     uint32_t item,
                     uint32_t model,
                     search_bearing bearing);

/* ---- layout_way.c ---- */
/* Moves what keeps people from seats, where that costs nothing that is told. */
void search_make_way(search *s, layout_plan *plan);
/* Of the room that is taken: gives up what is told of what still does, and in the
 * end leaves it out, or the seats. No seat stays out of reach but by what was
 * there before. */
void search_clear_way(search *s, layout_plan *plan);

/* ---- layout_tries.c ---- */
/* Fills s->tried with all places that come into question for an item with one
 * of its models, by its footing and its ties to what `plan` has placed. They
 * may be taken, and have no score yet. */
void search_try_places(search *s,
                       const layout_plan *plan,
                       uint32_t item,
                       uint32_t model);
/* Is there room for all rows that a thing's first item, at p, begins? True of
 * what is no such item. */
bool search_rows_are_free(const search *s,
                          const layout_plan *plan,
                          uint32_t item,
                          const layout_place *p);
/* Metres that two of a thing leave for what is to stand between them; 0:
 * nothing is. */
double search_gap_between(const search *s, uint32_t thing);

/* ---- layout_score.c ---- */
/* How good the place is for the item; the greater, the better. `backward`:
 * what search_has_backward_ties says of its thing. */
double search_score(const search *s,
                    const layout_plan *plan,
                    uint32_t item,
                    const layout_place *p,
                    bool backward);
/* Is something placed already tied to this thing? */
bool search_has_backward_ties(const search *s,
                              const layout_plan *plan,
                              uint32_t thing);

#endif
