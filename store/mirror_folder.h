/* Private to the store: a mirror's directory, as a writer that goes on and as a
 * reader that rebuilds see it. */
#ifndef ETNA_STORE_MIRROR_FOLDER_H
#define ETNA_STORE_MIRROR_FOLDER_H

#include "store/segment.h"

/* A segment's file, by its name and head. */
typedef struct mirror_segment {
    uint64_t epoch;
    uint32_t number;
    /* its head is whole; else it was being begun when its writer died */
    bool readable;
    segment_head head;
} mirror_segment;

/* The directory as it was listed. */
typedef struct mirror_folder {
    int fd;
    const char *path;         /* borrowed, for messages */
    uint64_t claim;           /* the highest; 0: none */
    uint64_t bytes;           /* of all segments */
    mirror_segment *segments; /* sorted by epoch and number */
    size_t count, room;
} mirror_folder;

/* Opens and lists the directory. ETNA_E_NOTFOUND, ETNA_E_IO, ETNA_E_NOMEM.
 * After success close it. */
etna_code mirror_folder_open(const char *path,
                             mirror_folder *ret,
                             etna_error *err);
/* One that is closed already is fine. */
void mirror_folder_close(mirror_folder *folder);

/* The highest claim now, by the directory itself and no memory of it: what
 * fences an owner. */
etna_code mirror_folder_claim_now(int fd,
                                  const char *path,
                                  uint64_t *ret_claim,
                                  etna_error *err);
/* Claims an epoch for this process and makes that durable. ETNA_E_STALE:
 * another process was first. */
etna_code mirror_folder_claim(const mirror_folder *folder,
                              uint64_t epoch,
                              const store_owner *self,
                              etna_error *err);

/* Removes the claims of epochs below `epoch`, what they left unfinished, and,
 * with `segments`, all they wrote. That something cannot be removed harms
 * nothing. */
void mirror_folder_forget(const mirror_folder *folder,
                          uint64_t epoch,
                          bool segments);

/* Which groups make the mirror's content: each part is a segment, read up to
 * and with the group `until` (UINT64_MAX: to its end), in their order; the
 * first is a base. */
typedef struct mirror_part {
    size_t segment;
    uint64_t until;
} mirror_part;
typedef struct mirror_plan {
    mirror_part *parts;
    size_t count, room;
} mirror_plan;
/* Up to `end`, or (NULL) all that there is. ETNA_E_NOTFOUND: the mirror holds
 * no such thing; ETNA_E_CORRUPT: it should but a segment is missing or damaged;
 * ETNA_E_NOMEM. */
etna_code mirror_folder_plan(const mirror_folder *folder,
                             const segment_point *end,
                             mirror_plan *ret,
                             etna_error *err);
/* Frees the parts. All zero is fine. */
void mirror_plan_free(mirror_plan *plan);

/* A whole group as it is in the file, borrowed for the call. An error ends the
 * walk and is returned. */
typedef etna_code (*mirror_group_fn)(void *context,
                                     const uint8_t *group,
                                     size_t size,
                                     etna_error *err);
/* Calls `each` for the groups of a part that follow *point, which moves with
 * them; `each` NULL: only walks. A torn group ends a part without `until`.
 * `check`: all checksums are compared; otherwise only the groups' ends are
 * read, and `each` must be NULL. ETNA_E_CORRUPT names segment and group. */
etna_code mirror_folder_walk(const mirror_folder *folder,
                             const mirror_part *part,
                             bool check,
                             segment_point *point,
                             mirror_group_fn each,
                             void *context,
                             etna_error *err);

#endif
