/* Splits and groups. Both rewrite the lists of objects and parts; a part keeps
 * its source, which says what of the file it shows.
 *
 *   the file   bases      table   terrain          chairs
 *   splits     pieces     table   rock moss rest   chairs
 *   groups     objects    [table  rock] moss rest  chairs
 *
 * as the side file says:
 *
 *   "splits": {"terrain": {"of": 9, "parts": [...]}}
 *   "groups": {"altar": ["table", "rock"]}
 *
 * divide_like.c does the same for an edited copy. */
#include "proto/utf8.h"
#include "worker/scene/division.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUPS_MAX = 10000
};

/* What division_take took is not in it any more. */
void division_free(division *d)
{
    free(d->objects);
    free(d->parts);
    free(d->sources);
}

/* To the object that was opened last. False: no memory, or too many parts. */
bool division_add_part(division *d,
                       const scene_part *part,
                       const scene_source *source)
{
    void *parts = d->parts;
    void *sources = d->sources;
    bool ok = d->part_count < SCENE_NONE - 1 &&
              make_room(&parts, d->part_count, &d->part_room, sizeof *d->parts);
    d->parts = parts;
    ok = ok && make_room(&sources, d->part_count, &d->source_room,
                         sizeof *d->sources);
    d->sources = sources;
    if (!ok) {
        return false;
    }
    assert(d->object_count > 0); /* division_open came first */
    scene_object *o = &d->objects[d->object_count - 1];
    d->parts[d->part_count] = *part;
    d->parts[d->part_count].object = d->object_count - 1;
    d->sources[d->part_count++] = *source;
    o->part_count++;
    o->triangle_count += d->m->meshes[part->mesh].triangle_count;
    return true;
}

/* An object like `from` without parts yet. */
etna_code division_open(division *d, const scene_object *from, etna_error *err)
{
    void *objects = d->objects;
    if (d->object_count >= SCENE_OBJECTS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "side file: more than %d objects after its splits",
                         (int)SCENE_OBJECTS_MAX);
    }
    if (!make_room(&objects, d->object_count, &d->object_room,
                   sizeof *d->objects)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         d->object_count);
    }
    d->objects = objects;
    d->objects[d->object_count] = *from;
    d->objects[d->object_count].first_part = d->part_count;
    d->objects[d->object_count].part_count =
        d->objects[d->object_count].triangle_count = 0;
    d->object_count++;
    return ETNA_OK;
}

/* As they are: the object is not divided. */
static etna_code copy_parts(division *d,
                            const scene_object *from,
                            etna_error *err)
{
    for (uint32_t p = from->first_part; p < from->first_part + from->part_count;
         p++) {
        if (!division_add_part(d, &d->m->parts[p], &d->m->sources[p])) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                             d->part_count);
        }
    }
    return ETNA_OK;
}

/* The new lists become the scene's. */
etna_code division_take(division *d, etna_error *err)
{
    importer *m = d->m;
    scene_part *parts = etna_arena_memdup(&m->own->arena, d->parts,
                                          d->part_count * sizeof *parts);
    scene_source *sources = etna_arena_memdup(&m->own->arena, d->sources,
                                              d->part_count * sizeof *sources);
    if (!parts || !sources) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                         d->part_count);
    }
    free(m->objects);
    m->objects = d->objects;
    m->object_room = d->object_room;
    m->s->object_count = d->object_count;
    d->objects = NULL;
    m->parts = parts;
    m->own->sources = m->sources = sources;
    m->s->part_count = d->part_count;
    m->s->parts = parts;
    m->s->meshes = m->meshes;
    return ETNA_OK;
}

/* What each object of the file was before anything was divided: exports and
 * reimports speak of these bases. */
etna_code divide_begin(importer *m, etna_error *err)
{
    scene_base *bases = etna_arena_alloc(
        &m->own->arena, (size_t)m->s->object_count + 1, sizeof *bases);
    if (!bases) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         m->s->object_count);
    }
    for (uint32_t i = 0; i < m->s->object_count; i++) {
        const scene_object *o = &m->objects[i];
        bases[i] = (scene_base){.node = o->node,
                                .instance = o->instance,
                                .part_count = o->part_count};
    }
    m->own->bases = bases;
    m->own->base_count = m->s->object_count;
    m->own->sources = m->sources;
    return ETNA_OK;
}

