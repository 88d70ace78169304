/* See evaluator.h. */
#include "worker/agents/evaluator.h"

#include "proto/array.h"
#include "proto/ascii.h"
#include "worker/agents/agents_internal.h"
#include "worker/agents/block.h"
#include "worker/agents/inner.h"
#include "worker/agents/loose.h"
#include "worker/agents/tools.h"
#include "worker/agents/verdict.h"
#include "worker/provider/text.h"

#include <string.h>
#include <strings.h>

typedef struct label { /* "verdict:", with what is before it on its line */
    size_t begin, behind;
    bool first; /* nothing but signs stands before it */
} label;

/* Is there nothing but signs of lists and emphasis from the line's start to
 * `at`? */
static bool evaluator_is_first(const char *text, size_t at)
{
    while (at > 0 && text[at - 1] != '\n') {
        if (!text_is_in(text[at - 1], " \t*_`#>-+.|[<\"'0123456789)"))
            return false;
        at--;
    }
    return true;
}

/* Behind "(final)" at `at` where a label's sign follows it; else `at`. */
static size_t behind_aside(const char *text, size_t size, size_t at)
{
    const char *shut =
        at < size && text[at] == '(' ? memchr(text + at, ')', size - at) : NULL;
    bool is_aside = shut && shut + 1 < text + size && text_is_in(shut[1], ":*");
    return is_aside ? (size_t)(shut + 1 - text) : at;
}

/* Where the value begins of a label without a sign that begins its line: in an
 * attribute (<verdict value="excellent"/>), on the next line, or all of the
 * rest ("verdict excellent"). 0: it is no label. */
static size_t behind_bare_label(const char *text, size_t size, size_t at)
{
    static const char value[] = "value=";
    if (at == size || text_is_in(text[at], "\n|-"))
        return at + (at < size);
    bool is_attribute = size - at > sizeof value &&
                        strncasecmp(text + at, value, sizeof value - 1) == 0;
    if (is_attribute)
        return at + sizeof value - 1;
    arrange_verdict verdict;
    const char *end = memchr(text + at, '\n', size - at);
    return verdict_alone(text + at, end ? (size_t)(end - text) - at : size - at,
                         &verdict)
               ? at
               : 0;
}

/* Behind the label's word: signs, and ':', '=', "is", or what a label of its
 * own line has. 0: the word is no label. */
static size_t behind_label(const char *text, size_t size, size_t at, bool first)
{
    at = text_skip(text, at, size, " \t*_`\"'");
    at = behind_aside(text, size, at);
    bool is_bracket = first && at < size && text[at] == ']';
    if (is_bracket || (at < size && text_is_in(text[at], ":=>")))
        return at + 1;
    static const char *const says[] = {"is", "would be", "will be"};
    for (size_t i = 0; i < COUNT_OF(says); i++) {
        size_t length = strlen(says[i]);
        bool is_said = size - at > length + 1 &&
                       strncasecmp(text + at, says[i], length) == 0 &&
                       text_is_in(text[at + length], " :");
        if (is_said)
            return at + length + 1;
    }
    return first ? behind_bare_label(text, size, at) : 0;
}

/* The next label of one of `words` from `from` on. */
static bool find_label(const block *b,
                       const char *const *words,
                       size_t from,
                       label *ret)
{
    for (size_t at = from; at < b->size; at++) {
        if (at > 0 && ascii_is_letter(b->text[at - 1]))
            continue;
        for (const char *const *word = words; *word; word++) {
            size_t length = strlen(*word);
            if (at + length > b->size ||
                strncasecmp(b->text + at, *word, length) != 0)
                continue;
            bool first = evaluator_is_first(b->text, at);
            size_t behind = behind_label(b->text, b->size, at + length, first);
            if (!behind)
                continue;
            *ret = (label){.begin = at, .behind = behind, .first = first};
            return true;
        }
    }
    return false;
}

