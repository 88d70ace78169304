/* A model's server with eyes, for etna doctor: it looks into the pictures that
 * it is sent, finds the disc of the colour that is asked for, and answers as a
 * good model does, or as one with a lack:
 *
 *   seeing-model [--kind NAME]
 *
 *   good         nothing is wrong                          thousandths, pixels, percent   counts coordinates in these
 *   blind        refuses pictures, by 400                  unseeing    takes them, and looks at none
 *   toolless     refuses tools, by 400                     untooled    takes them, and calls none
 *   texttools    calls them in its text                    few         refuses more than four pictures
 *   markless     writes no marks                           free        tells no usage
 *   changing     thousandths at first, then shares         hanging     never answers
 *   thousandths_y_first                                    points as Gemini was taught to
 *
 * Prints its port. */
#include "tests/support/loopback.h"

#include <jansson.h>
#include <math.h>
#include <png.h>
#include <signal.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    FEW = 4
};

static const char *kind = "good";

static bool is_kind(const char *name)
{
    return strcmp(kind, name) == 0;
}

/* ---- eyes ---- */

static const struct {
    const char *name;
    uint8_t rgb[3];
} colours[] = {{"red", {208, 32, 32}},
               {"blue", {40, 72, 208}},
               {"green", {32, 152, 56}},
               {"yellow", {232, 200, 32}}};

typedef struct sight {
    uint32_t width, height;
    /* the middle of what has the colour, 0 to 1; < 0: nothing has */
    double x, y;
} sight;

static bool is_like(const uint8_t *pixel, const uint8_t rgb[3])
{
    int away = 0;
    for (int c = 0; c < 3; c++)
        away += abs(pixel[c] - rgb[c]);
    return away < 60;
}

static sight look(const char *url, const uint8_t rgb[3])
{
    sight seen = {0, 0, -1, -1};
    const char *data = strstr(url, "base64,");
    size_t room = data ? strlen(data) : 0, size = 0;
    uint8_t *file = malloc(room + 1), *pixels = NULL;
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool good =
        data && !sodium_base642bin(file, room, data + 7, room - 7, NULL, &size,
                                   NULL, sodium_base64_VARIANT_ORIGINAL);
    good = good && png_image_begin_read_from_memory(&image, file, size);
    if (good) {
        image.format = PNG_FORMAT_RGB;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        good = pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL);
    }
    double count = 0, x = 0, y = 0;
    for (uint32_t i = 0; good && i < image.width * image.height; i++) {
        if (!is_like(pixels + 3 * (size_t)i, rgb))
            continue;
        count++;
        x += i % image.width + 0.5;
        y += i / image.width + 0.5;
    }
    seen.width = image.width;
    seen.height = image.height;
    if (count > 0) {
        seen.x = x / count / image.width;
        seen.y = y / count / image.height;
    }
    png_image_free(&image);
    free(pixels);
    free(file);
    return seen;
}

/* ---- what is asked ---- */

typedef struct question {
    /* of all of the user's parts, the last message's last */
    char text[16384];
    const char *pictures[64]; /* data URLs, borrowed */
    uint32_t picture_count;
    bool has_tools, has_result;
    char plane[64];
} question;

static void add_part(question *q, const json_t *part)
{
    const char *text = json_string_value(json_object_get(part, "text"));
    const char *url = json_string_value(
        json_object_get(json_object_get(part, "image_url"), "url"));
    size_t used = strlen(q->text);
    if (text)
        snprintf(q->text + used, sizeof q->text - used, "%s\n", text);
    if (url && q->picture_count < 64)
        q->pictures[q->picture_count++] = url;
}

static void read_question(const json_t *root, question *q)
{
    size_t i, k;
    json_t *message, *part;
    json_array_foreach(json_object_get(root, "messages"), i, message)
    {
        const char *role = json_string_value(json_object_get(message, "role"));
        const json_t *content = json_object_get(message, "content");
        const char *told = json_string_value(content),
                   *plane = told ? strstr(told, "\"plane\":\"") : NULL;
        if (role && strcmp(role, "tool") == 0) {
            q->has_result = true;
            if (plane)
                snprintf(q->plane, sizeof q->plane, "%.*s",
                         (int)strcspn(plane + 9, "\""), plane + 9);
        }
        if (!role || strcmp(role, "user") != 0)
            continue;
        size_t used = strlen(q->text);
        if (told)
            snprintf(q->text + used, sizeof q->text - used, "%s\n", told);
        json_array_foreach(content, k, part) add_part(q, part);
    }
    q->has_tools = json_array_size(json_object_get(root, "tools")) > 0;
}

/* ---- what is answered ---- */

static unsigned places; /* that were told so far */

static void write_point(const sight *s, char ret[64])
{
    double x = s->x, y = s->y;
    if (is_kind("unseeing"))
        x = y = 0.5;
    bool is_thousandths =
        is_kind("thousandths") || (is_kind("changing") && places == 0);
    places++;
    if (is_thousandths) {
        snprintf(ret, 64, "[%.0f, %.0f]", 1000 * x, 1000 * y);
    } else if (is_kind("thousandths_y_first")) {
        snprintf(ret, 64, "[%.0f, %.0f]", 1000 * y, 1000 * x);
    } else if (is_kind("pixels")) {
        snprintf(ret, 64, "[%.0f, %.0f]", s->width * x, s->height * y);
    } else if (is_kind("percent")) {
        snprintf(ret, 64, "[%.1f, %.1f]", 100 * x, 100 * y);
    } else {
        snprintf(ret, 64, "[%.3f, %.3f]", x, y);
    }
}

