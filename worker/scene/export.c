/* Writing a scene back: the input's own text and bytes, in which the moved
 * nodes' numbers are replaced where they stand. A .gltf input is packed into
 * one GLB on the way; only then does other JSON change, and only what names a
 * file.
 *
 * Begin at scene_export_glb and export_with. The JSON is never dumped anew:
 * other programs' extensions, extras and formatting survive byte for byte, and
 * a node nobody moved cannot change. So the places of members are found in the
 * text (json_span), while Jansson's tree tells what they mean. Numbers are
 * written so that they come back the same. Instances of EXT_mesh_gpu_instancing
 * are changed in the binary chunk. The three hashes at the door bind bundle,
 * scene and snapshot together: an export of a snapshot over another file would
 * look right and be wrong. */
#include "worker/scene/export.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/gltf.h"
#include "worker/scene/export_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- node members ---- */

/* + 0.0 turns -0 into 0. 560 bytes hold 16 numbers of at most 24 characters. */
static void numbers_text(const double *values, int count, char text[560])
{
    size_t at = 0;
    text[at++] = '[';
    for (int i = 0; i < count; i++) {
        char number[32];
        json_number(values[i] + 0.0, number);
        at +=
            (size_t)snprintf(text + at, 560 - at, "%s%s", i ? "," : "", number);
    }
    snprintf(text + at, 560 - at, "]");
}

void export_matrix_text(const affine *local, char text[560])
{
    double m[16] = {0};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++) {
            m[4 * column + row] = local->m[row][column];
        }
        m[12 + column] = v3_get(local->t, column);
    }
    m[15] = 1;
    numbers_text(m, 16, text);
}

/* Translation, rotation and scale give way to a matrix: the first of them
 * becomes it, the others go with the comma before. */
static void replace_by_matrix(exporting *x, json_span node, const char *matrix)
{
    static const char *const keys[] = {"translation", "rotation", "scale"};
    const char *text = x->doc.chunks.json;
    json_span spans[3];
    size_t first = SIZE_MAX;
    bool have[3];
    for (int i = 0; i < 3; i++) {
        have[i] = json_member(text, node, keys[i], &spans[i]);
        first = have[i] && spans[i].key < first ? spans[i].key : first;
    }
    if (first == SIZE_MAX) {
        json_edit_set(&x->edits, text, node, "matrix", matrix);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (!have[i])
            continue;
        if (spans[i].key == first) {
            char member[600];
            snprintf(member, sizeof member, "\"matrix\":%s", matrix);
            json_edit_add(&x->edits, spans[i].key, spans[i].end, member);
            continue;
        }
        size_t comma = spans[i].key;
        while (comma > node.begin && text[comma] != ',') {
            comma--;
        }
        json_edit_add(&x->edits, comma, spans[i].end, "");
    }
}

/* A node keeps the members it has: a matrix stays a matrix, and translation and
 * rotation are changed alone where that is exact. */
static void edit_node(exporting *x, json_span node, const node_change *change)
{
    char value[560];
    if (change->set_matrix) {
        export_matrix_text(&change->local, value);
        if (x->s->own->nodes[change->node].has_matrix) {
            json_edit_set(&x->edits, x->doc.chunks.json, node, "matrix", value);
        } else {
            replace_by_matrix(x, node, value);
        }
        return;
    }
    if (change->set_translation) {
        numbers_text(change->translation, 3, value);
        json_edit_set(&x->edits, x->doc.chunks.json, node, "translation",
                      value);
    }
    if (change->set_rotation) {
        numbers_text(change->rotation, 4, value);
        json_edit_set(&x->edits, x->doc.chunks.json, node, "rotation", value);
    }
}

/* Found in the text by the edited members' spans, since Jansson's tree has lost
 * where things stand. */
