/* A reading in the notation of strangers_tuned.txt. */
#include "tests/unit/worker/agents/readings_internal.h"

#include <stdarg.h>
#include <stdio.h>

const char *const readings_relations[RELATION_ALONG + 1] = {
    "on",      "in",     "under",   "above",   "beside", "left",   "right",
    "front",   "behind", "between", "against", "middle", "corner", "edge",
    "toward",  "away",   "place",   "swap",    "off",    "turn",   "turned",
    "line",    "shift",  "at",      "tuck",    "stack",  "around", "group",
    "setting", "level",  "over",    "end",     "along"};

const char *const readings_slots[READINGS_SLOTS] = {"plate", "right", "left",
                                                    "far"};

const char *const readings_aligns[READINGS_ALIGNS] = {"none", "top", "middle",
                                                      "bottom", "height"};

const char *readings_name(const builtin_facts *facts, uint32_t object)
{
    if (object == BUILTIN_CAMERA)
        return "camera";
    return object < facts->object_count ? facts->objects[object].name : "?";
}

typedef struct sink {
    char *text;
    size_t size, used;
} sink;

static void put(sink *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(sink *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (s->used < s->size) {
        int count =
            vsnprintf(s->text + s->used, s->size - s->used, format, arguments);
        if (count > 0)
            s->used += (size_t)count;
    }
    va_end(arguments);
}

static void put_sides(sink *s, unsigned sides)
{
    static const unsigned order[] = {SIDE_FRONT, SIDE_BACK, SIDE_LEFT,
                                     SIDE_RIGHT};
    static const char *const texts[] = {"front", "back", "left", "right"};
    put(s, " [side");
    for (int i = 0; i < 4; i++) {
        if (sides & order[i])
            put(s, " %s", texts[i]);
    }
    put(s, "]");
}

static void put_things(sink *s,
                       const builtin_facts *facts,
                       const uint32_t *objects,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put(s, "%s%s", i ? " + " : "", readings_name(facts, objects[i]));
}

static void put_relation(sink *s,
                         const builtin_facts *facts,
                         const builtin_move *move)
{
    put(s, "%s", readings_relations[move->relation]);
    if (move->relation == RELATION_TURN)
        put(s, " %g", move->turn);
    if (move->relation == RELATION_LINE && move->reference != BUILTIN_NONE)
        put(s, " [along %s]", readings_name(facts, move->reference));
    else if (move->reference != BUILTIN_NONE)
        put(s, " %s", readings_name(facts, move->reference));
    if (move->second != BUILTIN_NONE)
        put(s, " & %s", readings_name(facts, move->second));
}

static void put_numbers(sink *s, const builtin_move *move)
{
    if (move->relation == RELATION_SHIFT)
        put(s, " [by %g %g %g]", move->shift[0], move->shift[1],
            move->shift[2]);
    if (move->relation == RELATION_AT)
        put(s, " [at %g %g %g]", move->at[0], move->at[1], move->at[2]);
    if (move->relation == RELATION_AT && move->has_yaw)
        put(s, " [yaw %g]", move->yaw_deg);
    if (move->relation == RELATION_LINE && move->even)
        put(s, " [even]");
    if (move->relation == RELATION_LINE && move->spacing > 0)
        put(s, " [spacing %g]", move->spacing);
    if (move->relation == RELATION_SETTING && (unsigned)move->slot <= SLOT_FAR)
        put(s, " [slot %s]", readings_slots[move->slot]);
    if (move->align > ALIGN_NONE && move->align <= ALIGN_HEIGHT)
        put(s, " [align %s]", readings_aligns[move->align]);
}

void readings_place(const builtin_facts *facts,
                    const builtin_move *move,
                    char *text,
                    size_t size)
{
    sink s = {text, size, 0};
    put_relation(&s, facts, move);
    if (move->gap >= 0)
        put(&s, " [gap %g]", move->gap);
    if (move->sides)
        put_sides(&s, move->sides);
    if (move->level)
        put(&s, " [level %u]", move->level);
    if (move->support != BUILTIN_NONE)
        put(&s, " [on %s]", readings_name(facts, move->support));
    if (move->facing)
        put(&s, " [%s %s]", move->facing == FACING_TO ? "face" : "back",
            readings_name(facts, move->faced));
    put_numbers(&s, move);
    if (move->alone)
        put(&s, " [alone]");
    for (uint32_t i = 0; i < move->also_count; i++) {
        const builtin_condition *also = &move->also[i];
        put(&s, " [%s %s", also->denied ? "not" : "also",
            readings_relations[also->relation]);
        if (also->reference != BUILTIN_NONE)
            put(&s, " %s", readings_name(facts, also->reference));
        if (also->second != BUILTIN_NONE)
            put(&s, " & %s", readings_name(facts, also->second));
        put(&s, "]");
        if (also->gap >= 0)
            put(&s, " [gap %g]", also->gap);
        if (also->sides)
            put_sides(&s, also->sides);
    }
    if (move->each.count) {
        put(&s, " [each ");
        put_things(&s, facts, move->each.objects, move->each.count);
        put(&s, "]");
    }
    if (move->each_number > 1)
        put(&s, " [per %u]", move->each_number);
}

void readings_write(const builtin_facts *facts,
                    const builtin_reading *reading,
                    char *text,
                    size_t size)
{
    sink s = {text, size, 0};
    if (size)
        text[0] = 0;
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *move = &reading->moves[i];
        char where[TEXT_MAX];
        readings_place(facts, move, where, sizeof where);
        if (i)
            put(&s, " ; ");
        if (move->objects.need != move->objects.count)
            put(&s, "%u of ", move->objects.need);
        put_things(&s, facts, move->objects.objects, move->objects.count);
        put(&s, " > %s", where);
        if (move->row_count)
            put(&s, " [order ");
        put_things(&s, facts, move->row, move->row_count);
        if (move->row_count)
            put(&s, "]");
    }
}
