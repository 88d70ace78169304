/* Materials: what an unlit look needs, which is the base colour and what glows.
 * Textures that cannot be read cost one warning together. */
#include "worker/scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

#define TEXTURE_BYTES_MAX \
    ((uint64_t)1 << 30) /* kept in memory; pictures beyond are not read */
#define MEAN_BYTES_MAX \
    ((uint64_t)2 \
     << 20) /* of a picture whose mean alone is wanted, as it is in the file */
#define MEANS_BYTES_MAX ((uint64_t)16 << 20) /* of all these */
#define FAILED_PICTURE ((uint64_t)16 << 20)  /* what trying one may have cost */

/* The textures made so far, found by their image: one for each image and pair
 * of wraps. */
typedef struct texture_index {
    /* of each image, and at [image_count] of none: texture + 1, or 0 */
    uint32_t *first;
    /* of each texture: another of the same image + 1, or 0 */
    uint32_t *next;
    bool *unreadable; /* of each image: it was tried */
    /* of each image that says how rough and metallic things are: 0..1, or -1:
     * not yet known */
    float (*means)[3];
    uint64_t mean_bytes;
} texture_index;

/* A data URI is decoded into *ret_owned, which the caller frees; else the bytes
 * are borrowed. Any failure is ETNA_E_INPUT without words: one warning counts
 * them all. */
static etna_code image_bytes(importer *m,
                             uint32_t image,
                             const uint8_t **ret,
                             size_t *ret_size,
                             uint8_t **ret_owned)
{
    const json_t *json = json_array_get(m->doc.images, image);
    const char *uri = gltf_text(json, "uri");
    uint32_t view;
    size_t stride;
    *ret_owned = NULL;
    if (uri && strncmp(uri, "data:", 5) == 0) {
        if (!gltf_data_uri(uri, ret_owned, ret_size)) {
            return ETNA_E_INPUT;
        }
        *ret = *ret_owned;
        return ETNA_OK;
    }
    const bundle_file *file = uri ? bundle_find(&m->doc.bundle, uri) : NULL;
    if (file) {
        *ret = file->data;
        *ret_size = file->size;
        return ETNA_OK;
    }
    if (uri ||
        gltf_index(json, "bufferView", m->doc.view_count, "image", &view,
                   NULL) != ETNA_OK ||
        view == GLTF_NONE) {
        return ETNA_E_INPUT;
    }
    return gltf_view_bytes(&m->doc, view, ret, ret_size, &stride, NULL);
}

/* 10497 REPEAT, 33071 CLAMP_TO_EDGE, 33648 MIRRORED_REPEAT; what is none of
 * them repeats. */
static uint64_t wrap_mode(const json_t *sampler, const char *key)
{
    uint64_t value = 10497;
    if (gltf_size(sampler, key, 10497, "sampler", &value, NULL) != ETNA_OK ||
        (value != 33071 && value != 33648)) {
        return 10497;
    }
    return value;
}

enum {
    CANDIDATES = 5
};

/* The images of a glTF texture: its own, and those its extensions give; all
 * show the same. Returns how many. */
static size_t texture_images(const importer *m,
                             const json_t *texture,
                             uint32_t ret[CANDIDATES])
{
    static const char *const extensions[CANDIDATES - 1] = {
        "EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif",
        "MSFT_texture_dds"};
    size_t count = 0;
    for (size_t i = 0; i < CANDIDATES; i++) {
        const json_t *holder =
            i == 0 ? texture : gltf_extension(texture, extensions[i - 1]);
        uint32_t image = GLTF_NONE;
        if (gltf_index(holder, "source", m->doc.image_count, "texture", &image,
                       NULL) == ETNA_OK &&
            image != GLTF_NONE) {
            ret[count++] = image;
        }
    }
    return count;
}

/* The pixels of an image; *ret stays without when it cannot be read. */
static etna_code decode_image(importer *m,
                              uint32_t image,
                              scene_texture *ret,
                              etna_error *err)
{
    const uint8_t *data = NULL;
    uint8_t *owned = NULL, *rgba = NULL;
    size_t size = 0;
    etna_code code = ETNA_OK;
    bool ok = m->texture_bytes < TEXTURE_BYTES_MAX &&
              image_bytes(m, image, &data, &size, &owned) == ETNA_OK &&
              texture_decode(data, size, &ret->width, &ret->height, &rgba);
    if (ok)
        m->texture_bytes += (uint64_t)ret->width * ret->height * 4;
    else if (size > 0)
        m->texture_bytes += FAILED_PICTURE;
    if (ok && !own_block(m, rgba)) {
        code = etna_fail(err, ETNA_E_NOMEM, "no memory for image %u", image);
    } else if (ok) {
        ret->rgba = rgba;
    }
    free(owned);
    return code;
}

