/* How NNG speaks TLS for us: by mbedTLS, as its own engine does, but a message
 * in one record. NNG hands over the length, the header and the body of a
 * message one by one, and its own engine makes a record of each, with a write
 * and a wake-up on both sides. */
#ifndef ETNA_PROTO_DIAL_ENGINE_INTERNAL_H
#define ETNA_PROTO_DIAL_ENGINE_INTERNAL_H

/* From here on NNG's new configurations are spoken by it, in the whole process.
 * Called when NNG has begun, so with a socket open; as often as one likes, on
 * any thread. An NNG that has no such engines goes on with its own. */
void engine_use(void);

#endif
