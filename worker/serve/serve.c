/* See serve.h. Of Host and Origin: a page in a browser must not reach this by a
 * name that was bent to loopback, so a request with an Origin is refused, and a
 * Host that is neither an address nor localhost too. */
#include "worker/serve/serve.h"

#include "worker/serve/chat.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECTIONS_MAX = 4096
};

struct server {
    serve_options options;
    http_server *listener;
    atomic_ullong served;
};

/* json is taken over; NULL: it could not be made, which is an answer of 500. */
static enum MHD_Result serve_answer(const http_request *request,
                                    unsigned status,
                                    char *json)
{
    return http_request_answer(request,
                               json ? status : MHD_HTTP_INTERNAL_SERVER_ERROR,
                               json, "application/json", NULL, NULL);
}

static enum MHD_Result serve_refuse(const http_request *request,
                                    unsigned status,
                                    const char *type,
                                    const char *text)
{
    return serve_answer(request, status, chat_error(type, NULL, text));
}

/* Each request has its own arena and shares nothing but the counter, so threads
 * need no lock. */
static enum MHD_Result serve_complete(server *s, const http_request *request)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    model_request asked;
    model_reply reply;
    char id[40], *json = NULL;
    snprintf(id, sizeof id, "chatcmpl-%llu",
             (unsigned long long)atomic_fetch_add(&s->served, 1) + 1);
    etna_code code = chat_read(request->body, request->size,
                               http_request_header(request, "x-etna-role"),
                               http_request_header(request, "x-etna-seed"),
                               &arena, &asked, &err);
    const bool is_read = code == ETNA_OK;
    if (is_read)
        code = builtin_answer(&asked, &arena, &reply, &err);
    if (!code)
        code = chat_write(&asked, &reply, id, &json, &err);
    etna_arena_free(&arena);
    if (!code)
        return serve_answer(request, MHD_HTTP_OK, json);
    bool theirs = code == ETNA_E_INPUT || code == ETNA_E_USAGE;
    if (!theirs)
        return serve_refuse(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
                            "server_error", err.text);
    return serve_answer(request, MHD_HTTP_BAD_REQUEST,
                        chat_error("invalid_request_error",
                                   is_read ? CHAT_NO_TASK : NULL, err.text));
}

/* Browsers always send an Origin with a POST; programs do not. */
static bool is_program(const http_request *request)
{
    const char *host = http_request_header(request, MHD_HTTP_HEADER_HOST);
    return !http_request_header(request, "Origin") &&
           (!host || http_host_fits(host, false, NULL));
}

/* Without a key in the options everybody is let in (http_bearer_fits). */
static bool bears_key(const server *s, const http_request *request)
{
    return http_bearer_fits(
        http_request_header(request, MHD_HTTP_HEADER_AUTHORIZATION),
        s->options.key);
}

/* Nothing is kept of what a stranger sends. */
static enum MHD_Result let_in(void *context, http_request *request)
{
    request->is_refused = !is_program(request) || !bears_key(context, request);
    return MHD_YES;
}

static enum MHD_Result list_models(const http_request *request)
{
    static const char list[] =
        "{\"object\":\"list\",\"data\":[{\"id\":\"builtin\",\"object\":\"model\","
        "\"created\":0,\"owned_by\":\"etna\"}]}";
    if (strcmp(request->method, "GET") != 0)
        return serve_refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                            "invalid_request_error", "GET only");
    return serve_answer(request, MHD_HTTP_OK, strdup(list));
}

/* The order matters: nobody learns anything, not even which paths there are,
 * before both checks. */
static enum MHD_Result serve_route(void *context, http_request *request)
{
    if (!is_program(request))
        return serve_refuse(
            request, MHD_HTTP_FORBIDDEN, "permission_error",
            "this server answers programs, not pages of a browser");
    if (!bears_key(context, request))
        return serve_refuse(request, MHD_HTTP_UNAUTHORIZED,
                            "authentication_error",
                            "the key is wrong, or none was given");
    if (request->too_large)
        return serve_refuse(request, MHD_HTTP_CONTENT_TOO_LARGE,
                            "invalid_request_error",
                            "the request is too large");
    if (request->no_memory)
        return serve_refuse(request, MHD_HTTP_INTERNAL_SERVER_ERROR,
                            "server_error", "out of memory");
    if (strcmp(request->url, "/v1/models") == 0)
        return list_models(request);
    if (strcmp(request->url, "/v1/chat/completions") != 0)
        return serve_refuse(
            request, MHD_HTTP_NOT_FOUND, "invalid_request_error",
            "there are POST /v1/chat/completions and GET /v1/models");
    if (strcmp(request->method, "POST") != 0)
        return serve_refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                            "invalid_request_error", "POST only");
    return serve_complete(context, request);
}

/* *ret is running; serve_stop ends it. */
etna_code serve_start(const serve_options *options,
                      server **ret,
                      etna_error *err)
{
    server *s = calloc(1, sizeof *s);
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a server");
    s->options = *options;
    atomic_init(&s->served, 0);
    const http_server_options listening = {
        .place = options->place,
        .handler = {s, let_in, serve_route, NULL},
        .threads = options->threads > 1 ? options->threads : 1,
        .connections = CONNECTIONS_MAX,
        .body_max = CHAT_BODY_MAX};
    etna_code code = http_server_start(&listening, &s->listener, err);
    if (code != ETNA_OK) {
        free(s);
        return code;
    }
    *ret = s;
    return ETNA_OK;
}

void serve_url(const server *s, char ret[HTTP_URL_SIZE])
{
    http_server_url(s->listener, ret);
}

/* NULL is fine. Waits until no handler runs, since they use `s`. */
void serve_stop(server *s)
{
    if (!s)
        return;
    http_server_stop(s->listener);
    free(s);
}
