/* A furnished room as one blob: what a FURNISH task makes, and whoever asked for
 * it writes as files. A pure function of the index, the brief and the models,
 * so that equal rooms are equal bytes. */
#ifndef ETNA_PROTO_FURNISHED_H
#define ETNA_PROTO_FURNISHED_H

#include "proto/error.h"

#include <stddef.h>
#include <stdint.h>

typedef enum furnished_end {
    FURNISHED_FAILED = 0,
    FURNISHED_PARTIAL,
    FURNISHED_COMPLETE,
    FURNISHED_END_COUNT
} furnished_end;

typedef struct furnished {
    uint32_t line; /* of the list of briefs, from 1 */
    /* ETNA_OK, or why there is no room: then `why`, and nothing else */
    etna_code code;
    uint32_t end; /* furnished_end */
    const char *why;
    size_t why_size;
    const uint8_t *glb;
    const char *report, *words; /* report.json, report.txt */
    size_t glb_size, report_size, words_size;
} furnished;

/* Caller frees *ret. ETNA_E_NOMEM, ETNA_E_LIMIT. */
etna_code furnished_pack(const furnished *in,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err);
/* Texts and bytes point into `data`, texts without a zero behind them.
 * ETNA_E_INPUT: it is no such blob. */
etna_code furnished_unpack(const uint8_t *data,
                           size_t size,
                           furnished *ret,
                           etna_error *err);

#endif
