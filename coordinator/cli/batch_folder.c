/* The folder's files. `id` is made once under flock() of .batch; `lock` is an
 * open-file-description lock (F_OFD_SETLK), which the kernel drops at the
 * process's death and which a thread or a fork does not lose by closing another
 * descriptor; `journal` is only ever appended to. */
#include "coordinator/cli/batch_folder.h"
#include "coordinator/report/output.h"
#include "proto/array.h"
#include "proto/fd.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* A longer record cannot be one of ours and is skipped in pieces. */
enum {
    RECORD_MAX = 1 << 20
};

static etna_code batch_folder_fail(const batch_folder *f,
                                   const char *doing,
                                   etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "%s: cannot %s: %s", f->path,
                     doing, strerror(why));
}

/* Written whole by rename, so that no reader ever sees half of an id. */
static etna_code batch_folder_make_id(batch_folder *f, etna_error *err)
{
    char text[34];
    etna_id id;
    if (getrandom(id.bytes, sizeof id.bytes, 0) != sizeof id.bytes)
        return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
    etna_id_hex(&id, text);
    text[32] = '\n';
    return wholefile_write(f->own_fd, "id", text, 33)
               ? ETNA_OK
               : batch_folder_fail(f, "write its id", err);
}

static etna_code batch_folder_read_id(batch_folder *f,
                                      bool *ret_found,
                                      etna_error *err)
{
    char text[34] = "";
    int fd = openat(f->own_fd, "id", O_RDONLY | O_CLOEXEC);
    *ret_found = fd >= 0;
    if (fd < 0 && errno == ENOENT)
        return ETNA_OK;
    ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (size < 0)
        return batch_folder_fail(f, "read its id", err);
    text[32] = 0;
    if (etna_id_parse(text, &f->id))
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_CORRUPT,
        "%s/.batch/id: is no batch's; choose another folder, or remove .batch",
        f->path);
}

/* Two processes may make the folder at once: under the lock the second finds
 * the id of the first. It is read back even by who wrote it, so that both go on
 * with what is on the disk. */
static etna_code batch_folder_know_id(batch_folder *f, etna_error *err)
{
    bool found = false;
    if (flock(f->own_fd, LOCK_EX))
        return batch_folder_fail(f, "lock it", err);
    etna_code code = batch_folder_read_id(f, &found, err);
    if (!code && !found)
        code = batch_folder_make_id(f, err);
    if (!code && !found)
        code = batch_folder_read_id(f, &found, err);
    flock(f->own_fd, LOCK_UN);
    return code;
}

/* Opens, in this order, what the next step needs; on an error the caller closes
 * all. */
static etna_code batch_folder_enter(batch_folder *f, etna_error *err)
{
    f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->fd < 0)
        return batch_folder_fail(f, "open the folder", err);
    if (mkdirat(f->fd, ".batch", 0777) && errno != EEXIST)
        return batch_folder_fail(f, "make .batch", err);
    f->own_fd = openat(f->fd, ".batch", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->own_fd < 0)
        return batch_folder_fail(f, "open .batch", err);
    f->lock_fd = openat(f->own_fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (f->lock_fd < 0)
        return batch_folder_fail(f, "open .batch/lock", err);
    return batch_folder_know_id(f, err);
}

etna_code batch_folder_open(const char *path,
                            batch_folder *ret,
                            etna_error *err)
{
    batch_folder f = {.fd = -1, .own_fd = -1, .lock_fd = -1, .journal_fd = -1};
    etna_code code = output_check(path, NULL, err);
    if (!code)
        code = output_make_directories(path, err);
    if (code)
        return code;
    snprintf(f.path, sizeof f.path, "%s", path); /* it fits: output_check */
    code = batch_folder_enter(&f, err);
    if (code) {
        batch_folder_close(&f);
        return code;
    }
    *ret = f;
    return ETNA_OK;
}

