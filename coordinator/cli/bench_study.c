/* `etna bench study`: a page of pairs for people to judge, and their votes
 * counted. What was run is only looked at. The page knows pictures by numbers
 * alone; key.json, which says whose they are, stays with who counts.
 *
 * Making (study_make): the folders' results say which scene each variant came
 * to; pairs of variants on the same scene are drawn by the seed, the pictures
 * rendered by etna-worker, and the page written with pictures in an order that
 * tells nothing. Some pairs have a known answer, a scene left as it was beside
 * one in which all was done: who is wrong there too often is not counted.
 * Counting (study_count_command) needs the page's key and the files of votes;
 * it tells wins and ties of each two and Bradley and Terry's strengths with
 * intervals drawn over persons. */
#include "coordinator/bench/study.h"
#include "coordinator/bench/study_page.h"
#include "coordinator/cli/bench_folder.h"
#include "coordinator/cli/cli.h"
#include "coordinator/report/field.h"
#include "coordinator/report/output.h"
#include "coordinator/report/terminal.h"
#include "proto/array.h"
#include "store/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* CATCH_EVERY: one pair with a known answer to so many others, as the help
 * says. */
enum {
    FOLDERS_MAX = 8,
    PAIRS_MAX = 100000,
    CATCH_EVERY = 8
};

static const char help[] =
    "usage: etna bench study DIR... -o PAGE [--seed S] [--pairs N]\n"
    "       etna bench study --count PAGE VOTES.json...\n"
    "       etna bench study --rate PAIRS.csv [--base SYSTEM]\n"
    "Makes a page for people: what a scene's list came to in each of two of the DIRs' variants, side by side, and VULCAN's three\n"
    "questions. Order and sides are each person's own; every eighth pair or so is one of which the answer is known, the scene left\n"
    "as it was beside one in which all was done. Open PAGE/index.html anywhere; each person saves a file of votes. Give PAGE\n"
    "without key.json away: that says whose the pictures are. --count reads the votes: who was wrong in more than a third of\n"
    "the known pairs is left out; of the others, wins and ties of each two, and Bradley and Terry's strength of each (Elo, 95 %).\n"
    "--rate does the last for votes that were counted elsewhere: the first line of PAIRS.csv names its columns, a,b,wins_a,wins_b[,ties]\n"
    "or a,b,winner[,rater]; \"tie\" is a winner, too. The intervals are drawn over raters, or over votes where none are told.\n\n"
    "  -o, --output PAGE  a folder to make\n"
    "      --pairs N      at most so many for one person (40)\n"
    "      --seed S       which, where there are more (0)\n"
    "      --count PAGE   count votes over that page\n"
    "      --base SYSTEM  (with --rate) the one that has 1500 (the first)\n"
    "      --json         (with --count, --rate) one JSON document\n";

typedef struct study_shown { /* the last scene that a system came to */
    uint32_t system;
    const suite_scene *scene;
    const plan_job *job;
    bench_folder *folder;
    const char *state; /* a file */
    bool is_all_done;
    char picture[24]; /* "" : not drawn yet */
} study_shown;

/* A study under way. What it allocates lies in the arena, but for the folders,
 * the children and the two documents, which study_make_command frees. */
typedef struct study_maker {
    bench_folder folders[FOLDERS_MAX];
    uint32_t folder_count;
    const char *systems[STUDY_SYSTEMS_MAX];
    uint32_t system_count;
    study_shown *shown;
    size_t shown_count;
    bench_child *children;
    uint32_t child_count;
    json_t *pairs, *key; /* of the page; of who counts */
    uint64_t state;
    uint64_t seed;
    uint32_t pairs_max;
    const char *output;
    etna_arena arena;
    etna_error *err;
} study_maker;

/* ---- what there is ---- */

/* A variant in a folder is a system of its own: two folders with the same
 * variant are told apart by the folder's name. *ret is its number. */
