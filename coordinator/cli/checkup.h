/* What `etna doctor` looks at on this machine: a row for each thing, which says
 * what was found and, unless all is well, what to do. */
#ifndef ETNA_COORDINATOR_CLI_CHECKUP_H
#define ETNA_COORDINATOR_CLI_CHECKUP_H

#include <stdbool.h>
#include <stdint.h>

/* ODD: runs go on all the same, though something may fail later. BAD: something
 * will fail. */
typedef enum checkup_mark {
    CHECKUP_OK,
    CHECKUP_ODD,
    CHECKUP_BAD
} checkup_mark; /* odd: runs go on all the same */

/* more rows than there are checks; the longest text, with its NUL */
enum {
    CHECKUP_ROWS_MAX = 16,
    CHECKUP_WORDS_MAX = 600
};

/* One finding. `name` is static and one word. */
typedef struct checkup_row {
    const char *name;
    checkup_mark mark;
    char words[CHECKUP_WORDS_MAX];
} checkup_row;

/* In the order of the checks. */
typedef struct checkup {
    uint32_t count;
    checkup_row rows[CHECKUP_ROWS_MAX];
    /* some row is CHECKUP_BAD: the command exits with an error */
    bool is_bad;
} checkup;

/* Runs all checks. `folder`: the store's, which need not exist; `list`:
 * --models, or NULL for the usual one. Writes nothing but a socket that it
 * removes again, starts `etna-worker --version`, takes well below a second. */
void checkup_run(const char *folder, const char *list, checkup *ret);

#endif
