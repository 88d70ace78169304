/* Why a thing cannot hang where it was asked to. */
#include "worker/builtin/plan/planner_internal.h"

etna_code planner_say_no_hook(const planner *p,
                              const builtin_move *move,
                              uint32_t object,
                              model_reply *ret)
{
    const builtin_object *objects = p->facts->objects;
    const char *name = objects[object].name;
    const char *why;
    const char *not_hung = builtin_why_not_hung(p->facts, object);
    bool other = move->reference < p->facts->object_count &&
                 move->relation != RELATION_ON;
    if (not_hung) {
        why = etna_arena_printf(p->talk->arena, "%.255s cannot be hung: %s.",
                                name, not_hung);
        return planner_say_impossible(p, "impossible", ret, why);
    }
    const char *advice =
        p->facts->wall_count == 0
            ? "Say what it is to stand on."
            : "Take something off that wall first, or name another wall.";
    if (p->facts->wall_count == 0) {
        why = etna_arena_printf(
            p->talk->arena, "%.255s cannot be hung: no wall is known.", name);
    } else if (other) {
        why = etna_arena_printf(
            p->talk->arena,
            "There is no free place for %.255s on a wall that is as asked (%s %.255s).",
            name, builtin_relation_name(move->relation),
            objects[move->reference].name);
    } else {
        why = etna_arena_printf(p->talk->arena,
                                "There is no free place for %.255s on %.255s.",
                                name,
                                move->reference < p->facts->object_count
                                    ? objects[move->reference].name
                                    : "a wall");
    }
    return planner_say_refused(p, "no_place", ret, why, advice);
}
