/* `etna bench study --rate PAIRS.csv`: votes that others counted, rated.
 *
 * A line is a pair of systems with counts of votes, or one vote, maybe with who
 * gave it; the head line says which. Both become votes as `etna bench study
 * --count` has them, so one estimator serves both (study.h). Intervals come
 * from a bootstrap over raters, or over votes where none are told, and are
 * shifted onto the published scale, on which the base has 1500. */
#include "coordinator/bench/study.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/terminal.h"
#include "proto/arena.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_SIZE = 4096,
    COLUMNS_MAX = 8,
    VOTES_MAX = 1000000
};

/* What a column may hold, in the order of column_names. */
typedef enum column {
    COLUMN_A,
    COLUMN_B,
    COLUMN_WINS_A,
    COLUMN_WINS_B,
    COLUMN_TIES,
    COLUMN_WINNER,
    COLUMN_RATER,
    COLUMNS
} column;
static const char *const column_names[COLUMNS] = {
    "a", "b", "wins_a", "wins_b", "ties", "winner", "rater"};

/* A file under way. `fields` point into the line at hand; names lie in the
 * arena. */
typedef struct rating {
    const char *path;
    etna_arena arena;
    /* of each column of the file, which it is */
    uint32_t column_of[COLUMNS], columns, line;
    char *fields[COLUMNS_MAX];
    uint32_t field_count;
    uint32_t systems, raters;
    const char *names[STUDY_SYSTEMS_MAX];
    const char **rater_names;
    double wins[STUDY_SYSTEMS_MAX][STUDY_SYSTEMS_MAX];
    study_vote *votes;
    size_t vote_count, vote_room;
    etna_error *err;
} rating;

/* With the file's name and line. */
static etna_code rating_refuse(const rating *r, const char *why)
{
    return etna_fail(r->err, ETNA_E_INPUT, "%.300s:%u: %s", r->path, r->line,
                     why);
}

/* Cuts the line in place. False: too many fields. */
static bool line_cut(rating *r, char *line)
{
    r->field_count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; at; r->field_count++) {
        char *next = strchr(at, ',');
        if (r->field_count == COLUMNS_MAX)
            return false;
        if (next)
            *next++ = 0;
        at += strspn(at, " \t");
        for (size_t n = strlen(at); n && strchr(" \t", at[n - 1]); n--)
            at[n - 1] = 0;
        r->fields[r->field_count] = at;
        at = next;
    }
    return true;
}

/* "": the file has no such column, or the line ends before it. */
static const char *rating_field(const rating *r, column of)
{
    uint32_t at = r->column_of[of];
    return at < r->field_count ? r->fields[at] : "";
}

/* Unknown columns are passed over. Counts and single votes exclude each
 * other. */
static etna_code rate_head_read(rating *r)
{
    for (uint32_t i = 0; i < COLUMNS; i++) {
        r->column_of[i] = COLUMNS_MAX;
        for (uint32_t k = 0; k < r->field_count; k++) {
            if (strcmp(r->fields[k], column_names[i]) == 0)
                r->column_of[i] = k;
        }
    }
    bool has_counts = r->column_of[COLUMN_WINS_A] < COLUMNS_MAX &&
                      r->column_of[COLUMN_WINS_B] < COLUMNS_MAX;
    bool has_votes = r->column_of[COLUMN_WINNER] < COLUMNS_MAX;
    bool has_pair = r->column_of[COLUMN_A] < COLUMNS_MAX &&
                    r->column_of[COLUMN_B] < COLUMNS_MAX;
    if (has_pair && has_counts != has_votes)
        return ETNA_OK;
    return rating_refuse(
        r,
        "the first line is to name the columns: a,b,wins_a,wins_b[,ties], or a,b,winner[,rater]");
}

/* Systems are numbered as they appear. */
static etna_code system_find(rating *r, const char *name, uint32_t *ret)
{
    for (*ret = 0; *ret < r->systems; ++*ret) {
        if (strcmp(r->names[*ret], name) == 0)
            return ETNA_OK;
    }
    if (!*name)
        return rating_refuse(r, "a system without a name");
    if (r->systems == STUDY_SYSTEMS_MAX)
        return rating_refuse(r, "more than 16 systems");
    r->names[r->systems] = etna_arena_strdup(&r->arena, name);
    return r->names[r->systems++]
               ? ETNA_OK
               : etna_fail(r->err, ETNA_E_NOMEM, "out of memory for votes");
}

