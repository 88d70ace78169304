/* An endpoint's key: in memory only while a call is being started. */
#ifndef ETNA_WORKER_SHELL_API_KEY_H
#define ETNA_WORKER_SHELL_API_KEY_H

#include "proto/error.h"
#include "proto/models.h"

enum {
    KEY_MAX = 4096
};

typedef struct api_key {
    char text[KEY_MAX + 2];
    bool given; /* the endpoint wants one */
} api_key;

/* From the environment or the 0600 file that the endpoint names. ETNA_E_USAGE:
 * there is none, others may read the file, or it is no key; the text never
 * holds any of it. */
etna_code api_key_read(const models_endpoint *endpoint,
                       api_key *ret,
                       etna_error *err);
/* Overwrites it, in a way that no compiler leaves out. */
void api_key_wipe(api_key *k);

#endif
