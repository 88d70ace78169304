/* Accessors: the one place where file bytes become numbers. Offsets, strides
 * and counts are checked against the buffer before anything is read or
 * allocated, so a lie about a size costs an error line and nothing else. */
#include "proto/array.h"
#include "worker/gltf/bundle.h"
#include "worker/gltf/gltf.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A triangle has three indices. */
enum {
    ELEMENTS_MAX = 3 * GLTF_TRIANGLES_MAX
};
/* Bytes read of one document in all, see count_work. */
#define WORK_MAX ((uint64_t)4000000000)

/* Decoded bytes (unpack.h) take the place of compressed ones; a placeholder
 * buffer without them is an error that says how to help oneself. */
etna_code gltf_view_bytes(const gltf_doc *doc,
                          uint32_t view,
                          const uint8_t **ret,
                          size_t *ret_size,
                          size_t *ret_stride,
                          etna_error *err)
{
    const json_t *json = json_array_get(doc->views, view);
    char where[32];
    uint32_t buffer;
    uint64_t offset, length, stride;
    const gltf_size_member members[] = {{"byteOffset", 0, &offset},
                                        {"byteLength", 0, &length},
                                        {"byteStride", 0, &stride}};
    snprintf(where, sizeof where, "bufferView %u", view);
    etna_code code =
        gltf_index(json, "buffer", doc->buffer_count, where, &buffer, err);
    if (code == ETNA_OK)
        code = gltf_sizes(json, members, COUNT_OF(members), where, err);
    if (code != ETNA_OK)
        return code;
    if (buffer == GLTF_NONE) {
        return etna_fail(err, ETNA_E_INPUT, "%s names no buffer", where);
    }
    size_t have = doc->buffers[buffer].size;
    if (offset > have || length > have - offset) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s reaches byte %llu of buffer %u, which has %zu",
                         where, (unsigned long long)(offset + length), buffer,
                         have);
    }
    if (stride > 1 << 20) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: byteStride %llu is beyond reason", where,
                         (unsigned long long)stride);
    }
    const bundle_file *decoded =
        gltf_meshopt(json) ? gltf_decoded(doc, GLTF_VIEW, view) : NULL;
    if (decoded && decoded->size == length) {
        *ret = decoded->data;
        *ret_size = (size_t)length;
        *ret_stride = (size_t)stride;
        return ETNA_OK;
    }
    if (doc->buffers[buffer].absent) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s is compressed by meshopt and could not be decoded; decompress the file first: "
            "gltf-transform copy IN.glb OUT.glb",
            where);
    }
    *ret = doc->buffers[buffer].data + offset;
    *ret_size = (size_t)length;
    *ret_stride = (size_t)stride;
    return ETNA_OK;
}

/* 0: not one of glTF's component types. */
static uint32_t component_size(uint64_t component)
{
    switch (component) {
    case 5120:
    case 5121: return 1;
    case 5122:
    case 5123: return 2;
    case 5125:
    case 5126: return 4;
    default: return 0;
    }
}

/* 0: not one of glTF's types. */
static uint32_t type_components(const char *type)
{
    static const char *const names[] = {"SCALAR", "VEC2", "VEC3", "VEC4",
                                        "MAT2",   "MAT3", "MAT4"};
    static const uint32_t counts[] = {1, 2, 3, 4, 4, 9, 16};
    for (size_t i = 0; type && i < COUNT_OF(counts); i++) {
        if (strcmp(type, names[i]) == 0) {
            return counts[i];
        }
    }
    return 0;
}

/* "accessor 7" with its name where it has one. */
static void accessor_name(const gltf_doc *doc, uint32_t index, char where[96])
{
    const char *name = gltf_text(json_array_get(doc->accessors, index), "name");
    snprintf(where, 96, name ? "accessor %u (\"%.60s\")" : "accessor %u",
             gltf_file_accessor(doc, index), name);
}

/* min and max are hints that nothing here trusts, but a number there that is
 * none says that the file is broken. */
static etna_code check_bounds_members(const json_t *json,
                                      const char *where,
                                      etna_error *err)
{
    static const char *const keys[] = {"min", "max"};
    for (int k = 0; k < 2; k++) {
        const json_t *list = json_object_get(json, keys[k]);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *value = json_array_get(list, i);
            if (!json_is_number(value) ||
                !(fabs(json_number_value(value)) <= FLT_MAX)) {
                return etna_fail(err, ETNA_E_INPUT, "%s: \"%s\"[%zu] is %s",
                                 where, keys[k], i,
                                 json_is_number(value)
                                     ? "beyond single precision"
                                     : "no number");
            }
        }
    }
    return ETNA_OK;
}

