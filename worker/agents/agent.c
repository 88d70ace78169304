/* The conversation machine that all roles share: see agent.h for its
 * picture. */
#include "worker/agents/agent.h"
#include "proto/array.h"
#include "proto/usage.h"

#include "worker/agents/agents_internal.h"
#include "worker/agents/arguments.h"
#include "worker/agents/prompt.h"
#include "worker/agents/spoken.h"
#include "worker/provider/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT_OF_A_BAD_ANSWER = 4096,
    QUOTED_OF_A_BAD_ANSWER = 160,
    REASON_SHOWN = ARRANGE_REASON_MAX
};

/* For all of this file. */
static etna_code agent_no_memory(etna_error *err)
{
    return etna_fail(err, ETNA_E_NOMEM,
                     "out of memory in a conversation with a model");
}

/* A model's limit of pictures may be lower than what is drawn. 0: there is
 * none. */
static uint32_t side_sent(uint32_t limit, uint32_t drawn)
{
    return limit && limit < drawn ? limit : drawn;
}

/* A conversation without messages. `task` and `view` are not kept: what is
 * needed of them is copied. The caller frees it with agent_free. */
etna_code agent_new(const agent_role *role,
                    const arrange_task *task,
                    const agent_view *view,
                    agent **ret,
                    etna_error *err)
{
    agent *a = calloc(1, sizeof *a);
    if (!a)
        return agent_no_memory(err);
    a->read = role->read;
    a->give_up = role->give_up;
    a->repairs_left = role->repairs;
    a->run_seed = task->run_seed;
    a->slot = (etna_slot){.node = task->node,
                          .branch = task->branch,
                          .role = role->role,
                          .poll = task->poll};
    a->request.role = role->role;
    a->request.model =
        etna_arena_strdup(&a->arena, task->model ? task->model : "builtin");
    a->camera = etna_arena_strdup(&a->arena, view->camera ? view->camera : "");
    a->fronts = task->fronts;
    a->width = agent_picture_side(view->width);
    a->height = agent_picture_side(view->height);
    a->scale =
        (picture_scale){.known = task->coordinates,
                        .width = side_sent(view->sent_width, a->width),
                        .height = side_sent(view->sent_height, a->height)};
    if (!a->request.model || !a->camera) {
        agent_free(a);
        return agent_no_memory(err);
    }
    *ret = a;
    return ETNA_OK;
}

/* NULL is fine. Ends all that the conversation handed out: its results live in
 * its arena. */
void agent_free(agent *a)
{
    if (!a)
        return;
    etna_arena_free(&a->arena);
    free(a);
}

/* Tokens and cost of all answers so far. */
message_usage agent_usage(const agent *a)
{
    return a->usage;
}

/* Parts of a new last message; NULL when out of memory (then nothing was
 * added). */
static model_part *add_message(agent *a,
                               model_author author,
                               uint32_t part_count)
{
    if (a->request.message_count == a->message_room) {
        uint32_t room = a->message_room ? 2 * a->message_room : 8;
        model_message *messages =
            etna_arena_alloc(&a->arena, room, sizeof *messages);
        if (!messages)
            return NULL;
        if (a->request.message_count)
            memcpy(messages, a->request.messages,
                   a->request.message_count * sizeof *messages);
        a->request.messages = messages;
        a->message_room = room;
    }
    model_part *parts =
        etna_arena_alloc(&a->arena, part_count ? part_count : 1, sizeof *parts);
    if (!parts)
        return NULL;
    a->request.messages[a->request.message_count++] = (model_message){
        .author = author, .part_count = part_count, .parts = parts};
    return parts;
}

/* The seed comes from the run's seed and the slot (node, branch, role, poll,
 * repair, turn), so that a repeated run asks the same questions with the same
 * seeds, in whatever order. */
