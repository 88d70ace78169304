#!/bin/bash
# That the benchmark runs, and that what it prints is what it promises: never how fast anything was.
set -eu
bench=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$bench" --quick --no-peers --json --lines '^(solve\.widest|verdict\.free|restore\.20|growth\.verdict\.objects)$' >"$work/out.json" 2>"$work/log" ||
    { cat "$work/log"; exit 1; }
jq -e '(.cpu | type == "string") and (.cores >= 1) and .quick
    and ([.lines[].line] == ["solve.widest", "verdict.free", "restore.20"])
    and all(.lines[]; .ours.samples == 3 and .ours.median > 0 and .ours.q1 <= .ours.median and .ours.median <= .ours.q3 and .goal > 0
        and (.unit | type == "string") and .floor.median > 0 and (.floor.is | type == "string") and .peer == null and .peer_missing == "not asked"
        and .ratio == null and (.met | type == "boolean"))
    and ([.growth[] | .line] == ["growth.verdict.objects"]) and all(.growth[]; (.sizes == [20, 200, 2000]) and (.ms | length) == 3
        and (.exponent | type == "number") and .allowed > 0)' "$work/out.json" >/dev/null ||
    { echo "not the promised JSON:"; cat "$work/out.json"; exit 1; }
# Conversations: a worker as large as they are many, and each a few calls, all answered.
"$bench" --quick --no-peers --json --lines '^(calls|growth\.calls)' >"$work/calls" 2>"$work/log" || { cat "$work/log"; exit 1; }
jq -e '([.lines[].line] == ["calls.time", "calls.opening", "calls.memory"]) and all(.lines[]; .ours.median > 0)
    and ([.growth[].line] == ["growth.calls.conversations", "growth.calls_memory.conversations"])
    and ([.growth[].sizes] == [[5, 50, 500], [50, 158, 500]]) and ([.growth[].unit] == ["ms", "MB"])' "$work/calls" >/dev/null ||
    { echo "not the promised JSON:"; cat "$work/calls"; exit 1; }
# The wire: whatever is sealed comes back, with and without TLS.
"$bench" --quick --no-peers --json --lines '^trust' >"$work/trust" 2>"$work/log" || { cat "$work/log"; exit 1; }
jq -e '([.lines[].line] == ["trust.seals", "trust.tls"]) and all(.lines[]; .ours.median > 0 and .floor.median > 0)' "$work/trust" >/dev/null ||
    { echo "not the promised JSON:"; cat "$work/trust"; exit 1; }
# The pool: whatever is submitted ends complete.
"$bench" --quick --no-peers --json --lines '^pool\.task$' >"$work/pool" 2>"$work/log" || { cat "$work/log"; exit 1; }
jq -e '([.lines[].line] == ["pool.task", "pool.task.dask", "pool.task.celery"]) and all(.lines[]; .ours.median > 0 and .floor.median > 0)' "$work/pool" >/dev/null ||
    { echo "not the promised JSON:"; cat "$work/pool"; exit 1; }
# The table names every line, and what misses.
"$bench" --quick --no-peers --lines '^solve\.sse2$' >"$work/table" 2>"$work/log"
grep -q '^work .*| *ours | goal *| *peer | *ratio | *floor$' "$work/table" && grep -q 'solve.sse2' "$work/table" && grep -q '^misses its goal:' "$work/table" ||
    { echo "not the promised table:"; cat "$work/table"; exit 1; }
# A copy more of something takes memory, after a picture and more after every check: no less than what says where it stands.
"$bench" --quick --no-peers --json --lines '^memory\.(copy|checked)$' >"$work/memory" 2>"$work/log" || { cat "$work/log"; exit 1; }
jq -e '([.lines[].line] == ["memory.copy", "memory.checked"]) and all(.lines[]; .unit == "bytes" and .ours.median > 96 and .ours.median < 1e6)
    and .lines[0].ours.median < .lines[1].ours.median' "$work/memory" >/dev/null ||
    { echo "not the promised JSON:"; cat "$work/memory"; exit 1; }
# The commands on a scene of any size.
"$bench" large 20000 20 >"$work/large" 2>&1
grep -q '^21 objects, 1[0-9]* triangles, .*: at most [1-9]' "$work/large" && [ "$(grep -c ' s of processors .* MB$' "$work/large")" -eq 5 ] ||
    { echo "not the promised figures:"; cat "$work/large"; exit 1; }
# A wrong flag is told, and a name that is no line's.
if "$bench" --no-such-flag >/dev/null 2>&1; then echo "took a flag that is none"; exit 1; fi
if "$bench" --lines '^nothing$' >/dev/null 2>&1; then echo "measured nothing and was content"; exit 1; fi
