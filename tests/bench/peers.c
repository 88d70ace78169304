/* Peers: other programs that do the same work on the same triangles, by scripts
 * of ours in peers/. A script says one line of JSON a measurement, after a
 * mark, so that what Blender prints does not matter. */
#include "tests/bench/bench_internal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "ETNA-PEER "
enum {
    COMMAND_MAX = 8192,
    LINE_MAX_BYTES = 1 << 16,
    PEER_SECONDS = 1200
};

static peer_state states[] = {
    {.peer = "blender", .package = "blender", .ask = "command -v blender"},
    {.peer = "torch",
     .package = "python3-torch",
     .ask = "/usr/bin/python3 -c 'import torch'"},
    {.peer = "dask",
     .package = "python3-distributed",
     .ask = "/usr/bin/python3 -c 'import distributed'"},
    {.peer = "celery",
     .package = "python3-celery, python3-redis, redis-server",
     .ask =
         "/usr/bin/python3 -c 'import celery, redis' && command -v redis-server"}};

static peer_state *find(const char *peer)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(states[i].peer, peer) == 0)
            return &states[i];
    bench_die(peer, "no such peer");
}

const peer_state *peer_find(const char *peer)
{
    return find(peer);
}

const peer_line *peer_line_find(const bench *b, const char *id)
{
    for (uint32_t i = 0; i < b->peer_count; i++)
        if (strcmp(b->peer_lines[i].id, id) == 0)
            return &b->peer_lines[i];
    return NULL;
}

bool bench_is_quick(const bench *b)
{
    return b->quick;
}

unsigned bench_peer_repeats(const bench *b)
{
    return b->quick ? 1 : 3;
}

static bool is_there(const char *peer)
{
    peer_state *state = find(peer);
    if (state->there == 0) {
        char ask[256];
        snprintf(ask, sizeof ask, "{ %s; } >/dev/null 2>&1", state->ask);
        state->there = system(ask) == 0 ? 1 : -1;
    }
    return state->there > 0;
}

static void append(char *command, const char *text)
{
    if (strchr(text, '\'') || strlen(command) + strlen(text) + 4 > COMMAND_MAX)
        bench_die(text, "not a text for a command line");
    strcat(command, " '");
    strcat(command, text);
    strcat(command, "'");
}

static void read_line(bench *b, const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    const char *id = json_string_value(json_object_get(root, "line")),
               *name = json_string_value(json_object_get(root, "peer"));
    json_t *values = json_object_get(root, "values");
    double samples[64];
    size_t count = json_array_size(values);
    if (!root || !id || !name || count == 0 || count > 64)
        bench_die("a peer", "said something that cannot be read");
    for (size_t i = 0; i < count; i++)
        samples[i] = json_number_value(json_array_get(values, i));
    if (b->peer_count == PEER_LINES_MAX)
        bench_die(id, "more peer lines than there is room for");
    peer_line *line = &b->peer_lines[b->peer_count++];
    snprintf(line->id, sizeof line->id, "%s", id);
    snprintf(line->name, sizeof line->name, "%s", name);
    line->stats = bench_stats_of(samples, (uint32_t)count);
    line->triangles =
        (uint64_t)json_integer_value(json_object_get(root, "triangles"));
    line->check = json_number_value(json_object_get(root, "check"));
    bench_say("%-24s %.4g by %s, %llu triangles", line->id, line->stats.median,
              line->name, (unsigned long long)line->triangles);
    json_decref(root);
}

void bench_peer(bench *b,
                const char *peer,
                const char *script,
                unsigned threads,
                const char *const *arguments)
{
    char command[COMMAND_MAX] = "", number[32];
    if (!b->peers || !is_there(peer))
        return;
    char *line = malloc(LINE_MAX_BYTES);
    if (!line)
        bench_die(script, "out of memory");
    snprintf(command, sizeof command, "timeout %d", PEER_SECONDS);
    snprintf(number, sizeof number, "%u", threads);
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/bench/peers/%s", ETNA_SOURCE_DIR,
             script);
    if (strcmp(peer, "blender") == 0) {
        strcat(
            command,
            " blender -b --factory-startup -noaudio --python-exit-code 9 -t ");
        strcat(command, number);
        strcat(command, " -P");
        append(command, path);
        strcat(command, " --");
    } else {
        strcat(command, " /usr/bin/python3");
        append(command, path);
    }
    for (; *arguments; arguments++)
        append(command, *arguments);
    char log[600];
    snprintf(log, sizeof log, "%s/peer.log", b->folder);
    strcat(command, " 2>");
    append(command, log);
    FILE *f = popen(command, "r");
    if (!f)
        bench_die(script, "cannot be run");
    while (fgets(line, LINE_MAX_BYTES, f))
        if (strncmp(line, MARK, strlen(MARK)) == 0)
            read_line(b, line + strlen(MARK));
    int status = pclose(f);
    if (status != 0) {
        bench_say("%s ended with status %d; the last it said:", script, status);
        snprintf(command, sizeof command, "tail -n 5 '%s' >&2", log);
        if (system(command))
            bench_say("nothing");
    }
    free(line);
}
