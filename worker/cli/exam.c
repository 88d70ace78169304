/* See exam.h: the questions. */
#include "worker/cli/exam.h"

#include "worker/agents/evaluator.h"
#include "worker/cli/exam_internal.h"
#include "worker/view/view.h"

#include <stdlib.h>
#include <string.h>

static const char system_text[] =
    "You take part in a short test before you help to arrange objects in 3D scenes. Answer each question exactly in the form "
    "that it asks for, and nothing after it. Coordinates in an image are (x, y) between 0 and 1: (0, 0) is the top left corner, "
    "(1, 1) the bottom right.";

static const char constraints_form[] =
    "Answer with this block, the coordinates of the middle of the disc in it, and then <completion>:\n"
    "[constraints]\n[\"ObjectName\", \"Disc\"],\n[\"CloseToPix\", \"center\", [x, y]]\n[end of constraints]\n<completion>";

static const struct {
    const char *text, *after; /* after the pictures */
    uint32_t role;
} questions[EXAM_QUESTIONS] = {
    [EXAM_MARKS] =
        {"Write this instruction between its marks and nothing else:\n[updated_instruction]\nPut the cup on the "
         "tray.\n[end of updated_instruction]",
         NULL, ROLE_PLANNER},
    [EXAM_SIGHT] = {"Where in the image is the middle of the red disc?",
                    constraints_form, ROLE_EXECUTOR},
    [EXAM_PLACE] = {"Where in the image is the middle of the blue disc?",
                    constraints_form, ROLE_EXECUTOR},
    [EXAM_TOOL] =
        {"Call the tool ray_probe_for_plane at the middle of the green disc of the image.",
         NULL, ROLE_EXECUTOR},
    [EXAM_RESULT] =
        {"Now answer with this block, the plane's name that the tool gave in place of PLANE, and then "
         "<completion>:\n[constraints]\n[\"ObjectName\", \"Disc\"],\n[\"CloseToPix\", \"down\", [0.5, 0.5]],\n"
         "[\"Contact\", \"down\", \"PLANE\"]\n[end of constraints]\n<completion>",
         NULL, ROLE_EXECUTOR},
    [EXAM_MANY] = {
        "Each of these images shows one disc.",
        "Answer with this block: what colour the disc of the last image has, and the verdict good.\n"
        "[evaluation]\nvisual_exam: the colour of the last disc\nverdict: good\n[end of evaluation]",
        ROLE_EVALUATOR}};

const exam_truth exam_truths[EXAM_QUESTIONS] = {
    [EXAM_SIGHT] = {800, 600, 0.72, 0.31, EXAM_RED},
    [EXAM_PLACE] = {600, 800, 0.23, 0.81, EXAM_BLUE},
    [EXAM_TOOL] = {800, 600, 0.61, 0.78, EXAM_GREEN},
    [EXAM_MANY] = {160, 120, 0.5, 0.5, EXAM_YELLOW}};

const model_tool exam_tool = {
    "ray_probe_for_plane",
    "What a ray through each point of the image meets: the object and the plane there.",
    "{\"type\":\"object\",\"properties\":{\"coord_list\":{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"number\"}},\"description\":\"[x, y] pairs between 0 and 1\"}},\"required\":[\"coord_list\"]}"};

void exam_begin(exam *x, const models *list, const models_model *model)
{
    *x = (exam){.list = *list,
                .model = model,
                .away = {-1, -1},
                .kept = ETNA_ARENA_INIT};
}

void exam_free(exam *x)
{
    etna_arena_free(&x->kept);
}

bool exam_wants(const exam *x, exam_question q)
{
    if (x->reach.mark == EXAM_BAD)
        return false;
    bool is_blind = x->vision.mark == EXAM_BAD;
    if (q == EXAM_RESULT)
        return x->has_call;
    return !(is_blind && (q == EXAM_PLACE || q == EXAM_MANY));
}

/* ---- pictures ---- */

