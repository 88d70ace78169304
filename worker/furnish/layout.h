/* Where things go in an empty room: a search over places that people choose
 * (back at a wall, beside, before, around what is there already), each thing on
 * its box. What is found is free of overlaps between boxes, leaves doors free,
 * and lets a person come to every seat; triangles are for who sets the models
 * there.
 *
 * The search keeps the best few rooms at a time and adds to each the next thing
 * at its best few places (a beam). A thing that is told to be there and finds
 * no place in any of them is put earlier, and smaller models are taken, in
 * another attempt. Order: what others stand by comes before them; then what
 * stands at walls, larger before smaller, as the text has it.
 *
 * Frame: metres, x to the right, z toward the viewer, the room's middle on the
 * floor at 0. A heading is a quarter turn counter-clockwise from above: 0 faces
 * +Z, 1 faces +X. Walls: north (-Z), east, south, west. Pure, one thread: the
 * same for the same seed. */
#ifndef ETNA_WORKER_FURNISH_LAYOUT_H
#define ETNA_WORKER_FURNISH_LAYOUT_H

#include "worker/furnish/habits.h"

enum {
    LAYOUT_ITEMS_MAX = 240,
    LAYOUT_OPENINGS_MAX = 16,
    LAYOUT_MODELS_MAX = 8, /* of one thing, best first */
    LAYOUT_TIES_MAX = 6,   /* of one thing */
    LAYOUT_NONE = UINT32_MAX
};
#define LAYOUT_ROOM_LEAST 1.0 /* metres: width and depth */
#define LAYOUT_ROOM_MOST 100.0
#define LAYOUT_DOOR_WIDTH 0.9
#define LAYOUT_DOOR_HEIGHT 2.05
#define LAYOUT_DOOR_DEPTH 0.8 /* metres before a door that stay free */
#define LAYOUT_WINDOW_WIDTH 1.2
#define LAYOUT_WINDOW_FOOT 0.9
#define LAYOUT_WINDOW_HEIGHT 1.2
/* metres: what is higher hides the window it is before */
#define LAYOUT_WINDOW_HIDDEN (LAYOUT_WINDOW_FOOT + 0.3)

typedef struct layout_rect { /* on the floor */
    double x0, z0, x1, z1;
} layout_rect;

typedef struct layout_opening {
    uint32_t wall; /* 0 north, 1 east, 2 south, 3 west */
    /* metres from the wall's left end, as one looks at it from inside, to the
     * opening's middle */
    double at;
    double width; /* 0: the usual */
    bool is_door;
} layout_opening;

typedef struct layout_room {
    double width, depth, height;
    /* sides without a wall: one comes in there, and nothing stands or hangs at
     * it */
    bool open[4];
    bool no_ceiling; /* nothing hangs from it */
    uint32_t opening_count;
    layout_opening openings[LAYOUT_OPENINGS_MAX];
} layout_room;

typedef struct layout_model {
    double size[3]; /* width, height, depth; its front is +Z */
    /* metres above the floor that it is made for; 0: unsaid */
    double elevation;
    /* not as large as its thing is told to be: it is taken last */
    bool misfits;
} layout_model;

typedef struct layout_tie {
    brief_relation relation;
    /* as the text has it: one is "behind" a desk before its drawers */
    brief_relation said;
    uint32_t anchor; /* a thing, or LAYOUT_NONE: the room */
    bool told;       /* by the text; else a habit */
    /* bits of brief_wall: WALL and CORNER are of these; 0: any. Of BETWEEN: the
     * other end is an opening in one of these */
    uint8_t walls;
    /* of ROWS: how many; of WALL: at so many of `walls`, 0: at any of them */
    uint8_t rows;
    /* at most so many items of the thing by one item of the anchor; 0: any */
    uint32_t share;
    double gap; /* metres between the two; 0: unsaid */
} layout_tie;

