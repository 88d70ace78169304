/* What a machine's fall leaves of the real store: every write and sync of LMDB
 * is recorded while a world is played onto it, and then each prefix of them,
 * and of what was not synced yet seeded subsets torn at sectors, is made a file
 * again, opened, verified and replayed. What was acknowledged is there, no
 * group is there in part, and the core takes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coordinator/shell/recover.h"
#include "tests/sim/sim.h"
#include "tests/support/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_WATCHED 0 /* a sanitizer has these calls */
#else
#define IS_WATCHED 1
#endif

enum {
    SECTOR = 512,
    SUBSETS = 3
};

typedef enum op_kind {
    OP_WRITE = 1,
    OP_SYNC,
    OP_SIZE,
    OP_ACKNOWLEDGED
} op_kind;

typedef struct op {
    op_kind kind;
    bool is_synced; /* WRITE: by itself (O_DSYNC) */
    uint64_t offset, size;
    uint8_t *data;
} op;

static struct {
    bool on;
    ino_t file;
    op *ops;
    size_t count, room;
} tape;

static op *tape_add(op_kind kind)
{
    if (tape.count == tape.room) {
        tape.room = tape.room ? 2 * tape.room : 256;
        tape.ops = realloc(tape.ops, tape.room * sizeof *tape.ops);
        if (!tape.ops)
            abort();
    }
    tape.ops[tape.count] = (op){.kind = kind};
    return &tape.ops[tape.count++];
}

#if IS_WATCHED
#define SEEN \
    __attribute__(( \
        visibility("default"))) /* by the library, in place of the system's */
SEEN ssize_t pwrite(int fd, const void *data, size_t size, off_t offset);
SEEN ssize_t writev(int fd, const struct iovec *parts, int count);
SEEN int fdatasync(int fd);
SEEN int fsync(int fd);
SEEN int ftruncate(int fd, off_t size);

static bool is_data(int fd)
{
    struct stat st;
    return tape.on && !fstat(fd, &st) && st.st_ino == tape.file;
}

static void tape_write(int fd, const void *data, size_t size, uint64_t offset)
{
    op *o = tape_add(OP_WRITE);
    o->is_synced = (fcntl(fd, F_GETFL) & O_DSYNC) != 0;
    o->offset = offset;
    o->size = size;
    o->data = malloc(size);
    if (!o->data)
        abort();
    memcpy(o->data, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t written = syscall(SYS_pwrite64, fd, data, size, offset);
    if (written > 0 && is_data(fd))
        tape_write(fd, data, (size_t)written, (uint64_t)offset);
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    bool watched = is_data(fd);
    uint64_t at = watched ? (uint64_t)lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t written = syscall(SYS_writev, fd, parts, count), left = written;
    for (int i = 0; watched && left > 0 && i < count; i++) {
        size_t size =
            (size_t)left < parts[i].iov_len ? (size_t)left : parts[i].iov_len;
        tape_write(fd, parts[i].iov_base, size, at);
        at += size;
        left -= (ssize_t)size;
    }
    return written;
}

int fdatasync(int fd)
{
    int rc = (int)syscall(SYS_fdatasync, fd);
    if (!rc && is_data(fd))
        tape_add(OP_SYNC);
    return rc;
}

int fsync(int fd)
{
    int rc = (int)syscall(SYS_fsync, fd);
    if (!rc && is_data(fd))
        tape_add(OP_SYNC);
    return rc;
}

int ftruncate(int fd, off_t size)
{
    int rc = (int)syscall(SYS_ftruncate, fd, size);
    if (!rc && is_data(fd))
        tape_add(OP_SIZE)->size = (uint64_t)size;
    return rc;
}
#endif

/* ---- a file again ---- */

typedef struct image {
    uint8_t *bytes;
    size_t size, room;
} image;

static void image_put(image *m,
                      uint64_t offset,
                      const uint8_t *data,
                      size_t size)
{
    if (offset + size > m->room) {
        size_t room = 2 * (offset + size);
        m->bytes = realloc(m->bytes, room);
        if (!m->bytes)
            abort();
        memset(m->bytes + m->room, 0, room - m->room);
        m->room = room;
    }
    memcpy(m->bytes + offset, data, size);
    if (offset + size > m->size)
        m->size = offset + size;
}

static void image_do(image *m, const op *o)
{
    if (o->kind == OP_WRITE)
        image_put(m, o->offset, o->data, o->size);
    if (o->kind == OP_SIZE)
        m->size = o->size;
}

/* Of a write that nobody synced, the sectors that luck lets reach the disk. */
static void image_tear(image *m, const op *o, etna_random *random)
{
    uint64_t way = etna_random_below(random, 3);
    for (uint64_t at = 0; at < o->size; at += SECTOR) {
        uint64_t size = o->size - at < SECTOR ? o->size - at : SECTOR;
        bool is_there = way == 0 || (way == 1 && etna_random_below(random, 2));
        if (is_there)
            image_put(m, o->offset + at, o->data + at, size);
    }
}

static void image_write(const image *m, const char *directory)
{
    char path[FOLDER_SIZE + 32];
    snprintf(path, sizeof path, "%s/journal", directory);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/journal/lock.mdb", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/journal/data.mdb", directory);
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(m->bytes, 1, m->size, file), m->size);
    fclose(file);
}

