/* The rows of the runs in memory. The core says the state; the shell knows when
 * a run was submitted, with which bytes, and who keeps it. `run_places` maps
 * the first eight bytes of a run's name to the first row that has them; names
 * are chosen by submitters, so two may well begin alike, and the others of such
 * a group are found by a walk. */
#include "coordinator/shell/rights.h"

#include <stdlib.h>
#include <string.h>

static uint64_t rows_key(const etna_id *run)
{
    uint64_t key;
    memcpy(&key, run->bytes, sizeof key);
    return key;
}

/* Index and one, as NULL is an empty slot of the table. */
static bool rows_place(shell *s, size_t index)
{
    return table_put(&s->run_places, rows_key(&s->runs[index].id),
                     (void *)(uintptr_t)(index + 1));
}

/* Names are chosen by submitters: two may well begin alike. */
run_entry *rows_find(shell *s, const etna_id *run)
{
    const void *place = table_get(&s->run_places, rows_key(run));
    if (!place)
        return NULL;
    run_entry *first = &s->runs[(uintptr_t)place - 1];
    if (etna_id_equal(&first->id, run))
        return first;
    for (size_t i = 0; i < s->run_count; i++) {
        if (etna_id_equal(&s->runs[i].id, run))
            return &s->runs[i];
    }
    return NULL;
}

static char *rows_copy(const char *text)
{
    return strdup(text ? text : "");
}

static void rows_entry_free(run_entry *e)
{
    free(e->scene);
    free(e->goal);
    free(e->config);
    rights_forget(&e->names);
}

/* Room for one more; false: out of memory. */
static bool rows_make_room(shell *s)
{
    if (s->run_count < s->run_room)
        return true;
    size_t room = s->run_room ? 2 * s->run_room : 16;
    run_entry *grown = realloc(s->runs, room * sizeof *grown);
    if (!grown)
        return false;
    s->runs = grown;
    s->run_room = room;
    return true;
}

run_entry *rows_add(shell *s, const store_run *row)
{
    run_entry *found = rows_find(s, &row->id);
    if (found)
        return found;
    if (!rows_make_room(s))
        return NULL;
    run_entry e = {.id = row->id,
                   .started_ms = row->started_ms,
                   .ended_ms = row->ended_ms,
                   .state = (run_state)row->state,
                   .config_size = row->config_size};
    e.keeper = (run_keeper)row->keeper;
    e.epoch = row->epoch;
    e.waiting = row->waiting;
    e.scene = rows_copy(row->scene);
    e.goal = rows_copy(row->goal);
    e.config = malloc(row->config_size + 1);
    if (!e.scene || !e.goal || !e.config) {
        free(e.scene);
        free(e.goal);
        free(e.config);
        return NULL;
    }
    if (row->config_size)
        memcpy(e.config, row->config, row->config_size);
    s->runs[s->run_count] = e;
    bool is_placed = table_get(&s->run_places, rows_key(&e.id)) ||
                     rows_place(s, s->run_count);
    if (!is_placed) {
        rows_entry_free(&e);
        return NULL;
    }
    return &s->runs[s->run_count++];
}

/* The first one of a key has gone: the others of it are found by the next. */
static void rows_place_next(shell *s, uint64_t key)
{
    for (size_t i = 0; i < s->run_count; i++) {
        if (rows_key(&s->runs[i].id) != key)
            continue;
        (void)rows_place(s, i); /* in the other's place: it needs no memory */
        return;
    }
    table_remove(&s->run_places, key);
}

static bool rows_is_first(const shell *s, size_t index)
{
    return (uintptr_t)table_get(&s->run_places, rows_key(&s->runs[index].id)) ==
           index + 1;
}

/* The last row moves into the gap; the table is corrected for both. No memory
 * is needed, so it cannot fail. */
void rows_remove(shell *s, run_entry *entry)
{
    size_t index = (size_t)(entry - s->runs);
    size_t last = s->run_count - 1;
    uint64_t key = rows_key(&entry->id);
    bool was_first = rows_is_first(s, index);
    bool moves_first = index != last && rows_is_first(s, last);
    if (entry->ended_order)
        s->ended_count--;
    rows_entry_free(entry);
    *entry = s->runs[last];
    s->run_count--;
    if (moves_first)
        (void)rows_place(s, index); /* likewise */
    if (was_first)
        rows_place_next(s, key);
}

void rows_note_end(shell *s, run_entry *entry)
{
    if (entry->ended_order)
        return;
    entry->ended_order = ++s->ended;
    s->ended_count++;
}

static bool has_ended(run_state state)
{
    return state >= RUN_COMPLETE && state <= RUN_CANCELLED;
}

/* A run that goes on is ours from here on: keeper and epoch say so to whoever
 * finds the store after our death. */
void rows_write(shell *s, const core_row *row)
{
    run_entry *e = rows_find(s, &row->run);
    store_group *group = shell_group(s);
    if (!group)
        return;
    if (!e) {
        shell_fail(
            s, ETNA_E_INTERNAL,
            "a run changed its state that was never submitted; this is a defect, please report it");
        return;
    }
    e->state = row->state;
    e->waiting = row->waiting;
    e->accepted = true;
    if (e->state == RUN_RUNNING) { /* it is ours from here on */
        e->keeper =
            s->options.serve ? RUN_KEEPER_COORDINATOR : RUN_KEEPER_COMMAND;
        e->epoch = store_epoch(s->options.store);
    }
    if (!has_ended(row->state)) {
        e->ended_ms = 0;
    } else {
        rows_note_end(s, e);
        if (!e->ended_ms)
            e->ended_ms = shell_wall();
    }
    store_run out = {.id = e->id,
                     .state = (uint32_t)e->state,
                     .started_ms = e->started_ms,
                     .scene = e->scene,
                     .goal = e->goal};
    out.config = e->config;
    out.config_size = e->config_size;
    out.keeper = e->keeper;
    out.epoch = e->epoch;
    out.waiting = e->waiting;
    out.ended_ms = e->ended_ms;
    etna_error err = {ETNA_OK, ""};
    e->row_turn = s->turn;
    if (store_put_run(group, &out, &err))
        shell_fail(s, err.code, "%s", err.text);
}

/* One whose end is not durable yet would be read anew as it was before. */
void rows_forget_old(shell *s)
{
    while (s->ended_count > s->options.keep_ended) {
        run_entry *oldest = NULL;
        for (size_t i = 0; i < s->run_count; i++) {
            run_entry *e = &s->runs[i];
            if (e->ended_order &&
                (!oldest || e->ended_order < oldest->ended_order))
                oldest = e;
        }
        if (!oldest || oldest->row_turn > s->durable)
            return;
        core_event event = {.kind = CORE_FORGET, .run = oldest->id};
        rows_remove(s, oldest);
        if (!shell_step(s, &event))
            return;
    }
}

void rows_free(shell *s)
{
    for (size_t i = 0; i < s->run_count; i++)
        rows_entry_free(&s->runs[i]);
    free(s->runs);
    table_free(&s->run_places);
    s->runs = NULL;
    s->run_count = s->run_room = 0;
}
