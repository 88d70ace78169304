/* export_scene: the one tool that leaves a file behind, and only beneath the
 * folder that the user named. */
#include "worker/mcp/tools_internal.h"

#include "worker/convert/stage.h"
#include "worker/gltf/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* The server's folder, made when only its last part is missing; a client is
 * told what else is wrong with it, for it starts the server and reads no
 * stderr. */
static etna_code open_folder(const world *w, int *ret, etna_error *err)
{
    const char *path = w->options.folder;
    if (!path)
        return etna_fail(
            err, ETNA_E_INPUT,
            "this server writes no files; its user can start it with --folder DIR");
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && mkdir(path, 0777) == 0)
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the server's folder for results, %.400s, can't be used: %s", path,
            strerror(errno));
    *ret = fd;
    return ETNA_OK;
}

/* The folder `path` of `own`, without leaving that; below 0: minus an errno. */
static int open_beneath(int own, const char *path)
{
    struct stat is;
    int folder = bundle_open_beneath(own, path);
    if (folder < 0)
        return -errno;
    if (fstat(folder, &is) == 0 && S_ISDIR(is.st_mode))
        return folder;
    close(folder);
    return -ENOTDIR;
}

/* NULL: the name may be written. ".glb" alone is a hidden file and no name. */
static const char *file_name_fault(const char *file, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (roots_has_controls(file))
        return "the file's name has control characters";
    if (!dot || dot == name || strcasecmp(dot, ".glb") != 0)
        return "the file's name must end in .glb, as living_room.glb";
    return NULL;
}

/* "a/b/c.glb": the folder a/b opened beneath ours, and "c.glb". The folder is
 * kept open: between this check and the write nobody can exchange it for a
 * link. */
static etna_code open_place(const world *w,
                            const char *file,
                            int *ret_folder,
                            const char **ret_name,
                            etna_error *err)
{
    int own = -1;
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    char parent[1100];
    const char *const fault = file_name_fault(file, name);
    if (fault)
        return etna_fail(err, ETNA_E_INPUT, "%s", fault);
    if (slash) {
        snprintf(parent, sizeof parent, "%.*s", (int)(slash - file), file);
    } else {
        snprintf(parent, sizeof parent, ".");
    }
    etna_code code = open_folder(w, &own, err);
    if (code != ETNA_OK)
        return code;
    int folder = *file == '/' ? -EXDEV : open_beneath(own, parent);
    close(own);
    if (folder < 0) {
        return etna_fail(
            err, ETNA_E_INPUT,
            folder == -EXDEV
                ? "the file would lie outside of the server's folder; give a name relative to it"
                : "there is no such folder in the server's folder; give a plain name");
    }
    *ret_folder = folder;
    *ret_name = name;
    return ETNA_OK;
}

/* By device and inode, as a path may be spelt in many ways. */
static bool is_open_file(const world *w, const struct stat *there)
{
    struct stat input;
    for (uint32_t i = 0; i < w->file_count; i++) {
        bool is_known = stat(w->files[i]->path, &input) == 0;
        if (is_known && input.st_dev == there->st_dev &&
            input.st_ino == there->st_ino)
            return true;
    }
    return false;
}

/* Links are not followed: a link of that name is "no file". */
static etna_code check_there(const world *w,
                             int folder,
                             const char *name,
                             bool overwrite,
                             etna_error *err)
{
    struct stat there;
    if (fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW))
        return ETNA_OK;
    if (!S_ISREG(there.st_mode))
        return etna_fail(
            err, ETNA_E_INPUT,
            "something that is no file has that name; choose another");
    if (is_open_file(w, &there))
        return etna_fail(
            err, ETNA_E_INPUT,
            "that is the scene itself, which is never changed; choose another name");
    if (!overwrite)
        return etna_fail(
            err, ETNA_E_INPUT,
            "a file of that name exists; choose another name or set overwrite");
    return ETNA_OK;
}

static json_t *moved_names(const standing *s)
{
    json_t *names = json_array();
    for (uint32_t i = 0;
         names && i < s->snap.object_count && json_array_size(names) < 200;
         i++) {
        if (s->snap.moved[i])
            json_array_append_new(
                names, json_string(s->file->warm->scene->objects[i].name));
    }
    return names;
}

etna_code tool_export(world *w, mcp_call *call, etna_error *err)
{
    standing s;
    int folder = -1;
    const char *file = tools_text(call, "file");
    const char *name = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    char path[1200];
    etna_code code = standing_begin(w, call, &s, err);
    if (code == ETNA_OK)
        code = open_place(w, file, &folder, &name, err);
    if (code == ETNA_OK)
        code = check_there(
            w, folder, name,
            json_is_true(json_object_get(call->arguments, "overwrite")), err);
    if (code == ETNA_OK)
        code = stage_export_glb(s.file->warm->scene, s.file->warm->bundle,
                                s.file->warm->bundle_size, &s.snap, &data,
                                &size, err);
    /* by the open folder, so that nobody can put a link in its place
     * meanwhile */
    if (code == ETNA_OK) {
        snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
        code = w->options.write(path, data, size, err);
        if (code != ETNA_OK)
            etna_fail(
                err, code,
                "%.200s could not be written: no space, or no right to write there",
                file);
    }
    if (code == ETNA_OK) {
        code = standing_answer(
            &s, call,
            json_pack("{s:s, s:o, s:I, s:o}", "file", file, "path",
                      json_sprintf("%s/%s", w->options.folder, file), "bytes",
                      (json_int_t)size, "moved", moved_names(&s)),
            err);
    }
    if (folder >= 0)
        close(folder);
    free(data);
    standing_end(&s);
    return code;
}