/* What its elements are, packed: their kind, number and size. */
static etna_code accessor_read(const json_t *json,
                               const char *where,
                               gltf_accessor *a,
                               etna_error *err)
{
    uint64_t component, count;
    etna_code code =
        gltf_size(json, "componentType", 0, where, &component, err);
    if (code == ETNA_OK)
        code = gltf_size(json, "count", 0, where, &count, err);
    if (code != ETNA_OK)
        return code;
    a->component_size = component_size(component);
    a->components = type_components(gltf_text(json, "type"));
    if (a->component_size == 0 || a->components == 0)
        return etna_fail(err, ETNA_E_INPUT,
                         "%s has an unknown type or componentType", where);
    if (count > ELEMENTS_MAX)
        return etna_fail(err, ETNA_E_LIMIT,
                         "%s: %llu elements are more than the %d this reads",
                         where, (unsigned long long)count, (int)ELEMENTS_MAX);
    a->component = (uint32_t)component;
    a->count = (uint32_t)count;
    a->normalized = json_is_true(json_object_get(json, "normalized"));
    a->sparse = json_object_get(json, "sparse") != NULL;
    a->stride = (size_t)a->component_size * a->components;
    return ETNA_OK;
}

/* Do `count` elements, `stride` apart, lie within `size` bytes from `offset`
 * on? Without overflow. */
static bool accessor_fits(
    uint64_t count, size_t element, size_t stride, uint64_t offset, size_t size)
{
    if (count == 0)
        return true;
    if (offset > size || element > size - offset)
        return false;
    return count - 1 <= (size - offset - element) / stride;
}

/* Where its elements are in the bufferView, none of them beyond it. */
static etna_code accessor_place(const gltf_doc *doc,
                                uint64_t offset,
                                uint32_t view,
                                const char *where,
                                gltf_accessor *a,
                                etna_error *err)
{
    size_t size, stride;
    size_t element = a->stride;
    etna_code code = gltf_view_bytes(doc, view, &a->data, &size, &stride, err);
    if (code != ETNA_OK)
        return etna_error_prefix(err, "%s", where);
    if (stride != 0 && stride < element)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: a byteStride of %zu is less than its %zu bytes an element",
            where, stride, element);
    if (stride != 0)
        a->stride = stride;
    if (!accessor_fits(a->count, element, a->stride, offset, size))
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s reaches beyond its bufferView %u (%llu elements of %zu bytes from byte %llu, the view has %zu)",
            where, view, (unsigned long long)a->count, a->stride,
            (unsigned long long)offset, size);
    if (a->count > 0)
        a->data += offset;
    const json_t *of = json_array_get(doc->views, view);
    (void)gltf_index(of, "buffer", doc->buffer_count, where, &a->buffer, NULL);
    if (gltf_meshopt(of) && gltf_decoded(doc, GLTF_VIEW, view))
        a->buffer = GLTF_NONE;
    else
        a->buffer_offset = (size_t)(a->data - doc->buffers[a->buffer].data);
    return ETNA_OK;
}

/* `data` is NULL where there is no bufferView: glTF then means zeros, or a
 * sparse part over zeros, or Draco. */
etna_code gltf_accessor_open(const gltf_doc *doc,
                             uint32_t index,
                             gltf_accessor *ret,
                             etna_error *err)
{
    const json_t *json = json_array_get(doc->accessors, index);
    gltf_accessor a = {.index = index, .buffer = GLTF_NONE};
    char where[96];
    uint64_t offset;
    uint32_t view;
    accessor_name(doc, index, where);
    etna_code code = accessor_read(json, where, &a, err);
    if (code == ETNA_OK)
        code = gltf_size(json, "byteOffset", 0, where, &offset, err);
    if (code == ETNA_OK)
        code =
            gltf_index(json, "bufferView", doc->view_count, where, &view, err);
    if (code == ETNA_OK)
        code = check_bounds_members(json, where, err);
    if (code != ETNA_OK)
        return code;
    if (view != GLTF_NONE) {
        code = accessor_place(doc, offset, view, where, &a, err);
        if (code != ETNA_OK)
            return code;
    } else {
        const bundle_file *decoded = gltf_decoded(doc, GLTF_ACCESSOR, index);
        if (decoded && decoded->size == a.count * a.stride)
            a.data = decoded->data;
    }
    *ret = a;
    return ETNA_OK;
}

