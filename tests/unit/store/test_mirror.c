/* A mirror: what was committed before it is in it, whoever goes on from it
 * fences all others, and what is damaged in it is told rather than read. */
#include "store/mirror.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATH = 512,
    COMMITS = 12
};

/* a store, its mirror, and a place for another store */
typedef struct mirrored {
    char folder[FOLDER_SIZE];
    char here[PATH], there[PATH], mirror[PATH];
    store *s;
} mirrored;

static etna_code open_mirrored(const char *path,
                               const char *mirror,
                               store **ret,
                               etna_error *err)
{
    store_options options = store_options_default();
    options.path = path;
    options.mirror = mirror;
    return store_open(&options, ret, err);
}

static int set_up(void **state)
{
    mirrored *m = calloc(1, sizeof *m);
    assert_non_null(m);
    folder_make(m->folder);
    snprintf(m->here, PATH, "%s/here", m->folder);
    snprintf(m->there, PATH, "%s/there", m->folder);
    snprintf(m->mirror, PATH, "%s/mirror", m->folder);
    ok(open_mirrored(m->here, m->mirror, &m->s, NULL));
    *state = m;
    return 0;
}

static int take_down(void **state)
{
    mirrored *m = *state;
    store_close(m->s);
    folder_remove(m->folder);
    free(m);
    return 0;
}

static etna_code digest_row(void *context,
                            kv_view key,
                            kv_view value,
                            etna_error *err)
{
    (void)err;
    etna_hasher_add(context, &key.size, sizeof key.size);
    etna_hasher_add(context, key.data, key.size);
    etna_hasher_add(context, &value.size, sizeof value.size);
    etna_hasher_add(context, value.data, value.size);
    return ETNA_OK;
}

/* Over all rows of the store but those that say who owns it. */
static etna_hash digest(store *s)
{
    etna_hash ret;
    etna_hasher *hasher = etna_hasher_new();
    assert_non_null(hasher);
    for (kv_table table = KV_RUNS; table <= KV_BLOBS; table++)
        ok(kv_each(s->db, table, digest_row, hasher, NULL));
    etna_hasher_end(hasher, &ret);
    return ret;
}

static etna_hash digest_at(const char *path)
{
    store_options options = store_options_default();
    store *s;
    options.path = path;
    options.read_only = true;
    ok(store_open(&options, &s, NULL));
    assert_int_equal(count_faults(s), 0);
    etna_hash ret = digest(s);
    store_close(s);
    return ret;
}

static void assert_same(const etna_hash *a, const etna_hash *b)
{
    assert_memory_equal(a->bytes, b->bytes, sizeof a->bytes);
}

static void commit_number(store *s, uint64_t n)
{
    char text[64];
    snprintf(text, sizeof text, "commit %llu", (unsigned long long)n);
    if (n == 1)
        put_run(s, 1, 100);
    append(s, 1, n, text);
    etna_hash blob = put_blob(s, text, strlen(text));
    put_reply(s, 1, (uint32_t)n, &blob);
}

static void a_rebuilt_store_has_every_row(void **state)
{
    mirrored *m = *state;
    store_rebuilt rebuilt;
    for (uint64_t n = 1; n <= COMMITS; n++)
        commit_number(m->s, n);
    put_run(m->s, 2, 200);
    etna_id second = run_id(2);
    ok(store_remove_run(m->s, &second, NULL));
    etna_hash right = digest(m->s);
    store_close(m->s);
    m->s = NULL;
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    assert_true(rebuilt.done);
    etna_hash found = digest_at(m->there);
    assert_same(&found, &right);
    ok(open_mirrored(m->there, m->mirror, &m->s, NULL));
    append(m->s, 1, COMMITS + 1, "and on");
}

static void a_store_that_is_up_to_date_is_not_built_anew(void **state)
{
    mirrored *m = *state;
    store_rebuilt rebuilt;
    commit_number(m->s, 1);
    store_close(m->s);
    m->s = NULL;
    ok(store_rebuild(m->mirror, m->here, &rebuilt, NULL));
    assert_false(rebuilt.done);
    ok(open_mirrored(m->here, m->mirror, &m->s, NULL));
}

