# What happens to calls between a run, its models' list and their servers, with real processes: each role asks its own
# model; a model that is down is stood in for by its fallback; a parameter that a server refuses is left out from then
# on; what fails all the time goes out of service; a 429 of one call holds back all calls of all workers; a minute's
# requests are held over all of them; proxies, certificates of one's own and headers are taken as configured. The
# servers are tests/fault/hostile.c's before etna serve-builtin, and what they have seen stands in their ledgers.
. "$(dirname "$0")/../integration/lib.sh"
started=

serve_builtin
good=$server upstream=${url##*:}
upstream=${upstream%/v1}
serve() { # NAME WHAT...: a server of hostile-model; sets `port`; its ledger is $work/NAME.ledger
    local name=$1
    shift
    "$ETNA_BIN/hostile-model" --upstream "$upstream" --faults "${faults:-ok:1}" "$@" --ledger "$work/$name.ledger" >"$work/$name.port" 2>"$work/$name.err" &
    started="$started $!"
    await "hostile-model does not serve" $! has_line "$work/$name.port"
    port=$line
}
small="image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}, price: {in: 1, out: 2}"
export ETNA_MODELS=$work/models.yaml
go() { # NAME WHAT...: sets `code`
    local name=$1
    shift
    "$etna" run "$scenes/study.glb" --steps "$scenes/study.steps" --no-images --branches 2 --polls 1 --early-end ordered --json --model main --facts on "$@" >"$work/$name.json" 2>"$work/$name.txt"
    code=$?
}
same() { # NAME: it ended as the run in-process did
    expect "the exit of $1" "$code" 0
    expect "the snapshot of $1" "$(json "$work/$1.json" .final_snapshot)" "$(json "$work/here.json" .final_snapshot)"
    [ "$code" = 0 ] || tail -3 "$work/$1.txt" >&2
}
requests() { awk -v r="$2" '$1 != "held" && (r == "" || $5 == r)' "$work/$1.ledger" | wc -l; }
go here --model builtin
expect "the exit in-process" "$code" 0

# ---- a model of its own for each role; the evaluator's is down, and its fallback answers ----
serve plans
plans=$port
serve acts
acts=$port
serve judges
cat >"$ETNA_MODELS" <<END
endpoints:
  plans: {wire: chat, url: "http://127.0.0.1:$plans/v1"}
  acts: {wire: chat, url: "http://127.0.0.1:$acts/v1"}
  gone: {wire: chat, url: "http://127.0.0.1:1/v1", attempts: 2, backoff_ms: 20}
  judges: {wire: chat, url: "http://127.0.0.1:$port/v1"}
models:
  main: {endpoint: plans, id: builtin, $small}
  acts: {endpoint: acts, id: builtin, $small}
  gone: {endpoint: gone, id: builtin, fallback: judges, $small}
  judges: {endpoint: judges, id: builtin, $small}
roles: {executor: acts, evaluator: gone}
END
go roles
same roles
[ -s "$work/judges.ledger" ] || fail "the fallback was not asked"
for pair in plans:planner acts:executor judges:evaluator; do
    [ "$(requests ${pair%:*} "")" -gt 0 ] || fail "the ${pair#*:} asked nobody"
    expect "requests to ${pair%:*} that are no ${pair#*:}'s" "$(($(requests ${pair%:*} "") - $(requests ${pair%:*} ${pair#*:})))" 0
done
expect "whose replies were kept" "$(json "$work/roles.json" '[.usage.by_model[] | select(.spent.calls > .lost.calls) | .model] | sort | join(" ")')" "acts builtin judges main" # builtin: it measured at the end
grep -q "gone.*judges" "$work/roles.txt" || fail "that another model stands in is not told"

# ---- a parameter that the server does not know ----
serve plain --unsupported temperature
cat >"$ETNA_MODELS" <<END
endpoints:
  plain: {wire: chat, url: "http://127.0.0.1:$port/v1", attempts: 1}
models:
  main: {endpoint: plain, id: builtin, knobs: {temperature: 0.5, top_p: 0.9}, $small}
END
go knobs --early-end off # no call is given up, so that the ledgers count the same
expect "the exit of knobs" "$code" 0
refused=$(grep -c ^unsupported "$work/plain.ledger")
[ "$refused" -ge 1 ] && [ "$refused" -lt $(($(requests plain "") / 2)) ] || fail "$refused of $(requests plain "") requests were refused for a parameter: it is to be left out"
expect "calls booked for what was refused" "$(json "$work/knobs.json" '[.usage.by_model[] | select(.model != "builtin") | .spent.calls] | add')" "$(grep -c paid "$work/plain.ledger")"
grep -q "does without the parameter temperature" "$work/knobs.txt" || fail "that a parameter is left out is not told"

# ---- the breaker: what fails all the time is asked no more, and the fallback goes on ----
faults=500:1 serve broken
cat >"$ETNA_MODELS" <<END
endpoints:
  broken: {wire: chat, url: "http://127.0.0.1:$port/v1", attempts: 100, budget_ms: 600000, backoff_ms: 20, breaker: 5, in_flight: 2}
  good: {wire: chat, url: "$url"}
models:
  main: {endpoint: broken, id: builtin, fallback: good, $small}
  good: {endpoint: good, id: builtin, $small}
END
began=$SECONDS
go breaker --max-wall 600 # without a breaker a hundred tries a call would take as long
same breaker
tries=$(requests broken "")
most=$((7 + (SECONDS - began) / 30)) # out of service it is tried again every half minute
[ "$tries" -ge 5 ] && [ "$tries" -le $most ] || fail "a server that failed 5 times in a row, 2 calls at once, was asked $tries times"

# ---- one list, two workers: 429 holds back all; and the requests of a minute are held over both ----
two_workers() { # NAME WHAT...: a run by two workers who say who they are; sets `code`
    local name=$1 a b c
    shift
    "$etna" coordinator --listen "ipc://$work/$name.sock" >"$work/$name.c.txt" 2>&1 &
    c=$!
    X_TEAM=one "$worker" --connect "ipc://$work/$name.sock" --cpus 1 --cache "$work/cache1" >"$work/$name.1.txt" 2>&1 &
    a=$!
    X_TEAM=two "$worker" --connect "ipc://$work/$name.sock" --cpus 1 --cache "$work/cache2" >"$work/$name.2.txt" 2>&1 &
    b=$!
    await "the coordinator of $name does not listen" $c grep -q "listening at" "$work/$name.c.txt"
    go "$name" --connect "ipc://$work/$name.sock" "$@"
    kill $a $b
    wait $a $b
    kill $c
    wait $c
    for team in one two; do
        [ "$(awk -v t=$team '$6 == t' "$work/$name.ledger" | wc -l)" -gt 0 ] || fail "$name: worker $team asked nobody"
    done
}
serve busy --busy-after 60 --busy-s 2
cat >"$ETNA_MODELS" <<END
endpoints:
  busy: {wire: chat, url: "http://127.0.0.1:$port/v1", in_flight: 4, backoff_ms: 20, attempts: 40, headers: {x-team: \$X_TEAM}}
models:
  main: {endpoint: busy, id: builtin, $small}
END
two_workers busy --branches 8 --polls 5 --early-end off # nothing is given up, so that nothing is lost
expect "the exit of busy" "$code" 0
refused=$(grep -c ^busy "$work/busy.ledger")
# Four may be under way when the first is refused, and a few may go before the coordinator hears of it; over forty
# conversations wait, each of which would be refused, and again and again.
[ "$refused" -ge 1 ] && [ "$refused" -le 12 ] || fail "$refused calls were refused in the two seconds after a 429, at most 4 at once"
expect "lost to what was refused" "$(json "$work/busy.json" '.usage.lost.calls')" 0

if [ -n "${ETNA_FULL:-}" ]; then # ten seconds and more
serve minute
cat >"$ETNA_MODELS" <<END
endpoints:
  minute: {wire: chat, url: "http://127.0.0.1:$port/v1", requests_per_minute: 240, headers: {x-team: \$X_TEAM}}
models:
  main: {endpoint: minute, id: builtin, $small}
END
two_workers minute --branches 4 --polls 3
expect "the exit of minute" "$code" 0
# A sixth of a minute's at once, then four a second; two more for what was under way.
awk 'NR == 1 { first = $8 } NR > 42 + ($8 - first) / 250 { exit 1 }' "$work/minute.ledger" || fail "more than 240 requests a minute came: $(tr '\n' ';' <"$work/minute.ledger" | tail -c 300)"
[ "$(requests minute "")" -gt 42 ] || fail "only $(requests minute "") requests: the limit was never reached"
fi

# ---- proxy, base address, certificates ----
serve proxy
cat >"$ETNA_MODELS" <<END
endpoints:
  far: {wire: chat, url: "http://model.invalid/some/where/v1", proxy: "http://127.0.0.1:$port", attempts: 1}
models:
  main: {endpoint: far, id: builtin, $small}
END
go proxy
expect "the exit by a proxy to an address where there is nothing" "$code" 4
grep -q "404" "$work/proxy.txt" || { fail "the base address is not the one configured"; tail -3 "$work/proxy.txt" >&2; }
sed -i 's,/some/where,,' "$ETNA_MODELS"
go proxy
same proxy
expect "requests past the proxy" "$(awk '$7 != "proxy"' "$work/proxy.ledger" | wc -l)" 0

if command -v openssl >/dev/null; then
    (
        cd "$work" || exit 1
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=a test" -days 2 -keyout ca.key -out ca.crt
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout tls.key -out tls.csr
        printf 'subjectAltName=DNS:localhost,DNS:model.invalid\n' >ext
        openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out tls.crt
    ) >/dev/null 2>&1
    "$ETNA_BIN/hostile-model" --upstream "$upstream" --faults ok:1 --tls "$work/tls.crt,$work/tls.key" --ledger "$work/tls.ledger" --seen "$work/tls.seen" >"$work/tls.port" 2>"$work/tls.err" &
    started="$started $!"
    has_port_or_no_tls() { has_line "$work/tls.port" || grep -q "no TLS" "$work/tls.err"; }
    await "hostile-model does not serve by TLS" $! has_port_or_no_tls
    port=$line
    if grep -q "no TLS" "$work/tls.err"; then
        echo "hostile-model was built without GnuTLS: a good certificate was left out"
    else
        cat >"$ETNA_MODELS" <<END
endpoints:
  tls: {wire: chat, url: "https://localhost:$port/v1", attempts: 1, ca_file: "$work/ca.crt"}
models:
  main: {endpoint: tls, id: builtin, $small}
END
        go tls
        same tls

        # Through a proxy that connects, to a name that only the proxy knows: it sees where to, and nothing of what is
        # said; its name and password are for it alone; and nothing of either is kept.
        pass=a-password-of-this-test-77aa key=a-key-of-this-test-31fe
        "$ETNA_BIN/connect-proxy" --seen "$work/connect.seen" --auth "$(printf 'caller:%s' "$pass" | base64 -w0)" --login "caller:$pass" >"$work/connect.port" 2>&1 &
        started="$started $!"
        tls_port=$port
        await "connect-proxy does not serve" $! has_line "$work/connect.port"
        cat >"$ETNA_MODELS" <<END
endpoints:
  tls: {wire: chat, url: "https://model.invalid:$tls_port/v1", attempts: 2, backoff_ms: 1, ca_file: "$work/ca.crt", key_env: TLS_KEY, proxy: \$TLS_PROXY, headers: {x-team: through}}
models:
  main: {endpoint: tls, id: builtin, $small}
END
        : >"$work/tls.seen" # what came without a proxy
        TLS_KEY=$key TLS_PROXY=http://caller:$pass@127.0.0.1:$line go connect
        same connect
        head -1 "$work/connect.seen" | grep -q "^CONNECT model.invalid:$tls_port HTTP/1" || fail "the proxy was not asked to connect: $(head -1 "$work/connect.seen")"
        grep -qa "$key" "$work/tls.seen" || fail "the server got no key through the proxy"
        grep -qaE "$key|x-team: |/v1/chat/completions|a-password" "$work/connect.seen" && fail "the proxy sees what is for the server alone"
        grep -qaiE "proxy-|$pass|$(printf 'caller:%s' "$pass" | base64 -w0)" "$work/tls.seen" && fail "the server sees what is for the proxy alone"
        TLS_KEY=$key TLS_PROXY=http://caller:wrong-$pass@127.0.0.1:$line go stranger
        expect "the exit at a proxy that wants another password" "$code" 4
        expect "what is told of it" "$(grep -c "the proxy wants another name and password (407)" "$work/stranger.txt")" 1
        expect "requests to a proxy that wants another password" "$(grep -ac "$(printf 'caller:wrong-%s' "$pass" | base64 -w0)" "$work/connect.seen")" 1
        # The same by SOCKS5: the proxy looks the name up (socks5h), or is told an address (socks5).
        TLS_KEY=$key TLS_PROXY=socks5h://caller:$pass@localhost:$line go socks
        same socks
        grep -qa "SOCKS5 model.invalid:$tls_port" "$work/connect.seen" || fail "the SOCKS proxy was not told the name"
        TLS_KEY=$key TLS_PROXY=socks5h://caller:wrong-$pass@127.0.0.1:$line go socksstranger
        expect "the exit at a SOCKS proxy that wants another password" "$code" 4
        expect "what is told of it" "$(grep -c "the proxy wants another name and password" "$work/socksstranger.txt")" 1
        TLS_KEY=$key TLS_PROXY=socks5h://127.0.0.1:$line go socksnobody
        expect "the exit at a SOCKS proxy that wants a password" "$code" 4
        expect "what is told of it" "$(grep -c "the proxy wants a name and password" "$work/socksnobody.txt")" 1
        sed -i "s/model.invalid/localhost/" "$ETNA_MODELS"
        TLS_KEY=$key TLS_PROXY=socks5://caller:$pass@127.0.0.1:$line go socks4
        same socks4
        grep -qa "SOCKS5 an address:$tls_port" "$work/connect.seen" || fail "the SOCKS proxy was not told an address"
        sed -i "s/localhost/model.invalid/" "$ETNA_MODELS"
        # A proxy that is itself called by TLS, with a certificate of the company's own.
        plain=$line
        "$ETNA_BIN/connect-proxy" --seen "$work/https.seen" --auth "$(printf 'caller:%s' "$pass" | base64 -w0)" --tls "$work/tls.crt,$work/tls.key" >"$work/https.port" 2>&1 &
        started="$started $!"
        await "connect-proxy does not serve by TLS" $! has_line "$work/https.port"
        TLS_KEY=$key TLS_PROXY=https://caller:$pass@localhost:$line go https
        same https
        head -1 "$work/https.seen" | grep -q "^CONNECT model.invalid:$tls_port HTTP/1" || fail "the https proxy was not asked to connect: $(head -1 "$work/https.seen")"
        TLS_KEY=$key TLS_PROXY=https://caller:$pass@127.0.0.1:$line go httpsname
        expect "the exit at a proxy with a certificate of another name" "$code" 4
        grep -qi "certificate" "$work/httpsname.txt" || { fail "a proxy's bad certificate is not told"; tail -2 "$work/httpsname.txt" >&2; }
        rm "$work/https.seen"
        line=$plain
        sed -i "s/:$tls_port/:1/" "$ETNA_MODELS"
        TLS_KEY=$key TLS_PROXY=socks5h://caller:$pass@127.0.0.1:$line go socksnowhere
        expect "the exit at a SOCKS proxy that cannot connect" "$code" 4
        expect "what is told of the name" "$(grep -c "the proxy could not connect to model.invalid:1" "$work/socksnowhere.txt")" 1
        TLS_KEY=$key TLS_PROXY=http://caller:$pass@127.0.0.1:$line go nowhere
        expect "the exit at a proxy that cannot connect" "$code" 4
        expect "what is told of the name" "$(grep -c "the proxy could not connect to model.invalid:1 (502)" "$work/nowhere.txt")" 1
        sed -i "s,proxy: [^ ]*,proxy: \"http://caller:$pass@127.0.0.1:$line\"\,," "$ETNA_MODELS"
        go open
        expect "the exit at a password in a list of models" "$code" 2
        rm "$ETNA_MODELS" "$work/connect.seen"
        found=$(grep -rlaF -e "$pass" -e "$(printf 'caller:%s' "$pass" | base64 -w0)" "$work" | head -3)
        [ -z "$found" ] || fail "the proxy's password stands in $found"
        rm "$work/tls.seen"
        found=$(grep -rlaF -e "$key" "$work" | head -3)
        [ -z "$found" ] || fail "a key stands in $found"
        cat >"$ETNA_MODELS" <<END
endpoints:
  tls: {wire: chat, url: "https://localhost:$tls_port/v1", attempts: 1, ca_file: "$work/ca.crt"}
models:
  main: {endpoint: tls, id: builtin, $small}
END
        sed -i 's/localhost/127.0.0.1/' "$ETNA_MODELS" # not the name that it was made for
        go othername
        expect "the exit at a certificate of another name" "$code" 4
        sed -i 's/127.0.0.1/localhost/; s/, ca_file: "[^"]*"//' "$ETNA_MODELS"
        go unknownca
        expect "the exit at a certificate that nobody trusts" "$code" 4
        grep -qi certificate "$work/unknownca.txt" || fail "a bad certificate is not told"
    fi
else
    echo "no openssl here: certificates were left out"
fi
# ---- a worker that crashes with its key in use leaves no core and no key, nor does its supervisor, whose environment has the
# key too; no other process of their user sees it ----
# It comes over TCP, with a token: over ipc a coordinator takes its own user alone.
as=() # root may look into everything: as root the worker, and who would look into it, are nobody's
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
export CALLS_KEY=a-key-of-this-test-5d0c1e
serve held --hold 1 --gate "$work/gate"
cat >"$ETNA_MODELS" <<END
endpoints:
  held: {wire: chat, url: "http://127.0.0.1:$port/v1", key_env: CALLS_KEY}
models:
  main: {endpoint: held, id: builtin, $small}
END
mkdir "$work/crash" "$work/cache3"
crasher=$worker
if [ ${#as[@]} != 0 ]; then
    chmod 0711 "$work"
    chown 65534:65534 "$work/crash" "$work/cache3"
    "${as[@]}" test -x "$worker" || { crasher=$work/etna-worker && cp "$worker" "$crasher"; } # under a folder that only root may enter
fi
"$etna" coordinator --listen tcp://127.0.0.1:$(some_port) --join "$work/k.join" >"$work/k.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/k.txt"
"$etna" join "$work/k.join" --role worker -o "$work/worker.join" >"$work/join.txt" 2>&1 || { fail "no file for a worker"; cat "$work/join.txt" >&2; }
[ ${#as[@]} = 0 ] || chown 65534:65534 "$work/worker.join"
(
    cd "$work/crash" || exit 1
    export TMPDIR=$work/crash
    ulimit -c unlimited 2>/dev/null
    export ASAN_OPTIONS="${ASAN_OPTIONS:-}:handle_segv=0" TSAN_OPTIONS="${TSAN_OPTIONS:-}:handle_segv=0" # the crash is the kernel's
    exec "${as[@]}" "$crasher" --connect "@$work/worker.join" --cpus 1 --cache "$work/cache3"
) >"$work/k1.txt" 2>&1 &
crashing=$!
go crash --connect "@$work/k.join" &
running=$!
for _ in $(seq 1500); do
    grep -q ^held "$work/held.ledger" 2>/dev/null && break
    kill -0 $running 2>/dev/null || break
    sleep 0.02
done
grep -q ^held "$work/held.ledger" || { fail "the call that is held was never made"; cat "$work/k1.txt" >&2; }
calling=$(pgrep -P $crashing)
for p in $crashing $calling; do
    grep -q '^Max core file size *0 *0 ' "/proc/$p/limits" || fail "a worker that calls, or its supervisor, may leave a core"
    # The kernel gives what belongs to a process that may not be dumped to root.
    expect "whose the calling worker's files are" "$(stat -c %u "/proc/$p/environ")" 0
done
CALLS_KEY=$CALLS_KEY "${as[@]}" sleep 1000 &
asleep=$!
until [ "$(cat /proc/$asleep/comm)" = sleep ]; do kill -0 $asleep 2>/dev/null || break; sleep 0.02; done # not setpriv any more
"${as[@]}" grep -qaF "$CALLS_KEY" /proc/$asleep/environ || fail "a process without a guard cannot be looked into: the next lines say nothing"
kill $asleep
wait $asleep 2>/dev/null
if [ ${#as[@]} != 0 ] || [ "$(id -u)" != 0 ]; then
    for file in $crashing/environ $crashing/maps $calling/environ $calling/maps $calling/auxv; do
        "${as[@]}" head -c1 "/proc/$file" >/dev/null 2>&1 && fail "another process of its user reads the calling worker's ${file#*/}"
    done
else
    echo "no setpriv here: whether others of its user see a worker's key was not asked as root"
fi
for p in /proc/[0-9]*; do
    { tr '\0' ' ' <"$p/cmdline" | grep -qF "$CALLS_KEY"; } 2>/dev/null && fail "the key stands in the command line of ${p#/proc/}"
done
kill -SEGV $calling
await "a worker's crash is not told" $crashing grep -q "ended by signal 11" "$work/k1.txt"
kill -SEGV $crashing
wait $crashing 2>"$work/crash.words"
expect "the crashed supervisor's exit" "$?" 139
grep -qi "core dumped" "$work/crash.words" && fail "a core was dumped"
expect "files that a crash left" "$(find "$work/crash" -mindepth 1 | wc -l)" 0
kill -INT $(pgrep -P $running) 2>/dev/null
wait $running
kill $coordinator && wait $coordinator
: >"$work/gate"
found=$(grep -rlF -- "$CALLS_KEY" "$work" | head -3)
[ -z "$found" ] || fail "the key stands in $found"

kill $started $good
wait 2>/dev/null
finish
