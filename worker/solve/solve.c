/* The solver from end to end. Order of deeds: compile, descend, judge; then, in the order of preference, settle one
 * candidate at a time onto true triangles, look for collisions, then for what lost its support; the first that has
 * neither wins. `center` is a second run of the same. */
#include "worker/solve/own.h"

#include <stdlib.h>
#include <string.h>

#define SOLVE_COOKIE 0x534f4c56u
#define SETTLE_MAX 0.05
#define SETTLE_SHARE 0.1
#define LIFT 0.0001
#define CLEARANCE 0.002      /* lifted by this much before settling: the solved pose may cut 1 mm into the surface */
#define SUPPORT_CHECKS_MAX 8 /* of the whole scene, an attempt */
#define FOUND_MAX 8
#define LEVEL_LEAST 0.9 /* n.z of a plane on which things stand */

solve_request solve_request_default(void) { return (solve_request){.cookie = SOLVE_COOKIE}; }

typedef struct attempt { /* one mode: full or center */
    solve_case *c;
    solve_problem problem;
    candidate candidates[SOLVE_CANDIDATES];
    uint32_t survivors, order[SOLVE_CANDIDATES];
    double nearest[SOLVE_CANDIDATES]; /* to a given-up pose, in the image; INFINITY: none */
    space_support_state start;        /* owned when request->start is NULL */
    bool have_start;
    bool *moved, *attached;
    uint32_t *hits; /* per object: candidates it was in the way of; counted when it is to be told */
    arrange_pose refused[SOLVE_CANDIDATES]; /* where something was in the way in the search that `reason` speaks of */
    uint32_t refused_count;
    places_way way;
    uint32_t blocker; /* what was in the way last; mostly it still is. SCENE_NONE: none yet */
    uint32_t collided, unsupported, unreached, overhanging, support_tries;
    uint32_t broken[FOUND_MAX], broken_count, overhang_item;
    double overhang_share;
    bool fastened; /* a Contact side or up */
    ground ground;
    bool have_ground;
    double places[SOLVE_CANDIDATES][4];
    struct { /* the first candidate that only collides [0], only lets something float [1] */
        bool there;
        candidate of;
        arrange_pose pose;
    } faulty[2];
} attempt;

static double now(const solve_case *c) { return c->request->clock_ms ? c->request->clock_ms() : 0; }

/* ---- given-up poses ---- */
/* Far ones by loss, then the near ones from the farthest: the first good one is then the one METHODS.md 2 asks for. */
static void order_candidates(attempt *a)
{
    double radius = a->c->request->given_up_count ? given_up_radius(a->c) : -1;
    uint32_t n = 0;
    bool placed[SOLVE_CANDIDATES] = {false};
    for (uint32_t i = 0; i < a->survivors; i++) {
        arrange_pose pose = judge_pose(&a->problem, &a->candidates[i]);
        a->nearest[i] = radius >= 0 ? given_up_nearest(a->c, &pose) : INFINITY;
        if (a->nearest[i] > radius) {
            a->order[n++] = i;
            placed[i] = true;
        }
    }
    while (n < a->survivors) {
        uint32_t best = SOLVE_CANDIDATES;
        for (uint32_t i = 0; i < a->survivors; i++)
            if (!placed[i] && (best == SOLVE_CANDIDATES || a->nearest[i] > a->nearest[best])) best = i;
        placed[best] = true;
        a->order[n++] = best;
    }
}

/* ---- one candidate against the scene ---- */
/* How far the plane's faces lie below its highest vertex, at most: contact is with that one, the ring of a small lid
 * stands lower on a curved plate. 0 for what is flat. */
static double relief_of(const probe_plane *plane)
{
    double least = plane->offset;
    for (uint32_t i = 0; i < plane->vertex_count; i++) {
        double at = v3_dot(plane->vertices[i], plane->normal);
        least = at < least ? at : least;
    }
    return plane->offset - least;
}

/* Moves the object along -n until true triangles meet, by a share of its height or what the plane itself is deep; *pose
 * stays when nothing is met. Leaves the object somewhere. */