void agent_ask(agent *a, agent_step *ret_step)
{
    a->next = AGENT_ASK;
    a->request.seed = etna_seed(a->run_seed, &a->slot);
    *ret_step = (agent_step){
        .next = AGENT_ASK, .request = &a->request, .slot = a->slot};
}

/* How many parts it takes. */
static uint32_t put_picture(agent *a,
                            model_part *parts,
                            const agent_picture *picture)
{
    const char *label =
        a->fronts
            ? etna_arena_printf(&a->arena,
                                "%s Arrows show which way furniture faces.",
                                picture->label)
            : picture->label;
    parts[0] = (model_part){.kind = MODEL_TEXT,
                            .text = label ? label : picture->label};
    parts[1] = (model_part){.kind = MODEL_IMAGE, .image = picture->image};
    parts[1].image.fronts = a->fronts;
    return 2;
}

/* System prompt, then one user message: the pictures that stay the same over
 * many requests first (vendors cache a common beginning), the task, the other
 * pictures, the facts. Takes task_json over, NULL included. */
etna_code agent_open(agent *a,
                     const char *prompt,
                     json_t *task_json,
                     uint32_t picture_count,
                     const agent_picture *pictures,
                     const char *facts,
                     etna_error *err)
{
    assert(a->request.message_count == 0);
    char *task = text_json_short(&a->arena, task_json, JSON_INDENT(1));
    json_decref(task_json);
    if (!task)
        return agent_no_memory(err);
    const char *system_text = NULL, *user_text = NULL;
    etna_code code = prompt_fill(prompt, "task", task, &a->arena, &system_text,
                                 &user_text, err);
    if (code != ETNA_OK)
        return code;
    model_part *parts = add_message(a, MODEL_SYSTEM, 1);
    if (!parts)
        return agent_no_memory(err);
    parts[0] = (model_part){.kind = MODEL_TEXT, .text = system_text};
    uint32_t count = 1 + 2 * picture_count + (facts ? 1 : 0);
    uint32_t used = 0;
    parts = add_message(a, MODEL_USER, count);
    if (!parts)
        return agent_no_memory(err);
    uint32_t stable = 0;
    while (stable < picture_count && pictures[stable].is_stable)
        used += put_picture(a, parts + used, &pictures[stable++]);
    if (used)
        parts[used - 1].is_stable_end = true;
    parts[used++] = (model_part){.kind = MODEL_TEXT, .text = user_text};
    for (uint32_t i = stable; i < picture_count; i++)
        used += put_picture(a, parts + used, &pictures[i]);
    if (facts)
        parts[used++] = (model_part){.kind = MODEL_FACTS, .text = facts};
    return ETNA_OK;
}

/* The template with {{reason}}, which may hold names of the scene, and what a
 * model wrote. NULL: why is in `err`. */
