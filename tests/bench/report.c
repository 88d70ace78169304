/* What was measured, for people (a table), programs (JSON) and later runs (a
 * CSV a CPU). */
#include "tests/bench/bench_internal.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what follows ---- */
static void find_peer(const bench *b, const bench_row *row, row_verdict *v)
{
    const peer_state *state = peer_find(row->peer);
    const peer_line *line = peer_line_find(b, row->id);
    if (state->there < 0) {
        snprintf(v->why, sizeof v->why, "not installed: %s", state->package);
    } else if (!b->peers) {
        snprintf(v->why, sizeof v->why, "not asked");
    } else if (!line) {
        snprintf(v->why, sizeof v->why, "%s failed", row->peer);
    } else if (row->triangles && line->triangles != row->triangles) {
        snprintf(v->why, sizeof v->why,
                 "not compared: %llu triangles there, %llu here",
                 (unsigned long long)line->triangles,
                 (unsigned long long)row->triangles);
    } else if (!row->triangles &&
               fabs(line->check - row->check) > 1e-3 * fabs(row->check)) {
        snprintf(v->why, sizeof v->why,
                 "not compared: another problem (%.6g there, %.6g here)",
                 line->check, row->check);
    } else {
        v->peer = line;
    }
}

row_verdict report_judge(const bench *b, const bench_row *row)
{
    row_verdict v = {0};
    if (row->peer)
        find_peer(b, row, &v);
    double ours = row->ours.median;
    if (v.peer && ours > 0 && v.peer->stats.median > 0) {
        double peer = v.peer->stats.median;
        v.ratio = row->at_least ? ours / peer : peer / ours;
        if (row->peer_printed > 0)
            v.factor = row->at_least ? row->peer_printed / peer
                                     : peer / row->peer_printed;
    }
    if (v.factor <= 0 && row->floor.samples && row->floor_printed > 0)
        v.factor = row->at_least ? row->floor_printed / row->floor.median
                                 : row->floor.median / row->floor_printed;
    if (row->goal <= 0 || ours <= 0)
        return v;
    v.over = row->at_least ? row->goal / ours : ours / row->goal;
    if (v.factor <= 0)
        return v;
    v.goal_here = row->at_least ? row->goal / v.factor : row->goal * v.factor;
    v.over_here = row->at_least ? v.goal_here / ours : ours / v.goal_here;
    return v;
}

double report_exponent(const bench_growth *g)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < 3; i++) {
        double x = log(g->size[i]), y = log(g->ms[i] > 1e-9 ? g->ms[i] : 1e-9);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (3 * sxy - sx * sy) / (3 * sxx - sx * sx);
}

double report_allowed(const bench_growth *g)
{
    if (g->flat)
        return 0.1;
    bench_growth fair = *g;
    for (int i = 0; i < 3; i++)
        fair.ms[i] = g->size[i] * log(g->size[i]);
    return report_exponent(&fair);
}

/* ---- the table ---- */
static void print_value(char *to, size_t room, double value, const char *unit)
{
    if (value <= 0) {
        snprintf(to, room, "-");
    } else if (value >= 100) {
        snprintf(to, room, "%.0f %s", value, unit);
    } else {
        snprintf(to, room, "%.3g %s", value, unit);
    }
}

