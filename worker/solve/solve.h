/* The collision-free solver (VULCAN Alg. 1; METHODS.md 5): constraints in, one
 * pose out, or why there is none. 64 candidates descend together by AdamW, are
 * judged again in double with the unperturbed pixel, settled onto true
 * triangles, and the first that collides with nothing and leaves everything
 * supported wins. Where none does, the whole plane is searched for a free
 * place, nearest to the pixel first, before the answer is that there is none.
 * Same bits for one seed on any machine and thread.
 *
 * With a Place (constraint.h) nothing is descended and no seed matters: its at
 * most 65 poses are tried nearest first. With a Contact down the object is
 * lowered there until true triangles meet (at most 1.5 m, from up to 5 cm
 * higher where it cuts something), and must be steady on what it met, of which
 * the Contact's object must be part; with a Contact side or up it is moved
 * against that, at most 5 cm; with none it is put there exactly, and what
 * hovered or hung at the start may hover on. The checks are those of every
 * candidate.
 *
 * No candidate is taken to which the thing could not be brought (space_reach),
 * unless any_place says so. */
#ifndef ETNA_WORKER_SOLVE_SOLVE_H
#define ETNA_WORKER_SOLVE_SOLVE_H

#include "worker/probe/probe.h"
#include "worker/solve/constraint.h"

enum {
    SOLVE_CANDIDATES = 64,
    SOLVE_ITERATIONS = 800,
    SOLVE_CARRIED_MAX = 512
};

typedef struct solve_request {
    uint32_t cookie;
    const constraint_list *constraints;
    /* may be NULL with a Place, where planes are not named */
    const scene_camera *camera;
    uint64_t seed;            /* etna_seed of the ROLE_SOLVER slot */
    const space_rules *rules; /* NULL: all zero */
    /* support: the state at S_0 (NULL: what stands now is the start), who moved
     * since S_0 (object_count bools or NULL: nobody; the object of this edit
     * counts as moved), who was fastened by a Contact side/up (or NULL) */
    const space_support_state *start;
    const bool *moved, *attached_by_contact;
    /* given-up edits of this step (METHODS.md 2 Memory): avoided, and what
     * `repeated` means */
    uint32_t given_up_count;
    const arrange_given_up *given_up;
    /* object_count bools or NULL: what does not go along though it stands on
     * the object */
    const bool *left_behind;
    bool any_place; /* reach (space.h) is not asked for */
    /* drops every [D] of METHODS.md 5, and looks no further than the paper when
     * all collide */
    bool paper_solver;
    /* where every candidate collides or lets something float, take the best of
     * them all the same */
    bool allow_faults;
    double (*clock_ms)(void); /* for solve_ms and check_ms; NULL: they stay 0 */
} solve_request;
/* With the cookie that solve_run asks for; constraints and a camera are the
 * caller's to set. */
solve_request solve_request_default(void);

/* What its reason says, as data (proto/arrange.h). */
typedef struct solve_obstacle {
    arrange_obstacle_kind kind;
    char plane[PROBE_NAME_SIZE]; /* TOO_WIDE, EDGE; else "" */
    uint32_t other_count;        /* TAKEN, BURDEN: objects, the worst first */
    uint32_t others[ARRANGE_OBSTACLE_OTHERS];
} solve_obstacle;

typedef struct solve_result {
    /* VALID, UNSOLVED, COLLISION, FLOATING, REPEATED */
    arrange_branch_status status;
    uint32_t object;
    /* VALID: after settling; else the object's present pose */
    arrange_pose pose;
    /* VALID: with the unperturbed pixel; else the least of any candidate */
    double loss;
    /* canonical name of the (first) Contact plane, else of NoOverhang's, else
     * ""; with a Place perhaps an object's */
    char plane[PROBE_NAME_SIZE];
    /* VALID: a Contact side/up holds, or what hovered or hung was moved by a
     * Place alone: the caller carries it in attached_by_contact */
    bool attached;
    /* VALID: found by looking over the whole plane, when none near the pixel
     * was free */
    bool widened;
    /* VALID: from the first CloseToPix, in widths and heights of the image */
    double pixel_off;
    /* VALID, with a Place: metres from it (a segment: from its beginning)
     * before resting */
    double place_off;
    /* VALID, but it collides or lets something float: `reason` says what
     * (allow_faults) */
    bool faulty;
    bool centered; /* found in `center` mode after `full` found nothing */
    /* its load (space.h), also where there is no pose: ascending, without the
     * object */
    uint32_t carried_count;
    uint32_t carried[SOLVE_CARRIED_MAX];
    /* VALID: moved rigidly along; else as they stand */
    arrange_pose carried_pose[SOLVE_CARRIED_MAX];
    uint32_t candidates, survivors, collision_checks, support_checks;
    double solve_ms, check_ms;
    /* not VALID: the constraint or the objects in the way, for an agent to act
     * on */
    char reason[ARRANGE_REASON_MAX];
    /* UNSOLVED, COLLISION, FLOATING: the same as data */
    solve_obstacle obstacle;
} solve_result;

/* Solves for constraints->object, whose load goes along as one rigid body, in
 * the scene as `sp` has it; leaves every pose in `sp` as it was. ETNA_OK also
 * when there is no pose (see status). ETNA_E_INPUT: unknown object or plane, a
 * static or immovable object, a plane of the moved object, a direction that
 * does not exist; the text is written for an agent. */
etna_code solve_run(space *sp,
                    probe_shared *probes,
                    const solve_request *request,
                    solve_result *ret,
                    etna_error *err);

/* The load of `object` (METHODS.md 6): what goes along when it is moved to
 * `pose`, into ret's object, pose and carried. Of the request start, moved,
 * attached_by_contact, left_behind and rules matter. Moves nothing and checks
 * nothing. ETNA_E_INPUT: something static or immovable stands on it, or more
 * than SOLVE_CARRIED_MAX things do. */
etna_code solve_carry(space *sp,
                      const solve_request *request,
                      uint32_t object,
                      const arrange_pose *pose,
                      solve_result *ret,
                      etna_error *err);
/* The edit as a child of `from`: the object, its load, and what is attached.
 * The caller sets `parent`. */
etna_code solve_snapshot(const solve_result *result,
                         const snapshot *from,
                         snapshot *ret,
                         etna_error *err);

#endif
