/* What we would send to each vendor and how we read what it answers, for
 * run_sdks.sh to hold against the vendors' own clients. The roles' real
 * conversations go on with the answers of a file (standard input), the way a
 * worker's do: provider_write, provider_read, agent_reply. Prints, of every
 * turn, the conversation in neutral words, the HTTP call with its body as it is
 * sent, and the reading. */
#include "worker/agents/evaluator.h"
#include "worker/agents/executor.h"
#include "worker/agents/judge.h"
#include "worker/agents/planner.h"
#include "worker/shell/http_body.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    IMAGES_MAX = 64,
    IMAGE_BYTES = 40
};

typedef struct talk {
    const json_t *one; /* the case */
    const char *wire;
    etna_arena arena;
    models models;
    agent *agent;
    agent_step step;
    provider_image images[IMAGES_MAX];
    /* per message: number of the answer that it came from, or null */
    json_t *said_by;
} talk;

static void die(const char *what)
{
    fprintf(stderr, "sdk-wire: %s\n", what);
    exit(1);
}

static const char *text_of(const json_t *object,
                           const char *name,
                           const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : otherwise;
}

static void put(json_t *object, const char *name, json_t *value)
{
    if (json_object_set_new(object, name, value))
        die("out of memory");
}

/* ---- the conversation ---- */

static void begin(talk *t)
{
    static const char *const steps[] = {"Put the lamp on the \"table\"",
                                        "Turn the chair to the window"};
    static arrange_edit edits[1];
    const char *role = text_of(t->one, "role", "executor");
    bool plans = strcmp(role, "planner") == 0,
         polls = strcmp(role, "evaluator") == 0,
         judges = strcmp(role, "judge") == 0;
    edits[0] = (arrange_edit){.step = 1,
                              .instruction = "Put the lamp on the table.",
                              .object = "Lamp"};
    arrange_task task = {.kind = plans    ? TASK_PLAN
                                 : polls  ? TASK_POLL
                                 : judges ? TASK_JUDGE
                                          : TASK_BRANCH,
                         .node = 3,
                         .branch = 2,
                         .poll = 1,
                         .run_seed = 9,
                         .step = 2,
                         .max_steps = 2,
                         .model = "m",
                         .steps = steps,
                         .step_count = 2,
                         .instruction = steps[1],
                         .object = "Chair",
                         .edits = edits,
                         .edit_count = 1};
    agent_view view = {.facts = text_of(t->one, "facts", NULL),
                       .camera = "Camera",
                       .width = 1024,
                       .height = 768};
    etna_code (*const role_begin)(const arrange_task *, const agent_view *,
                                  agent **, agent_step *, etna_error *) =
        plans    ? planner_begin
        : polls  ? evaluator_begin
        : judges ? judge_begin
                 : executor_begin;
    etna_error err = {0};
    if (role_begin(&task, &view, &t->agent, &t->step, &err))
        die(err.text);
    const char *yaml = etna_arena_printf(
        &t->arena,
        "endpoints:\n  e: {wire: %s, url: \"%s\"%s}\nmodels:\n  m: {endpoint: e, id: vendor-1%s}\n",
        t->wire, text_of(t->one, "url", "http://h/v1"),
        text_of(json_object_get(t->one, "endpoint"), t->wire, ""),
        text_of(json_object_get(t->one, "settings"), t->wire, ""));
    if (!yaml ||
        models_from_yaml(yaml, strlen(yaml), &t->arena, &t->models, &err))
        die(err.text);
    t->said_by = json_array();
}

/* Files of every length modulo three, PNG and JPEG in turn. */
static uint32_t make_images(talk *t)
{
    uint32_t count = 0;
    for (uint32_t m = 0; m < t->step.request->message_count; m++) {
        for (uint32_t p = 0; p < t->step.request->messages[m].part_count; p++) {
            if (t->step.request->messages[m].parts[p].kind != MODEL_IMAGE ||
                count == IMAGES_MAX)
                continue;
            uint8_t *data = etna_arena_alloc(&t->arena, IMAGE_BYTES, 1);
            if (!data)
                die("out of memory");
            for (uint32_t i = 0; i < IMAGE_BYTES; i++)
                data[i] = (uint8_t)(37 * count + 101 * i + 3);
            t->images[count] =
                (provider_image){data, 4 + count % (IMAGE_BYTES - 4),
                                 count % 2 ? "image/jpeg" : "image/png"};
            count++;
        }
    }
    return count;
}

