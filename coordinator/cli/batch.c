/* Drives a batch: begins its lines in order, looks at those that are begun,
 * collects those that have ended. One thread polls. With at most a few dozen
 * runs in flight a question each per turn is cheap, and a client that keeps no
 * state about the carrier can change the carrier at any moment.
 *
 * A run's name is a hash of the folder's id, of the line and of the scene. So a
 * line that is submitted twice (the first answer was lost, or this process was
 * killed before it wrote that it had one) is still one run.
 *
 * The order of writing: "begun" goes into the folder's journal before the run
 * is submitted, "ended" after its files are written. A death between two of
 * these costs one question or one fetch, never a second run. */
#include "coordinator/cli/batch.h"
#include "coordinator/cli/bundle.h"
#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "coordinator/report/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    /* Runs that are submitted but not taken up by a slot yet. Two keep every
     * slot busy while the next scene is read; more would only hold memory. */
    FRESH_MAX = 2,
    /* a suspended run is resumed after this, doubled each time up to the
     * next */
    REST_FIRST_MS = 30000,
    REST_MOST_MS = 600000,
    /* between two turns in which nothing changed */
    LOOK_MS = 50,
    /* between two rewrites of the summaries */
    SUMMARY_MS = 60000
};

static const etna_id no_run;

/* ---- what the journal says ---- */

/* The scene's file as it is now. Cheaper than its hash, and enough: a changed
 * scene gets another stamp, and at worst a touched one is run again. */
static void batch_stamp(const batch_line *line, char *stamp, size_t size)
{
    struct stat st;
    if (stat(line->request.scene, &st)) {
        snprintf(stamp, size, "none");
        return;
    }
    snprintf(stamp, size, "%lld.%09ld.%lld", (long long)st.st_mtim.tv_sec,
             st.st_mtim.tv_nsec, (long long)st.st_size);
}

static int batch_compare_items(const void *a, const void *b)
{
    const batch_item *const *first = a, *const *second = b;
    return strcmp((*first)->line->name, (*second)->line->name);
}

typedef struct batch_index { /* items by name */
    batch_item **items;
    uint32_t count;
} batch_index;

static batch_item *batch_index_find(const batch_index *index, const char *name)
{
    const batch_line line = {.name = name};
    const batch_item wanted = {.line = &line}, *key = &wanted;
    if (!index->count)
        return NULL;
    batch_item **found = bsearch(&key, index->items, index->count,
                                 sizeof *index->items, batch_compare_items);
    return found ? *found : NULL;
}

/* Whether the record speaks of the line as it is now worded. */
static bool batch_record_fits(const batch_item *item, const json_t *record)
{
    etna_hash hash;
    return etna_hash_parse(field_string(record, "line"), &hash) &&
           etna_hash_equal(&hash, &item->line->hash);
}

/* Back to a line nobody has submitted. The caller keeps the counters right. */
static void batch_forget(batch_item *item)
{
    json_decref(item->record);
    *item = (batch_item){.line = item->line, .state = BATCH_WAITING};
}

/* Of a line's records the last one counts, thus each one replaces what the
 * one before said. A record whose line is worded differently by now says
 * nothing. */
static void batch_take_record(void *context, const json_t *record)
{
    batch_item *item = batch_index_find(context, field_string(record, "name"));
    bool ended = strcmp(field_string(record, "state"), "ended") == 0;
    etna_id run = no_run;
    if (!item)
        return;
    batch_forget(item);
    if (!batch_record_fits(item, record))
        return;
    bool named = etna_id_parse(field_string(record, "run"), &run);
    if (!named && !ended)
        return;
    item->run = run;
    item->reserved = (uint64_t)field_integer(record, "reserved");
    snprintf(item->stamp, sizeof item->stamp, "%s",
             field_string(record, "stamp"));
    if (!ended)
        return;
    item->record = json_deep_copy(record);
    if (item->record)
        item->state = BATCH_ENDED;
}

/* What ended is done unless its scene was changed since; where its files are
 * gone they are fetched again. */
