#!/bin/bash
# Models indexed, listed, found and refused by the real program: what a person types, and what a killed index leaves.
. "$(dirname "$0")/lib.sh"
furniture=/usr/share/sweethome3d/furniture
[ -f $furniture/KatorLegaz.sh3f ] || skip "sweethome3d-furniture is not installed"

"$etna" assets find "a chair" >"$work/out.txt" 2>&1; expect "find before any index" "$?" 3
grep -q "etna assets index" "$work/out.txt" || fail "what to type is not said: $(cat "$work/out.txt")"
"$etna" assets gc >/dev/null 2>&1; expect "gc before any index" "$?" 3
[ -e "$work/store/assets" ] && fail "looking made a store"
"$etna" assets index "$work/nowhere" >/dev/null 2>&1; expect "index of nothing" "$?" 3

# A library, killed on the way, then whole; the same index as one that was never killed, with other workers, and without any.
timeout -s KILL 2 "$etna" assets index $furniture/KatorLegaz.sh3f >/dev/null 2>&1
timeout -s KILL 2 "$etna" assets index $furniture/KatorLegaz.sh3f --workers 8 >/dev/null 2>&1
"$etna" assets index $furniture/KatorLegaz.sh3f --jobs 2 --json >"$work/index.json" || fail "the index fails"
expect "runs left of it" "$("$etna" runs --json | jq '.runs | length')" 0
[ -e "$work/store/assets/lots" ] && fail "models still wait to be read"
"$etna" assets index $furniture/KatorLegaz.sh3f --workers 8 --store "$work/store/eight" --json >"$work/eight.json" || fail "the index by eight fails"
expect "the index's hash by eight workers" "$(jq -r .index "$work/eight.json")" "$(jq -r .index "$work/index.json")"
expect "models read by eight workers" "$(jq .read "$work/eight.json")" 90
expect "models" "$(jq .models "$work/index.json")" 90
"$etna" assets index $furniture/KatorLegaz.sh3f --alone --jobs 1 --store "$work/store/other" --json >"$work/again.json" || fail "the other index fails"
expect "the index's hash" "$(jq -r .index "$work/again.json")" "$(jq -r .index "$work/index.json")"
"$etna" assets index $furniture/KatorLegaz.sh3f --json >"$work/second.json" || fail "the second index fails"
expect "models read again" "$(jq .read "$work/second.json")" 0

"$etna" assets find "a fridge" --json >"$work/found.json"; expect "find" "$?" 0
expect "the first" "$(jq -r '.assets[0].name' "$work/found.json")" Fridge
"$etna" assets find "a trombone" --json >"$work/absent.json"; expect "find what is not there" "$?" 1
expect "found" "$(jq .found "$work/absent.json")" false
"$etna" assets find "the of" >/dev/null 2>&1; expect "find nothing" "$?" 3
"$etna" assets find "a chair" --licence cc0 >/dev/null 2>&1; expect "find under a licence that nothing has" "$?" 1
"$etna" assets show KatorLegaz#29 --json >"$work/show.json" || fail "show fails"
jq -e '.licence == "CC-BY-3.0" and .words.de.name and (.size | length) == 3' "$work/show.json" >/dev/null || fail "show: $(cat "$work/show.json")"
"$etna" assets show KatorLegaz#29 -o "$work/views.png" --side 64 >"$work/show.txt" || fail "no views: $(cat "$work/show.txt")"
grep -q "front; from the right; from behind; from above" "$work/show.txt" || fail "the views are not told: $(cat "$work/show.txt")"
expect "the sheet's width" "$(od -An -j16 -N4 -tu4 --endian=big "$work/views.png" | tr -d ' ')" 128
"$etna" assets show KatorLegaz#29 -o "$work/kept.png" >/dev/null || fail "no views that were kept"
expect "the kept sheet's width" "$(od -An -j16 -N4 -tu4 --endian=big "$work/kept.png" | tr -d ' ')" 512
"$etna" assets show KatorLegaz#29 -o $furniture/KatorLegaz.sh3f >/dev/null 2>&1; expect "a sheet over its library" "$?" 2
expect "assets listed" "$("$etna" assets ls | tail -1)" "90 models"

# How well requests find what they should, beside SQLite's full-text index of the same models.
echo '{"queries": [{"q": "a fridge", "want": {"KatorLegaz#29": 3}}, {"q": "a trombone", "want": {}}]}' >"$work/set.json"
if [ -x /usr/bin/sqlite3 ]; then
    "$etna" bench retrieval "$work/set.json" --fts5 --varied 200 --json >"$work/bench.json" || fail "bench retrieval fails"
    jq -e '[.retrieval[] | select(.ranking == "whole" or .ranking == "SQLite FTS5") | .whole.hit1] == [1, 1]' "$work/bench.json" >/dev/null ||
        fail "the fridge is not found by both: $(cat "$work/bench.json")"
    jq -e '.varied_fts5.bytes > 10000 and .varied_fts5.build_cpu_s >= 0' "$work/bench.json" >/dev/null || fail "SQLite was not measured: $(cat "$work/bench.json")"
fi

# What is gone is forgotten.
mkdir "$work/mine"
cp "$scenes/bottles.glb" "$work/mine/red_bottle.glb"
"$etna" assets index "$work/mine" >/dev/null || fail "a folder fails"
rm "$work/mine/red_bottle.glb"
expect "gc" "$("$etna" assets gc --json | jq .models)" 1

# A list of which a line is not there is no whole one.
cp "$scenes/bottles.glb" "$work/mine/red_bottle.glb"
printf '%s\n' red_bottle.glb gone.glb >"$work/mine/list.txt"
"$etna" assets index "$work/mine/list.txt" --json --store "$work/listed" >"$work/listed.json" 2>"$work/listed.txt"
expect "index of a list with a gap" "$?" 1
expect "left out of it" "$(jq .left_out "$work/listed.json")" 1
printf nothing >"$work/mine/bad.glb"
"$etna" assets index "$work/mine" --store "$work/faulty" >"$work/faulty.txt" 2>/dev/null
grep -q "^2 models: 1 read now, 0 as they were, 1 left out" "$work/faulty.txt" || fail "what is left out is not as it was: $(cat "$work/faulty.txt")"

# More files that are no models than go into one transaction: each is told, in the first index and in the next.
mkdir "$work/many"
for n in $(seq 600); do printf '%s' "$n" >"$work/many/$n.glb"; done
cp "$scenes/bottles.glb" "$work/many/red_bottle.glb"
for turn in first second; do
    "$etna" assets index "$work/many" --json --store "$work/crowd" >"$work/crowd.json" 2>"$work/crowd.txt"
    expect "the $turn index of many files" "$?" 1
    expect "left out, the $turn time" "$(jq .left_out "$work/crowd.json")" 600
    expect "told, the $turn time" "$(grep -c "left out" "$work/crowd.txt")" 600
    expect "found, the $turn time" "$(jq .assets "$work/crowd.json")" 1
done
expect "read again of many files" "$(jq .read "$work/crowd.json")" 0
grep -q "gone.glb: cannot be opened" "$work/listed.txt" || fail "what is not there is not told"
finish
