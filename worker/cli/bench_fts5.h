/* The same models searched by SQLite's full-text index: what `etna bench
 * retrieval` is compared with. The program sqlite3 is asked, in a process of
 * its own, over a database that is removed again; nothing else of Etna knows
 * it. */
#ifndef ETNA_WORKER_CLI_BENCH_FTS5_H
#define ETNA_WORKER_CLI_BENCH_FTS5_H

#include "worker/assets/asset.h"

enum {
    FTS5_DEPTH = 10
};

typedef struct fts5_answer {
    double seconds; /* of processor time; < 0: it gave none */
    uint32_t count, docs[FTS5_DEPTH];
} fts5_answer;

typedef struct fts5_told {
    double build_s; /* of processor time */
    uint64_t bytes; /* of the database */
} fts5_told;

/* `assets` as shelf_read lists them, of which equal ones are one doc, as in
 * index.h; `answers` has room for `text_count`. Names, ids, tags, categories
 * and names in other languages, weighed as Etna's own fields are, Porter's
 * stems, any word of the text. ETNA_E_NOTFOUND: there is no sqlite3; ETNA_E_IO:
 * it does not do it. */
etna_code fts5_ask(const asset *assets,
                   uint32_t count,
                   const char *const *texts,
                   uint32_t text_count,
                   fts5_answer *answers,
                   fts5_told *ret,
                   etna_error *err);

#endif
