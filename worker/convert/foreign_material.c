/* Materials of the older formats: colours as a screen shows them become linear
 * ones (Blender writes linear ones), and a picture replaces the colour, as in
 * the programs that wrote it: many leave 0.8 or black beside the picture. */
#include "worker/convert/foreign_internal.h"
#include "worker/convert/picture.h"
#include "worker/math/colour.h"

#include <assimp/material.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURES_MAX = 4096
};

/* ---- pictures ---- */

/* A height of 0 says that the bytes are a file; else they are texels, BGRA in a
 * struct. */
static bool foreign_embedded(foreign *f,
                             const struct aiTexture *t,
                             picture *ret)
{
    if (t->mHeight == 0)
        return picture_convert((const uint8_t *)t->pcData, t->mWidth, ret);
    size_t texels = (size_t)t->mWidth * t->mHeight;
    uint8_t *rgba =
        t->mWidth <= 16384 && t->mHeight <= 16384 ? malloc(texels * 4) : NULL;
    for (size_t i = 0; rgba && i < texels; i++) {
        const struct aiTexel *c = &t->pcData[i];
        const uint8_t texel[4] = {c->r, c->g, c->b, c->a};
        memcpy(rgba + 4 * i, texel, 4);
    }
    bool ok = rgba && picture_from_rgba(rgba, t->mWidth, t->mHeight, ret);
    free(rgba);
    (void)f;
    return ok;
}

/* "*3", or the name of a file that was packed into the scene's. */
static const struct aiTexture *find_embedded(const foreign *f, const char *name)
{
    const struct aiScene *s = f->scene;
    if (name[0] == '*') {
        unsigned long index = strtoul(name + 1, NULL, 10);
        return index < s->mNumTextures ? s->mTextures[index] : NULL;
    }
    for (unsigned i = 0; i < s->mNumTextures; i++) {
        if (s->mTextures[i]->mFilename.length &&
            strcmp(s->mTextures[i]->mFilename.data, name) == 0)
            return s->mTextures[i];
    }
    return NULL;
}

/* A picture that cannot be had is told once: later materials find it as
 * known. */
static void load_picture(foreign *f, const char *name, known_picture *ret)
{
    const struct aiTexture *inside = find_embedded(f, name);
    uint8_t *data = NULL;
    size_t size = 0;
    picture p = {0};
    bool read = !inside && source_read_picture(f->files, name, &data, &size);
    if (inside ? foreign_embedded(f, inside, &p)
               : read && picture_convert(data, size, &p)) {
        ret->picture = glb_picture(f->out, p.mime, p.data, p.size);
        ret->alpha = p.alpha;
    } else {
        glb_say(
            f->out, true,
            "Picture \"%.200s\" %s; the material's colour stands in.", name,
            inside || read
                ? "is of a kind that cannot be read (PNG, JPEG, TGA, BMP, GIF, PSD and HDR can)"
                : source_missing_picture(f->files, name));
    }
    free(p.owned);
    free(data);
}

static const known_picture *foreign_find_picture(foreign *f, const char *name)
{
    for (uint32_t i = 0; i < f->picture_count; i++) {
        if (strcmp(f->pictures[i].name, name) == 0)
            return &f->pictures[i];
    }
    if (f->picture_count >= PICTURES_MAX)
        return NULL;
    known_picture *p = &f->pictures[f->picture_count];
    *p = (known_picture){.name = strdup(name), .picture = GLB_NONE};
    if (!p->name)
        return NULL;
    f->picture_count++;
    load_picture(f, name, p);
    return p;
}

/* ---- materials ---- */

static uint32_t foreign_wrap(enum aiTextureMapMode mode)
{
    if (mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal)
        return 33071;
    return mode == aiTextureMapMode_Mirror ? 33648 : 10497;
}

/* Our v runs down, Assimp's up: v' = s v + t there is 1 - v' = s (1 - v) + (1 -
 * s - t) here. */
