/* Which program this is: version and a hash of the sources. Two processes of
 * one build decide and compute alike. */
#ifndef ETNA_PROTO_BUILD_H
#define ETNA_PROTO_BUILD_H

const char *etna_build(void); /* "0.1.0+1a2b3c4d5e6f" */
/* Of the prompts that are compiled in, 64 hex digits. */
const char *etna_prompts_hash(void);
/* What was checked out when it was built: 40 hex digits, and "-dirty" where
 * files differed from it. NULL: it was built from no checkout. */
const char *etna_commit(void);

#endif
