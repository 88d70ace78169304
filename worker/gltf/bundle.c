/* Gathering a scene's files into one blob, where the files are. The scene's
 * text is hostile: what it names is opened beneath the scene's folder only, by
 * the kernel's own rule (openat2) where the kernel has it. */
#include "worker/gltf/bundle.h"

#include "proto/ascii.h"
#include "proto/canon.h"
#include "proto/fd.h"
#include "worker/gltf/gltf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The second form has the main file at a multiple of 4, as GLB wants to be read
 * in place; the first is still read. */
static const char MAGIC[8] = {'E', 'T', 'N', 'A', 'B', 'U', 'N', '2'},
                  MAGIC_1[8] = {'E', 'T', 'N', 'A', 'B', 'U', 'N', '1'};
static const uint8_t PADDING[3] = {
    0}; /* after magic, f64 and u8, before the main file's u32 length */
#define OPTIONS_COOKIE 0x5ce0e001u
#define BUNDLE_MAX ((size_t)3 << 30) /* bytes of one file, and of all */
enum {
    FRAME_ROOM = 1 << 16
}; /* bytes around the main file's in most bundles: a side file, no other */
/* files that a scene may name; files that decoding may add, one an accessor or
 * view */
enum {
    URI_MAX = 4096,
    FILES_MAX = 100000,
    MADE_FILES_MAX = 4000000
};

scene_options scene_options_default(void)
{
    return (scene_options){.cookie = OPTIONS_COOKIE};
}

static etna_code check_options(const scene_options *options, etna_error *err)
{
    if (options->cookie != OPTIONS_COOKIE) {
        return etna_fail(
            err, ETNA_E_INTERNAL,
            "scene options were not made by scene_options_default()");
    }
    if (options->metres_per_unit != 0 && !(options->metres_per_unit >= 1e-9 &&
                                           options->metres_per_unit <= 1e9)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "metres per unit: %g is not between 1e-9 and 1e9",
                         options->metres_per_unit);
    }
    if (options->up && options->up != 'Y' && options->up != 'Z') {
        return etna_fail(err, ETNA_E_USAGE, "up axis: only Y and Z are known");
    }
    return ETNA_OK;
}

/* ---- files ---- */

/* A FIFO or a device is refused before it is read: it would block or never
 * end. */
static etna_code bundle_file_size(int fd,
                                  const char *path,
                                  size_t *ret,
                                  etna_error *err)
{
    struct stat st = {0};
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return etna_fail(err, ETNA_E_INPUT, "%s: %s", path,
                         S_ISDIR(st.st_mode) ? "is a folder; give a file in it"
                                             : "not a regular file");
    }
    if ((uint64_t)st.st_size > BUNDLE_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "%s: %lld bytes are more than the %zu this reads",
                         path, (long long)st.st_size, BUNDLE_MAX);
    }
    *ret = (size_t)st.st_size;
    return ETNA_OK;
}

/* At most `room` bytes: a file may have become shorter, or longer, since it was
 * asked for its size. */
static etna_code bundle_fill_from(int fd,
                                  const char *path,
                                  uint8_t *at,
                                  size_t room,
                                  size_t *ret_size,
                                  etna_error *err)
{
    const ssize_t size = fd_read(fd, at, room);
    if (size < 0) {
        return etna_fail(err, ETNA_E_INPUT, "%s: cannot be read: %s", path,
                         strerror(errno));
    }
    *ret_size = (size_t)size;
    return ETNA_OK;
}