static const char
    *const verdict_words[] = {"verdict",
                              "final verdict",
                              "rating",
                              "judgement",
                              "judgment",
                              "assessment",
                              "answer",
                              "conclusion",
                              "overall",
                              "veredicto",
                              "urteil",
                              "bewertung",
                              "\u7ed3\u8bba",
                              "\u8bc4\u4ef7",
                              "\u5224\u5b9a",
                              "\u8bc4\u7ea7",
                              "veredito",
                              "verdetto",
                              "quality",
                              "result",
                              "\u8a55\u4fa1",
                              "\u7d50\u8ad6",
                              "\u0412\u0435\u0440\u0434\u0438\u043a\u0442",
                              "\u0432\u0435\u0440\u0434\u0438\u043a\u0442",
                              "\u8a55\u50f9",
                              "\ud310\uc815",
                              "\ud3c9\uac00",
                              "karar",
                              "werdykt",
                              "\u0627\u0644\u062d\u0643\u0645",
                              "\u0111\u00e1nh gi\u00e1",
                              "selected",
                              NULL},
           *const exam_words[] = {
               "visual_exam",        "visual exam",        "visual-exam",
               "visual_examination", "visual examination", "examination",
               "observation",        "analysis",           NULL};

/* "- [x] good" begins at `at`. */
static bool is_box_line(const block *b, size_t at)
{
    at = text_skip(b->text, at, b->size, " \t-*");
    if (b->size - at <= 3 || b->text[at] != '[' || b->text[at + 2] != ']')
        return false;
    return text_is_in(b->text[at + 1], " xXvV");
}

/* What stands behind the label on its line; behind a heading, the next line
 * that says something, or all lines with boxes to check. */
static block value_of(const block *b, const label *at)
{
    size_t from = at->behind;
    size_t to = from;
    /* over a heading's underline */
    from = text_skip(b->text, from, b->size, " \t\n*_`\"'=-");
    for (to = from; to < b->size; to++) {
        if (b->text[to] != '\n')
            continue;
        if (!is_box_line(b, from) || !is_box_line(b, to + 1))
            break;
    }
    return (block){.text = b->text + from, .size = to - from};
}

typedef struct found_verdict {
    /* different ones; 0: none, or one that cannot be read, then `said` */
    unsigned count;
    arrange_verdict verdict;
    size_t begin; /* of its label, or its line */
    block said;
    bool labelled;
} found_verdict;

/* The same verdict twice is one. `said` is kept for the complaint. */
static void add_verdict(found_verdict *f, const block *value, size_t begin)
{
    arrange_verdict verdict;
    f->said = *value;
    f->labelled = true;
    if (!verdict_find(value->text, value->size, &verdict))
        return;
    if (f->count == 0 || f->verdict != verdict)
        f->count++;
    f->verdict = verdict;
    f->begin = begin;
}

/* Labels that begin a line, else those within one. */
static found_verdict find_labelled(const block *b)
{
    found_verdict f = {.count = 0};
    for (int within = 0; within < 2 && !f.labelled; within++) {
        label at;
        for (size_t from = 0; find_label(b, verdict_words, from, &at);
             from = at.behind) {
            block value = value_of(b, &at);
            label next; /* "## Answer", and then the labels of its parts */
            bool is_heading =
                find_label(&value, exam_words, 0, &next) && next.begin < 2;
            if (!is_heading && (at.first || within))
                add_verdict(&f, &value, at.begin);
        }
    }
    return f;
}

/* Without a label only an exact word counts. */
static void add_alone(found_verdict *f, const block *b, size_t from, size_t to)
{
    arrange_verdict verdict;
    if (!verdict_alone(b->text + from, to - from, &verdict))
        return;
    if (f->count == 0 || f->verdict != verdict)
        f->count++;
    f->verdict = verdict;
    f->begin = from;
}

/* No label: a line or a table's cell that is one of the words and nothing
 * else. */
static found_verdict find_alone(const block *b)
{
    found_verdict f = {.count = 0};
    for (size_t at = 0; at < b->size;) {
        size_t end = at;
        while (end < b->size && !text_is_in(b->text[end], "\n|"))
            end++;
        add_alone(&f, b, at, end);
        at = end + 1;
    }
    return f;
}

