/* What makes growing a plane quick: rings of sides, patches, many faces at a
 * time, the sieve before a hull. Each must give what the plain rule gives. */
#include "proto/seed.h"
#include "tests/support/scene_builder.h"
#include "worker/probe/probe_internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A bumpy field with holes, its triangles in no order, each with corners of its
 * own that lie a little apart: nothing but welding holds it together. */
static uint32_t field(scene_builder *b,
                      uint32_t cells,
                      double size,
                      double rough,
                      double holes,
                      etna_random *r)
{
    float *position = malloc(sizeof *position * 18 * cells * cells),
          *height = malloc(sizeof *height * (cells + 1) * (cells + 1));
    uint32_t *index = malloc(sizeof *index * 6 * cells * cells), triangles = 0;
    assert_true(position && height && index);
    for (uint32_t i = 0; i < (cells + 1) * (cells + 1); i++)
        height[i] = (float)(rough * etna_random_unit(r));
    for (uint32_t c = 0; c < cells * cells; c++) {
        static const uint32_t corner[6][2] = {{0, 0}, {1, 0}, {1, 1},
                                              {0, 0}, {1, 1}, {0, 1}};
        if (etna_random_unit(r) < holes)
            continue;
        for (uint32_t k = 0; k < 6; k++) {
            uint32_t x = c % cells + corner[k][0], y = c / cells + corner[k][1],
                     v = 3 * triangles + k;
            position[3 * v] = (float)(size * x / cells - size / 2 +
                                      1e-6 * size * etna_random_unit(r));
            position[3 * v + 1] = (float)(size * y / cells - size / 2 +
                                          1e-6 * size * etna_random_unit(r));
            position[3 * v + 2] = height[y * (cells + 1) + x];
            index[v] = v;
        }
        triangles += 2;
    }
    for (uint32_t t = triangles; t-- > 1;) {
        uint32_t o = (uint32_t)(etna_random_unit(r) * (t + 1)), kept[3];
        memcpy(kept, index + 3 * t, sizeof kept);
        memcpy(index + 3 * t, index + 3 * o, sizeof kept);
        memcpy(index + 3 * o, kept, sizeof kept);
    }
    uint32_t mesh =
        scene_builder_mesh(b, position, 3 * triangles, index, triangles);
    free(position);
    free(height);
    free(index);
    return mesh;
}

/* Triangles between a few corners, again and again: edges of very many faces,
 * edges that are points, the same face twice. */
static uint32_t soup(scene_builder *b,
                     uint32_t vertices,
                     uint32_t triangles,
                     etna_random *r)
{
    float position[3 * 64];
    uint32_t *index = malloc(sizeof *index * 3 * triangles);
    assert_non_null(index);
    for (uint32_t i = 0; i < 3 * vertices; i++)
        position[i] = (float)(etna_random_unit(r) * (i % 3 == 2 ? 0.02 : 1));
    for (uint32_t i = 0; i < 3 * triangles; i++)
        index[i] = (uint32_t)(etna_random_unit(r) * vertices);
    uint32_t mesh = scene_builder_mesh(b, position, vertices, index, triangles);
    free(index);
    return mesh;
}

/* ---- rings ---- */
static void welded(const scene_mesh *mesh,
                   const probe_adjacency *a,
                   uint32_t side,
                   uint32_t *ret_low,
                   uint32_t *ret_high)
{
    uint32_t p = a->weld[mesh->index[side]],
             q = a->weld[mesh->index[side - side % 3 + (side + 1) % 3]];
    *ret_low = p < q ? p : q;
    *ret_high = p < q ? q : p;
}

/* The next side of the edge, looked for among all. */
static uint32_t next_of(const scene_mesh *mesh,
                        const probe_adjacency *a,
                        uint32_t side)
{
    uint32_t low, high, sides = 3 * mesh->triangle_count;
    welded(mesh, a, side, &low, &high);
    if (low == high)
        return SCENE_NONE;
    for (uint32_t i = 1; i <= sides; i++) {
        uint32_t other_low, other_high, other = (side + i) % sides;
        welded(mesh, a, other, &other_low, &other_high);
        if (low == other_low && high == other_high)
            return other;
    }
    return SCENE_NONE;
}

