/* See models_file.h. */
#include "coordinator/cli/models_file.h"
#include "proto/array.h"
#include "proto/models.h"
#include "proto/secrets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PREFIX/bin/etna has its list at PREFIX/share/etna/models.yaml, installed or
 * in a build's folder alike. False: the path is too long or unknown. */
static bool beside_program(char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n <= 0)
        return false;
    path[n] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    static const char tail[] = "/share/etna/models.yaml";
    if (strlen(path) + sizeof tail > size)
        return false;
    strcat(path, tail);
    return true;
}

/* One byte more than a list may have is read, which tells a list that is too
 * long from one of just that size. */
static etna_code models_file_read_text(const char *path,
                                       etna_arena *arena,
                                       char **ret_text,
                                       size_t *ret_size,
                                       etna_error *err)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? etna_arena_alloc(arena, MODELS_TEXT_MAX + 1, 1) : NULL;
    if (!file)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the list of models %.300s cannot be read: %s; name one with --models or $ETNA_MODELS",
            path, strerror(errno));
    size_t size = text ? fread(text, 1, MODELS_TEXT_MAX + 1, file) : 0;
    bool bad = ferror(file) != 0;
    fclose(file);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for the list of models");
    if (bad)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the list of models %.300s cannot be read; is it a file?", path);
    if (size > MODELS_TEXT_MAX)
        return etna_fail(err, ETNA_E_USAGE,
                         "the list of models %.300s is over %d KiB", path,
                         MODELS_TEXT_MAX >> 10);
    *ret_text = text;
    *ret_size = size;
    return ETNA_OK;
}

/* Names what there is: a misspelt name is the usual cause. */
static etna_code models_file_unknown(const models *all,
                                     const char *path,
                                     const char *flag,
                                     const char *model,
                                     etna_error *err)
{
    char names[600] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < all->model_count && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, ", %s",
                                 all->models[i].name);
    }
    return etna_fail(
        err, ETNA_E_USAGE,
        "--%s %.80s: there is none of that name; there are builtin%s (of %.200s)",
        flag, model, names, path);
}

etna_code models_file_all(const char *given,
                          etna_arena *arena,
                          models *ret,
                          char *ret_path,
                          size_t size,
                          etna_error *err)
{
    char own[4096];
    const char *path = given ? given : getenv("ETNA_MODELS");
    char *text = NULL;
    size_t length = 0;
    if (!path || !*path) {
        if (!beside_program(own, sizeof own))
            return etna_fail(
                err, ETNA_E_USAGE,
                "which list of models? name one with --models FILE");
        path = own;
    }
    snprintf(ret_path, size, "%s", path);
    etna_code code = models_file_read_text(path, arena, &text, &length, err);
    if (code)
        return code;
    code = models_from_yaml(text, length, arena, ret, err);
    return code ? etna_error_prefix(err, "%.200s", path) : ETNA_OK;
}

/* The models of a run: its own, its reader (NULL: none) and those of its roles.
 * Returns how many. */
static uint32_t models_file_names(const models *all,
                                  const char *model,
                                  const char *reader,
                                  const char *ret[MODELS_ROLES + 1])
{
    uint32_t count = 0;
    ret[count++] = model;
    if (reader)
        ret[count++] = reader;
    for (uint32_t role = 1; role < MODELS_ROLES; role++) {
        if (all->role_model[role])
            ret[count++] = all->role_model[role];
    }
    return count;
}

etna_code models_file_cut(const char *given,
                          const char *model,
                          const char *reader,
                          etna_arena *arena,
                          const char **ret_json,
                          etna_error *err)
{
    char path[4096];
    models all;
    bool builtin = strcmp(model, "builtin") == 0;
    if (builtin && !reader) {
        *ret_json = NULL;
        return ETNA_OK;
    }
    etna_code code =
        models_file_all(given, arena, &all, path, sizeof path, err);
    if (code)
        return code;
    if (!builtin && !models_find(&all, model))
        return models_file_unknown(&all, path, "model", model, err);
    if (reader && !models_find(&all, reader))
        return models_file_unknown(&all, path, "reader", reader, err);
    if (builtin)
        memset(all.role_model, 0, sizeof all.role_model);
    /* keys may be in this environment, which the workers get */
    guard_secrets();
    const char *names[MODELS_ROLES + 1];
    const uint32_t count = models_file_names(&all, model, reader, names);
    return models_cut(&all, names, count, arena, ret_json, err);
}

etna_code models_file_role(const char *json,
                           const char *model,
                           uint32_t role,
                           etna_arena *arena,
                           const char **ret_name,
                           etna_error *err)
{
    models all = {0};
    etna_code code =
        json ? models_from_json(json, strlen(json), arena, &all, err) : ETNA_OK;
    if (!code)
        *ret_name = all.role_model[role] ? all.role_model[role] : model;
    return code;
}

etna_code models_file_foreign(const char *json,
                              const char *model,
                              etna_arena *arena,
                              uint32_t *ret_foreign,
                              etna_error *err)
{
    static const uint32_t roles[] = {ROLE_PLANNER, ROLE_EXECUTOR,
                                     ROLE_EVALUATOR};
    uint32_t foreign = 0;
    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        const char *name = NULL;
        etna_code code =
            models_file_role(json, model, roles[i], arena, &name, err);
        if (code)
            return code;
        if (strcmp(name, "builtin") != 0)
            foreign |= 1u << roles[i];
    }
    *ret_foreign = foreign;
    return ETNA_OK;
}