/* The number at `at`, with the normalization that the accessor asks for. Reads
 * by memcpy, as a stride may leave it unaligned. */
double gltf_component(const gltf_accessor *a, const uint8_t *at)
{
    int8_t i8;
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float f32;
    double value, whole; /* whole: what stands for 1 in a normalized accessor */
    switch (a->component) {
    case 5120:
        memcpy(&i8, at, 1);
        value = i8;
        whole = 127;
        break;
    case 5121:
        value = *at;
        whole = 255;
        break;
    case 5122:
        memcpy(&i16, at, 2);
        value = i16;
        whole = 32767;
        break;
    case 5123:
        memcpy(&u16, at, 2);
        value = u16;
        whole = 65535;
        break;
    case 5125:
        memcpy(&u32, at, 4);
        value = u32;
        whole = 4294967295;
        break;
    default: memcpy(&f32, at, 4); return (double)f32;
    }
    /* The least signed number is one beyond -whole; the format maps both to
     * -1. */
    return a->normalized ? math_max(value / whole, -1) : value;
}

/* Matrices of small components pad their columns to 4 bytes; nothing here reads
 * such, so elements are packed. */
typedef void (*store_fn)(void *out, size_t at, double value);
/* Single precision is what glTF has; it is rounded here once. */
static void store_float(void *out, size_t at, double value)
{
    ((float *)out)[at] = (float)value;
}
/* `value` is a whole number within range: the component type says so. */
static void store_unsigned(void *out, size_t at, double value)
{
    ((uint32_t *)out)[at] = (uint32_t)value;
}

/* The two hidden accessors of a sparse one, as accessors of their own. */
static etna_code sparse_part(const gltf_doc *doc,
                             const json_t *json,
                             const char *where,
                             gltf_accessor *part,
                             etna_error *err)
{
    uint32_t view;
    uint64_t offset;
    uint64_t component = part->component;
    size_t size, stride, element;
    etna_code code;
    if ((code = gltf_index(json, "bufferView", doc->view_count, where, &view,
                           err)) != ETNA_OK ||
        (code = gltf_size(json, "byteOffset", 0, where, &offset, err)) !=
            ETNA_OK ||
        (code = gltf_size(json, "componentType", component, where, &component,
                          err)) != ETNA_OK) {
        return code;
    }
    part->component = (uint32_t)component;
    part->component_size = component_size(component);
    if (view == GLTF_NONE || part->component_size == 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its sparse part names no bufferView or an unknown componentType",
            where);
    }
    if ((code = gltf_view_bytes(doc, view, &part->data, &size, &stride, err)) !=
        ETNA_OK) {
        return etna_error_prefix(err, "%s", where);
    }
    element = (size_t)part->component_size * part->components;
    if (offset > size || part->count > (size - offset) / element) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: its sparse part reaches beyond bufferView %u",
                         where, view);
    }
    part->data += offset;
    part->stride = element;
    return ETNA_OK;
}

/* Overwrites single elements of what was read. Indices are checked one by one,
 * since only a negative or too large one does harm; their order is not. */
static etna_code apply_sparse(const gltf_doc *doc,
                              const gltf_accessor *a,
                              const char *where,
                              void *out,
                              store_fn store,
                              etna_error *err)
{
    const json_t *json =
        json_object_get(json_array_get(doc->accessors, a->index), "sparse");
    uint64_t count;
    etna_code code = gltf_size(json, "count", 0, where, &count, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (count > a->count) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: its sparse part has more elements than itself",
                         where);
    }
    gltf_accessor index = {
        .component = 5125, .components = 1, .count = (uint32_t)count};
    gltf_accessor value = *a;
    value.count = (uint32_t)count;
    if ((code = sparse_part(doc, json_object_get(json, "indices"), where,
                            &index, err)) != ETNA_OK ||
        (code = sparse_part(doc, json_object_get(json, "values"), where, &value,
                            err)) != ETNA_OK) {
        return code;
    }
    for (uint32_t i = 0; i < count; i++) {
        double at = gltf_component(&index, index.data + i * index.stride);
        if (!(at >= 0 && at < a->count)) {
            return etna_fail(err, ETNA_E_INPUT,
                             "%s: sparse index %g is beyond its %u elements",
                             where, at, a->count);
        }
        for (uint32_t c = 0; c < a->components; c++) {
            store(out, (size_t)at * a->components + c,
                  gltf_component(&value, value.data + i * value.stride +
                                             (size_t)c * value.component_size));
        }
    }
    return ETNA_OK;
}