static const char *agent_fill_reason(agent *a,
                                     const char *prompt,
                                     const char *reason,
                                     etna_error *err)
{
    const char *text = NULL, *none = NULL;
    json_t *value = agent_json_text(a, reason, REASON_SHOWN);
    const char *quoted =
        text_json(&a->arena, value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    if (!quoted) {
        agent_no_memory(err);
        return NULL;
    }
    if (prompt_fill(prompt, "reason", quoted, &a->arena, &text, &none, err))
        return NULL;
    return text;
}

/* Another attempt, with the reason why the last one was refused. The reason is
 * shortened and quoted as JSON, since it may hold text of a model. Counts as a
 * repair. */
etna_code agent_send_back(agent *a,
                          const char *prompt,
                          const char *reason,
                          agent_step *ret_step,
                          etna_error *err)
{
    assert(a->repairs_left > 0);
    const char *text = agent_fill_reason(a, prompt, reason, err);
    if (!text)
        return err->code;
    model_part *parts = add_message(a, MODEL_USER, 1);
    if (!parts)
        return agent_no_memory(err);
    parts[0] = (model_part){.kind = MODEL_TEXT, .text = text};
    a->repairs_left--;
    a->slot.repair++;
    agent_ask(a, ret_step);
    return ETNA_OK;
}

etna_code agent_show(agent *a,
                     const char *prompt,
                     const char *reason,
                     const agent_picture *picture,
                     agent_step *ret_step,
                     etna_error *err)
{
    const char *text = agent_fill_reason(a, prompt, reason, err);
    if (!text)
        return err->code;
    model_part *parts = add_message(a, MODEL_USER, 3);
    if (!parts)
        return agent_no_memory(err);
    put_picture(a, parts, picture);
    parts[2] = (model_part){.kind = MODEL_TEXT, .text = text};
    a->slot.turn++;
    agent_ask(a, ret_step);
    return ETNA_OK;
}

/* As vendors read arguments: strictly. */
static bool is_json_object(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    bool is = json_is_object(value);
    json_decref(value);
    return is;
}

/* How much of the text the history keeps: of one that is too long the
 * beginning, in whole characters. */
static size_t text_kept(const char *text, size_t size)
{
    size_t kept = 0;
    if (size <= AGENT_REPLY_MAX)
        return size;
    while (kept < KEPT_OF_A_BAD_ANSWER) {
        size_t length = text_utf8_length(text + kept, size - kept);
        kept += length ? length : 1;
    }
    return kept;
}

/* Call `i` of a reply, copied: each has a name, an id and arguments. False: out
 * of memory. */
static bool copy_call(agent *a,
                      const model_part *from,
                      uint32_t i,
                      model_part *ret)
{
    bool has_id = from->tool_id && from->tool_id[0];
    bool has_text = from->text && from->text[0];
    model_part call = {.kind = MODEL_TOOL_CALL};
    call.tool_name =
        etna_arena_strdup(&a->arena, from->tool_name ? from->tool_name : "");
    call.tool_id =
        has_id ? etna_arena_strdup(&a->arena, from->tool_id)
               : etna_arena_printf(&a->arena, "call_%u_%u", a->tool_turns, i);
    call.text = etna_arena_strdup(&a->arena, has_text ? from->text : "{}");
    *ret = call;
    return call.tool_name && call.tool_id && call.text;
}

/* The calls for the tools, and behind `parts` for the history, in which
 * arguments that are no JSON object would make some servers refuse every later
 * request: it holds {} for them; the tool still gets what was written and says
 * what is wrong. */
static bool keep_calls(agent *a, const model_reply *reply, model_part *parts)
{
    model_part *calls =
        etna_arena_alloc(&a->arena, reply->call_count, sizeof *calls);
    if (!calls)
        return false;
    for (uint32_t i = 0; i < reply->call_count; i++) {
        if (!copy_call(a, &reply->calls[i], i, &calls[i]))
            return false;
        parts[i] = calls[i];
        if (!is_json_object(parts[i].text))
            parts[i].text = "{}";
    }
    a->calls = a->written = calls;
    a->call_count = reply->call_count;
    return true;
}

/* The turn as it came, which goes back so where the same model reads it. False:
 * out of memory. */
static bool keep_own_turn(agent *a, const model_turn *came)
{
    if (!came->json)
        return true;
    model_turn turn = {etna_arena_strdup(&a->arena, came->json),
                       etna_arena_strdup(&a->arena, came->of ? came->of : "")};
    a->request.messages[a->request.message_count - 1].turn = turn;
    return turn.json && turn.of;
}

/* The assistant's turn into the history. */
static etna_code agent_keep_turn(agent *a,
                                 const model_reply *reply,
                                 etna_error *err)
{
    size_t size = strlen(reply->text);
    size_t kept = text_kept(reply->text, size);
    uint32_t has_text = size > 0 || reply->call_count == 0;
    model_part *parts =
        add_message(a, MODEL_ASSISTANT, has_text + reply->call_count);
    if (!parts)
        return agent_no_memory(err);
    if (has_text) {
        const char *said =
            size ? etna_arena_strndup(&a->arena, reply->text, kept)
                 : "(no answer)";
        if (!said)
            return agent_no_memory(err);
        parts[0] = (model_part){.kind = MODEL_TEXT, .text = said};
    }
    bool ok = keep_calls(a, reply, parts + has_text) &&
              (kept != size || keep_own_turn(a, &reply->turn));
    return ok ? ETNA_OK : agent_no_memory(err);
}

/* NULL stays NULL; only a copy that fails sets *ret_failed. */
static char *copy_or_null(agent *a, const char *text, bool *ret_failed)
{
    char *copy = etna_arena_strdup(&a->arena, text);
    *ret_failed |= text && !copy;
    return copy;
}

/* A picture that a tool made, behind a line that says of which call it is. */
static etna_code keep_picture(agent *a,
                              uint32_t call,
                              const agent_tool_result *result,
                              model_part parts[2],
                              etna_error *err)
{
    bool failed = false;
    model_image image = result->image;
    image.fronts = a->fronts;
    image.camera = copy_or_null(a, image.camera ? image.camera : "", &failed);
    image.object = copy_or_null(a, image.object, &failed);
    image.highlight = copy_or_null(a, image.highlight, &failed);
    char *label =
        etna_arena_printf(&a->arena, "Image: result of %s (%s).",
                          a->calls[call].tool_name, a->calls[call].tool_id);
    if (!label || failed)
        return agent_no_memory(err);
    parts[0] = (model_part){.kind = MODEL_TEXT, .text = label};
    parts[1] = (model_part){.kind = MODEL_IMAGE, .image = image};
    return ETNA_OK;
}

/* The pictures of all results, as a message of their own: a tool's may hold
 * none. */
static etna_code keep_pictures(agent *a,
                               uint32_t count,
                               const agent_tool_result *results,
                               etna_error *err)
{
    uint32_t pictures = 0, used = 0;
    for (uint32_t i = 0; i < count; i++)
        pictures += results[i].has_image;
    if (pictures == 0)
        return ETNA_OK;
    model_part *parts = add_message(a, MODEL_USER, 2 * pictures);
    if (!parts)
        return agent_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        if (!results[i].has_image)
            continue;
        etna_code code =
            keep_picture(a, i, &results[i], parts + 2 * used++, err);
        if (code != ETNA_OK)
            return code;
    }
    return ETNA_OK;
}

