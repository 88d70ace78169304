/* The scene as the built-in agent knows it: what the `facts` of a task tell of
 * things, of places to stand and to hang on, and of the camera. All pointers
 * live in the caller's arena. */
#ifndef ETNA_WORKER_BUILTIN_FACTS_H
#define ETNA_WORKER_BUILTIN_FACTS_H

#include "worker/provider/conversation.h"

#include <stdint.h>

struct json_t;

#define BUILTIN_NONE UINT32_MAX

enum {
    BUILTIN_FACTS_MAX = 64 << 20, /* bytes of facts JSON */
    BUILTIN_OBJECTS_MAX = 100000,
    BUILTIN_SURFACES_MAX = 20000,
    BUILTIN_WALLS_MAX = 1000,
    BUILTIN_SIDE_MAX = 1 << 16,  /* columns or rows of a map */
    BUILTIN_CELLS_MAX = 4 << 20, /* of one map */
    BUILTIN_CLEAR_MOST = 255,    /* centimetres that a map tells */
    BUILTIN_CLEAR_LEAST = 2,     /* less is no place at all */
    /* before a wall: what is nearer hides what hangs there */
    BUILTIN_CLEAR_WALL = 30
};

typedef struct builtin_object {
    const char *name;
    uint32_t word_count, hint_count;
    /* of the name; of category and description */
    const char *const *words, *const *hints;
    /* what its name's words say it is, for builtin_is_seat and its like */
    unsigned classes;
    bool is_static, immovable, visible;
    bool static_by_cut;     /* static only because it cuts into what is */
    const char *static_why; /* the rule that made it static; "": not told */
    bool has_colour;
    double lab[3];        /* CIELAB, D65 */
    uint32_t paint_count; /* 0: of one colour */
    double paints[4]
                 [3]; /* its colours that clearly differ, the largest first */
    double image_box[4];       /* x1, y1, x2, y2 when visible */
    double centre[3], half[3]; /* box; half: across the heading, along it, up */
    double yaw_deg;            /* as facts tell it */
    double heading[2];         /* unit; world direction of the box's front */
    double start[3];           /* centre of the box when the run began */
    bool moved;                /* since then; if so: */
    double start_heading[2];
    uint32_t start_by_count; /* who carried it */
    const uint32_t *start_by;
    bool has_front; /* somebody said that the heading is the front */
    /* a model that sees said so: what its shape tells goes before */
    bool front_is_seen;
    /* as it stood at the start: its surfaces, which tell the front, are told
     * where it stands now */
    bool had_front;
    /* the same of a seat that has none: a stool */
    bool had_no_front;
    double front_then[2];
    /* before what the sentence goes on from, a run or an instruction; if so: */
    bool was_elsewhere;
    double earlier[3]; /* centre of the box */
    double earlier_yaw_deg;
    bool hovering;
    /* hangs: held by a wall or a ceiling at its side or top */
    bool attached;
    uint32_t by_count, on_count; /* who carries it, who stands on it: indices */
    const uint32_t *by, *on;
    /* of a wall that is no thing of the file: its index + 1
     * (builtin_facts_wall_in); else 0 */
    uint32_t stretch;
    /* its walls are such: "the wall" is one of those, whatever it is called */
    bool is_shell;
    /* leading words of the name that most names here begin with */
    uint32_t shared_words;
    uint32_t material_count;
    const char *const *materials; /* words of their names */
    /* "ball", "block": what it is by its mere form; NULL: neither */
    const char *form;
} builtin_object;

/* what one thing that could be taken away leaves free over a map's cells */
typedef struct builtin_layer {
    uint32_t object;
    uint32_t column, row, columns, rows; /* of its cells */
    const uint8_t *clear;                /* per cell of these, as the map's */
} builtin_layer;

/* what is free over the cells of a surface, or before those of a wall */
typedef struct builtin_map {
    /* per cell, row by row: whole centimetres, BUILTIN_CLEAR_MOST: that or
     * more */
    const uint8_t *clear;
    /* the same, were all taken away that the layers are of */
    const uint8_t *fixed;
    uint32_t layer_count;
    const builtin_layer *layers;
} builtin_map;

/* a horizontal place things can stand on, with its map of free cells */
typedef struct builtin_surface {
    const char *plane;
    uint32_t object;
    /* metres; width: the shorter side of the polygon */
    double height, cell, width;
    double origin[2];       /* world xy of the low corner of cell (0, 0) */
    uint32_t columns, rows; /* row along +Y */
    /* nowhere free for 8 cm both ways: crowded, or a rim */
    bool narrow;
    builtin_map map;
    /* no hand comes to any of it: the roof of a room in one mesh, the boards of
     * a closed cupboard */
    bool shut;
    uint32_t corner_count;
    const double (*corners)[2]; /* convex hull, world xy, counter-clockwise */
} builtin_surface;

/* an upright place things can hang on; a point of it is s right + t Z + offset
 * normal */
typedef struct builtin_wall {
    const char *plane;
    uint32_t object;
    double normal[2], right[2], offset, cell;
    bool has_colour;
    double lab[3];    /* CIELAB, D65: its own, where its thing has others */
    double origin[2]; /* s, t of the low corner of cell (0, 0) */
    uint32_t columns, rows;
    builtin_map map;
    uint32_t corner_count;
    const double (*corners)[2]; /* convex hull, s and t, counter-clockwise */
} builtin_wall;

typedef struct builtin_checks { /* after an edit: for the evaluator */
    uint32_t object;
    double target[2], moved;
    bool no_target; /* the planner pointed at no place */
    double turned;  /* degrees, counter-clockwise from above, within +-180 */
    uint32_t collision_count, floating_count, others_moved;
    const char *collisions; /* names of what it cuts, as a list; "" when none */
    const char *floating;
    bool object_floats;
} builtin_checks;

