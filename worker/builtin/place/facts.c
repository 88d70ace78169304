/* Reading the facts JSON (format: worker/agents/facts.h). The text is ours on
 * the usual path, but a request is only a request: everything is bounded and
 * checked.
 *
 * Begin at builtin_facts_read. Objects come first, then what names them:
 * surfaces, walls, checks. The reader keeps its first fault in `code`, and
 * every helper does nothing once that is set, so that the long list of members
 * reads without a test behind each; what was read after a fault is thrown away
 * with the whole. Names are looked up by a sorted index, as a surface or a
 * support may name any object. Maps of what is free come as hexadecimal rows
 * with layers for the things that stand there, so that the map without some of
 * them can be had later (builtin_map_without). */
#include "proto/array.h"
#include "worker/builtin/place/likeness.h"
#include "worker/builtin/place/maps.h"
#include "worker/builtin/place/name_mend.h"
#include "worker/builtin/place/name_order.h"
#include "worker/builtin/spot.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    etna_arena *arena;
    etna_error *err;
    etna_code code;
    const builtin_object *objects;
    uint32_t object_count;
    const uint32_t *by_name; /* indices in the order of names */
    const cut_facts *cut;
} reader;

/* The first fault is kept; what is read after it means nothing. */
static void reader_fault(reader *r, const char *what)
{
    if (r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_INPUT,
                            "facts: %s is missing or wrong", what);
}

/* As `wrong`. */
static void out_of_memory(reader *r)
{
    if (r->code == ETNA_OK)
        r->code = etna_fail(r->err, ETNA_E_NOMEM,
                            "out of memory while reading facts");
}

/* NULL: failed. */
static void *reader_take(reader *r, size_t count, size_t size)
{
    void *memory = etna_arena_alloc(r->arena, count, size);
    if (!memory)
        out_of_memory(r);
    return memory;
}

/* "" after a failure, so that the reading can go on to its end. */
static const char *text_at(reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) {
        reader_fault(r, key);
        return "";
    }
    char *copy = etna_arena_strdup(r->arena, json_string_value(value));
    if (!copy)
        out_of_memory(r);
    return copy ? copy : "";
}

/* A number within +-limit. */
static double number_of(reader *r,
                        const json_t *value,
                        double limit,
                        const char *what)
{
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    if (!(fabs(number) <= limit)) {
        reader_fault(r, what);
        return 0;
    }
    return number;
}

/* Finite, and within a million kilometres. */
static double number_at(reader *r, const json_t *object, const char *key)
{
    return number_of(r, json_object_get(object, key), 1e9, key);
}

/* From 0 to `max`. */
static uint32_t count_at(reader *r,
                         const json_t *object,
                         const char *key,
                         uint32_t max)
{
    const json_t *value = json_object_get(object, key);
    json_int_t count = json_is_integer(value) ? json_integer_value(value) : -1;
    if (count < 0 || count > (json_int_t)max) {
        reader_fault(r, key);
        return 0;
    }
    return (uint32_t)count;
}

/* Exactly `count`. */
static void numbers_at(reader *r,
                       const json_t *object,
                       const char *key,
                       double *ret,
                       uint32_t count)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array) || json_array_size(array) != count) {
        reader_fault(r, key);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        ret[i] = number_of(r, json_array_get(array, i), 1e9, key);
}