static void batch_check_ended(const batch *b, batch_item *item)
{
    char stamp[48], path[BATCH_NAME_MAX + 16];
    struct stat st;
    batch_stamp(item->line, stamp, sizeof stamp);
    if (strcmp(stamp, item->stamp) != 0) {
        batch_forget(item);
        return;
    }
    if (item->state != BATCH_ENDED ||
        !json_is_true(json_object_get(item->record, "written")))
        return;
    snprintf(path, sizeof path, "%s/run.json", item->line->name);
    if (!fstatat(b->folder.fd, path, &st, 0))
        return;
    json_decref(item->record);
    item->record = NULL;
    item->state = BATCH_WAITING;
}

/* In millionths. The bound keeps a damaged record from overflowing the sum. */
static uint64_t batch_cost_of(const batch_item *item)
{
    double cost = json_number_value(json_object_get(item->record, "cost"));
    return cost > 0 && cost < 1e9 ? (uint64_t)(cost * 1e6 + 0.5) : 0;
}

static void batch_count_cost(batch *b, const batch_item *item)
{
    const uint64_t cost = batch_cost_of(item);
    b->cost_spent += cost;
    if (cost > b->cost_dearest)
        b->cost_dearest = cost;
}

etna_code batch_open(batch *b,
                     const batch_line *lines,
                     uint32_t count,
                     etna_error *err)
{
    b->items = calloc(count, sizeof *b->items);
    batch_index index = {.items = calloc(count, sizeof *index.items),
                         .count = count};
    if (!b->items || !index.items) {
        free(index.items);
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory for a list of %u lines",
                         (unsigned)count);
    }
    b->count = count;
    for (uint32_t i = 0; i < count; i++) {
        b->items[i] = (batch_item){.line = &lines[i], .state = BATCH_WAITING};
        index.items[i] = &b->items[i];
    }
    qsort(index.items, count, sizeof *index.items, batch_compare_items);
    etna_code code =
        batch_folder_read(&b->folder, batch_take_record, &index, err);
    free(index.items);
    b->left = b->begun = b->fresh = 0;
    b->cost_spent = b->cost_reserved = b->cost_dearest = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (*b->items[i].stamp)
            batch_check_ended(b, &b->items[i]);
        if (b->items[i].state != BATCH_ENDED)
            b->left++;
        batch_count_cost(b, &b->items[i]);
    }
    return code;
}

void batch_close(batch *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        json_decref(b->items[i].record);
    free(b->items);
    b->items = NULL;
    b->count = 0;
}

/* ---- summaries ---- */

summary_row *batch_rows(const batch *b)
{
    summary_row *rows = calloc((size_t)b->count + 1, sizeof *rows);
    for (uint32_t i = 0; rows && i < b->count; i++) {
        const batch_line *line = b->items[i].line;
        const arrange_config *config = &line->request.config;
        rows[i] = (summary_row){.name = line->name,
                                .scene = line->scene,
                                .record = b->items[i].record};
        rows[i].goal = config->goal ? config->goal : config->steps[0];
    }
    return rows;
}

etna_code batch_write_summary(const batch *b, etna_error *err)
{
    summary_row *rows = batch_rows(b);
    if (!rows)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the summary");
    etna_code code = summary_write(b->folder.fd, rows, b->count, err);
    free(rows);
    if (code)
        etna_error_prefix(err, "%s", b->folder.path);
    return code;
}

/* ---- a line's life ---- */

/* Adds to a record what every record has: which line, which wording of it,
 * which run, which state. Steals `record`; NULL is passed on. */
static json_t *batch_note(const batch_item *item,
                          json_t *record,
                          const char *state)
{
    char line[65], run[33];
    if (!record)
        return NULL;
    etna_hash_hex(&item->line->hash, line);
    etna_id_hex(&item->run, run);
    json_object_set_new(record, "name", json_string(item->line->name));
    json_object_set_new(record, "line", json_string(line));
    json_object_set_new(record, "run", json_string(run));
    json_object_set_new(record, "stamp", json_string(item->stamp));
    json_object_set_new(record, "state", json_string(state));
    return record;
}

