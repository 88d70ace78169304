/* goal-maker: see usage below. Goals that nobody wrote: forms of sentences whose
 * things are left to the seed, each with the facts that tell whether it came
 * true. What a form means is said here once more, apart from the reader. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const char usage[] =
    "usage: goal-maker SEED COUNT SCENE=INFO.json...\n"
    "Prints COUNT goals as `etna bench import` takes them, a line each. INFO.json is what `etna scene info SCENE --json`\n"
    "prints; SCENE goes into the line as it is. The same seed, the same bytes.\n"
    "Exit codes: 0 printed; 2 usage; 3 a file is not such an answer.\n";

enum {
    SCENES_MAX = 64,
    THINGS_MAX = 512,
    CHOSEN_MAX = 16, /* things of one goal */
    TEXT_MAX = 2048,
    TRIES_A_GOAL = 200
};

typedef struct thing {
    const char *name;
    double min[3], max[3]; /* metres, world, Z up */
    bool is_static, is_small, is_bearer;
} thing;

typedef struct scene {
    const char *path;
    json_t *info; /* owns the names */
    thing things[THINGS_MAX];
    int count;
    double floor; /* the height of its top */
    bool has_floor;
} scene;

typedef struct maker {
    uint64_t random;
    const scene *scene;
    char text[TEXT_MAX];
    json_t *facts;
} maker;

/* ---- chance ---- */

static int maker_random(maker *m, int below) /* splitmix64 */
{
    m->random += 0x9e3779b97f4a7c15;
    uint64_t z = m->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int)(((z ^ (z >> 31)) >> 33) % (uint64_t)below);
}

/* ---- things ---- */

static double thing_size(const thing *t, int axis)
{
    return t->max[axis] - t->min[axis];
}

static bool name_has(const char *name, const char *const *words)
{
    char lower[256];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof lower; n++)
        lower[n] = (char)tolower((unsigned char)name[n]);
    lower[n] = 0;
    for (int i = 0; words[i]; i++) {
        if (strstr(lower, words[i]))
            return true;
    }
    return false;
}

/* Tables and what else one puts things on. A name is asked, too: a cushion of
 * that size is no table. */
static bool thing_bears(const thing *t)
{
    static const char *const kinds[] = {
        "table",   "desk",  "counter", "sideboard", "bench",
        "cabinet", "chest", "trunk",   "dresser",   NULL};
    double height = thing_size(t, 2);
    bool is_broad = thing_size(t, 0) > 0.4 && thing_size(t, 1) > 0.4;
    return height > 0.3 && height < 1.1 && is_broad && name_has(t->name, kinds);
}

static bool thing_is_small(const thing *t)
{
    for (int axis = 0; axis < 3; axis++) {
        if (thing_size(t, axis) >= 0.45 || thing_size(t, axis) <= 0.005)
            return false;
    }
    return true;
}

/* Its middle is over the top of `bearer`, and it stands there. */
static bool thing_stands_on(const thing *t, const thing *bearer)
{
    for (int axis = 0; axis < 2; axis++) {
        double middle = (t->min[axis] + t->max[axis]) / 2;
        if (middle < bearer->min[axis] - 0.01 ||
            middle > bearer->max[axis] + 0.01)
            return false;
    }
    return fabs(t->min[2] - bearer->max[2]) < 0.03;
}

static bool scene_read_box(const json_t *object, const char *key, double box[3])
{
    const json_t *list = json_object_get(object, key);
    for (size_t axis = 0; axis < 3; axis++) {
        const json_t *number = json_array_get(list, axis);
        if (!json_is_number(number))
            return false;
        box[axis] = json_number_value(number);
    }
    return true;
}

static bool scene_read_thing(scene *s, const json_t *object)
{
    static const char *const floors[] = {"floor", "ground", "lawn", "terrace",
                                         NULL};
    thing *t = &s->things[s->count];
    t->name = json_string_value(json_object_get(object, "name"));
    if (!t->name || !scene_read_box(object, "min", t->min) ||
        !scene_read_box(object, "max", t->max))
        return false;
    t->is_static = json_is_true(json_object_get(object, "static"));
    t->is_small = !t->is_static && thing_is_small(t);
    t->is_bearer = !t->is_static && thing_bears(t);
    if (t->is_static && !s->has_floor && name_has(t->name, floors)) {
        s->floor = t->max[2];
        s->has_floor = true;
    }
    s->count++;
    return true;
}

