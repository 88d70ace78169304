/* Letters, and the legend under a picture: which colour is whose (view.h).
 * Letters are pixels of our own and of glyphs that are compiled in: fonts
 * differ between machines, and some have none. */
#include "proto/utf8.h"
#include "worker/view/glyph.h"
#include "worker/view/view_internal.h"

#include <string.h>

enum {
    ROWS = LETTER_ROWS,
    COLUMNS = 5,
    ADVANCE = LETTER_ADVANCE,
    TEXT_MAX = 256,
    BOX = 0x7f
};

/* From ' ' to '~', then the box for what is not there: a digit to base 32 for
 * each row, its leftmost pixel the highest bit. Tails hang two rows below the
 * others. */
static const char *const letters[] = {
    "0000000",   "4444404", "aa00000",   "aavavaa",   "4fke5u4", "op248j3",
    "cik8lid",   "4400000", "2488842",   "8422248",   "04lel40", "044v440",
    "00000cc48", "000v000", "00000cc",   "01248g0",   "4ahhha4", "4c4444e",
    "eh1248v",   "v2421he", "26aiv22",   "vgu11he",   "68guhhe", "v124888",
    "ehhehhe",   "ehhf12c", "0cc0cc0",   "0cc00cc48", "248g842", "00v0v00",
    "8421248",   "eh12404", "eh1dlle",   "ehhvhhh",   "uhhuhhu", "ehggghe",
    "sihhhis",   "vgguggv", "vgguggg",   "ehgnhhf",   "hhhvhhh", "e44444e",
    "72222ic",   "hikokih", "ggggggv",   "hrllhhh",   "hhpljhh", "ehhhhhe",
    "uhhuggg",   "ehhhlid", "uhhukih",   "fgge11u",   "v444444", "hhhhhhe",
    "hhhhha4",   "hhhllla", "hha4ahh",   "hhha444",   "v1248gv", "e88888e",
    "0g84210",   "e22222e", "4ah0000",   "000000v",   "8420000", "00e1fhf",
    "ggmphhu",   "00eggge", "11djhhf",   "00ehvge",   "698s888", "00fhhhf1e",
    "ggmphhh",   "40c444e", "2062222ic", "ggikoki",   "c44444e", "00qllhh",
    "00mphhh",   "00ehhhe", "00uhhhugg", "00fhhhf11", "00mpggg", "00fge1u",
    "88s8896",   "00hhhjd", "00hhha4",   "00hhlla",   "00ha4ah", "00hhhhf1e",
    "00v248v",   "2448442", "4444444",   "8442448",   "008l200", "vhhhhhv"};

typedef struct layout {
    uint32_t dot;   /* pixels to a letter's pixel */
    uint32_t row;   /* height of one */
    uint32_t patch; /* side of the colour's square */
    uint32_t column, columns, rows;
} layout;

/* Whether the letter has a dot there. */
static bool row_bit(const char *letter, int row, int column)
{
    char c = letter[row];
    int value = c >= 'a' ? c - 'a' + 10 : c - '0';
    return value >> (COLUMNS - 1 - column) & 1;
}

/* characters in the order in which they are drawn, from the left */
typedef struct writing {
    uint32_t count;
    uint32_t at[TEXT_MAX];
} writing;

/* The character at *text, which moves behind it; BOX for bytes that are
 * none. */
static uint32_t next_code(const char **text)
{
    uint32_t code;
    size_t size = etna_utf8_character(*text, ETNA_UTF8_MAX, &code);
    *text += size ? size : 1;
    return size ? code : BOX;
}

/* What is written to the left is turned round where it stands, with the spaces
 * between; its letters are not joined. */
static void turn_leftward(writing *w)
{
    for (uint32_t first = 0; first < w->count; first++) {
        if (!glyph_is_leftward(w->at[first]))
            continue;
        uint32_t last = first;
        for (uint32_t i = first; i < w->count; i++) {
            if (glyph_is_leftward(w->at[i]))
                last = i;
            else if (w->at[i] != ' ')
                break;
        }
        for (uint32_t i = first, k = last; i < k; i++, k--) {
            uint32_t swap = w->at[i];
            w->at[i] = w->at[k];
            w->at[k] = swap;
        }
        first = last;
    }
}

