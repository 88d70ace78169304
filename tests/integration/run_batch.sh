# Many scenes as one command. What is wrong with the list is told before anything begins; a scene that cannot be read, or a goal
# that cannot be reached, stops no other line; killed in the middle and started again it ends with the same summary, and does
# nothing twice; a second start stays with the first; a coordinator carries a batch, too.
. "$(dirname "$0")/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
line() { jq -nc --arg name "$1" --arg scene "$2" --arg goal "$3" --argjson seed "$4" '{name: $name, scene: $scene, goal: $goal, seed: $seed, flags: ["--no-images", "--polls", "1"]}'; }
cp "$scene" "$work/beside.glb"
head -c 5000 "$scene" >"$work/broken.glb"
for i in 1 2 3 4 5 6; do line "a$i" "$scene" "$goal" $i; done >"$work/list.jsonl"
line poisoned broken.glb "$goal" 0 >>"$work/list.jsonl"
line missing nowhere.glb "$goal" 0 >>"$work/list.jsonl"
line refused "$scene" "Put the piano on the moon" 0 >>"$work/list.jsonl"
jq -nc '{name: "list", scene: "beside.glb", steps: ["Put the red bottle on the yellow block", "Put the green bottle on the yellow block"]}' >>"$work/list.jsonl"
for i in 7 8; do line "a$i" beside.glb "$goal" $i; done >>"$work/list.jsonl"

# Nothing begins by a wrong list.
{ cat "$work/list.jsonl"; line a3 "$scene" "$goal" 0; } >"$work/twice.jsonl"
refused 3 "a name that is there twice" batch "$work/twice.jsonl" -o "$work/wrong"
line ../a "$scene" "$goal" 0 >"$work/unsafe.jsonl"
refused 3 "an unsafe name" batch "$work/unsafe.jsonl" -o "$work/wrong"
line a "$scene" "$goal" 0 | jq -c '.flags = ["--store", "/tmp/x"]' >"$work/flags.jsonl"
refused 3 "a flag that is the batch's" batch "$work/flags.jsonl" -o "$work/wrong"
line a "$scene" "$goal" 0 | jq -c '.flags = ["--model", "nobody"]' >"$work/model.jsonl"
refused 3 "a model that is none" batch "$work/model.jsonl" -o "$work/wrong"
refused 2 "a batch without a folder" batch "$work/list.jsonl"
[ ! -e "$work/wrong" ] || fail "a wrong list made its folder"
[ ! -e "$ETNA_STORE" ] || fail "a wrong list touched the store"

# The whole list, undisturbed.
"$etna" batch "$work/list.jsonl" -o "$work/calm" --workers 2 --json >"$work/calm.json" 2>"$work/calm.txt"
expect "a batch of which some fail" "$?" 1
is calm '.schema == "etna.batch/1" and .complete == 9 and .failed == 3 and .open == 0'
is calm '[.runs[].name] == ["a1","a2","a3","a4","a5","a6","poisoned","missing","refused","list","a7","a8"]'
is calm '.causes.scene == 2'
grep -q "12 of 12 done, 3 failed" "$work/calm.txt" || fail "no line of progress: $(cat "$work/calm.txt")"
for name in a1 a8 list; do
    [ -s "$work/calm/$name/result.glb" ] && [ -s "$work/calm/$name/report.html" ] || fail "$name has no results"
done
[ ! -e "$work/calm/poisoned" ] || fail "a scene that could not be read has results"
expect "lines of summary.csv" "$(wc -l <"$work/calm/summary.csv")" 13
grep -q "^poisoned,error,3," "$work/calm/summary.csv" || fail "summary.csv does not tell of the poisoned line"
grep -q "Failures by cause" "$work/calm/summary.html" || fail "summary.html has no failures"
expect "edits of a list of steps" "$(jq '.steps | length' "$work/calm/list/run.json")" 2
"$etna" run "$scene" --goal "$goal" --seed 4 --no-images --polls 1 --json -o "$work/lone" >"$work/lone.json" 2>"$work/lone.txt"
expect "the same run alone" "$(json "$work/lone.json" .final_snapshot)" "$(json "$work/calm/a4/run.json" .final_snapshot)"
cmp -s "$work/lone/result.glb" "$work/calm/a4/result.glb" || fail "a4 has another result.glb than alone"

