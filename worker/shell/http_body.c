/* See http_body.h. */
#include "worker/shell/http_body.h"

#include <sodium.h>
#include <string.h>

http_body http_body_of(const provider_call *call, const provider_image *images)
{
    return (http_body){.pieces = call->pieces,
                       .images = images,
                       .piece_count = call->piece_count};
}

/* Four characters, and a NUL, of the three bytes (fewer at the end) from byte 3
 * * group on. */
static void encode(const provider_image *image, uint64_t group, char ret[5])
{
    size_t at = (size_t)group * 3;
    size_t left = image->size - at;
    sodium_bin2base64(ret, 5, image->data + at, left < 3 ? left : 3,
                      sodium_base64_VARIANT_ORIGINAL);
}

static size_t read_image(const provider_image *image,
                         uint64_t at,
                         char *ret,
                         size_t room)
{
    uint64_t size = ((uint64_t)image->size + 2) / 3 * 4;
    size_t used = 0;
    while (used < room && at < size) {
        char four[5];
        encode(image, at / 4, four);
        for (size_t i = (size_t)(at % 4); i < 4 && used < room; i++, at++)
            ret[used++] = four[i];
    }
    return used;
}

/* May stop within a group of four characters: `at` counts characters, so the
 * next read goes on in the middle of it. */
size_t http_body_read(http_body *body, char *ret, size_t room)
{
    size_t used = 0;
    while (used < room && body->piece < body->piece_count) {
        const provider_piece *piece = &body->pieces[body->piece];
        size_t some;
        if (piece->text) {
            some = piece->size - (size_t)body->at < room - used
                       ? piece->size - (size_t)body->at
                       : room - used;
            memcpy(ret + used, piece->text + body->at, some);
        } else {
            some = read_image(&body->images[piece->image], body->at, ret + used,
                              room - used);
        }
        used += some;
        body->at += some;
        uint64_t size =
            piece->text
                ? piece->size
                : ((uint64_t)body->images[piece->image].size + 2) / 3 * 4;
        if (body->at == size) {
            body->piece++;
            body->at = 0;
        }
    }
    return used;
}

bool http_body_is_sent(const http_body *body)
{
    return body->piece == body->piece_count;
}

void http_body_rewind(http_body *body)
{
    body->piece = 0;
    body->at = 0;
}
