# A suite run, judged and told. What is wrong with a suite is told before anything begins; killed in the middle and started again it
# ends with the same results; another system's scenes come into the same table.
. "$(dirname "$0")/lib.sh"
cp "$scenes/bottles.glb" "$scenes/stacked.glb" "$work/"
cat >"$work/SUITE.json" <<'JSON'
{"schema": "etna.suite/1", "name": "small", "scenes": [
 {"name": "bottles", "scene": "bottles.glb", "camera": "Camera", "steps": [
   {"text": "Put the red bottle on the yellow block", "after": [{"on": ["Red Bottle", "Yellow Block"]}, {"still but": ["Red Bottle"]}]},
   {"text": "Put the green bottle on the yellow block", "after": [{"on": ["Green Bottle", "Yellow Block"]}, {"left of": ["Green Bottle", "Red Bottle"], "least": 9}]}]},
 {"name": "stacked", "scene": "stacked.glb", "level": "hard", "split": "test", "steps": [
   {"text": "Put the piano on the moon", "after": [{"moved": ["Tray"]}]}],
  "goal": {"text": "Put the book on the yellow block", "after": [{"on": ["Book", "Yellow Block"]}]}}]}
JSON

# Nothing begins by a wrong suite, or a wrong flag.
sed 's/"on": \["Green Bottle", "Yellow Block"\]/"on": ["Green Bottle"]/' "$work/SUITE.json" >"$work/wrong.json"
faulty "a wrong suite" "wrong.json, line 4: scenes\[0\].steps\[1\].after\[0\].on: wants a list of 2 things" bench run "$work/wrong.json" -o "$work/none"
refused 2 "a variant that is none" bench run "$work/SUITE.json" -o "$work/none" --variant full,best
refused 2 "no folder" bench run "$work/SUITE.json"
refused 2 "a scene that is none" bench run "$work/SUITE.json" -o "$work/none" --scene attic
refused 3 "a folder that is none" bench score "$work"
[ ! -e "$work/none" ] || fail "something wrong made its folder"

# What a suite names is looked for before anything runs; the mended suite begins in the same folder, with its scenes made anew.
sed 's/"Green Bottle", "Red Bottle"/"Green Botle", "Red Bottle"/' "$work/SUITE.json" >"$work/named.json"
faulty "a name that no node has" "named.json, line 4: scenes\[0\].steps\[1\].after\[1\].left of\[0\]: no node is named \"Green Botle\"" \
    bench run "$work/named.json" -o "$work/named"
[ ! -e "$work/named/manifest.json" ] && [ -z "$(ls "$work/named/runs")" ] || fail "something ran by a wrong name"

# A suite that was copied without its scenes: one line, and nothing is composed for it.
jq '.scenes[1].scene = "gone.json" | .scenes[0].scene = "there.json"' "$work/SUITE.json" >"$work/alone.json"
echo '{}' >"$work/there.json"
faulty "a spec that is not there" "alone.json, line [0-9]*: scenes\[1\].scene: .*/gone.json: is not there; scenes stand beside the suite that names them" \
    bench run "$work/alone.json" -o "$work/alone"
[ -z "$(ls "$work/alone/scenes")" ] || fail "something was composed for a suite without its scenes"