static etna_code settle_on(const solve_case *c, const probe_plane *plane, arrange_pose *pose, etna_error *err)
{
    double relief = relief_of(plane), reach = SETTLE_SHARE * 2 * c->box.half.z, distance;
    reach = reach > relief ? reach : relief;
    reach = reach < SETTLE_MAX ? reach : SETTLE_MAX;
    uint32_t other;
    arrange_pose lifted = pose_shifted(pose, plane->normal, CLEARANCE);
    vec3 way = v3_scale(plane->normal, -1);
    etna_code code = group_move(c, &lifted, err);
    if (code == ETNA_OK && c->body_count == 1) {
        code = space_sweep(c->space, c->object, way, CLEARANCE + reach, &distance, &other, err);
    } else if (code == ETNA_OK) {
        space_swept swept;
        code = group_sweep(c, way, CLEARANCE + reach, &swept, err);
        distance = swept.distance;
        other = swept.other;
    }
    if (code == ETNA_OK && other != SCENE_NONE && distance > 0)
        *pose = pose_shifted(&lifted, plane->normal, LIFT - distance);
    return code;
}

/* On every plane it is to touch, in the order written. */
static etna_code settle(const solve_case *c, arrange_pose *pose, etna_error *err)
{
    const constraint_list *list = c->request->constraints;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < list->count && code == ETNA_OK && !c->request->paper_solver; i++)
        if (list->items[i].kind == CONSTRAINT_CONTACT) code = settle_on(c, case_plane(c, i), pose, err);
    return code;
}

/* Would it be in the way after settling, too? Only what is hung lower than the settled object's top could be cleared by
 * moving down a little: what begins near its foot could not. */
static bool stays_in_the_way(const solve_case *c, const arrange_pose *pose, uint32_t other)
{
    scene_box box = scene_box_at(&c->scene->objects[other], space_pose(c->space, other));
    return other != c->floor->object &&
           box.centre.z - box.half.z <= pose->position[2] - c->box.half.z + SETTLE_SHARE * c->box.half.z &&
           box.centre.z + box.half.z >= pose->position[2];
}

/* Is something in the way that will be so after settling? Settling costs more than a verdict, and on a full table most
 * candidates collide. The first that is ends the question: who else is in the way is found when it must be told. */
static etna_code is_blocked(attempt *a, const arrange_pose *pose, bool *ret, etna_error *err)
{
    const solve_case *c = a->c;
    *ret = false;
    if (!c->floor || c->floor->normal.z < LEVEL_LEAST) return ETNA_OK;
    etna_code code = group_move(c, pose, err);
    if (code == ETNA_OK && a->blocker != SCENE_NONE && stays_in_the_way(c, pose, a->blocker)) {
        space_pair pair;
        code = space_pair_check(c->space, c->object, a->blocker, &c->rules, false, &pair, err);
        *ret = code == ETNA_OK && pair.collides;
    }
    for (uint32_t i = 0, first = 0; i < FOUND_MAX && code == ETNA_OK && !*ret; i++) {
        space_pair found;
        uint32_t count = 0;
        code = space_collisions_from(c->space, c->object, first, &c->rules, &found, 1, &count, err);
        if (code != ETNA_OK || count == 0) break;
        uint32_t other = found.a == c->object ? found.b : found.a;
        *ret = !group_has(c, other) && stays_in_the_way(c, pose, other);
        a->blocker = *ret ? other : a->blocker;
        first = other + 1;
    }
    return code;
}

/* Who was in the way where candidates were refused; leaves the object somewhere. */
static etna_code count_hits(attempt *a, etna_error *err)
{
    const solve_case *c = a->c;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; i < a->refused_count && code == ETNA_OK; i++) {
        uint32_t found[FOUND_MAX], count = 0;
        code = group_move(c, &a->refused[i], err);
        if (code == ETNA_OK) code = group_collisions(a->c, found, FOUND_MAX, &count, err);
        for (uint32_t k = 0; k < count && code == ETNA_OK; k++) a->hits[found[k]]++;
    }
    return code;
}

static etna_code find_broken(attempt *a, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    space_support_state state = {0};
    r->support_checks++;
    etna_code code = space_support_compute(c->space, &c->rules, &a->start, a->attached, &state, err);
    if (code == ETNA_OK) a->broken_count = space_support_broken(&a->start, &state, a->moved, a->broken, FOUND_MAX);
    space_support_free(&state);
    return code;
}

static void remember_faulty(attempt *a, const candidate *k, const arrange_pose *pose, bool floats)
{
    if (a->faulty[floats].there) return;
    a->faulty[floats].there = true;
    a->faulty[floats].of = *k;
    a->faulty[floats].pose = *pose;
}