/* Reads SCENE=INFO.json; the scene's path is cut off `argument`. */
static bool scene_read(scene *s, char *argument)
{
    char *file = strchr(argument, '=');
    if (!file)
        return false;
    *file++ = 0;
    s->path = argument;
    s->info = json_load_file(file, 0, NULL);
    const json_t *objects = json_object_get(s->info, "objects");
    size_t count = json_array_size(objects);
    if (count == 0 || count > THINGS_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!scene_read_thing(s, json_array_get(objects, i)))
            return false;
    }
    return true;
}

/* ---- choosing ---- */

typedef bool (*thing_test)(const thing *t);

static bool is_small(const thing *t)
{
    return t->is_small;
}

static bool is_bearer(const thing *t)
{
    return t->is_bearer;
}

/* `count` different things of the scene that pass, by chance; false when there
 * are not so many. */
static bool maker_choose(maker *m,
                         thing_test test,
                         int count,
                         const thing **chosen)
{
    const thing *all[THINGS_MAX];
    int n = 0;
    for (int i = 0; i < m->scene->count; i++) {
        if (test(&m->scene->things[i]))
            all[n++] = &m->scene->things[i];
    }
    if (n < count)
        return false;
    for (int i = 0; i < count; i++) {
        int k = i + maker_random(m, n - i);
        const thing *swap = all[i];
        all[i] = all[k];
        all[k] = swap;
        chosen[i] = all[i];
    }
    return true;
}

/* What stands on a bearer; -1 when it is more than a goal may name. */
static int maker_load(const maker *m, const thing *bearer, const thing **load)
{
    int n = 0;
    for (int i = 0; i < m->scene->count; i++) {
        const thing *t = &m->scene->things[i];
        if (t->is_static || t == bearer || !thing_stands_on(t, bearer))
            continue;
        if (n == CHOSEN_MAX)
            return -1;
        load[n++] = t;
    }
    return n;
}

/* ---- saying ---- */

static void __attribute__((format(printf, 2, 3)))
maker_say(maker *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(m->text, sizeof m->text, format, args);
    va_end(args);
}

static void maker_fact(maker *m, json_t *fact)
{
    json_array_append_new(m->facts, fact);
}

static json_t *fact_on(const thing *t, const thing *bearer)
{
    return json_pack("[s,[s,s,s,f],[s,s,s,f]]", "any", "on_top", t->name,
                     bearer->name, 0.12, "within", t->name, bearer->name, 0.05);
}

static json_t *fact_floor(const maker *m, const thing *t)
{
    return json_pack("[s,s,f,f]", "bottom", t->name, m->scene->floor - 0.02,
                     m->scene->floor + 0.06);
}

static json_t *fact_gap(const thing *t, const thing *of, double lo, double hi)
{
    return json_pack("[s,s,s,f,f]", "gap", t->name, of->name, lo, hi);
}

static json_t *fact_place_of(const thing *t, const thing *of)
{
    return json_pack("[s,s,s]", "at_start_of", t->name, of->name);
}

static json_t *fact_still(const thing *t)
{
    return json_pack("[s,s]", "still", t->name);
}

/* ---- forms: each says a sentence and its facts, or false where the scene has
 * not what it needs ---- */

static bool form_put_on(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    bool is_two = maker_random(m, 2);
    if (is_two)
        maker_say(m, "Put the \"%s\" and the \"%s\" on the \"%s\".", x[0]->name,
                  x[1]->name, on->name);
    else
        maker_say(m, "Put the \"%s\" on the \"%s\".", x[0]->name, on->name);
    for (int i = 0; i <= is_two; i++)
        maker_fact(m, fact_on(x[i], on));
    return true;
}

static bool form_floor(maker *m)
{
    const thing *x[3];
    if (!m->scene->has_floor || !maker_choose(m, is_small, 3, x))
        return false;
    maker_say(m, "Put the \"%s\", the \"%s\" and the \"%s\" on the floor.",
              x[0]->name, x[1]->name, x[2]->name);
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_floor(m, x[i]));
    return true;
}