static json_t *neutral_part(const talk *t,
                            const model_part *part,
                            uint32_t *image)
{
    static const char *const kinds[] = {[MODEL_TEXT] = "text",
                                        [MODEL_IMAGE] = "image",
                                        [MODEL_FACTS] = "facts",
                                        [MODEL_TOOL_CALL] = "call",
                                        [MODEL_TOOL_RESULT] = "result"};
    json_t *row =
        json_pack("{s:s,s:s*,s:s*,s:s*}", "kind", kinds[part->kind], "text",
                  part->text, "name", part->tool_name, "id", part->tool_id);
    if (part->is_stable_end)
        put(row, "stable", json_true());
    if (part->kind != MODEL_IMAGE)
        return row;
    const provider_image *file = &t->images[(*image)++];
    char hex[2 * IMAGE_BYTES + 1] = "";
    for (size_t i = 0; i < file->size; i++)
        sprintf(hex + 2 * i, "%02x", file->data[i]);
    put(row, "mime", json_string(file->mime));
    put(row, "hex", json_string(hex));
    return row;
}

static json_t *neutral(talk *t)
{
    static const char *const authors[] = {[MODEL_SYSTEM] = "system",
                                          [MODEL_USER] = "user",
                                          [MODEL_ASSISTANT] = "assistant",
                                          [MODEL_TOOL] = "tool"};
    const model_request *r = t->step.request;
    json_t *root = json_object(), *messages = json_array(),
           *tools = json_array();
    uint32_t image = 0;
    for (uint32_t m = 0; m < r->message_count; m++) {
        json_t *parts = json_array(),
               *answer = m < json_array_size(t->said_by)
                             ? json_incref(json_array_get(t->said_by, m))
                             : json_null();
        for (uint32_t p = 0; p < r->messages[m].part_count; p++)
            json_array_append_new(
                parts, neutral_part(t, &r->messages[m].parts[p], &image));
        json_array_append_new(messages,
                              json_pack("{s:s,s:o,s:o}", "author",
                                        authors[r->messages[m].author], "parts",
                                        parts, "answer", answer));
    }
    for (uint32_t i = 0; i < r->tool_count; i++) {
        json_array_append_new(tools, json_pack("{s:s,s:s,s:s}", "name",
                                               r->tools[i].name, "description",
                                               r->tools[i].description,
                                               "schema", r->tools[i].schema));
    }
    put(root, "messages", messages);
    put(root, "tools", tools);
    return root;
}

/* ---- what is sent ---- */

static json_t *sent(talk *t)
{
    make_images(t);
    provider_call call = {0};
    etna_error err = {0};
    if (provider_write(&t->models, &t->models.models[0], t->step.request,
                       t->images, NULL, &t->arena, &call, &err))
        die(err.text);
    http_body stream = http_body_of(&call, t->images);
    char *body = etna_arena_alloc(&t->arena, (size_t)call.body_size + 16, 1);
    size_t used = 0, got;
    while (body && used <= call.body_size &&
           (got = http_body_read(&stream, body + used,
                                 call.body_size + 16 - used < 11 ? 0 : 11)) > 0)
        used += got;
    if (!body || used != call.body_size)
        die("a body is not as long as it was said to be");
    json_t *headers = json_object(), *row = json_object();
    for (uint32_t i = 0; i < call.header_count; i++) {
        if (json_object_get(headers, call.headers[i].name))
            die("a header is sent twice");
        put(headers, call.headers[i].name, json_string(call.headers[i].value));
    }
    if (call.key_header)
        put(headers, call.key_header, json_sprintf("%sKEY", call.key_prefix));
    put(row, "neutral", neutral(t));
    put(row, "images_left_out", json_integer(call.images_left_out));
    put(row, "url", json_string(call.url));
    put(row, "headers", headers);
    put(row, "body", json_stringn(body, used));
    return row;
}

/* ---- what is read ---- */

