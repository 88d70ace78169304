/* EXT_meshopt_compression: buffer views whose bytes are compressed. The library
 * undoes the coding, which it does for data of any origin; the filters behind
 * it are undone here, because the library's take the processor's approximate
 * square root, which is not the same on every machine, and a rotation of an
 * instance reaches the geometry. */
#include "proto/array.h"
#include "worker/gltf/unpack_internal.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

static const char *const mode_names[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
static const char *const filter_names[] = {"NONE", "OCTAHEDRAL", "QUATERNION",
                                           "EXPONENTIAL"};

/* ---- filters ---- */

/* The whole number nearest to value * top, halves away from zero. */
static int32_t filter_scaled(double value, double top)
{
    double whole = value * top;
    whole = whole < 0 ? -floor(0.5 - whole) : floor(whole + 0.5);
    return (int32_t)math_clamp(whole, -top, top);
}

static int32_t get_signed(const uint8_t *at, size_t bytes)
{
    int16_t wide;
    if (bytes == 1) {
        return (int8_t)*at;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

static void put_signed(uint8_t *at, size_t bytes, int32_t value)
{
    uint16_t wide = (uint16_t)value;
    if (bytes == 1) {
        *at = (uint8_t)value;
    } else {
        memcpy(at, &wide, sizeof wide);
    }
}

/* x, y on the octahedron, the third number is what stands for 1; the fourth
 * stays. */
static void undo_octahedral(uint8_t *at, size_t bytes)
{
    double top = bytes == 1 ? 127 : 32767;
    double one = get_signed(at + 2 * bytes, bytes);
    double x = one != 0 ? get_signed(at, bytes) / one : 0;
    double y = one != 0 ? get_signed(at + bytes, bytes) / one : 0;
    double z = 1 - fabs(x) - fabs(y);
    double fold = math_min(z, 0);
    x += x >= 0 ? fold : -fold;
    y += y >= 0 ? fold : -fold;
    double length = sqrt(x * x + y * y + z * z);
    length = length > 0 ? length : 1;
    put_signed(at, bytes, filter_scaled(x / length, top));
    put_signed(at + bytes, bytes, filter_scaled(y / length, top));
    put_signed(at + 2 * bytes, bytes, filter_scaled(z / length, top));
}

/* The three smaller components; the fourth number says which is the largest,
 * and what stands for 1/sqrt(2). */
static void undo_quaternion(uint8_t *at)
{
    int32_t last = get_signed(at + 6, 2);
    double range = sqrt(0.5) / (last | 3);
    double v[3];
    double rest = 1;
    for (size_t k = 0; k < 3; k++) {
        v[k] = get_signed(at + 2 * k, 2) * range;
        rest -= v[k] * v[k];
    }
    size_t largest = (size_t)(last & 3);
    for (size_t k = 0; k < 3; k++) {
        put_signed(at + 2 * ((largest + 1 + k) % 4), 2,
                   filter_scaled(v[k], 32767));
    }
    put_signed(at + 2 * largest, 2,
               filter_scaled(sqrt(math_max(rest, 0)), 32767));
}

/* 8 bits of exponent, 24 of mantissa, both signed: exact in double, rounded
 * once. */
static void undo_exponential(uint8_t *at)
{
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    int exponent = (int)(bits >> 24);
    int mantissa = (int)(bits & 0xffffff);
    exponent -= exponent >= 128 ? 256 : 0;
    mantissa -= mantissa >= 1 << 23 ? 1 << 24 : 0;
    uint64_t power_bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &power_bits, sizeof power);
    float value = (float)(mantissa * power);
    memcpy(at, &value, sizeof value);
}

static void filter_undo(meshopt_filter filter,
                        size_t stride,
                        size_t count,
                        uint8_t *out)
{
    size_t step = filter == MESHOPT_EXPONENTIAL ? 4 : stride;
    for (size_t at = 0; filter != MESHOPT_NONE && at < stride * count;
         at += step) {
        if (filter == MESHOPT_OCTAHEDRAL) {
            undo_octahedral(out + at, stride / 4);
        } else if (filter == MESHOPT_QUATERNION) {
            undo_quaternion(out + at);
        } else {
            undo_exponential(out + at);
        }
    }
}

/* ---- coding ---- */

static bool indices_sound(meshopt_mode mode, uint64_t stride, uint64_t count)
{
    bool is_whole = mode == MESHOPT_INDICES || count % 3 == 0;
    return is_whole && (stride == 2 || stride == 4);
}

/* What the library asserts, checked before it is called. */
bool meshopt_sound(meshopt_mode mode,
                   meshopt_filter filter,
                   uint64_t stride,
                   uint64_t count)
{
    if (mode != MESHOPT_ATTRIBUTES)
        return filter == MESHOPT_NONE && indices_sound(mode, stride, count);
    if (filter == MESHOPT_OCTAHEDRAL)
        return stride == 4 || stride == 8;
    if (filter == MESHOPT_QUATERNION)
        return stride == 8;
    return stride > 0 && stride <= 256 && stride % 4 == 0;
}

bool meshopt_take(meshopt_mode mode,
                  meshopt_filter filter,
                  size_t stride,
                  size_t count,
                  const uint8_t *data,
                  size_t size,
                  uint8_t *out)
{
    int wrong;
    if (mode == MESHOPT_ATTRIBUTES)
        wrong = meshopt_decodeVertexBuffer(out, count, stride, data, size);
    else if (mode == MESHOPT_TRIANGLES)
        wrong = meshopt_decodeIndexBuffer(out, count, stride, data, size);
    else
        wrong = meshopt_decodeIndexSequence(out, count, stride, data, size);
    if (wrong) {
        return false;
    }
    filter_undo(filter, stride, count, out);
    return true;
}

/* ---- a view ---- */

/* Which of the names a member is; `fallback` when it is not there, -1 when it
 * is none of them. */
static int member_named(const json_t *object,
                        const char *key,
                        const char *const *names,
                        int count,
                        int fallback)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    for (int i = 0; text && i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return value ? -1 : fallback;
}

typedef struct view_job {
    const uint8_t *data;
    uint64_t size, stride, count, length; /* length: of the decoded view */
    int mode, filter;
} view_job;

/* Where the compressed bytes lie, all of them within their buffer. */
static etna_code read_job_place(const unpacking *u,
                                const json_t *ext,
                                const char *where,
                                view_job *ret,
                                etna_error *err)
{
    uint32_t buffer;
    uint64_t offset;
    const gltf_size_member members[] = {{"byteOffset", 0, &offset},
                                        {"byteLength", 0, &ret->size},
                                        {"byteStride", 0, &ret->stride},
                                        {"count", 0, &ret->count}};
    etna_code code =
        gltf_index(ext, "buffer", u->doc.buffer_count, where, &buffer, err);
    if (code == ETNA_OK)
        code = gltf_sizes(ext, members, COUNT_OF(members), where, err);
    if (code != ETNA_OK)
        return code;
    bool is_there = buffer != GLTF_NONE && !u->doc.buffers[buffer].absent;
    size_t whole = is_there ? u->doc.buffers[buffer].size : 0;
    if (!is_there || offset > whole || ret->size > whole - offset) {
        return etna_fail(err, ETNA_E_INPUT,
                         "%s: its compressed bytes lie in no buffer", where);
    }
    ret->data = u->doc.buffers[buffer].data + offset;
    return ETNA_OK;
}

static etna_code read_job(const unpacking *u,
                          const json_t *view,
                          const json_t *ext,
                          const char *where,
                          view_job *ret,
                          etna_error *err)
{
    etna_code code = read_job_place(u, ext, where, ret, err);
    if (code == ETNA_OK)
        code = gltf_size(view, "byteLength", 0, where, &ret->length, err);
    if (code != ETNA_OK)
        return code;
    ret->mode = member_named(ext, "mode", mode_names, 3, -1);
    ret->filter = member_named(ext, "filter", filter_names, 4, 0);
    if (ret->mode < 0 || ret->filter < 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: its meshopt mode or filter is not known; decompress the file first: gltf-transform copy "
            "IN.glb OUT.glb",
            where);
    }
    if (!meshopt_sound((meshopt_mode)ret->mode, (meshopt_filter)ret->filter,
                       ret->stride, ret->count) ||
        ret->count > ret->length / ret->stride) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: %llu elements of %llu bytes are no %s of meshopt, or more than the view's %llu bytes",
            where, (unsigned long long)ret->count,
            (unsigned long long)ret->stride, mode_names[ret->mode],
            (unsigned long long)ret->length);
    }
    return ETNA_OK;
}

