/* See bring.h. */
#include "worker/cli/bring.h"
#include "proto/array.h"
#include "worker/assets/fetch.h"
#include "worker/assets/find.h"
#include "worker/builtin/spot.h"
#include "worker/cli/assets.h"
#include "worker/cli/scale.h"
#include "worker/cli/scene_facts.h"
#include "worker/convert/stage.h"
#include "worker/furnish/habits.h"
#include "worker/math/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* BRING_TRIES: so many of the best hits are read before a want is given up;
 * BRING_LOOKED: of so many the size is compared. */
enum {
    BRING_WANTS_MAX = 64,
    BRING_TRIES = 5,
    BRING_LOOKED = 40
};

/* All of one call. Arrays of BRING_WANTS_MAX are by want; removed, lifts,
 * leaves and moves by object of the scene. */
typedef struct bringing {
    loaded_scene *loaded;
    etna_arena arena;
    builtin_facts facts;
    builtin_want *wants[BRING_WANTS_MAX];
    const char *texts[BRING_WANTS_MAX]; /* that ask for them */
    /* of the scene, on which each is to stand; BUILTIN_NONE: it is not known */
    uint32_t bearers[BRING_WANTS_MAX];
    uint32_t want_count;
    const char *store;
    bool unit_is_said;
    shelf *shelf;
    asset_model models[BRING_WANTS_MAX];
    /* metres: of the surface that things stand on; 0: not told */
    double tops[BRING_WANTS_MAX];
    stage_guest guests[STAGE_GUESTS_MAX];
    uint32_t guest_count;
    json_t *told[BRING_WANTS_MAX];  /* of each want's asset */
    json_t *names[BRING_WANTS_MAX]; /* of what came for it */
    /* why nothing is done for it; NULL: something is */
    const char *refused[BRING_WANTS_MAX];
    /* what cannot be had is passed over: the steps after it go on */
    bool in_list;
    uint32_t *removed, removed_count;
    stage_lift *lifts;
    uint32_t lift_count;
    /* of each object: it is taken out; a sentence gives it another place */
    bool *leaves, *moves;
    json_t *edits;
} bringing;

/* Cheap test before the sentence is parsed: most runs bring nothing in. It may
 * be wrong on the side of yes only. */
bool bring_may_be_asked(const char *const *texts, uint32_t count)
{
    static const char *const words[] = {
        "add",      "bring", "introduce", "insert", "remove", "rid",  "delete",
        "discard",  "throw", "replace",   "new",    "take",   "swap", "switch",
        "exchange", "trade", "another",   "put",    "place",  "set",  "stand"};
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            if (strcasestr(texts[i], words[k]))
                return true;
        }
    }
    return false;
}

/* ---- what is wanted ---- */

/* On what of the scene the text puts what comes, the first of which is read as
 * object `first`; BUILTIN_NONE. */
static uint32_t bearer_of(const bringing *b,
                          const builtin_reading *reading,
                          uint32_t first)
{
    for (uint32_t i = 0; i < reading->count; i++) {
        const builtin_move *m = &reading->moves[i];
        uint32_t on = m->relation == RELATION_ON ? m->reference : m->support;
        bool is_of_scene = on < b->loaded->scene->object_count &&
                           !b->facts.objects[on].is_static;
        if (is_of_scene &&
            number_is_of(first, m->objects.objects, m->objects.count))
            return on;
    }
    return BUILTIN_NONE;
}

/* The wants of one text, and which objects it moves: what is moved by a later
 * instruction must not be taken for one that is free to go. */
static etna_code bringing_gather(bringing *b, const char *text, etna_error *err)
{
    builtin_want *wants = NULL;
    uint32_t count = 0;
    builtin_reading *reading = etna_arena_alloc(&b->arena, 1, sizeof *reading);
    if (!reading)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory reading what to bring in");
    etna_code code = builtin_gather(&b->facts, text, &b->arena, &wants, &count,
                                    reading, err);
    uint32_t first = b->facts.object_count;
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++) {
        if (b->want_count == BRING_WANTS_MAX)
            return etna_fail(
                err, ETNA_E_LIMIT,
                "more than %d things to bring in or take out at once",
                BRING_WANTS_MAX);
        b->bearers[b->want_count] = wants[i].kind == CHANGE_ADD
                                        ? bearer_of(b, reading, first)
                                        : BUILTIN_NONE;
        b->texts[b->want_count] = text;
        b->wants[b->want_count++] = &wants[i];
        first += wants[i].kind == CHANGE_REMOVE ? 0 : wants[i].count;
    }
    for (uint32_t i = 0; code == ETNA_OK && i < reading->count; i++) {
        const builtin_set *objects = &reading->moves[i].objects;
        for (uint32_t k = 0; k < objects->count; k++) {
            if (objects->objects[k] < b->loaded->scene->object_count)
                b->moves[objects->objects[k]] = true;
        }
    }
    return code;
}

