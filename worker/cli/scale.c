/* See scale.h. */
#include "worker/cli/scale.h"
#include "proto/array.h"
#include "worker/assets/find.h"
#include "worker/furnish/brief.h"
#include "worker/math/vec.h"

#include <stdlib.h>
#include <string.h>

/* Sizes are judged from SCALE_THINGS_LEAST things on, each against up to
 * SCALE_PEERS models of its kind. */
enum {
    SCALE_THINGS_MAX = 24,
    SCALE_THINGS_LEAST = 3,
    SCALE_PEERS = 7
};
/* Times: a unit is doubted when things are larger or smaller than their kinds
 * by more. */
#define SCALE_OFF 3.0

/* How much larger each thing is than models of its kind. */
typedef struct scaling {
    const builtin_facts *facts;
    uint32_t count, head_count;
    double ratios[SCALE_THINGS_MAX]; /* logarithms */
    char heads[SCALE_THINGS_MAX][BRIEF_HEAD_SIZE];
} scaling;

static int scale_compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of indexed things of that name; 0: there are none. */
static etna_code usual_size(const index_view *v,
                            const char *head,
                            double *ret,
                            etna_error *err)
{
    const find_options options = {.k = SCALE_PEERS};
    double sides[SCALE_PEERS];
    uint32_t n = 0;
    find_result *found = malloc(sizeof *found);
    if (!found)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    etna_code code = find_assets(v, head, &options, found, err);
    for (uint32_t i = 0;
         code == ETNA_OK && found->found && i < found->count && n < SCALE_PEERS;
         i++) {
        const index_doc d = index_doc_at(v, found->hits[i].doc);
        const double side =
            fmax(fmax((double)d.size[0], (double)d.size[1]), (double)d.size[2]);
        if (side > 0 && found->hits[i].kind > 0)
            sides[n++] = side;
    }
    free(found);
    qsort(sides, n, sizeof *sides, scale_compare);
    *ret = n ? sides[n / 2] : 0;
    return code == ETNA_E_INPUT ? ETNA_OK : code; /* its name says nothing */
}

/* Its first thing speaks for a kind. */
static bool scaling_meets(scaling *s, const char *head)
{
    for (uint32_t i = 0; i < s->head_count; i++) {
        if (strcmp(s->heads[i], head) == 0)
            return false;
    }
    if (s->head_count == SCALE_THINGS_MAX)
        return false;
    memcpy(s->heads[s->head_count++], head, BRIEF_HEAD_SIZE);
    return true;
}

static etna_code scaling_look(void *context,
                              const uint8_t *data,
                              size_t size,
                              etna_error *err)
{
    scaling *s = context;
    index_view v;
    etna_code code = index_open(data, size, &v, err);
    for (uint32_t i = 0; code == ETNA_OK && i < s->facts->object_count &&
                         s->count < SCALE_THINGS_MAX;
         i++) {
        const builtin_object *o = &s->facts->objects[i];
        const double own = 2 * fmax(fmax(o->half[0], o->half[1]), o->half[2]);
        char head[BRIEF_HEAD_SIZE];
        double usual = 0;
        bool is_known = !o->is_static && own > 0 &&
                        brief_name_read(o->words, o->word_count, head);
        if (is_known && scaling_meets(s, head))
            code = usual_size(&v, head, &usual, err);
        if (code == ETNA_OK && usual > 0)
            s->ratios[s->count++] = math_log(own / usual);
    }
    return code;
}

etna_code scale_check(const builtin_facts *facts,
                      double metres_per_unit,
                      shelf *shelved,
                      etna_error *err)
{
    static const double units[] = {0.001, 0.01, 0.0254, 0.1, 0.3048,
                                   1,     10,   100,    1000};
    scaling s = {.facts = facts};
    etna_code code = shelf_with_index(shelved, scaling_look, &s, err);
    if (code != ETNA_OK || s.count < SCALE_THINGS_LEAST)
        return code == ETNA_E_NOTFOUND ? ETNA_OK : code;
    qsort(s.ratios, s.count, sizeof *s.ratios, scale_compare);
    const double off = s.ratios[s.count / 2];
    if (fabs(off) < math_log(SCALE_OFF))
        return ETNA_OK;
    double best = metres_per_unit;
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const double left = fabs(off + math_log(units[i] / metres_per_unit));
        if (left < fabs(off + math_log(best / metres_per_unit)))
            best = units[i];
    }
    const double times = math_exp(fabs(off));
    return etna_fail(
        err, ETNA_E_INPUT,
        "the scene's things are about %.2g times as %s as such things are, at %g m a unit; what comes in would not "
        "fit them: say the unit with --unit %g, or with --unit %g that it is right",
        times, off > 0 ? "large" : "small", metres_per_unit, best,
        metres_per_unit);
}