static bool form_floor_beside(maker *m)
{
    const thing *x[2], *of;
    if (!m->scene->has_floor || !maker_choose(m, is_small, 2, x) ||
        !maker_choose(m, is_bearer, 1, &of))
        return false;
    maker_say(m,
              "Take the \"%s\" and the \"%s\" and set them down on the floor "
              "beside the \"%s\".",
              x[0]->name, x[1]->name, of->name);
    for (int i = 0; i < 2; i++) {
        maker_fact(m, fact_floor(m, x[i]));
        maker_fact(m, fact_gap(x[i], of, 0, 0.6));
    }
    return true;
}

static bool form_floor_distance(maker *m)
{
    const thing *x, *of;
    if (!m->scene->has_floor || !maker_choose(m, is_small, 1, &x) ||
        !maker_choose(m, is_bearer, 1, &of))
        return false;
    maker_say(m, "Put the \"%s\" on the floor 50 cm from the \"%s\".", x->name,
              of->name);
    maker_fact(m, fact_floor(m, x));
    maker_fact(m, fact_gap(x, of, 0.42, 0.58));
    return true;
}

static bool form_under(maker *m)
{
    const thing *x, *of;
    if (!m->scene->has_floor || !maker_choose(m, is_small, 1, &x) ||
        !maker_choose(m, is_bearer, 1, &of))
        return false;
    maker_say(m, "Put the \"%s\" on the floor under the \"%s\".", x->name,
              of->name);
    maker_fact(m, fact_floor(m, x));
    maker_fact(m, json_pack("[s,s,s,f]", "under", x->name, of->name, 0.25));
    return true;
}

static bool form_beside(maker *m)
{
    const thing *x[2];
    if (!maker_choose(m, is_small, 2, x))
        return false;
    maker_say(m, "Move the \"%s\" next to the \"%s\".", x[0]->name, x[1]->name);
    maker_fact(m, fact_gap(x[0], x[1], 0, 0.5));
    maker_fact(m, fact_still(x[1]));
    return true;
}

/* Has it room between the two, and are they so near that the place is one? */
static bool thing_fits_between(const thing *t, const thing *a, const thing *b)
{
    double square = 0;
    for (int axis = 0; axis < 2; axis++) {
        double way =
            (a->min[axis] + a->max[axis] - b->min[axis] - b->max[axis]) / 2;
        square += way * way;
    }
    double reach = thing_size(a, 0) + thing_size(a, 1) + thing_size(b, 0) +
                   thing_size(b, 1);
    double own = thing_size(t, 0) + thing_size(t, 1);
    double way = sqrt(square);
    bool is_level = fabs(a->min[2] - b->min[2]) < 0.05;
    return is_level && way < 1.5 && way > reach / 2 + own;
}

static bool form_between(maker *m)
{
    const thing *x[3];
    if (!maker_choose(m, is_small, 3, x) ||
        !thing_fits_between(x[0], x[1], x[2]))
        return false;
    maker_say(m, "Put the \"%s\" between the \"%s\" and the \"%s\".",
              x[0]->name, x[1]->name, x[2]->name);
    maker_fact(m, json_pack("[s,s,s,s,f]", "between", x[0]->name, x[1]->name,
                            x[2]->name, 0.35));
    return true;
}

static bool form_swap(maker *m)
{
    const thing *x[2];
    if (!maker_choose(m, is_small, 2, x))
        return false;
    maker_say(m, "Swap the \"%s\" and the \"%s\".", x[0]->name, x[1]->name);
    maker_fact(m, fact_place_of(x[0], x[1]));
    maker_fact(m, fact_place_of(x[1], x[0]));
    return true;
}

static bool form_take_place(maker *m)
{
    const thing *x[2];
    if (!m->scene->has_floor || !maker_choose(m, is_small, 2, x))
        return false;
    maker_say(m,
              "Put the \"%s\" where the \"%s\" is, and the \"%s\" on the "
              "floor.",
              x[0]->name, x[1]->name, x[1]->name);
    maker_fact(m, fact_place_of(x[0], x[1]));
    maker_fact(m, fact_floor(m, x[1]));
    return true;
}

