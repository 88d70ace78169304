/* A mirror's directory, on any file system: nothing here locks or maps, and
 * what is read may be cut off anywhere.
 *
 * A mirror is a row of segments; each begins after a point (epoch, group
 * number, chain) of an earlier one, or is a base that holds everything. Who
 * mirrors claims an epoch by making a file that must not exist, so that two
 * processes never write one epoch. Reading goes backwards: from the newest
 * group to the segment it is in, to the one that began before it, until a base
 * (plan_build); then the groups are applied forwards (mirror_folder_walk), each
 * checked against the chain of hashes before it. */
#include "store/mirror_folder.h"
#include "proto/fd.h"
#include "store/store_internal.h"
#include "store/wholefile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static etna_code mirror_folder_fail(const char *path,
                                    const char *name,
                                    etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "the mirror %s%s%s: %s", path,
                     *name ? "/" : "", name, strerror(why));
}

typedef etna_code (*folder_name_fn)(void *context,
                                    const char *name,
                                    etna_error *err);

/* Calls `each` for every name in the directory, in no order. */
static etna_code folder_each(int fd,
                             const char *path,
                             folder_name_fn each,
                             void *context,
                             etna_error *err)
{
    /* a descriptor of its own: a directory is read anew only when it is opened
     * anew */
    int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = own < 0 ? NULL : fdopendir(own);
    if (!dir) {
        etna_code code = mirror_folder_fail(path, "", err);
        if (own >= 0)
            close(own);
        return code;
    }
    etna_code code = ETNA_OK;
    struct dirent *entry;
    for (errno = 0; !code && (entry = readdir(dir)); errno = 0)
        code = each(context, entry->d_name, err);
    if (!code && errno)
        code = mirror_folder_fail(path, "", err);
    closedir(dir);
    return code;
}

/* A folder_name_fn: keeps the highest epoch that was ever claimed. */
static etna_code folder_claim_name(void *context,
                                   const char *name,
                                   etna_error *err)
{
    (void)err;
    uint64_t *claim = context, epoch;
    if (segment_claim_name_read(name, &epoch) && epoch > *claim)
        *claim = epoch;
    return ETNA_OK;
}

/* 0: nobody has claimed any. */
etna_code mirror_folder_claim_now(int fd,
                                  const char *path,
                                  uint64_t *ret_claim,
                                  etna_error *err)
{
    uint64_t claim = 0;
    etna_code code = folder_each(fd, path, folder_claim_name, &claim, err);
    if (!code)
        *ret_claim = claim;
    return code;
}

/* Grows by doubling. */
static etna_code folder_add_segment(mirror_folder *f,
                                    const mirror_segment *segment,
                                    etna_error *err)
{
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 16;
        mirror_segment *grown = realloc(f->segments, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory listing a mirror");
        f->segments = grown;
        f->room = room;
    }
    f->segments[f->count++] = *segment;
    return ETNA_OK;
}

/* Notes a segment with its head, or a claim. A segment whose head cannot be
 * read was being begun when its writer died. */
static etna_code folder_segment_name(void *context,
                                     const char *name,
                                     etna_error *err)
{
    mirror_folder *f = context;
    mirror_segment segment = {0};
    struct stat st;
    uint8_t head[SEGMENT_HEAD];
    if (!segment_name_read(name, &segment.epoch, &segment.number))
        return folder_claim_name(&f->claim, name, err);
    int fd =
        openat(f->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st)) {
        etna_code code = mirror_folder_fail(f->path, name, err);
        if (fd >= 0)
            close(fd);
        return code;
    }
    bool whole = S_ISREG(st.st_mode) &&
                 pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head;
    close(fd);
    bool is_decoded = whole && segment_head_decode(head, &segment.head);
    bool is_named_so = segment.head.epoch == segment.epoch &&
                       segment.head.number == segment.number;
    segment.readable = is_decoded && is_named_so;
    etna_code code = folder_add_segment(f, &segment, err);
    if (!code)
        f->bytes += (uint64_t)st.st_size;
    return code;
}