/* ---- taking out ---- */

static json_t *names_of(const bringing *b,
                        const uint32_t *objects,
                        uint32_t count)
{
    json_t *names = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(
            names, json_string(b->loaded->scene->objects[objects[i]].name));
    return names;
}

/* What leaves. The building stays, and so does what stage_may_remove
 * forbids. */
static etna_code bringing_mark(bringing *b,
                               const builtin_want *want,
                               etna_error *err)
{
    const scene *s = b->loaded->scene;
    for (uint32_t i = 0; i < want->objects.count; i++) {
        uint32_t object = want->objects.objects[i];
        if (object >= s->object_count)
            return etna_fail(err, ETNA_E_INPUT,
                             "\"%.200s\" is part of the building and stays",
                             want->said);
        etna_code code = stage_may_remove(s, object, err);
        if (code != ETNA_OK)
            return code;
        b->leaves[object] = true;
    }
    return ETNA_OK;
}

/* What stands on a thing that goes must go, too, or be given another place. */
static etna_code bringing_check_load(const bringing *b,
                                     const builtin_want *want,
                                     etna_error *err)
{
    for (uint32_t i = 0; i < want->objects.count; i++) {
        const builtin_object *o = &b->facts.objects[want->objects.objects[i]];
        for (uint32_t k = 0; k < o->on_count; k++) {
            const builtin_object *load = &b->facts.objects[o->on[k]];
            if (b->leaves[o->on[k]] || b->moves[o->on[k]] || load->is_static)
                continue;
            return etna_fail(
                err, ETNA_E_INPUT,
                "\"%.100s\" cannot just be taken out: \"%.100s\" stands on it; remove that too, or say where "
                "it goes",
                o->name, load->name);
        }
    }
    return ETNA_OK;
}

/* ---- finding ---- */

typedef struct bring_search {
    bringing *b;
    const char *query;
    find_result result;
    index_doc docs[BRING_LOOKED]; /* with texts in the arena */
    uint32_t taken;               /* of the hits, by search_fetch */
} bring_search;

/* Copies what is needed of the hits: the index is only mapped during this
 * call. */
static etna_code bring_search_look(void *context,
                                   const uint8_t *data,
                                   size_t size,
                                   etna_error *err)
{
    bring_search *s = context;
    const find_options options = {.k = BRING_LOOKED, .as_asked = true};
    index_view v;
    etna_code code = index_open(data, size, &v, err);
    if (code == ETNA_OK)
        code = find_assets(&v, s->query, &options, &s->result, err);
    for (uint32_t i = 0;
         code == ETNA_OK && i < s->result.count && i < BRING_LOOKED; i++) {
        s->docs[i] = index_doc_at(&v, s->result.hits[i].doc);
        s->docs[i].path = etna_arena_strdup(&s->b->arena, s->docs[i].path);
        s->docs[i].name = etna_arena_strdup(&s->b->arena, s->docs[i].name);
        if (!s->docs[i].path || !s->docs[i].name)
            code = etna_fail(err, ETNA_E_NOMEM, "out of memory");
    }
    return code;
}

