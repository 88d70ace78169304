/* Whether the loops of plane_simd.c take as many lanes at once as AVX2 has. Apart
 * from them, so that a test can lead the question elsewhere and compare what
 * comes of both. */
#include "worker/probe/probe_internal.h"

bool probe_lanes_wide(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
