/* A model's server that makes vectors and chooses among models of things.
 *
 *   choosing-model --ledger FILE [--delay MS] [--choice WORD] [--kind KIND]
 *
 * Prints its port. A text's vector counts its words, by their hash: texts of the
 * same words are near. Of a list it takes the model in whose name WORD is; none,
 * if there is none such; "first" takes whatever comes first. A line of the
 * ledger for each text that was embedded ("text HASH", before it is answered)
 * and for each choice ("choice NUMBER"). Of a picture it says a caption of the
 * names that come with it, and that its right side is the front ("picture HASH").
 *
 * Kinds: good; short (a vector too few), zero, words (no numbers), waving (the
 * choice in prose), mute (an empty choice), money (429, no quota), dear (tells
 * a usage of a million tokens). */
#include "tests/support/loopback.h"

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    DIMENSIONS = 96,
    MILLIS = 1000
};

static const char *kind = "good", *choice = "first";
static unsigned long delay_ms;
static FILE *ledger;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_kind(const char *name)
{
    return strcmp(kind, name) == 0;
}

static unsigned long hash_of(const char *text, size_t size)
{
    unsigned long hash = 5381;
    for (size_t i = 0; i < size; i++)
        hash = hash * 33 + (unsigned char)text[i];
    return hash;
}

static void note(const char *what, unsigned long number)
{
    pthread_mutex_lock(&lock);
    fprintf(ledger, "%s %lu\n", what, number);
    fflush(ledger);
    pthread_mutex_unlock(&lock);
}

/* ---- vectors ---- */

static json_t *vector_of(const char *text)
{
    static const char parts[] = " .,:;()\n";
    double counts[DIMENSIONS] = {0};
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, parts);
        counts[hash_of(at, n) % DIMENSIONS] += n > 2;
        at += n;
        at += strspn(at, parts);
    }
    counts[0] += 0.01;
    json_t *list = json_array();
    for (int i = 0; i < DIMENSIONS; i++)
        json_array_append_new(list,
                              is_kind("words")
                                  ? json_string("x")
                                  : json_real(is_kind("zero") ? 0 : counts[i]));
    return list;
}

static json_t *embed(const json_t *request)
{
    json_t *data = json_array();
    const json_t *input = json_object_get(request, "input"), *one;
    size_t i;
    json_array_foreach(input, i, one)
    {
        const char *text = json_string_value(one);
        bool is_left_out = is_kind("short") && i + 1 == json_array_size(input);
        note("text", hash_of(text, strlen(text)));
        if (!is_left_out)
            json_array_append_new(data, json_pack("{s:I, s:o}", "index",
                                                  (json_int_t)i, "embedding",
                                                  vector_of(text)));
    }
    return json_pack("{s:o, s:{s:I}}", "data", data, "usage", "prompt_tokens",
                     (json_int_t)(is_kind("dear") ? 1000000 : 10 * i));
}

/* ---- choices ---- */

static json_int_t choose(const json_t *list)
{
    const json_t *one;
    size_t i;
    if (strcmp(choice, "first") == 0)
        return 1;
    json_array_foreach(list, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (name && strstr(name, choice))
            return (json_int_t)i + 1;
    }
    return 0;
}

static json_t *vote(const json_t *request)
{
    const json_t *messages = json_object_get(request, "messages");
    const char *text = json_string_value(
        json_object_get(json_array_get(messages, 1), "content"));
    json_t *asked = json_loads(text ? text : "", 0, NULL);
    json_int_t number = choose(json_object_get(asked, "models"));
    char said[200];
    note("choice", (unsigned long)number);
    snprintf(said, sizeof said,
             is_kind("waving") ? "Hard to say; there are 3 of 5 I like."
                               : "Well: {\"choice\": %d}",
             (int)number);
    json_decref(asked);
    return json_pack("{s:[{s:i, s:{s:s, s:s}, s:s}], s:{s:i, s:i}}", "choices",
                     "index", 0, "message", "role", "assistant", "content",
                     is_kind("mute") ? " " : said, "finish_reason", "stop",
                     "usage", "prompt_tokens", 300, "completion_tokens", 10);
}

