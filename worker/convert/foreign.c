/* Assimp, with files opened by us: its own file access would follow any name
 * that a scene holds. */
#include "proto/ascii.h"
#include "worker/convert/foreign_internal.h"
#include "worker/convert/source.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/metadata.h>
#include <assimp/postprocess.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- files for Assimp ---- */

typedef struct memory_file {
    struct aiFile base;
    uint8_t *data;
    size_t size, at;
} memory_file;

static memory_file *memory_file_of(struct aiFile *file)
{
    return (memory_file *)(void *)file->UserData;
}

/* fread's contract: whole items only. */
static size_t foreign_file_read(struct aiFile *file,
                                char *to,
                                size_t size,
                                size_t count)
{
    memory_file *m = memory_file_of(file);
    size_t left = m->size - m->at;
    size_t whole = size ? left / size : 0;
    if (whole > count)
        whole = count;
    memcpy(to, m->data + m->at, whole * size);
    m->at += whole * size;
    return whole;
}

static size_t foreign_file_write(struct aiFile *file,
                                 const char *from,
                                 size_t size,
                                 size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t file_tell(struct aiFile *file)
{
    return memory_file_of(file)->at;
}
static size_t foreign_file_size(struct aiFile *file)
{
    return memory_file_of(file)->size;
}
static void file_flush(struct aiFile *file)
{
    (void)file;
}

static aiReturn file_seek(struct aiFile *file,
                          size_t offset,
                          enum aiOrigin origin)
{
    memory_file *m = memory_file_of(file);
    size_t from = origin == aiOrigin_CUR ? m->at : m->size;
    if (origin == aiOrigin_SET)
        from = 0;
    /* a negative offset comes as a large one and wraps */
    size_t to = from + offset;
    if (to > m->size)
        return aiReturn_FAILURE;
    m->at = to;
    return aiReturn_SUCCESS;
}

static bool begins_number(const uint8_t *at, const uint8_t *begin)
{
    bool is_point = at > begin && at[0] == '.';
    if (!is_point || !ascii_is_digit(at[1]))
        return false;
    return memchr(" \t-+", at[-1], 4) != NULL;
}

/* The line that ends at `at` has a backslash there. */
static bool goes_on(const uint8_t *at, const uint8_t *begin)
{
    if (at > begin && at[-1] == '\r')
        at--;
    return at > begin && at[-1] == '\\';
}

/* Writes the mended text to `to` unless it is NULL, and returns its size;
 * *changed is set where it is another. */
static size_t mend_obj_into(const uint8_t *from,
                            size_t size,
                            uint8_t *to,
                            bool *changed)
{
    bool vertex = false, fresh = true; /* fresh: a line begins here */
    size_t n = 0;
    for (const uint8_t *at = from; at < from + size; at++) {
        bool is_blank = *at == ' ' || *at == '\t';
        if (fresh && is_blank) {
            *changed = true;
            continue;
        }
        if (fresh)
            vertex = *at == 'v';
        if (vertex && begins_number(at, from)) {
            *changed = true;
            if (to)
                to[n] = '0';
            n++;
        }
        if (to)
            to[n] = *at;
        n++;
        fresh = *at == '\n' && !goes_on(at, from);
    }
    return n;
}

/* What is right in an OBJ but Assimp does not read: of vertices as ".4 -.5 1"
 * it counts no such number, so each gets its zero; of lines that begin with
 * blanks it knows no vertex, so they go (but for a line that goes on with the
 * one before). There is a NUL behind the data, before and after. */
static bool mend_obj(uint8_t **data, size_t *size)
{
    bool changed = false;
    size_t mended_size = mend_obj_into(*data, *size, NULL, &changed);
    if (!changed)
        return true;
    uint8_t *mended = malloc(mended_size + 1);
    if (!mended)
        return false;
    mend_obj_into(*data, *size, mended, &changed);
    mended[mended_size] = 0;
    free(*data);
    *data = mended;
    *size = mended_size;
    return true;
}

/* Called by Assimp for every name that a scene holds: only what source.h lets
 * through is opened, and never for writing. */
static struct aiFile *open_file(struct aiFileIO *io,
                                const char *name,
                                const char *mode)
{
    source *files = (source *)(void *)io->UserData;
    memory_file *m = strchr(mode, 'w') ? NULL : calloc(1, sizeof *m);
    while (name[0] == '.' && (name[1] == '/' || name[1] == '\\'))
        name += 2;
    if (!m || !source_read(files, name, &m->data, &m->size)) {
        free(m);
        return NULL;
    }
    if (source_ends_with(name, ".obj") && !mend_obj(&m->data, &m->size)) {
        free(m->data);
        free(m);
        return NULL;
    }
    m->base = (struct aiFile){.ReadProc = foreign_file_read,
                              .WriteProc = foreign_file_write,
                              .TellProc = file_tell,
                              .FileSizeProc = foreign_file_size,
                              .SeekProc = file_seek,
                              .FlushProc = file_flush,
                              .UserData = (char *)m};
    return &m->base;
}

static void close_file(struct aiFileIO *io, struct aiFile *file)
{
    memory_file *m = memory_file_of(file);
    (void)io;
    free(m->data);
    free(m);
}

/* ---- the import ---- */

/* Not validated by Assimp: it refuses whole scenes for a stray line, and what
 * we read of its scene is checked here. */
static const struct aiScene *foreign_import(foreign *f)
{
    struct aiFileIO io = {.OpenProc = open_file,
                          .CloseProc = close_file,
                          .UserData = (char *)(void *)f->files};
    struct aiPropertyStore *store = aiCreatePropertyStore();
    if (!store)
        return NULL;
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS,
                               0); /* else each pivot becomes a node */
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, 0);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_FBX_READ_LIGHTS, 0);
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    aiSetImportPropertyInteger(store,
                               AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION,
                               f->options->up != 0);
    aiSetImportPropertyInteger(store,
                               AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES,
                               1); /* what people see, not ids */
    const struct aiScene *scene =
        aiImportFileExWithProperties(f->name, 0, &io, store);
    aiReleasePropertyStore(store);
    return scene;
}