/* ---- splits ---- */

/* one object being cut; piece 0 is what no piece of the side file names */
typedef struct cutting {
    division *d;
    const scene_object *from;
    uint32_t piece_count, component_count, triangle_count;
    uint32_t *label;    /* of each triangle: its loose part */
    uint32_t *piece_of; /* of each loose part */
    uint32_t *begin;    /* of each piece, into sorted; one more at the end */
    uint32_t *sorted;   /* triangles of the whole object by piece, ascending */
    uint32_t *local;    /* the same, counted within their part; the scene's */
} cutting;

/* Loose parts are named by number; each may be in one piece only. `piece`
 * counts from 1, the user's list from 0. */
static etna_code read_piece(cutting *c,
                            const json_t *json,
                            uint32_t piece,
                            const char *name,
                            etna_error *err)
{
    const json_t *components = json_object_get(json, "loose");
    const json_t *wish = json_object_get(json, "name");
    bool has_parts =
        json_is_array(components) && json_array_size(components) > 0;
    if (!has_parts || (wish && !json_is_string(wish))) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "side file: \"splits\" of \"%.100s\": part %u needs \"loose\", a list of loose parts, and "
            "may have \"name\", a text",
            name, piece - 1);
    }
    for (size_t i = 0; i < json_array_size(components); i++) {
        const json_t *value = json_array_get(components, i);
        json_int_t number = json_integer_value(value);
        if (!json_is_integer(value) || number < 0 ||
            number >= (json_int_t)c->component_count) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: \"splits\" of \"%.100s\": part %u names a loose part that is none of 0 to %u",
                name, piece - 1, c->component_count - 1);
        }
        if (c->piece_of[number]) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: \"splits\" of \"%.100s\": loose part %u is in two parts",
                name, (uint32_t)number);
        }
        c->piece_of[number] = piece;
    }
    return ETNA_OK;
}

/* "of" pins the file for which the split was written: a file with another
 * number of loose parts has changed, and its numbers would mean other
 * things. */
static etna_code read_split(cutting *c,
                            const json_t *json,
                            const char *name,
                            etna_error *err)
{
    const json_t *parts = json_object_get(json, "parts");
    const json_t *of = json_object_get(json, "of");
    if (!json_is_array(parts) || !json_is_integer(of)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "side file: \"splits\" of \"%.100s\" is not {\"of\": loose parts, \"parts\": [...]}",
            name);
    }
    if (json_integer_value(of) != (json_int_t)c->component_count) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "side file: \"splits\" of \"%.100s\" was made for %lld loose parts, the file's has %u; run "
            "`etna scene split` again",
            name, (long long)json_integer_value(of), c->component_count);
    }
    c->piece_count = (uint32_t)json_array_size(parts) + 1;
    etna_code code = ETNA_OK;
    for (uint32_t i = 1; code == ETNA_OK && i < c->piece_count; i++) {
        code = read_piece(c, json_array_get(parts, i - 1), i, name, err);
    }
    return code;
}

/* A counting sort of the triangles by piece. `local` becomes the scene's also
 * when memory ends later. */
static bool sort_triangles(cutting *c)
{
    const importer *m = c->d->m;
    c->begin = calloc((size_t)c->piece_count + 2, sizeof *c->begin);
    c->sorted = malloc(((size_t)c->triangle_count + 1) * sizeof *c->sorted);
    c->local = malloc(((size_t)c->triangle_count + 1) * sizeof *c->local);
    if (!c->begin || !c->sorted || !c->local) {
        free(c->local);
        return false;
    }
    for (uint32_t t = 0; t < c->triangle_count; t++) {
        c->begin[c->piece_of[c->label[t]] + 2]++;
    }
    for (uint32_t i = 2; i < c->piece_count + 2; i++) {
        c->begin[i] += c->begin[i - 1];
    }
    uint32_t at = 0;
    for (uint32_t p = c->from->first_part;
         p < c->from->first_part + c->from->part_count; p++) {
        for (uint32_t t = 0; t < m->meshes[m->parts[p].mesh].triangle_count;
             t++, at++) {
            uint32_t place = c->begin[c->piece_of[c->label[at]] + 1]++;
            c->sorted[place] = at;
            c->local[place] = t;
        }
    }
    return own_block(c->d->m, c->local);
}