static bool form_old_place(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\" on the \"%s\". Put the \"%s\" where the \"%s\" "
              "was.",
              x[0]->name, on->name, x[1]->name, x[0]->name);
    maker_fact(m, fact_on(x[0], on));
    maker_fact(m, fact_place_of(x[1], x[0]));
    return true;
}

static bool form_beside_it(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m, "Put the \"%s\" on the \"%s\" and the \"%s\" next to it.",
              x[0]->name, on->name, x[1]->name);
    maker_fact(m, fact_on(x[0], on));
    return true;
}

static bool form_side_by_side(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(
        m, "The \"%s\" and the \"%s\" should stand side by side on the \"%s\".",
        x[0]->name, x[1]->name, on->name);
    maker_fact(m, fact_on(x[0], on));
    maker_fact(m, fact_on(x[1], on));
    maker_fact(m, fact_gap(x[0], x[1], 0, 0.4));
    return true;
}

static bool form_stack(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\" on the \"%s\" and the \"%s\" on top of the "
              "\"%s\".",
              x[0]->name, on->name, x[1]->name, x[0]->name);
    maker_fact(m, fact_on(x[0], on));
    maker_fact(m, json_pack("[s,[s,s]]", "stacked", x[0]->name, x[1]->name));
    return true;
}

static bool form_apart(maker *m)
{
    const thing *x[3], *on;
    if (!maker_choose(m, is_small, 3, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "The \"%s\", the \"%s\" and the \"%s\": all three on the \"%s\", "
              "10 cm apart from one another.",
              x[0]->name, x[1]->name, x[2]->name, on->name);
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_on(x[i], on));
    return true;
}

static bool form_clear(maker *m)
{
    const thing *on, *load[CHOSEN_MAX];
    if (!maker_choose(m, is_bearer, 1, &on))
        return false;
    int n = maker_load(m, on, load);
    if (n <= 0)
        return false;
    maker_say(m, "Clear the \"%s\".", on->name);
    for (int i = 0; i < n; i++)
        maker_fact(m, json_pack("[s,[s,s,s,f]]", "not", "on_top", load[i]->name,
                                on->name, 0.02));
    return true;
}

static bool form_carry_over(maker *m)
{
    const thing *on[2], *load[CHOSEN_MAX];
    if (!maker_choose(m, is_bearer, 2, on))
        return false;
    int n = maker_load(m, on[0], load);
    if (n <= 0)
        return false;
    maker_say(m, "Put everything that is on the \"%s\" onto the \"%s\".",
              on[0]->name, on[1]->name);
    for (int i = 0; i < n; i++)
        maker_fact(m, fact_on(load[i], on[1]));
    return true;
}

static bool form_all_but_one(maker *m)
{
    const thing *on, *load[CHOSEN_MAX];
    if (!m->scene->has_floor || !maker_choose(m, is_bearer, 1, &on))
        return false;
    int n = maker_load(m, on, load);
    if (n < 2)
        return false;
    int kept = maker_random(m, n);
    maker_say(m,
              "Put everything except the \"%s\" from the \"%s\" on the floor.",
              load[kept]->name, on->name);
    for (int i = 0; i < n; i++)
        maker_fact(m, i == kept ? fact_still(load[i]) : fact_floor(m, load[i]));
    return true;
}

