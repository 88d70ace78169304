/* Torture by allocation failure: the N-th allocation fails, for all N. Programs
 * whose name holds `torture` are linked so that malloc, calloc, realloc and
 * free of our own objects pass through here (tests/CMakeLists.txt). */
#ifndef ETNA_TESTS_TORTURE_H
#define ETNA_TESTS_TORTURE_H

#include <stdbool.h>
#include <stddef.h>

/* Calls `once` again and again, failing its first allocation, then its second
 * ..., until a call had no failure left to meet. `once` returns whether it
 * succeeded. Checks that every call with a failed allocation reports failure
 * and frees what it allocated. Returns how many allocations a whole call
 * makes. */
size_t torture(bool (*once)(void *context), void *context);
/* The same of what succeeds whichever allocation fails. */
size_t torture_enduring(bool (*once)(void *context), void *context);

#endif