/* The parts of one piece: its triangles, part by part. A piece may hold
 * triangles of several parts. A part that is taken whole keeps its mesh and
 * costs nothing. */
static bool add_piece_parts(cutting *c, uint32_t piece)
{
    importer *m = c->d->m;
    uint32_t part = c->from->first_part;
    uint32_t part_begin = 0;
    for (uint32_t i = c->begin[piece]; i < c->begin[piece + 1];) {
        while (c->sorted[i] >=
               part_begin + m->meshes[m->parts[part].mesh].triangle_count) {
            part_begin += m->meshes[m->parts[part++].mesh].triangle_count;
        }
        uint32_t whole = m->meshes[m->parts[part].mesh].triangle_count;
        uint32_t end = i;
        while (end < c->begin[piece + 1] &&
               c->sorted[end] < part_begin + whole) {
            end++;
        }
        scene_part out = m->parts[part];
        scene_source source = m->sources[part];
        source.rest = piece == 0;
        if (end - i < whole) {
            source.triangles = c->local + i;
            source.triangle_count = end - i;
            if (!mesh_subset(m, out.mesh, source.triangles, end - i,
                             &out.mesh)) {
                return false;
            }
        }
        if (!division_add_part(c->d, &out, &source)) {
            return false;
        }
        i = end;
    }
    return true;
}

/* The side file's name for it, else one of the whole's that says neither floor
 * nor wall. In the scene's arena; NULL: no memory. */
static char *piece_name(const cutting *c, uint32_t piece, const char *wish)
{
    char numbered[ARRANGE_NAME_MAX + 16];
    int length = (int)etna_utf8_cut(c->from->name, 240);
    snprintf(numbered, sizeof numbered, "%.*s part %u", length, c->from->name,
             piece);
    return clean_name(c->d->m, wish && *wish ? wish : numbered,
                      ARRANGE_NAME_MAX);
}

/* Shown to people who wonder where the piece came from. A part of what cannot
 * be moved cannot, either. */
static char *piece_why(const cutting *c, uint32_t piece)
{
    etna_arena *arena = &c->d->m->own->arena;
    const char *what = piece ? "loose parts of" : "what is left of";
    bool is_fixed = c->from->immovable && c->from->static_why;
    if (!is_fixed)
        return etna_arena_printf(arena, "%s \"%s\", split by the side file",
                                 what, c->from->name);
    return etna_arena_printf(arena,
                             "%s \"%s\", split by the side file; static: %s",
                             what, c->from->name, c->from->static_why);
}

/* Empty pieces are left out: the rest of an object that is named completely. */
static etna_code add_pieces(cutting *c, const json_t *json, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < c->piece_count; i++) {
        if (c->begin[i] == c->begin[i + 1]) {
            continue;
        }
        const char *wish =
            i ? gltf_text(json_array_get(json_object_get(json, "parts"), i - 1),
                          "name")
              : NULL;
        scene_object piece = *c->from;
        piece.name = i == 0 ? c->from->name : piece_name(c, i, wish);
        piece.why = piece_why(c, i);
        if (!piece.name || !piece.why) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                             c->d->object_count);
        }
        code = division_open(c->d, &piece, err);
        if (code == ETNA_OK && !add_piece_parts(c, i)) {
            code = etna_fail(err, ETNA_E_NOMEM,
                             "no memory for the parts of \"%.100s\"",
                             c->from->name);
        }
    }
    return code;
}

