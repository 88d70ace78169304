cmake_policy(VERSION 3.22)
# Writes OUT: what the sources of both programs are, as one hash of all that is compiled in. Run at every build, and the
# file is only written when it changed. ROOT: the source tree; VERSION: the project's.
set(all)
foreach(dir proto store coordinator worker prompts)
  file(GLOB_RECURSE files ${ROOT}/${dir}/*.c ${ROOT}/${dir}/*.cc ${ROOT}/${dir}/*.h ${ROOT}/${dir}/*.inc
       ${ROOT}/${dir}/*.proto ${ROOT}/${dir}/*.txt)
  list(SORT files)
  foreach(path ${files})
    file(SHA256 ${path} hash)
    string(APPEND all ${hash})
  endforeach()
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define ETNA_BUILD \"@VERSION@+@hash@\"\n" @ONLY)
