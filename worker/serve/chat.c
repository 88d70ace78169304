/* See chat.h.
 *
 * OpenAI's chat form to the request that an agent gets, and back. What is read
 * comes from any client: JSON is bounded before it is parsed, roles and forms
 * are checked, and every complaint is a sentence for whoever wrote the client
 * (chat_refuse, answered by 400). Etna's own requests carry their facts between
 * marks within a text; these are taken out as parts of their own, as the
 * built-in agent reads facts and not prose. */
#include "worker/serve/chat.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/prompt.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* `room`: messages that the request's array can take. */
typedef struct reader {
    etna_arena *arena;
    model_request *request;
    uint32_t room;
    etna_error *err;
} reader;

static etna_code chat_no_memory(reader *r)
{
    return etna_fail(r->err, ETNA_E_NOMEM, "out of memory for a request");
}
/* ETNA_E_INPUT: the client's fault, answered by 400. */
static etna_code chat_refuse(reader *r, const char *what)
{
    return etna_fail(r->err, ETNA_E_INPUT, "%s", what);
}

/* Room for the parts is reserved by the caller's count; the messages array is
 * large enough for all. */
static model_message *chat_add_message(reader *r,
                                       model_author author,
                                       uint32_t part_count)
{
    model_part *parts =
        etna_arena_alloc(r->arena, part_count ? part_count : 1, sizeof *parts);
    if (!parts)
        return NULL;
    model_message *made = &r->request->messages[r->request->message_count++];
    *made = (model_message){.author = author, .parts = parts};
    return made;
}

/* ---- texts ---- */

static const char open_mark[] = "[facts]\n", close_mark[] = "\n[end of facts]";

/* Where a line begins that is the mark; a task's JSON has its line ends
 * escaped, so nothing in it can be taken for one. */
static const char *find_facts(const char *text)
{
    for (const char *at = strstr(text, open_mark); at;
         at = strstr(at + 1, open_mark)) {
        if (at == text || at[-1] == '\n')
            return at;
    }
    return NULL;
}

/* Empty texts are no parts. */
static void chat_put_text(model_message *to, const char *text)
{
    if (*text)
        to->parts[to->part_count++] =
            (model_part){.kind = MODEL_TEXT, .text = text};
}

/* Adds a text, its facts as a part of their own: at most three parts. */
static bool chat_add_text(reader *r, model_message *to, const char *text)
{
    const char *facts = to->author == MODEL_USER ? find_facts(text) : NULL;
    const char *end =
        facts ? strstr(facts + strlen(open_mark), close_mark) : NULL;
    if (!end) {
        to->parts[to->part_count++] =
            (model_part){.kind = MODEL_TEXT, .text = text};
        return true;
    }
    const char *inner = facts + strlen(open_mark);
    const char *rest = end + strlen(close_mark);
    size_t before = (size_t)(facts - text);
    while (before && text[before - 1] == '\n')
        before--;
    while (*rest == '\n')
        rest++;
    char *first = etna_arena_strndup(r->arena, text, before);
    char *middle = etna_arena_strndup(r->arena, inner, (size_t)(end - inner));
    if (!first || !middle)
        return false;
    chat_put_text(to, first);
    to->parts[to->part_count++] =
        (model_part){.kind = MODEL_FACTS, .text = middle};
    chat_put_text(to, rest);
    return true;
}

/* Of a string, or of parts; images become parts that show nothing. */
static etna_code add_content(reader *r,
                             model_message *to,
                             const json_t *content)
{
    size_t i;
    json_t *part;
    if (json_is_string(content)) {
        const char *text =
            etna_arena_strdup(r->arena, json_string_value(content));
        return text && chat_add_text(r, to, text) ? ETNA_OK : chat_no_memory(r);
    }
    json_array_foreach((json_t *)(uintptr_t)content, i, part)
    {
        const char *type = json_string_value(json_object_get(part, "type"));
        const char *text = json_string_value(json_object_get(part, "text"));
        if (type && strcmp(type, "image_url") == 0) {
            to->parts[to->part_count++] = (model_part){.kind = MODEL_IMAGE};
        } else if (type && strcmp(type, "text") == 0 && text) {
            text = etna_arena_strdup(r->arena, text);
            if (!text || !chat_add_text(r, to, text))
                return chat_no_memory(r);
        } else {
            return chat_refuse(
                r,
                "a part of a message must be {\"type\":\"text\",\"text\":..} or an image_url");
        }
    }
    return ETNA_OK;
}