static void who_goes_on_from_the_mirror_fences_the_one_before(void **state)
{
    mirrored *m = *state;
    store *next;
    store_rebuilt rebuilt;
    store_group *group;
    etna_error err = {ETNA_OK, ""};
    commit_number(m->s, 1);
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    ok(open_mirrored(m->there, m->mirror, &next, NULL));
    commit_number(next, 2);
    store_run late = run_row(9, 900);
    ok(store_group_begin(m->s, &group, NULL));
    ok(store_put_run(group, &late, NULL));
    assert_int_equal(store_group_commit(group, &err), ETNA_E_STALE);
    commit_number(next, 3);
    etna_hash right = digest(next);
    store_close(next);
    char third[PATH];
    snprintf(third, PATH, "%s/third", m->folder);
    ok(store_rebuild(m->mirror, third, &rebuilt, NULL));
    etna_hash found = digest_at(third);
    assert_same(&found, &right);
}

static void segment_path(const mirrored *m, char ret[PATH])
{
    DIR *dir = opendir(m->mirror);
    assert_non_null(dir);
    ret[0] = 0;
    for (struct dirent *e; (e = readdir(dir));) {
        if (strstr(e->d_name, ".segment"))
            snprintf(ret, PATH, "%s/%s", m->mirror, e->d_name);
    }
    closedir(dir);
    assert_true(ret[0]);
}

static etna_code commit_late(store *s, etna_error *err)
{
    store_run late = run_row(9, 900);
    store_group *group;
    ok(store_group_begin(s, &group, NULL));
    ok(store_put_run(group, &late, NULL));
    return store_group_commit(group, err);
}

/* Whoever writes to it would notice nothing by itself. */
static void a_mirror_that_was_moved_away_takes_no_commit(void **state)
{
    mirrored *m = *state;
    char away[PATH];
    etna_error err = {ETNA_OK, ""};
    commit_number(m->s, 1);
    snprintf(away, PATH, "%s/away", m->folder);
    assert_int_equal(rename(m->mirror, away), 0);
    /* or something was mounted there */
    assert_int_equal(mkdir(m->mirror, 0700), 0);
    assert_int_equal(commit_late(m->s, &err), ETNA_E_IO);
    assert_non_null(strstr(err.text, m->mirror));
}

static void a_mirror_that_was_removed_takes_no_commit(void **state)
{
    mirrored *m = *state;
    commit_number(m->s, 1);
    folder_remove(m->mirror);
    assert_int_equal(commit_late(m->s, NULL), ETNA_E_IO);
}

/* Opening it would wait for somebody to write. */
static void a_pipe_in_a_mirror_is_no_segment(void **state)
{
    mirrored *m = *state;
    char path[PATH];
    store_rebuilt rebuilt;
    commit_number(m->s, 1);
    segment_path(m, path);
    store_close(m->s);
    m->s = NULL;
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_not_equal(store_rebuild(m->mirror, m->there, &rebuilt, NULL),
                         ETNA_OK);
}

static void a_fenced_store_is_refused_and_kept_when_it_is_built_anew(
    void **state)
{
    mirrored *m = *state;
    store *next;
    store_rebuilt rebuilt;
    struct stat st;
    char kept[PATH + 32];
    commit_number(m->s, 1);
    store_close(m->s);
    m->s = NULL;
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    ok(open_mirrored(m->there, m->mirror, &next, NULL));
    commit_number(next, 2);
    etna_hash right = digest(next);
    store_close(next);
    assert_int_equal(open_mirrored(m->here, m->mirror, &next, NULL),
                     ETNA_E_STALE);
    ok(store_rebuild(m->mirror, m->here, &rebuilt, NULL));
    assert_true(rebuilt.done);
    etna_hash found = digest_at(m->here);
    assert_same(&found, &right);
    snprintf(kept, sizeof kept, "%s/journal.fenced/data.mdb", m->here);
    assert_int_equal(stat(kept, &st), 0);
}

/* Epochs follow the clock: who is started later has a higher one. */
static etna_code open_later(uint64_t now,
                            const char *path,
                            const char *mirror,
                            store **ret)
{
    store_options options = store_options_default();
    options.path = path;
    options.mirror = mirror;
    options.epoch_least = now + 1000000;
    return store_open(&options, ret, NULL);
}