/* *ret_good: the candidate holds; else it was counted under what is wrong with it. */
static etna_code check(attempt *a, const candidate *k, solve_result *r, arrange_pose *ret_pose, bool *ret_good,
                       etna_error *err)
{
    const solve_case *c = a->c;
    uint32_t found, found_count = 0, item = 0;
    double share = 1;
    *ret_good = false;
    *ret_pose = judge_pose(&a->problem, k);
    if (!c->request->paper_solver && !judge_bottom(c, &a->problem, ret_pose, &item, &share)) {
        if (a->overhanging++ == 0 || share > a->overhang_share) {
            a->overhang_item = item;
            a->overhang_share = share;
        }
        return ETNA_OK;
    }
    bool blocked = false;
    r->collision_checks++;
    etna_code code = c->request->paper_solver ? ETNA_OK : is_blocked(a, ret_pose, &blocked, err);
    if (code == ETNA_OK && !blocked) code = settle(c, ret_pose, err);
    if (code == ETNA_OK && !blocked) code = group_move(c, ret_pose, err);
    if (code == ETNA_OK && !blocked) code = group_collisions(a->c, &found, 1, &found_count, err);
    if (code != ETNA_OK) return code;
    if (blocked || found_count > 0) {
        remember_faulty(a, k, ret_pose, false);
        a->collided++;
        if (a->way == PLACES_NONE) a->refused[a->refused_count++] = *ret_pose;
        return ETNA_OK;
    }
    bool reached = true;
    code = group_reach(a->c, &reached, err);
    if (code != ETNA_OK || !reached) {
        a->unreached += code == ETNA_OK;
        return code;
    }
    if (a->support_tries++ >= SUPPORT_CHECKS_MAX) {
        a->unsupported++;
        return ETNA_OK;
    }
    code = find_broken(a, r, err);
    *ret_good = code == ETNA_OK && a->broken_count == 0;
    a->unsupported += code == ETNA_OK && a->broken_count > 0;
    if (code == ETNA_OK && a->broken_count > 0) remember_faulty(a, k, ret_pose, true);
    return code;
}

/* ---- one attempt ---- */
static etna_code descend(attempt *a, bool center, etna_error *err)
{
    float pose[4][SOLVE_CANDIDATES];
    etna_code code = case_compile(a->c, center, &a->problem, pose, err);
    if (code != ETNA_OK) return code;
    problem_descend(&a->problem, SOLVE_ITERATIONS, pose);
    for (uint32_t i = 0; i < SOLVE_CANDIDATES; i++) {
        a->candidates[i].number = i;
        for (int k = 0; k < 4; k++) a->candidates[i].pose[k] = (double)pose[k][i];
    }
    a->survivors = judge_candidates(a->c, &a->problem, a->candidates);
    return ETNA_OK;
}

/* Brings places on the plane to where the other constraints hold, too: each lane is drawn to its own place in the
 * image. */
static void polish(attempt *a, uint32_t count, float pose[4][SOLVE_CANDIDATES])
{
    solve_problem *p = &a->problem;
    for (uint32_t l = 0; l < SOLVE_CANDIDATES; l++)
        for (int k = 0; k < 4; k++) pose[k][l] = (float)a->places[l < count ? l : 0][k];
    for (uint32_t i = 0; i < p->term_count; i++) {
        term *t = &p->terms[i];
        for (uint32_t l = 0; l < SOLVE_CANDIDATES && t->kind == TERM_PIXEL; l++) {
            const double *at = a->places[l < count ? l : 0];
            double x, y, depth;
            vec3 seen = v3_add(v3(at[0], at[1], at[2] - t->drop), p->origin);
            bool ahead = camera_project(a->c->pixels, seen, &x, &y, &depth);
            t->lane_x[l] = ahead ? (float)(x - t->target[0]) : 0;
            t->lane_y[l] = ahead ? (float)(y - t->target[1]) : 0;
        }
    }
    problem_descend(p, SOLVE_ITERATIONS, pose);
}

/* Every lane touches and looks as the first does. */
static void share_sides(solve_problem *p)
{
    for (uint32_t i = 0; i < p->term_count; i++)
        for (uint32_t l = 1;
             l < SOLVE_CANDIDATES && (p->terms[i].kind == TERM_CONTACT || p->terms[i].kind == TERM_FACING); l++) {
            p->terms[i].lane_x[l] = p->terms[i].lane_x[0];
            p->terms[i].lane_y[l] = p->terms[i].lane_y[0];
        }
}

