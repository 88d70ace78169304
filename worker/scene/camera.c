/* Cameras: the file's and the side file's. One is derived where there is none
 * (derive.c). */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    CAMERAS_MAX = 500
};

static bool name_taken(const importer *m, const char *name)
{
    for (uint32_t i = 0; i < m->s->camera_count; i++) {
        if (strcmp(m->cameras[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a camera under a unique name; nothing when memory ends. */
etna_code camera_add(importer *m,
                     scene_camera camera,
                     const char *wish,
                     etna_error *err)
{
    char room[ARRANGE_NAME_MAX + 16];
    const char *base = clean_name(m, *wish ? wish : "camera", 200);
    const char *name = base;
    void *cameras = m->cameras;
    /* a person picks from a handful; more would only cost time */
    if (m->s->camera_count >= CAMERAS_MAX) {
        if (!m->cameras_left_out) {
            report_warning(
                m,
                "The file has more than %d cameras; the first ones are read.",
                (int)CAMERAS_MAX);
        }
        m->cameras_left_out = true;
        return ETNA_OK;
    }
    for (unsigned k = 2; name && name_taken(m, name); k++) {
        snprintf(room, sizeof room, "%s.%u", base, k);
        name = room;
    }
    name = name ? etna_arena_strdup(&m->own->arena, name) : NULL;
    if (!name || !make_room(&cameras, m->s->camera_count, &m->camera_room,
                            sizeof *m->cameras)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a camera");
    }
    m->cameras = cameras;
    camera.name = name;
    m->cameras[m->s->camera_count++] = camera;
    return ETNA_OK;
}

/* A right-handed frame from a direction and a hint of up. */
bool camera_aim(scene_camera *camera, vec3 forward, vec3 up)
{
    vec3 f = v3_normal(forward);
    vec3 r = v3_cross(f, up);
    if (!(v3_length(f) > 0.5) || !(v3_length(r) > 1e-9 * v3_length(up))) {
        return false;
    }
    camera->forward = f;
    camera->right = v3_normal(r);
    camera->up = v3_cross(camera->right, f);
    return true;
}

/* By our own sincos, so the same bits come on every machine. */
double camera_tan_half(double angle)
{
    double s, c;
    math_sincos(angle / 2, &s, &c);
    return s / c;
}

/* Bounds of a hundredfold keep pictures from being slits. */
static etna_code read_magnification(const json_t *lens,
                                    double unit,
                                    const char *where,
                                    scene_camera *ret,
                                    etna_error *err)
{
    double x = fabs(json_number_value(json_object_get(lens, "xmag")));
    double y = fabs(json_number_value(json_object_get(lens, "ymag")));
    bool are_sizes = x > 0 && y > 0 && x + y < 1e9;
    if (!are_sizes || !(x / y < 100) || !(y / x < 100))
        return etna_fail(err, ETNA_E_INPUT, "%s: xmag and ymag are no sizes",
                         where);
    ret->orthographic = true;
    ret->aspect = x / y;
    ret->half_height = y * unit;
    return ETNA_OK;
}

/* An aspect that is missing or no aspect is 4:3, as glTF leaves it to the
 * viewport. */
static etna_code read_field(const json_t *lens,
                            const char *where,
                            scene_camera *ret,
                            etna_error *err)
{
    double yfov = json_number_value(json_object_get(lens, "yfov"));
    double aspect = json_number_value(json_object_get(lens, "aspectRatio"));
    if (!(yfov > 0.001 && yfov < 3.1))
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: yfov %g is not between 0.001 and 3.1 radians",
                         where, yfov);
    ret->aspect = aspect > 0.01 && aspect < 100 ? aspect : 4.0 / 3;
    ret->half_height = camera_tan_half(yfov);
    return ETNA_OK;
}

/* Clipping planes in metres; 0 is none. */
static etna_code read_lens(const importer *m,
                           const json_t *json,
                           const char *where,
                           scene_camera *ret,
                           etna_error *err)
{
    const char *type = gltf_text(json, "type");
    bool ortho = type && strcmp(type, "orthographic") == 0;
    const json_t *lens =
        json_object_get(json, ortho ? "orthographic" : "perspective");
    double near = json_number_value(json_object_get(lens, "znear"));
    double far = json_number_value(json_object_get(lens, "zfar"));
    double unit = m->s->metres_per_unit;
    etna_code code = ortho ? read_magnification(lens, unit, where, ret, err)
                           : read_field(lens, where, ret, err);
    if (code != ETNA_OK)
        return code;
    ret->near_clip = near > 0 && near < 1e9 ? near * unit : 0;
    ret->far_clip = far > near && far < 1e9 ? far * unit : 0;
    return ETNA_OK;
}

/* In the order of the nodes as they are walked, so that the first camera is the
 * first in the file's tree. glTF cameras look along -Z with +Y up. */
etna_code cameras_read(importer *m, etna_error *err)
{
    for (uint32_t i = 0; i < m->own->order_count; i++) {
        const scene_node *node = &m->own->nodes[m->own->order[i]];
        if (node->camera == GLTF_NONE) {
            continue;
        }
        const json_t *json = json_array_get(m->doc.cameras, node->camera);
        const char *name = gltf_text(json, "name");
        scene_camera camera = {0};
        char where[96];
        snprintf(where, sizeof where, "camera %u (\"%.60s\")", node->camera,
                 name ? name : "");
        etna_code code = read_lens(m, json, where, &camera, err);
        if (code != ETNA_OK) {
            return code;
        }
        affine world = affine_mul(&m->own->file_to_world, &node->world);
        camera.position = world.t;
        if (!camera_aim(&camera, affine_dir(&world, v3(0, 0, -1)),
                        affine_dir(&world, v3(0, 1, 0)))) {
            report_warning(
                m,
                "Camera node \"%s\" has no direction (its scale is zero); it is left out.",
                node->name);
            continue;
        }
        const char *shown = name ? name : "";
        if (*node->name)
            shown = node->name;
        if ((code = camera_add(m, camera, shown, err)) != ETNA_OK) {
            return code;
        }
    }
    return ETNA_OK;
}

/* ---- the side file's ---- */

static bool camera_read_point(const json_t *json, const char *key, vec3 *ret)
{
    double p[3];
    bool given;
    if (gltf_numbers(json, key, 3, p, &given, "side file", NULL) != ETNA_OK ||
        !given) {
        return false;
    }
    *ret = v3(p[0], p[1], p[2]);
    return true;
}

/* A height in metres makes it orthographic; what is beyond reason is 45 degrees
 * and 4:3. */
static void camera_read_lens(const json_t *json, scene_camera *camera)
{
    double yfov = json_number_value(json_object_get(json, "yfov_deg"));
    double height = json_number_value(json_object_get(json, "height_m"));
    double aspect = json_number_value(json_object_get(json, "aspect"));
    double degrees = yfov > 0.1 && yfov < 170 ? yfov : 45;
    camera->orthographic = height > 0 && height < 1e9;
    camera->half_height = camera->orthographic
                              ? height / 2
                              : camera_tan_half(degrees * MATH_PI / 180);
    camera->aspect = aspect > 0.01 && aspect < 100 ? aspect : 4.0 / 3;
}

/* {"name", "position": [x, y, z], "target": [x, y, z], "yfov_deg" or
 * "height_m", "aspect"}, in the world's frame. */
etna_code side_cameras(importer *m, etna_error *err)
{
    const json_t *list = json_object_get(m->side, "cameras");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *json = json_array_get(list, i);
        const char *name = gltf_text(json, "name");
        scene_camera camera = {.near_clip = 0.01};
        vec3 target;
        if (!camera_read_point(json, "position", &camera.position) ||
            !camera_read_point(json, "target", &target)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: camera %zu needs \"position\" and \"target\", three numbers each",
                i);
        }
        camera.position = v3_sub(camera.position, m->s->recentre);
        vec3 forward = v3_sub(v3_sub(target, m->s->recentre), camera.position);
        bool is_aimed = camera_aim(&camera, forward, v3(0, 0, 1)) ||
                        camera_aim(&camera, forward, v3(0, 1, 0));
        if (!is_aimed) {
            return etna_fail(err, ETNA_E_INPUT,
                             "side file: camera %zu stands where it looks", i);
        }
        camera_read_lens(json, &camera);
        etna_code code = camera_add(m, camera, name ? name : "", err);
        if (code != ETNA_OK) {
            return code;
        }
    }
    return ETNA_OK;
}
