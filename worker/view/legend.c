/* Letters, and the legend under a picture: which colour is whose (view.h). Letters are pixels of our own: fonts differ
 * between machines, and some have none. */
#include "worker/view/own.h"

#include <string.h>

enum { ROWS = LETTER_ROWS, COLUMNS = 5, ADVANCE = LETTER_ADVANCE, TEXT_MAX = 256 };

/* From ' ' to '~', then the box for what is not there: a digit to base 32 for each row, its leftmost pixel the highest
 * bit. Tails hang two rows below the others. */
static const char *const letters[] = {
    "0000000",   "4444404", "aa00000",   "aavavaa",   "4fke5u4", "op248j3", "cik8lid", "4400000", "2488842",
    "8422248",   "04lel40", "044v440",   "00000cc48", "000v000", "00000cc", "01248g0", "4ahhha4", "4c4444e",
    "eh1248v",   "v2421he", "26aiv22",   "vgu11he",   "68guhhe", "v124888", "ehhehhe", "ehhf12c", "0cc0cc0",
    "0cc00cc48", "248g842", "00v0v00",   "8421248",   "eh12404", "eh1dlle", "ehhvhhh", "uhhuhhu", "ehggghe",
    "sihhhis",   "vgguggv", "vgguggg",   "ehgnhhf",   "hhhvhhh", "e44444e", "72222ic", "hikokih", "ggggggv",
    "hrllhhh",   "hhpljhh", "ehhhhhe",   "uhhuggg",   "ehhhlid", "uhhukih", "fgge11u", "v444444", "hhhhhhe",
    "hhhhha4",   "hhhllla", "hha4ahh",   "hhha444",   "v1248gv", "e88888e", "0g84210", "e22222e", "4ah0000",
    "000000v",   "8420000", "00e1fhf",   "ggmphhu",   "00eggge", "11djhhf", "00ehvge", "698s888", "00fhhhf1e",
    "ggmphhh",   "40c444e", "2062222ic", "ggikoki",   "c44444e", "00qllhh", "00mphhh", "00ehhhe", "00uhhhugg",
    "00fhhhf11", "00mpggg", "00fge1u",   "88s8896",   "00hhhjd", "00hhha4", "00hhlla", "00ha4ah", "00hhhhf1e",
    "00v248v",   "2448442", "4444444",   "8442448",   "008l200", "vhhhhhv"};

typedef struct layout {
    uint32_t dot;   /* pixels to a letter's pixel */
    uint32_t row;   /* height of one */
    uint32_t patch; /* side of the colour's square */
    uint32_t column, columns, rows;
} layout;

static bool row_bit(const char *letter, int row, int column)
{
    char c = letter[row];
    int value = c >= 'a' ? c - 'a' + 10 : c - '0';
    return value >> (COLUMNS - 1 - column) & 1;
}

/* Code points as characters of ' ' .. '~', all others as 0x7f. */
static size_t to_letters(const char *text, char *ret, size_t room)
{
    size_t size = 0;
    for (; *text && size + 1 < room; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c & 0xC0) == 0x80) continue; /* the rest of a character that has its box */
        ret[size++] = c >= ' ' && c <= '~' ? (char)c : 0x7f;
    }
    ret[size] = 0;
    return size;
}

static const char *colour_name(const uint8_t rgb[3])
{
    for (int i = 0; i < VIEW_HIGHLIGHT_MAX; i++)
        if (memcmp(view_highlight_rgb[i], rgb, 3) == 0) return view_highlight_name[i];
    return NULL;
}

