/* See judge.h. */
#include "referee/judge.h"
#include "referee/kin.h"
#include "referee/measure.h"
#include "referee/verify.h"

#include <stdlib.h>
#include <string.h>

typedef struct judging {
    const judge_request *request;
    gltf_scene start, before, now;
    bool has_before; /* else it is the start */
    etna_error *err;
} judging;

static etna_code scene_open(const char *path, gltf_scene *ret, etna_error *err)
{
    char why[256];
    if (gltf_scene_read(path, ret, why))
        return ETNA_OK;
    return etna_fail(err, ETNA_E_INPUT, "%.200s: %s", path, why);
}

/* ---- what was asked ---- */

static json_t *margin_json(double margin)
{
    /* finer says nothing, and a text that is the same everywhere is worth
     * more */
    const double step = 1e-6;
    if (!isfinite(margin))
        return json_null();
    double rounded = floor(fabs(margin) / step + 0.5) * step;
    return json_real(margin < 0 ? -rounded : rounded);
}

static etna_code predicate_judge(
    judging *j, const stage *on, const predicate *p, json_t *list, bool *done)
{
    char says[400];
    measure m = {false, 0};
    etna_code code = measure_predicate(on, p, &m, j->err);
    if (code)
        return code;
    predicate_say(p, says, sizeof says);
    json_t *one = json_pack("{s:s, s:b, s:o}", "says", says, "holds",
                            (int)m.holds, "margin", margin_json(m.margin));
    if (json_array_append_new(list, one))
        return etna_fail(j->err, ETNA_E_NOMEM, "out of memory for a verdict");
    *done = *done && m.holds;
    return ETNA_OK;
}

static etna_code step_judge(judging *j, const suite_step *step, json_t *to)
{
    const stage on = {j->request->scene, &j->start,
                      j->has_before ? &j->before : &j->start, &j->now};
    json_t *list = json_array();
    bool done = true;
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; !code && i < step->after_count; i++)
        code = predicate_judge(j, &on, &step->after[i], list, &done);
    json_object_set_new(to, "done", json_boolean(done));
    json_object_set_new(to, "predicates", list);
    return code;
}

/* ---- whether it can be so ---- */

typedef struct faults {
    json_t *collisions, *floating, *left, *unstable, *unstable_ever, *stays;
    bool paper_collides, paper_floats;
} faults;

static void finding_tell(const finding *f, faults *to)
{
    switch (f->kind) {
    case FINDING_WITHIN:
    case FINDING_CUTS:
        json_array_append_new(to->collisions,
                              json_pack("{s:s, s:s?, s:o}", "a", f->name, "b",
                                        f->other, "depth_m",
                                        f->kind == FINDING_CUTS
                                            ? margin_json(f->depth_m)
                                            : json_null()));
        break;
    case FINDING_FLOATS:
    case FINDING_TIPS:
        json_array_append_new(to->floating, json_string(f->name));
        break;
    case FINDING_LEFT_BEHIND:
        json_array_append_new(to->left, json_string(f->name));
        break;
    case FINDING_PAPER_CUTS: to->paper_collides = true; break;
    case FINDING_PAPER_FLOATS: to->paper_floats = true; break;
    case FINDING_UNSTABLE:
        json_array_append_new(to->unstable,
                              json_pack("{s:s, s:o, s:o}", "name", f->name,
                                        "shift_m", margin_json(f->depth_m),
                                        "turn_deg", margin_json(f->turn_deg)));
        break;
    case FINDING_UNSTABLE_EVER:
        json_array_append_new(to->unstable_ever, json_string(f->name));
        break;
    case FINDING_STAYS:
        json_array_append_new(to->stays, json_string(f->name));
        break;
    default: break;
    }
}

