/* Whose is a message of NNG? NNG 1.5 loses some of those it was given when a
 * pipe closes, so a leak checker has to look away from all that it allocates,
 * and a message that we lose would pass unseen. Here each is counted while it
 * is ours: from its allocation, or from the aio that brought it, until it is
 * freed or given to a send. Test programs linked with --wrap of these functions
 * fail at their end when one is left over. */
#include <nng/nng.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int __real_nng_msg_alloc(nng_msg **ret, size_t size);
void __real_nng_msg_free(nng_msg *msg);
nng_msg *__real_nng_aio_get_msg(nng_aio *aio);
void __real_nng_ctx_send(nng_ctx ctx, nng_aio *aio);
int __real_nng_sendmsg(nng_socket socket, nng_msg *msg, int flags);
int __wrap_nng_msg_alloc(nng_msg **ret, size_t size);
void __wrap_nng_msg_free(nng_msg *msg);
nng_msg *__wrap_nng_aio_get_msg(nng_aio *aio);
void __wrap_nng_ctx_send(nng_ctx ctx, nng_aio *aio);
int __wrap_nng_sendmsg(nng_socket socket, nng_msg *msg, int flags);

enum {
    OURS_MAX = 4096
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const nng_msg *ours[OURS_MAX];
static size_t count;

static void not_ours(const nng_msg *msg)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (ours[i] == msg)
            ours[i--] = ours[--count];
    }
    pthread_mutex_unlock(&lock);
}

static void is_ours(const nng_msg *msg)
{
    if (!msg)
        return;
    not_ours(msg);
    pthread_mutex_lock(&lock);
    if (count == OURS_MAX)
        abort();
    ours[count++] = msg;
    pthread_mutex_unlock(&lock);
}

int __wrap_nng_msg_alloc(nng_msg **ret, size_t size)
{
    int rv = __real_nng_msg_alloc(ret, size);
    if (!rv)
        is_ours(*ret);
    return rv;
}

void __wrap_nng_msg_free(nng_msg *msg)
{
    not_ours(msg);
    __real_nng_msg_free(msg);
}

nng_msg *__wrap_nng_aio_get_msg(nng_aio *aio)
{
    nng_msg *msg = __real_nng_aio_get_msg(aio);
    is_ours(msg);
    return msg;
}

/* Until the aio says that it failed: who then looks at its message has it
 * again. */
void __wrap_nng_ctx_send(nng_ctx ctx, nng_aio *aio)
{
    not_ours(__real_nng_aio_get_msg(aio));
    __real_nng_ctx_send(ctx, aio);
}

int __wrap_nng_sendmsg(nng_socket socket, nng_msg *msg, int flags)
{
    not_ours(msg);
    int rv = __real_nng_sendmsg(socket, msg, flags);
    if (rv)
        is_ours(msg);
    return rv;
}

__attribute__((destructor)) static void nothing_is_left(void)
{
    if (!count)
        return;
    fprintf(stderr,
            "%zu messages of NNG were ours and neither freed nor given away\n",
            count);
    _exit(1);
}
