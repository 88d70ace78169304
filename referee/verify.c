#include "referee/verify.h"

#include "proto/array.h"
#include "referee/crowd.h"
#include "referee/gravity.h"

#include <stdlib.h>
#include <string.h>

/* Metres. moved_least: a piece that no point of came farther has not moved.
 * rigid_slack: how far two motions may differ and still be one body's.
 * touching: pieces so close lie together, and a thing so close to another
 * may hang on it. */
static const double moved_least = 0.0005, rigid_slack = 0.001, touching = 0.02;
/* VULCAN's own figures, 1 cm: how deep is a collision, and how far below the
 * bottom something must be. */
static const double paper_depth = 0.01, paper_drop = 0.01;

const char *finding_word(finding_kind kind)
{
    static const char *const words[FINDING_KINDS] = {
        "within",    "cuts",          "floats",     "tips",
        "unreached", "left behind",   "paper cuts", "paper floats",
        "unstable",  "unstable ever", "stays"};
    return words[kind];
}

typedef struct stage {
    const pair *pair;
    /* a piece; of what did not move only `after` is made */
    solid *before, *after;
    const solid **then, **now; /* a piece's at either time */
    motion *by;                /* a piece's, in the world */
    bool *is_moved;
    /* a moved piece's: the number of one of its pieces */
    uint32_t *body;
    bool *is_body, *is_ignored; /* of the body that is looked at */
    bool *is_out;               /* a piece: its body can be drawn out */
    /* by a body's number: it hangs on something now, or hung on nothing ever */
    bool *is_hung;
    /* heights at which things stand on nothing that the file has */
    double *ground;
    size_t ground_count;
    findings *found;
    verify_wish wish;
    bool out_of_memory;
} stage;

/* Adds a finding. Without memory for it the stage says so, and the whole
 * verdict is given up in the end. */
static void stage_tell(
    stage *s, finding_kind kind, size_t of, size_t other, double depth)
{
    findings *f = s->found;
    finding *more = realloc(f->list, (f->count + 1) * sizeof *more);
    s->out_of_memory = s->out_of_memory || !more;
    if (!more)
        return;
    f->list = more;
    const char *other_name =
        other == SIZE_MAX ? NULL : s->pair->pieces[other].name;
    more[f->count++] =
        (finding){kind, s->pair->pieces[of].name, other_name, depth, 0};
}

/* ---- what moved, and as what ---- */

static extent piece_extent(const piece *p)
{
    extent e = extent_empty();
    for (size_t i = 0; i < 3 * p->triangles; i++)
        extent_grow(&e, p->corners[i]);
    return e;
}

/* Makes the solids of all pieces, and finds how each came from where it was to
 * where it is. What did not move has one solid for both times. */
static bool stage_pose(stage *s)
{
    for (size_t i = 0; i < s->pair->count; i++) {
        const piece *p = &s->pair->pieces[i];
        extent e = piece_extent(p);
        motion back;
        s->by[i] = motion_identity();
        s->is_moved[i] = !motion_same(&p->before, &p->after, &e, moved_least);
        if (motion_invert(&p->before, &back))
            s->by[i] = motion_after(&p->after, &back);
        if (!solid_make(p, &p->after, &s->after[i]))
            return false;
        s->then[i] = s->now[i] = &s->after[i];
        if (!s->is_moved[i])
            continue;
        if (!solid_make(p, &p->before, &s->before[i]))
            return false;
        s->then[i] = &s->before[i];
    }
    return true;
}

/* The piece whose number stands for the whole body (stage_join makes a
 * forest). */
static uint32_t body_of(const stage *s, uint32_t i)
{
    while (s->body[i] != i)
        i = s->body[i];
    return i;
}

/* Pieces that moved by one motion and lie together are a body: a thing of
 * several meshes, or a thing and its load. */
static void stage_join(stage *s)
{
    uint32_t count = (uint32_t)s->pair->count;
    for (uint32_t i = 0; i < count; i++)
        s->body[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            bool both = s->is_moved[i] && s->is_moved[j];
            if (!both || !extent_meets(&s->then[i]->box, (point){0, 0, 0},
                                       touching, &s->then[j]->box))
                continue;
            extent e = s->then[i]->box;
            extent_join(&e, &s->then[j]->box);
            if (motion_same(&s->by[i], &s->by[j], &e, rigid_slack))
                s->body[body_of(s, j)] = body_of(s, i);
        }
    }
}

/* From now on `is_body` marks this body's pieces: crowds see it as the body. */
static void body_mark(stage *s, uint32_t body)
{
    for (uint32_t i = 0; i < s->pair->count; i++)
        s->is_body[i] = s->is_moved[i] && body_of(s, i) == body;
}

/* ---- where nothing was modelled ---- */

