/* `etna-worker read` (`etna read`): what a sentence asks of a scene, and which
 * thing each of its phrases means. It reads as the planner of a run does: over
 * the facts of the scene as the run's camera sees it.
 *
 * Begin at read_in. The sentence is read once; the result is told either as
 * JSON (sentence_describe) or for people (sentence_print), and both are made
 * from the same predicates, so that they cannot say different things. What
 * cannot be read is no failure of the command in the JSON form: "unread" and
 * "error" say which words and why, which is what somebody who tries out
 * sentences wants to see. Without a scene only the sentence's form is read
 * (read_alone). */
#include "proto/error_json.h"
#include "proto/utf8.h"
#include "worker/builtin/read/predicates.h"
#include "worker/cli/bring.h"
#include "worker/cli/cli.h"
#include "worker/cli/load.h"
#include "worker/cli/phrases.h"
#include "worker/cli/scene_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etna read \"SENTENCE\" [SCENE] [--camera C] [--unit METRES] [--up Y|Z] [--json]\n"
    "Says what the built-in agent understands of a sentence: one line for each thing it asks of the scene, with the names of\n"
    "the things that are meant. Nothing is moved. What cannot be read ends with exit code 3. Without a scene the phrases\n"
    "of the sentence stand where the names would. What is to be brought in, replaced or taken out is named; where it goes is\n"
    "read when a run begins.\n\n"
    "  --camera C         a camera's name or number, auto or cutaway: left and right are the picture's\n"
    "  --json             {\"predicates\": [{\"kind\", \"things\": [[names]], \"numbers\", \"span\"}], \"unread\": [{\"span\", \"text\"}],\n"
    "                     \"remarks\": [{\"span\", \"text\"}], what tells how things are and asks for nothing,\n"
    "                     \"account\": [{\"span\", \"text\", \"became\"}]}: what each word became\n";

typedef struct sentence_read { /* what came of it */
    etna_arena arena;
    builtin_facts facts;
    builtin_reading reading;
    /* what is to come in or go first; the moves that speak of it are read when
     * a run begins */
    builtin_want *wants;
    uint32_t want_count;
    etna_error why; /* code ETNA_E_INPUT: it could not be read */
} sentence_read;

/* A sentence that speaks of things to bring in or to take out: what they are,
 * where the rest of it can be read. */
static etna_code wants_read(sentence_read *r,
                            const char *sentence,
                            bool is_read,
                            etna_error *err)
{
    builtin_reading *rest = etna_arena_alloc(&r->arena, 1, sizeof *rest);
    if (!rest)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a reading");
    etna_code code = builtin_gather(&r->facts, sentence, &r->arena, &r->wants,
                                    &r->want_count, rest, err);
    if (code != ETNA_OK || r->want_count == 0)
        return code;
    if (rest->refusal.code && is_read) {
        r->want_count = 0;
        return ETNA_OK;
    }
    if (rest->refusal.code) {
        r->want_count = 0;
        r->reading.refusal = rest->refusal;
        return ETNA_OK;
    }
    r->why = (etna_error){0};
    r->reading.count = 0;
    return ETNA_OK;
}

/* The sentence as the built-in planner would read it in this scene, with what
 * it asks to bring in. What cannot be read is in ret->why and no failure. */
static etna_code read_over(loaded_scene *loaded,
                           const char *sentence,
                           const char *camera,
                           sentence_read *ret,
                           etna_error *err)
{
    char *json = NULL;
    size_t size = 0;
    etna_code code = scene_facts_tell(loaded, camera, &json, &size, err);
    if (code == ETNA_OK)
        code = builtin_facts_read(json, size, &ret->arena, &ret->facts, err);
    free(json);
    if (code != ETNA_OK)
        return code;
    code = builtin_read(&ret->facts, sentence, &ret->arena, &ret->reading,
                        &ret->why);
    /* "replace the box by a basket", where one is here: a run brings one in */
    if (code == ETNA_E_INPUT ||
        (code == ETNA_OK && bring_may_be_asked(&sentence, 1)))
        return wants_read(ret, sentence, code == ETNA_OK, err);
    if (code != ETNA_OK && err)
        *err = ret->why;
    return code;
}

/* ---- for programs ---- */

