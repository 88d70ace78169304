/* See certificate.h. The key is one of the curve P-256: what Debian's mbedTLS
 * signs with at once, and TLS 1.2 takes. */
#include "coordinator/shell/certificate.h"
#include "proto/dial/dial.h"
#include "proto/seal.h"
#include "proto/secret_file.h"

#include <errno.h>
#include <mbedtls/ecp.h>
#include <mbedtls/pk.h>
#include <mbedtls/x509_crt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_ROOM = 4096
};

static const char certificate_what[] = "the certificate";

void certificate_forget(certificate *c)
{
    seal_forget(c, sizeof *c);
}

/* mbedTLS asks for its random numbers by this. */
static int certificate_random(void *context, unsigned char *into, size_t size)
{
    (void)context;
    uint8_t some[SEAL_KEY];
    for (size_t at = 0; at < size; at += sizeof some) {
        if (!seal_random(some))
            return MBEDTLS_ERR_ECP_RANDOM_FAILED;
        memcpy(into + at, some,
               size - at < sizeof some ? size - at : sizeof some);
    }
    seal_forget(some, sizeof some);
    return 0;
}

static int certificate_make_key(mbedtls_pk_context *key)
{
    int rv = mbedtls_pk_setup(key, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    return rv ? rv
              : mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1,
                                    mbedtls_pk_ec(*key), certificate_random,
                                    NULL);
}

/* What it says of itself. */
static int certificate_fill(mbedtls_x509write_cert *it,
                            mbedtls_pk_context *key,
                            mbedtls_mpi *serial)
{
    mbedtls_x509write_crt_set_version(it, MBEDTLS_X509_CRT_VERSION_3);
    mbedtls_x509write_crt_set_md_alg(it, MBEDTLS_MD_SHA256);
    mbedtls_x509write_crt_set_subject_key(it, key);
    mbedtls_x509write_crt_set_issuer_key(it, key);
    int rv = mbedtls_mpi_fill_random(serial, 16, certificate_random, NULL);
    if (!rv)
        rv = mbedtls_x509write_crt_set_serial(it, serial);
    if (!rv)
        rv = mbedtls_x509write_crt_set_subject_name(it, "CN=" DIAL_SERVER_NAME);
    if (!rv)
        rv = mbedtls_x509write_crt_set_issuer_name(it, "CN=" DIAL_SERVER_NAME);
    /* Clocks of hosts differ; and it is believed for what it is, not for how
     * old. */
    if (!rv)
        rv = mbedtls_x509write_crt_set_validity(it, "20000101000000",
                                                "20991231235959");
    if (!rv)
        rv = mbedtls_x509write_crt_set_basic_constraints(it, 0, -1);
    return rv;
}

static int certificate_sign(mbedtls_pk_context *key, char *ret_pem, size_t size)
{
    mbedtls_x509write_cert it;
    mbedtls_mpi serial;
    mbedtls_x509write_crt_init(&it);
    mbedtls_mpi_init(&serial);
    int rv = certificate_fill(&it, key, &serial);
    if (!rv)
        rv = mbedtls_x509write_crt_pem(&it, (unsigned char *)ret_pem, size,
                                       certificate_random, NULL);
    mbedtls_mpi_free(&serial);
    mbedtls_x509write_crt_free(&it);
    return rv;
}

static int certificate_make(certificate *ret)
{
    char key_pem[CERTIFICATE_MAX];
    mbedtls_pk_context key;
    mbedtls_pk_init(&key);
    int rv = certificate_make_key(&key);
    if (!rv)
        rv = certificate_sign(&key, ret->shown, sizeof ret->shown);
    if (!rv)
        rv = mbedtls_pk_write_key_pem(&key, (unsigned char *)key_pem,
                                      sizeof key_pem);
    if (!rv)
        snprintf(ret->whole, sizeof ret->whole, "%s%s", ret->shown, key_pem);
    seal_forget(key_pem, sizeof key_pem);
    mbedtls_pk_free(&key);
    return rv;
}

/* The file begins with the certificate; its key follows. */
static etna_code certificate_read(const char *path,
                                  certificate *ret,
                                  etna_error *err)
{
    static const char end[] = "-----END CERTIFICATE-----\n";
    size_t size;
    etna_code code = secret_file_read(path, certificate_what, ret->whole,
                                      sizeof ret->whole - 1, &size, err);
    if (code)
        return code;
    ret->whole[size] = 0;
    const char *last = strstr(ret->whole, end);
    size_t shown = last ? (size_t)(last - ret->whole) + sizeof end - 1 : 0;
    if (!shown || shown >= sizeof ret->shown ||
        !strstr(ret->whole, "PRIVATE KEY-----"))
        return etna_fail(err, ETNA_E_CORRUPT,
                         "%.300s is damaged; remove it, and a new one is made",
                         path);
    memcpy(ret->shown, ret->whole, shown);
    ret->shown[shown] = 0;
    return ETNA_OK;
}

static etna_code certificate_begin(const char *path,
                                   certificate *ret,
                                   etna_error *err)
{
    if (!access(path, F_OK) || errno != ENOENT)
        return certificate_read(path, ret, err);
    int rv = certificate_make(ret);
    if (rv)
        return etna_fail(err, ETNA_E_IO,
                         "no certificate can be made (mbedTLS -0x%04x)",
                         (unsigned)-rv);
    return secret_file_write(path, certificate_what, ret->whole,
                             strlen(ret->whole), err);
}

etna_code certificate_open(const char *store_path,
                           certificate *ret,
                           etna_error *err)
{
    char path[PATH_ROOM];
    certificate c = {.shown = ""};
    int n = snprintf(path, sizeof path, "%s/certificate", store_path);
    if (n < 0 || n >= PATH_ROOM)
        return etna_fail(err, ETNA_E_USAGE, "the store's path is too long");
    etna_code code = certificate_begin(path, &c, err);
    if (!code)
        *ret = c;
    certificate_forget(&c);
    return code;
}
