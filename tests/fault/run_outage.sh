# A model that is away: what a coordinator carries waits, says so, and goes on by itself when the model is back, also under a
# coordinator that was killed meanwhile and started again.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
socket=ipc://$work/c.sock
coordinate() { # NAME: a coordinator; sets `coordinator`
    "$etna" coordinator --listen "$socket" --workers 1 >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator $1 does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
waiting() { # COUNT ARGS...: so many runs wait
    [ "$("$etna" runs --json "${@:2}" | jq '[.runs[] | select(.status == "running" and .waiting)] | length')" = "$1" ]
}
serve_builtin
export ETNA_MODELS=$work/models.yaml
cat >"$ETNA_MODELS" <<END
endpoints:
  served: {wire: chat, url: "$url", attempts: 2, budget_ms: 2000}
models:
  served: {endpoint: served, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}}
END
settings=(--goal "$goal" --early-end ordered --no-images --model served --facts on)
"$etna" run "$scene" "${settings[@]}" --seed 1 --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"
expect "a run while the model is there" "$?" 0
kill "$server" && wait "$server"

coordinate first
one=$("$etna" submit "$scene" "${settings[@]}" --seed 1 2>"$work/submit.txt")
two=$("$etna" submit "$scene" "${settings[@]}" --seed 2 2>>"$work/submit.txt")
await "they do not wait" $coordinator waiting 2
waiting 2 --connect "$socket" || fail "the coordinator does not say so: $("$etna" runs --json --connect "$socket")"
expect "waiting, by the table" "$("$etna" runs | grep -c '  waiting  ')" 2
grep -q "tried again in" "$work/first.txt" || fail "when they are tried again is not said: $(tail -3 "$work/first.txt")"
kill -9 $coordinator
wait $coordinator 2>/dev/null
expect "suspended, while nobody carries them" "$("$etna" runs | grep -c '  suspended  ')" 2
waiting 0 || fail "who is carried by nobody goes on by itself: $("$etna" runs --json)"

coordinate second
address=${url#http://}
serve_builtin --listen "${address%/v1}"
"$etna" attach "$one" --json >"$work/one.json" 2>"$work/attached.txt"
expect "the first one's exit" "$?" 0
expect "its snapshot" "$(json "$work/one.json" .final_snapshot)" "$(json "$work/alone.json" .final_snapshot)"
"$etna" attach "$two" --json >"$work/two.json" 2>>"$work/attached.txt"
expect "the second one's exit" "$?" 0
kill $coordinator "$server"
wait $coordinator "$server"
finish
