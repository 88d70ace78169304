/* A folder of a test's own: made, filled, counted, removed. What cannot be done
 * fails the test. */
#ifndef ETNA_TESTS_SUPPORT_FOLDER_H
#define ETNA_TESTS_SUPPORT_FOLDER_H

#include <stddef.h>
#include <stdint.h>

enum {
    FOLDER_SIZE = 64
};

/* below $TMPDIR or /tmp; a socket's name in it is not too long */
void folder_make(char ret[FOLDER_SIZE]);
void folder_put(const char *folder,
                const char *name,
                const void *data,
                size_t size);
uint32_t folder_count(const char *folder); /* what is in it, hidden or not */
void folder_remove(const char *folder);    /* with all that is in it */

#endif
