/* See roots.h. */
#include "worker/mcp/roots.h"

#include "proto/ascii.h"
#include "worker/gltf/bundle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void roots_free(roots *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        free(r->items[i].path);
    *r = (roots){0};
}

/* A folder that does not exist yet is kept as written and refused when it is
 * used. */
static etna_code root_add(roots *r,
                          const char *path,
                          bool is_clients,
                          etna_error *err)
{
    char here[ROOTS_PATH_MAX] = "", whole[ROOTS_PATH_MAX];
    if (r->count == ROOTS_MAX)
        return etna_fail(err, ETNA_E_LIMIT, "more than %d root folders",
                         ROOTS_MAX);
    if (*path != '/' && !getcwd(here, sizeof here))
        return etna_fail(err, ETNA_E_IO, "the working directory: %s",
                         strerror(errno));
    int size =
        snprintf(whole, sizeof whole, "%s%s%s", here, *here ? "/" : "", path);
    if (size < 0 || (size_t)size >= sizeof whole)
        return etna_fail(err, ETNA_E_USAGE,
                         "--root %.100s...: the path is too long", path);
    /* NULL: not there yet, or not to be read */
    char *kept = realpath(whole, NULL);
    if (!kept)
        kept = strdup(whole);
    if (!kept)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a root folder");
    r->items[r->count].path = kept;
    r->items[r->count++].is_clients = is_clients;
    return ETNA_OK;
}

etna_code roots_add(roots *r, const char *path, etna_error *err)
{
    return root_add(r, path, false, err);
}

/* ---- the client's ---- */

/* The character at *at, which may be written as "%20"; moves on to its last
 * byte. */
static char uri_character(const char **at)
{
    const int high = **at == '%' ? ascii_hex((*at)[1]) : -1;
    const int low = high >= 0 ? ascii_hex((*at)[2]) : -1;
    if (low < 0)
        return **at;
    *at += 2;
    return (char)(16 * high + low);
}

/* "file:///a%20b" or "file://localhost/a%20b" as "/a b". Refuses an encoded
 * NUL, which would end the path early, and whatever is not an absolute path of
 * this machine. Query and fragment end it. */
static bool uri_read(const char *uri, char ret[ROOTS_PATH_MAX])
{
    size_t used = 0;
    if (strncasecmp(uri, "file://", 7) != 0)
        return false;
    uri += 7;
    if (strncasecmp(uri, "localhost/", 10) == 0)
        uri += 9;
    for (; *uri && *uri != '?' && *uri != '#'; uri++) {
        const char c = uri_character(&uri);
        if (!c || used + 1 == ROOTS_PATH_MAX)
            return false;
        ret[used++] = c;
    }
    ret[used] = 0;
    return ret[0] == '/';
}

/* The list replaces the client's former one; folders of the command line stay.
 * Entries that cannot be read are passed over, a full table ends it: a client
 * may offer more folders than we take, and then it can use fewer. */
void roots_take_clients(roots *r, const json_t *told)
{
    uint32_t kept = 0;
    size_t i;
    const json_t *one;
    for (uint32_t k = 0; k < r->count; k++) {
        if (r->items[k].is_clients) {
            free(r->items[k].path);
        } else {
            r->items[kept++] = r->items[k];
        }
    }
    r->count = kept;
    json_array_foreach(told, i, one)
    {
        char path[ROOTS_PATH_MAX];
        const char *uri = json_string_value(json_object_get(one, "uri"));
        if (uri && uri_read(uri, path) &&
            root_add(r, path, true, NULL) != ETNA_OK)
            return;
    }
}

/* ---- one file ---- */

/* Names the folders, since a model has no other way to learn where it may
 * look. */
static etna_code roots_refuse(const roots *r,
                              const char *what,
                              const char *asked,
                              etna_error *err)
{
    char words[600] = "";
    size_t used = 0;
    if (!r->count)
        return etna_fail(
            err, ETNA_E_INPUT,
            "\"%.200s\" is not opened: this server may read no folder; its user can start it with --root DIR",
            asked);
    for (uint32_t i = 0; i < r->count && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%.150s",
                                 i ? ", " : "", r->items[i].path);
    return etna_fail(
        err, ETNA_E_INPUT,
        "\"%.200s\" %s; files may lie beneath %.500s (list_scenes tells them)",
        asked, what, words);
}

