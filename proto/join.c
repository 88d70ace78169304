/* See join.h. Read into one buffer of known size and taken apart by hand, so
 * that no library keeps copies of tokens. */
#include "proto/join.h"
#include "proto/ascii.h"
#include "proto/place.h"
#include "proto/secret_file.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void join_forget(join *j)
{
    seal_forget(j, sizeof *j);
}

seal_role join_looker(const join *j)
{
    if (j->given[SEAL_SUBMITTER])
        return SEAL_SUBMITTER;
    return j->given[SEAL_VIEWER] ? SEAL_VIEWER : SEAL_NOBODY;
}

/* ---- text ---- */

static etna_code join_refuse(etna_error *err, const char *what)
{
    return etna_fail(
        err, ETNA_E_USAGE,
        "this is no join file: %s; have a new one written: etna join", what);
}

/* A token's 64 hex digits are read as a hash's are; the copy is forgotten. */
static bool join_take_token(join *j, seal_role role, const char *value)
{
    etna_hash bytes;
    if (!etna_hash_parse(value, &bytes))
        return false;
    memcpy(j->tokens[role].bytes, bytes.bytes, SEAL_KEY);
    seal_forget(&bytes, sizeof bytes);
    j->given[role] = true;
    return true;
}

static bool join_take_number(uint32_t *into, const char *value)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    /* strtoul takes blanks and signs, too */
    bool is_number = ascii_is_digit(value[0]) && !*end;
    if (!is_number || errno || number > UINT32_MAX)
        return false;
    *into = (uint32_t)number;
    return true;
}

static bool join_take_text(char *into, size_t room, const char *value)
{
    size_t size = strlen(value);
    if (!size || size >= room)
        return false;
    memcpy(into, value, size + 1);
    return true;
}

/* A line, which ends with 0. False: its value is wrong. */
static bool join_take_line(join *j, char *line)
{
    char *value = strchr(line, ' ');
    if (!value)
        return true;
    *value++ = 0;
    if (!strcmp(line, "connect"))
        return join_take_text(j->endpoint, sizeof j->endpoint, value);
    if (!strcmp(line, "elsewhere"))
        return join_take_text(j->elsewhere, sizeof j->elsewhere, value);
    if (!strcmp(line, "realm"))
        return join_take_text(j->realm, sizeof j->realm, value);
    if (!strcmp(line, "generation"))
        return join_take_number(&j->generation, value);
    for (int role = SEAL_WORKER; role < SEAL_ROLE_COUNT; role++) {
        if (!strcmp(line, seal_role_name((seal_role)role)))
            return join_take_token(j, (seal_role)role, value);
    }
    return true;
}

/* From its head to its end: what was cut off on the way would be told as
 * another coordinator's. False: it is none. */
static bool join_take_certificate(join *j, const char *value)
{
    static const char head[] = "-----BEGIN CERTIFICATE-----\n",
                      end[] = "\n-----END CERTIFICATE-----\n";
    size_t size = strlen(value);
    return size >= sizeof head + sizeof end - 2 &&
           !strncmp(value, head, sizeof head - 1) &&
           !strcmp(value + size - (sizeof end - 1), end) &&
           join_take_text(j->certificate, sizeof j->certificate, value);
}

/* Ends of lines as some mails and editors have them, and a mark of UTF-8. */
static void join_mend_text(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *from =
        text + (strncmp(text, mark, sizeof mark - 1) ? 0 : sizeof mark - 1);
    char *to = text;
    for (; *from; from++) {
        if (from[0] == '\r' && from[1] == '\n')
            continue;
        *to++ = *from;
    }
    seal_forget(to, (size_t)(from - to) + 1);
}

/* `text` has a byte more than its size, a 0. */
static etna_code join_take_lines(char *text, join *j, etna_error *err)
{
    static const char head[] = "etna-join 1\n";
    if (strncmp(text, head, sizeof head - 1) != 0)
        return join_refuse(err, "its first line is not \"etna-join 1\"");
    for (char *line = text, *next; *line; line = next) {
        size_t size = strcspn(line, "\n");
        next = line + size + (line[size] != 0);
        line[size] = 0;
        if (!strcmp(line, "certificate")) {
            if (!join_take_certificate(j, next))
                return join_refuse(err, "its certificate is not whole");
            break;
        }
        if (!join_take_line(j, line))
            return join_refuse(err, "a line of it has a wrong value");
    }
    if (!j->endpoint[0])
        return join_refuse(err, "it does not say where to connect");
    if (!j->realm[0])
        return join_refuse(err, "it names no realm");
    if (!strncmp(j->endpoint, "tls+tcp://", 10) && !j->certificate[0])
        return join_refuse(
            err, "its address is one of TLS, and it has no certificate");
    return ETNA_OK;
}