static etna_code search_refuse(const bring_search *s, etna_error *err)
{
    char nearest[400] = "";
    for (uint32_t i = 0; i < s->result.count && i < FIND_NEAREST; i++) {
        size_t n = strlen(nearest);
        snprintf(nearest + n, sizeof nearest - n, "%s%.80s", n ? ", " : "",
                 s->docs[i].name);
    }
    return etna_fail(err, ETNA_E_INPUT, "no asset is \"%.120s\" (%.160s)%s%s",
                     s->query, s->result.why_not,
                     nearest[0] ? "; the nearest: " : "", nearest);
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* The axis of its file that is its front, where a model that sees said it. */
static int told_add_front(json_t *told,
                          const asset *a,
                          const asset_model *model)
{
    static const char *const axes[2][4] = {{"+Z", "+X", "-Z", "-X"},
                                           {"-Y", "+X", "+Y", "-X"}};
    bool is_seen = !a->number && a->caption && a->caption->front;
    if (!is_seen)
        return 0;
    json_t *more =
        json_pack("{s:s, s:s}", "front", axes[model->z_up][asset_front(a)],
                  "front_source", "caption");
    int done = more ? json_object_update(told, more) : -1;
    json_decref(more);
    return done;
}

json_t *bring_told(const asset *a, const asset_model *model, const char *asked)
{
    char hash[65];
    etna_hash_hex(&a->hash, hash);
    json_t *told = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "asset", hash,
                             "name", text_of(a->name), "library",
                             text_of(a->collection), "id", text_of(a->id),
                             "licence", asset_licence_short(a), "query", asked);
    if (told && told_add_front(told, a, model) != 0) {
        json_decref(told);
        told = NULL;
    }
    return told;
}

stage_guest bring_guest(const asset *a,
                        const asset_model *model,
                        const char *name,
                        const json_t *told)
{
    stage_guest g = {.glb = model->glb,
                     .size = model->size,
                     .name = name,
                     .unit = model->unit,
                     .z_up = model->z_up,
                     .told = told,
                     .author = {text_of(a->name), text_of(a->collection),
                                text_of(a->creator), text_of(a->licence)}};
    memcpy(g.min, model->min, sizeof g.min);
    memcpy(g.max, model->max, sizeof g.max);
    return g;
}

/* How unlike in size, over height and foot. */
static double size_unlike(const index_doc *d, const builtin_object *old)
{
    const double foot = (double)d->size[0] * (double)d->size[2];
    const double was = 4 * old->half[0] * old->half[1];
    const double height = (double)d->size[1];
    const double stood = 2 * old->half[2];
    bool has_feet = foot > 0 && was > 0;
    if (!has_feet || !(height > 0) || !(stood > 0))
        return INFINITY;
    return fabs(math_log(foot / was)) / 2 + fabs(math_log(height / stood));
}

/* Of what fits the words about as well as the best, first what is as large as
 * the old one. */
static void search_order_by_size(bring_search *s, const builtin_want *w)
{
    const builtin_object *old = &s->b->facts.objects[w->objects.objects[0]];
    const double share = 0.8; /* of the best score */
    uint32_t count = 0, best = 0;
    while (count < s->result.count && count < BRING_TRIES &&
           (double)s->result.hits[count].score >=
               share * (double)s->result.hits[0].score)
        count++;
    for (uint32_t i = 1; i < count; i++) {
        if (size_unlike(&s->docs[i], old) < size_unlike(&s->docs[best], old))
            best = i;
    }
    if (count == 0 || best == 0)
        return;
    const index_doc doc = s->docs[best];
    const find_hit hit = s->result.hits[best];
    memmove(&s->docs[1], &s->docs[0], best * sizeof doc);
    memmove(&s->result.hits[1], &s->result.hits[0], best * sizeof hit);
    s->docs[0] = doc;
    s->result.hits[0] = hit;
}

/* What a word asks of the new thing's size beside the old one's. */
typedef struct comparison {
    const char *word;
    bool foot, height, volume; /* of what, all of them */
    bool less;
} comparison;

/* "a smaller one"; NULL: it compares with nothing. */
static const comparison *comparison_asked(const char *said)
{
    static const comparison all[] = {
        {"smaller", .foot = true, .volume = true, .less = true},
        {"larger", .foot = true, .volume = true},
        {"bigger", .foot = true, .volume = true},
        {"taller", .height = true},
        {"higher", .height = true},
        {"lower", .height = true, .less = true},
        {"shorter", .height = true, .less = true},
        {"wider", .foot = true},
        {"narrower", .foot = true, .less = true},
        {"longer", .foot = true}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        size_t length = strlen(all[i].word);
        bool is_first = strncmp(said, all[i].word, length) == 0;
        if (is_first && (said[length] == ' ' || !said[length]))
            return &all[i];
    }
    return NULL;
}

/* By a twentieth at least, so that it shows. */
static bool measure_compares(double now, double was, const comparison *c)
{
    const double differs = 1.05;
    return c->less ? now * differs <= was : now >= was * differs;
}