static void a_fenced_store_that_is_opened_later_does_not_take_the_mirror_back(
    void **state)
{
    mirrored *m = *state;
    store *next, *late;
    store_rebuilt rebuilt;
    commit_number(m->s, 1);
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    ok(open_mirrored(m->there, m->mirror, &next, NULL));
    store_close(m->s);
    m->s = next;
    uint64_t now = store_epoch(next);
    assert_int_equal(open_later(now, m->here, m->mirror, &late), ETNA_E_STALE);
    assert_int_equal(open_later(now, m->here, m->mirror, &late), ETNA_E_STALE);
    /* nor is it newer for what it did alone */
    ok(open_later(now, m->here, NULL, &late));
    store_close(late);
    assert_int_equal(open_later(now, m->here, m->mirror, &late), ETNA_E_STALE);
    commit_number(next, 2);
    etna_hash right = digest(next);
    ok(store_rebuild(m->mirror, m->here, &rebuilt, NULL));
    assert_true(rebuilt.done);
    etna_hash found = digest_at(m->here);
    assert_same(&found, &right);
}

static void write_whole(const char *path, const uint8_t *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    close(fd);
}

static etna_code intend(kv_txn *txn, void *context, etna_error *err)
{
    mirror_place place;
    ok(mirror_place_get(txn, &place, err));
    place.claiming = *(const uint64_t *)context;
    return mirror_place_put(txn, &place, err);
}

static void a_claim_that_a_crash_cut_short_is_still_ones_own(void **state)
{
    mirrored *m = *state;
    char path[PATH], name[SEGMENT_NAME_MAX];
    store *alone;
    commit_number(m->s, 1);
    uint64_t claim = store_epoch(m->s) + 7;
    for (int is_made = 0; is_made < 2; is_made++) {
        store_close(m->s);
        m->s = NULL;
        ok(open_mirrored(m->here, NULL, &alone, NULL));
        ok(kv_write(alone->db, intend, &claim, NULL));
        store_close(alone);
        segment_claim_name(claim, name);
        snprintf(path, PATH, "%s/%s", m->mirror, name);
        if (is_made)
            write_whole(path, (const uint8_t *)"", 0);
        ok(open_later(claim, m->here, m->mirror, &m->s));
        claim = store_epoch(m->s) + 7;
    }
    commit_number(m->s, 2);
}

static void a_mirror_is_gone_on_with_where_it_stands(void **state)
{
    mirrored *m = *state;
    store_rebuilt rebuilt;
    for (uint64_t n = 1; n <= 3; n++) {
        commit_number(m->s, n);
        store_close(m->s);
        m->s = NULL;
        ok(open_mirrored(m->here, m->mirror, &m->s, NULL));
    }
    assert_int_equal(folder_count(m->mirror),
                     /* a segment an opening, and the last one's claim */
                     4 + 1);
    etna_hash right = digest(m->s);
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    etna_hash found = digest_at(m->there);
    assert_same(&found, &right);
}

static void what_was_committed_without_the_mirror_is_copied_into_it(
    void **state)
{
    mirrored *m = *state;
    store_rebuilt rebuilt;
    commit_number(m->s, 1);
    store_close(m->s);
    ok(open_mirrored(m->here, NULL, &m->s, NULL));
    commit_number(m->s, 2);
    etna_hash right = digest(m->s);
    store_close(m->s);
    ok(open_mirrored(m->here, m->mirror, &m->s, NULL));
    /* the base took the place of all before it */
    assert_int_equal(folder_count(m->mirror), 1 + 1);
    ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
    etna_hash found = digest_at(m->there);
    assert_same(&found, &right);
}

static void another_stores_mirror_is_refused_and_stays(void **state)
{
    mirrored *m = *state;
    store *other;
    store_rebuilt rebuilt;
    commit_number(m->s, 1);
    etna_hash right = digest(m->s);
    ok(open_mirrored(m->there, NULL, &other, NULL));
    store_close(other);
    assert_int_equal(open_mirrored(m->there, m->mirror, &other, NULL),
                     ETNA_E_USAGE);
    assert_int_equal(store_rebuild(m->mirror, m->there, &rebuilt, NULL),
                     ETNA_E_USAGE);
    char third[PATH];
    snprintf(third, PATH, "%s/third", m->folder);
    ok(store_rebuild(m->mirror, third, &rebuilt, NULL));
    etna_hash found = digest_at(third);
    assert_same(&found, &right);
}

