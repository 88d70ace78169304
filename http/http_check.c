/* What of a request may be trusted: see http_server.h. */
#include "http/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    NAME_MAX_LENGTH = 255
};

/* "" too: "NAME:" is a host with its port left out. */
static bool port_is_number(const char *port)
{
    return strlen(port) <= 5 && port[strspn(port, "0123456789")] == 0;
}

/* "NAME", "NAME:PORT", "[V6]", "[V6]:PORT": the name without brackets and port;
 * false when it is none of these. */
static bool host_split(const char *text,
                       char name[NAME_MAX_LENGTH + 1],
                       const char **ret_port)
{
    const char *end, *port = NULL;
    if (*text == '[') {
        text++;
        end = strchr(text, ']');
        if (!end || (end[1] && end[1] != ':'))
            return false;
        if (end[1])
            port = end + 2;
    } else {
        end = text + strcspn(text, ":");
        if (*end)
            port = end + 1;
    }
    if (end - text > NAME_MAX_LENGTH)
        return false;
    memcpy(name, text, (size_t)(end - text));
    name[end - text] = 0;
    if (port && !port_is_number(port))
        return false;
    *ret_port = port;
    return true;
}

/* Whether the name is an address in numbers, and if so whether it is one of
 * loopback; *ret_loopback is untouched otherwise. */
static bool host_is_numeric(const char *name, bool *ret_loopback)
{
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, name, &four) == 1) {
        *ret_loopback = ntohl(four.s_addr) >> 24 == 127;
        return true;
    }
    if (inet_pton(AF_INET6, name, &six) == 1) {
        *ret_loopback = IN6_IS_ADDR_LOOPBACK(&six);
        return true;
    }
    return false;
}

bool http_host_fits(const char *host, bool loopback, const char *also)
{
    char name[NAME_MAX_LENGTH + 1];
    const char *port;
    bool local = false;
    if (!host_split(host, name, &port) || !*name)
        return false;
    if (strcasecmp(name, "localhost") == 0 ||
        (also && strcasecmp(name, also) == 0))
        return true;
    return host_is_numeric(name, &local) && (local || !loopback);
}

/* What a header's name may be made of (RFC 9110, 5.6.2). */
static bool head_name_is_token(const char *name)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789"
                                "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return *name && name[strspn(name, token)] == 0;
}

/* The only coding that we read; blanks behind it are nothing. */
static bool head_is_chunked(const char *value)
{
    static const char coding[] = "chunked";
    size_t size = strlen(coding);
    return strncasecmp(value, coding, size) == 0 &&
           value[size + strspn(value + size, " \t")] == 0;
}

void http_head_add(http_head *head, const char *name, const char *value)
{
    if (!head_name_is_token(name)) {
        head->is_odd = true;
    } else if (strcasecmp(name, "Host") == 0) {
        head->hosts++;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        head->lengths++;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        head->codings++;
        head->is_odd = head->is_odd || !head_is_chunked(value);
    }
}

bool http_head_is_plain(const http_head *head)
{
    return !head->is_odd && head->hosts <= 1 &&
           head->lengths + head->codings <= 1;
}

bool http_bearer_fits(const char *given, const char *token)
{
    static const char bearer[] = "Bearer ";
    if (!token || !*token)
        return true;
    if (!given || strncasecmp(given, bearer, strlen(bearer)) != 0)
        return false;
    given += strlen(bearer);
    /* of one length, for a comparison in constant time */
    unsigned char a[32], b[32];
    crypto_generichash(a, sizeof a, (const unsigned char *)token, strlen(token),
                       NULL, 0);
    crypto_generichash(b, sizeof b, (const unsigned char *)given, strlen(given),
                       NULL, 0);
    return sodium_memcmp(a, b, sizeof a) == 0;
}

bool http_origin_fits(const char *origin, bool loopback, const char *also)
{
    if (strncasecmp(origin, "http://", 7) == 0)
        return http_host_fits(origin + 7, loopback, also);
    if (strncasecmp(origin, "https://", 8) == 0)
        return http_host_fits(origin + 8, loopback, also);
    return false;
}

const char *http_header_value(const char *value,
                              bool coded,
                              char *room,
                              size_t size)
{
    if (!value)
        return NULL;
    const char *from = value + strspn(value, " \t");
    size_t length = strlen(from);
    size_t n = 0;
    while (length && (from[length - 1] == ' ' || from[length - 1] == '\t'))
        length--;
    bool is_base64 = length >= 11 && strncmp(from, "=?base64?", 9) == 0 &&
                     strncmp(from + length - 2, "?=", 2) == 0;
    if (coded && is_base64) {
        if (sodium_base642bin((unsigned char *)room, size - 1, from + 9,
                              length - 11, NULL, &n, NULL,
                              sodium_base64_VARIANT_ORIGINAL))
            return value;
        if (memchr(room, 0, n))
            return value; /* what follows would not be compared */
        room[n] = 0;
        return room;
    }
    if (!from[length])
        return from;
    if (length >= size)
        return value;
    memcpy(room, from, length);
    room[length] = 0;
    return room;
}

etna_code http_place_read(const char *option,
                          const char *text,
                          http_place *ret,
                          etna_error *err)
{
    char name[NAME_MAX_LENGTH + 1];
    const char *port = NULL;
    http_place place = {.loopback = false};
    bool bare = *text && strspn(text, "0123456789") == strlen(text);
    bool good = bare || host_split(text, name, &port);
    if (bare) {
        port = text;
        name[0] = 0;
    }
    long number =
        port && *port && strlen(port) <= 5 ? strtol(port, NULL, 10) : -1;
    if (!good || number < 0 || number > 65535) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "%s wants PORT, HOST:PORT or [V6]:PORT, as 127.0.0.1:8080, not %.80s",
            option, text);
    }
    if (!*name || strcasecmp(name, "localhost") == 0)
        snprintf(name, sizeof name, "127.0.0.1");
    struct sockaddr_in *four = (struct sockaddr_in *)&place.address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&place.address;
    if (inet_pton(AF_INET, name, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons((uint16_t)number);
    } else if (inet_pton(AF_INET6, name, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons((uint16_t)number);
    } else {
        return etna_fail(err, ETNA_E_USAGE,
                         "%s: %.80s is no address in numbers and not localhost",
                         option, name);
    }
    host_is_numeric(name, &place.loopback);
    *ret = place;
    return ETNA_OK;
}
