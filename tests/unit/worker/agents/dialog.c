/* See dialog.h. */
#include "dialog.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double top_of(const facts_world *w, int i)
{
    double z = 0;
    for (int at = i; at >= 0; at = w->things[at].on)
        z += w->things[at].size[2];
    return z;
}

/* What the ray through an image point meets first: of the tops it passes, the
 * highest. -1: none. */
static int hit_at(const facts_world *w, const double image[2])
{
    int best = -1;
    for (int i = 0; i < (int)w->count; i++) {
        const facts_thing *o = &w->things[i];
        double at[2], top = top_of(w, i);
        facts_world_unproject(image, top, at);
        if (fabs(at[0] - o->x) > o->size[0] / 2 ||
            fabs(at[1] - o->y) > o->size[1] / 2)
            continue;
        if (best < 0 || top > top_of(w, best))
            best = i;
    }
    return best;
}

/* {"hits": [...]} for {"coord_list": [[x, y], ...]}. */
static char *probe(const facts_world *w, const char *arguments)
{
    char *out = malloc(1 << 16);
    size_t used = (size_t)sprintf(out, "{\"hits\":[");
    const char *at = strchr(arguments, '[');
    assert_non_null(at);
    bool first = true;
    for (at = strchr(at + 1, '['); at; at = strchr(at + 1, '[')) {
        double image[2], place[2];
        assert_int_equal(sscanf(at, "[%lf,%lf]", &image[0], &image[1]), 2);
        int i = hit_at(w, image);
        used += (size_t)sprintf(out + used, "%s", first ? "" : ",");
        first = false;
        if (i < 0) {
            used += (size_t)sprintf(out + used, "null");
            continue;
        }
        facts_world_unproject(image, top_of(w, i), place);
        used += (size_t)sprintf(
            out + used,
            "{\"coordinate\":[%.17g,%.17g],\"object\":\"%s\",\"location\":[%.17g,%.17g,%.17g],\"plane\":\"%s_7\",\"normal\":[0,0,1]}",
            image[0], image[1], w->things[i].name, place[0], place[1],
            top_of(w, i), w->things[i].name);
    }
    sprintf(out + used, "],\"tops\":[]}");
    return out;
}