static void a_mirror_that_is_not_there_is_said_and_an_empty_one_begins(
    void **state)
{
    mirrored *m = *state;
    store_rebuilt rebuilt;
    char none[PATH];
    snprintf(none, PATH, "%s/none", m->folder);
    assert_int_equal(store_rebuild(none, m->there, &rebuilt, NULL),
                     ETNA_E_NOTFOUND);
    assert_int_equal(mkdir(none, 0700), 0);
    ok(store_rebuild(none, m->there, &rebuilt, NULL));
    assert_false(rebuilt.done);
}

/* The one segment of a mirror that was opened once. */
static uint8_t *read_whole(const char *path, size_t *ret_size)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    uint8_t *data = malloc((size_t)st.st_size);
    assert_non_null(data);
    assert_int_equal(read(fd, data, (size_t)st.st_size), st.st_size);
    close(fd);
    *ret_size = (size_t)st.st_size;
    return data;
}

/* Rebuilds from what stands in the segment's file and throws the new store away
 * again. */
static etna_code rebuild_digest(const mirrored *m, etna_hash *ret)
{
    store_rebuilt rebuilt;
    etna_code code = store_rebuild(m->mirror, m->there, &rebuilt, NULL);
    if (!code) {
        *ret = digest_at(m->there);
        folder_remove(m->there);
    }
    return code;
}

/* the store's digests and the segment's sizes, commit by commit */
typedef struct history {
    etna_hash digests[8];
    size_t sizes[8], count;
    uint8_t *bytes;
    char path[PATH];
} history;

static void make_history(mirrored *m, history *h)
{
    struct stat st;
    segment_path(m, h->path);
    put_run(m->s, 1, 100);
    for (h->count = 0; h->count < 8; h->count++) {
        if (h->count)
            append(m->s, 1, h->count,
                   "a record of some length, to be cut anywhere");
        assert_int_equal(stat(h->path, &st), 0);
        h->sizes[h->count] = (size_t)st.st_size;
        h->digests[h->count] = digest(m->s);
    }
    store_close(m->s);
    m->s = NULL;
    size_t size;
    h->bytes = read_whole(h->path, &size);
    assert_int_equal(size, h->sizes[7]);
}

static void a_mirror_cut_anywhere_gives_the_last_whole_group(void **state)
{
    mirrored *m = *state;
    history h;
    make_history(m, &h);
    etna_random random = etna_random_from(3);
    for (size_t k = 0; k + 1 < h.count; k++) {
        size_t length = h.sizes[k + 1] - h.sizes[k];
        for (int cut = 0; cut < 3; cut++) {
            size_t more = cut == 0 ? 0
                          : cut == 1
                              ? length - 1
                              : (size_t)etna_random_below(&random, length);
            etna_hash found;
            write_whole(h.path, h.bytes, h.sizes[k] + more);
            ok(rebuild_digest(m, &found));
            assert_same(&found, &h.digests[k]);
        }
    }
    free(h.bytes);
}

static void damage_in_a_mirror_is_told(void **state)
{
    mirrored *m = *state;
    history h;
    make_history(m, &h);
    etna_random random = etna_random_from(4);
    for (int k = 0; k < 25; k++) {
        size_t at = SEGMENT_HEAD + (size_t)etna_random_below(
                                       &random, h.sizes[6] - SEGMENT_HEAD);
        uint8_t flip = (uint8_t)(1 << etna_random_below(&random, 8));
        etna_hash found;
        h.bytes[at] ^= flip;
        write_whole(h.path, h.bytes, h.sizes[7]);
        assert_int_equal(rebuild_digest(m, &found), ETNA_E_CORRUPT);
        h.bytes[at] ^= flip;
    }
    free(h.bytes);
}

static void a_commit_that_fails_leaves_nothing_in_the_mirror(void **state)
{
    mirrored *m = *state;
    store *memory;
    store_group *group;
    store_rebuilt rebuilt;
    kv *with_mirror;
    char second[PATH];
    snprintf(second, PATH, "%s/second", m->folder);
    ok(store_open_memory(&memory, NULL));
    kv *inner = memory->db;
    ok(mirror_open(second, &memory->owner, inner, &with_mirror, NULL));
    memory->db = with_mirror;
    commit_number(memory, 1);
    etna_hash right = digest(memory);
    kv_memory_fail(inner, 0, ETNA_E_FULL);
    store_run late = run_row(9, 900);
    ok(store_group_begin(memory, &group, NULL));
    ok(store_put_run(group, &late, NULL));
    assert_int_equal(store_group_commit(group, NULL), ETNA_E_FULL);
    store_group_abandon(group);
    store_close(memory);
    ok(store_rebuild(second, m->there, &rebuilt, NULL));
    etna_hash found = digest_at(m->there);
    assert_same(&found, &right);
}