static etna_code edit_nodes(exporting *x, etna_error *err)
{
    json_span list;
    size_t count = 0;
    if (x->changes.node_count == 0) {
        return ETNA_OK;
    }
    if (!json_member(x->doc.chunks.json, x->root, "nodes", &list)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the file's \"nodes\" member is written with escapes; write it plainly");
    }
    json_span *nodes = json_elements(x->doc.chunks.json, list, &count);
    for (uint32_t i = 0;
         nodes && i < x->changes.node_count && x->changes.nodes[i].node < count;
         i++) {
        edit_node(x, nodes[x->changes.nodes[i].node], &x->changes.nodes[i]);
    }
    free(nodes);
    return nodes ? ETNA_OK
                 : etna_fail(err, ETNA_E_NOMEM, "no memory for %u nodes",
                             x->doc.node_count);
}

/* ---- the binary chunk ---- */

/* Begins at a multiple of four and is padded with zeros to one, as glTF wants
 * of what accessors read. *ret_begin is the offset in the chunk. */
bool export_bin_append(exporting *x,
                       const void *data,
                       size_t size,
                       size_t *ret_begin)
{
    size_t begin = (x->bin_size + 3) & ~(size_t)3;
    size_t padded = (begin + size + 3) & ~(size_t)3;
    *ret_begin = begin;
    if (size == 0) {
        return true;
    }
    if (padded > x->bin_room) {
        size_t room = padded > x->bin_room * 2 ? padded : x->bin_room * 2;
        uint8_t *grown = realloc(x->bin, room);
        if (!grown) {
            return false;
        }
        x->bin = grown;
        x->bin_room = room;
    }
    memset(x->bin + x->bin_size, 0, padded - x->bin_size);
    memcpy(x->bin + begin, data, size);
    x->bin_size = padded;
    return true;
}

/* Once failed, it does nothing; whoever uses the text checks `failed`. */
void export_text_add(export_text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t need = t->size + (size_t)(length > 0 ? length : 0) + 1;
    if (length >= 0 && !t->failed && need > t->room) {
        size_t room = need > t->room * 2 ? need : t->room * 2;
        char *grown = realloc(t->text, room);
        if (grown) {
            t->text = grown;
            t->room = room;
        }
        t->failed = grown == NULL;
    }
    if (length >= 0 && !t->failed) {
        vsnprintf(t->text + t->size, t->room - t->size, format, again);
        t->size += (size_t)length;
    }
    va_end(again);
}

/* `elements` begins with a comma, which falls away where they are the first. A
 * list that is not there is added. */
etna_code export_list_append(exporting *x,
                             const char *key,
                             const export_text *elements,
                             etna_error *err)
{
    const char *text = x->doc.chunks.json;
    json_span list;
    if (elements->failed) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for new %s", key);
    }
    if (elements->size == 0) {
        return ETNA_OK;
    }
    if (json_member(text, x->root, key, &list)) {
        size_t count = json_array_size(json_object_get(x->doc.root, key));
        json_edit_add(&x->edits, list.end - 1, list.end - 1,
                      elements->text + (count == 0));
        return ETNA_OK;
    }
    if (json_object_get(x->doc.root, key)) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "the file's \"%s\" member is written with escapes; write it plainly",
            key);
    }
    export_text whole = {0};
    export_text_add(&whole, "[%s]", elements->text + 1);
    if (!whole.failed) {
        json_edit_set(&x->edits, text, x->root, key, whole.text);
    }
    x->edits.failed = x->edits.failed || whole.failed;
    free(whole.text);
    return ETNA_OK;
}

