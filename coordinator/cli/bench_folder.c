/* See bench_folder.h.
 *
 * A benchmark lives in a folder: SUITE.json (a copy, so that the results keep
 * their meaning when the original changes), manifest.json (what was asked for,
 * by which build, on what machine), list.jsonl, runs/, scenes/, verdicts/. A
 * folder is begun (bench_folder_begin), which checks that what stands there was
 * begun alike; or opened (bench_folder_open), which makes plan and jobs again
 * from its manifest; or begun around another system's scenes
 * (bench_folder_begin_from). */
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "proto/array.h"
#include "proto/build.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- files ---- */

/* By the errno of the call just made, which comes first. */
static etna_code folder_fail(const bench_folder *f,
                             const char *doing,
                             etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "%.1000s: cannot %s: %s",
                     f->path, doing, strerror(why));
}

/* Whole or not at all. The path may be relative. */
etna_code bench_file_write(const char *path,
                           const char *text,
                           size_t size,
                           etna_error *err)
{
    char folder[4096], file[4096];
    snprintf(folder, sizeof folder, "%s", path);
    snprintf(file, sizeof file, "%s", path);
    int fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_written =
        fd >= 0 && wholefile_write(fd, basename(file), text, size);
    int why = errno;
    if (fd >= 0)
        close(fd);
    return is_written
               ? ETNA_OK
               : etna_fail(err, ETNA_E_IO, "%.300s: %s", path, strerror(why));
}

/* Takes the page, on failure too. */
etna_code bench_folder_write(const bench_folder *f,
                             const char *name,
                             page *text,
                             etna_error *err)
{
    etna_code code = ETNA_OK;
    if (text->failed)
        code = etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", name);
    bool is_written =
        code ||
        wholefile_write(f->fd, name, text->data ? text->data : "", text->size);
    if (!is_written)
        code = folder_fail(f, "write into it", err);
    page_free(text);
    return code;
}

/* The folders that a bench keeps what it makes in. */
static etna_code folder_make_own(bench_folder *f, etna_error *err)
{
    static const char *const own[] = {"scenes", "runs", "verdicts",
                                      "judgements"};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        if (mkdirat(f->fd, own[i], 0777) && errno != EEXIST)
            return folder_fail(f, "make a folder in it", err);
    }
    return ETNA_OK;
}

/* `is_made`: it may be made. A folder that holds something else is refused by
 * output_check before anything is written. */
static etna_code folder_enter(bench_folder *f,
                              const char *path,
                              bool is_made,
                              etna_error *err)
{
    if (strlen(path) >= sizeof f->path)
        return etna_fail(err, ETNA_E_USAGE, "-o wants a shorter path");
    snprintf(f->path, sizeof f->path, "%s", path);
    etna_code code = is_made ? output_check(path, NULL, err) : ETNA_OK;
    if (!code && is_made)
        code = output_make_directories(path, err);
    if (code)
        return code;
    f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->fd < 0)
        return etna_fail(err, ETNA_E_INPUT, "%.1000s: %s", path,
                         strerror(errno));
    return is_made ? folder_make_own(f, err) : ETNA_OK;
}

/* Into memory; the caller frees. */
static etna_code folder_file_read(const char *path,
                                  char **ret,
                                  size_t *ret_size,
                                  etna_error *err)
{
    FILE *file = fopen(path, "rbe");
    char *text = file ? malloc(SUITE_BYTES_MAX + 1) : NULL;
    if (!text) {
        etna_code code =
            etna_fail(err, ETNA_E_INPUT, "%.300s: %s", path, strerror(errno));
        if (file)
            fclose(file);
        return code;
    }
    *ret_size = fread(text, 1, SUITE_BYTES_MAX + 1, file);
    fclose(file);
    *ret = text;
    if (*ret_size <= SUITE_BYTES_MAX)
        return ETNA_OK;
    free(text);
    return etna_fail(err, ETNA_E_INPUT, "%.300s: is too large for a suite",
                     path);
}

