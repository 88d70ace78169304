/* What is to stay where it is, and what is not to be done. */
#include "worker/builtin/read/clause_stay.h"
#include "worker/builtin/read/refer_internal.h"
#include "worker/builtin/read/set.h"
#include "worker/builtin/spot.h"

etna_code clause_read_denial(clause *c)
{
    return clause_refuse(c, "what not to do and conditions are not understood");
}

/* "On it", "there": of what was named before. */
static bool stay_is_on_it(const clause *c)
{
    const details *d = &c->d;
    const condition *on = d->relation_count == 1 ? &d->relations[0] : NULL;
    details rest = *d;
    rest.relation_count = 0;
    if (!on || !on->what || !bit_is_in(on->relation, BIT(REL_ON) | BIT(REL_IN)))
        return false;
    return phrase_is_pronoun(on->what, PRON_IT) && !details_say_anything(&rest);
}

/* "F stays out", and no length: that is where it is, and no way to go. */
static bool stay_is_out(const clause *c)
{
    details rest = c->d;
    rest.shift = NULL;
    return c->d.shift && !chart_find(c->d.shift, "DIST") &&
           !details_say_anything(&rest);
}

/* "The oranges stay inside": of the crate that is moved. */
static bool stay_is_inside(const clause *c)
{
    const chart_node *said = c->said;
    for (uint32_t i = said->first; i < said->end; i++) {
        if (reader_lists(c->r, i, "stay: inside"))
            return true;
    }
    return false;
}

bool stay_is_said(const clause *c)
{
    bool stays = false; /* "can stay", "may remain" */
    for (uint32_t i = 0; i < c->said->child_count; i++) {
        const chart_node *word = c->said->children[i];
        stays = stays || (node_is(word, "$be") &&
                          reader_lists(c->r, word->first, "stay: stays"));
    }
    return stays &&
           (!details_say_anything(&c->d) || stay_is_on_it(c) || stay_is_out(c));
}

/* The bag in a tent: its middle is within the box of what goes. */
static bool load_is_in(const builtin_object *load,
                       const builtin_object *carrier)
{
    const builtin_rect across = builtin_rect_of(carrier);
    for (int k = 0; k < 2; k++) {
        if (load->centre[k] < across.low[k] || load->centre[k] > across.high[k])
            return false;
    }
    return load->centre[2] > builtin_foot(carrier) &&
           load->centre[2] < builtin_top(carrier);
}

/* Stands on it, or hovers over it by less than a hand's breadth, as in real
 * files: it goes along. */
static bool load_is_on(const reader *r, uint32_t load, uint32_t carrier)
{
    const double hand = 0.1, sunk = 0.02; /* metres */
    const builtin_object *o = &r->facts->objects[load];
    const builtin_object *b = &r->facts->objects[carrier];
    if (load == carrier)
        return false;
    if (builtin_stands_on(r->facts, load, carrier) || load_is_in(o, b))
        return true;
    const builtin_rect across = builtin_rect_of(b);
    const double over = builtin_foot(o) - builtin_top(b);
    for (int k = 0; k < 2; k++) {
        if (o->centre[k] < across.low[k] || o->centre[k] > across.high[k])
            return false;
    }
    return o->hovering && o->by_count == 0 && over > -sunk && over < hand;
}

/* Does each of them stand on what this text moves somewhere? */
static bool load_is_moved_along(const reader *r, const builtin_set *load)
{
    bool all = load->count > 0;
    for (uint32_t i = 0; i < load->count && all; i++) {
        all = false;
        for (uint32_t k = r->first_move; k < r->reading->count && !all; k++) {
            const builtin_set *moved = &r->reading->moves[k].objects;
            for (uint32_t n = 0; n < moved->count && !all; n++)
                all = load_is_on(r, load->objects[i], moved->objects[n]);
        }
    }
    return all;
}

/* "Move the rack and don't let the shirt fall off": of several shirts the one
 * that hangs there; *ret_along false: it is none of what was moved. */
static etna_code clause_find_load_of_last(clause *c, bool *ret_along)
{
    reader *r = c->r;
    const builtin_move *last = reader_last_move(r);
    builtin_set load = {0};
    if (!last || last->objects.count != 1)
        return ETNA_OK;
    const refer_scope on = {.on = last->objects.objects[0], .many = true};
    const etna_code code = refer_peek_things(r, c->things, &on, &load);
    *ret_along = code == ETNA_OK && load_is_moved_along(r, &load);
    return code == ETNA_E_NOMEM ? reader_no_memory(r) : ETNA_OK;
}

/* Some of the several that were moved last? */
static bool set_is_of_last(const reader *r, const builtin_set *things)
{
    const builtin_move *const last = reader_last_move(r);
    return last && things->count > 0 && last->objects.count > 1 &&
           set_is_within(things, &last->objects);
}

