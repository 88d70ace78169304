# Judges look at clean pictures of the steps that were reached, each with a seed of its own and without a word of what made them;
# what they say comes into results and tables, and is not asked for twice.
. "$(dirname "$0")/lib.sh"
cp "$scenes/bottles.glb" "$work/"
cat >"$work/SUITE.json" <<'JSON'
{"schema": "etna.suite/1", "name": "small", "scenes": [
 {"name": "bottles", "scene": "bottles.glb", "camera": "Camera", "steps": [
   {"text": "Put the red bottle on the yellow block", "after": [{"on": ["Red Bottle", "Yellow Block"]}]},
   {"text": "Put the green bottle on the yellow block", "after": [{"on": ["Green Bottle", "Yellow Block"]}]},
   {"text": "Put the blue bottle on the yellow block", "after": [{"on": ["Blue Bottle", "Yellow Block"]}]}],
  "goal": {"text": "All on the yellow block", "after": [{"on": ["Red Bottle", "Yellow Block"]}]}}]}
JSON
mkdir -p "$work/theirs/bottles"
cp "$scenes/bottles.glb" "$work/theirs/bottles/step-01.glb"
cp "$scenes/bottles.glb" "$work/theirs/bottles/step-03.glb" # the second was not reached
"$etna" bench score "$work/SUITE.json" --from "$work/theirs" --name secret-variant -o "$work/out" >/dev/null 2>"$work/score.txt" || fail "bench score: $(cat "$work/score.txt")"
cp "$work/out/results.jsonl" "$work/before.jsonl"

# First an answer that is none, then scores.
cat >"$work/script.json" <<'JSON'
{"judge": [{"text": "Both look fine to me."},
           {"text": "{\"0\": {\"correctness\": \"good\", \"plausibility\": \"excellent\", \"justification\": \"a\"}, \"1\": {\"correctness\": \"terrible\", \"plausibility\": \"fair\", \"justification\": \"b\"}}"}]}
JSON
script_serve judge "image_side: {judge: 64}"
refused 2 "no judge is named" bench judge "$work/out" --models "$work/models.yaml"
refused 2 "the built-in agent has no eyes" bench judge "$work/out" --judge-model builtin --models "$work/models.yaml"
"$etna" bench judge "$work/out" --judge-model scripted --judges 3 --models "$work/models.yaml" >"$work/table.md" 2>"$work/judge.txt" || fail "bench judge: $(cat "$work/judge.txt")"
expect "calls" "$(grep -c . "$work/judge.ledger")" 6
expect "seeds" "$(jq -r .seed "$work/judge.ledger" | sort -u | grep -c .)" 6
expect "pictures" "$(jq -s 'map(.images) | unique | tostring' -r "$work/judge.ledger")" "[3]"
grep -q "secret" "$work/judge.ledger" && fail "the judges are told what made the steps"
expect "scores" "$(jq -sc 'map(.judged | if . then [.model, .correctness, .plausibility] else null end)' "$work/out/results.jsonl")" '[["scripted",[3,3,3],[4,4,4]],null,["scripted",[0,0,0],[2,2,2]],null]'
jq -c 'del(.judged)' "$work/out/results.jsonl" >"$work/without.jsonl"
jq -c . "$work/before.jsonl" | cmp - "$work/without.jsonl" || fail "what the referee says is another"
grep -q "| 3.000 \[3.000, 3.000\] | 1.500 \[1.500, 1.500\] |.*| 1.000 | 1.000 |$" "$work/table.md" || fail "the means: $(cat "$work/table.md")"

