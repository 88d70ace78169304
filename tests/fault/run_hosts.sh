# Three hosts that share nothing but a bad line: a coordinator on one, workers and the batch's command on the two others, over TLS,
# each in a network namespace of its own, joined by links that are cut, delayed, lose and go half open. The batch ends as it does at
# home.
. "$(dirname "$0")/../integration/lib.sh"
count=${ETNA_HOSTS_SCENES:-24}
[ "$(id -u)" = 0 ] || skip "network namespaces want root"
command -v ip >/dev/null || skip "ip is not installed"
id=etna$$
port=7890
end_hosts() {
    for host in a b c; do ip netns del "$id$host" 2>/dev/null; done
}
trap end_hosts EXIT
ip netns add "${id}a" 2>/dev/null || skip "the kernel gives no network namespaces here"
for host in b c; do
    [ $host = b ] && net=10.77.1 || net=10.77.2
    ip netns add $id$host && ip link add "veth$host$$" netns $id$host type veth peer name "v$host" netns "${id}a" || skip "there are no veth links here"
    ip -n $id$host addr add $net.2/24 dev "veth$host$$"
    ip -n $id$host link set "veth$host$$" up
    ip -n "${id}a" addr add $net.1/24 dev "v$host"
    ip -n "${id}a" link set "v$host" up
done
for host in a b c; do ip -n $id$host link set lo up; done
on() { # HOST COMMAND...
    local host=$1
    shift
    exec ip netns exec "$id$host" "$@"
}
line() { # HOST STATE DELAY LATE KIB: a file that is read is never half written
    echo "$2 $3 $4 $5" >"$work/line-$1.new" && mv "$work/line-$1.new" "$work/line-$1"
}
proxies=
for host in b c; do
    [ $host = b ] && net=10.77.1 || net=10.77.2
    line $host on 2 0 0
    on $host "$ETNA_BIN/link-proxy" $port $net.1 $port "$work/line-$host" >"$work/proxy-$host.txt" &
    proxies="$proxies $!"
    await "the proxy on $host does not relay" $! grep -q relaying "$work/proxy-$host.txt"
done

for i in $(seq "$count"); do
    echo "{\"name\": \"scene-$i\", \"scene\": \"$scenes/bottles.glb\", \"goal\": \"Put all three bottles on the yellow block\", \"seed\": $i, \"flags\": [\"--no-images\"]}"
done >"$work/list.jsonl"
"$etna" batch "$work/list.jsonl" -o "$work/home" --workers 2 >"$work/home.txt" 2>&1 || fail "the batch at home: $(tail -1 "$work/home.txt")"

# Each finds the coordinator at its own end of its line.
on a "$etna" coordinator --listen tcp://0.0.0.0:$port --host 127.0.0.1 --join "$work/all.join" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/coordinator.txt"
grep -q "^connect tls+tcp://127.0.0.1:$port" "$work/all.join" || fail "the join file: $(head -3 "$work/all.join")"
"$etna" join "$work/all.join" --role worker -o "$work/worker.join" || fail "no worker's join file"
"$etna" join "$work/all.join" --role submitter -o "$work/submitter.join" || fail "no submitter's join file"
hands=
for host in b c; do
    on $host "$worker" --connect "@$work/worker.join" --cpus 1 --cache "$work/cache-$host" >"$work/worker-$host.txt" 2>&1 &
    hands="$hands $!"
done
on c "$etna" batch "$work/list.jsonl" -o "$work/away" --connect "@$work/submitter.join" >"$work/away.txt" 2>&1 &
batch=$!
mishaps=0
ended() { [ "$(grep -c '"state":"ended"' "$work/away/.batch/journal" 2>/dev/null || :)" -ge "$1" ]; }
after() { # SHARE-OF-TEN WHAT
    await "nothing ends before $2" $batch ended $((count * $1 / 10))
    mishaps=$((mishaps + 1))
}
after 1 "the line to b stands still"
line b cut 2 0 0
after 3 "that to c is reset"
line c closed 0 0 0
sleep 1
line c on 60 4 0
after 4 "b is back"
line b on 80 3 0
after 5 "b's link is down"
ip -n ${id}b link set "vethb$$" down
sleep 5
ip -n ${id}b link set "vethb$$" up
after 7 "both are cut"
line b cut 0 0 0
line c cut 0 0 0
sleep 4
line b on 5 1 0
line c on 5 1 0
wait $batch
expect "the batch: exit" "$?" 0
cmp "$work/home/summary.csv" "$work/away/summary.csv" || fail "another summary than at home: $(tail -2 "$work/away.txt")"
echo "$count scenes, $mishaps mishaps"
on c "$etna" drain --connect "@$work/submitter.join" >"$work/drain.txt" 2>&1 &
wait $! || fail "drain: $(cat "$work/drain.txt")"
for hand in $hands; do wait "$hand" || fail "a worker ends with $?: $(tail -1 "$work"/worker-?.txt)"; done
wait $coordinator || fail "the coordinator ends with $?"
kill $proxies
wait 2>/dev/null
finish
