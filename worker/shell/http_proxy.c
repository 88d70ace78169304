/* See http_proxy.h. */
#include "worker/shell/http_proxy.h"

#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bits of an address of 4 or 16 bytes; 0: it is none. */
static unsigned address_of(const char *text, uint8_t bytes[16])
{
    if (inet_pton(AF_INET, text, bytes) == 1)
        return 32;
    return inet_pton(AF_INET6, text, bytes) == 1 ? 128 : 0;
}

/* Are the first `bits` of two addresses the same? */
static bool addresses_share(const uint8_t a[16],
                            const uint8_t b[16],
                            unsigned bits)
{
    for (unsigned i = 0; i < bits; i++) {
        if ((a[i / 8] ^ b[i / 8]) >> (7 - i % 8) & 1)
            return false;
    }
    return true;
}

/* "10.0.0.0/8", "fd00::/8" or one address; cuts `entry` at its slash. Names and
 * addresses of the other family are in no range. */
static bool in_range(const char *host, char *entry)
{
    uint8_t at[16], of[16];
    char *slash = strchr(entry, '/');
    if (slash)
        *slash++ = 0;
    if (slash && (!*slash || slash[strspn(slash, "0123456789")]))
        return false;
    unsigned bits = address_of(entry, of);
    unsigned same = slash ? (unsigned)strtoul(slash, NULL, 10) : bits;
    if (!bits || address_of(host, at) != bits || same > bits)
        return false;
    return addresses_share(at, of, same);
}

/* "example.com" or ".example.com" is of that name and its subdomains, but
 * "badexample.com" is not. */
static bool proxy_is_of(const char *host, const char *name)
{
    while (*name == '.')
        name++;
    size_t size = strlen(name);
    size_t all = strlen(host);
    if (size == 0 || size > all)
        return false;
    bool is_whole = size == all || host[all - size - 1] == '.';
    return is_whole && strcasecmp(host + all - size, name) == 0;
}

/* An entry that is longer than the room is read as empty and matches
 * nothing. */
bool http_proxy_passed_over(const char *host, const char *list)
{
    static const char between[] = ", \t";
    for (const char *at = list + strspn(list, between); *at;
         at += strspn(at, between)) {
        char entry[256];
        size_t size = strcspn(at, between);
        snprintf(entry, sizeof entry, "%.*s",
                 (int)(size < sizeof entry ? size : 0), at);
        at += size;
        if (strcmp(entry, "*") == 0 || proxy_is_of(host, entry) ||
            in_range(host, entry))
            return true;
    }
    return false;
}

static const char *first_set(const char *const *names)
{
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value)
            return value;
    }
    return NULL;
}

/* HTTP_PROXY in capitals is left alone, as by others: a server's request could
 * set it. */
static const char *of_environment(const models_endpoint *endpoint)
{
    static const char *const https[] = {"https_proxy", "HTTPS_PROXY",
                                        "all_proxy", "ALL_PROXY", NULL};
    static const char *const http[] = {"http_proxy", "all_proxy", "ALL_PROXY",
                                       NULL};
    static const char *const none[] = {"no_proxy", "NO_PROXY", NULL};
    bool tls = strncmp(endpoint->url, "https://", 8) == 0;
    const char *proxy = first_set(tls ? https : http);
    const char *but = first_set(none);
    const char *from = endpoint->url + (tls ? 8 : 7);
    char host[256];
    bool six = *from == '[';
    size_t size = six ? strcspn(++from, "]") : strcspn(from, ":/");
    snprintf(host, sizeof host, "%.*s", (int)(size < sizeof host ? size : 0),
             from);
    return but && http_proxy_passed_over(host, but) ? NULL : proxy;
}

etna_code http_proxy_of(const models_endpoint *endpoint,
                        const char **ret,
                        etna_error *err)
{
    const char *proxy =
        endpoint->proxy ? endpoint->proxy : of_environment(endpoint);
    if (endpoint->proxy && proxy[0] == '$') {
        proxy = getenv(proxy + 1);
        if (!proxy) {
            return etna_fail(
                err, ETNA_E_USAGE,
                "endpoint %.80s: its proxy stands in the environment variable %.80s, which is not set",
                endpoint->name, endpoint->proxy + 1);
        }
    }
    *ret = proxy && *proxy ? proxy : NULL;
    return ETNA_OK;
}

/* NOPROXY is set to "" so that libcurl does not read no_proxy itself: whether
 * there is a proxy has been decided. */
bool http_proxy_set(CURL *easy,
                    const models_endpoint *endpoint,
                    const char *proxy)
{
    bool ok =
        curl_easy_setopt(easy, CURLOPT_PROXY, proxy ? proxy : "") == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK;
    if (endpoint->ca_file && proxy)
        ok = ok && curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO,
                                    endpoint->ca_file) == CURLE_OK;
    /* ours are not for the proxy */
    curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS,
                     1L); /* and its own are not the server's */
    return ok;
}

/* SOCKS5 tells its refusals in numbers of its own. */
static bool socks_refused(
    CURL *easy, const char *host, char *words, size_t size, bool *ret_final)
{
    long code = CURLPX_OK;
    if (curl_easy_getinfo(easy, CURLINFO_PROXY_ERROR, &code) != CURLE_OK ||
        code == CURLPX_OK)
        return false;
    bool stranger = code == CURLPX_USER_REJECTED;
    bool nobody = code == CURLPX_NO_AUTH;
    if (stranger || nobody) {
        *ret_final = true;
        snprintf(
            words, size,
            "the proxy wants %s name and password: they stand as socks5h://NAME:PASSWORD@HOST:PORT in the environment "
            "variable that the endpoint's proxy names ($VARIABLE), or in all_proxy",
            stranger ? "another" : "a");
        return true;
    }
    bool forbidden = code == CURLPX_REPLY_NOT_ALLOWED;
    bool away = code == CURLPX_REPLY_CONNECTION_REFUSED ||
                code == CURLPX_REPLY_HOST_UNREACHABLE ||
                code == CURLPX_REPLY_NETWORK_UNREACHABLE ||
                code == CURLPX_REPLY_GENERAL_SERVER_FAILURE ||
                code == CURLPX_REPLY_TTL_EXPIRED;
    if (!forbidden && !away)
        return false;
    *ret_final = forbidden;
    snprintf(words, size, "the proxy %s to %.200s%s",
             forbidden ? "refuses to connect" : "could not connect", host,
             forbidden
                 ? ": ask who runs it, or name another in the endpoint's proxy"
                 : "");
    return true;
}

/* 407 is final: a person must give another password. 5xx, 408 and 429 are the
 * proxy's bad moment. */
bool http_proxy_refused(
    CURL *easy, const char *host, char *words, size_t size, bool *ret_final)
{
    long status = 0;
    if (socks_refused(easy, host, words, size, ret_final))
        return true;
    if (curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status) !=
            CURLE_OK ||
        status < 300)
        return false;
    *ret_final = status < 500 && status != 408 && status != 429;
    if (status == 407) {
        snprintf(
            words, size,
            "the proxy wants another name and password (407): they stand as http://NAME:PASSWORD@HOST:PORT in https_proxy, or in the "
            "environment variable that the endpoint's proxy names ($VARIABLE)");
    } else {
        snprintf(
            words, size, "the proxy %s to %.200s (%ld)%s",
            *ret_final ? "refuses to connect" : "could not connect", host,
            status,
            *ret_final
                ? ": ask who runs it, or name another in the endpoint's proxy"
                : "");
    }
    return true;
}
