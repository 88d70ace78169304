/* See wholefile.h. Both programs give files to users; this is the only place
 * that knows how. */
#include "store/wholefile.h"
#include "proto/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    NAME_BYTES = 256
};

etna_code wholefile_code(int why)
{
    return why == ENOSPC || why == EDQUOT || why == EFBIG ? ETNA_E_FULL
                                                          : ETNA_E_IO;
}

/* Writes and syncs the data under `hidden`, or first without any name and
 * then under that. A process that dies meanwhile leaves nothing, or
 * something whole. */
static bool write_hidden(int folder,
                         const char *hidden,
                         const void *data,
                         size_t size)
{
    int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    bool nameless = fd >= 0;
    if (!nameless)
        fd =
            openat(folder, hidden,
                   O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0)
        return false;
    bool good = fd_write(fd, data, size) && !fsync(fd);
    if (good && nameless) {
        char self[32];
        snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
        unlinkat(folder, hidden, 0);
        good = !linkat(AT_FDCWD, self, folder, hidden, AT_SYMLINK_FOLLOW);
    }
    int why = errno;
    close(fd);
    if (!good && !nameless)
        unlinkat(folder, hidden, 0);
    errno = why;
    return good;
}

bool wholefile_write(int folder,
                     const char *name,
                     const void *data,
                     size_t size)
{
    char hidden[NAME_BYTES];
    if ((size_t)snprintf(hidden, sizeof hidden, ".%s.part", name) >=
        sizeof hidden) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!write_hidden(folder, hidden, data, size))
        return false;
    if (!renameat(folder, hidden, folder, name))
        return true;
    int why = errno;
    unlinkat(folder, hidden, 0);
    errno = why;
    return false;
}