/* The first of a texture's images that can be read, or the last. *ret_slot: its
 * place among the known ones; a new one's pixels go into *out. */
static etna_code choose_image(importer *m,
                              const json_t *texture,
                              texture_index *known,
                              uint32_t *ret_slot,
                              scene_texture *out,
                              etna_error *err)
{
    uint32_t images[CANDIDATES];
    size_t count = texture_images(m, texture, images);
    *ret_slot = m->doc.image_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t image = images[i];
        *ret_slot = image;
        if (known->unreadable[image]) {
            continue;
        }
        etna_code code =
            known->first[image] ? ETNA_OK : decode_image(m, image, out, err);
        if (code != ETNA_OK || known->first[image] || out->rgba) {
            return code;
        }
        known->unreadable[image] = true;
    }
    m->lost_textures += !known->first[*ret_slot];
    return ETNA_OK;
}

/* The pixels of an image are decoded once; wraps make further textures of the
 * same pixels. */
static etna_code material_take_texture(importer *m,
                                       uint32_t index,
                                       texture_index *known,
                                       uint32_t *ret,
                                       etna_error *err)
{
    const json_t *texture = json_array_get(m->doc.textures, index);
    uint32_t sampler = GLTF_NONE;
    (void)gltf_index(texture, "sampler",
                     (uint32_t)json_array_size(m->doc.samplers), "texture",
                     &sampler, NULL);
    const json_t *s =
        sampler == GLTF_NONE ? NULL : json_array_get(m->doc.samplers, sampler);
    uint32_t slot;
    scene_texture out = {.wrap_s = (uint32_t)wrap_mode(s, "wrapS"),
                         .wrap_t = (uint32_t)wrap_mode(s, "wrapT")};
    etna_code code = choose_image(m, texture, known, &slot, &out, err);
    if (code != ETNA_OK) {
        return code;
    }
    for (uint32_t at = known->first[slot]; at;
         at = known->next[at - 1]) { /* nine pairs of wraps at most */
        const scene_texture *other = &m->textures[at - 1];
        if (other->wrap_s == out.wrap_s && other->wrap_t == out.wrap_t) {
            *ret = at - 1;
            return ETNA_OK;
        }
        /* the pixels are shared even where the wraps differ */
        out.width = other->width;
        out.height = other->height;
        out.rgba = other->rgba;
    }
    known->next[m->s->texture_count] = known->first[slot];
    known->first[slot] = m->s->texture_count + 1;
    m->textures[m->s->texture_count] = out;
    *ret = m->s->texture_count++;
    return ETNA_OK;
}

/* KHR_texture_transform as two rows of a matrix, offset last: uv' = T R S
 * uv. */
static void texture_map(const json_t *info, uint32_t *ret_set, double map[6])
{
    const json_t *transform = gltf_extension(info, "KHR_texture_transform");
    double offset[2] = {0, 0};
    double scale[2] = {1, 1};
    double angle = json_number_value(json_object_get(transform, "rotation"));
    double s, c;
    uint64_t set = 0;
    (void)gltf_size(info, "texCoord", 0, "texture", &set, NULL);
    (void)gltf_size(transform, "texCoord", set, "texture", &set, NULL);
    (void)gltf_numbers(transform, "offset", 2, offset, NULL, "texture", NULL);
    (void)gltf_numbers(transform, "scale", 2, scale, NULL, "texture", NULL);
    math_sincos(fabs(angle) <= 1e6 ? angle : 0, &s, &c);
    map[0] = c * scale[0];
    map[1] = s * scale[1];
    map[2] = offset[0];
    map[3] = -s * scale[0];
    map[4] = c * scale[1];
    map[5] = offset[1];
    *ret_set = set < 64 ? (uint32_t)set : 0;
}

/* The texture of what glows. A mesh keeps one place on the textures for each
 * vertex: where the base colour's is another, nothing glows, for most of such a
 * picture is black and its factor 1. */
static etna_code read_glow(importer *m,
                           uint32_t index,
                           const json_t *info,
                           texture_index *known,
                           const char *where,
                           etna_error *err)
{
    scene_material *material = &m->materials[index];
    uint32_t texture, set;
    double map[6];
    bool glows = material->emissive[0] > 0 || material->emissive[1] > 0 ||
                 material->emissive[2] > 0;
    etna_code code =
        gltf_index(info, "index", m->doc.texture_count, where, &texture, err);
    if (code != ETNA_OK || !info || !glows) {
        return code;
    }
    texture_map(info, &set, map);
    if (material->texture == SCENE_NONE) {
        m->material_uv[index] = set;
        memcpy(m->material_map[index], map, sizeof map);
    }
    if (texture != GLTF_NONE && set == m->material_uv[index] &&
        memcmp(map, m->material_map[index], sizeof map) == 0) {
        return material_take_texture(m, texture, known,
                                     &material->emissive_texture, err);
    }
    material->emissive[0] = material->emissive[1] = material->emissive[2] = 0;
    return ETNA_OK;
}