# Nothing is asked twice, but of as many judges.
"$etna" bench judge "$work/out" --judge-model scripted --judges 3 --models "$work/models.yaml" >/dev/null 2>"$work/again.txt" || fail "again: $(cat "$work/again.txt")"
expect "calls in all" "$(grep -c . "$work/judge.ledger")" 6
echo '{"cut' >"$work/out/judgements/bottles.secret-variant.r1.json"
"$etna" bench judge "$work/out" --judge-model scripted --judges 2 --models "$work/models.yaml" >/dev/null 2>"$work/cut.txt" || fail "after a cut file: $(cat "$work/cut.txt")"
expect "calls after a cut file" "$(grep -c . "$work/judge.ledger")" 10

# What it would cost is told beforehand: 3 pictures of a step more for the three of a list, 2 of a goal, five times.
"$etna" bench run "$work/SUITE.json" --estimate --judge-model scripted --model scripted --models "$work/models.yaml" --variant full,branches-2 --store "$work/store" --json >"$work/estimate.json" 2>"$work/estimate.txt" || fail "bench run --estimate: $(cat "$work/estimate.txt")"
expect "runs and judges' calls" "$(jq -c '[.asked, (.by_role[] | select(.role == "judge") | .calls)]' "$work/estimate.json")" '[4,20]'
expect "executors of 4 and of 2 branches" "$(jq -c '.by_role[] | select(.role == "executor") | .calls' "$work/estimate.json")" 24
"$etna" bench run "$work/SUITE.json" --estimate >"$work/free.txt" || fail "the estimate of nothing"
grep -q "costs nothing" "$work/free.txt" || fail "the built-in agent's price: $(cat "$work/free.txt")"
script_stop

# Judges are shown a step nearly done, too: the referee takes what it moved on until it is done no more, and a little farther. It
# is told how often they see that. Neither is asked for twice, but farther off it is another scene.
"$etna" run "$work/bottles.glb" --goal "Put the red bottle on the yellow block" --no-images --step-scenes -o "$work/red" >/dev/null 2>"$work/red.txt" || fail "etna run: $(tail -2 "$work/red.txt")"
jq '{schema, name, scenes: [.scenes[0] | .steps |= .[:1] | del(.goal)]}' "$work/SUITE.json" >"$work/one.json"
mkdir -p "$work/done/bottles"
cp "$work/red/step-01.glb" "$work/done/bottles/"
"$etna" bench score "$work/one.json" --from "$work/done" --name done -o "$work/near" >/dev/null 2>"$work/near.txt" || fail "bench score: $(cat "$work/near.txt")"
cat >"$work/script.json" <<'JSON'
{"judge": [{"text": "{\"0\": {\"correctness\": \"good\", \"plausibility\": \"excellent\", \"justification\": \"a\"}}"}]}
JSON
script_serve nearly "image_side: {judge: 64}"
refused 2 "what is near is no length" bench judge "$work/near" --judge-model scripted --models "$work/models.yaml" --near close
for calls in 4 4; do
    "$etna" bench judge "$work/near" --judge-model scripted --judges 2 --models "$work/models.yaml" --near 0.03 >"$work/near.md" 2>"$work/near.txt" || fail "bench judge --near: $(cat "$work/near.txt")"
    expect "calls with what is nearly done" "$(grep -c . "$work/nearly.ledger")" $calls
done
expect "what they say of both" "$(jq -c '[.done, .judged.correctness, .near.correctness]' "$work/near/results.jsonl")" '[true,[3,3],[3,3]]'
grep -q "^| done | steps | all | judges: near misses seen | 0 | 2 | judges' words of steps that are nearly done |$" "$work/near/metrics.md" || fail "near misses: $(grep judges "$work/near/metrics.md")"
grep -q "| near misses seen |" "$work/near.md" || fail "the table does not tell of near misses"
[ -z "$(find "$work/near/near" -name '*.glb')" ] || fail "scenes were left"
"$etna" bench judge "$work/near" --judge-model scripted --judges 2 --models "$work/models.yaml" --near 0.1 >/dev/null 2>&1 || fail "farther off"
expect "calls with what is farther off" "$(grep -c . "$work/nearly.ledger")" 6
script_stop
mkdir "$work/misses"
"$ETNA_BIN/etna-referee" --near "$work/misses" --past 0.03 "$work/one.json" bottles "$work/bottles.glb" "$work/red/step-01.glb" >"$work/misses.json" || fail "etna-referee --near"
"$ETNA_BIN/etna-referee" --facts "$work/one.json" bottles "$work/bottles.glb" "$work/misses/near-01.glb" >"$work/missed.json" || fail "what is nearly done cannot be judged"
expect "it is not done" "$(jq -c '.steps[0].done' "$work/missed.json")" false
jq -se '.[0].near[0].margin as $said | .[1].steps[0].predicates | map(.margin) | min | . < 0 and (. - $said | fabs) < 0.0001' "$work/misses.json" "$work/missed.json" >/dev/null || fail "it is missed by something else: $(cat "$work/misses.json" "$work/missed.json")"

