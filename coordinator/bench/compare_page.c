/* See compare_page.h. */
#include "coordinator/bench/compare_page.h"
#include "coordinator/bench/gallery.h"

#include <string.h>

static bool run_is_same(const result_run *a, const result_run *b)
{
    bool place =
        strcmp(a->scene, b->scene) == 0 && strcmp(a->variant, b->variant) == 0;
    return place && a->repeat == b->repeat && a->is_goal == b->is_goal;
}

/* The line of `f` that is of the same step and repeat, by `variant`; NULL:
 * there is none. */
static const result_row *page_row_of(const compare_folder *f,
                                     const result_row *like,
                                     const char *variant)
{
    for (size_t i = 0; i < f->count; i++) {
        result_run wanted = like->run;
        wanted.variant = variant;
        if (run_is_same(&f->rows[i].run, &wanted) &&
            f->rows[i].step == like->step)
            return &f->rows[i];
    }
    return NULL;
}

/* The edits of its run up to the end of a step: which of the pictures shows
 * it. */
static uint32_t edits_until(const compare_folder *f, const result_row *row)
{
    uint32_t edits = row->edits;
    for (const result_row *r = row;
         r > f->rows && run_is_same(&r[-1].run, &row->run); r--)
        edits += r[-1].edits;
    return edits;
}

static void picture_print(const compare_folder *f,
                          const result_row *row,
                          tally_rate rate,
                          page *to)
{
    const double has = tally_row_hits(row, rate);
    page_text(to, row->run.variant);
    page_add(to, " <span class=\"tag %s\">%.3g</span>",
             has > 0 ? "good" : "bad", has);
    if (!row->reached) {
        page_raw(to, " <span class=soft>not reached</span>");
        return;
    }
    page_raw(to, "<figure><img loading=lazy alt=\"\" src=\"");
    page_textf(to, "%s/runs/%s.%s.r%u%s/step-%02u.png", f->path, row->run.scene,
               row->run.variant, row->run.repeat,
               row->run.is_goal ? ".goal" : "", edits_until(f, row));
    page_raw(to, "\"></figure>");
}

static void step_print(const compare_folder *base,
                       const result_row *a,
                       const compare_folder *other,
                       const result_row *b,
                       tally_rate rate,
                       page *to)
{
    page_raw(to, "<h3>");
    page_text(to, a->run.scene);
    page_add(to, ", step %u</h3><p>", a->step);
    page_text(to, a->text);
    page_raw(to, "</p><div class=scroll><table><tr><td>");
    picture_print(base, a, rate, to);
    page_raw(to, "<td>");
    picture_print(other, b, rate, to);
    page_raw(to, "</table></div>\n");
}

static void comparison_print(const compare_folder *base,
                             const char *base_variant,
                             const compare_folder *other,
                             const comparison *c,
                             bool is_goal,
                             tally_rate rate,
                             page *to)
{
    page_raw(to, "<section class=card><h2>");
    page_text(to, c->variant);
    page_raw(to, " against ");
    page_text(to, base_variant);
    page_add(
        to,
        "</h2><p>%+.3f, 95 %% %+.3f to %+.3f; p %.4f, by Holm %.4f; %zu scenes</p>\n",
        c->difference, c->range.low, c->range.high, c->p, c->p_holm,
        c->scene_count);
    for (size_t i = 0; i < base->count; i++) {
        const result_row *a = &base->rows[i];
        const bool is_meant = a->run.is_goal == is_goal &&
                              strcmp(a->run.variant, base_variant) == 0;
        const result_row *b =
            is_meant ? page_row_of(other, a, c->variant) : NULL;
        const bool differs =
            b && tally_row_hits(a, rate) != tally_row_hits(b, rate);
        if (differs)
            step_print(base, a, other, b, rate, to);
    }
    page_raw(to, "</section>\n");
}

void compare_page_print(const compare_folder *base,
                        const char *base_variant,
                        const compare_folder *other,
                        const comparison *list,
                        size_t count,
                        bool is_goal,
                        tally_rate rate,
                        page *to)
{
    gallery_open("Variants compared", to);
    for (size_t i = 0; i < count; i++)
        comparison_print(base, base_variant, other, &list[i], is_goal, rate,
                         to);
    page_raw(to, "</main></html>\n");
}