etna_code clause_let_stay(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const bool on_it = c->d.relation_count > 0 || stay_is_inside(c);
    builtin_set load = {0};
    bool along = false;
    etna_code code = on_it || c->d.shift
                         ? refer_peek_things(r, c->things, &any, &load)
                         : ETNA_OK;
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    /* "the left one stays left" is about an order, and holds nothing back */
    if (c->d.shift && code == ETNA_OK && set_is_of_last(r, &load))
        return reader_refuse_unread(r, c->said);
    if (code == ETNA_OK && load_is_moved_along(r, &load))
        return ETNA_OK;
    /* of two lamps the one that is on it */
    code = on_it ? clause_find_load_of_last(c, &along) : ETNA_OK;
    if (code != ETNA_OK || along)
        return code;
    c->d.relation_count = 0; /* they are there */
    c->d.shift = NULL;
    return clause_keep(c);
}

/* Does what the clause speaks of go along with what is moved? */
static etna_code clause_find_load(clause *c, bool *ret_along)
{
    reader *r = c->r;
    const reader before = *r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set load = {0};
    const etna_code code = refer_things(r, c->things, &any, &load);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    if (code != ETNA_OK)
        return code;
    *ret_along = load_is_moved_along(r, &load);
    *r = before;
    return ETNA_OK;
}

etna_code clause_read_kept(clause *c)
{
    bool along = false;
    const bool none_moves = c->r->reading->count == c->r->first_move;
    if (none_moves && c->r->memory.taken.count == 0)
        return clause_read_denial(c);
    const etna_code code = clause_find_load(c, &along);
    if (code != ETNA_OK)
        return code;
    if (along)
        return clause_refuse(c, "it stands on what is moved");
    c->verb = VERB_KEEP;
    return clause_keep(c);
}