static bool form_leave(maker *m)
{
    const thing *x[3], *on;
    if (!maker_choose(m, is_small, 3, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Leave the \"%s\" where it is and put the \"%s\" and the \"%s\" "
              "on the \"%s\".",
              x[0]->name, x[1]->name, x[2]->name, on->name);
    maker_fact(m, fact_still(x[0]));
    maker_fact(m, fact_on(x[1], on));
    maker_fact(m, fact_on(x[2], on));
    return true;
}

static bool form_closer(maker *m)
{
    const thing *x[2];
    if (!maker_choose(m, is_small, 2, x))
        return false;
    maker_say(m, "Move the \"%s\" closer to the \"%s\".", x[0]->name,
              x[1]->name);
    maker_fact(m, json_pack("[s,s,f]", "moved", x[0]->name, 0.025));
    maker_fact(m, fact_still(x[1]));
    return true;
}

static bool form_around(maker *m)
{
    const thing *x[3], *on;
    if (!maker_choose(m, is_small, 3, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\" on the \"%s\" with the \"%s\" behind it and the "
              "\"%s\" to its left.",
              x[0]->name, on->name, x[1]->name, x[2]->name);
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_on(x[i], on));
    return true;
}

static bool form_load_then_move(maker *m)
{
    const thing *x, *on;
    if (!maker_choose(m, is_small, 1, &x) ||
        !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\" on the \"%s\", then move the \"%s\" half a metre "
              "away from where it is.",
              x->name, on->name, on->name);
    maker_fact(m, fact_on(x, on));
    maker_fact(m, json_pack("[s,s,f]", "moved", on->name, 0.3));
    return true;
}

/* In a row on something: as small, then as large as said. */
static int thing_compare_volume(const void *a, const void *b)
{
    const thing *const *one = a;
    const thing *const *other = b;
    double volume[2] = {1, 1};
    for (int axis = 0; axis < 3; axis++) {
        volume[0] *= thing_size(*one, axis);
        volume[1] *= thing_size(*other, axis);
    }
    return (volume[0] > volume[1]) - (volume[0] < volume[1]);
}

static json_t *fact_names(const char *kind,
                          const thing *const *x,
                          int count,
                          double number)
{
    json_t *names = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(names, json_string(x[i]->name));
    return json_pack("[s,o,f]", kind, names, number);
}

static bool form_row(maker *m)
{
    const thing *x[3], *on;
    if (!maker_choose(m, is_small, 3, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\", the \"%s\" and the \"%s\" in a row on the "
              "\"%s\".",
              x[0]->name, x[1]->name, x[2]->name, on->name);
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_on(x[i], on));
    maker_fact(m, fact_names("aligned", x, 3, 0.06));
    return true;
}

static bool form_row_by_size(maker *m)
{
    const thing *x[3], *on;
    if (!maker_choose(m, is_small, 3, x) || !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Line up the \"%s\", the \"%s\" and the \"%s\" on the "
              "\"%s\", from small to large.",
              x[0]->name, x[1]->name, x[2]->name, on->name);
    qsort(x, 3, sizeof *x, thing_compare_volume);
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_on(x[i], on));
    maker_fact(m, fact_names("aligned", x, 3, 0.06));
    for (int i = 0; i + 2 < 3; i++) /* the middling one is between */
        maker_fact(m, json_pack("[s,s,s,s,f]", "between", x[i + 1]->name,
                                x[i]->name, x[i + 2]->name, 0.5));
    return true;
}

static bool form_abreast(maker *m)
{
    const thing *x[3], *on;
    if (!m->scene->has_floor || !maker_choose(m, is_small, 3, x) ||
        !maker_choose(m, is_bearer, 1, &on))
        return false;
    maker_say(m,
              "Put the \"%s\", the \"%s\" and the \"%s\" side by side on "
              "the floor in front of the \"%s\".",
              x[0]->name, x[1]->name, x[2]->name, on->name);
    for (int i = 0; i < 3; i++) {
        maker_fact(m, fact_floor(m, x[i]));
        maker_fact(m, fact_gap(x[i], on, 0, 1.2));
    }
    for (int i = 0; i < 3; i++)
        maker_fact(m, fact_gap(x[i], x[(i + 1) % 3], 0, 0.9));
    return true;
}

static bool form_beside_on(maker *m)
{
    const thing *x[2], *on;
    if (!maker_choose(m, is_small, 2, x) ||
        !maker_choose(m, is_bearer, 1, &on) || !thing_stands_on(x[1], on))
        return false;
    maker_say(m,
              "Put the \"%s\" next to the \"%s\". It belongs on the "
              "\"%s\".",
              x[0]->name, x[1]->name, on->name);
    maker_fact(m, fact_on(x[0], on));
    maker_fact(m, fact_gap(x[0], x[1], 0, 0.4));
    return true;
}