/* What most files hold, without a call for each number: floats as floats,
 * indices of 2 or 4 bytes as indices. False when it is neither. */
static void copy_elements(const gltf_accessor *a, uint32_t width, uint8_t *out)
{
    if (a->stride == width) {
        memcpy(out, a->data, (size_t)a->count * width);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++)
        memcpy(out + (size_t)i * width, a->data + i * a->stride, width);
}

/* `out` has room for 4 bytes a number, whichever of the two they are. */
static bool copy_plainly(const gltf_accessor *a, store_fn store, void *out)
{
    uint32_t width = a->components * a->component_size;
    uint32_t *whole = out;
    if (a->normalized || !a->data) {
        return false;
    }
    if (a->component == (store == store_float ? 5126 : 5125)) {
        copy_elements(a, width, out);
        return true;
    }
    if (store == store_float || a->component != 5123 || a->stride != width) {
        return false;
    }
    for (size_t i = 0; i < (size_t)a->count * a->components; i++) {
        uint16_t value;
        memcpy(&value, a->data + 2 * i, sizeof value);
        whole[i] = value;
    }
    return true;
}

/* What indices may be: bytes, shorts and ints without sign. */
bool gltf_is_unsigned(const gltf_accessor *a)
{
    return a->component == 5121 || a->component == 5123 || a->component == 5125;
}

/* Whether its packed 4-byte numbers lie within the bytes that outlive the
 * scene; a decoded data: URI does not last. */
static bool accessor_lasts(const gltf_doc *doc, const gltf_accessor *a)
{
    size_t size = (size_t)a->count * a->components * 4;
    uintptr_t begin = (uintptr_t)doc->lasting;
    uintptr_t at = (uintptr_t)a->data;
    if (at < begin || at - begin > doc->lasting_size)
        return false;
    return size <= doc->lasting_size - (at - begin);
}

/* The accessor's own bytes where they are 4-byte numbers as they are wanted,
 * one after the other, aligned, and there for as long as the scene; else
 * NULL. */
static const void *bytes_to_borrow(const gltf_doc *doc,
                                   const gltf_accessor *a,
                                   uint32_t component)
{
    if (!doc->lasting || !a->data || a->count == 0)
        return NULL;
    if (a->component != component || a->normalized || a->sparse)
        return NULL;
    bool is_packed =
        a->stride == 4 * (size_t)a->components && (uintptr_t)a->data % 4 == 0;
    return is_packed && accessor_lasts(doc, a) ? a->data : NULL;
}

/* A file may name one accessor a million times; what is read is bounded over
 * the whole document, not only once. */
static etna_code count_work(const gltf_doc *doc,
                            const gltf_accessor *a,
                            const char *where,
                            etna_error *err)
{
    *doc->work += (uint64_t)a->count * a->components + 1;
    if (*doc->work > WORK_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%s: the file names its accessors so often that more than %llu numbers would be read",
            where, (unsigned long long)WORK_MAX);
    }
    return ETNA_OK;
}

/* The slow way, a conversion a number: normalized ones, and whatever
 * copy_plainly does not know. */
static void store_components(const gltf_accessor *a, store_fn store, void *out)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const uint8_t *at = a->data + i * a->stride;
        for (uint32_t c = 0; c < a->components; c++) {
            store(out, (size_t)i * a->components + c,
                  gltf_component(a, at + (size_t)c * a->component_size));
        }
    }
}

/* *ret is the caller's to free. An accessor without bytes is zeros, of which a
 * short text could ask for gigabytes; so that has a bound of its own. */
static etna_code read_values(const gltf_doc *doc,
                             const gltf_accessor *a,
                             const char *where,
                             store_fn store,
                             void **ret,
                             etna_error *err)
{
    size_t total = (size_t)a->count * a->components;
    if (!a->data && a->count > 1 << 24) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "%s has %u elements and no bufferView", where,
                         a->count);
    }
    etna_code code = count_work(doc, a, where, err);
    if (code != ETNA_OK) {
        return code;
    }
    size_t room = total ? total : 1;
    /* all is written below */
    void *out = a->data ? malloc(room * 4) : calloc(room, 4);
    if (!out) {
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %u elements",
                         where, a->count);
    }
    if (a->data && !copy_plainly(a, store, out))
        store_components(a, store, out);
    code = a->sparse ? apply_sparse(doc, a, where, out, store, err) : ETNA_OK;
    if (code != ETNA_OK) {
        free(out);
        return code;
    }
    *ret = out;
    return ETNA_OK;
}