static void assert_patches(const scene_mesh *mesh, const probe_adjacency *a)
{
    uint8_t *reached = calloc(mesh->triangle_count, 1),
            *on_rim = calloc(3 * (size_t)mesh->triangle_count, 1);
    assert_true(reached && on_rim);
    assert_int_equal(a->patch_start[0], 0);
    assert_int_equal(a->patch_start[a->patch_count], mesh->triangle_count);
    for (uint32_t p = 0; p < a->patch_count; p++) {
        assert_true(a->patch_start[p] < a->patch_start[p + 1]);
        reached[a->patch_faces[a->patch_start[p]]] = 1;
        for (uint32_t i = a->patch_start[p]; i < a->patch_start[p + 1];
             i++) /* each is next to an earlier one */
            for (uint32_t k = 0, side = 3 * a->patch_faces[i]; k < 3;
                 k++, side++) {
                assert_int_equal(a->patch[side / 3], p);
                assert_true(reached[side / 3]);
                for (uint32_t other = a->next[side];
                     other != SCENE_NONE && other != side;
                     other = a->next[other])
                    reached[other / 3] |= a->patch[other / 3] == p;
            }
        for (uint32_t i = a->rim_start[p]; i < a->rim_start[p + 1]; i++) {
            assert_int_equal(a->patch[a->rim[i] / 3], p);
            on_rim[a->rim[i]] = 1;
        }
    }
    for (uint32_t side = 0; side < 3 * mesh->triangle_count; side++)
        for (uint32_t other = a->next[side];
             other != SCENE_NONE && other != side; other = a->next[other])
            assert_true(on_rim[side] ||
                        a->patch[other / 3] == a->patch[side / 3]);
    free(reached);
    free(on_rim);
}

static void a_ring_holds_the_sides_of_one_edge_and_patches_are_connected(
    void **state)
{
    (void)state;
    etna_random r = etna_random_from(11);
    scene_builder *b = scene_builder_new();
    const uint32_t meshes[] = {
        field(b, 9, 1, 0.3, 0.2, &r), soup(b, 12, 300, &r), soup(b, 3, 90, &r),
        scene_builder_box(b, 1, 1, 1), scene_builder_sphere(b, 1, 12)};
    for (size_t m = 0; m < sizeof meshes / sizeof meshes[0]; m++)
        scene_builder_object(b, "of all", meshes[m],
                             scene_builder_at(0, 0, 0, 0), false);
    const scene *s = scene_builder_scene(b);
    for (size_t m = 0; m < sizeof meshes / sizeof meshes[0]; m++) {
        const scene_mesh *mesh = &s->meshes[meshes[m]];
        probe_adjacency a;
        uint32_t edges = 0;
        assert_int_equal(probe_adjacency_make(mesh, &a, NULL), ETNA_OK);
        for (uint32_t side = 0; side < 3 * mesh->triangle_count; side++) {
            uint32_t next = next_of(mesh, &a, side);
            assert_int_equal(a.next[side], next);
            /* round: once for each */
            edges += next != SCENE_NONE && next <= side;
        }
        assert_int_equal(a.edge_count, edges);
        assert_patches(mesh, &a);
        probe_adjacency_free(&a);
    }
    scene_builder_free(b);
}

/* Crowded cells are made narrower: what is welded stays the same as by looking
 * at every vertex before. */
static void welding_finds_the_first_vertex_near_enough_however_crowded(
    void **state)
{
    (void)state;
    enum {
        COUNT = 1200
    };
    static float position[3 * COUNT];
    static uint32_t index[3];
    etna_random r = etna_random_from(5);
    for (uint32_t i = 0; i < 3 * COUNT - 3; i++)
        position[i] = i % 3 == 2 ? 0 : (float)(0.002 * etna_random_unit(&r));
    position[3 * COUNT - 3] = position[3 * COUNT - 2] = 10;
    index[1] = 1;
    index[2] = COUNT - 1;
    scene_builder *b = scene_builder_new();
    uint32_t number = scene_builder_mesh(b, position, COUNT, index, 1),
             welds = 0;
    scene_builder_object(b, "dust", number, scene_builder_at(0, 0, 0, 0),
                         false);
    const scene_mesh *mesh = &scene_builder_scene(b)->meshes[number];
    double radius = 1e-5 * v3_distance(mesh->min, mesh->max);
    probe_adjacency a;
    assert_int_equal(probe_adjacency_make(mesh, &a, NULL), ETNA_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t first = i;
        for (uint32_t j = 0; j < i && first == i; j++) {
            double dx = (double)position[3 * i] - position[3 * j],
                   dy = (double)position[3 * i + 1] - position[3 * j + 1];
            if (a.weld[j] == j && dx * dx + dy * dy <= radius * radius)
                first = j;
        }
        assert_int_equal(a.weld[i], first);
        welds += first != i;
    }
    assert_true(welds > 20);
    probe_adjacency_free(&a);
    scene_builder_free(b);
}

/* ---- growing ---- */
/* The rule, face by face: among those that look alike, edges lead on; what is
 * left joins over gaps. */
