/* The listener, and the care for one that NNG 1.5 lets die without a word. */
#include "coordinator/shell/inbox_internal.h"
#include "coordinator/shell/inbox_probe.h"
#include "proto/dial/dial.h"
#include "proto/message.h"
#include "proto/tsan.h"

#include <errno.h>
#include <nng/protocol/reqrep0/rep.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* calls of inbox_heal that a probe is waited for */
enum {
    PROBE_LOOKS = 2
};

/* The path of a socket file; NULL: the address has none. */
static const char *listener_path(const inbox *in)
{
    return strncmp(in->url, "ipc://", 6) ? NULL : in->url + 6;
}

/* Keeps which file it is that the listener made. */
static void listener_note_file(inbox *in)
{
    const char *path = listener_path(in);
    struct stat file;
    bool found = path && !stat(path, &file);
    in->file_device = found ? (uint64_t)file.st_dev : 0;
    in->file_inode = found ? (uint64_t)file.st_ino : 0;
}

/* Whether another file stands where the listener made its own. What answers
 * there says nothing of ours; to listen there anew would take the place from
 * whoever listens now. */
static bool listener_is_displaced(const inbox *in)
{
    const char *path = listener_path(in);
    struct stat file;
    return path && in->file_inode && !stat(path, &file) &&
           ((uint64_t)file.st_dev != in->file_device ||
            (uint64_t)file.st_ino != in->file_inode);
}

