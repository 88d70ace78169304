/* Why there is no pose: in words an agent can act on (which constraint, by how
 * much, which objects, what to try), and as data for who is told of it. */
#include "proto/utf8.h"
#include "worker/solve/solve_internal.h"

#include <stdio.h>
#include <string.h>

typedef struct writer {
    solve_result *result; /* whose reason and obstacle are written */
    char *text;
    size_t used;
} writer;

/* Writes from the reason's beginning: the last explanation stands. */
static writer writer_of(solve_result *r)
{
    return (writer){.result = r, .text = r->reason};
}

__attribute__((format(printf, 2, 3))) static void writer_put(writer *w,
                                                             const char *format,
                                                             ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(w->text + w->used, ARRANGE_REASON_MAX - w->used, format,
                      list);
    va_end(list);
    if (n <= 0)
        return;
    w->used += (size_t)n;
    if (w->used < ARRANGE_REASON_MAX)
        return;
    /* else no message could carry it */
    w->used = etna_utf8_whole(w->text, ARRANGE_REASON_MAX - 1);
    w->text[w->used] = 0;
}

/* Clears what a former explanation named. */
static void failure_set_obstacle(solve_result *r, arrange_obstacle_kind kind)
{
    r->obstacle = (solve_obstacle){.kind = kind};
}

/* The plane is kept by its name, since it goes with the case. */
static void obstacle_on(solve_result *r,
                        arrange_obstacle_kind kind,
                        const char *plane)
{
    failure_set_obstacle(r, kind);
    snprintf(r->obstacle.plane, sizeof r->obstacle.plane, "%s", plane);
}

/* Drops what exceeds the room. */
static void obstacle_add(solve_result *r, uint32_t other)
{
    if (r->obstacle.other_count < ARRANGE_OBSTACLE_OTHERS)
        r->obstacle.others[r->obstacle.other_count++] = other;
}

static const char *failure_object_name(const solve_case *c, uint32_t object)
{
    return c->scene->objects[object].name;
}

/* A bottom too wide for the plane, whichever way it is turned: says so. */
static bool put_width(writer *w, const solve_case *c, const probe_plane *plane)
{
    double a = 2 * c->box.half.x;
    double b = 2 * c->box.half.y;
    double longer = math_max(a, b);
    double shorter = math_min(b, a);
    double missing = longer - plane->across > shorter - plane->width
                         ? longer - plane->across
                         : shorter - plane->width;
    if (missing <= 0.001)
        return false;
    obstacle_on(w->result, OBSTACLE_TOO_WIDE, plane->name);
    writer_put(
        w,
        "the bottom of \"%s\" is %.3f x %.3f m, plane \"%s\" only %.3f x %.3f m: %.3f m of width are missing; ",
        failure_object_name(c, c->object), longer, shorter, plane->name,
        plane->across, plane->width, missing);
    writer_put(w, plane->across < 0.5
                      ? "use NoOverhang center or a larger plane"
                      : "use a larger plane");
    return true;
}

/* That the bottom cannot fit at all is said first; moving the pixel would not
 * help. */
static void put_inside(writer *w,
                       const solve_case *c,
                       uint32_t item,
                       double miss)
{
    const probe_plane *plane = case_plane(c, item);
    obstacle_on(w->result, OBSTACLE_EDGE, plane->name);
    writer_put(w, "NoOverhang: ");
    if (!put_width(w, c, plane))
        writer_put(
            w,
            "the bottom of \"%s\" reaches at least %.3f m over the edge of plane \"%s\"; move CloseToPix to the middle of the plane or use a larger one",
            failure_object_name(c, c->object), miss, plane->name);
}

/* miss: in the term's own measure, metres or 1 - cos. */
static void put_term(writer *w, const solve_case *c, const term *t, double miss)
{
    const constraint *item = &c->request->constraints->items[t->item];
    failure_set_obstacle(w->result, OBSTACLE_CONSTRAINT);
    switch (t->kind) {
    case TERM_PIXEL:
        writer_put(
            w,
            "CloseToPix: no place that meets the other constraints is near (%.3f, %.3f); choose a coordinate on the target plane",
            item->pixel[0], item->pixel[1]);
        break;
    case TERM_CONTACT:
        writer_put(
            w,
            "Contact: \"%s\" stays at least %.3f m off plane \"%s\"; check that the plane and CloseToPix belong together",
            failure_object_name(c, c->object), miss,
            case_plane(c, t->item)->name);
        break;
    case TERM_INSIDE:
    case TERM_MIDDLE: put_inside(w, c, t->item, miss); break;
    case TERM_DISTANCE:
        writer_put(
            w,
            "Distance: the centre of \"%s\" stays at least %.3f m off the wanted %.3f m from \"%s\"; it is measured between box centres",
            failure_object_name(c, c->object), miss, item->value, item->name);
        break;
    case TERM_FACING:
        writer_put(
            w,
            "%s: \"%s\" stays at least %.0f degrees off \"%s\"; drop one of the constraints that turn it",
            constraint_kind_name(item->kind), failure_object_name(c, c->object),
            math_acos(1 - miss) * (180 / MATH_PI), item->name);
        break;
    }
}

