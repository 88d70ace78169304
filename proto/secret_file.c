/* See secret_file.h. */
#include "proto/secret_file.h"
#include "proto/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Asked of the open file, not of its path: the path may lead elsewhere a moment
 * later. root's files are fine, as root can read all of them anyway. */
static etna_code secret_file_check(const char *path,
                                   const char *what,
                                   int fd,
                                   etna_error *err)
{
    struct stat status;
    if (fstat(fd, &status) || !S_ISREG(status.st_mode))
        return etna_fail(err, ETNA_E_USAGE, "%s %.300s is no file", what, path);
    if ((status.st_mode & 077) != 0)
        return etna_fail(err, ETNA_E_USAGE,
                         "others may read %s %.300s: chmod 600 it", what, path);
    if (status.st_uid != geteuid() && status.st_uid != 0)
        return etna_fail(err, ETNA_E_USAGE, "%s %.300s belongs to another user",
                         what, path);
    return ETNA_OK;
}

/* -1: it cannot be read, or is longer. */
static ssize_t secret_file_take(int fd, char *text, size_t room)
{
    char more;
    ssize_t size = fd_read(fd, text, room);
    if (size < 0 || (size_t)size < room)
        return size;
    errno = EFBIG;
    return read(fd, &more, 1) == 0 ? size : -1;
}

etna_code secret_file_read(const char *path,
                           const char *what,
                           char *text,
                           size_t room,
                           size_t *ret_size,
                           etna_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return etna_fail(err, ETNA_E_USAGE, "%s %.300s cannot be read: %s",
                         what, path, strerror(errno));
    etna_code code = secret_file_check(path, what, fd, err);
    ssize_t size = code ? 0 : secret_file_take(fd, text, room);
    if (size < 0)
        code = etna_fail(err, ETNA_E_USAGE, "%s %.300s cannot be read: %s",
                         what, path, strerror(errno));
    close(fd);
    if (!code)
        *ret_size = (size_t)size;
    return code;
}

/* The rename is durable once its folder is; where a file system cannot do that,
 * it is as durable as it gets. */
static void secret_file_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int size = slash ? (int)(slash - path) + 1 : 2;
    snprintf(folder, sizeof folder, "%.*s", size, slash ? path : "./");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)!fsync(fd);
    close(fd);
}

etna_code secret_file_write(const char *path,
                            const char *what,
                            const char *text,
                            size_t size,
                            etna_error *err)
{
    char part[PATH_MAX];
    int length = snprintf(part, sizeof part, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= sizeof part)
        return etna_fail(err, ETNA_E_IO, "%s: its path is too long", what);
    int fd = mkostemp(part, O_CLOEXEC); /* 0600 */
    bool made = fd >= 0;
    bool written = made && fd_write(fd, text, size) && fsync(fd) == 0;
    int why = errno;
    if (made)
        close(fd);
    if (written && !rename(part, path)) {
        secret_file_sync_folder(path);
        return ETNA_OK;
    }
    if (written)
        why = errno;
    if (made)
        unlink(part);
    bool full = why == ENOSPC || why == EDQUOT;
    return etna_fail(err, full ? ETNA_E_FULL : ETNA_E_IO,
                     "%s %.300s cannot be written: %s", what, path,
                     strerror(why));
}