static etna_code read_emissive(const json_t *json,
                               scene_material *material,
                               const char *where,
                               etna_error *err)
{
    const json_t *more =
        gltf_extension(json, "KHR_materials_emissive_strength");
    const json_t *given = json_object_get(more, "emissiveStrength");
    double glow[3] = {0, 0, 0};
    double strength = given ? json_number_value(given) : 1;
    etna_code code =
        gltf_numbers(json, "emissiveFactor", 3, glow, NULL, where, err);
    for (int k = 0; code == ETNA_OK && k < 3; k++) {
        glow[k] = math_clamp(glow[k], 0, 1);
        material->emissive[k] =
            (float)(glow[k] * (strength >= 0 && strength < 1e6 ? strength : 1));
    }
    return code;
}

static float material_share(const json_t *json,
                            const char *key,
                            double otherwise)
{
    const json_t *given = json_object_get(json, key);
    double value = json_is_number(given) ? json_number_value(given) : otherwise;
    return (float)math_clamp(value, 0, 1);
}

/* Of an image its mean; false when it cannot be read, or others have cost
 * enough. */
static bool mean_of_image(importer *m,
                          texture_index *known,
                          uint32_t image,
                          float ret[3])
{
    float *mean = known->means[image];
    const uint8_t *data = NULL;
    uint8_t *owned = NULL;
    size_t size = 0;
    double bytes[3];
    if (mean[0] < 0 && known->mean_bytes < MEANS_BYTES_MAX &&
        image_bytes(m, image, &data, &size, &owned) == ETNA_OK) {
        known->mean_bytes += size;
        bool ok = size <= MEAN_BYTES_MAX && texture_mean(data, size, bytes);
        for (int k = 0; ok && k < 3; k++) {
            mean[k] = (float)(bytes[k] / 255);
        }
    }
    free(owned);
    memcpy(ret, mean, 3 * sizeof *ret);
    return mean[0] >= 0;
}

/* What makes it gloss. Pictures need no more of the texture than its mean:
 * green is roughness, blue metal. */
static void read_gloss(importer *m,
                       const json_t *json,
                       const json_t *look,
                       texture_index *known,
                       scene_material *material)
{
    const json_t *info = json_object_get(look, "metallicRoughnessTexture");
    uint32_t texture = GLTF_NONE, images[CANDIDATES];
    float mean[3];
    material->metallic = material_share(look, "metallicFactor", 1);
    material->roughness = material_share(look, "roughnessFactor", 1);
    material->clearcoat = material_share(
        gltf_extension(json, "KHR_materials_clearcoat"), "clearcoatFactor", 0);
    material->transmission =
        material_share(gltf_extension(json, "KHR_materials_transmission"),
                       "transmissionFactor", 0);
    if (!look || gltf_extension(json, "KHR_materials_unlit")) {
        material->metallic = 0;
        material->roughness = 1;
    }
    if (json_object_get(look, "glossinessFactor")) {
        material->metallic = 0;
        material->roughness = 1 - material_share(look, "glossinessFactor", 1);
    }
    if (!info ||
        gltf_index(info, "index", m->doc.texture_count, "material", &texture,
                   NULL) != ETNA_OK ||
        texture == GLTF_NONE) {
        return;
    }
    bool read = texture_images(m, json_array_get(m->doc.textures, texture),
                               images) > 0 &&
                mean_of_image(m, known, images[0], mean);
    /* not read: what most things are */
    material->roughness *= read ? mean[1] : 0.6f;
    material->metallic *= read ? mean[2] : 0;
}

static void read_alpha(const json_t *json, scene_material *material)
{
    const char *mode = gltf_text(json, "alphaMode");
    const json_t *written = json_object_get(json, "alphaCutoff");
    bool is_mask = mode && strcmp(mode, "MASK") == 0;
    double cutoff = is_mask ? 0.5 : 0;
    if (is_mask && written)
        cutoff = json_number_value(written);
    material->blend = mode && strcmp(mode, "BLEND") == 0;
    material->alpha_cutoff = cutoff >= 0 && cutoff < 1e6 ? (float)cutoff : 0.5f;
}

/* How a material says its colour: by metal and roughness, or in the older way
 * by gloss. */
typedef struct material_look {
    const json_t *json; /* NULL: it says none */
    const char *factor_key, *texture_key;
} material_look;

