/* `etna assets find`: what fits a request, best first, with the reasons. */
#include "worker/assets/find.h"
#include "worker/cli/assets.h"
#include "worker/cli/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna assets find \"a round wooden side table under 50 cm\" [OPTION...]\n"
    "Finds indexed models by what they are, what they are for, size, colour, material and form, in any language that a\n"
    "catalogue names them in. Best first, each with the reason. Nothing fits: exit code 1, and the nearest are named.\n\n"
    "  -k N                 how many (default 5, at most 100)\n"
    "  --licence LIST       only these: cc0, by, or as `etna assets ls` writes them, with ',' between\n"
    "  --room ROOM          what a catalogue puts there comes first: \"living room\"\n"
    "  --max-size W,D,H     no larger than this, metres\n"
    "  --json               one JSON document on stdout\n"
    "  --store DIR\n\n"
    "Exit codes: 0 found; 1 nothing fits; 2 usage; 3 the request cannot be read, or nothing was indexed; 4 store.\n";

/* One request and what came of it. rows are made while the index is mapped,
 * since the result's texts end with that. */
typedef struct finding_command {
    const char *text;
    find_options options;
    find_result result;
    bool as_json;
    json_t *rows;
} finding_command;

/* NULL: out of memory; the caller passes it on to json functions that let it
 * through. */
static json_t *hit_json(const index_view *v, const find_hit *hit)
{
    index_doc d = index_doc_at(v, hit->doc);
    char name[300], hash[65];
    asset a = asset_empty();
    a.path = d.path;
    a.number = d.number;
    asset_short_name(&a, name, sizeof name);
    etna_hash_hex(&d.hash, hash);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:[f,f,f], s:f, s:s}",
                     "asset", name, "name", d.name, "hash", hash, "path",
                     d.path, "number", (json_int_t)d.number, "licence",
                     d.licence, "size", (double)d.size[0], (double)d.size[1],
                     (double)d.size[2], "score",
                     (double)hit->score / INDEX_IMPACT, "reason", hit->reason);
}

static etna_code find_look(void *context,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    finding_command *c = context;
    index_view v;
    etna_code code = index_open(data, size, &v, err);
    if (code == ETNA_OK)
        code = find_assets(&v, c->text, &c->options, &c->result, err);
    for (uint32_t i = 0; code == ETNA_OK && i < c->result.count; i++)
        json_array_append_new(c->rows, hit_json(&v, &c->result.hits[i]));
    return code;
}

static const char *row_text(const json_t *row,
                            const char *key,
                            char *room,
                            size_t size)
{
    const char *text = json_string_value(json_object_get(row, key));
    return load_plain(text ? text : "", room, size);
}

/* A refused request still lists what came nearest, marked as not asked for. */
static void find_print(const finding_command *c)
{
    const find_result *r = &c->result;
    char plain[FIND_REASON_SIZE], name[64], asset_name[300], licence[64];
    const json_t *row;
    size_t i;
    if (r->corrected[0])
        printf("read otherwise: %s\n",
               load_plain(r->corrected, plain, sizeof plain));
    if (!r->found)
        printf("%s%s\n", load_plain(r->why_not, plain, sizeof plain),
               r->count ? "; the nearest, not asked for:" : "");
    json_array_foreach(c->rows, i, row)
    {
        printf("%6.2f  %-20s %-26s %s; %s\n",
               json_number_value(json_object_get(row, "score")),
               row_text(row, "asset", asset_name, sizeof asset_name),
               row_text(row, "name", name, sizeof name),
               row_text(row, "reason", plain, sizeof plain),
               row_text(row, "licence", licence, sizeof licence));
    }
}

/* --licence cc0,by: shared with `etna furnish`. */
etna_code assets_licences_read(const char *name,
                               const char *value,
                               void *into,
                               etna_error *err)
{
    find_options *o = into;
    char *list = o->licence_list;
    char *rest = NULL;
    const int size = snprintf(list, FIND_LICENCES_SIZE, "%s", value);
    if (size < 0 || size >= FIND_LICENCES_SIZE)
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s takes a list of at most %d bytes", name,
                         FIND_LICENCES_SIZE - 1);
    o->licence_count = 0; /* of two such flags the last counts */
    for (char *one = strtok_r(list, ", ", &rest); one;
         one = strtok_r(NULL, ", ", &rest)) {
        if (o->licence_count == FIND_LICENCES_MAX)
            return etna_fail(err, ETNA_E_USAGE,
                             "--%s takes at most %d licences", name,
                             FIND_LICENCES_MAX);
        o->licences[o->licence_count++] = one;
    }
    return o->licence_count
               ? ETNA_OK
               : etna_fail(err, ETNA_E_USAGE,
                           "--%s wants names of licences, as cc0,by", name);
}

/* Width, depth, height, as people give them; kept as width, height, depth. */
static etna_code read_size(const char *name,
                           const char *value,
                           void *into,
                           etna_error *err)
{
    find_options *o = into;
    double v[3];
    if (!load_numbers(value, ',', 3, v) || !(v[0] > 0 && v[1] > 0 && v[2] > 0))
        return etna_fail(err, ETNA_E_USAGE,
                         "--%s wants W,D,H in metres, as 0.8,0.6,2", name);
    o->max_size[0] = v[0];
    o->max_size[1] = v[2];
    o->max_size[2] = v[1];
    return ETNA_OK;
}

/* Exit 1 when nothing answers the request; that is a result and not an
 * error. */
static int find_run(finding_command *c, const char *store)
{
    etna_error err = {0};
    shelf *s = NULL;
    etna_code code = assets_open(store, false, &s, &err);
    if (code == ETNA_OK)
        code = shelf_with_index(s, find_look, c, &err);
    shelf_close(s);
    if (code == ETNA_E_NOTFOUND)
        etna_fail(
            &err, ETNA_E_INPUT,
            "the assets have no index of this version; `etna assets index` makes one");
    if (code != ETNA_OK)
        return load_report(&err);
    int exit_code = c->result.found ? 0 : 1;
    if (!c->as_json) {
        find_print(c);
        return load_printed(exit_code);
    }
    json_t *document =
        json_pack("{s:b, s:O, s:s, s:s, s:s}", "found", c->result.found,
                  "assets", c->rows, "why_not", c->result.why_not, "language",
                  c->result.language, "read_otherwise", c->result.corrected);
    return load_print("etna.assets_find/1", document, exit_code);
}

int assets_cmd_find(int argc, char **argv)
{
    const char *store = NULL;
    finding_command *c = calloc(1, sizeof *c);
    etna_error err = {0};
    if (!c || !(c->rows = json_array())) {
        free(c);
        etna_fail(&err, ETNA_E_NOMEM, "out of memory");
        return load_report(&err);
    }
    const flags_row flags[] = {
        {"store", .text = &store},
        {"number", 'k', .number = &c->options.k, .least = 1, .most = FIND_MAX},
        {"licence", .read = assets_licences_read, .into = &c->options},
        {"room", .text = &c->options.room},
        {"max-size", .read = read_size, .into = &c->options},
        {"json", .yes = &c->as_json},
        {0}};
    int exit_code, first = load_flags("etna assets find", argc, argv, flags,
                                      help, &exit_code);
    if (first && first + 1 != argc) {
        exit_code = load_usage(
            "assets find wants one request in quotes; see `etna assets find --help`");
    } else if (first) {
        c->text = argv[first];
        exit_code = find_run(c, store);
    }
    json_decref(c->rows);
    free(c);
    return exit_code;
}