"$etna" bench run "$work/SUITE.json" -o "$work/calm" --no-images --workers 2 >"$work/calm.md" 2>"$work/calm.txt" || fail "bench run: $(tail -3 "$work/calm.txt")"
expect "lines of results" "$(grep -c . "$work/calm/results.jsonl")" 4
jq -sc 'map([.scene, .mode, .step, .reached, .done])' "$work/calm/results.jsonl" >"$work/told.txt"
expect "what is told" "$(cat "$work/told.txt")" '[["bottles","steps",1,true,true],["bottles","steps",2,true,false],["stacked","steps",1,false,false],["stacked","goal",1,true,true]]'
jq -se '.[1].predicates | .[0].holds and (.[1].holds | not) and .[1].margin < -8' "$work/calm/results.jsonl" >/dev/null || fail "the predicates of the second step"
jq -se '.[2] | .status == "failed" and (.why | test("piano"))' "$work/calm/results.jsonl" >/dev/null || fail "why a list was refused: $(sed -n 3p "$work/calm/results.jsonl")"
grep -q '^| full | steps | all | branches of instruction 1 | [1-4] | 1 | its kept edits |$' "$work/calm/metrics.md" || fail "the measures: $(cat "$work/calm/metrics.md")"
grep -q $'^full,steps,all,evaluator: asked again,0,[1-9][0-9]*,its calls\r$' "$work/calm/metrics.csv" || fail "what evaluators were asked again: $(cat "$work/calm/metrics.csv")"
grep -q '^| full | steps | all | success of the best branch | 0.5 | 2 | edits that were to end an instruction |$' "$work/calm/metrics.md" || fail "the best branches: $(cat "$work/calm/metrics.md")"
grep -q '^| full | steps | all | false accepts of branches | 0.5 | 2 | branches that evaluators accepted |$' "$work/calm/metrics.md" || fail "false accepts of branches"
for file in manifest.json table.md table.tex table.csv metrics.md metrics.csv report.html times.jsonl; do [ -s "$work/calm/$file" ] || fail "$file is not there"; done
grep -q '^| full | steps | all | 2 | 3 | 1 | 0.333 ' "$work/calm.md" || fail "the table: $(cat "$work/calm.md")"
# What made the results: the commit where this was built of one, the prompts, and no models where the built-in agent did it all.
jq -e '(.commit | . == null or test("^[0-9a-f]{40}(-dirty)?$")) and (.prompts | test("^[0-9a-f]{64}$")) and has("models") and .models == null' \
    "$work/calm/manifest.json" >/dev/null || fail "the manifest: $(cat "$work/calm/manifest.json")"
# Each run tells what its own tasks computed, whoever shares its workers.
jq -se 'length == 2 and all(.[]; .compute_s > 0.01 and .compute_s < 2 * .wall_s + 1 and .model_s == 0)' "$work/calm/times.jsonl" >/dev/null || fail "what runs computed: $(cat "$work/calm/times.jsonl")"
grep -q '^| full | steps | all | seconds of computing, median | [0-9.]* | 1 | runs whose workers told it |$' "$work/calm/metrics.md" || fail "the measure of computing"
expect "what Bullet sees otherwise" "$(cat "$work/calm/disagreements.jsonl")" ""
"$ETNA_BIN/etna-referee" --help >/dev/null || fail "etna-referee --help"

# Killed at any time and started again.
for pause in 0.3 1.1; do
    "$etna" bench run "$work/SUITE.json" -o "$work/killed" --no-images --workers 2 >/dev/null 2>&1 &
    pid=$!
    sleep $pause
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
done
"$etna" bench run "$work/SUITE.json" -o "$work/killed" --no-images --workers 2 >/dev/null 2>"$work/killed.txt" || fail "after two deaths: $(tail -3 "$work/killed.txt")"
cmp "$work/calm/results.jsonl" "$work/killed/results.jsonl" || fail "killed and started again it has other results"
refused 2 "another plan in the same folder" bench run "$work/SUITE.json" -o "$work/killed" --repeat 2

# Evaluators that turn down what is right are held against the predicates: the scenes of branches that were not kept are made
# of their snapshots and judged, too.
jq '{schema, name: "picky", scenes: [.scenes[0] | .steps = [{text: "Put the green bottle on the floor", after: [{moved: ["Green Bottle"]}]}]]}' \
    "$work/SUITE.json" >"$work/picky.json"