/* The only two places that count what is begun. An item must leave with the
 * `reserved` and `imported` that it entered with. */
static void batch_leave_begun(batch *b, batch_item *item)
{
    if (item->state != BATCH_BEGUN)
        return;
    b->begun--;
    if (!item->imported)
        b->fresh--;
    b->cost_reserved -= item->reserved;
}

static void batch_enter_begun(batch *b,
                              batch_item *item,
                              const visit_status *status)
{
    item->state = BATCH_BEGUN;
    /* its first is the submit, the second what came of its scene */
    item->imported = status->last_event > 1;
    item->resume_at_ms = 0;
    if (status->keeper == RUN_KEEPER_COORDINATOR)
        b->of_coordinator = true;
    b->begun++;
    if (!item->imported)
        b->fresh++;
    b->cost_reserved += item->reserved;
}

/* The line is over. `record` is stolen. `kept`: the result would be the same at
 * the next start, thus it is journaled; what only lacks money or a model now is
 * not, so that the next start tries it again. */
static etna_code batch_end(
    batch *b, batch_item *item, json_t *record, bool kept, etna_error *err)
{
    record = batch_note(item, record, "ended");
    if (!record)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory keeping a result");
    etna_code code =
        kept ? batch_folder_add(&b->folder, json_incref(record), err) : ETNA_OK;
    if (code) {
        json_decref(record);
        return code;
    }
    batch_leave_begun(b, item);
    item->record = record;
    item->state = BATCH_ENDED;
    batch_count_cost(b, item);
    b->left--;
    return ETNA_OK;
}

/* Which errors concern one line alone: they end it, and the batch goes on. All
 * others would hit the next line too (no carrier, no disk, no memory). */
static bool batch_is_of_line(etna_code code)
{
    switch (code) {
    case ETNA_E_USAGE:
    case ETNA_E_INPUT:
    case ETNA_E_LIMIT:
    case ETNA_E_MESSAGE:
    case ETNA_E_CORRUPT:
    case ETNA_E_NEWER: return true;
    default: return false;
    }
}

/* ETNA_OK: the line is over by this error, and the batch goes on. */
static etna_code batch_end_by(batch *b,
                              batch_item *item,
                              const char *cause,
                              etna_error *err)
{
    char path[sizeof b->folder.path + BATCH_NAME_MAX + 2];
    if (!batch_is_of_line(err->code))
        return err->code;
    bool again = err->code == ETNA_E_INPUT || err->code == ETNA_E_LIMIT;
    etna_error why = *err;
    etna_code code = batch_folder_place(&b->folder, item->line->name, path,
                                        sizeof path, err);
    if (code)
        return code;
    *err = why;
    output_remove(path); /* of an earlier wording, or an earlier scene */
    return batch_end(b, item, summary_record_error(err, cause), again, err);
}

/* ---- beginning ---- */

/* A run of the built-in agent alone costs nothing. */
static bool batch_is_paid(const arrange_config *config)
{
    return config->foreign || config->reader;
}

/* What a run without a cap of its own may spend of `left`: what would do for
 * any that there was, eight times over, so that others may run beside it; the
 * first one, and one that nobody runs beside, all. 0: that is not left, or not
 * yet. */
static uint64_t batch_share(const batch *b, uint64_t left)
{
    const uint64_t enough = 8 * b->cost_dearest;
    const bool is_alone = b->cost_reserved == 0;
    if (b->cost_dearest && left >= enough)
        return enough;
    return is_alone && left >= b->cost_dearest ? left : 0;
}

/* How much of the batch's money the run may spend: all that it asks for, since
 * a rest would only pay for half a run. *ret_reserved 0: it needs none, or less
 * than it asks for is left and nobody is going to give any back. False: it
 * waits until a run in flight gives back what it did not spend. */
