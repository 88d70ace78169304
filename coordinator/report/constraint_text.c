/* Constraints are arrays, the name first (METHODS.md 3). They come from a model
 * or from a document made elsewhere, so every part may be missing or of another
 * type, and reads as "" or 0 then. */
#include "coordinator/report/constraint_text.h"
#include "proto/array.h"

#include <string.h>

static const char *constraint_string_at(const json_t *array, size_t i)
{
    const char *s = json_string_value(json_array_get(array, i));
    return s ? s : "";
}

static double constraint_number_at(const json_t *array, size_t i)
{
    return json_number_value(json_array_get(array, i));
}

void constraint_text_plane(page *to, const char *plane)
{
    const char *under = strrchr(plane, '_');
    const char *hash = strrchr(plane, '#');
    const char *cut = hash && (!under || hash > under) ? hash : under;
    if (!strncmp(plane, "ray:", 4)) {
        page_add(to, "the plane seen at pixel (%s)", plane + 4);
    } else if (!cut || cut == plane || !cut[1]) {
        page_raw(to, plane);
    } else if (!strcmp(cut + 1, "up")) {
        page_add(to, "the top of %.*s", (int)(cut - plane), plane);
    } else if (strspn(cut + 1, "0123456789") == strlen(cut + 1)) {
        page_add(to, "%.*s's plane %s", (int)(cut - plane), plane, cut + 1);
    } else {
        page_raw(to, plane);
    }
}

/* Pixels are fractions of the picture's width and height. */
static void close_to_pix(page *to, const json_t *c)
{
    const json_t *pixel = json_array_get(c, 2);
    page_add(to, "%s at pixel (%.2f, %.2f)",
             strcmp(constraint_string_at(c, 1), "down") ? "centre" : "bottom",
             constraint_number_at(pixel, 0), constraint_number_at(pixel, 1));
}

static void constraint_contact(page *to, const json_t *c)
{
    const char *face = constraint_string_at(c, 1);
    const char *relation = "is set against ";
    if (strcmp(face, "down") == 0)
        relation = "stands on ";
    if (strcmp(face, "up") == 0)
        relation = "its top touches ";
    page_raw(to, relation);
    constraint_text_plane(to, constraint_string_at(c, 2));
}

/* "full_only": no part may overhang the edge; else only the middle has to
 * stay. */
static void no_overhang(page *to, const json_t *c)
{
    bool full = !strcmp(constraint_string_at(c, 3), "full_only");
    page_raw(to, full ? "nothing overhangs " : "its middle stays on ");
    constraint_text_plane(to, constraint_string_at(c, 2));
    if (!full)
        page_raw(to, " (it may overhang there)");
}

static void constraint_distance(page *to, const json_t *c)
{
    page_add(to, "its centre %.2f m from that of %s",
             constraint_number_at(c, 2), constraint_string_at(c, 1));
}

/* FaceTo and BackTo, towards the camera or a plane. */
static void constraint_turned(page *to, const json_t *c, const char *how)
{
    page_raw(to, how);
    if (!strcmp(constraint_string_at(c, 1), "camera")) {
        page_raw(to, "the camera");
    } else {
        constraint_text_plane(to, constraint_string_at(c, 1));
    }
}

static void face_to(page *to, const json_t *c)
{
    constraint_turned(to, c, "its front to ");
}
static void back_to(page *to, const json_t *c)
{
    constraint_turned(to, c, "its back to ");
}
static void constraint_rotate(page *to, const json_t *c)
{
    page_add(to, "turned by %g degrees", constraint_number_at(c, 1));
}
static void constraint_heading(page *to, const json_t *c)
{
    page_add(to, "turned to %g degrees", constraint_number_at(c, 1));
}

/* "at (1.20, 0.40, 0.75), or within 0.05 m": of the world, not of the
 * picture. */
static void constraint_place(page *to, const json_t *c)
{
    const json_t *at = json_array_get(c, 1);
    const json_t *more = json_array_get(c, 2);
    page_add(to, "at (%.2f, %.2f, %.2f)", constraint_number_at(at, 0),
             constraint_number_at(at, 1), constraint_number_at(at, 2));
    if (json_is_number(more))
        page_add(to, ", or within %.2f m of it", json_number_value(more));
    if (json_is_array(more))
        page_add(to, ", or on the way to (%.2f, %.2f, %.2f)",
                 constraint_number_at(more, 0), constraint_number_at(more, 1),
                 constraint_number_at(more, 2));
}

static void object_name(page *to, const json_t *c)
{
    page_add(to, "moves %s", constraint_string_at(c, 1));
}

bool constraint_text_add(page *to, const json_t *constraint)
{
    static const struct {
        const char *name;
        void (*say)(page *to, const json_t *constraint);
    } forms[] = {{"ObjectName", object_name},
                 {"CloseToPix", close_to_pix},
                 {"Contact", constraint_contact},
                 {"NoOverhang", no_overhang},
                 {"Distance", constraint_distance},
                 {"FaceTo", face_to},
                 {"BackTo", back_to},
                 {"Rotate", constraint_rotate},
                 {"Place", constraint_place},
                 {"Heading", constraint_heading}};
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (strcmp(constraint_string_at(constraint, 0), forms[i].name) != 0)
            continue;
        forms[i].say(to, constraint);
        return true;
    }
    return false;
}

void constraint_text_checks(page *to, const json_t *branch)
{
    long long candidates =
        json_integer_value(json_object_get(branch, "candidates"));
    long long survivors =
        json_integer_value(json_object_get(branch, "survivors"));
    long long checks =
        json_integer_value(json_object_get(branch, "collision_checks"));
    const char *status = json_string_value(json_object_get(branch, "status"));
    if (candidates <= 0)
        return;
    page_add(to,
             "%lld of %lld places that were solved for meet every constraint",
             survivors, candidates);
    if (checks > 0)
        page_add(to, "; %lld %s checked on exact triangles", checks,
                 checks == 1 ? "was" : "were");
    page_raw(to, ".");
    if (status && !strcmp(status, "valid"))
        page_raw(
            to,
            " There it collides with nothing, and all that was supported still is.");
}