/* Every call of the last turn must be answered in the history, or vendors
 * refuse what follows. */
static etna_code keep_results(agent *a,
                              uint32_t count,
                              const agent_tool_result *results,
                              const char *otherwise,
                              etna_error *err)
{
    model_part *parts = add_message(a, MODEL_TOOL, a->call_count);
    if (!parts)
        return agent_no_memory(err);
    for (uint32_t i = 0; i < a->call_count; i++) {
        const char *json = i < count ? results[i].json : otherwise;
        parts[i] = (model_part){.kind = MODEL_TOOL_RESULT,
                                .tool_name = a->written[i].tool_name,
                                .tool_id = a->written[i].tool_id};
        parts[i].text = etna_arena_strdup(&a->arena, json);
        if (!parts[i].text)
            return agent_no_memory(err);
    }
    return keep_pictures(a, count < a->call_count ? count : a->call_count,
                         results, err);
}

/* The result is in a->result. */
static etna_code agent_end(agent *a, agent_step *ret_step)
{
    a->next = AGENT_DONE;
    *ret_step = (agent_step){.next = AGENT_DONE};
    return ETNA_OK;
}

/* The reason, and how the answer begins: a model that declines says why in
 * words of its own. NULL when out of memory. */
static char *agent_reason_quoting(agent *a,
                                  const char *reason,
                                  const char *said)
{
    size_t size = strlen(said);
    char *clean = text_clean(&a->arena, said, size, QUOTED_OF_A_BAD_ANSWER);
    if (!clean)
        return NULL;
    const char *more = strlen(clean) + 4 < size ? " ..." : "";
    char *text = *clean ? etna_arena_printf(&a->arena, "%s; it says: %s%s",
                                            reason, clean, more)
                        : etna_arena_strdup(&a->arena, reason);
    return text ? text_clean(&a->arena, text, strlen(text), ARRANGE_REASON_MAX)
                : NULL;
}