/* Whether none of them is infinite or not a number. */
static bool all_finite(const float *values, size_t count)
{
    typedef uint32_t lanes __attribute__((vector_size(16)));
    const lanes exponent = {0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000};
    lanes bad = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        lanes v;
        memcpy(&v, values + i, sizeof v);
        bad |= (lanes)((v & exponent) == exponent);
    }
    for (; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return (bad[0] | bad[1] | bad[2] | bad[3]) == 0;
}

/* *ret_own NULL: borrowed from the bundle, for as long as that lasts; else the
 * caller frees it. Numbers that are not finite are refused here, so nobody
 * behind it checks. */
etna_code gltf_borrow_floats(const gltf_doc *doc,
                             uint32_t index,
                             uint32_t components,
                             const float **ret,
                             float **ret_own,
                             uint32_t *ret_count,
                             etna_error *err)
{
    gltf_accessor a;
    char where[96];
    void *out = NULL;
    accessor_name(doc, index, where);
    etna_code code = gltf_accessor_open(doc, index, &a, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (components != 0 && a.components != components) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s has %u numbers an element where %u belong", where,
                         a.components, components);
    }
    const float *values = bytes_to_borrow(doc, &a, 5126);
    code = values ? count_work(doc, &a, where, err)
                  : read_values(doc, &a, where, store_float, &out, err);
    if (code != ETNA_OK) {
        return code;
    }
    values = values ? values : out;
    size_t total = (size_t)a.count * a.components;
    size_t bad = 0;
    if (a.component == 5126 && !all_finite(values, total)) {
        while (isfinite(values[bad])) {
            bad++;
        }
        free(out);
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: element %zu holds a number that is not finite",
                         where, bad / a.components);
    }
    *ret = values;
    *ret_own = out;
    *ret_count = a.count;
    return ETNA_OK;
}

/* Always a copy, which the caller frees. */
etna_code gltf_read_floats(const gltf_doc *doc,
                           uint32_t index,
                           uint32_t components,
                           float **ret,
                           uint32_t *ret_count,
                           etna_error *err)
{
    gltf_doc copying = *doc; /* borrows nothing */
    const float *values;
    copying.lasting = NULL;
    return gltf_borrow_floats(&copying, index, components, &values, ret,
                              ret_count, err);
}

/* As gltf_borrow_floats. `normalized` has no meaning for indices and is passed
 * over. */
etna_code gltf_borrow_unsigned(const gltf_doc *doc,
                               uint32_t index,
                               uint32_t components,
                               const uint32_t **ret,
                               uint32_t **ret_own,
                               uint32_t *ret_count,
                               etna_error *err)
{
    gltf_accessor a;
    char where[96];
    void *out = NULL;
    accessor_name(doc, index, where);
    etna_code code = gltf_accessor_open(doc, index, &a, err);
    if (code != ETNA_OK) {
        return code;
    }
    if (a.components != components || !gltf_is_unsigned(&a)) {
        return etna_fail(err, ETNA_E_INPUT, "%s does not hold unsigned %s",
                         where, components == 1 ? "indices" : "vectors");
    }
    a.normalized = false;
    const uint32_t *values = bytes_to_borrow(doc, &a, 5125);
    code = values ? count_work(doc, &a, where, err)
                  : read_values(doc, &a, where, store_unsigned, &out, err);
    if (code != ETNA_OK) {
        return code;
    }
    *ret = values ? values : out;
    *ret_own = out;
    *ret_count = a.count;
    return ETNA_OK;
}

/* Always a copy, which the caller frees. */
etna_code gltf_read_unsigned(const gltf_doc *doc,
                             uint32_t index,
                             uint32_t components,
                             uint32_t **ret,
                             uint32_t *ret_count,
                             etna_error *err)
{
    gltf_doc copying = *doc;
    const uint32_t *values;
    copying.lasting = NULL;
    return gltf_borrow_unsigned(&copying, index, components, &values, ret,
                                ret_count, err);
}
