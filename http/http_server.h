/* The one HTTP server: what MCP and the built-in agent's endpoint stand on. It
 * listens, keeps slow and silent peers from taking all connections, gathers
 * bodies within a bound and answers what may be trusted of a request.
 * libmicrohttpd stays within; what a caller sends beyond one text it builds
 * with libmicrohttpd itself.
 *
 * Slow peers. A request's head must be whole HEAD_MS after its connection, or
 * after the end of the one before it came in part; the body BODY_MS after that.
 * Who is late is cut off. Where more than `connections` are open, one of the
 * host that most of the unfinished come from goes, and of these the one that has
 * been unfinished longest, so that who sends its request whole is served whatever
 * others hold open, and who is slow is served whatever another host does. Who
 * does not take the answer of http_request_answer is unfinished, too. All of it
 * comes before tokens are asked for: a peer needs none to be slow.
 *
 * Threads: one a connection where `threads` is 0, so `handle` may block; else a
 * pool of so many. */
#ifndef ETNA_HTTP_HTTP_SERVER_H
#define ETNA_HTTP_HTTP_SERVER_H

#include "proto/error.h"

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* ---- where to listen ---- */

/* Where to listen. */
typedef struct http_place {
    struct sockaddr_storage address;
    /* nobody but this machine can reach it */
    bool loopback;
} http_place;

/* HOST:PORT, [V6]:PORT, :PORT or PORT; HOST an address in numbers or localhost.
 * ETNA_E_USAGE, said of `option`. */
etna_code http_place_read(const char *option,
                          const char *text,
                          http_place *ret,
                          etna_error *err);

/* ---- a request, as it comes ---- */

typedef struct http_request {
    struct MHD_Connection *connection;
    const char *url, *method;
    /* NUL-terminated; NULL until it is whole, "" where there is none */
    const char *body;
    size_t size;
    bool too_large, no_memory; /* of the body: it was passed over */
    bool is_refused;           /* set by `open`: the body is passed over */
    void *own;                 /* the handler's, from `open` to `close` */
} http_request;

typedef struct http_handler {
    void *context;
    /* The head is there, the body not yet. Who is refused here is answered by
     * `handle` all the same, when the body has been passed over: a client that
     * still sends would take an answer before its end for a broken connection.
     * NULL: none. MHD_NO cuts the connection. Not called for a head that the
     * server refuses itself, before its body: two Host headers (400), a body
     * announced as more than `body_max` and 16 MiB (413). */
    enum MHD_Result (*open)(void *context, http_request *request);
    /* The body is whole, or what could be kept of it (`too_large`, `no_memory`,
     * `is_refused`). Answers, or returns MHD_NO: the connection is cut. */
    enum MHD_Result (*handle)(void *context, http_request *request);
    /* once, after either; NULL: none */
    void (*close)(void *context, http_request *request);
} http_handler;

/* A header's value, the first of that name in any case of letters; NULL: none.
 * Good for as long as the request is. */
const char *http_request_header(const http_request *request, const char *name);
/* Queues `text` (malloc'd, and taken also on failure; NULL: no body) as the
 * answer, of the media type `type`. `name`, when not NULL, is one header more.
 * Answers may never be kept by a cache or read as another type than theirs. To
 * be called once for a request. */
enum MHD_Result http_request_answer(const http_request *request,
                                    unsigned status,
                                    char *text,
                                    const char *type,
                                    const char *name,
                                    const char *value);
/* Has the client closed its end? For handlers that wait. */
bool http_request_is_left(const http_request *request);

/* ---- the server ---- */

typedef struct http_server http_server;

enum {
    /* see "Slow peers"; what 0 in the options means */
    HTTP_HEAD_MS = 5000,
    HTTP_BODY_MS = 60000,
    /* how long a connection may be silent before libmicrohttpd closes it */
    HTTP_IDLE_S = 120,
    /* bytes of the longest address, its NUL among them */
    HTTP_URL_SIZE = 80
};

/* What a server does; copied by http_server_start. */
typedef struct http_server_options {
    http_place place;
    http_handler handler;
    unsigned threads;     /* 0: one a connection */
    unsigned connections; /* open at once */
    /* bytes; up to so many and 16 MiB beyond are passed over, then the
     * connection is cut */
    size_t body_max;
    unsigned head_ms, body_ms; /* 0: HTTP_HEAD_MS, HTTP_BODY_MS */
} http_server_options;

/* Listens from now on. `handler.context` must outlive the server.
 * ETNA_E_NETWORK, ETNA_E_NOMEM. */
etna_code http_server_start(const http_server_options *options,
                            http_server **ret,
                            etna_error *err);
/* The port that it listens at, also where port 0 let the system choose. */
uint16_t http_server_port(const http_server *server);
/* Where it is reached: "http://127.0.0.1:8080", "http://[::1]:8080". */
void http_server_url(const http_server *server, char ret[HTTP_URL_SIZE]);
/* Cuts what is open and waits until no handler runs; so never from within a
 * handler. NULL is fine. */
void http_server_stop(http_server *server);

/* ---- what may be trusted; pure ---- */

/* Is `host` (of a Host header: a name with or without a port; never NULL) one
 * that this server is called by? On loopback localhost and loopback addresses
 * are, so that a name of somebody else's that was pointed here (DNS rebinding)
 * is not; elsewhere any address in numbers. `also` may be NULL. */
bool http_host_fits(const char *host, bool loopback, const char *also);
/* The same of an Origin header, "https://NAME:PORT". */
bool http_origin_fits(const char *origin, bool loopback, const char *also);
/* What of a head's lines decides whom it is for and where its body ends. All
 * zero begins. */
typedef struct http_head {
    unsigned hosts, lengths, codings;
    bool is_odd; /* a name that is none, or a coding other than "chunked" */
} http_head;
void http_head_add(http_head *head, const char *name, const char *value);
/* Whether a proxy before us cannot have read it otherwise than we do: two hosts
 * (RFC 9112, 3.2), two lengths, a length beside a coding (6.1), or a blank
 * before a colon (5.1) would let it. */
bool http_head_is_plain(const http_head *head);
/* Does an Authorization header's value bear `token`? In a time that tells
 * nothing of it. `given` NULL: only where no token is asked for (NULL or
 * ""). */
bool http_bearer_fits(const char *given, const char *token);
/* What a header's value says: without the white space that HTTP allows around
 * it. `coded`: it may be "=?base64?...?=" where it is not plain (MCP's
 * headers). The result lies in `value` or in `room`; what does not fit there,
 * or cannot be decoded, is as it came. NULL stays NULL. */
const char *http_header_value(const char *value,
                              bool coded,
                              char *room,
                              size_t size);

#endif
