/* See usage.h. */
#include "proto/usage.h"

void message_usage_add(message_usage *sum, const message_usage *more)
{
    sum->tokens_in += more->tokens_in;
    sum->tokens_out += more->tokens_out;
    sum->tokens_cached += more->tokens_cached;
    sum->tokens_reasoning += more->tokens_reasoning;
    sum->tokens_written += more->tokens_written;
    sum->bytes_sent += more->bytes_sent;
    sum->images_sent += more->images_sent;
    sum->cost_micros += more->cost_micros;
    sum->calls += more->calls;
}

void canon_usage(canon_writer *writer, const message_usage *usage)
{
    canon_u64(writer, usage->tokens_in);
    canon_u64(writer, usage->tokens_out);
    canon_u64(writer, usage->tokens_cached);
    canon_u64(writer, usage->tokens_reasoning);
    canon_u64(writer, usage->cost_micros);
    canon_u32(writer, usage->calls);
    canon_u64(writer, usage->tokens_written);
    canon_u64(writer, usage->bytes_sent);
    canon_u32(writer, usage->images_sent);
}

message_usage canon_get_usage(canon_reader *reader)
{
    message_usage usage = {.tokens_in = canon_get_u64(reader)};
    usage.tokens_out = canon_get_u64(reader);
    usage.tokens_cached = canon_get_u64(reader);
    usage.tokens_reasoning = canon_get_u64(reader);
    usage.cost_micros = canon_get_u64(reader);
    usage.calls = canon_get_u32(reader);
    usage.tokens_written = canon_get_u64(reader);
    usage.bytes_sent = canon_get_u64(reader);
    usage.images_sent = canon_get_u32(reader);
    return usage;
}

bool message_usage_equal(const message_usage *a, const message_usage *b)
{
    if (a->tokens_in != b->tokens_in || a->tokens_out != b->tokens_out)
        return false;
    if (a->tokens_cached != b->tokens_cached ||
        a->tokens_reasoning != b->tokens_reasoning)
        return false;
    if (a->tokens_written != b->tokens_written ||
        a->bytes_sent != b->bytes_sent)
        return false;
    if (a->images_sent != b->images_sent)
        return false;
    return a->cost_micros == b->cost_micros && a->calls == b->calls;
}

bool message_usage_is_zero(const message_usage *usage)
{
    static const message_usage zero;
    return message_usage_equal(usage, &zero);
}