static bool batch_allow(const batch *b,
                        arrange_config *config,
                        uint64_t *ret_reserved)
{
    *ret_reserved = 0;
    if (!b->cost_max || !batch_is_paid(config))
        return true;
    const uint64_t taken = b->cost_spent + b->cost_reserved;
    const uint64_t left = taken < b->cost_max ? b->cost_max - taken : 0;
    uint64_t wanted = config->max_cost_micros;
    if (!wanted || wanted > b->cost_max)
        wanted = batch_share(b, left);
    if (wanted == 0 || wanted > left)
        return b->begun == 0;
    config->max_cost_micros = wanted;
    *ret_reserved = wanted;
    return true;
}

/* The same for the same folder, line and scene: whoever submits it again, it is
 * one run. */
static etna_code batch_name_run(const batch *b,
                                const batch_item *item,
                                const etna_hash *scene,
                                etna_id *ret,
                                etna_error *err)
{
    etna_hasher *hasher = etna_hasher_new();
    etna_hash hash;
    if (!hasher)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory naming a run");
    etna_hasher_add(hasher, b->folder.id.bytes, sizeof b->folder.id.bytes);
    etna_hasher_add(hasher, item->line->hash.bytes,
                    sizeof item->line->hash.bytes);
    etna_hasher_add(hasher, scene->bytes, sizeof scene->bytes);
    etna_hasher_end(hasher, &hash);
    memcpy(ret->bytes, hash.bytes, sizeof ret->bytes);
    return ETNA_OK;
}

/* Journals that the run is begun, then submits it. In this order: a run that
 * the journal does not know would be lost to the next start. */
static etna_code batch_hand_over(batch *b,
                                 batch_item *item,
                                 client *c,
                                 const arrange_config *config,
                                 const bundle *scene,
                                 etna_error *err)
{
    visit_status status;
    uint8_t *packed = NULL;
    runner_options o = {.run = item->run,
                        .bundle = scene->data,
                        .bundle_size = scene->size,
                        .scene = config->scene};
    etna_code code = arrange_config_pack(config, &packed, &o.config_size, err);
    o.config = packed;
    json_t *record =
        code ? NULL
             : json_pack("{s:I}", "reserved", (json_int_t)item->reserved);
    if (!code)
        code = batch_folder_add(&b->folder, batch_note(item, record, "begun"),
                                err);
    if (!code)
        code = visit_submit(c, &o, &status, err);
    free(packed);
    if (!code)
        batch_enter_begun(b, item, &status);
    return code;
}

/* Its scene has been read: names the run and submits it. What is wrong with the
 * scene or the line ends the line. */
static etna_code batch_submit(batch *b, client *c, etna_error *err)
{
    batch_item *item = b->ahead_item;
    arrange_config *config = &b->ahead_request.config;
    bundle scene = {NULL, 0};
    etna_code code = batch_ahead_take(b->ahead, &scene, err);
    if (code == ETNA_E_INPUT || code == ETNA_E_USAGE)
        return batch_end_by(b, item, "scene", err);
    if (code)
        return code;
    config->scene = etna_hash_bytes(scene.data, scene.size);
    config->scene_name = item->line->scene;
    config->batch = b->folder.id;
    if (!config->priority)
        config->priority = b->priority;
    code = batch_name_run(b, item, &config->scene, &item->run, err);
    if (!code)
        code = batch_hand_over(b, item, c, config, &scene, err);
    bundle_free(&scene);
    return code && batch_is_of_line(code)
               ? batch_end_by(b, item, "refused", err)
               : code;
}

/* Whether its results can be written: a file under its name, or a folder of
 * somebody else's, is the line's own trouble and keeps no other from its
 * end. */
static etna_code batch_check_output(batch *b,
                                    const batch_item *item,
                                    etna_error *err)
{
    char path[sizeof b->folder.path + BATCH_NAME_MAX + 2];
    etna_code code = batch_folder_place(&b->folder, item->line->name, path,
                                        sizeof path, err);
    if (code)
        return code;
    if (!output_check(path, NULL, err))
        return ETNA_OK;
    return err->code = ETNA_E_USAGE;
}