jq -n '{planner: [{text: "[updated_instruction]\nPut the green bottle on the floor.\n[end of updated_instruction]\n[coordinate]\nThe bottom of the object should be around [0.7, 0.7].\n[end of coordinate]"}],
    executor: [{text: "[constraints]\n[\"ObjectName\", \"Green Bottle\"], [\"CloseToPix\", \"down\", [0.02, 0.02]], [\"Contact\", \"down\", \"Blue Block_up\"]\n[end of constraints]\n<completion>"},
        {text: "[constraints]\n[\"ObjectName\", \"Green Bottle\"], [\"CloseToPix\", \"down\", [0.7, 0.7]], [\"Contact\", \"down\", \"Floor_up\"]\n[end of constraints]\n<completion>"}],
    evaluator: [{text: "[evaluation]\nvisual_exam: I do not like it.\nverdict: terrible\n[end of evaluation]"}]}' >"$work/script.json"
script_serve picky "image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}"
"$etna" bench run "$work/picky.json" -o "$work/picky" --no-images --model scripted --models "$work/models.yaml" >/dev/null 2>"$work/picky.txt" || fail "a run whose evaluators are picky: $(tail -3 "$work/picky.txt")"
script_stop
expect "the model that ran" "$(jq -c '.models.models | map(.id)' "$work/picky/manifest.json")" '["scripted"]'
# An executor's first constraints have no solution: its branches tell their end alone, the measures all tries.
grep -q $'^full,steps,all,tries unsolved,0.5,[1-9][0-9]*,constraints tried by these branches\r$' "$work/picky/metrics.csv" || fail "tries: $(grep tries "$work/picky/metrics.csv")"
expect "pictures that planners were sent" "$(jq .images.planner "$work/picky/times.jsonl")" "$(jq -s 'map(select(.role == "planner").images) | add' "$work/picky.ledger")"
expect "what they turned down" "$(jq -c '[.reached, .tried.rejected > 0, .tried.rejected == .tried.rejected_done, .tried.accepted, .tried.unseen]' "$work/picky/results.jsonl")" '[false,true,true,0,0]'
grep -q $'^full,steps,all,false rejects of branches,1,[1-9][0-9]*,branches that evaluators rejected\r$' "$work/picky/metrics.csv" || fail "false rejects: $(cat "$work/picky/metrics.csv")"
[ -z "$(ls "$work/picky/tried")" ] || fail "scenes of branches were left: $(ls "$work/picky/tried")"
"$etna" scene export "$work/stacked.glb" --snapshot "$work/picky/runs/bottles.full.r1/tried-01.snapshot" -o "$work/other.glb" >/dev/null 2>&1
expect "a snapshot of another scene" $? 3

