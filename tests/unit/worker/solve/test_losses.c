/* From the constraints as an agent writes them to losses: ten thousand random
 * poses among random tables, walls and slopes, each constraint's loss held
 * against METHODS.md 5 written out once more over world coordinates, vertices
 * and headings, with nothing taken from the compiled problem but which vertical
 * face touches. */
#include "tests/unit/worker/solve/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    SCENES = 200,
    POSES = 50,
    VERTICES_MAX = 64
};

typedef struct setting {
    world w;
    scene_camera camera;
    solve_request request;
    constraint_list list;
    solve_case c;
} setting;

static double between(etna_random *r, double low, double high)
{
    return low + (high - low) * etna_random_unit(r);
}

static void add_sloped(scene_builder *b, etna_random *r)
{
    double lean = between(r, 0.1, 0.6), c = cos(lean), s = sin(lean);
    affine at = {{{1, 0, 0}, {0, c, -s}, {0, s, c}},
                 {between(r, -1, 1), between(r, 0.8, 1.4), between(r, 0.5, 1)}};
    scene_builder_object(
        b, "slope",
        scene_builder_box(b, between(r, 0.3, 1), between(r, 0.3, 1), 0.05), at,
        false);
}

/* Every constraint there is. A plane is told by a face, so floors, sides,
 * undersides and slopes all come up. */
static void make_setting(setting *t, etna_random *r, bool center)
{
    scene_builder *b = world_begin();
    double yaw = between(r, 0, 360), z = between(r, 0.3, 0.8);
    const char *mode = center ? "center" : "full_only";
    static const char *const targets[] = {"slope", "camera", "wall_8"},
                             *const contacts[] = {"down", "side", "up"};
    memset(t, 0, sizeof *t);
    scene_builder_object(
        b, "table",
        scene_builder_box(b, between(r, 0.2, 0.45), between(r, 0.2, 0.45), z),
        scene_builder_at(0, 0, z / 2, yaw), false);
    scene_builder_object(
        b, "guest",
        scene_builder_box(b, between(r, 0.02, 0.5), between(r, 0.02, 0.5),
                          between(r, 0.02, 0.5)),
        scene_builder_at(1.5, 0.5, 0.3, between(r, 0, 360)), false);
    scene_builder_object(b, "wall", scene_builder_box(b, 3, 0.1, 2),
                         scene_builder_at(0, 1.8, 1, between(r, -30, 30)),
                         true);
    add_sloped(b, r);
    t->w = stage_open(b);
    t->camera = t->w.scene->cameras[0];
    t->camera.orthographic = etna_random_below(r, 4) == 0;
    t->list = world_constraints(
        &t->w,
        "[\"ObjectName\",\"guest\"],[\"CloseToPix\",\"center\",[%.4f,%.4f]],[\"CloseToPix\",\"down\",[%.4f,%.4f]],"
        "[\"Contact\",\"down\",\"table_up\"],[\"Contact\",\"%s\",\"slope_%u\"],[\"Contact\",\"side\",\"wall_%u\"],[\"Contact\",\"up\",\"table_%u\"],"
        "[\"NoOverhang\",\"down\",\"table_up\",\"%s\"],[\"NoOverhang\",\"down\",\"slope_%u\",\"full_only\"],"
        "[\"Distance\",\"table\",%.3f],[\"FaceTo\",\"%s\"],[\"BackTo\",\"%s\"],[\"Rotate\",%.1f]",
        between(r, 0, 1), between(r, 0, 1), between(r, 0, 1), between(r, 0, 1),
        contacts[etna_random_below(r, 3)], (unsigned)etna_random_below(r, 12),
        (unsigned)etna_random_below(r, 12), (unsigned)etna_random_below(r, 12),
        mode, (unsigned)etna_random_below(r, 12), between(r, 0, 3),
        targets[etna_random_below(r, 3)], targets[etna_random_below(r, 3)],
        between(r, -180, 180));
    t->request = solve_request_default();
    t->request.constraints = &t->list;
    t->request.camera = &t->camera;
    t->request.seed = etna_random_next(r);
    t->c = (solve_case){.space = t->w.space,
                        .probes = t->w.probes,
                        .scene = t->w.scene,
                        .request = &t->request,
                        .arena = &t->w.arena};
    etna_error err = {0};
    if (case_open(&t->c, &err) != ETNA_OK)
        fail_msg("%s", err.text);
}

/* ---- the method, plainly ---- */
typedef struct placed { /* the box as it stands, in the world */
    vec3 at, half;
    double yaw;
} placed;

