/* See serve.h. Of Host and Origin: a page in a browser must not reach this by a name that was bent to loopback, so a
 * request with an Origin is refused, and a Host that is neither an address nor localhost too. */
#include "worker/serve/serve.h"

#include "worker/serve/chat.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct server {
    serve_options options;
    struct MHD_Daemon *daemon;
    atomic_ullong served;
};

typedef struct asked { /* a request while its body comes */
    char *body;
    size_t size, room;
    bool too_large, failed;
} asked;

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, char *json)
{
    static char none[] = "";
    struct MHD_Response *response = json ? MHD_create_response_from_buffer(strlen(json), json, MHD_RESPMEM_MUST_FREE)
                                         : MHD_create_response_from_buffer(0, none, MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(json);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    enum MHD_Result result = MHD_queue_response(connection, json ? status : MHD_HTTP_INTERNAL_SERVER_ERROR, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *type, const char *text)
{
    return answer(connection, status, chat_error(type, text));
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static bool host_is_plain(const char *host)
{
    char name[64];
    struct in_addr address;
    struct in6_addr address6;
    size_t length = host[0] == '[' ? strcspn(host, "]") : strcspn(host, ":");
    if (length >= sizeof name) return false;
    size_t from = host[0] == '[';
    memcpy(name, host + from, length - from);
    name[length - from] = 0;
    return strcmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &address) == 1 ||
           inet_pton(AF_INET6, name, &address6) == 1;
}

/* Takes the same time wherever the two differ. */
static bool same(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned difference = n != m;
    for (size_t i = 0; i < m; i++) difference |= (unsigned)(unsigned char)(i < n ? a[i] : 0) ^ (unsigned char)b[i];
    return difference == 0;
}

static bool is_let_in(const server *s, struct MHD_Connection *connection)
{
    static const char bearer[] = "Bearer ";
    const char *given = header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    if (!s->options.key) return true;
    return given && strncmp(given, bearer, strlen(bearer)) == 0 && same(given + strlen(bearer), s->options.key);
}

static enum MHD_Result complete(server *s, struct MHD_Connection *connection, const asked *a)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    model_request request;
    model_reply reply;
    char id[40], *json = NULL;
    snprintf(id, sizeof id, "chatcmpl-%llu", (unsigned long long)atomic_fetch_add(&s->served, 1) + 1);
    etna_code code = chat_read(a->body ? a->body : "", a->size, header(connection, "x-etna-role"),
                               header(connection, "x-etna-seed"), &arena, &request, &err);
    if (!code) code = builtin_answer(&request, &arena, &reply, &err);
    if (!code) code = chat_write(&request, &reply, id, &json, &err);
    etna_arena_free(&arena);
    if (!code) return answer(connection, MHD_HTTP_OK, json);
    bool theirs = code == ETNA_E_INPUT || code == ETNA_E_USAGE;
    return refuse(connection, theirs ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INTERNAL_SERVER_ERROR,
                  theirs ? "invalid_request_error" : "server_error", err.text);
}

static enum MHD_Result route(server *s, struct MHD_Connection *connection, const char *path, const char *method,
                             const asked *a)
{
    const char *host = header(connection, MHD_HTTP_HEADER_HOST);
    if (header(connection, "Origin") || (host && !host_is_plain(host))) {
        return refuse(connection, MHD_HTTP_FORBIDDEN, "permission_error",
                      "this server answers programs, not pages of a browser");
    }
    if (!is_let_in(s, connection))
        return refuse(connection, MHD_HTTP_UNAUTHORIZED, "authentication_error", "the key is wrong, or none was given");
    if (a->too_large)
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "invalid_request_error", "the request is too large");
    if (a->failed) return refuse(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "server_error", "out of memory");
    if (strcmp(path, "/v1/models") == 0) {
        if (strcmp(method, "GET") != 0)
            return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "invalid_request_error", "GET only");
        return answer(
            connection, MHD_HTTP_OK,
            strdup(
                "{\"object\":\"list\",\"data\":[{\"id\":\"builtin\",\"object\":\"model\",\"created\":0,\"owned_by\":\"etna\"}]}"));
    }
    if (strcmp(path, "/v1/chat/completions") == 0) {
        if (strcmp(method, "POST") != 0)
            return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "invalid_request_error", "POST only");
        return complete(s, connection, a);
    }
    return refuse(connection, MHD_HTTP_NOT_FOUND, "invalid_request_error",
                  "there are POST /v1/chat/completions and GET /v1/models");
}

static void take(asked *a, const char *data, size_t size)
{
    if (a->too_large || a->failed) return;
    if (size > CHAT_BODY_MAX - a->size) {
        a->too_large = true;
        return;
    }
    if (a->size + size > a->room) {
        size_t room = a->room ? a->room : 64 << 10;
        while (room < a->size + size) room *= 2;
        char *grown = realloc(a->body, room);
        if (!grown) {
            a->failed = true;
            return;
        }
        a->body = grown;
        a->room = room;
    }
    memcpy(a->body + a->size, data, size);
    a->size += size;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *data, size_t *size, void **request)
{
    (void)version;
    asked *a = *request;
    if (!a) {
        *request = a = calloc(1, sizeof *a);
        return a ? MHD_YES : MHD_NO;
    }
    if (*size) {
        take(a, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return route(context, connection, path, method, a);
}

static void completed(void *context, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode why)
{
    (void)context;
    (void)connection;
    (void)why;
    asked *a = *request;
    if (a) free(a->body);
    free(a);
    *request = NULL;
}

etna_code serve_start(const serve_options *options, server **ret, etna_error *err)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(options->port)};
    if (inet_pton(AF_INET, options->address, &at.sin_addr) != 1) {
        return etna_fail(err, ETNA_E_USAGE, "%.80s is no IPv4 address to listen at, as 127.0.0.1", options->address);
    }
    server *s = calloc(1, sizeof *s);
    if (!s) return etna_fail(err, ETNA_E_NOMEM, "out of memory for a server");
    s->options = *options;
    atomic_init(&s->served, 0);
    unsigned threads = options->threads > 1 ? options->threads : 1;
    s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, options->port, NULL, NULL, handle, s,
                                 MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
                                 MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_CONNECTION_LIMIT, 4096u,
                                 threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, threads, MHD_OPTION_END);
    if (!s->daemon) {
        free(s);
        return etna_fail(err, ETNA_E_NETWORK, "cannot listen at %s:%u; is the port in use?", options->address,
                         options->port);
    }
    *ret = s;
    return ETNA_OK;
}

uint16_t serve_port(const server *s)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

void serve_stop(server *s)
{
    if (!s) return;
    MHD_stop_daemon(s->daemon);
    free(s);
}
