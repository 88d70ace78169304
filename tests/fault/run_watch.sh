# A coordinator can be watched: by Prometheus over HTTP with a token alone, by `etna top`, and by a log of JSON documents. The
# token reaches no worker.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
socket=ipc://$work/c.sock
refused 2 "a page without a token" coordinator --listen "$socket" --http 127.0.0.1:0
refused 2 "a log of no kind" coordinator --listen "$socket" --log xml
export ETNA_HTTP_TOKEN=0123456789abcdef0123
"$etna" coordinator --listen "$socket" --workers 1 --http 127.0.0.1:0 --log json >"$work/out.txt" 2>"$work/log.txt" &
coordinator=$!
unset ETNA_HTTP_TOKEN
await "no page is served" $coordinator grep -q "metrics at" "$work/log.txt"
page=$(jq -r .text "$work/log.txt" | sed -n 's/^metrics at //p')
"$etna" run "$scene" --goal "Put the red bottle on the yellow block" --no-images --early-end ordered --connect "$socket" --json >"$work/run.json" 2>"$work/run.txt"
expect "a run" "$?" 0
run=$(json "$work/run.json" .run)
get() { curl -s -o "$work/page.txt" -w '%{http_code}' "$@"; }
expect "without a token" "$(get "$page")" 401
expect "with another" "$(get -H 'Authorization: Bearer 0123456789abcdef0124' "$page")" 401
expect "by somebody else's name" "$(get -H 'Authorization: Bearer 0123456789abcdef0123' -H 'Host: evil.example' "$page")" 403
expect "another page" "$(get -H 'Authorization: Bearer 0123456789abcdef0123' "${page%metrics}")" 404
told() { [ "$(get -H 'Authorization: Bearer 0123456789abcdef0123' "$page")" = 200 ] && awk -v name="$1" '$1 == name { found = $2 } END { exit !(found >= '"$2"') }' "$work/page.txt"; }
await "no branch was counted" $coordinator told 'etna_leases_granted_total{kind="branch"}' 1
await "no result was counted" $coordinator told 'etna_task_seconds_count{kind="import"}' 1
await "no worker is there" $coordinator told etna_workers 1
await "no commit was counted" $coordinator told etna_commit_seconds_count 1
grep -vE '^(# (HELP|TYPE) etna_[a-z_]+ .+|etna_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+)$' "$work/page.txt" >"$work/odd.txt" && fail "no line of Prometheus: $(head -3 "$work/odd.txt")"
"$etna" top --once >"$work/top.txt" || fail "top: exit $?"
grep -q "^branch " "$work/top.txt" || fail "top shows no tasks: $(cat "$work/top.txt")"
"$etna" top --raw >"$work/raw.txt" || fail "top --raw: exit $?"
grep -q '^etna_build_info{build="[^"]*"} 1$' "$work/raw.txt" || fail "top --raw says no build"
jq -es --arg run "$run" 'map(select(.run == $run and .task and (.text | length > 0))) | length > 3' <"$work/log.txt" >"$work/jq.txt" || fail "the log is none of documents with run and task"
for child in $(cat "/proc/$coordinator/task/$coordinator/children"); do
    tr '\0' '\n' <"/proc/$child/environ" | grep -q ETNA_HTTP_TOKEN && fail "a worker has the token"
done
kill -HUP $coordinator # which only means that tokens are to be read again
kill -0 $coordinator && "$etna" top --once >"$work/top.txt" || fail "SIGHUP ended the coordinator"
kill $coordinator
wait $coordinator
expect "the coordinator's exit" "$?" 143
# All that it tells is a document a line, also which runs go on and why it ends.
kept=$("$etna" submit "$scene" --goal "Put the red bottle on the yellow block" 2>"$work/kept.txt")
"$etna" coordinator --listen "$socket" --log json 2>"$work/again.txt" &
coordinator=$!
await "the kept run is not begun" $coordinator grep -q "goes on" "$work/again.txt"
timeout 20 "$etna" coordinator --listen "$socket" --store "$work/other" --log json 2>"$work/third.txt"
expect "a second at the same address" "$?" 4
kill $coordinator
wait $coordinator
jq -es --arg run "$kept" 'any(.[]; .run == $run and (.text | startswith("goes on")))' "$work/again.txt" >"$work/jq.txt" || fail "the log of a restart: $(cat "$work/again.txt")"
jq -es 'length == 1 and (.[0].text | length > 0)' "$work/third.txt" >"$work/jq.txt" || fail "the log of who cannot listen: $(cat "$work/third.txt")"
refused 4 "top of nobody" top --once
finish