static etna_code system_enter(study_maker *m,
                              const bench_folder *f,
                              const plan_variant *variant,
                              uint32_t *ret)
{
    uint32_t i = 0;
    while (i < m->system_count && strcmp(m->systems[i], variant->name) != 0)
        i++;
    bool is_known = i < m->system_count;
    const char *slash = strrchr(f->path, '/');
    const char *folder = slash ? slash + 1 : f->path;
    const char *name =
        is_known ? etna_arena_printf(&m->arena, "%s/%s", folder, variant->name)
                 : etna_arena_strdup(&m->arena, variant->name);
    if (!name)
        return etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    if (m->system_count == STUDY_SYSTEMS_MAX)
        return etna_fail(m->err, ETNA_E_USAGE,
                         "bench study: more than %d variants",
                         STUDY_SYSTEMS_MAX);
    *ret = m->system_count;
    m->systems[m->system_count++] = name;
    return ETNA_OK;
}

/* Whether the results say that all steps of the run were done. */
static bool run_is_done(const result_row *rows,
                        size_t count,
                        const plan_job *job)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const result_run *r = &rows[i].run;
        bool is_steps = !r->is_goal && r->repeat == job->run.repeat;
        bool is_of_job = strcmp(r->scene, job->run.scene) == 0 &&
                         strcmp(r->variant, job->run.variant) == 0;
        if (!is_steps || !is_of_job)
            continue;
        if (!rows[i].done)
            return false;
        any = true;
    }
    return any;
}

/* Enters the scene after the last step that was reached. A run that reached
 * none shows nothing and is left out. */
static etna_code job_enter(study_maker *m,
                           bench_folder *f,
                           const plan_job *job,
                           uint32_t system,
                           bool is_done)
{
    const char *states[SUITE_STEPS_MAX];
    uint32_t count = 0, last = SUITE_STEPS_MAX;
    json_t *document = bench_job_document(f, job);
    etna_code code = bench_job_states(f, job, document, states, &count, m->err);
    json_decref(document);
    for (uint32_t i = 0; !code && i < count; i++) {
        if (strcmp(states[i], "-") != 0)
            last = i;
    }
    if (code || last == SUITE_STEPS_MAX)
        return code;
    m->shown[m->shown_count++] = (study_shown){.system = system,
                                               .scene = job->scene,
                                               .job = job,
                                               .folder = f,
                                               .state = states[last],
                                               .is_all_done = is_done};
    return ETNA_OK;
}

/* The first repeat of the lists of each variant. Other repeats are left out, as
 * a person is shown one picture a system and scene. */
static etna_code folder_take(study_maker *m, bench_folder *f)
{
    result_row *rows = NULL;
    size_t count = 0;
    char path[sizeof f->path + 32];
    snprintf(path, sizeof path, "%s/results.jsonl", f->path);
    etna_code code = results_read(path, &f->arena, &rows, &count, m->err);
    study_shown *grown = etna_arena_alloc(
        &m->arena, m->shown_count + f->job_count, sizeof *grown);
    if (!code && !grown)
        code = etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    if (code)
        return code;
    if (m->shown_count)
        memcpy(grown, m->shown, m->shown_count * sizeof *grown);
    m->shown = grown;
    for (uint32_t v = 0; !code && v < f->plan.variant_count; v++) {
        uint32_t system = 0;
        code = system_enter(m, f, f->plan.variants[v], &system);
        for (uint32_t i = 0; !code && i < f->job_count; i++) {
            const plan_job *job = &f->jobs[i];
            bool is_of = job->variant == f->plan.variants[v] &&
                         !job->run.is_goal && job->run.repeat == 1;
            if (is_of)
                code =
                    job_enter(m, f, job, system, run_is_done(rows, count, job));
        }
    }
    return code;
}

/* ---- pictures ---- */

/* Numbers say nothing of whose they are: they are dealt out as pictures are
 * asked for, in an order that was shuffled. Orders one more child that renders
 * `file`; *ret (24 bytes) is what the page calls the picture. The camera, unit
 * and axis are the scene's own, so that both pictures of a pair see the
 * same. */
