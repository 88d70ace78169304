/* See left.h. */
#include "coordinator/cli/left.h"
#include "coordinator/report/terminal.h"

#include <stdio.h>

enum {
    LEFT_AT_ONCE = 64 /* runs that are made durable together */
};

/* Errors that concern one run alone. All others would hit every run. */
static bool left_is_of_one(etna_code code)
{
    switch (code) {
    case ETNA_E_CORRUPT:
    case ETNA_E_NEWER:
    case ETNA_E_MESSAGE:
    case ETNA_E_NOTFOUND:
    case ETNA_E_USAGE:
    case ETNA_E_INPUT:
    case ETNA_E_LIMIT: return true;
    default: return false;
    }
}

/* Epochs say who left it: a command only takes up what was left since it began
 * to wait, a coordinator (epoch 0) everything of its kind. */
static bool left_is_to_go_on(const store *s,
                             const store_run *run,
                             run_keeper keeper,
                             uint64_t epoch)
{
    bool left = run->state == RUN_RUNNING && run->epoch >= epoch &&
                run->epoch < store_epoch(s);
    return left && run->keeper == (uint32_t)keeper;
}

static void left_print(void *context, const etna_id *run, const char *text)
{
    (void)context, (void)run;
    fputs("etna: ", stderr);
    terminal_print(stderr, text);
    fputc('\n', stderr);
}

/* A goal of any length is cut. */
static void left_name(const left_teller *teller, const store_run *run)
{
    char name[33], text[1024];
    etna_id_hex(&run->id, name);
    snprintf(text, sizeof text, "goes on: %s%s  %s", name,
             run->waiting ? ", which waited for a model or for room" : "",
             run->goal);
    teller->tell(teller->context, &run->id, text);
}

static void left_name_spoilt(const left_teller *teller,
                             const store_run *run,
                             const etna_error *err)
{
    char text[sizeof err->text + 64];
    snprintf(text, sizeof text, "%s; it is left as it is, the others go on",
             err->text);
    teller->tell(teller->context, &run->id, text);
}

/* What goes on is made durable together: a commit each would cost more than
 * all the rest. Runs that a coordinator takes up are named then. */
typedef struct left_taken {
    shell *sh;
    run_keeper keeper;
    left_teller teller;
    const store_run *runs[LEFT_AT_ONCE];
    size_t count;
} left_taken;

static etna_code left_keep(left_taken *t, etna_error *err)
{
    etna_code code = t->count ? shell_keep(t->sh, err) : ETNA_OK;
    bool are_named = !code && t->keeper == RUN_KEEPER_COORDINATOR;
    for (size_t i = 0; are_named && i < t->count; i++)
        left_name(&t->teller, t->runs[i]);
    t->count = 0;
    return code;
}

static etna_code left_take(left_taken *t, const store_run *run, etna_error *err)
{
    etna_code code = shell_recover_next(t->sh, &run->id, err);
    if (left_is_of_one(code)) {
        left_name_spoilt(&t->teller, run, err);
        return ETNA_OK;
    }
    if (!code)
        t->runs[t->count++] = run;
    return !code && t->count == LEFT_AT_ONCE ? left_keep(t, err) : code;
}

etna_code left_resume(shell *sh,
                      store *s,
                      run_keeper keeper,
                      uint64_t epoch,
                      const left_teller *teller,
                      etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error own = {ETNA_OK, ""};
    left_taken taken = {
        .sh = sh, .keeper = keeper, .teller = {NULL, left_print}};
    store_run *runs;
    size_t count;
    if (teller)
        taken.teller = *teller;
    etna_code code = store_list_runs(s, &arena, &runs, &count, &own);
    for (size_t i = count; !code && i-- > 0;) {
        if (left_is_to_go_on(s, &runs[i], keeper, epoch))
            code = left_take(&taken, &runs[i], &own);
    }
    if (!code)
        code = left_keep(&taken, &own);
    etna_arena_free(&arena);
    if (code && err)
        *err = own;
    return code;
}
