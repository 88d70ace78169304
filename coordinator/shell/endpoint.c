/* See endpoint.h. A directory gets its final name only once its lock is held,
 * so that a lock that can be had tells of a dead owner and never of one that is
 * just starting. */
#include "coordinator/shell/endpoint.h"

#include "store/wholefile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "etna-run-"
#define MAKING ".new"
/* bytes of a base directory, so that a socket's path fits; seconds after which
 * a directory that never got its lock is taken for a dead one's */
enum {
    BASE_MAX = 60,
    MAKING_SECONDS = 60
};

static const char *base_directory(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    struct stat st;
    bool is_path = runtime && runtime[0] == '/' && strlen(runtime) < BASE_MAX;
    if (!is_path || stat(runtime, &st) != 0)
        return "/tmp";
    bool is_ours = S_ISDIR(st.st_mode) && st.st_uid == geteuid();
    return is_ours && access(runtime, W_OK | X_OK) == 0 ? runtime : "/tmp";
}

/* The lock's descriptor; -1 with errno: EAGAIN, another holds it, or what
 * opening it met. */
static int lock_in(int directory, bool create)
{
    int fd =
        openat(directory, "lock",
               O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0600);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fd >= 0 && fcntl(fd, F_OFD_SETLK, &lock)) {
        close(fd);
        errno = EAGAIN;
        return -1;
    }
    return fd;
}

static void remove_directory(int base, const char *name, int directory)
{
    unlinkat(directory, "socket", 0);
    unlinkat(directory, "lock", 0);
    unlinkat(base, name, AT_REMOVEDIR);
}

static bool endpoint_is_being_made(const char *name)
{
    size_t size = strlen(name);
    size_t end = strlen(MAKING);
    return size > end && !strcmp(name + size - end, MAKING);
}

static void remove_unless_locked(int base, const char *name, int directory)
{
    int lock = lock_in(directory, false);
    bool never_locked =
        lock < 0 && errno == ENOENT && endpoint_is_being_made(name);
    if (lock >= 0 || never_locked)
        remove_directory(base, name, directory);
    if (lock >= 0)
        close(lock);
}

/* One that is just being made has a moment without a lock: to look whether it
 * can be had would take it away from its maker. */
static void remove_if_dead(int base, const char *name)
{
    int directory =
        openat(base, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;
    if (directory < 0)
        return;
    if (!fstat(directory, &st) && st.st_uid == geteuid()) {
        bool is_young = endpoint_is_being_made(name) &&
                        time(NULL) - st.st_mtime <= MAKING_SECONDS;
        if (!is_young)
            remove_unless_locked(base, name, directory);
    }
    close(directory);
}

static void remove_dead(const char *path)
{
    DIR *base = opendir(path);
    if (!base)
        return;
    for (struct dirent *entry; (entry = readdir(base));) {
        if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
            remove_if_dead(dirfd(base), entry->d_name);
    }
    closedir(base);
}

static etna_code endpoint_give_up(endpoint *e,
                                  const char *doing,
                                  etna_error *err)
{
    etna_code code = wholefile_code(errno);
    etna_fail(err, code,
              "%s: cannot %s: %s; set XDG_RUNTIME_DIR to a directory of yours",
              e->directory, doing, strerror(errno));
    endpoint_remove(e);
    return code;
}

etna_code endpoint_make(endpoint *ret, etna_error *err)
{
    const char *base = base_directory();
    endpoint e = {.lock_fd = -1};
    uint64_t number = 0;
    char final[sizeof e.directory];
    remove_dead(base);
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (uint64_t)getpid();
    snprintf(final, sizeof final, "%s/" PREFIX "%016llx", base,
             (unsigned long long)number);
    snprintf(e.directory, sizeof e.directory, "%s" MAKING, final);
    if (mkdir(e.directory, 0700))
        return endpoint_give_up(&e, "make a directory", err);
    int directory =
        open(e.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory >= 0)
        e.lock_fd = lock_in(directory, true);
    int why = errno;
    if (directory >= 0)
        close(directory);
    errno = why;
    if (e.lock_fd < 0)
        return endpoint_give_up(&e, "lock a file", err);
    if (rename(e.directory, final))
        return endpoint_give_up(&e, "rename the directory", err);
    memcpy(e.directory, final, sizeof final);
    snprintf(e.url, sizeof e.url, "ipc://%s/socket", final);
    *ret = e;
    return ETNA_OK;
}

void endpoint_remove(endpoint *e)
{
    if (!e->directory[0])
        return;
    int directory =
        open(e->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory >= 0) {
        remove_directory(AT_FDCWD, e->directory, directory);
        close(directory);
    }
    if (e->lock_fd >= 0)
        close(e->lock_fd);
    *e = (endpoint){.lock_fd = -1};
}
