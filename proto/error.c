/* Error values: formatting and the mapping to exit codes. Pure: used by the
 * core. */
#include "proto/error.h"
#include "proto/utf8.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_code;
} codes[ETNA_E_COUNT] = {
    [ETNA_OK] = {"ok", 0},
    [ETNA_E_USAGE] = {"usage", 2},
    [ETNA_E_INPUT] = {"input", 3},
    [ETNA_E_MESSAGE] = {"message", 4},
    [ETNA_E_NOMEM] = {"out of memory", 4},
    [ETNA_E_IO] = {"i/o", 4},
    [ETNA_E_FULL] = {"full", 4},
    [ETNA_E_CORRUPT] = {"corrupt", 4},
    [ETNA_E_NEWER] = {"newer", 4},
    [ETNA_E_OWNED] = {"owned", 4},
    [ETNA_E_STALE] = {"stale", 4},
    [ETNA_E_NOTFOUND] = {"not found", 4},
    [ETNA_E_NETWORK] = {"network", 4},
    [ETNA_E_LIMIT] = {"limit", 3},
    [ETNA_E_CANCELLED] = {"cancelled", 4},
    [ETNA_E_INTERNAL] = {"internal", 4},
};

/* A text that was cut at its buffer's end may end within a character: drop
 * that, or no message could carry the text. */
static void error_end_whole(char *text, size_t size)
{
    size_t end = strlen(text);
    if (end + 1 == size)
        text[etna_utf8_whole(text, end)] = 0;
}

etna_code etna_fail(etna_error *err, etna_code code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        error_end_whole(err->text, sizeof err->text);
    }
    return code;
}

etna_code etna_error_prefix(etna_error *err, const char *format, ...)
{
    if (!err)
        return ETNA_E_INTERNAL;
    char old[sizeof err->text];
    memcpy(old, err->text, sizeof old);
    va_list args;
    va_start(args, format);
    int n = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->text) {
        snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", old);
    }
    error_end_whole(err->text, sizeof err->text);
    return err->code;
}

int etna_exit_code(etna_code code)
{
    return (unsigned)code < ETNA_E_COUNT ? codes[code].exit_code : 4;
}

const char *etna_code_name(etna_code code)
{
    return (unsigned)code < ETNA_E_COUNT ? codes[code].name : "unknown";
}