/* The candidates are places of the whole plane instead, in the order found. */
static etna_code look_over(attempt *a, bool center, places_way way, etna_error *err)
{
    float pose[4][SOLVE_CANDIDATES];
    uint32_t count;
    etna_code code = case_compile(a->c, center, &a->problem, pose, err);
    if (code == ETNA_OK && !a->have_ground) code = ground_make(a->c, &a->ground, err);
    if (code != ETNA_OK) return code;
    a->have_ground = true;
    a->survivors = 0;
    share_sides(&a->problem);
    double yaw = (double)pose[3][0];
    code = places_find(a->c, &a->problem, &a->ground, way, yaw, a->places, &count, err);
    if (code != ETNA_OK || count == 0) return code;
    bool polished = false;
    for (uint32_t i = 0; i < count; i++) {
        candidate *k = &a->candidates[a->survivors];
        *k = (candidate){.number = i};
        memcpy(k->pose, a->places[i], sizeof k->pose);
        bool good = judge_one(a->c, &a->problem, true, k);
        if (!good && !polished) {
            polish(a, count, pose);
            polished = true;
        }
        if (!good) {
            for (int j = 0; j < 4; j++) k->pose[j] = (double)pose[j][i];
            good = judge_one(a->c, &a->problem, true, k);
        }
        a->survivors += good;
    }
    return ETNA_OK;
}

static void explain(const attempt *a, solve_result *r)
{
    if (a->survivors == 0) {
        r->status = BRANCH_UNSOLVED;
        words_no_survivor(a->c, &a->problem, a->candidates, r);
    } else if (a->unsupported > 0) {
        r->status = BRANCH_FLOATING;
        words_floating(a->c, a->broken, a->broken_count, r);
    } else if (a->unreached > 0) {
        r->status = BRANCH_UNSOLVED;
        words_unreachable(a->c, r);
    } else if (a->collided > 0) {
        r->status = BRANCH_COLLISION; /* in words when nothing is found elsewhere, either */
    } else {
        r->status = BRANCH_UNSOLVED;
        words_bottom(a->c, a->overhang_item, a->overhang_share, r);
    }
}

static double pixel_off(const attempt *a, const candidate *k)
{
    for (uint32_t i = 0; i < a->problem.term_count; i++)
        if (a->problem.terms[i].kind == TERM_PIXEL) return sqrt(k->parts[i] / a->problem.terms[i].weight);
    return 0;
}

static void accept(const attempt *a, const candidate *k, const arrange_pose *pose, bool center, places_way way,
                   solve_result *r)
{
    r->widened = way != PLACES_NONE;
    r->pixel_off = pixel_off(a, k);
    r->pose = *pose;
    r->loss = k->loss;
    r->attached = a->fastened;
    r->centered = center;
    r->status = BRANCH_VALID;
    r->reason[0] = 0;
    if (given_up_repeats(a->c, pose)) {
        r->status = BRANCH_REPEATED;
        r->pose = a->c->before;
        strcpy(r->reason, "this is the same edit as one that was given up before; choose another place");
    }
}

static etna_code run(attempt *a, bool center, places_way way, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    double begun = now(c);
    a->collided = a->unsupported = a->unreached = a->overhanging = a->support_tries = a->broken_count = 0;
    a->way = way;
    a->refused_count = way == PLACES_NONE ? 0 : a->refused_count;
    etna_code code = way == PLACES_NONE ? descend(a, center, err) : look_over(a, center, way, err);
    double solved = now(c);
    r->solve_ms += solved - begun;
    if (code != ETNA_OK) return code;
    r->survivors += a->survivors;
    if (way == PLACES_NONE) {
        r->candidates += SOLVE_CANDIDATES;
        r->loss = a->candidates[0].loss;
        for (uint32_t i = 1; i < SOLVE_CANDIDATES; i++)
            r->loss = a->candidates[i].loss < r->loss ? a->candidates[i].loss : r->loss;
    } else {
        r->candidates += a->survivors;
    }
    order_candidates(a);
    bool good = false;
    arrange_pose pose;
    uint32_t i = 0;
    for (; code == ETNA_OK && !good && i < a->survivors && !(c->request->paper_solver && a->unsupported > 0); i++)
        code = check(a, &a->candidates[a->order[i]], r, &pose, &good,
                     err); /* the paper takes the first that collides with nothing */
    if (code == ETNA_OK && good)
        accept(a, &a->candidates[a->order[i - 1]], &pose, center, way, r);
    else if (code == ETNA_OK && way == PLACES_NONE)
        explain(a, r);
    r->check_ms += now(c) - solved;
    return code;
}