/* By epoch, then by number. */
static int folder_compare(const void *left, const void *right)
{
    const mirror_segment *a = left, *b = right;
    if (a->epoch != b->epoch)
        return a->epoch < b->epoch ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* *ret is the caller's to close; its path is borrowed. */
etna_code mirror_folder_open(const char *path,
                             mirror_folder *ret,
                             etna_error *err)
{
    mirror_folder f = {.path = path};
    f.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f.fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "the mirror %s: there is no such directory", path);
    if (f.fd < 0)
        return mirror_folder_fail(path, "", err);
    etna_code code = folder_each(f.fd, path, folder_segment_name, &f, err);
    if (code) {
        mirror_folder_close(&f);
        return code;
    }
    if (f.count)
        qsort(f.segments, f.count, sizeof *f.segments, folder_compare);
    *ret = f;
    return ETNA_OK;
}

/* Leaves it closed. */
void mirror_folder_close(mirror_folder *folder)
{
    if (folder->fd >= 0)
        close(folder->fd);
    free(folder->segments);
    *folder = (mirror_folder){.fd = -1};
}

/* O_EXCL decides who was first, also over NFS. The file says who it was, for
 * people; it and its directory are synced before the first group is written. */
etna_code mirror_folder_claim(const mirror_folder *folder,
                              uint64_t epoch,
                              const store_owner *self,
                              etna_error *err)
{
    char name[SEGMENT_NAME_MAX], text[160];
    segment_claim_name(epoch, name);
    int fd = openat(folder->fd, name,
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EEXIST)
        return etna_fail(
            err, ETNA_E_STALE,
            "the mirror %s: another process has just taken it over (%s)",
            folder->path, name);
    if (fd < 0)
        return mirror_folder_fail(folder->path, name, err);
    int size = snprintf(text, sizeof text, "process %llu on %s\n",
                        (unsigned long long)self->pid, self->host);
    bool good =
        fd_write(fd, text, (size_t)size) && !fsync(fd) && !fsync(folder->fd);
    etna_code code =
        good ? ETNA_OK : mirror_folder_fail(folder->path, name, err);
    close(fd);
    return code;
}

/* What folder_forget_name() removes. */
typedef struct folder_older {
    int fd;
    uint64_t epoch;
    bool segments;
} folder_older;

/* "NAME.part" is what a base is called until it is whole. */
static etna_code folder_forget_name(void *context,
                                    const char *name,
                                    etna_error *err)
{
    (void)err;
    const folder_older *older = context;
    char bare[SEGMENT_NAME_MAX];
    uint64_t epoch = UINT64_MAX;
    uint32_t number;
    size_t length = strlen(name);
    bool is_part = length > 5 && strcmp(name + length - 5, ".part") == 0;
    if (length >= sizeof bare)
        return ETNA_OK;
    snprintf(bare, sizeof bare, "%.*s", (int)(length - (is_part ? 5 : 0)),
             name);
    bool is_claim = segment_claim_name_read(name, &epoch);
    bool is_segment = segment_name_read(bare, &epoch, &number);
    bool goes_with_it = older->segments || is_part;
    bool goes = is_claim || (is_segment && goes_with_it);
    if (goes && epoch < older->epoch)
        unlinkat(older->fd, name, 0);
    return ETNA_OK;
}

/* What cannot be removed is left for the next time. */
void mirror_folder_forget(const mirror_folder *folder,
                          uint64_t epoch,
                          bool segments)
{
    folder_older older = {folder->fd, epoch, segments};
    (void)folder_each(folder->fd, folder->path, folder_forget_name, &older,
                      NULL);
}

/* Also of an empty one. */
void mirror_plan_free(mirror_plan *plan)
{
    free(plan->parts);
    *plan = (mirror_plan){0};
}

/* `until`: the last group of that segment that is part of the history. */
static etna_code plan_add(mirror_plan *plan,
                          size_t segment,
                          uint64_t until,
                          etna_error *err)
{
    if (plan->count == plan->room) {
        size_t room = plan->room ? 2 * plan->room : 16;
        mirror_part *grown = realloc(plan->parts, room * sizeof *grown);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory reading a mirror");
        plan->parts = grown;
        plan->room = room;
    }
    plan->parts[plan->count++] = (mirror_part){segment, until};
    return ETNA_OK;
}

/* The last segment of an epoch that begins before the group `number`;
 * folder->count: none. An unreadable head is that of a segment that was never
 * begun. */
static size_t folder_segment_of(const mirror_folder *f,
                                uint64_t epoch,
                                uint64_t number)
{
    size_t found = f->count;
    for (size_t i = 0; i < f->count; i++) {
        const mirror_segment *s = &f->segments[i];
        if (s->epoch == epoch && s->readable && s->head.before.number < number)
            found = i;
    }
    return found;
}