/* The object's pieces take its place. */
static etna_code cut_object(division *d,
                            const scene_object *from,
                            const json_t *json,
                            etna_error *err)
{
    importer *m = d->m;
    cutting c = {.d = d, .from = from, .triangle_count = from->triangle_count};
    if (from->instance != SCENE_NONE) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "side file: \"splits\" of \"%.100s\": an instance of EXT_mesh_gpu_instancing has no triangles "
            "of its own to split",
            from->name);
    }
    etna_code code =
        components_find(m->meshes, m->parts + from->first_part,
                        from->part_count, &c.label, &c.component_count, err);
    if (code != ETNA_OK) {
        return code;
    }
    c.piece_of = calloc((size_t)c.component_count + 1, sizeof *c.piece_of);
    if (!c.piece_of) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u loose parts",
                         c.component_count);
    } else if ((code = read_split(&c, json, from->name, err)) == ETNA_OK &&
               !sort_triangles(&c)) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u triangles",
                         c.triangle_count);
    } else if (code == ETNA_OK) {
        code = add_pieces(&c, json, err);
        m->own->bases[m->sources[from->first_part].base].split = true;
    }
    free(c.label);
    free(c.piece_of);
    free(c.begin);
    free(c.sorted);
    return code;
}

/* A GLB whose geometry lies in files beside it has no chunk that new triangles
 * could be written to. */
static void freeze_for_export(importer *m, scene_object *o)
{
    bool inside =
        m->doc.buffer_count > 0 && m->doc.buffers[0].bin_begin != SIZE_MAX;
    if (!m->doc.chunks.glb || inside || o->immovable) {
        return;
    }
    o->immovable = true;
    if (!object_set_static(
            m->own, o,
            "its split parts cannot be written back, for the GLB keeps its geometry in another file"))
        m->no_memory = true;
}

/* Objects keep their order, each followed by its pieces. */
etna_code divide_split(importer *m, etna_error *err)
{
    json_t *splits = json_object_get(m->side, "splits");
    const char *key;
    json_t *value;
    if (!splits) {
        return ETNA_OK;
    }
    const json_t **of = calloc((size_t)m->s->object_count + 1, sizeof *of);
    division d = {.m = m};
    if (!of) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         m->s->object_count);
    }
    json_object_foreach(splits, key, value)
    {
        const scene_object *o = side_find(m, key);
        if (o) {
            of[o - m->objects] = value;
        }
    }
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < m->s->object_count; i++) {
        if (of[i]) {
            freeze_for_export(m, &m->objects[i]);
            code = cut_object(&d, &m->objects[i], of[i], err);
        } else if ((code = division_open(&d, &m->objects[i], err)) == ETNA_OK) {
            code = copy_parts(&d, &m->objects[i], err);
        }
    }
    code = code == ETNA_OK ? division_take(&d, err) : code;
    division_free(&d);
    free(of);
    return code;
}

/* ---- groups ---- */

/* A name that the scene does not have was reported when it was looked up; a
 * member that is named twice counts once. */
static etna_code read_group(importer *m,
                            const char *name,
                            const json_t *members,
                            uint32_t number,
                            uint32_t *group_of,
                            uint32_t *ret_found,
                            etna_error *err)
{
    if (!json_is_array(members)) {
        return etna_fail(err, ETNA_E_INPUT,
                         "side file: the group \"%.100s\" is no list of names",
                         name);
    }
    for (size_t i = 0; i < json_array_size(members); i++) {
        const char *member = json_string_value(json_array_get(members, i));
        if (!member) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: the group \"%.100s\": member %zu is no text", name,
                i);
        }
        const scene_object *o = side_find(m, member);
        if (!o) {
            continue;
        }
        if (group_of[o - m->objects] == number) {
            continue;
        }
        if (group_of[o - m->objects]) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "side file: \"%.100s\" is in the group \"%.100s\" and in another",
                member, name);
        }
        group_of[o - m->objects] = number;
        ++*ret_found;
    }
    return ETNA_OK;
}

/* The name of the group's first member that can't be moved, NULL: all can. */
static const char *group_frozen_by(const importer *m,
                                   const uint32_t *group_of,
                                   uint32_t first)
{
    for (uint32_t i = first; i < m->s->object_count; i++) {
        if (group_of[i] == group_of[first] && m->objects[i].immovable)
            return m->objects[i].name;
    }
    return NULL;
}

