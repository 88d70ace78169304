/* "All but the pillow", "not the big box but the small one", "the sofa, no, the
 * table": what is meant beside what is denied. */
#include "worker/builtin/read/details.h"
#include "worker/builtin/read/refer_internal.h"

/* "Everything red except the pillow": of the things that are meant, else
 * any. */
etna_code refer_excepted(reader *r,
                         const chart_node *but,
                         const builtin_set *all,
                         builtin_set *ret)
{
    builtin_set others;
    etna_code code = set_others(r, all, &others);
    if (code != ETNA_OK)
        return code;
    const refer_scope among = {
        .on = BUILTIN_NONE, .many = true, .barred = &others};
    const refer_scope any = {.on = BUILTIN_NONE,
                             .many = true,
                             .barred = all->count == 1 ? all : NULL};
    const reader before = *r;
    const etna_error why = *r->err;
    /* "the small box, not the big one": of others */
    const bool one = all->count == 1;
    code = one ? ETNA_E_INPUT : refer_things(r, but, &among, ret);
    if (code == ETNA_E_INPUT) {
        *r = before;
        *r->err = why;
        code = refer_things(r, but, &any, ret);
    }
    r->memory = before.memory;
    return code;
}

static bool object_is_load(const reader *r,
                           uint32_t object,
                           const void *context)
{
    const builtin_set *of = context;
    for (uint32_t i = 0; i < of->count; i++) {
        if (builtin_is_above(r->facts, object, of->objects[i]))
            return true;
    }
    return false;
}

/* "All but one of them": so many fewer, whichever. */
static etna_code refer_without_some(reader *r,
                                    const chart_node *of,
                                    const builtin_set *but,
                                    builtin_set *ret)
{
    if (!set_is_within(ret, but) || ret->need < ret->count)
        return reader_refuse_said(r, CODE_AMBIGUOUS, of,
                                  "which of them are to stay is not said");
    if (ret->count <= but->need)
        ret->count = 0;
    ret->need = ret->count ? ret->count - but->need : 0;
    return ETNA_OK;
}

etna_code refer_without(reader *r,
                        const chart_node *of,
                        const builtin_set *but,
                        builtin_set *ret)
{
    builtin_set load;
    if (but->need < but->count)
        return refer_without_some(r, of, but, ret);
    etna_code code = set_without(r, ret, but, ret);
    if (code != ETNA_OK || !node_is(of, "PRON"))
        return code;
    code = set_filter(r, object_is_load, but, &load);
    return code == ETNA_OK ? set_without(r, ret, &load, ret) : code;
}

/* "The leftmost", "the biggest book": one that a rank tells. */
static bool phrase_is_superlative(const reader *r, const chart_node *node)
{
    bool superlative = false;
    const bool single = node_is(node, "THING") && !phrase_is_plural(r, node) &&
                        phrase_number(node) < 2;
    for (uint32_t at = node->first; single && at < node->end; at++) {
        const char *const word = reader_word(r, at);
        if (match_word_side(word) && strlen(word) > 4 &&
            strcmp(word + strlen(word) - 4, "most") == 0)
            return true;
        if (lexicon_size(word, &superlative) != 0 && superlative)
            return true;
    }
    return false;
}

/* ETNA_E_INPUT when nothing is left. */
etna_code refer_except(reader *r,
                       const chart_node *node,
                       const refer_scope *scope,
                       builtin_set *ret)
{
    builtin_set all;
    builtin_set but;
    const chart_node *last = node_last_phrase(node);
    /* "apart from the vase, everything ..." */
    bool but_first = node_is(node, "BUTFOR");
    const chart_node *const of = but_first ? last : node->children[0];
    /* "not the one by the wall, that one": said again, and no other */
    if (but_first && phrase_is_pronoun(of, PRON_IT))
        return reader_refuse_unread(r, node);
    etna_code code = refer_things(r, of, scope, &all);
    if (code != ETNA_OK)
        return code;
    /* "the leftmost but one stool", of which that is no part */
    if (phrase_is_superlative(r, of))
        return reader_refuse_finally(r, reader_refuse_unread(r, node));
    code = refer_excepted(r, but_first ? node->children[1] : last, &all, &but);
    if (code != ETNA_OK)
        return code;
    r->excepted = but.need == but.count ? but : (builtin_set){0};
    code = refer_without(r, of, &but, &all);
    if (code != ETNA_OK)
        return code;
    if (all.count == 0)
        return reader_refuse(r, CODE_UNKNOWN, node, "\"%s\" leaves nothing",
                             reader_said(r, node));
    const bool some = but.need < but.count;
    *ret = all;
    ret->need = some ? all.need : all.count;
    return ETNA_OK;
}

/* "Not the big box but the small one": what is denied says of which kind the
 * other is. */
etna_code refer_contrast(reader *r,
                         const chart_node *node,
                         const refer_scope *scope,
                         builtin_set *ret)
{
    const chart_node *denied = node_things(node, 0);
    const chart_node *meant = node_things(node, 1);
    refer_scope other = *scope;
    builtin_set but = {0};
    match_query q;
    if (!denied || !meant)
        return reader_refuse_unread(r, node);
    etna_code code = refer_peek_things(r, denied, scope, &but);
    if (code == ETNA_E_NOMEM)
        return code;
    if (phrase_has_noun(r, phrase_thing(denied), &q))
        refer_remember(r, &q, scope->movers);
    other.barred = scope->barred || code != ETNA_OK ? scope->barred : &but;
    return refer_things(r, meant, &other, ret);
}

static bool sets_are_alike(const reader *r,
                           const builtin_set *a,
                           const builtin_set *b)
{
    if (a->count == 0 || b->count == 0)
        return false;
    return object_is_furniture(r, a->objects[0]) ==
           object_is_furniture(r, b->objects[0]);
}

/* "The sofa, no, the table": another than was said first, and of its sort. "On
 * the sofa, no, the vase" may correct what was put there. */
etna_code refer_corrected(reader *r,
                          const chart_node *node,
                          const refer_scope *scope,
                          builtin_set *ret)
{
    refer_scope any = *scope;
    builtin_set first = {0};
    any.any = true;
    any.many = true;
    etna_code code = refer_peek_things(r, node->children[0], &any, &first);
    if (code == ETNA_E_NOMEM)
        return code;
    const uint32_t moved = r->memory.mover_noun_count;
    r->memory.mover_noun_count = 0; /* "the right one" is another place */
    code = refer_contrast(r, node, scope, ret);
    r->memory.mover_noun_count = moved;
    if (code != ETNA_OK)
        return code;
    const bool same = first.count == ret->count && set_is_within(ret, &first);
    const bool slip = first.count == 0; /* what is not here was not meant */
    if (slip || (!same && sets_are_alike(r, &first, ret)))
        return ETNA_OK;
    return reader_refuse_said(r, CODE_UNREAD, node,
                              "what is corrected is not clear");
}