/* A GLB keeps its chunk; a .gltf gets all its buffers one behind the other. */
static etna_code take_buffers(exporting *x, etna_error *err)
{
    const gltf_doc *doc = &x->doc;
    size_t begin;
    bool ok = true;
    x->buffer_begin =
        malloc(((size_t)doc->buffer_count + 1) * sizeof *x->buffer_begin);
    if (!x->buffer_begin) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u buffers",
                         doc->buffer_count);
    }
    if (doc->chunks.glb && doc->chunks.bin) {
        x->has_bin = true;
        ok =
            export_bin_append(x, doc->chunks.bin, doc->chunks.bin_size, &begin);
        /* its own padding, whatever it is */
        x->bin_size = doc->chunks.bin_size;
    }
    for (uint32_t i = 0; ok && i < doc->buffer_count; i++) {
        x->buffer_begin[i] = SIZE_MAX;
        if (!doc->chunks.glb && !doc->buffers[i].absent) {
            x->has_bin = true;
            ok = export_bin_append(x, doc->buffers[i].data,
                                   doc->buffers[i].size, &x->buffer_begin[i]);
        } else if (doc->buffers[i].bin_begin != SIZE_MAX) {
            x->buffer_begin[i] = 0;
        }
    }
    return ok ? ETNA_OK
              : etna_fail(err, ETNA_E_NOMEM,
                          "no memory for the scene's buffers");
}

/* ---- instances ---- */

/* What a normalized component that stands for 1 is. */
static double component_top(uint32_t component)
{
    switch (component) {
    case 5120: return 127;
    case 5121: return 255;
    case 5122: return 32767;
    default: return 65535;
    }
}

/* Normalised integers are rounded to the nearest and bounded: a rotation's
 * component may come out a hair above 1. */
static void write_component(uint8_t *at, const gltf_accessor *a, double value)
{
    if (a->component == 5126) {
        float f = (float)value;
        memcpy(at, &f, sizeof f);
        return;
    }
    double top = component_top(a->component);
    double scaled = floor(value * top + 0.5);
    int32_t whole = (int32_t)math_clamp(scaled, -top, top);
    if (a->component_size == 1) {
        *at = (uint8_t)whole;
    } else {
        uint16_t half = (uint16_t)whole;
        memcpy(at, &half, sizeof half);
    }
}

/* -128 reads as -1, as glTF defines it. */
static double read_component(const uint8_t *at, const gltf_accessor *a)
{
    float f;
    int16_t i16;
    if (a->component == 5126) {
        memcpy(&f, at, sizeof f);
        return (double)f;
    }
    if (a->component == 5120) {
        int8_t i8;
        memcpy(&i8, at, 1);
        return i8 < -127 ? -1 : i8 / 127.0;
    }
    memcpy(&i16, at, sizeof i16);
    return i16 < -32767 ? -1 : i16 / 32767.0;
}

/* The instance's element of one attribute, in the output's binary chunk. */
static etna_code exporting_element(exporting *x,
                                   const instance_change *change,
                                   const char *key,
                                   gltf_accessor *ret,
                                   uint8_t **ret_at,
                                   etna_error *err)
{
    const json_t *json = json_array_get(x->doc.nodes, change->node);
    const json_t *attributes = json_object_get(
        gltf_extension(json, "EXT_mesh_gpu_instancing"), "attributes");
    uint32_t accessor;
    etna_code code = gltf_index(attributes, key, x->doc.accessor_count,
                                "instancing", &accessor, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (accessor == GLTF_NONE) {
        return etna_fail(err, ETNA_E_INPUT,
                         "node %u: its instances have no %s to change",
                         change->node, key);
    }
    if ((code = gltf_accessor_open(&x->doc, accessor, ret, err)) != ETNA_OK) {
        return code;
    }
    bool is_plain = !ret->sparse && ret->data;
    bool is_here =
        ret->buffer != GLTF_NONE && x->buffer_begin[ret->buffer] != SIZE_MAX;
    if (!is_plain || !is_here || change->instance >= ret->count) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "node %u: its instances' %s is sparse, compressed or lies in another file",
            change->node, key);
    }
    *ret_at = x->bin + x->buffer_begin[ret->buffer] + ret->buffer_offset +
              change->instance * ret->stride;
    return ETNA_OK;
}

