/* The owner's lock and record: see owner.h. An open file description lock
 * (F_OFD_SETLK) is used because F_OFD_GETLK can ask for the holder without
 * taking it, so a look never makes a rightful owner's start fail. */
#include "store/owner.h"
#include "proto/canon.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[8] = {'E', 'T', 'N', 'A', 'O', 'W', 'N', '1'};
/* bytes of a record at the most; how often a record that seems torn is read */
enum {
    RECORD_MAX = 1024,
    READ_TRIES = 8
};

static void owner_copy_text(char *to, size_t room, const char *from)
{
    snprintf(to, room, "%s", from ? from : "");
}

void owner_boot_id(char ret[40])
{
    ret[0] = 0;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t n = read(fd, ret, 39);
    close(fd);
    ret[n > 0 ? n : 0] = 0;
    ret[strcspn(ret, "\n")] = 0;
}

void owner_self(const char *endpoint, store_owner *ret)
{
    memset(ret, 0, sizeof *ret);
    if (gethostname(ret->host, sizeof ret->host - 1))
        owner_copy_text(ret->host, sizeof ret->host, "localhost");
    owner_boot_id(ret->boot_id);
    owner_copy_text(ret->endpoint, sizeof ret->endpoint, endpoint);
    ret->pid = (uint64_t)getpid();
}

etna_code owner_encode(const store_owner *owner,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    canon_writer w = {0};
    canon_raw(&w, magic, sizeof magic);
    canon_text(&w, owner->host);
    canon_text(&w, owner->boot_id);
    canon_text(&w, owner->endpoint);
    canon_u64(&w, owner->pid);
    canon_u64(&w, owner->epoch);
    if (!w.failed) {
        etna_hash seal = etna_hash_bytes(w.data, w.size);
        canon_hash(&w, &seal);
    }
    if (w.failed) {
        canon_writer_free(&w);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory writing the owner's record");
    }
    *ret_data = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

static void owner_get_text(canon_reader *r, char *to, size_t room)
{
    size_t size;
    const uint8_t *text = canon_get_bytes(r, room - 1, &size);
    if (text)
        memcpy(to, text, size);
    to[size] = 0;
}

bool owner_decode(const uint8_t *data, size_t size, store_owner *ret)
{
    if (size < sizeof magic + 32 || memcmp(data, magic, sizeof magic) != 0)
        return false;
    store_owner owner = {0};
    canon_reader r = canon_read(data, size);
    uint8_t head[sizeof magic];
    canon_get_raw(&r, head, sizeof head);
    owner_get_text(&r, owner.host, sizeof owner.host);
    owner_get_text(&r, owner.boot_id, sizeof owner.boot_id);
    owner_get_text(&r, owner.endpoint, sizeof owner.endpoint);
    owner.pid = canon_get_u64(&r);
    owner.epoch = canon_get_u64(&r);
    size_t sealed = r.at;
    etna_hash seal = canon_get_hash(&r);
    etna_hash right = etna_hash_bytes(data, sealed);
    if (!canon_done(&r) || !etna_hash_equal(&seal, &right))
        return false;
    *ret = owner;
    return true;
}

/* Length 0 is the whole file. */
static struct flock whole_file(short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    return lock;
}

/* A record being written is short for an instant; try again before calling it
 * unknown. */
static bool read_record(int fd, store_owner *ret)
{
    for (int i = 0; i < READ_TRIES; i++) {
        uint8_t record[RECORD_MAX];
        ssize_t n = pread(fd, record, sizeof record, 0);
        if (n > 0 && owner_decode(record, (size_t)n, ret))
            return true;
        if (n < 0)
            return false;
    }
    return false;
}

etna_code owner_lock(const char *directory, int *ret_fd, etna_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/owner", directory);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return etna_fail(err, wholefile_code(errno),
                         "%s: %s; choose another store with --store", path,
                         strerror(errno));
    }
    struct flock lock = whole_file(F_WRLCK);
    if (!fcntl(fd, F_OFD_SETLK, &lock)) {
        *ret_fd = fd;
        return ETNA_OK;
    }
    int why = errno;
    store_owner owner;
    bool known = read_record(fd, &owner);
    close(fd);
    if (why != EAGAIN && why != EACCES) {
        return etna_fail(
            err, ETNA_E_IO,
            "%s: cannot be locked: %s; use --store on a local disk", path,
            strerror(why));
    }
    if (!known)
        return etna_fail(err, ETNA_E_OWNED,
                         "%s: a living process owns this store; stop it first",
                         directory);
    return etna_fail(
        err, ETNA_E_OWNED,
        "%s: process %llu on %s owns this store%s%s; stop it first, or use another --store",
        directory, (unsigned long long)owner.pid, owner.host,
        owner.endpoint[0] ? " and listens on " : "", owner.endpoint);
}

etna_code owner_write(int fd, const store_owner *owner, etna_error *err)
{
    uint8_t *record;
    size_t size;
    etna_code code = owner_encode(owner, &record, &size, err);
    if (code)
        return code;
    ssize_t n = pwrite(fd, record, size, 0);
    int why = errno;
    free(record);
    if (n == (ssize_t)size && !ftruncate(fd, (off_t)size))
        return ETNA_OK;
    code = n < 0 ? wholefile_code(why) : ETNA_E_FULL;
    return etna_fail(err, code, "the owner's record cannot be written: %s",
                     n < 0 ? strerror(why) : "the disk is full");
}

etna_code store_owner_read(const char *path,
                           store_owner *ret_owner,
                           bool *ret_alive,
                           etna_error *err)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/owner", path);
    /* a write lock can only be asked about by a writer */
    int fd = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return etna_fail(err, ETNA_E_NOTFOUND, "%s: there is no store", path);
    if (fd < 0)
        return etna_fail(err, ETNA_E_IO, "%s: %s", file, strerror(errno));
    struct flock lock = whole_file(F_WRLCK);
    store_owner owner = {0};
    if (fcntl(fd, F_OFD_GETLK, &lock)) {
        etna_code code =
            etna_fail(err, ETNA_E_IO, "%s: %s", file, strerror(errno));
        close(fd);
        return code;
    }
    if (!read_record(fd, &owner))
        owner_copy_text(owner.host, sizeof owner.host, "unknown");
    close(fd);
    *ret_owner = owner;
    *ret_alive = lock.l_type != F_UNLCK;
    return ETNA_OK;
}