/* Closes the descriptor in every case. */
etna_code bundle_map_file(int fd,
                          const char *path,
                          const uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err)
{
    size_t size = 0;
    void *data = NULL;
    etna_code code = bundle_file_size(fd, path, &size, err);
    if (code == ETNA_OK && size > 0) {
        data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (data == MAP_FAILED) {
        code = etna_fail(err, ETNA_E_INPUT, "%s: cannot be read: %s", path,
                         strerror(errno));
    }
    close(fd);
    if (code != ETNA_OK) {
        return code;
    }
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

void bundle_unmap_file(const uint8_t *data, size_t size)
{
    if (data) {
        munmap((void *)(uintptr_t)data, size);
    }
}

/* Closes the descriptor in every case. */
etna_code bundle_read_file(int fd,
                           const char *path,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    uint8_t *data = NULL;
    size_t room = 0;
    etna_code code = bundle_file_size(fd, path, &room, err);
    if (code == ETNA_OK && !(data = malloc(room + 1))) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %zu bytes", path,
                         room);
    }
    if (code == ETNA_OK) {
        code = bundle_fill_from(fd, path, data, room, ret_size, err);
    }
    close(fd);
    if (code != ETNA_OK) {
        free(data);
        return code;
    }
    *ret_data = data;
    return ETNA_OK;
}

/* Makes room for `size` bytes more, without writing any. A large first room
 * gets its pages at once, which costs a third of a fault for each; large pages
 * would cost less still, but where memory is in pieces the kernel first tidies
 * for 50 ms. */
static bool writer_room(canon_writer *w, size_t size)
{
    const size_t page = 4096;
    const size_t large = (size_t)4 << 20;
    size_t wanted = w->size + size;
    if (wanted <= w->capacity) {
        return true;
    }
    uint8_t *data;
    if (!w->data && wanted >= large) {
        wanted = (wanted + page - 1) & ~(page - 1);
        if ((data = aligned_alloc(page, wanted)) != NULL) {
            (void)madvise(data, wanted, MADV_POPULATE_WRITE);
        }
    } else {
        wanted += wanted / 2; /* one file after the other */
        data = realloc(w->data, wanted);
    }
    if (!data) {
        w->failed = true;
        return false;
    }
    w->data = data;
    w->capacity = wanted;
    return true;
}

/* Appends a file's bytes as canon_bytes would, read to where they belong;
 * closes it. Nothing is appended on failure. */
static etna_code append_file(canon_writer *w,
                             int fd,
                             const char *path,
                             etna_error *err)
{
    size_t room = 0, size = 0;
    size_t begin = w->size;
    etna_code code = bundle_file_size(fd, path, &room, err);
    if (code == ETNA_OK && !writer_room(w, 4 + room)) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %zu bytes", path,
                         room);
    }
    if (code == ETNA_OK) {
        code =
            bundle_fill_from(fd, path, w->data + begin + 4, room, &size, err);
    }
    close(fd);
    if (code == ETNA_OK) {
        canon_u32(w, (uint32_t)size);
        w->size += size;
    }
    return code;
}

/* Without openat2: component by component, no "..", no symbolic link. Stricter
 * than the kernel's rule, never laxer. */
static int open_beneath_by_steps(int folder, const char *path)
{
    char part[URI_MAX + 1];
    int at = dup(folder);
    while (at >= 0 && *path) {
        size_t n = strcspn(path, "/");
        memcpy(part, path, n);
        part[n] = 0;
        path += n + (path[n] == '/');
        bool last = *path == 0;
        if (strcmp(part, "..") == 0) {
            close(at);
            errno = EXDEV;
            return -1;
        }
        if (n == 0 || strcmp(part, ".") == 0) {
            continue;
        }
        int next = openat(at, part,
                          O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
                              O_NOCTTY | (last ? 0 : O_DIRECTORY));
        int saved = errno;
        close(at);
        errno = saved == ELOOP || saved == EMLINK ? EXDEV : saved;
        at = next;
    }
    return at;
}

/* EPERM is what sandboxes say instead of ENOSYS. */
int bundle_open_beneath(int folder, const char *path)
{
    struct open_how how = {.flags =
                               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
        return open_beneath_by_steps(folder, path);
    }
    return (int)fd;
}

/* The next byte of a URI, percent-decoded; a lone '%' is itself. Advances past
 * it. */
static int uri_take_byte(const char **uri)
{
    const char *at = *uri;
    int high = *at == '%' ? ascii_hex(at[1]) : -1;
    int low = high >= 0 ? ascii_hex(at[2]) : -1;
    *uri += low >= 0 ? 3 : 1;
    return low >= 0 ? high * 16 + low : (unsigned char)*at;
}

