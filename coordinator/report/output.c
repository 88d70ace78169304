/* See output.h: which files, in which order, and what of an earlier run
 * goes. */
#include "coordinator/report/output.h"
#include "coordinator/report/changes.h"
#include "coordinator/report/json_memory.h"
#include "coordinator/report/report.h"
#include "coordinator/report/run_json.h"
#include "proto/array.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* more files of a kind than any run can have: a bound for the search for old
 * ones */
enum {
    NUMBERED_MAX = RUN_JSON_TRIED_MAX + 1
};

static etna_code output_fail(const char *path,
                             const char *doing,
                             etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "%s: cannot %s: %s", path, doing,
                     strerror(why));
}

/* Whether files can be made in `directory`, or in the part of its path that
 * exists. Looked at before a run rather than after it. */
static etna_code check_writable(const char *directory, etna_error *err)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", directory);
    while (access(part, W_OK | X_OK)) {
        char *slash = strrchr(part, '/');
        if (errno != ENOENT || !strcmp(part, ".") || !strcmp(part, "/"))
            return etna_fail(
                err, ETNA_E_IO,
                "%s: cannot be written into: %s; choose another directory with -o",
                part, strerror(errno));
        if (!slash)
            strcpy(part, ".");
        else
            slash[slash == part] = 0; /* the root keeps its slash */
    }
    return ETNA_OK;
}

etna_code output_check(const char *directory,
                       const char *scene,
                       etna_error *err)
{
    struct stat there, input;
    char path[4096];
    if (!*directory || strlen(directory) > sizeof path - 64)
        return etna_fail(err, ETNA_E_USAGE, "-o wants a directory");
    if (!stat(directory, &there) && !S_ISDIR(there.st_mode)) {
        return etna_fail(err, ETNA_E_USAGE,
                         "%s: is a file; -o wants a directory", directory);
    }
    snprintf(path, sizeof path, "%s/journal/data.mdb", directory);
    if (!stat(path, &there))
        return etna_fail(err, ETNA_E_USAGE,
                         "%s: is a store; -o wants a folder beside it",
                         directory);
    snprintf(path, sizeof path, "%s/result.glb", directory);
    bool are_there =
        scene && stat(path, &there) == 0 && stat(scene, &input) == 0;
    if (are_there && there.st_dev == input.st_dev &&
        there.st_ino == input.st_ino) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "-o %s: its result.glb is the scene itself, which is never changed; choose another",
            directory);
    }
    return check_writable(directory, err);
}

etna_code output_make_directories(const char *directory, etna_error *err)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", directory);
    for (size_t i = 1;; i++) {
        if (part[i] && part[i] != '/')
            continue;
        char kept = part[i];
        part[i] = 0;
        struct stat st;
        bool is_there = mkdir(part, 0777) == 0;
        if (!is_there && errno == EEXIST)
            is_there = stat(part, &st) == 0 && S_ISDIR(st.st_mode);
        if (!is_there)
            return output_fail(part, "make the directory", err);
        part[i] = kept;
        if (!kept)
            return ETNA_OK;
    }
}

static etna_code output_write_file(int directory,
                                   const char *name,
                                   const void *data,
                                   size_t size,
                                   etna_error *err)
{
    return wholefile_write(directory, name, data, size)
               ? ETNA_OK
               : output_fail(name, "write it", err);
}

/* Fetches a blob and writes it. JSON null, or no hash: there is nothing to
 * write. */
static etna_code write_blob(int directory,
                            const char *name,
                            const json_t *blob,
                            output_fetch fetch,
                            void *context,
                            etna_error *err)
{
    etna_hash hash;
    uint8_t *data;
    size_t size;
    if (!json_is_string(blob) ||
        !etna_hash_parse(json_string_value(blob), &hash))
        return ETNA_OK; /* there is none */
    etna_code code = fetch(context, &hash, &data, &size, err);
    if (code)
        return code;
    code = output_write_file(directory, name, data, size, err);
    free(data);
    return code;
}

/* Files that a run numbers: "step-00.png" and so on. */
typedef struct numbered {
    const char *member; /* of the document: the list of their blobs */
    const char *name, *ending;
    size_t first; /* number of the first */
} numbered;
static const numbered numbered_files[] = {
    {"image_blobs", "step", "png", 0},
    {"scene_blobs", "step", "glb", 1},
    {"tried_blobs", "tried", "snapshot", 1}};
enum {
    NUMBERED = COUNT_OF(numbered_files)
};

static void numbered_name(const numbered *n, size_t i, char *to, size_t size)
{
    snprintf(to, size, "%s-%02zu.%s", n->name, n->first + i, n->ending);
}