/* An answer that cannot be read: ask again while there are repairs left, else
 * give up with the reason as the result. */
static etna_code agent_refuse(agent *a,
                              const char *reason,
                              const char *said,
                              agent_step *ret_step,
                              etna_error *err)
{
    if (a->repairs_left > 0)
        return agent_send_back(a, "repair", reason, ret_step, err);
    char *clean = agent_reason_quoting(a, reason, said);
    if (!clean)
        return agent_no_memory(err);
    a->give_up(a, clean);
    return agent_end(a, ret_step);
}

/* The calls that are run, by what the model counts coordinates in; the history
 * keeps what it wrote. */
static etna_code mend_calls(agent *a, etna_error *err)
{
    model_part *calls =
        etna_arena_memdup(&a->arena, a->calls, a->call_count * sizeof *calls);
    etna_code code = calls ? ETNA_OK : agent_no_memory(err);
    for (uint32_t i = 0; code == ETNA_OK && i < a->call_count; i++)
        code = arguments_mend(&calls[i], a->request.tool_count,
                              a->request.tools, &a->scale, &a->arena, err);
    if (code == ETNA_OK)
        a->calls = calls;
    return code;
}

/* Runs at most AGENT_CALLS_MAX of the calls; the others are answered with an
 * error later. */
static etna_code want_tools(agent *a, agent_step *ret_step, etna_error *err)
{
    etna_code code = mend_calls(a, err);
    if (code != ETNA_OK)
        return code;
    a->next = AGENT_TOOLS;
    *ret_step = (agent_step){.next = AGENT_TOOLS, .calls = a->calls};
    ret_step->call_count =
        a->call_count < AGENT_CALLS_MAX ? a->call_count : AGENT_CALLS_MAX;
    return ETNA_OK;
}

/* After AGENT_TURNS_MAX turns of tools an answer is due. */
static bool may_call(const agent *a)
{
    return a->request.tool_count > 0 && a->tool_turns < AGENT_TURNS_MAX;
}

/* An answer of text that is none: perhaps it calls tools in it. The turn then
 * holds the calls, as any other that does. */
static etna_code take_spoken(agent *a, model_reply *reply, etna_error *err)
{
    model_part *calls = NULL;
    uint32_t count = 0;
    etna_code code =
        spoken_calls(reply->text, a->request.tool_count, a->request.tools,
                     &a->arena, &calls, &count, err);
    if (code != ETNA_OK || count == 0)
        return code;
    reply->text = "";
    reply->calls = calls;
    reply->call_count = count;
    reply->turn = (model_turn){NULL, NULL};
    return ETNA_OK;
}

typedef struct heard { /* of an answer */
    model_reply reply;
    bool too_long, says; /* it has a text that is read */
    bool answered;
    etna_error complaint; /* why not */
} heard;

/* Reads it as the role's answer. That it is none is no failure here but a
 * complaint. */
static etna_code hear_text(agent *a, const char *text, heard *h)
{
    etna_code code = a->read(a, text, &h->complaint);
    h->answered = code == ETNA_OK;
    return code == ETNA_E_INPUT ? ETNA_OK : code;
}

/* A call of a tool that there is not: what was asked for as a text may be its
 * arguments, or stand beside it. */