/* ---- the manifest ---- */

/* Told beside speeds; results do not depend on it. */
static json_t *manifest_machine(void)
{
    struct utsname name;
    if (uname(&name))
        return json_object();
    return json_pack("{s:s, s:s, s:s, s:I}", "system", name.sysname, "release",
                     name.release, "processor", name.machine, "cpus",
                     (json_int_t)bench_cpus());
}

/* Folder of the suite's file, absolute: scenes are beside it. NULL: it is not
 * there. */
static char *suite_folder(const char *path)
{
    char *whole = realpath(path, NULL);
    char *slash = whole ? strrchr(whole, '/') : NULL;
    if (slash)
        slash[slash == whole] = 0;
    return whole;
}

/* What the results depend on, and what makes the jobs again. Flags that only
 * say how to carry them are not in it. */
static json_t *manifest_plan(const plan_options *o)
{
    json_t *variants = json_array();
    for (uint32_t i = 0; i < o->variant_count; i++)
        json_array_append_new(variants, json_string(o->variants[i]->name));
    return json_pack(
        "{s:o, s:I, s:I, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:b}",
        "variants", variants, "repeats", (json_int_t)o->repeats, "seed",
        (json_int_t)o->seed, "split", o->split, "scene", o->scene, "mode",
        o->mode, "model", o->model, "models", o->models, "reader", o->reader,
        "facts", o->facts, "images", (int)!o->no_images);
}

/* Takes `plan`. */
static json_t *manifest_of(const bench_folder *f,
                           const char *suite_path,
                           const char *text,
                           size_t size,
                           json_t *plan)
{
    char hex[65];
    etna_hash hash = etna_hash_bytes(text, size);
    char *folder = suite_folder(suite_path);
    etna_hash_hex(&hash, hex);
    json_t *of_suite = json_pack("{s:s, s:s, s:s?}", "name", f->suite.name,
                                 "hash", hex, "folder", folder);
    free(folder);
    json_t *from = f->from ? json_pack("{s:s, s:s}", "folder", f->from, "name",
                                       f->other.name)
                           : json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:s, s:s?, s:s, s:o}", "schema",
                     "etna.bench/1", "suite", of_suite, "plan", plan, "from",
                     from, "build", etna_build(), "commit", etna_commit(),
                     "prompts", etna_prompts_hash(), "machine",
                     manifest_machine());
}

/* Which models the runs ask, as the list has them now: a name says little once
 * the list is another. Nothing where the built-in agent does it all. */
static etna_code manifest_add_models(bench_folder *f, etna_error *err)
{
    const plan_options *o = &f->plan;
    const char *json = NULL;
    etna_code code = models_file_cut(o->models, o->model ? o->model : "builtin",
                                     o->reader, &f->arena, &json, err);
    if (!code)
        json_object_set_new(f->manifest, "models",
                            json ? json_loads(json, 0, NULL) : json_null());
    return code;
}

/* What was begun here before must be the same in all that results depend on. */
static etna_code manifest_check(const bench_folder *f,
                                const json_t *old,
                                etna_error *err)
{
    static const char *const same[] = {"suite", "plan", "from", "build"};
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        if (json_equal(json_object_get(old, same[i]),
                       json_object_get(f->manifest, same[i])))
            continue;
        return etna_fail(
            err, ETNA_E_USAGE,
            "%.1000s: holds a benchmark of another %s; choose another folder with -o",
            f->path, same[i]);
    }
    return ETNA_OK;
}

/* With line ends, as people read it. */
static etna_code manifest_write(const bench_folder *f, etna_error *err)
{
    page text = {0};
    char *dump = json_dumps(f->manifest, JSON_INDENT(2));
    if (!dump)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the manifest");
    page_raw(&text, dump);
    page_raw(&text, "\n");
    free(dump);
    return bench_folder_write(f, "manifest.json", &text, err);
}

