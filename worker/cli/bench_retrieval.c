/* `etna bench retrieval SET.json`: how well requests find what people say
 * should be found, beside plain BM25, with what each step of the ranking
 * brings, and the same on each fifth of the set. */
#include "proto/cpus.h"
#include "worker/assets/find.h"
#include "worker/cli/assets.h"
#include "worker/cli/bench.h"
#include "worker/cli/bench_fts5.h"
#include "worker/cli/load.h"
#include "worker/math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: etna bench retrieval SET.json [--queries] [--ablation] [--varied N] [--fts5] [--json] [--store DIR]\n"
    "How well `etna assets find` finds what people chose: SET.json is {\"queries\": [{\"q\": TEXT, \"want\": {\"LIBRARY#N\": GRADE}}]},\n"
    "grades 1 to 3; with nothing wanted the request must be refused. Prints hit@1, hit@5 (a wanted one among the first), nDCG@10,\n"
    "how many absent things are refused and how many present ones wrongly, for the whole ranking and for BM25 on names and tags\n"
    "alone, and the same on each fifth of the set.\n\n"
    "  --queries   each request with its first five\n"
    "  --ablation  the ranking without each of its steps\n"
    "  --varied N  also how fast it is over N assets, made of the indexed ones by varying them\n"
    "  --fts5      beside SQLite's FTS5 (/usr/bin/sqlite3) over the same models: how well, and with --varied how fast\n";

/* DEPTH: how many results count; FOLDS: into how many parts the queries are
 * divided, each to stand for itself. */
enum {
    DEPTH = 10,
    FOLDS = 5,
    KINDS_OF_RANKING = 16
};

/* Sums over queries. `wanted`: queries with an answer, of which `wrong` were
 * refused; `absent`: those without one, of which `refused` were. */
typedef struct score {
    double hit1, hit5, ndcg;
    uint32_t wanted, absent, refused, wrong;
} score;

/* One way of ranking: what of it is switched off. */
typedef struct setting {
    const char *name;
    find_options options;
} setting;

/* Results by setting, whole and in fifths. */
typedef struct benching {
    const json_t *queries;
    bool tell;
    setting settings[KINDS_OF_RANKING];
    uint32_t setting_count;
    score whole[KINDS_OF_RANKING], folds[KINDS_OF_RANKING][FOLDS];
    bool with_fts5;
} benching;

/* 0 for what the set does not name. */
static double grade_of(const json_t *want, const index_view *v, uint32_t doc)
{
    index_doc d = index_doc_at(v, doc);
    char name[300];
    asset a = asset_empty();
    a.path = d.path;
    a.number = d.number;
    asset_short_name(&a, name, sizeof name);
    return json_number_value(json_object_get(want, name));
}

/* The usual one of graded relevance: 2^grade - 1. */
static double gain(double grade)
{
    return math_pow(2, grade) - 1;
}
/* Places count from 0, so the first is not discounted. */
static double discount(uint32_t place)
{
    return math_log(2) / math_log(place + 2.0);
}

/* The greatest first. */
static int grade_order(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The DCG of the best order there is, by which nDCG is divided. */
static double ideal_of(const json_t *want)
{
    double grades[64], sum = 0;
    uint32_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)want, key, value)
    {
        if (count < 64)
            grades[count++] = json_number_value(value);
    }
    qsort(grades, count, sizeof *grades, grade_order);
    for (uint32_t i = 0; i < count && i < DEPTH; i++)
        sum += gain(grades[i]) * discount(i);
    return sum;
}

/* Sums; shares are made when they are told. */
static void score_add(score *to, const score *one)
{
    to->hit1 += one->hit1;
    to->hit5 += one->hit5;
    to->ndcg += one->ndcg;
    to->wanted += one->wanted;
    to->absent += one->absent;
    to->refused += one->refused;
    to->wrong += one->wrong;
}

/* A query that wants nothing is right when it is refused; one that wants
 * something is wrong then. */
static score query_score(const json_t *want,
                         const index_view *v,
                         const find_result *r)
{
    score s = {.hit1 = 0};
    if (json_object_size(want) == 0) {
        s.absent = 1;
        s.refused = !r->found;
        return s;
    }
    s.wanted = 1;
    s.wrong = !r->found;
    double sum = 0;
    for (uint32_t i = 0; r->found && i < r->count && i < DEPTH; i++) {
        double grade = grade_of(want, v, r->hits[i].doc);
        if (grade > 0 && i == 0)
            s.hit1 = 1;
        if (grade > 0 && i < 5)
            s.hit5 = 1;
        sum += gain(grade) * discount(i);
    }
    s.ndcg = sum / ideal_of(want);
    return s;
}

