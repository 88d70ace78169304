/* Moving what a side file splits off a mesh: the file gains a node for it, with
 * a mesh whose primitives are the old ones' text but for their indices; and the
 * node it is cut from gets such a mesh without it. Old bytes, meshes and
 * accessors stay as they are:
 *
 *   node 4 "terrain" mesh 0          node 4 "terrain" mesh 1 (indices: all but the rock's)
 *   mesh 0 (indices: accessor 2)     mesh 0 (indices: accessor 2, as before)
 *                                    node 9 "rock" mesh 2 (indices: the rock's), a root
 *
 * A primitive that loses all of its triangles keeps one on a single vertex, for
 * a mesh must have primitives and their order tells `check --against` which is
 * which.
 *
 * Draco compresses vertices and indices together, so what is cut from such a
 * primitive is written plainly: its accessors are repeated with the decoded
 * numbers. The old primitive stays compressed in its old mesh. */
#include "worker/scene/export_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct splitting {
    exporting *x;
    json_span *meshes, *nodes, *accessors;
    export_text new_accessors, new_meshes, new_nodes;
    size_t accessor_count, mesh_count, node_count; /* added so far */
    /* of each old accessor that Draco fills: the new one with its numbers + 1,
     * or 0 */
    size_t *plain;
} splitting;

typedef struct primitive_faces {
    const uint32_t *index; /* 3 per triangle */
    uint32_t *own;         /* the same, to free */
    uint32_t triangles, vertices;
    bool *moved; /* of each triangle */
} primitive_faces;

/* On failure nothing is left to free. */
static etna_code faces_read(const splitting *p,
                            const json_t *primitive,
                            primitive_faces *ret,
                            etna_error *err)
{
    uint32_t accessor;
    gltf_accessor position;
    etna_code code =
        gltf_index(json_object_get(primitive, "attributes"), "POSITION",
                   p->x->doc.accessor_count, "a primitive", &accessor, err);
    if (code != ETNA_OK ||
        (code = gltf_accessor_open(&p->x->doc, accessor, &position, err)) !=
            ETNA_OK) {
        return code;
    }
    ret->vertices = position.count;
    code = primitive_triangles(&p->x->doc, primitive, position.count,
                               "a primitive", &ret->index, &ret->own,
                               &ret->triangles, err);
    if (code == ETNA_OK && !(ret->moved = calloc((size_t)ret->triangles + 1,
                                                 sizeof *ret->moved))) {
        free(ret->own);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u triangles",
                         ret->triangles);
    }
    return code;
}

/* Little-endian, whatever the machine. */
static void put_index(uint8_t *bytes, size_t at, size_t width, uint32_t vertex)
{
    for (size_t b = 0; b < width; b++) {
        bytes[at * width + b] = (uint8_t)(vertex >> (8 * b));
    }
}

/* Appends an index list to the file; *ret gets the number of its accessor. The
 * last triangle's first vertex thrice when there is none. Two bytes an index
 * where they suffice. 34963 is ELEMENT_ARRAY_BUFFER, 5123 and 5125 are its
 * component types. */
static etna_code add_indices(splitting *p,
                             const primitive_faces *f,
                             bool moved,
                             size_t *ret,
                             etna_error *err)
{
    bool narrow = f->vertices <= 65535; /* 65535 itself would be no index */
    size_t width = narrow ? 2 : 4;
    size_t n = 0, begin;
    uint8_t *bytes = malloc(((size_t)f->triangles + 1) * 3 * width);
    if (!bytes) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u triangles",
                         f->triangles);
    }
    for (uint32_t t = 0; t < f->triangles; t++) {
        if (f->moved[t] != moved)
            continue;
        for (size_t k = 0; k < 3; k++)
            put_index(bytes, n++, width, f->index[3 * (size_t)t + k]);
    }
    while (n == 0 || n % 3 != 0)
        put_index(bytes, n++, width, f->index[0]);
    bool ok = export_bin_append(p->x, bytes, n * width, &begin);
    free(bytes);
    if (!ok) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u triangles",
                         f->triangles);
    }
    p->x->has_bin = true;
    export_text_add(
        &p->x->views,
        ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34963}",
        begin, n * width);
    export_text_add(
        &p->new_accessors,
        ",{\"bufferView\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}",
        p->x->doc.view_count + p->x->view_count++, narrow ? 5123 : 5125, n);
    *ret = p->x->doc.own_accessor_count + p->accessor_count++;
    return ETNA_OK;
}