etna_code join_parse(const char *text, size_t size, join *ret, etna_error *err)
{
    char copy[JOIN_FILE_MAX + 1];
    join j = {.endpoint = ""};
    if (size > JOIN_FILE_MAX)
        return join_refuse(err, "it is too long");
    if (memchr(text, 0, size) || !etna_utf8_valid(text, size))
        return join_refuse(err, "it is not text");
    memcpy(copy, text, size);
    copy[size] = 0;
    join_mend_text(copy);
    etna_code code = join_take_lines(copy, &j, err);
    if (!code)
        *ret = j;
    seal_forget(copy, sizeof copy);
    join_forget(&j);
    return code;
}

static size_t join_format_token(const join *j,
                                seal_role role,
                                char *text,
                                size_t size)
{
    char digits[65];
    etna_hash bytes;
    memcpy(bytes.bytes, j->tokens[role].bytes, SEAL_KEY);
    etna_hash_hex(&bytes, digits);
    int n = snprintf(text, size, "%s %s\n", seal_role_name(role), digits);
    seal_forget(digits, sizeof digits);
    seal_forget(&bytes, sizeof bytes);
    return (size_t)n;
}

size_t join_format(const join *j, char *text, size_t size)
{
    size_t at = (size_t)snprintf(
        text, size, "etna-join 1\nconnect %s\nrealm %s\ngeneration %u\n",
        j->endpoint, j->realm, (unsigned)j->generation);
    if (j->elsewhere[0] && at < size)
        at += (size_t)snprintf(text + at, size - at, "elsewhere %s\n",
                               j->elsewhere);
    for (int role = SEAL_WORKER; role < SEAL_ROLE_COUNT && at < size; role++) {
        if (j->given[role])
            at += join_format_token(j, (seal_role)role, text + at, size - at);
    }
    if (j->certificate[0] && at < size)
        at += (size_t)snprintf(text + at, size - at, "certificate\n%s",
                               j->certificate);
    return at < size ? at : 0;
}

/* ---- files ---- */

static const char join_what[] = "the join file";

etna_code join_read(const char *path, join *ret, etna_error *err)
{
    char text[JOIN_FILE_MAX];
    size_t size = 0;
    etna_code code =
        secret_file_read(path, join_what, text, sizeof text, &size, err);
    if (code)
        return code;
    code = join_parse(text, size, ret, err);
    if (code)
        etna_error_prefix(err, "%.300s", path);
    seal_forget(text, sizeof text);
    return code;
}

etna_code join_write(const char *path, const join *j, etna_error *err)
{
    char text[JOIN_FILE_MAX];
    size_t size = join_format(j, text, sizeof text);
    etna_code code = size ? secret_file_write(path, join_what, text, size, err)
                          : etna_fail(err, ETNA_E_INTERNAL,
                                      "a join file is longer than it may be");
    seal_forget(text, sizeof text);
    return code;
}

/* ---- addresses ---- */

/* The address that was given, with the tokens and the certificate of the
 * store's own join file. Whether it is TLS follows from that file and not from
 * what was typed: with a certificate, "tcp://" means TLS as well. */
static etna_code join_find_in_store(const char *connect,
                                    const char *store,
                                    join *ret,
                                    etna_error *err)
{
    char path[4096];
    etna_code code =
        place_of_store(store, path, sizeof path - sizeof "/join", NULL);
    if (!code)
        strcat(path, "/join");
    if (code || access(path, F_OK)) {
        return etna_fail(
            err, ETNA_E_USAGE,
            "%.200s: this coordinator wants a join file: --connect @FILE (it stands as \"join\" in the "
            "coordinator's store)",
            connect);
    }
    join found;
    code = join_read(path, &found, err);
    if (code)
        return code;
    const char *host = strstr(connect, "://") + 3;
    int n = snprintf(found.endpoint, sizeof found.endpoint, "%s://%s",
                     found.certificate[0] ? "tls+tcp" : "tcp", host);
    bool fits = n > 0 && (size_t)n < sizeof found.endpoint;
    bool wants_tls =
        !found.certificate[0] && !strncmp(connect, "tls+tcp://", 10);
    if (!fits)
        code = etna_fail(err, ETNA_E_USAGE, "an address of %zu bytes is none",
                         strlen(connect));
    if (wants_tls)
        code = etna_fail(
            err, ETNA_E_USAGE,
            "%.200s: the join file %.200s has no certificate, which TLS wants",
            connect, path);
    if (!code)
        *ret = found;
    join_forget(&found);
    return code;
}

etna_code join_find(const char *connect,
                    const char *store,
                    join *ret,
                    etna_error *err)
{
    if (connect[0] == '@')
        return join_read(connect + 1, ret, err);
    if (strlen(connect) >= JOIN_ENDPOINT_MAX)
        return etna_fail(err, ETNA_E_USAGE, "an address of %zu bytes is none",
                         strlen(connect));
    bool is_tcp =
        !strncmp(connect, "tcp://", 6) || !strncmp(connect, "tls+tcp://", 10);
    if (is_tcp)
        return join_find_in_store(connect, store, ret, err);
    *ret = (join){.endpoint = ""};
    strcpy(ret->endpoint, connect);
    return ETNA_OK;
}