/* Is the folder that is open the one that the path names now? */
static bool batch_folder_is_at(const batch_folder *f, const char *path)
{
    struct stat mine, there;
    return !fstat(f->fd, &mine) && !stat(path, &there) &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

etna_code batch_folder_place(
    batch_folder *f, const char *name, char *ret, size_t size, etna_error *err)
{
    char link[32], now[sizeof f->path];
    if (!batch_folder_is_at(f, f->path)) {
        /* the kernel knows what an open folder is called now */
        snprintf(link, sizeof link, "/proc/self/fd/%d", f->fd);
        ssize_t length = readlink(link, now, sizeof now - 1);
        now[length < 0 ? 0 : length] = 0;
        if (!batch_folder_is_at(f, now))
            return etna_fail(
                err, ETNA_E_IO,
                "%s: the folder was removed or moved out of sight while the batch was at work",
                f->path);
        memcpy(f->path, now, sizeof now);
    }
    snprintf(ret, size, "%s/%s", f->path, name);
    return ETNA_OK;
}

bool batch_folder_is_gone(batch_folder *f, etna_error *err)
{
    char path[sizeof f->path + 1];
    etna_error why;
    if (!batch_folder_place(f, "", path, sizeof path, &why))
        return false;
    *err = why;
    return true;
}

void batch_folder_close(batch_folder *f)
{
    const int fds[] = {f->journal_fd, f->lock_fd, f->own_fd, f->fd};
    for (size_t i = 0; i < COUNT_OF(fds); i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    f->fd = f->own_fd = f->lock_fd = f->journal_fd = -1;
}

/* A death may have cut the last record off in the middle of a line. It is ended
 * here, or the next record would become part of it. */
static etna_code batch_folder_end_line(batch_folder *f, etna_error *err)
{
    char last = '\n';
    off_t size = lseek(f->journal_fd, 0, SEEK_END);
    if (size < 0 || (size > 0 && pread(f->journal_fd, &last, 1, size - 1) != 1))
        return batch_folder_fail(f, "read .batch/journal", err);
    if (last == '\n' || fd_write(f->journal_fd, "\n", 1))
        return ETNA_OK;
    return batch_folder_fail(f, "write .batch/journal", err);
}

etna_code batch_folder_lock(batch_folder *f, bool *ret_held, etna_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *ret_held = fcntl(f->lock_fd, F_OFD_SETLK, &lock) == 0;
    bool is_others = !*ret_held && (errno == EAGAIN || errno == EACCES);
    if (is_others)
        return ETNA_OK;
    if (!*ret_held)
        return batch_folder_fail(f, "lock it", err);
    f->journal_fd = openat(f->own_fd, "journal",
                           O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (f->journal_fd < 0)
        return batch_folder_fail(f, "open .batch/journal", err);
    return batch_folder_end_line(f, err);
}

/* Gives each whole record to the caller. False: out of memory. */
static bool batch_folder_read_lines(FILE *file,
                                    batch_record_fn each,
                                    void *context)
{
    char *line = malloc(RECORD_MAX);
    if (!line)
        return false;
    while (fgets(line, RECORD_MAX, file)) {
        json_t *record = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        if (json_is_object(record))
            each(context, record);
        json_decref(record);
    }
    free(line);
    return true;
}

etna_code batch_folder_read(const batch_folder *f,
                            batch_record_fn each,
                            void *context,
                            etna_error *err)
{
    int fd = openat(f->own_fd, "journal", O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return ETNA_OK;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (!file) {
        if (fd >= 0)
            close(fd);
        return batch_folder_fail(f, "read .batch/journal", err);
    }
    bool had_memory = batch_folder_read_lines(file, each, context);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (!had_memory)
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", f->path);
    return failed ? batch_folder_fail(f, "read .batch/journal", err) : ETNA_OK;
}

etna_code batch_folder_add(batch_folder *f, json_t *record, etna_error *err)
{
    char *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
    json_decref(record);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "%s: out of memory", f->path);
    size_t size = strlen(text);
    off_t before = lseek(f->journal_fd, 0, SEEK_END);
    text[size] = '\n'; /* the terminator's place */
    bool written = fd_write(f->journal_fd, text, size + 1) &&
                   fdatasync(f->journal_fd) == 0;
    free(text);
    if (written)
        return ETNA_OK;
    etna_code code = batch_folder_fail(f, "write .batch/journal", err);
    bool is_whole = before >= 0 && ftruncate(f->journal_fd, before) == 0;
    if (is_whole)
        return code; /* a record that was cut off would swallow the next one */
    return etna_fail(err, ETNA_E_IO,
                     "%s: a record that was cut off cannot be taken back",
                     f->path);
}
