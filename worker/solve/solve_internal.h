/* What the files of worker/solve share: a compiled solve and the steps on it.
 * Not for others. */
#ifndef ETNA_WORKER_SOLVE_SOLVE_INTERNAL_H
#define ETNA_WORKER_SOLVE_SOLVE_INTERNAL_H

#include "worker/math/footprint.h"
#include "worker/solve/problem.h"

/* the plane that a constraint names, looked up once */
typedef struct solve_plane {
    uint32_t item;
    probe_plane plane;
} solve_plane;

typedef struct solve_case {
    space *space;
    probe_shared *probes;
    const scene *scene;
    const solve_request *request;
    space_rules rules;
    /* whose picture the CloseToPix are of: the request's camera, or one they
     * name */
    const scene_camera *pixels;
    uint32_t object;
    arrange_pose before; /* where the object stands */
    uint32_t body_count; /* what moves as one: the object, then its load */
    const uint32_t *body;
    const arrange_pose *stood; /* per entry of body: where it stands */
    const constraint *place;   /* the Place; NULL: pixels say where */
    /* of the floor below; with a Place: what the first Contact names; "" */
    char target[PROBE_NAME_SIZE];
    /* S_0, and what follows: as the request says, this edit counted in */
    const space_support_state *start;
    const bool *moved, *attached;
    /* as everything stood before the edit; NULL until it is asked for */
    space_air *air;
    /* metres that a hanging thing was in something static at the start;
     * negative: not asked yet */
    double sunk;
    bool hung; /* it hung or hovered at the start; known once `sunk` is */
    uint32_t unreached; /* places that could not be reached, so far */
    scene_box box;      /* there */
    uint32_t plane_count;
    solve_plane planes[CONSTRAINTS_MAX];
    /* of the first Contact, else of the first NoOverhang, else NULL */
    const probe_plane *floor;
    /* a NoOverhang allows `center` on a plane small enough */
    bool center_possible;
    /* METHODS.md 5, Contact side: the object hangs at the start */
    bool hanging;
    uint32_t *scratch; /* room for the triangles of the largest plane */
    etna_arena *arena;
} solve_case;

/* Looks up object, planes and targets. ETNA_E_INPUT as solve_run. */
etna_code case_open(solve_case *c, etna_error *err);
/* The plane that constraint `item` names, in the world; NULL: it names none.
 * Lives as long as the case. */
const probe_plane *case_plane(const solve_case *c, uint32_t item);
/* The problem (centre mode for the NoOverhangs that allow it when `center`) and
 * the 64 starts. */
etna_code case_compile(const solve_case *c,
                       bool center,
                       solve_problem *ret,
                       float ret_pose[4][SOLVE_CANDIDATES],
                       etna_error *err);

/* The name's object: an object's, or a plane's that a constraint of this list
 * names. */
uint32_t case_object_of(const solve_case *c, uint32_t item);
/* Is there a constraint of that kind? */
bool case_has(const solve_case *c, constraint_kind kind);

/* ---- group.c: what moves as one ---- */
/* Brings the object to `pose` and its load along, rigidly; group_return: all to
 * where they stood. */
etna_code group_move(const solve_case *c,
                     const arrange_pose *pose,
                     etna_error *err);
/* All of the body to where it stood. */
etna_code group_return(const solve_case *c, etna_error *err);
/* Is it the object, or of its load? */
bool group_has(const solve_case *c, uint32_t object);
/* How deep the object was in something static at the start, if it hung or
 * hovered: into c->sunk and c->hung. Leaves it where it is. */
etna_code group_sunk(solve_case *c, etna_error *err);
/* Objects outside of it that one of it collides with where it stands, each
 * once; stops when `room` are found. What hung at the start may be as deep in
 * something static as then. */
etna_code group_collisions(solve_case *c,
                           uint32_t *found,
                           uint32_t room,
                           uint32_t *ret_count,
                           etna_error *err);
/* Could it have been brought to where it stands? Looks at no more than
 * GROUP_UNREACHED places in vain. */
etna_code group_reach(solve_case *c, bool *ret, etna_error *err);
enum {
    GROUP_UNREACHED = 24
};
/* As space_sweep_body. */
etna_code group_sweep(const solve_case *c,
                      vec3 direction,
                      double max,
                      space_swept *ret,
                      etna_error *err);
/* Finds what goes along with the object; `start`: S_0. ETNA_E_INPUT where that
 * cannot be moved or is named by a constraint. */
etna_code group_find(solve_case *c,
                     const space_support_state *start,
                     etna_error *err);
/* What goes along, and where it comes to be, into the result. */
void group_tell(const solve_case *c, solve_result *r);
/* Moved `by` metres along a unit vector. */
arrange_pose pose_shifted(const arrange_pose *pose, vec3 along, double by);

/* ---- given_up.c ---- */
/* METHODS.md 2: how far, in widths and heights of the image, a place is to be
 * from given-up ones. */
double given_up_radius(const solve_case *c);
/* To the nearest given-up pose, in the image; INFINITY: none is in sight. */
double given_up_nearest(const solve_case *c, const arrange_pose *pose);
/* Is the pose one that was given up, to what METHODS.md 2 takes for the
 * same? */