static etna_code hear_call(agent *a, heard *h)
{
    const model_part *call = h->reply.calls;
    bool is_one = h->reply.call_count == 1 && !h->too_long;
    if (!is_one || !call->tool_name || !call->text)
        return ETNA_OK;
    if (arguments_tool(call->tool_name, a->request.tool_count,
                       a->request.tools))
        return ETNA_OK;
    const char *const texts[] = {h->reply.text, call->text};
    etna_code code = ETNA_OK;
    for (size_t i = 0; code == ETNA_OK && !h->answered && i < COUNT_OF(texts);
         i++) {
        bool is_text = *texts[i] && strlen(texts[i]) <= AGENT_REPLY_MAX;
        if (is_text)
            code = hear_text(a, texts[i], h);
        if (h->answered)
            h->reply = (model_reply){.text = texts[i], .usage = h->reply.usage};
    }
    return code;
}

/* A text is read as an answer first; only when it is none it may be a call that
 * was written as text. */
static etna_code agent_hear(agent *a, heard *h)
{
    model_reply *reply = &h->reply;
    h->too_long = strlen(reply->text) > AGENT_REPLY_MAX;
    h->says = reply->call_count == 0 && *reply->text && !h->too_long;
    if (!h->says)
        return hear_call(a, h);
    etna_code code = hear_text(a, reply->text, h);
    bool may_speak = code == ETNA_OK && !h->answered && may_call(a);
    return may_speak ? take_spoken(a, reply, &h->complaint) : code;
}

/* Why the answer is none, when no tool is called in it. */
static const char *agent_complaint(const heard *h)
{
    if (h->too_long)
        return "it is too long; answer in a few lines";
    /* one that is whole all the same was read: what was cut off is what came
     * behind it */
    if (h->reply.cut_off)
        return "it was cut off by the limit of an answer's length before it was complete; answer in fewer words";
    return h->says ? h->complaint.text : "it is empty";
}

/* The next step follows from the answer: done, tools, or another question. The
 * order matters: the turn goes to the history before anything is sent back, or
 * vendors would see two user messages without an answer between. */
etna_code agent_reply(agent *a,
                      const model_reply *reply,
                      agent_step *ret_step,
                      etna_error *err)
{
    if (a->next != AGENT_ASK)
        return etna_fail(err, ETNA_E_INTERNAL,
                         "an answer came that no agent waits for");
    heard h = {.reply = *reply};
    if (!h.reply.text)
        h.reply.text = "";
    message_usage_add(&a->usage, &reply->usage);
    etna_code code = agent_hear(a, &h);
    if (code != ETNA_OK) {
        if (err)
            *err = h.complaint;
        return code;
    }
    code = agent_keep_turn(a, &h.reply, err);
    if (code != ETNA_OK)
        return code;
    if (h.answered)
        return agent_end(a, ret_step);
    bool calls = h.reply.call_count > 0;
    if (!calls)
        return agent_refuse(a, agent_complaint(&h), h.reply.text, ret_step,
                            err);
    if (may_call(a))
        return want_tools(a, ret_step, err);
    code = keep_results(a, 0, NULL, "{\"error\":\"no tool can be called now\"}",
                        err);
    if (code != ETNA_OK)
        return code;
    return agent_refuse(
        a, "it calls a tool where none can be called; answer in text",
        h.reply.text, ret_step, err);
}

/* As many as were asked for, in their order. After the last turn of tools a
 * message says that there will be no more. */
etna_code agent_tool_results(agent *a,
                             uint32_t count,
                             const agent_tool_result *results,
                             agent_step *ret_step,
                             etna_error *err)
{
    uint32_t wanted =
        a->call_count < AGENT_CALLS_MAX ? a->call_count : AGENT_CALLS_MAX;
    if (a->next != AGENT_TOOLS || count != wanted) {
        return etna_fail(err, ETNA_E_INTERNAL,
                         "%u tool results came where an agent waits for %u",
                         count, a->next == AGENT_TOOLS ? wanted : 0);
    }
    etna_code code = keep_results(
        a, count, results,
        "{\"error\":\"too many tool calls in one turn; make this one again\"}",
        err);
    if (code != ETNA_OK)
        return code;
    a->tool_turns++;
    a->slot.turn++;
    if (a->tool_turns == AGENT_TURNS_MAX) {
        const char *text = NULL, *none = NULL;
        code =
            prompt_fill("no_more_tools", "", "", &a->arena, &text, &none, err);
        if (code != ETNA_OK)
            return code;
        model_part *parts = add_message(a, MODEL_USER, 1);
        if (!parts)
            return agent_no_memory(err);
        parts[0] = (model_part){.kind = MODEL_TEXT, .text = text};
    }
    agent_ask(a, ret_step);
    return ETNA_OK;
}

