/* A call's body as a stream of bytes that are never all there: texts as they
 * stand, images in base64 as they go. Pure. */
#ifndef ETNA_WORKER_SHELL_HTTP_BODY_H
#define ETNA_WORKER_SHELL_HTTP_BODY_H

#include "worker/provider/provider.h"

typedef struct http_body {
    const provider_piece *pieces;
    const provider_image *images;
    uint32_t piece_count, piece; /* the one that goes on */
    /* bytes of that piece that are gone, as they are sent */
    uint64_t at;
} http_body;

/* Borrows both. */
http_body http_body_of(const provider_call *call, const provider_image *images);
/* 0: at its end */
size_t http_body_read(http_body *body, char *ret, size_t room);
/* All of it has been read. */
bool http_body_is_sent(const http_body *body);
/* From its first byte again. */
void http_body_rewind(http_body *body);

#endif
