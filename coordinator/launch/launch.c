/* See launch.h.
 *
 * Kinds of places (slurm, ssh, systemd, local, kubernetes), each with the
 * templates it needs. A template is a file with marks like @DIRECTORY@;
 * launch_text fills them in. Values end up in shell scripts and unit files, so
 * they are not quoted but refused: launch_is_plain lets letters, digits and a
 * few signs pass, and nothing that any of these languages could take for its
 * own. */
#include "coordinator/launch/launch.h"
#include "coordinator/launch/template.h"
#include "proto/array.h"
#include "proto/ascii.h"
#include "proto/hash.h"
#include "store/filesystem.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VALUE_MAX = 4096,
    FILES_MAX = 4
};

/* The kinds and their usual values. A new kind is a row here and its files in
 * templates/. */
static const struct launch_kind {
    const char *name, *files[FILES_MAX]; /* the first starts everything */
    const char *listen, *local;          /* local NULL: beneath the directory */
} kinds[] = {
    {"slurm",
     {"slurm-submit.sh", "slurm-coordinator.sbatch", "slurm-workers.sbatch"},
     "tls+tcp://0.0.0.0:7890",
     "/tmp"},
    {"ssh", {"ssh-start.sh", "ssh-stop.sh"}, "tls+tcp://0.0.0.0:7890", NULL},
    {"systemd",
     {"systemd-install.sh", "etna-coordinator.service", "etna-worker@.service"},
     "tcp://127.0.0.1:7890",
     NULL},
    {"local",
     {"local-start.sh", "local-stop.sh"},
     "tcp://127.0.0.1:7890",
     NULL},
    {"kubernetes",
     {"kubernetes-start.sh", "kubernetes-stop.sh",
      "kubernetes-coordinator.yaml", "kubernetes-workers.yaml"},
     "tls+tcp://0.0.0.0:7890",
     NULL},
};
enum {
    KINDS = COUNT_OF(kinds)
};

