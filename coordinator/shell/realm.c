/* The file is text, so that an administrator can see what it is; its first line
 * is its version. */
#include "coordinator/shell/realm.h"
#include "proto/secret_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    REALM_FILE_MAX = 1024,
    PATH_ROOM = 4096,
    NAME_BYTES = 16
};

static const char realm_what[] = "the realm's secrets";

void realm_forget(realm *r)
{
    seal_forget(r, sizeof *r);
}

static etna_code realm_path(const char *store_path,
                            char path[PATH_ROOM],
                            etna_error *err)
{
    int n = snprintf(path, PATH_ROOM, "%s/realm", store_path);
    if (n < 0 || n >= PATH_ROOM)
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    return ETNA_OK;
}

static void realm_key_hex(const seal_key *key, char text[65])
{
    etna_hash bytes;
    memcpy(bytes.bytes, key->bytes, SEAL_KEY);
    etna_hash_hex(&bytes, text);
    seal_forget(&bytes, sizeof bytes);
}

static bool realm_key_parse(const char *text, seal_key *ret)
{
    etna_hash bytes;
    if (!etna_hash_parse(text, &bytes))
        return false;
    memcpy(ret->bytes, bytes.bytes, SEAL_KEY);
    seal_forget(&bytes, sizeof bytes);
    return true;
}

/* Whole or not at all (secret_file.h). Every copy of a secret on the stack is
 * wiped. */
static etna_code realm_write(const char *path, const realm *r, etna_error *err)
{
    char text[REALM_FILE_MAX], secret[65], before[65];
    realm_key_hex(&r->secret, secret);
    realm_key_hex(&r->before, before);
    int size = snprintf(
        text, sizeof text,
        "etna-realm 1\nname %s\ngeneration %u\nsecret %s\nbefore %s\n", r->name,
        (unsigned)r->generation, secret, r->has_before ? before : "none");
    etna_code code =
        secret_file_write(path, realm_what, text, (size_t)size, err);
    seal_forget(text, sizeof text);
    seal_forget(secret, sizeof secret);
    seal_forget(before, sizeof before);
    return code;
}

/* The field widths of the format bound what is copied. */
static bool realm_parse(const char *text, realm *ret)
{
    char name[SEAL_REALM_MAX + 1], secret[65], before[65];
    unsigned generation = 0;
    int found = sscanf(
        text,
        "etna-realm 1\nname %64[0-9a-f]\ngeneration %u\nsecret %64[0-9a-f]\nbefore %64[0-9a-z]\n",
        name, &generation, secret, before);
    bool known =
        found == 4 && generation > 0 && realm_key_parse(secret, &ret->secret);
    if (known) {
        strcpy(ret->name, name);
        ret->generation = generation;
        ret->has_before = strcmp(before, "none") != 0;
        known = !ret->has_before || realm_key_parse(before, &ret->before);
    }
    seal_forget(secret, sizeof secret);
    seal_forget(before, sizeof before);
    return known;
}

static etna_code realm_read_at(const char *path, realm *ret, etna_error *err)
{
    char text[REALM_FILE_MAX];
    realm r = {.name = ""};
    size_t size = 0;
    if (access(path, F_OK) && errno == ENOENT)
        return etna_fail(
            err, ETNA_E_NOTFOUND,
            "%.300s: there are no tokens yet: no coordinator has listened over TCP",
            path);
    etna_code code =
        secret_file_read(path, realm_what, text, sizeof text - 1, &size, err);
    if (code)
        return code;
    text[size] = 0;
    bool known = !memchr(text, 0, size) && realm_parse(text, &r);
    seal_forget(text, sizeof text);
    if (known)
        *ret = r;
    realm_forget(&r);
    if (known)
        return ETNA_OK;
    return etna_fail(err, ETNA_E_CORRUPT,
                     "%.300s is damaged; remove it, and all tokens are new",
                     path);
}

etna_code realm_read(const char *store_path, realm *ret, etna_error *err)
{
    char path[PATH_ROOM];
    etna_code code = realm_path(store_path, path, err);
    return code ? code : realm_read_at(path, ret, err);
}

static etna_code realm_secret_new(seal_key *ret, etna_error *err)
{
    if (seal_random(ret->bytes))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_IO, "the system gives no random numbers");
}

etna_code realm_open(const char *store_path, realm *ret, etna_error *err)
{
    char path[PATH_ROOM], digits[65];
    realm r = {.generation = 1};
    seal_key name;
    etna_code code = realm_path(store_path, path, err);
    if (!code)
        code = realm_read_at(path, ret, err);
    if (code != ETNA_E_NOTFOUND)
        return code;
    code = realm_secret_new(&name, err);
    if (!code)
        code = realm_secret_new(&r.secret, err);
    if (code)
        return code;
    realm_key_hex(&name, digits);
    memcpy(r.name, digits, 2 * NAME_BYTES);
    code = realm_write(path, &r, err);
    if (!code)
        *ret = r;
    realm_forget(&r);
    return code;
}

etna_code realm_rotate(const char *store_path, realm *ret, etna_error *err)
{
    char path[PATH_ROOM];
    realm r;
    etna_code code = realm_path(store_path, path, err);
    if (!code)
        code = realm_read_at(path, &r, err);
    if (code)
        return code;
    r.before = r.secret;
    r.has_before = true;
    r.generation++;
    code = realm_secret_new(&r.secret, err);
    if (!code)
        code = realm_write(path, &r, err);
    if (!code)
        *ret = r;
    realm_forget(&r);
    return code;
}

bool realm_token(const realm *r,
                 seal_role role,
                 uint32_t generation,
                 seal_key *ret)
{
    const seal_key *secret = NULL;
    if (generation == r->generation)
        secret = &r->secret;
    if (r->has_before && generation + 1 == r->generation)
        secret = &r->before;
    if (!secret || role == SEAL_NOBODY || role >= SEAL_ROLE_COUNT)
        return false;
    *ret = seal_token(secret, r->name, role);
    return true;
}

void realm_join(const realm *r, const char *endpoint, join *ret)
{
    join j = {.generation = r->generation};
    snprintf(j.endpoint, sizeof j.endpoint, "%s", endpoint);
    strcpy(j.realm, r->name);
    for (int role = SEAL_WORKER; role < SEAL_ROLE_COUNT; role++)
        j.given[role] =
            realm_token(r, (seal_role)role, r->generation, &j.tokens[role]);
    *ret = j;
    join_forget(&j);
}