/* Else one of the words that is set in bold within a sentence. */
static found_verdict find_bold(const block *b)
{
    found_verdict f = {.count = 0};
    const char *end = b->text + b->size;
    for (const char *at = b->text; at < end;) {
        const char *open = memmem(at, (size_t)(end - at), "**", 2);
        const char *shut =
            open ? memmem(open + 2, (size_t)(end - open) - 2, "**", 2) : NULL;
        if (!shut)
            break;
        add_alone(&f, b, (size_t)(open + 2 - b->text),
                  (size_t)(shut - b->text));
        at = shut + 2;
    }
    return f;
}

/* Else what is boxed as a final answer: "$\\boxed{\\text{good}}$". */
static found_verdict find_boxed(const block *b)
{
    static const char box[] = "\\boxed{", inner[] = "\\text{";
    found_verdict f = {.count = 0};
    const char *end = b->text + b->size;
    for (const char *at = b->text; at < end;) {
        const char *open = memmem(at, (size_t)(end - at), box, sizeof box - 1);
        const char *shut =
            open ? memchr(open, '}', (size_t)(end - open)) : NULL;
        if (!shut)
            break;
        open += sizeof box - 1;
        bool is_text = (size_t)(shut - open) > sizeof inner - 1 &&
                       memcmp(open, inner, sizeof inner - 1) == 0;
        if (is_text)
            open += sizeof inner - 1;
        add_alone(&f, b, (size_t)(open - b->text), (size_t)(shut - b->text));
        at = shut + 1;
    }
    return f;
}

/* "I would rate this placement as ...", and not "if" or "not". */
static bool sentence_rates(const block *sentence)
{
    static const char *const words[] = {"rate",   "rated", "judge", "grade",
                                        "rating", "deem",  "call"};
    if (block_has_word(sentence, "not") || block_has_word(sentence, "if"))
        return false;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (block_has_word(sentence, words[i]))
            return true;
    }
    return false;
}

/* Else "I would rate this placement as excellent.": one of the words that ends
 * a sentence which rates. */
static found_verdict find_rated(const block *b)
{
    found_verdict f = {.count = 0};
    for (size_t at = 0; at < b->size;) {
        size_t end = at;
        while (end < b->size && !text_is_in(b->text[end], ".!?\n"))
            end++;
        const block sentence = {.text = b->text + at, .size = end - at};
        size_t last = end;
        while (last > at && (ascii_is_letter(b->text[last - 1]) ||
                             text_is_in(b->text[last - 1], "*_`\"'")))
            last--;
        bool asks = end < b->size && b->text[end] == '?';
        if (!asks && sentence_rates(&sentence))
            add_alone(&f, b, last, end);
        at = end + 1;
    }
    return f;
}

/* The words of the examination, as they were written: behind its label, else
 * what stands before the verdict. */
static char *exam_of(const plain *p,
                     const block *b,
                     size_t offset,
                     size_t verdict,
                     etna_arena *arena)
{
    label at;
    size_t from = 0, to = verdict;
    if (find_label(b, exam_words, 0, &at)) {
        from = at.behind;
        if (from > verdict)
            to = b->size;
    }
    to = text_skip_back(b->text, from, to, " \t\n*_`#>-\"'{,");
    char *said = plain_written(p, offset + from, offset + to, arena);
    return said ? text_clean(arena, said, strlen(said), ARRANGE_REASON_MAX)
                : NULL;
}

/* Why the answer is none, in the words of the prompt. */
static etna_code no_verdict(const found_verdict *f,
                            etna_arena *arena,
                            etna_error *err)
{
    if (f->count > 1) {
        return etna_fail(
            err, ETNA_E_INPUT,
            "it gives several verdicts; the [evaluation] block needs exactly one line 'verdict: ...'");
    }
    if (!f->labelled)
        return etna_fail(
            err, ETNA_E_INPUT,
            "there is no [evaluation] block with a line 'verdict: ...'");
    const char *said = text_clean(arena, f->said.text, f->said.size, 64);
    return etna_fail(
        err, ETNA_E_INPUT,
        "the verdict is '%s'; it must be exactly one of excellent, good, fair, bad, terrible",
        said ? said : "");
}

