/* The bounds around libzip. */
#include "worker/convert/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

struct archive {
    zip_t *zip;
    size_t unpacked;
};

/* Absolute, with a drive, with "..", or with a backslash: a place outside on
 * some system. */
static bool archive_leads_out(const char *name)
{
    bool has_drive = name[0] && name[1] == ':';
    if (name[0] == '/' || has_drive || strchr(name, '\\'))
        return true;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return true;
    }
    return false;
}

/* Names are checked at the beginning and for all entries: an archive that tries
 * once is not trusted at all. */
static etna_code check_entries(archive *a, etna_error *err)
{
    zip_int64_t count = zip_get_num_entries(a->zip, 0);
    if (count < 0 || count > ARCHIVE_ENTRIES_MAX) {
        return etna_fail(err, ETNA_E_LIMIT,
                         "the archive has %lld entries; %d are read at most",
                         (long long)count, ARCHIVE_ENTRIES_MAX);
    }
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(a->zip, (zip_uint64_t)i, 0);
        if (!name)
            return etna_fail(err, ETNA_E_INPUT,
                             "entry %lld of the archive has no name",
                             (long long)i);
        if (archive_leads_out(name)) {
            return etna_fail(
                err, ETNA_E_INPUT,
                "entry %lld of the archive, \"%.150s\", names a place outside it",
                (long long)i, name);
        }
    }
    return ETNA_OK;
}

/* 22 bytes are the end record of an empty archive. */
etna_code archive_open(const uint8_t *data,
                       size_t size,
                       archive **ret,
                       etna_error *err)
{
    zip_error_t why;
    archive *a = size >= 22 ? calloc(1, sizeof *a)
                            /* libzip takes nothing at all for an empty
                             * archive */
                            : NULL;
    if (size < 22)
        return etna_fail(err, ETNA_E_INPUT,
                         "not a ZIP archive: %zu bytes are too few", size);
    if (!a)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for an archive");
    zip_error_init(&why);
    zip_source_t *source = zip_source_buffer_create(data, size, 0, &why);
    a->zip = source ? zip_open_from_source(source, ZIP_RDONLY, &why) : NULL;
    etna_code code = a->zip
                         ? check_entries(a, err)
                         : etna_fail(err, ETNA_E_INPUT,
                                     "not a ZIP archive, or a damaged one: %s",
                                     zip_error_strerror(&why));
    if (!a->zip && source)
        zip_source_free(source);
    zip_error_fini(&why);
    if (code != ETNA_OK) {
        archive_close(a);
        return code;
    }
    *ret = a;
    return ETNA_OK;
}

void archive_close(archive *a)
{
    if (a && a->zip)
        zip_discard(a->zip);
    free(a);
}

uint32_t archive_count(const archive *a)
{
    return (uint32_t)zip_get_num_entries(a->zip, 0);
}

const char *archive_name(const archive *a, uint32_t index)
{
    return zip_get_name(a->zip, index, 0);
}

/* Reads until the entry ends or `room` bytes are there. */
static etna_code archive_read_entry(zip_file_t *file,
                                    const char *name,
                                    uint8_t *data,
                                    size_t room,
                                    size_t *ret_size,
                                    etna_error *err)
{
    size_t size = 0;
    while (size < room) {
        zip_int64_t n = zip_fread(file, data + size, room - size);
        if (n < 0)
            return etna_fail(err, ETNA_E_INPUT,
                             "\"%.150s\" of the archive is damaged: %s", name,
                             zip_file_strerror(file));
        if (n == 0)
            break;
        size += (size_t)n;
    }
    *ret_size = size;
    return ETNA_OK;
}

/* Reads on until the entry ends: what its header says of its size is no
 * promise. */
static etna_code archive_unpack(zip_file_t *file,
                                const char *name,
                                size_t said,
                                size_t most,
                                uint8_t **ret_data,
                                size_t *ret_size,
                                etna_error *err)
{
    size_t room = said < most ? said + 1 : most + 1;
    size_t size = 0; /* one more shows what is longer than it says */
    uint8_t *data = malloc(room + 1);
    if (!data)
        return etna_fail(err, ETNA_E_NOMEM,
                         "no memory for \"%.150s\" of the archive", name);
    etna_code code = archive_read_entry(file, name, data, room, &size, err);
    if (code == ETNA_OK && size == room) {
        code = etna_fail(
            err, ETNA_E_LIMIT,
            "\"%.150s\" of the archive unpacks to more than the %zu bytes %s",
            name, room - 1,
            said < most ? "that its header says" : "that are read");
    }
    if (code != ETNA_OK) {
        free(data);
        return code;
    }
    data[size] = 0;
    *ret_data = data;
    *ret_size = size;
    return ETNA_OK;
}

/* Bounds for each entry and for all reads together, so that a bomb of many
 * small entries ends, too. */
etna_code archive_read(archive *a,
                       const char *name,
                       uint8_t **ret_data,
                       size_t *ret_size,
                       etna_error *err)
{
    zip_stat_t st;
    zip_int64_t index = zip_name_locate(a->zip, name, 0);
    if (index < 0 || zip_stat_index(a->zip, (zip_uint64_t)index, 0, &st) != 0) {
        return etna_fail(err, ETNA_E_NOTFOUND, "the archive has no \"%.200s\"",
                         name);
    }
    size_t left = ARCHIVE_TOTAL_MAX - a->unpacked;
    size_t most = left < ARCHIVE_ENTRY_MAX ? left : ARCHIVE_ENTRY_MAX;
    if (!(st.valid & ZIP_STAT_SIZE) || st.size > most) {
        return etna_fail(
            err, ETNA_E_LIMIT,
            "\"%.150s\" of the archive unpacks to %llu bytes; %zu are read at most",
            name, (unsigned long long)st.size, most);
    }
    zip_file_t *file = zip_fopen_index(a->zip, (zip_uint64_t)index, 0);
    if (!file) {
        return etna_fail(err, ETNA_E_INPUT,
                         "\"%.150s\" of the archive cannot be read: %s", name,
                         zip_strerror(a->zip));
    }
    etna_code code = archive_unpack(file, name, (size_t)st.size, most, ret_data,
                                    ret_size, err);
    zip_fclose(file);
    if (code == ETNA_OK)
        a->unpacked += *ret_size;
    return code;
}
