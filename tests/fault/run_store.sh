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
    await_quiet 20
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

# A full disk of one side alone. A worker goes on without its cache, and does not die; a coordinator waits until there is room.
socket=ipc://$work/full.sock
for side in worker coordinator; do
    rm -rf "$ETNA_STORE"
    (
        [ $side = worker ] || ulimit -S -f 700
        exec "$etna" coordinator --listen "$socket" --workers 0 >/dev/null 2>"$work/full.$side.txt"
    ) &
    first=$!
    await "the coordinator does not listen" $first test -S "$work/full.sock"
    (
        [ $side = coordinator ] || ulimit -S -f 100
        exec "$worker" --connect "$socket" --cache "$work/cache.$side" >/dev/null 2>"$work/worker.$side.txt"
    ) &
    next=$!
    "$etna" run "$scene" --goal "$goal" --connect "$socket" -o "$work/$side" --json >"$work/$side.json" 2>"$work/$side.txt" &
    submitter=$!
    if [ $side = coordinator ]; then
        await "no full disk is met" $first grep -q "disk is full" "$work/full.$side.txt"
        kill -0 $submitter || fail "the submitter does not wait for room"
        prlimit --pid $first --fsize=unlimited
    fi
    wait $submitter
    expect "full disk of the $side: exit code" "$?" 0
    [ -s "$work/$side/result.glb" ] || fail "full disk of the $side: no result"
    [ ! -s "$work/worker.$side.txt" ] || fail "full disk of the $side: $(cat "$work/worker.$side.txt")"
    kill -TERM $next $first
    wait $next $first
done
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
await_quiet 20
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
await "the coordinator does not listen" $first test -S "$work/k.sock"
"$etna" run "$scene" --goal "Put all three bottles on the yellow block" --early-end ordered --connect "$socket" --json -o "$work/k" >"$work/k.json" 2>"$work/k.txt" &
submitter=$!
await "its run does not begin" $submitter grep -q "import: " "$work/k.txt"
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
await_quiet 20

# Damage is found, and a newer format is refused untouched. The present format is read where the store defines it.
format=$(sed -n 's/^ *STORE_FORMAT = \([0-9]*\),.*/\1/p' "$(dirname "$0")/../../store/row.h")
[ -n "$format" ] || fail "STORE_FORMAT is not found in store/row.h"
cp -r "$ETNA_STORE" "$work/newer"
before=$(md5sum <"$work/newer/journal/data.mdb")
FORMAT=$format perl -0777 -pi -e 's/format\K\Q${\ pack("V", $ENV{FORMAT})}\E/pack("V", $ENV{FORMAT} + 1)/ge' "$work/newer/journal/data.mdb"
[ "$(md5sum <"$work/newer/journal/data.mdb")" != "$before" ] || fail "no format $format to make newer in the store"
before=$(md5sum <"$work/newer/journal/data.mdb")
"$etna" run "$scene" --goal "$goal" --store "$work/newer" >"$work/newer.out" 2>"$work/newer.txt"
one_line 4 "newer store" "$work/newer.txt" $?
grep -q newer "$work/newer.txt" || fail "a newer store is not called newer: $(cat "$work/newer.txt")"
expect "the newer store is untouched" "$(md5sum <"$work/newer/journal/data.mdb")" "$before"
# An older one that was named is refused; in the user's own folder it makes way whole, which is told, and its etna still reads it.
seal_of() { perl -e 'print "\0", pack("V", 6), "format", pack("V", shift)' "$1" | b2sum -l 256 | cut -d' ' -f1; }
mkdir "$work/data"
cp -r "$ETNA_STORE" "$work/data/etna"
OLD=$(seal_of "$format") NEW=$(seal_of $((format - 1))) FORMAT=$format perl -0777 -pi -e \
    's/format\K\Q${\ pack("VH*", $ENV{FORMAT}, $ENV{OLD})}\E/pack("VH*", $ENV{FORMAT} - 1, $ENV{NEW})/ge' "$work/data/etna/journal/data.mdb"
