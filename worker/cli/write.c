/* Files that a command gives to the user appear whole or not at all
 * (ARCHITECTURE.md, Exit codes and files). */
#include "proto/fd.h"
#include "store/wholefile.h"
#include "worker/cli/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static etna_code write_failed(const char *path, etna_error *err)
{
    int why = errno;
    return etna_fail(err, wholefile_code(why), "cannot write %s: %s", path,
                     strerror(why));
}

etna_code load_check_output(const char *output,
                            const char *input,
                            etna_error *err)
{
    struct stat there, in;
    if (!*output)
        return etna_fail(err, ETNA_E_USAGE, "-o wants the name of a file");
    if (stat(output, &there))
        return ETNA_OK;
    if (S_ISDIR(there.st_mode))
        return etna_fail(err, ETNA_E_USAGE,
                         "-o %s: that is a directory; give the name of a file",
                         output);
    if (!stat(input, &in) && in.st_dev == there.st_dev &&
        in.st_ino == there.st_ino) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "-o %s: that is the scene itself, which is never changed; choose another name",
            output);
    }
    return ETNA_OK;
}

/* Into a device or a pipe, which has no whole to appear as. */
static etna_code write_through(const char *path,
                               const uint8_t *data,
                               size_t size,
                               etna_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && fd_write(fd, data, size);
    etna_code code = good ? ETNA_OK : write_failed(path, err);
    if (fd >= 0)
        close(fd);
    return code;
}

etna_code load_write(const char *path,
                     const uint8_t *data,
                     size_t size,
                     etna_error *err)
{
    struct stat there;
    if (!stat(path, &there) && !S_ISREG(there.st_mode))
        return write_through(path, data, size, err);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    if (!folder)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for %s", path);
    int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    etna_code code = fd >= 0 && wholefile_write(fd, name, data, size)
                         ? ETNA_OK
                         : write_failed(path, err);
    if (fd >= 0)
        close(fd);
    free(folder);
    return code;
}
