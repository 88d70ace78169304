# Over TCP only who has a token is served, and each token lets its role's messages through. Strangers of all kinds get one
# plain refusal or nothing; floods of them, replays, another realm's tokens and who takes a dead coordinator's port change
# nothing of what is going on. Tokens stand nowhere but in their files.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
port=$(some_port)
url=tcp://127.0.0.1:$port
stranger=$ETNA_BIN/stranger
coordinate() { # NAME: sets `coordinator`
    "$etna" coordinator --listen $url --join "$work/all.join" >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator $1 does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
gets() { # WANTED WHAT...: what the stranger is told, its lines joined
    local wanted=$1 got
    shift
    got=$(timeout 30 "$stranger" "$@" 2>&1 | paste -sd, | sed 's/,/, /g')
    case $got in
    $wanted) ;;
    *) fail "stranger $(echo "$*" | sed "s|$work/||g"): got '$got', expected '$wanted'" ;;
    esac
}
go() { # NAME ADDRESS: a run by the coordinator
    "$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --json --connect "$2" >"$work/$1.json" 2>"$work/$1.txt"
    expect "the exit of $1" "$?" 0
    expect "the snapshot of $1" "$(json "$work/$1.json" .final_snapshot)" "$alone"
}
"$etna" run "$scene" --goal "$goal" --no-images --early-end ordered --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"
alone=$(json "$work/alone.json" .final_snapshot)

coordinate first
"$etna" join --role worker -o "$work/worker.join" || fail "no worker's join file"
(unset HOME ETNA_STORE; exec "$etna" join "$work/all.join" --role submitter -o "$work/submitter.join") || fail "no submitter's join file, of a named one and without a store"
"$etna" join --role viewer -o "$work/viewer.join" || fail "no viewer's join file"
expect "modes of the files" "$(stat -c %a "$ETNA_STORE/join" "$ETNA_STORE/realm" "$work"/*.join | sort -u)" 600

# With a worker's token alone nobody may do what only a lease allows; what was tried changes nothing of the two runs.
pair="bottles study"
for name in $pair; do
    [ $name = study ] && wish="Put the phone on the book." || wish=$goal
    "$etna" submit "$scenes/$name.glb" --goal "$wish" --no-images --early-end ordered --connect $url >"$work/$name.name" 2>/dev/null || fail "no run of $name"
done
timeout 60 "$ETNA_BIN/insider" $url "$work/worker.join" >"$work/insider.txt" 2>&1 || fail "the insider: $(tail -1 "$work/insider.txt")"
cat >"$work/insider.wanted" <<END
its scene: blob_chunk
its scene without a ticket: refused a worker gets and puts blobs for a task that it was given, by that lease's ticket
another run's scene: refused a worker gets the blobs that its tasks' runs name, and no others
another's scene by another's ticket: refused a worker gets and puts blobs for a task that it was given, by that lease's ticket
a blob of its task: blob_ack
a blob of no task: refused a worker gets and puts blobs for a task that it was given, by that lease's ticket
another's result: refused the ticket of the lease is missing or is another's
a result without a ticket: refused the ticket of the lease is missing or is another's
a result of the next attempt: refused the ticket of the lease is missing or is another's
a call for another's task: refused the ticket of the lease is missing or is another's
another's task as held: to be stopped
handed back: result_ack
the other handed back: result_ack
END
diff "$work/insider.wanted" "$work/insider.txt" >"$work/insider.diff" || fail "the insider got (>): $(cat "$work/insider.diff")"
# Who asks and never reads is cut off before its answers fill the memory.
timeout 60 "$ETNA_BIN/insider" $url "$work/worker.join" deaf >"$work/deaf.txt" 2>&1 || fail "the deaf one: $(tail -1 "$work/deaf.txt")"
grep -q "^cut off" "$work/deaf.txt" || fail "the deaf one was $(cat "$work/deaf.txt")"
held=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$coordinator/status)
[ "${ETNA_LOAD_MB:-}" = 0 ] || [ "${held:-0}" -le 200000 ] || fail "for the deaf one the coordinator took $held KB"
"$worker" --connect "@$work/worker.join" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
hand=$!
for name in $pair; do
    "$etna" attach "$(cat "$work/$name.name")" --connect $url >"$work/$name.attach" 2>&1
    expect "the run of $name after the insider" "$?" 0