/* ---- messages ---- */

/* NULL: no string, or out of memory; both refuse the request. */
static const char *chat_copy(reader *r, const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? etna_arena_strdup(r->arena, text) : NULL;
}

/* Arguments stay text: the model's reply had them so. */
static etna_code read_calls(reader *r, model_message *to, const json_t *calls)
{
    size_t i;
    json_t *call;
    json_array_foreach((json_t *)(uintptr_t)calls, i, call)
    {
        const json_t *function = json_object_get(call, "function");
        model_part part = {.kind = MODEL_TOOL_CALL};
        part.tool_id = chat_copy(r, json_object_get(call, "id"));
        part.tool_name = chat_copy(r, json_object_get(function, "name"));
        part.text = chat_copy(r, json_object_get(function, "arguments"));
        if (!part.tool_id || !part.tool_name || !part.text)
            return chat_refuse(
                r,
                "a tool call must have an id, and a function with a name and arguments, all strings");
        to->parts[to->part_count++] = part;
    }
    return ETNA_OK;
}

/* Where the tool messages end that begin at `at`. */
static size_t results_end(const json_t *messages, size_t at)
{
    for (; at < json_array_size(messages); at++) {
        const char *role = json_string_value(
            json_object_get(json_array_get(messages, at), "role"));
        if (!role || strcmp(role, "tool") != 0)
            break;
    }
    return at;
}

/* The tool of the last call of that id; NULL: there was none. */
static const char *called_tool(const reader *r, const char *id)
{
    const char *name = NULL;
    for (uint32_t m = 0; m < r->request->message_count; m++) {
        for (uint32_t k = 0; k < r->request->messages[m].part_count; k++) {
            const model_part *call = &r->request->messages[m].parts[k];
            if (call->kind == MODEL_TOOL_CALL && strcmp(call->tool_id, id) == 0)
                name = call->tool_name;
        }
    }
    return name;
}

/* The tool messages that answer one turn are one message here. */
static etna_code read_tool_results(reader *r,
                                   const json_t *messages,
                                   size_t *at)
{
    size_t end = results_end(messages, *at);
    model_message *to = chat_add_message(r, MODEL_TOOL, (uint32_t)(end - *at));
    if (!to)
        return chat_no_memory(r);
    for (; *at < end; (*at)++) {
        const json_t *row = json_array_get(messages, *at);
        model_part part = {
            .kind = MODEL_TOOL_RESULT,
            .tool_id = chat_copy(r, json_object_get(row, "tool_call_id")),
            .text = chat_copy(r, json_object_get(row, "content"))};
        if (!part.tool_id || !part.text)
            return chat_refuse(
                r,
                "a tool's message must have tool_call_id and content, both strings");
        part.tool_name = called_tool(r, part.tool_id);
        if (!part.tool_name)
            return chat_refuse(
                r,
                "a tool's message answers no tool call: its tool_call_id was never given");
        to->parts[to->part_count++] = part;
    }
    return ETNA_OK;
}

/* False: it is no role of a message that speaks. */
static bool author_of(const char *role, model_author *ret)
{
    static const struct {
        const char *name;
        model_author author;
    } roles[] = {{"system", MODEL_SYSTEM},
                 {"developer", MODEL_SYSTEM},
                 {"user", MODEL_USER},
                 {"assistant", MODEL_ASSISTANT}};
    for (size_t i = 0; role && i < COUNT_OF(roles); i++) {
        *ret = roles[i].author;
        if (strcmp(roles[i].name, role) == 0)
            return true;
    }
    return false;
}

/* One message of a role that speaks. 3 parts a text: before, within and after
 * the facts. */
static etna_code read_message(reader *r, const json_t *row)
{
    const json_t *content = json_object_get(row, "content");
    const json_t *calls = json_object_get(row, "tool_calls");
    model_author author;
    if (!author_of(json_string_value(json_object_get(row, "role")), &author))
        return chat_refuse(
            r,
            "a message's role must be system, developer, user, assistant or tool");
    bool says = json_is_string(content) || json_is_array(content);
    bool only_calls = author == MODEL_ASSISTANT && json_is_array(calls);
    if (!says && !only_calls)
        return chat_refuse(
            r, "a message must have content: a string or a list of parts");
    if (json_array_size(content) > CHAT_MESSAGES_MAX ||
        json_array_size(calls) > CHAT_TOOLS_MAX)
        return chat_refuse(r, "a message has too many parts");
    size_t said = json_is_array(content) ? json_array_size(content) : 1;
    model_message *to = chat_add_message(
        r, author, (uint32_t)(3 * said + json_array_size(calls)));
    if (!to)
        return chat_no_memory(r);
    etna_code code = says ? add_content(r, to, content) : ETNA_OK;
    return !code && author == MODEL_ASSISTANT ? read_calls(r, to, calls) : code;
}