/* Numbers have no gaps, so the first that is missing ends the search. Of no
 * document all go. */
static void remove_stale(int directory, const json_t *document, bool result)
{
    char name[64];
    if (faccessat(directory, "run.json", F_OK, 0))
        return;
    if (!result)
        unlinkat(directory, "result.glb", 0);
    for (size_t k = 0; k < NUMBERED; k++) {
        const numbered *n = &numbered_files[k];
        size_t kept = json_array_size(json_object_get(document, n->member));
        for (size_t i = kept; i < NUMBERED_MAX; i++) {
            numbered_name(n, i, name, sizeof name);
            if (unlinkat(directory, name, 0))
                break;
        }
    }
}

void output_remove(const char *directory)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    remove_stale(fd, NULL, false);
    bool ours = !faccessat(fd, "run.json", F_OK, 0);
    if (ours)
        unlinkat(fd, "report.html", 0);
    if (ours)
        unlinkat(fd, "run.json", 0);
    close(fd);
    if (ours)
        rmdir(directory); /* where nothing else is in it */
}

static etna_code write_document(int directory,
                                const json_t *document,
                                etna_error *err)
{
    char *dump = json_memory_dump(document, JSON_INDENT(2));
    size_t size = dump ? strlen(dump) : 0;
    if (!dump)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory writing run.json");
    dump[size] = '\n'; /* the terminator's place; the size says the end */
    etna_code code =
        output_write_file(directory, "run.json", dump, size + 1, err);
    free(dump);
    return code;
}

static etna_code output_write_report(int directory,
                                     const json_t *document,
                                     output_fetch fetch,
                                     void *context,
                                     etna_error *err)
{
    page report = {0};
    etna_code code = report_page(document, fetch, context, &report, err);
    if (!code)
        code = output_write_file(directory, "report.html", report.data,
                                 report.size, err);
    page_free(&report);
    return code;
}

etna_code output_report(const char *file,
                        const json_t *document,
                        output_fetch fetch,
                        void *context,
                        etna_error *err)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    char folder[4096] = ".";
    page report = {0};
    if (!*name || strlen(name) > 240 || strlen(file) >= sizeof folder)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--html wants a file with a name of at most 240 bytes");
    if (slash)
        snprintf(folder, sizeof folder, "%.*s",
                 slash == file ? 1 : (int)(slash - file), file);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return output_fail(folder, "open the directory", err);
    json_t *told = changes_told(document, fetch, context);
    etna_code code =
        told ? report_page(told, fetch, context, &report, err)
             : etna_fail(err, ETNA_E_NOMEM, "out of memory writing the report");
    json_decref(told);
    if (!code)
        code = output_write_file(fd, name, report.data, report.size, err);
    page_free(&report);
    close(fd);
    return code;
}

/* The document names the blobs of one kind in their order. Each becomes a file
 * of its own, numbered from the kind's first number on. */
static etna_code write_numbered(int fd,
                                const numbered *n,
                                const json_t *document,
                                output_fetch fetch,
                                void *context,
                                etna_error *err)
{
    const json_t *blobs = json_object_get(document, n->member);
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < json_array_size(blobs); i++) {
        char name[64];
        numbered_name(n, i, name, sizeof name);
        code =
            write_blob(fd, name, json_array_get(blobs, i), fetch, context, err);
    }
    return code;
}

bool output_is_worth(const json_t *document)
{
    bool is_error =
        json_integer_value(json_object_get(document, "exit_code")) > 1;
    return !is_error ||
           json_is_string(json_object_get(document, "result_blob"));
}

etna_code output_write(const char *directory,
                       const json_t *document,
                       output_fetch fetch,
                       void *context,
                       etna_error *err)
{
    const json_t *result = json_object_get(document, "result_blob");
    etna_code code = output_make_directories(directory, err);
    if (code)
        return code;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return output_fail(directory, "open the directory", err);
    remove_stale(fd, document, json_is_string(result));
    for (size_t k = 0; !code && k < NUMBERED; k++)
        code = write_numbered(fd, &numbered_files[k], document, fetch, context,
                              err);
    if (!code)
        code = write_blob(fd, "result.glb", result, fetch, context, err);
    json_t *told = changes_told(document, fetch, context);
    if (!code && !told)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory writing the report");
    if (!code)
        code = output_write_report(fd, told, fetch, context, err);
    if (!code)
        code = write_document(fd, told, err);
    json_decref(told);
    if (!code)
        (void)!fsync(fd);
    close(fd);
    if (code)
        etna_error_prefix(err, "%s", directory);
    return code;
}
