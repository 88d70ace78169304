/* Habits of any role: what stands around the answer, how the marks of its parts
 * are written, and answers that say nothing any more. */
#include "tests/fault/sloppy_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- any role: around the answer ---- */

static char *preamble(const char *t)
{
    return sloppy_say("Certainly! Let me work through this step by step.\n\n%s",
                      t);
}
static char *afterword(const char *t)
{
    return sloppy_say(
        "%s\n\nLet me know if you would like me to adjust anything!", t);
}
static char *fenced(const char *t)
{
    return sloppy_say("```\n%s\n```", t);
}
static char *fenced_text(const char *t)
{
    return sloppy_say("Here is my answer:\n```text\n%s\n```\nDone.", t);
}
static char *quoted_lines(const char *t)
{
    char *inner = sloppy_replace(t, "\n", "\n> "),
         *made = sloppy_say("> %s", inner ? inner : t);
    free(inner);
    return made;
}
static char *think(const char *t)
{
    return sloppy_say(
        "<think>\nThe [constraints] come last, verdict: bad?\n</think>\n%s", t);
}
static char *think_draft(const char *t)
{
    return sloppy_say("<think>%s Wait, no.</think>%s", t, t);
}
static char *think_tail(const char *t)
{
    return sloppy_say("So I should look at the table first.\n</think>\n\n%s",
                      t);
}
static char *thinking(const char *t)
{
    return sloppy_say(
        "<Thinking>I compare <finished> and the rest.</Thinking>\n%s", t);
}
static char *harmony(const char *t)
{
    return sloppy_say(
        "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>final<|message|>%s<|return|>",
        t);
}
static char *end_token(const char *t)
{
    return sloppy_say("%s<|im_end|>", t);
}
static char *crlf(const char *t)
{
    return sloppy_replace(t, "\n", "\r\n");
}
static char *tabs(const char *t)
{
    return sloppy_replace(t, "\n", "\n\t");
}
static char *nbsp(const char *t)
{
    return sloppy_replace(t, " ", "\u00a0");
}
static char *byte_order(const char *t)
{
    return sloppy_say("\ufeff%s\u200b", t);
}
static char *entities(const char *t)
{
    char *made = sloppy_say("%s", t);
    made = sloppy_replace_in(made, "<", "&lt;");
    made = sloppy_replace_in(made, ">", "&gt;");
    return sloppy_replace_in(made, "\"", "&quot;");
}
static char *repeats(const char *t)
{
    return sloppy_say("%s\n\n%s\n\n%s", t, t, t);
}
static char *json_inner(const char *t)
{
    json_t *root = json_pack("{s:s}", "answer", t);
    char *text = root ? json_dumps(root, 0) : NULL,
         *made = text ? sloppy_say("```json\n%s\n```", text) : NULL;
    json_decref(root);
    free(text);
    return made;
}
static char *escaped_lines(const char *t)
{
    char *made = sloppy_replace(t, "\n", "\\n");
    return made ? sloppy_replace_in(made, "\"", "\\\"") : NULL;
}
static char *echo_prompt(const char *t)
{
    return sloppy_say(
        "As asked, \"the answer's end, and nothing after it\" follows.\n---\n%s\n---\n",
        t);
}

static char *apology(const char *t)
{
    return sloppy_say(
        "I apologize for the confusion. Here is the corrected answer:\n\n%s\n\nWait, let me check... Yes, this is right.",
        t);
}
static char *tildes(const char *t)
{
    return sloppy_say("~~~markdown\n%s\n~~~", t);
}
static char *carried(const char *t)
{
    json_t *root = json_pack("{s:s,s:s}", "thought",
                             "I compare.\nTwo things are bad.", "response", t);
    char *made = root ? json_dumps(root, 0) : NULL;
    json_decref(root);
    return made;
}

/* ---- marks ---- */

static char *attribute_marks(const char *t)
{
    return sloppy_remark(t, "<%s lang=\"en\">", "</%s>");
}
static char *begin_marks(const char *t)
{
    return sloppy_remark(t, "-----BEGIN %s-----", "-----END %s-----");
}
static char *german_marks(const char *t)
{
    return sloppy_remark(t, "[%s]", "[Ende von %s]");
}
static char *latex_marks(const char *t)
{
    return sloppy_remark(t, "\\begin{%s}", "\\end{%s}");
}