/* For --queries: what was found, with the grade of each. */
static void query_tell(const char *text,
                       const json_t *want,
                       const index_view *v,
                       const find_result *r)
{
    fputs(text, stdout);
    if (!r->found)
        printf("  [refused] %s", r->why_not);
    putchar('\n');
    for (uint32_t i = 0; i < r->count && i < 5; i++) {
        index_doc d = index_doc_at(v, r->hits[i].doc);
        printf("   %.0f %6.2f %-24s %s\n", grade_of(want, v, r->hits[i].doc),
               (double)r->hits[i].score / INDEX_IMPACT, d.name,
               r->hits[i].reason);
    }
}

/* All queries under one setting. Fifths by i % FOLDS, so that each has a share
 * of every kind of query. */
static etna_code bench_rank(benching *b,
                            uint32_t k,
                            const index_view *v,
                            find_result *r,
                            etna_error *err)
{
    const json_t *row;
    size_t i;
    json_array_foreach(b->queries, i, row)
    {
        const char *text = json_string_value(json_object_get(row, "q"));
        const json_t *want = json_object_get(row, "want");
        etna_code code =
            find_assets(v, text ? text : "", &b->settings[k].options, r, err);
        if (code == ETNA_E_INPUT) { /* what cannot be read is refused, too */
            r->found = false;
            r->count = 0;
        } else if (code != ETNA_OK) {
            return code;
        }
        score one = query_score(want, v, r);
        score_add(&b->whole[k], &one);
        score_add(&b->folds[k][i % FOLDS], &one);
        if (b->tell && k == 0)
            query_tell(text, want, v, r);
    }
    return ETNA_OK;
}

/* The requests' texts, borrowed. NULL: no memory. */
static const char **queries_texts(const benching *b)
{
    const char **texts = calloc(json_array_size(b->queries) + 1, sizeof *texts);
    const json_t *row;
    size_t i;
    if (!texts)
        return NULL;
    json_array_foreach(b->queries, i, row)
    {
        const char *text = json_string_value(json_object_get(row, "q"));
        texts[i] = text ? text : "";
    }
    return texts;
}

/* What SQLite finds, as one more row of the table. The index is only read for
 * what its docs are. */
static etna_code bench_rank_fts5(benching *b,
                                 const shelf_list *list,
                                 const index_view *v,
                                 find_result *r,
                                 etna_error *err)
{
    const size_t count = json_array_size(b->queries);
    fts5_answer *answers = calloc(count + 1, sizeof *answers);
    const char **texts = queries_texts(b);
    const uint32_t k = b->setting_count;
    fts5_told told;
    etna_code code =
        answers && texts
            ? fts5_ask(list->assets, list->count, texts, (uint32_t)count,
                       answers, &told, err)
            : etna_fail(err, ETNA_E_NOMEM, "no memory for %zu queries", count);
    for (size_t i = 0; code == ETNA_OK && i < count; i++) {
        const json_t *want =
            json_object_get(json_array_get(b->queries, i), "want");
        *r = (find_result){.found = answers[i].count > 0,
                           .count = answers[i].count};
        for (uint32_t n = 0; n < r->count; n++)
            r->hits[n].doc = answers[i].docs[n];
        score one = query_score(want, v, r);
        score_add(&b->whole[k], &one);
        score_add(&b->folds[k][i % FOLDS], &one);
    }
    if (code == ETNA_OK)
        b->settings[b->setting_count++].name = "SQLite FTS5";
    free(answers);
    free(texts);
    return code;
}

/* One index with everything, and one with English names, ids, tags and
 * categories alone, for what is compared with. */
static etna_code retrieval_run(benching *b,
                               const shelf_list *list,
                               etna_error *err)
{
    static const double plain[FIELDS] = {[FIELD_NAME] = 5,
                                         [FIELD_ID] = 2.5,
                                         [FIELD_TAGS] = 2.5,
                                         [FIELD_CATEGORY] = 1};
    find_result *r = malloc(sizeof *r);
    etna_code code =
        r ? ETNA_OK : etna_fail(err, ETNA_E_NOMEM, "no memory for a result");
    for (int is_plain = 0; code == ETNA_OK && is_plain < 2; is_plain++) {
        uint8_t *data = NULL;
        size_t size = 0;
        uint32_t docs;
        index_view v;
        const index_options options = {.weights = is_plain ? plain : NULL,
                                       .threads = cpus_usable()};
        code = index_build(list->assets, list->count, &options, &data, &size,
                           &docs, err);
        if (code == ETNA_OK)
            code = index_open(data, size, &v, err);
        for (uint32_t k = 0; code == ETNA_OK && k < b->setting_count; k++) {
            if (b->settings[k].options.plain == (is_plain == 1))
                code = bench_rank(b, k, &v, r, err);
        }
        if (code == ETNA_OK && is_plain && b->with_fts5)
            code = bench_rank_fts5(b, list, &v, r, err);
        free(data);
    }
    free(r);
    return code;
}