/* Assimp clips a face corner by corner, each time over all that are left: of a
 * face of n corners it makes triangles in the time of n x n. */
static etna_code foreign_check_faces(const foreign *f, etna_error *err)
{
    const double clipped_most = 1e10; /* about half a minute */
    double clipped = 0;
    unsigned largest = 0;
    for (unsigned m = 0; m < f->scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = f->scene->mMeshes[m];
        for (unsigned i = 0; i < mesh->mNumFaces; i++) {
            unsigned corners = mesh->mFaces[i].mNumIndices;
            clipped += corners > 4 ? (double)corners * corners : 0;
            if (corners > largest)
                largest = corners;
        }
    }
    if (clipped <= clipped_most)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_LIMIT,
        "its faces have too many corners (one has %u); divide them into triangles in a "
        "modelling program",
        largest);
}

static void foreign_blank_controls(char *text)
{
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
    }
}

/* What Assimp says is a line, mostly; names of its own classes and steps are of
 * no use. */
static etna_code foreign_explain(const foreign *f, etna_error *err)
{
    const char *text = aiGetErrorString();
    if (f->files->refusal.code != ETNA_OK)
        return etna_fail(err, f->files->refusal.code, "%s",
                         f->files->refusal.text);
    if (text && strcmp(text, "std::bad_alloc") == 0)
        text = "it asks for more memory than there is";
    etna_fail(err, ETNA_E_INPUT, "it cannot be read: %s",
              text && text[0] ? text : "no known format");
    if (err)
        foreign_blank_controls(err->text);
    return ETNA_E_INPUT;
}