static uint32_t grow_plainly(probe_shared *shared,
                             uint32_t object,
                             uint32_t seed,
                             uint8_t *in)
{
    const scene *s = probe_scene(shared);
    uint32_t count = s->objects[object].triangle_count, size = 1;
    const probe_adjacency *a;
    probe_face from, face;
    probe_flat *flat = calloc(count, sizeof *flat);
    uint8_t *alike = calloc(count, 1);
    assert_true(flat && alike);
    probe_face_get(s, object, seed, &from);
    vec3 axis = fabs(from.normal.x) < 0.9 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 u = v3_normal(
             v3_add_scaled(axis, from.normal, -v3_dot(axis, from.normal))),
         v = v3_cross(from.normal, u);
    assert_int_equal(
        probe_mesh_adjacency(shared, s->parts[from.part].mesh, &a, NULL),
        ETNA_OK);
    for (uint32_t f = 0; f < count; f++) {
        probe_face_get(s, object, f, &face);
        alike[f] =
            face.area > 0 && v3_dot(face.normal, from.normal) >= 1 - 0.05;
        for (int k = 0; k < 3; k++) {
            vec3 d = v3_sub(face.corner[k], from.corner[0]);
            flat[f].at[k] = (vec2){v3_dot(d, u), v3_dot(d, v)};
            flat[f].height[k] = v3_dot(d, from.normal);
        }
    }
    memset(in, 0, count);
    in[seed] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t f = 0; f < count; f++)
            for (uint32_t k = 0, side = 3 * f; in[f] && k < 3; k++, side++)
                for (uint32_t o = a->next[side]; o != SCENE_NONE && o != side;
                     o = a->next[o])
                    if (alike[o / 3] && !in[o / 3]) {
                        more = true;
                        in[o / 3] = 1;
                        size++;
                    }
        for (uint32_t f = 0; !more && f < count; f++)
            for (uint32_t o = 0; in[f] && o < count; o++)
                if (alike[o] && !in[o] &&
                    probe_flat_near(&flat[f], &flat[o], PROBE_GAP_MAX)) {
                    more = true;
                    in[o] = 1;
                    size++;
                }
    }
    probe_mesh_release(shared, s->parts[from.part].mesh, a);
    free(flat);
    free(alike);
    return size;
}

static void a_plane_is_what_the_rule_says_face_by_face(void **state)
{
    (void)state;
    etna_random r = etna_random_from(23);
    scene_builder *b = scene_builder_new();
    affine leaning = {{{1, 0, 0.2}, {0.1, 0.9, 0}, {-0.3, 0.1, 1.1}},
                      {2, 1, 0}};
    scene_builder_object(b, "flat", field(b, 10, 0.8, 0, 0.3, &r),
                         scene_builder_at(0.1, 0, 0.2, 20), false);
    scene_builder_object(b, "rough", field(b, 12, 0.6, 0.012, 0.4, &r), leaning,
                         false);
    scene_builder_object(
        b, "turned", scene_builder_flipped(b, field(b, 9, 0.7, 0.01, 0.5, &r)),
        scene_builder_at(0, 1, 0, 70), false);
    scene_builder_object(b, "soup", soup(b, 16, 200, &r),
                         scene_builder_scaled(0, 2, 0, 5, 0.7), false);
    scene_builder_object(b, "ball", scene_builder_sphere(b, 0.3, 14),
                         scene_builder_at(1, 1, 1, 8), false);
    scene *s = scene_builder_scene(b);
    probe_shared *shared;
    uint32_t parted = 0;
    assert_int_equal(probe_share(s, &shared, NULL), ETNA_OK);
    for (uint32_t o = 0; o < s->object_count; o++) {
        uint8_t *in = calloc(s->objects[o].triangle_count, 1);
        assert_non_null(in);
        for (int i = 0; i < 6; i++) {
            uint32_t seed = (uint32_t)(etna_random_unit(&r) *
                                       s->objects[o].triangle_count),
                     f;
            probe_set set, named;
            etna_code code = probe_grow(shared, o, seed, &set, NULL);
            probe_face face;
            probe_face_get(s, o, seed, &face);
            assert_int_equal(code, face.area > 0 ? ETNA_OK : ETNA_E_INPUT);
            if (code != ETNA_OK)
                continue;
            assert_int_equal(set.count, grow_plainly(shared, o, seed, in));
            for (uint32_t k = 0; k < set.count; k++) {
                assert_true(in[set.faces[k]]);
                assert_true(k == 0 || set.faces[k - 1] < set.faces[k]);
            }
            parted += set.count < s->objects[o].triangle_count;
            assert_int_equal(probe_named_set(shared, o, seed, &named, &f, NULL),
                             /* grown again from f, with what is known */
                             ETNA_OK);
            assert_int_equal(named.count, grow_plainly(shared, o, f, in));
            for (uint32_t k = 0; k < named.count; k++)
                assert_true(in[named.faces[k]]);
            probe_set_free(&set);
            probe_set_free(&named);
        }
        free(in);
    }
    assert_true(parted > 10);
    probe_shared_free(shared);
    scene_builder_free(b);
}