static bool size_compares(const index_doc *d,
                          const builtin_object *old,
                          const comparison *c)
{
    double foot = (double)d->size[0] * (double)d->size[2];
    double was = 4 * old->half[0] * old->half[1];
    double height = (double)d->size[1];
    double stood = 2 * old->half[2];
    bool foot_holds = !c->foot || measure_compares(foot, was, c);
    bool height_holds = !c->height || measure_compares(height, stood, c);
    bool volume_holds =
        !c->volume || measure_compares(foot * height, was * stood, c);
    return foot_holds && height_holds && volume_holds;
}

static bool size_compares_with_all(const bring_search *s,
                                   uint32_t hit,
                                   const builtin_want *w,
                                   const comparison *c)
{
    const uint32_t nine_tenths = 9 * INDEX_KIND / 10;
    if (s->result.hits[hit].kind < nine_tenths)
        return false; /* smaller, but another thing */
    for (uint32_t i = 0; i < w->objects.count; i++) {
        const builtin_object *old = &s->b->facts.objects[w->objects.objects[i]];
        if (!size_compares(&s->docs[hit], old, c))
            return false;
    }
    return true;
}

/* Leaves those whose size is as asked beside the old one's. */
static etna_code search_keep_compared(bring_search *s,
                                      const builtin_want *w,
                                      const comparison *c,
                                      etna_error *err)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->result.count && i < BRING_LOOKED; i++) {
        if (!size_compares_with_all(s, i, w, c))
            continue;
        s->docs[kept] = s->docs[i];
        s->result.hits[kept++] = s->result.hits[i];
    }
    s->result.count = kept;
    if (kept)
        return ETNA_OK;
    const builtin_object *old = &s->b->facts.objects[w->objects.objects[0]];
    return etna_fail(err, ETNA_E_INPUT,
                     "no asset is \"%.120s\": none of the kind is %s than "
                     "\"%.100s\", of %.2f x %.2f m and %.2f m high",
                     s->query, c->word, old->name, 2 * old->half[0],
                     2 * old->half[1], 2 * old->half[2]);
}

/* Keeps the hits that `fits` says; false, and all are kept: none does. */
static bool search_keep(bring_search *s,
                        bool (*fits)(const bring_search *s,
                                     const index_doc *d,
                                     const void *context),
                        const void *context)
{
    uint32_t kept = 0;
    uint32_t looked =
        s->result.count < BRING_LOOKED ? s->result.count : BRING_LOOKED;
    for (uint32_t i = 0; i < looked; i++)
        kept += fits(s, &s->docs[i], context);
    if (!kept)
        return false;
    kept = 0;
    for (uint32_t i = 0; i < looked; i++) {
        if (!fits(s, &s->docs[i], context))
            continue;
        s->docs[kept] = s->docs[i];
        s->result.hits[kept++] = s->result.hits[i];
    }
    s->result.count = kept;
    return true;
}

static bool doc_has_form(const bring_search *s,
                         const index_doc *d,
                         const void *head)
{
    (void)s;
    const double size[3] = {(double)d->size[0], (double)d->size[1],
                            (double)d->size[2]};
    return habits_form_fits(head, size);
}

/* Is its foot, turned if need be, no larger than what it is to stand on? */
static bool doc_fits_on(const bring_search *s,
                        const index_doc *d,
                        const void *bearer)
{
    (void)s;
    const double over = 0.02; /* metres that may stand over */
    const builtin_object *on = bearer;
    double x = (double)d->size[0];
    double z = (double)d->size[2];
    double wide = 2 * on->half[0];
    double deep = 2 * on->half[1];
    return fmin(x, z) <= fmin(wide, deep) + over &&
           fmax(x, z) <= fmax(wide, deep) + over;
}

/* What has the size that the word suggests and, where that is known, finds room
 * on what it is to stand on comes first. */
static etna_code search_keep_fitting(bring_search *s,
                                     uint32_t want,
                                     etna_error *err)
{
    query q;
    const bringing *b = s->b;
    etna_code code = query_read(s->query, &q, err);
    if (code != ETNA_OK)
        return code;
    const habits_form *form = q.head_known ? habits_form_of(q.head) : NULL;
    if (form && !search_keep(s, doc_has_form, q.head))
        return etna_fail(err, ETNA_E_INPUT,
                         "no asset is \"%.120s\": a %s is %.2f to %.2f m "
                         "high, and the nearest, \"%.80s\", is %.2f m",
                         s->query, form->kind, form->low, form->high,
                         s->docs[0].name, (double)s->docs[0].size[1]);
    if (b->bearers[want] != BUILTIN_NONE)
        (void)search_keep(s, doc_fits_on, &b->facts.objects[b->bearers[want]]);
    return ETNA_OK;
}