static void component_range(const gltf_accessor *a,
                            uint32_t component,
                            double *ret_min,
                            double *ret_max)
{
    *ret_min = INFINITY;
    *ret_max = -INFINITY;
    for (uint32_t i = 0; i < a->count; i++) {
        double value = gltf_component(
            a, a->data + i * a->stride + (size_t)component * a->component_size);
        *ret_min = math_min(value, *ret_min);
        *ret_max = math_max(value, *ret_max);
    }
}

/* "[1,2,3" of the least and the greatest of each component; false: one is no
 * number. */
static bool bounds_write(const gltf_accessor *a,
                         export_text *low,
                         export_text *high)
{
    bool sound = true;
    for (uint32_t c = 0; c < a->components; c++) {
        double min, max;
        char number[32];
        component_range(a, c, &min, &max);
        sound = sound && isfinite(min) && isfinite(max);
        json_number(min, number);
        export_text_add(low, "%s%s", c ? "," : "[", number);
        json_number(max, number);
        export_text_add(high, "%s%s", c ? "," : "[", number);
    }
    export_text_add(low, "]");
    export_text_add(high, "]");
    return sound;
}

/* The least and the greatest of each component, which the file's own numbers
 * missed by Draco's quantisation. */
static void set_bounds(const gltf_accessor *given,
                       const char *text,
                       json_span root,
                       json_edits *edits)
{
    export_text low = {0}, high = {0};
    gltf_accessor a = *given;
    json_span old;
    a.normalized = false;
    bool sound = bounds_write(&a, &low, &high) && a.count > 0;
    edits->failed = edits->failed || low.failed || high.failed;
    sound = sound && !edits->failed;
    if (sound && json_member(text, root, "min", &old)) {
        json_edit_add(edits, old.begin, old.end, low.text);
    }
    if (sound && json_member(text, root, "max", &old)) {
        json_edit_add(edits, old.begin, old.end, high.text);
    }
    free(low.text);
    free(high.text);
}

/* The old accessor's text, of other bytes. */
static etna_code repeat_accessor(splitting *p,
                                 const gltf_accessor *a,
                                 etna_error *err)
{
    uint32_t accessor = gltf_file_accessor(&p->x->doc, a->index);
    const char *text = p->x->doc.chunks.json + p->accessors[accessor].begin;
    json_span root = {
        0, p->accessors[accessor].end - p->accessors[accessor].begin, 0};
    json_edits edits = {0};
    char value[32];
    size_t size;
    snprintf(value, sizeof value, "%zu",
             p->x->doc.view_count + p->x->view_count);
    json_edit_set(&edits, text, root, "bufferView", value);
    json_edit_remove(&edits, text, root, "byteOffset");
    set_bounds(a, text, root, &edits);
    char *made = json_edits_apply(&edits, text, root.end, &size);
    if (made) {
        export_text_add(&p->new_accessors, ",%.*s", (int)size, made);
    }
    free(made);
    json_edits_free(&edits);
    return made && !p->new_accessors.failed
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for an accessor");
}

/* An accessor with bytes of its own for one that Draco fills; elements begin at
 * multiples of four. */
static etna_code plain_accessor(splitting *p,
                                uint32_t accessor,
                                size_t *ret,
                                etna_error *err)
{
    gltf_accessor a;
    size_t begin;
    etna_code code = ETNA_OK;
    if (p->plain[accessor]) {
        *ret = p->plain[accessor] - 1;
        return ETNA_OK;
    }
    if ((code = gltf_accessor_open(&p->x->doc, accessor, &a, err)) != ETNA_OK) {
        return code;
    }
    size_t element = (size_t)a.component_size * a.components;
    size_t stride = (element + 3) & ~(size_t)3;
    uint8_t *bytes = a.data ? calloc((size_t)a.count + 1, stride) : NULL;
    if (!bytes) {
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the %u numbers of an accessor",
                         a.count);
    }
    for (uint32_t i = 0; i < a.count; i++) {
        memcpy(bytes + i * stride, a.data + i * a.stride, element);
    }
    bool ok = export_bin_append(p->x, bytes, a.count * stride, &begin);
    free(bytes);
    if (!ok) {
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for the %u numbers of an accessor",
                         a.count);
    }
    p->x->has_bin = true;
    if ((code = repeat_accessor(p, &a, err)) != ETNA_OK) {
        return code;
    }
    export_text_add(
        &p->x->views,
        ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":%zu,\"target\":34962}",
        begin, a.count * stride, stride);
    p->x->view_count++;
    *ret = p->x->doc.own_accessor_count + p->accessor_count++;
    p->plain[accessor] = *ret + 1;
    return ETNA_OK;
}