/* ---- speed ---- */

static double clock_seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Of this process, all its threads. */
static double cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

/* As the shelf sorts: by content. */
static int varied_order(const void *a, const void *b)
{
    return memcmp(((const asset *)a)->hash.bytes,
                  ((const asset *)b)->hash.bytes, sizeof(etna_hash));
}

/* So many assets, each like one of the list but for its hash, its size and its
 * tags: what a library of that size would be. */
static asset *varied_make(const shelf_list *list,
                          uint32_t count,
                          etna_arena *arena)
{
    asset *made = list->count ? calloc(count, sizeof *made) : NULL;
    for (uint32_t i = 0; made && i < count; i++) {
        asset *a = &made[i];
        *a = list->assets[i % list->count];
        a->fault = "";
        a->hash = etna_hash_bytes(&i, sizeof i);
        for (int k = 0; k < 3; k++)
            a->shape.size[k] *= 0.75 + a->hash.bytes[k] / 510.0;
        const char *tags = etna_arena_printf(
            arena, "%s, %s", a->tags,
            list->assets[a->hash.bytes[3] % list->count].name);
        if (tags)
            a->tags = tags;
    }
    if (made)
        qsort(made, count, sizeof *made, varied_order);
    return made;
}

/* CPU time; bytes: of the index. */
typedef struct speed {
    double build_s, build_wall_s, p50_ms, p99_ms;
    size_t bytes;
    uint32_t queries;
    /* SQLite's */
    fts5_told fts5;
    double fts5_p50_ms, fts5_p99_ms;
} speed;

/* CPU time, not wall time: other processes do not count. Five rounds,
 * percentiles over all. */
static etna_code speed_ask(const benching *b,
                           const index_view *v,
                           speed *ret,
                           etna_error *err)
{
    enum {
        ROUNDS = 5
    };
    size_t count = json_array_size(b->queries);
    size_t n = 0, i;
    double *times = calloc(ROUNDS * count + 1, sizeof *times);
    find_result *r = malloc(sizeof *r);
    const find_options options = {.k = DEPTH};
    const json_t *row;
    for (int round = 0; times && r && round < ROUNDS; round++) {
        json_array_foreach(b->queries, i, row)
        {
            const char *text = json_string_value(json_object_get(row, "q"));
            double begin = cpu_seconds();
            if (find_assets(v, text ? text : "", &options, r, NULL) == ETNA_OK)
                times[n++] = cpu_seconds() - begin;
        }
    }
    etna_code code = times && r
                         ? ETNA_OK
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "no memory to measure %zu queries", count);
    if (n) {
        qsort(times, n, sizeof *times, grade_order); /* greatest first */
        ret->p50_ms = times[n / 2] * 1e3;
        ret->p99_ms = times[n / 100] * 1e3;
        ret->queries = (uint32_t)n;
    }
    free(times);
    free(r);
    return code;
}

static etna_code speed_ask_fts5(const benching *b,
                                const asset *made,
                                uint32_t count,
                                speed *ret,
                                etna_error *err)
{
    const size_t queries = json_array_size(b->queries);
    fts5_answer *answers = calloc(queries + 1, sizeof *answers);
    double *times = calloc(queries + 1, sizeof *times);
    const char **texts = queries_texts(b);
    size_t n = 0;
    etna_code code = answers && times && texts
                         ? fts5_ask(made, count, texts, (uint32_t)queries,
                                    answers, &ret->fts5, err)
                         : etna_fail(err, ETNA_E_NOMEM,
                                     "no memory for %zu queries", queries);
    for (size_t i = 0; code == ETNA_OK && i < queries; i++) {
        if (answers[i].seconds >= 0)
            times[n++] = answers[i].seconds;
    }
    if (code == ETNA_OK && n) {
        qsort(times, n, sizeof *times, grade_order);
        ret->fts5_p50_ms = times[n / 2] * 1e3;
        ret->fts5_p99_ms = times[n / 100] * 1e3;
    }
    free(answers);
    free(times);
    free(texts);
    return code;
}

