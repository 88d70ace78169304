/* What the planner says of a thing that is to hang: where, in a sentence that the executor and the evaluator read
 * again, or why not. */
#include "worker/model/builtin_planner_own.h"

static const char *words_of(const planner *p, const builtin_move *m)
{
    static const char *const words[RELATION_COUNT] = {
        [RELATION_ABOVE] = "above",         [RELATION_UNDER] = "under",
        [RELATION_LEFT] = "to the left of", [RELATION_RIGHT] = "to the right of",
        [RELATION_BESIDE] = "next to",      [RELATION_AGAINST] = "next to",
        [RELATION_BETWEEN] = "between",     [RELATION_MIDDLE] = "in the middle of"};
    const char *plain = words[m->relation] ? words[m->relation] : "next to";
    return m->gap < 0 ? plain
                      : etna_arena_printf(p->talk->arena, "%.6g cm %s", 100 * m->gap,
                                          m->relation == RELATION_BESIDE ? "from" : plain);
}

/* "Hang A above B on WALL", "Hang A on WALL". */
static const char *sentence_of(const planner *p, const builtin_move *m, uint32_t object, uint32_t wall)
{
    const builtin_object *objects = p->facts->objects;
    etna_arena *arena = p->talk->arena;
    const char *name = builtin_quote(p->talk, objects[object].name), *on = builtin_quote(p->talk, objects[wall].name);
    if (!name || !on) return NULL;
    if (m->relation == RELATION_ON || m->reference >= p->facts->object_count)
        return etna_arena_printf(arena, "Hang %s on %s", name, on);
    const char *words = words_of(p, m), *reference = builtin_quote(p->talk, objects[m->reference].name);
    if (!words || !reference) return NULL;
    if (m->reference == wall) return etna_arena_printf(arena, "Hang %s %s %s", name, words, reference);
    const char *second = m->relation == RELATION_BETWEEN && m->second < p->facts->object_count
                             ? builtin_quote(p->talk, objects[m->second].name)
                             : "";
    if (!second) return NULL;
    return etna_arena_printf(arena, "Hang %s %s %s%s%s on %s", name, words, reference, second[0] ? " and " : "", second,
                             on);
}

static etna_code no_memory(const planner *p) { return etna_fail(p->err, ETNA_E_NOMEM, "out of memory while planning"); }

static etna_code say_no_hook(const planner *p, const builtin_move *move, uint32_t object, model_reply *ret)
{
    const builtin_object *objects = p->facts->objects;
    const char *name = objects[object].name, *why;
    bool other = move->reference < p->facts->object_count && move->relation != RELATION_ON;
    if (p->facts->wall_count == 0) {
        why = etna_arena_printf(
            p->talk->arena, "%.255s cannot be hung: the camera sees no wall; choose another camera (--camera).", name);
    } else if (other) {
        why = etna_arena_printf(
            p->talk->arena,
            "There is no free place for %.255s on a wall that the camera sees and that is as asked (%s %.255s).", name,
            builtin_relation_name(move->relation), objects[move->reference].name);
    } else {
        why =
            etna_arena_printf(p->talk->arena, "There is no free place for %.255s on %.255s that the camera sees.", name,
                              move->reference < p->facts->object_count ? objects[move->reference].name : "a wall");
    }
    return why ? planner_say_impossible(p, ret, why) : no_memory(p);
}

etna_code planner_hang(const planner *p, const builtin_move *move, uint32_t object, model_reply *ret)
{
    const char *name = p->facts->objects[object].name, *not = builtin_why_not_hung(p->facts, object);
    if (not ) {
        const char *why = etna_arena_printf(p->talk->arena, "%.255s cannot be hung: %s.", name, not );
        return why ? planner_say_impossible(p, ret, why) : no_memory(p);
    }
    const double(*avoid)[3] = NULL;
    uint32_t given_up = 0, count = 0;
    builtin_hook hooks[BUILTIN_SPOTS_MAX];
    etna_code code = builtin_given_up(p->talk, "given_up_here", object, &avoid, &given_up, p->err);
    if (code == ETNA_OK)
        code = builtin_hooks(p->facts, move, object, avoid, given_up, p->talk->arena, hooks, &count, p->err);
    if (code != ETNA_OK) return code;
    if (count == 0) return say_no_hook(p, move, object, ret);
    const builtin_hook *hook = &hooks[planner_failures(p, object) % count];
    uint32_t wall = p->facts->walls[hook->wall].object;
    const char *sentence = sentence_of(p, move, object, wall);
    if (!sentence) return no_memory(p);
    return builtin_say(
        p->talk, ret, p->err,
        "%s hangs on %s then.\n\n[updated_instruction]\n%s.\n[end_of_updated_instruction]\n[coordinate]\nThe center of "
        "the object should be around [%.4f, %.4f].\n[end_of_coordinate]\n",
        name, p->facts->objects[wall].name, sentence, hook->image[0], hook->image[1]);
}