/* The word on a line of its own, or NULL. There is a NUL behind the data. */
static const char *ply_end(const char *data, size_t size)
{
    static const char word[] = "end_header";
    for (const char *at = data;
         (at = memmem(at, size - (size_t)(at - data), word, sizeof word - 1));
         at++) {
        const char *before = at;
        const char *behind = at + sizeof word - 1;
        while (before > data && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        behind += strspn(behind, " \t");
        bool begins =
            before > data && (before[-1] == '\n' || before[-1] == '\r');
        bool ends = *behind == '\n' || *behind == '\r';
        if (begins && ends)
            return at;
    }
    return NULL;
}

/* A PLY's header promises numbers of elements, and room is made for them before
 * the first is read: each takes a byte at least. Of a header without an end
 * Assimp looks for the end for ever. */
static etna_code check_ply(const foreign *f, etna_error *err)
{
    size_t size = 0;
    uint8_t *data = NULL;
    etna_code code = ETNA_OK;
    if (!source_ends_with(f->name, ".ply") ||
        !source_read(f->files, f->name, &data, &size))
        return ETNA_OK;
    const char *end = ply_end((const char *)data, size);
    if (!end)
        code = etna_fail(err, ETNA_E_INPUT,
                         "its header does not end; is the file cut off?");
    for (const char *at = (const char *)data;
         code == ETNA_OK && end &&
         (at = memmem(at, (size_t)(end - at), "element ", 8));) {
        /* there is a NUL behind the data */
        const char *number = at + 8 + strcspn(at + 8, " \n");
        double count = *number == ' ' ? strtod(number, NULL) : 0;
        if (count > (double)size) {
            code = etna_fail(
                err, ETNA_E_INPUT,
                "its header promises %.0f elements, more than its %zu bytes can hold",
                count, size);
        }
        at += 8;
    }
    free(data);
    return code;
}

static bool generator_is(const struct aiMetadata *data, const char *program)
{
    bool found = false;
    for (unsigned i = 0; i < data->mNumProperties; i++) {
        bool is_text = data->mValues[i].mType == AI_AISTRING;
        if (!is_text ||
            strcmp(data->mKeys[i].data, "SourceAsset_Generator") != 0)
            continue;
        found = strstr(((const struct aiString *)data->mValues[i].mData)->data,
                       program) != NULL;
    }
    return found;
}

/* Did Blender write the file? FBX and COLLADA name their generator, an OBJ in its
 * first comment. False for a library's model, whose colours are sRGB in any
 * case. */
static bool by_blender(const foreign *f)
{
    const struct aiMetadata *data =
        f->options->model ? NULL : f->scene->mMetaData;
    size_t size = 0;
    uint8_t *text = NULL;
    bool found = data && generator_is(data, "Blender");
    if (found || f->options->model || !source_ends_with(f->name, ".obj"))
        return found;
    if (!source_read(f->files, f->name, &text, &size))
        return false;
    size_t line = strcspn((const char *)text, "\n");
    found = text[0] == '#' && memmem(text, line, "Blender", 7) != NULL;
    free(text);
    return found;
}

/* What Assimp read, as glTF. */
static etna_code foreign_write(foreign *f, etna_error *err)
{
    if (f->files->refusal.code != ETNA_OK || !f->scene->mRootNode)
        return foreign_explain(f, err);
    f->linear_colours = by_blender(f);
    etna_code code = foreign_materials(f, err);
    if (code == ETNA_OK)
        code =
            f->options->model ? foreign_object(f, err) : foreign_nodes(f, err);
    if (code == ETNA_OK && f->triangles == 0) {
        code = etna_fail(err, ETNA_E_INPUT, "it has no triangles%s",
                         f->ignored ? ", only points or lines" : "");
    }
    return code;
}

/* Joining equal corners happens after triangles are made: it needs faces of one
 * kind. Each step can replace or release the scene. */
etna_code foreign_convert(source *files,
                          const char *name,
                          const foreign_options *options,
                          glb *out,
                          etna_error *err)
{
    foreign f = {.files = files,
                 .options = options,
                 .name = name,
                 .out = out,
                 .turn = affine_identity()};
    etna_code code = check_ply(&f, err);
    if (code != ETNA_OK)
        return code;
    if (!(f.scene = foreign_import(&f)))
        return foreign_explain(&f, err);
    code = foreign_check_faces(&f, err);
    if (code != ETNA_OK) {
        aiReleaseImport(f.scene);
        return code;
    }
    const unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType |
                           aiProcess_JoinIdenticalVertices;
    f.scene = aiApplyPostProcessing(f.scene, steps);
    if (!f.scene) /* it released what it was given */
        return foreign_explain(&f, err);
    code = foreign_write(&f, err);
    if (f.ignored)
        glb_say(out, false, "%u meshes of points or lines are left out.",
                f.ignored);
    for (uint32_t i = 0; i < f.picture_count; i++)
        free(f.pictures[i].name);
    free(f.pictures);
    free(f.materials);
    aiReleaseImport(f.scene);
    return code;
}
