/* See gravity.h. */
#include "referee/gravity.h"

#include <stdlib.h>
#include <string.h>

typedef struct asking {
    const gravity_scene *scene;
    const solid *const *at; /* of the time that is asked about */
    physics_body *bodies;   /* by number: those that moved, else a piece each */
    physics_drift *drifts;
    point **joined; /* corners of bodies of several pieces, owned */
} asking;

static bool piece_moved(const gravity_scene *g, size_t i)
{
    return g->body[i] != GRAVITY_STAYED;
}

static bool body_is_asked(const gravity_scene *g, size_t i)
{
    return piece_moved(g, i) && g->body[i] == i && !g->is_hung[i];
}

/* All pieces of the body as one. */
static bool body_join(asking *a, size_t body)
{
    const gravity_scene *g = a->scene;
    size_t triangles = 0, used = 0;
    for (size_t i = 0; i < g->count; i++)
        triangles += g->body[i] == body ? a->at[i]->triangles : 0;
    point *corners = malloc((3 * triangles + 1) * sizeof *corners);
    if (!corners)
        return false;
    for (size_t i = 0; i < g->count; i++) {
        if (g->body[i] != body)
            continue;
        memcpy(corners + 3 * used, a->at[i]->corners,
               3 * a->at[i]->triangles * sizeof *corners);
        used += a->at[i]->triangles;
    }
    a->joined[body] = corners;
    bool is_free = !g->is_hung[body];
    a->bodies[body] = (physics_body){corners, triangles, is_free, is_free};
    return true;
}

/* `only`: of those that are unstable there, by fine steps; NULL: of all, by
 * coarse ones. */
static bool asking_run(asking *a,
                       const solid *const *at,
                       const gravity_fall *only)
{
    const gravity_scene *g = a->scene;
    bool good = true;
    a->at = at;
    for (size_t i = 0; good && i < g->count; i++) {
        a->bodies[i] = (physics_body){NULL, 0, false, false};
        free(a->joined[i]);
        a->joined[i] = NULL;
        if (g->body[i] == i)
            good = body_join(a, i);
        if (only)
            a->bodies[i].is_asked = only[i].is_unstable;
        if (!piece_moved(g, i))
            a->bodies[i] =
                (physics_body){at[i]->corners, at[i]->triangles, false, false};
    }
    int pace = only ? PHYSICS_PACE_FINE : PHYSICS_PACE_COARSE;
    return good && physics_settle(a->bodies, g->count, pace, a->drifts);
}

static bool drift_is_unstable(const physics_drift *d)
{
    return !(d->shift_m <= GRAVITY_SHIFT_M && d->turn_deg <= GRAVITY_TURN_DEG);
}

static bool asking_take_now(asking *a, gravity_fall *ret)
{
    bool any = false;
    for (size_t i = 0; i < a->scene->count; i++) {
        ret[i] = (gravity_fall){.is_asked = body_is_asked(a->scene, i),
                                .drift = a->drifts[i]};
        ret[i].is_unstable =
            ret[i].is_asked && drift_is_unstable(&a->drifts[i]);
        any = any || ret[i].is_unstable;
    }
    return any;
}

/* What came down by coarse steps and stays by fine ones was rocked by the
 * engine, not by gravity: it is not unstable. */
static bool asking_take_fine(const asking *a, gravity_fall *ret)
{
    bool any = false;
    for (size_t i = 0; i < a->scene->count; i++) {
        if (!ret[i].is_unstable)
            continue;
        ret[i].drift = a->drifts[i];
        ret[i].is_unstable = drift_is_unstable(&a->drifts[i]);
        any = any || ret[i].is_unstable;
    }
    return any;
}

bool gravity_ask(const gravity_scene *g, gravity_fall *ret)
{
    asking a = {.scene = g};
    a.bodies = calloc(g->count + 1, sizeof *a.bodies);
    a.drifts = calloc(g->count + 1, sizeof *a.drifts);
    a.joined = calloc(g->count + 1, sizeof *a.joined);
    bool good =
        a.bodies && a.drifts && a.joined && asking_run(&a, g->now, NULL);
    bool any_unstable = good && asking_take_now(&a, ret);
    if (any_unstable) {
        good = asking_run(&a, g->now, ret);
        any_unstable = good && asking_take_fine(&a, ret);
    }
    if (any_unstable)
        good = asking_run(&a, g->then, ret);
    for (size_t i = 0; any_unstable && good && i < g->count; i++)
        ret[i].was_unstable =
            ret[i].is_unstable && drift_is_unstable(&a.drifts[i]);
    for (size_t i = 0; a.joined && i < g->count; i++)
        free(a.joined[i]);
    free(a.joined);
    free(a.drifts);
    free(a.bodies);
    return good;
}