static void print_row(const bench *b, const bench_row *row)
{
    row_verdict v = report_judge(b, row);
    char ours[64], goal[64], peer[96], ratio[32] = "-", under[64];
    print_value(ours, sizeof ours, row->ours.median, row->unit);
    print_value(goal, sizeof goal, row->goal, row->unit);
    print_value(peer, sizeof peer, v.peer ? v.peer->stats.median : 0,
                row->unit);
    print_value(under, sizeof under, row->floor.samples ? row->floor.median : 0,
                row->unit);
    if (v.ratio > 0)
        snprintf(ratio, sizeof ratio, v.ratio >= 100 ? "%.0f x" : "%.3g x",
                 v.ratio);
    if (v.why[0])
        snprintf(peer, sizeof peer, "%.90s", v.why);
    printf("%-62s | %10s | %s%-9s | %10s | %8s | %10s\n", row->work, ours,
           row->goal <= 0  ? " "
           : row->at_least ? ">"
                           : "<",
           goal, peer, ratio, under);
    printf("    %s: %.3g to %.3g, %u times, %s", row->id, row->ours.low,
           row->ours.high, row->ours.samples,
           row->clock == BENCH_CORE ? "of one core's time" : "on the wall");
    if (row->ours.cpu > 0)
        printf(", %.3g ms of all cores' time", row->ours.cpu);
    if (v.goal_here > 0)
        printf("; goal here %.3g (x %.2f)", v.goal_here, v.factor);
    if (v.peer)
        printf("; peer: %s, %.3g to %.3g", v.peer->name, v.peer->stats.low,
               v.peer->stats.high);
    if (row->triangles)
        printf("; %llu triangles", (unsigned long long)row->triangles);
    if (row->floor_is)
        printf("; floor: %s", row->floor_is);
    if (row->note)
        printf("; %s", row->note);
    putchar('\n');
}

static void print_misses(const bench *b)
{
    uint32_t missed = 0;
    printf("\nmisses its goal:\n");
    for (uint32_t i = 0; i < b->row_count; i++) {
        const bench_row *row = &b->rows[i];
        row_verdict v = report_judge(b, row);
        if (v.over <= 1 && v.over_here <= 1)
            continue;
        const char *too = row->at_least ? "few" : "much";
        printf("  %-22s %.3g %s:", row->id, row->ours.median, row->unit);
        if (v.over > 1)
            printf(" %.2f times too %s for the goal of %.3g", v.over, too,
                   row->goal);
        if (v.over_here > 1)
            printf(
                "%s %.2f times too %s for the goal scaled to this machine, %.3g",
                v.over > 1 ? ";" : "", v.over_here, too, v.goal_here);
        putchar('\n');
        missed++;
    }
    for (uint32_t i = 0; i < b->growth_count; i++) {
        const bench_growth *g = &b->growths[i];
        if (report_exponent(g) <= report_allowed(g))
            continue;
        printf("  %-22s grows with exponent %.2f where %.2f is allowed\n",
               g->id, report_exponent(g), report_allowed(g));
        missed++;
    }
    if (!missed)
        printf("  none\n");
}

void report_table(const bench *b)
{
    printf("%s, %u cores, load %.1f at the start%s\n\n", b->cpu, b->cores,
           b->load, b->load > 0.5 ? ": a busy machine" : "");
    printf("%-62s | %10s | %-10s | %10s | %8s | %10s\n", "work", "ours", "goal",
           "peer", "ratio", "floor");
    for (uint32_t i = 0; i < b->row_count; i++)
        print_row(b, &b->rows[i]);
    if (b->growth_count)
        printf("\n%-62s | %34s | %8s | %7s\n", "growth", "1 x, 10 x, 100 x",
               "exponent", "allowed");
    for (uint32_t i = 0; i < b->growth_count; i++) {
        const bench_growth *g = &b->growths[i];
        printf(
            "%-50s %-11s | %10.4g %10.4g %10.4g %s | %8.2f | %7.2f\n    %s: %.0f, %.0f, %.0f %s\n",
            g->work, g->of, g->ms[0], g->ms[1], g->ms[2],
            g->unit ? g->unit : "ms", report_exponent(g), report_allowed(g),
            g->id, g->size[0], g->size[1], g->size[2], g->of);
    }
    print_misses(b);
}