/* The part of an absolute path behind the root's own; NULL: it is not beneath
 * it. */
static const char *root_inside(const char *root, const char *path)
{
    size_t size = strlen(root);
    if (size == 1)
        return path + 1;
    return strncmp(root, path, size) == 0 && path[size] == '/' ? path + size + 1
                                                               : NULL;
}

/* Opened beneath the root, a regular file: its true path into `ret`. 0 or
 * errno. The open is what checks: openat2 beneath the folder refuses "..",
 * absolute links and races, which comparing path texts cannot. The true path is
 * read from the descriptor, and only a regular file passes: a FIFO would
 * block. */
static int root_open(const char *root,
                     const char *inside,
                     char ret[ROOTS_PATH_MAX])
{
    char self[64];
    struct stat is;
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno;
    int file = bundle_open_beneath(folder, inside);
    int why = file < 0 ? errno : 0;
    close(folder);
    if (file < 0)
        return why;
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    ssize_t size = fstat(file, &is) || !S_ISREG(is.st_mode)
                       ? -1
                       : readlink(self, ret, ROOTS_PATH_MAX - 1);
    close(file);
    if (size < 0 || size == ROOTS_PATH_MAX - 1)
        return EISDIR;
    ret[size] = 0;
    return 0;
}

static const char *fault_words(int why)
{
    if (why == EXDEV || why == ELOOP)
        return "leads outside of the folders";
    if (why == EISDIR)
        return "is no file";
    if (why == EACCES || why == EPERM)
        return "may not be read";
    return "is not there";
}

bool roots_has_controls(const char *path)
{
    for (const char *c = path; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return true;
    }
    return false;
}

/* Tried in every folder, in order; the first that has it wins. `%.*s` and the
 * length check leave room for escapes. */
etna_code roots_find(const roots *r,
                     const char *asked,
                     char ret_path[ROOTS_PATH_MAX],
                     etna_error *err)
{
    char path[ROOTS_PATH_MAX], found[ROOTS_PATH_MAX];
    /* of a library: the file's name ends before */
    const char *model = strcasestr(asked, ".sh3f#");
    size_t size = model ? (size_t)(model - asked) + 5 : strlen(asked);
    int why = 0;
    if (roots_has_controls(asked))
        return etna_fail(err, ETNA_E_INPUT, "the path has control characters");
    if (size == 0 || strlen(asked) >= sizeof path / 4)
        return roots_refuse(r, "is no path", asked, err);
    snprintf(path, sizeof path, "%.*s", (int)size, asked);
    for (uint32_t i = 0; i < r->count; i++) {
        const char *inside =
            *path == '/' ? root_inside(r->items[i].path, path) : path;
        int code = inside ? root_open(r->items[i].path, inside, found) : EXDEV;
        if (code == 0) {
            int used =
                snprintf(ret_path, ROOTS_PATH_MAX, "%s%s", found, asked + size);
            return used < ROOTS_PATH_MAX
                       ? ETNA_OK
                       : roots_refuse(r, "has too long a path", asked, err);
        }
        if (!why || why == ENOENT)
            why = code; /* what is there and is refused says more */
    }
    return roots_refuse(r, fault_words(why), asked, err);
}

/* ---- all files ---- */

typedef struct listed {
    char *path; /* as it is told */
    int rank, depth;
} listed;

/* A walk of all folders. `seen` counts entries over all of them, so that a huge
 * tree ends; `left` says in the answer that something was left out. */
typedef struct listing {
    const struct root *root;
    int (*rank)(const char *name);
    const char *part;
    bool is_first; /* its files are told relative to it */
    listed *files;
    uint32_t count, room;
    json_t *faults;
    uint32_t seen, left;
    bool no_memory;
} listing;

static void listing_walk(listing *l, int folder, const char *inside, int depth);

