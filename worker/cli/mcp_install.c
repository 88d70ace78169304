/* See mcp_install.h. The file is the user's and may hold keys and much else: it
 * is replaced as a whole or not at all, with the rights it had, where a link
 * leads to, and left alone where it can't be read as JSON. */
#include "worker/cli/mcp_install.h"

#include "proto/fd.h"
#include "worker/cli/load.h"
#include "worker/mcp/entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CONFIGURATION_MAX = 64 << 20,
    PLACE_MAX = 4096
};

static const char server_name[] = "etna";

/* ---- the entry ---- */

static bool args_add_pair(json_t *args, const char *flag, const char *value)
{
    return json_array_append_new(args, json_string(flag)) == 0 &&
           json_array_append_new(args, json_string(value)) == 0;
}

/* A path as any working directory understands it. */
static bool path_make_absolute(const char *path, char ret[PLACE_MAX])
{
    char here[PLACE_MAX] = "";
    if (*path != '/' && !getcwd(here, sizeof here))
        return false;
    int size = snprintf(ret, PLACE_MAX, "%s%s%s", here, *here ? "/" : "", path);
    return size > 0 && size < PLACE_MAX;
}

/* Only what was given. */
static bool args_add_import(json_t *args, const scene_options *import)
{
    char unit[64];
    const char up[2] = {import->up, 0};
    bool good = true;
    snprintf(unit, sizeof unit, "%.17g", import->metres_per_unit);
    if (import->metres_per_unit > 0)
        good = args_add_pair(args, "--unit", unit);
    if (good && import->up)
        good = args_add_pair(args, "--up", up);
    return good;
}

/* A path as any working directory understands it, behind its flag (NULL: it has
 * none). */
static bool args_add_path(json_t *args, const char *flag, const char *path)
{
    char whole[PLACE_MAX];
    if (!path_make_absolute(path, whole))
        return false;
    return flag ? args_add_pair(args, flag, whole)
                : json_array_append_new(args, json_string(whole)) == 0;
}

/* Where nothing was said, scenes are those of the working directory. */
static bool args_add_scenes(json_t *args, const mcp_install *asked)
{
    char here[PLACE_MAX];
    if (asked->scene && !args_add_path(args, NULL, asked->scene))
        return false;
    for (uint32_t i = 0; i < asked->roots->count; i++) {
        if (!args_add_pair(args, "--root", asked->roots->items[i].path))
            return false;
    }
    if (asked->scene || asked->roots->count)
        return true;
    return getcwd(here, sizeof here) && args_add_pair(args, "--root", here);
}

/* What the client is to call us with; results go into a folder of their own
 * where none was named. */
static json_t *args_make(const mcp_install *asked)
{
    json_t *args = json_pack("[s]", "mcp");
    bool good = args && args_add_scenes(args, asked) &&
                args_add_path(args, "--folder",
                              asked->folder ? asked->folder : "etna-results");
    if (good && asked->model)
        good = args_add_pair(args, "--model", asked->model);
    if (good)
        good = args_add_import(args, asked->import);
    if (good)
        return args;
    json_decref(args);
    return NULL;
}

/* ---- the file ---- */

/* The client's configuration file under $HOME or $XDG_CONFIG_HOME. */
static etna_code place_find(const entry_client *client,
                            char ret[PLACE_MAX],
                            etna_error *err)
{
    const char *home = getenv("HOME");
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *between = "";
    bool is_config = client->place[0] == '$';
    bool has_config = config && config[0] == '/';
    if (!home || home[0] != '/')
        return etna_fail(err, ETNA_E_USAGE,
                         "--install: $HOME is not set; use --print");
    if (is_config && has_config)
        home = config;
    if (is_config && !has_config)
        between = "/.config";
    int size =
        snprintf(ret, PLACE_MAX, "%s%s%s", home, between, client->place + 1);
    return size > 0 && size < PLACE_MAX
               ? ETNA_OK
               : etna_fail(err, ETNA_E_USAGE,
                           "--install: $HOME is too long a path");
}

/* A client's configuration as it was read; `was` tells later whether somebody
 * changed it. */
typedef struct configuration {
    char place[PLACE_MAX]; /* the file itself, behind all links */
    char *text;
    size_t size;
    bool is_there;
    struct stat was;
} configuration;

