/* `etna doctor`: what is wrong with this machine and what to do, a line each;
 * with --model, what a model can do. The questions to the model are
 * etna-worker's, as it is the program that speaks to models; it gets the list
 * of models by a memfd, so that a model that is in no file can be asked too. */
#include "coordinator/cli/checkup.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/models_file.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/children.h"
#include "proto/fd.h"
#include "store/wholefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char help[] =
    "usage: etna doctor [--store DIR] [--models FILE] [--json]\n"
    "       etna doctor --model NAME [--models FILE] [--patience S] [--json]\n"
    "       etna doctor --model NAME --url URL [--wire WIRE] [--id ID] [--key-env NAME] [--patience S] [--json]\n"
    "Says what is wrong with this machine and what to do: versions, limits, clock, disk, ports, the store, the list of models. Or\n"
    "asks a model six short questions with known answers and says what it can do: marks, vision, what it counts coordinates in,\n"
    "tool calls, many pictures, price; and prints its entry for models.yaml. A few thousand tokens.\n\n"
    "      --model NAME     a model of the list, or with --url a new one\n"
    "      --models FILE    the list ($ETNA_MODELS, else share/etna/models.yaml of this installation)\n"
    "      --url URL        where a model is that is in no list yet, as http://127.0.0.1:8000/v1\n"
    "      --wire WIRE      (with --url) chat (the default), responses, gemini or anthropic\n"
    "      --id ID          (with --url) the server's name of it, where it is not NAME\n"
    "      --key-env NAME   (with --url) the environment variable that holds the key\n"
    "      --patience S     how long to wait for one answer (120)\n"
    "      --store DIR      the store to look at\n"
    "      --json           print one JSON document\n"
    "Exit code 1: something has to be mended, or the model can't drive a run.\n";

/* What the command line says; NULL: not given. */
typedef struct doctor {
    const char *model, *models, *url, *wire, *id, *key_env, *patience, *store;
    bool json;
} doctor;

/* ---- this machine ---- */

static int doctor_examine(const doctor *d)
{
    static const char *const marks[] = {"ok", "odd", "BAD"};
    char path[4000] = "";
    checkup found = {0};
    etna_error err = {0};
    if (cli_store_path(d->store, path, sizeof path, &err) != ETNA_OK)
        return cli_fail(&err);
    checkup_run(path, d->models, &found);
    json_t *rows = json_array();
    for (uint32_t i = 0; i < found.count; i++) {
        const checkup_row *row = &found.rows[i];
        if (d->json) {
            json_array_append_new(
                rows, json_pack("{s:s, s:s, s:s}", "name", row->name, "mark",
                                marks[row->mark], "words", row->words));
            continue;
        }
        printf("%-4s %-11s ", marks[row->mark], row->name);
        terminal_print(stdout, row->words);
        putchar('\n');
    }
    if (d->json)
        cli_print("etna-doctor-1", json_pack("{s:b, s:O}", "passed",
                                             !found.is_bad, "rows", rows));
    json_decref(rows);
    return found.is_bad ? 1 : 0;
}

/* ---- a model ---- */

/* A name or URL as a quoted scalar. A JSON string is a YAML string as well. */
static bool doctor_quote(const char *text, etna_arena *arena, const char **ret)
{
    json_t *value = json_string(text);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    *ret = quoted ? etna_arena_strdup(arena, quoted) : NULL;
    free(quoted);
    json_decref(value);
    return *ret != NULL;
}

/* A list of models with one entry, as a user would write it. Going through YAML
 * checks it by the same rules as a file. NULL: no memory; the caller frees. */