/* The first of what was found that can be read. */
static etna_code search_fetch(bring_search *s,
                              uint32_t want,
                              asset *ret,
                              etna_error *err)
{
    bringing *b = s->b;
    etna_code code = ETNA_E_INPUT;
    for (uint32_t i = 0; i < s->result.count && i < BRING_TRIES; i++) {
        if (s->docs[i].opening)
            continue; /* a door needs a wall around it */
        code = shelf_get_source(b->shelf, s->docs[i].path, s->docs[i].number,
                                &b->arena, ret, err);
        if (code == ETNA_OK)
            code = asset_fetch(ret, &b->models[want], err);
        if (code == ETNA_E_NOMEM)
            return code;
        if (code != ETNA_OK) {
            fprintf(stderr, "etna: %s\n", err->text);
            continue;
        }
        char name[300];
        const char *untold = s->result.hits[i].untold;
        s->taken = i;
        asset_short_name(ret, name, sizeof name);
        fprintf(stderr, "brought in for \"%s\": %s (%s, %s): %s\n", s->query,
                text_of(ret->name), name, asset_licence_short(ret),
                s->result.hits[i].reason);
        if (untold[0])
            fprintf(stderr, "nothing tells whether it is: %s\n", untold);
        return ETNA_OK;
    }
    return etna_fail(err, ETNA_E_INPUT,
                     "none of the assets found for \"%.120s\" can be used",
                     s->query);
}

/* "floor lamp", else "floor lamp 2" and so on: no object's name yet. */
static const char *guest_name(bringing *b, const char *asked)
{
    const char *name = etna_arena_printf(&b->arena, "%.100s", asked);
    for (uint32_t n = 2; name; n++) {
        bool taken = false;
        for (uint32_t i = 0; i < b->loaded->scene->object_count; i++)
            taken = taken ||
                    strcasecmp(b->loaded->scene->objects[i].name, name) == 0;
        for (uint32_t i = 0; i < b->guest_count; i++)
            taken = taken || strcmp(b->guests[i].name, name) == 0;
        if (!taken)
            return name;
        name = etna_arena_printf(&b->arena, "%.100s %u", asked, n);
    }
    return NULL;
}

/* As many guests of one model as are wanted, each with a name of its own. */
static etna_code bringing_invite(
    bringing *b, uint32_t want, const asset *a, json_t *names, etna_error *err)
{
    const builtin_want *w = b->wants[want];
    const asset_model *m = &b->models[want];
    for (uint32_t i = 0; i < w->count; i++) {
        const char *name = guest_name(b, w->query);
        if (b->guest_count == STAGE_GUESTS_MAX)
            return etna_fail(err, ETNA_E_LIMIT,
                             "more than %d things to bring in at once",
                             STAGE_GUESTS_MAX);
        if (!name)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory");
        b->guests[b->guest_count++] = bring_guest(a, m, name, b->told[want]);
        json_array_append_new(names, json_string(name));
    }
    return ETNA_OK;
}

/* The store is opened with the first want that needs it. Unless the unit was
 * said, the file's sizes are compared with the assets': a scene in centimetres
 * would get giants. */
static etna_code bringing_open(bringing *b, etna_error *err)
{
    if (b->shelf)
        return ETNA_OK;
    etna_code code = assets_open(b->store, false, &b->shelf, err);
    if (code != ETNA_OK || b->unit_is_said)
        return code;
    code = scale_check(&b->facts, b->loaded->scene->metres_per_unit, b->shelf,
                       err);
    if (code == ETNA_OK)
        return ETNA_OK;
    shelf_close(b->shelf);
    b->shelf = NULL;
    return code;
}

/* The asset found, chosen and read for a want. */
static etna_code bringing_take(
    bringing *b, uint32_t want, bring_search *s, asset *ret, etna_error *err)
{
    if (!s->result.found)
        return search_refuse(s, err);
    const builtin_want *w = b->wants[want];
    const comparison *asked =
        w->kind == CHANGE_REPLACE ? comparison_asked(s->query) : NULL;
    etna_code code = asked ? search_keep_compared(s, w, asked, err) : ETNA_OK;
    if (code == ETNA_OK && w->kind == CHANGE_ADD)
        code = search_keep_fitting(s, want, err);
    if (code != ETNA_OK)
        return code;
    if (w->kind == CHANGE_REPLACE)
        search_order_by_size(s, w);
    code = search_fetch(s, want, ret, err);
    if (code != ETNA_OK)
        return code;
    b->tops[want] = ret->top;
    b->told[want] = bring_told(ret, &b->models[want], s->query);
    if (!b->told[want])
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    const char *untold = s->result.hits[s->taken].untold;
    if (untold[0])
        json_object_set_new(b->told[want], "untold", json_string(untold));
    return ETNA_OK;
}