/* The group takes the place of its first member. One member that cannot be
 * moved fixes all of it. */
static etna_code join_group(division *d,
                            const uint32_t *group_of,
                            uint32_t first,
                            const char *name,
                            uint32_t members,
                            etna_error *err)
{
    importer *m = d->m;
    scene_object group = m->objects[first];
    const char *frozen = group_frozen_by(m, group_of, first);
    group.name = clean_name(m, *name ? name : group.name, ARRANGE_NAME_MAX);
    group.why = etna_arena_printf(
        &m->own->arena, "%u objects that the side file groups", members);
    group.immovable = group.is_static = frozen != NULL;
    group.static_why = NULL;
    const char *rule =
        frozen ? etna_arena_printf(&m->own->arena,
                                   "\"%s\" of them cannot be moved", frozen)
               : NULL;
    bool is_told = !frozen || object_set_static(m->own, &group, rule);
    if (!group.name || !group.why || !is_told) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                         d->object_count);
    }
    etna_code code = division_open(d, &group, err);
    for (uint32_t i = first; code == ETNA_OK && i < m->s->object_count; i++) {
        if (group_of[i] == group_of[first]) {
            code = copy_parts(d, &m->objects[i], err);
        }
    }
    return code;
}

/* `names` and `members` by group from 1 on; also for `etna scene group`, which
 * tries groups before it writes them. */
etna_code divide_join(importer *m,
                      const uint32_t *group_of,
                      uint32_t count,
                      const char *const *names,
                      const uint32_t *members,
                      etna_error *err)
{
    bool *done = calloc((size_t)count + 1, sizeof *done);
    division d = {.m = m};
    etna_code code =
        done ? ETNA_OK
             : etna_fail(err, ETNA_E_NOMEM, "no memory for %u groups", count);
    for (uint32_t i = 0; code == ETNA_OK && i < m->s->object_count; i++) {
        uint32_t group = group_of[i];
        if (!group) {
            code = division_open(&d, &m->objects[i], err);
            code = code == ETNA_OK ? copy_parts(&d, &m->objects[i], err) : code;
        } else if (!done[group]) {
            done[group] = true;
            code =
                join_group(&d, group_of, i, names[group], members[group], err);
        }
    }
    code = code == ETNA_OK ? division_take(&d, err) : code;
    division_free(&d);
    free(done);
    return code;
}

/* The side file's groups, numbered from 1 on: of each its name and number of
 * members, of each object its group. */
static etna_code groups_read(importer *m,
                             json_t *groups,
                             uint32_t *group_of,
                             const char **names,
                             uint32_t *members,
                             etna_error *err)
{
    uint32_t number = 0;
    const char *key;
    json_t *value;
    json_object_foreach(groups, key, value)
    {
        names[++number] = key;
        etna_code code =
            read_group(m, key, value, number, group_of, &members[number], err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Does nothing where the side file has no groups. */
etna_code divide_group(importer *m, etna_error *err)
{
    json_t *groups = json_object_get(m->side, "groups");
    uint32_t count = (uint32_t)json_object_size(groups);
    if (count == 0) {
        return ETNA_OK;
    }
    if (count > GROUPS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "side file: %u groups are more than the %d this reads",
                         count, (int)GROUPS_MAX);
    }
    /* of each object: number, or 0 */
    uint32_t *group_of =
        calloc((size_t)m->s->object_count + 1, sizeof *group_of);
    uint32_t *members = calloc((size_t)count + 1, sizeof *members);
    const char **names = calloc((size_t)count + 1, sizeof *names);
    etna_code code = ETNA_OK;
    if (!group_of || !members || !names)
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u groups", count);
    if (code == ETNA_OK)
        code = groups_read(m, groups, group_of, names, members, err);
    code = code == ETNA_OK
               ? divide_join(m, group_of, count, names, members, err)
               : code;
    free(group_of);
    free(members);
    free(names);
    return code;
}
