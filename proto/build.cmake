cmake_policy(VERSION 3.22)
# Writes OUT: what the sources of the programs are, as one hash of all that is compiled in; one of the prompts alone; and
# the commit that is checked out, with "-dirty" where files differ from it, or nothing where this is no checkout. Run at
# every build, and the file is only written when it changed. ROOT: the source tree; VERSION: the project's.
set(all)
foreach(dir proto store http referee coordinator worker prompts)
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

set(said)
file(GLOB files ${ROOT}/prompts/*.txt)
list(SORT files)
foreach(path ${files})
  file(SHA256 ${path} prompt)
  string(APPEND said ${prompt})
endforeach()
string(SHA256 prompts "${said}")

set(commit)
if(EXISTS ${ROOT}/.git)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 git -C ${ROOT} describe --always --dirty --abbrev=40 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit MATCHES "^[0-9a-f]+(-dirty)?$")
  set(commit)
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
"#define ETNA_BUILD \"@VERSION@+@hash@\"
#define ETNA_PROMPTS \"@prompts@\"
#define ETNA_COMMIT \"@commit@\"
")