before=$(md5sum <"$work/data/etna/journal/data.mdb")
"$etna" run "$scene" --goal "$goal" --store "$work/data/etna" >"$work/older.out" 2>"$work/older.txt"
one_line 4 "older store" "$work/older.txt" $?
grep -q "format $((format - 1)) is older" "$work/older.txt" || fail "an older store is not called older: $(cat "$work/older.txt")"
env -u ETNA_STORE XDG_DATA_HOME="$work/data" "$etna" run "$scene" --goal "$goal" --no-images --json >"$work/aside.json" 2>"$work/aside.txt"
expect "run in the place of an older store" "$?" 0
expect "its status" "$(json "$work/aside.json" .status)" complete
expect "lines about it" "$(grep -c "are of an older etna: they are kept in $work/data/etna/format-$((format - 1))" "$work/aside.txt")" 1
expect "the older store is untouched" "$(md5sum <"$work/data/etna/format-$((format - 1))/journal/data.mdb")" "$before"
env -u ETNA_STORE XDG_DATA_HOME="$work/data" "$etna" store verify >"$work/aside.verify" 2>&1 || fail "the new store is damaged: $(cat "$work/aside.verify")"
# So it does for a coordinator, unless it was told which store is its own.
cp -r "$work/data/etna/format-$((format - 1))" "$work/named"
mkdir "$work/upgraded" && cp -r "$work/named" "$work/upgraded/etna"
"$etna" coordinator --listen "ipc://$work/older.sock" --store "$work/named" >"$work/older.out" 2>"$work/older.txt"
one_line 4 "a coordinator on an older store" "$work/older.txt" $?
env -u ETNA_STORE XDG_DATA_HOME="$work/upgraded" "$etna" coordinator --listen "ipc://$work/older.sock" 2>"$work/upgraded.txt" &
serving=$!
await "a coordinator does not serve in the place of an older store" $serving grep -q listening "$work/upgraded.txt"
kill $serving
wait $serving
expect "a coordinator that was told to end" "$?" 143
expect "lines of it about the older store" "$(grep -c "are of an older etna: they are kept in $work/upgraded/etna/format-$((format - 1))" "$work/upgraded.txt")" 1
expect "the older store is whole" "$(md5sum <"$work/upgraded/etna/format-$((format - 1))/journal/data.mdb")" "$before"
cp -r "$ETNA_STORE" "$work/damaged"
perl -0777 -pi -e 's/bottles\.glb/bottlez.glb/g' "$work/damaged/journal/data.mdb"
"$etna" store verify --store "$work/damaged" >"$work/damaged.txt" 2>&1
expect "verify of a damaged store" "$?" 4
grep -q "checksum" "$work/damaged.txt" || fail "damage is not named: $(head -3 "$work/damaged.txt")"

# What is no longer wanted goes, and only that; what the rest needs stays. What is told to be on the disk is there.
export ETNA_STORE=$work/many
for i in 1 2 3 4; do
    [ $i = 2 ] && wish="Put the blue bottle on the yellow block" || wish=$goal
    "$etna" run "$scene" --goal "$wish" --seed $i --no-images --json >"$work/many$i.json" 2>"$work/many$i.txt" || fail "run $i"
done
names() { "$etna" runs --json | jq -r '[.runs[].run] | join(" ")'; }
name() { json "$work/many$1.json" .run; }
refused 2 "rm of nothing" store rm
refused 2 "rm of one by name and of others" store rm "$(name 1)" --keep 1
refused 2 "rm of one twice" store rm "$(name 1)" "$(name 1)"
refused 2 "an age without a unit" store rm --older-than 30
refused 4 "rm of none" store rm ffffffffffffffffffffffffffffffff
"$etna" store rm --older-than 1h --json >"$work/rm.json" || fail "rm --older-than"
is rm '.runs == 0'
"$etna" store rm "$(name 2)" --json >"$work/rm.json" || fail "rm by name"
is rm '.runs == 1 and .removed > 0'
expect "runs after rm" "$(names)" "$(name 4) $(name 3) $(name 1)"
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify after rm: $(cat "$work/verify.txt")"
"$etna" store stats --json >"$work/stats.json"
expect "bytes on the disk" "$(json "$work/stats.json" .disk_bytes)" "$(du -s -B1 "$ETNA_STORE" | cut -f1)"