/* Edits that make a Draco primitive's text a plain one. */
static etna_code splitting_make_plain(splitting *p,
                                      const json_t *primitive,
                                      const char *text,
                                      json_span root,
                                      json_edits *edits,
                                      etna_error *err)
{
    json_t *attributes = json_object_get(primitive, "attributes");
    json_span list, member, extensions;
    const char *key;
    json_t *number;
    bool found = json_member(text, root, "attributes", &list) &&
                 json_member(text, root, "extensions", &extensions);
    json_object_foreach(attributes, key, number)
    {
        /* import has read it */
        uint32_t accessor = (uint32_t)json_integer_value(number);
        size_t made = 0;
        char value[32];
        if (!found || !(found = json_member(text, list, key, &member))) {
            break;
        }
        if (accessor >= p->x->doc.accessor_count ||
            !gltf_decoded(&p->x->doc, GLTF_ACCESSOR, accessor)) {
            continue;
        }
        etna_code code = plain_accessor(p, accessor, &made, err);
        if (code != ETNA_OK) {
            return code;
        }
        snprintf(value, sizeof value, "%zu", made);
        json_edit_add(edits, member.begin, member.end, value);
    }
    if (!found) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the file's \"attributes\" are written with escapes; write them plainly");
    }
    if (json_object_size(json_object_get(primitive, "extensions")) == 1) {
        json_edit_remove(edits, text, root, "extensions");
    } else {
        json_edit_remove(edits, text, extensions, "KHR_draco_mesh_compression");
    }
    return ETNA_OK;
}

/* The old primitive's text with other indices; triangles are lists now. */
static etna_code add_primitive(splitting *p,
                               const json_t *json,
                               export_text *out,
                               json_span span,
                               size_t indices,
                               etna_error *err)
{
    const char *text = p->x->doc.chunks.json;
    json_edits edits = {0};
    json_span root = {0, span.end - span.begin, 0};
    json_span mode;
    char value[32];
    size_t size;
    snprintf(value, sizeof value, "%zu", indices);
    json_edit_set(&edits, text + span.begin, root, "indices", value);
    etna_code code = gltf_draco_only(&p->x->doc, json)
                         ? splitting_make_plain(p, json, text + span.begin,
                                                root, &edits, err)
                         : ETNA_OK;
    if (code != ETNA_OK) {
        json_edits_free(&edits);
        return code;
    }
    if (json_member(text + span.begin, root, "mode", &mode)) {
        json_edit_add(&edits, mode.begin, mode.end, "4");
    }
    char *made = json_edits_apply(&edits, text + span.begin, root.end, &size);
    if (made) {
        export_text_add(out, "%s%.*s", out->size ? "," : "", (int)size, made);
    }
    free(made);
    json_edits_free(&edits);
    return made && !out->failed
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for a primitive");
}

/* A mesh with the old one's members, but for its primitives and, when `name` is
 * given, its name. */
static etna_code add_mesh(splitting *p,
                          json_span old,
                          const char *name,
                          const export_text *primitives,
                          etna_error *err)
{
    const char *text = p->x->doc.chunks.json + old.begin;
    json_span root = {0, old.end - old.begin, 0};
    json_edits edits = {0};
    export_text list = {0};
    size_t size;
    export_text_add(&list, "[%s]", primitives->text);
    if (!list.failed) {
        json_edit_set(&edits, text, root, "primitives", list.text);
    }
    if (name) {
        json_edit_set(&edits, text, root, "name", name);
    }
    char *made =
        list.failed ? NULL : json_edits_apply(&edits, text, root.end, &size);
    if (made) {
        export_text_add(&p->new_meshes, ",%.*s", (int)size, made);
        p->mesh_count++;
    }
    free(made);
    free(list.text);
    json_edits_free(&edits);
    return made && !p->new_meshes.failed
               ? ETNA_OK
               : etna_fail(err, ETNA_E_NOMEM, "no memory for a mesh");
}