/* {"visual_exam": .., "verdict": ..}. False: there is none. */
static bool evaluator_read_object(const block *b,
                                  etna_arena *arena,
                                  found_verdict *f,
                                  char **ret_exam)
{
    static const char *const keys[] = {"verdict", "final_verdict", "rating",
                                       "evaluation", "assessment"};
    json_t *object = NULL;
    const char *word = NULL;
    for (size_t i = 0; i < COUNT_OF(keys) && !word; i++) {
        json_decref(object);
        object = loose_find(b->text, b->size, keys[i]);
        word = json_string_value(loose_member(object, keys[i]));
    }
    const char *exam = json_string_value(loose_member(object, "visual_exam"));
    char *copy = word ? etna_arena_strdup(arena, word) : NULL;
    if (copy) {
        block said = {.text = copy, .size = strlen(copy)};
        *f = (found_verdict){.count = 0};
        add_verdict(f, &said, 0);
        *ret_exam = text_clean(arena, exam ? exam : "", exam ? strlen(exam) : 0,
                               ARRANGE_REASON_MAX);
    }
    json_decref(object);
    return copy != NULL;
}

/* From the surest form to the loosest; each only where the former ones found
 * nothing. "good" somewhere in prose is no verdict. */
static found_verdict find_in(const block *b)
{
    found_verdict found = find_labelled(b);
    if (!found.labelled)
        found = find_alone(b);
    if (!found.labelled && found.count == 0)
        found = find_bold(b);
    if (!found.labelled && found.count == 0)
        found = find_boxed(b);
    if (!found.labelled && found.count == 0)
        found = find_rated(b);
    return found;
}

/* The verdict of a block of words; where it says none, that of all of the text,
 * perhaps behind its block. */
static found_verdict find_verdict_of(const plain *p, block *b)
{
    found_verdict found = find_in(b);
    const bool says_none = !found.labelled && found.count == 0;
    if (!says_none || b->size >= p->size)
        return found;
    *b = (block){.text = p->text, .size = p->size, .to = p->size};
    return find_in(b);
}

/* Without the part's marks the whole text is read. */
static etna_code read_evaluation(const char *text,
                                 etna_arena *arena,
                                 evaluator_result *ret,
                                 etna_error *err)
{
    plain p;
    block b;
    char *exam = NULL;
    etna_code code = plain_make(text, arena, &p, err);
    if (code != ETNA_OK)
        return code;
    if (block_find(&p, BLOCK_EVALUATION, &b, NULL) != ETNA_OK)
        b = (block){.text = p.text, .size = p.size, .to = p.size};
    found_verdict found;
    bool is_object = evaluator_read_object(&b, arena, &found, &exam);
    if (!is_object)
        found = find_verdict_of(&p, &b);
    if (found.count != 1)
        return no_verdict(&found, arena, err);
    if (!is_object)
        exam = exam_of(&p, &b, b.from, found.begin, arena);
    if (!exam)
        return etna_fail(err, ETNA_E_NOMEM,
                         "out of memory while reading an evaluation");
    *ret = (evaluator_result){.verdict = found.verdict, .text = exam};
    return ETNA_OK;
}

/* Of an answer that goes on with somebody else's turn only its own part; of one
 * that is wrapped in JSON what is within. */
etna_code evaluator_read(const char *text,
                         etna_arena *arena,
                         evaluator_result *ret,
                         etna_error *err)
{
    const char *own = inner_own_turn(text, arena);
    const char *carried = inner_carried(text, arena);
    if (own && read_evaluation(own, arena, ret, NULL) == ETNA_OK)
        return ETNA_OK;
    if (carried && read_evaluation(carried, arena, ret, NULL) == ETNA_OK)
        return ETNA_OK;
    etna_code code = read_evaluation(text, arena, ret, err);
    const char *inner = code == ETNA_E_INPUT ? inner_text(text, arena) : NULL;
    bool is_read = inner && read_evaluation(inner, arena, ret, NULL) == ETNA_OK;
    return is_read ? ETNA_OK : code;
}