static char *doctor_write_list(const doctor *d, etna_arena *arena)
{
    const char *name, *url, *id, *key = "";
    char *text = NULL;
    bool is_quoted = doctor_quote(d->model, arena, &name) &&
                     doctor_quote(d->url, arena, &url) &&
                     doctor_quote(d->id ? d->id : d->model, arena, &id);
    if (!is_quoted || (d->key_env && !doctor_quote(d->key_env, arena, &key)))
        return NULL;
    int size = asprintf(
        &text,
        "endpoints:\n  %s: {wire: %s, url: %s%s%s}\nmodels:\n  %s: {endpoint: %s, id: %s}\n",
        name, d->wire ? d->wire : "chat", url, d->key_env ? ", key_env: " : "",
        key, name, name, id);
    return size >= 0 ? text : NULL;
}

/* The list for a model that is in none. */
static etna_code doctor_make_list(const doctor *d,
                                  etna_arena *arena,
                                  const char **ret_json,
                                  etna_error *err)
{
    models all;
    char *text = doctor_write_list(d, arena);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a list of models");
    etna_code code = models_from_yaml(text, strlen(text), arena, &all, err);
    if (code == ETNA_OK)
        code = models_cut(&all, &d->model, 1, arena, ret_json, err);
    free(text);
    return code == ETNA_OK
               ? code
               : etna_error_prefix(err, "--url, --wire, --id or --model");
}

/* Becomes etna-worker; returns only where it cannot be started. */
static int doctor_hand_over(const doctor *d, const char *json, etna_error *err)
{
    char program[4096], path[32];
    int fd = memfd_create("etna-models", 0); /* inherited */
    if (fd < 0 || !fd_write(fd, json, strlen(json)) ||
        lseek(fd, 0, SEEK_SET) < 0) {
        etna_fail(err, ETNA_E_IO, "memory for the list of models: %s",
                  strerror(errno));
        return cli_fail(err);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *args[12] = {"etna-worker", "doctor",  "--list",
                            path,          "--model", d->model};
    int count = 6;
    if (d->patience) {
        args[count++] = "--patience";
        args[count++] = d->patience;
    }
    if (d->json)
        args[count++] = "--json";
    if (children_program(program, sizeof program))
        execv(program, (char **)(uintptr_t)args);
    etna_fail(
        err, ETNA_E_IO,
        "etna-worker cannot be run: %s; it belongs beside the etna program",
        strerror(errno));
    return cli_fail(err);
}

static int doctor_consult(const doctor *d)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    const char *json = NULL;
    bool is_own = strcmp(d->model, "builtin") == 0;
    if (is_own)
        return cli_usage(
            "--model builtin: the built-in agent needs no server, no eyes and no entry");
    etna_code code = d->url ? doctor_make_list(d, &arena, &json, &err)
                            : models_file_cut(d->models, d->model, NULL, &arena,
                                              &json, &err);
    int exit_code =
        code == ETNA_OK ? doctor_hand_over(d, json, &err) : cli_fail(&err);
    etna_arena_free(&arena);
    return exit_code;
}

/* Options that say how a model is asked go with its name and its address. NULL:
 * they fit. */
static const char *doctor_misses(const doctor *d)
{
    const bool says_how = d->wire || d->id || d->key_env;
    const bool has_parts = says_how || d->url || d->patience;
    if (has_parts && !d->model)
        return "--url, --wire, --id, --key-env and --patience go with --model NAME";
    return says_how && !d->url ? "--wire, --id and --key-env go with --url"
                               : NULL;
}

int cmd_doctor(int argc, char **argv)
{
    doctor d = {0};
    int exit_code;
    const flags_row flags[] = {{"model", .text = &d.model},
                               {"models", .text = &d.models},
                               {"url", .text = &d.url},
                               {"wire", .text = &d.wire},
                               {"id", .text = &d.id},
                               {"key-env", .text = &d.key_env},
                               {"patience", .text = &d.patience},
                               {"store", .text = &d.store},
                               {"json", .yes = &d.json},
                               {0}};
    int first = cli_flags("etna doctor", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first < argc)
        return cli_usage("doctor takes no arguments; see `etna doctor --help`");
    const char *const misses = doctor_misses(&d);
    if (misses)
        return cli_usage("%s", misses);
    return d.model ? doctor_consult(&d) : doctor_examine(&d);
}