/* `only` NULL: all pieces that are cut from the node. */
static void mark_moved(const exporting *x,
                       uint32_t node,
                       uint32_t primitive,
                       const piece_change *only,
                       primitive_faces *f)
{
    for (uint32_t i = 0; i < x->changes.piece_count; i++) {
        const piece_change *piece = &x->changes.pieces[i];
        if (piece->node != node || (only && only != piece)) {
            continue;
        }
        for (uint32_t q = piece->first_part;
             q < piece->first_part + piece->part_count; q++) {
            const scene_source *source = &x->s->own->sources[q];
            for (uint32_t t = 0;
                 source->primitive == primitive && t < source->triangle_count;
                 t++) {
                uint32_t at = source->triangles ? source->triangles[t] : t;
                if (at < f->triangles) {
                    f->moved[at] = true;
                }
            }
        }
    }
}

static bool any_moved(const primitive_faces *f)
{
    for (uint32_t t = 0; t < f->triangles; t++) {
        if (f->moved[t]) {
            return true;
        }
    }
    return false;
}

/* One primitive of a new mesh: `only` NULL is what is left of it, else that
 * piece's share, if it has one. */
static etna_code cut_primitive(splitting *p,
                               uint32_t node,
                               uint32_t primitive,
                               const json_t *json,
                               json_span span,
                               const piece_change *only,
                               export_text *out,
                               etna_error *err)
{
    primitive_faces f = {0};
    const char *text = p->x->doc.chunks.json;
    uint64_t mode = 4;
    size_t indices = 0;
    (void)gltf_size(json, "mode", 4, "", &mode, NULL);
    etna_code code =
        mode >= 4 && mode <= 6 ? faces_read(p, json, &f, err) : ETNA_OK;
    if (code != ETNA_OK) {
        return code;
    }
    if (f.triangles) {
        mark_moved(p->x, node, primitive, only, &f);
    }
    bool cut = any_moved(&f);
    if (cut) {
        if ((code = add_indices(p, &f, only != NULL, &indices, err)) ==
            ETNA_OK) {
            code = add_primitive(p, json, out, span, indices, err);
        }
    } else if (!only) { /* untouched */
        export_text_add(out, "%s%.*s", out->size ? "," : "",
                        (int)(span.end - span.begin), text + span.begin);
    }
    free(f.own);
    free(f.moved);
    return code;
}

/* Primitives keep their order: re-import matches them by it. */
static etna_code cut_mesh(splitting *p,
                          uint32_t node,
                          const piece_change *only,
                          const char *name,
                          etna_error *err)
{
    uint32_t mesh = p->x->s->own->nodes[node].mesh;
    const json_t *list =
        json_object_get(json_array_get(p->x->doc.meshes, mesh), "primitives");
    json_span span;
    size_t count = 0;
    export_text primitives = {0};
    if (!json_member(p->x->doc.chunks.json, p->meshes[mesh], "primitives",
                     &span)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the file's \"primitives\" are written with escapes; write them plainly");
    }
    json_span *spans = json_elements(p->x->doc.chunks.json, span, &count);
    etna_code code =
        spans ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for a mesh");
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        code = cut_primitive(p, node, i, json_array_get(list, i), spans[i],
                             only, &primitives, err);
    }
    code = code == ETNA_OK
               ? add_mesh(p, p->meshes[mesh], name, &primitives, err)
               : code;
    free(spans);
    free(primitives.text);
    return code;
}

/* The new node is a root: below the old one's parent it might be taken for a
 * part of one object with it. */
static etna_code add_root(splitting *p, size_t node, etna_error *err)
{
    const exporting *x = p->x;
    const char *text = x->doc.chunks.json;
    uint32_t chosen = GLTF_NONE;
    json_span list = {0}, scenes;
    char element[32];
    size_t count = 0;
    if (json_array_size(x->doc.scenes) == 0) {
        /* without scenes every node that no other has is shown */
        return ETNA_OK;
    }
    (void)gltf_index(x->doc.root, "scene",
                     (uint32_t)json_array_size(x->doc.scenes), "", &chosen,
                     NULL);
    json_span *spans = json_member(text, x->root, "scenes", &scenes)
                           ? json_elements(text, scenes, &count)
                           : NULL;
    bool found =
        spans && json_member(text, spans[chosen == GLTF_NONE ? 0 : chosen],
                             "nodes", &list);
    free(spans);
    if (!found) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the file's node lists are written with escapes; write them plainly");
    }
    snprintf(element, sizeof element, ",%zu", node);
    json_edit_add(&p->x->edits, list.end - 1, list.end - 1, element);
    return ETNA_OK;
}