/* The disc's colour in the words of the question, else "". */
static sight find_disc(const question *q)
{
    sight seen = {0, 0, 0.5, 0.5};
    for (size_t i = 0; i < sizeof colours / sizeof *colours && q->picture_count;
         i++) {
        char words[32];
        snprintf(words, sizeof words, "the %s disc", colours[i].name);
        if (strstr(q->text, words))
            seen = look(q->pictures[0], colours[i].rgb);
    }
    return seen;
}

static const char *last_colour(const question *q)
{
    for (size_t i = 0; i < sizeof colours / sizeof *colours && q->picture_count;
         i++) {
        if (look(q->pictures[q->picture_count - 1], colours[i].rgb).x >= 0)
            return colours[i].name;
    }
    return "no";
}

static json_t *say(const char *text)
{
    return json_pack("{s:s, s:s}", "role", "assistant", "content", text);
}

static json_t *call_tool(const question *q)
{
    char point[64], arguments[128], text[256];
    sight seen = find_disc(q);
    write_point(&seen, point);
    snprintf(arguments, sizeof arguments, "{\"coord_list\": [%s]}", point);
    if (is_kind("untooled"))
        return say("The green disc is near the lower edge of the image.");
    snprintf(
        text, sizeof text,
        "<tool_call>\n{\"name\": \"ray_probe_for_plane\", \"arguments\": %s}\n</tool_call>",
        arguments);
    if (is_kind("texttools"))
        return say(text);
    return json_pack("{s:s, s:n, s:[{s:s, s:s, s:{s:s, s:s}}]}", "role",
                     "assistant", "content", "tool_calls", "id", "call_a",
                     "type", "function", "function", "name",
                     "ray_probe_for_plane", "arguments", arguments);
}

static json_t *answer_question(const question *q)
{
    char text[1024], point[64];
    if (q->has_result) {
        snprintf(
            text, sizeof text,
            "[constraints]\n[\"ObjectName\", \"Disc\"],\n[\"CloseToPix\", \"down\", [0.5, 0.5]],\n[\"Contact\", \"down\", "
            "\"%s\"]\n[end of constraints]\n<completion>",
            q->plane);
        return say(text);
    }
    if (q->has_tools)
        return call_tool(q);
    if (strstr(q->text, "[evaluation]")) {
        snprintf(
            text, sizeof text,
            "[evaluation]\nvisual_exam: %s\nverdict: good\n[end of evaluation]",
            is_kind("unseeing") ? "red" : last_colour(q));
        return say(text);
    }
    if (strstr(q->text, "[constraints]")) {
        sight seen = find_disc(q);
        write_point(&seen, point);
        snprintf(
            text, sizeof text,
            "[constraints]\n[\"ObjectName\", \"Disc\"],\n[\"CloseToPix\", \"center\", %s]\n[end of constraints]\n<completion>",
            point);
        return say(text);
    }
    return say(
        is_kind("markless")
            ? "Sure! The cup should be put there."
            : "[updated_instruction]\nPut the cup on the tray.\n[end of updated_instruction]");
}

/* ---- HTTP ---- */

static void send_json(int fd, const char *status, json_t *root)
{
    char head[256], *body = json_dumps(root, JSON_COMPACT);
    int length = snprintf(
        head, sizeof head,
        "HTTP/1.1 %s\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %zu\r\n\r\n",
        status, strlen(body));
    loopback_send(fd, head, (size_t)length);
    loopback_send(fd, body, strlen(body));
    free(body);
    json_decref(root);
}

static const char *refusal(const question *q)
{
    if (is_kind("blind") && q->picture_count)
        return "image input is not supported by this model";
    if (is_kind("toolless") && q->has_tools)
        return "this model does not support tools";
    if (is_kind("few") && q->picture_count > FEW)
        return "at most 4 images may be provided in one request";
    return NULL;
}

static void answer(int fd, const char *body)
{
    question *q = calloc(1, sizeof *q);
    json_t *root = json_loads(body, 0, NULL);
    if (!q || !root)
        abort();
    read_question(root, q);
    const char *why = refusal(q);
    if (why) {
        send_json(fd, "400 Bad Request",
                  json_pack("{s:{s:s, s:s}}", "error", "message", why, "type",
                            "invalid_request_error"));
    } else {
        json_t *told =
            json_pack("{s:s, s:s, s:[{s:i, s:o, s:s}]}", "id", "x", "object",
                      "chat.completion", "choices", "index", 0, "message",
                      answer_question(q), "finish_reason", "stop");
        if (!is_kind("free"))
            json_object_set_new(told, "usage",
                                json_pack("{s:i, s:i}", "prompt_tokens",
                                          (int)(100 + 700 * q->picture_count),
                                          "completion_tokens", 20));
        send_json(fd, "200 OK", told);
    }
    json_decref(root);
    free(q);
}

static void *converse(void *context)
{
    int fd = (int)(intptr_t)context;
    loopback_text request = {0};
    bool is_whole = loopback_receive(fd, &request, false);
    const char *body = is_whole ? strstr(request.data, "\r\n\r\n") : NULL;
    if (is_kind("hanging"))
        pause();
    if (body)
        answer(fd, body + 4);
    free(request.data);
    shutdown(fd, SHUT_WR);
    close(fd);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--kind") == 0)
        kind = argv[2];
    uint16_t port = 0;
    int listener = loopback_listen(64, &port);
    if (listener < 0 || sodium_init() < 0)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    printf("%u\n", port);
    fflush(stdout);
    loopback_serve(listener, NULL, converse);
}