static char *bold_marks(const char *t)
{
    return sloppy_remark(t, "**[%s]**", "**[end of %s]**");
}
static char *tick_marks(const char *t)
{
    return sloppy_remark(t, "`[%s]`", "`[end of %s]`");
}
static char *slash_marks(const char *t)
{
    return sloppy_remark(t, "[%s]", "[/%s]");
}
static char *under_marks(const char *t)
{
    return sloppy_remark(t, "[%s]", "[end_of_%s]");
}
static char *end_marks(const char *t)
{
    return sloppy_remark(t, "[%s]", "[end %s]");
}
static char *space_marks(const char *t)
{
    return sloppy_remark(t, "[ %s ]", "[ end of %s ]");
}
static char *angle_marks(const char *t)
{
    return sloppy_remark(t, "<%s>", "</%s>");
}
static char *heading_marks(const char *t)
{
    return sloppy_remark(t, "### [%s]", "### [end of %s]");
}
static char *escaped_marks(const char *t)
{
    return sloppy_remark(t, "\\[%s\\]", "\\[end of %s\\]");
}
static char *block_marks(const char *t)
{
    return sloppy_remark(t, "[%s block]", "[end of %s block]");
}
static char *colon_marks(const char *t)
{
    return sloppy_remark(t, "[%s]:", "[end of %s].");
}
static char *start_marks(const char *t)
{
    return sloppy_remark(t, "[start of %s]", "[end of %s]");
}
static char *wide_marks(const char *t)
{
    return sloppy_remark(t, "\uff3b%s\uff3d", "\uff3bend of %s\uff3d");
}
static char *lens_marks(const char *t)
{
    return sloppy_remark(t, "\u3010%s\u3011", "\u3010end of %s\u3011");
}
static char *list_marks(const char *t)
{
    return sloppy_remark(t, "1. [%s]", "- [end of %s]");
}
static char *bare_end(const char *t)
{
    return sloppy_remark(t, "[%s]", "[end]");
}
static char *labels(const char *t)
{
    return sloppy_remark(t, "**%s:**", "");
}
static char *no_end(const char *t)
{
    return sloppy_remark(t, "[%s]", "");
}

static char *case_marks(const char *t, int (*to)(int))
{
    char *made = NULL;
    for (int i = 0; i < SLOPPY_PARTS; i++) {
        char open[64], close[64], other[64];
        if (!sloppy_marks_of(made ? made : t, sloppy_parts[i], open, close))
            continue;
        if (!made)
            made = sloppy_say("%s", t);
        for (int k = 0; k < 64; k++)
            other[k] = (char)to(open[k]);
        made = sloppy_replace_in(made, open, other);
        for (int k = 0; k < 64; k++)
            other[k] = (char)to(close[k]);
        made = sloppy_replace_in(made, close, other);
    }
    return made;
}
static char *upper_marks(const char *t)
{
    return case_marks(t, toupper);
}
static bool word_begins = true;
static int title_letter(int c)
{
    int made = word_begins ? toupper(c) : c;
    word_begins = !isalpha(c);
    return made;
}
static char *title_marks(const char *t)
{
    return case_marks(t, title_letter);
}

static const char *first_part(const char *t)
{
    char open[64], close[64];
    for (int i = 0; i < SLOPPY_PARTS; i++) {
        if (sloppy_marks_of(t, sloppy_parts[i], open, close))
            return sloppy_parts[i];
    }
    return NULL;
}
static char *mention(const char *t)
{
    const char *part = first_part(t);
    return part ? sloppy_say("I will now write the [%s] block.\n%s", part, t)
                : NULL;
}
static char *mention_after(const char *t)
{
    const char *part = first_part(t);
    return part ? sloppy_say(
                      "%s\nThe [%s] block above is complete ([end of %s]).", t,
                      part, part)
                : NULL;
}
static char *draft_word(const char *inner)
{
    return sloppy_say("\nThis was a first idea%s",
                      strlen(inner) > 9000 ? "." : "");
}
static char *drafts(const char *t)
{
    const char *part = first_part(t);
    char *draft = part ? sloppy_within(t, part, draft_word) : NULL;
    char *cut = draft ? sloppy_replace(draft, "<completion>", "") : NULL;
    char *made =
        draft ? sloppy_say("%s\nNo, better:\n%s", cut ? cut : draft, t) : NULL;
    free(draft);
    free(cut);
    return made;
}
static char *fence_it(const char *inner)
{
    return sloppy_say("\n```json\n%s\n```\n", inner + (*inner == '\n'));
}
static char *fence_within(const char *t)
{
    const char *part = first_part(t);
    return part ? sloppy_within(t, part, fence_it) : NULL;
}
static char *curly_double(const char *t)
{
    return sloppy_replace(t, "\"", "\u201d");
}
static char *hyphens(const char *t)
{
    return sloppy_replace(t, "-", "\u2011");
}

/* ---- what says nothing any more ---- */