static etna_code prepare(attempt *a, solve_case *c, etna_error *err)
{
    const solve_request *q = c->request;
    uint32_t n = c->scene->object_count;
    a->c = c;
    a->blocker = SCENE_NONE;
    a->moved = etna_arena_alloc(c->arena, n, sizeof *a->moved);
    a->attached = etna_arena_alloc(c->arena, n, sizeof *a->attached);
    a->hits = etna_arena_alloc(c->arena, n, sizeof *a->hits);
    if (!a->moved || !a->attached || !a->hits) return etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    if (q->moved) memcpy(a->moved, q->moved, n * sizeof *a->moved);
    if (q->attached_by_contact) memcpy(a->attached, q->attached_by_contact, n * sizeof *a->attached);
    for (uint32_t i = 0; i < q->constraints->count; i++)
        if (q->constraints->items[i].kind == CONSTRAINT_CONTACT && q->constraints->items[i].face != FACE_DOWN)
            a->fastened = true;
    a->moved[c->object] = true;
    a->attached[c->object] = a->fastened; /* what held it where it was holds it no more */
    if (q->start) {
        a->start = *q->start;
        return ETNA_OK;
    }
    etna_code code = space_support_compute(c->space, &c->rules, NULL, q->attached_by_contact, &a->start, err);
    a->have_start = code == ETNA_OK;
    return code;
}

static bool is_found(const solve_result *r) { return r->status == BRANCH_VALID || r->status == BRANCH_REPEATED; }

/* As the paper does; then, where it found nothing that another place could not mend, over the whole plane. The reason
 * is the first search's: it speaks of what was asked for. */
static etna_code search(attempt *a, solve_result *r, etna_error *err)
{
    const solve_case *c = a->c;
    etna_code code = run(a, false, PLACES_NONE, r, err);
    if (code == ETNA_OK && !is_found(r) && c->center_possible) code = run(a, true, PLACES_NONE, r, err);
    bool elsewhere = true; /* what is broken beside the load is so wherever it goes */
    for (uint32_t i = 0; i < a->broken_count; i++) elsewhere = elsewhere && group_has(c, a->broken[i]);
    for (int center = 0; center <= (c->center_possible ? 1 : 0) && elsewhere && !c->request->paper_solver; center++)
        for (int way = PLACES_AS_IT_STANDS; code == ETNA_OK && !is_found(r) && way < PLACES_WAYS; way++)
            code = run(a, center == 1, (places_way)way, r, err);
    if (code == ETNA_OK && r->status == BRANCH_COLLISION && (code = count_hits(a, err)) == ETNA_OK)
        words_collision(c, a->refused_count, a->hits, r);
    for (int floats = 1; code == ETNA_OK && floats >= 0 && c->request->allow_faults && !is_found(r); floats--) {
        if (!a->faulty[floats].there) continue;
        char reason[ARRANGE_REASON_MAX];
        memcpy(reason, r->reason, sizeof reason);
        accept(a, &a->faulty[floats].of, &a->faulty[floats].pose, false, PLACES_NONE, r);
        r->faulty = r->status == BRANCH_VALID;
        if (r->faulty) memcpy(r->reason, reason, sizeof reason);
    }
    return code;
}

etna_code solve_run(space *sp, probe_shared *probes, const solve_request *request, solve_result *ret, etna_error *err)
{
    if (request->cookie != SOLVE_COOKIE || !request->constraints)
        return etna_fail(err, ETNA_E_INTERNAL, "a solve request was not initialised");
    etna_arena arena = ETNA_ARENA_INIT;
    solve_result result = {.status = BRANCH_UNSOLVED};
    solve_case *c = calloc(1, sizeof *c);
    attempt *a = calloc(1, sizeof *a);
    etna_code code = c && a ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for a solve");
    if (code == ETNA_OK) {
        *c = (solve_case){
            .space = sp, .probes = probes, .scene = space_scene(sp), .request = request, .arena = &arena, .sunk = -1};
        if (request->rules) c->rules = *request->rules;
        code = case_open(c, err);
    }
    if (code == ETNA_OK) code = prepare(a, c, err);
    if (code == ETNA_OK) {
        c->hanging = a->start.support[c->object] == SUPPORT_ATTACHED;
        code = group_find(c, &a->start, err);
    }
    if (code == ETNA_OK) {
        for (uint32_t i = 0; i < c->body_count; i++) a->moved[c->body[i]] = true;
        c->start = &a->start;
        c->moved = a->moved;
        c->attached = a->attached;
        result.object = c->object;
        result.pose = c->before;
        memcpy(result.plane, c->target, sizeof result.plane);
        code = c->place ? spot_search(c, &result, err) : search(a, &result, err);
        etna_code back = group_return(c, code == ETNA_OK ? err : NULL);
        code = code == ETNA_OK ? back : code;
        group_tell(c, &result);
    }
    if (a && a->have_start) space_support_free(&a->start);
    if (c) space_air_free(c->air);
    free(a);
    free(c);
    etna_arena_free(&arena);
    if (code == ETNA_OK) *ret = result;
    return code;
}