/* ---- a world on a real store ---- */

typedef struct played {
    char directory[FOLDER_SIZE];
    sim_report report;
} played;

static store *open_real(void *context)
{
    played *p = context;
    char path[FOLDER_SIZE + 32];
    struct stat st;
    store_options options = store_options_default();
    store *s;
    options.path = p->directory;
    if (store_open(&options, &s, NULL))
        abort();
    snprintf(path, sizeof path, "%s/journal/data.mdb", p->directory);
    if (stat(path, &st))
        abort();
    tape.file = st.st_ino;
    return s;
}

static void note_committed(void *context, uint32_t records)
{
    (void)context;
    tape_add(OP_ACKNOWLEDGED)->size = records;
}

static void record(played *p)
{
    sim_options options = sim_options_default();
    options.workers = 3;
    options.config.branches = 2;
    options.config.max_steps = 2;
    options.config.images = true;
    options.clients = true;
    options.open = open_real;
    options.committed = note_committed;
    options.context = p;
    tape.on = true;
    sim_run(&options, &p->report);
    tape.on = false;
    if (p->report.broken)
        fail_msg("%s", p->report.text);
}

/* ---- what a fall leaves ---- */

static void silent(void *context, const char *line)
{
    snprintf(context, 256, "%s", line);
}

static uint64_t records_of(const char *directory, const char *when)
{
    store_options options = store_options_default();
    etna_error err = {ETNA_OK, ""};
    store *s;
    core *c;
    core_run_view view;
    etna_arena arena = ETNA_ARENA_INIT;
    core_options settings = core_options_default();
    const etna_id run = {{0xe7}};
    uint64_t faults = 0, records = 0;
    char line[256] = "";
    options.path = directory;
    options.read_only = true;
    if (store_open(&options, &s, &err))
        fail_msg("%s: %s", when, err.text);
    if (store_verify(s, silent, line, &faults, &err) || faults)
        fail_msg("%s: %s%s", when, err.text, line);
    if (core_new(&settings, &c, &err))
        fail_msg("%s", err.text);
    etna_code code = recover_run(s, c, &run, &err);
    if (code && code != ETNA_E_NOTFOUND)
        fail_msg("%s: %s", when, err.text);
    if (!code && core_check(c, &err))
        fail_msg("%s: %s", when, err.text);
    if (!code && !core_view(c, &run, &arena, &view, &err))
        records = view.last_sequence;
    etna_arena_free(&arena);
    core_free(c);
    store_close(s);
    return records;
}

/* What was acknowledged before the operation `at`, and what the next
 * acknowledgement says. */