/* A tool message never begins a message of its own; read_tool_results takes all
 * that follow each other. */
static etna_code read_messages(reader *r, const json_t *messages)
{
    size_t count = json_array_size(messages);
    if (!json_is_array(messages) || count == 0 || count > CHAT_MESSAGES_MAX)
        return chat_refuse(r, "messages must be a list of 1 to 4,096 messages");
    r->request->messages =
        etna_arena_alloc(r->arena, count, sizeof *r->request->messages);
    if (!r->request->messages)
        return chat_no_memory(r);
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < count;) {
        const char *role = json_string_value(
            json_object_get(json_array_get(messages, i), "role"));
        if (role && strcmp(role, "tool") == 0) {
            code = read_tool_results(r, messages, &i);
        } else {
            code = read_message(r, json_array_get(messages, i++));
        }
    }
    return code;
}

/* The schema is not read: the built-in agent knows Etna's tools by name. */
static etna_code read_tools(reader *r, const json_t *tools)
{
    size_t count = json_array_size(tools);
    size_t i;
    json_t *row;
    if (tools && (!json_is_array(tools) || count > CHAT_TOOLS_MAX))
        return chat_refuse(r, "tools must be a list of at most 128");
    model_tool *made =
        etna_arena_alloc(r->arena, count ? count : 1, sizeof *made);
    if (!made)
        return chat_no_memory(r);
    json_array_foreach((json_t *)(uintptr_t)tools, i, row)
    {
        const json_t *function = json_object_get(row, "function");
        made[i].name = chat_copy(r, json_object_get(function, "name"));
        made[i].description =
            chat_copy(r, json_object_get(function, "description"));
        made[i].schema = "{}";
        if (!made[i].name)
            return chat_refuse(
                r,
                "a tool must be {\"type\":\"function\",\"function\":{\"name\":..}}");
        if (!made[i].description)
            made[i].description = "";
    }
    r->request->tools = made;
    r->request->tool_count = (uint32_t)count;
    return ETNA_OK;
}

/* ---- who ---- */

/* By the header x-etna-role; without it by the system prompt, which must be one
 * of Etna's own, word for word. The seed comes by x-etna-seed: 0 without. */
static etna_code read_role(reader *r, const char *role, const char *seed)
{
    static const struct {
        const char *name, *prompt;
        uint32_t role;
    } roles[] = {{"planner", "planner_goal", ROLE_PLANNER},
                 {"planner", "planner_steps", ROLE_PLANNER},
                 {"planner", "planner_list", ROLE_PLANNER},
                 {"executor", "executor", ROLE_EXECUTOR},
                 {"planner", "planner_goal-coordinate", ROLE_PLANNER},
                 {"planner", "planner_steps-coordinate", ROLE_PLANNER},
                 {"planner", "planner_list-coordinate", ROLE_PLANNER},
                 {"executor", "executor-coordinate", ROLE_EXECUTOR},
                 {"executor", "executor-onecamera", ROLE_EXECUTOR},
                 {"executor", "executor-onecamera-coordinate", ROLE_EXECUTOR},
                 {"executor", "executor_pose", ROLE_EXECUTOR},
                 {"executor", "executor_script", ROLE_EXECUTOR},
                 {"executor", "single", ROLE_EXECUTOR},
                 {"executor", "single-onecamera", ROLE_EXECUTOR},
                 {"executor", "basic", ROLE_EXECUTOR},
                 {"evaluator", "evaluator", ROLE_EVALUATOR},
                 {"evaluator", "evaluator-onecamera", ROLE_EVALUATOR},
                 {"evaluator", "evaluator-unproven", ROLE_EVALUATOR},
                 {"evaluator", "evaluator-onecamera-unproven", ROLE_EVALUATOR},
                 {"judge", "judge", ROLE_JUDGE}};
    const model_message *first = &r->request->messages[0];
    const char *says = first->author == MODEL_SYSTEM && first->part_count
                           ? first->parts[0].text
                           : NULL;
    for (size_t i = 0; i < COUNT_OF(roles) && !r->request->role; i++) {
        const char *system_text = NULL, *user_text = NULL;
        if (role) {
            if (strcmp(role, roles[i].name) == 0)
                r->request->role = roles[i].role;
            continue;
        }
        etna_code code = prompt_fill(roles[i].prompt, "task", "", r->arena,
                                     &system_text, &user_text, r->err);
        if (code)
            return code;
        if (says && strcmp(says, system_text) == 0)
            r->request->role = roles[i].role;
    }
    if (!r->request->role) {
        return chat_refuse(
            r,
            "this server is Etna's built-in agent: it answers Etna's own roles, told by the header x-etna-role (planner, executor, evaluator), not "
            "questions at large");
    }
    if (!seed)
        return ETNA_OK;
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(seed, &end, 10);
    bool is_number = ascii_is_digit(*seed) && !*end;
    if (!is_number || errno)
        return chat_refuse(r, "the header x-etna-seed must be a whole number");
    r->request->seed = value;
    return ETNA_OK;
}