static etna_code picture_order(study_maker *m,
                               const suite_scene *scene,
                               const char *file,
                               char *ret)
{
    const char **words = etna_arena_alloc(&m->arena, 16, sizeof *words);
    const char *png = etna_arena_printf(&m->arena, "%s/pictures/p%u.png",
                                        m->output, (unsigned)m->child_count);
    const char *said = etna_arena_printf(&m->arena, "%s/.said", m->output);
    size_t at = 0;
    if (!words || !png || !said)
        return etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    const char *const flags[][2] = {{"-o", png},
                                    {"--camera", scene->camera},
                                    {"--unit", scene->unit},
                                    {"--up", scene->up}};
    words[at++] = "etna-worker";
    words[at++] = "render";
    words[at++] = file;
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        if (!flags[i][1])
            continue;
        words[at++] = flags[i][0];
        words[at++] = flags[i][1];
    }
    snprintf(ret, 24, "p%u", (unsigned)m->child_count);
    m->children[m->child_count++] =
        (bench_child){.words = words, .program = "etna-worker", .output = said};
    return ETNA_OK;
}

/* Each picture is drawn once, however many pairs show it. */
static etna_code shown_draw(study_maker *m, study_shown *s)
{
    return *s->picture ? ETNA_OK
                       : picture_order(m, s->scene, s->state, s->picture);
}

/* ---- pairs ---- */

/* What the scene's steps said, in their order; the caller's to release. */
static json_t *asked_of(const suite_scene *scene)
{
    json_t *asked = json_array();
    for (uint32_t i = 0; i < scene->step_count; i++)
        json_array_append_new(asked, json_string(scene->steps[i].text));
    return asked;
}

/* `b` NULL: the start itself, a pair of which the answer is known. The page
 * gets pictures alone; whose they are, and whether left and right were swapped,
 * goes to the key. One draw decides the sides for all, on top of which the page
 * draws for each person. */
static etna_code study_pair_add(study_maker *m, study_shown *a, study_shown *b)
{
    char start[24] = "", name[24];
    bool is_turned = stats_draw(&m->state, 2) == 1;
    etna_code code = picture_order(
        m, a->scene, bench_folder_scene(a->folder, a->scene), start);
    if (!code)
        code = shown_draw(m, a);
    if (!code && b)
        code = shown_draw(m, b);
    if (code)
        return code;
    const char *first = a->picture;
    const char *second = b ? b->picture : start;
    const char *left = is_turned ? second : first;
    const char *right = is_turned ? first : second;
    snprintf(name, sizeof name, "q%zu", json_array_size(m->pairs));
    json_array_append_new(m->pairs,
                          json_pack("{s:s, s:s, s:s, s:s, s:o}", "pair", name,
                                    "start", start, "a", left, "b", right,
                                    "asked", asked_of(a->scene)));
    json_t *known = json_pack("{s:s, s:s, s:b}", "pair", name, "scene",
                              a->scene->name, "turned", (int)is_turned);
    json_object_set_new(known, "a", json_integer(a->system));
    if (b)
        json_object_set_new(known, "b", json_integer(b->system));
    json_object_set_new(known, "known", json_boolean(!b));
    return json_array_append_new(m->key, known)
               ? etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study")
               : ETNA_OK;
}

/* Two things to hold against each other; b is NULL in a pair with a known
 * answer. */
typedef struct study_choice {
    study_shown *a, *b;
} study_choice;

/* Fisher and Yates, by the study's own generator: the same seed makes the same
 * page on any machine. */
static void choices_shuffle(study_choice *list, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = stats_draw(state, i);
        study_choice kept = list[i - 1];
        list[i - 1] = list[k];
        list[k] = kept;
    }
}

/* Each two systems on each scene that both have; those where neither moved
 * anything at all are still a tie worth telling. */
