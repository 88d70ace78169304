/* See build.h; the text is made by build.cmake. */
#include "proto/build.h"
#include "build_id.h"

#include <stddef.h>

const char *etna_build(void)
{
    return ETNA_BUILD;
}

const char *etna_prompts_hash(void)
{
    return ETNA_PROMPTS;
}

const char *etna_commit(void)
{
    return *ETNA_COMMIT ? ETNA_COMMIT : NULL;
}