/* Names the term that failed most candidates, with the best that any of them
 * reached: what is nearest to being met is the most useful number. */
void failure_text_no_survivor(const solve_case *c,
                              const solve_problem *p,
                              const candidate *all,
                              solve_result *r)
{
    uint32_t count[2 * CONSTRAINTS_MAX] = {0}, best = 0;
    double least[2 * CONSTRAINTS_MAX];
    for (uint32_t k = 0; k < SOLVE_CANDIDATES; k++) {
        uint32_t t = all[k].culprit;
        if (t >= p->term_count)
            continue;
        least[t] =
            count[t] == 0 || all[k].miss < least[t] ? all[k].miss : least[t];
        count[t]++;
    }
    for (uint32_t t = 1; t < p->term_count; t++)
        if (count[t] > count[best])
            best = t;
    writer w = writer_of(r);
    writer_put(&w, "no candidate meets the constraints: ");
    put_term(&w, c, &p->terms[best], least[best]);
}

/* The candidates met NoOverhang of the hull, but not over the true polygon. */
void failure_text_bottom(const solve_case *c,
                         uint32_t item,
                         double share,
                         solve_result *r)
{
    const probe_plane *plane = case_plane(c, item);
    writer w = writer_of(r);
    obstacle_on(r, OBSTACLE_EDGE, plane->name);
    writer_put(&w, "NoOverhang: ");
    if (!put_width(&w, c, plane))
        writer_put(
            &w,
            "only %.0f %% of the bottom of \"%s\" lies over the real surface of plane \"%s\", which has a gap or a corner there; choose another place on it",
            floor(share * 100), failure_object_name(c, c->object), plane->name);
}

/* tried: how many candidates; hits: per object, how many of them it was in the
 * way of. */
void failure_text_collision(const solve_case *c,
                            uint32_t tried,
                            const uint32_t *hits,
                            solve_result *r)
{
    writer w = writer_of(r);
    failure_set_obstacle(r, OBSTACLE_TAKEN);
    writer_put(&w, "all %u candidate places of \"%s\" collide: ", tried,
               failure_object_name(c, c->object));
    uint32_t chosen[5], n = 0;
    /* the five most often in the way, ties to the lower object */
    for (; n < 5; n++) {
        uint32_t best = SCENE_NONE;
        for (uint32_t o = 0; o < c->scene->object_count; o++) {
            bool taken = hits[o] == 0;
            for (uint32_t k = 0; k < n; k++)
                taken = taken || chosen[k] == o;
            if (!taken && (best == SCENE_NONE || hits[o] > hits[best]))
                best = o;
        }
        if (best == SCENE_NONE)
            break;
        chosen[n] = best;
        obstacle_add(r, best);
        writer_put(&w, "%s\"%s\" (%u)", n ? ", " : "with ",
                   failure_object_name(c, best), hits[best]);
    }
    writer_put(&w, "; move what is in the way first or choose another place");
}

/* Shared by both searches. */
static void put_unreachable(writer *w, const solve_case *c)
{
    failure_set_obstacle(w->result, OBSTACLE_UNREACHED);
    writer_put(
        w,
        "\"%s\" cannot be reached: no free straight way, from above or level, leads there from where people and things are; choose an open place",
        failure_object_name(c, c->object));
}

void failure_text_unreachable(const solve_case *c, solve_result *r)
{
    writer w = writer_of(r);
    put_unreachable(&w, c);
}

/* Either the object itself would not stand, or it carries or holds something
 * that would not. */
