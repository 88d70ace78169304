/* A clause that turns things where they stand: by degrees, or toward something. */
#include "worker/model/builtin_clause_own.h"

/* "by 90 degrees clockwise", "a quarter turn", "around": degrees, and where the words about it begin. */
static bool read_degrees(const reader *r, const clause *c, uint32_t *ret_at, double *ret)
{
    double degrees = 0;
    int way = 1;
    uint32_t at = c->end;
    for (uint32_t i = c->first; i < c->end; i++) {
        bool word = true;
        uint32_t number = builtin_number(r->words[i].text);
        size_t digits = strspn(r->words[i].text, "0123456789");
        if (digits && strcmp(r->words[i].text + digits, "\xC2\xB0") == 0) {
            number = 0;
            for (size_t k = 0; k < digits && number < 10000; k++)
                number = number * 10 + (uint32_t)(r->words[i].text[k] - '0');
            degrees = number;
        } else if (number && (is_word(r, i + 1, "degrees") || is_word(r, i + 1, "degree")))
            degrees = number;
        else if (is_word(r, i, "quarter"))
            degrees = 90;
        else if (is_word(r, i, "half") && (is_word(r, i + 1, "turn") || is_word(r, i + 2, "turn")))
            degrees = 180;
        else if (is_word(r, i, "around") || is_word(r, i, "round") || is_word(r, i, "about"))
            degrees = 180;
        else if (is_word(r, i, "clockwise"))
            way = -1;
        else
            word = is_word(r, i, "counterclockwise") || is_word(r, i, "anticlockwise") ||
                   is_word(r, i, "counter-clockwise") || is_word(r, i, "anti-clockwise");
        if (!word) continue;
        uint32_t start = i;
        while (start > c->first && (is_word(r, start - 1, "by") || is_word(r, start - 1, "a"))) start--;
        if (start < at) at = start;
    }
    *ret_at = at;
    *ret = way * degrees;
    return degrees > 0;
}

etna_code clause_turn(reader *r, clause *c)
{
    builtin_set sets[PHRASES_MAX];
    uint32_t set_count = 0, at = c->end;
    builtin_move move = clause_plain_move(c);
    if (read_degrees(r, c, &at, &move.turn)) {
        bool before = at == c->first; /* "turn around the chair" */
        etna_code code = before ? clause_things(r, at + 1, c->end, BUILTIN_NONE, false, sets, &set_count)
                                : clause_things(r, c->first, at, BUILTIN_NONE, false, sets, &set_count);
        move.relation = RELATION_TURN;
        return code == ETNA_OK ? clause_add_moves(r, c, sets, set_count, &move) : code;
    }
    if (c->mark_count == 0) return reader_refuse(r, c->start, c->end, "it does not say how far, or toward what");
    builtin_mark *mark = &c->marks[0];
    if (c->mark_count != 1 || mark->kind == MARK_ORIGIN)
        return reader_refuse(r, c->start, c->end, "it is not clear toward what");
    move.facing = mark->kind == MARK_FACING ? mark->facing : mark->relation == RELATION_AWAY ? FACING_BACK : FACING_TO;
    bool toward = mark->relation == RELATION_TOWARD || mark->relation == RELATION_AWAY || mark->bare_to ||
                  is_word(r, mark->first, "at");
    if (mark->kind == MARK_RELATION && !toward)
        return reader_refuse(r, c->start, c->end, "it is not clear toward what");
    move.relation = RELATION_TURNED;
    etna_code code = clause_things(r, c->first, c->things_end, BUILTIN_NONE, false, sets, &set_count);
    if (code == ETNA_OK) code = clause_faced(r, mark->end, c->end, BUILTIN_NONE, &move.faced);
    return code == ETNA_OK ? clause_add_moves(r, c, sets, set_count, &move) : code;
}
