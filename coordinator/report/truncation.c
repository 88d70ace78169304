/* See truncation.h. A call of the document has only the messages that are new
 * with it, so what came before is found in the earlier calls of its
 * conversation. */
#include "coordinator/report/truncation.h"

#include "proto/array.h"
#include "proto/models.h"

#include <string.h>

/* Whether the journal's reply is the one of this call. */
static bool slot_is(const etna_slot *slot, const json_t *call)
{
    static const char *const roles[ROLE_COUNT] = {[ROLE_PLANNER] = "planner",
                                                  [ROLE_EXECUTOR] = "executor",
                                                  [ROLE_EVALUATOR] =
                                                      "evaluator",
                                                  [ROLE_JUDGE] = "judge",
                                                  [ROLE_READER] = "reader"};
    const struct {
        const char *key;
        json_int_t is;
    } numbers[] = {{"node", slot->node},
                   {"branch", slot->branch},
                   {"poll", slot->poll},
                   {"turn", slot->turn},
                   {"repair", slot->repair}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        if (json_integer_value(json_object_get(call, numbers[i].key)) !=
            numbers[i].is)
            return false;
    }
    const char *role = json_string_value(json_object_get(call, "role"));
    const char *own = slot->role < ROLE_COUNT ? roles[slot->role] : NULL;
    return role && own && strcmp(own, role) == 0;
}

/* NULL: the request of this call was sent whole. */
static const replay_truncation *truncation_of(const replay *a,
                                              const json_t *call)
{
    for (uint32_t i = 0; i < a->truncation_count; i++) {
        if (slot_is(&a->truncations[i].slot, call))
            return &a->truncations[i];
    }
    return NULL;
}

static bool truncation_is_kind(const json_t *part, const char *kind)
{
    const char *has = json_string_value(json_object_get(part, "kind"));
    return has && strcmp(has, kind) == 0;
}

static bool truncation_same_conversation(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"node", "branch", "role", "poll"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (!json_equal(json_object_get(a, keys[i]),
                        json_object_get(b, keys[i])))
            return false;
    }
    return true;
}

/* Appends to `ret` the first `count` parts of `kind` in the conversation of
 * call `last`, up to that call, without their text. The oldest are left out
 * first, so the first are those that were. Returns how many parts of the kind
 * there are. */
static uint32_t truncation_gather(const json_t *calls,
                                  size_t last,
                                  const char *kind,
                                  uint32_t count,
                                  json_t *ret,
                                  bool *ret_failed)
{
    uint32_t found = 0;
    const json_t *call, *said, *part;
    size_t c, m, p;
    json_array_foreach(calls, c, call)
    {
        if (c > last ||
            !truncation_same_conversation(call, json_array_get(calls, last)))
            continue;
        json_array_foreach(json_object_get(call, "messages"), m, said)
        {
            json_array_foreach(json_object_get(said, "parts"), p, part)
            {
                if (!truncation_is_kind(part, kind) || found++ >= count)
                    continue;
                json_t *one = json_deep_copy(part);
                json_object_del(one, "text");
                *ret_failed |= !one ||
                               json_object_set(one, "turn",
                                               json_object_get(call, "turn")) ||
                               json_array_append_new(ret, one);
            }
        }
    }
    return found;
}

/* How its context was too small; NULL: no memory. */
static const char *truncation_too_long(etna_arena *arena,
                                       const models_model *model,
                                       const char *name)
{
    if (model && model->context_tokens)
        return etna_arena_printf(arena,
                                 "it was too long for the %u tokens of %s",
                                 model->context_tokens, name);
    return etna_arena_printf(arena, "it was too long for %s",
                             *name ? name : "its model");
}

/* One sentence: more images than the model takes, more tokens than its context
 * has, or both. NULL: no memory. */
static char *truncation_why(etna_arena *arena,
                            const models *list,
                            const replay_truncation *s,
                            uint32_t images)
{
    const models_model *model = list ? models_find(list, s->model) : NULL;
    bool has_most = model && model->images_max && images > model->images_max;
    /* more went than the limit asked for */
    bool too_many = model && s->images > images - model->images_max;
    bool too_long = !has_most || s->texts || too_many;
    const char *most = "", *long_for = "";
    if (has_most)
        most = etna_arena_printf(arena, "%s takes %u of the %u images",
                                 s->model, model->images_max, images);
    if (too_long)
        long_for = truncation_too_long(arena, model, s->model);
    if (!most || !long_for)
        return NULL;
    const char *and = has_most && too_long ? ", and " : "";
    return etna_arena_printf(arena, "%s%s%s", most, and, long_for);
}

static etna_code truncation_describe(replay *a,
                                     json_t *calls,
                                     size_t at,
                                     const models *list,
                                     const replay_truncation *s,
                                     etna_error *err)
{
    json_t *left_out = json_array();
    bool failed = !left_out;
    uint32_t images =
        truncation_gather(calls, at, "image", s->images, left_out, &failed);
    truncation_gather(calls, at, "tool_result", s->texts, left_out, &failed);
    const char *reason = truncation_why(&a->arena, list, s, images);
    json_t *told = failed || !reason
                       ? NULL
                       : json_pack("{s:s, s:I, s:I, s:s, s:O}", "model",
                                   s->model, "images", (json_int_t)s->images,
                                   "tool_results", (json_int_t)s->texts, "why",
                                   reason, "left_out", left_out);
    json_decref(left_out);
    if (!told ||
        json_object_set_new(json_array_get(calls, at), "shortened", told))
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory telling a conversation");
    return ETNA_OK;
}

etna_code truncation_add(replay *a, const char *text, etna_error *err)
{
    models list;
    bool known =
        text && *text &&
        models_from_json(text, strlen(text), &a->arena, &list, NULL) == ETNA_OK;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && a->truncation_count && i < a->count;
         i++) {
        const json_t *call;
        size_t k;
        json_array_foreach(a->tasks[i].calls, k, call)
        {
            const replay_truncation *s = truncation_of(a, call);
            if (code == ETNA_OK && s)
                code = truncation_describe(a, a->tasks[i].calls, k,
                                           known ? &list : NULL, s, err);
        }
    }
    return code;
}