done

# Each address that worked by one command still does, and a file on its own, too.
go by_address $url
go by_file "@$work/submitter.join"
(cd / && ETNA_STORE=$work/nowhere "$etna" runs --connect "@$work/viewer.join" --json >"$work/viewed.json") || fail "a viewer sees no runs"
expect "runs that a viewer sees" "$(json "$work/viewed.json" '.runs | length')" 4

# No file, an open file, the wrong role, a worker that would submit: exit 2 and what to do.
ETNA_STORE=$work/nowhere refused 2 "no join file" runs --connect $url
grep -q -- "--connect @FILE" "$work/stderr.txt" || fail "it is not said what to do"
cp "$work/viewer.join" "$work/open.join" && chmod 644 "$work/open.join"
refused 2 "a file that others can read" runs --connect "@$work/open.join"
refused 2 "a worker that looks" runs --connect "@$work/worker.join"
refused 2 "a viewer that drains" drain --connect "@$work/viewer.join"
refused 2 "a viewer that submits" submit "$scene" --goal "$goal" --connect "@$work/viewer.join"

# Without a token, with a guessed one, with another realm's.
want="refused this coordinator wants a join file: --connect @FILE"
for kind in runs submit cancel drain lease orders result get put events; do gets "$want" ask $url $kind; done
sed 's/^worker .*/worker '"$(printf '%064d' 7)"'/' "$work/worker.join" >"$work/guessed.join" && chmod 600 "$work/guessed.join"
gets "not welcome; $want" ask $url lease "$work/guessed.join" worker
sed 's/^realm .*/realm 00112233445566778899aabbccddeeff/' "$work/all.join" >"$work/realm.join" && chmod 600 "$work/realm.join"
gets "not welcome; nothing" ask $url submit "$work/realm.join" submitter
refused 4 "another realm's file" runs --connect "@$work/realm.join"
gets "not welcome; $want" ask $url lease "$work/viewer.join" worker # the token of another role

# Over ipc a coordinator is its own user's: who is another's is told so at once.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    "$etna" coordinator --listen "ipc://$work/ours.sock" --store "$work/ours" >/dev/null 2>"$work/ours.txt" &
    ours=$!
    await "the coordinator over ipc does not listen" $ours grep -q "listening at" "$work/ours.txt"
    chmod 0711 "$work"
    chmod 0666 "$work/ours.sock"
    cp "$worker" "$etna" "$work"
    timeout 10 $nobody "$work/etna-worker" --connect "ipc://$work/ours.sock" --cache /nowhere >"$work/nobody.txt" 2>&1
    expect "the exit of another user's worker" "$?" 2
    timeout 10 $nobody "$work/etna" runs --connect "ipc://$work/ours.sock" >>"$work/nobody.txt" 2>&1
    expect "the exit of another user's command" "$?" 2
    expect "what they are told" "$(grep -c "is another user's" "$work/nobody.txt")" 2
    kill $ours
    wait $ours
fi

# Each role's own messages, and no other's.
gets "runs" ask $url runs "$work/viewer.join" viewer
for kind in submit cancel drain lease orders result put; do gets "refused with a viewer's token*" ask $url $kind "$work/viewer.join" viewer; done
for kind in lease orders result; do gets "refused with a submitter's token*" ask $url $kind "$work/submitter.join" submitter; done
for kind in runs submit cancel drain events; do gets "refused with a worker's token*" ask $url $kind "$work/worker.join" worker; done

# What was said on another connection, and what was answered.
gets "runs, $want" replay $url runs "$work/viewer.join" viewer
gets "$want" reflect $url "$work/viewer.join" viewer
gets "nothing" huge $url

