/* Files that a command gives to the user appear whole or not at all (DESIGN.md 3, invariant 5). */
#include "worker/cli/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static etna_code failed(const char *path, etna_error *err)
{
    int why = errno;
    bool full = why == ENOSPC || why == EDQUOT || why == EFBIG;
    return etna_fail(err, full ? ETNA_E_FULL : ETNA_E_IO, "cannot write %s: %s", path, strerror(why));
}

etna_code load_check_output(const char *output, const char *input, etna_error *err)
{
    struct stat there, in;
    if (!*output) return etna_fail(err, ETNA_E_USAGE, "-o wants the name of a file");
    if (stat(output, &there)) return ETNA_OK;
    if (S_ISDIR(there.st_mode)) return etna_fail(err, ETNA_E_USAGE, "-o %s: that is a directory; give the name of a file", output);
    if (!stat(input, &in) && in.st_dev == there.st_dev && in.st_ino == there.st_ino) {
        return etna_fail(err, ETNA_E_USAGE, "-o %s: that is the scene itself, which is never changed; choose another name", output);
    }
    return ETNA_OK;
}

static bool write_all(int fd, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        data += n;
        size -= (size_t)n;
    }
    return true;
}

etna_code load_write(const char *path, const uint8_t *data, size_t size, etna_error *err)
{
    struct stat there;
    if (!stat(path, &there) && !S_ISREG(there.st_mode)) { /* a device or a pipe has no whole to appear as */
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        bool good = fd >= 0 && write_all(fd, data, size);
        etna_code code = good ? ETNA_OK : failed(path, err);
        if (fd >= 0) close(fd);
        return code;
    }
    size_t room = strlen(path) + 16;
    char *part = malloc(room);
    if (!part) return etna_fail(err, ETNA_E_NOMEM, "out of memory for %s", path);
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    snprintf(part, room, "%.*s.%s.XXXXXX", (int)(name - path), path, name);
    int fd = mkostemp(part, O_CLOEXEC);
    if (fd < 0) {
        etna_code code = failed(path, err);
        free(part);
        return code;
    }
    mode_t mask = umask(0); /* one thread: a command */
    umask(mask);
    bool good = !fchmod(fd, 0666 & ~mask) && write_all(fd, data, size) && !fsync(fd);
    int why = errno;
    good = !close(fd) && good;
    errno = good ? errno : why;
    good = good && !rename(part, path);
    etna_code code = good ? ETNA_OK : failed(path, err);
    if (!good) unlink(part);
    free(part);
    return code;
}