/* NULL: there is none, or it is no JSON. */
static json_t *manifest_load(const bench_folder *f)
{
    char path[sizeof f->path + 32];
    snprintf(path, sizeof path, "%s/manifest.json", f->path);
    return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

/* ---- beginning ---- */

/* The suite as it is now, and the manifest, which must be that of the folder
 * where it has one. Takes over `plan`. */
static etna_code folder_describe(bench_folder *f,
                                 const char *suite_path,
                                 json_t *plan,
                                 etna_error *err)
{
    etna_code code =
        folder_file_read(suite_path, &f->suite_text, &f->suite_size, err);
    if (code) {
        json_decref(plan);
        return code;
    }
    f->manifest =
        manifest_of(f, suite_path, f->suite_text, f->suite_size, plan);
    if (!f->manifest)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the manifest");
    json_t *old = manifest_load(f);
    f->is_new = !old;
    if (old)
        code = manifest_check(f, old, err);
    json_decref(old);
    return code;
}

etna_code bench_folder_keep(bench_folder *f, etna_error *err)
{
    if (!f->is_new)
        return ETNA_OK;
    if (!wholefile_write(f->fd, "SUITE.json", f->suite_text, f->suite_size))
        return folder_fail(f, "write into it", err);
    return manifest_write(f, err);
}

/* The caller closes the folder, on failure too. */
etna_code bench_folder_begin(bench_folder *f,
                             const char *path,
                             const char *suite_path,
                             const plan_options *plan,
                             etna_error *err)
{
    *f = (bench_folder){.fd = -1, .plan = *plan};
    etna_code code = suite_read(suite_path, &f->arena, &f->suite, err);
    if (!code)
        code =
            plan_make(&f->suite, plan, &f->arena, &f->jobs, &f->job_count, err);
    if (!code)
        code = folder_enter(f, path, true, err);
    if (!code)
        code = folder_describe(f, suite_path, manifest_plan(plan), err);
    return code ? code : manifest_add_models(f, err);
}

/* One variant, named after the system, one repeat: of others we have only what
 * they left. */
static etna_code folder_plan_other(bench_folder *f,
                                   const char *name,
                                   etna_error *err)
{
    f->other = (plan_variant){.name = etna_arena_strdup(&f->arena, name),
                              .what = "another system"};
    f->plan = (plan_options){
        .variants = {&f->other}, .variant_count = 1, .repeats = 1};
    return plan_make(&f->suite, &f->plan, &f->arena, &f->jobs, &f->job_count,
                     err);
}

/* `from` is kept absolute, as the folder may be used from elsewhere. */
etna_code bench_folder_begin_from(bench_folder *f,
                                  const char *path,
                                  const char *suite_path,
                                  const char *from,
                                  const char *name,
                                  etna_error *err)
{
    *f = (bench_folder){.fd = -1};
    char *whole = realpath(from, NULL);
    if (!whole)
        return etna_fail(err, ETNA_E_INPUT, "%.300s: %s", from,
                         strerror(errno));
    f->from = etna_arena_strdup(&f->arena, whole);
    free(whole);
    etna_code code = f->from ? suite_read(suite_path, &f->arena, &f->suite, err)
                             : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    if (!code)
        code = folder_plan_other(f, name, err);
    if (!code)
        code = folder_enter(f, path, true, err);
    return code ? code : folder_describe(f, suite_path, json_object(), err);
}

/* ---- opening ---- */

/* NULL where it was not given. */
static const char *plan_text(bench_folder *f,
                             const json_t *plan,
                             const char *key)
{
    const char *text = field_string(plan, key);
    return *text ? etna_arena_strdup(&f->arena, text) : NULL;
}

/* A manifest may have been edited: variants that are no more are left out, and
 * none left is an error. */
static etna_code folder_plan_again(bench_folder *f,
                                   const json_t *plan,
                                   etna_error *err)
{
    const json_t *variants = json_object_get(plan, "variants");
    long long repeats = field_integer(plan, "repeats");
    plan_options *o = &f->plan;
    *o = (plan_options){.seed = (uint64_t)field_integer(plan, "seed"),
                        .split = plan_text(f, plan, "split"),
                        .scene = plan_text(f, plan, "scene"),
                        .mode = plan_text(f, plan, "mode")};
    for (size_t i = 0; i < json_array_size(variants) && i < PLAN_VARIANTS_MAX;
         i++) {
        const char *name = json_string_value(json_array_get(variants, i));
        o->variants[o->variant_count] = name ? plan_find_variant(name) : NULL;
        o->variant_count += o->variants[o->variant_count] != NULL;
    }
    bool is_good =
        o->variant_count && repeats >= 1 && repeats <= RESULTS_REPEATS_MAX;
    if (!is_good)
        return etna_fail(err, ETNA_E_INPUT,
                         "%.1000s/manifest.json: its plan cannot be read",
                         f->path);
    o->repeats = (uint32_t)repeats;
    return plan_make(&f->suite, o, &f->arena, &f->jobs, &f->job_count, err);
}

/* Anything but a folder of ours is refused by its manifest's schema. */
etna_code bench_folder_open(bench_folder *f, const char *path, etna_error *err)
{
    char suite_path[sizeof f->path + 32];
    *f = (bench_folder){.fd = -1};
    etna_code code = folder_enter(f, path, false, err);
    if (code)
        return code;
    f->manifest = manifest_load(f);
    if (strcmp(field_string(f->manifest, "schema"), "etna.bench/1") != 0)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%.1000s: is no folder of `etna bench run` or `etna bench score`",
            path);
    snprintf(suite_path, sizeof suite_path, "%s/SUITE.json", path);
    code = suite_read(suite_path, &f->arena, &f->suite, err);
    if (code)
        return code;
    const json_t *from = json_object_get(f->manifest, "from");
    if (!json_is_object(from))
        return folder_plan_again(f, json_object_get(f->manifest, "plan"), err);
    f->from = etna_arena_strdup(&f->arena, field_string(from, "folder"));
    return folder_plan_other(f, field_string(from, "name"), err);
}

