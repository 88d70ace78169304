/* See build.h; the text is made by build.cmake. */
#include "proto/build.h"
#include "build_id.h"

const char *etna_build(void)
{
    return ETNA_BUILD;
}
