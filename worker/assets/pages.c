#include "worker/assets/pages.h"

#include <stdint.h>
#include <sys/mman.h>

/* The advice is for whole pages only. */
void pages_enlarge(void *data, size_t size)
{
    const uintptr_t page = 4096;
    const size_t large = (size_t)8 << 20;
    if (!data || size < large)
        return;
    uintptr_t first = ((uintptr_t)data + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)data + size) & ~(page - 1);
    (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}