# A copy of a store in use; what was removed from the store is in it still, and comes back by it.
"$etna" coordinator --listen "ipc://$work/many.sock" >"$work/many.txt" 2>&1 &
first=$!
await "the coordinator does not listen" $first grep -q "listening at" "$work/many.txt"
"$etna" store backup "$work/backup" >"$work/backup.txt" 2>&1 || fail "backup of a store in use: $(cat "$work/backup.txt")"
refused 2 "a backup over another" store backup "$work/backup"
# Its owner removes what has ended, and nothing that goes on.
going=$("$etna" submit "$scene" --goal "$goal" --no-images 2>"$work/going.txt")
refused 2 "rm of a run that goes on" store rm "$going" --json
"$etna" store rm --keep 0 --json >"$work/rm.json" || fail "rm --keep in a store that is owned"
is rm '.runs == 0' # their results may still be waited for
"$etna" store rm "$(name 1)" --json >"$work/rm.json" || fail "rm by name in a store that is owned"
is rm '.runs == 1'
expect "runs after the owner's rm" "$(names)" "$going $(name 4) $(name 3)"
expect "runs that the owner knows" "$("$etna" runs --json --connect "ipc://$work/many.sock" | jq -r '[.runs[].run] | join(" ")')" "$(names)"
"$etna" cancel "$going" >"$work/going.txt" 2>&1 || fail "cancel: $(cat "$work/going.txt")"
"$etna" store rm "$going" --json >"$work/rm.json" || fail "rm of a run that its owner ended"
is rm '.runs == 1'
expect "runs after it" "$(names)" "$(name 4) $(name 3)"
refused 4 "attach to a run that is removed" attach "$going"
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify after the owner's rm: $(cat "$work/verify.txt")"
refused 2 "restore over a store" store restore "$work/backup"
kill -TERM $first
wait $first
"$etna" store rm --keep 1 --json >"$work/rm.json" || fail "rm --keep"
is rm '.runs == 1'
expect "runs after rm --keep" "$(names)" "$(name 4)"
"$etna" store restore "$work/backup" --store "$work/restored" >"$work/restore.txt" 2>&1 || fail "restore: $(cat "$work/restore.txt")"
export ETNA_STORE=$work/restored
expect "runs after restore" "$(names)" "$(name 4) $(name 3) $(name 1)"
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "verify after restore: $(cat "$work/verify.txt")"
"$etna" fetch "$(name 1)" -o "$work/kept" --json >"$work/kept.json" 2>"$work/kept.txt"
expect "fetch from a restored store" "$?" 0
expect "its snapshot" "$(json "$work/kept.json" .final_snapshot)" "$(json "$work/many1.json" .final_snapshot)"
"$etna" run --after "$(name 3)" --goal "Put the blue bottle on the yellow block" --no-images --json >"$work/after.json" 2>"$work/after.txt"
expect "a run after one of a restored store" "$?" 0
"$etna" store rm "$(name 3)" >"$work/rm.txt" 2>&1 || fail "rm of a run that another began after: $(cat "$work/rm.txt")"
"$etna" resume last -o "$work/later" --json >"$work/later.json" 2>"$work/later.txt"
expect "the run after one that is removed" "$?" 0
"$etna" replay last >"$work/replay.txt" 2>&1 || fail "replay of a run after one that is removed: $(tail -3 "$work/replay.txt")"
finish