# Judged again, nothing changes; another system's scenes stand in the same table.
cp "$work/calm/results.jsonl" "$work/before.jsonl"
"$etna" bench score "$work/calm" >/dev/null 2>&1 || fail "bench score"
cmp "$work/before.jsonl" "$work/calm/results.jsonl" || fail "judged again it has other results"
mkdir -p "$work/theirs/bottles"
cp "$work/calm/runs/bottles.full.r1/step-01.glb" "$work/theirs/bottles/step-01.glb"
"$etna" bench score "$work/SUITE.json" --from "$work/theirs" --name theirs -o "$work/other" >/dev/null 2>"$work/other.txt" || fail "bench score --from: $(cat "$work/other.txt")"
expect "theirs" "$(jq -sc 'map([.scene, .mode, .step, .reached, .done])' "$work/other/results.jsonl")" '[["bottles","steps",1,true,true],["bottles","steps",2,false,false],["stacked","steps",1,false,false],["stacked","goal",1,false,false]]'
"$etna" bench table "$work/calm" "$work/other" --form csv >"$work/both.csv" || fail "bench table of two"
grep -q '^theirs,steps,all,2,3,2,0.333,' "$work/both.csv" || fail "theirs is not in the table: $(cat "$work/both.csv")"
"$etna" bench compare "$work/calm" "$work/other" --by completion --base full -o "$work/compare.html" >"$work/compare.txt" || fail "bench compare"
grep -q "/calm/runs/bottles.full.r1/step-02.png" "$work/compare.html" || fail "the page of what differs"
grep -q '^theirs  *-0.250 .*2 scenes; p 1.0000' "$work/compare.txt" || fail "the comparison: $(cat "$work/compare.txt")"
refused 2 "a base that is none" bench compare "$work/calm" "$work/other" --base fulll
grep -q "1 of 4 scenes are there" "$work/other.txt" || fail "how many scenes there are is not said: $(cat "$work/other.txt")"
mkdir "$work/empty"
faulty "a folder without a scene" "empty: has no scene of the suite, as bottles/step-01.glb" bench score "$work/SUITE.json" --from "$work/empty" --name theirs -o "$work/other3"
faulty "a folder for a suite" "empty: Is a directory" bench score "$work/empty" --from "$work/theirs" --name theirs -o "$work/other4"
# It is seen before anything is composed for it.
jq '.scenes[1].scene = "there.json"' "$work/SUITE.json" >"$work/composed.json"
faulty "a folder without a scene of a suite with specs" "empty: has no scene of the suite" bench score "$work/composed.json" --from "$work/empty" --name theirs -o "$work/other4"
head -1 "$work/other/table.md" | grep -q "plausibility\|alpha" && fail "judges have columns where nobody judged"
head -1 "$work/other/table.csv" | grep -q "plausibility,plausibility low,plausibility high,.*alpha" || fail "programs miss columns"
expect "columns of TeX" "$(sed -n 's/^.begin{tabular}{lll\*{\([0-9]*\)}{r}}$/\1/p' "$work/other/table.tex")" "$(($(sed -n 3p "$work/other/table.tex" | tr -cd '&' | wc -c) - 2))"
# Nodes that another system renamed are told; else nobody would know why all of it fails.
mkdir -p "$work/renamed/bottles"
LC_ALL=C sed 's/"Red Bottle"/"Rad Bottle"/; s/"Green Bottle"/"Graan Bottle"/; s/"Blue Bottle"/"Blau Bottle"/; s/ Block"/ Brick"/g; s/"Table"/"Tisch"/g' \
    "$work/theirs/bottles/step-01.glb" >"$work/renamed/bottles/step-01.glb"
"$etna" bench score "$work/SUITE.json" --from "$work/renamed" --name renamed -o "$work/other5" >/dev/null 2>"$work/renamed.txt" || fail "renamed nodes: $(cat "$work/renamed.txt")"
grep -q 'bottles, step 1: [0-9]* of the scene.s [0-9]* things have no node of their name here, as "' "$work/renamed.txt" || fail "renamed nodes are not told: $(cat "$work/renamed.txt")"
echo broken >"$work/theirs/bottles/step-02.glb"
"$etna" bench score "$work/SUITE.json" --from "$work/theirs" --name theirs -o "$work/other2" >/dev/null 2>"$work/broken.txt"
expect "a scene that cannot be read" $? 3
grep -q "step-02.glb: it is no glTF" "$work/broken.txt" || fail "what is wrong with it is not said"

# People choose between what two came to; the page does not say whose it is, and who is not awake does not count.
jq '{schema, name: "one", scenes: [.scenes[0] | .steps |= .[:1]]}' "$work/SUITE.json" >"$work/one.json"
mkdir -p "$work/good/bottles" "$work/lazy/bottles"
cp "$work/calm/runs/bottles.full.r1/step-01.glb" "$work/good/bottles/"
cp "$work/bottles.glb" "$work/lazy/bottles/step-01.glb"
for name in good lazy; do
    "$etna" bench score "$work/one.json" --from "$work/$name" --name $name -o "$work/by_$name" >/dev/null 2>"$work/$name.txt" || fail "bench score of $name: $(cat "$work/$name.txt")"
