/* See api_key.h. */
#include "worker/shell/api_key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void api_key_wipe(api_key *k)
{
    explicit_bzero(k, sizeof *k);
}

/* O_NONBLOCK for a FIFO, which would wait for a writer. The check of the mode
 * is on the open file, so it cannot be exchanged in between. One byte more than
 * KEY_MAX is read, to know of longer ones. */
static etna_code read_file(const char *path, api_key *ret, etna_error *err)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return etna_fail(err, ETNA_E_USAGE,
                         "the key's file %.300s cannot be read: %s", path,
                         strerror(errno));
    ssize_t size = -1;
    bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    bool mine = is_file && (status.st_mode & 077) == 0;
    if (mine)
        size = read(fd, ret->text, KEY_MAX + 1);
    close(fd);
    if (!is_file)
        return etna_fail(err, ETNA_E_USAGE, "the key's file %.300s is no file",
                         path);
    if (!mine)
        return etna_fail(err, ETNA_E_USAGE,
                         "others may read the key's file %.300s: chmod 600 it",
                         path);
    if (size < 0 || size > KEY_MAX)
        return etna_fail(
            err, ETNA_E_USAGE,
            "the key's file %.300s cannot be read, or is over %d bytes", path,
            KEY_MAX);
    ret->text[size] = 0;
    while (size > 0 && strchr(" \t\r\n", ret->text[size - 1]))
        ret->text[--size] = 0;
    return ETNA_OK;
}

/* Printable and without spaces: what else is in it was pasted by mistake, and a
 * server would only say 401. */
static bool is_key(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c < 0x21 || *c > 0x7e)
            return false;
    }
    return *text != 0;
}

static etna_code api_key_read_environment(const models_endpoint *endpoint,
                                          api_key *ret,
                                          etna_error *err)
{
    const char *value = getenv(endpoint->key_env);
    if (!value || !*value)
        return etna_fail(
            err, ETNA_E_USAGE,
            "endpoint %.80s: $%.80s is not set in the worker's environment; put the key there",
            endpoint->name, endpoint->key_env);
    if (strlen(value) > KEY_MAX)
        return etna_fail(err, ETNA_E_USAGE,
                         "endpoint %.80s: $%.80s is too long for a key",
                         endpoint->name, endpoint->key_env);
    strcpy(ret->text, value);
    return ETNA_OK;
}

/* On failure nothing of it stays in *ret. */
etna_code api_key_read(const models_endpoint *endpoint,
                       api_key *ret,
                       etna_error *err)
{
    etna_code code = ETNA_OK;
    memset(ret, 0, sizeof *ret);
    if (!endpoint->key_env && !endpoint->key_file)
        return ETNA_OK;
    if (endpoint->key_env)
        code = api_key_read_environment(endpoint, ret, err);
    else
        code = read_file(endpoint->key_file, ret, err);
    if (!code && !is_key(ret->text)) {
        code = etna_fail(
            err, ETNA_E_USAGE,
            "endpoint %.80s: what %s%.200s holds is no key: it is empty or has white space or other characters in it",
            endpoint->name, endpoint->key_env ? "$" : "",
            endpoint->key_env ? endpoint->key_env : endpoint->key_file);
    }
    if (code) {
        api_key_wipe(ret);
    } else {
        ret->given = true;
    }
    return code;
}
