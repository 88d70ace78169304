/* `etna assets find`: what fits a request, best first, with the reasons. */
#include "worker/assets/vectors.h"
#include "worker/assets/vote.h"
#include "worker/cli/assets.h"
#include "worker/cli/assets_ask.h"
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
    "With models of models.yaml; what was answered is kept, so that the same request is never paid twice and then needs no network:\n"
    "  --embeddings NAME    also what is near by its vectors, which `etna assets index --embeddings NAME` made\n"
    "  --rerank NAME        a model chooses among the first five, or none; asked twice where it disagrees with the order\n"
    "  --models FILE, --max-cost M, --patience S   as for etna run; S (120) for one answer\n\n"
    "Exit codes: 0 found; 1 nothing fits; 2 usage; 3 the request cannot be read, or nothing was indexed; 4 store.\n";

/* One request and what came of it. rows are made while the index is mapped,
 * since the result's texts end with that. */
typedef struct finding_command {
    const char *text;
    find_options options;
    find_result result;
    bool as_json;
    json_t *rows;
    /* with models */
    const char *embeddings, *rerank;
    ask_options ask;
    ask_used used;
    etna_arena arena;
    uint8_t *pack; /* the assets' vectors */
    size_t pack_size;
    vector asked; /* the request's */
    /* what a model is asked of the first few, in both orders; NULL: nothing */
    const char *ballots[2];
    uint32_t candidates;
    char said[200]; /* of the vote */
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

/* Words alone, or with what is near by vectors. */
static etna_code find_by_all(finding_command *c,
                             const index_view *v,
                             etna_error *err)
{
    find_options wide = c->options;
    uint32_t k = c->options.k ? c->options.k : FIND_USUAL;
    wide.k = c->embeddings ? FIND_MAX : k;
    if (c->rerank && wide.k < VOTE_MOST)
        wide.k = VOTE_MOST;
    vectors_view vectors;
    etna_code code = find_assets(v, c->text, &wide, &c->result, err);
    if (code != ETNA_OK || !c->embeddings)
        return code;
    code = vectors_open(c->pack, c->pack_size, &vectors, err);
    return code == ETNA_OK
               ? find_near(v, &vectors, &c->asked, c->text, &c->options,
                           k < VOTE_MOST ? VOTE_MOST : k, &c->result, err)
               : code;
}

/* What words alone refuse is no candidate: it may be out of its bounds. */
static etna_code ballots_write(finding_command *c,
                               const index_view *v,
                               etna_error *err)
{
    const find_result *r = &c->result;
    const bool has_any = r->found || c->embeddings;
    if (!c->rerank || !r->count || !has_any)
        return ETNA_OK;
    c->candidates = r->count < VOTE_MOST ? r->count : VOTE_MOST;
    for (int i = 0; i < 2; i++) {
        c->ballots[i] =
            vote_text(v, c->text, r->hits, c->candidates, i == 1, &c->arena);
        if (!c->ballots[i])
            return etna_fail(err, ETNA_E_NOMEM, "out of memory for a vote");
    }
    return ETNA_OK;
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
        code = find_by_all(c, &v, err);
    if (code == ETNA_OK)
        code = ballots_write(c, &v, err);
    for (uint32_t i = 0; code == ETNA_OK && i < c->result.count; i++)
        json_array_append_new(c->rows, hit_json(&v, &c->result.hits[i]));
    return code;
}

/* ---- with models ---- */

static etna_code pack_take(void *context,
                           const uint8_t *data,
                           size_t size,
                           etna_error *err)
{
    finding_command *c = context;
    c->pack = malloc(size + 1);
    if (!c->pack)
        return etna_fail(err, ETNA_E_NOMEM, "no memory for %zu bytes", size);
    memcpy(c->pack, data, size);
    c->pack_size = size;
    return ETNA_OK;
}

/* The request's vector, after the assets' own are there: else it would be paid
 * for nothing. */
static etna_code request_embed(finding_command *c, shelf *s, etna_error *err)
{
    ask a;
    query q;
    const uint8_t *data = NULL;
    size_t size = 0;
    etna_code code = query_read(c->text, &q, err);
    if (code != ETNA_OK)
        return code;
    code = ask_open(&a, s, &c->ask, "embeddings", c->embeddings, &c->used, err);
    etna_hash name = {{0}}, key = {{0}};
    if (code == ETNA_OK) {
        name = vectors_key(a.model->id, "");
        key = vectors_key(a.model->id, c->text);
        code = shelf_with_vectors(s, &name, pack_take, c, err);
    }
    if (code == ETNA_E_NOTFOUND)
        code = etna_fail(
            err, ETNA_E_INPUT,
            "no asset has a vector of %.80s; `etna assets index --embeddings %.80s` asks for them",
            c->embeddings, c->embeddings);
    if (code == ETNA_OK)
        code = ask_vectors(&a, &c->text, 1, err);
    if (code == ETNA_OK)
        code = shelf_get_reply(s, &key, &c->arena, &data, &size, err);
    if (code == ETNA_OK && !vector_open(data, size, &c->asked))
        code =
            etna_fail(err, ETNA_E_CORRUPT, "the request's vector is damaged");
    ask_close(&a);
    return code;
}

/* Of one poll: the place of the choice in our order, from 1; 0: none of them.
 * UINT32_MAX: its answer says nothing. */
static etna_code vote_poll(
    finding_command *c, ask *a, int ballot, uint32_t *ret, etna_error *err)
{
    const char *answer = NULL;
    uint32_t choice;
    etna_code code =
        ask_words(a, vote_system, c->ballots[ballot], &c->arena, &answer, err);
    if (code != ETNA_OK)
        return code;
    *ret = UINT32_MAX;
    if (!vote_read(answer, c->candidates, &choice))
        return ETNA_OK;
    *ret = choice && ballot == 1 ? c->candidates + 1 - choice : choice;
    return ETNA_OK;
}

/* The chosen one comes first; where none is taken, nothing was found. */
static void vote_apply(finding_command *c, uint32_t choice)
{
    find_result *r = &c->result;
    r->found = choice > 0;
    snprintf(c->said, sizeof c->said,
             choice ? "%.80s chose it among the first %u"
                    : "%.80s takes none of the first %u",
             c->rerank, c->candidates);
    if (!choice) {
        snprintf(r->why_not, sizeof r->why_not, "%.*s",
                 (int)sizeof r->why_not - 1, c->said);
        return;
    }
    json_t *row = json_incref(json_array_get(c->rows, choice - 1));
    json_array_remove(c->rows, choice - 1);
    json_array_insert_new(c->rows, 0, row);
}

/* Once where the model agrees with our order; else twice, the second time with
 * the list turned round, since models like what comes first. */
static etna_code request_vote(finding_command *c, shelf *s, etna_error *err)
{
    ask a;
    uint32_t first = UINT32_MAX, second = UINT32_MAX;
    if (!c->ballots[0])
        return ETNA_OK;
    etna_code code =
        ask_open(&a, s, &c->ask, "rerank", c->rerank, &c->used, err);
    if (code == ETNA_OK)
        code = vote_poll(c, &a, 0, &first, err);
    second = first;
    if (code == ETNA_OK && !(first == 1 && c->result.found))
        code = vote_poll(c, &a, 1, &second, err);
    ask_close(&a);
    if (code != ETNA_OK)
        return code;
    const bool is_read = first != UINT32_MAX && second != UINT32_MAX;
    if (is_read && first == second)
        vote_apply(c, first);
    else
        snprintf(c->said, sizeof c->said,
                 is_read
                     ? "%.80s does not choose twice the same; the order stands"
                     : "%.80s does not answer with a choice; the order stands",
                 c->rerank);
    return ETNA_OK;
}

/* No more than were asked for, or than the nearest that are told. */
static void rows_cut(finding_command *c)
{
    uint32_t k = c->options.k ? c->options.k : FIND_USUAL;
    if (!c->result.found)
        k = FIND_NEAREST;
    while (json_array_size(c->rows) > k)
        json_array_remove(c->rows, json_array_size(c->rows) - 1);
    c->result.count = (uint32_t)json_array_size(c->rows);
}

static etna_code find_all(finding_command *c, shelf *s, etna_error *err)
{
    etna_code code = c->embeddings ? request_embed(c, s, err) : ETNA_OK;
    if (code == ETNA_OK)
        code = shelf_with_index(s, find_look, c, err);
    if (code == ETNA_OK)
        code = request_vote(c, s, err);
    rows_cut(c);
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
    if (c->said[0])
        printf("%s\n", load_plain(c->said, plain, sizeof plain));
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
    bool is_size = load_numbers(value, ',', 3, v);
    for (int k = 0; k < 3 && is_size; k++)
        is_size = v[k] > 0;
    if (!is_size)
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
    /* what models answer is kept */
    bool with_models = c->embeddings || c->rerank;
    etna_code code = assets_open(store, false, &s, &err);
    if (code == ETNA_OK && with_models) {
        shelf_close(s);
        code = assets_open(store, true, &s, &err);
    }
    if (code == ETNA_OK)
        code = find_all(c, s, &err);
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
    if (document && with_models)
        json_object_set_new(document, "models", ask_json(&c->used, c->said));
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
    c->ask.patience = ASK_PATIENCE;
    const flags_row flags[] = {
        {"store", .text = &store},
        {"number", 'k', .number = &c->options.k, .least = 1, .most = FIND_MAX},
        {"licence", .read = assets_licences_read, .into = &c->options},
        {"room", .text = &c->options.room},
        {"embeddings", .text = &c->embeddings},
        {"rerank", .text = &c->rerank},
        ASK_FLAGS(&c->ask),
        {"max-size", .read = read_size, .into = &c->options},
        {"json", .yes = &c->as_json},
        {0}};
    int exit_code;
    int first =
        load_flags("etna assets find", argc, argv, flags, help, &exit_code);
    if (first && first + 1 != argc) {
        exit_code = load_usage(
            "assets find wants one request in quotes; see `etna assets find --help`");
    } else if (first) {
        c->text = argv[first];
        exit_code = find_run(c, store);
    }
    json_decref(c->rows);
    free(c->pack);
    etna_arena_free(&c->arena);
    free(c);
    return exit_code;
}
