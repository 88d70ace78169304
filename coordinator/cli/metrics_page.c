/* See metrics_page.h. */
#include "coordinator/cli/metrics_page.h"
#include "http/http_server.h"
#include "proto/secrets.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* open connections; bytes of a token, the second with its NUL */
enum {
    CONNECTIONS = 64,
    TOKEN_LEAST = 16,
    TOKEN_ROOM = 513
};

struct metrics_page {
    http_server *server;
    char token[TOKEN_ROOM], url[HTTP_URL_SIZE + 16];
    bool loopback;
    pthread_mutex_t lock; /* of the text */
    char *text;           /* NULL: nothing has been measured yet */
};

/* The status that refuses the request, or 0. In this order: a wrong Host is
 * refused before the token is looked at, which stops a web page from asking by
 * DNS rebinding; an unknown path tells nothing to who has no token. */
static unsigned metrics_page_refusal(const metrics_page *page,
                                     const http_request *request)
{
    const char *host = http_request_header(request, "Host");
    if (!host || !http_host_fits(host, page->loopback, NULL))
        return MHD_HTTP_FORBIDDEN;
    if (!http_bearer_fits(http_request_header(request, "Authorization"),
                          page->token))
        return MHD_HTTP_UNAUTHORIZED;
    if (strcmp(request->url, "/metrics") != 0)
        return MHD_HTTP_NOT_FOUND;
    if (strcmp(request->method, "GET") != 0)
        return MHD_HTTP_METHOD_NOT_ALLOWED;
    return 0;
}

/* On the HTTP server's thread. The text is copied under the lock, so that a
 * slow reader does not hold the loop up. */
static enum MHD_Result metrics_page_handle(void *context, http_request *request)
{
    metrics_page *page = context;
    unsigned refusal = metrics_page_refusal(page, request);
    bool asks = refusal == MHD_HTTP_UNAUTHORIZED;
    if (refusal) {
        return http_request_answer(request, refusal, NULL, NULL,
                                   asks ? MHD_HTTP_HEADER_WWW_AUTHENTICATE
                                        : NULL,
                                   asks ? "Bearer" : NULL);
    }
    pthread_mutex_lock(&page->lock);
    char *text = page->text ? strdup(page->text) : NULL;
    pthread_mutex_unlock(&page->lock);
    unsigned status = text ? MHD_HTTP_OK : MHD_HTTP_SERVICE_UNAVAILABLE;
    return http_request_answer(request, status, text,
                               "text/plain; version=0.0.4; charset=utf-8", NULL,
                               NULL);
}

/* The token is wiped where it stood, too: /proc/PID/environ shows it to any
 * process of the same user. */
static etna_code metrics_page_take_token(metrics_page *page, etna_error *err)
{
    char *given = getenv("ETNA_HTTP_TOKEN");
    size_t size = given ? strlen(given) : 0;
    if (size < TOKEN_LEAST || size >= sizeof page->token)
        return etna_fail(
            err, ETNA_E_USAGE,
            "--http: ETNA_HTTP_TOKEN must hold a token of %d to %d bytes",
            TOKEN_LEAST, TOKEN_ROOM - 1);
    guard_secrets();
    memcpy(page->token, given, size + 1);
    sodium_memzero(given, size);
    unsetenv("ETNA_HTTP_TOKEN"); /* workers need not have it */
    return ETNA_OK;
}

static etna_code metrics_page_serve(metrics_page *page,
                                    const char *address,
                                    etna_error *err)
{
    http_server_options options = {
        .handler = {.context = page, .handle = metrics_page_handle},
        .threads = 1,
        .connections = CONNECTIONS};
    char url[HTTP_URL_SIZE];
    etna_code code = http_place_read("--http", address, &options.place, err);
    if (!code)
        code = metrics_page_take_token(page, err);
    page->loopback = options.place.loopback;
    if (!code)
        code = http_server_start(&options, &page->server, err);
    if (code)
        return code;
    http_server_url(page->server, url);
    snprintf(page->url, sizeof page->url, "%s/metrics", url);
    return ETNA_OK;
}

etna_code metrics_page_open(const char *address,
                            metrics_page **ret,
                            etna_error *err)
{
    metrics_page *page = calloc(1, sizeof *page);
    if (!page)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a page");
    pthread_mutex_init(&page->lock, NULL);
    etna_code code = metrics_page_serve(page, address, err);
    if (code) {
        metrics_page_close(page);
        return code;
    }
    *ret = page;
    return ETNA_OK;
}

void metrics_page_give_back(const metrics_page *page)
{
    if (page)
        setenv("ETNA_HTTP_TOKEN", page->token, 1);
}

void metrics_page_close(metrics_page *page)
{
    if (!page)
        return;
    http_server_stop(page->server);
    pthread_mutex_destroy(&page->lock);
    sodium_memzero(page->token, sizeof page->token);
    free(page->text);
    free(page);
}

void metrics_page_set(metrics_page *page, const char *text, size_t size)
{
    char *copy = strndup(text, size);
    if (!copy)
        return;
    pthread_mutex_lock(&page->lock);
    char *before = page->text;
    page->text = copy;
    pthread_mutex_unlock(&page->lock);
    free(before);
}

const char *metrics_page_url(const metrics_page *page)
{
    return page->url;
}