static void acknowledged(size_t at, uint64_t *ret_before, uint64_t *ret_next)
{
    *ret_before = 0;
    for (size_t i = 0; i < at; i++) {
        if (tape.ops[i].kind == OP_ACKNOWLEDGED)
            *ret_before = tape.ops[i].size;
    }
    *ret_next = *ret_before;
    for (size_t i = at; i < tape.count; i++) {
        if (tape.ops[i].kind != OP_ACKNOWLEDGED)
            continue;
        *ret_next = tape.ops[i].size;
        return;
    }
}

static void check(const image *m,
                  const char *directory,
                  size_t at,
                  const char *what)
{
    uint64_t before, next;
    char when[128];
    snprintf(when, sizeof when, "%s of operation %zu of %zu", what, at,
             tape.count);
    acknowledged(at, &before, &next);
    image_write(m, directory);
    uint64_t records = records_of(directory, when);
    if (records != before && records != next)
        fail_msg("%s: %llu records; %llu were acknowledged, then %llu", when,
                 (unsigned long long)records, (unsigned long long)before,
                 (unsigned long long)next);
}

static void check_subsets(const image *base,
                          size_t synced,
                          size_t at,
                          const char *directory)
{
    for (uint64_t i = 0; i < SUBSETS; i++) {
        etna_random random = etna_random_from(at * 16 + i);
        image torn = {.size = base->size,
                      .room = base->room,
                      .bytes = malloc(base->room)};
        if (!torn.bytes)
            abort();
        memcpy(torn.bytes, base->bytes, base->room);
        for (size_t j = synced; j < at; j++) {
            const op *o = &tape.ops[j];
            if (o->kind == OP_SIZE || (o->kind == OP_WRITE && o->is_synced)) {
                image_do(&torn, o);
            } else if (o->kind == OP_WRITE) {
                image_tear(&torn, o, &random);
            }
        }
        check(&torn, directory, at, "a subset");
        free(torn.bytes);
    }
}

static void image_begin(image *m, const uint8_t *bytes, size_t size)
{
    image_put(m, 0, bytes, size);
}

static void whatever_a_fall_leaves_is_opened_and_replayed(void **state)
{
    (void)state;
    static played p;
    char directory[FOLDER_SIZE], path[FOLDER_SIZE + 32];
    static uint8_t first[1 << 20];
    if (!IS_WATCHED) {
        print_message("SKIPPED: torn writes: the calls are a sanitizer's\n");
        return;
    }
    folder_make(p.directory);
    store_close(open_real(&p)); /* the file that the tape begins on */
    snprintf(path, sizeof path, "%s/journal/data.mdb", p.directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(first, 1, sizeof first, file);
    fclose(file);
    assert_true(size && size < sizeof first);
    record(&p);
    folder_make(directory);
    image all = {.bytes = NULL}, base = {.bytes = NULL};
    image_begin(&all, first, size);
    image_begin(&base, first, size);
    size_t synced = 0, writes = 0, syncs = 0;
    for (size_t at = 0; at <= tape.count; at++) {
        check(&all, directory, at, "the prefix");
        bool is_open = at > synced;
        if (is_open)
            check_subsets(&base, synced, at, directory);
        if (at == tape.count)
            break;
        image_do(&all, &tape.ops[at]);
        writes += tape.ops[at].kind == OP_WRITE;
        if (tape.ops[at].kind != OP_SYNC)
            continue;
        syncs++;
        for (; synced <= at; synced++)
            image_do(&base, &tape.ops[synced]);
    }
    print_message("%zu writes, %zu syncs, %u records\n", writes, syncs,
                  (unsigned)p.report.records);
    assert_true(writes > 100 && syncs > 20 && p.report.records > 20);
    free(all.bytes);
    free(base.bytes);
    for (size_t i = 0; i < tape.count; i++)
        free(tape.ops[i].data);
    free(tape.ops);
    folder_remove(directory);
    folder_remove(p.directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_a_fall_leaves_is_opened_and_replayed)};
    return cmocka_run_group_tests_name("torn", tests, NULL, NULL);
}