static etna_code configuration_read_open(int fd,
                                         configuration *c,
                                         etna_error *err)
{
    if (fstat(fd, &c->was) || !S_ISREG(c->was.st_mode) ||
        c->was.st_size > CONFIGURATION_MAX)
        return etna_fail(
            err, ETNA_E_INPUT,
            "%s: that is no file of a configuration; nothing was changed",
            c->place);
    size_t room = (size_t)c->was.st_size;
    c->text = malloc(room + 1);
    if (!c->text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %s", c->place);
    const ssize_t size = fd_read(fd, c->text, room);
    if (size != (ssize_t)room)
        return etna_fail(err, ETNA_E_IO, "%s can't be read: %s", c->place,
                         strerror(size < 0 ? errno : EIO));
    c->size = room;
    c->text[room] = 0;
    c->is_there = true;
    return ETNA_OK;
}

/* A missing file is an empty one. A link is followed, so that it is not
 * replaced by a file. */
static etna_code configuration_read(configuration *c, etna_error *err)
{
    char real[PATH_MAX];
    if (realpath(c->place, real))
        snprintf(c->place, sizeof c->place, "%s", real);
    int fd = open(c->place, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno != ENOENT)
        return etna_fail(err, ETNA_E_IO,
                         "%s can't be read: %s; nothing was changed", c->place,
                         strerror(errno));
    if (fd < 0) {
        c->text = strdup("");
        return c->text ? ETNA_OK
                       : etna_fail(err, ETNA_E_NOMEM, "out of memory");
    }
    etna_code code = configuration_read_open(fd, c, err);
    close(fd);
    return code;
}

/* Folders on the way to a file that is not there yet. */
static void place_make_folders(const char *place)
{
    char path[PLACE_MAX];
    snprintf(path, sizeof path, "%s", place);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
}

/* Not if somebody changed it since; with its former permissions. */
static etna_code configuration_write(const configuration *c,
                                     const char *text,
                                     etna_error *err)
{
    struct stat is;
    bool is_there = stat(c->place, &is) == 0;
    bool has_changed = is_there != c->is_there;
    if (is_there && c->is_there)
        has_changed = is.st_mtim.tv_sec != c->was.st_mtim.tv_sec ||
                      is.st_mtim.tv_nsec != c->was.st_mtim.tv_nsec ||
                      is.st_size != c->was.st_size;
    if (has_changed)
        return etna_fail(
            err, ETNA_E_IO,
            "%s was changed meanwhile and is left as it is; call this again",
            c->place);
    if (!c->is_there)
        place_make_folders(c->place);
    umask(c->is_there ? 0777 & ~c->was.st_mode : 077);
    return load_write(c->place, (const uint8_t *)text, strlen(text), err);
}

/* ---- the command ---- */

/* The user's other entries stay as they are; see entry_put. */
static etna_code entry_install(const entry_client *client,
                               const json_t *entry,
                               etna_error *err)
{
    static const char *const said[] = {"is there already", "was added",
                                       "takes the place of the one there was"};
    configuration c = {.text = NULL};
    char *text = NULL;
    entry_change change = ENTRY_SAME;
    etna_code code = place_find(client, c.place, err);
    if (code == ETNA_OK)
        code = configuration_read(&c, err);
    if (code == ETNA_OK) {
        code = entry_put(client, server_name, entry, c.text, c.size, &text,
                         &change, err);
        if (code == ETNA_E_INPUT) {
            char why[sizeof err->text];
            snprintf(why, sizeof why, "%s", err->text);
            etna_fail(
                err, code,
                "%s: %.300s; it is left as it is, --print shows the entry to put in by hand",
                c.place, why);
        }
    }
    if (code == ETNA_OK && change != ENTRY_SAME)
        code = configuration_write(&c, text, err);
    if (code == ETNA_OK)
        printf("%s: the entry \"%s\" %s; start %s anew to use it\n", c.place,
               server_name, said[change], client->title);
    free(text);
    free(c.text);
    return code;
}

static etna_code entry_print(const entry_client *client,
                             const json_t *entry,
                             etna_error *err)
{
    char place[PLACE_MAX];
    char *text = entry_document(client, server_name, entry);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    fputs(text, stdout);
    free(text);
    if (place_find(client, place, err) == ETNA_OK)
        fprintf(stderr, "etna: this belongs in %s\n", place);
    return ETNA_OK;
}

int mcp_install_run(const mcp_install *asked)
{
    const entry_client *client = entry_find_client(asked->client);
    etna_error err = {0};
    if (!client)
        return load_usage("--install wants %s", entry_client_names());
    json_t *args = args_make(asked);
    json_t *entry = args ? entry_make(client, asked->program, args) : NULL;
    etna_code code = ETNA_OK;
    if (!entry) {
        code = etna_fail(
            &err, ETNA_E_USAGE,
            "--install: the paths can't be made absolute, or memory is short");
    } else {
        code = asked->prints ? entry_print(client, entry, &err)
                             : entry_install(client, entry, &err);
    }
    json_decref(args);
    json_decref(entry);
    return code == ETNA_OK ? load_printed(0) : load_report(&err);
}