static material_look look_of(const json_t *material)
{
    const json_t *look = json_object_get(material, "pbrMetallicRoughness");
    const json_t *older =
        gltf_extension(material, "KHR_materials_pbrSpecularGlossiness");
    if (!look && older)
        return (material_look){older, "diffuseFactor", "diffuseTexture"};
    return (material_look){look, "baseColorFactor", "baseColorTexture"};
}

static etna_code read_material(importer *m,
                               uint32_t index,
                               texture_index *known,
                               etna_error *err)
{
    const json_t *json = json_array_get(m->doc.materials, index);
    const material_look look = look_of(json);
    const char *name = gltf_text(json, "name");
    scene_material *material = &m->materials[index];
    double factor[4] = {1, 1, 1, 1};
    uint32_t texture;
    char where[96];
    snprintf(where, sizeof where, "material %u (\"%.60s\")", index,
             name ? name : "");
    const json_t *info = json_object_get(look.json, look.texture_key);
    etna_code code =
        gltf_numbers(look.json, look.factor_key, 4, factor, NULL, where, err);
    if (code == ETNA_OK)
        code = gltf_index(info, "index", m->doc.texture_count, where, &texture,
                          err);
    if (code != ETNA_OK)
        return code;
    for (int k = 0; k < 4; k++)
        material->base_colour[k] = (float)math_clamp(factor[k], 0, 1);
    material->double_sided = json_is_true(json_object_get(json, "doubleSided"));
    read_alpha(json, material);
    code = read_emissive(json, material, where, err);
    if (code != ETNA_OK)
        return code;
    read_gloss(m, json, look.json, known, material);
    material->texture = SCENE_NONE;
    material->emissive_texture = SCENE_NONE;
    material->name = clean_name(m, name ? name : "", ARRANGE_NAME_MAX);
    if (!material->name)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u materials",
                         m->doc.material_count);
    texture_map(info, &m->material_uv[index], m->material_map[index]);
    if (texture != GLTF_NONE)
        code =
            material_take_texture(m, texture, known, &material->texture, err);
    if (code != ETNA_OK)
        return code;
    return read_glow(m, index, json_object_get(json, "emissiveTexture"), known,
                     where, err);
}

/* In the document's arena; no image is measured yet. False: no memory. */
static bool texture_index_init(importer *m,
                               uint32_t materials,
                               texture_index *ret)
{
    etna_arena *arena = &m->doc.arena;
    size_t images = (size_t)m->doc.image_count + 1;
    *ret = (texture_index){
        .first = etna_arena_alloc(arena, images, sizeof *ret->first),
        .next = etna_arena_alloc(arena, 2 * (size_t)materials + 1,
                                 sizeof *ret->next),
        .unreadable = etna_arena_alloc(arena, images, sizeof *ret->unreadable),
        .means = etna_arena_alloc(arena, images, sizeof *ret->means)};
    bool has_lists = ret->first && ret->next;
    if (!has_lists || !ret->unreadable || !ret->means)
        return false;
    for (uint32_t i = 0; i < m->doc.image_count; i++) {
        ret->means[i][0] = -1;
    }
    return true;
}

static void warn_of_lost_textures(importer *m)
{
    report_warning(
        m,
        "%u texture image%s cannot be read (missing, damaged, an address, outside the scene's folder, or none of PNG, "
        "JPEG and WebP); the material's colour factor stands in.",
        m->lost_textures, m->lost_textures == 1 ? "" : "s");
}

/* One more material than the file has, glTF's default, stands last. */
etna_code materials_read(importer *m, etna_error *err)
{
    uint32_t count = m->doc.material_count;
    etna_arena *arena = &m->own->arena;
    m->materials =
        etna_arena_alloc(arena, (size_t)count + 1, sizeof *m->materials);
    /* at most two a material */
    m->textures =
        etna_arena_alloc(arena, 2 * (size_t)count + 1, sizeof *m->textures);
    m->material_uv = etna_arena_alloc(&m->doc.arena, (size_t)count + 1,
                                      sizeof *m->material_uv);
    m->material_map = etna_arena_alloc(&m->doc.arena, (size_t)count + 1,
                                       sizeof *m->material_map);
    texture_index known;
    bool has_materials = m->materials && m->material_uv && m->material_map;
    bool has_textures = texture_index_init(m, count, &known) && m->textures;
    if (!has_materials || !has_textures) {
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u materials",
                         count);
    }
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        code = read_material(m, i, &known, err);
    }
    m->materials[count] = (scene_material){.name = "",
                                           .base_colour = {1, 1, 1, 1},
                                           .texture = SCENE_NONE,
                                           .emissive_texture = SCENE_NONE,
                                           .roughness = 1};
    m->s->material_count = count + 1;
    if (m->lost_textures)
        warn_of_lost_textures(m);
    return code;
}
