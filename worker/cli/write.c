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

/* Without a name until it is whole, then as `hidden`, since a link replaces nothing: a process killed in between leaves at
 * most a whole hidden file, which the next one takes away. Where nameless files cannot be had it is hidden from the start.
 * False with errno. */
static bool write_hidden(const char *folder, const char *hidden, const uint8_t *data, size_t size)
{
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    bool nameless = fd >= 0;
    if (!nameless) fd = open(hidden, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) return false;
    bool good = write_all(fd, data, size) && !fsync(fd);
    if (good && nameless) {
        char self[32];
        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        unlink(hidden);
        good = !linkat(AT_FDCWD, self, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW);
    }
    int why = errno;
    close(fd);
    if (!good && !nameless) unlink(hidden);
    errno = why;
    return good;
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
    size_t room = 2 * strlen(path) + 32;
    char *folder = malloc(room);
    if (!folder) return etna_fail(err, ETNA_E_NOMEM, "out of memory for %s", path);
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    int before = (int)(name - path), n = snprintf(folder, room, "%.*s", before ? before : 1, before ? path : ".");
    char *hidden = folder + n + 1;
    snprintf(hidden, room - (size_t)n - 1, "%.*s.%s.part", before, path, name);
    bool good = write_hidden(folder, hidden, data, size);
    etna_code code = good && !rename(hidden, path) ? ETNA_OK : failed(path, err);
    if (good && code != ETNA_OK) unlink(hidden);
    free(folder);
    return code;
}
