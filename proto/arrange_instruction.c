/* What an instruction's lines say of places. */
#include "proto/arrange.h"

#include <string.h>

size_t arrange_instruction_shown(const char *instruction)
{
    return instruction ? strcspn(instruction, "\n") : 0;
}

/* `on "Desk" at ..`: is the thing put there? */
static bool instruction_place_is_on(const char *place, const char *plane)
{
    const size_t length = strlen(plane);
    const bool bears =
        strncmp(place, "on ", 3) == 0 || strncmp(place, "in ", 3) == 0;
    const char quote = bears ? place[3] : 0;
    return quote && strncmp(place + 4, plane, length) == 0 &&
           place[4 + length] == quote;
}

/* Of the lines behind the first, the place that is on `plane`; NULL: none. */
static const char *instruction_other_on(const char *instruction,
                                        const char *plane)
{
    static const char begins[] = "or ";
    const size_t length = sizeof begins - 1;
    const char *line = strchr(instruction, '\n');
    for (; line; line = strchr(line + 1, '\n')) {
        if (strncmp(line + 1, begins, length) != 0)
            continue;
        if (instruction_place_is_on(line + 1 + length, plane))
            return line + 1 + length;
    }
    return NULL;
}

/* The bytes of the verb and the name of what is moved, which is the first one
 * in quotes; 0: another thing is moved. */
static size_t instruction_head_length(const char *instruction,
                                      const char *object)
{
    const size_t length = strlen(object);
    const char *open = strpbrk(instruction, "\"'");
    if (!open || strncmp(open + 1, object, length) != 0)
        return 0;
    if (open[1 + length] != *open)
        return 0;
    return (size_t)(open - instruction) + length + 2;
}

bool arrange_instruction_place_of(const arrange_edit *edit,
                                  arrange_instruction_place *ret)
{
    const char *said = edit->instruction ? edit->instruction : "";
    const char *object = edit->object ? edit->object : "";
    const char *plane = edit->plane ? edit->plane : "";
    const size_t head = instruction_head_length(said, object);
    if (!head || !*object || !*plane || said[head] != ' ')
        return false;
    if (instruction_place_is_on(said + head + 1, plane))
        return false;
    const char *line = instruction_other_on(said + head, plane);
    if (!line)
        return false;
    const size_t length = arrange_instruction_shown(line);
    /* the last line has the full stop of them all */
    *ret = (arrange_instruction_place){head, line, length,
                                       line[length] ? "." : ""};
    return true;
}