/* ---- many at a time ---- */
static void many_faces_at_once_have_the_bits_of_each(void **state)
{
    (void)state;
    etna_random r = etna_random_from(31);
    scene_builder *b = scene_builder_new();
    affine leaning = {{{1, 0, 0.2}, {0.1, 0.9, 0}, {-0.3, 0.1, 1.1}},
                      {2, 1, 0}};
    scene_builder_object(b, "field", field(b, 8, 0.6, 0.1, 0.2, &r), leaning,
                         false);
    scene_builder_object(b, "soup",
                         scene_builder_flipped(b, soup(b, 7, 131, &r)),
                         scene_builder_at(0, 1, 0, 70), false);
    const scene *s = scene_builder_scene(b);
    for (uint32_t o = 0; o < s->object_count; o++) {
        uint32_t count = s->objects[o].triangle_count, base = 0, found = 0;
        uint8_t alike[256];
        uint32_t faces[256];
        double least = INFINITY, margin = INFINITY, area = 0, whole = 0;
        vec3 sum = v3(0, 0, 0), middle = v3(0, 0, 0),
             normal = v3_normal(v3(0.1, -0.2, 0.9));
        assert_in_range(count, 65, 256);
        uint32_t said = probe_lanes_alike(s, s->objects[o].first_part, normal,
                                          0.95, alike, &margin);
        for (uint32_t f = 0; f < count; f++) {
            probe_face face;
            probe_face_get(s, o, f, &face);
            double cosine = v3_dot(face.normal, normal);
            assert_int_equal(alike[f], face.area > 0 && cosine >= 0.95);
            found += alike[f];
            least = face.area > 0 && fabs(cosine - 0.95) < least
                        ? fabs(cosine - 0.95)
                        : least;
            faces[f] = f;
            vec3 third = v3_scale(
                v3_add(v3_add(face.corner[0], face.corner[1]), face.corner[2]),
                1.0 / 3);
            sum = v3_add_scaled(sum, third, face.area);
            area += face.area;
        }
        probe_lanes_sum(s, s->objects[o].first_part, faces, base, count,
                        &middle, &whole);
        assert_int_equal(said, found);
        assert_memory_equal(&margin, &least, sizeof least);
        assert_memory_equal(&middle, &sum, sizeof sum);
        assert_memory_equal(&whole, &area, sizeof area);
    }
    scene_builder_free(b);
}

static void a_hull_is_the_same_without_what_the_sieve_takes_out(void **state)
{
    (void)state;
    enum {
        MANY = 20000,
        PIECE = 700
    };
    static vec2 points[MANY], all[MANY], hull[MANY + 1], again[MANY + 1];
    etna_random r = etna_random_from(41);
    for (int shape = 0; shape < 4; shape++) {
        for (uint32_t i = 0; i < MANY; i++) {
            double x = 2 * etna_random_unit(&r) - 1,
                   y = 2 * etna_random_unit(&r) - 1;
            if (shape == 1)
                x = i % 100 / 49.5 - 1;
            if (shape == 1)
                y = i / 100 / 99.5 - 1;
            if (shape == 2)
                x *= sqrt(1 - y * y);
            if (shape == 3)
                y = 1e-3 * y + 0.3 * x;
            points[i] = all[i] = (vec2){0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y};
        }
        probe_sieve sieve;
        uint32_t kept = 0;
        probe_sieve_begin(&sieve);
        for (uint32_t i = 0; i < MANY; i += PIECE)
            probe_sieve_see(&sieve, points + i,
                            MANY - i < PIECE ? MANY - i : PIECE);
        probe_sieve_end(&sieve);
        for (uint32_t i = 0; i < MANY; i += PIECE)
            kept += probe_sieve_keep(&sieve, all + i,
                                     MANY - i < PIECE ? MANY - i : PIECE,
                                     all + kept);
        assert_in_range(kept, 4, shape == 3 ? MANY : MANY / 3);
        uint32_t count = probe_hull(points, MANY, hull);
        assert_in_range(count, 4, PROBE_HULL_MAX);
        assert_int_equal(probe_hull(all, kept, again), count);
        assert_memory_equal(again, hull, count * sizeof *hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            a_ring_holds_the_sides_of_one_edge_and_patches_are_connected),
        cmocka_unit_test(
            welding_finds_the_first_vertex_near_enough_however_crowded),
        cmocka_unit_test(a_plane_is_what_the_rule_says_face_by_face),
        cmocka_unit_test(many_faces_at_once_have_the_bits_of_each),
        cmocka_unit_test(a_hull_is_the_same_without_what_the_sieve_takes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
