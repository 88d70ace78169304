# What a run books, and where its cap of money ends it, against the ledger of a server that counts what it served: answers
# that nobody waited for any more, too. Its answers take up to a second, so that some branches are cut off.
. "$(dirname "$0")/../integration/lib.sh"

serve_builtin
upstream=${url##*:}
upstream=${upstream%/v1}
export ETNA_MODELS=$work/models.yaml

# go NAME ARGS...: a run on the bottles; sets `code`, `counted` and `booked`, both in millionths
go() {
    local name=$1
    shift
    "$ETNA_BIN/sloppy-model" --upstream "$upstream" --kind none --delay "${delay:-400}" --ledger "$work/$name.ledger" >"$work/$name.port" &
    proxy=$!
    await "sloppy-model does not serve" $proxy has_line "$work/$name.port"
    cat >"$work/models.yaml" <<END
currency: USD
endpoints:
  sloppy: {wire: chat, url: "http://127.0.0.1:$line/v1"}
models:
  sloppy: {endpoint: sloppy, id: builtin, price: {in: 10, out: 30}, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}}
END
    "$etna" run "$scenes/bottles.glb" --goal "Put all three bottles on the yellow block" --no-images --json --model sloppy --facts on "$@" \
        >"$work/$name.json" 2>"$work/$name.txt"
    code=$?
    kill $proxy # it ends when all that it was sent is in its ledger, what was cut off last too
    wait $proxy 2>/dev/null
    counted=$(awk '{ sum += 10 * $3 + 30 * $4 } END { print sum + 0 }' "$work/$name.ledger")
    booked=$(json "$work/$name.json" '.usage.spent.cost * 1000000 | round')
    echo "$name: exit $code, $(wc -l <"$work/$name.ledger") calls, served $counted, booked $booked, lost calls $(json "$work/$name.json" .usage.lost.calls)"
}

# near WHAT GOT WANTED PERCENT
near() {
    [ $((100 * $2)) -ge $(((100 - $4) * $3)) ] && [ $((100 * $2)) -le $(((100 + $4) * $3)) ] || fail "$1: $2, not within $4 % of $3"
}

# One verdict a branch, so that the winner is told while others are still executed; by this seed's delays three of them are. On a
# machine that is busy all day the answers come as late as each other: then they are made to differ by more.
hasty="--early-end first --polls 1 --seed 2"
runs=2 # those that follow, up to the estimate
for longest in 1000 3000 9000; do
    runs=$((runs + 1))
    delay=$longest go first $hasty
    expect "the exit of a run by whoever is first" "$code" 0
    near "what is booked of a run with calls that were cut off" "$booked" "$counted" 5
    lost=$(json "$work/first.json" .usage.lost.calls)
    [ "$lost" = 0 ] || break
done
[ "$lost" -gt 0 ] || fail "no call was cut off: nothing was tried"

go ordered --early-end ordered
whole=$counted
expect "the exit of an ordered run" "$code" 0
near "what is booked of an ordered run" "$booked" "$counted" 5

delay=1000 go finished $hasty --cancelled finish
expect "the exit of a run that lets calls finish" "$code" 0
expect "what is booked of a run that lets calls finish" "$booked" "$counted"
expect "the calls that such a run loses" "$(json "$work/finished.json" .usage.lost.calls)" 0
"$etna" replay "$(json "$work/finished.json" .run)" >"$work/finished.replay" 2>&1 || fail "a run that let calls finish is not replayed"

# What a run costs is told beforehand: by its prompts while there is none like it, and then by those that were.
# estimate NAME: for the run that came last
estimate() {
    "$etna" run "$scenes/bottles.glb" --goal "Put all three bottles on the yellow block" --early-end ordered --json --model sloppy \
        --facts on --estimate ${2:+--store "$2"} >"$work/$1.json" 2>"$work/$1.txt" || fail "$1: an estimate is not told"
}
estimate before "$work/nowhere"
is before '.runs == 0 and .cost > 0 and ([.by_role[].from] | unique) == ["prompts"]'
estimate after
is after ".runs == $runs and ([.by_role[].from] | unique) == [\"runs\"]"
near "what a run was estimated at" "$(json "$work/after.json" '.cost * 1000000 | round')" "$whole" 25

go one_by_one --early-end ordered --branches-at-once 1
expect "the exit of a run of one branch after the other" "$code" 0
near "what is booked of one branch after the other" "$booked" "$counted" 5
is one_by_one '.branches.at_once == 1 and .branches.tried == .branches.accepted and .branches.accepted == (.steps | length)'
"$etna" show "$(json "$work/one_by_one.json" .run)" | grep -q "tokens for each edit kept" || fail "what branches bought is not told"
# Of each of three edits a plan, an executor and three evaluators, and the last plan; all at once pays three executors more an edit, but
# in the first, where it finds out whether it can be read.
expect "the calls of one branch after the other" "$(wc -l <"$work/one_by_one.ledger")" 16
[ "$(wc -l <"$work/ordered.ledger")" -le 22 ] || fail "all branches at once take $(wc -l <"$work/ordered.ledger") calls"

parts=50
[ -z "${ETNA_FULL:-}" ] || parts="30 50 70"
for part in $parts; do
    cap=$((whole * part / 100))
    go "cap$part" --early-end first --max-cost "$(printf '%d.%06d' $((cap / 1000000)) $((cap % 1000000)))"
    is "cap$part" '.end.cap == "money" or .status == "complete"'
    near "what a run of --max-cost at $part % books" "$booked" "$cap" 10
    near "what a run of --max-cost at $part % costs" "$counted" "$cap" 10
done
kill $server
wait $server 2>/dev/null
finish
