/* See facts_world.h. The camera hangs at (0, -3, 3) and looks at the origin,
 * 4:3, half height 0.5 at distance 1. */
#include "tests/support/facts_world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELL 0.02
static const double half_height = 0.5, aspect = 4.0 / 3.0,
                    s2 = 0.70710678118654752;

static const struct {
    const char *name;
    double lab[3];
} colours[] = {{"red", {45, 66, 48}},     {"green", {46, -45, 40}},
               {"blue", {35, 30, -65}},   {"yellow", {84, 0, 80}},
               {"white", {95, 0, 1}},     {"black", {8, 0, 0}},
               {"grey", {55, 0, 0}},      {"brown", {38, 18, 30}},
               {"orange", {64, 45, 65}},  {"purple", {35, 45, -40}},
               {"pink", {75, 30, 0}},     {"dark grey", {28, 0, 0}},
               {"light grey", {82, 0, 0}}};

typedef struct text {
    char *data;
    size_t size, room;
} text;

static void say(text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(text *t, const char *format, ...)
{
    va_list args;
    for (;;) {
        va_start(args, format);
        int n = vsnprintf(t->data + t->size, t->room - t->size, format, args);
        va_end(args);
        if (n < 0)
            abort();
        if (t->size + (size_t)n < t->room) {
            t->size += (size_t)n;
            return;
        }
        t->room = 2 * t->room + (size_t)n + 1;
        t->data = realloc(t->data, t->room);
        if (!t->data)
            abort();
    }
}

facts_world facts_world_new(void)
{
    return (facts_world){.moved = -1, .collides_with = -1, .lost_support = -1};
}

int facts_world_add(facts_world *w,
                    const char *name,
                    double x,
                    double y,
                    double sx,
                    double sy,
                    double sz,
                    const char *colour,
                    int on)
{
    if (w->count == FACTS_WORLD_MAX)
        abort();
    w->things[w->count] = (facts_thing){.name = name,
                                        .x = x,
                                        .y = y,
                                        .size = {sx, sy, sz},
                                        .colour = colour,
                                        .on = on};
    return (int)w->count++;
}

int facts_world_find(const facts_world *w, const char *name)
{
    for (uint32_t i = 0; i < w->count; i++) {
        if (strcmp(w->things[i].name, name) == 0)
            return (int)i;
    }
    abort();
}

void facts_world_project(double x, double y, double z, double ret_image[2])
{
    double forward = (y + 3) * s2 - (z - 3) * s2,
           up = (y + 3) * s2 + (z - 3) * s2;
    ret_image[0] = 0.5 + x / (2 * half_height * aspect * forward);
    ret_image[1] = 0.5 - up / (2 * half_height * forward);
}

void facts_world_unproject(const double image[2], double z, double ret[2])
{
    double right = (image[0] - 0.5) * 2 * half_height * aspect,
           up = -(image[1] - 0.5) * 2 * half_height;
    double direction[3] = {right, s2 + up * s2, -s2 + up * s2};
    double t = (z - 3) / direction[2];
    ret[0] = t * direction[0];
    ret[1] = -3 + t * direction[1];
}

static double top_of_pile(const facts_world *w, int on)
{
    double z = 0;
    for (int depth = 0; on >= 0 && depth < FACTS_WORLD_MAX;
         on = w->things[on].on, depth++)
        z += w->things[on].size[2] - w->things[on].sunk;
    return z;
}

static double bottom_of(const facts_world *w, int i)
{
    double z = top_of_pile(w, w->things[i].on);
    return w->things[i].on < 0 && !w->things[i].is_static
               ? 1
               : z + w->things[i].hover;
}

/* Directly, or through the bottom of what it stands in. */
static bool is_borne_by(const facts_world *w, int i, int by)
{
    const int on = w->things[i].on;
    return on == by ||
           (on >= 0 && w->things[on].is_thin && w->things[on].on == by);
}

static void put_names(
    text *t, const char *key, const facts_world *w, int of, bool above)
{
    say(t, "\"%s\":[", key);
    bool any = false;
    for (int i = 0; i < (int)w->count; i++) {
        bool is = above ? is_borne_by(w, i, of) : is_borne_by(w, of, i);
        if (w->things[above ? i : of].hover > 0)
            continue;
        if (is)
            say(t, "%s\"%s\"", any ? "," : "", w->things[i].name);
        any = any || is;
    }
    say(t, "]");
}

static void put_object(text *t, const facts_world *w, int i)
{
    const facts_thing *o = &w->things[i];
    double z = bottom_of(w, i), low[2], high[2];
    facts_world_project(o->x - o->size[0] / 2, o->y, z, low);
    facts_world_project(o->x + o->size[0] / 2, o->y, z + o->size[2], high);
    say(t,
        "{\"name\":\"%s\",\"static\":%s,\"immovable\":false,\"visible\":%s,\"pixels\":%d,",
        o->name, o->is_static ? "true" : "false", o->unseen ? "false" : "true",
        o->unseen ? 0 : 900);
    if (o->unseen)
        say(t, "\"image_box\":null,");
    else
        say(t, "\"image_box\":[%.17g,%.17g,%.17g,%.17g],", low[0], high[1],
            high[0], low[1]);
    const double *lab = NULL;
    for (size_t k = 0; o->colour && k < sizeof colours / sizeof colours[0];
         k++) {
        if (strcmp(colours[k].name, o->colour) == 0)
            lab = colours[k].lab;
    }
    if (lab && !o->unseen)
        say(t,
            "\"colour\":{\"srgb\":[0.0,0.0,0.0],\"lab\":[%.17g,%.17g,%.17g]},",
            lab[0], lab[1], lab[2]);
    else
        say(t, "\"colour\":null,");
    const char *quote = o->material ? "\"" : "";
    if (o->form)
        say(t, "\"form\":\"%s\",", o->form);
    say(t, "\"materials\":[%s%s%s],\"description\":\"\",\"category\":\"%s\",",
        quote, o->material ? o->material : "", quote,
        o->category ? o->category : "");
    say(t,
        "\"box\":{\"centre\":[%.17g,%.17g,%.17g],\"half\":[%.17g,%.17g,%.17g],\"yaw_deg\":%.17g},",
        o->x, o->y, z + o->size[2] / 2, o->size[0] / 2, o->size[1] / 2,
        o->size[2] / 2, o->yaw_deg);
    if (o->has_moved) {
        say(t,
            "\"start\":{\"centre\":[%.17g,%.17g,%.17g],\"front\":[0.0,-1.0,0.0],\"supported_by\":[",
            o->start[0], o->start[1],
            top_of_pile(w, o->start_on) + o->hover + o->size[2] / 2);
        if (o->start_on >= 0 && !(o->hover > 0))
            say(t, "\"%s\"", w->things[o->start_on].name);
        say(t, "]},");
    }
    const double turn = o->yaw_deg * acos(-1.0) / 180;
    say(t,
        "\"front\":[%.17g,%.17g,0.0],\"front_source\":\"node\",\"support\":\"%s\",\"gap\":null,",
        sin(turn), -cos(turn),
        o->is_static                ? "static"
        : o->on < 0 || o->hover > 0 ? "hovering"
        : o->leans                  ? "attached"
                                    : "grounded");
    put_names(t, "supported_by", w, i, false);
    say(t, ",");
    put_names(t, "supports", w, i, true);
    say(t, "}");
}

/* Does it stand on the base, or on what stands on that? */
static bool is_over(const facts_world *w, int i, int base)
{
    int on = w->things[i].on;
    for (int depth = 0; on >= 0 && on != base && depth < FACTS_WORLD_MAX;
         depth++)
        on = w->things[on].on;
    return on == base;
}

/* A thing takes all room over its box, from its bottom or from above its legs
 * up. */
static void put_layer(text *t,
                      const facts_world *w,
                      int i,
                      int clear,
                      const double low[2],
                      const int size[2])
{
    const facts_thing *o = &w->things[i];
    const double at[2] = {o->x, o->y};
    int from[2], to[2];
    for (int k = 0; k < 2; k++) {
        from[k] = (int)floor((at[k] - o->size[k] / 2 - low[k]) / CELL + 1e-9);
        to[k] = (int)ceil((at[k] + o->size[k] / 2 - low[k]) / CELL - 1e-9);
        from[k] = from[k] < 0 ? 0 : from[k];
        from[k] = from[k] > size[k] ? size[k] : from[k];
        to[k] = to[k] > size[k] ? size[k] : to[k];
        to[k] = to[k] < from[k] ? from[k] : to[k];
    }
    say(t,
        "{\"object\":\"%s\",\"column\":%d,\"row\":%d,\"columns\":%d,\"rows\":%d,\"clear\":[",
        o->name, from[0], from[1], to[0] - from[0], to[1] - from[1]);
    for (int j = from[1]; j < to[1]; j++) {
        say(t, "%s\"", j > from[1] ? "," : "");
        for (int c = from[0]; c < to[0]; c++)
            say(t, "%02x", (unsigned)clear);
        say(t, "\"");
    }
    say(t, "]}");
}

static void put_surface(text *t, const facts_world *w, int i)
{
    const facts_thing *o = &w->things[i];
    double x = o->x - o->size[0] / 2, y = o->y - o->size[1] / 2;
    int columns = (int)floor(o->size[0] / CELL + 1e-6),
        rows = (int)floor(o->size[1] / CELL + 1e-6);
    say(t, "{\"plane\":\"%s_7\",\"object\":\"%s\",\"height\":%.17g,", o->name,
        o->name, bottom_of(w, i) + o->size[2] - o->sunk);
    say(t,
        "\"polygon\":[[%.17g,%.17g],[%.17g,%.17g],[%.17g,%.17g],[%.17g,%.17g]],",
        x, y, x + o->size[0], y, x + o->size[0], y + o->size[1], x,
        y + o->size[1]);
    say(t,
        "\"across\":%.17g,\"width\":%.17g,\"cell\":%.17g,\"origin\":[%.17g,%.17g],\"columns\":%d,\"rows\":%d,\"clear\":[",
        fmax(o->size[0], o->size[1]), fmin(o->size[0], o->size[1]), CELL, x, y,
        columns, rows);
    const int deep = o->ledge > 0 ? (int)ceil(o->ledge / CELL - 1e-6) : 1;
    for (int j = 0; j < rows; j++) {
        say(t, "%s\"", j ? "," : "");
        for (int c = 0; c < columns; c++) {
            bool inner = j > 0 && j < rows - deep && c > 0 && c < columns - 1;
            say(t, o->sunk > 0 && !inner ? "00" : "ff");
        }
        say(t, "\"");
    }
    say(t, "],\"over\":[");
    bool any = false;
    for (int k = 0; k < (int)w->count; k++) {
        if (!is_over(w, k, i))
            continue;
        double above = fmin(fmax(bottom_of(w, k) + w->things[k].legs -
                                     bottom_of(w, i) - o->size[2] + o->sunk,
                                 0),
                            2.55);
        say(t, "%s", any ? "," : "");
        put_layer(t, w, k, (int)floor(100 * above + 1e-6), (double[2]){x, y},
                  (int[2]){columns, rows});
        any = true;
    }
    say(t, "]}");
}

/* A board at the height of its rim, `from` metres from its -Y side, which nothing
 * stands on. */
static void put_board(
    text *t, const facts_world *w, int i, double from, double deep)
{
    const facts_thing *o = &w->things[i];
    const double x = o->x - o->size[0] / 2, y = o->y - o->size[1] / 2 + from;
    const int columns = (int)floor(o->size[0] / CELL + 1e-6),
              rows = (int)floor(deep / CELL + 1e-6);
    say(t,
        "{\"plane\":\"%s_8\",\"object\":\"%s\",\"height\":%.17g,\"polygon\":[[%.17g,%.17g],[%.17g,%.17g],[%.17g,%.17g],[%.17g,%.17g]],",
        o->name, o->name, bottom_of(w, i) + o->size[2], x, y, x + o->size[0], y,
        x + o->size[0], y + deep, x, y + deep);
    say(t,
        "\"across\":%.17g,\"width\":%.17g,\"cell\":%.17g,\"origin\":[%.17g,%.17g],\"columns\":%d,\"rows\":%d,\"clear\":[",
        fmax(o->size[0], deep), fmin(o->size[0], deep), CELL, x, y, columns,
        rows);
    for (int j = 0; j < rows; j++) {
        say(t, "%s\"", j ? "," : "");
        for (int c = 0; c < columns; c++)
            say(t, o->is_steep ? "00" : "ff");
        say(t, "\"");
    }
    say(t, "],\"over\":[]}");
}

static void put_checks(text *t, const facts_world *w)
{
    if (w->moved < 0) {
        say(t, "null");
        return;
    }
    const char *name = w->things[w->moved].name;
    say(t,
        "{\"object\":\"%s\",\"plane\":\"\",\"target\":[%.17g,%.17g],\"target_is_bottom\":true,\"moved_m\":%.17g,",
        name, w->target[0], w->target[1], w->moved_m);
    say(t, "\"others_moved\":[%s],\"collisions\":[",
        w->others_moved ? "\"something\"" : "");
    if (w->collides_with >= 0)
        say(t, "{\"a\":\"%s\",\"b\":\"%s\",\"depth_m\":0.02}", name,
            w->things[w->collides_with].name);
    say(t, "],\"floating\":[");
    if (w->floats)
        say(t, "\"%s\"%s", name, w->lost_support >= 0 ? "," : "");
    if (w->lost_support >= 0)
        say(t, "\"%s\"", w->things[w->lost_support].name);
    say(t, "]}");
}

char *facts_world_json(const facts_world *w)
{
    text t = {.room = 1 << 16};
    t.data = malloc(t.room);
    if (!t.data)
        abort();
    say(&t,
        "{\"version\":1,\"camera\":{\"name\":\"Camera\",\"matrix\":[1.0,0.0,0.0,0.0, 0.0,%.17g,%.17g,-3.0, 0.0,%.17g,%.17g,3.0, "
        "0.0,0.0,0.0,1.0],\"aspect\":%.17g,\"orthographic\":false,\"half_height\":%.17g,\"width\":1024,\"height\":768},\"objects\":[",
        s2, -s2, s2, s2, aspect, half_height);
    for (int i = 0; i < (int)w->count; i++) {
        if (i)
            say(&t, ",");
        put_object(&t, w, i);
    }
    say(&t, "],\"surfaces\":[");
    bool any = false;
    for (int i = 0; i < (int)w->count; i++) {
        const facts_thing *o = &w->things[i];
        const double slat = o->size[1] / (2 * o->slats - 1);
        if (!o->no_top && o->slats == 0) {
            say(&t, "%s", any ? "," : "");
            put_surface(&t, w, i);
            any = true;
        }
        if (o->ledge > 0) {
            say(&t, "%s", any ? "," : "");
            put_board(&t, w, i, o->size[1] - o->ledge, o->ledge);
            any = true;
        }
        for (int k = 0; k < o->slats; k++) {
            say(&t, "%s", any ? "," : "");
            /* in no order, as files have them */
            put_board(&t, w, i, 2 * ((k + 2) % o->slats) * slat, slat);
            any = true;
        }
    }
    say(&t, "],\"surfaces_left_out\":0,\"checks\":");
    put_checks(&t, w);
    say(&t, "}");
    return t.data;
}
