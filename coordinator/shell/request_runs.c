/* What the store knows of all runs, and how one of them stands, for people who
 * look from elsewhere. The core decides nothing of it. */
#include "coordinator/shell/shell_internal.h"
#include "proto/utf8.h"

static const char *runs_cut(etna_arena *arena, const char *text)
{
    const char *said = text ? text : "";
    return etna_arena_strndup(arena, said,
                              etna_utf8_cut(said, MESSAGE_RUN_TEXT_MAX));
}

/* A row says "running" also of a run whose owner died: that one rests. */
static uint32_t runs_state_now(const shell *s, const store_run *run)
{
    bool left = run->state == RUN_RUNNING &&
                run->epoch != store_epoch(s->options.store);
    return left ? RUN_SUSPENDED : run->state;
}

/* At most MESSAGE_RUNS_MAX rows from `skip` on, the newest first. A run that is
 * submitted between two pages makes one row appear twice. */
static etna_code runs_page(shell *s,
                           const message_runs_request *asked,
                           etna_arena *arena,
                           message_runs *ret,
                           etna_error *err)
{
    store_run *runs;
    size_t count;
    etna_code code =
        store_list_runs(s->options.store, arena, &runs, &count, err);
    if (code)
        return code;
    size_t first = asked->skip < count ? asked->skip : count;
    size_t fit =
        count - first < MESSAGE_RUNS_MAX ? count - first : MESSAGE_RUNS_MAX;
    message_run_row *rows = etna_arena_alloc(arena, fit, sizeof *rows);
    if (!rows)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory listing runs");
    for (size_t i = 0; i < fit; i++) {
        const store_run *run = &runs[first + i];
        rows[i] = (message_run_row){.run = run->id,
                                    .state = runs_state_now(s, run),
                                    .started_ms = run->started_ms};
        rows[i].waiting = run->waiting && rows[i].state == RUN_RUNNING;
        rows[i].scene = runs_cut(arena, run->scene);
        rows[i].goal = runs_cut(arena, run->goal);
        if (!rows[i].scene || !rows[i].goal)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory listing runs");
    }
    *ret = (message_runs){
        .count = (uint32_t)fit, .runs = rows, .more = first + fit < count};
    return ETNA_OK;
}

static message runs_answer_to(const shell *s,
                              const message *m,
                              message_kind kind)
{
    return (message){.version = MESSAGE_VERSION,
                     .epoch = store_epoch(s->options.store),
                     .incarnation = m->incarnation,
                     .sequence = m->sequence,
                     .kind = kind};
}

void request_list_runs(shell *s, uint64_t request, const message *m)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {ETNA_OK, ""};
    message answer = runs_answer_to(s, m, MESSAGE_RUNS);
    if (runs_page(s, &m->body.runs_request, &arena, &answer.body.runs, &err)) {
        request_refuse(s, request, m, err.code, err.text);
    } else {
        shell_answer(s, request, &answer);
    }
    etna_arena_free(&arena);
}

void request_view_run(shell *s, uint64_t request, const message *m)
{
    const etna_id *run = &m->body.run_view_request.run;
    etna_error err = {ETNA_OK, ""};
    message answer = runs_answer_to(s, m, MESSAGE_RUN_STATUS);
    if (shell_load(s, run, &err)) {
        request_refuse(s, request, m, err.code, err.text);
        return;
    }
    const run_entry *entry = rows_find(s, run);
    answer.body.run_status =
        (message_run_status){.run = *run, .report = request_report(s, run)};
    if (entry) {
        const store_run row = {.state = (uint32_t)entry->state,
                               .epoch = entry->epoch};
        answer.body.run_status.state = runs_state_now(s, &row);
        answer.body.run_status.keeper = (uint32_t)entry->keeper;
    }
    shell_answer(s, request, &answer);
}