/* NULL: none. */
static const struct launch_kind *launch_find_kind(const char *name)
{
    for (size_t i = 0; name && i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* 0 for a kind that is none. */
size_t launch_file_count(const char *kind)
{
    const struct launch_kind *found = launch_find_kind(kind);
    size_t count = 0;
    while (found && count < FILES_MAX && found->files[count])
        count++;
    return count;
}

/* `index` is below launch_file_count. */
const char *launch_file_name(const char *kind, size_t index)
{
    return launch_find_kind(kind)->files[index];
}

/* The values of a plan, each checked, as they stand in scripts. */
typedef struct launch_values {
    char directory[VALUE_MAX], etna[VALUE_MAX], worker[VALUE_MAX],
        listen[VALUE_MAX], local[VALUE_MAX], hosts[VALUE_MAX], image[VALUE_MAX];
    char name[16], workers[16], cpus[16], cpus_flag[24], sbatch[512];
} launch_values;

/* Whether a value stands in scripts, units and #SBATCH lines alike without a
 * meaning of its own; `more`: further signs that this value may have. */
static bool launch_is_plain(const char *value, const char *more)
{
    for (const char *c = value; *c; c++) {
        const char small = (char)(*c | 0x20);
        if (ascii_is_lower(small))
            continue;
        if (ascii_is_digit(*c))
            continue;
        if (!strchr("/._+-", *c) && !strchr(more, *c))
            return false;
    }
    return *value && *value != '-';
}

/* `more`: signs that this value may have besides. */
static etna_code launch_take(const char *what,
                             const char *value,
                             const char *more,
                             char ret[VALUE_MAX],
                             etna_error *err)
{
    if (!launch_is_plain(value, more))
        return etna_fail(
            err, ETNA_E_USAGE,
            "launch: %s \"%.200s\" cannot stand in a job script: letters, digits and /._+-%s only",
            what, value, more);
    if (strlen(value) >= VALUE_MAX)
        return etna_fail(err, ETNA_E_USAGE, "launch: %s is too long", what);
    memcpy(ret, value, strlen(value) + 1);
    return ETNA_OK;
}

/* Both lines or one; a `#` of its own where neither is given, which is a
 * comment. */
static etna_code launch_take_sbatch(const launch_plan *plan,
                                    launch_values *v,
                                    etna_error *err)
{
    char partition[VALUE_MAX] = "", time[VALUE_MAX] = "";
    etna_code code = ETNA_OK;
    if (plan->partition)
        code = launch_take("--partition", plan->partition, ",", partition, err);
    if (!code && plan->time)
        code = launch_take("--time", plan->time, ":", time, err);
    if (code)
        return code;
    const char *partition_is = *partition ? "SBATCH --partition=" : "";
    const char *line_end = *partition && *time ? "\n#" : "";
    const char *time_is = *time ? "SBATCH --time=" : "";
    snprintf(v->sbatch, sizeof v->sbatch, "#%s%.200s%s%s%.200s", partition_is,
             partition, line_end, time_is, time);
    return ETNA_OK;
}

/* ssh needs them, nothing else takes them. */
static etna_code launch_take_hosts(const launch_plan *plan,
                                   launch_values *v,
                                   etna_error *err)
{
    bool wanted = strcmp(plan->kind, "ssh") == 0;
    if (wanted && !plan->hosts)
        return etna_fail(err, ETNA_E_USAGE,
                         "launch: ssh wants --hosts A,B,...");
    return wanted ? launch_take("--hosts", plan->hosts, ",@:", v->hosts, err)
                  : ETNA_OK;
}

/* How many of each; and a name for units and jobs that two folders do not
 * share. */
static void launch_take_numbers(const launch_plan *plan, launch_values *v)
{
    char hex[65];
    etna_hash name = etna_hash_bytes(v->directory, strlen(v->directory));
    etna_hash_hex(&name, hex);
    snprintf(v->name, sizeof v->name, "%.8s", hex);
    snprintf(v->workers, sizeof v->workers, "%u", (unsigned)plan->workers);
    snprintf(v->cpus, sizeof v->cpus, "%u",
             (unsigned)(plan->cpus ? plan->cpus : 1));
    if (plan->cpus)
        snprintf(v->cpus_flag, sizeof v->cpus_flag, "--cpus %u",
                 (unsigned)plan->cpus);
}

/* The usual one. */
static const char *launch_or(const char *given, const char *usual)
{
    return given ? given : usual;
}

/* Where the coordinator listens, and what workers of its own host call it
 * by. */
static etna_code launch_take_addresses(const launch_plan *plan,
                                       const struct launch_kind *kind,
                                       launch_values *v,
                                       etna_error *err)
{
    char local[VALUE_MAX];
    snprintf(local, sizeof local, "%.4000s/store", plan->directory);
    etna_code code =
        launch_take("--listen", launch_or(plan->listen, kind->listen), ":[]*",
                    v->listen, err);
    if (code)
        return code;
    const char *usual = launch_or(kind->local, local);
    return launch_take("--local", launch_or(plan->local, usual), "", v->local,
                       err);
}

/* Every value that any template has. */
static etna_code launch_take_all(const launch_plan *plan,
                                 launch_values *v,
                                 etna_error *err)
{
    const struct launch_kind *kind = launch_find_kind(plan->kind);
    if (!kind)
        return etna_fail(
            err, ETNA_E_USAGE,
            "launch: there is no kind %.40s; it is slurm, ssh, systemd, local or kubernetes",
            plan->kind);
    etna_code code = launch_take("-o", plan->directory, "", v->directory, err);
    if (!code)
        code =
            launch_take("the path of etna", plan->programs, "", v->etna, err);
    if (code)
        return code;
    snprintf(v->worker, sizeof v->worker, "%.4000s/etna-worker",
             plan->programs);
    snprintf(v->etna, sizeof v->etna, "%.4000s/etna", plan->programs);
    code = launch_take_addresses(plan, kind, v, err);
    if (!code)
        code = launch_take_sbatch(plan, v, err);
    if (!code)
        code = launch_take_hosts(plan, v, err);
    if (!code)
        code = launch_take("--image", launch_or(plan->image, "etna"), ":@",
                           v->image, err);
    if (!code)
        launch_take_numbers(plan, v);
    return code;
}

/* The value that the text between two @ names; NULL: it is no key, and the @
 * stands for itself. */
static const char *launch_value(const launch_values *v,
                                const char *key,
                                size_t size)
{
    const struct {
        const char *key, *value;
    } rows[] = {{"directory", v->directory}, {"etna", v->etna},
                {"worker", v->worker},       {"listen", v->listen},
                {"local", v->local},         {"hosts", v->hosts},
                {"name", v->name},           {"workers", v->workers},
                {"cpus", v->cpus},           {"cpus_flag", v->cpus_flag},
                {"sbatch", v->sbatch},       {"image", v->image}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strlen(rows[i].key) == size && memcmp(rows[i].key, key, size) == 0)
            return rows[i].value;
    }
    return NULL;
}

/* Replaces each @KEY@. An @ that begins no key stands for itself, as in a
 * unit's name etna-worker@1. */
static void launch_fill(const char *text, const launch_values *v, FILE *to)
{
    while (*text) {
        size_t plain = strcspn(text, "@");
        fwrite(text, 1, plain, to);
        text += plain;
        if (!*text)
            return;
        size_t size = strcspn(text + 1, "@\n");
        const char *value =
            text[1 + size] == '@' ? launch_value(v, text + 1, size) : NULL;
        if (value) {
            fputs(value, to);
            text += size + 2;
        } else {
            fputc('@', to);
            text++;
        }
    }
}

/* The caller frees *ret. */
etna_code launch_text(const launch_plan *plan,
                      const char *name,
                      char **ret,
                      etna_error *err)
{
    const launch_template *t = launch_templates;
    while (t->name && strcmp(t->name, name) != 0)
        t++;
    if (!t->name)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "launch: there is no template %s", name);
    launch_values *v = calloc(1, sizeof *v);
    if (!v)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory writing %s", name);
    etna_code code = launch_take_all(plan, v, err);
    char *text = NULL;
    size_t size = 0;
    FILE *to = code ? NULL : open_memstream(&text, &size);
    if (to)
        launch_fill(t->text, v, to);
    bool whole = to && !fclose(to);
    free(v);
    if (!code && !whole)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory writing %s", name);
    if (code) {
        free(text);
        return code;
    }
    *ret = text;
    return ETNA_OK;
}

