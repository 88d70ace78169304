/* One message of every kind and one payload of every kind, every field filled:
 * what the tests of this folder send around. */
#ifndef ETNA_TESTS_PROTO_SAMPLE_H
#define ETNA_TESTS_PROTO_SAMPLE_H

#include "proto/arrange.h"
#include "proto/message.h"

etna_hash sample_hash(uint8_t first);
message sample_message(message_kind kind);
arrange_config sample_config(void);
arrange_task sample_task(void);
arrange_result sample_result(void);

#endif