typedef struct layout_place { /* of one item */
    bool placed;
    bool in_way; /* not placed, as nobody would come to a seat then */
    bool spared; /* not placed, as what was named before it fills the floor */
    uint32_t thing, model;
    /* of the middle of its foot; on something: y and where on it are for who
     * sets it there */
    double x, y, z;
    uint32_t heading;
    uint32_t wall; /* hung: which */
    uint32_t on;   /* an item, or LAYOUT_NONE */
} layout_place;

typedef struct layout_thing {
    habits_footing footing;
    double front; /* metres before it that are better left free */
    bool seat, told, different;
    bool table;  /* seats may be at any of its sides */
    bool sat_at; /* one sits close to it and turned to it: a desk, a piano */
    /* by many: it is in the middle of its wall, and they turn straight to it */
    bool looked_at;
    /* metres that neighbours in rows leave for what is to stand between them */
    double apart;
    /* who uses it stands or sits before its front: a desk faces what they
     * face */
    bool worked_at;
    /* what finds no place where it is told to stand may stand on it */
    bool bears;
    /* its last so many items are on the floor, though they are told to stand on
     * something: there is no place for them */
    uint32_t grounded;
    uint32_t count; /* items of it */
    uint32_t model_count, tie_count;
    layout_model models[LAYOUT_MODELS_MAX];
    layout_tie ties[LAYOUT_TIES_MAX];
    /* NULL; else where its items are, and stay: what the room has already */
    const layout_place *fixed;
} layout_thing;

typedef struct layout_plan {
    uint32_t item_count;
    layout_place items[LAYOUT_ITEMS_MAX]; /* thing by thing */
    uint32_t order[LAYOUT_ITEMS_MAX];     /* in which they were placed */
    double score;
    uint32_t attempts, states; /* that were looked at */
} layout_plan;

/* ETNA_E_NOMEM; ETNA_E_LIMIT: more items than LAYOUT_ITEMS_MAX. What finds no
 * place is not placed. */
etna_code layout_search(const layout_room *room,
                        const layout_thing *things,
                        uint32_t thing_count,
                        uint64_t seed,
                        layout_plan *ret,
                        etna_error *err);

/* The placement that Reason-3D publishes (its steps 9 and 10), with what the
 * search knows of good places instead of its model: one thing after another at
 * its best place, whatever stands there; then, in one pass, each whose box
 * overlaps others by a tenth of a metre along all three axes is placed anew, so
 * that it no longer does with those. An overlap that makes sense stays. Nothing
 * else is looked at. For comparison; errors as above. */
etna_code layout_as_published(const layout_room *room,
                              const layout_thing *things,
                              uint32_t thing_count,
                              uint64_t seed,
                              layout_plan *ret,
                              etna_error *err);

/* How many of the model stand side by side on the room's floor at most, as a
 * person would count them. */
uint32_t layout_fit(const layout_room *room, const layout_model *model);

/* By how much a relation of a placed item does not hold, metres; 0: it holds.
 * INFINITY: its anchor is not there, or there is no window. */
double layout_residual(const layout_room *room,
                       const layout_thing *things,
                       const layout_plan *plan,
                       uint32_t item,
                       const layout_tie *tie);
/* Is it flat, so that its likes are stacked on it? */
bool layout_is_stackable(const layout_model *m);
/* Of the items of the thing before this one, with that model and on something,
 * the last with nothing on it; LAYOUT_NONE. */
uint32_t layout_stack_top(const layout_plan *plan,
                          uint32_t thing,
                          uint32_t model,
                          uint32_t item);
/* The tie that puts the thing's items into rows; NULL. */
const layout_tie *layout_rows_of(const layout_thing *thing);
/* Can a person come from the doors (or from the largest free part of the floor)
 * to the item? */
bool layout_reaches(const layout_room *room,
                    const layout_thing *things,
                    const layout_plan *plan,
                    uint32_t item);
/* Sets `ret` for every item that somebody must come to; how many of these are
 * out of reach. */
uint32_t layout_count_unreached(const layout_room *room,
                                const layout_thing *things,
                                const layout_plan *plan);

#endif