void failure_text_floating(const solve_case *c,
                           const uint32_t *broken,
                           uint32_t count,
                           solve_result *r)
{
    writer w = writer_of(r);
    bool itself = count == 1 && broken[0] == c->object;
    failure_set_obstacle(r, itself ? OBSTACLE_UNSTEADY : OBSTACLE_BURDEN);
    for (uint32_t i = 0; i < count && !itself; i++)
        obstacle_add(r, broken[i]);
    writer_put(&w, "after the edit ");
    for (uint32_t i = 0; i < count && i < 5; i++)
        writer_put(&w, "%s\"%s\"", i ? ", " : "",
                   failure_object_name(c, broken[i]));
    if (count > 5)
        writer_put(&w, " and others");
    writer_put(&w, " %s without support; ", count == 1 ? "is" : "are");
    if (itself && c->floor && c->floor->better[0])
        writer_put(
            &w,
            "only %.0f %% of \"%s\" is flat; use \"%s\", its object's largest upward plane",
            floor(c->floor->flat_share * 100), c->floor->name,
            c->floor->better);
    else if (itself)
        writer_put(
            &w,
            "choose a place where its middle stands on the plane, with Contact down");
    else
        writer_put(&w, "what stands on or over \"%s\" must be moved first",
                   failure_object_name(c, c->object));
}

static void obstacle_add_others(solve_result *r, const spot_finding *f)
{
    for (uint32_t i = 0; i < f->other_count; i++)
        obstacle_add(r, f->others[i]);
}

/* Five names, then "and others". */
static void failure_put_others(writer *w,
                               const solve_case *c,
                               const spot_finding *f)
{
    for (uint32_t i = 0; i < f->other_count && i < 5; i++)
        writer_put(w, "%s\"%s\"", i ? ", " : "",
                   failure_object_name(c, f->others[i]));
    if (f->other_count > 5)
        writer_put(w, " and others");
}

/* World coordinates in metres, as the Place gave them. */
static void failure_put_place(writer *w, const spot_finding *f)
{
    if (f->tried > 1)
        writer_put(w, "none of %u places is possible; ", f->tried);
    writer_put(w, "at (%.3f, %.3f, %.3f) ", f->place.x, f->place.y, f->place.z);
}

/* For each fault its own words; SPOT_GOOD says nothing. */
void failure_text_spot(const solve_case *c,
                       const spot_finding *f,
                       solve_result *r)
{
    const constraint *item = &c->request->constraints->items[f->item];
    const char *name = failure_object_name(c, c->object);
    const char *other = item->name ? item->name : "?";
    bool is_side = item->face == FACE_SIDE;
    const char *reach = is_side ? "5 cm" : "reach";
    writer w = writer_of(r);
    failure_set_obstacle(r, OBSTACLE_CONSTRAINT);
    failure_put_place(&w, f);
    switch (f->fault) {
    case SPOT_NOTHING_MET:
        writer_put(
            &w,
            "\"%s\" meets nothing: Contact %s with \"%s\" needs it within %s of the place",
            name, is_side ? "side" : "up or down", other, reach);
        break;
    case SPOT_ELSEWHERE:
        writer_put(&w, "\"%s\" comes to rest on or against ", name);
        failure_put_others(&w, c, f);
        writer_put(
            &w,
            "%s, not \"%s\"; choose another place or move what is there first",
            f->other_count ? "" : "nothing", item->name);
        break;
    case SPOT_COLLIDES:
        failure_set_obstacle(r, OBSTACLE_TAKEN);
        obstacle_add_others(r, f);
        writer_put(&w, "\"%s\" collides with ", name);
        failure_put_others(&w, c, f);
        writer_put(&w,
                   "; move what is in the way first or choose another place");
        break;
    case SPOT_APART:
        writer_put(
            &w,
            "the centre of \"%s\" is %.3f m off the wanted %.3f m from \"%s\"",
            name, f->value, item->value, item->name);
        break;
    case SPOT_OVER_EDGE:
        obstacle_on(r, OBSTACLE_EDGE, item->name);
        writer_put(
            &w,
            "only %.0f %% of the bottom of \"%s\" lies over the real surface of plane \"%s\"",
            floor(f->value * 100), name, item->name);
        break;
    case SPOT_UNREACHABLE: put_unreachable(&w, c); break;
    case SPOT_UNSTEADY:
        failure_set_obstacle(r, OBSTACLE_UNSTEADY);
        writer_put(
            &w,
            "\"%s\" would not stand: its centre of mass is not over what carries it, ",
            name);
        failure_put_others(&w, c, f);
        writer_put(&w, "; choose a place where its middle is carried");
        break;
    case SPOT_UNSUPPORTED:
        failure_set_obstacle(r, OBSTACLE_BURDEN);
        obstacle_add_others(r, f);
        writer_put(&w, "after the edit ");
        failure_put_others(&w, c, f);
        writer_put(
            &w,
            " %s without support; what stands on or over \"%s\" must be moved first",
            f->other_count == 1 ? "is" : "are", name);
        break;
    case SPOT_GOOD: break;
    }
}