/* A relative reference to a path: percent-decoding, no scheme, nothing
 * absolute, no NUL. */
static bool uri_path(const char *uri, char path[URI_MAX + 1])
{
    size_t scheme = strcspn(uri, ":/?#");
    size_t n = 0;
    bool has_scheme = uri[scheme] == ':' && scheme > 1;
    bool is_rooted = uri[0] == '/' || uri[0] == 0;
    if (has_scheme || is_rooted || strlen(uri) > URI_MAX) {
        return false;
    }
    while (*uri) {
        int value = uri_take_byte(&uri);
        if (value == 0) {
            return false;
        }
        path[n++] = (char)value;
    }
    path[n] = 0;
    return path[0] != '/';
}

/* ---- writing ---- */

typedef struct gathering {
    int folder;
    const char *scene; /* for messages */
    /* the bundle; ends with the files when these are gathered */
    canon_writer out;
    uint32_t count;
    size_t begin; /* of the files */
    json_t *seen; /* an object: the URIs already taken */
} gathering;

/* Says by errno why a file could not be opened. */
static void gathering_refuse(const gathering *g,
                             const char *uri,
                             const char *what,
                             size_t index,
                             etna_error *err)
{
    bool leads_out = errno == EXDEV || errno == ELOOP;
    if (leads_out) {
        etna_fail(
            err, ETNA_E_INPUT,
            "%s: %s %zu names \"%.200s\", a file outside the scene's folder; copy it there",
            g->scene, what, index, uri);
        return;
    }
    etna_fail(err, ETNA_E_INPUT, "%s: %s %zu names \"%.200s\": %s", g->scene,
              what, index, uri, strerror(errno));
}

/* Opens what the URI names; -1 and an error (ETNA_E_INPUT) where it can't
 * be. */
static int gathering_open(const gathering *g,
                          const char *uri,
                          char path[URI_MAX + 1],
                          const char *what,
                          size_t index,
                          etna_error *err)
{
    if (!uri_path(uri, path)) {
        etna_fail(
            err, ETNA_E_INPUT,
            "%s: %s %zu names \"%.200s\"; only files beneath the scene's folder are read",
            g->scene, what, index, uri);
        return -1;
    }
    int fd = bundle_open_beneath(g->folder, path);
    if (fd < 0)
        gathering_refuse(g, uri, what, index, err);
    return fd;
}

static etna_code gathering_no_memory(const gathering *g, etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "%s: no memory", g->scene);
}

/* Appends the file once, however often it is named. What is not `needed` (an
 * image) may be missing. */
static etna_code gathering_take(gathering *g,
                                const char *uri,
                                const char *what,
                                size_t index,
                                bool needed,
                                etna_error *err)
{
    char path[URI_MAX + 1];
    if (json_object_get(g->seen, uri)) {
        return ETNA_OK;
    }
    int fd = gathering_open(g, uri, path, what, index, needed ? err : NULL);
    if (fd < 0)
        return needed ? ETNA_E_INPUT : ETNA_OK;
    size_t before = g->out.size;
    canon_text(&g->out, uri);
    etna_code code = g->out.failed ? gathering_no_memory(g, err)
                                   : append_file(&g->out, fd, path, err);
    if (g->out.failed) {
        return code;
    }
    if (code != ETNA_OK) {
        g->out.size = before;
        bool is_fatal = needed || code == ETNA_E_NOMEM;
        return is_fatal
                   ? etna_error_prefix(err, "%s: %s %zu", g->scene, what, index)
                   : ETNA_OK;
    }
    if (g->out.size - g->begin > BUNDLE_MAX || g->count >= FILES_MAX) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "%s: its files are more than %zu bytes or %d in number", g->scene,
            BUNDLE_MAX, (int)FILES_MAX);
    }
    g->count++;
    bool is_noted = json_object_set_new(g->seen, uri, json_true()) == 0;
    return is_noted ? ETNA_OK : gathering_no_memory(g, err);
}