etna_code unpack_view(unpacking *u, uint32_t view, etna_error *err)
{
    const json_t *json = json_array_get(u->doc.views, view);
    const json_t *ext = gltf_meshopt(json);
    view_job job = {0};
    char where[32];
    uint32_t buffer;
    snprintf(where, sizeof where, "bufferView %u", view);
    if (!ext) {
        return ETNA_OK;
    }
    etna_code code =
        gltf_index(json, "buffer", u->doc.buffer_count, where, &buffer, err);
    if (code != ETNA_OK || buffer == GLTF_NONE ||
        !u->doc.buffers[buffer].absent) {
        return code; /* it is there uncompressed, too */
    }
    if ((code = read_job(u, json, ext, where, &job, err)) != ETNA_OK ||
        (code = unpack_afford(u, job.length, where, err)) != ETNA_OK) {
        return code;
    }
    uint8_t *out = calloc(1, (size_t)job.length + 1);
    if (!out) {
        return etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %llu bytes",
                         where, (unsigned long long)job.length);
    }
    if (meshopt_take((meshopt_mode)job.mode, (meshopt_filter)job.filter,
                     (size_t)job.stride, (size_t)job.count, job.data,
                     (size_t)job.size, out)) {
        unpack_add(u, GLTF_VIEW, view, out, (size_t)job.length);
    } else {
        code = etna_fail(
            err, ETNA_E_INPUT,
            "%s: its meshopt data is damaged, or newer than this reads; decompress the file first: "
            "gltf-transform copy IN.glb OUT.glb",
            where);
    }
    free(out);
    return code;
}
