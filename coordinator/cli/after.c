/* What a run remembers of the one before it is cut to bounds that fit into a
 * prompt and into a config on the wire: the last edits, since those are what
 * people refer to, and the words it was asked by. */
#include "coordinator/cli/after.h"
#include "coordinator/cli/cli.h"
#include "coordinator/shell/recover.h"
#include "proto/utf8.h"

#include <stdio.h>

/* At most `max` bytes, cut at the end of a UTF-8 character. NULL as text is
 * "". */
static const char *after_cut(etna_arena *arena, const char *text, size_t max)
{
    const char *said = text ? text : "";
    return etna_arena_strndup(arena, said, etna_utf8_cut(said, max));
}

/* The last ARRANGE_BEFORE_MAX edits: a sentence such as "undo that" speaks of
 * the most recent ones. */
static etna_code after_tell_edits(const core_run_view *view,
                                  etna_arena *arena,
                                  arrange_before *before)
{
    uint32_t count = view->edit_count < ARRANGE_BEFORE_MAX ? view->edit_count
                                                           : ARRANGE_BEFORE_MAX;
    arrange_edit *edits = etna_arena_alloc(arena, count, sizeof *edits);
    if (!edits)
        return ETNA_E_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        edits[i] = view->edits[view->edit_count - count + i];
        edits[i].instruction =
            after_cut(arena, edits[i].instruction, ARRANGE_BEFORE_BYTES);
        edits[i].object = after_cut(arena, edits[i].object, ARRANGE_NAME_MAX);
        edits[i].plane = after_cut(arena, edits[i].plane, ARRANGE_NAME_MAX);
        if (!edits[i].instruction || !edits[i].object || !edits[i].plane)
            return ETNA_E_NOMEM;
    }
    before->edits = edits;
    before->edit_count = count;
    return ETNA_OK;
}

/* The goal or the instructions of the run before. */
static etna_code after_tell_words(const arrange_config *told,
                                  etna_arena *arena,
                                  arrange_before *before)
{
    uint32_t count = told->step_count < ARRANGE_BEFORE_MAX ? told->step_count
                                                           : ARRANGE_BEFORE_MAX;
    const char **steps = etna_arena_alloc(arena, count, sizeof *steps);
    before->goal = told->goal ? etna_arena_strdup(arena, told->goal) : NULL;
    if (!steps || (told->goal && !before->goal))
        return ETNA_E_NOMEM;
    for (uint32_t i = 0; i < count; i++) {
        steps[i] = after_cut(arena, told->steps[i], ARRANGE_BEFORE_BYTES);
        if (!steps[i])
            return ETNA_E_NOMEM;
    }
    before->steps = steps;
    before->step_count = count;
    return ETNA_OK;
}

/* The new run starts at the final snapshot, so that one, the scene and the
 * first snapshot (to put things back to) must still be in the store. */
static etna_code after_check_end(store *s,
                                 const core_run_view *view,
                                 const char *name,
                                 etna_error *err)
{
    if (view->state < RUN_COMPLETE || view->state > RUN_CANCELLED)
        return etna_fail(
            err, ETNA_E_INPUT,
            "run %s has not ended; go on with it first: etna resume %s", name,
            name);
    if (etna_hash_is_zero(&view->final_snapshot))
        return etna_fail(
            err, ETNA_E_INPUT,
            "run %s ended before it had a scene; give the scene itself: etna run SCENE",
            name);
    bool kept = store_has_blob(s, &view->config->scene) &&
                store_has_blob(s, &view->final_snapshot) &&
                store_has_blob(s, &view->first_snapshot);
    if (kept)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_INPUT,
        "the scene of run %s is not kept any more; give the scene itself: etna run SCENE",
        name);
}

/* A result that is not kept keeps things from being brought in, and nothing
 * else. */
static etna_code after_take_left(store *s,
                                 const etna_hash *result,
                                 after_left *ret,
                                 etna_error *err)
{
    if (etna_hash_is_zero(result) || !store_has_blob(s, result))
        return ETNA_OK;
    return store_get_blob(s, result, &ret->glb, &ret->size, err);
}

/* Decides the earlier run again from its journal, in a core of its own, and
 * reads its end from that. */
static etna_code after_take(store *s,
                            const etna_id *run,
                            etna_arena *arena,
                            arrange_config *config,
                            after_left *ret_left,
                            etna_error *err)
{
    core_options options = core_options_default();
    core_run_view view;
    store_run row;
    after_left left = {NULL, 0};
    core *c = NULL;
    char name[33];
    etna_id_hex(run, name);
    etna_code code = store_get_run(s, run, &row, arena, err);
    if (code == ETNA_E_NOTFOUND)
        return etna_fail(err, ETNA_E_INPUT,
                         "there is no run %s; see `etna runs`", name);
    if (!code)
        code = core_new(&options, &c, err);
    if (!code)
        code = recover_run(s, c, run, err);
    if (!code)
        code = core_view(c, run, arena, &view, err);
    if (!code)
        code = after_check_end(s, &view, name, err);
    if (!code && (after_tell_words(view.config, arena, &config->before) ||
                  after_tell_edits(&view, arena, &config->before)))
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for what run %s did",
                         name);
    if (!code)
        code = after_take_left(s, &view.result, &left, err);
    if (!code) {
        *ret_left = left;
        config->scene = view.config->scene;
        config->scene_name = view.config->scene_name;
        config->start = view.final_snapshot;
        config->after = *run;
        config->before.snapshot = view.first_snapshot;
    }
    core_free(c);
    return code;
}

etna_code after_read(const char *store_given,
                     const char *run,
                     etna_arena *arena,
                     arrange_config *config,
                     after_left *ret_left,
                     etna_error *err)
{
    etna_id id;
    store *s = NULL;
    char path[4000];
    etna_code code = cli_find_run(store_given, run, &id, err);
    if (!code)
        code = cli_store_path(store_given, path, sizeof path, err);
    if (!code)
        code = cli_open_store(path, NULL, true, &s, err);
    if (!code)
        code = after_take(s, &id, arena, config, ret_left, err);
    store_close(s);
    return code;
}