/* ---- JSON ---- */
static json_t *number_or_null(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *stats_json(const bench_stats *s)
{
    return json_pack("{s:f,s:f,s:f,s:i,s:f}", "median", s->median, "q1", s->low,
                     "q3", s->high, "samples", (int)s->samples, "cpu_ms",
                     s->cpu);
}

static json_t *row_json(const bench *b, const bench_row *row)
{
    row_verdict v = report_judge(b, row);
    json_t *j = json_pack(
        "{s:s,s:s,s:s,s:s,s:o,s:o,s:s}", "line", row->id, "work", row->work,
        "unit", row->unit, "clock", row->clock == BENCH_CORE ? "core" : "wall",
        "ours", stats_json(&row->ours), "goal", number_or_null(row->goal),
        "goal_is", row->at_least ? "at least" : "at most");
    json_object_set_new(j, "factor", number_or_null(v.factor));
    json_object_set_new(j, "goal_here", number_or_null(v.goal_here));
    json_object_set_new(j, "met",
                        v.over > 0 ? json_boolean(v.over <= 1) : json_null());
    json_object_set_new(j, "met_here",
                        v.over_here > 0 ? json_boolean(v.over_here <= 1)
                                        : json_null());
    json_object_set_new(j, "ratio", number_or_null(v.ratio));
    json_t *peer = v.peer ? stats_json(&v.peer->stats) : json_null();
    if (v.peer)
        json_object_set_new(peer, "name", json_string(v.peer->name));
    json_object_set_new(j, "peer", peer);
    json_object_set_new(j, "peer_missing",
                        v.why[0] ? json_string(v.why) : json_null());
    json_t *under = row->floor.samples ? stats_json(&row->floor) : json_null();
    if (row->floor.samples)
        json_object_set_new(under, "is",
                            json_string(row->floor_is ? row->floor_is : ""));
    json_object_set_new(j, "floor", under);
    json_object_set_new(j, "triangles",
                        row->triangles
                            ? json_integer((json_int_t)row->triangles)
                            : json_null());
    json_object_set_new(j, "note",
                        row->note ? json_string(row->note) : json_null());
    return j;
}

void report_json(const bench *b)
{
    json_t *lines = json_array(), *growth = json_array();
    for (uint32_t i = 0; i < b->row_count; i++)
        json_array_append_new(lines, row_json(b, &b->rows[i]));
    for (uint32_t i = 0; i < b->growth_count; i++) {
        const bench_growth *g = &b->growths[i];
        json_array_append_new(
            growth, json_pack("{s:s,s:s,s:s,s:s,s:[fff],s:[fff],s:f,s:f,s:b}",
                              "line", g->id, "work", g->work, "of", g->of,
                              "unit", g->unit ? g->unit : "ms", "sizes",
                              g->size[0], g->size[1], g->size[2], "ms",
                              g->ms[0], g->ms[1], g->ms[2], "exponent",
                              report_exponent(g), "allowed", report_allowed(g),
                              "met", report_exponent(g) <= report_allowed(g)));
    }
    json_t *root = json_pack("{s:s,s:i,s:f,s:b,s:o,s:o}", "cpu", b->cpu,
                             "cores", (int)b->cores, "load", b->load, "quick",
                             b->quick, "lines", lines, "growth", growth);
    if (!root ||
        json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6)))
        bench_die("--json", "cannot be written");
    putchar('\n');
    json_decref(root);
}

/* ---- CSV ---- */
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '"')
            fputc('"', f);
        fputc(*c == '\n' ? ' ' : *c, f);
    }
    fputc('"', f);
}

static void put_number(FILE *f, double value)
{
    if (value > 0) {
        fprintf(f, ",%.5g", value);
    } else {
        fputc(',', f);
    }
}

static void put_row(FILE *f, const bench *b, const bench_row *row)
{
    row_verdict v = report_judge(b, row);
    fprintf(f, "%s,", row->id);
    put_text(f, row->work);
    fprintf(f, ",%s,%s", row->unit, row->clock == BENCH_CORE ? "core" : "wall");
    put_number(f, row->ours.median);
    put_number(f, row->ours.low);
    put_number(f, row->ours.high);
    put_number(f, row->ours.cpu);
    fprintf(f, ",%u,%s", row->ours.samples,
            row->goal <= 0  ? ""
            : row->at_least ? "at least"
                            : "at most");
    put_number(f, row->goal);
    put_number(f, v.factor);
    fprintf(f, ",%s", v.over <= 0 ? "" : v.over <= 1 ? "yes" : "no");
    put_number(f, v.goal_here);
    fprintf(f, ",%s,", v.over_here <= 0 ? "" : v.over_here <= 1 ? "yes" : "no");
    put_text(f, v.peer ? v.peer->name : v.why);
    put_number(f, v.peer ? v.peer->stats.median : 0);
    put_number(f, v.ratio);
    put_number(f, row->floor.samples ? row->floor.median : 0);
    fputc(',', f);
    put_text(f, row->floor_is);
    put_number(f, (double)row->triangles);
    fputc(',', f);
    put_text(f, row->note);
    fputc('\n', f);
}