/* Also of one that was never opened. */
void bench_folder_close(bench_folder *f)
{
    json_decref(f->manifest);
    free(f->suite_text);
    if (f->fd >= 0)
        close(f->fd);
    etna_arena_free(&f->arena);
    *f = (bench_folder){.fd = -1};
}

/* ---- scenes ---- */

/* The scene's file as the suite names it, relative to where the suite was. */
static const char *scene_said(bench_folder *f, const suite_scene *scene)
{
    const char *folder =
        field_string(json_object_get(f->manifest, "suite"), "folder");
    if (*scene->scene == '/')
        return scene->scene;
    return etna_arena_printf(&f->arena, "%s/%s", folder, scene->scene);
}

/* A spec is composed into scenes/ before anything runs. */
static bool scene_is_spec(const suite_scene *scene)
{
    size_t length = strlen(scene->scene);
    return length > 5 && strcmp(scene->scene + length - 5, ".json") == 0;
}

/* NULL: the scene is a file already. */
const char *bench_folder_spec(bench_folder *f, const suite_scene *scene)
{
    return scene_is_spec(scene) ? scene_said(f, scene) : NULL;
}

/* The file that runs begin with. NULL: out of memory. */
const char *bench_folder_scene(bench_folder *f, const suite_scene *scene)
{
    if (!scene_is_spec(scene))
        return scene_said(f, scene);
    char *whole = realpath(f->path, NULL);
    const char *path = whole ? etna_arena_printf(&f->arena, "%s/scenes/%s.glb",
                                                 whole, scene->name)
                             : NULL;
    free(whole);
    return path;
}