/* The rotation is multiplied from the left by the motion's, in the file's
 * frame; its length is made 1 first, as quantised ones are not. */
static etna_code edit_instance(exporting *x,
                               const instance_change *change,
                               etna_error *err)
{
    gltf_accessor t, r;
    uint8_t *at, *turn;
    etna_code code = exporting_element(x, change, "TRANSLATION", &t, &at, err);
    if (code != ETNA_OK || (code = exporting_element(x, change, "ROTATION", &r,
                                                     &turn, err)) != ETNA_OK) {
        return code;
    }
    double p[3], q[4], length = 0;
    const double *g = change->rotation;
    for (uint32_t k = 0; k < 4; k++) {
        p[k % 3] = k < 3 ? read_component(at + (size_t)k * t.component_size, &t)
                         : p[0];
        q[k] = read_component(turn + (size_t)k * r.component_size, &r);
        length += q[k] * q[k];
    }
    vec3 moved = affine_point(&change->motion, v3(p[0], p[1], p[2]));
    for (uint32_t k = 0; k < 3; k++) {
        write_component(at + (size_t)k * t.component_size, &t,
                        v3_get(moved, (int)k));
    }
    if (fabs(g[3]) >= 1) { /* a mere move leaves the rotation's bytes alone */
        return ETNA_OK;
    }
    length = length > 0 ? sqrt(length) : 1;
    double product[4] = {g[3] * q[0] + g[0] * q[3] + g[1] * q[2] - g[2] * q[1],
                         g[3] * q[1] - g[0] * q[2] + g[1] * q[3] + g[2] * q[0],
                         g[3] * q[2] + g[0] * q[1] - g[1] * q[0] + g[2] * q[3],
                         g[3] * q[3] - g[0] * q[0] - g[1] * q[1] - g[2] * q[2]};
    for (uint32_t k = 0; k < 4; k++) {
        write_component(turn + (size_t)k * r.component_size, &r,
                        product[k] / length);
    }
    return ETNA_OK;
}

/* ---- .gltf to GLB: what names a file names a place in the chunk ---- */

/* Where a buffer goes: into the chunk, or, a placeholder for compressed views,
 * behind the chunk's. */
static uint32_t new_buffer(const exporting *x, uint32_t buffer)
{
    uint32_t place = 0;
    for (uint32_t i = 0; x->doc.buffers[buffer].absent && i <= buffer; i++) {
        place += x->doc.buffers[i].absent;
    }
    return place;
}

/* The "buffer" and "byteOffset" of a view, or of what an extension of it names;
 * one of the first buffer stays as it is, for that begins the chunk. */
static void edit_place(exporting *x, const json_t *json, json_span span)
{
    char value[32];
    uint32_t buffer = GLTF_NONE;
    uint64_t offset = 0;
    (void)gltf_index(json, "buffer", x->doc.buffer_count, "", &buffer, NULL);
    (void)gltf_size(json, "byteOffset", 0, "", &offset, NULL);
    if (buffer == GLTF_NONE || new_buffer(x, buffer) == buffer) {
        return;
    }
    if (!x->doc.buffers[buffer].absent) {
        snprintf(value, sizeof value, "%llu",
                 (unsigned long long)(offset + x->buffer_begin[buffer]));
        json_edit_set(&x->edits, x->doc.chunks.json, span, "byteOffset", value);
    }
    snprintf(value, sizeof value, "%u", new_buffer(x, buffer));
    json_edit_set(&x->edits, x->doc.chunks.json, span, "buffer", value);
}

/* meshopt's extensions name a buffer of their own. */
static void edit_views(exporting *x, const json_span *views, size_t count)
{
    static const char *const names[] = {"EXT_meshopt_compression",
                                        "KHR_meshopt_compression"};
    const char *text = x->doc.chunks.json;
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(x->doc.views, i);
        json_span extensions, one;
        edit_place(x, json, views[i]);
        for (int k = 0; k < 2; k++) {
            if (gltf_extension(json, names[k]) &&
                json_member(text, views[i], "extensions", &extensions) &&
                json_member(text, extensions, names[k], &one)) {
                edit_place(x, gltf_extension(json, names[k]), one);
            }
        }
    }
}