/* The file's lines that this run did not measure, as they stand. */
static char *other_lines(const bench *b, const char *path)
{
    char *kept = NULL, line[2048];
    size_t size = 0;
    FILE *f = fopen(path, "r"), *to = open_memstream(&kept, &size);
    if (!to)
        bench_die(path, "out of memory");
    for (bool first = true; f && fgets(line, sizeof line, f); first = false) {
        size_t length = strcspn(line, ",");
        bool mine = first || (length == 7 && strncmp(line, "machine", 7) == 0);
        for (uint32_t i = 0; i < b->row_count; i++)
            mine |= strlen(b->rows[i].id) == length &&
                    strncmp(b->rows[i].id, line, length) == 0;
        for (uint32_t i = 0; i < b->growth_count; i++)
            mine |= strlen(b->growths[i].id) == length &&
                    strncmp(b->growths[i].id, line, length) == 0;
        if (!mine)
            fputs(line, to);
    }
    if (f)
        fclose(f);
    if (fclose(to))
        bench_die(path, "out of memory");
    return kept;
}

void report_csv(const bench *b)
{
    char path[1024], name[TEXT_MAX] = "";
    size_t n = 0;
    for (const char *c = b->cpu; *c && n + 1 < sizeof name; c++) {
        if (isalnum((unsigned char)*c)) {
            name[n++] = (char)tolower((unsigned char)*c);
        } else if (n && name[n - 1] != '-') {
            name[n++] = '-';
        }
    }
    while (n && name[n - 1] == '-')
        n--;
    name[n] = 0;
    (void)mkdir(b->results, 0777);
    snprintf(path, sizeof path, "%s/%s.csv", b->results, name);
    char *others = other_lines(b, path);
    FILE *f = fopen(path, "w");
    if (!f)
        bench_die(path, "cannot be written");
    fprintf(
        f,
        "line,work,unit (of ours; goal; peer; floor),clock (one core or wall),ours (median),ours (first quartile),ours (third quartile),"
        "ours (all cores' time in ms where the clock is the wall),samples,goal is,goal,factor of this machine,met,goal here,met here,peer,peer (median),ratio (times better than the peer),floor (median),"
        "floor is,triangles,note\n");
    for (uint32_t i = 0; i < b->row_count; i++)
        put_row(f, b, &b->rows[i]);
    for (uint32_t i = 0; i < b->growth_count; i++) {
        const bench_growth *g = &b->growths[i];
        fprintf(
            f,
            "%s,\"growth: %s, by %s\",exponent,core,%.3f,,,,3,at most,%.3f,,%s,,,,,,,,,\"%.4g %.4g %.4g %s at %.0f %.0f %.0f %s\"\n",
            g->id, g->work, g->of, report_exponent(g), report_allowed(g),
            report_exponent(g) <= report_allowed(g) ? "yes" : "no", g->ms[0],
            g->ms[1], g->ms[2], g->unit ? g->unit : "ms", g->size[0],
            g->size[1], g->size[2], g->of);
    }
    fputs(others, f);
    free(others);
    fprintf(
        f,
        "machine,\"%s, %u cores\",load,wall,%.2f,,,,1,,,,,,,,,,,,,\"load average when the run began\"\n",
        b->cpu, b->cores, b->load);
    if (fclose(f))
        bench_die(path, "cannot be written");
    bench_say("kept in %s", path);
}