/* *ret_begun false: it waits for money, or for its scene, which is being read
 * then. */
static etna_code batch_begin_new(batch *b,
                                 batch_item *item,
                                 bool *ret_begun,
                                 etna_error *err)
{
    run_request *request = &b->ahead_request;
    etna_error broke;
    *ret_begun = true;
    if (batch_check_output(b, item, &broke))
        return batch_end_by(b, item, "output", &broke);
    batch_stamp(item->line, item->stamp, sizeof item->stamp);
    etna_arena_free(&b->ahead_arena);
    *request = item->line->request;
    if (run_request_read_models(request, &b->ahead_arena, err))
        return batch_end_by(b, item, "models", err);
    const bool allowed = batch_allow(b, &request->config, &item->reserved);
    const bool is_capped = b->cost_max && batch_is_paid(&request->config);
    if (allowed && is_capped && !item->reserved) {
        etna_fail(
            &broke, ETNA_E_LIMIT,
            "what is left of the batch's --max-cost is less than the run may spend by its own");
        return batch_end(b, item, summary_record_error(&broke, "money"), false,
                         err);
    }
    *ret_begun = false;
    if (!allowed)
        return ETNA_OK;
    const bundle_wanted wanted =
        run_request_bundle(&item->line->request, b->assets_store);
    b->ahead_item = item;
    batch_ahead_begin(b->ahead, &wanted);
    return ETNA_OK;
}

/* Begins the line, or takes up the run that an earlier start submitted for
 * it. */
static etna_code batch_begin(
    batch *b, batch_item *item, client *c, bool *ret_begun, etna_error *err)
{
    visit_status status;
    *ret_begun = true;
    /* an earlier start submitted it, or was about to */
    if (!etna_id_equal(&item->run, &no_run)) {
        etna_code code =
            visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, &item->run, &status, err);
        if (!code)
            batch_enter_begun(b, item, &status);
        if (code && batch_is_of_line(code))
            code = batch_end_by(b, item, "store", err);
        if (code != ETNA_E_NOTFOUND)
            return code;
    }
    return batch_begin_new(b, item, ret_begun, err);
}

/* Lines are begun strictly in the list's order, so a line that waits for money
 * holds up those behind it: the order of results stays the list's. */
static bool batch_has_room(const batch *b)
{
    return b->begun < b->active_max && b->fresh < FRESH_MAX &&
           b->next < b->count;
}

/* The scene that was read ahead, if it has been read by now. */
static etna_code batch_begin_read(batch *b,
                                  client *c,
                                  bool *ret_moved,
                                  etna_error *err)
{
    if (!batch_ahead_wait(b->ahead, 0))
        return ETNA_OK;
    *ret_moved = true;
    etna_code code = batch_submit(b, c, err);
    /* unless a line before it is to be begun anew */
    if (!code && b->ahead_item == &b->items[b->next])
        b->next++;
    return code;
}

/* At most one line a turn: the runs in flight want to be looked at in
 * between. */
static etna_code batch_begin_more(batch *b,
                                  client *c,
                                  bool *ret_moved,
                                  etna_error *err)
{
    if (batch_ahead_is_busy(b->ahead))
        return batch_begin_read(b, c, ret_moved, err);
    if (!batch_has_room(b))
        return ETNA_OK;
    batch_item *item = &b->items[b->next];
    bool begun = true;
    etna_code code = item->state == BATCH_WAITING
                         ? batch_begin(b, item, c, &begun, err)
                         : ETNA_OK;
    if (code || !begun)
        return code;
    b->next++;
    *ret_moved = true;
    return ETNA_OK;
}

/* ---- watching ---- */

