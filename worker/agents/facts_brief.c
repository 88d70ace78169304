/* See facts.h: what a model with eyes needs beside the picture, in as few words
 * as do. */
#include "worker/agents/facts.h"
#include "worker/provider/text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SUPPORTERS_TOLD = 2,
    PER_OBJECT = 2
};

typedef struct brief {
    const facts_input *in;
    const scene *scene;
    etna_arena arena;
    const view_extent *extents;
    double *room; /* of each object's tops, m2 */
    FILE *out;
} brief;

static const char head[] =
    "A line for each object: name | its box in the image x1 y1 x2 y2 (- where it does not show) | centre x y z, size "
    "x y z in metres, Z up, heading in degrees | what it stands on | free room on it in m2\n";

/* A name may hold anything: it stands quoted as in JSON. */
static void brief_name(const brief *b, uint32_t object)
{
    json_t *value = json_string(b->scene->objects[object].name);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    fputs(text ? text : "\"\"", b->out);
    free(text);
    json_decref(value);
}

/* At most SUPPORTERS_TOLD; "fixed" for what is part of the building. */
static void brief_support(const brief *b, uint32_t object)
{
    const space_support_state *support = b->in->support;
    uint32_t told = 0;
    for (uint32_t i = 0; i < support->edge_count && told < SUPPORTERS_TOLD;
         i++) {
        if (support->edges[i].object != object)
            continue;
        fputs(told ? ", " : "", b->out);
        brief_name(b, support->edges[i].by);
        told++;
    }
    if (told == 0)
        fputs(b->scene->objects[object].is_static ? "fixed" : "-", b->out);
}

/* Each with a space before it, to hundredths, without what says nothing: ".5"
 * and "-.25" take fewer tokens. */
static void brief_numbers(const brief *b, const double *values, uint32_t count)
{
    char text[64];
    for (uint32_t i = 0; i < count; i++) {
        int size = snprintf(text, sizeof text, "%.2f", values[i]);
        while (size > 1 && text[size - 1] == '0')
            text[--size] = 0;
        if (size > 1 && text[size - 1] == '.')
            text[--size] = 0;
        const bool is_minus = text[0] == '-';
        const char *digits = text + is_minus;
        const bool is_nought = digits[0] == '0' && digits[1] == 0;
        if (digits[0] == '0' && digits[1] == '.')
            digits++;
        fprintf(b->out, " %s%s", is_minus && !is_nought ? "-" : "", digits);
    }
}

/* One line as `head` says. */
static void brief_object(const brief *b, uint32_t object)
{
    const scene_box box = space_box(b->in->space, object);
    const view_extent *extent = &b->extents[object];
    brief_name(b, object);
    fputs(extent->pixels ? " |" : " | -", b->out);
    if (extent->pixels)
        brief_numbers(b, extent->box, 4);
    fputs(" |", b->out);
    brief_numbers(b, (double[]){box.centre.x, box.centre.y, box.centre.z}, 3);
    fputs(",", b->out);
    brief_numbers(b, (double[]){2 * box.half.x, 2 * box.half.y, 2 * box.half.z},
                  3);
    fprintf(b->out, ", %.0f | ", box.yaw * (180 / MATH_PI));
    brief_support(b, object);
    if (b->room[object] > 0) {
        fputs(" |", b->out);
        brief_numbers(b, &b->room[object], 1);
    }
    fputc('\n', b->out);
}

/* How much of each object's tops nothing stands on, and a hand can reach. */
static etna_code brief_find_room(brief *b, etna_error *err)
{
    probe_surface_options options = probe_surface_options_default();
    probe_surface *surfaces = NULL;
    uint32_t count = 0;
    space_air *air = NULL;
    options.per_object = PER_OBJECT;
    options.threads = b->in->threads;
    etna_code code =
        b->in->any_place ? ETNA_OK : space_air_find(b->in->space, &air, err);
    options.air = air;
    if (code == ETNA_OK) {
        code = probe_surfaces(b->in->probes, b->in->space, b->in->camera,
                              &options, &b->arena, &surfaces, &count, err);
    }
    space_air_free(air);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        const probe_surface *s = &surfaces[i];
        if (!s->shut)
            b->room[s->plane.object] += s->free_count * s->cell * s->cell;
    }
    return code;
}

/* What shows first, and then what does not: a bound on lines cuts the less
 * useful ones. */
static void brief_write(const brief *b)
{
    uint32_t told = 0;
    uint32_t all = b->scene->object_count;
    fputs(head, b->out);
    for (int shown = 1; shown >= 0; shown--) {
        for (uint32_t i = 0; i < all && told < FACTS_BRIEF_MAX; i++) {
            if ((b->extents[i].pixels > 0) != (shown == 1))
                continue;
            brief_object(b, i);
            told++;
        }
    }
    if (told < all)
        fprintf(b->out, "and %u more objects\n", (unsigned)(all - told));
}

/* *ret_text is the caller's to free. */
etna_code facts_brief(const facts_input *input,
                      const view_extent *extents,
                      char **ret_text,
                      size_t *ret_size,
                      etna_error *err)
{
    brief b = {
        .in = input, .scene = space_scene(input->space), .extents = extents};
    char *text = NULL;
    size_t size = 0;
    b.room = etna_arena_alloc(&b.arena, b.scene->object_count, sizeof *b.room);
    etna_code code =
        b.room ? brief_find_room(&b, err)
               : etna_fail(err, ETNA_E_NOMEM, "out of memory for facts");
    if (code == ETNA_OK) {
        b.out = open_memstream(&text, &size);
        if (b.out)
            brief_write(&b);
        bool failed = !b.out || ferror(b.out);
        if (b.out && fclose(b.out) != 0)
            failed = true;
        if (failed)
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory for facts");
    }
    etna_arena_free(&b.arena);
    if (code != ETNA_OK) {
        free(text);
        return code;
    }
    *ret_text = text;
    *ret_size = size;
    return ETNA_OK;
}