static etna_code evaluator_read_reply(agent *a,
                                      const char *text,
                                      etna_error *err)
{
    return evaluator_read(text, &a->arena, &a->result.evaluator, err);
}

/* Abstains: no verdict is better than an invented one, and the voting counts
 * only those that came. */
static void evaluator_give_up(agent *a, const char *reason)
{
    a->result.evaluator =
        (evaluator_result){.verdict = VERDICT_ABSTAIN, .text = reason};
}

/* What was found of the edit by geometry, which a picture shows less well.
 * Where that is nothing the prompt says so. */
static bool put_checks(const agent_view *view, json_t *task_json)
{
    bool is_clean = view->collisions == 0 && view->floating == 0;
    if (!view->is_checked || is_clean)
        return true;
    json_t *checked =
        json_pack("{s:I,s:I}", "collisions", (json_int_t)view->collisions,
                  "unsupported", (json_int_t)view->floating);
    return agent_json_set(task_json, "checked", checked);
}

/* At least one: it did come elsewhere. Bounded, as a task may say anything. */
static json_int_t evaluator_percent(double share)
{
    double percent = share < 10 ? 100 * share + 0.5 : 1000;
    return percent < 1 ? 1 : (json_int_t)percent;
}

/* What was asked, and what geometry found. elsewhere_percent: the solver put it
 * so far from the coordinate that was asked for. */
static json_t *evaluator_task(agent *a,
                              const arrange_task *task,
                              const agent_view *view,
                              bool cameras)
{
    json_t *task_json = json_object();
    bool ok = agent_json_set(
        task_json, "instruction",
        agent_json_text(a, task->instruction, ARRANGE_INSTRUCTION_MAX));
    ok = ok && put_checks(view, task_json);
    if (task->elsewhere > 0)
        ok = ok &&
             agent_json_set(task_json, "elsewhere_percent",
                            json_integer(evaluator_percent(task->elsewhere)));
    ok = ok && (!cameras || executor_put_cameras(a, view, task_json));
    if (ok)
        return task_json;
    json_decref(task_json);
    return NULL;
}

/* One picture: the edit with its ghost and arrow. The prompt says less of
 * collisions where geometry has already ruled them out. */
etna_code evaluator_begin(const arrange_task *task,
                          const agent_view *view,
                          agent **ret_agent,
                          agent_step *ret_step,
                          etna_error *err)
{
    static const agent_role role = {ROLE_EVALUATOR, 1, evaluator_read_reply,
                                    evaluator_give_up};
    agent *a = NULL;
    etna_code code = agent_new(&role, task, view, &a, err);
    if (code != ETNA_OK)
        return code;
    bool cameras = task->cameras && view->camera_count > 1;
    json_t *task_json = evaluator_task(a, task, view, cameras);
    const char *object =
        etna_arena_strdup(&a->arena, task->object ? task->object : "");
    agent_picture edit = {
        .label = "Image: the edit.",
        .image = {.camera = a->camera,
                  .width =
                      a->width * 3 /
                      /* no place is read from it, and what shows small comes as
                       * a close-up */
                      4,
                  .height = a->height * 3 / 4,
                  .object = object,
                  .before = task->snapshot,
                  .snapshot = task->after}};
    bool is_proven =
        view->is_checked && view->collisions == 0 && view->floating == 0;
    const char *prompt = is_proven ? "evaluator-unproven" : "evaluator";
    if (cameras)
        prompt =
            is_proven ? "evaluator-onecamera-unproven" : "evaluator-onecamera";
    if (cameras)
        a->request.tools = tools_list(TOOLS_EDIT, &a->request.tool_count);
    code = object ? agent_open(a, prompt, task_json, 1, &edit, view->facts, err)
                  : etna_fail(err, ETNA_E_NOMEM,
                              "out of memory while beginning an evaluation");
    if (code != ETNA_OK) {
        agent_free(a);
        return code;
    }
    agent_ask(a, ret_step);
    *ret_agent = a;
    return ETNA_OK;
}

const evaluator_result *evaluator_done(const agent *a)
{
    return &a->result.evaluator;
}