/* The chunk's buffer, then the placeholders' text as it was. */
static etna_code edit_buffers(exporting *x, etna_error *err)
{
    const char *text = x->doc.chunks.json;
    json_span list;
    size_t count = 0;
    export_text made = {0};
    json_span *old = json_member(text, x->root, "buffers", &list)
                         ? json_elements(text, list, &count)
                         : NULL;
    export_text_add(&made, "[{\"byteLength\":%zu}", x->bin_size);
    for (uint32_t i = 0; old && i < x->doc.buffer_count && i < count; i++) {
        if (x->doc.buffers[i].absent) {
            export_text_add(&made, ",%.*s", (int)(old[i].end - old[i].begin),
                            text + old[i].begin);
        }
    }
    export_text_add(&made, "]");
    free(old);
    if (!made.failed) {
        json_edit_set(&x->edits, text, x->root, "buffers", made.text);
    }
    bool failed = made.failed;
    free(made.text);
    return failed ? etna_fail(err, ETNA_E_NOMEM, "no memory for %u buffers",
                              x->doc.buffer_count)
                  : ETNA_OK;
}

/* By the first bytes: the file's name may lie. */
static const char *image_type(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, "\x89PNG", 4) == 0          ? "image/png"
           : size >= 2 && memcmp(data, "\xff\xd8", 2) == 0       ? "image/jpeg"
           : size >= 8 && memcmp(data + 1, "KTX 20\xbb", 7) == 0 ? "image/ktx2"
           : size >= 12 && memcmp(data + 8, "WEBP", 4) == 0      ? "image/webp"
                                                                 : NULL;
}

/* Moves the image files into the chunk, each under a new view. */
static etna_code pack_images(exporting *x, etna_error *err)
{
    json_span list, uri, type;
    size_t count = 0;
    if (!json_member(x->doc.chunks.json, x->root, "images", &list))
        return ETNA_OK;
    json_span *images = json_elements(x->doc.chunks.json, list, &count);
    etna_code code = ETNA_OK;
    for (size_t i = 0; code == ETNA_OK && images && i < count; i++) {
        const char *name = gltf_text(json_array_get(x->doc.images, i), "uri");
        const bundle_file *file =
            name ? bundle_find(&x->doc.bundle, name) : NULL;
        const char *kind = file ? image_type(file->data, file->size) : NULL;
        size_t begin;
        char member[96];
        if (!kind || !json_member(x->doc.chunks.json, images[i], "uri", &uri)) {
            /* a data: URI is inside already; what is missing or unknown stays
             * named as it is */
            continue;
        }
        if (!export_bin_append(x, file->data, file->size, &begin)) {
            code = etna_fail(err, ETNA_E_NOMEM, "no memory for image %zu", i);
            break;
        }
        x->has_bin = true;
        bool typed =
            json_member(x->doc.chunks.json, images[i], "mimeType", &type);
        snprintf(member, sizeof member,
                 typed ? "\"bufferView\":%zu"
                       : "\"bufferView\":%zu,\"mimeType\":\"%s\"",
                 x->doc.view_count + x->view_count++, kind);
        json_edit_add(&x->edits, uri.key, uri.end, member);
        export_text_add(&x->views,
                        ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
                        begin, file->size);
    }
    free(images);
    return code;
}