/* Finds a model for one want. ETNA_E_NOTFOUND becomes an instruction to the
 * user. */
static etna_code bringing_find(bringing *b,
                               uint32_t want,
                               json_t *names,
                               etna_error *err)
{
    bring_search *s = etna_arena_alloc(&b->arena, 1, sizeof *s);
    asset a;
    if (!s)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    memset(s, 0, sizeof *s);
    s->b = b;
    s->query = b->wants[want]->query;
    etna_code code = bringing_open(b, err);
    if (code == ETNA_OK)
        code = shelf_with_index(b->shelf, bring_search_look, s, err);
    if (code == ETNA_E_NOTFOUND)
        return etna_fail(
            err, ETNA_E_INPUT,
            "the assets have no index of this version; `etna assets index` makes one");
    if (code == ETNA_OK)
        code = bringing_take(b, want, s, &a, err);
    return code == ETNA_OK ? bringing_invite(b, want, &a, names, err) : code;
}

/* ---- edits ---- */

/* Where the foot of what takes the old one's place is to be: on what is below
 * that, were it a little in the air. False: nothing is, and it hangs. */
static bool find_ground(const bringing *b, uint32_t object, double *ret)
{
    const double reach = 0.3, start = 0.01; /* metres */
    const builtin_object *o = &b->facts.objects[object];
    const double bottom = builtin_foot(o);
    const space_ray ray = {v3(o->centre[0], o->centre[1], bottom + start),
                           v3(0, 0, -1),
                           0,
                           start + reach,
                           object,
                           SCENE_NONE};
    space_hit hit;
    const bool found = space_cast(b->loaded->space, &ray, &hit);
    *ret = found ? hit.point.z : bottom;
    return found;
}

/* What stands on the old ones is raised, or lowered, to the new one's top, with
 * all that stands on it. */
static void edit_lift(bringing *b, uint32_t object, double by, uint32_t depth)
{
    const builtin_object *o = &b->facts.objects[object];
    const uint32_t objects = b->loaded->scene->object_count;
    for (uint32_t k = 0; k < o->on_count && depth < 16; k++) {
        const uint32_t load = o->on[k];
        if (load >= objects || b->leaves[load] ||
            b->facts.objects[load].is_static)
            continue;
        bool known = false;
        for (uint32_t i = 0; i < b->lift_count; i++)
            known = known || b->lifts[i].object == load;
        if (known)
            continue;
        b->lifts[b->lift_count++] = (stage_lift){load, by};
        edit_lift(b, load, by, depth + 1);
    }
}

/* What stood on the old thing is lifted to the new one's top. */
static void edit_lift_load(bringing *b, uint32_t want)
{
    const builtin_want *w = b->wants[want];
    const double top = b->tops[want] > 0
                           ? b->tops[want]
                           : b->models[want].max[1] - b->models[want].min[1];
    const double clear = 0.001; /* metres: so that they do not cut into it */
    for (uint32_t i = 0; i < w->objects.count; i++) {
        const builtin_object *o = &b->facts.objects[w->objects.objects[i]];
        const double was = builtin_top(o);
        double ground;
        (void)find_ground(b, w->objects.objects[i], &ground);
        edit_lift(b, w->objects.objects[i], ground + top + clear - was, 0);
    }
}

/* The names of what stands on an object and stays. */
static void load_tell(const bringing *b, const builtin_object *o, json_t *load)
{
    for (uint32_t k = 0; k < o->on_count; k++) {
        const builtin_object *on = &b->facts.objects[o->on[k]];
        bool goes = b->leaves[o->on[k]] || b->moves[o->on[k]] || on->is_static;
        if (!goes)
            json_array_append_new(load, json_string(on->name));
    }
}