static char *empty(const char *t)
{
    (void)t;
    return sloppy_say("%s", "");
}
static char *refusal(const char *t)
{
    (void)t;
    return sloppy_say("I'm sorry, but I can't help with that.");
}
static char *prose(const char *t)
{
    (void)t;
    return sloppy_say(
        "The scene shows a room. I would move things until it looks right.");
}
static char *cut(const char *t)
{
    return sloppy_say("%.*s", (int)(strlen(t) / 2), t);
}
static char *ellipsis(const char *t)
{
    return sloppy_within(t, "constraints", draft_word);
}

/* ---- whole answers, and what runs on behind them ---- */

static char *next_turn(const char *t)
{
    return sloppy_say(
        "%s\n\nUser: Thank you! Is it <impossible>?\n\nAssistant: verdict: terrible, <impossible>",
        t);
}
static char *next_template(const char *t)
{
    return sloppy_say(
        "%s<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\n<impossible> verdict: bad",
        t);
}
static char *box_tokens(const char *t)
{
    return sloppy_say(
        "<think>Let me see: <impossible>?</think><|begin_of_box|>%s<|end_of_box|>",
        t);
}

/* ---- the table ---- */

static const sloppy_habit rows[] = {
    {"preamble", ALL, true, .text = preamble},
    {"afterword", ALL, true, .text = afterword},
    {"fenced", ALL, true, .text = fenced},
    {"fenced_text", ALL, true, .text = fenced_text},
    {"fence_within", ALL, true, .text = fence_within},
    {"quoted_lines", ALL, true, .text = quoted_lines},
    {"think", ALL, true, .text = think},
    {"think_draft", ALL, true, .text = think_draft},
    {"think_tail", ALL, true, .text = think_tail},
    {"thinking", ALL, true, .text = thinking},
    {"harmony", ALL, true, .text = harmony},
    {"end_token", ALL, true, .text = end_token},
    {"crlf", ALL, true, .text = crlf},
    {"tabs", ALL, true, .text = tabs},
    {"nbsp", ALL, true, .text = nbsp},
    {"byte_order", ALL, true, .text = byte_order},
    {"entities", ALL, true, .text = entities},
    {"repeats", ALL, true, .text = repeats},
    {"echo_prompt", ALL, true, .text = echo_prompt},
    {"json_inner", ALL, true, .text = json_inner},
    {"escaped_lines", ALL, true, .text = escaped_lines},
    {"bold_marks", ALL, true, .text = bold_marks},
    {"tick_marks", ALL, true, .text = tick_marks},
    {"slash_marks", ALL, true, .text = slash_marks},
    {"under_marks", ALL, true, .text = under_marks},
    {"end_marks", ALL, true, .text = end_marks},
    {"space_marks", ALL, true, .text = space_marks},
    {"angle_marks", ALL, true, .text = angle_marks},
    {"heading_marks", ALL, true, .text = heading_marks},
    {"escaped_marks", ALL, true, .text = escaped_marks},
    {"block_marks", ALL, true, .text = block_marks},
    {"colon_marks", ALL, true, .text = colon_marks},
    {"start_marks", ALL, true, .text = start_marks},
    {"wide_marks", ALL, true, .text = wide_marks},
    {"lens_marks", ALL, true, .text = lens_marks},
    {"list_marks", ALL, true, .text = list_marks},
    {"bare_end", ALL, true, .text = bare_end},
    {"labels", ALL, true, .text = labels},
    {"no_end", ALL, true, .text = no_end},
    {"upper_marks", ALL, true, .text = upper_marks},
    {"title_marks", ALL, true, .text = title_marks},
    {"mention", ALL, true, .text = mention},
    {"mention_after", ALL, true, .text = mention_after},
    {"drafts", ALL, true, .text = drafts},
    {"curly_quotes", ALL, true, .text = curly_double},
    {"hyphens", ALL, true, .text = hyphens},
    {"apology", ALL, true, .text = apology},
    {"tildes", ALL, true, .text = tildes},
    {"carried", ALL, true, .text = carried},
    {"attribute_marks", ALL, true, .text = attribute_marks},
    {"begin_marks", ALL, true, .text = begin_marks},
    {"german_marks", ALL, true, .text = german_marks},
    {"latex_marks", ALL, true, .text = latex_marks},
    {"next_turn", ALL, true, .text = next_turn},
    {"next_template", ALL, true, .text = next_template},
    {"box_tokens", ALL, true, .text = box_tokens},
    {"empty", ALL, false, .text = empty},
    {"refusal", ALL, false, .text = refusal},
    {"prose", ALL, false, .text = prose},
    {"cut", ALL, false, .text = cut},
    {"ellipsis", EXECUTOR, false, .text = ellipsis},
};

const sloppy_group sloppy_any = {rows, sizeof rows / sizeof *rows};
