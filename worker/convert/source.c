/* Names that Windows, Java and XML wrote, as paths beneath one place. */
#include "worker/convert/source.h"
#include "proto/array.h"
#include "proto/utf8.h"
#include "worker/gltf/bundle.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096
};
#define SOURCE_MAX \
    ((size_t)16 \
     << 30) /* bytes of all reads: an importer opens a file more than once */

/* With a drive, a scheme or a root: a place on the author's machine. */
static bool is_absolute(const char *name)
{
    size_t scheme = strspn(
        name,
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool has_scheme = scheme > 0 && name[scheme] == ':';
    return has_scheme || name[0] == '/' || name[0] == '\\';
}

/* Takes the last folder off a path of n bytes that ends with a slash. Returns
 * its bytes. */
static size_t path_go_up(const char *path, size_t n)
{
    n--; /* the slash */
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

/* Slashes forward, "." and "a/.." resolved by their letters; false when it is
 * too long or climbs out. */
static bool plain_path(const char *name, char to[PATH_BYTES])
{
    size_t n = 0;
    if (strlen(name) + 1 > PATH_BYTES)
        return false;
    while (*name) {
        size_t part = strcspn(name, "/\\");
        bool is_up = part == 2 && strncmp(name, "..", 2) == 0;
        bool is_here = part == 0 || (part == 1 && name[0] == '.');
        if (is_up) {
            if (n == 0)
                return false;
            n = path_go_up(to, n);
        } else if (!is_here) {
            memcpy(to + n, name, part);
            n += part;
            to[n++] = '/';
        }
        name += part + (name[part] != 0);
    }
    to[n > 0 ? n - 1 : 0] = 0;
    return n > 0;
}

/* The first one counts: later ones are often of the same mistake. */
static void source_refuse(source *s, const char *name)
{
    if (s->refusal.code)
        return;
    etna_fail(&s->refusal, ETNA_E_INPUT,
              "it names \"%.200s\", a file outside %s; copy it there", name,
              s->archive ? "the archive" : "the scene's folder");
}

static etna_code read_archived(source *s,
                               const char *path,
                               uint8_t **ret_data,
                               size_t *ret_size,
                               etna_error *err)
{
    char full[2 * PATH_BYTES];
    int n = snprintf(full, sizeof full, "%s%s", s->base, path);
    if (n < 0 || (size_t)n >= sizeof full)
        return etna_fail(err, ETNA_E_NOTFOUND, "the name is too long");
    return archive_read(s->archive, full, ret_data, ret_size, err);
}

/* The scene's own file may be a link, as the user named it; what it names may
 * not. */
static etna_code read_filed(source *s,
                            const char *path,
                            uint8_t **ret_data,
                            size_t *ret_size,
                            etna_error *err)
{
    bool is_own = s->own && strcmp(path, s->own) == 0;
    int fd = is_own ? openat(s->folder, path,
                             O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                    : bundle_open_beneath(s->folder, path);
    if (fd < 0)
        return etna_fail(err,
                         errno == EXDEV || errno == ELOOP ? ETNA_E_USAGE
                                                          : ETNA_E_NOTFOUND,
                         "%s", strerror(errno));
    etna_code code = bundle_read_file(fd, path, ret_data, ret_size, err);
    if (code == ETNA_OK)
        (*ret_data)[*ret_size] = 0; /* there is room: see bundle_read_file */
    return code;
}

/* Reads the plain path; what exceeds a bound is a refusal, what is not there is
 * not. */
static bool read_plain(source *s,
                       const char *name,
                       const char *path,
                       uint8_t **ret_data,
                       size_t *ret_size)
{
    etna_error err = {0};
    etna_code code = s->archive
                         ? read_archived(s, path, ret_data, ret_size, &err)
                         : read_filed(s, path, ret_data, ret_size, &err);
    if (code == ETNA_OK && *ret_size > SOURCE_MAX - s->taken) {
        free(*ret_data);
        code = etna_fail(&err, ETNA_E_LIMIT,
                         "reading it takes more than %zu bytes", SOURCE_MAX);
    }
    if (code == ETNA_E_USAGE)
        source_refuse(s, name); /* a link that leads outside */
    if ((code == ETNA_E_LIMIT || code == ETNA_E_NOMEM) && !s->refusal.code)
        s->refusal = err;
    if (code == ETNA_OK)
        s->taken += *ret_size;
    return code == ETNA_OK;
}

/* ---- UTF-16, as some Windows programs save text ---- */

static bool is_text(const char *name)
{
    static const char *const ends[] = {".obj", ".mtl", ".dae"};
    size_t n = strlen(name);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        if (n > 4 && strcasecmp(name + n - 4, ends[i]) == 0)
            return true;
    }
    return false;
}

typedef struct wide_text {
    const uint8_t *data;
    size_t size, at; /* in bytes */
    bool big;        /* the high byte comes first */
} wide_text;

static uint32_t wide_unit(const wide_text *w, size_t at)
{
    uint32_t first = w->data[at];
    uint32_t second = w->data[at + 1];
    return w->big ? first << 8 | second : second << 8 | first;
}

/* The next character; a lone half of a pair is U+FFFD. */
static uint32_t wide_next(wide_text *w)
{
    uint32_t unit = wide_unit(w, w->at);
    w->at += 2;
    if (unit < 0xd800 || unit > 0xdfff)
        return unit;
    uint32_t low =
        unit < 0xdc00 && w->at + 2 <= w->size ? wide_unit(w, w->at) : 0;
    if (low < 0xdc00 || low > 0xdfff)
        return 0xfffd;
    w->at += 2;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

/* XML that says it is UTF-16 is it no more. */
static void declare_utf8(uint8_t *data, size_t size)
{
    static const char wide[] = "UTF-16", plain[] = "UTF-8 ";
    size_t end = size < 200 ? size : 200;
    for (size_t i = 0; i + 6 <= end && data[i] != '>'; i++) {
        if (strncasecmp((const char *)data + i, wide, 6) == 0)
            memcpy(data + i, plain, 6);
    }
    uint8_t *quote = memmem(data, end, "UTF-8 \"", 7);
    if (quote)
        memcpy(quote, "UTF-8\" ", 7);
    quote = memmem(data, end, "UTF-8 '", 7);
    if (quote)
        memcpy(quote, "UTF-8' ", 7);
}

/* UTF-16 without a mark: four bytes of which every other one is 0, as ASCII has
 * it. */
static bool text_is_wide(const uint8_t *d, size_t size)
{
    if (size < 4 || (d[0] == 0) == (d[1] == 0))
        return false;
    return (d[0] == 0) == (d[2] == 0) && (d[1] == 0) == (d[3] == 0);
}

/* Text with a byte order mark, or that begins with an ASCII character of two
 * bytes, becomes UTF-8. False: no memory. */
static bool narrow_text(uint8_t **data, size_t *size)
{
    const uint8_t *d = *data;
    bool marked = *size >= 2 && (memcmp(d, "\xff\xfe", 2) == 0 ||
                                 memcmp(d, "\xfe\xff", 2) == 0);
    if (!marked && !text_is_wide(d, *size))
        return true;
    wide_text w = {.data = d, .size = *size - *size % 2, .at = marked ? 2 : 0};
    w.big = marked ? d[0] == 0xfe : d[0] == 0;
    uint8_t *made = malloc(w.size / 2 * 3 + 1);
    size_t used = 0;
    if (!made)
        return false;
    while (w.at < w.size)
        used += etna_utf8_put(wide_next(&w), (char *)made + used);
    made[used] = 0;
    declare_utf8(made, used);
    free(*data);
    *data = made;
    *size = used;
    return true;
}

/* A NUL stands behind the data in every case: parsers of text rely on it. */
bool source_read(source *s,
                 const char *name,
                 uint8_t **ret_data,
                 size_t *ret_size)
{
    char path[PATH_BYTES];
    uint8_t *data;
    size_t size;
    if (!name[0])
        return false;
    if (is_absolute(name) || !plain_path(name, path)) {
        source_refuse(s, name);
        return false;
    }
    if (!read_plain(s, name, path, &data, &size))
        return false;
    if (is_text(name) && !narrow_text(&data, &size)) {
        etna_fail(&s->refusal, ETNA_E_NOMEM, "no memory for its text");
        free(data);
        return false;
    }
    *ret_data = data;
    *ret_size = size;
    return true;
}

/* "%20" of a URI, in place. */
static void undo_percents(char *text)
{
    char *to = text;
    for (const char *c = text; *c; c++) {
        char hex[3] = {c[0] == '%' ? c[1] : 0, 0, 0};
        if (hex[0])
            hex[1] = c[2];
        if (isxdigit((unsigned char)hex[0]) &&
            isxdigit((unsigned char)hex[1]) && strcmp(hex, "00") != 0) {
            *to++ = (char)strtoul(hex, NULL, 16);
            c += 2;
        } else {
            *to++ = *c;
        }
    }
    *to = 0;
}

static bool read_last(source *s,
                      const char *name,
                      const char *last,
                      uint8_t **ret_data,
                      size_t *ret_size)
{
    static const char *const places[] = {"", "textures/"};
    char path[PATH_BYTES], plain[PATH_BYTES];
    for (size_t i = 0; last[0] && i < COUNT_OF(places); i++) {
        int n = snprintf(path, sizeof path, "%s%s", places[i], last);
        bool is_whole = n > 0 && (size_t)n < sizeof path;
        if (!is_whole || !plain_path(path, plain))
            continue;
        if (read_plain(s, name, plain, ret_data, ret_size))
            return true;
    }
    return false;
}

/* By the last part of the name; or by its last word, which is all that readers
 * take who end a name at a blank: files are made to suit them ("C:/pictures/old
 * rug.jpg" beside "rug.jpg"). */
static bool source_read_beside(source *s,
                               const char *name,
                               uint8_t **ret_data,
                               size_t *ret_size)
{
    const char *last = name + strlen(name);
    const char *word = strrchr(name, ' ');
    while (last > name && last[-1] != '/' && last[-1] != '\\')
        last--;
    if (read_last(s, name, last, ret_data, ret_size))
        return true;
    return word && word >= last &&
           read_last(s, name, word + 1, ret_data, ret_size);
}

/* As it is written first, then with percents undone: a file may really be
 * called "a%20b.png". */
static bool source_find_picture(source *s,
                                const char *name,
                                uint8_t **ret_data,
                                size_t *ret_size)
{
    char path[PATH_BYTES], decoded[PATH_BYTES];
    if (!name[0] || strlen(name) + 1 > sizeof decoded)
        return false;
    strcpy(decoded, name);
    for (int attempt = 0; attempt < 2; attempt++) {
        bool inside = !is_absolute(decoded) && plain_path(decoded, path);
        if (inside && read_plain(s, name, path, ret_data, ret_size))
            return true;
        if (source_read_beside(s, decoded, ret_data, ret_size))
            return true;
        if (!strchr(decoded, '%'))
            return false;
        undo_percents(decoded);
    }
    return false;
}

/* A picture that is not to be had is a warning, wherever its name leads:
 * nothing outside is opened. */
bool source_read_picture(source *s,
                         const char *name,
                         uint8_t **ret_data,
                         size_t *ret_size)
{
    bool was_fine = s->refusal.code == ETNA_OK;
    bool found = source_find_picture(s, name, ret_data, ret_size);
    if (was_fine && s->refusal.code == ETNA_E_INPUT)
        s->refusal = (etna_error){0};
    return found;
}

/* A drive's letter is no scheme: "C:" is not the beginning of an address. */
static bool source_is_address(const char *name)
{
    const char *slashes = strstr(name, "://");
    bool is_file = strncasecmp(name, "file:", 5) == 0;
    return slashes && slashes > name + 1 && !is_file;
}

const char *source_missing_picture(const source *s, const char *name)
{
    char path[PATH_BYTES];
    if (source_is_address(name))
        return "is an address, and nothing is fetched from the network";
    if (!is_absolute(name) && plain_path(name, path))
        return "is not there";
    return s->archive ? "lies outside the archive"
                      : "lies outside the scene's folder (copy it there)";
}

bool source_ends_with(const char *name, const char *end)
{
    size_t size = strlen(name);
    size_t end_size = strlen(end);
    return size > end_size && strcasecmp(name + size - end_size, end) == 0;
}
