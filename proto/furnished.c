/* See furnished.h; the bytes are proto/canon.h's. */
#include "proto/furnished.h"
#include "proto/canon.h"
#include "proto/utf8.h"

enum {
    FURNISHED_MARK = 0x52544e45, /* "ENTR" */
    FURNISHED_VERSION = 1,
    TEXT_BYTES_MAX = 64 << 20,
    GLB_BYTES_MAX = INT32_MAX
};

etna_code furnished_pack(const furnished *in,
                         uint8_t **ret,
                         size_t *ret_size,
                         etna_error *err)
{
    canon_writer w = {0};
    canon_u32(&w, FURNISHED_MARK);
    canon_u32(&w, FURNISHED_VERSION);
    canon_u32(&w, in->line);
    canon_u32(&w, in->code);
    canon_u32(&w, in->end);
    canon_bytes(&w, in->why, in->why_size);
    canon_bytes(&w, in->report, in->report_size);
    canon_bytes(&w, in->words, in->words_size);
    canon_bytes(&w, in->glb, in->glb_size);
    if (w.failed) {
        canon_writer_free(&w);
        return etna_fail(err, ETNA_E_NOMEM, "no memory for a furnished room");
    }
    *ret = w.data;
    *ret_size = w.size;
    return ETNA_OK;
}

static const char *furnished_text(canon_reader *r, size_t *ret_size)
{
    const char *text =
        (const char *)canon_get_bytes(r, TEXT_BYTES_MAX, ret_size);
    if (*ret_size && !etna_utf8_valid(text, *ret_size))
        r->failed = true;
    return text;
}

etna_code furnished_unpack(const uint8_t *data,
                           size_t size,
                           furnished *ret,
                           etna_error *err)
{
    canon_reader r = canon_read(data, size);
    bool is_ours = canon_get_u32(&r) == FURNISHED_MARK &&
                   canon_get_u32(&r) == FURNISHED_VERSION;
    furnished room = {.line = canon_get_u32(&r)};
    uint32_t code = canon_get_u32(&r);
    room.end = canon_get_u32(&r);
    room.why = furnished_text(&r, &room.why_size);
    room.report = furnished_text(&r, &room.report_size);
    room.words = furnished_text(&r, &room.words_size);
    room.glb = canon_get_bytes(&r, GLB_BYTES_MAX, &room.glb_size);
    room.code = (etna_code)code;
    const bool is_known = code < ETNA_E_COUNT && room.end < FURNISHED_END_COUNT;
    const bool is_whole = is_ours && canon_done(&r) && is_known;
    bool has_room = room.glb_size > 0 && room.report_size > 0;
    if (!is_whole || has_room != (code == ETNA_OK))
        return etna_fail(err, ETNA_E_INPUT, "this is no furnished room");
    *ret = room;
    return ETNA_OK;
}