/* Everything in *ret lives in the arena. ETNA_E_INPUT with a sentence for the
 * client. */
etna_code chat_read(const char *body,
                    size_t size,
                    const char *role,
                    const char *seed,
                    etna_arena *arena,
                    model_request *ret,
                    etna_error *err)
{
    model_request request = {.model = "builtin"};
    reader r = {.arena = arena, .request = &request, .err = err};
    json_error_t where;
    if (size > CHAT_BODY_MAX)
        return etna_fail(err, ETNA_E_INPUT, "the request is over %d MiB",
                         CHAT_BODY_MAX >> 20);
    json_t *root = json_loadb(body, size, 0, &where);
    if (!json_is_object(root)) {
        json_decref(root);
        return etna_fail(err, ETNA_E_INPUT, "the request is no JSON object");
    }
    etna_code code = json_is_true(json_object_get(root, "stream"))
                         ? chat_refuse(&r, "stream is not served: leave it out")
                         : ETNA_OK;
    if (!code)
        code = read_messages(&r, json_object_get(root, "messages"));
    if (!code)
        code = read_tools(&r, json_object_get(root, "tools"));
    if (!code)
        code = read_role(&r, role, seed);
    json_decref(root);
    if (!code)
        *ret = request;
    return code;
}

/* ---- out ---- */

/* NULL: out of memory. */
static json_t *tool_calls(const model_reply *reply)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < reply->call_count; i++) {
        const model_part *call = &reply->calls[i];
        json_t *row = json_pack("{s:s,s:s,s:{s:s,s:s}}", "id", call->tool_id,
                                "type", "function", "function", "name",
                                call->tool_name, "arguments", call->text);
        if (row && json_array_append_new(list, row) == 0)
            continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

/* In OpenAI's form of an answer. created is 0, since equal requests are to have
 * equal answers. *ret_json is the caller's to free. */
etna_code chat_write(const model_request *request,
                     const model_reply *reply,
                     const char *id,
                     char **ret_json,
                     etna_error *err)
{
    const message_usage *u = &reply->usage;
    bool calls = reply->call_count > 0;
    /* what OpenAI's types hold is there, be it null */
    json_t *said = json_pack("{s:s,s:n}", "role", "assistant", "refusal");
    bool ok = said && json_object_set_new(said, "content",
                                          calls && !reply->text[0]
                                              ? json_null()
                                              : json_string(reply->text)) == 0;
    if (ok && calls)
        ok = json_object_set_new(said, "tool_calls", tool_calls(reply)) == 0;
    json_t *root =
        json_pack("{s:s,s:s,s:i,s:s,s:[{s:i,s:O?,s:n,s:s}],s:{s:I,s:I,s:I}}",
                  "id", id, "object", "chat.completion", "created", 0, "model",
                  request->model, "choices", "index", 0, "message", said,
                  "logprobs", "finish_reason", calls ? "tool_calls" : "stop",
                  "usage", "prompt_tokens", (json_int_t)u->tokens_in,
                  "completion_tokens", (json_int_t)u->tokens_out,
                  "total_tokens", (json_int_t)(u->tokens_in + u->tokens_out));
    char *text = root && ok ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(said);
    json_decref(root);
    if (!text)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for an answer");
    *ret_json = text;
    return ETNA_OK;
}

/* In OpenAI's form of an error; NULL: out of memory. The caller frees it. */
char *chat_error(const char *type, const char *error_code, const char *text)
{
    json_t *root = json_pack("{s:{s:s,s:s,s:n,s:s?}}", "error", "message", text,
                             "type", type, "param", "code", error_code);
    char *made = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return made;
}