/* Why it was refused, by what the reader says of it. */
static arrange_refusal refusal_of(const sentence_read *r, const char *sentence)
{
    const builtin_refusal *said = &r->reading.refusal;
    bool is_whole =
        !said->code || said->to <= said->from || said->to > strlen(sentence);
    arrange_refusal refusal = {
        .code = REFUSAL_UNREAD,
        .what = said->what && *said->what ? said->what : r->why.text,
        .where = said->where,
        .advice = said->advice,
        .from = is_whole ? 0 : said->from,
        .to = is_whole ? (uint32_t)strlen(sentence) : said->to};
    for (uint32_t code = REFUSAL_UNREAD; said->code && code <= REFUSAL_NO_PLACE;
         code++) {
        if (strcmp(said->code, arrange_refusal_name(code)) == 0)
            refusal.code = code;
    }
    return refusal;
}

/* In the enum's order. */
static const char *read_change_name(builtin_change kind)
{
    static const char *const names[] = {"add", "remove", "replace"};
    return names[kind];
}

/* What would come in or go before anything is arranged. */
static json_t *wants_describe(const sentence_read *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->want_count; i++) {
        const builtin_want *w = &r->wants[i];
        json_t *things = json_array();
        for (uint32_t k = 0; k < w->objects.count; k++)
            json_array_append_new(
                things,
                json_string(r->facts.objects[w->objects.objects[k]].name));
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:I,s:o}", "kind",
                                              read_change_name(w->kind), "said",
                                              w->said, "query", w->query,
                                              "count", (json_int_t)w->count,
                                              "things", things));
    }
    return list;
}

/* Parts of the sentence that ask for nothing, with their bytes, so that who
 * wrote it sees that they were not overlooked. */
static json_t *remarks_describe(const builtin_reading *reading,
                                const char *sentence)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < reading->remark_count; k++) {
        const uint32_t *span = reading->remarks[k];
        json_t *part = json_stringn(sentence + span[0], span[1] - span[0]);
        json_array_append_new(
            list, json_pack("{s:[I,I],s:o}", "span", (json_int_t)span[0],
                            (json_int_t)span[1], "text", part));
    }
    return list;
}

/* What each word became, so that who wrote it sees which words told which thing
 * and which were taken for talk. */
static json_t *account_describe(const builtin_reading *reading,
                                const char *sentence)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < reading->account_count; i++) {
        const builtin_account *a = &reading->account[i];
        json_array_append_new(
            list, json_pack("{s:[I,I],s:o,s:s}", "span", (json_int_t)a->from,
                            (json_int_t)a->to, "text",
                            json_stringn(sentence + a->from, a->to - a->from),
                            "became", builtin_became_name(a->became)));
    }
    return list;
}

/* What a sentence that was read says beside its predicates: its remarks, and
 * what became of each of its words. */
static void sentence_describe_rest(const sentence_read *r,
                                   const char *sentence,
                                   json_t *document)
{
    if (r->reading.remark_count > 0)
        json_object_set_new(document, "remarks",
                            remarks_describe(&r->reading, sentence));
    json_object_set_new(document, "account",
                        account_describe(&r->reading, sentence));
}

/* The part of the sentence that was not understood, with its span in bytes. */
static json_t *refusal_describe(const arrange_refusal *refusal,
                                const char *sentence)
{
    json_t *part =
        json_stringn(sentence + refusal->from, refusal->to - refusal->from);
    return json_pack("{s:[I,I],s:o}", "span", (json_int_t)refusal->from,
                     (json_int_t)refusal->to, "text", part);
}

/* Always a document: what was not understood is under "unread" and "error", so
 * that a program need not tell two formats apart. */
static json_t *sentence_describe(const sentence_read *r, const char *sentence)
{
    bool is_read = r->why.code == ETNA_OK;
    const builtin_reading none = {.count = 0};
    const arrange_refusal refusal = refusal_of(r, sentence);
    json_t *predicates = predicates_of(&r->facts, is_read ? &r->reading : &none,
                                       strlen(sentence));
    json_t *unread = json_array();
    json_t *document = json_pack("{s:s,s:o,s:O}", "sentence", sentence,
                                 "predicates", predicates, "unread", unread);
    if (r->want_count > 0 && document)
        json_object_set_new(document, "changes", wants_describe(r));
    if (is_read && document)
        sentence_describe_rest(r, sentence, document);
    if (!is_read && document) {
        json_array_append_new(unread, refusal_describe(&refusal, sentence));
        json_object_set_new(document, "error", error_json_refusal(&refusal));
    }
    json_decref(unread);
    return document;
}