static json_t *reading(const provider_outcome *out)
{
    static const char *const ends[] = {[PROVIDER_REPLY] = "reply",
                                       [PROVIDER_AGAIN] = "again",
                                       [PROVIDER_DROP] = "drop",
                                       [PROVIDER_NEVER] = "never"};
    const model_reply *reply = &out->reply;
    json_t *calls = json_array();
    for (uint32_t i = 0; i < reply->call_count; i++) {
        json_array_append_new(
            calls, json_pack("{s:s,s:s,s:s}", "id", reply->calls[i].tool_id,
                             "name", reply->calls[i].tool_name, "arguments",
                             reply->calls[i].text));
    }
    return json_pack(
        "{s:s,s:s,s:o,s:b,s:b,s:b,s:[I,I,I,I]}", "end", ends[out->end], "text",
        reply->text ? reply->text : out->text, "calls", calls, "cut_off",
        reply->cut_off, "has_turn", reply->turn.json != NULL, "usage_guessed",
        out->usage_guessed, "usage", (json_int_t)reply->usage.tokens_in,
        (json_int_t)reply->usage.tokens_out,
        (json_int_t)reply->usage.tokens_cached,
        (json_int_t)reply->usage.tokens_reasoning);
}

static void run_tools(talk *t, size_t turn)
{
    const json_t *given =
        json_array_get(json_object_get(t->one, "results"), turn);
    agent_tool_result results[AGENT_CALLS_MAX] = {{0}};
    etna_error err = {0};
    for (uint32_t i = 0; i < t->step.call_count; i++) {
        const json_t *one = json_array_get(given, i);
        results[i] = (agent_tool_result){
            .json = text_of(one, "json", "{\"ok\":true}"),
            .has_image = json_is_true(json_object_get(one, "image"))};
        results[i].image =
            (model_image){.camera = "Camera", .width = 1024, .height = 768};
    }
    if (agent_tool_results(t->agent, t->step.call_count, results, &t->step,
                           &err))
        die(err.text);
}

/* Takes answer number `turn`, whose reading goes into `row`. */
static void take(talk *t, const json_t *answer, size_t turn, json_t *row)
{
    char *body = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!body)
        die("out of memory");
    provider_answer came = {.status = 200,
                            .body = (const uint8_t *)body,
                            .size = strlen(body),
                            .content_type = "application/json"};
    provider_outcome out = {0};
    etna_error err = {0};
    if (provider_read(&t->models, &t->models.models[0], t->step.request, &came,
                      &t->arena, &out, &err))
        die(err.text);
    free(body);
    put(row, "reading", reading(&out));
    if (out.end != PROVIDER_REPLY)
        die("an answer was not read");
    if (json_is_true(json_object_get(t->one, "rebuilt")))
        out.reply.turn = (model_turn){0};
    while (json_array_size(t->said_by) < t->step.request->message_count)
        json_array_append_new(t->said_by, json_null());
    json_array_append_new(t->said_by, out.reply.turn.json
                                          ? json_integer((json_int_t)turn)
                                          : json_null());
    if (agent_reply(t->agent, &out.reply, &t->step, &err))
        die(err.text);
    if (t->step.next == AGENT_TOOLS)
        run_tools(t, turn);
}

static json_t *converse(const json_t *one, const char *wire)
{
    talk t = {.one = one, .wire = wire};
    const json_t *answers =
        json_object_get(json_object_get(one, "answers"), wire);
    json_t *turns = json_array();
    begin(&t);
    for (size_t i = 0;
         i <= json_array_size(answers) && t.step.next == AGENT_ASK; i++) {
        json_t *row = sent(&t);
        if (i < json_array_size(answers))
            take(&t, json_array_get(answers, i), i, row);
        json_array_append_new(turns, row);
    }
    agent_free(t.agent);
    json_decref(t.said_by);
    etna_arena_free(&t.arena);
    return turns;
}

int main(void)
{
    static const char *const wires[] = {"chat", "responses", "gemini",
                                        "anthropic"};
    json_error_t where;
    json_t *cases = json_loadf(stdin, 0, &where), *all = json_array(), *one;
    size_t i;
    if (!cases)
        die(where.text);
    json_array_foreach(cases, i, one)
    {
        for (int w = 0; w < 4; w++) {
            json_t *row = json_pack("{s:s,s:s}", "name",
                                    text_of(one, "name", ""), "wire", wires[w]);
            put(row, "turns", converse(one, wires[w]));
            json_array_append_new(all, row);
        }
    }
    json_dumpf(all, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(all);
    json_decref(cases);
    return 0;
}