/* Each vote is its own rater's where the file tells none. */
static etna_code votes_add(
    rating *r, uint32_t a, uint32_t b, double for_a, double count, uint32_t who)
{
    if (r->vote_count + (size_t)count > VOTES_MAX)
        return rating_refuse(r, "more than a million votes");
    size_t wanted = r->vote_count + (size_t)count + 1;
    if (wanted > r->vote_room) {
        study_vote *grown = realloc(r->votes, 2 * wanted * sizeof *grown);
        if (!grown)
            return etna_fail(r->err, ETNA_E_NOMEM, "out of memory for votes");
        r->votes = grown;
        r->vote_room = 2 * wanted;
    }
    for (double i = 0; i < count; i++) {
        uint32_t person = who != UINT32_MAX ? who : (uint32_t)r->vote_count;
        r->votes[r->vote_count++] = (study_vote){person, a, b, for_a};
    }
    r->wins[a][b] += for_a * count;
    r->wins[b][a] += (1 - for_a) * count;
    return ETNA_OK;
}

/* A count of votes; "" is none. False: it is no whole number. */
static bool votes_read(const char *text, double *ret)
{
    char *end = NULL;
    unsigned long n = strtoul(text, &end, 10);
    bool is_number = *text >= '0' && *text <= '9' && !*end;
    *ret = is_number ? (double)n : 0;
    return (is_number && n <= VOTES_MAX) || !*text;
}

/* Of such votes nobody knows who gave them. */
static etna_code counts_take(rating *r, uint32_t a, uint32_t b)
{
    static const column from[3] = {COLUMN_WINS_A, COLUMN_TIES, COLUMN_WINS_B};
    static const double for_a[3] = {1, 0.5, 0};
    etna_code code = ETNA_OK;
    for (int i = 0; !code && i < 3; i++) {
        double count;
        if (!votes_read(rating_field(r, from[i]), &count))
            return rating_refuse(r, "votes are counted in whole numbers");
        code = votes_add(r, a, b, for_a[i], count, UINT32_MAX);
    }
    return code;
}

/* UINT32_MAX: the file does not say who. */
static etna_code rater_find(rating *r, const char *name, uint32_t *ret)
{
    *ret = UINT32_MAX;
    if (!*name)
        return ETNA_OK;
    for (*ret = 0; *ret < r->raters; ++*ret) {
        if (strcmp(r->rater_names[*ret], name) == 0)
            return ETNA_OK;
    }
    if ((r->raters & (r->raters - 1)) == 0) { /* room for twice as many */
        const char **grown = realloc(
            r->rater_names, 2 * (r->raters + 1u) * sizeof *r->rater_names);
        if (!grown)
            return etna_fail(r->err, ETNA_E_NOMEM, "out of memory for votes");
        r->rater_names = grown;
    }
    r->rater_names[r->raters] = etna_arena_strdup(&r->arena, name);
    return r->rater_names[r->raters++]
               ? ETNA_OK
               : etna_fail(r->err, ETNA_E_NOMEM, "out of memory for votes");
}

/* A tie counts as half a win for each. */
static etna_code rate_vote_take(rating *r, uint32_t a, uint32_t b)
{
    uint32_t who;
    const char *winner = rating_field(r, COLUMN_WINNER);
    bool is_a = strcmp(winner, r->names[a]) == 0;
    bool is_b = strcmp(winner, r->names[b]) == 0;
    if (!is_a && !is_b && strcmp(winner, "tie") != 0)
        return rating_refuse(r, "the winner is one of the two, or tie");
    etna_code code = rater_find(r, rating_field(r, COLUMN_RATER), &who);
    double for_a = is_a ? 1 : 0;
    return code ? code : votes_add(r, a, b, is_a || is_b ? for_a : 0.5, 1, who);
}

/* In either form. */
static etna_code rate_line_take(rating *r)
{
    uint32_t a = 0, b = 0;
    etna_code code = system_find(r, rating_field(r, COLUMN_A), &a);
    if (!code)
        code = system_find(r, rating_field(r, COLUMN_B), &b);
    if (code)
        return code;
    if (a == b)
        return rating_refuse(r, "a system does not compete with itself");
    return r->column_of[COLUMN_WINNER] < COLUMNS_MAX ? rate_vote_take(r, a, b)
                                                     : counts_take(r, a, b);
}

/* Empty lines are passed over. A line that does not fit is refused rather than
 * cut: its end would be a line of its own. */