/* ---- captions ---- */

/* The text and the picture of a user's message of parts; NULL: it is no such. */
static const char *part_of(const json_t *request, const char *type)
{
    const json_t *messages = json_object_get(request, "messages");
    const json_t *parts =
                     json_object_get(json_array_get(messages, 1), "content"),
                 *one;
    size_t i;
    json_array_foreach(parts, i, one)
    {
        const char *is = json_string_value(json_object_get(one, "type"));
        if (!is || strcmp(is, type) != 0)
            continue;
        return strcmp(type, "text") == 0
                   ? json_string_value(json_object_get(one, "text"))
                   : json_string_value(json_object_get(
                         json_object_get(one, "image_url"), "url"));
    }
    return NULL;
}

static json_t *caption(const json_t *request, const char *picture)
{
    const char *text = part_of(request, "text");
    json_t *asked = json_loads(text ? text : "", 0, NULL);
    const char *name = json_string_value(json_object_get(
        json_array_get(json_object_get(asked, "said"), 0), "name"));
    char said[800];
    unsigned long number = hash_of(picture, strlen(picture)) ^
                           hash_of(text ? text : "", text ? strlen(text) : 0);
    note("picture", number);
    snprintf(
        said, sizeof said,
        is_kind("waving")
            ? "I see %s, and it is lovely."
            : "I look: {a}. {\"name\": \"%s\", \"physical\": [\"boxy\", \"zebra stripes\"], \"functional\": \"For quokkas\", "
              "\"contextual\": \"In savannahs.\", \"front\": \"2\"}",
        name ? name : "?");
    json_decref(asked);
    return json_pack("{s:[{s:i, s:{s:s, s:s}, s:s}], s:{s:i, s:i}}", "choices",
                     "index", 0, "message", "role", "assistant", "content",
                     is_kind("mute") ? " " : said, "finish_reason", "stop",
                     "usage", "prompt_tokens", 900, "completion_tokens", 60);
}

static json_t *say(const json_t *request)
{
    const char *picture = part_of(request, "image_url");
    return picture ? caption(request, picture) : vote(request);
}

/* ---- HTTP ---- */

static void answer(int fd, const char *head, const char *body)
{
    json_t *request = json_loads(body, 0, NULL);
    bool is_embedding = strncmp(head, "POST /v1/embeddings ", 20) == 0;
    bool is_refused = is_kind("money");
    json_t *root = is_refused
                       ? json_pack("{s:{s:s, s:s}}", "error", "message",
                                   "no quota", "code", "insufficient_quota")
                       : (is_embedding ? embed(request) : say(request));
    const struct timespec pause = {(time_t)(delay_ms / MILLIS),
                                   (long)(delay_ms % MILLIS) * 1000000};
    nanosleep(&pause, NULL);
    char *text = json_dumps(root, JSON_COMPACT), line[256];
    int length = snprintf(
        line, sizeof line,
        "HTTP/1.1 %s\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %zu\r\n\r\n",
        is_refused ? "429 Too Many" : "200 OK", strlen(text));
    loopback_send(fd, line, (size_t)length);
    loopback_send(fd, text, strlen(text));
    free(text);
    json_decref(root);
    json_decref(request);
}

static void *converse(void *context)
{
    int fd = (int)(intptr_t)context;
    loopback_text request = {0};
    bool is_whole = loopback_receive(fd, &request, false);
    const char *body = is_whole ? strstr(request.data, "\r\n\r\n") : NULL;
    if (body)
        answer(fd, request.data, body + 4);
    free(request.data);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    uint16_t port = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--ledger") == 0)
            ledger = fopen(argv[i + 1], "a");
        if (strcmp(argv[i], "--delay") == 0)
            delay_ms = strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--choice") == 0)
            choice = argv[i + 1];
        if (strcmp(argv[i], "--kind") == 0)
            kind = argv[i + 1];
    }
    int listener = loopback_listen(64, &port);
    if (!ledger || listener < 0)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, NULL, converse);
}
