# A process stopped in the middle of a write of the cache holds up no run: the others go without caching, also those
# that start meanwhile.
. "$(dirname "$0")/../integration/lib.sh"
goal="Put the red bottle on the yellow block"

"$ETNA_BIN/standstill" "$ETNA_STORE/cache" 2>"$work/standstill.txt" &
stopped=$!
state=
for _ in $(seq 500); do
    state=$(awk '$1 == "State:" { print $2 }' "/proc/$stopped/status" 2>/dev/null)
    [ "$state" = T ] && break
    sleep 0.02
done
expect "the writer stands" "$state" T
timeout 120 "$etna" run "$scenes/bottles.glb" --goal "$goal" --early-end ordered --no-images --workers 2 --json -o "$work/out" >"$work/run.json" 2>"$work/run.txt"
expect "a run beside a stopped writer" "$?" 0
expect "its status" "$(json "$work/run.json" .status)" complete
expect "the writer still stands" "$(awk '$1 == "State:" { print $2 }' "/proc/$stopped/status")" T
kill -CONT $stopped
wait $stopped
expect "the writer goes on" "$?" 0
await_quiet 20
finish