static bool is_ours(uint32_t code)
{
    return code >= ' ' && code <= BOX;
}

/* Pixels to a glyph's pixel: the whole number that brings Unifont's capitals
 * nearest to the height of ours. */
static uint32_t glyph_scale(uint32_t dot)
{
    uint32_t scale = (ROWS * dot + GLYPH_CAPITAL / 2) / GLYPH_CAPITAL;
    return scale > 1 ? scale : 1;
}

/* How many pixels wide. */
static uint32_t code_width(uint32_t code, uint32_t dot)
{
    glyph g;
    if (!is_ours(code) && glyph_combines(code))
        return 0;
    return !is_ours(code) && glyph_find(code, &g) ? g.columns * glyph_scale(dot)
                                                  : ADVANCE * dot;
}

static uint32_t writing_width(const writing *w, uint32_t dot)
{
    uint32_t wide = 0;
    for (uint32_t i = 0; i < w->count; i++)
        wide += code_width(w->at[i], dot);
    return wide;
}

/* Control characters become boxes. What exceeds TEXT_MAX is dropped. */
static void writing_add(writing *w, const char *text)
{
    while (*text && w->count < TEXT_MAX) {
        uint32_t code = next_code(&text);
        w->at[w->count++] = code < ' ' ? BOX : code;
    }
}

/* NULL: not one of the palette. */
static const char *legend_colour_name(const uint8_t rgb[3])
{
    for (int i = 0; i < VIEW_HIGHLIGHT_MAX; i++)
        if (memcmp(view_highlight_rgb[i], rgb, 3) == 0)
            return view_highlight_name[i];
    return NULL;
}

static void writing_append(writing *to, const writing *more)
{
    for (uint32_t i = 0; i < more->count && to->count < TEXT_MAX; i++)
        to->at[to->count++] = more->at[i];
}

/* "Red Bottle = red", cut in the name when it is wider than `most` pixels. */
static void entry_text(const char *name,
                       const uint8_t rgb[3],
                       uint32_t most,
                       uint32_t dot,
                       writing *ret)
{
    writing tail = {0}, dots = {0};
    const char *colour = legend_colour_name(rgb);
    ret->count = 0;
    writing_add(ret, name);
    turn_leftward(ret);
    if (colour)
        writing_add(&tail, " = ");
    if (colour)
        writing_add(&tail, colour);
    uint32_t after = writing_width(&tail, dot);
    uint32_t wide = writing_width(ret, dot);
    /* for some of the name before the dots */
    bool has_room = most > after + 4 * ADVANCE * dot;
    bool is_wide = wide + after > most && has_room;
    if (is_wide || ret->count + tail.count > TEXT_MAX) {
        writing_add(&dots, "...");
        after += writing_width(&dots, dot);
        while (ret->count > 0 &&
               (wide + after > most || ret->count + tail.count > TEXT_MAX - 3))
            wide -= code_width(ret->at[--ret->count], dot);
    }
    writing_append(ret, &dots);
    writing_append(ret, &tail);
}

/* Cut to the image. */
static void legend_fill(view_image *image,
                        uint32_t x,
                        uint32_t y,
                        uint32_t width,
                        uint32_t height,
                        const uint8_t rgb[3])
{
    for (uint32_t j = y; j < y + height && j < image->height; j++)
        for (uint32_t i = x; i < x + width && i < image->width; i++)
            memcpy(image->rgb + 3 * ((size_t)j * image->width + i), rgb, 3);
}

static const uint8_t black[3] = {0, 0, 0};

static void letter_draw(
    view_image *image, uint32_t x, uint32_t y, uint32_t dot, uint32_t code)
{
    const char *letter = letters[code - ' '];
    for (int row = 0; letter[row]; row++)
        for (int column = 0; column < COLUMNS; column++)
            if (row_bit(letter, row, column))
                legend_fill(image, x + (uint32_t)column * dot,
                            y + (uint32_t)row * dot, dot, dot, black);
}