# Started again nothing is done, and the same is told.
cp "$work/calm/summary.csv" "$work/before.csv"
runs() { "$etna" runs --json | jq '.runs | length'; }
count=$(runs)
"$etna" batch "$work/list.jsonl" -o "$work/calm" --json >"$work/again.json" 2>"$work/again.txt"
expect "a batch started again" "$?" 1
cmp -s "$work/calm.json" "$work/again.json" || fail "started again it tells something else"
cmp -s "$work/before.csv" "$work/calm/summary.csv" || fail "started again it writes another summary"
expect "runs after another start" "$(runs)" "$count"

# Killed in the middle, twice, and started again: the same summary, no run begun twice.
ended() { grep -c '"state":"ended"' "$1/.batch/journal" 2>/dev/null || :; }
for death in 1 2; do
    "$etna" batch "$work/list.jsonl" -o "$work/killed" --workers 2 >"$work/killed.txt" 2>&1 &
    batch=$!
    some_ended() { [ "$(ended "$work/killed")" -ge $((3 * death)) ]; }
    await "nothing ends before death $death" $batch some_ended
    kill -9 $batch
    wait $batch 2>/dev/null
done
printf '{"cut off' >>"$work/killed/.batch/journal" # as a death in the middle of a write leaves it
count=$(runs)
"$etna" batch "$work/list.jsonl" -o "$work/killed" --workers 2 >"$work/killed.txt" 2>&1
expect "a batch after two deaths" "$?" 1
cmp "$work/killed/summary.csv" "$work/calm/summary.csv" || fail "another summary after two deaths"
for name in a1 a2 a3 a4 a5 a6 list a7 a8; do
    cmp -s "$work/killed/$name/result.glb" "$work/calm/$name/result.glb" || fail "$name has another result.glb after two deaths"
done
expect "runs of two batches and one alone" "$(runs)" 21

# What was changed since is done anew, and nothing else.
line a2 "$scene" "Put the blue bottle on the yellow block" 2 >"$work/other.jsonl"
sed '/"a2"/d' "$work/list.jsonl" >>"$work/other.jsonl"
"$etna" batch "$work/other.jsonl" -o "$work/killed" --json >"$work/other.json" 2>"$work/other.txt"
expect "a batch with another line" "$?" 1
is other '.complete == 9'
expect "runs after another line" "$(runs)" 22
rm -r "$work/killed/a3"
"$etna" batch "$work/other.jsonl" -o "$work/killed" >"$work/lost.txt" 2>&1
cmp -s "$work/killed/a3/result.glb" "$work/calm/a3/result.glb" || fail "results that were removed are not fetched again"
expect "runs after results were removed" "$(runs)" 22

# The folder may be renamed in the middle; all results are in it then, and nothing where it was.
mkdir "$work/aside"
"$etna" batch "$work/list.jsonl" -o "$work/moved" --workers 2 >"$work/moved.txt" 2>&1 &
batch=$!
some_moved() { [ "$(ended "$work/moved")" -ge 3 ]; }
await "nothing ends before the folder is renamed" $batch some_moved
mv "$work/moved" "$work/aside/renamed"
wait $batch
expect "a batch whose folder is renamed" "$?" 1
[ ! -e "$work/moved" ] || fail "the folder is back at its old place: $(ls "$work/moved" | head -3)"
cmp "$work/aside/renamed/summary.csv" "$work/calm/summary.csv" || fail "another summary after a rename"
for name in a1 a8 list; do
    cmp -s "$work/aside/renamed/$name/result.glb" "$work/calm/$name/result.glb" || fail "$name is not in the renamed folder"
done

# Of a folder that is removed one line tells, and no line of the list is told as failed.
"$etna" batch "$work/list.jsonl" -o "$work/gone" --workers 2 >"$work/gone.txt" 2>&1 &
batch=$!
some_gone() { [ "$(ended "$work/gone")" -ge 3 ]; }
await "nothing ends before the folder is removed" $batch some_gone
kill -STOP $batch # wherever it is in its work
rm -rf "$work/gone"
kill -CONT $batch
wait $batch
expect "a batch whose folder is removed" "$?" 4
grep -q "the folder was removed" "$work/gone.txt" || fail "not said that the folder is gone: $(tail -3 "$work/gone.txt")"

