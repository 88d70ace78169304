/* What makes two requests the same, whichever model is asked: a run may go on
 * with another. And how a reply is kept. Bytes: a format byte, then every field
 * in the order of the structs by proto/canon.h; a pointer that may be NULL is a
 * presence byte and the text. */
#include "worker/provider/conversation.h"

#include "proto/usage.h"
#include "proto/utf8.h"

#include <string.h>

/* Replies of format 1 had no turn; they are read as such. */
enum {
    REQUEST_FORMAT = 2,
    REPLY_FORMAT = 2,
    /* three empty texts: each is a length of four bytes; bounds a count before
     * anything is allocated for it */
    CALL_BYTES_LEAST = 12,
    /* of a tool's name or a call's id: longer ones are refused, not cut, since
     * a cut id would pair a result with the wrong call */
    NAME_MAX_BYTES = 256
};

/* NULL and "" are different requests: an image without a camera is not one
 * whose camera has an empty name. */
static void put_optional(canon_writer *out, const char *text)
{
    canon_u8(out, text != NULL);
    if (text)
        canon_text(out, text);
}

/* Neither `is_stable_end` nor a turn of the assistant's is written: they steer
 * the price of a request, not what it asks. Overlays share a byte, a bit each,
 * so a new one needs no new format as long as its bit was zero before. */
static void put_part(canon_writer *out, const model_part *part)
{
    canon_u32(out, (uint32_t)part->kind);
    put_optional(out, part->text);
    put_optional(out, part->tool_name);
    put_optional(out, part->tool_id);
    if (part->kind != MODEL_IMAGE)
        return;
    canon_hash(out, &part->image.snapshot);
    canon_hash(out, &part->image.before);
    put_optional(out, part->image.camera);
    canon_u32(out, part->image.width);
    canon_u32(out, part->image.height);
    canon_u8(out, (uint8_t)(part->image.grid | part->image.fronts << 1));
    put_optional(out, part->image.object);
    put_optional(out, part->image.highlight);
}

etna_code model_request_hash(const model_request *request,
                             etna_hash *ret_hash,
                             etna_error *err)
{
    canon_writer out = {0};
    canon_u8(&out, REQUEST_FORMAT);
    canon_u32(&out, request->role);
    canon_u64(&out, request->seed);
    canon_u32(&out, request->message_count);
    for (uint32_t i = 0; i < request->message_count; i++) {
        const model_message *turn = &request->messages[i];
        canon_u32(&out, (uint32_t)turn->author);
        canon_u32(&out, turn->part_count);
        for (uint32_t k = 0; k < turn->part_count; k++)
            put_part(&out, &turn->parts[k]);
    }
    canon_u32(&out, request->tool_count);
    for (uint32_t i = 0; i < request->tool_count; i++) {
        put_optional(&out, request->tools[i].name);
        put_optional(&out, request->tools[i].description);
        put_optional(&out, request->tools[i].schema);
    }
    if (out.failed) {
        canon_writer_free(&out);
        return etna_fail(err, ETNA_E_NOMEM,
                         "model request: out of memory while hashing it");
    }
    *ret_hash = etna_hash_bytes(out.data, out.size);
    canon_writer_free(&out);
    return ETNA_OK;
}

/* ---- replies ---- */

/* `ret_why` is the end of a sentence whose start the caller writes. */
static bool conversation_fits(const char *text,
                              size_t max,
                              const char **ret_why)
{
    size_t size = text ? strlen(text) : 0;
    if (size > max) {
        *ret_why = "is too long";
        return false;
    }
    if (!etna_utf8_valid(text ? text : "", size)) {
        *ret_why = "is not UTF-8";
        return false;
    }
    return true;
}

/* What a reader would refuse must not be written: a reply in the store is read
 * again by every later run of the same slot. */
static etna_code check_reply(const model_reply *reply, etna_error *err)
{
    const char *why = NULL;
    if (!conversation_fits(reply->text, MODEL_REPLY_TEXT_MAX, &why)) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "model reply: the text %s (at most %d bytes)", why,
                         MODEL_REPLY_TEXT_MAX);
    }
    if (reply->call_count > MODEL_REPLY_CALLS_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "model reply: %u tool calls, at most %d are kept",
                         reply->call_count, MODEL_REPLY_CALLS_MAX);
    }
    for (uint32_t i = 0; i < reply->call_count; i++) {
        const model_part *call = &reply->calls[i];
        if (!conversation_fits(call->tool_name, NAME_MAX_BYTES, &why) ||
            !conversation_fits(call->tool_id, NAME_MAX_BYTES, &why) ||
            !conversation_fits(call->text, MODEL_REPLY_ARGUMENTS_MAX, &why)) {
            return etna_fail(
                err, ETNA_E_LIMIT,
                "model reply: tool call %u: its name, id or arguments %s", i,
                why);
        }
    }
    return ETNA_OK;
}

/* A turn that cannot be kept is left out: it is then rebuilt from the parts. */
static bool has_turn(const model_reply *reply)
{
    const char *why = NULL;
    return reply->turn.json && reply->turn.of &&
           conversation_fits(reply->turn.json, MODEL_TURN_MAX, &why) &&
           conversation_fits(reply->turn.of, NAME_MAX_BYTES, &why);
}