/* On failure sets no_memory, which the end reports; the walk goes on. */
static void listing_add(listing *l, const char *path, int rank, int depth)
{
    char *told = NULL;
    if (l->count == l->room) {
        uint32_t room = l->room ? 2 * l->room : 64;
        listed *files = realloc(l->files, room * sizeof *files);
        if (files) {
            l->files = files;
            l->room = room;
        }
    }
    int size = l->is_first ? asprintf(&told, "%s", path)
                           : asprintf(&told, "%s/%s", l->root->path, path);
    if (size < 0 || l->count == l->room) {
        if (size >= 0)
            free(told);
        l->no_memory = true;
        return;
    }
    l->files[l->count++] = (listed){told, rank, depth};
}

/* Is the file of a kind that is listed, and of a path that is asked for? Its
 * rank; < 0: it is not. */
static int listing_rank(const listing *l,
                        const struct stat *is,
                        const char *path,
                        const char *name)
{
    const int rank = S_ISREG(is->st_mode) ? l->rank(name) : -1;
    const bool asked = !l->part || strcasestr(path, l->part);
    return asked ? rank : -1;
}

/* Links are not followed: what one leads to is listed where it is, or
 * nowhere. */
static void listing_look(
    listing *l, int folder, const char *inside, const char *name, int depth)
{
    struct stat is;
    char path[ROOTS_PATH_MAX];
    int size =
        snprintf(path, sizeof path, "%s%s%s", inside, *inside ? "/" : "", name);
    bool fits = size > 0 && (size_t)size < sizeof path;
    if (!fits || fstatat(folder, name, &is, AT_SYMLINK_NOFOLLOW))
        return;
    if (S_ISDIR(is.st_mode) && depth < ROOTS_DEPTH_MAX) {
        int child = openat(folder, name,
                           O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (child >= 0)
            listing_walk(l, child, path, depth + 1);
    }
    const int rank = listing_rank(l, &is, path, name);
    if (rank >= 0)
        listing_add(l, path, rank, depth);
}

/* Takes the descriptor. Hidden files and folders are not shown. Depth and
 * entries are bounded; the recursion is at most ROOTS_DEPTH_MAX deep. */
static void listing_walk(listing *l, int folder, const char *inside, int depth)
{
    DIR *entries = fdopendir(folder);
    if (!entries) {
        close(folder);
        return;
    }
    for (const struct dirent *e;
         l->seen < ROOTS_SEEN_MAX && (e = readdir(entries)); l->seen++) {
        if (e->d_name[0] != '.')
            listing_look(l, dirfd(entries), inside, e->d_name, depth);
    }
    if (l->seen == ROOTS_SEEN_MAX)
        l->left = 1;
    closedir(entries);
}

/* Best kinds of file first, then those nearest to the folder, then by name: the
 * list is cut, and what is cut should matter least. */
static int listed_compare(const void *a, const void *b)
{
    const listed *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->depth != right->depth)
        return left->depth < right->depth ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* Frees the entries as it goes, also those beyond the limit. */
static json_t *listing_tell(listing *l)
{
    json_t *files = json_array();
    if (l->count)
        qsort(l->files, l->count, sizeof *l->files, listed_compare);
    for (uint32_t i = 0; i < l->count; i++) {
        if (i < ROOTS_LISTED_MAX)
            /* no UTF-8: left out */
            json_array_append_new(files, json_string(l->files[i].path));
        free(l->files[i].path);
    }
    if (l->count > ROOTS_LISTED_MAX)
        l->left += l->count - ROOTS_LISTED_MAX;
    free(l->files);
    return files;
}

etna_code roots_list(const roots *r,
                     int (*rank)(const char *name),
                     const char *part,
                     json_t **ret_files,
                     json_t **ret_faults,
                     uint32_t *ret_left,
                     etna_error *err)
{
    listing l = {.rank = rank, .part = part, .faults = json_array()};
    for (uint32_t i = 0; i < r->count; i++) {
        l.root = &r->items[i];
        l.is_first = i == 0;
        int folder = open(l.root->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            listing_walk(&l, folder, "", 0);
        } else {
            json_array_append_new(l.faults, json_sprintf("%s: %s", l.root->path,
                                                         strerror(errno)));
        }
    }
    json_t *files = listing_tell(&l);
    if (!files || !l.faults || l.no_memory) {
        json_decref(files);
        json_decref(l.faults);
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a list");
    }
    *ret_files = files;
    *ret_faults = l.faults;
    *ret_left = l.left;
    return ETNA_OK;
}
