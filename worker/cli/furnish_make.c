/* One brief from its words to its files; and many of them, one a line. */
#include "worker/cli/assets.h"
#include "worker/cli/furnish.h"
#include "worker/cli/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static etna_code pick_look(void *context,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    furnishing *f = context;
    index_view v;
    f->index = etna_hash_bytes(data, size);
    etna_code code = index_open(data, size, &v, err);
    return code == ETNA_OK ? furnish_pick_all(f, &v, err) : code;
}

etna_code furnish_no_index(etna_error *err)
{
    return etna_fail(
        err, ETNA_E_INPUT,
        "the assets have no index of this version; `etna assets index` makes one");
}

static etna_code pick_models(furnishing *f, etna_error *err)
{
    shelf *s = NULL;
    etna_code code = assets_open(f->store, false, &s, err);
    const etna_hash kept = f->index;
    if (code == ETNA_OK)
        code = f->replays ? shelf_with_kept(s, &kept, pick_look, f, err)
                          : shelf_with_index(s, pick_look, f, err);
    shelf_close(s);
    if (code == ETNA_E_NOTFOUND)
        return furnish_no_index(err);
    return code;
}

/* How often a room is furnished anew with other models where some of them did
 * not stand. */
enum {
    MODELS_TRIED = 4
};

etna_code furnish_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM, "no memory to furnish the room");
}

const furnish_pick *furnish_pick_of(const furnishing *f, uint32_t item)
{
    const layout_place *p = &f->plan.items[item];
    return &f->things[p->thing].picks[p->model];
}

etna_code furnish_try(furnishing *f, bool *ret_again, etna_error *err)
{
    etna_code code = furnish_set(f, err);
    bool may_try =
        code == ETNA_OK && !f->published && ++f->tries < MODELS_TRIED;
    *ret_again = may_try && furnish_pass_over(f);
    if (*ret_again)
        furnish_unset(f);
    return code;
}

/* A room with the models that were picked; where one of a told thing did not
 * stand on what it was put on, again with the next of its kind. */
etna_code furnish_make(furnishing *f, etna_error *err)
{
    etna_code code = pick_models(f, err);
    bool again = code == ETNA_OK;
    while (again) {
        code = furnish_lay(f, err);
        again = false;
        if (code == ETNA_OK)
            code = furnish_try(f, &again, err);
    }
    return code;
}

/* The folder with what is missing above it. */
static etna_code folder_make(const char *path, etna_error *err)
{
    char part[4096];
    size_t n = strlen(path);
    if (n >= sizeof part)
        return etna_fail(err, ETNA_E_USAGE, "%.200s: the path is too long",
                         path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != 0)
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return etna_fail(err, ETNA_E_IO, "%.300s: cannot be made: %s", part,
                             strerror(errno));
    }
    return ETNA_OK;
}

static etna_code file_write(const char *folder,
                            const char *name,
                            const void *data,
                            size_t size,
                            etna_error *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return etna_fail(err, ETNA_E_USAGE, "%.200s: the path is too long",
                         folder);
    return load_write(path, data, size, err);
}

