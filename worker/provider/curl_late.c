/* Forwarders of the functions of libcurl that are used here. */
#define CURL_DISABLE_TYPECHECK /* of macros over the functions of which these are the definitions */
#include "worker/provider/curl_late.h"
#include "proto/late.h"

#include <stdarg.h>
#include <stdbool.h>

#define FUNCTIONS(X) \
    X(curl_easy_cleanup) \
    X(curl_easy_getinfo) \
    X(curl_easy_init) \
    X(curl_easy_setopt) \
    X(curl_easy_strerror) \
    X(curl_free) \
    X(curl_getdate) \
    X(curl_global_init) \
    X(curl_multi_add_handle) \
    X(curl_multi_assign) \
    X(curl_multi_cleanup) \
    X(curl_multi_info_read) \
    X(curl_multi_init) \
    X(curl_multi_remove_handle) \
    X(curl_multi_setopt) \
    X(curl_multi_socket_action) \
    X(curl_slist_append) \
    X(curl_slist_free_all) \
    X(curl_url) \
    X(curl_url_cleanup) \
    X(curl_url_get) \
    X(curl_url_set)

static struct {
    FUNCTIONS(LATE_MEMBER)
} late;
static const late_function functions[] = {FUNCTIONS(LATE_ROW)};
static late_library library = LATE_LIBRARY(ETNA_CURL_SONAME, functions);

etna_code curl_load(etna_error *err) { return late_ready(&library, err); }

static bool ready(void) { return late_ready(&library, NULL) == ETNA_OK; }

CURLcode curl_global_init(long flags) { return ready() ? late.curl_global_init(flags) : CURLE_FAILED_INIT; }

/* ---- easy ---- */

CURL *curl_easy_init(void) { return ready() ? late.curl_easy_init() : NULL; }

void curl_easy_cleanup(CURL *easy)
{
    if (ready()) late.curl_easy_cleanup(easy);
}

/* The one argument's type is said by the option's number: longs, then pointers to data and to functions, then offsets,
 * then pointers again. */
CURLcode(curl_easy_setopt)(CURL *easy, CURLoption option, ...)
{
    CURLcode code = CURLE_FAILED_INIT;
    va_list args;
    va_start(args, option);
    if (!ready()) {
    } else if (option < CURLOPTTYPE_OBJECTPOINT) {
        code = late.curl_easy_setopt(easy, option, va_arg(args, long));
    } else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB) {
        code = late.curl_easy_setopt(easy, option, va_arg(args, curl_off_t));
    } else {
        code = late.curl_easy_setopt(easy, option, va_arg(args, void *));
    }
    va_end(args);
    return code;
}

CURLcode(curl_easy_getinfo)(CURL *easy, CURLINFO info, ...)
{
    va_list args;
    va_start(args, info);
    CURLcode code = ready() ? late.curl_easy_getinfo(easy, info, va_arg(args, void *)) : CURLE_FAILED_INIT;
    va_end(args);
    return code;
}

const char *curl_easy_strerror(CURLcode code) { return ready() ? late.curl_easy_strerror(code) : library.trouble.text; }

/* ---- multi ---- */

CURLM *curl_multi_init(void) { return ready() ? late.curl_multi_init() : NULL; }

CURLMcode curl_multi_cleanup(CURLM *multi) { return ready() ? late.curl_multi_cleanup(multi) : CURLM_BAD_HANDLE; }

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy)
{
    return ready() ? late.curl_multi_add_handle(multi, easy) : CURLM_BAD_HANDLE;
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy)
{
    return ready() ? late.curl_multi_remove_handle(multi, easy) : CURLM_BAD_HANDLE;
}

CURLMcode curl_multi_assign(CURLM *multi, curl_socket_t socket, void *pointer)
{
    return ready() ? late.curl_multi_assign(multi, socket, pointer) : CURLM_BAD_HANDLE;
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *left)
{
    return ready() ? late.curl_multi_info_read(multi, left) : NULL;
}

CURLMcode(curl_multi_setopt)(CURLM *multi, CURLMoption option, ...)
{
    CURLMcode code = CURLM_BAD_HANDLE;
    va_list args;
    va_start(args, option);
    if (!ready()) {
    } else if ((long)option < CURLOPTTYPE_OBJECTPOINT) {
        code = late.curl_multi_setopt(multi, option, va_arg(args, long));
    } else if ((long)option >= CURLOPTTYPE_OFF_T) {
        code = late.curl_multi_setopt(multi, option, va_arg(args, curl_off_t));
    } else {
        code = late.curl_multi_setopt(multi, option, va_arg(args, void *));
    }
    va_end(args);
    return code;
}

CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running)
{
    return ready() ? late.curl_multi_socket_action(multi, socket, events, running) : CURLM_BAD_HANDLE;
}

/* ---- lists, URLs and dates ---- */

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line)
{
    return ready() ? late.curl_slist_append(list, line) : NULL;
}

void curl_slist_free_all(struct curl_slist *list)
{
    if (ready()) late.curl_slist_free_all(list);
}

CURLU *curl_url(void) { return ready() ? late.curl_url() : NULL; }

void curl_url_cleanup(CURLU *url)
{
    if (ready()) late.curl_url_cleanup(url);
}

CURLUcode curl_late_url_get(CURLU *url, CURLUPart part, char **ret, unsigned int flags)
{
    return ready() ? late.curl_url_get(url, part, ret, flags) : CURLUE_OUT_OF_MEMORY;
}

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags)
{
    return ready() ? late.curl_url_set(url, part, text, flags) : CURLUE_OUT_OF_MEMORY;
}

void curl_free(void *data)
{
    if (ready()) late.curl_free(data);
}

time_t curl_getdate(const char *text, const time_t *unused) { return ready() ? late.curl_getdate(text, unused) : -1; }
