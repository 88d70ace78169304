/* See recover.h. */
#include "coordinator/shell/recover.h"

typedef struct feeding {
    core *c;
    const etna_id *run;
    uint64_t fed;
} feeding;

static etna_code recover_feed(void *context,
                              uint64_t sequence,
                              const uint8_t *record,
                              size_t size,
                              etna_error *err)
{
    feeding *f = context;
    f->fed++;
    return core_replay(f->c, f->run, sequence, record, size, err);
}

etna_code recover_run(store *s, core *c, const etna_id *run, etna_error *err)
{
    feeding f = {c, run, 0};
    char name[33];
    etna_code code = store_read_journal(s, run, 0, recover_feed, &f, err);
    if (code || f.fed)
        return code;
    etna_id_hex(run, name);
    return etna_fail(err, ETNA_E_NOTFOUND,
                     "run %s: there is none of this id; see `etna runs`", name);
}
