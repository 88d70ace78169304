/* Loaded into a worker before its own libraries (LD_PRELOAD): a message with
 * the word DEADLY in it ends the process by a fault, as a defect would that one
 * scene brings out. */
#include <dlfcn.h>
#include <nng/nng.h>
#include <signal.h>
#include <string.h>

__attribute__((visibility("default"))) void *nng_msg_body(nng_msg *msg)
{
    static const char word[] = "DEADLY";
    void *(*real)(nng_msg *);
    *(void **)&real = dlsym(RTLD_NEXT, "nng_msg_body");
    void *body = real(msg);
    if (body && memmem(body, nng_msg_len(msg), word, sizeof word - 1))
        raise(SIGSEGV);
    return body;
}