/* Commits for ever, each acknowledged through `fd` by its number. */
static void commit_for_ever(const mirrored *m,
                            const char *path,
                            int fd,
                            uint64_t from)
{
    store *s;
    store_rebuilt rebuilt;
    if (store_rebuild(m->mirror, path, &rebuilt, NULL) ||
        open_mirrored(path, m->mirror, &s, NULL))
        _exit(1);
    for (uint64_t n = from;; n++) {
        store_group *group;
        etna_id id = run_id(1);
        bool good = !store_group_begin(s, &group, NULL) &&
                    !store_append(group, &id, n, &n, sizeof n, NULL);
        if (!good || store_group_commit(group, NULL))
            _exit(2);
        if (write(fd, &n, sizeof n) != sizeof n)
            _exit(3);
    }
}

static etna_code last_record(void *context,
                             uint64_t sequence,
                             const uint8_t *record,
                             size_t size,
                             etna_error *err)
{
    (void)record, (void)size, (void)err;
    *(uint64_t *)context = sequence;
    return ETNA_OK;
}

static void every_acknowledged_commit_outlives_its_host(void **state)
{
    mirrored *m = *state;
    etna_random random = etna_random_from(5);
    uint64_t next = 1;
    store_close(m->s);
    m->s = NULL;
    for (int round = 0; round < 10; round++) {
        char path[PATH];
        int acks[2], status;
        uint64_t n, last = next - 1, found = 0;
        snprintf(path, PATH, "%s/host%d", m->folder, round);
        assert_int_equal(pipe(acks), 0);
        pid_t pid = fork();
        if (!pid)
            commit_for_ever(m, path, acks[1], next);
        close(acks[1]);
        for (uint64_t wait = 1 + etna_random_below(&random, 4);
             wait && read(acks[0], &n, sizeof n) == sizeof n; wait--)
            last = n;
        usleep((useconds_t)etna_random_below(&random, 3000));
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        assert_true(WIFSIGNALED(status));
        while (read(acks[0], &n, sizeof n) == sizeof n)
            last = n;
        close(acks[0]);
        folder_remove(path); /* the host and its disk are gone */
        store_rebuilt rebuilt;
        ok(store_rebuild(m->mirror, m->there, &rebuilt, NULL));
        store_options options = store_options_default();
        options.path = m->there;
        options.read_only = true;
        ok(store_open(&options, &m->s, NULL));
        etna_id id = run_id(1);
        ok(store_read_journal(m->s, &id, 0, last_record, &found, NULL));
        assert_true(found == last || found == last + 1);
        store_close(m->s);
        m->s = NULL;
        folder_remove(m->there);
        next = found + 1;
    }
    assert_true(next > 10);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, take_down)
    const struct CMUnitTest tests[] = {
        CASE(a_rebuilt_store_has_every_row),
        CASE(a_store_that_is_up_to_date_is_not_built_anew),
        CASE(who_goes_on_from_the_mirror_fences_the_one_before),
        CASE(a_mirror_that_was_moved_away_takes_no_commit),
        CASE(a_mirror_that_was_removed_takes_no_commit),
        CASE(a_pipe_in_a_mirror_is_no_segment),
        CASE(a_fenced_store_is_refused_and_kept_when_it_is_built_anew),
        CASE(a_fenced_store_that_is_opened_later_does_not_take_the_mirror_back),
        CASE(a_claim_that_a_crash_cut_short_is_still_ones_own),
        CASE(a_mirror_is_gone_on_with_where_it_stands),
        CASE(what_was_committed_without_the_mirror_is_copied_into_it),
        CASE(another_stores_mirror_is_refused_and_stays),
        CASE(a_mirror_that_is_not_there_is_said_and_an_empty_one_begins),
        CASE(a_mirror_cut_anywhere_gives_the_last_whole_group),
        CASE(damage_in_a_mirror_is_told),
        CASE(a_commit_that_fails_leaves_nothing_in_the_mirror),
        CASE(every_acknowledged_commit_outlives_its_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