/* On the line that our own letters stand on. */
static void glyph_draw(
    view_image *image, uint32_t x, uint32_t y, uint32_t dot, const glyph *g)
{
    uint32_t scale = glyph_scale(dot);
    uint32_t line = y + ROWS * dot;
    uint32_t over = GLYPH_BASE * scale;
    uint32_t top = line > over ? line - over : 0;
    for (uint32_t row = 0; row < GLYPH_ROWS; row++)
        for (uint32_t column = 0; column < g->columns; column++)
            if (g->rows[row] >> (g->columns - 1 - column) & 1)
                legend_fill(image, x + column * scale, top + row * scale, scale,
                            scale, black);
}

/* A mark without width is drawn over the character before it. */
static void writing_draw(
    view_image *image, uint32_t x, uint32_t y, uint32_t dot, const writing *w)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t code = w->at[i];
        uint32_t wide = code_width(code, dot);
        glyph g;
        if (is_ours(code))
            letter_draw(image, x, y, dot, code);
        else if (glyph_find(code, &g))
            glyph_draw(image, wide > 0 || x < before ? x : x - before, y, dot,
                       &g);
        else if (wide > 0)
            letter_draw(image, x, y, dot, BOX);
        before = wide > 0 ? wide : before;
        x += wide;
    }
}

void letters_draw(
    view_image *image, uint32_t x, uint32_t y, uint32_t dot, const char *text)
{
    writing w = {0};
    writing_add(&w, text);
    writing_draw(image, x, y, dot, &w);
}

/* Pixels to a letter's dot: letters are some 2 % of the shorter side high, at
 * least 14 pixels. */
uint32_t letters_dot(uint32_t shorter)
{
    uint32_t dot = (uint32_t)ceil(0.022 * shorter / ROWS);
    return dot > 2 ? dot : 2;
}

/* As many columns as the widest entry lets fit, one at least. */
static layout legend_lay_out(const view_image *image,
                             const char *const *names,
                             const uint8_t (*colours)[3],
                             uint32_t count)
{
    uint32_t shorter =
        image->width < image->height ? image->width : image->height;
    layout l = {.dot = letters_dot(shorter)};
    l.patch = ROWS * l.dot;
    l.row = l.patch + 6 * l.dot;
    for (uint32_t i = 0; i < count; i++) {
        writing text;
        entry_text(names[i], colours[i], UINT32_MAX / 2, l.dot, &text);
        uint32_t wide = l.patch + 8 * l.dot + writing_width(&text, l.dot);
        l.column = wide > l.column ? wide : l.column;
    }
    l.columns =
        l.column > 0 && l.column < image->width ? image->width / l.column : 1;
    l.column = image->width / l.columns;
    l.rows = (count + l.columns - 1) / l.columns;
    return l;
}

/* A copy of the image with the legend beneath; names in UTF-8. No entries: just
 * a copy. */
etna_code view_legend(const view_image *image,
                      const char *const *names,
                      const uint8_t (*colours)[3],
                      uint32_t count,
                      view_image *ret_image,
                      etna_error *err)
{
    if (count > VIEW_HIGHLIGHT_MAX)
        return etna_fail(err, ETNA_E_INPUT,
                         "%u entries in a legend: at most %d", count,
                         VIEW_HIGHLIGHT_MAX);
    layout l = legend_lay_out(image, names, colours, count);
    view_image out = {0};
    uint32_t below = count ? l.rows * l.row + 4 * l.dot : 0;
    etna_code code = image_new(image->width, image->height + below, &out, err);
    if (code != ETNA_OK)
        return code;
    memcpy(out.rgb, image->rgb, (size_t)image->width * image->height * 3);
    out.tone = image->tone;
    for (uint32_t i = 0; i < count; i++) {
        writing text;
        uint32_t x = i % l.columns * l.column + 3 * l.dot;
        uint32_t y = image->height + 5 * l.dot + i / l.columns * l.row;
        uint32_t most = l.column > l.patch + 9 * l.dot
                            ? l.column - l.patch - 8 * l.dot
                            : ADVANCE * l.dot;
        entry_text(names[i], colours[i], most, l.dot, &text);
        legend_fill(&out, x, y, l.patch, l.patch, black);
        legend_fill(&out, x + 1, y + 1, l.patch - 2, l.patch - 2, colours[i]);
        writing_draw(&out, x + l.patch + 3 * l.dot, y, l.dot, &text);
    }
    *ret_image = out;
    return ETNA_OK;
}