/* "Red Bottle = red", cut in the name when it does not fit into `most` letters. */
static size_t entry_text(const char *name, const uint8_t rgb[3], size_t most, char ret[TEXT_MAX])
{
    char tail[32] = "";
    const char *colour = colour_name(rgb);
    size_t after = 0;
    if (colour) {
        memcpy(tail, " = ", 3);
        memcpy(tail + 3, colour, strlen(colour) + 1);
        after = strlen(tail);
    }
    most = most < TEXT_MAX - 1 ? most : TEXT_MAX - 1;
    size_t size = to_letters(name, ret, TEXT_MAX - after);
    if (size + after > most && most > after + 4) {
        size = most - after - 3;
        memcpy(ret + size, "...", 3);
        size += 3;
    }
    memcpy(ret + size, tail, after + 1);
    return size + after;
}

static void fill(view_image *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const uint8_t rgb[3])
{
    for (uint32_t j = y; j < y + height && j < image->height; j++)
        for (uint32_t i = x; i < x + width && i < image->width; i++)
            memcpy(image->rgb + 3 * ((size_t)j * image->width + i), rgb, 3);
}

void letters_draw(view_image *image, uint32_t x, uint32_t y, uint32_t dot, const char *text)
{
    static const uint8_t black[3] = {0, 0, 0};
    for (; *text; text++, x += ADVANCE * dot) {
        const char *letter = letters[(unsigned char)*text - ' '];
        for (int row = 0; letter[row]; row++)
            for (int column = 0; column < COLUMNS; column++)
                if (row_bit(letter, row, column))
                    fill(image, x + (uint32_t)column * dot, y + (uint32_t)row * dot, dot, dot, black);
    }
}

uint32_t letters_dot(uint32_t shorter)
{
    uint32_t dot = (uint32_t)ceil(0.022 * shorter / ROWS);
    return dot > 2 ? dot : 2;
}

static layout lay_out(const view_image *image, const char *const *names, const uint8_t (*colours)[3], uint32_t count)
{
    uint32_t shorter = image->width < image->height ? image->width : image->height;
    layout l = {.dot = letters_dot(shorter)};
    l.patch = ROWS * l.dot;
    l.row = l.patch + 6 * l.dot;
    for (uint32_t i = 0; i < count; i++) {
        char text[TEXT_MAX];
        uint32_t wide =
            l.patch + 8 * l.dot + (uint32_t)entry_text(names[i], colours[i], TEXT_MAX, text) * ADVANCE * l.dot;
        l.column = wide > l.column ? wide : l.column;
    }
    l.columns = l.column > 0 && l.column < image->width ? image->width / l.column : 1;
    l.column = image->width / l.columns;
    l.rows = (count + l.columns - 1) / l.columns;
    return l;
}

etna_code view_legend(const view_image *image, const char *const *names, const uint8_t (*colours)[3], uint32_t count,
                      view_image *ret_image, etna_error *err)
{
    if (count > VIEW_HIGHLIGHT_MAX)
        return etna_fail(err, ETNA_E_INPUT, "%u entries in a legend: at most %d", count, VIEW_HIGHLIGHT_MAX);
    static const uint8_t black[3] = {0, 0, 0};
    layout l = lay_out(image, names, colours, count);
    view_image out = {0};
    uint32_t below = count ? l.rows * l.row + 4 * l.dot : 0;
    etna_code code = image_new(image->width, image->height + below, &out, err);
    if (code != ETNA_OK) return code;
    memcpy(out.rgb, image->rgb, (size_t)image->width * image->height * 3);
    out.tone = image->tone;
    for (uint32_t i = 0; i < count; i++) {
        char text[TEXT_MAX];
        uint32_t x = i % l.columns * l.column + 3 * l.dot, y = image->height + 5 * l.dot + i / l.columns * l.row;
        size_t most = l.column > l.patch + 9 * l.dot ? (l.column - l.patch - 8 * l.dot) / (ADVANCE * l.dot) : 1;
        entry_text(names[i], colours[i], most, text);
        fill(&out, x, y, l.patch, l.patch, black);
        fill(&out, x + 1, y + 1, l.patch - 2, l.patch - 2, colours[i]);
        letters_draw(&out, x + l.patch + 3 * l.dot, y, l.dot, text);
    }
    *ret_image = out;
    return ETNA_OK;
}
