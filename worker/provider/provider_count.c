/* How many tokens a request has, where its server does not say so, or before it
 * does: as near as that is known without the model's own table. Vendors' tables
 * of today agree within a few in the hundred on English and on JSON: a token is
 * four bytes of these, three digits, or a sign. */
#include "worker/provider/provider_internal.h"

#include "proto/ascii.h"

#include <math.h>
#include <string.h>

enum {
    BYTES_A_TOKEN = 4,
    DIGITS_A_TOKEN = 3,
    /* of a word in a table, such as an object's name */
    LETTERS_A_TOKEN = 10,
    MESSAGE_TOKENS = 3,   /* around each message */
    OUTPUT_TOKENS = 8192, /* assumed where no limit is sent */
    /* a byte is a token at most, so four times the estimate would do for text;
     * a large image is up to three times more than the rules here say */
    IN_FACTOR = 16,
    IN_UNSEEN = 16384, /* a vendor's template and own instructions */
    /* thought in secret where no limit is sent; of a limit twice as much */
    OUT_UNSEEN = 262144,
    /* Anthropic's rule, and nearly that of models that see patches of 28
     * pixels */
    PIXELS_A_TOKEN = 750,
    /* OpenAI's: the shorter side at most 768, then tiles, and something for the
     * whole */
    TILE = 512,
    TILE_SHORTER = 768,
    TILE_TOKENS = 170,
    TILE_BASE = 85,
    GEMINI_SMALL = 384, /* Gemini's: one tile up to that, else tiles of 768 */
    GEMINI_TOKENS = 258,
    /* a text of which more than one byte in so many is a digit is a table of
     * numbers */
    NUMBERS_SHARE = 4
};

static size_t count_run(const char *text, bool (*is_in)(char c))
{
    size_t size = 0;
    while (is_in(text[size]))
        size++;
    return size;
}

/* Run by run: of a table of numbers each is a token, and its point one more. */
static uint64_t count_numbers(const char *text)
{
    uint64_t count = 0;
    while (*text) {
        size_t digits = count_run(text, ascii_is_digit);
        size_t letters =
            digits ? 0 : count_run(text, ascii_is_letter_or_beyond);
        count += (digits + DIGITS_A_TOKEN - 1) / DIGITS_A_TOKEN +
                 (letters + LETTERS_A_TOKEN - 1) / LETTERS_A_TOKEN;
        bool is_sign = !digits && !letters && *text != ' ';
        count += is_sign;
        text += digits + letters ? digits + letters : 1;
    }
    return count;
}

/* A table of numbers has two to three times as many tokens as English of that
 * length, so bytes alone would book too little. */
static uint64_t count_text(const char *text, bool may_be_table)
{
    size_t size = text ? strlen(text) : 0;
    size_t digits = 0;
    for (size_t i = 0; may_be_table && i < size; i++)
        digits += ascii_is_digit(text[i]);
    return NUMBERS_SHARE * digits > size
               ? count_numbers(text)
               : (size + BYTES_A_TOKEN - 1) / BYTES_A_TOKEN;
}

static uint64_t count_tiles(double width, double height, double side)
{
    return (uint64_t)(ceil(width / side) * ceil(height / side));
}

/* Each vendor's published rule. For the Responses wire the image is scaled to a
 * shorter side of TILE_SHORTER before the tiles are counted. What the vendor
 * scales down first because it is over its own limit is overestimated here. */
static uint64_t count_image(const models_endpoint *endpoint,
                            double width,
                            double height)
{
    double shorter = width < height ? width : height;
    if (endpoint->wire == MODELS_GEMINI) {
        bool is_small = width <= GEMINI_SMALL && height <= GEMINI_SMALL;
        return GEMINI_TOKENS *
               (is_small ? 1 : count_tiles(width, height, TILE_SHORTER));
    }
    if (endpoint->wire == MODELS_RESPONSES) {
        double scale = shorter > TILE_SHORTER ? TILE_SHORTER / shorter : 1;
        return TILE_BASE +
               TILE_TOKENS * count_tiles(width * scale, height * scale, TILE);
    }
    return (uint64_t)(width * height / PIXELS_A_TOKEN);
}

/* As it is sent: the model's entry may have it smaller than it is drawn. */
static uint64_t count_part(const models_endpoint *endpoint,
                           const models_model *model,
                           uint32_t role,
                           const model_part *p)
{
    uint32_t most = role < MODELS_ROLES ? model->image_side[role] : 0;
    uint32_t longer =
        p->image.width > p->image.height ? p->image.width : p->image.height;
    double scale = most && most < longer ? (double)most / longer : 1;
    if (p->kind == MODEL_IMAGE)
        return count_image(endpoint, scale * p->image.width,
                           scale * p->image.height);
    bool may_be_table = p->kind == MODEL_FACTS && p->text && p->text[0] != '{';
    return count_text(p->text, may_be_table);
}

message_usage provider_estimate(const models *m,
                                const models_model *model,
                                const model_request *request)
{
    message_usage usage = {.calls = 1,
                           .tokens_out = model->output_tokens
                                             ? model->output_tokens
                                             : OUTPUT_TOKENS};
    const models_endpoint *endpoint = &m->endpoints[model->endpoint];
    for (uint32_t i = 0; i < request->message_count; i++) {
        usage.tokens_in += MESSAGE_TOKENS;
        for (uint32_t k = 0; k < request->messages[i].part_count; k++)
            usage.tokens_in += count_part(endpoint, model, request->role,
                                          &request->messages[i].parts[k]);
    }
    for (uint32_t i = 0; i < request->tool_count; i++) {
        const model_tool *tool = &request->tools[i];
        usage.tokens_in += count_text(tool->name, false) +
                           count_text(tool->description, false) +
                           count_text(tool->schema, false);
    }
    usage.cost_micros = models_cost_micros(model, &usage);
    return usage;
}

uint64_t provider_most_in(uint64_t estimate, uint64_t more)
{
    return IN_FACTOR * estimate + more + IN_UNSEEN;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool provider_usage_can_be(const models *m,
                           const models_model *model,
                           const model_request *request,
                           size_t size,
                           message_usage *usage)
{
    const message_usage estimate = provider_estimate(m, model, request);
    uint64_t turns = 0;
    for (uint32_t i = 0; i < request->message_count; i++) {
        const char *turn = request->messages[i].turn.json;
        turns += turn ? strlen(turn) : 0;
    }
    uint64_t most_out =
        size + (model->output_tokens ? 2 * (uint64_t)model->output_tokens
                                     : OUT_UNSEEN);
    usage->tokens_cached = least_of(usage->tokens_cached, usage->tokens_in);
    usage->tokens_written = least_of(usage->tokens_written,
                                     usage->tokens_in - usage->tokens_cached);
    return usage->tokens_in <= provider_most_in(estimate.tokens_in, turns) &&
           usage->tokens_out <= most_out && usage->tokens_reasoning <= most_out;
}

/* For answers without usage: the visible part only. Reasoning that a server
 * hides is not counted, so the sum is a lower bound. */
uint64_t provider_answer_tokens(const model_reply *reply)
{
    uint64_t count = count_text(reply->text, false);
    for (uint32_t i = 0; i < reply->call_count; i++)
        count += count_text(reply->calls[i].tool_name, false) +
                 count_text(reply->calls[i].text, false);
    return count;
}