/* ---- the [task] block ---- */

/* Cleaned of control characters and cut to `max` bytes; NULL: out of memory.
 * NULL text is "". */
json_t *agent_json_text(agent *a, const char *text, size_t max)
{
    const char *clean =
        text ? text_clean(&a->arena, text, strlen(text), max) : "";
    return clean ? json_string(clean) : NULL;
}

/* Takes `value` over; false also when it is NULL, so that a failure to make it
 * is seen here. */
bool agent_json_set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* NULL: out of memory. */
json_t *agent_json_point(const double *values, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; array && i < count; i++) {
        if (json_array_append_new(array, json_real(values[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* Metres, and degrees for models. */
static bool put_pose(json_t *row, const arrange_pose *pose)
{
    const double degrees = 180 / 3.14159265358979323846;
    return agent_json_set(row, "position",
                          agent_json_point(pose->position, 3)) &&
           agent_json_set(row, "yaw_deg", json_real(pose->yaw * degrees));
}

/* `plane` NULL: left out. */
static bool put_texts(agent *a,
                      json_t *row,
                      const char *instruction,
                      const char *object,
                      const char *plane)
{
    return agent_json_set(
               row, "instruction",
               agent_json_text(a, instruction, ARRANGE_INSTRUCTION_MAX)) &&
           agent_json_set(row, "object",
                          agent_json_text(a, object, ARRANGE_NAME_MAX)) &&
           (!plane ||
            agent_json_set(row, "plane",
                           agent_json_text(a, plane, ARRANGE_NAME_MAX + 16)));
}

typedef bool (*put_row)(agent *a,
                        json_t *row,
                        const arrange_task *task,
                        uint32_t i);

/* An array of `put`'s rows [first, count). NULL: out of memory. */
static json_t *rows_of(agent *a,
                       const arrange_task *task,
                       uint32_t first,
                       uint32_t count,
                       put_row put)
{
    json_t *rows = json_array();
    bool ok = rows != NULL;
    for (uint32_t i = first; ok && i < count; i++) {
        json_t *row = json_object();
        ok = put(a, row, task, i);
        ok = json_array_append_new(rows, row) == 0 && ok;
    }
    if (ok)
        return rows;
    json_decref(rows);
    return NULL;
}

/* The item's number only where a list of instructions has them. */
static bool put_one_edit(agent *a, json_t *row, const arrange_edit *edit)
{
    return agent_json_set(row, "step", json_integer(edit->step)) &&
           (!edit->item ||
            agent_json_set(row, "item", json_integer(edit->item))) &&
           put_texts(a, row, edit->instruction, edit->object,
                     edit->plane ? edit->plane : "") &&
           put_pose(row, &edit->pose);
}

/* A kept edit of this run. */
static bool put_edit(agent *a,
                     json_t *row,
                     const arrange_task *task,
                     uint32_t i)
{
    return put_one_edit(a, row, &task->edits[i]);
}

/* Of the run before. */
static bool put_edit_before(agent *a,
                            json_t *row,
                            const arrange_task *task,
                            uint32_t i)
{
    return put_one_edit(a, row, &task->before.edits[i]);
}

/* What a user moved between two runs. */
static bool put_moved_before(agent *a,
                             json_t *row,
                             const arrange_task *task,
                             uint32_t i)
{
    const arrange_edit *moved = &task->before.moved[i];
    return agent_json_set(
               row, "object",
               agent_json_text(a, moved->object, ARRANGE_NAME_MAX)) &&
           put_pose(row, &moved->pose);
}

/* What was asked of the run before. */
static bool put_step_before(agent *a,
                            json_t *row,
                            const arrange_task *task,
                            uint32_t i)
{
    return agent_json_set(row, "number", json_integer(i + 1)) &&
           agent_json_set(
               row, "text",
               agent_json_text(a, task->before.steps[i], ARRANGE_BEFORE_BYTES));
}

/* The obstacle's name beside its words: the built-in planner reads the
 * former. */
static bool put_failure(agent *a,
                        json_t *row,
                        const arrange_task *task,
                        uint32_t i)
{
    const arrange_failure *failure = &task->failures[i];
    bool ok =
        agent_json_set(row, "node", json_integer(failure->node)) &&
        agent_json_set(row, "branch", json_integer(failure->branch)) &&
        put_texts(a, row, failure->instruction, failure->object, NULL) &&
        agent_json_set(row, "reason",
                       agent_json_text(a, failure->reason, ARRANGE_REASON_MAX));
    if (!ok || failure->obstacle == OBSTACLE_NONE)
        return ok;
    return agent_json_set(
        row, "obstacle", json_string(arrange_obstacle_name(failure->obstacle)));
}

/* {"step": 3, "reason": ".."}; no step where an instruction of a list was
 * passed over. */
static json_t *given_up_later(agent *a, const arrange_given_up *edit)
{
    json_t *later = json_object();
    bool ok = later && agent_json_set(
                           later, "reason",
                           agent_json_text(a, edit->later, ARRANGE_REASON_MAX));
    if (ok && edit->later_step > 0)
        ok = agent_json_set(later, "step", json_integer(edit->later_step));
    if (ok)
        return later;
    json_decref(later);
    return NULL;
}

/* With what failed after it. */
static bool put_given_up(agent *a,
                         json_t *row,
                         const arrange_task *task,
                         uint32_t i)
{
    const arrange_given_up *edit = &task->given_up[i];
    return put_texts(a, row, edit->instruction, edit->object,
                     edit->plane ? edit->plane : "") &&
           put_pose(row, &edit->pose) &&
           agent_json_set(row, "later", given_up_later(a, edit));
}

/* Only the newest are shown: a long memory would crowd out the task. */
static uint32_t first_shown(uint32_t count)
{
    return count > AGENT_MEMORY_SHOWN ? count - AGENT_MEMORY_SHOWN : 0;
}

/* All of them: the planner builds on each. */
json_t *agent_json_edits(agent *a, const arrange_task *task)
{
    return rows_of(a, task, 0, task->edit_count, put_edit);
}

/* What earlier runs of the same scene did: the goal or the instructions, their
 * edits, and what they left moved. */
json_t *agent_json_before(agent *a, const arrange_task *task)
{
    const arrange_before *before = &task->before;
    json_t *json = json_object();
    bool ok = before->goal
                  ? agent_json_set(json, "goal",
                                   agent_json_text(a, before->goal,
                                                   ARRANGE_INSTRUCTION_MAX))
                  : agent_json_set(json, "instructions",
                                   rows_of(a, task, 0, before->step_count,
                                           put_step_before));
    ok = ok && agent_json_set(
                   json, "edits",
                   rows_of(a, task, 0, before->edit_count, put_edit_before));
    ok = ok && agent_json_set(
                   json, "moved",
                   rows_of(a, task, 0, before->moved_count, put_moved_before));
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

/* The last ones, as a prompt has an end. */
json_t *agent_json_failures(agent *a, const arrange_task *task)
{
    return rows_of(a, task, first_shown(task->failure_count),
                   task->failure_count, put_failure);
}

/* The last ones. */
json_t *agent_json_given_up(agent *a, const arrange_task *task)
{
    return rows_of(a, task, first_shown(task->given_up_count),
                   task->given_up_count, put_given_up);
}