/* `needed`: a missing buffer is an error, a missing image a warning of the
 * import. */
static etna_code gather_all(gathering *g,
                            const json_t *root,
                            const char *list,
                            const char *what,
                            bool needed,
                            etna_error *err)
{
    const json_t *items = json_object_get(root, list);
    etna_code code = ETNA_OK;
    for (size_t i = 0; code == ETNA_OK && i < json_array_size(items); i++) {
        const char *uri = gltf_text(json_array_get(items, i), "uri");
        if (uri && strncmp(uri, "data:", 5) != 0) {
            code = gathering_take(g, uri, what, i, needed, err);
        }
    }
    return code;
}

/* ---- the bytes before and behind the main file's ---- */
static void write_begin(canon_writer *w, const scene_options *options)
{
    canon_raw(w, MAGIC, sizeof MAGIC);
    canon_f64(w, options->metres_per_unit);
    canon_u8(w, (uint8_t)options->up);
    canon_raw(w, PADDING, sizeof PADDING);
}

static void write_side(canon_writer *w, const uint8_t *side, size_t side_size)
{
    canon_u8(w, side != NULL);
    canon_bytes(w, side, side ? side_size : 0);
}

/* How many files follow; written when they are gathered. */
static void write_count(canon_writer *w, size_t at, uint32_t count)
{
    for (int i = 0; i < 4; i++) {
        w->data[at + (size_t)i] = (uint8_t)(count >> (8 * i));
    }
}

etna_code bundle_from_glb(const uint8_t *glb,
                          size_t glb_size,
                          const scene_options *options,
                          uint8_t **ret_data,
                          size_t *ret_size,
                          etna_error *err)
{
    return bundle_around(glb, glb_size, NULL, 0, options, ret_data, ret_size,
                         err);
}

/* The count is rewritten in the copy; the files of the bundle keep their places
 * before the new ones. */
etna_code bundle_add_files(const uint8_t *bundle,
                           size_t size,
                           uint32_t count,
                           const uint8_t *files,
                           size_t files_size,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    etna_arena arena = {0};
    bundle_view view;
    canon_writer w = {0};
    etna_code code = bundle_open(bundle, size, &arena, &view, err);
    if (code != ETNA_OK) {
        etna_arena_free(&arena);
        return code;
    }
    const size_t head = view.files_at;
    if (size > BUNDLE_MAX || files_size > BUNDLE_MAX - size ||
        (uint64_t)view.file_count + count > MADE_FILES_MAX) {
        code = etna_fail(
            err, ETNA_E_LIMIT,
            "the scene and its decoded geometry are more than %zu bytes",
            BUNDLE_MAX);
    } else {
        canon_raw(&w, bundle, head);
        canon_u32(&w, view.file_count + count);
        canon_raw(&w, bundle + head + 4, size - head - 4);
        canon_raw(&w, files, files_size);
        if (w.failed) {
            canon_writer_free(&w);
            code = etna_fail(err, ETNA_E_NOMEM,
                             "no memory for a bundle of %zu bytes",
                             size + files_size);
        }
    }
    etna_arena_free(&arena);
    if (code == ETNA_OK) {
        *ret_data = w.data;
        *ret_size = w.size;
    }
    return code;
}

/* The models of a library share its file, not their side files. */
static const char *extension_of(const char *name)
{
    return strcasestr(name, ".sh3f#") ? NULL : strrchr(name, '.');
}

/* SCENE.etna.json first, then SCENE.glb.etna.json: two scenes of one stem can
 * have one each. None is fine, one that cannot be opened is not. */
etna_code bundle_read_side(int folder,
                           const char *name,
                           uint8_t **ret_data,
                           size_t *ret_size,
                           etna_error *err)
{
    char path[URI_MAX + 1];
    const char *dot = extension_of(name);
    for (int attempt = 0; attempt < 2; attempt++) {
        size_t stem = attempt == 0 && dot ? (size_t)(dot - name) : strlen(name);
        if (stem + 11 > URI_MAX) {
            continue;
        }
        memcpy(path, name, stem);
        memcpy(path + stem, ".etna.json", 11);
        int fd =
            openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd >= 0) {
            return bundle_read_file(fd, path, ret_data, ret_size, err);
        }
        if (errno != ENOENT) {
            return etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s",
                             path, strerror(errno));
        }
    }
    return ETNA_OK;
}

