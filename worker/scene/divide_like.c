/* An edited copy takes no side file for its splits and groups: it is divided as
 * the scene it was made from, by the sources. Pieces that an export moved stand
 * under nodes of their own there (export_split.c), and the triangles they left
 * behind are gone from the mesh they were cut from. */
#include "worker/scene/division.h"

#include <stdlib.h>
#include <string.h>

typedef struct matching {
    importer *m;
    division d;
    /* of each part of like: the part of an added node that shows it now + 1, or
     * 0 */
    uint32_t *moved;
    uint32_t *base_part; /* of each base: its first part here */
    /* of each part here: of each triangle of the whole, its place among those
     * left; NULL: not asked */
    uint32_t **left;
} matching;

static const char NOT_THE_SAME[] =
    "it is not the same in the two scenes; --against takes the file that this one was made from";

static etna_code check_bases(matching *x, etna_error *err)
{
    const importer *m = x->m;
    const struct scene_private *other = m->like->own;
    uint32_t part = 0;
    for (uint32_t i = 0; i < other->base_count; i++) {
        const scene_object *o = &m->objects[i];
        bool is_same =
            i < m->s->object_count && o->node == other->bases[i].node;
        is_same = is_same && o->instance == other->bases[i].instance;
        if (!is_same || o->part_count != other->bases[i].part_count) {
            return etna_fail(err, ETNA_E_INPUT, "object %u: %s", i,
                             NOT_THE_SAME);
        }
        x->base_part[i] = part;
        part += o->part_count;
        m->own->bases[i].split = other->bases[i].split;
    }
    return m->s->object_count == other->base_count
               ? ETNA_OK
               : etna_fail(
                     err, ETNA_E_INPUT,
                     "the two scenes have %u and %u objects; --against takes the file that this one was made from",
                     m->s->object_count, other->base_count);
}

/* The object's first part that was cut out of another and that nothing is
 * matched with yet; SCENE_NONE: there is none. */
static uint32_t first_unmatched_piece(const matching *x,
                                      const scene_object *object)
{
    const struct scene_private *own = x->m->like->own;
    for (uint32_t i = 0; i < object->part_count; i++) {
        uint32_t part = object->first_part + i;
        if (!x->moved[part] && own->bases[own->sources[part].base].split)
            return part;
    }
    return SCENE_NONE;
}

/* Whether part `q` goes on with the piece that part `model` begins: of that
 * object, node and base. */
static bool is_next_part(const scene *like,
                         uint32_t object,
                         uint32_t model,
                         uint32_t q)
{
    const scene_object *o = &like->objects[object];
    if (q >= o->first_part + o->part_count)
        return false;
    return like->parts[q].node == like->parts[model].node &&
           like->own->sources[q].base == like->own->sources[model].base;
}

/* Export writes a node for each node that a moved piece has parts of, named as
 * the object, a primitive for each part. */
static etna_code match_added(matching *x, etna_error *err)
{
    const importer *m = x->m;
    const scene *like = m->like;
    uint32_t first = m->s->part_count - m->added_count;
    uint32_t end = m->s->part_count;
    for (uint32_t p = first; p < end;) {
        uint32_t node = m->parts[p].node;
        uint32_t object = scene_find_object(like, m->own->nodes[node].name);
        uint32_t q = object == SCENE_NONE
                         ? SCENE_NONE
                         : first_unmatched_piece(x, &like->objects[object]);
        bool is_same = q != SCENE_NONE;
        uint32_t model = q;
        for (; is_same && p < end && m->parts[p].node == node; p++, q++) {
            is_same = is_next_part(like, object, model, q) &&
                      m->sources[p].triangle_count ==
                          like->own->sources[q].triangle_count;
            if (is_same)
                x->moved[q] = p + 1;
        }
        if (!is_same) {
            return etna_fail(err, ETNA_E_INPUT, "node %u (\"%.80s\"): %s", node,
                             m->own->nodes[node].name, NOT_THE_SAME);
        }
    }
    return ETNA_OK;
}

static bool is_same_part(const scene_source *a, const scene_source *b)
{
    return a->base == b->base && a->part == b->part;
}

/* Of each triangle of the source's whole part: its index among those that no
 * moved piece took, or SCENE_NONE. malloc'd; NULL: no memory. */
static uint32_t *left_of_part(const matching *x, const scene_source *source)
{
    const scene *like = x->m->like;
    uint32_t whole = 0; /* the whole part's triangles, as like knows them */
    for (uint32_t i = 0; i < like->part_count; i++) {
        const scene_source *other = &like->own->sources[i];
        if (is_same_part(other, source))
            whole += other->triangle_count;
    }
    uint32_t *left = calloc((size_t)whole + 1, sizeof *left);
    if (!left)
        return NULL;
    for (uint32_t i = 0; i < like->part_count; i++) {
        const scene_source *other = &like->own->sources[i];
        if (!x->moved[i] || !is_same_part(other, source))
            continue;
        for (uint32_t t = 0; t < other->triangle_count; t++) {
            left[other->triangles ? other->triangles[t] : t] = 1;
        }
    }
    for (uint32_t t = 0, at = 0; t < whole; t++) {
        left[t] = left[t] ? SCENE_NONE : at++;
    }
    return left;
}

