/* The folders that open_scene may read: those the user named with --root, and
 * over stdio those the client calls its roots. A path is opened beneath one of
 * them only, by the kernel's own check, whatever links and ".." it holds. A
 * folder that is not there is an error of the call that needs it. Paths come
 * from outside and are hostile. */
#ifndef ETNA_WORKER_MCP_ROOTS_H
#define ETNA_WORKER_MCP_ROOTS_H

#include "proto/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ROOTS_MAX = 16,
    ROOTS_PATH_MAX = 4096,
    ROOTS_LISTED_MAX = 60, /* files that are told of */
    ROOTS_DEPTH_MAX = 5,   /* folders within folders that are looked into */
    ROOTS_SEEN_MAX = 20000 /* entries that are looked at */
};

typedef struct roots { /* all zero is empty */
    uint32_t count;
    struct root {
        char *path; /* absolute */
        bool is_clients;
    } items[ROOTS_MAX];
} roots;

void roots_free(roots *r);
/* ETNA_E_LIMIT beyond ROOTS_MAX; ETNA_E_NOMEM; ETNA_E_USAGE for a path that is
 * too long. Relative ones are made absolute by the working directory. */
etna_code roots_add(roots *r, const char *path, etna_error *err);
/* What `roots/list` answered, an array of {"uri", "name"}, takes the place of
 * what it answered before. URIs that are no local file:// are passed over. */
void roots_take_clients(roots *r, const json_t *told);

/* The file that `asked` means: an absolute path, or one relative to any root,
 * the first that has it. ETNA_E_INPUT says what is wrong and where files may
 * be. */
etna_code roots_find(const roots *r,
                     const char *asked,
                     char ret_path[ROOTS_PATH_MAX],
                     etna_error *err);

/* Scene files beneath the roots, as paths that can be given to roots_find:
 * those that rank first (`rank`: 0 is the first, negative: no scene), then
 * those in fewer folders, then by name. `part` (NULL: any): only paths that
 * hold it, in any case. *ret_left: how many more there are at least. Folders
 * that cannot be read are named in *ret_faults (array of texts).
 * ETNA_E_NOMEM. */
etna_code roots_list(const roots *r,
                     int (*rank)(const char *name),
                     const char *part,
                     json_t **ret_files,
                     json_t **ret_faults,
                     uint32_t *ret_left,
                     etna_error *err);
/* Control characters are in no path that is told or opened. */
bool roots_has_controls(const char *path);

#endif
