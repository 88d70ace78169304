/* Where peers come from, so that those of one host can be told from those of
 * others: who must turn some away turns away of whom most are there. */
#ifndef ETNA_PROTO_ORIGIN_H
#define ETNA_PROTO_ORIGIN_H

#include <stdint.h>
#include <sys/socket.h>

enum {
    ORIGINS = 256
};

/* Drawn once for a listener, so that nobody can choose whom it shares a number
 * with. */
typedef struct origin_salt {
    uint8_t bytes[16];
} origin_salt;

origin_salt origin_draw(void);
/* A number below ORIGINS for the host of an address: an IPv4 address, also where
 * it is written as one of IPv6, or the network (/64) of an IPv6 one, since a host
 * may have all of these. 0 is that of all other kinds. Some hosts share one. */
uint8_t origin_of(const origin_salt *salt,
                  const struct sockaddr_storage *address);

#endif
