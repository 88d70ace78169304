/* A process that may hold a key leaves no core and cannot be looked into by
 * others of the same user. */
#ifndef ETNA_PROTO_SECRETS_H
#define ETNA_PROTO_SECRETS_H

/* RLIMIT_CORE 0 (children have it, too), PR_SET_DUMPABLE 0 */
void guard_secrets(void);

#endif
