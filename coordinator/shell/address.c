/* See address.h. */
#include "coordinator/shell/address.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOCKET_PATH_MAX = 100
}; /* sun_path, and what we add */

static bool address_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "127.evil.example" is a name, not an address. */
static bool address_is_loopback(const char *host)
{
    if (!strcmp(host, "localhost") || !strcmp(host, "[::1]"))
        return true;
    return address_begins(host, "127.") &&
           host[strspn(host, "0123456789.")] == 0;
}

static bool address_is_everywhere(const char *host)
{
    return !strcmp(host, "0.0.0.0") || !strcmp(host, "[::]") ||
           !strcmp(host, "*");
}

/* HOST and PORT of HOST:PORT, where an IPv6 host has brackets. */
static bool address_split(const char *text,
                          char host[ADDRESS_MAX],
                          const char **ret_port)
{
    const char *colon = strrchr(text, ':');
    size_t size = colon ? (size_t)(colon - text) : 0;
    if (!size || strchr(text, '/') ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return false;
    unsigned long port = strtoul(colon + 1, NULL, 10);
    bool bracketed = text[0] == '[' && text[size - 1] == ']';
    bool split_twice = !bracketed && memchr(text, ':', size) != NULL;
    if (port < 1 || port > 65535 || split_twice)
        return false;
    snprintf(host, ADDRESS_MAX, "%.*s", (int)size, text);
    *ret_port = colon + 1;
    return true;
}

static void address_put(char into[ADDRESS_MAX],
                        bool tls,
                        const char *host,
                        const char *port)
{
    snprintf(into, ADDRESS_MAX, "%s://%s:%s", tls ? "tls+tcp" : "tcp", host,
             port);
}

static etna_code address_refuse(const char *given, etna_error *err)
{
    return etna_fail(
        err, ETNA_E_USAGE,
        "%.200s: not an address to listen at; use ipc://PATH, tcp://127.0.0.1:PORT or tls+tcp://HOST:PORT",
        given);
}

static etna_code address_read_ipc(const char *given,
                                  listen_address *ret,
                                  etna_error *err)
{
    size_t size = strlen(given + 6);
    if (!size)
        return address_refuse(given, err);
    if (size >= SOCKET_PATH_MAX)
        return etna_fail(err, ETNA_E_USAGE,
                         "%s: a socket's path has less than %d bytes", given,
                         SOCKET_PATH_MAX);
    strcpy(ret->listen, given);
    strcpy(ret->here, given);
    strcpy(ret->there, given);
    return ETNA_OK;
}

etna_code address_read(const char *given,
                       const char *host_name,
                       listen_address *ret,
                       etna_error *err)
{
    enum {
        LONGEST = 200
    };
    char host[ADDRESS_MAX];
    const char *port;
    if (strlen(given) > LONGEST)
        return etna_fail(err, ETNA_E_USAGE, "an address of %zu bytes is none",
                         strlen(given));
    if (address_begins(given, "ipc://"))
        return address_read_ipc(given, ret, err);
    bool tls = address_begins(given, "tls+tcp://");
    if (!tls && !address_begins(given, "tcp://"))
        return address_refuse(given, err);
    if (!address_split(strstr(given, "://") + 3, host, &port))
        return address_refuse(given, err);
    bool everywhere = address_is_everywhere(host);
    bool six = !strcmp(host, "[::]");
    tls = tls || !address_is_loopback(host);
    address_put(ret->listen, tls, strcmp(host, "*") ? host : "0.0.0.0", port);
    const char *here = six ? "[::1]" : "127.0.0.1";
    address_put(ret->here, tls, everywhere ? here : host, port);
    address_put(ret->there, tls, everywhere ? host_name : host, port);
    return ETNA_OK;
}
