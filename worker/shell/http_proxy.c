/* See http_proxy.h. */
#include "worker/shell/http_proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

etna_code http_proxy_of(const models_endpoint *endpoint, const char **ret, etna_error *err)
{
    const char *proxy = endpoint->proxy;
    if (proxy && proxy[0] == '$') {
        proxy = getenv(proxy + 1);
        if (!proxy) {
            return etna_fail(err, ETNA_E_USAGE, "endpoint %.80s: its proxy stands in the environment variable %.80s, which is not set", endpoint->name, endpoint->proxy + 1);
        }
    } else if (!proxy && strncmp(endpoint->url, "https:", 6) != 0) {
        proxy = getenv("http_proxy");
    } else if (!proxy) {
        proxy = getenv("https_proxy");
        if (!proxy) proxy = getenv("HTTPS_PROXY");
    }
    *ret = proxy && *proxy ? proxy : NULL;
    return ETNA_OK;
}

bool http_proxy_set(CURL *easy, const models_endpoint *endpoint, const char *proxy)
{
    if (!proxy) return !endpoint->proxy || curl_easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK;
    bool ok = curl_easy_setopt(easy, CURLOPT_PROXY, proxy) == CURLE_OK;
    if (endpoint->proxy) ok = ok && curl_easy_setopt(easy, CURLOPT_NOPROXY, "") == CURLE_OK; /* who names one means it */
    if (endpoint->ca_file) ok = ok && curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, endpoint->ca_file) == CURLE_OK;
    curl_easy_setopt(easy, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE); /* ours are not for the proxy */
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);         /* and its own are not the server's */
    return ok;
}

bool http_proxy_refused(CURL *easy, const char *host, char *words, size_t size, bool *ret_final)
{
    long status = 0;
    if (curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status) != CURLE_OK || status < 300) return false;
    *ret_final = status < 500 && status != 408 && status != 429;
    if (status == 407) {
        snprintf(words, size, "the proxy wants another name and password (407): they stand as http://NAME:PASSWORD@HOST:PORT in https_proxy, or in the "
                              "environment variable that the endpoint's proxy names ($VARIABLE)");
    } else {
        snprintf(words, size, "the proxy %s to %.200s (%ld)%s", *ret_final ? "refuses to connect" : "could not connect", host, status,
                 *ret_final ? ": ask who runs it, or name another in the endpoint's proxy" : "");
    }
    return true;
}