/* The matrix is the piece's place in the world, as its node is a root. */
static etna_code add_piece(splitting *p,
                           const piece_change *piece,
                           etna_error *err)
{
    json_t *text = json_string(p->x->s->objects[piece->object].name);
    char *name = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;
    char matrix[560];
    json_decref(text);
    if (!name) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a name");
    }
    etna_code code = cut_mesh(p, piece->node, piece, name, err);
    if (code == ETNA_OK) {
        export_matrix_text(&piece->world, matrix);
        /* of the morphs: the new node looks as the old one does */
        json_span weights = {0};
        bool morphs = json_member(p->x->doc.chunks.json, p->nodes[piece->node],
                                  "weights", &weights);
        export_text_add(
            &p->new_nodes, ",{\"name\":%s,\"mesh\":%zu,\"matrix\":%s%s%.*s}",
            name, p->x->doc.mesh_count + p->mesh_count - 1, matrix,
            morphs ? ",\"weights\":" : "", (int)(weights.end - weights.begin),
            p->x->doc.chunks.json + weights.begin);
        code = add_root(p, p->x->doc.node_count + p->node_count++, err);
    }
    free(name);
    return code;
}

/* The node that pieces are cut from shows what is left. */
static etna_code leave_rest(splitting *p, uint32_t node, etna_error *err)
{
    char value[32];
    etna_code code = cut_mesh(p, node, NULL, NULL, err);
    if (code == ETNA_OK) {
        snprintf(value, sizeof value, "%zu",
                 p->x->doc.mesh_count + p->mesh_count - 1);
        json_edit_set(&p->x->edits, p->x->doc.chunks.json, p->nodes[node],
                      "mesh", value);
    }
    return code;
}

static json_span *list_spans(const exporting *x, const char *key)
{
    json_span list;
    size_t count;
    return json_member(x->doc.chunks.json, x->root, key, &list)
               ? json_elements(x->doc.chunks.json, list, &count)
               : NULL;
}

/* The chunk has grown: its buffer says so. */
static etna_code grow_buffer(exporting *x, etna_error *err)
{
    json_span *buffers = list_spans(x, "buffers");
    char value[32];
    if (!buffers) {
        return etna_fail(err, ETNA_E_INPUT,
                         "the file's buffer for new triangles cannot be found");
    }
    snprintf(value, sizeof value, "%zu", x->bin_size);
    json_edit_set(&x->edits, x->doc.chunks.json, buffers[0], "byteLength",
                  value);
    free(buffers);
    return ETNA_OK;
}

/* Whether no piece before it is of the same node. */
static bool is_first_of_node(const changes *all, uint32_t piece)
{
    for (uint32_t k = 0; k < piece; k++) {
        if (all->pieces[k].node == all->pieces[piece].node)
            return false;
    }
    return true;
}

static etna_code splitting_begin(splitting *p, etna_error *err)
{
    p->meshes = list_spans(p->x, "meshes");
    p->nodes = list_spans(p->x, "nodes");
    p->accessors = list_spans(p->x, "accessors");
    p->plain = calloc((size_t)p->x->doc.accessor_count + 1, sizeof *p->plain);
    bool has_lists = p->meshes && p->nodes && p->accessors;
    if (has_lists && p->plain)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "the file's nodes or meshes are written with escapes; write them plainly");
}

/* Each node that pieces are cut from is given its rest once, before the first
 * of its pieces. */
etna_code export_pieces(exporting *x, etna_error *err)
{
    splitting p = {.x = x};
    if (x->changes.piece_count == 0) {
        return ETNA_OK;
    }
    etna_code code = splitting_begin(&p, err);
    for (uint32_t i = 0; code == ETNA_OK && i < x->changes.piece_count; i++) {
        if (is_first_of_node(&x->changes, i))
            code = leave_rest(&p, x->changes.pieces[i].node, err);
        if (code == ETNA_OK)
            code = add_piece(&p, &x->changes.pieces[i], err);
    }
    if (code == ETNA_OK)
        code = export_list_append(x, "accessors", &p.new_accessors, err);
    if (code == ETNA_OK)
        code = export_list_append(x, "meshes", &p.new_meshes, err);
    if (code == ETNA_OK)
        code = export_list_append(x, "nodes", &p.new_nodes, err);
    if (code == ETNA_OK && x->doc.chunks.glb)
        code = grow_buffer(x, err);
    free(p.meshes);
    free(p.nodes);
    free(p.accessors);
    free(p.plain);
    free(p.new_accessors.text);
    free(p.new_meshes.text);
    free(p.new_nodes.text);
    return code;
}