etna_code clause_read_in_place(clause *c)
{
    bool along = false;
    const etna_code code = clause_find_load(c, &along);
    if (code != ETNA_OK)
        return code;
    c->verb = VERB_KEEP;
    if (!along)
        return clause_keep(c);
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

etna_code clause_read_untouched(clause *c)
{
    c->r->memory.rest_stays = true;
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

/* Of what was moved last, or of anything that is moved. */
static etna_code clause_find_any_load(clause *c, bool *ret_along)
{
    *ret_along = false;
    const etna_code code = clause_find_load_of_last(c, ret_along);
    return code == ETNA_OK && !*ret_along ? clause_find_load(c, ret_along)
                                          : code;
}

etna_code clause_read_not_fall(clause *c)
{
    bool along = false;
    const etna_code code = clause_find_any_load(c, &along);
    if (code != ETNA_OK)
        return code;
    if (!along)
        return clause_ignore(c);
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

/* ---- what may only be turned ---- */

/* Does some move of the text take it elsewhere? */
static bool object_is_shifted(const reader *r, uint32_t object)
{
    const uint32_t turns = BIT(RELATION_TURN) | BIT(RELATION_TURNED);
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_move *m = &r->reading->moves[i];
        const bool swapped =
            m->relation == RELATION_SWAP && m->reference == object;
        if (swapped ||
            (set_has(&m->objects, object) && !bit_is_in(m->relation, turns)))
            return true;
    }
    return false;
}

etna_code moves_check_unshifted(reader *r)
{
    const builtin_set *const held = &r->memory.unshifted;
    for (uint32_t k = 0; k < held->count; k++) {
        if (object_is_shifted(r, held->objects[k]))
            return reader_refuse(r, CODE_UNREAD, NULL,
                                 "what is not to be moved is to be moved");
    }
    return ETNA_OK;
}

/* "It", "any of them": what the text turned or spoke of last. */
etna_code clause_read_unshifted(clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set held = r->memory.last;
    etna_code code =
        c->things ? refer_things(r, c->things, &any, &held) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    const bool any_of =
        c->things && reader_lists(r, c->things->first, "stay: any");
    *r = before;
    if (held.count == 0 || (held.need < held.count && !any_of))
        return clause_refuse(c, "which of them that is is not clear");
    held.need = held.count;
    r->memory.last = r->memory.named = held;
    reader_remark(r, c->said);
    return set_union(r, &r->memory.unshifted, &held, &r->memory.unshifted);
}

etna_code clause_check_untouched(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true, .any = true};
    const condition *const on =
        c->d.relation_count == 1 ? &c->d.relations[0] : NULL;
    builtin_set things = {0};
    uint32_t base = BUILTIN_NONE;
    if (!on || !on->what || on->relation != REL_ON || !c->things)
        return ETNA_OK;
    etna_code code = refer_peek_things(r, c->things, &any, &things);
    if (code == ETNA_OK)
        code = refer_peek_one(r, on->what, &any, &base);
    if (code == ETNA_E_NOMEM)
        return reader_no_memory(r);
    const bool known = code == ETNA_OK && base < r->facts->object_count;
    for (uint32_t i = 0; i < things.count && known; i++) {
        if (!builtin_is_above(r->facts, things.objects[i], base))
            return reader_refuse_finally(
                r, clause_refuse(c, "not all of them stand there"));
    }
    return ETNA_OK;
}

etna_code clause_keep_side(clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    const builtin_move *const last = reader_last_move(r);
    builtin_set of = {0};
    etna_code code =
        c->things ? refer_things(r, c->things, &any, &of) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    if (!set_is_of_last(r, &of) || last->relation != RELATION_SHIFT ||
        last->objects.need < last->objects.count)
        return reader_refuse_unread(r, c->said);
    *r = before;
    reader_remark(r, c->said);
    return ETNA_OK;
}

etna_code clause_read_rides(clause *c)
{
    bool along = false;
    const etna_code code = clause_find_any_load(c, &along);
    if (code != ETNA_OK)
        return code;
    if (!along)
        return clause_refuse(c, "it does not stand on what is moved");
    reader_remark(c->r, c->said);
    return ETNA_OK;
}

/* "If the stapler is in the way, it may go into the tray": what may be done need
 * not be, but the thing must be one that is here. */
etna_code clause_read_permitted(clause *c)
{
    reader *r = c->r;
    const reader before = *r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set of = {0};
    etna_code code =
        c->things ? refer_things(r, c->things, &any, &of) : ETNA_OK;
    if (code != ETNA_OK)
        return code;
    *r = before;
    reader_remark(r, c->said);
    return ETNA_OK;
}

/* "Two of the cups on the shelf, not the green one": of those that might be
 * meant, not that. *ret_meets: it is one of them. */
static etna_code clause_deny_some(clause *c,
                                  builtin_move *last,
                                  const builtin_set *denied,
                                  bool *ret_meets)
{
    builtin_set rest;
    *ret_meets = false;
    for (uint32_t i = 0; i < denied->count; i++)
        *ret_meets = *ret_meets || set_has(&last->objects, denied->objects[i]);
    if (!*ret_meets)
        return ETNA_OK;
    const uint32_t need = last->objects.need;
    const bool some = need < last->objects.count;
    etna_code code = set_without(c->r, &last->objects, denied, &rest);
    if (code != ETNA_OK)
        return code;
    if (!some || rest.count < need)
        return clause_refuse_all(c);
    rest.need = need;
    last->objects = rest;
    return ETNA_OK;
}

/* "On the table, not the floor": another place, and no thing. */
static etna_code clause_read_not_there(clause *c, uint32_t place)
{
    const refer_scope places = {.on = BUILTIN_NONE, .flat = true};
    builtin_set denied = {0};
    etna_code code = refer_things(c->r, c->things, &places, &denied);
    if (code != ETNA_OK)
        return code;
    const bool other = !set_has(&denied, place) &&
                       !object_moves(c->r->facts, denied.objects[0]);
    return other ? ETNA_OK : clause_refuse_all(c);
}

/* What the last move puts something upon; BUILTIN_NONE: it does not, or there is
 * none. */
static uint32_t last_base(const reader *r, const builtin_move *last)
{
    const bool upon = last && bit_is_in(last->relation, RELATIONS_UPON) &&
                      last->reference < r->facts->object_count;
    return upon ? last->reference : BUILTIN_NONE;
}

etna_code clause_read_not_this(clause *c)
{
    reader *r = c->r;
    const refer_scope movers = refer_scope_movers();
    builtin_move *last = reader_last_move(r);
    builtin_set denied = {0};
    const uint32_t place = last_base(r, last);
    if (place == BUILTIN_NONE)
        return clause_refuse_all(c);
    const reader before = *r;
    etna_code code = refer_things(r, c->things, &movers, &denied);
    if (code == ETNA_E_INPUT) {
        *r = before;
        return clause_read_not_there(c, place);
    }
    bool meets = false;
    if (code == ETNA_OK)
        code = clause_deny_some(c, last, &denied, &meets);
    for (uint32_t i = 0; !meets && i < denied.count && code == ETNA_OK; i++) {
        if (!builtin_stands_on(r->facts, denied.objects[i], place))
            code = clause_refuse_all(c);
    }
    if (code == ETNA_OK && !meets)
        r->memory.denied = denied;
    return code;
}

etna_code clause_read_left_alone(clause *c)
{
    reader *r = c->r;
    const refer_scope any = {.on = BUILTIN_NONE, .many = true};
    builtin_set kept = {0};
    const reader before = *r;
    r->is_wish = false; /* it bounds the others */
    etna_code code = refer_things(r, c->things, &any, &kept);
    for (uint32_t i = r->first_move; i < r->reading->count; i++) {
        const builtin_set *moved = &r->reading->moves[i].objects;
        for (uint32_t k = 0; k < kept.count && code == ETNA_OK; k++) {
            if (set_has(moved, kept.objects[k]))
                return clause_refuse_all(c); /* "turn it without moving it" */
        }
    }
    if (code != ETNA_OK)
        return code;
    *r = before;
    r->is_wish = false;
    c->verb = VERB_KEEP;
    return clause_act(c);
}

etna_code clause_read_no_seat(clause *c)
{
    const bool asked = c->r->reading->count > c->r->first_move;
    const etna_code code =
        clause_refuse(c, "where nothing is to be is not understood of a place");
    return asked ? reader_refuse_finally(c->r, code) : code;
}