/* An index of `count` assets made by varying the real ones, to see how time
 * grows. */
static etna_code speed_measure(const benching *b,
                               const shelf_list *list,
                               uint32_t count,
                               speed *ret,
                               etna_error *err)
{
    etna_arena arena = ETNA_ARENA_INIT;
    asset *made = varied_make(list, count, &arena);
    uint8_t *data = NULL;
    uint32_t docs;
    index_view v;
    const index_options options = {.threads = cpus_usable()};
    const double begin = cpu_seconds();
    const double begin_wall = clock_seconds(CLOCK_MONOTONIC);
    etna_code code =
        made
            ? index_build(made, count, &options, &data, &ret->bytes, &docs, err)
            : etna_fail(err, ETNA_E_NOMEM,
                        "no memory for %u assets, or none is indexed", count);
    ret->build_s = cpu_seconds() - begin;
    ret->build_wall_s = clock_seconds(CLOCK_MONOTONIC) - begin_wall;
    if (code == ETNA_OK)
        code = index_open(data, ret->bytes, &v, err);
    if (code == ETNA_OK)
        code = speed_ask(b, &v, ret, err);
    if (code == ETNA_OK && b->with_fts5)
        code = speed_ask_fts5(b, made, count, ret, err);
    free(data);
    free(made);
    etna_arena_free(&arena);
    return code;
}

/* ---- telling ---- */

/* 0 of 0 is 0: a fifth may lack such queries. */
static double share(double part, uint32_t whole)
{
    return whole ? part / whole : 0;
}

/* Shares of the queries that want something. */
static json_t *score_json(const score *s)
{
    return json_pack("{s:f, s:f, s:f, s:i, s:i, s:i, s:i}", "hit1",
                     share(s->hit1, s->wanted), "hit5",
                     share(s->hit5, s->wanted), "ndcg10",
                     share(s->ndcg, s->wanted), "wanted", (int)s->wanted,
                     "absent", (int)s->absent, "refused", (int)s->refused,
                     "wrongly_refused", (int)s->wrong);
}

/* The whole and its fifths: a gain that only some of them have is none. */
static json_t *bench_json(const benching *b)
{
    json_t *rows = json_array();
    for (uint32_t k = 0; k < b->setting_count; k++) {
        json_t *folds = json_array();
        for (int f = 0; f < FOLDS; f++)
            json_array_append_new(folds, score_json(&b->folds[k][f]));
        json_array_append_new(rows, json_pack("{s:s, s:o, s:o}", "ranking",
                                              b->settings[k].name, "whole",
                                              score_json(&b->whole[k]),
                                              "fifths", folds));
    }
    return json_pack("{s:o}", "retrieval", rows);
}

/* Fifths of the first setting alone, which is the whole ranking. */
static void retrieval_print(const benching *b)
{
    printf("%-28s %6s %6s %8s  %-9s %s\n", "ranking", "hit@1", "hit@5",
           "nDCG@10", "refused", "wrongly");
    for (uint32_t k = 0; k < b->setting_count; k++) {
        const score *s = &b->whole[k];
        printf("%-28s %6.3f %6.3f %8.3f  %u of %-4u %u of %u\n",
               b->settings[k].name, share(s->hit1, s->wanted),
               share(s->hit5, s->wanted), share(s->ndcg, s->wanted), s->refused,
               s->absent, s->wrong, s->wanted);
    }
    for (int f = 0; f < FOLDS; f++) {
        const score *s = &b->folds[0][f];
        printf("fifth %-22d %6.3f %6.3f %8.3f\n", f + 1,
               share(s->hit1, s->wanted), share(s->hit5, s->wanted),
               share(s->ndcg, s->wanted));
    }
}

/* `without`: a set of parts that are left out. */
static void settings_add(benching *b,
                         const char *name,
                         bool plain,
                         unsigned without)
{
    b->settings[b->setting_count++] =
        (setting){name, {.k = DEPTH, .plain = plain, .without = without}};
}

/* The plain BM25 is the baseline; each ablation leaves one part out. */
static void settings_add_all(benching *b, bool with_ablation)
{
    settings_add(b, "whole", false, 0);
    settings_add(b, "BM25, names and tags", true, 0);
    if (!with_ablation)
        return;
    settings_add(b, "without kinds", false, FIND_KINDS);
    settings_add(b, "without expansion", false, FIND_EXPAND);
    settings_add(b, "without colours", false, FIND_COLOURS);
    settings_add(b, "without sizes of a kind", false, FIND_CLASSES);
    settings_add(b, "without abstention", false, FIND_ABSTAIN);
    settings_add(b, "without languages", false, FIND_LANGUAGES);
}

