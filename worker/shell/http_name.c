/* See http_name.h. An entry lives as long as libuv works on it or somebody may
 * still want its answer. */
#include "worker/shell/http_name.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a minute: as long as a changed address may go unnoticed; ENTRIES_MAX is far
 * above the number of endpoints that a worker's runs name */
enum {
    KEEP_MS = 60000,
    TEXT_MAX = 1024,
    ENTRIES_MAX = 256
};

typedef struct entry {
    uv_getaddrinfo_t request;
    http_names *names;
    char *host;
    char addresses[TEXT_MAX]; /* "": none */
    uint64_t known_at;        /* 0: libuv works on it */
    http_name_wait *waits;
    struct entry *next;
} entry;

struct http_names {
    uv_loop_t *loop;
    entry *entries;
    uint32_t count, under_way;
    bool closing;
    void (*closed)(void *context);
    void *context;
};

http_names *http_names_new(uv_loop_t *loop)
{
    http_names *names = calloc(1, sizeof *names);
    if (names)
        names->loop = loop;
    return names;
}

static void entry_free(entry *e)
{
    free(e->host);
    free(e);
}

static void name_end_if_closed(http_names *names)
{
    if (!names->closing || names->under_way)
        return;
    for (entry *e = names->entries, *next; e; e = next) {
        next = e->next;
        entry_free(e);
    }
    void (*closed)(void *context) = names->closed;
    void *context = names->context;
    free(names);
    if (closed)
        closed(context);
}

/* All of them, V6 in brackets, as CURLOPT_RESOLVE wants it: libcurl then races
 * them as it does with its own resolver. */
static void write_addresses(const struct addrinfo *info, char *text)
{
    size_t used = 0;
    for (; info; info = info->ai_next) {
        char one[64];
        bool six = info->ai_family == AF_INET6;
        if (!six && info->ai_family != AF_INET)
            continue;
        if (getnameinfo(info->ai_addr, info->ai_addrlen, one, sizeof one, NULL,
                        0, NI_NUMERICHOST) != 0)
            continue;
        size_t size = strlen(one) + (six ? 2 : 0) + (used > 0);
        if (used + size + 1 > TEXT_MAX)
            break;
        const char *comma = used ? "," : "";
        const char *open = six ? "[" : "";
        const char *close = six ? "]" : "";
        used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s%s%s%s",
                                 comma, open, one, close);
    }
    text[used] = 0;
}

/* + 1, since 0 means that libuv works on it. */
static void name_resolved(uv_getaddrinfo_t *request,
                          int status,
                          struct addrinfo *info)
{
    entry *e = request->data;
    http_names *names = e->names;
    names->under_way--;
    e->addresses[0] = 0;
    if (status == 0)
        write_addresses(info, e->addresses);
    if (info)
        uv_freeaddrinfo(info);
    e->known_at = uv_now(names->loop) + 1;
    while (e->waits) { /* who is told may ask again, or leave for others */
        http_name_wait *wait = e->waits;
        e->waits = wait->next;
        wait->entry = NULL;
        wait->ready(wait, e->addresses[0] ? e->addresses : NULL);
    }
    name_end_if_closed(names);
}

/* The resolver runs on libuv's threads and cannot be interrupted, so nobody
 * waits for it: a call that is given up just leaves the list. */
static bool name_begin(entry *e)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM};
    e->known_at = 0;
    e->request.data = e;
    if (uv_getaddrinfo(e->names->loop, &e->request, name_resolved, e->host,
                       NULL, &hints) != 0)
        return false;
    e->names->under_way++;
    return true;
}

/* Those that nobody waits for and that are old go when there are too many. */
static void http_names_tidy(http_names *names)
{
    for (entry **at = &names->entries; *at && names->count >= ENTRIES_MAX;) {
        entry *e = *at;
        if (e->known_at == 0 || e->waits) {
            at = &e->next;
            continue;
        }
        *at = e->next;
        entry_free(e);
        names->count--;
    }
}

/* A name that had no address is asked again each time; only answers are
 * remembered. */
bool http_names_ask(http_names *names, const char *host, http_name_wait *wait)
{
    entry *e = names->entries;
    while (e && strcmp(e->host, host) != 0)
        e = e->next;
    bool is_known = e && e->known_at && e->addresses[0];
    bool fresh = is_known && uv_now(names->loop) - e->known_at < KEEP_MS;
    if (fresh) {
        wait->entry = NULL;
        wait->ready(wait, e->addresses);
        return true;
    }
    if (!e) {
        http_names_tidy(names);
        e = calloc(1, sizeof *e);
        if (e)
            e->host = strdup(host);
        if (!e || !e->host) {
            free(e);
            return false;
        }
        e->names = names;
        e->known_at = 1; /* not under way yet */
        e->next = names->entries;
        names->entries = e;
        names->count++;
    }
    if (e->known_at && !name_begin(e)) {
        e->known_at = 1;
        return false;
    }
    wait->entry = e;
    wait->next = NULL;
    http_name_wait **last = &e->waits;
    while (*last)
        last = &(*last)->next;
    *last = wait;
    return true;
}

void http_names_leave(http_name_wait *wait)
{
    entry *e = wait->entry;
    if (!e)
        return;
    for (http_name_wait **at = &e->waits; *at; at = &(*at)->next) {
        if (*at != wait)
            continue;
        *at = wait->next;
        break;
    }
    wait->entry = NULL;
}

void http_names_close(http_names *names,
                      void (*closed)(void *context),
                      void *context)
{
    names->closing = true;
    names->closed = closed;
    names->context = context;
    for (entry *e = names->entries; e; e = e->next) {
        if (e->known_at == 0)
            /* EBUSY: it runs, and comes back by itself */
            uv_cancel((uv_req_t *)&e->request);
    }
    name_end_if_closed(names);
}
