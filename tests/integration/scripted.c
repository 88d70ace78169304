/* A model that says what a script says: an OpenAI-compatible server for tests
 * of conversations that the built-in agent never has.
 *
 *   scripted-model --script FILE --ledger FILE
 *
 * Prints its URL. The script is {"planner": [ANSWER, ..], "executor": ..,
 * "evaluator": ..} with ANSWER {"text", "calls": [{"name", "arguments"}]}: what
 * that role (x-etna-role) says as its first, second, ... answer of a
 * conversation; the last one again after that. The ledger has a line of JSON
 * for each request: {"role", "seed", "answers": before it, "tools": [names],
 * "images", "system", "results": the last turn's}. It ends with its standard
 * input. */
#include <arpa/inet.h>
#include <jansson.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BODY_MAX = 64 << 20
};

static json_t *script; /* only read */
static FILE *ledger;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct body {
    char *data;
    size_t size;
} body;

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static size_t count_answers(const json_t *messages)
{
    size_t i, count = 0;
    const json_t *one;
    json_array_foreach(messages, i, one) count +=
        !strcmp(text_of(one, "role"), "assistant");
    return count;
}

static void note(const char *role,
                 const char *seed,
                 const json_t *request,
                 size_t answers)
{
    json_t *results = json_array(), *tools = json_array();
    const json_t *messages = json_object_get(request, "messages"), *one, *part;
    size_t i, k;
    json_int_t images = 0;
    json_array_foreach(messages, i, one)
    {
        if (!strcmp(text_of(one, "role"), "assistant"))
            json_array_clear(results);
        if (!strcmp(text_of(one, "role"), "tool"))
            json_array_append(results, json_object_get(one, "content"));
        json_array_foreach(json_object_get(one, "content"), k, part) images +=
            !strcmp(text_of(part, "type"), "image_url");
    }
    json_array_foreach(json_object_get(request, "tools"), i, one)
    {
        json_array_append(
            tools, json_object_get(json_object_get(one, "function"), "name"));
    }
    json_t *line =
        json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:O}", "role", role, "seed",
                  seed, "answers", (json_int_t)answers, "images", images,
                  "tools", tools, "results", results, "system",
                  json_object_get(json_array_get(messages, 0), "content"));
    pthread_mutex_lock(&lock);
    json_dumpf(line, ledger, JSON_COMPACT);
    fputc('\n', ledger);
    fflush(ledger);
    pthread_mutex_unlock(&lock);
    json_decref(line);
}

/* The answer on the wire; NULL: the script has none for that role. */
static json_t *answer_to(const char *role,
                         const char *seed,
                         const json_t *request)
{
    size_t said = count_answers(json_object_get(request, "messages")), i;
    const json_t *answers = json_object_get(script, role), *one;
    note(role, seed, request, said);
    if (!json_array_size(answers))
        return NULL;
    const json_t *answer = json_array_get(
        answers,
        said < json_array_size(answers) ? said : json_array_size(answers) - 1);
    json_t *calls = json_array();
    json_array_foreach(json_object_get(answer, "calls"), i, one)
    {
        char *arguments =
                 json_dumps(json_object_get(one, "arguments"), JSON_COMPACT),
             id[32];
        snprintf(id, sizeof id, "call_%zu_%zu", said, i);
        json_array_append_new(calls,
                              json_pack("{s:s, s:s, s:{s:s, s:s}}", "id", id,
                                        "type", "function", "function", "name",
                                        text_of(one, "name"), "arguments",
                                        arguments ? arguments : "{}"));
        free(arguments);
    }
    bool called = json_array_size(calls) > 0;
    json_t *message = json_pack("{s:s, s:s}", "role", "assistant", "content",
                                text_of(answer, "text"));
    if (called)
        json_object_set(message, "tool_calls", calls);
    json_decref(calls);
    return json_pack("{s:s, s:s, s:s, s:[{s:i, s:o, s:s}], s:{s:i, s:i, s:i}}",
                     "id", "scripted", "object", "chat.completion", "model",
                     "scripted", "choices", "index", 0, "message", message,
                     "finish_reason", called ? "tool_calls" : "stop", "usage",
                     "prompt_tokens", 100, "completion_tokens", 10,
                     "total_tokens", 110);
}

static enum MHD_Result send_json(struct MHD_Connection *connection,
                                 unsigned status,
                                 json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (!text)
        return MHD_NO;
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(text), text, MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(response, "content-type", "application/json");
    enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result handle(void *context,
                              struct MHD_Connection *connection,
                              const char *url,
                              const char *method,
                              const char *version,
                              const char *upload,
                              size_t *upload_size,
                              void **state)
{
    (void)context, (void)url, (void)method, (void)version;
    body *b = *state;
    if (!b)
        return (*state = calloc(1, sizeof *b)) ? MHD_YES : MHD_NO;
    if (*upload_size) {
        char *grown = b->size + *upload_size <= BODY_MAX
                          ? realloc(b->data, b->size + *upload_size)
                          : NULL;
        if (!grown)
            return MHD_NO;
        memcpy(grown + b->size, upload, *upload_size);
        b->data = grown;
        b->size += *upload_size;
        *upload_size = 0;
        return MHD_YES;
    }
    const char *role =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "x-etna-role");
    const char *seed =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "x-etna-seed");
    json_t *request = json_loadb(b->data ? b->data : "", b->size, 0, NULL),
           *answer = request && role
                         ? answer_to(role, seed ? seed : "", request)
                         : NULL;
    json_decref(request);
    return answer ? send_json(connection, 200, answer)
                  : send_json(connection, 400,
                              json_pack("{s:{s:s}}", "error", "message",
                                        "no script for it"));
}

static void end(void *context,
                struct MHD_Connection *connection,
                void **state,
                enum MHD_RequestTerminationCode why)
{
    (void)context, (void)connection, (void)why;
    body *b = *state;
    if (b)
        free(b->data);
    free(b);
    *state = NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--script"))
            script = json_load_file(argv[i + 1], 0, NULL);
        if (!strcmp(argv[i], "--ledger"))
            ledger = fopen(argv[i + 1], "w");
    }
    if (!script || !ledger) {
        fputs("scripted-model --script FILE --ledger FILE\n", stderr);
        return 2;
    }
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0,
        NULL, NULL, handle, NULL, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&at,
        MHD_OPTION_NOTIFY_COMPLETED, end, NULL, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        fputs("scripted-model: no port\n", stderr);
        return 1;
    }
    printf("http://127.0.0.1:%u/v1\n", info->port);
    fflush(stdout);
    for (char byte; read(STDIN_FILENO, &byte, 1) > 0;) {
    }
    MHD_stop_daemon(daemon);
    fclose(ledger);
    json_decref(script);
    return 0;
}
