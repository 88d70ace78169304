/* `etna join`: cuts a join file down to one role's token, so that a worker's
 * host holds nothing that would let it submit runs; or replaces a store's
 * tokens. */
#include "coordinator/cli/cli.h"
#include "coordinator/report/terminal.h"
#include "coordinator/shell/realm.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etna join [FILE] [--role worker|submitter|viewer] [--connect URL] -o OUT [--store DIR]\n"
    "       etna join --rotate [--store DIR]\n"
    "A join file says where a coordinator listens and has the tokens that let in there: etna-worker --connect @FILE,\n"
    "etna run --connect @FILE. Copies FILE (default: the store's) to OUT, 0600, with one role's token alone.\n\n"
    "      --role ROLE     worker: works; submitter: submits, cancels, drains and watches runs; viewer: watches (all of them)\n"
    "      --connect URL   the coordinator's address as OUT's users are to call it (as the store's file says for other hosts)\n"
    "      --rotate        new tokens for the store's coordinator, which takes them up at once and writes its join files anew.\n"
    "                      The ones before let in until the next time\n";

typedef struct join_arguments {
    const char *file, *role, *connect, *output, *store;
    bool rotate;
} join_arguments;

/* Wipes all tokens but one. ETNA_E_USAGE: the file has none for that role. */
static etna_code join_keep_role(join *j, const char *name, etna_error *err)
{
    bool known = false;
    for (int role = SEAL_WORKER; role < SEAL_ROLE_COUNT; role++) {
        bool is_it = !strcmp(name, seal_role_name((seal_role)role));
        known = known || (is_it && j->given[role]);
        if (is_it)
            continue;
        j->given[role] = false;
        seal_forget(&j->tokens[role], sizeof j->tokens[role]);
    }
    if (known)
        return ETNA_OK;
    return etna_fail(
        err, ETNA_E_USAGE,
        "--role %.40s: the join file has no such token; it is worker, submitter or viewer",
        name);
}

/* Puts the address under which the coordinator is called from elsewhere. */
static etna_code join_call_it(join *j, const char *url, etna_error *err)
{
    if (strlen(url) >= sizeof j->endpoint)
        return etna_fail(err, ETNA_E_USAGE, "--connect wants an address");
    memmove(j->endpoint, url, strlen(url) + 1);
    j->elsewhere[0] = 0;
    return ETNA_OK;
}

/* Reads the join file, cuts it, and writes it with mode 0600. */
static etna_code cmd_join_cut(const join_arguments *a,
                              const char *store_path,
                              etna_error *err)
{
    char path[4096];
    join j;
    snprintf(path, sizeof path, "%s/join", store_path);
    etna_code code = join_read(a->file ? a->file : path, &j, err);
    if (code)
        return code;
    if (a->role)
        code = join_keep_role(&j, a->role, err);
    const char *call = a->connect ? a->connect : j.elsewhere;
    if (!code && *call)
        code = join_call_it(&j, call, err);
    if (!code)
        code = join_write(a->output, &j, err);
    join_forget(&j);
    return code;
}

/* New tokens; the generation before stays valid, so that what runs goes on. */
static etna_code cmd_join_rotate(const char *store_path, etna_error *err)
{
    realm r;
    etna_code code = realm_rotate(store_path, &r, err);
    if (code)
        return code;
    terminal_printf(
        stderr,
        "etna: tokens of generation %u; those before it let in until the next time",
        (unsigned)r.generation);
    fputc('\n', stderr);
    realm_forget(&r);
    return ETNA_OK;
}

/* False: the command ends with *ret_exit. */
static bool cmd_join_read(int argc,
                          char **argv,
                          join_arguments *a,
                          int *ret_exit)
{
    const flags_row flags[] = {
        {"role", .text = &a->role},          {"connect", .text = &a->connect},
        {"output", 'o', .text = &a->output}, {"store", .text = &a->store},
        {"rotate", .yes = &a->rotate},       {0}};
    int first = cli_flags("etna join", argc, argv, flags, help, ret_exit);
    if (!first)
        return false;
    bool has_flags = a->role || a->connect || a->output;
    bool cuts = has_flags || first < argc;
    bool lacks_output = cuts && !a->output;
    if (first + 1 < argc || cuts == a->rotate || lacks_output) {
        *ret_exit = cli_usage(
            "join: etna join [FILE] --role ROLE -o OUT, or etna join --rotate; see `etna join --help`");
        return false;
    }
    if (first < argc)
        a->file = argv[first][0] == '@' ? argv[first] + 1 : argv[first];
    return true;
}

int cmd_join(int argc, char **argv)
{
    join_arguments a = {.file = NULL};
    char path[4000] = "";
    int exit_code;
    if (!cmd_join_read(argc, argv, &a, &exit_code))
        return exit_code;
    etna_error err = {ETNA_OK, ""};
    /* a file that is named is read wherever there is no store, too */
    bool wants_store = a.rotate || !a.file;
    etna_code code = wants_store
                         ? cli_store_path(a.store, path, sizeof path, &err)
                         : ETNA_OK;
    if (!code)
        code = a.rotate ? cmd_join_rotate(path, &err)
                        : cmd_join_cut(&a, path, &err);
    return code ? cli_fail(&err) : 0;
}