/* Fetches the report of an ended run, writes its files, and ends the line. */
static etna_code batch_collect(batch *b,
                               batch_item *item,
                               client *c,
                               etna_error *err)
{
    char path[sizeof b->folder.path + BATCH_NAME_MAX + 2];
    json_t *document = NULL;
    etna_code code = visit_report(c, &item->run, &document, err);
    if (code)
        return batch_is_of_line(code) ? batch_end_by(b, item, "store", err)
                                      : code;
    bool written = output_is_worth(document);
    code = batch_folder_place(&b->folder, item->line->name, path, sizeof path,
                              err);
    if (!code && written) {
        code = output_write(path, document, visit_fetch, c, err);
    } else if (!code) {
        output_remove(path); /* of an earlier wording, or an earlier scene */
    }
    if (!code)
        code = batch_end(b, item, summary_record(document, written), true, err);
    json_decref(document);
    return code;
}

/* The run is suspended: its owner ended, or it found no model. It is resumed,
 * at growing intervals, since what stopped it may last. */
static etna_code batch_resume(batch_item *item,
                              client *c,
                              visit_status *status,
                              etna_error *err)
{
    uint64_t now = batch_now_ms();
    uint64_t pause = REST_FIRST_MS;
    if (now < item->resume_at_ms)
        return ETNA_OK;
    for (uint32_t i = 0; i < item->rests && pause < REST_MOST_MS; i++)
        pause *= 2;
    item->rests++;
    item->resume_at_ms = now + pause;
    const runner_options o = {.run = item->run};
    return visit_resume(c, &o, status, err);
}

/* Once each time that it begins to wait: a line which waits for its model keeps
 * the whole batch from ending, and the user should know why. */
static void batch_tell_waiting(batch *b,
                               batch_item *item,
                               const visit_status *status)
{
    bool waits = status->state < RUN_COMPLETE && status->text[0];
    if (waits && !item->told_waiting) {
        if (b->meter.shown)
            fputc('\n', stderr);
        b->meter.shown = false;
        terminal_printf(stderr, "etna: %s waits, and tries again by itself: %s",
                        item->line->name, status->text);
        fputc('\n', stderr);
    }
    item->told_waiting = waits;
}

/* Suspends a run that cannot go on without a change by hand, so that it stops
 * retrying by itself. */
static etna_code batch_rest(const batch_item *item,
                            client *c,
                            visit_status *status,
                            etna_error *err)
{
    if (status->state == RUN_SUSPENDED)
        return ETNA_OK;
    return visit_ask(c, MESSAGE_RUN_SUSPEND, &item->run, status, err);
}

/* The line is over for this start of the batch. Another start tries it again,
 * and by hand its run can be resumed with another model. */
static etna_code batch_end_stuck(batch *b,
                                 batch_item *item,
                                 const visit_status *status,
                                 bool *ret_moved,
                                 etna_error *err)
{
    char name[33];
    etna_error why;
    bool is_of_models = status->rests_by == ETNA_E_NETWORK;
    etna_id_hex(&item->run, name);
    if (is_of_models) {
        etna_fail(
            &why, ETNA_E_NETWORK,
            "%s; go on with another model by: etna resume %s --model NAME",
            status->text, name);
    } else {
        etna_fail(&why, status->rests_by,
                  "%s; make room, and go on by: etna resume %s", status->text,
                  name);
    }
    *ret_moved = true;
    return batch_end(
        b, item, summary_record_error(&why, is_of_models ? "model" : "store"),
        false, err);
}

static bool batch_is_stuck(const visit_status *status)
{
    return status->state < RUN_COMPLETE && status->stuck;
}

