/* Local headers, a central directory, its end: PKWARE's APPNOTE 4.3, without
 * extras. */
#include "tests/support/zip_builder.h"

#include <stdlib.h>
#include <string.h>

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put(uint8_t **to, size_t *size, const void *data, size_t count)
{
    uint8_t *grown = realloc(*to, *size + count + 1);
    if (!grown)
        abort();
    if (count)
        memcpy(grown + *size, data, count);
    *to = grown;
    *size += count;
}

static void put_number(uint8_t **to, size_t *size, uint32_t value, int bytes)
{
    uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8),
                      (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    put(to, size, raw, (size_t)bytes);
}

/* What both headers of an entry say. */
static void put_facts(uint8_t **to,
                      size_t *size,
                      const char *name,
                      uint32_t crc,
                      uint32_t packed,
                      uint32_t said,
                      unsigned method)
{
    put_number(to, size, 20, 2);
    put_number(to, size, 0, 2);
    put_number(to, size, method, 2);
    put_number(to, size, 0x00210000, 4);
    put_number(to, size, crc, 4);
    put_number(to, size, packed, 4);
    put_number(to, size, said, 4);
    put_number(to, size, (uint32_t)strlen(name), 2);
    put_number(to, size, 0, 2);
}

void zip_builder_add_raw(zip_builder *z,
                         const char *name,
                         const void *data,
                         size_t size,
                         uint32_t said,
                         unsigned method)
{
    uint32_t crc = crc32_of(data, size), offset = (uint32_t)z->local_size;
    put_number(&z->local, &z->local_size, 0x04034b50, 4);
    put_facts(&z->local, &z->local_size, name, crc, (uint32_t)size, said,
              method);
    put(&z->local, &z->local_size, name, strlen(name));
    put(&z->local, &z->local_size, data, size);
    put_number(&z->central, &z->central_size, 0x02014b50, 4);
    put_number(&z->central, &z->central_size, 20, 2);
    put_facts(&z->central, &z->central_size, name, crc, (uint32_t)size, said,
              method);
    put_number(&z->central, &z->central_size, 0, 4); /* comment, disk */
    put_number(&z->central, &z->central_size, 0, 2);
    put_number(&z->central, &z->central_size, 0, 4);
    put_number(&z->central, &z->central_size, offset, 4);
    put(&z->central, &z->central_size, name, strlen(name));
    z->count++;
}

void zip_builder_add(zip_builder *z,
                     const char *name,
                     const void *data,
                     size_t size)
{
    zip_builder_add_raw(z, name, data, size, (uint32_t)size, 0);
}

uint8_t *zip_builder_finish(zip_builder *z, size_t *ret_size)
{
    uint32_t begin = (uint32_t)z->local_size,
             length = (uint32_t)z->central_size;
    put(&z->local, &z->local_size, z->central, z->central_size);
    put_number(&z->local, &z->local_size, 0x06054b50, 4);
    put_number(&z->local, &z->local_size, 0, 4);
    put_number(&z->local, &z->local_size, z->count, 2);
    put_number(&z->local, &z->local_size, z->count, 2);
    put_number(&z->local, &z->local_size, length, 4);
    put_number(&z->local, &z->local_size, begin, 4);
    put_number(&z->local, &z->local_size, 0, 2);
    uint8_t *data = z->local;
    *ret_size = z->local_size;
    free(z->central);
    *z = (zip_builder){0};
    return data;
}
