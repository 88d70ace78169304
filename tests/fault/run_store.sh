# What a store refuses and survives: a full disk, a newer format, damage, two interrupts; what `etna store`, `cancel`
# and a restarted coordinator do with it.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"

# one_line CODE WHAT FILE GOT: exit code, and one line on stderr.
one_line() {
    expect "$2: exit code" "$4" "$1"
    [ "$(grep -c . "$3")" = 1 ] || { fail "$2: not one line"; head -5 "$3" >&2; }
}

# A full disk, as a limit on file sizes, met by the bundle and later by the journal: one line, exit 4, nothing written;
# what is there of a store is whole, and the run in it can be taken up by the command that is told.
known=0
for blocks in 200 700; do
    (ulimit -f $blocks; "$etna" run "$scene" --goal "$goal" -o "$work/full" >"$work/full.out" 2>"$work/full.txt")
    expect "full disk at $blocks: exit code" "$?" 4
    grep -qi full "$work/full.txt" || fail "a full disk is not called full: $(cat "$work/full.txt")"
    [ -z "$(ls -A "$work/full" 2>/dev/null)" ] || fail "full disk: something was written"
    await_quiet 3
    [ ! -d "$ETNA_STORE/journal" ] || "$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify after a full disk: $(cat "$work/verify.txt")"
    "$etna" runs --json >"$work/runs.json" || fail "runs after a full disk"
    runs=$(json "$work/runs.json" '.runs | length')
    wanted=$([ "$runs" -gt $known ] && json "$work/runs.json" '.runs[0].run')
    expect "full disk at $blocks: the run to resume" "$(sed -n 's/.*etna resume \([0-9a-f]*\).*/\1/p' "$work/full.txt")" "$wanted"
    known=$runs
done
[ $known -gt 0 ] || fail "no run came to be before the disk was full"
[ -d "$ETNA_STORE/journal" ] || fail "the journal never met the full disk"
rm -rf "$ETNA_STORE"

# A run, and what the store commands say of it.
"$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --json -o "$work/one" >"$work/one.json" 2>"$work/one.txt"
expect "run" "$?" 0
run=$(json "$work/one.json" .run)
"$etna" store ls --json >"$work/ls.json" || fail "store ls"
expect "store ls" "$(json "$work/ls.json" '.runs[0].run')" "$run"
"$etna" store stats --json >"$work/stats.json" || fail "store stats"
expect "runs counted" "$(json "$work/stats.json" .runs)" 1
blobs=$(json "$work/stats.json" .blobs)
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "store verify: $(cat "$work/verify.txt")"
"$etna" store gc --json >"$work/gc.json" || fail "store gc"
"$etna" store stats --json >"$work/stats.json"
expect "blobs after gc" "$(json "$work/stats.json" .blobs)" "$((blobs - $(json "$work/gc.json" .removed)))"
"$etna" resume "$run" -o "$work/again" --json >"$work/again.json" 2>"$work/again.txt"
expect "resume of an ended run" "$?" 0
cmp -s "$work/one/result.glb" "$work/again/result.glb" || fail "the result of an ended run differs when it is written again"
"$etna" show "$run" --json >"$work/show.json" || fail "show --json"
expect "show --json" "$(json "$work/show.json" '.tree[0].state')" edited

# Two interrupts end it at once; the run goes on all the same.
"$etna" run "$scene" --goal "Put all three bottles on the yellow block" --early-end ordered --json >"$work/two.json" 2>"$work/two.txt" &
pid=$!
listed $pid
second=$run
kill -INT $pid; kill -INT $pid
wait $pid
code=$?
case $code in 130 | 0) ;; *) fail "two interrupts: exit $code" ;; esac
await_quiet 3
[ -n "$second" ] || fail "the second run was never listed"

# Cancelled without an owner, it has ended; a cancelled one cannot be resumed into anything else.
if [ -n "$second" ] && [ $code != 0 ]; then
    expect "cancel" "$("$etna" cancel "$second" 2>"$work/cancel.txt")" cancelled
    expect "status after cancel" "$("$etna" runs --json | jq -r ".runs[] | select(.run == \"$second\") | .status")" cancelled
    "$etna" resume "$second" >"$work/cancelled.out" 2>"$work/cancelled.txt"
    expect "resume of a cancelled run" "$?" 1
fi

# A coordinator that is killed leaves its run to the next one.
socket=ipc://$work/k.sock
"$etna" coordinator --listen "$socket" --workers 1 >/dev/null 2>"$work/k1.txt" &
first=$!
for _ in $(seq 100); do [ -S "$work/k.sock" ] && break; sleep 0.05; done
"$etna" run "$scene" --goal "Put all three bottles on the yellow block" --early-end ordered --connect "$socket" --json -o "$work/k" >"$work/k.json" 2>"$work/k.txt" &
submitter=$!
sleep 0.7
kill -9 $first
wait $first 2>/dev/null
"$etna" coordinator --listen "$socket" --workers 1 >/dev/null 2>"$work/k2.txt" &
next=$!
wait $submitter
expect "run over a coordinator's death" "$?" 0
expect "status over a coordinator's death" "$(json "$work/k.json" .status)" complete
[ -s "$work/k/result.glb" ] || fail "no result.glb over a coordinator's death"
kill -TERM $next
wait $next
await_quiet 5

# Damage is found, and a newer format is refused untouched.
cp -r "$ETNA_STORE" "$work/newer"
perl -0777 -pi -e 's/format\x02\x00\x00\x00/format\x03\x00\x00\x00/g' "$work/newer/journal/data.mdb"
before=$(md5sum <"$work/newer/journal/data.mdb")
"$etna" run "$scene" --goal "$goal" --store "$work/newer" >"$work/newer.out" 2>"$work/newer.txt"
one_line 4 "newer store" "$work/newer.txt" $?
grep -q newer "$work/newer.txt" || fail "a newer store is not called newer: $(cat "$work/newer.txt")"
expect "the newer store is untouched" "$(md5sum <"$work/newer/journal/data.mdb")" "$before"
cp -r "$ETNA_STORE" "$work/damaged"
perl -0777 -pi -e 's/bottles\.glb/bottlez.glb/g' "$work/damaged/journal/data.mdb"
"$etna" store verify --store "$work/damaged" >"$work/damaged.txt" 2>&1
expect "verify of a damaged store" "$?" 4
grep -q "checksum" "$work/damaged.txt" || fail "damage is not named: $(head -3 "$work/damaged.txt")"
finish