static void run_tools(dialog *d,
                      const facts_world *w,
                      agent *a,
                      agent_step *step)
{
    agent_tool_result results[AGENT_CALLS_MAX] = {{0}};
    char *texts[AGENT_CALLS_MAX];
    for (uint32_t i = 0; i < step->call_count; i++) {
        bool probes =
            strcmp(step->calls[i].tool_name, "ray_probe_for_plane") == 0;
        texts[i] =
            probes ? probe(w, step->calls[i].text) : strdup("{\"objects\":[]}");
        results[i].json = texts[i];
        d->tool_calls++;
    }
    uint32_t count = step->call_count;
    etna_error err = {0};
    if (agent_tool_results(a, count, results, step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < count; i++)
        free(texts[i]);
}

static void talk(dialog *d, const facts_world *w, agent *a, agent_step *step)
{
    while (step->next != AGENT_DONE) {
        if (step->next == AGENT_TOOLS) {
            run_tools(d, w, a, step);
            continue;
        }
        etna_arena arena = ETNA_ARENA_INIT;
        model_reply reply, stored;
        etna_error err = {0};
        uint8_t *data;
        size_t size;
        assert_int_equal(step->request->seed, etna_seed(5, &step->slot));
        if (builtin_answer(step->request, &arena, &reply, &err) != ETNA_OK)
            fail_msg("%s", err.text);
        assert_int_equal(model_reply_encode(&reply, &data, &size, NULL),
                         ETNA_OK); /* as the store gives it back */
        assert_int_equal(model_reply_decode(data, size, &arena, &stored, NULL),
                         ETNA_OK);
        free(data);
        d->calls++;
        if (agent_reply(a, &stored, step, &err) != ETNA_OK)
            fail_msg("%s", err.text);
        etna_arena_free(&arena);
    }
}

static agent_view view_of(const char *facts)
{
    return (agent_view){
        .facts = facts, .camera = "Camera", .width = 1024, .height = 768};
}

void dialog_plan(dialog *d, const facts_world *w, const arrange_task *task)
{
    char *facts = facts_world_json(w);
    agent_view view = view_of(facts);
    agent *a;
    agent_step step;
    etna_error err = {0};
    if (planner_begin(task, &view, &a, &step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    talk(d, w, a, &step);
    const planner_result *result = planner_done(a);
    d->status = result->status;
    d->part = result->part;
    d->makes_way = result->makes_way;
    snprintf(d->instruction, sizeof d->instruction, "%s", result->instruction);
    snprintf(d->reason, sizeof d->reason, "%s", result->reason);
    memcpy(d->coordinate, result->coordinate, sizeof d->coordinate);
    d->is_bottom = result->coordinate_is_bottom;
    agent_free(a);
    free(facts);
}

void dialog_execute(dialog *d,
                    const facts_world *w,
                    const arrange_task *task,
                    uint32_t solver_failures)
{
    char *facts = facts_world_json(w);
    agent_view view = view_of(facts);
    agent *a;
    agent_step step;
    etna_error err = {0};
    if (executor_begin(task, &view, &a, &step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    talk(d, w, a, &step);
    for (uint32_t i = 0; i < solver_failures && executor_done(a)->ok; i++) {
        assert_int_equal(
            executor_solver_failed(a, "all candidates collide with Table",
                                   &step, &err),
            ETNA_OK);
        talk(d, w, a, &step);
    }
    const executor_result *result = executor_done(a);
    d->executed = result->ok;
    snprintf(d->object, sizeof d->object, "%s", result->object);
    snprintf(d->plane, sizeof d->plane, "%s", result->plane);
    snprintf(d->constraints, sizeof d->constraints, "%s", result->constraints);
    snprintf(d->reason, sizeof d->reason, "%s", result->reason);
    const char *pixel = strstr(d->constraints, "\"down\",["),
               *place = strstr(d->constraints, "\"Place\",[");
    d->has_place = place && sscanf(place, "\"Place\",[%lf,%lf,", &d->place[0],
                                   &d->place[1]) == 2;
    if (d->has_place)
        /* an object's name */
        snprintf(d->plane, sizeof d->plane, "%s_7", result->plane);
    if (d->executed && !d->has_place)
        assert_int_equal(
            sscanf(pixel, "\"down\",[%lf,%lf]", &d->pixel[0], &d->pixel[1]), 2);
    d->full_only = strstr(d->constraints, "\"full_only\"") != NULL;
    agent_free(a);
    free(facts);
}

static bool stands_above(const facts_world *w, int i, int base)
{
    for (int at = w->things[i].on; at >= 0; at = w->things[at].on) {
        if (at == base)
            return true;
    }
    return false;
}

static void remember_start(facts_thing *o)
{
    if (o->has_moved)
        return;
    o->has_moved = true;
    o->start[0] = o->x;
    o->start[1] = o->y;
    o->start_on = o->on;
}

void dialog_apply(const dialog *d, facts_world *w)
{
    char base_name[300];
    snprintf(base_name, sizeof base_name, "%s", d->plane);
    *strrchr(base_name, '_') = 0;
    int object = facts_world_find(w, d->object),
        base = facts_world_find(w, base_name);
    facts_thing *o = &w->things[object];
    double place[2], x = o->x, y = o->y;
    facts_world_unproject(d->pixel, top_of(w, base), place);
    if (d->has_place)
        memcpy(place, d->place, sizeof place);
    remember_start(o);
    for (int i = 0; i < (int)w->count; i++) { /* its load goes along */
        if (!stands_above(w, i, object))
            continue;
        remember_start(&w->things[i]);
        w->things[i].x += place[0] - o->x;
        w->things[i].y += place[1] - o->y;
    }
    o->x = place[0];
    o->y = place[1];
    o->on = base;
    w->moved = object;
    w->moved_m = sqrt((x - o->x) * (x - o->x) + (y - o->y) * (y - o->y)) + 0.01;
    memcpy(w->target, d->coordinate, sizeof w->target);
}

void dialog_judge(dialog *d, const facts_world *w, const arrange_task *task)
{
    char *facts = facts_world_json(w);
    agent_view view = view_of(facts);
    agent *a;
    agent_step step;
    etna_error err = {0};
    if (evaluator_begin(task, &view, &a, &step, &err) != ETNA_OK)
        fail_msg("%s", err.text);
    talk(d, w, a, &step);
    d->verdict = evaluator_done(a)->verdict;
    snprintf(d->exam, sizeof d->exam, "%s", evaluator_done(a)->text);
    agent_free(a);
    free(facts);
}