/* Where the old ones were, in the file's frame. */
static void edit_tell_old(const bringing *b, uint32_t want, json_t *row)
{
    const builtin_want *w = b->wants[want];
    const double depth = b->models[want].max[2] - b->models[want].min[2];
    const scene *s = b->loaded->scene;
    json_t *at = json_array();
    json_t *yaw = json_array();
    json_t *load = json_array();
    bool hung = false;
    for (uint32_t i = 0; i < w->objects.count; i++) {
        const builtin_object *o = &b->facts.objects[w->objects.objects[i]];
        double height;
        const bool found = find_ground(b, w->objects.objects[i], &height);
        const bool stands = found || (o->by_count > 0 && !o->attached);
        /* what hangs keeps its back where it was */
        const double deeper = stands ? 0 : depth / 2 - o->half[1];
        hung = hung || !stands;
        if (!stands)
            height = o->centre[2];
        json_array_append_new(
            at, json_pack("[f,f,f]",
                          o->centre[0] + deeper * o->heading[0] + s->recentre.x,
                          o->centre[1] + deeper * o->heading[1] + s->recentre.y,
                          height + s->recentre.z));
        json_array_append_new(yaw, json_real(o->yaw_deg));
        load_tell(b, o, load);
    }
    json_object_set_new(row, "at", at);
    json_object_set_new(row, "yaw_deg", yaw);
    json_object_set_new(row, "load", load);
    json_object_set_new(row, "hung", json_boolean(hung));
}

/* ---- one after the other ---- */

/* Of a list, what cannot be had for one want is kept for the step that wanted
 * it. */
static etna_code bringing_settle(bringing *b,
                                 uint32_t want,
                                 etna_code code,
                                 etna_error *err)
{
    const builtin_want *w = b->wants[want];
    if (code != ETNA_E_INPUT || !b->in_list)
        return code;
    b->refused[want] = etna_arena_strdup(&b->arena, err->text);
    *err = (etna_error){0};
    for (uint32_t i = 0; w->kind != CHANGE_ADD && i < w->objects.count; i++) {
        const uint32_t object = w->objects.objects[i];
        if (object < b->loaded->scene->object_count)
            b->leaves[object] = false;
    }
    return b->refused[want] ? ETNA_OK
                            : etna_fail(err, ETNA_E_NOMEM, "out of memory");
}

static etna_code bringing_mark_all(bringing *b, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < b->want_count; i++) {
        if (b->wants[i]->kind != CHANGE_ADD)
            code =
                bringing_settle(b, i, bringing_mark(b, b->wants[i], err), err);
    }
    return code;
}

/* In the order in which they were said. */
static etna_code bringing_find_all(bringing *b, etna_error *err)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; code == ETNA_OK && i < b->want_count; i++) {
        const builtin_want *w = b->wants[i];
        b->names[i] = w->kind == CHANGE_REMOVE
                          ? names_of(b, w->objects.objects, w->objects.count)
                          : json_array();
        if (!b->names[i])
            return etna_fail(err, ETNA_E_NOMEM, "out of memory");
        if (w->kind == CHANGE_REMOVE || b->refused[i])
            continue;
        code =
            bringing_settle(b, i, bringing_find(b, i, b->names[i], err), err);
    }
    return code;
}

/* What stays for one want may keep another's support: until nothing changes. */
static etna_code bringing_check_loads(bringing *b, etna_error *err)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < b->want_count; i++) {
            if (b->wants[i]->kind != CHANGE_REMOVE || b->refused[i])
                continue;
            etna_code code = bringing_settle(
                b, i, bringing_check_load(b, b->wants[i], err), err);
            if (code != ETNA_OK)
                return code;
            again = again || b->refused[i];
        }
    }
    return ETNA_OK;
}

/* What is told of the change, for the scene's record and for the planner.
 * Replaced things also tell where they stood. */
static json_t *edit_row(bringing *b, uint32_t want)
{
    static const char *const kinds[] = {"add", "remove", "replace"};
    static const char nothing[] = "[]";
    const builtin_want *w = b->wants[want];
    const bool refused = b->refused[want];
    json_t *names =
        refused ? json_loads(nothing, 0, NULL) : json_incref(b->names[want]);
    json_t *row = json_pack("{s:s, s:s, s:s, s:o}", "kind", kinds[w->kind],
                            "said", w->said, "by", w->by, "names", names);
    if (w->kind == CHANGE_ADD) {
        json_object_set_new(row, "text", json_string(b->texts[want]));
        json_object_set_new(row, "from", json_integer(w->from));
    }
    if (refused)
        json_object_set_new(row, "refused", json_string(b->refused[want]));
    if (w->kind != CHANGE_REPLACE || refused)
        return row;
    json_object_set_new(row, "old",
                        names_of(b, w->objects.objects, w->objects.count));
    edit_tell_old(b, want, row);
    edit_lift_load(b, want);
    return row;
}