static vec3 corner_of(const placed *b, double x, double y, double z)
{
    x *= b->half.x;
    y *= b->half.y;
    return v3(b->at.x + cos(b->yaw) * x - sin(b->yaw) * y,
              b->at.y + sin(b->yaw) * x + cos(b->yaw) * y,
              b->at.z + z * b->half.z);
}

static void face_of(const placed *b,
                    constraint_face face,
                    double side_x,
                    double side_y,
                    vec3 ret[4])
{
    int n = 0;
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, z = k & 4 ? 1 : -1;
        bool on = face == FACE_UP     ? z > 0
                  : face == FACE_DOWN ? z < 0
                                      : x * side_x + y * side_y > 0;
        if (on)
            ret[n++] = corner_of(b, x, y, z);
    }
    assert_int_equal(n, 4);
}

static double plain_pixel(const setting *t,
                          const constraint *item,
                          const placed *b)
{
    double x, y, depth;
    vec3 at = item->face == FACE_DOWN
                  ? v3(b->at.x, b->at.y, b->at.z - b->half.z)
                  : b->at;
    if (!camera_project(&t->camera, at, &x, &y, &depth) || depth < 0.02)
        return NAN; /* not before the camera */
    return 0.5 * (pow(item->pixel[0] - x, 2) + pow(item->pixel[1] - y, 2));
}

static double plain_contact(const probe_plane *plane,
                            const constraint *item,
                            const term *t,
                            const placed *b)
{
    vec3 p[4];
    double top = -INFINITY, touch = INFINITY, above = 0;
    for (uint32_t j = 0; j < plane->vertex_count; j++)
        top = fmax(top, v3_dot(plane->vertices[j], plane->normal));
    face_of(b, item->face, (double)t->lane_x[0], (double)t->lane_y[0], p);
    for (int i = 0; i < 4; i++) {
        double d = top - v3_dot(p[i], plane->normal);
        touch = fmin(touch, fabs(d));
        above += fmax(d, 0) / 4;
    }
    return 100 * touch + 100 * above;
}