/* What is run, not read by a supervisor. */
static bool launch_is_script(const char *name)
{
    return !strstr(name, ".service") && !strstr(name, ".yaml");
}

/* Scripts may be run by their owner, and read by nobody else: they may hold a
 * path to keys. */
static etna_code launch_write_file(int folder,
                                   const launch_plan *plan,
                                   const char *name,
                                   etna_error *err)
{
    char *text;
    etna_code code = launch_text(plan, name, &text, err);
    if (code)
        return code;
    bool is_script = launch_is_script(name);
    bool good = wholefile_write(folder, name, text, strlen(text)) &&
                !fchmodat(folder, name, is_script ? 0700 : 0600, 0);
    int why = errno;
    free(text);
    if (good)
        return ETNA_OK;
    return etna_fail(err, wholefile_code(why), "%s/%s: %s", plan->directory,
                     name, strerror(why));
}

etna_code launch_write(const launch_plan *plan, etna_error *err)
{
    launch_values *v = calloc(1, sizeof *v);
    if (!v)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing job scripts");
    /* before anything is made */
    etna_code code = launch_take_all(plan, v, err);
    free(v);
    if (!code)
        code = filesystem_make_directory(plan->directory, err);
    if (code)
        return code;
    int folder = open(plan->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return etna_fail(err, ETNA_E_IO, "%s: %s", plan->directory,
                         strerror(errno));
    for (size_t i = 0; !code && i < launch_file_count(plan->kind); i++)
        code = launch_write_file(folder, plan, launch_file_name(plan->kind, i),
                                 err);
    close(folder);
    return code;
}
