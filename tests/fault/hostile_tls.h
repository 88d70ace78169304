/* TLS before the hostile server's plain sockets; without GnuTLS at build time
 * there is none. */
#ifndef ETNA_TESTS_FAULT_HOSTILE_TLS_H
#define ETNA_TESTS_FAULT_HOSTILE_TLS_H

#include <stdbool.h>

/* "CERT,KEY": files. False: they are none, or there is no TLS here */
bool tls_load(const char *cert_and_key);
/* takes `fd` over; the plain end of it, or -1 */
int tls_open(int fd);

#endif