/* Far apart in hue, so that a poor picture encoder does not matter. */
static const uint8_t colours[EXAM_COLOURS][3] = {
    {208, 32, 32}, {40, 72, 208}, {32, 152, 56}, {232, 200, 32}};

/* A disc of one colour; small pictures get a larger one. */
static void disc_draw(view_image *image, double x, double y, exam_colour colour)
{
    double radius = 0.08 * math_min(image->width, image->height);
    if (image->width < 400)
        radius *= 3;
    for (uint32_t row = 0; row < image->height; row++) {
        for (uint32_t column = 0; column < image->width; column++) {
            double dx = column + 0.5 - x * image->width;
            double dy = row + 0.5 - y * image->height;
            uint8_t *at =
                image->rgb + 3 * ((size_t)row * image->width + column);
            if (dx * dx + dy * dy <= radius * radius)
                memcpy(at, colours[colour], 3);
        }
    }
}

/* The disc that is asked for, and two others elsewhere: who guesses does not
 * find it. */
static void picture_draw(view_image *image,
                         const exam_truth *truth,
                         exam_question q,
                         uint32_t index)
{
    memset(image->rgb, 224, 3 * (size_t)image->width * image->height);
    /* the last one is asked for, none before it has its colour */
    if (q == EXAM_MANY) {
        exam_colour colour = index + 1 == EXAM_PICTURES
                                 ? truth->colour
                                 : (exam_colour)(index % EXAM_YELLOW);
        disc_draw(image, 0.5, 0.5, colour);
        return;
    }
    disc_draw(image, 1 - truth->x, 1 - truth->y,
              (exam_colour)((truth->colour + 1) % EXAM_COLOURS));
    disc_draw(image, truth->y, 1 - truth->x,
              (exam_colour)((truth->colour + 2) % EXAM_COLOURS));
    disc_draw(image, truth->x, truth->y, truth->colour);
}

void exam_size(const exam *x,
               exam_question q,
               uint32_t *ret_width,
               uint32_t *ret_height)
{
    const exam_truth *truth = &exam_truths[q];
    uint32_t side = truth->width > truth->height ? truth->width : truth->height;
    uint32_t most = x->model->image_side[questions[q].role];
    double scale = most && most < side ? (double)most / side : 1;
    *ret_width = (uint32_t)(truth->width * scale + 0.5);
    *ret_height = (uint32_t)(truth->height * scale + 0.5);
}

/* Encoded as the model's entry asks for, so that the exam sees what a run would
 * send. */
static etna_code exam_picture_make(const exam *x,
                                   exam_question q,
                                   uint32_t index,
                                   etna_arena *arena,
                                   provider_image *ret,
                                   etna_error *err)
{
    view_image image = {0};
    uint8_t *data = NULL;
    size_t size = 0;
    exam_size(x, q, &image.width, &image.height);
    image.rgb =
        etna_arena_alloc(arena, 3 * (size_t)image.width * image.height, 1);
    if (!image.rgb)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a picture");
    picture_draw(&image, &exam_truths[q], q, index);
    uint32_t quality = x->model->image_quality;
    etna_code code =
        quality ? view_encode_jpeg(&image, (int)quality, &data, &size, err)
                : view_encode_png(&image, &data, &size, err);
    if (code != ETNA_OK)
        return code;
    uint8_t *kept = etna_arena_alloc(arena, size, 1);
    if (kept)
        memcpy(kept, data, size);
    free(data);
    if (!kept)
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a picture");
    *ret = (provider_image){kept, size, quality ? "image/jpeg" : "image/png"};
    return ETNA_OK;
}

/* ---- requests ---- */

/* The request that is being written. */
typedef struct asking {
    const exam *x;
    etna_arena *arena;
    model_message *messages;
    uint32_t count;
} asking;

static void message_add_text(model_message *to, const char *text)
{
    to->parts[to->part_count++] =
        (model_part){.kind = MODEL_TEXT, .text = text};
}