/* Whether somebody takes connections at the address. */
static bool listener_is_there(const char *url)
{
    int fd = inbox_probe_open(url);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Whether a file that is no socket stands at the path. */
static bool listener_is_barred(const char *path)
{
    struct stat file;
    return !lstat(path, &file) && !S_ISSOCK(file.st_mode);
}

/* Gives the socket file `made` the name that peers know, in place of a dead
 * owner's. An NNG error. */
static int listener_take_name(const inbox *in, const char *made)
{
    const char *path = listener_path(in);
    if (!link(made, path)) {
        unlink(made);
        return 0;
    }
    /* some file systems have no links, so the reason of the failure tells
     * nothing of who is there */
    if (listener_is_barred(path) || listener_is_there(in->url))
        return NNG_EADDRINUSE;
    return rename(made, path) ? NNG_ESYSERR + errno : 0;
}

/* NNG unlinks the path that it was given when a listener closes, whoever's
 * file stands there by then. So it is given a name of this process's own, and
 * only a file that is proven ours is taken away (inbox_listener_leave). A path
 * that leaves no room for that name stays NNG's. */
static bool listener_made_url(const inbox *in, char *ret, size_t size)
{
    struct sockaddr_un address;
    const char *path = listener_path(in);
    char suffix[16];
    snprintf(suffix, sizeof suffix, ".%x", (unsigned)getpid());
    const bool has_room =
        path && strlen(path) + strlen(suffix) < sizeof address.sun_path;
    snprintf(ret, size, "%s%s", in->url, has_room ? suffix : "");
    return has_room;
}

/* An NNG error; a socket file is its owner's alone. */
static int listener_start(inbox *in)
{
    char made[sizeof in->url + 16];
    const bool is_aside = listener_made_url(in, made, sizeof made);
    int rv = dial_listener(in->socket, made, in->handlers.certificate,
                           &in->listener);
    if (rv)
        return rv;
    if (listener_path(in))
        rv = nng_listener_set_int(in->listener, NNG_OPT_IPC_PERMISSIONS, 0600);
    if (!rv)
        rv = nng_listener_start(in->listener, 0);
    if (!rv && is_aside)
        rv = listener_take_name(in, made + strlen("ipc://"));
    if (rv)
        nng_listener_close(in->listener);
    in->listening = !rv;
    in->faults = 0;
    if (!rv)
        listener_note_file(in);
    return rv;
}

void inbox_listener_leave(inbox *in)
{
    const char *path = listener_path(in);
    if (path && in->file_inode && !listener_is_displaced(in))
        unlink(path);
    in->file_inode = 0;
}

etna_code inbox_listen(inbox *in, const char *url, etna_error *err)
{
    int rv = nng_rep0_open(&in->socket);
    if (rv)
        return etna_fail(err, ETNA_E_NETWORK, "%s: %s", url, nng_strerror(rv));
    strncpy(in->url, url, sizeof in->url - 1);
    rv = nng_socket_set_size(in->socket, NNG_OPT_RECVMAXSZ,
                             MESSAGE_MAX + SEAL_SIZE);
    HANDOVER_GIVE(in);
    if (!rv)
        rv = nng_pipe_notify(in->socket, NNG_PIPE_EV_ADD_PRE,
                             inbox_pipe_changed, in);
    if (!rv)
        rv = nng_pipe_notify(in->socket, NNG_PIPE_EV_REM_POST,
                             inbox_pipe_changed, in);
    if (!rv)
        rv = listener_start(in);
    if (!rv)
        return ETNA_OK;
    if (rv == NNG_EADDRINUSE) {
        return etna_fail(
            err, ETNA_E_NETWORK,
            "%s: the address is in use; choose another, or stop who listens there",
            url);
    }
    return etna_fail(err, ETNA_E_NETWORK, "%s: cannot listen: %s", url,
                     nng_strerror(rv));
}

/* Over TLS an accept is done before the handshake that may fail. */
static bool listener_may_be_probed(const inbox *in)
{
    return !dial_is_tls(in->url) && !listener_is_displaced(in);
}

/* How many accepts ended in ways that may have killed the listener. NNG gets
 * over some of these by itself; its statistics do not tell them apart. */
static uint64_t listener_faults(const inbox *in)
{
    nng_stat *all;
    uint64_t faults = 0;
    if (nng_stats_get(&all))
        return in->faults;
    nng_stat *own = nng_stat_find_listener(all, in->listener);
    for (nng_stat *one = own ? nng_stat_child(own) : NULL; one;
         one = nng_stat_next(one)) {
        if (!strcmp(nng_stat_name(one), "other") ||
            !strcmp(nng_stat_name(one), "canceled"))
            faults += nng_stat_value(one);
    }
    nng_stats_free(all);
    return faults;
}

/* Connections that NNG has taken so far. */
static uint64_t inbox_taken(inbox *in)
{
    pthread_mutex_lock(&in->lock);
    uint64_t taken = in->taken;
    pthread_mutex_unlock(&in->lock);
    return taken;
}

/* A connection of our own shows whether the listener still takes any. */
static void listener_probe_begin(inbox *in)
{
    in->taken_before = inbox_taken(in);
    in->looks = 0;
    in->probe = inbox_probe_open(in->url);
}

void inbox_probe_end(inbox *in)
{
    if (in->probe >= 0)
        close(in->probe);
    in->probe = -1;
    in->looks = PROBE_LOOKS;
}

/* Whether the listener took anybody since the probe was sent: ours, or another.
 * False while that is open as well; *ret_dead says which. */
static bool listener_probe_answered(inbox *in, bool *ret_dead)
{
    bool lives = inbox_taken(in) != in->taken_before;
    *ret_dead = !lives && ++in->looks >= PROBE_LOOKS;
    if (lives || *ret_dead)
        inbox_probe_end(in);
    return lives;
}

/* NNG 1.5 may stop accepting after an error without a word: a listener that has
 * counted faults and does not take our probe is begun anew. */
void inbox_heal(inbox *in)
{
    /* a look costs with every pipe: the more of them, the rarer */
    enum {
        PIPES_A_LOOK = 64
    };
    bool dead = false;
    bool asking = in->looks < PROBE_LOOKS;
    if (asking && listener_probe_answered(in, &dead))
        return;
    if (asking && !dead)
        return;
    if (in->listening && !dead && in->heal_wait) {
        in->heal_wait--;
        return;
    }
    in->heal_wait = (uint32_t)(in->pipes.live / PIPES_A_LOOK);
    if (in->listening && !listener_may_be_probed(in))
        return;
    if (in->listening && !dead) {
        uint64_t faults = listener_faults(in);
        bool same = faults == in->faults;
        in->faults = faults;
        if (!same)
            listener_probe_begin(in);
        return;
    }
    if (in->listening)
        nng_listener_close(in->listener);
    in->listening = false;
    listener_start(in); /* where it cannot be had, the next call tries again */
}