static size_t choices_find(study_maker *m, study_choice *list, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < m->shown_count; i++) {
        for (size_t k = i + 1; k < m->shown_count && count < most; k++) {
            bool is_pair =
                m->shown[i].system != m->shown[k].system &&
                strcmp(m->shown[i].scene->name, m->shown[k].scene->name) == 0;
            if (is_pair)
                list[count++] = (study_choice){&m->shown[i], &m->shown[k]};
        }
    }
    return count;
}

/* Where all steps were done, the start beside it must lose; nothing else has an
 * answer that is known. */
static size_t study_known_find(study_maker *m, study_choice *list)
{
    size_t count = 0;
    for (size_t i = 0; i < m->shown_count; i++) {
        if (m->shown[i].is_all_done)
            list[count++] = (study_choice){&m->shown[i], NULL};
    }
    return count;
}

/* Chooses and shuffles before it cuts, so that a study with --pairs is a fair
 * sample of all. Three pictures a pair at most: start, left, right. */
static etna_code pairs_make(study_maker *m)
{
    study_choice *pairs = etna_arena_alloc(&m->arena, PAIRS_MAX, sizeof *pairs);
    study_choice *known =
        etna_arena_alloc(&m->arena, m->shown_count + 1, sizeof *known);
    if (!pairs || !known)
        return etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    size_t count = choices_find(m, pairs, PAIRS_MAX);
    size_t known_count = study_known_find(m, known);
    if (!count)
        return etna_fail(
            m->err, ETNA_E_USAGE,
            "bench study: no two variants have made the list of a scene in common; goals are not shown");
    choices_shuffle(pairs, count, &m->state);
    choices_shuffle(known, known_count, &m->state);
    if (count > m->pairs_max)
        count = m->pairs_max;
    size_t wanted = (count + CATCH_EVERY - 1) / CATCH_EVERY;
    if (known_count > wanted)
        known_count = wanted;
    m->children = calloc(3 * (count + known_count) + 1, sizeof *m->children);
    if (!m->children)
        return etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    etna_code code = ETNA_OK;
    for (size_t i = 0; !code && i < count; i++)
        code = study_pair_add(m, pairs[i].a, pairs[i].b);
    for (size_t i = 0; !code && i < known_count; i++)
        code = study_pair_add(m, known[i].a, NULL);
    if (!code && !known_count)
        fputs(
            "etna: no run has done all its steps, so there is no pair of which the answer is known\n",
            stderr);
    return code;
}

/* ---- files ---- */