static etna_code pack_gltf(exporting *x, etna_error *err)
{
    const char *text = x->doc.chunks.json;
    json_span list;
    size_t count = 0;
    etna_code code = pack_images(x, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (json_member(text, x->root, "bufferViews", &list)) {
        json_span *old = json_elements(text, list, &count);
        if (!old) {
            return etna_fail(err, ETNA_E_NOMEM, "no memory for %u buffer views",
                             x->doc.view_count);
        }
        edit_views(x, old, count);
        free(old);
    }
    return x->has_bin ? edit_buffers(x, err) : ETNA_OK;
}

/* ---- the file ---- */

/* The edited text, with its length a multiple of 4: spaces at its end are
 * dropped or added, nothing else. */
static char *final_text(exporting *x, size_t *ret_size)
{
    size_t size;
    char *text = json_edits_apply(&x->edits, x->doc.chunks.json,
                                  x->doc.chunks.json_size, &size);
    size_t spaces = 0;
    size_t over = size % 4;
    if (!text) {
        return NULL;
    }
    /* a text file's last newline is no part of the scene */
    if (!x->doc.chunks.glb) {
        while (size > 0 && memchr(" \n\r\t", text[size - 1], 4))
            size--;
        over = size % 4;
    }
    while (spaces < size && text[size - 1 - spaces] == ' ') {
        spaces++;
    }
    if (spaces >= over) {
        *ret_size = size - over;
        return text;
    }
    char *padded = realloc(text, size + 5);
    if (!padded) {
        free(text);
        return NULL;
    }
    memset(padded + size, ' ', 4 - over);
    *ret_size = size + 4 - over;
    return padded;
}

/* A GLB's chunk: size, type, bytes, which are padded already. Returns how long
 * it is. */
static size_t chunk_put(uint8_t *out,
                        const char type[4],
                        const void *bytes,
                        size_t size)
{
    assert(size % 4 == 0);
    gltf_put_u32(out, size);
    memcpy(out + 4, type, 4);
    if (size)
        memcpy(out + 8, bytes, size);
    return 8 + size;
}

/* What follows the two chunks is copied as it was. */
static etna_code exporting_assemble(exporting *x,
                                    uint8_t **ret_data,
                                    size_t *ret_size,
                                    etna_error *err)
{
    const gltf_chunks *old = &x->doc.chunks;
    /* what follows the chunks that are written anew */
    const uint8_t *rest = NULL;
    size_t rest_size = 0, text_size, total;
    char *text = final_text(x, &text_size);
    if (!text) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for the scene's text");
    }
    if (old->glb) {
        size_t end =
            old->bin
                ? old->bin_begin + old->bin_size
                : (size_t)((const uint8_t *)old->json - x->doc.bundle.main) +
                      old->json_size;
        rest = x->doc.bundle.main + end;
        rest_size = old->used - end;
    }
    total = 20 + text_size + (x->has_bin ? 8 + x->bin_size : 0) + rest_size;
    uint8_t *out = total <= UINT32_MAX ? malloc(total) : NULL;
    if (!out) {
        free(text);
        return etna_fail(err, total > UINT32_MAX ? ETNA_E_LIMIT : ETNA_E_NOMEM,
                         "a GLB of %zu bytes cannot be made", total);
    }
    size_t at = 12;
    memcpy(out, "glTF\2\0\0\0", 8);
    gltf_put_u32(out + 8, total);
    at += chunk_put(out + at, "JSON", text, text_size);
    if (x->has_bin)
        at += chunk_put(out + at, "BIN\0", x->bin, x->bin_size);
    if (rest_size)
        memcpy(out + at, rest, rest_size);
    free(text);
    *ret_data = out;
    *ret_size = total;
    return ETNA_OK;
}

/* Nodes first, then what adds bytes: lists and buffers are written once the
 * chunk's size is known. */
