/* What a model said that the kind of its predicate has no use for. It would be
 * dropped without a word, and the run would end complete without it. */
#include "proto/array.h"
#include "worker/builtin/read/predicates_internal.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define K(relation) (UINT64_C(1) << RELATION_##relation)

/* Kinds that ask for a place by a thing: a gap to it can be kept. */
#define GAPS \
    (K(BESIDE) | K(AGAINST) | K(LEFT) | K(RIGHT) | K(FRONT) | K(BEHIND) | \
     K(ABOVE) | K(UNDER) | K(MIDDLE) | K(CORNER) | K(EDGE) | K(END) | \
     K(AROUND) | K(LINE) | K(TOWARD) | K(AWAY) | K(SHIFT))
/* Kinds that ask for no place on something. */
#define NO_LEVEL \
    (K(PLACE) | K(SWAP) | K(TURN) | K(TURNED) | K(SHIFT) | K(AT) | K(TUCK) | \
     K(STACK) | K(GROUP) | K(SETTING) | K(AROUND))

static const struct {
    const char *key;
    uint64_t kinds; /* that use it */
    bool is_number;
} uses[] = {{"turn_deg", K(TURN), true},
            {"shift_m", K(SHIFT), true},
            {"at_m", K(AT), true},
            {"yaw_deg", K(AT), true},
            {"spacing_m", K(LINE), true},
            {"gap_m", GAPS, true},
            {"level", ~NO_LEVEL, true},
            {"even", K(LINE), false},
            {"abreast", K(LINE), false},
            {"in_order", K(LINE) | K(STACK), false},
            {"slot", K(SETTING), false},
            {"sides", K(CORNER) | K(EDGE) | K(END) | K(LINE), false}};

/* All that a further place may say. */
static const char *const of_also[] = {"kind",      "things", "roles",
                                      "numbers",   "sides",  "gap_most",
                                      "gap_least", "denied", "goes"};

static const json_t *number_of(const json_t *from, const char *key)
{
    return json_object_get(json_object_get(from, "numbers"), key);
}

/* Some models write 0 for whatever was not said. */
static bool is_zero(const json_t *value)
{
    bool zero = !json_is_number(value) || json_number_value(value) == 0;
    for (size_t i = 0; i < json_array_size(value); i++)
        zero = zero && json_number_value(json_array_get(value, i)) == 0;
    return zero && (json_is_number(value) || json_is_array(value));
}

static const json_t *things_of(const json_t *from, const char *role)
{
    const json_t *roles = json_object_get(from, "roles");
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *said = json_string_value(json_array_get(roles, i));
        if (said && strcmp(said, role) == 0)
            return json_array_get(json_object_get(from, "things"), i);
    }
    return NULL;
}

__attribute__((format(printf, 2, 3))) static bool unused(predicates_text *ret,
                                                         const char *format,
                                                         ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ret->text, sizeof ret->text, format, args);
    va_end(args);
    return true;
}

static bool is_field_unused(const json_t *one,
                            builtin_relation relation,
                            predicates_text *ret)
{
    for (size_t i = 0; i < COUNT_OF(uses); i++) {
        const json_t *value = uses[i].is_number
                                  ? number_of(one, uses[i].key)
                                  : json_object_get(one, uses[i].key);
        bool is_used = (uses[i].kinds >> relation & 1) != 0;
        if (value && !is_used && !(uses[i].is_number && is_zero(value)))
            return unused(ret,
                          "%s has no use for %s; where it is asked for "
                          "besides, it is a predicate of its own",
                          predicates_kind(relation), uses[i].key);
    }
    return false;
}

/* "middle" of a thing on a table is no height that it has in common with the
 * table. */