char *furnish_report_text(const json_t *report)
{
    return json_dumps(report, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
}

/* Scene, report.json and report.txt; the folder is made. */
etna_code furnish_write(const furnishing *f,
                        const json_t *report,
                        const char *folder,
                        etna_error *err)
{
    char *text = furnish_report_text(report);
    char *words = furnish_words(f);
    etna_code code = text && words ? ETNA_OK
                                   : etna_fail(err, ETNA_E_NOMEM,
                                               "out of memory for the report");
    if (code == ETNA_OK)
        code = folder_make(folder, err);
    if (code == ETNA_OK)
        code = file_write(folder, "result.glb", f->glb, f->glb_size, err);
    if (code == ETNA_OK)
        code = file_write(folder, "report.json", text, strlen(text), err);
    if (code == ETNA_OK)
        code = file_write(folder, "report.txt", words, strlen(words), err);
    free(text);
    free(words);
    return code;
}

/* ---- many ---- */

/* For the bench: the sum over rooms. */
static void tally_add(furnish_tally *t, const furnishing *f)
{
    furnish_score s = furnish_measure(f);
    t->made++;
    t->sum.named += s.named;
    t->sum.named_there += s.named_there;
    t->sum.relations += s.relations;
    t->sum.held += s.held;
    t->sum.told += s.told;
    t->sum.told_held += s.told_held;
    t->sum.seats += s.seats;
    t->sum.reached += s.reached;
    t->sum.items += s.items;
    t->absent += furnish_absent(f);
    t->with_models += s.named - furnish_absent(f);
    t->whole += furnish_ended(&s) == FURNISH_COMPLETE;
}

etna_code furnish_many_ask(const furnish_many *many,
                           uint32_t number,
                           const char *line,
                           size_t size,
                           furnishing *f,
                           etna_error *err)
{
    f->text = strndup(line, size);
    f->text_size = size;
    f->room = many->rooms[(number - 1) % many->room_count];
    f->find = many->find;
    f->seed = many->seed;
    f->store = many->store;
    f->objects = many->objects;
    f->published = many->published;
    return f->text ? ETNA_OK : furnish_no_memory(err);
}

/* Of one line; what is wrong with it is told, and the others go on. */
static etna_code line_make(const furnish_many *many,
                           uint32_t number,
                           const char *line,
                           size_t size,
                           furnish_tally *tally,
                           etna_error *err)
{
    furnishing *f = calloc(1, sizeof *f);
    char folder[4096];
    etna_error own = {0};
    if (!f)
        return furnish_no_memory(err);
    etna_code code = furnish_many_ask(many, number, line, size, f, &own);
    if (code == ETNA_OK)
        code = furnish_make(f, &own);
    json_t *report = code == ETNA_OK && many->output ? furnish_report(f) : NULL;
    if (report)
        code = furnish_keep(f, report, &own);
    int n = snprintf(folder, sizeof folder, "%s/%04u",
                     many->output ? many->output : "", number);
    if (code == ETNA_OK && many->output) {
        bool fits = report && n > 0 && (size_t)n < sizeof folder;
        code = fits ? furnish_write(f, report, folder, &own)
                    : etna_fail(&own, ETNA_E_NOMEM,
                                "out of memory for the report");
    }
    if (code == ETNA_OK && many->finds_faults)
        code = furnish_faults_find(f, &tally->faults, &own);
    if (code == ETNA_OK)
        tally_add(tally, f);
    if (code == ETNA_E_INPUT) {
        char plain[sizeof own.text];
        tally->refused++;
        fprintf(stderr, "etna: line %u: %s\n", number,
                load_plain(own.text, plain, sizeof plain));
        code = ETNA_OK;
    }
    if (code != ETNA_OK)
        *err = own;
    json_decref(report);
    furnish_free(f);
    free(f);
    return code;
}

etna_code furnish_each_line(const char *text,
                            size_t size,
                            furnish_line each,
                            void *context,
                            etna_error *err)
{
    uint32_t number = 0;
    etna_code code = ETNA_OK;
    for (size_t at = 0; code == ETNA_OK && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t n = end ? (size_t)(end - (text + at)) : size - at;
        bool is_blank = strspn(text + at, " \t\r") >= n;
        if (!is_blank)
            code = each(context, ++number, text + at, n, err);
        at += n + 1;
    }
    if (code == ETNA_OK && !number)
        code =
            etna_fail(err, ETNA_E_INPUT, "there is no line with words in it");
    return code;
}

typedef struct lines_run {
    const furnish_many *many;
    furnish_tally *tally;
} lines_run;

static etna_code lines_each(void *context,
                            uint32_t number,
                            const char *line,
                            size_t size,
                            etna_error *err)
{
    const lines_run *run = context;
    return line_make(run->many, number, line, size, run->tally, err);
}

etna_code furnish_lines(const furnish_many *many,
                        const char *text,
                        size_t size,
                        furnish_tally *ret,
                        etna_error *err)
{
    lines_run run = {many, ret};
    *ret = (furnish_tally){.made = 0};
    return furnish_each_line(text, size, lines_each, &run, err);
}