static void take_transform(const struct aiMaterial *m,
                           enum aiTextureType type,
                           glb_material *to)
{
    struct aiUVTransform t;
    if (aiGetMaterialUVTransform(m, AI_MATKEY_UVTRANSFORM(type, 0), &t) !=
        aiReturn_SUCCESS)
        return;
    double s[2] = {(double)t.mScaling.x, (double)t.mScaling.y};
    double o[2] = {(double)t.mTranslation.x, (double)t.mTranslation.y};
    for (int k = 0; k < 2; k++) {
        if (!(fabs(s[k]) <= 1e6) || !(fabs(o[k]) <= 1e6) || s[k] == 0)
            return;
    }
    to->scale[0] = s[0];
    to->scale[1] = s[1];
    to->offset[0] = o[0];
    to->offset[1] = 1 - s[1] - o[1];
    bool is_scaled = s[0] != 1 || s[1] != 1;
    to->transformed = is_scaled || to->offset[0] != 0 || to->offset[1] != 0;
}

/* The first picture that can be read; PBR's name before the older one. */
static void take_picture(foreign *f,
                         const struct aiMaterial *m,
                         glb_material *to,
                         unsigned *ret_uv)
{
    static const enum aiTextureType types[] = {aiTextureType_BASE_COLOR,
                                               aiTextureType_DIFFUSE};
    for (size_t i = 0; i < 2; i++) {
        struct aiString path;
        enum aiTextureMapMode modes[2] = {aiTextureMapMode_Wrap,
                                          aiTextureMapMode_Wrap};
        unsigned uv = 0;
        if (aiGetMaterialTexture(m, types[i], 0, &path, NULL, &uv, NULL, NULL,
                                 modes, NULL) != aiReturn_SUCCESS)
            continue;
        const known_picture *p = foreign_find_picture(f, path.data);
        if (!p || p->picture == GLB_NONE)
            continue;
        to->picture = p->picture;
        to->cutout = p->alpha;
        to->wrap_s = foreign_wrap(modes[0]);
        to->wrap_t = foreign_wrap(modes[1]);
        take_transform(m, types[i], to);
        for (int k = 0; k < 3; k++)
            to->colour[k] = 1;
        *ret_uv = uv < AI_MAX_NUMBER_OF_TEXTURECOORDS ? uv : 0;
        return;
    }
}

static void foreign_take_colour(const foreign *f,
                                const struct aiMaterial *m,
                                glb_material *to)
{
    struct aiColor4D c;
    ai_real opacity = 1;
    bool base =
        aiGetMaterialColor(m, AI_MATKEY_BASE_COLOR, &c) == aiReturn_SUCCESS;
    if (base || aiGetMaterialColor(m, AI_MATKEY_COLOR_DIFFUSE, &c) ==
                    aiReturn_SUCCESS) {
        const ai_real rgb[3] = {c.r, c.g, c.b};
        for (int k = 0; k < 3; k++) {
            double value = rgb[k] > 0 ? math_min((double)rgb[k], 1) : 0;
            to->colour[k] = base || f->linear_colours
                                ? value
                                : colour_srgb_to_linear(value);
        }
    }
    /* 0 is how exporters that mix up opacity and transparency say "opaque" */
    if (aiGetMaterialFloatArray(m, AI_MATKEY_OPACITY, &opacity, NULL) ==
            aiReturn_SUCCESS &&
        opacity > 0 && opacity < 1) {
        to->colour[3] = (double)opacity;
        to->blend = opacity < (ai_real)0.999;
    }
}

/* A grey of 0.6 for what says no colour at all: white would look like paper. */
etna_code foreign_materials(foreign *f, etna_error *err)
{
    const struct aiScene *s = f->scene;
    f->materials = calloc((size_t)s->mNumMaterials + 1, sizeof *f->materials);
    f->pictures = calloc(PICTURES_MAX, sizeof *f->pictures);
    if (!f->materials || !f->pictures)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %u materials",
                         s->mNumMaterials);
    for (unsigned i = 0; i < s->mNumMaterials; i++) {
        struct aiString name = {0};
        glb_material to = {
            .colour = {0.6, 0.6, 0.6, 1}, .picture = GLB_NONE, .scale = {1, 1}};
        (void)aiGetMaterialString(s->mMaterials[i], AI_MATKEY_NAME, &name);
        to.name = name.data;
        foreign_take_colour(f, s->mMaterials[i], &to);
        take_picture(f, s->mMaterials[i], &to, &f->materials[i].uv);
        f->materials[i].has_picture = to.picture != GLB_NONE;
        f->materials[i].index = glb_add_material(f->out, &to);
    }
    if (f->files->refusal.code != ETNA_OK)
        return etna_fail(err, f->files->refusal.code, "%s",
                         f->files->refusal.text);
    return ETNA_OK;
}
