/* What the files of worker/solve share: a compiled solve and the steps on it. Not for others. */
#ifndef ETNA_WORKER_SOLVE_OWN_H
#define ETNA_WORKER_SOLVE_OWN_H

#include "worker/solve/problem.h"

typedef struct solve_plane { /* the plane that a constraint names, looked up once */
    uint32_t item;
    probe_plane plane;
} solve_plane;

typedef struct solve_case {
    space *space;
    probe_shared *probes;
    const scene *scene;
    const solve_request *request;
    space_rules rules;
    uint32_t object;
    arrange_pose before;  /* where the object stands */
    scene_box box;        /* there */
    uint32_t plane_count;
    solve_plane planes[CONSTRAINTS_MAX];
    const probe_plane *floor; /* of the first Contact, else of the first NoOverhang, else NULL */
    bool center_possible;     /* a NoOverhang allows `center` on a plane small enough */
    bool hanging;             /* METHOD.md 5, Contact side: the object hangs at the start */
    uint32_t *scratch;        /* room for the triangles of the largest plane */
    etna_arena *arena;
} solve_case;

/* Looks up object, planes and targets. ETNA_E_INPUT as solve_run. */
etna_code case_open(solve_case *c, etna_error *err);
const probe_plane *case_plane(const solve_case *c, uint32_t item);
/* The problem (centre mode for the NoOverhangs that allow it when `center`) and the 64 starts. */
etna_code case_compile(const solve_case *c, bool center, solve_problem *ret, float ret_pose[4][SOLVE_CANDIDATES], etna_error *err);

/* ---- judging ---- */
typedef struct candidate {
    uint32_t number;
    double pose[4];      /* relative to the problem's origin */
    double loss;         /* unperturbed */
    double parts[2 * CONSTRAINTS_MAX];
    uint32_t culprit;    /* term that drops it; term_count: the sum alone, UINT32_MAX: none */
    double miss;         /* by how much, in the culprit's own measure */
} candidate;
/* Judges all by loss and tolerances; the survivors are moved to the front, by (loss, number). */
uint32_t judge_candidates(const solve_case *c, const solve_problem *p, candidate *candidates);
arrange_pose judge_pose(const solve_problem *p, const candidate *candidate);
/* Does enough of the bottom lie over the real polygons of the full NoOverhangs? *ret_share: of the worst. */
bool judge_bottom(const solve_case *c, const solve_problem *p, const arrange_pose *pose, uint32_t *ret_item, double *ret_share);

/* ---- words ---- */
void words_no_survivor(const solve_case *c, const solve_problem *p, const candidate *all, char reason[ARRANGE_REASON_MAX]);
void words_bottom(const solve_case *c, uint32_t item, double share, char reason[ARRANGE_REASON_MAX]);
void words_collision(const solve_case *c, uint32_t tried, const uint32_t *hits, char reason[ARRANGE_REASON_MAX]);
void words_floating(const solve_case *c, const uint32_t *broken, uint32_t count, char reason[ARRANGE_REASON_MAX]);

#endif