# Runs and judges have one cap: what the runs have cost is the judges' no more.
serve_builtin
script_serve capped "image_side: {judge: 64}"
sed -i "s|^models:|  served: {wire: chat, url: \"$url\"}\nmodels:\n  priced: {endpoint: served, id: builtin, price: {in: 1, out: 1}, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64}}|" "$work/models.yaml"
capped() { "$etna" bench run "$work/one.json" -o "$work/capped" --no-images --model priced --facts on --models "$work/models.yaml" "$@" >/dev/null 2>"$work/capped.txt"; }
capped || fail "a priced run: $(tail -3 "$work/capped.txt")"
grep -q -- "--repeat 3 or more" "$work/capped.txt" || fail "that one seed of a model is luck is not said"
cost=$(jq .spent "$work/capped/times.jsonl")
capped --judge-model scripted --max-cost "$cost"
expect "the exit code without money for judges" $? 2
grep -q "runs and judges have cost [0-9.]*, the most that --max-cost allows; 1 runs are not judged" "$work/capped.txt" || fail "the common cap: $(tail -2 "$work/capped.txt")"
expect "judges asked beyond the cap" "$(grep -c . "$work/capped.ledger")" 0
capped --judge-model scripted --max-cost "$(jq -n "$cost + 1")" || fail "judges within the cap: $(tail -2 "$work/capped.txt")"
expect "judges asked within the cap" "$(grep -c . "$work/capped.ledger")" 5
script_stop
# What there was no money for did not fail: it is left out of the table, and done with more.
poor() { "$etna" bench run "$work/one.json" -o "$work/poor" --no-images --model priced --facts on --models "$work/models.yaml" --repeat 2 "$@" >"$work/poor.md" 2>"$work/poor.txt"; }
poor --max-cost "$(jq -n "$cost * 1.2 * 100 | floor / 100")"
expect "the exit code of a suite without money for all" $? 1
grep -q "1 of 2 runs were not run and are left out" "$work/poor.txt" || fail "what was not run is not said: $(tail -3 "$work/poor.txt")"
expect "its lines" "$(jq -sc 'map([.repeat, .done])' "$work/poor/results.jsonl")" '[[1,true]]'
poor --max-cost 100 || fail "with more money: $(tail -3 "$work/poor.txt")"
expect "its lines with more money" "$(jq -sc 'map([.repeat, .done])' "$work/poor/results.jsonl")" '[[1,true],[2,true]]'
kill $server
wait $server 2>/dev/null

# A judge that cannot be reached is told, and leaves what there was.
cp "$work/out/results.jsonl" "$work/before.jsonl"
"$etna" bench judge "$work/out" --judge-model scripted --judges 1 --models "$work/models.yaml" >/dev/null 2>"$work/gone.txt"
expect "the exit code without a judge" $? 4
grep -q "scripted: .*Couldn't connect" "$work/gone.txt" || fail "why there is no judge is not said: $(cat "$work/gone.txt")"
cmp "$work/before.jsonl" "$work/out/results.jsonl" || fail "without a judge there are other results"
finish
