#!/bin/sh
# clang.sh BUILD: does clang take every C file, too? It warns of other things than gcc, and `make test` builds with gcc alone.
# To start a clang takes longer than to read a file: one reads all that have the same flags, by the inner command that its
# driver tells. (But for a file with pragmas: what these switch off stays on in such a row.) test-full builds and runs what
# clang makes of it.
set -eu
cd "$(dirname "$0")/.."
command -v clang >/dev/null || exit 77
log=$(mktemp)
trap 'rm -f "$log"' EXIT
alone=$(jq -r '.[].file' "$1/compile_commands.json" | sort -u | tr '\n' '\0' | xargs -0 grep -l '^#pragma') || true
# A line: FOLDER, FLAGS and at most 25 FILES, as a shell reads them.
jq -r --arg alone "$alone" '($alone | split("\n")) as $alone | unique_by(.file) | map(select(.file | endswith(".c"))) |
    map(.flags = (.command | sub("^.*?/(cc|gcc) "; "") | sub(" -o [^ ]+ -c .*$"; ""))) |
    group_by([.directory, .flags, (.file as $f | select($alone | index($f)) | $f)])[] | _nwise(25) |
    [(.[0].directory | @sh), .[0].flags, (map(.file | @sh) | join(" "))] | join("\t")' "$1/compile_commands.json" |
    tr '\n' '\0' | xargs -0 -P "$(nproc)" -n 1 sh -c '
        tab=$(printf "\t")
        folder=${1%%"$tab"*} files=${1##*"$tab"} flags=${1#*"$tab"}
        eval "cd $folder"
        inner=$(eval "clang -### ${flags%"$tab"*} -Wno-unknown-warning-option -fsyntax-only -x c -" 2>&1 | tail -1)
        case $inner in *" \"-cc1\" "*" \"-\"") eval "${inner% \"-\"} $files" ;; *) echo "error: clang tells: $inner"; exit 1 ;; esac' sh \
        >"$log" 2>&1 || {
    grep -E 'error|fatal' "$log" | head -40
    exit 1
}