/* One file of the page, whole or not at all. */
static etna_code study_write(study_maker *m, const char *name, const char *text)
{
    int fd = open(m->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_written =
        fd >= 0 && text && wholefile_write(fd, name, text, strlen(text));
    int why = errno;
    if (fd >= 0)
        close(fd);
    return is_written ? ETNA_OK
                      : etna_fail(m->err, ETNA_E_IO, "%.300s/%s: %s", m->output,
                                  name, strerror(why));
}

/* Takes `document`. `before` makes a script of it: a page opened from a disk
 * may load scripts, but no JSON. */
static etna_code study_write_json(study_maker *m,
                                  const char *name,
                                  const char *before,
                                  json_t *document)
{
    char *dump = document ? json_dumps(document, JSON_COMPACT) : NULL;
    char *whole = NULL;
    json_decref(document);
    bool good = dump && asprintf(&whole, "%s%s\n", before, dump) >= 0;
    free(dump);
    etna_code code =
        good ? study_write(m, name, whole)
             : etna_fail(m->err, ETNA_E_NOMEM, "out of memory for a study");
    free(whole);
    return code;
}

/* The page's id is the hash of its pairs' key, so that votes over another page,
 * or over this one made anew with another seed, are refused. */
static void study_id(const study_maker *m, char id[65])
{
    char *text = json_dumps(m->key, JSON_COMPACT);
    const char *hashed = text ? text : "";
    etna_hash hash = etna_hash_bytes(hashed, strlen(hashed));
    etna_hash_hex(&hash, id);
    free(text);
}

/* Without its key nobody can count the votes over a page any more. */
static etna_code study_check_old(const study_maker *m)
{
    char id[65], path[4096];
    snprintf(path, sizeof path, "%s/key.json", m->output);
    json_t *old = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    study_id(m, id);
    bool is_other = old && strcmp(field_string(old, "id"), id) != 0;
    json_decref(old);
    if (!is_other)
        return ETNA_OK;
    return etna_fail(
        m->err, ETNA_E_USAGE,
        "%.1000s: holds another study, whose votes are counted by its key.json; choose another folder with -o",
        m->output);
}

static etna_code study_write_all(study_maker *m)
{
    char id[65];
    study_id(m, id);
    json_t *systems = json_array();
    for (uint32_t i = 0; i < m->system_count; i++)
        json_array_append_new(systems, json_string(m->systems[i]));
    etna_code code = study_write_json(
        m, "key.json", "",
        json_pack("{s:s, s:s, s:o, s:O}", "schema", "etna.study/1", "id", id,
                  "systems", systems, "pairs", m->key));
    if (!code)
        code = study_write_json(
            m, "pairs.js", "const study = ",
            json_pack("{s:s, s:O}", "id", id, "pairs", m->pairs));
    for (const study_file *file = study_files; !code && file->name; file++)
        code = study_write(m, file->name, file->text);
    return code;
}

/* 2,000 bytes leave room for the names below it in the buffers of this file. */
static etna_code study_make_folders(study_maker *m)
{
    char path[3072];
    snprintf(path, sizeof path, "%s/pictures", m->output);
    if (strlen(m->output) > 2000)
        return etna_fail(m->err, ETNA_E_USAGE, "-o wants a shorter path");
    etna_code code = output_check(m->output, NULL, m->err);
    return code ? code : output_make_directories(path, m->err);
}

/* folder_count grows before the folder is taken, so that one that failed
 * half-way is closed, too. */
static etna_code study_open_folders(study_maker *m,
                                    char **folders,
                                    uint32_t count)
{
    etna_code code = ETNA_OK;
    for (uint32_t i = 0; !code && i < count; i++) {
        code = bench_folder_open(&m->folders[i], folders[i], m->err);
        m->folder_count++;
        if (!code)
            code = folder_take(m, &m->folders[i]);
    }
    return code;
}

/* Draws the pictures, as many at a time as there are CPUs. */
static etna_code study_draw(study_maker *m)
{
    etna_code code = bench_children_run(m->children, m->child_count,
                                        bench_cpus(), "drawn", m->err);
    for (uint32_t i = 0; !code && i < m->child_count; i++) {
        if (m->children[i].status != 0)
            code = etna_fail(m->err, ETNA_E_INPUT, "%.300s: cannot be drawn",
                             m->children[i].words[2]);
    }
    return code;
}

/* Folders are made only when it is known that there is something to show. */
static etna_code study_make(study_maker *m, char **folders, uint32_t count)
{
    m->state = m->seed;
    etna_code code = study_open_folders(m, folders, count);
    if (!code)
        code = pairs_make(m);
    if (!code)
        code = study_check_old(m);
    if (!code)
        code = study_make_folders(m);
    if (!code)
        code = study_draw(m);
    return code ? code : study_write_all(m);
}

/* Whatever happens, the children's log is removed and all is freed. Returns the
 * exit code. */
static int study_make_command(study_maker *m, char **folders, int count)
{
    etna_error err = {ETNA_OK, ""};
    m->err = &err;
    m->pairs = json_array();
    m->key = json_array();
    etna_code code = study_make(m, folders, (uint32_t)count);
    char said[3072];
    snprintf(said, sizeof said, "%s/.said", m->output);
    unlink(said);
    if (!code)
        printf("%s/index.html: %zu pairs; key.json stays with you\n", m->output,
               json_array_size(m->pairs));
    for (uint32_t i = 0; i < m->folder_count; i++)
        bench_folder_close(&m->folders[i]);
    json_decref(m->pairs);
    json_decref(m->key);
    free(m->children);
    etna_arena_free(&m->arena);
    return code ? cli_fail(&err) : 0;
}

/* ---- counting ---- */

/* Votes by question, in arrays of the same room; persons that were left out are
 * counted, but not their votes. */
typedef struct study_counter {
    json_t *key; /* with its pairs by name */
    json_t *by_name;
    uint32_t systems;
    study_vote *votes[STUDY_QUESTIONS];
    size_t counts[STUDY_QUESTIONS], room;
    uint32_t persons, left_out;
    etna_error *err;
} study_counter;

/* 1: the key's a was preferred; -1: no answer. */
static double vote_for_a(const json_t *known, const char *said)
{
    if (strcmp(said, "tie") == 0)
        return 0.5;
    bool is_first = strcmp(said, "a") == 0;
    if (!is_first && strcmp(said, "b") != 0)
        return -1;
    return is_first != json_is_true(json_object_get(known, "turned")) ? 1 : 0;
}

/* Of the pairs with a known answer: the one in which all was done is what was
 * asked for. More than a third of these wrong is taken for clicking; who was
 * shown none counts. */
static bool person_is_awake(const study_counter *c, const json_t *votes)
{
    size_t i;
    json_t *vote;
    double known = 0, wrong = 0;
    json_array_foreach(votes, i, vote)
    {
        const json_t *pair =
            json_object_get(c->by_name, field_string(vote, "pair"));
        if (!json_is_true(json_object_get(pair, "known")))
            continue;
        known++;
        wrong += vote_for_a(pair, field_string(vote, "consistent")) != 1;
    }
    return wrong * 3 <= known;
}

/* Adds an answer to each of VULCAN's questions. False: no such pair, or an
 * answer that is none of a, b and tie. Pairs with a known answer are passed
 * over: they weigh the person, not the systems. */
static bool vote_take(study_counter *c, const json_t *vote)
{
    const json_t *pair =
        json_object_get(c->by_name, field_string(vote, "pair"));
    if (!pair || json_is_true(json_object_get(pair, "known")))
        return pair != NULL;
    for (int q = 0; q < STUDY_QUESTIONS; q++) {
        double for_a = vote_for_a(pair, field_string(vote, study_questions[q]));
        if (for_a < 0)
            return false;
        c->votes[q][c->counts[q]++] =
            (study_vote){c->persons, (uint32_t)field_integer(pair, "a"),
                         (uint32_t)field_integer(pair, "b"), for_a};
    }
    return true;
}

/* False: out of memory; what was counted before is kept. */
static bool votes_make_room(study_counter *c, size_t more)
{
    c->room = c->counts[0] + more + 1;
    for (int q = 0; q < STUDY_QUESTIONS; q++) {
        study_vote *grown = realloc(c->votes[q], c->room * sizeof *grown);
        if (!grown)
            return false;
        c->votes[q] = grown;
    }
    return true;
}

/* A file's votes over this page, counted if whoever gave them looked at the
 * pictures. */
static etna_code votes_count(study_counter *c,
                             const char *path,
                             const json_t *document)
{
    size_t i;
    json_t *vote;
    const json_t *votes = json_object_get(document, "votes");
    if (strcmp(field_string(document, "schema"), "etna.votes/1") != 0)
        return etna_fail(c->err, ETNA_E_INPUT, "%.300s: is no file of votes",
                         path);
    if (strcmp(field_string(document, "study"), field_string(c->key, "id")) !=
        0)
        return etna_fail(c->err, ETNA_E_INPUT,
                         "%.300s: has votes over another page", path);
    if (!person_is_awake(c, votes)) {
        c->left_out++;
        return ETNA_OK;
    }
    c->persons++;
    if (!votes_make_room(c, json_array_size(votes)))
        return etna_fail(c->err, ETNA_E_NOMEM, "out of memory for votes");
    json_array_foreach(votes, i, vote)
    {
        if (!vote_take(c, vote))
            return etna_fail(c->err, ETNA_E_INPUT,
                             "%.300s: vote %zu cannot be read", path, i);
    }
    return ETNA_OK;
}

/* A file that cannot be parsed is refused by votes_count, as it has no
 * schema. */
static etna_code votes_take(study_counter *c, const char *path)
{
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    etna_code code = votes_count(c, path, document);
    json_decref(document);
    return code;
}

/* A key edited by hand must not index past the systems. */
static bool key_is_good(const study_counter *c)
{
    size_t i;
    json_t *pair;
    if (strcmp(field_string(c->key, "schema"), "etna.study/1") != 0)
        return false;
    if (c->systems < 2 || c->systems > STUDY_SYSTEMS_MAX)
        return false;
    json_array_foreach(json_object_get(c->key, "pairs"), i, pair)
    {
        long long a = field_integer(pair, "a");
        long long b = field_integer(pair, "b");
        bool is_known = json_is_true(json_object_get(pair, "known"));
        bool a_fits = a >= 0 && a < c->systems;
        bool b_fits = b >= 0 && b < c->systems;
        if (!a_fits || !b_fits)
            return false;
        if (!is_known && a == b)
            return false;
    }
    return true;
}

/* Refuses any file that is not a key of this command. What was read is the
 * caller's to release even then. */
static etna_code study_key_read(study_counter *c, const char *page_path)
{
    char path[4096];
    size_t i;
    json_t *pair;
    snprintf(path, sizeof path, "%s/key.json", page_path);
    c->key = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    c->by_name = json_object();
    c->systems = (uint32_t)json_array_size(json_object_get(c->key, "systems"));
    if (!key_is_good(c))
        return etna_fail(c->err, ETNA_E_INPUT,
                         "%.300s: is no key of `etna bench study`", path);
    json_array_foreach(json_object_get(c->key, "pairs"), i, pair)
        json_object_set(c->by_name, field_string(pair, "pair"), pair);
    return ETNA_OK;
}

/* "" for a number that the key does not have. */
static const char *system_name(const study_counter *c, uint32_t i)
{
    const char *name = json_string_value(
        json_array_get(json_object_get(c->key, "systems"), i));
    return name ? name : "";
}

/* Win rates of each two systems and their strengths, as JSON; NULL: out of
 * memory. Pairs of systems nobody was shown are left out. Elo has its usual
 * scale of 400 to a factor of ten. */
static json_t *question_count(const study_counter *c, int q)
{
    study_pair pairs[STUDY_SYSTEMS_MAX * STUDY_SYSTEMS_MAX];
    double ratings[STUDY_SYSTEMS_MAX];
    interval range[STUDY_SYSTEMS_MAX];
    json_t *met = json_array();
    json_t *rated = json_array();
    study_count(c->votes[q], c->counts[q], c->systems, pairs);
    if (!study_rate(c->votes[q], c->counts[q], c->systems, ratings, range))
        return NULL;
    for (uint32_t a = 0; a < c->systems; a++) {
        json_array_append_new(rated, json_pack("{s:s, s:f, s:f, s:f}", "system",
                                               system_name(c, a), "elo",
                                               ratings[a], "low", range[a].low,
                                               "high", range[a].high));
        for (uint32_t b = a + 1; b < c->systems; b++) {
            const study_pair *p = &pairs[a * c->systems + b];
            double all = p->wins_a + p->wins_b + p->ties;
            if (all == 0)
                continue;
            json_array_append_new(
                met, json_pack("{s:s, s:s, s:f, s:f, s:f, s:I}", "a",
                               system_name(c, a), "b", system_name(c, b), "win",
                               p->wins_a / all, "tie", p->ties / all, "loss",
                               p->wins_b / all, "votes", (json_int_t)all));
        }
    }
    return json_pack("{s:s, s:o, s:o}", "question", study_questions[q], "pairs",
                     met, "ratings", rated);
}

/* For people, from the same document that --json prints. Names come from a
 * file, so they are printed without control characters. */
static void question_print(const json_t *question)
{
    size_t i;
    json_t *one;
    terminal_printf(stdout, "%s", field_string(question, "question"));
    putc('\n', stdout);
    json_array_foreach(json_object_get(question, "pairs"), i, one)
    {
        terminal_printf(stdout,
                        "  %s against %s: win %.1f %%, tie %.1f %%, of %lld",
                        field_string(one, "a"), field_string(one, "b"),
                        100 * json_number_value(json_object_get(one, "win")),
                        100 * json_number_value(json_object_get(one, "tie")),
                        field_integer(one, "votes"));
        putc('\n', stdout);
    }
    json_array_foreach(json_object_get(question, "ratings"), i, one)
    {
        terminal_printf(stdout, "  %-24s %+.0f Elo [%+.0f, %+.0f]",
                        field_string(one, "system"),
                        json_number_value(json_object_get(one, "elo")),
                        json_number_value(json_object_get(one, "low")),
                        json_number_value(json_object_get(one, "high")));
        putc('\n', stdout);
    }
}

/* Counts all questions before a line is printed: output is whole or missing. */
static etna_code counter_tell(const study_counter *c, bool json)
{
    json_t *questions = json_array();
    size_t i;
    json_t *one;
    for (int q = 0; q < STUDY_QUESTIONS; q++) {
        if (!json_array_append_new(questions, question_count(c, q)))
            continue;
        json_decref(questions);
        return etna_fail(c->err, ETNA_E_NOMEM, "out of memory counting votes");
    }
    if (json) {
        cli_print("etna.votes-counted/1",
                  json_pack("{s:I, s:I, s:o}", "persons",
                            (json_int_t)c->persons, "left_out",
                            (json_int_t)c->left_out, "questions", questions));
        return ETNA_OK;
    }
    printf("%u persons; %u more were left out\n", (unsigned)c->persons,
           (unsigned)c->left_out);
    json_array_foreach(questions, i, one) question_print(one);
    json_decref(questions);
    return ETNA_OK;
}

/* Any file that cannot be counted ends it: a table of some of the votes would
 * be taken for all. */
static int study_count_command(const char *page_path,
                               char **files,
                               int count,
                               bool json)
{
    etna_error err = {ETNA_OK, ""};
    study_counter c = {.err = &err};
    etna_code code = study_key_read(&c, page_path);
    for (int i = 0; !code && i < count; i++)
        code = votes_take(&c, files[i]);
    if (!code)
        code = counter_tell(&c, json);
    if (!code && (fflush(stdout) || ferror(stdout)))
        code = etna_fail(&err, ETNA_E_IO, "standard output cannot be written");
    for (int q = 0; q < STUDY_QUESTIONS; q++)
        free(c.votes[q]);
    json_decref(c.by_name);
    json_decref(c.key);
    return code ? cli_fail(&err) : 0;
}

int cmd_bench_study(int argc, char **argv)
{
    study_maker m = {.pairs_max = 40, .arena = ETNA_ARENA_INIT};
    const char *counted = NULL, *rated = NULL, *base = NULL;
    bool json = false;
    const flags_row flags[] = {
        {"output", 'o', .text = &m.output},
        {"count", .text = &counted},
        {"rate", .text = &rated},
        {"base", .text = &base},
        {"pairs", .number = &m.pairs_max, .least = 1, .most = 10000},
        {"seed", .large = &m.seed, .most = INT32_MAX},
        {"json", .yes = &json},
        {0}};
    int exit_code = 0;
    int first =
        cli_flags("etna bench study", argc, argv, flags, help, &exit_code);
    if (!first)
        return exit_code;
    if (counted && first == argc)
        return cli_usage("bench study: --count wants files of votes");
    if (counted)
        return study_count_command(counted, argv + first, argc - first, json);
    if (rated && first < argc)
        return cli_usage("bench study: --rate takes one file");
    if (rated)
        return bench_rate_command(rated, base, json);
    if (!m.output)
        return cli_usage("bench study: where to? -o PAGE");
    if (first == argc || argc - first > FOLDERS_MAX)
        return cli_usage("bench study wants 1 to %d folders of `etna bench`",
                         FOLDERS_MAX);
    return study_make_command(&m, argv + first, argc - first);
}
