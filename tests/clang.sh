#!/bin/sh
# clang.sh BUILD: does clang take every C file, too? It warns of other things than gcc, and `make test` builds with gcc alone.
# Syntax and warnings cost half a minute of one core; test-full builds and runs what clang makes of it.
set -eu
cd "$(dirname "$0")/.."
command -v clang >/dev/null || exit 77
exec .ci/syntax "$1" clang clang++ '\.cc$' -Wno-unknown-warning-option