bool given_up_repeats(const solve_case *c, const arrange_pose *pose);

/* ---- spot.c: the poses that a Place gives ---- */
enum {
    SPOT_PLACES = 65,
    SPOT_OTHERS = 8
};
typedef enum spot_fault {
    SPOT_GOOD = 0,
    /* nothing is below, or where a Contact says, as far as it is looked for */
    SPOT_NOTHING_MET,
    SPOT_ELSEWHERE, /* others[0] is met instead of what the Contact names */
    SPOT_COLLIDES,  /* with others */
    SPOT_APART,     /* a Distance is not kept: value metres off */
    /* only `value` of its bottom is over a NoOverhang's plane */
    SPOT_OVER_EDGE,
    SPOT_UNREACHABLE,
    SPOT_UNSTEADY,    /* on others its centre of mass is carried by nothing */
    SPOT_UNSUPPORTED, /* others are left without support */
} spot_fault;
typedef struct spot_finding {
    spot_fault fault;
    uint32_t item;  /* of the constraint list: the one that is not met */
    vec3 place;     /* the place as it was asked for */
    uint32_t tried; /* places */
    double value;
    uint32_t other_count, others[SPOT_OTHERS];
    bool leans; /* it cuts something there, less than a collision */
} spot_finding;
/* Tries the places that the Place gives, in order, and fills `r` with the first
 * good pose or with why there is none. */
etna_code spot_search(solve_case *c, solve_result *r, etna_error *err);
/* Each of these writes r->reason and r->obstacle. */
void failure_text_spot(const solve_case *c,
                       const spot_finding *found,
                       solve_result *r);

/* ---- the whole plane ---- */
/* what stands on c->floor, in its own frame; columns 0: there is no plane, or
 * it is too large */
typedef struct free_map {
    /* metres; of the corner of cell 0 in the plane's frame */
    double cell, origin[2];
    /* what is higher over the plane is in nobody's way */
    double height;
    uint32_t columns, rows;
    /* 1: the cell's centre is neither on the real polygon nor in a narrow gap
     * of it */
    uint8_t *off;
    footprint_sums blocked; /* of cells in which something is in the way */
    footprint_sums off_plane;
} free_map;
/* In the case's arena. ETNA_E_NOMEM. */
etna_code free_map_make(const solve_case *c, free_map *ret, etna_error *err);

typedef enum free_search_way {
    FREE_SEARCH_NONE = 0,
    /* seemingly free, with the heading it has or is to have; nearest to the
     * pixel first */
    FREE_SEARCH_AS_IT_STANDS,
    FREE_SEARCH_TURNED, /* seemingly free, with any other heading */
    /* with any heading, where the map shows something in the way; the least of
     * it first */
    FREE_SEARCH_TIGHT,
    FREE_SEARCH_WAYS
} free_search_way;
/* Up to 64 poses relative to the problem's origin, best first. Only lane 0's
 * sides and headings of `p` are looked at. */
etna_code free_search_find(const solve_case *c,
                           const solve_problem *p,
                           const free_map *g,
                           free_search_way way,
                           double yaw,
                           double ret_pose[SOLVE_CANDIDATES][4],
                           uint32_t *ret_count,
                           etna_error *err);

/* ---- judging ---- */
typedef struct candidate {
    uint32_t number;
    double pose[4]; /* relative to the problem's origin */
    double loss;    /* unperturbed */
    double parts[2 * CONSTRAINTS_MAX];
    /* term that drops it; term_count: the sum alone, UINT32_MAX: none */
    uint32_t culprit;
    double miss; /* by how much, in the culprit's own measure */
} candidate;
/* Judges all by loss and tolerances; the survivors are moved to the front, by
 * (loss, number). */
uint32_t judge_candidates(const solve_case *c,
                          const solve_problem *p,
                          candidate *candidates);
/* One candidate; true when it may be tried. `far`: however far from its pixel
 * it is. */
bool judge_one(const solve_case *c,
               const solve_problem *p,
               bool far,
               candidate *k);
/* In the world; yaw in [-pi, pi). */
arrange_pose judge_pose(const solve_problem *p, const candidate *candidate);
/* Does enough of the bottom lie over the real polygons of the full NoOverhangs,
 * narrow gaps between their parts included? *ret_share: of the worst. */
bool judge_bottom(const solve_case *c,
                  const solve_problem *p,
                  const arrange_pose *pose,
                  uint32_t *ret_item,
                  double *ret_share);

/* ---- words: each writes r's reason and obstacle ---- */
void failure_text_no_survivor(const solve_case *c,
                              const solve_problem *p,
                              const candidate *all,
                              solve_result *r);
void failure_text_bottom(const solve_case *c,
                         uint32_t item,
                         double share,
                         solve_result *r);
void failure_text_collision(const solve_case *c,
                            uint32_t tried,
                            const uint32_t *hits,
                            solve_result *r);
void failure_text_unreachable(const solve_case *c, solve_result *r);
void failure_text_floating(const solve_case *c,
                           const uint32_t *broken,
                           uint32_t count,
                           solve_result *r);

#endif
