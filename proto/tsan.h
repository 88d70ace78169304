/* An object goes to a library's thread and comes back in its callback: NNG
 * orders the two by locks of its own, which ThreadSanitizer does not see
 * because the library is not instrumented. These say it: give before the call,
 * take first in the callback. They cost nothing in other builds. */
#ifndef ETNA_PROTO_TSAN_H
#define ETNA_PROTO_TSAN_H

#ifdef ETNA_TSAN
#include <sanitizer/tsan_interface.h>
#define HANDOVER_GIVE(object) __tsan_release(object)
#define HANDOVER_TAKE(object) __tsan_acquire(object)
#else
#define HANDOVER_GIVE(object) ((void)(object))
#define HANDOVER_TAKE(object) ((void)(object))
#endif

#endif