/* Heights of pieces that nothing holds at the start: where two are alike, a
 * floor or a table is missing there. */
static void ground_find(stage *s)
{
    const point rest = {0, 0, 0};
    for (size_t i = 0; i < s->pair->count; i++) {
        memset(s->is_body, 0, s->pair->count * sizeof *s->is_body);
        s->is_body[i] = true;
        crowd then = {s->then, s->pair->count, s->is_body, NULL};
        if (!crowd_is_held(&then, rest))
            s->ground[s->ground_count++] = s->then[i]->box.lo.z;
    }
}

/* Whether two pieces at least stood on nothing at that height: one alone may
 * just be a thing that hung in the air by mistake. */
static bool ground_is_at(const stage *s, double z)
{
    size_t alike = 0;
    for (size_t i = 0; i < s->ground_count; i++)
        alike += fabs(s->ground[i] - z) < 0.005;
    return alike >= 2;
}

/* ---- what is asked of a body ---- */

/* The thinnest side of a box, without those that are none. */
static double side_least(const extent *e)
{
    point size = extent_size(e);
    double least = INFINITY;
    const double sides[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++) {
        /* has no thickness of which a share could be let pass */
        bool is_sheet = sides[k] < 0.001;
        if (!is_sheet && sides[k] < least)
            least = sides[k];
    }
    return least;
}

/* How deep a body may be in a piece without a finding: a centimetre, or a
 * quarter of the thinner side where that is less; and a millimetre for how
 * roughly depth is measured. */
static double depth_most(const stage *s, const extent *body, size_t other)
{
    double thin = fmin(side_least(body), side_least(&s->now[other]->box));
    return fmax(fmin(0.01, thin / 4), 0.0005) + 0.001;
}

/* Collisions. What was as deep or as far within at the start is nobody's fault
 * now, and what came along by the same motion stands to the body as before.
 * VULCAN's rule asks for neither the start nor how thick they are. */
static void body_check_others(stage *s,
                              uint32_t body,
                              const crowd *then,
                              const crowd *now)
{
    extent e = crowd_extent(now);
    for (size_t j = 0; j < s->pair->count; j++) {
        if (s->is_body[j])
            continue;
        bool meets_now = extent_meets(&e, (point){0, 0, 0}, 0, &s->now[j]->box);
        if (!meets_now)
            continue;
        extent all = e;
        extent_join(&all, &s->now[j]->box);
        extent at_start = crowd_extent(then);
        if (s->is_moved[j] &&
            motion_same(&s->by[body], &s->by[j], &at_start, rigid_slack))
            continue;
        double depth = crowd_depth(now, j);
        if (s->wish.paper && depth > paper_depth)
            stage_tell(s, FINDING_PAPER_CUTS, body, j, depth);
        bool is_deep = depth > depth_most(s, &e, j);
        if (is_deep && depth > crowd_depth(then, j))
            stage_tell(s, FINDING_CUTS, body, j, depth);
        bool is_within = crowd_within(now, j) >= 0.5;
        if (is_within && crowd_within(then, j) < 0.5)
            stage_tell(s, FINDING_WITHIN, body, j, 0);
    }
}

/* Floating and tipping: each only where it was not so at the start. What hung
 * may hang, and what is flat may be hung up; what hung on nothing at the start
 * is not asked, nor is what stands at a height where a floor is missing. */
static void body_check_support(stage *s,
                               uint32_t body,
                               const crowd *then,
                               const crowd *now)
{
    const point rest = {0, 0, 0};
    footing was = crowd_footing(then, rest, NULL);
    footing is = crowd_footing(now, rest, NULL);
    extent e = crowd_extent(now);
    point size = extent_size(&e);
    bool is_flat = fmin(size.x, size.y) < 0.25; /* what may be hung on a wall */
    bool hung = !was.is_held && crowd_hangs(then, touching);
    bool free = !was.is_held && !hung;
    s->is_hung[body] =
        !is.is_held && (free || crowd_hangs(now, touching + 0.005));
    if (!is.is_held && !free) {
        bool hangs = (hung || is_flat) && crowd_hangs(now, touching + 0.005);
        if (!hangs && !ground_is_at(s, e.lo.z))
            stage_tell(s, FINDING_FLOATS, body, SIZE_MAX, 0);
    }
    if (was.is_held && was.is_balanced && !is.is_balanced)
        stage_tell(s, FINDING_TIPS, body, SIZE_MAX, 0);
}

/* Whether the line from `from` to `to` goes through a piece that is not the
 * body's. */
static bool ray_meets_other(const stage *s, point from, point to)
{
    point where;
    for (size_t j = 0; j < s->pair->count; j++) {
        if (!s->is_body[j] && solid_meets_edge(s->now[j], from, to, &where))
            return true;
    }
    return false;
}

