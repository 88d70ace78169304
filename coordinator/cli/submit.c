/* See submit.h. */
#include "coordinator/cli/submit.h"
#include "coordinator/cli/cli.h"
#include "coordinator/cli/visit.h"
#include "coordinator/shell/endpoint.h"
#include "coordinator/shell/shell.h"

#include <stdio.h>
#include <time.h>

/* how often, and after how many milliseconds, the store is looked at again
 * while its owner changes: ten seconds in all */
enum {
    TRIES = 100,
    PAUSE_MS = 100
};

/* To whoever listens at `url`. Once it has answered, the run is durable
 * there. */
static etna_code submit_to(const char *url,
                           uint32_t wait_s,
                           const runner_options *o,
                           etna_error *err)
{
    client_options options = client_options_default();
    visit_status status;
    client *c;
    options.store = o->store;
    options.open_ms = (uint64_t)wait_s * 1000;
    if (options.open_ms > options.answer_ms)
        options.answer_ms = options.open_ms;
    etna_code code = client_open(url, &options, &c, err);
    if (code)
        return code;
    code = visit_submit(c, o, &status, err);
    client_close(c);
    return code;
}

/* Nobody owns the store: the run is made durable by a shell that never runs its
 * loop, exactly as a coordinator would have accepted it (`serve`). */
static etna_code submit_keep(const char *path,
                             const runner_options *o,
                             etna_error *err)
{
    endpoint e;
    store *s = NULL;
    shell *sh = NULL;
    shell_options options = shell_options_default();
    etna_code code = endpoint_make(&e, err);
    if (code)
        return code;
    code = cli_open_store(path, e.url, false, &s, err);
    if (!code && o->bundle)
        code = runner_keep_scene(s, o, err);
    options.store = s;
    options.url = e.url;
    options.serve = true;
    if (!code)
        code = shell_new(&options, &sh, err);
    if (!code)
        code = shell_submit(sh, &o->run, o->config, o->config_size, err);
    shell_free(sh);
    store_close(s);
    endpoint_remove(&e);
    return code;
}

/* To the store's owner, or into the store. Between the look and the attempt an
 * owner may come or go; both answers (owned, unreachable) mean to look again.
 * *ret_kept: nobody is there to carry it now. */
static etna_code submit_here(const runner_options *o,
                             bool *ret_kept,
                             etna_error *err)
{
    char path[4000];
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    etna_code code = cli_store_path(o->store, path, sizeof path, err);
    if (code)
        return code;
    for (int i = 0; i < TRIES; i++) {
        store_owner owner = {.pid = 0};
        bool alive = false;
        store_owner_read(path, &owner, &alive,
                         /* there may be no store yet: then there is no owner */
                         NULL);
        *ret_kept = !alive;
        code = alive ? submit_to(owner.endpoint, 0, o, err)
                     : submit_keep(path, o, err);
        bool between = code == ETNA_E_OWNED || code == ETNA_E_NETWORK;
        if (!between)
            return code;
        nanosleep(&pause, NULL);
    }
    return code;
}

int submit_run(const char *url, uint32_t wait_s, const runner_options *o)
{
    etna_error err = {ETNA_OK, ""};
    char name[33];
    bool kept = false;
    etna_code code =
        url ? submit_to(url, wait_s, o, &err) : submit_here(o, &kept, &err);
    if (code)
        return cli_fail(&err);
    etna_id_hex(&o->run, name);
    if (o->json) {
        cli_print("etna.submitted/1", json_pack("{s:s}", "run", name));
    } else {
        puts(name);
    }
    if (kept)
        fputs(
            "etna: nobody carries runs of this store now; it begins when a coordinator is started: etna coordinator "
            "--listen URL\n",
            stderr);
    return 0;
}