static model_message *asking_add_message(asking *a,
                                         model_author author,
                                         uint32_t room)
{
    model_message *made = &a->messages[a->count++];
    *made = (model_message){
        .author = author,
        .parts = etna_arena_alloc(a->arena, room, sizeof *made->parts)};
    return made->parts ? made : NULL;
}

static bool asking_add_question(asking *a, exam_question q, uint32_t pictures)
{
    model_message *user = asking_add_message(a, MODEL_USER, pictures + 2);
    if (!user)
        return false;
    message_add_text(user, questions[q].text);
    for (uint32_t i = 0; i < pictures; i++) {
        model_part *part = &user->parts[user->part_count++];
        *part = (model_part){.kind = MODEL_IMAGE, .image = {.camera = "exam"}};
        exam_size(a->x, q, &part->image.width, &part->image.height);
    }
    if (questions[q].after)
        message_add_text(user, questions[q].after);
    return true;
}

/* The call as it came, and what the tool says to it. */
static bool asking_add_result(asking *a)
{
    const exam *x = a->x;
    model_message *said = asking_add_message(a, MODEL_ASSISTANT, 1);
    if (!said)
        return false;
    said->parts[said->part_count++] = x->call;
    said->turn = x->turn;
    model_message *told = asking_add_message(a, MODEL_TOOL, 1);
    if (!told)
        return false;
    told->parts[told->part_count++] = (model_part){
        .kind = MODEL_TOOL_RESULT,
        .text =
            "{\"hits\":[{\"object\":\"Tray\",\"plane\":\"" EXAM_PLANE "\"}]}",
        .tool_name = x->call.tool_name,
        .tool_id = x->call.tool_id};
    return asking_add_question(a, EXAM_RESULT, 0);
}

static uint32_t question_pictures(exam_question q)
{
    if (q == EXAM_MARKS)
        return 0;
    return q == EXAM_MANY ? EXAM_PICTURES : 1;
}

/* What is said, up to the answer that is asked for; false: no memory. */
static bool asking_write(asking *a,
                         exam_question q,
                         exam_question shown,
                         uint32_t pictures)
{
    model_message *first =
        a->messages ? asking_add_message(a, MODEL_SYSTEM, 1) : NULL;
    if (!first)
        return false;
    message_add_text(first, system_text);
    if (!asking_add_question(a, shown, pictures))
        return false;
    return q != EXAM_RESULT || asking_add_result(a);
}

/* EXAM_RESULT goes on with the conversation of EXAM_TOOL. *ret_count
 * pictures. */
etna_code exam_ask(const exam *x,
                   exam_question q,
                   etna_arena *arena,
                   model_request *ret,
                   provider_image *ret_images,
                   uint32_t *ret_count,
                   etna_error *err)
{
    enum {
        MESSAGES_MAX = 5
    };
    /* the conversation goes on */
    exam_question shown = q == EXAM_RESULT ? EXAM_TOOL : q;
    bool has_tool = shown == EXAM_TOOL;
    uint32_t count = question_pictures(q);
    asking a = {x, arena,
                etna_arena_alloc(arena, MESSAGES_MAX, sizeof(model_message)),
                0};
    for (uint32_t i = 0; i < count; i++) {
        etna_code code =
            exam_picture_make(x, shown, i, arena, &ret_images[i], err);
        if (code != ETNA_OK)
            return code;
    }
    if (!asking_write(&a, q, shown, count))
        return etna_fail(err, ETNA_E_NOMEM, "out of memory for a question");
    *ret = (model_request){.model = x->model->name,
                           .role = questions[q].role,
                           .seed = (uint64_t)q,
                           .message_count = a.count,
                           .messages = a.messages,
                           .tool_count = has_tool ? 1 : 0,
                           .tools = has_tool ? &exam_tool : NULL};
    *ret_count = count;
    return ETNA_OK;
}