/* Missing is false. */
static bool truth_at(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* Two cameras: "usual" says what left, right, before and behind mean, the lens
 * where things show in the picture. */
static void read_camera(reader *r, const json_t *camera, builtin_facts *facts)
{
    double m[16] = {0}, usual[16];
    numbers_at(r, camera, "matrix", m, 16);
    memcpy(usual, m, sizeof usual);
    if (json_object_get(camera, "usual"))
        numbers_at(r, camera, "usual", usual, 16);
    for (int i = 0; i < 3; i++) {
        facts->right[i] = usual[4 * i];
        facts->up[i] = usual[4 * i + 1];
        facts->forward[i] = -usual[4 * i + 2];
        facts->position[i] = usual[4 * i + 3];
        facts->lens_right[i] = m[4 * i];
        facts->lens_up[i] = m[4 * i + 1];
        facts->lens_forward[i] = -m[4 * i + 2];
        facts->lens_position[i] = m[4 * i + 3];
    }
    facts->aspect = number_at(r, camera, "aspect");
    facts->half_height = number_at(r, camera, "half_height");
    facts->orthographic = truth_at(camera, "orthographic");
    if (!(facts->aspect > 1e-6) || !(facts->half_height > 1e-9))
        reader_fault(r, "camera.aspect or camera.half_height");
}

/* The words of all material names; more than 16 tell nothing more. */
static void read_materials(reader *r, const json_t *row, builtin_object *object)
{
    const json_t *names = json_object_get(row, "materials");
    char *text = etna_arena_strdup(r->arena, "");
    for (size_t i = 0; text && i < json_array_size(names) && i < 16; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        if (name)
            text = etna_arena_printf(r->arena, "%s %.255s", text, name);
    }
    object->materials =
        text ? builtin_name_words(text, r->arena, &object->material_count)
             : NULL;
    if (!object->materials)
        out_of_memory(r);
}

/* More than four tell nothing more. */
static void read_paints(reader *r, const json_t *colour, builtin_object *object)
{
    const json_t *paints = json_object_get(colour, "paints");
    const size_t most = COUNT_OF(object->paints);
    for (size_t i = 0; i < json_array_size(paints) && i < most; i++)
        numbers_at(r, json_array_get(paints, i), "lab",
                   object->paints[object->paint_count++], 3);
}

/* Do an object's words begin with the first `length` of another's? */
static bool begins_like(const builtin_object *o,
                        const builtin_object *like,
                        uint32_t length)
{
    if (o->word_count < length)
        return false;
    for (uint32_t k = 0; k < length; k++) {
        if (strcmp(o->words[k], like->words[k]) != 0)
            return false;
    }
    return true;
}

/* The longest run of words, of the first object's name or the second's, that
 * three in five names begin with. */
static uint32_t shared_run(const builtin_object *objects,
                           uint32_t count,
                           const builtin_object **ret_like)
{
    uint32_t shared = 0;
    for (uint32_t first = 0; first < count && first < 2; first++) {
        for (uint32_t length = 1;
             length < objects[first].word_count && length < 8; length++) {
            uint32_t alike = 0;
            for (uint32_t i = 0; i < count; i++)
                alike += begins_like(&objects[i], &objects[first], length);
            if (5 * (uint64_t)alike < 3 * (uint64_t)count || length <= shared)
                continue;
            shared = length;
            *ret_like = &objects[first];
        }
    }
    return shared;
}

/* Exporters put one prefix before every name ("tea_set_01_"): the longest run
 * of words that three in five names begin with says nothing about any of
 * them. */
static void find_shared_words(builtin_object *objects, uint32_t count)
{
    const builtin_object *like = NULL;
    uint32_t shared = count >= 4 ? shared_run(objects, count, &like) : 0;
    for (uint32_t i = 0; i < count && shared; i++) {
        if (objects[i].word_count > shared &&
            begins_like(&objects[i], like, shared))
            objects[i].shared_words = shared;
    }
}

/* Towards -Y where a thing has no front that is level. */
static void set_heading(const double front[3], double ret[2])
{
    double length = sqrt(front[0] * front[0] + front[1] * front[1]);
    ret[0] = length > 1e-9 ? front[0] / length : 0;
    ret[1] = length > 1e-9 ? front[1] / length : -1;
}

/* NULL: none that is known. */
static const char *form_at(const json_t *row)
{
    static const char *const forms[] = {"ball", "block"};
    const char *said = json_string_value(json_object_get(row, "form"));
    for (size_t i = 0; said && i < COUNT_OF(forms); i++) {
        if (strcmp(said, forms[i]) == 0)
            return forms[i];
    }
    return NULL;
}

/* Where it stood when the run began; only what has moved since has that. */
static void read_start(reader *r, const json_t *row, builtin_object *object)
{
    const json_t *start = json_object_get(row, "start");
    memcpy(object->start, object->centre, sizeof object->start);
    memcpy(object->start_heading, object->heading, sizeof object->heading);
    object->moved = json_is_object(start);
    if (!object->moved)
        return;
    double front[3] = {0};
    numbers_at(r, start, "centre", object->start, 3);
    numbers_at(r, start, "front", front, 3);
    set_heading(front, object->start_heading);
}

/* Half sizes are not negative. */
static void read_box(reader *r, const json_t *row, builtin_object *object)
{
    const json_t *box = json_object_get(row, "box");
    double front[3] = {0};
    numbers_at(r, box, "centre", object->centre, 3);
    numbers_at(r, box, "half", object->half, 3);
    for (int i = 0; i < 3; i++) {
        if (object->half[i] < 0)
            reader_fault(r, "box.half");
    }
    numbers_at(r, row, "front", front, 3);
    set_heading(front, object->heading);
    object->yaw_deg = json_number_value(json_object_get(box, "yaw_deg"));
}

/* Missing is no text. */
static bool text_is(const json_t *row, const char *key, const char *text)
{
    const char *own = json_string_value(json_object_get(row, key));
    return own && strcmp(own, text) == 0;
}

/* name: the words of the name become the object's words, those of category and
 * description only hints. */
static void read_object(reader *r, const json_t *row, builtin_object *object)
{
    object->name = text_at(r, row, "name");
    const char *category = text_at(r, row, "category"),
               *description = text_at(r, row, "description");
    char *hints = etna_arena_printf(r->arena, "%s %s", category, description);
    uint32_t word_count = 0;
    const char *const *words =
        builtin_name_words(object->name, r->arena, &word_count);
    object->hints =
        hints ? builtin_name_words(hints, r->arena, &object->hint_count) : NULL;
    if (!words || !object->hints)
        out_of_memory(r);
    builtin_object_call(object, words, words ? word_count : 0);
    object->is_static = truth_at(row, "static");
    object->immovable = truth_at(row, "immovable");
    object->static_by_cut = truth_at(row, "static_by_cut");
    object->static_why = json_is_string(json_object_get(row, "static_why"))
                             ? text_at(r, row, "static_why")
                             : "";
    object->visible = truth_at(row, "visible");
    if (object->visible)
        numbers_at(r, row, "image_box", object->image_box, 4);
    const json_t *colour = json_object_get(row, "colour");
    object->has_colour = json_is_object(colour);
    if (object->has_colour) {
        numbers_at(r, colour, "lab", object->lab, 3);
        read_paints(r, colour, object);
    }
    object->form = form_at(row);
    read_box(r, row, object);
    read_start(r, row, object);
    object->has_front = text_is(row, "front_source", "side file");
    object->front_is_seen = text_is(row, "front_source", "caption");
    read_materials(r, row, object);
    if (!json_is_string(json_object_get(row, "support")))
        reader_fault(r, "support");
    object->hovering = text_is(row, "support", "hovering");
    object->attached = text_is(row, "support", "attached");
}

/* Equal names keep their order. */
static int compare_names(const void *a, const void *b, void *context)
{
    const builtin_object *objects = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int order = strcmp(objects[i].name, objects[k].name);
    return order ? order : (i > k) - (i < k);
}

/* BUILTIN_NONE: no object has that name. Names are unique in a scene. */
static uint32_t reader_find(const reader *r, const char *name)
{
    uint32_t low = 0, high = r->object_count;
    while (name && low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(r->objects[r->by_name[middle]].name, name);
        if (order == 0)
            return r->by_name[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return BUILTIN_NONE;
}

/* Indices of the named objects; a name that is none of the scene's refuses the
 * facts. */
static const uint32_t *names_at(reader *r,
                                const json_t *row,
                                const char *key,
                                uint32_t *ret_count)
{
    const json_t *names = json_object_get(row, key);
    size_t count = json_array_size(names);
    if (!json_is_array(names) || count > r->object_count) {
        reader_fault(r, key);
        return NULL;
    }
    uint32_t *indices = reader_take(r, count, sizeof *indices);
    for (size_t i = 0; indices && i < count; i++) {
        indices[i] =
            reader_find(r, json_string_value(json_array_get(names, i)));
        if (indices[i] == BUILTIN_NONE) {
            reader_fault(r, key);
            return NULL;
        }
    }
    *ret_count = indices ? (uint32_t)count : 0;
    return indices;
}

/* All rows first, then the edges of support, which name rows that may come
 * later. */
static void read_objects(reader *r, const json_t *rows, builtin_facts *facts)
{
    size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > BUILTIN_OBJECTS_MAX) {
        reader_fault(r, "objects");
        return;
    }
    builtin_object *objects = reader_take(r, count, sizeof *objects);
    uint32_t *by_name = reader_take(r, count, sizeof *by_name);
    if (!objects || !by_name)
        return;
    for (uint32_t i = 0; i < count && r->code == ETNA_OK; i++) {
        read_object(r, json_array_get(rows, i), &objects[i]);
        by_name[i] = i;
    }
    if (r->code != ETNA_OK)
        return;
    qsort_r(by_name, count, sizeof *by_name, compare_names, objects);
    find_shared_words(objects, (uint32_t)count);
    r->code = builtin_names_mend(objects, (uint32_t)count, r->arena, r->err);
    if (r->code == ETNA_OK)
        r->code =
            builtin_names_order(objects, (uint32_t)count, r->arena, r->err);
    if (r->code == ETNA_OK)
        r->code = builtin_name_by_likeness(objects, (uint32_t)count, r->arena,
                                           r->err);
    if (r->code != ETNA_OK)
        return;
    r->objects = objects;
    r->by_name = by_name;
    r->object_count = (uint32_t)count;
    for (uint32_t i = 0; i < count && r->code == ETNA_OK; i++) {
        objects[i].by = names_at(r, json_array_get(rows, i), "supported_by",
                                 &objects[i].by_count);
        objects[i].on = names_at(r, json_array_get(rows, i), "supports",
                                 &objects[i].on_count);
        objects[i].start_by = objects[i].by;
        objects[i].start_by_count = objects[i].by_count;
        if (!objects[i].moved)
            continue;
        objects[i].start_by =
            names_at(r, json_object_get(json_array_get(rows, i), "start"),
                     "supported_by", &objects[i].start_by_count);
    }
    facts->objects = objects;
    facts->object_count = (uint32_t)count;
}

/* Small letters alone, as we write it. */
static bool is_hex(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789abcdef") == length;
}

/* Of a digit that is_hex has seen. */
static unsigned digit_of(char digit)
{
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* A map that was cut out of the text. */
static uint8_t *read_cut_map(reader *r,
                             json_int_t number,
                             uint32_t columns,
                             uint32_t row_count)
{
    const map_text *map = number >= 0 && number < r->cut->map_count
                              ? &r->cut->maps[number]
                              : NULL;
    if (!map || map->rows != row_count ||
        map->digits != 2 * (uint64_t)columns) {
        reader_fault(r, "clear");
        return NULL;
    }
    uint8_t *clear = reader_take(r, (size_t)columns * row_count + 1, 1);
    if (!clear || maps_read(map, clear))
        return clear;
    reader_fault(r, "clear");
    return NULL;
}

/* Two digits a cell. */
static uint8_t *read_clear(reader *r,
                           const json_t *rows,
                           uint32_t columns,
                           uint32_t row_count)
{
    if (json_is_integer(rows))
        return read_cut_map(r, json_integer_value(rows), columns, row_count);
    if (!json_is_array(rows) || json_array_size(rows) != row_count) {
        reader_fault(r, "clear");
        return NULL;
    }
    uint8_t *clear = reader_take(r, (size_t)columns * row_count + 1, 1);
    for (uint32_t j = 0; clear && j < row_count; j++) {
        const char *line = json_string_value(json_array_get(rows, j));
        if (!line || !is_hex(line, 2 * (size_t)columns)) {
            reader_fault(r, "clear");
            return NULL;
        }
        for (uint32_t i = 0; i < columns; i++)
            clear[(size_t)j * columns + i] =
                (uint8_t)(16 * digit_of(line[2 * i]) +
                          digit_of(line[2 * i + 1]));
    }
    return clear;
}

/* Its window must lie in the map. */
static void read_layer(reader *r,
                       const json_t *row,
                       uint32_t columns,
                       uint32_t rows,
                       builtin_layer *layer)
{
    layer->object =
        reader_find(r, json_string_value(json_object_get(row, "object")));
    if (layer->object == BUILTIN_NONE)
        reader_fault(r, "over.object");
    layer->column = count_at(r, row, "column", columns);
    layer->row = count_at(r, row, "row", rows);
    layer->columns = count_at(r, row, "columns", columns - layer->column);
    layer->rows = count_at(r, row, "rows", rows - layer->row);
    if (r->code == ETNA_OK)
        layer->clear = read_clear(r, json_object_get(row, "clear"),
                                  layer->columns, layer->rows);
}

/* The lower clear height wins. */
static void lay_layer(const builtin_layer *layer,
                      uint32_t columns,
                      uint8_t *clear)
{
    for (uint32_t j = 0; j < layer->rows; j++) {
        uint8_t *to =
            clear + (size_t)(layer->row + j) * columns + layer->column;
        const uint8_t *from = layer->clear + (size_t)j * layer->columns;
        for (uint32_t i = 0; i < layer->columns; i++)
            to[i] = from[i] < to[i] ? from[i] : to[i];
    }
}

/* The map as it would be without some things: those that were about to move. */
void builtin_map_without(const builtin_map *map,
                         uint32_t columns,
                         uint32_t rows,
                         const bool *away,
                         uint8_t *ret)
{
    bool leaves = false;
    for (uint32_t i = 0; i < map->layer_count && !leaves; i++)
        leaves = away[map->layers[i].object];
    memcpy(ret, leaves ? map->fixed : map->clear, (size_t)columns * rows);
    for (uint32_t i = 0; i < map->layer_count && leaves; i++) {
        if (!away[map->layers[i].object])
            lay_layer(&map->layers[i], columns, ret);
    }
}

/* `fixed` is what cannot be taken away; `clear` is that lowered by all layers,
 * as things stand now. */
static void read_map(reader *r,
                     const json_t *row,
                     uint32_t columns,
                     uint32_t rows,
                     builtin_map *map)
{
    const size_t cells = (size_t)columns * rows;
    const json_t *over = json_object_get(row, "over");
    size_t count = json_array_size(over);
    map->fixed = read_clear(r, json_object_get(row, "clear"), columns, rows);
    if (!json_is_array(over) || count > r->object_count)
        reader_fault(r, "over");
    builtin_layer *layers =
        r->code == ETNA_OK ? reader_take(r, count, sizeof *layers) : NULL;
    uint8_t *clear = layers ? reader_take(r, cells + 1, 1) : NULL;
    if (!clear)
        return;
    memcpy(clear, map->fixed, cells);
    for (size_t i = 0; i < count && r->code == ETNA_OK; i++) {
        read_layer(r, json_array_get(over, i), columns, rows, &layers[i]);
        if (r->code == ETNA_OK)
            lay_layer(&layers[i], columns, clear);
    }
    map->clear = clear;
    map->layers = layers;
    map->layer_count = (uint32_t)count;
}

/* At most 4,096 corners. */
static const double (*read_polygon(reader *r,
                                   const json_t *row,
                                   uint32_t *ret_count))[2]
{
    *ret_count = 0;
    const json_t *corners = json_object_get(row, "polygon");
    size_t count = json_array_size(corners);
    if (!json_is_array(corners) || count > 4096) {
        reader_fault(r, "surface.polygon");
        return NULL;
    }
    double(*points)[2] = reader_take(r, count, sizeof *points);
    for (size_t i = 0; points && i < count; i++) {
        const json_t *corner = json_array_get(corners, i);
        for (size_t k = 0; k < 2; k++)
            points[i][k] =
                number_of(r, json_array_get(corner, k), 1e9, "surface.polygon");
    }
    *ret_count = points ? (uint32_t)count : 0;
    return (const double(*)[2])points;
}

/* No square of SIDE cells is free: a rail or a rim, on which only small things
 * stand. */
static bool is_narrow(const builtin_surface *s)
{
    enum {
        SIDE = 4
    };
    /* rows up to this one that are free in one place for SIDE cells */
    uint32_t deep = 0;
    for (uint32_t i = 0; i + SIDE <= s->columns; i++, deep = 0) {
        for (uint32_t j = 0; j < s->rows && deep < SIDE; j++) {
            bool wide = true;
            for (uint32_t k = i; k < i + SIDE && wide; k++)
                wide = builtin_is_clear(s, k, j, BUILTIN_CLEAR_LEAST);
            deep = wide ? deep + 1 : 0;
        }
        if (deep >= SIDE)
            return false;
    }
    return true;
}

/* The crack below a cabinet's top board: open nearly everywhere, but nowhere
 * high enough for more than a sheet of paper. Nobody puts a thing there. */
static bool is_crack(const builtin_surface *s)
{
    const uint8_t low = 5; /* centimetres */
    const size_t cells = (size_t)s->columns * s->rows;
    size_t open = 0;
    for (size_t i = 0; i < cells; i++) {
        if (s->map.clear[i] >= low)
            return false;
        open += s->map.clear[i] >= BUILTIN_CLEAR_LEAST;
    }
    return 2 * open > cells;
}

/* Everything that indexes an array later is checked here. */
static void read_surface(reader *r, const json_t *row, builtin_surface *surface)
{
    surface->plane = text_at(r, row, "plane");
    surface->object =
        reader_find(r, json_string_value(json_object_get(row, "object")));
    if (surface->object == BUILTIN_NONE)
        reader_fault(r, "surface.object");
    surface->height = number_at(r, row, "height");
    surface->width = number_at(r, row, "width");
    surface->cell = number_at(r, row, "cell");
    if (!(surface->cell >= 1e-4))
        reader_fault(r, "surface.cell");
    numbers_at(r, row, "origin", surface->origin, 2);
    surface->columns = count_at(r, row, "columns", BUILTIN_SIDE_MAX);
    surface->rows = count_at(r, row, "rows", BUILTIN_SIDE_MAX);
    if ((uint64_t)surface->columns * surface->rows > BUILTIN_CELLS_MAX)
        reader_fault(r, "surface.columns x rows");
    /* of a curved plate the plane is fitted, and may pass above it or below */
    if (r->code == ETNA_OK) {
        const builtin_object *o = &r->objects[surface->object];
        double low = builtin_foot(o), high = builtin_top(o);
        surface->height = fmin(fmax(surface->height, low), high);
    }
    if (r->code == ETNA_OK)
        read_map(r, row, surface->columns, surface->rows, &surface->map);
    if (r->code == ETNA_OK)
        surface->narrow = is_narrow(surface);
    surface->shut = truth_at(row, "shut");
    if (r->code == ETNA_OK)
        surface->corners = read_polygon(r, row, &surface->corner_count);
}

/* Cracks are left out: a gap between boards is no place. */
static void read_surfaces(reader *r, const json_t *rows, builtin_facts *facts)
{
    size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > BUILTIN_SURFACES_MAX) {
        reader_fault(r, "surfaces");
        return;
    }
    builtin_surface *surfaces = reader_take(r, count, sizeof *surfaces);
    if (!surfaces)
        return;
    uint32_t used = 0;
    for (size_t i = 0; i < count && r->code == ETNA_OK; i++) {
        surfaces[used] = (builtin_surface){0};
        read_surface(r, json_array_get(rows, i), &surfaces[used]);
        used += r->code == ETNA_OK && !is_crack(&surfaces[used]);
    }
    facts->surfaces = surfaces;
    facts->surface_count = used;
}

/* A wall's map is in metres to the right and up. */
static void read_wall(reader *r, const json_t *row, builtin_wall *wall)
{
    double normal[3] = {0}, right[3] = {0};
    wall->plane = text_at(r, row, "plane");
    wall->object =
        reader_find(r, json_string_value(json_object_get(row, "object")));
    if (wall->object == BUILTIN_NONE)
        reader_fault(r, "wall.object");
    numbers_at(r, row, "normal", normal, 3);
    numbers_at(r, row, "right", right, 3);
    memcpy(wall->normal, normal, sizeof wall->normal);
    memcpy(wall->right, right, sizeof wall->right);
    wall->has_colour = json_object_get(row, "lab") != NULL;
    if (wall->has_colour)
        numbers_at(r, row, "lab", wall->lab, 3);
    wall->offset = number_at(r, row, "offset");
    wall->cell = number_at(r, row, "cell");
    if (!(wall->cell >= 1e-4))
        reader_fault(r, "wall.cell");
    numbers_at(r, row, "origin", wall->origin, 2);
    wall->columns = count_at(r, row, "columns", BUILTIN_SIDE_MAX);
    wall->rows = count_at(r, row, "rows", BUILTIN_SIDE_MAX);
    if ((uint64_t)wall->columns * wall->rows > BUILTIN_CELLS_MAX)
        reader_fault(r, "wall.columns x rows");
    if (r->code == ETNA_OK)
        read_map(r, row, wall->columns, wall->rows, &wall->map);
    if (r->code == ETNA_OK)
        wall->corners = read_polygon(r, row, &wall->corner_count);
}

/* At most BUILTIN_WALLS_MAX. */
static void read_walls(reader *r, const json_t *rows, builtin_facts *facts)
{
    size_t count = json_array_size(rows);
    if (count > BUILTIN_WALLS_MAX) {
        reader_fault(r, "walls");
        return;
    }
    builtin_wall *walls = reader_take(r, count, sizeof *walls);
    if (!walls)
        return;
    for (size_t i = 0; i < count && r->code == ETNA_OK; i++)
        read_wall(r, json_array_get(rows, i), &walls[i]);
    facts->walls = walls;
    facts->wall_count = (uint32_t)count;
}

/* At most four names as a person lists them. */
static const char *facts_listed(reader *r,
                                const json_t *rows,
                                const char *const *keys,
                                uint32_t key_count)
{
    char *text = etna_arena_strdup(r->arena, "");
    for (size_t i = 0; text && i < json_array_size(rows) && i < 4; i++) {
        const json_t *row = json_array_get(rows, i);
        for (uint32_t k = 0; text && k < key_count; k++) {
            const char *joint = i ? ", " : "";
            const char *name = json_string_value(
                keys[k][0] ? json_object_get(row, keys[k]) : row);
            if (!name)
                reader_fault(r, "checks");
            text = etna_arena_printf(r->arena, "%s%s%.255s", text,
                                     k ? " and " : joint, name ? name : "");
        }
    }
    if (!text)
        out_of_memory(r);
    return text ? text : "";
}

/* Only facts of an edit have them. */
static void read_checks(reader *r, const json_t *row, builtin_facts *facts)
{
    static const char *const pair[] = {"a", "b"}, *const plain[] = {""};
    builtin_checks *checks = &facts->checks;
    if (!json_is_object(row))
        return;
    checks->object =
        reader_find(r, json_string_value(json_object_get(row, "object")));
    if (checks->object == BUILTIN_NONE)
        reader_fault(r, "checks.object");
    checks->no_target = json_is_null(json_object_get(row, "target"));
    if (!checks->no_target)
        numbers_at(r, row, "target", checks->target, 2);
    checks->moved = number_at(r, row, "moved_m");
    if (json_object_get(row, "turned_deg"))
        checks->turned = number_at(r, row, "turned_deg");
    const json_t *collisions = json_object_get(row, "collisions"),
                 *floating = json_object_get(row, "floating");
    const json_t *others = json_object_get(row, "others_moved");
    if (!json_is_array(collisions) || !json_is_array(floating) ||
        !json_is_array(others))
        reader_fault(r, "checks");
    checks->collision_count = (uint32_t)json_array_size(collisions);
    checks->floating_count = (uint32_t)json_array_size(floating);
    checks->others_moved = (uint32_t)json_array_size(others);
    checks->collisions = facts_listed(r, collisions, pair, 2);
    checks->floating = facts_listed(r, floating, plain, 1);
    for (size_t i = 0; i < json_array_size(floating); i++) {
        if (reader_find(r, json_string_value(json_array_get(floating, i))) ==
            checks->object)
            checks->object_floats = true;
    }
    facts->has_checks = true;
}

/* "" where there is none. */
static const char *staged_text(reader *r, const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    const char *copy = etna_arena_strdup(r->arena, text ? text : "");
    if (!copy)
        out_of_memory(r);
    return copy ? copy : "";
}

/* What is no place in a text is the place of nothing. */
static uint32_t staged_from(const json_t *row)
{
    const json_int_t from = json_integer_value(json_object_get(row, "from"));
    return from >= 0 && from < UINT32_MAX ? (uint32_t)from : UINT32_MAX;
}

/* Where the replaced things stood, for what takes their place. */
static void read_old_places(reader *r, const json_t *row, builtin_staged *s)
{
    const json_t *at = json_object_get(row, "at"),
                 *yaw = json_object_get(row, "yaw_deg");
    double(*places)[3] = reader_take(r, s->count, sizeof *places),
    *yaws = reader_take(r, s->count, sizeof *yaws);
    if (json_array_size(at) != s->count || json_array_size(yaw) != s->count)
        reader_fault(r, "staged.at");
    for (size_t i = 0; places && yaws && i < s->count && r->code == ETNA_OK;
         i++) {
        for (size_t k = 0; k < 3; k++)
            places[i][k] = number_of(
                r, json_array_get(json_array_get(at, i), k), 1e9, "staged.at");
        yaws[i] = number_of(r, json_array_get(yaw, i), 1e9, "staged.yaw_deg");
    }
    s->at = (const double(*)[3])places;
    s->yaw_deg = yaws;
    s->load = names_at(r, row, "load", &s->load_count);
    s->hung = json_is_true(json_object_get(row, "hung"));
}

/* Refused ones keep only why. */
static void read_staged(reader *r, const json_t *rows, builtin_facts *facts)
{
    size_t count = json_array_size(rows);
    if (!json_is_array(rows) || count > BUILTIN_MOVES_MAX) {
        reader_fault(r, "staged");
        return;
    }
    builtin_staged *staged = reader_take(r, count, sizeof *staged);
    for (size_t i = 0; staged && i < count && r->code == ETNA_OK; i++) {
        const json_t *row = json_array_get(rows, i);
        const char *kind = staged_text(r, row, "kind");
        builtin_staged *s = &staged[i];
        s->kind = strcmp(kind, "remove") == 0 ? CHANGE_REMOVE : CHANGE_ADD;
        if (strcmp(kind, "replace") == 0)
            s->kind = CHANGE_REPLACE;
        s->said = staged_text(r, row, "said");
        s->by = staged_text(r, row, "by");
        s->text = staged_text(r, row, "text");
        s->from = staged_from(row);
        s->refused = staged_text(r, row, "refused");
        if (s->refused[0])
            continue;
        if (s->kind != CHANGE_REMOVE)
            s->objects = names_at(r, row, "names", &s->count);
        if (s->kind == CHANGE_REPLACE && r->code == ETNA_OK)
            read_old_places(r, row, s);
    }
    facts->staged = staged;
    facts->staged_count = staged ? (uint32_t)count : 0;
}

/* In this order: surfaces and what follows name objects. */
static void facts_read_parts(reader *r,
                             const json_t *root,
                             builtin_facts *facts)
{
    static const struct {
        const char *name;
        void (*read)(reader *, const json_t *, builtin_facts *);
        bool may_miss; /* as nobody looked for them */
    } parts[] = {
        {"camera", read_camera, false},     {"objects", read_objects, false},
        {"surfaces", read_surfaces, false}, {"walls", read_walls, true},
        {"checks", read_checks, true},      {"staged", read_staged, true}};
    for (size_t i = 0; i < COUNT_OF(parts) && r->code == ETNA_OK; i++) {
        const json_t *own = json_object_get(root, parts[i].name);
        if (own || !parts[i].may_miss)
            parts[i].read(r, own, facts);
    }
}

/* The maps are cut out of the text before it is parsed as JSON: they are most
 * of it, and a JSON parser would copy them. What is wrong is ETNA_E_INPUT, with
 * the member's name. */
etna_code builtin_facts_read(const char *json,
                             size_t size,
                             etna_arena *arena,
                             builtin_facts *ret,
                             etna_error *err)
{
    if (size > BUILTIN_FACTS_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "facts: %zu bytes, at most %d are read", size,
                         BUILTIN_FACTS_MAX);
    cut_facts cut;
    json_error_t where;
    etna_code code = maps_cut(json, size, arena, &cut, err);
    if (code != ETNA_OK)
        return code;
    json_t *root = json_loadb(cut.json, cut.size, 0, &where);
    if (!root)
        return etna_fail(err, ETNA_E_INPUT, "facts: not JSON (line %d: %s)",
                         where.line, where.text);
    reader r = {.arena = arena, .err = err, .cut = &cut};
    builtin_facts facts = {0};
    if (json_integer_value(json_object_get(root, "version")) != 1)
        reader_fault(&r, "version (1)");
    facts_read_parts(&r, root, &facts);
    json_decref(root);
    if (r.code == ETNA_OK)
        r.code = builtin_facts_lay(&facts, arena, err);
    if (r.code == ETNA_OK)
        r.code = builtin_facts_wall_in(&facts, arena, err);
    if (r.code == ETNA_OK)
        *ret = facts;
    return r.code;
}

/* From the world to shares of the picture; false: behind the eye. ret_depth
 * (metres along the view) may be NULL. */
bool builtin_project(const builtin_facts *facts,
                     const double point[3],
                     double ret_image[2],
                     double *ret_depth)
{
    double x = 0, y = 0, depth = 0;
    for (int i = 0; i < 3; i++) {
        double d = point[i] - facts->lens_position[i];
        x += d * facts->lens_right[i];
        y += d * facts->lens_up[i];
        depth += d * facts->lens_forward[i];
    }
    if (!(depth > 1e-9))
        return false;
    double scale =
        facts->orthographic ? facts->half_height : facts->half_height * depth;
    ret_image[0] = 0.5 + x / (2 * scale * facts->aspect);
    ret_image[1] = 0.5 - y / (2 * scale);
    if (ret_depth)
        *ret_depth = depth;
    return true;
}