typedef enum builtin_change {
    CHANGE_ADD,
    CHANGE_REMOVE,
    CHANGE_REPLACE
} builtin_change;

/* what was brought in or taken out for this text (worker/convert/stage.h) */
typedef struct builtin_staged {
    builtin_change kind;
    /* the phrases, as written; by: REPLACE, by what; else "" */
    const char *said, *by;
    /* ADD: the text that asks for it, and where `said` begins there: what is
     * said twice comes twice; NULL: not known */
    const char *text;
    uint32_t from;
    const char *refused; /* why nothing was done for it; "": something was */
    uint32_t count;      /* things that came for it */
    const uint32_t *objects;
    /* REPLACE: of each, where the middle of the old one's foot was (hung: of
     * its box) */
    const double (*at)[3];
    const double *yaw_deg; /* and its yaw */
    bool hung;
    uint32_t load_count; /* REPLACE: what stood on the old ones */
    const uint32_t *load;
} builtin_staged;

typedef struct builtin_facts {
    /* Of the camera by which left, right, near and far are said. */
    double position[3], right[3], up[3], forward[3];
    /* Of the one whose picture image places are of: mostly the same. */
    double lens_position[3], lens_right[3], lens_up[3], lens_forward[3];
    double half_height, aspect;
    bool orthographic;
    uint32_t object_count, surface_count, wall_count;
    const builtin_object *objects;
    const builtin_surface *surfaces;
    const builtin_wall *walls;
    /* of each wall that is a stretch and has a map, else NULL: rows x
     * (columns + 1), how many cells of that row, up to that column, are the
     * wall's own; builtin_facts_wall_in sets it */
    const uint32_t *const *wall_sums;
    bool has_checks;
    builtin_checks checks;
    uint32_t staged_count;
    const builtin_staged *staged;
    /* what is to be brought in or taken out is asked for
     * (builtin_refusal.want) */
    bool gathers;
} builtin_facts;

/* Reads the facts JSON of worker/agents/facts.h: hostile, bounded. ETNA_E_INPUT
 * names the field that is wrong; *ret untouched then. */
etna_code builtin_facts_read(const char *json,
                             size_t size,
                             etna_arena *arena,
                             builtin_facts *ret,
                             etna_error *err);
/* The same things as they stood when the run began: a goal speaks of these.
 * Places, headings, who carries whom and the image boxes of what has moved
 * (from its box's corners) are those of then; colours and maps are those of
 * now. ETNA_E_NOMEM. */
etna_code builtin_facts_at_start(const builtin_facts *facts,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err);
/* The instruction that an edit's row belongs to: its "item", else its "step";
 * of a goal 1. */
uint32_t builtin_edit_item(const struct json_t *row, bool in_list);
/* The scene before the first edit that belongs to that instruction of a list
 * (from 1), by the task's `edits`; a goal is instruction 1. Where there is no
 * such edit yet: as it is now. What stood on a moved thing went with it.
 * ETNA_E_NOMEM. */
etna_code builtin_facts_before(const builtin_facts *facts,
                               const struct json_t *edits,
                               uint32_t item,
                               etna_arena *arena,
                               builtin_facts *ret,
                               etna_error *err);
/* The scene with these things (rows of an object, a position and a yaw) where
 * the rows say, on whatever is below them there. ETNA_E_NOMEM. */
etna_code builtin_facts_put_back(const builtin_facts *facts,
                                 const struct json_t *rows,
                                 etna_arena *arena,
                                 builtin_facts *ret,
                                 etna_error *err);
/* Tells the objects of `facts` where those stood in `earlier` that stand
 * elsewhere now. ETNA_E_NOMEM. */
etna_code builtin_facts_tell_earlier(builtin_facts *facts,
                                     const builtin_facts *earlier,
                                     etna_arena *arena,
                                     etna_error *err);
/* Image place and depth of a world point; false behind the camera. */
bool builtin_project(const builtin_facts *facts,
                     const double point[3],
                     double ret_image[2],
                     double *ret_depth);
/* What hovers a little over a thing stands on it here (place/start.c); done by
 * builtin_facts_read. ETNA_E_NOMEM. */
etna_code builtin_facts_lay(builtin_facts *facts,
                            etna_arena *arena,
                            etna_error *err);
/* The walls of a room in one mesh become fixed things, so that a sentence can
 * speak of them and what is against them is measured as in rooms of several
 * meshes (place/stretch.c); done by builtin_facts_read. ETNA_E_NOMEM. */
etna_code builtin_facts_wall_in(builtin_facts *facts,
                                etna_arena *arena,
                                etna_error *err);
/* Is that wall one of the object, or the object a stretch of it? */
bool builtin_is_wall_of(const builtin_facts *facts,
                        uint32_t wall,
                        uint32_t object);
/* Of a stretch: is it there behind most of the object when the middle of its
 * bottom is at `at`, and not a passage? Of what is a thing of the file: yes. */
bool builtin_is_wall_behind(const builtin_facts *facts,
                            uint32_t wall,
                            const builtin_object *object,
                            const double at[3]);
/* Directly, by the facts of support. */
bool builtin_stands_on(const builtin_facts *facts,
                       uint32_t object,
                       uint32_t by);
/* A rug, a mat: things stand on it as on what it lies on, and it does not make
 * way for them. */
bool builtin_is_covering(const builtin_facts *facts, uint32_t object);
/* Does it stand on that, but at none of the heights at which it is level? */
bool builtin_is_on_a_slope(const builtin_facts *facts,
                           uint32_t object,
                           uint32_t base);
/* On it, or on what is on it, and so on. */
bool builtin_is_above(const builtin_facts *facts,
                      uint32_t object,
                      uint32_t base);

#endif