# A second start stays with the first, and goes on when that one is killed. SIGINT says how to go on.
line b1 "$scene" "$goal" 1 >"$work/few.jsonl"
for i in 2 3 4; do line "b$i" "$scene" "$goal" $i; done >>"$work/few.jsonl"
"$etna" batch "$work/few.jsonl" -o "$work/shared" --workers 1 >"$work/first.txt" 2>&1 &
first=$!
await "the first does not begin" $first grep -q begun "$work/shared/.batch/journal"
"$etna" batch "$work/few.jsonl" -o "$work/shared" >"$work/second.txt" 2>&1 &
second=$!
await "the second does not stay" $second grep -q "staying with it" "$work/second.txt"
kill -9 $first
wait $first 2>/dev/null
wait $second
expect "a second start over the first one's death" "$?" 0
expect "rows of the summary" "$(grep -c ",complete," "$work/shared/summary.csv")" 4
mkdir "$work/blocked" && echo "of somebody's" >"$work/blocked/b2"
"$etna" batch "$work/few.jsonl" -o "$work/blocked" --json >"$work/blocked.json" 2>"$work/blocked.txt"
expect "a batch of which a line's folder is a file" "$?" 1
is blocked '.complete == 3 and .failed == 1 and .causes.output == 1'
expect "that file" "$(cat "$work/blocked/b2")" "of somebody's"
"$etna" batch "$work/list.jsonl" -o "$work/stopped" --json >"$work/stopped.json" 2>"$work/stopped.txt" &
batch=$!
await "nothing is begun" $batch grep -q begun "$work/stopped/.batch/journal"
kill -INT $batch
wait $batch
expect "a batch after SIGINT" "$?" 130
is stopped '.schema == "etna.error/1" and .error.code == "cancelled" and (.error.do | test("etna batch"))'
grep -q "go on with: etna batch" "$work/stopped.txt" || fail "it is not told how to go on: $(cat "$work/stopped.txt")"
[ -s "$work/stopped/summary.csv" ] || fail "an interrupted batch has no summary"

# By a coordinator, which is killed and started again.
serve() {
    "$etna" coordinator --listen "ipc://$work/c.sock" --workers 2 --store "$work/theirs" >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
serve one
"$etna" batch "$work/list.jsonl" -o "$work/remote" --connect "ipc://$work/c.sock" >"$work/remote.txt" 2>&1 &
batch=$!
some_ended() { [ "$(ended "$work/remote")" -ge 3 ]; }
await "nothing ends by --connect" $batch some_ended
kill -9 $coordinator
wait $coordinator 2>/dev/null
serve two
wait $batch
expect "a batch over its coordinator's death" "$?" 1
cmp "$work/remote/summary.csv" "$work/calm/summary.csv" || fail "another summary by --connect"
kill -TERM $coordinator
wait $coordinator

# On a store that another run's process owns it is carried by that one, and carries all when that one is killed.
"$etna" run "$scene" --goal "Put all three bottles on the yellow block" --branches 8 --polls 9 --no-images >"$work/owner.txt" 2>&1 &
owner=$!
one_of() { own=$("$etna" runs --json | jq -r '[.runs[] | select(.goal | test("all three")) | .run][0] // empty'); [ -n "$own" ]; }
await "the owner's run is not there" $owner one_of
"$etna" batch "$work/few.jsonl" -o "$work/guest" >"$work/guest.txt" 2>&1 &
batch=$!
await "the guest begins nothing" $batch grep -q begun "$work/guest/.batch/journal"
kill -9 $owner
wait $owner 2>/dev/null
wait $batch
expect "a batch over the death of its store's owner" "$?" 0
state=$("$etna" runs --json | jq -r ".runs[] | select(.run == \"$own\") | .status")
[ "$state" = complete ] || fail "the killed owner's own run is $state"
cut -d, -f1-9 "$work/guest/summary.csv" >"$work/guest.csv"
cut -d, -f1-9 "$work/shared/summary.csv" | cmp - "$work/guest.csv" || fail "another summary by a guest"

# Money: all together spend no more than what the batch may; with more of it what was not begun is done.
serve_builtin
cat >"$work/priced.yaml" <<END
endpoints:
  served: {wire: chat, url: "$url"}
models:
  served: {endpoint: served, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}, price: {in: 1, out: 2}}
