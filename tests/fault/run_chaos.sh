# Everything dies all the time: every two seconds a worker, a submitter or the coordinator is killed or stopped for a second, or,
# but for submitters, told to leave, while commands keep coming, half of them by a connection and half by the store. Each run that
# was accepted ends as it does alone, also when nobody waits for it any more, no command fails but those that were killed, nothing
# is left, no descriptor either, and the store verifies. ETNA_CHAOS_SECONDS: how long; ETNA_CHAOS_SEED: which victims.
. "$(dirname "$0")/../integration/lib.sh"
seconds=${ETNA_CHAOS_SECONDS:-20}
RANDOM=${ETNA_CHAOS_SEED:-1}
goal="Put all three bottles on the yellow block"
socket=ipc://$work/coordinator.sock
workers=3
told='.status + " " + .final_snapshot + " " + (.usage.used | tostring)' # what a run comes to
export etna scenes work goal socket told

# ended FILE: $work/FILE exists, or something has failed.
ended() { [ -e "$work/$1" ] || [ -e "$work/.failed" ]; }
# keep NAME COMMAND...: begun again whenever it ends, until $work/over exists. Its pid is in $work/NAME.pid.
keep() {
    local name=$1
    shift
    until ended over; do
        "$@" >>"$work/$name.txt" 2>&1 &
        echo $! >"$work/$name.pid"
        wait $!
        sleep 0.3
    done 2>/dev/null & # the shell tells each death
}
# keep_said N K CODE WAY: all that a run said that should not have failed, in $work/failedN-K.txt.
keep_said() {
    {
        echo "run $2 of $1${4:+, $4}: exit $3; on stdout $(wc -c <"$work/one$1.json") bytes: $(head -c 2000 "$work/one$1.json")"
        echo "on stderr:"
        cat "$work/one$1.txt"
    } >"$work/failed$1-$2.txt"
}
# one N: runs until the time is over; each exit code and each result is a line of a file of its own.
one() {
    local n=$1 k=0 way code
    until ended enough; do
        k=$((k + 1))
        way=
        [ $(((n + k) % 2)) = 0 ] || way="--connect $socket"
        timeout 600 "$etna" run "$scenes/bottles.glb" --goal "$goal" --early-end ordered --no-images --seed 1 --json $way \
            -o "$work/out$n" >"$work/one$n.json" 2>"$work/one$n.txt"
        code=$?
        [ $code = 0 ] || keep_said "$n" "$k" "$code" "$way"
        echo "$code $(jq -r "$told" "$work/one$n.json" 2>/dev/null)" >>"$work/ends$n"
        jq -r .run "$work/one$n.json" >>"$work/names$n" 2>/dev/null
    done
}
# leaving: the same by the connection alone, in one place, where who waits for a run is killed sooner or later.
leaving() {
    until ended enough; do
        "$etna" run "$scenes/bottles.glb" --goal "$goal" --early-end ordered --no-images --seed 1 --json --connect "$socket" \
            -o "$work/leaving" >"$work/leaving.json" 2>"$work/leaving.txt" &
        echo $! >"$work/leaving.pid"
        wait $!
        echo "$? $(jq -r "$told" "$work/leaving.json" 2>/dev/null)" >>"$work/left"
        jq -r .run "$work/leaving.json" >>"$work/names" 2>/dev/null
    done 2>/dev/null
}
export -f ended one keep_said leaving
victim() { # NAME: of a worker, as often what its supervisor watches over
    local pid child
    pid=$(cat "$work/$1.pid" 2>/dev/null) || return
    child=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
    case $1 in worker*) [ $((RANDOM % 2)) = 0 ] || pid=${child:-$pid} ;; esac
    echo ${pid}
}
strike() { # one fault
    local name=worker$((RANDOM % workers + 1)) pid
    case $((RANDOM % 5)) in
    0 | 1) name=coordinator ;;
    2) name=leaving ;;
    esac
    pid=$(victim $name)
    case $name:$((RANDOM % 4)) in
    [!l]*:0) kill -TERM "$pid" ;;
    *:1)
        kill -STOP "$pid"
        sleep 1
        kill -CONT "$pid"
        ;;
    *) kill -9 "$pid" ;;
    esac 2>/dev/null
    strikes=$((strikes + 1))
}

mkdir "$work/alone"
ETNA_STORE=$work/alone/store "$etna" run "$scenes/bottles.glb" --goal "$goal" --early-end ordered --no-images --seed 1 --json \
    -o "$work/alone/out" >"$work/alone.json" 2>"$work/alone.txt"
wanted="0 $(json "$work/alone.json" "$told")"

keep coordinator "$etna" coordinator --listen "$socket"
for n in $(seq $workers); do keep "worker$n" "$worker" --connect "$socket" --cpus 1; done
# descriptors: of the coordinator that is there now, when all its workers are
descriptors() { ls "/proc/$(cat "$work/coordinator.pid")/fd" 2>/dev/null | wc -l; }
connected() { [ "$("$etna" top --raw --connect "$socket" 2>/dev/null | grep -c ^etna_worker_leases)" -ge $workers ]; }
await "the workers do not come" $$ connected
at_first=$(descriptors)
seq 4 | xargs -P4 -I{} bash -c 'one {}' &
clients=$!
bash -c leaving &
clients="$clients $!"
strikes=0
for k in $(seq $((seconds / 2))); do
    sleep 2
    strike
done
: >"$work/enough"
wait $clients
# What nobody waits for any more is carried to its end all the same.
running() { "$etna" runs --json --connect "$socket" 2>/dev/null | jq '[.runs[] | select(.status == "running")] | length'; }
idle() { [ "$(running)" = 0 ]; }
await "$(running) runs do not end" $$ idle
await "the workers do not come back" $$ connected
at_last=$(descriptors)
[ "$at_last" -le $((at_first + 4)) ] || fail "the coordinator has $at_last descriptors, and $at_first at first"
: >"$work/over"
for name in coordinator $(seq -f 'worker%g' $workers); do kill -TERM "$(cat "$work/$name.pid")" 2>/dev/null; done
wait
echo "$strikes strikes, $(cat "$work"/ends* | wc -l) runs, and $(cat "$work/left" | wc -l) of who may be killed: $(cut -d' ' -f1 "$work/left" | sort | uniq -c | paste -sd,)"
[ -n "$(cat "$work"/ends*)" ] || fail "no run ended"
grep -hvx -- "$wanted" "$work"/ends* >"$work/other.txt" && fail "ends other than '$wanted': $(sort "$work/other.txt" | uniq -c | head -5) $(tail -qn 20 "$work"/failed*.txt 2>/dev/null)"
grep -vx -e "$wanted" -e "137 .*" "$work/left" >"$work/other.txt" && fail "who may be killed ends otherwise: $(sort "$work/other.txt" | uniq -c | head -5)"
await_quiet 10
# of all runs those that nobody was told of
"$etna" runs --json 2>/dev/null | jq -r '.runs[].run' | sort >"$work/all.txt"
[ -s "$work/all.txt" ] || fail "there are no runs"
for run in $(sort "$work"/names* | comm -23 "$work/all.txt" -); do
    expect "run $run in the store" "0 $("$etna" show "$run" --json 2>/dev/null | jq -r "$told")" "$wanted"
done
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "store verify: $(cat "$work/verify.txt")"
finish
