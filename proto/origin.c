/* See origin.h. */
#include "proto/origin.h"
#include "proto/hash.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>

origin_salt origin_draw(void)
{
    /* without random bytes hosts are told apart all the same */
    origin_salt salt = {{0}};
    (void)!getrandom(salt.bytes, sizeof salt.bytes, GRND_NONBLOCK);
    return salt;
}

/* The bytes of an address that are its host's; 0: it is of another kind. */
static size_t origin_bytes(const struct sockaddr_storage *address,
                           uint8_t ret[8])
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    if (address->ss_family == AF_INET) {
        memcpy(ret, &four->sin_addr, 4);
        return 4;
    }
    if (address->ss_family != AF_INET6)
        return 0;
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
        memcpy(ret, six->sin6_addr.s6_addr + 12, 4);
        return 4;
    }
    memcpy(ret, six->sin6_addr.s6_addr, 8);
    return 8;
}

uint8_t origin_of(const origin_salt *salt,
                  const struct sockaddr_storage *address)
{
    uint8_t host[8], salted[sizeof salt->bytes + sizeof host];
    size_t size = origin_bytes(address, host);
    if (size == 0)
        return 0;
    memcpy(salted, salt->bytes, sizeof salt->bytes);
    memcpy(salted + sizeof salt->bytes, host, size);
    return etna_hash_bytes(salted, sizeof salt->bytes + size).bytes[0];
}