etna_code model_reply_encode(const model_reply *reply,
                             uint8_t **ret_data,
                             size_t *ret_size,
                             etna_error *err)
{
    etna_code code = check_reply(reply, err);
    if (code != ETNA_OK)
        return code;
    canon_writer out = {0};
    canon_u8(&out, REPLY_FORMAT);
    canon_text(&out, reply->text);
    canon_u32(&out, reply->call_count);
    for (uint32_t i = 0; i < reply->call_count; i++) {
        canon_text(&out, reply->calls[i].tool_name);
        canon_text(&out, reply->calls[i].tool_id);
        canon_text(&out, reply->calls[i].text);
    }
    canon_usage(&out, &reply->usage);
    canon_u8(&out, reply->cut_off);
    canon_text(&out, has_turn(reply) ? reply->turn.json : "");
    canon_text(&out, has_turn(reply) ? reply->turn.of : "");
    if (out.failed) {
        canon_writer_free(&out);
        return etna_fail(err, ETNA_E_NOMEM,
                         "model reply: out of memory while encoding it");
    }
    *ret_data = out.data;
    *ret_size = out.size;
    return ETNA_OK;
}

/* A text within the bound, valid and without NUL, copied into the arena; NULL
 * marks the reader failed. */
static const char *get_text(canon_reader *in,
                            size_t max,
                            etna_arena *arena,
                            bool *ret_nomem)
{
    size_t size = 0;
    const char *text = (const char *)canon_get_bytes(in, max, &size);
    if (in->failed || memchr(text, 0, size) || !etna_utf8_valid(text, size)) {
        in->failed = true;
        return NULL;
    }
    char *copy = etna_arena_strndup(arena, text, size);
    if (!copy)
        *ret_nomem = true;
    return copy;
}

/* The count is bounded before the array is allocated, so a forged blob cannot
 * ask for more than its own size allows. */
static void get_calls(canon_reader *in,
                      etna_arena *arena,
                      model_reply *reply,
                      bool *ret_nomem)
{
    reply->call_count = canon_get_count(in, CALL_BYTES_LEAST);
    if (reply->call_count > MODEL_REPLY_CALLS_MAX)
        in->failed = true;
    if (in->failed || *ret_nomem)
        return;
    reply->calls =
        etna_arena_alloc(arena, reply->call_count, sizeof *reply->calls);
    if (!reply->calls)
        *ret_nomem = true;
    for (uint32_t i = 0; !in->failed && !*ret_nomem && i < reply->call_count;
         i++) {
        model_part *call = &reply->calls[i];
        call->kind = MODEL_TOOL_CALL;
        call->tool_name = get_text(in, NAME_MAX_BYTES, arena, ret_nomem);
        call->tool_id = get_text(in, NAME_MAX_BYTES, arena, ret_nomem);
        call->text = get_text(in, MODEL_REPLY_ARGUMENTS_MAX, arena, ret_nomem);
    }
}

/* A turn in the vendor's own words says whose it is; without one nothing may
 * stand there. */
static void get_turn(canon_reader *in,
                     etna_arena *arena,
                     model_reply *reply,
                     bool *ret_nomem)
{
    uint8_t cut_off = canon_get_u8(in);
    if (cut_off > 1)
        in->failed = true;
    reply->cut_off = cut_off == 1;
    reply->turn.json = get_text(in, MODEL_TURN_MAX, arena, ret_nomem);
    reply->turn.of = get_text(in, NAME_MAX_BYTES, arena, ret_nomem);
    bool has = reply->turn.json && reply->turn.json[0];
    if (has)
        return;
    if (reply->turn.of && reply->turn.of[0])
        in->failed = true;
    reply->turn = (model_turn){NULL, NULL};
}

etna_code model_reply_decode(const uint8_t *data,
                             size_t size,
                             etna_arena *arena,
                             model_reply *ret,
                             etna_error *err)
{
    canon_reader in = canon_read(data, size);
    bool nomem = false;
    model_reply reply = {0};
    uint8_t format = canon_get_u8(&in);
    if (!in.failed && format > REPLY_FORMAT) {
        return etna_fail(
            err, ETNA_E_NEWER,
            "model reply: format %u was written by a newer version; this one reads up to %d",
            format, REPLY_FORMAT);
    }
    if (format == 0)
        in.failed = true;
    reply.text = get_text(&in, MODEL_REPLY_TEXT_MAX, arena, &nomem);
    get_calls(&in, arena, &reply, &nomem);
    reply.usage = canon_get_usage(&in);
    if (format > 1)
        get_turn(&in, arena, &reply, &nomem);
    if (nomem)
        return etna_fail(err, ETNA_E_NOMEM,
                         "model reply: out of memory while decoding it");
    if (!canon_done(&in)) {
        return etna_fail(
            err, ETNA_E_MESSAGE,
            "model reply: the stored bytes are not a reply (wrong at byte %zu of %zu)",
            in.at, size);
    }
    *ret = reply;
    return ETNA_OK;
}
