/* The facts: everything the geometry knows of a scene at one snapshot, as one
 * JSON text. Every request carries it beside the images; the built-in agent
 * sees nothing else (METHODS.md 3, Facts). Objects in file order, keys in a
 * fixed order, numbers as 17-digit decimals: one snapshot and camera, one text.
 * Colours are those of S_0 where a thing was seen there: the blue stool is blue
 * under the table, too. World frame, metres, yaw in degrees; images normalised.
 *
 *   {"version":1,
 *    "camera":{"name","matrix":[16, row-major, camera to world; columns right,
 *    up, backward, position],"aspect",
 *              "orthographic","half_height","width","height", "usual":[16]
 *              (only where another camera is the scene's own: left, right, near
 *              and far are said by that)},
 *    "objects":[{"name","static","immovable","static_why" (which rule made it
 *    static),"static_by_cut":true (only where that is the
 *    rule),"visible","pixels","image_box":[x1,y1,x2,y2]|null,
 *                "colour":{"srgb":[3],"lab":[3],"paints":[{"share","lab":[3]}] (only of what has several colours)}|null,"materials":[..],"form":"ball"|"block"
 *                (only of what is one),"description","category",
 *                "box":{"centre":[3],"half":[3],"yaw_deg"},"start":{"centre":[3],"front":[3],"supported_by":[..]}
 *                (only of what has moved),"front":[3],"front_source":"side
 *                file"|"node",
 *                "support":"static"|"grounded"|"attached"|"hovering","gap":m|null,"supported_by":[..],"supports":[..]}],
 *    "surfaces":[{"plane","object","height","polygon":[[x,y]..] (world, convex
 *    hull),"across","width","cell",
 *                 "origin":[x,y],"columns","rows","clear":[a text per row, +Y
 *                 upward, two hex digits a cell: whole centimetres free over it
 *                 were all taken away that "over" tells; 00: no place to stand,
 *                 ff: 2.55 m or more],
 *                 "over":[{"object","column","row","columns","rows" (its cells
 *                 of the map),"clear" (what this thing leaves free)}] (every
 *                 movable thing that takes room over it),"shut" (no hand comes
 *                 to any of it: it is no place)}],
 *    "surfaces_left_out":n,
 *    "walls":[{"plane","object","normal":[3],"right":[3],"offset","polygon":[[s,t]..],"lab":[3]
 *    (of this wall alone; none: not
 *    known),"cell","origin":[s,t],"columns","rows",
 *              "clear","over"}] (upright places the camera sees; a point is s
 *              right + t Z + offset normal; rows as of surfaces, upward; free
 *              out from the wall),
 *    "walls_left_out":n, "level":{"height","low":[x,y],"high":[x,y]} (only in a
 *    file without a floor: a plane of no object that carries; a Place
 *             without a Contact at its height stands there),
 *    "checks":null|{"object","plane","target":[x,y]|null,"target_is_bottom","moved_m","turned_deg","others_moved":[names],
 *                   "collisions":[{"a","b","depth_m"}],"floating":[names]}} */
#ifndef ETNA_WORKER_AGENTS_FACTS_H
#define ETNA_WORKER_AGENTS_FACTS_H

#include "worker/probe/probe.h"
#include "worker/view/view.h"

/* what was checked after an edit: for the Evaluator */
typedef struct facts_checks {
    uint32_t object;   /* the edited one */
    const char *plane; /* it was put on, or NULL */
    double target[2];  /* the planner's coordinate */
    bool target_is_bottom;
    bool no_target; /* the planner points at no place: "target" is null */
    const snapshot *before, *after;
    uint32_t collision_count, floating_count;
    const space_pair *collisions; /* new ones: a, b, depth */
    const uint32_t *floating;     /* newly unsupported objects */
} facts_checks;

typedef struct facts_input { /* all borrowed for the call */
    /* stands at the snapshot; its poses are what is told */
    const space *space;
    probe_shared *probes;
    const scene_camera *camera;
    /* by which people say left and right; NULL: the same */
    const scene_camera *usual;
    uint32_t width, height; /* of the instance map */
    /* view_instance_map of that size; NULL: made here */
    const uint32_t *ids;
    /* view_mean_colours of that size; NULL: made here */
    const view_colour *colours;
    /* the same of S_0, told of what was seen there; NULL: S_0 is what is
     * told */
    const view_colour *first;
    const space_support_state *support;
    /* the same of S_0; NULL: what has moved is told without what it stood on */
    const space_support_state *start;
    /* S_0, when it is not the scene as its file has it; else NULL */
    const snapshot *began;
    const facts_checks *checks; /* or NULL */
    bool any_place;             /* places need not be in reach of a hand */
    bool brief;                 /* facts_brief's instead */
    /* that may work on it; 0 is 1. The same text for any number */
    uint32_t threads;
} facts_input;

/* The brief facts, for network models: a text of a line for each object, at
 * most 60 tokens of it: its name, its box in the image, its place, size and
 * heading in the world, what it stands on, and how much of its top is free.
 * Objects that show come first; FACTS_BRIEF_MAX at most, the rest is counted.
 * `extents` of the objects. */
enum {
    FACTS_BRIEF_MAX = 400
};
etna_code facts_brief(const facts_input *input,
                      const view_extent *extents,
                      char **ret_text,
                      size_t *ret_size,
                      etna_error *err);

/* NUL-terminated JSON; the caller frees *ret_json. Errors of view and probe;
 * ETNA_E_NOMEM. */
etna_code facts_build(const facts_input *input,
                      char **ret_json,
                      size_t *ret_size,
                      etna_error *err);

#endif