/* O_PATH: the right to search it is enough. -1: it cannot be opened, or no
 * memory. */
int bundle_open_folder(const char *path, const char **ret_name)
{
    const char *slash = strrchr(path, '/');
    *ret_name = slash ? slash + 1 : path;
    if (!slash) {
        return open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    int fd = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    return fd;
}

etna_code bundle_around(const uint8_t *glb,
                        size_t glb_size,
                        const uint8_t *side,
                        size_t side_size,
                        const scene_options *options,
                        uint8_t **ret_data,
                        size_t *ret_size,
                        etna_error *err)
{
    scene_options chosen = options ? *options : scene_options_default();
    etna_code code = check_options(&chosen, err);
    if (code == ETNA_OK && glb_size > BUNDLE_MAX) {
        code = etna_fail(err, ETNA_E_LIMIT,
                         "%zu bytes are more than the %zu this reads", glb_size,
                         BUNDLE_MAX);
    }
    if (code != ETNA_OK) {
        return code;
    }
    canon_writer w = {0};
    write_begin(&w, &chosen);
    canon_bytes(&w, glb, glb_size);
    write_side(&w, side, side_size);
    canon_u32(&w, 0);
    if (w.failed) {
        canon_writer_free(&w);
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a bundle of %zu bytes", glb_size);
    }
    *ret_data = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

/* The main file and the JSON in it. Closes the file. */
static etna_code read_main(gathering *g,
                           int fd,
                           const char *path,
                           const scene_options *options,
                           json_t **ret_root,
                           etna_error *err)
{
    size_t room = 0;
    gltf_chunks chunks;
    etna_code code = bundle_file_size(fd, path, &room, err);
    if (code == ETNA_OK && !writer_room(&g->out, room + FRAME_ROOM)) {
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory for %zu bytes", path,
                         room);
    }
    if (code != ETNA_OK) {
        close(fd);
        return code;
    }
    write_begin(&g->out, options);
    size_t begin = g->out.size + 4;
    if ((code = append_file(&g->out, fd, path, err)) != ETNA_OK) {
        return code;
    }
    if ((code = gltf_split(g->out.data + begin, g->out.size - begin, &chunks,
                           err)) == ETNA_OK) {
        code = gltf_parse_json(chunks.json, chunks.json_size, "JSON", ret_root,
                               err);
    }
    return code == ETNA_OK ? code : etna_error_prefix(err, "%s", path);
}

/* The files that the JSON names, behind their number. */
static etna_code gather_files(gathering *g, const json_t *root, etna_error *err)
{
    canon_u32(&g->out, 0);
    g->begin = g->out.size;
    etna_code code = gather_all(g, root, "buffers", "buffer", true, err);
    if (code == ETNA_OK)
        code = gather_all(g, root, "images", "image", false, err);
    if (code == ETNA_OK && g->out.failed)
        code = etna_fail(err, ETNA_E_NOMEM, "%s: no memory", g->scene);
    if (code == ETNA_OK)
        write_count(&g->out, g->begin - 4, g->count);
    return code;
}

/* Files are appended to one growing blob as they are read, so no scene is in
 * memory twice. */
etna_code bundle_read(const char *path,
                      const scene_options *options,
                      uint8_t **ret_data,
                      size_t *ret_size,
                      etna_error *err)
{
    scene_options chosen = options ? *options : scene_options_default();
    const char *name;
    uint8_t *side = NULL;
    size_t side_size = 0;
    json_t *root = NULL;
    etna_code code = check_options(&chosen, err);
    if (code != ETNA_OK) {
        return code;
    }
    gathering g = {.folder = bundle_open_folder(path, &name), .scene = path};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || g.folder < 0) {
        code = etna_fail(err, ETNA_E_INPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        goto out;
    }
    g.seen = json_object();
    code = read_main(&g, fd, path, &chosen, &root, err);
    if (code == ETNA_OK)
        code = bundle_read_side(g.folder, name, &side, &side_size, err);
    if (code != ETNA_OK)
        goto out;
    write_side(&g.out, side, side_size);
    code = gather_files(&g, root, err);
    if (code != ETNA_OK)
        goto out;
    *ret_data = g.out.data;
    *ret_size = g.out.size;
    g.out = (canon_writer){0};
out:
    if (g.folder >= 0) {
        close(g.folder);
    }
    canon_writer_free(&g.out);
    json_decref(g.seen);
    json_decref(root);
    free(side);
    return code;
}

/* ---- reading ---- */

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const bundle_file *)a)->uri, ((const bundle_file *)b)->uri);
}