/* Three rays a hair apart stand for one, which may run just between two
 * triangles. */
static void body_check_paper(stage *s, uint32_t body, const crowd *now)
{
    static const double hair[3][2] = {{0, 0}, {1e-4, 3e-5}, {-2e-5, 1e-4}};
    extent e = crowd_extent(now);
    for (int k = 0; k < 3; k++) {
        point from = extent_middle(&e);
        from.x += hair[k][0];
        from.y += hair[k][1];
        /* it may be sunk in what it stands on by what is no collision */
        from.z = e.lo.z + paper_drop;
        point to = {from.x, from.y, e.lo.z - paper_drop};
        if (ray_meets_other(s, from, to))
            return;
    }
    stage_tell(s, FINDING_PAPER_FLOATS, body, SIZE_MAX, 0);
}

static void body_check(stage *s, uint32_t body)
{
    body_mark(s, body);
    crowd then = {s->then, s->pair->count, s->is_body, NULL};
    crowd now = {s->now, s->pair->count, s->is_body, NULL};
    s->found->bodies++;
    body_check_others(s, body, &then, &now);
    body_check_support(s, body, &then, &now);
    if (s->wish.paper)
        body_check_paper(s, body, &now);
}

/* ---- the way out ---- */

/* Whether the body can be drawn out when it and what is ignored are not in the
 * way of the air. */
static bool crowd_reached(stage *s, const crowd *c)
{
    air open;
    bool *is_absent = calloc(c->count + 1, sizeof *is_absent);
    for (size_t i = 0; is_absent && i < c->count; i++)
        is_absent[i] = c->is_body[i] || c->is_ignored[i];
    bool good = is_absent && air_make(c->solids, c->count, is_absent, &open);
    bool reached = good && crowd_is_reached(c, (point){0, 0, 0}, &open);
    if (good)
        air_free(&open);
    s->out_of_memory = s->out_of_memory || !good;
    free(is_absent);
    return reached;
}

/* Bodies are taken out one after the other, so that what was put on another or
 * into it is no fault of either. */
static bool bodies_take_out(stage *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->pair->count && !s->out_of_memory; i++) {
        if (!s->is_moved[i] || s->body[i] != i || s->is_out[i])
            continue;
        body_mark(s, i);
        memcpy(s->is_ignored, s->is_out, s->pair->count * sizeof *s->is_out);
        crowd now = {s->now, s->pair->count, s->is_body, s->is_ignored};
        if (!crowd_reached(s, &now))
            continue;
        for (uint32_t j = 0; j < s->pair->count; j++)
            s->is_out[j] = s->is_out[j] || s->is_body[j];
        any = true;
    }
    return any;
}

/* Takes out bodies as long as another can be. Of what is left over, a finding
 * tells those that could be drawn out at the start. */
static void bodies_check_reach(stage *s)
{
    while (bodies_take_out(s)) {
    }
    for (uint32_t i = 0; i < s->pair->count && !s->out_of_memory; i++) {
        if (!s->is_moved[i] || s->body[i] != i || s->is_out[i])
            continue;
        body_mark(s, i);
        memset(s->is_ignored, 0, s->pair->count * sizeof *s->is_ignored);
        crowd then = {s->then, s->pair->count, s->is_body, s->is_ignored};
        if (crowd_reached(s, &then))
            stage_tell(s, FINDING_UNREACHED, i, SIZE_MAX, 0);
    }
}

/* ---- gravity ---- */

static void gravity_tell(stage *s, uint32_t body, const gravity_fall *fall)
{
    s->found->fallen += fall->is_asked;
    if (!fall->is_asked)
        return;
    if (!fall->is_unstable) {
        stage_tell(s, FINDING_STAYS, body, SIZE_MAX, 0);
        return;
    }
    stage_tell(s, fall->was_unstable ? FINDING_UNSTABLE_EVER : FINDING_UNSTABLE,
               body, SIZE_MAX, fall->drift.shift_m);
    if (!s->out_of_memory)
        s->found->list[s->found->count - 1].turn_deg = fall->drift.turn_deg;
}

static void bodies_check_gravity(stage *s)
{
    uint32_t count = (uint32_t)s->pair->count;
    uint32_t *body = calloc(count + 1, sizeof *body);
    gravity_fall *falls = calloc(count + 1, sizeof *falls);
    bool good = body && falls;
    for (uint32_t i = 0; good && i < count; i++)
        body[i] = s->is_moved[i] ? body_of(s, i) : GRAVITY_STAYED;
    const gravity_scene scene = {s->then, s->now, count, body, s->is_hung};
    good = good && gravity_ask(&scene, falls);
    s->out_of_memory = s->out_of_memory || !good;
    for (uint32_t i = 0; good && i < count; i++)
        gravity_tell(s, i, &falls[i]);
    free(falls);
    free(body);
}