/* What has become of a run in flight. */
static etna_code batch_look(
    batch *b, batch_item *item, client *c, bool *ret_moved, etna_error *err)
{
    visit_status status;
    etna_code code =
        visit_ask(c, MESSAGE_RUN_STATUS_REQUEST, &item->run, &status, err);
    /* another store than the one that it was submitted to */
    if (code == ETNA_E_NOTFOUND) {
        uint32_t at = (uint32_t)(item - b->items);
        batch_leave_begun(b, item);
        item->state = BATCH_WAITING;
        if (at < b->next)
            b->next = at;
        return ETNA_OK;
    }
    if (!code && batch_is_stuck(&status))
        code = batch_rest(item, c, &status, err);
    if (!code && batch_is_stuck(&status))
        return batch_end_stuck(b, item, &status, ret_moved, err);
    if (!code && status.state == RUN_SUSPENDED)
        code = batch_resume(item, c, &status, err);
    if (code)
        return batch_is_of_line(code) ? batch_end_by(b, item, "store", err)
                                      : code;
    if (!item->imported && status.last_event > 1) {
        item->imported = true;
        b->fresh--;
        *ret_moved = true;
    }
    batch_tell_waiting(b, item, &status);
    if (status.state < RUN_COMPLETE)
        return ETNA_OK;
    *ret_moved = true;
    return batch_collect(b, item, c, err);
}

static etna_code batch_look_all(batch *b,
                                client *c,
                                bool *ret_moved,
                                etna_error *err)
{
    etna_code code = ETNA_OK;
    while (b->first < b->next && b->items[b->first].state == BATCH_ENDED)
        b->first++;
    for (uint32_t i = b->first; !code && i < b->next && !*b->stop; i++) {
        if (b->items[i].state == BATCH_BEGUN)
            code = batch_look(b, &b->items[i], c, ret_moved, err);
    }
    return code;
}

/* Once a minute, so that a batch that takes all night can be looked at. */
static etna_code batch_summarise(batch *b, etna_error *err)
{
    uint64_t now = batch_now_ms();
    if (now - b->meter.written_ms < SUMMARY_MS)
        return ETNA_OK;
    b->meter.written_ms = now;
    return batch_write_summary(b, err);
}

static void batch_pause(batch *b)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    if (batch_ahead_is_busy(b->ahead)) {
        batch_ahead_wait(b->ahead, LOOK_MS);
    } else {
        nanosleep(&pause, NULL);
    }
}

/* Whether the error is a full disk, which is waited out: then a second has
 * passed and the caller does again what failed. Somebody may free room at any
 * time, and a batch is too long to be lost to that. */
static bool batch_waits_for_room(batch *b,
                                 etna_code code,
                                 const etna_error *err)
{
    const struct timespec pause = {.tv_sec = 1};
    bool is_full = code == ETNA_E_FULL;
    if (is_full && !b->told_full) {
        terminal_printf(stderr, "etna: %s; the batch waits until there is room",
                        err->text);
        fputc('\n', stderr);
    }
    if (is_full)
        nanosleep(&pause, NULL);
    b->told_full = is_full;
    return is_full;
}

static etna_code batch_drive_on(batch *b, client *c, etna_error *err)
{
    etna_error why = {ETNA_OK, ""};
    etna_code code = ETNA_OK;
    /* Those that were begun before are asked for anew: who carries them now may
     * know nothing of them. */
    for (uint32_t i = 0; i < b->count; i++) {
        batch_item *item = &b->items[i];
        if (item->state != BATCH_BEGUN)
            continue;
        batch_leave_begun(b, item);
        item->state = BATCH_WAITING;
    }
    b->first = b->next = 0;
    while (!code && b->left) {
        bool moved = false;
        if (*b->stop)
            return etna_fail(err, ETNA_E_CANCELLED, "interrupted");
        code = batch_look_all(b, c, &moved, &why);
        if (!code)
            code = batch_begin_more(b, c, &moved, &why);
        if (!code)
            code = batch_summarise(b, &why);
        batch_meter_tell(b);
        if (batch_waits_for_room(b, code, &why))
            code = ETNA_OK;
        if (!code && !moved)
            batch_pause(b);
    }
    if (code && err)
        *err = why;
    return code;
}

etna_code batch_drive(batch *b, client *c, etna_error *err)
{
    b->ahead = batch_ahead_new();
    if (!b->ahead)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the batch");
    etna_code code = batch_drive_on(b, c, err);
    batch_ahead_free(b->ahead);
    b->ahead = NULL;
    etna_arena_free(&b->ahead_arena);
    return code;
}