const bundle_file *bundle_find(const bundle_view *view, const char *uri)
{
    bundle_file wanted = {.uri = uri};
    return view->file_count ? bsearch(&wanted, view->files, view->file_count,
                                      sizeof wanted, compare_files)
                            : NULL;
}

/* The table of files: URIs in the arena, bytes where they are. What ends too
 * early is left to the caller's check. */
static etna_code bundle_open_files(canon_reader *r,
                                   etna_arena *arena,
                                   bundle_view *view,
                                   etna_error *err)
{
    view->files_at = r->at;
    view->file_count = canon_get_count(r, 8);
    view->files =
        etna_arena_alloc(arena, view->file_count, sizeof *view->files);
    if (!view->files) {
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for a bundle of %u files",
                         view->file_count);
    }
    for (uint32_t i = 0; i < view->file_count && !r->failed; i++) {
        size_t length = 0;
        const uint8_t *uri = canon_get_bytes(r, URI_MAX * 4, &length);
        view->files[i].uri =
            uri ? etna_arena_strndup(arena, (const char *)uri, length) : NULL;
        view->files[i].data =
            canon_get_bytes(r, BUNDLE_MAX, &view->files[i].size);
        if (!r->failed && !view->files[i].uri) {
            return etna_fail(err, ETNA_E_NOMEM,
                             "no memory for a bundle of %u files",
                             view->file_count);
        }
    }
    return ETNA_OK;
}

etna_code bundle_open(const uint8_t *data,
                      size_t size,
                      etna_arena *arena,
                      bundle_view *ret,
                      etna_error *err)
{
    canon_reader r = canon_read(data, size);
    char magic[sizeof MAGIC] = {0};
    uint8_t padding[sizeof PADDING] = {0};
    bundle_view view = {0};
    canon_get_raw(&r, magic, sizeof magic);
    bool first = memcmp(magic, MAGIC_1, sizeof MAGIC_1) == 0;
    if (!first && memcmp(magic, MAGIC, sizeof MAGIC) != 0) {
        return etna_fail(err, ETNA_E_MESSAGE, "this is no scene bundle");
    }
    view.metres_per_unit = canon_get_f64(&r);
    view.up = (char)canon_get_u8(&r);
    if (!first) {
        canon_get_raw(&r, padding, sizeof padding);
    }
    view.main = canon_get_bytes(&r, BUNDLE_MAX, &view.main_size);
    bool has_side = canon_get_u8(&r) != 0;
    view.side = canon_get_bytes(&r, BUNDLE_MAX, &view.side_size);
    if (!has_side) {
        view.side = NULL;
    }
    etna_code code = bundle_open_files(&r, arena, &view, err);
    if (code != ETNA_OK)
        return code;
    scene_options options = scene_options_default();
    options.metres_per_unit = view.metres_per_unit;
    options.up = view.up;
    if (!canon_done(&r) || memcmp(padding, PADDING, sizeof PADDING) != 0 ||
        check_options(&options, NULL) != ETNA_OK) {
        return etna_fail(err, ETNA_E_MESSAGE, "the scene bundle is malformed");
    }
    if (view.file_count) {
        qsort(view.files, view.file_count, sizeof *view.files, compare_files);
    }
    *ret = view;
    return ETNA_OK;
}