/* varied 0: how fast it is was not measured. */
static int bench_print_json(const benching *b,
                            uint32_t varied,
                            const speed *fast)
{
    json_t *document = bench_json(b);
    if (document && varied)
        json_object_set_new(document, "varied",
                            json_pack("{s:I, s:f, s:f, s:I, s:f, s:f, s:I}",
                                      "assets", (json_int_t)varied,
                                      "build_cpu_s", fast->build_s, "bytes",
                                      (json_int_t)fast->bytes, "p50_cpu_ms",
                                      fast->p50_ms, "p99_cpu_ms", fast->p99_ms,
                                      "queries", (json_int_t)fast->queries));
    if (document && varied && b->with_fts5)
        json_object_set_new(
            document, "varied_fts5",
            json_pack("{s:f, s:I, s:f, s:f}", "build_cpu_s", fast->fts5.build_s,
                      "bytes", (json_int_t)fast->fts5.bytes, "p50_cpu_ms",
                      fast->fts5_p50_ms, "p99_cpu_ms", fast->fts5_p99_ms));
    return load_print("etna.bench_retrieval/1", document, 0);
}

/* Speed only where it was measured. */
static int bench_print_words(const benching *b,
                             uint32_t varied,
                             const speed *fast)
{
    retrieval_print(b);
    if (varied)
        printf(
            "%u varied assets: index of %.1f MB made in %.1f s (%.1f s of CPU); a query p50 %.2f ms, p99 %.2f ms (CPU time, %u queries)\n",
            varied, (double)fast->bytes / 1e6, fast->build_wall_s,
            fast->build_s, fast->p50_ms, fast->p99_ms, fast->queries);
    if (varied && b->with_fts5)
        printf(
            "SQLite FTS5 over the same: %.1f MB made in %.1f s; a query p50 %.2f ms, p99 %.2f ms (CPU time)\n",
            (double)fast->fts5.bytes / 1e6, fast->fts5.build_s,
            fast->fts5_p50_ms, fast->fts5_p99_ms);
    return load_printed(0);
}

/* The shelf is only read. */
static etna_code bench_measure(benching *b,
                               const char *store,
                               uint32_t varied,
                               speed *fast,
                               etna_error *err)
{
    shelf *s = NULL;
    shelf_list list = {.count = 0};
    etna_code code = assets_open(store, false, &s, err);
    if (code == ETNA_OK)
        code = shelf_read(s, &list, err);
    if (code == ETNA_OK)
        code = retrieval_run(b, &list, err);
    if (code == ETNA_OK && varied)
        code = speed_measure(b, &list, varied, fast, err);
    shelf_list_free(&list);
    shelf_close(s);
    return code;
}

/* A set without "queries" is an input error. */
int bench_cmd_retrieval(int argc, char **argv)
{
    const char *store = NULL;
    bool as_json = false, ablation = false;
    uint32_t varied = 0;
    speed fast = {.build_s = 0};
    benching b = {.tell = false};
    const flags_row flags[] = {
        {"store", .text = &store},
        {"json", .yes = &as_json},
        {"queries", .yes = &b.tell},
        {"ablation", .yes = &ablation},
        {"fts5", .yes = &b.with_fts5},
        {"varied", .number = &varied, .least = 1, .most = SHELF_ASSETS_MAX},
        {0}};
    int exit_code;
    int first =
        load_flags("etna bench retrieval", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc)
        return load_usage(
            "bench retrieval wants one set of queries; see `etna bench retrieval --help`");
    etna_error err = {0};
    json_error_t why;
    json_t *set = json_load_file(argv[first], 0, &why);
    b.queries = json_object_get(set, "queries");
    etna_code code = ETNA_OK;
    if (!json_is_array(b.queries))
        code = etna_fail(&err, ETNA_E_INPUT, "%.300s: %s", argv[first],
                         set ? "it has no list \"queries\"" : why.text);
    settings_add_all(&b, ablation);
    if (code == ETNA_OK)
        code = bench_measure(&b, store, varied, &fast, &err);
    if (code != ETNA_OK)
        exit_code = load_report(&err);
    else
        exit_code = as_json ? bench_print_json(&b, varied, &fast)
                            : bench_print_words(&b, varied, &fast);
    json_decref(set);
    return exit_code;
}