static etna_code bringing_tell(bringing *b, etna_error *err)
{
    for (uint32_t i = 0; i < b->want_count; i++) {
        json_t *row = edit_row(b, i);
        if (!row || json_array_append_new(b->edits, row) != 0)
            return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    }
    b->removed_count = 0;
    for (uint32_t i = 0; i < b->loaded->scene->object_count; i++) {
        if (b->leaves[i])
            b->removed[b->removed_count++] = i;
    }
    return ETNA_OK;
}

/* All lists are as long as the scene, so nothing has to grow. */
static etna_code bringing_reserve(bringing *b,
                                  uint32_t objects,
                                  etna_error *err)
{
    b->removed = etna_arena_alloc(&b->arena, objects + 1u, sizeof *b->removed);
    b->lifts = etna_arena_alloc(&b->arena, objects + 1u, sizeof *b->lifts);
    b->leaves = etna_arena_alloc(&b->arena, objects + 1u, sizeof *b->leaves);
    b->moves = etna_arena_alloc(&b->arena, objects + 1u, sizeof *b->moves);
    b->edits = json_array();
    bool has_lists = b->removed && b->lifts && b->edits;
    if (!has_lists || !b->leaves || !b->moves)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    memset(b->leaves, 0, objects + 1u);
    memset(b->moves, 0, objects + 1u);
    return ETNA_OK;
}

/* What the texts want, gathered, with all that follows from it decided. */
static etna_code bringing_decide(bringing *b, etna_error *err)
{
    etna_code code = bringing_mark_all(b, err);
    if (code == ETNA_OK)
        code = bringing_find_all(b, err);
    if (code == ETNA_OK)
        code = bringing_check_loads(b, err);
    return code == ETNA_OK ? bringing_tell(b, err) : code;
}

/* Facts, wants, models, then the staged scene. Without wants *ret stays
 * NULL. */
static etna_code bringing_run(bringing *b,
                              const char *const *texts,
                              uint32_t count,
                              const char *camera,
                              uint8_t **ret,
                              size_t *ret_size,
                              etna_error *err)
{
    char *json = NULL;
    size_t size = 0;
    etna_code code = bringing_reserve(b, b->loaded->scene->object_count, err);
    if (code != ETNA_OK)
        return code;
    code = scene_facts_tell(b->loaded, camera, &json, &size, err);
    if (code == ETNA_OK)
        code = builtin_facts_read(json, size, &b->arena, &b->facts, err);
    free(json);
    for (uint32_t i = 0; code == ETNA_OK && i < count; i++)
        code = bringing_gather(b, texts[i], err);
    if (code != ETNA_OK || b->want_count == 0)
        return code;
    b->in_list = count > 1;
    code = bringing_decide(b, err);
    if (code != ETNA_OK)
        return code;
    const stage_plan plan = {.guests = b->guests,
                             .guest_count = b->guest_count,
                             .removed = b->removed,
                             .removed_count = b->removed_count,
                             .lifts = b->lifts,
                             .lift_count = b->lift_count,
                             .edits = b->edits};
    return stage_make(b->loaded->scene, b->loaded->bundle,
                      b->loaded->bundle_size, &plan, ret, ret_size, err);
}

/* *ret: the scene with what was brought in and without what was taken out, the
 * caller's to free; NULL: nothing of that kind was asked. */
etna_code bring_stage(loaded_scene *loaded,
                      const char *const *texts,
                      uint32_t count,
                      const bring_options *options,
                      uint8_t **ret,
                      size_t *ret_size,
                      etna_error *err)
{
    bringing *b = calloc(1, sizeof *b);
    if (!b)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory");
    *ret = NULL;
    b->loaded = loaded;
    b->store = options->store;
    b->unit_is_said = options->unit_is_said;
    etna_code code =
        bringing_run(b, texts, count, options->camera, ret, ret_size, err);
    for (uint32_t i = 0; i < BRING_WANTS_MAX; i++) {
        asset_model_free(&b->models[i]);
        json_decref(b->told[i]);
        json_decref(b->names[i]);
    }
    json_decref(b->edits);
    shelf_close(b->shelf);
    etna_arena_free(&b->arena);
    free(b);
    return code;
}
