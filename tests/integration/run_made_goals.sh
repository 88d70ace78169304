# Goals that nobody wrote (goal-maker), on scenes of the suite and of these tests, judged by the referee, which shares no
# code with what reads and plans. What ends complete must be true, whatever was read; most of them must come true.
# $ETNA_GOALS of them, of the seed $ETNA_GOALS_SEED.
. "$(dirname "$0")/lib.sh"

count=${ETNA_GOALS:-10}
seed=${ETNA_GOALS_SEED:-1}
infos=()
for scene in "$scenes"/composed/*.glb; do
    info=$work/$(basename "$scene" .glb).json
    "$etna" scene info "$scene" --json >"$info" || fail "scene info of $scene"
    infos+=("$(basename "$scene")=$info")
done
"$ETNA_BIN/goal-maker" "$seed" "$count" "${infos[@]}" >"$work/goals.jsonl" || fail "no $count goals of seed $seed"
"$etna" bench import "$work/goals.jsonl" --scenes "$scenes/composed" -o "$work/suite.json" >"$work/import.txt" 2>&1 || fail "$(cat "$work/import.txt")"
"$etna" bench run "$work/suite.json" -o "$work/out" --mode goal --no-images --workers 2 >"$work/bench.txt" 2>&1 || fail "$(tail -3 "$work/bench.txt")"

# untrue: ended complete, and a fact does not hold, or it collides or floats
jq -r 'select(.status == "complete") | select(([.predicates[].holds] | all | not) or (.collisions != []) or (.floating != []) or (.left_behind != [])) |
    "untrue: \(.scene): \(.text) \([.predicates[] | select(.holds | not) | .says] | join(", "))"' "$work/out/results.jsonl" >"$work/untrue.txt"
judged=$(wc -l <"$work/out/results.jsonl")
true_count=$(jq -r 'select(.status == "complete" and ([.predicates[].holds] | all)) | .scene' "$work/out/results.jsonl" | wc -l)
jq -r 'select(.status != "complete") | "not done: \(.scene): \(.text) \(.why)"' "$work/out/results.jsonl"
cat "$work/untrue.txt"
echo "$true_count of $judged goals came true, $(wc -l <"$work/untrue.txt") are told complete and are not"
[ "$judged" -ge $((count * 9 / 10)) ] || fail "only $judged of $count goals were judged"
[ ! -s "$work/untrue.txt" ] || fail "$(wc -l <"$work/untrue.txt") runs say complete and are not"
[ $((true_count * 100)) -ge $((judged * 75)) ] || fail "$true_count of $judged goals came true: under 75 %"
finish