done
refused 2 "no goals to compare" bench compare "$work/by_good" "$work/by_lazy" --base good --mode goal
refused 2 "no page" bench study "$work/by_good"
refused 2 "nothing to choose" bench study "$work/by_good" -o "$work/page"
"$etna" bench study "$work/by_good" "$work/by_lazy" -o "$work/page" >"$work/study.txt" 2>&1 || fail "bench study: $(cat "$work/study.txt")"
grep -q "page/index.html: 2 pairs" "$work/study.txt" || fail "the page: $(cat "$work/study.txt")"
for file in index.html study.css study.js pairs.js key.json; do [ -s "$work/page/$file" ] || fail "$file is not there"; done
for picture in $(jq -r '.pairs[] | .a, .b, .start' <(sed 's/^const study = //' "$work/page/pairs.js")); do [ -s "$work/page/pictures/$picture.png" ] || fail "$picture is not drawn"; done
grep -q "good\|lazy" "$work/page/pairs.js" && fail "the page says whose the pictures are"
# vote WHO KNOWN CHOICE: who sees that the known pair's second picture is the start if KNOWN is right, and prefers CHOICE, by its system
vote() {
    jq -c --arg who "$1" --arg known "$2" --argjson choice "$3" '{schema: "etna.votes/1", study: .id, who: $who, votes: [.pairs[]
        | (if .known then ($known == "right") else (.a == $choice) end) as $first
        | (if $first != .turned then "a" else "b" end) as $said | {pair, physical: "tie", plausible: $said, consistent: $said}]}' "$work/page/key.json" >"$work/$1.json"
}
vote ann right 0
vote bob right 0
vote cid right 1
vote dud wrong 1
"$etna" bench study --count "$work/page" "$work"/{ann,bob,cid,dud}.json --json >"$work/votes.json" 2>"$work/votes.txt" || fail "counting votes: $(cat "$work/votes.txt")"
expect "who is counted" "$(jq -c '[.persons, .left_out]' "$work/votes.json")" '[3,1]'
expect "whom they prefer" "$(jq -c '.questions | map([.question, .pairs[0].win * 3, .pairs[0].tie * 3])' "$work/votes.json")" '[["physical",0,3],["plausible",2,0],["consistent",2,0]]'
jq -e '.questions[1].ratings | .[0].system == "good" and .[0].elo > .[1].elo and .[0].low <= .[0].elo' "$work/votes.json" >/dev/null || fail "the ratings: $(cat "$work/votes.json")"
refused 2 "counting nothing" bench study --count "$work/page"
"$etna" bench study "$work/by_good" "$work/by_lazy" -o "$work/page" >/dev/null 2>&1 || fail "the same page made again"
jq -c '.id = "00"' "$work/page/key.json" >"$work/key.json"
mkdir "$work/page2" && cp "$work/key.json" "$work/page2/"
refused 2 "a page over another study's key" bench study "$work/by_good" "$work/by_lazy" -o "$work/page2"
cmp "$work/key.json" "$work/page2/key.json" || fail "another study's key is gone"
sed -i 's/"study":"/"study":"0/' "$work/ann.json"
faulty "votes over another page" "has votes over another page" bench study --count "$work/page" "$work/ann.json"

