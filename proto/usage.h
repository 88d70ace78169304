/* Tokens and money of model calls: their sum, and their canonical bytes, which
 * the journal, the store's replies and a kept answer share. */
#ifndef ETNA_PROTO_USAGE_H
#define ETNA_PROTO_USAGE_H

#include "proto/canon.h"
#include "proto/message.h"

/* Adds number by number; nothing is checked for overflow. */
void message_usage_add(message_usage *sum, const message_usage *more);
bool message_usage_equal(const message_usage *a, const message_usage *b);
/* Nothing was asked or paid for: every member is 0. */
bool message_usage_is_zero(const message_usage *usage);

/* Tokens in, out, cached and reasoning, cost, calls, tokens written, bytes
 * sent: u64 but for the calls (FORMAT.md). */
void canon_usage(canon_writer *writer, const message_usage *usage);
/* What canon_usage wrote; zeros, and the reader failed, where that is not
 * there. */
message_usage canon_get_usage(canon_reader *reader);

#endif