/* ---- for people ---- */

/* "" where it is none. */
static const char *string_at(const json_t *list, size_t i)
{
    const char *text = json_string_value(json_array_get(list, i));
    return text ? text : "";
}

/* "a, b and c". */
static void print_names(const json_t *names)
{
    char room[ARRANGE_NAME_MAX + 1];
    size_t count = json_array_size(names);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            printf("%s", i + 1 < count ? ", " : " and ");
        printf("%s", load_plain(string_at(names, i), room, sizeof room));
    }
}

/* Four digits; the JSON form has them all. */
static void print_numbers(const json_t *numbers)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)numbers, key, value)
    {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
                                           JSON_REAL_PRECISION(4));
        printf("; %s %s", key, text ? text : "");
        free(text);
    }
}

/* "; also left cup, plate", "; but not in bowl": the other places that must
 * hold of the same thing, and those that must not. */
static void print_also(const json_t *also)
{
    size_t i;
    json_t *one;
    json_array_foreach((json_t *)(uintptr_t)also, i, one)
    {
        const bool denied = json_is_true(json_object_get(one, "denied"));
        printf("; %s %s", denied ? "but not" : "also",
               json_string_value(json_object_get(one, "kind")));
        const json_t *things = json_object_get(one, "things");
        for (size_t k = 0; k < json_array_size(things); k++) {
            printf("%s", k ? ", " : " ");
            print_names(json_array_get(things, k));
        }
        print_numbers(json_object_get(one, "numbers"));
    }
}

/* "sofa, chair: beside table; gap_m 0.2   <- put them next to the table" */
static void print_predicate(const json_t *predicate, const char *sentence)
{
    const json_t *things = json_object_get(predicate, "things");
    const json_t *roles = json_object_get(predicate, "roles");
    const json_t *span = json_object_get(predicate, "span");
    size_t from = (size_t)json_integer_value(json_array_get(span, 0));
    size_t end = (size_t)json_integer_value(json_array_get(span, 1));
    char said[1024], room[1024];
    print_names(json_array_get(things, 0));
    printf(": %s", json_string_value(json_object_get(predicate, "kind")));
    for (size_t i = 1; i < json_array_size(things); i++) {
        if (i > 1)
            printf(", %s", string_at(roles, i));
        printf(" ");
        print_names(json_array_get(things, i));
    }
    print_numbers(json_object_get(predicate, "numbers"));
    print_also(json_object_get(predicate, "also"));
    snprintf(said, sizeof said, "%.*s",
             (int)(end - from < sizeof said ? end - from : sizeof said - 1),
             sentence + from);
    printf("   <- %s\n", load_plain(said, room, sizeof room));
}

/* "ShoeRack_01: taken out   <- the shoe rack" */
static void print_want(const sentence_read *r, const builtin_want *w)
{
    char room[1024];
    for (uint32_t k = 0; k < w->objects.count; k++)
        printf("%s%s", k ? ", " : "",
               load_plain(r->facts.objects[w->objects.objects[k]].name, room,
                          sizeof room));
    if (w->kind == CHANGE_ADD)
        printf("%u x \"%s\": brought in", w->count,
               load_plain(w->query, room, sizeof room));
    if (w->kind == CHANGE_REPLACE)
        printf(": replaced by \"%s\"", load_plain(w->query, room, sizeof room));
    if (w->kind == CHANGE_REMOVE)
        printf(": taken out");
    printf("   <- %s\n", load_plain(w->said, room, sizeof room));
}

/* "asks for nothing   <- the tray is still on the shelf" */
static void print_remark(const uint32_t span[2], const char *sentence)
{
    char said[1024], room[1024];
    const size_t size = span[1] - span[0];
    snprintf(said, sizeof said, "%.*s",
             (int)(size < sizeof said ? size : sizeof said - 1),
             sentence + span[0]);
    printf("asks for nothing   <- %s\n", load_plain(said, room, sizeof room));
}

