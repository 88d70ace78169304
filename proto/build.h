/* Which program this is: version and a hash of the sources. Two processes of
 * one build decide and compute alike. */
#ifndef ETNA_PROTO_BUILD_H
#define ETNA_PROTO_BUILD_H

const char *etna_build(void); /* "0.1.0+1a2b3c4d5e6f" */

#endif