/* The newest epoch that was begun. */
static uint64_t folder_last_epoch(const mirror_folder *f)
{
    for (size_t i = f->count; i-- > 0;) {
        if (f->segments[i].readable && f->segments[i].number == 0)
            return f->segments[i].epoch;
    }
    return 0;
}

/* The plan is found from its end to its base, and read the other way. */
static void plan_reverse(mirror_plan *plan)
{
    for (size_t i = 0, j = plan->count; i + 1 < j; i++) {
        mirror_part kept = plan->parts[--j];
        plan->parts[j] = plan->parts[i];
        plan->parts[i] = kept;
    }
}

/* From the end back to a base. Each step goes to a segment that begins at a
 * lower group, or at the same one in an earlier epoch, so it ends. */
static etna_code plan_build(const mirror_folder *f,
                            segment_point at,
                            uint64_t until,
                            mirror_plan *plan,
                            etna_error *err)
{
    for (;;) {
        size_t i = folder_segment_of(f, at.epoch, at.number);
        if (i == f->count)
            return etna_fail(
                err, ETNA_E_CORRUPT,
                "the mirror %s: the segment of group %llu of epoch %llu is missing",
                f->path, (unsigned long long)at.number,
                (unsigned long long)at.epoch);
        const segment_head *head = &f->segments[i].head;
        etna_code code = plan_add(plan, i, until, err);
        if (code || head->base)
            return code;
        bool goes_back = head->before.epoch < at.epoch ||
                         (head->before.epoch == at.epoch && i > 0);
        if (!goes_back || plan->count > f->count)
            return etna_fail(
                err, ETNA_E_CORRUPT,
                "the mirror %s: its segments do not follow one another",
                f->path);
        at = head->before;
        until = at.number;
    }
}

/* `end` NULL: as far as there is anything. */
etna_code mirror_folder_plan(const mirror_folder *folder,
                             const segment_point *end,
                             mirror_plan *ret,
                             etna_error *err)
{
    mirror_plan plan = {0};
    segment_point last = {.epoch = folder_last_epoch(folder),
                          .number = UINT64_MAX};
    if (end)
        last = *end;
    if (last.epoch == 0 ||
        folder_segment_of(folder, last.epoch, last.number) == folder->count)
        return etna_fail(err, ETNA_E_NOTFOUND,
                         "the mirror %s: there is nothing in it yet",
                         folder->path);
    etna_code code = plan_build(folder, last, last.number, &plan, err);
    if (code) {
        mirror_plan_free(&plan);
        return code;
    }
    plan_reverse(&plan);
    *ret = plan;
    return ETNA_OK;
}

typedef struct walk { /* through the groups of one segment */
    const mirror_folder *folder;
    const mirror_part *part;
    char name[SEGMENT_NAME_MAX];
    uint64_t epoch;
    bool check;
    mirror_group_fn each;
    void *context;
    int fd;
    uint64_t bytes;    /* of the file */
    etna_hash segment; /* its head's seal */
    uint8_t *data;     /* owned, of `room` bytes: what is read */
    size_t room;
} walk;

/* A gap in the middle is damage, not an end. */
static etna_code walk_fail(const walk *w, uint64_t number, etna_error *err)
{
    return etna_fail(err, ETNA_E_CORRUPT,
                     "the mirror %s/%s: group %llu is damaged or missing",
                     w->folder->path, w->name, (unsigned long long)number);
}

/* Reads up to `size` bytes at `at` into w->data; *ret_got: how many there were.
 * Files are read and not mapped: one that shrinks under a mapping would kill
 * us. */
static etna_code walk_read(
    walk *w, uint64_t at, size_t size, size_t *ret_got, etna_error *err)
{
    if (size > w->room) {
        uint8_t *grown = realloc(w->data, size);
        if (!grown)
            return etna_fail(err, ETNA_E_NOMEM,
                             "out of memory reading %zu bytes of the mirror",
                             size);
        w->data = grown;
        w->room = size;
    }
    ssize_t got = fd_read_at(w->fd, w->data, size, at);
    if (got < 0)
        return mirror_folder_fail(w->folder->path, w->name, err);
    *ret_got = (size_t)got;
    return ETNA_OK;
}

/* A group cannot be read at `at`. Groups are synced one by one, so only the
 * last can be torn: if another begins behind it, it was once whole. */
