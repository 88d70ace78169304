/* What is kept because it was once needed, and can be made again from the scene alone: Embree's trees over meshes,
 * welded shapes with theirs, undersides, adjacency, planes that were grown. Together they take about as much as
 * space_bound_meshes says (space.h), each kind the share of it that it would have of all of them kept whole. What is
 * unused for longest goes first, what is in use never: when that alone is more than the bound, it is exceeded by that. */
#ifndef ETNA_WORKER_SPACE_KEPT_H
#define ETNA_WORKER_SPACE_KEPT_H

#include "worker/scene/scene.h"

typedef enum kept_purpose { KEPT_RAYS, KEPT_SHAPES, KEPT_PLANES, KEPT_STANDS, KEPT_PURPOSES } kept_purpose;
/* About how many bytes of the scene's bound are for this, as space_bound_meshes says now. Stands, that follow poses and
 * are made in no time, have an eighth beside the others. */
size_t kept_share(const scene *s, kept_purpose purpose);

/* ---- a list of it; its owner has the lock ---- */
typedef struct kept_item {
    struct kept_item *older, *newer; /* while it has no users */
    size_t bytes;
    uint32_t users;
    uint32_t number; /* the owner's: what it is, and which */
    uint8_t kind;
} kept_item;

typedef struct kept_list {      /* all zero is empty */
    kept_item *oldest, *newest; /* of those without users */
    size_t bytes, idle;         /* of all; of those without users */
} kept_list;

void kept_add(kept_list *list, kept_item *k); /* that has one user */
void kept_take(kept_list *list, kept_item *k);
void kept_leave(kept_list *list, kept_item *k);
void kept_grow(kept_list *list, kept_item *k, size_t bytes); /* by so many; it has users */
/* Takes the one unused for longest off the list; NULL: all that is left has users. */
kept_item *kept_let_go(kept_list *list);

#endif
