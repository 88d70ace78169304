/* libcurl, loaded when the first call to a model is prepared (proto/late.h). */
#ifndef ETNA_WORKER_PROVIDER_CURL_LATE_H
#define ETNA_WORKER_PROVIDER_CURL_LATE_H

#include "proto/error.h"

#include <curl/curl.h>

/* To be called before libcurl's functions: without it they do nothing and fail. ETNA_E_IO when it is not there. */
etna_code curl_load(etna_error *err);

/* curl_url_get, whose first argument is const in some versions. */
CURLUcode curl_late_url_get(CURLU *url, CURLUPart part, char **ret, unsigned int flags);

#endif