END
export ETNA_MODELS=$work/priced.yaml
priced() { jq -nc --arg name "$1" --arg scene "$scene" --arg goal "$goal" --arg most "$2" '{name: $name, scene: $scene, goal: $goal, flags: ["--no-images", "--model", "served", "--facts", "on", "--branches", "1", "--polls", "1", "--max-cost", $most]}'; }
priced one 100 >"$work/price.jsonl"
"$etna" batch "$work/price.jsonl" -o "$work/price" --json >"$work/price.json" 2>"$work/price.txt"
expect "a priced batch" "$?" 0
is price '.cost > 0'
each=$(jq '.cost * 1.5 * 1e6 | floor / 1e6' "$work/price.json")
all=$(jq '.cost * 2.6 * 1e6 | floor / 1e6' "$work/price.json")
for i in 1 2 3 4; do priced "p$i" "$each"; done >"$work/priced.jsonl"
"$etna" batch "$work/priced.jsonl" -o "$work/priced" --max-cost "$all" --json >"$work/priced.json" 2>"$work/priced.txt"
expect "a batch whose money does not do" "$?" 1
is priced ".cost <= $all and .complete >= 2 and .complete < 4 and .causes.money >= 1"
"$etna" batch "$work/priced.jsonl" -o "$work/priced" --max-cost 100 --json >"$work/more.json" 2>"$work/more.txt"
complete=$(json "$work/priced.json" .complete)
is more ".complete > $complete"
kill $server
wait $server 2>/dev/null

# A model that refuses for good ends its line, with what it says; the others are done, and a later start asks it again.
echo '{}' >"$work/script.json"
script_serve refusing
export ETNA_MODELS=$work/models.yaml
for i in 1 2; do line "good$i" "$scene" "$goal" 10$i; done >"$work/refusing.jsonl"
line bad "$scene" "$goal" 1 | jq -c '.flags += ["--model", "scripted"]' >>"$work/refusing.jsonl"
for start in first again; do
    timeout 100 "$etna" batch "$work/refusing.jsonl" -o "$work/refusing" --json >"$work/refusing.json" 2>"$work/refusing.txt"
    expect "a batch with a model that refuses, $start" "$?" 1
    is refusing '.complete == 2 and .failed == 1 and .causes.model == 1'
done
grep -q "no script for it" "$work/refusing/summary.csv" || fail "it is not said what the model said: $(cat "$work/refusing/summary.csv")"
script_stop
# While a scene is being read, however long that takes, what ends meanwhile is fetched and written.
mkdir "$work/bin"
cp "$etna" "$work/bin/etna"
mkfifo "$work/gate"
cat >"$work/bin/etna-worker" <<END
#!/bin/sh
case "\$*" in bundle*beside.glb) read -r _ <"$work/gate" ;; esac
exec "$worker" "\$@"
END
chmod +x "$work/bin/etna-worker"
{ line quick "$scene" "$goal" 1; line slow beside.glb "$goal" 2; line last "$scene" "$goal" 3; } >"$work/ahead.jsonl"
timeout 300 "$work/bin/etna" batch "$work/ahead.jsonl" -o "$work/ahead" --workers 1 >"$work/ahead.out" 2>"$work/ahead.txt" &
batch=$!
until [ -e "$work/ahead/quick/run.json" ] || ! kill -0 $batch 2>/dev/null; do sleep 0.1; done
[ -e "$work/ahead/quick/run.json" ] || fail "a scene that is being read holds up what has ended: $(cat "$work/ahead.txt")"
grep -q '"name":"slow"' "$work/ahead/.batch/journal" && fail "the slow scene was not waited for"
exec {gate}<>"$work/gate"
echo >&"$gate"
wait $batch
expect "a batch with a scene that is slow to read" $? 0
exec {gate}>&-

"$etna" store verify >"$work/verify.txt" 2>&1 || fail "store verify: $(cat "$work/verify.txt")"
finish
