/* See read/nouns.h. */
#include "worker/builtin/read/nouns.h"

#include <stddef.h>

enum {
    NOUNS_MAX = 48 /* of a class, with the NULL behind them */
};

static const char *const nouns[NOUNS_COUNT][NOUNS_MAX] = {
#define NOUNS(class, ...) [NOUNS_##class] = {__VA_ARGS__, NULL},
#include "worker/builtin/read/nouns.inc"
#undef NOUNS
};

const char *const *nouns_of(noun_class class)
{
    return nouns[class];
}