# A flood of strangers, and work that goes on beneath it.
strangers=${ETNA_STRANGERS:-1000} stay=256
[ -z "${ETNA_STRANGERS:-}" ] || stay=0 # and the last ones, when they have been there for too long
"$stranger" flood $url $strangers $stay >"$work/flood.txt" 2>&1 &
flood=$!
await "the flood does not come" $flood has_line "$work/flood.txt"
go under_flood $url
wait $flood
cut=$(sed -n 's/^cut off \([0-9]*\) of .*/\1/p' "$work/flood.txt")
[ "${cut:-0}" -ge $((strangers - stay)) ] || fail "of $strangers strangers this became: $(tail -1 "$work/flood.txt")"

# Who announces much and sends nothing takes nothing: not even what was not sent is kept for him.
"$stranger" announce $url 200 >"$work/announce.txt" 2>&1 &
flood=$!
all_open() { [ "$(grep -c "^open 200" "$work/announce.txt")" = 4 ]; }
await "the announcements do not come" $flood all_open
held=$(sed -n 's/^RssAnon:[[:space:]]*\([0-9]*\) kB/\1/p' /proc/$coordinator/status)
[ "${ETNA_LOAD_MB:-}" = 0 ] || [ "${held:-0}" -le 100000 ] || fail "200 announced messages of 2 MB: the coordinator holds $held KB"
wait $flood

# The same of one who is let in.
"$ETNA_BIN/insider" $url "$work/worker.join" flood >"$work/inflood.txt" 2>&1 &
flood=$!
await "the insider's flood does not come" $flood has_line "$work/inflood.txt"
go under_the_insiders_flood $url
kill $flood 2>/dev/null
wait $flood 2>/dev/null

# Whoever takes the port of a dead coordinator hears greetings and nothing else; the next owner is gone on with.
kill -9 $coordinator
wait $coordinator 2>/dev/null
"$stranger" thief $port 3 >"$work/thief.txt" 2>&1 &
thief=$!
await "the thief does not listen" $thief grep -q listening "$work/thief.txt"
refused 4 "a thief for a coordinator" runs --connect $url
refused 4 "a run for a thief" run "$scene" --goal "$goal" --connect $url
await "the worker does not come to the thief" $hand grep -q "does not know" "$work/worker.txt"
wait $thief
expect "what the thief heard" "$(sort -u "$work/thief.txt" | paste -sd' ')" "hello listening"
coordinate second
go after_the_thief $url

# Replaced tokens: the worker goes on, files from before count once more, then no longer.
"$etna" join --rotate 2>/dev/null || fail "no new tokens"
"$etna" runs --connect "@$work/viewer.join" >/dev/null 2>&1 || fail "the tokens before do not count"
cp "$ETNA_STORE/join" "$work/now.join"
"$etna" join --rotate 2>/dev/null
renewed() { ! cmp -s "$ETNA_STORE/join" "$work/now.join" && cmp -s "$ETNA_STORE/join" "$work/all.join"; }
await "the join files are not written anew" $coordinator renewed
refused 4 "tokens from two times before" runs --connect "@$work/viewer.join"
"$etna" join --role worker -o "$work/worker.join"
go after_new_tokens $url

# Tokens stand in no log, no command line, no environment, and cannot get into a core.
tokens=$(sed -n 's/^\(worker\|submitter\|viewer\|secret\|before\) //p' "$ETNA_STORE/join" "$ETNA_STORE/realm" "$work/now.join" "$work/viewer.join" | grep -v none | sort -u)
[ "$(echo "$tokens" | wc -l)" -ge 8 ] || fail "these are not all tokens: $tokens"
for p in $coordinator $(pgrep -P $hand); do
    tr '\0' '\n' <"/proc/$p/cmdline" >>"$work/shown.txt"
    tr '\0' '\n' <"/proc/$p/environ" >>"$work/shown.txt"
    cat "/proc/$p/comm" >>"$work/shown.txt"
    grep -q "^Max core file size *0 *0" "/proc/$p/limits" || fail "process $p may leave a core"
done
! grep -rlF "$tokens" "$work"/*.txt "$work"/*.json "$ETNA_STORE/journal" "$ETNA_STORE/owner" || fail "a token stands there"

"$etna" drain >/dev/null
wait $hand
expect "the worker's exit" "$?" 0
wait $coordinator
expect "the coordinator's exit" "$?" 0
finish