static bool form_each_side(maker *m)
{
    const thing *x[3];
    if (!maker_choose(m, is_small, 3, x))
        return false;
    maker_say(m,
              "Put the \"%s\" to the left of the \"%s\" and the \"%s\" to "
              "the right of it.",
              x[0]->name, x[1]->name, x[2]->name);
    maker_fact(m, fact_gap(x[0], x[1], 0, 0.7));
    maker_fact(m, fact_gap(x[2], x[1], 0, 0.7));
    maker_fact(m, json_pack("[s,s,s,s,f]", "between", x[1]->name, x[0]->name,
                            x[2]->name, 0.6));
    return true;
}

static bool form_two_away(maker *m)
{
    const thing *x[2], *of;
    if (!maker_choose(m, is_small, 2, x) || !maker_choose(m, is_bearer, 1, &of))
        return false;
    maker_say(m,
              "Move the \"%s\" and the \"%s\" farther away from the "
              "\"%s\".",
              x[0]->name, x[1]->name, of->name);
    for (int i = 0; i < 2; i++)
        maker_fact(m, json_pack("[s,s,f]", "moved", x[i]->name, 0.019));
    maker_fact(m, fact_still(of));
    return true;
}

static bool form_exchange_bearers(maker *m)
{
    const thing *on[2], *load[CHOSEN_MAX];
    if (!maker_choose(m, is_bearer, 2, on))
        return false;
    const int n = maker_load(m, on[0], load);
    if (n <= 0)
        return false;
    maker_say(m,
              "Swap the \"%s\" and the \"%s\"; what stands on them goes "
              "along.",
              on[0]->name, on[1]->name);
    maker_fact(m, fact_place_of(on[0], on[1]));
    maker_fact(m, fact_place_of(on[1], on[0]));
    for (int i = 0; i < n; i++)
        maker_fact(m, fact_on(load[i], on[0]));
    return true;
}

typedef bool (*form)(maker *m);
static const form forms[] = {form_put_on,         form_floor,
                             form_floor_beside,   form_floor_distance,
                             form_under,          form_beside,
                             form_between,        form_swap,
                             form_take_place,     form_old_place,
                             form_beside_it,      form_side_by_side,
                             form_stack,          form_apart,
                             form_clear,          form_carry_over,
                             form_all_but_one,    form_leave,
                             form_closer,         form_around,
                             form_load_then_move, form_row,
                             form_row_by_size,    form_abreast,
                             form_beside_on,      form_each_side,
                             form_two_away,       form_exchange_bearers};

/* One goal of some form on some scene; false when none of many tries has what it
 * needs. */
static bool maker_make(maker *m,
                       const scene *scenes,
                       int scene_count,
                       int number)
{
    for (int i = 0; i < TRIES_A_GOAL; i++) {
        m->scene = &scenes[maker_random(m, scene_count)];
        m->facts = json_array();
        size_t k = (size_t)maker_random(m, (int)(sizeof forms / sizeof *forms));
        if (!forms[k](m)) {
            json_decref(m->facts);
            continue;
        }
        char id[32];
        snprintf(id, sizeof id, "made-%04d", number);
        json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:o}", "id", id, "scene",
                                 m->scene->path, "goal", m->text, "level",
                                 "easy", "facts", m->facts);
        bool good = line && json_dumpf(line, stdout, JSON_COMPACT) == 0;
        json_decref(line);
        return good && putchar('\n') != EOF;
    }
    return false;
}

int main(int argc, char **argv)
{
    static scene scenes[SCENES_MAX];
    if (argc < 4 || argc - 3 > SCENES_MAX) {
        fputs(usage, stderr);
        return 2;
    }
    int scene_count = 0;
    for (int i = 3; i < argc; i++) {
        scene *s = &scenes[scene_count++];
        if (!scene_read(s, argv[i])) {
            fprintf(stderr, "goal-maker: %s: no answer of scene info\n",
                    argv[i]);
            return 3;
        }
    }
    maker m = {.random = strtoull(argv[1], NULL, 10)};
    int count = atoi(argv[2]);
    int made = 0;
    while (made < count && maker_make(&m, scenes, scene_count, made))
        made++;
    for (int i = 0; i < scene_count; i++)
        json_decref(scenes[i].info);
    if (made < count)
        fprintf(stderr, "goal-maker: only %d goals\n", made);
    return made < count ? 3 : 0;
}