# Goals of others become a suite; what it cannot hold is left out and told.
cat >"$work/goals.jsonl" <<'JSON'
{"id": "b-1", "scene": "bottles.glb", "goal": "Put the red bottle on the yellow block", "level": "hard", "facts": [["on_top", "Red Bottle", "Yellow Block"], ["others_still", ["Red Bottle"]]]}
{"id": "b-2", "scene": "bottles.glb", "goal": "Line them up", "facts": [["aligned", ["Red Bottle", "Green Bottle"]]]}
{"id": "b-3", "scene": "bottles.glb", "goal": "Leave the piano", "facts": [["still", "Piano"]]}
{"id": "b-4", "scene": "attic.glb", "goal": "Tidy up", "facts": [["still", "Red Bottle"]]}
JSON
"$etna" bench import "$work/goals.jsonl" --scenes "$work" -o "$work/goals.json" >"$work/import.txt" 2>"$work/left.txt" || fail "bench import: $(cat "$work/left.txt")"
grep -q "goals.json: 1 goals; 3 left out" "$work/import.txt" || fail "what was imported: $(cat "$work/import.txt")"
for words in 'b-2: no predicate says "aligned"' 'b-3: no node is named "Piano"' "b-4: attic.glb: is not there"; do grep -q "^left out: $words$" "$work/left.txt" || fail "\"$words\" is not told: $(cat "$work/left.txt")"; done
"$ETNA_BIN/etna-referee" --goal "$work/goals.json" b-1 "$work/bottles.glb" "$work/calm/runs/bottles.full.r1/step-01.glb" >"$work/b-1.json" || fail "the imported goal is not judged"
grep -q '"most": 0.03,\?$' "$work/goals.json" || fail "numbers are not as people write them: $(grep most "$work/goals.json")"
sed -n '4p; 4s/b-4/b-5/p; 4s/b-5/b-6/p' "$work/goals.jsonl" >"$work/lost.jsonl"
"$etna" bench import "$work/lost.jsonl" --scenes "$work" -o "$work/lost.json" >/dev/null 2>"$work/lost.txt"
expect "goals of which none can be held" $? 3
tail -1 "$work/lost.txt" | grep -q "none of its 3 goals can be one of a suite (scenes are looked for beneath --scenes)" || fail "that none is left is not said: $(cat "$work/lost.txt")"
expect "a scene that is not there" "$(head -n -1 "$work/lost.txt")" "left out: b-4: attic.glb: is not there
left out: 2 more of that scene"
expect "the imported goal" "$(jq -c '[.steps[0].done, (.steps[0].predicates | map(.says))]' "$work/b-1.json")" '[true,["Red Bottle on Yellow Block","still but Red Bottle"]]'

# A house of others becomes a scene, and what it says stands on something a task that the referee can judge.
cat >"$work/house.json" <<'JSON'
{"rooms": [{"floorPolygon": [{"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 4}, {"x": 4, "y": 0, "z": 4}, {"x": 4, "y": 0, "z": 0}]}], "walls": [],
 "objects": [{"id": "Desk|1", "assetId": "d", "position": {"x": 1, "y": 0.35, "z": 1}, "children": [{"id": "Mug|2", "assetId": "m", "position": {"x": 1, "y": 0.7501, "z": 1}}]},
             {"id": "SideTable|3", "assetId": "d", "position": {"x": 3, "y": 0.35, "z": 3}, "children": [{"id": "Book|4", "assetId": "m", "position": {"x": 3, "y": 0.7501, "z": 3}}]}]}
JSON
echo '{"d": [1, 0.7, 0.6], "m": [0.1, 0.1, 0.1]}' >"$work/sizes.json"
"$etna" bench rooms "$work/house.json" --sizes "$work/sizes.json" -o "$work/rooms" >"$work/rooms.txt" || fail "bench rooms: $(cat "$work/rooms.txt")"
expect "its tasks" "$(jq -c '[.scenes[].steps[].text]' "$work/rooms/SUITE.json")" '["Put the mug on the side table.","Put the book on the desk."]'
"$etna" bench run "$work/rooms/SUITE.json" -o "$work/house" --no-images >/dev/null 2>"$work/house.txt" || fail "a run of a house: $(tail -3 "$work/house.txt")"
expect "what came of it" "$(jq -sc 'map(.done)' "$work/house/results.jsonl")" '[true,true]'
faulty "sizes that are none" "house.json: the file of sizes tells no asset's" bench rooms "$work/house.json" --sizes "$work/house.json" -o "$work/rooms"
echo '{"rooms": 1}' >"$work/none.json"
faulty "what is no room" "none.json: it is no house" bench rooms "$work/none.json" -o "$work/rooms"
finish
