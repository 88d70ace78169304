# Turns the grammar at IN into a C text at OUT, so that no program needs a path to it at run time.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "/* Made from grammar.txt by tools/embed.cmake. */\nextern const char sentence_grammar[];\n"
     "const char sentence_grammar[] = {${bytes}0};\n")
