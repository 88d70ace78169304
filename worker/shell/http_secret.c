/* See http_secret.h. */
#include "worker/shell/http_secret.h"

#include <string.h>

/* How many bytes of `data` are the secret; 0: they are not. */
static size_t secret_here(const char *data, size_t size, const char *secret)
{
    size_t at = 0;
    for (; *secret; secret++, at++) {
        if (*secret == '/' && size - at > 1 && data[at] == '\\')
            at++;
        if (at >= size || data[at] != *secret)
            return 0;
    }
    return at;
}

void http_secret_hide(char *data, size_t size, const char *secret)
{
    if (strlen(secret) < HTTP_SECRET_MIN)
        return;
    for (size_t at = 0; at < size;) {
        char *next = memchr(data + at, *secret, size - at);
        if (!next)
            return;
        at = (size_t)(next - data);
        size_t length = secret_here(next, size - at, secret);
        memset(next, '*', length);
        at += length ? length : 1;
    }
}