static vec2 flat(const probe_plane *plane, vec3 p)
{
    return (vec2){v3_dot(p, plane->u), v3_dot(p, plane->v)};
}
static double turn(vec2 a, vec2 b, vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Counter-clockwise convex hull by wrapping, from the plane's own vertices. */
static uint32_t wrap(const probe_plane *plane, vec2 hull[VERTICES_MAX])
{
    vec2 all[VERTICES_MAX];
    uint32_t n = plane->vertex_count, first = 0, count = 0;
    assert_true(n <= VERTICES_MAX);
    for (uint32_t i = 0; i < n; i++) {
        all[i] = flat(plane, plane->vertices[i]);
        first = all[i].x < all[first].x ||
                        (all[i].x == all[first].x && all[i].y < all[first].y)
                    ? i
                    : first;
    }
    for (uint32_t at = first;;) {
        uint32_t next = at == 0 ? 1 : 0;
        hull[count++] = all[at];
        for (uint32_t i = 0; i < n; i++)
            if (i != at && turn(all[at], all[next], all[i]) < 0)
                next = i;
        at = next;
        if (at == first || count == VERTICES_MAX)
            return count;
    }
}

static double out_of(const vec2 *hull, uint32_t n, vec2 p)
{
    double worst = 0;
    for (uint32_t j = 0; j < n; j++) {
        vec2 q = hull[j], next = hull[(j + 1) % n];
        double ex = next.x - q.x, ey = next.y - q.y, length = hypot(ex, ey);
        worst = fmax(worst, ((p.x - q.x) * ey - (p.y - q.y) * ex) / length);
    }
    return worst;
}

static double plain_overhang(const probe_plane *plane,
                             bool center,
                             const placed *b)
{
    vec2 hull[VERTICES_MAX], mean = {0, 0}, middle = {0, 0};
    uint32_t n = wrap(plane, hull);
    vec3 p[4];
    double worst = 0;
    face_of(b, FACE_DOWN, 0, 0, p);
    for (int i = 0; i < 4; i++) {
        vec2 at = flat(plane, p[i]);
        worst = fmax(worst, out_of(hull, n, at));
        mean = (vec2){mean.x + at.x / 4, mean.y + at.y / 4};
    }
    for (uint32_t j = 0; j < n; j++)
        middle = (vec2){middle.x + hull[j].x / n, middle.y + hull[j].y / n};
    return center ? 20 * out_of(hull, n, mean) +
                        hypot(mean.x - middle.x, mean.y - middle.y)
                  : 20 * worst;
}

static vec3 target_of(const setting *t,
                      const constraint *item,
                      uint32_t i,
                      const placed *b)
{
    uint32_t other = scene_find_object(t->w.scene, item->name);
    if (other != SCENE_NONE)
        return v3_sub(t->w.scene->objects[other].box.centre, b->at);
    if (strcmp(item->name, "camera") != 0)
        return case_plane(&t->c, i)->normal;
    return t->camera.orthographic ? v3_scale(t->camera.forward, -1)
                                  : v3_sub(t->camera.position, b->at);
}

static double plain_facing(const setting *t,
                           const constraint *item,
                           uint32_t i,
                           const placed *b)
{
    vec3 to = target_of(t, item, i, b),
         front = v3(sin(b->yaw), -cos(b->yaw), 0);
    if (item->kind == CONSTRAINT_BACK_TO)
        front = v3_scale(front, -1);
    to.z = 0;
    return 0.5 * (1 - v3_dot(front, to) / v3_length(to));
}

static double plain_loss(const setting *t,
                         const term *x,
                         bool center,
                         const placed *b)
{
    uint32_t i = x->item;
    const constraint *item = &t->list.items[i];
    switch (item->kind) {
    case CONSTRAINT_CLOSE_TO_PIX: return plain_pixel(t, item, b);
    case CONSTRAINT_CONTACT:
        return plain_contact(case_plane(&t->c, i), item, x, b);
    case CONSTRAINT_NO_OVERHANG:
        return plain_overhang(case_plane(&t->c, i), center && !item->full_only,
                              b);
    case CONSTRAINT_DISTANCE:
        return 0.3 *
               pow(v3_distance(
                       b->at,
                       t->w.scene
                           ->objects[scene_find_object(t->w.scene, item->name)]
                           .box.centre) -
                       item->value,
                   2);
    case CONSTRAINT_FACE_TO:
    case CONSTRAINT_BACK_TO: return plain_facing(t, item, i, b);
    default: fail_msg("constraint %u has a loss", i); return NAN;
    }
}

static void compare_poses(const setting *t,
                          const solve_problem *p,
                          bool center,
                          etna_random *r,
                          uint32_t counts[CONSTRAINT_KIND_COUNT])
{
    for (int k = 0; k < POSES; k++) {
        double pose[4] = {between(r, -1.5, 1.5), between(r, -1.5, 1.5),
                          between(r, -1, 1.5), between(r, -7, 7)},
               parts[2 * CONSTRAINTS_MAX], sum = 0;
        placed b = {v3_add(p->origin, v3(pose[0], pose[1], pose[2])), p->half,
                    pose[3]};
        double loss = problem_loss(p, 0, false, pose, NULL, parts);
        for (uint32_t i = 0; i < p->term_count; i++) {
            double plain = plain_loss(t, &p->terms[i], center, &b);
            constraint_kind kind = t->list.items[p->terms[i].item].kind;
            sum += parts[i];
            if (isnan(plain))
                continue;
            counts[kind]++;
            if (!(fabs(parts[i] - plain) <= 1e-6 * fmax(1, fabs(plain))))
                fail_msg("%s: %.12g, plainly %.12g", constraint_kind_name(kind),
                         parts[i], plain);
        }
        assert_true(fabs(sum - loss) <= 1e-9 * fmax(1, sum));
    }
}

static void ten_thousand_losses_of_every_constraint_are_the_methods(
    void **state)
{
    (void)state;
    etna_random r = etna_random_from(11);
    setting *t = malloc(sizeof *t);
    solve_problem *p = malloc(sizeof *p);
    float(*starts)[SOLVE_CANDIDATES] = malloc(4 * sizeof *starts);
    uint32_t counts[CONSTRAINT_KIND_COUNT] = {0};
    for (int i = 0; i < SCENES; i++) {
        bool center = i % 2;
        etna_error err = {0};
        make_setting(t, &r, center);
        if (case_compile(&t->c, center, p, starts, &err) != ETNA_OK)
            fail_msg("%s", err.text);
        assert_int_equal(
            p->term_count,
            t->list.count -
                /* all but ObjectName and Rotate, which freezes what FaceTo
                 * frees again */
                2);
        assert_false(p->turn_frozen);
        compare_poses(t, p, center, &r, counts);
        stage_close(&t->w);
    }
    assert_true(counts[CONSTRAINT_CLOSE_TO_PIX] > SCENES * POSES);
    for (int kind = CONSTRAINT_CONTACT; kind <= CONSTRAINT_BACK_TO; kind++)
        assert_true(counts[kind] >= SCENES * POSES);
    free(starts);
    free(p);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            ten_thousand_losses_of_every_constraint_are_the_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
