/* What the parts of plan/expand.c share. Nobody else includes this.
 *
 *   expand.c        which expander a move has; one for each, trades, piles, groups, shifts
 *   expand_company.c  whether places of things that are placed together are free
 *   expand_share.c  which of several goes where, when several parts may take any
 *   expand_mean.c   what a move means besides its words, and what of the scene it sees
 *   expand_ring.c   circles around a thing
 *   expand_row.c    rows: their places along a line; expand_row_lay.c: where that is
 *   expand_table.c  laid tables: the seats, and the places of plates and cutlery before them */
#ifndef ETNA_WORKER_BUILTIN_PLAN_EXPAND_INTERNAL_H
#define ETNA_WORKER_BUILTIN_PLAN_EXPAND_INTERNAL_H

#include "worker/builtin/plan/planner_internal.h"
#include "worker/math/vec.h"

typedef struct expansion {
    planner *p;
    /* the scene before the instruction's first edit */
    const builtin_facts *then;
    const builtin_reading *said;
    builtin_reading *out;
} expansion;

/* ---- steps; each may end in ETNA_E_NOMEM ---- */
etna_code expand_no_memory(const expansion *e);
/* That move, pushed: one thing there, as an AT. */
etna_code expand_at(expansion *e,
                    const builtin_move *move,
                    uint32_t object,
                    uint32_t support,
                    const double at[3],
                    double slack);

/* ---- who goes where ---- */
/* things of a set, at most BUILTIN_MOVES_MAX */
uint32_t expand_count(const builtin_set *set);
/* Metres on the plan. */
double expand_way(const double a[2], const double b[2]);
/* Of things and places the nearest pair again and again: place[i] for
 * objects[i]; BUILTIN_NONE: no place is left. */
void expand_assign(const builtin_facts *facts,
                   const uint32_t *objects,
                   uint32_t count,
                   const double (*places)[3],
                   uint32_t place_count,
                   uint32_t *ret);
typedef bool expand_order(const void *context,
                          uint32_t first,
                          uint32_t second); /* may they stay in this order? */
void expand_sort(uint32_t *list,
                 uint32_t count,
                 expand_order *stays,
                 const void *context);

bool expand_has(const uint32_t *list, uint32_t count, uint32_t object);

/* Bystanders that would have to leave the places that are looked at. What the
 * sentence names stays. */
enum {
    CLEARING_MAX = 4
};
typedef struct clearing {
    const builtin_reading *said;
    uint32_t most; /* so many may leave */
    uint32_t count;
    uint32_t leaving[CLEARING_MAX];
} clearing;

typedef struct company { /* things that are placed together */
    const builtin_facts *facts;
    uint32_t count;
    const uint32_t *objects;
    uint32_t support; /* BUILTIN_NONE: nothing is known to bear them */
    double height;    /* of their bottoms */
    /* one thing is in nobody's way: what they go beneath, or round by its own
     * shape */
    bool skips;
    uint32_t skipped;
    bool rugs; /* they may stand on a rug, whose height is seen to */
    /* of the thing that is looked at, as it will be turned; NULL: as it is */
    const double *heading;
    clearing *clearing; /* NULL: nobody leaves */
} company;
/* Does anything that is not of them, does not go along and is not to leave take
 * the room of one of them there? */
bool company_is_taken(const company *c, uint32_t object, const double at[2]);
/* What it takes of the plan there, as it will be turned, so much wider. */
builtin_rect company_footprint(const company *c,
                               uint32_t object,
                               const double at[2],
                               double grown);
/* How many bystanders may leave, as tries go: none first. */
enum {
    CLEARING_TRIES = 4
};
uint32_t clearing_most(uint32_t attempt);

/* ---- things ---- */
/* BUILTIN_NONE: nothing is known to bear it. */
uint32_t expand_bearer(const builtin_facts *facts, uint32_t object);
/* the way across its thinner side */
void expand_across(const builtin_object *o, double ret[2]);
/* The point's coordinate along a unit way. */
double expand_along(const double point[2], const double way[2]);
/* So many metres between things; less where all of them are under 6 cm wide, by
 * their own measure. */
double expand_apart(const builtin_facts *facts,
                    const uint32_t *objects,
                    uint32_t count,
                    double metres);
/* The largest surface of a thing, or one above it that is half as large; NULL:
 * it has none. */
const builtin_surface *expand_top_of(const builtin_facts *facts, uint32_t base);

/* ---- expanders: a move -> moves of one thing each ---- */
typedef etna_code expander(expansion *e, const builtin_move *m);
expander expand_around, expand_line, expand_setting;

/* ---- before a move is expanded: expand_mean.c ---- */
/* What earlier parts of the sentence move is taken where it is now: "the jug in
 * the middle and the glasses around it". ETNA_E_NOMEM. */
etna_code expand_see_moved(expansion *e, uint32_t index);
/* As many of the list as the move needs come to its front: those that are
 * nearest to what they go to. */
void expand_nearest(const builtin_facts *facts,
                    const builtin_move *m,
                    uint32_t *list,
                    uint32_t count);
/* Parts that may take any of the same things get each its own.
 * ETNA_E_NOMEM. */
etna_code expand_share(const expansion *e, builtin_reading *said);
/* Which of several it takes, where not all are needed, and what relation is
 * meant. ETNA_E_NOMEM. */
etna_code expand_mean(expansion *e, builtin_move *m);

#endif
