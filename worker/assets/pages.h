/* Memory of an index in the making: arrays of hundreds of megabytes that are
 * read and written in no order. */
#ifndef WORKER_ASSETS_PAGES_H
#define WORKER_ASSETS_PAGES_H

#include <stddef.h>

/* Asks the kernel to back what is first written of `data`, `size` bytes just
 * allocated or grown, by large pages: first writes and jumps cost less then.
 * What it holds stays. A small array and NULL are left alone; nothing is lost
 * where the kernel says no. */
void pages_enlarge(void *data, size_t size);

#endif