/* ---- what stayed ---- */

static bool piece_is_named(const piece *p,
                           const char *const *named,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(p->name, named[i]) == 0 || strcmp(p->root, named[i]) == 0)
            return true;
    }
    return false;
}

/* What stands on a covering of the floor stays on the floor. */
static bool is_covering(const solid *s)
{
    point size = extent_size(&s->box);
    return size.z < 0.03 && fmax(size.x, size.y) > 0.6;
}

/* A piece that did not move: whether at the start it was held up by something
 * that moved, and by nothing else. A covering does not count as such
 * (is_covering). */
static void stayed_check(stage *s, size_t stayed_one)
{
    const point rest = {0, 0, 0};
    bool near = false;
    memset(s->is_body, 0, s->pair->count * sizeof *s->is_body);
    s->is_body[stayed_one] = true;
    const solid *own = s->now[stayed_one];
    for (size_t j = 0; j < s->pair->count; j++) {
        bool is_below = s->then[j]->box.lo.z < own->box.lo.z;
        bool leaves = s->is_moved[j] && is_below && !is_covering(s->then[j]);
        s->is_ignored[j] = leaves;
        near = near || (leaves &&
                        extent_meets(&own->box, rest, 0.005, &s->then[j]->box));
    }
    if (!near)
        return;
    crowd then = {s->then, s->pair->count, s->is_body, NULL};
    crowd stayed = {s->then, s->pair->count, s->is_body, s->is_ignored};
    bool was_on_moved =
        crowd_is_held(&then, rest) && !crowd_is_held(&stayed, rest);
    if (was_on_moved)
        stage_tell(s, FINDING_LEFT_BEHIND, stayed_one, SIZE_MAX, 0);
}

/* ---- all ---- */

static void stage_free(stage *s)
{
    for (size_t i = 0; s->before && i < s->pair->count; i++)
        solid_free(&s->before[i]);
    for (size_t i = 0; s->after && i < s->pair->count; i++)
        solid_free(&s->after[i]);
    free(s->before);
    free(s->after);
    free(s->then);
    free(s->now);
    free(s->by);
    free(s->is_moved);
    free(s->body);
    free(s->is_body);
    free(s->is_ignored);
    free(s->is_out);
    free(s->is_hung);
    free(s->ground);
}

/* One of each for every piece. False: out of memory; free it all the same. */
static bool stage_alloc(stage *s)
{
    size_t n = s->pair->count + 1;
    s->before = calloc(n, sizeof *s->before);
    s->after = calloc(n, sizeof *s->after);
    s->then = calloc(n, sizeof *s->then);
    s->now = calloc(n, sizeof *s->now);
    s->by = calloc(n, sizeof *s->by);
    s->is_moved = calloc(n, sizeof *s->is_moved);
    s->body = calloc(n, sizeof *s->body);
    s->is_body = calloc(n, sizeof *s->is_body);
    s->is_ignored = calloc(n, sizeof *s->is_ignored);
    s->is_out = calloc(n, sizeof *s->is_out);
    s->is_hung = calloc(n, sizeof *s->is_hung);
    s->ground = calloc(n, sizeof *s->ground);
    const void *const all[] = {s->before, s->after,   s->then,
                               s->now,    s->by,      s->is_moved,
                               s->body,   s->is_body, s->is_ignored,
                               s->is_out, s->is_hung, s->ground};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (!all[i])
            return false;
    }
    return true;
}

/* What moved must stand freely, and what was not named must have stayed. */
static void stage_check(stage *s, const char *const *named, size_t named_count)
{
    const pair *p = s->pair;
    stage_join(s);
    ground_find(s);
    for (uint32_t i = 0; i < p->count; i++) {
        if (s->is_moved[i] && s->body[i] == i)
            body_check(s, i);
    }
    if (!s->wish.no_reach)
        bodies_check_reach(s);
    if (s->wish.gravity)
        bodies_check_gravity(s);
    for (size_t i = 0; i < p->count; i++) {
        bool is_named = piece_is_named(&p->pieces[i], named, named_count);
        if (!s->is_moved[i] && !is_named)
            stayed_check(s, i);
    }
}

bool pair_verify(const pair *p,
                 const char *const *named,
                 size_t named_count,
                 const verify_wish *wish,
                 findings *ret)
{
    findings found = {NULL, 0, 0, 0};
    stage s = {.pair = p, .found = &found};
    if (wish)
        s.wish = *wish;
    bool good = stage_alloc(&s) && stage_pose(&s);
    if (good)
        stage_check(&s, named, named_count);
    good = good && !s.out_of_memory;
    stage_free(&s);
    if (good)
        *ret = found;
    if (!good)
        free(found.list);
    return good;
}
