# A coordinator that dies in the middle of what is said to it: while a command greets it, and after it made a run durable but before
# its answer came. Nobody's command ends of that: it waits for the coordinator, which goes on with the run. And whoever is ended
# by a signal meanwhile is told how things stand, with --json by a document.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
goal="Put the red bottle on the yellow block"
told=$work/c.sock # where the coordinator is said to listen; a relay listens there
stands() { [ "$(tail -n 1 "$work/relay.txt")" = "now $1 $2" ]; }
line() { # STATE: the relay has taken it
    echo "$1 0 0 0" >"$work/line.new" && mv "$work/line.new" "$work/line"
    await "the relay does not stand at $1" $relay stands "$1" 0
}
relay() { # sets `relay`; at hold, who has said the goal, and so has submitted a run, gets no answer
    echo "on 0 0 0" >"$work/line"
    mv "$told" "$work/behind.sock" 2>/dev/null
    rm -f "$told"
    "$ETNA_BIN/link-proxy" "$told" "$work/behind.sock" - "$work/line" "$goal" >"$work/relay.txt" &
    relay=$!
    await "the relay does not relay" $relay grep -q relaying "$work/relay.txt"
}
coordinate() { # NAME WORKERS: sets `coordinator`; without a worker no run of it ends meanwhile
    "$etna" coordinator --listen "ipc://$told" --workers "$2" >"$work/$1.txt" 2>&1 &
    coordinator=$!
    await "the coordinator $1 does not listen" $coordinator grep -q "listening at" "$work/$1.txt"
}
go() { # NAME ARGS...: in the background
    local name=$1
    shift
    "$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --json "$@" >"$work/$name.json" 2>"$work/$name.txt" &
}
"$etna" run "$scene" --goal "$goal" --early-end ordered --no-images --json --store "$work/other" >"$work/alone.json" 2>"$work/alone.txt"
alone=$(json "$work/alone.json" .final_snapshot)
end_coordinator() {
    kill -9 $coordinator $relay
    wait $coordinator $relay 2>/dev/null
}
catches_int() { [ $((0x$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status") & 2)) != 0 ]; }
well() { # NAME PID
    wait "$2"
    expect "the exit of $1" "$?" 0
    expect "the snapshot of $1" "$(json "$work/$1.json" .final_snapshot)" "$alone"
}

# Whoever meets an end in the middle of the greeting tries again.
coordinate first 1
relay
line closed
go greeted --connect "ipc://$told" --wait 60
greeted=$!
await "it is not said that nobody answers" $greeted grep -q "no coordinator answers" "$work/greeted.txt"
line on
well greeted $greeted
end_coordinator

# The answer to a submit is on its way when the coordinator dies, and its run is durable: the guest of its store waits, while a
# stray run takes the store and leaves it again.
coordinate second 0
relay
line hold
go guest
guest=$!
listed $guest
[ -n "$run" ] || fail "the run came to no coordinator: $(cat "$work/guest.txt")"
end_coordinator
await "the guest does not wait for a coordinator" $guest grep -q "waiting for a coordinator" "$work/guest.txt"
go stray
well stray $!
kill -0 $guest || fail "the guest ended"
coordinate third 1
well guest $guest
expect "its run" "$(json "$work/guest.json" .run)" "$run"
kill -9 $coordinator
wait $coordinator 2>/dev/null

# Ended by a signal: on stdout a document, on stderr what to do.
coordinate fourth 0
relay
line hold
go left --connect "ipc://$told"
left=$!
listed $left
kill -TERM $left
wait $left
expect "the exit of one that left" "$?" 143
is left '.schema == "etna.error/1" and .error.code == "cancelled" and (.run | length == 32) and (.error.do | test("etna cancel"))'
line cut
go unheard --connect "ipc://$told"
unheard=$!
await "it catches no signal" $unheard catches_int $unheard
kill -INT $unheard
wait $unheard
expect "the exit of one that nobody heard" "$?" 130
is unheard '.error.code == "cancelled" and (.error.what | test("goes on") | not)'
end_coordinator
rm -f "$told" "$work/behind.sock"
await_quiet 20
go alone_left
own=$!
listed $own
kill -INT $own
wait $own
code=$?
[ $code = 0 ] || { expect "the exit of one alone" $code 130; is alone_left '.error.code == "cancelled" and (.error.do | test("^etna resume [0-9a-f]{32}"))'; }
finish
