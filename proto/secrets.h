/* A process that may hold a key leaves no core and cannot be looked into by
 * others of the same user. */
#ifndef ETNA_PROTO_SECRETS_H
#define ETNA_PROTO_SECRETS_H

/* Call it before a secret is read. RLIMIT_CORE becomes 0, which children
 * inherit, and PR_SET_DUMPABLE 0, which they do not. */
void guard_secrets(void);

#endif