static etna_code export_with(exporting *x,
                             const snapshot *snap,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    etna_code code;
    if ((code = changes_solve(x->s, snap, &x->changes, err)) != ETNA_OK ||
        (code = take_buffers(x, err)) != ETNA_OK) {
        return code;
    }
    x->root = json_root(x->doc.chunks.json, x->doc.chunks.json_size);
    if ((code = edit_nodes(x, err)) != ETNA_OK ||
        (code = export_release(x, err)) != ETNA_OK) {
        return code;
    }
    for (uint32_t i = 0; i < x->changes.instance_count; i++) {
        if ((code = edit_instance(x, &x->changes.instances[i], err)) !=
            ETNA_OK) {
            return code;
        }
    }
    code = export_pieces(x, err);
    if (code == ETNA_OK)
        code = export_record(x, err);
    if (code == ETNA_OK && !x->doc.chunks.glb)
        code = pack_gltf(x, err);
    if (code == ETNA_OK)
        code = export_list_append(x, "bufferViews", &x->views, err);
    if (code != ETNA_OK) {
        return code;
    }
    return exporting_assemble(x, ret_data, ret_size, err);
}

/* Exports once. *ret_rests: its division into objects rests on where they
 * stand. */
static etna_code export_once(const scene *s,
                             const uint8_t *bundle,
                             size_t bundle_size,
                             const snapshot *snap,
                             bool must_divide,
                             bool *ret_rests,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    exporting x = {.s = s, .must_divide = must_divide};
    etna_code code = gltf_open(&x.doc, bundle, bundle_size, err);
    if (code == ETNA_OK)
        code = export_with(&x, snap, ret_data, ret_size, err);
    *ret_rests = code == ETNA_OK && export_division_rests_on_places(&x);
    changes_free(&x.changes);
    json_edits_free(&x.edits);
    free(x.buffer_begin);
    free(x.bin);
    free(x.views.text);
    gltf_close(&x.doc);
    return code;
}

/* Does a reader of the result make objects of the same nodes? What cannot be
 * read here, as compressed geometry, is not known to be so. */
static bool glb_divides_alike(const scene *s, const uint8_t *glb, size_t size)
{
    etna_error ignored;
    uint8_t *bundle = NULL;
    size_t bundle_size = 0;
    scene *again = NULL;
    etna_code code =
        bundle_from_glb(glb, size, NULL, &bundle, &bundle_size, &ignored);
    if (code == ETNA_OK)
        code =
            scene_import_to_look(bundle, bundle_size, NULL, &again, &ignored);
    bool alike =
        code == ETNA_OK && again->own->base_count == s->own->base_count;
    for (uint32_t i = 0; alike && i < s->own->base_count; i++) {
        const scene_base *a = &s->own->bases[i];
        const scene_base *b = &again->own->bases[i];
        alike = a->node == b->node && a->instance == b->instance;
    }
    scene_free(again);
    free(bundle);
    return alike;
}

/* The three hashes bind bundle, scene and snapshot together; a mismatch is a
 * bug of the caller's. A result that would be divided otherwise is written again
 * and says how it is divided: no other one needs the word. */
etna_code scene_export_glb(const scene *s,
                           const uint8_t *bundle,
                           size_t bundle_size,
                           const snapshot *snap,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    etna_hash hash;
    if (etna_hash_is_zero(&s->hash)) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "an export of a scene that was imported only to be looked at");
    }
    hash = etna_hash_bytes(bundle, bundle_size);
    if (!etna_hash_equal(&hash, &s->hash) ||
        !etna_hash_equal(&snap->scene, &s->hash) ||
        snap->object_count != s->object_count) {
        return etna_fail(err, ETNA_E_INTERNAL,
                         "the bundle or the snapshot is of another scene");
    }
    bool rests = false;
    etna_code code = export_once(s, bundle, bundle_size, snap, false, &rests,
                                 ret_data, ret_size, err);
    if (code != ETNA_OK || !rests || glb_divides_alike(s, *ret_data, *ret_size))
        return code;
    free(*ret_data);
    *ret_data = NULL;
    code = export_once(s, bundle, bundle_size, snap, true, &rests, ret_data,
                       ret_size, err);
    return code;
}
