/* See tokens.h. */
#include "coordinator/shell/tokens.h"
#include "coordinator/shell/certificate.h"
#include "proto/dial/dial.h"
#include "proto/secrets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    PATH_ROOM = 4096
};

struct tokens {
    tokens_options options;
    char join_at[PATH_ROOM]; /* "@" and the path of the store's join file */
    char realm_path[PATH_ROOM];
    struct timespec written; /* the realm's file, when last read */
    ino_t file;
    uint32_t generation;
    gate *gate;
    bool has_certificate;
    certificate certificate;
};

bool tokens_are_wanted(const char *url)
{
    return strncmp(url, "ipc://", 6) != 0;
}

const char *tokens_certificate(const tokens *t)
{
    return t->has_certificate ? t->certificate.whole : NULL;
}

gate *tokens_gate(tokens *t)
{
    return t->gate;
}

const char *tokens_for_children(const tokens *t)
{
    return t->join_at;
}

/* True the first time, and when the file is another one than before. */
static bool tokens_have_changed(tokens *t)
{
    struct stat now;
    if (stat(t->realm_path, &now))
        return false;
    bool same = now.st_ino == t->file &&
                now.st_mtim.tv_sec == t->written.tv_sec &&
                now.st_mtim.tv_nsec == t->written.tv_nsec;
    t->file = now.st_ino;
    t->written = now.st_mtim;
    return !same;
}

static etna_code tokens_write(const tokens *t, const realm *r, etna_error *err)
{
    join j;
    realm_join(r, t->options.address->here, &j);
    if (t->has_certificate)
        strcpy(j.certificate, t->certificate.shown);
    if (strcmp(t->options.address->here, t->options.address->there) != 0)
        strcpy(j.elsewhere, t->options.address->there);
    etna_code code = join_write(t->join_at + 1, &j, err);
    strcpy(j.endpoint, t->options.address->there);
    j.elsewhere[0] = 0;
    if (!code && t->options.join_path)
        code = join_write(t->options.join_path, &j, err);
    join_forget(&j);
    return code;
}

static etna_code tokens_certify(tokens *t, etna_error *err)
{
    t->has_certificate = dial_is_tls(t->options.address->listen);
    return t->has_certificate
               ? certificate_open(t->options.store_path, &t->certificate, err)
               : ETNA_OK;
}

static etna_code tokens_begin(tokens *t, etna_error *err)
{
    realm r;
    etna_code code = tokens_certify(t, err);
    if (code)
        return code;
    code = realm_open(t->options.store_path, &r, err);
    if (code)
        return code;
    tokens_have_changed(t);
    t->generation = r.generation;
    t->gate = gate_new(&r, t->options.epoch);
    if (!t->gate)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for the tokens");
    if (!code)
        code = tokens_write(t, &r, err);
    realm_forget(&r);
    return code;
}

etna_code tokens_open(const tokens_options *options,
                      tokens **ret,
                      etna_error *err)
{
    tokens *t = calloc(1, sizeof *t);
    if (!t)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for the tokens");
    t->options = *options;
    guard_secrets();
    snprintf(t->join_at, sizeof t->join_at, "@%s/join", options->store_path);
    snprintf(t->realm_path, sizeof t->realm_path, "%s/realm",
             options->store_path);
    etna_code code = tokens_begin(t, err);
    if (code) {
        tokens_close(t);
        return code;
    }
    *ret = t;
    return ETNA_OK;
}

void tokens_close(tokens *t)
{
    if (!t)
        return;
    gate_free(t->gate);
    certificate_forget(&t->certificate);
    free(t);
}

void tokens_look(tokens *t)
{
    realm r;
    if (!tokens_have_changed(t) || realm_read(t->options.store_path, &r, NULL))
        return;
    bool newer = r.generation != t->generation;
    bool written = newer && !tokens_write(t, &r, NULL);
    if (written) {
        t->generation = r.generation;
        gate_renew(t->gate, &r);
    } else if (newer) {
        t->file = 0; /* the next look tries again */
    }
    realm_forget(&r);
}
