/* What `etna doctor` looks at on this machine, a row each: what it is and,
 * unless it is well, what to do. */
#ifndef ETNA_COORDINATOR_CLI_CHECKUP_H
#define ETNA_COORDINATOR_CLI_CHECKUP_H

#include <stdbool.h>
#include <stdint.h>

typedef enum checkup_mark {
    CHECKUP_OK,
    CHECKUP_ODD,
    CHECKUP_BAD
} checkup_mark; /* odd: runs go on all the same */

enum {
    CHECKUP_ROWS_MAX = 16,
    CHECKUP_WORDS_MAX = 600
};

typedef struct checkup_row {
    const char *name;
    checkup_mark mark;
    char words[CHECKUP_WORDS_MAX];
} checkup_row;

typedef struct checkup {
    uint32_t count;
    checkup_row rows[CHECKUP_ROWS_MAX];
    bool is_bad; /* one of them is */
} checkup;

/* `folder`: the store's, which need not be there; `list`: --models or NULL.
 * Changes nothing. */
void checkup_run(const char *folder, const char *list, checkup *ret);

#endif
