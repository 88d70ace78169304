#!/bin/sh
# try.sh yes|no HEADER COMPILER ARGS...: does the compiler find the header? Where it must not, its complaint has to be that.
set -eu
found=$1
header=$2
shift 2
if said=$(printf '#include "%s"\n' "$header" | "$@" -x c -fsyntax-only - 2>&1); then
    [ "$found" = yes ] && exit 0
    echo "$header is found from a room that must not see it"
    exit 1
fi
echo "$said"
[ "$found" = no ] && echo "$said" | grep -Eq "$header.*(No such file|file not found)"