/* Made from the same predicates as the JSON form. */
static int sentence_print(const sentence_read *r, const char *sentence)
{
    if (r->why.code != ETNA_OK) {
        const arrange_refusal refusal = refusal_of(r, sentence);
        bool is_advised = refusal.advice && *refusal.advice;
        etna_error err;
        if (is_advised)
            etna_fail(&err, ETNA_E_INPUT, "%s; %s", refusal.what,
                      refusal.advice);
        else
            etna_fail(&err, ETNA_E_INPUT, "%s", refusal.what);
        return load_report(&err);
    }
    json_t *list = predicates_of(&r->facts, &r->reading, strlen(sentence));
    json_t *one;
    size_t i;
    if (!list)
        return load_report(
            &(etna_error){ETNA_E_NOMEM, "out of memory for a reading"});
    for (uint32_t k = 0; k < r->want_count; k++)
        print_want(r, &r->wants[k]);
    json_array_foreach(list, i, one) print_predicate(one, sentence);
    json_decref(list);
    for (uint32_t k = 0; k < r->reading.remark_count; k++)
        print_remark(r->reading.remarks[k], sentence);
    return load_printed(0);
}

/* Without a scene: the phrases. */
static int read_alone(const char *sentence, bool as_json)
{
    etna_arena arena = ETNA_ARENA_INIT;
    etna_error err = {0};
    json_t *document = NULL, *one;
    size_t i;
    int exit_code;
    etna_code code = phrases_of(sentence, &arena, &document, &err);
    size_t unread = json_array_size(json_object_get(document, "unread"));
    if (code == ETNA_OK && unread > 0) {
        const char *text = json_string_value(json_object_get(
            json_array_get(json_object_get(document, "unread"), 0), "text"));
        code = etna_fail(&err, ETNA_E_INPUT,
                         "\"%.200s\" is no sentence that can be read",
                         text ? text : "");
    }
    if (as_json && document) {
        if (unread > 0)
            json_object_set_new(document, "error",
                                json_pack("{s:s,s:s,s:s,s:n,s:s}", "code",
                                          "unread", "what", err.text, "where",
                                          "", "span", "do", ""));
        exit_code = load_print("etna.read/1", json_incref(document),
                               unread > 0 ? 3 : 0);
    } else if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else {
        json_array_foreach(json_object_get(document, "predicates"), i, one)
            print_predicate(one, sentence);
        exit_code = load_printed(0);
    }
    json_decref(document);
    etna_arena_free(&arena);
    return exit_code;
}

/* With one: what its phrases mean there. */
static int read_in(const char *sentence,
                   const char *path,
                   const scene_options *options,
                   const char *camera,
                   bool as_json)
{
    int exit_code;
    etna_error err = {0};
    loaded_scene loaded = {0};
    sentence_read *r = calloc(1, sizeof *r);
    etna_code code =
        r ? ETNA_OK
          : etna_fail(&err, ETNA_E_NOMEM, "out of memory for a reading");
    if (code == ETNA_OK)
        code = load_scene_to_look(path, options, NULL, &loaded, &err);
    if (code == ETNA_OK)
        code = read_over(&loaded, sentence, camera, r, &err);
    if (code != ETNA_OK) {
        exit_code = load_report(&err);
    } else if (as_json) {
        exit_code = load_print("etna.read/1", sentence_describe(r, sentence),
                               r->why.code == ETNA_OK ? 0 : 3);
    } else {
        exit_code = sentence_print(r, sentence);
    }
    load_scene_free(&loaded);
    if (r)
        etna_arena_free(&r->arena);
    free(r);
    return exit_code;
}

/* Without a scene only the form of the sentence is read. */
int worker_cmd_read(int argc, char **argv)
{
    scene_options options = scene_options_default();
    const char *camera = NULL;
    bool as_json = false;
    const flags_row flags[] = {LOAD_UNIT_AND_UP(&options),
                               {"camera", .text = &camera},
                               {"json", .yes = &as_json},
                               LOAD_MESH_MEMORY,
                               {0}};
    int exit_code;
    int first = load_flags("etna read", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (first + 1 != argc && first + 2 != argc)
        return load_usage(
            "read wants a sentence, and a scene to read it in: etna read \"SENTENCE\" [SCENE]");
    const char *sentence = argv[first];
    if (!*sentence || strlen(sentence) > MESSAGE_TEXT_MAX ||
        !etna_utf8_valid(sentence, strlen(sentence)))
        return load_report(&(etna_error){
            ETNA_E_INPUT,
            "the sentence is empty, longer than 4,096 bytes, or no UTF-8"});
    if (first + 1 == argc)
        return read_alone(sentence, as_json);
    return read_in(sentence, argv[first + 1], &options, camera, as_json);
}