static bool is_align_unused(const json_t *one,
                            builtin_relation relation,
                            predicates_text *ret)
{
    const uint64_t kinds = K(LEVEL) | K(LINE) | K(LEFT) | K(RIGHT) | K(BESIDE) |
                           K(BETWEEN) | K(ABOVE) | K(UNDER);
    const char *align = json_string_value(json_object_get(one, "align"));
    const bool is_height = align && strcmp(align, "height") == 0;
    if (align && !is_height && number_of(one, "height_m"))
        return unused(ret, "height_m goes with \"align\": \"height\" alone");
    return align && !is_height && !(kinds >> relation & 1) &&
           unused(ret, "%s has no use for align", predicates_kind(relation));
}

/* Words that mean something only beside others. */
static bool is_company_missing(const json_t *one, predicates_text *ret)
{
    const json_t *each = number_of(one, "each_number");
    const bool bounds = json_object_get(one, "gap_most") != NULL ||
                        json_object_get(one, "gap_least") != NULL;
    if (bounds && !number_of(one, "gap_m"))
        return unused(ret, "gap_most and gap_least need the number gap_m");
    return json_number_value(each) > 1 &&
           json_array_size(things_of(one, "each")) == 0 &&
           unused(ret, "each_number needs things of the role each");
}

static bool holds(const json_t *names, const char *name)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        if (strcmp(json_string_value(json_array_get(names, i)), name) == 0)
            return true;
    }
    return false;
}

/* Whatever is told by itself is there at once. Its own old place is none. */
static bool is_told_by_itself(const json_t *moved,
                              const json_t *one,
                              predicates_text *ret)
{
    static const char *const roles[] = {"reference", "second", "support",
                                        "faced", "each"};
    const char *kind = json_string_value(json_object_get(one, "kind"));
    bool is_old = predicates_relation(kind) == RELATION_PLACE;
    for (size_t i = 0; !is_old && i < COUNT_OF(roles); i++) {
        const json_t *names = things_of(one, roles[i]);
        for (size_t k = 0; k < json_array_size(names); k++) {
            const char *name = json_string_value(json_array_get(names, k));
            if (holds(moved, name))
                return unused(ret,
                              "\"%.80s\" is moved and is its own %s; leave it "
                              "out of the one or name another",
                              name, roles[i]);
        }
    }
    return false;
}

static bool is_also_unused(const json_t *moved,
                           const json_t *one,
                           predicates_text *ret)
{
    const json_t *roles = json_object_get(one, "roles");
    const char *key;
    json_t *value;
    for (size_t i = 0; i < json_array_size(roles); i++) {
        const char *role = json_string_value(json_array_get(roles, i));
        if (strcmp(role, "reference") != 0 && strcmp(role, "second") != 0)
            return unused(ret, "a place of also has no role %s", role);
    }
    json_object_foreach((json_t *)(uintptr_t)one, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < COUNT_OF(of_also); i++)
            known = known || strcmp(of_also[i], key) == 0;
        if (!known)
            return unused(ret, "a place of also has no use for %s", key);
    }
    json_object_foreach(json_object_get(one, "numbers"), key, value)
    {
        if (strcmp(key, "gap_m") != 0 && !is_zero(value))
            return unused(ret, "a place of also has no use for %s", key);
    }
    return is_told_by_itself(moved, one, ret);
}

bool predicates_is_unused(const json_t *one, predicates_text *ret)
{
    const char *kind = json_string_value(json_object_get(one, "kind"));
    const json_t *moved = things_of(one, "moved");
    const json_t *also = json_object_get(one, "also");
    for (size_t i = 0; i < json_array_size(also); i++) {
        const json_t *place = json_array_get(also, i);
        const char *of = json_string_value(json_object_get(place, "kind"));
        if (is_also_unused(moved, place, ret) ||
            is_field_unused(place, predicates_relation(of), ret) ||
            is_company_missing(place, ret))
            return true;
    }
    if (json_object_get(one, "denied"))
        return unused(ret, "only a place of also can be denied");
    return is_field_unused(one, predicates_relation(kind), ret) ||
           is_align_unused(one, predicates_relation(kind), ret) ||
           is_company_missing(one, ret) || is_told_by_itself(moved, one, ret);
}
