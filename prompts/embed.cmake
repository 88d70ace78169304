# Turns every prompt of DIR into a C table at OUT, so that no program needs a path to them at run time.
file(GLOB prompts ${DIR}/*.txt)
list(SORT prompts)
set(bodies "")
set(rows "")
foreach(prompt ${prompts})
  get_filename_component(name ${prompt} NAME_WE)
  file(READ ${prompt} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND bodies "static const char prompt_${name}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", prompt_${name}},\n")
endforeach()
file(WRITE ${OUT} "/* Made from the .txt files of prompts/ by prompts/embed.cmake. */\n#include \"worker/agents/prompt.h\"\n\n"
     "${bodies}\nconst prompt_entry prompt_table[] = {\n${rows}    {0, 0},\n};\n")