/* Which triangles of a cut part are left in it: all but those of the pieces
 * that moved away. Only parts that a moved piece left; the others keep their
 * numbers. */
static bool find_left(matching *x)
{
    const importer *m = x->m;
    const scene *like = m->like;
    for (uint32_t q = 0; q < like->part_count; q++) {
        const scene_source *source = &like->own->sources[q];
        uint32_t part = x->base_part[source->base] + source->part;
        if (!x->moved[q] || x->left[part]) {
            continue;
        }
        x->left[part] = left_of_part(x, source);
        if (!x->left[part]) {
            return false;
        }
    }
    return true;
}

static etna_code fail_not_same(const matching *x, uint32_t q, etna_error *err)
{
    const scene *like = x->m->like;
    return etna_fail(err, ETNA_E_INPUT, "\"%.100s\": %s",
                     like->objects[like->parts[q].object].name, NOT_THE_SAME);
}

/* Cuts like's part `q` out of the mesh, whose triangles `left` numbers anew
 * when pieces left it; *mesh becomes the cut one. */
static etna_code cut_like(matching *x,
                          uint32_t q,
                          const uint32_t *left,
                          uint32_t *mesh,
                          etna_error *err)
{
    importer *m = x->m;
    const scene_source *source = &m->like->own->sources[q];
    uint32_t *triangles =
        malloc(((size_t)source->triangle_count + 1) * sizeof *triangles);
    if (!triangles) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u triangles",
                         source->triangle_count);
    }
    bool same = true;
    for (uint32_t t = 0; t < source->triangle_count; t++) {
        uint32_t at = source->triangles ? source->triangles[t] : t;
        triangles[t] = left ? left[at] : at;
        same = same && triangles[t] < m->meshes[*mesh].triangle_count;
    }
    etna_code code = ETNA_OK;
    if (!same) {
        code = fail_not_same(x, q, err);
    } else if (!mesh_subset(m, *mesh, triangles, source->triangle_count,
                            mesh)) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                         x->d.part_count);
    }
    free(triangles);
    return code;
}

/* Three kinds: a piece that moved (its part is in the added node), one that
 * stayed and must be cut out of what is left, and a whole part. */
static etna_code place_like_part(matching *x, uint32_t q, etna_error *err)
{
    importer *m = x->m;
    const scene_source *source = &m->like->own->sources[q];
    uint32_t from = x->base_part[source->base] + source->part;
    scene_part out = m->parts[x->moved[q] ? x->moved[q] - 1 : from];
    const uint32_t *left = x->left[from];
    const scene_mesh *mesh = &m->meshes[out.mesh];
    bool cut = !x->moved[q] && (left || source->triangles);
    etna_code code = ETNA_OK;
    if (cut) {
        code = cut_like(x, q, left, &out.mesh, err);
    } else if (mesh->triangle_count != source->triangle_count) {
        code = fail_not_same(x, q, err);
    }
    if (code == ETNA_OK && !division_add_part(&x->d, &out, source)) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                         x->d.part_count);
    }
    return code;
}

/* The objects of `like` in its order, so object numbers mean the same in both
 * scenes. */
static etna_code divide_as(matching *x, etna_error *err)
{
    importer *m = x->m;
    const scene *like = m->like;
    etna_code code;
    if ((code = check_bases(x, err)) != ETNA_OK ||
        (code = match_added(x, err)) != ETNA_OK) {
        return code;
    }
    if (!find_left(x)) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                         like->part_count);
    }
    for (uint32_t i = 0; code == ETNA_OK && i < like->object_count; i++) {
        const scene_object *known = &like->objects[i];
        scene_object o = m->objects[like->own->sources[known->first_part].base];
        o.instance = known->instance;
        if (!(o.name = etna_arena_strdup(&m->own->arena, known->name))) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u objects",
                             like->object_count);
        }
        code = division_open(&x->d, &o, err);
        for (uint32_t p = known->first_part;
             code == ETNA_OK && p < known->first_part + known->part_count;
             p++) {
            code = place_like_part(x, p, err);
        }
    }
    return code == ETNA_OK ? division_take(&x->d, err) : code;
}

etna_code divide_like(importer *m, etna_error *err)
{
    matching x = {.m = m, .d = {.m = m}};
    uint32_t parts = m->s->part_count;
    x.moved = calloc((size_t)m->like->part_count + 1, sizeof *x.moved);
    x.base_part =
        calloc((size_t)m->like->own->base_count + 1, sizeof *x.base_part);
    x.left = calloc((size_t)parts + 1, sizeof *x.left);
    etna_code code =
        x.moved && x.base_part && x.left
            ? divide_as(&x, err)
            : etna_fail(err, ETNA_E_NOMEM, "no memory for %u parts",
                        m->like->part_count);
    for (uint32_t i = 0; x.left && i < parts; i++) {
        free(x.left[i]);
    }
    free(x.moved);
    free(x.base_part);
    free(x.left);
    division_free(&x.d);
    return code;
}