static void faults_put(const faults *f, const findings *found, json_t *to)
{
    json_object_set_new(to, "moved", json_integer((json_int_t)found->bodies));
    json_object_set_new(to, "collisions", f->collisions);
    json_object_set_new(to, "floating", f->floating);
    json_object_set_new(to, "left_behind", f->left);
    json_object_set_new(to, "fallen", json_integer((json_int_t)found->fallen));
    json_object_set_new(to, "unstable", f->unstable);
    json_object_set_new(to, "unstable_ever", f->unstable_ever);
    json_object_set_new(to, "stays", f->stays);
    json_object_set_new(to, "paper",
                        json_pack("{s:b, s:b}", "collides",
                                  (int)f->paper_collides, "floats",
                                  (int)f->paper_floats));
}

static etna_code scene_judge_faults(judging *j, json_t *to)
{
    const verify_wish wish = {.paper = true, .gravity = true, .no_reach = true};
    pair p;
    findings found = {NULL, 0, 0, 0};
    if (!pair_make(&j->start, &j->now, &p))
        return etna_fail(j->err, ETNA_E_NOMEM,
                         "out of memory comparing scenes");
    bool good = pair_verify(&p, NULL, 0, &wish, &found);
    faults f = {json_array(), json_array(), json_array(), json_array(),
                json_array(), json_array(), false,        false};
    for (size_t i = 0; good && i < found.count; i++)
        finding_tell(&found.list[i], &f);
    faults_put(&f, &found, to);
    if (good)
        free(found.list);
    pair_free(&p);
    return good ? ETNA_OK
                : etna_fail(j->err, ETNA_E_NOMEM,
                            "out of memory, or a scene without bounds");
}

/* ---- all steps ---- */

/* Why all may fail for nothing that was done: "strange", where it is so. */
static etna_code scene_judge_kin(judging *j, json_t *to)
{
    char says[300];
    if (!kin_say(&j->start, &j->now, says, sizeof says))
        return etna_fail(j->err, ETNA_E_NOMEM,
                         "out of memory comparing scenes");
    if (*says)
        json_object_set_new(to, "strange", json_string(says));
    return ETNA_OK;
}

static etna_code state_judge(judging *j, uint32_t i, json_t *to)
{
    const suite_scene *scene = j->request->scene;
    const suite_step *step =
        j->request->is_goal ? &scene->goal : &scene->steps[i];
    etna_code code = scene_open(j->request->states[i], &j->now, j->err);
    if (code)
        return code;
    code = step_judge(j, step, to);
    if (!code)
        code = scene_judge_kin(j, to);
    if (!code && !j->request->facts_alone)
        code = scene_judge_faults(j, to);
    if (j->has_before)
        gltf_scene_free(&j->before);
    j->before = j->now;
    j->has_before = true;
    return code;
}

static etna_code judging_run(judging *j, json_t *steps)
{
    for (uint32_t i = 0; i < j->request->state_count; i++) {
        bool reached = j->request->states[i] != NULL;
        json_t *step = json_pack("{s:I, s:b}", "step", (json_int_t)i + 1,
                                 "reached", (int)reached);
        if (json_array_append_new(steps, step))
            return etna_fail(j->err, ETNA_E_NOMEM,
                             "out of memory for verdicts");
        etna_code code = reached ? state_judge(j, i, step) : ETNA_OK;
        if (code)
            return code;
        if (!reached)
            json_object_set_new(step, "done", json_false());
    }
    return ETNA_OK;
}

etna_code judge_scene(const judge_request *request,
                      json_t **ret,
                      etna_error *err)
{
    judging j = {.request = request, .err = err};
    json_t *steps = json_array();
    etna_code code = scene_open(request->start, &j.start, err);
    if (!code)
        code = judging_run(&j, steps);
    if (j.has_before)
        gltf_scene_free(&j.before);
    gltf_scene_free(&j.start);
    json_t *whole =
        json_pack("{s:s, s:o}", "scene", request->scene->name, "steps", steps);
    if (!code && !whole)
        code = etna_fail(err, ETNA_E_NOMEM, "out of memory for verdicts");
    if (!code)
        *ret = whole;
    if (code)
        json_decref(whole);
    return code;
}