static etna_code rating_read(rating *r)
{
    char line[LINE_SIZE];
    FILE *f = fopen(r->path, "re");
    etna_code code = f ? ETNA_OK
                       : etna_fail(r->err, ETNA_E_INPUT,
                                   "%.300s: cannot be opened", r->path);
    bool has_head = false;
    while (!code && fgets(line, sizeof line, f)) {
        r->line++;
        bool is_whole = strchr(line, '\n') || feof(f);
        if (!is_whole || !line_cut(r, line)) {
            code = rating_refuse(r, "the line is too long");
        } else if (r->field_count > 1 || *r->fields[0]) {
            code = has_head ? rate_line_take(r) : rate_head_read(r);
            has_head = true;
        }
    }
    if (!code && ferror(f))
        code =
            etna_fail(r->err, ETNA_E_INPUT, "%.300s: cannot be read", r->path);
    if (f)
        fclose(f);
    if (!code && r->systems < 2)
        code = rating_refuse(r, "there are no votes over two systems");
    return code;
}

/* The base is moved to the front; its strength is 1500. */
static etna_code base_choose(rating *r, const char *base)
{
    uint32_t at = 0;
    while (base && at < r->systems && strcmp(r->names[at], base) != 0)
        at++;
    if (at == r->systems)
        return etna_fail(r->err, ETNA_E_USAGE,
                         "--base: there are no votes over \"%.80s\"", base);
    if (at == 0)
        return ETNA_OK;
    const char *name = r->names[at];
    r->names[at] = r->names[0];
    r->names[0] = name;
    memset(r->wins, 0, sizeof r->wins);
    for (size_t i = 0; i < r->vote_count; i++) {
        study_vote *v = &r->votes[i];
        uint32_t *const sides[2] = {&v->a, &v->b};
        for (int k = 0; k < 2; k++) {
            if (*sides[k] == 0 || *sides[k] == at)
                *sides[k] = at - *sides[k];
        }
        r->wins[v->a][v->b] += v->for_a;
        r->wins[v->b][v->a] += 1 - v->for_a;
    }
    return ETNA_OK;
}

/* Strengths need that every system was preferred to the others at least once,
 * by some chain; without that there is no greatest likelihood. */
static etna_code rating_tell(const rating *r, bool json)
{
    double wins[STUDY_SYSTEMS_MAX * STUDY_SYSTEMS_MAX], elo[STUDY_SYSTEMS_MAX],
        about[STUDY_SYSTEMS_MAX];
    interval range[STUDY_SYSTEMS_MAX];
    for (uint32_t a = 0; a < r->systems; a++)
        memcpy(wins + (size_t)a * r->systems, r->wins[a],
               r->systems * sizeof *wins);
    if (!study_scale(wins, r->systems, elo))
        return etna_fail(
            r->err, ETNA_E_INPUT,
            "%.300s: these votes give no end: some systems were never preferred to the others, or never met "
            "them",
            r->path);
    if (!study_rate(r->votes, r->vote_count, r->systems, about, range))
        return etna_fail(r->err, ETNA_E_NOMEM, "out of memory for votes");
    json_t *rated = json_array();
    for (uint32_t a = 0; a < r->systems; a++) {
        double low = elo[a] + range[a].low - about[a];
        double high = elo[a] + range[a].high - about[a];
        json_array_append_new(rated, json_pack("{s:s, s:f, s:f, s:f}", "system",
                                               r->names[a], "elo", elo[a],
                                               "low", low, "high", high));
        if (json)
            continue;
        terminal_printf(stdout, "%-24s %.0f Elo [%.0f, %.0f]", r->names[a],
                        elo[a], low, high);
        putc('\n', stdout);
    }
    if (json)
        cli_print("etna.rated/1",
                  json_pack("{s:I, s:o}", "votes", (json_int_t)r->vote_count,
                            "ratings", rated));
    else
        json_decref(rated);
    return ETNA_OK;
}

/* Returns the exit code. The struct is too large for the stack. */
int bench_rate_command(const char *path, const char *base, bool json)
{
    etna_error err = {ETNA_OK, ""};
    rating *r = calloc(1, sizeof *r);
    etna_code code =
        r ? ETNA_OK : etna_fail(&err, ETNA_E_NOMEM, "out of memory");
    if (r) {
        *r = (rating){.path = path, .arena = ETNA_ARENA_INIT, .err = &err};
        code = rating_read(r);
        if (!code)
            code = base_choose(r, base);
        if (!code)
            code = rating_tell(r, json);
        free(r->votes);
        free(r->rater_names);
        etna_arena_free(&r->arena);
    }
    free(r);
    if (!code && (fflush(stdout) || ferror(stdout)))
        code = etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
    return code ? cli_fail(&err) : 0;
}