static etna_code walk_end(walk *w,
                          uint64_t at,
                          uint64_t number,
                          etna_error *err)
{
    enum {
        CHUNK = 1 << 20
    };
    bool may_end = w->part->until == UINT64_MAX;
    for (size_t got = 0; may_end; at += got - SEGMENT_GROUP_HEAD + 1) {
        etna_code code = walk_read(w, at + 1, CHUNK, &got, err);
        if (code)
            return code;
        if (got < SEGMENT_GROUP_HEAD)
            return ETNA_OK;
        may_end = !segment_holds_group(w->data, got, &w->segment);
    }
    return walk_fail(w, number, err);
}

/* Reads the head of the group at `at`. *ret_size: its bytes; 0: none begins
 * there that follows *point and is whole. */
static etna_code walk_group_head(walk *w,
                                 uint64_t at,
                                 const segment_point *point,
                                 uint64_t *ret_number,
                                 uint64_t *ret_size,
                                 etna_error *err)
{
    uint64_t size = 0;
    size_t got;
    *ret_size = 0;
    etna_code code = walk_read(w, at, SEGMENT_GROUP_HEAD, &got, err);
    bool begins =
        !code && got == SEGMENT_GROUP_HEAD &&
        segment_group_head_read(w->data, &w->segment, ret_number, &size);
    if (begins && *ret_number == point->number + 1 && size <= w->bytes - at)
        *ret_size = size;
    return code;
}

/* The group at `at`, which follows *point. *ret_size 0: there is no whole one.
 * Unchecked, only its ends are read. */
static etna_code walk_group(walk *w,
                            uint64_t at,
                            segment_point *point,
                            size_t *ret_size,
                            etna_error *err)
{
    uint64_t number, size;
    size_t got;
    etna_hash chain;
    *ret_size = 0;
    etna_code code = walk_group_head(w, at, point, &number, &size, err);
    if (code || size == 0)
        return code;
    size_t want = w->check ? size : SEGMENT_CHAIN;
    code = walk_read(w, at + size - want, want, &got, err);
    if (code || got < want)
        return code;
    if (!w->check) {
        memcpy(chain.bytes, w->data, sizeof chain.bytes);
    } else if (!segment_group_check(w->data, size, &point->chain, &chain)) {
        return ETNA_OK;
    }
    *point = (segment_point){w->epoch, number, chain};
    *ret_size = size;
    return ETNA_OK;
}

/* From the segment's head on; `each` NULL only checks. */
static etna_code walk_groups(walk *w, segment_point *point, etna_error *err)
{
    uint64_t at = SEGMENT_HEAD;
    while (point->number < w->part->until) {
        size_t size;
        etna_code code = walk_group(w, at, point, &size, err);
        if (code)
            return code;
        if (size == 0)
            return walk_end(w, at, point->number + 1, err);
        if (w->each)
            code = w->each(w->context, w->data, size, err);
        if (code)
            return code;
        at += size;
    }
    return ETNA_OK;
}

/* O_NONBLOCK, as a FIFO may lie there. */
static etna_code walk_open(walk *w, etna_error *err)
{
    size_t got;
    struct stat st;
    w->fd = openat(w->folder->fd, w->name,
                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (w->fd < 0 || fstat(w->fd, &st))
        return mirror_folder_fail(w->folder->path, w->name, err);
    w->bytes = (uint64_t)st.st_size;
    etna_code code = walk_read(w, 0, SEGMENT_HEAD, &got, err);
    if (code || got < SEGMENT_HEAD)
        return code ? code : walk_fail(w, 0, err);
    w->segment = segment_head_seal(w->data);
    return ETNA_OK;
}

/* `check`: the chain must go on from *point; *point is where it came to, on
 * failure too. */
etna_code mirror_folder_walk(const mirror_folder *folder,
                             const mirror_part *part,
                             bool check,
                             segment_point *point,
                             mirror_group_fn each,
                             void *context,
                             etna_error *err)
{
    const mirror_segment *segment = &folder->segments[part->segment];
    const segment_point *before = &segment->head.before;
    walk w = {.folder = folder,
              .part = part,
              .epoch = segment->epoch,
              .check = check,
              .each = each,
              .context = context};
    segment_name(segment->epoch, segment->number, w.name);
    bool follows = before->number == point->number &&
                   etna_hash_equal(&before->chain, &point->chain);
    if (check && !segment->head.base && !follows)
        return walk_fail(&w, point->number, err);
    *point = *before;
    etna_code code = walk_open(&w, err);
    if (!code)
        code = walk_groups(&w, point, err);
    if (w.fd >= 0)
        close(w.fd);
    free(w.data);
    return code;
}
