/* What the parts of plan/expand_row.c share. Nobody else includes this.
 *
 *   expand_row.c      places along the line, and which thing takes which
 *   expand_row_lay.c  where the line is */
#ifndef ETNA_WORKER_BUILTIN_PLAN_EXPAND_ROW_H
#define ETNA_WORKER_BUILTIN_PLAN_EXPAND_ROW_H

#include "worker/builtin/plan/expand_internal.h"

enum {
    PINNED_ALL = BUILTIN_MOVES_MAX + 1 /* the row as a whole */
};

typedef struct row {
    const builtin_facts *facts;
    /* as things stand now: what shape each has from above */
    const builtin_facts *shapes;
    const builtin_move *m;
    /* what the line is along; BUILTIN_NONE: where they are */
    uint32_t reference;
    uint32_t first;   /* one that stands on what most of them stand on */
    uint32_t support; /* BUILTIN_NONE: nothing is known to bear them */
    /* what they are to stand beneath, and so is in nobody's way; BUILTIN_NONE:
     * nothing */
    uint32_t under;
    /* the bottom of what they are to stand in; NULL: they stand in nothing */
    const builtin_surface *inside;
    uint32_t count;
    uint32_t order[BUILTIN_MOVES_MAX];
    /* which of several lines it may be on, and how many there are */
    uint32_t attempt, attempts;
    bool is_by_wall;
    /* along a thing at one end of it, which lies that way out */
    bool is_at_end;
    double end[2];
    /* points origin + t along, t from low to high */
    double along[2], origin[2], low, high;
    /* the other direction the line may be shifted to, and how far at most */
    double in[2];
    double in_most;
    /* the reference's side that they are outside of, along `in`; -INFINITY: the
     * line is not outside it */
    double out_line;
    /* metres from the reference to each of them, where that is told; < 0: it is
     * not */
    double gap;
    builtin_bound bound; /* of the gap */
    double height;       /* of their bottoms */
    double step;         /* between middles; 0: as wide as there is room */
    /* how much farther along the line each is than by equal steps: a gap that is
     * told is between surfaces, whatever their widths */
    double lead[BUILTIN_MOVES_MAX];
    /* 1 + the one that is told to be in the middle of what bears them, or
     * PINNED_ALL, and where that is; 0: none is */
    uint32_t pinned;
    double pin[2];
    bool spread;   /* over the whole line */
    bool is_loose; /* by half a width at most, though: nobody said evenly */
    /* from the line to their middles; 0: their sides are on the line */
    double depth;
    /* the line's distance is rather more by this: the reference's doors open
     * there */
    double swing;
    /* beyond the line's ends, where the row is longer: past the sides of what
     * it is before */
    bool may_widen;
    /* with others between it and what it is before, but not wholly behind them,
     * and no longer than that */
    bool is_far;
    bool is_close;     /* with less between them than one likes */
    bool is_aside;     /* it may reach past one end by half of itself */
    bool may_overhang; /* the edge of the ground, by less than half of each */
    /* who may have to leave the places; of the try at hand */
    clearing *clearing;
} row;

/* Do long things go side by side: rolls of cloth? Then their long sides meet, and
 * not their ends. */
bool row_is_flank_to_flank(const builtin_facts *facts, const builtin_move *m);
/* So many metres, by the measure of the things of the row. */
double row_apart(const row *r, double metres);
/* The line that the move says, the `attempt`th of them, and what bears the
 * things there. */
void row_lay(row *r);
/* Lays the line through the middle of what bears the row, where one of it is
 * told to be there. Its things must be in their order. */
void row_pin(row *r);
/* The line's direction: left to right in the picture, of a line into the
 * picture far to near. */
void row_direct(row *r);

#endif
