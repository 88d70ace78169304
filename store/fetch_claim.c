/* See fetch_claim.h. */
#include "store/fetch_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* how often a claim is tried whose file was just removed by its holder */
enum {
    TRIES = 4
};

fetch_claim *fetch_claim_new(void)
{
    fetch_claim *claim = calloc(1, sizeof *claim);
    if (claim)
        claim->fd = -1;
    return claim;
}

/* False: there is no place for it. */
static bool fetch_claim_name(fetch_claim *claim,
                             const char *cache,
                             const etna_hash *blob)
{
    char name[65], folder[sizeof claim->path];
    int size = snprintf(folder, sizeof folder, "%s/fetching", cache);
    bool fits = size > 0 && size < (int)sizeof folder - (int)sizeof name - 1;
    if (!fits || (mkdir(folder, 0700) && errno != EEXIST))
        return false;
    etna_hash_hex(blob, name);
    int all = snprintf(claim->path, sizeof claim->path, "%s/%s", folder, name);
    return all > 0 && all < (int)sizeof claim->path;
}

/* Whether the file that is locked is still the one under its name: its holder
 * removes it before it unlocks. */
static bool fetch_claim_is_current(int fd, const char *path)
{
    struct stat held, named;
    return !fstat(fd, &held) && !stat(path, &named) &&
           held.st_ino == named.st_ino;
}

/* Whether the holder has shown no progress for too long: it may be stopped,
 * or hang on a connection. A time in the future counts as well, as clocks
 * are set. */
static bool fetch_claim_stands_still(int fd)
{
    struct stat st;
    struct timespec now;
    if (fstat(fd, &st) || clock_gettime(CLOCK_REALTIME, &now))
        return true;
    int64_t age_ms = ((int64_t)now.tv_sec - (int64_t)st.st_mtim.tv_sec) * 1000 +
                     (now.tv_nsec - st.st_mtim.tv_nsec) / 1000000;
    return age_ms > FETCH_CLAIM_MS || age_ms < -FETCH_CLAIM_MS;
}

bool fetch_claim_take(fetch_claim *claim,
                      const char *cache,
                      const etna_hash *blob)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fetch_claim_drop(claim);
    if (!claim || !cache || !fetch_claim_name(claim, cache, blob))
        return true;
    for (int i = 0; i < TRIES; i++) {
        int fd =
            open(claim->path,
                 O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
        if (fd < 0)
            return true;
        bool locked = !fcntl(fd, F_OFD_SETLK, &lock);
        if (locked && fetch_claim_is_current(fd, claim->path)) {
            claim->fd = fd;
            fetch_claim_goes_on(claim);
            return true;
        }
        bool elsewhere = !locked && (errno == EAGAIN || errno == EACCES) &&
                         !fetch_claim_stands_still(fd);
        close(fd);
        if (!locked)
            return !elsewhere;
    } /* it was just dropped by another: its file is another one now */
    return true;
}

void fetch_claim_goes_on(const fetch_claim *claim)
{
    if (claim && claim->fd >= 0)
        (void)futimens(claim->fd, NULL);
}

void fetch_claim_drop(fetch_claim *claim)
{
    if (!claim || claim->fd < 0)
        return;
    unlink(claim->path);
    close(claim->fd);
    claim->fd = -1;
}

void fetch_claim_free(fetch_claim *claim)
{
    fetch_claim_drop(claim);
    free(claim);
}
