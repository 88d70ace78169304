# Models' servers that misbehave (tests/fault/hostile.c, a proxy before etna serve-builtin). Under 30 % faults of
# transport a run ends in the same snapshot with the same `used` as without; what may have been billed is booked as lost
# at its estimate, what was refused is free, and the server's own ledger agrees. Answers of the wrong form each meet the
# rule of repair. What cannot get better is told at once.
. "$(dirname "$0")/../integration/lib.sh"

serve_builtin
upstream=${url##*:}
upstream=${upstream%/v1}

hostile() { # NAME FAULTS: starts the proxy; sets `proxy`, its ledger is $work/NAME.ledger
    "$ETNA_BIN/hostile-model" --upstream "$upstream" --seed 11 --faults "$2" --ledger "$work/$1.ledger" >"$work/$1.port" &
    proxy=$!
    await "hostile-model does not serve" $proxy has_line "$work/$1.port"
    list "http://127.0.0.1:$line/v1"
}
list() { # URL [ATTEMPTS]
    cat >"$work/models.yaml" <<END
endpoints:
  bad: {wire: chat, url: "$1", attempts: ${2:-40}, breaker: 0, backoff_ms: 20, connect_ms: 2000, first_byte_ms: 20000, total_ms: 60000}
models:
  bad: {endpoint: bad, id: builtin, output_tokens: 500, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}, price: {in: 1, out: 2}}
END
}
hang_up() { kill $proxy; wait $proxy 2>/dev/null; }
export ETNA_MODELS=$work/models.yaml
steps=$scenes/study.steps
go() { # NAME WHAT...: sets `code`
    local name=$1
    shift
    "$etna" run "$scenes/study.glb" --steps "$steps" --no-images --early-end ordered --json --model bad --facts on "$@" >"$work/$name.json" 2>"$work/$name.txt"
    code=$?
}

list "$url"
go good
expect "the good run's exit" "$code" 0

# ---- transport ----
# --early-end off: no branch is cancelled while a call of its is under way, so that the two ledgers count the same. The
# good answer also comes byte by byte, in chunks and compressed.
count() { awk -v c="$2" '$2 == c' "$work/$1.ledger" | wc -l; }
under_faults() { # NAME WHAT...
    local name=$1 cost what met calls lost
    shift
    list "$url"
    go "$name-good" --early-end off "$@"
    expect "the exit of $name without faults" "$code" 0
    hostile "$name" ok:74,429:3,429r:3,500:3,529:3,early:3,late:3,half:3,drip:3,chunked:3,zipped:3,garbage:3,html:3
    go "$name" --early-end off "$@"
    hang_up
    expect "the exit of $name" "$code" 0
    [ $code = 0 ] || tail -3 "$work/$name.txt" >&2
    for what in .final_snapshot .tokens .backtracks .usage.used; do
        expect "$name: $what" "$(json "$work/$name.json" "$what|tostring")" "$(json "$work/$name-good.json" "$what|tostring")"
    done
    # The ledger: most kinds were met; as many paid answers as replies were kept; lost calls are those that may have
    # been billed, and of those reset before they were read some may have seemed sent whole.
    met=$(awk '$1 != "ok" { print $1 }' "$work/$name.ledger" | sort -u | wc -l)
    [ "$met" -ge 8 ] || fail "$name: only $met kinds of fault were met"
    for cost in free maybe; do [ "$(count "$name" $cost)" -ge 4 ] || fail "$name: only $(count "$name" $cost) faults are $cost"; done
    # What the built-in agent measures at the end goes to no server.
    calls=$(json "$work/$name.json" '[.usage.by_model[] | select(.model != "builtin") | .spent.calls - .lost.calls] | add')
    lost=$(json "$work/$name.json" .usage.lost.calls)
    expect "$name: paid answers by the ledger" "$(count "$name" paid)" "$calls"
    [ "$lost" -ge "$(count "$name" maybe)" ] && [ "$lost" -le $(($(count "$name" maybe) + $(count "$name" early))) ] ||
        fail "$name: $lost calls are booked as lost; by the ledger it is $(count "$name" maybe), and at most $(count "$name" early) more"
    expect "$name: tokens paid by the ledger" "$(awk '$2 == "paid" { n += $3 + $4 } END { print n }' "$work/$name.ledger")" \
        "$(json "$work/$name.json" '.usage | .spent.in + .spent.out - .lost.in - .lost.out')"
}
under_faults faults
if [ -n "${ETNA_FULL:-}" ]; then
    steps=$work/twenty.steps
    for move in phone:book pen:notebook plant:desk phone:desk pen:desk mug:desk "photo frame:desk" phone:book "pencil cup:desk" pen:notebook \
        phone:desk lamp:desk pen:desk plant:desk phone:book mug:desk pen:notebook "photo frame:desk" phone:desk pen:desk; do
        echo "Put the ${move%:*} on the ${move#*:}."
    done >"$steps"
    under_faults twenty --branches 2 --polls 1
    expect "steps of the long list" "$(json "$work/twenty.json" '.steps|length')" 20
    steps=$scenes/study.steps
fi

# ---- what cannot get better ----
hostile redirect redirect:1
go redirect
hang_up
expect "exit when redirected" "$code" 4
expect "calls when redirected" "$(wc -l <"$work/redirect.ledger")" 1
grep -q "redirects are not followed" "$work/redirect.txt" || { fail "a redirect is not told"; cat "$work/redirect.txt" >&2; }
hostile huge huge:1
sed -i 's/attempts: 40/attempts: 2/' "$work/models.yaml"
go huge
hang_up
expect "exit after answers of 100 MB" "$code" 4
expect "tries of answers of 100 MB" "$(wc -l <"$work/huge.ledger")" 2
hostile gzip gzip:1
sed -i 's/attempts: 40/attempts: 2/' "$work/models.yaml"
go gzip
hang_up
expect "exit after broken gzip" "$code" 4

# ---- a gateway that quotes the request, with the key in it ----
hostile echo echo:1
sed -i 's/attempts: 40/attempts: 2, key_env: HOSTILE_KEY/' "$work/models.yaml"
HOSTILE_KEY=a-key/of-this-test-77ac01 go echo
hang_up
expect "exit after the request was quoted" "$code" 4
grep -qi "authorization: Bearer \*\*\*" "$work/echo.txt" || { fail "what was quoted is not told"; tail -2 "$work/echo.txt" >&2; }
found=$(grep -rlaF "a-key/of-this-test-77ac01" "$work" | head -3)
[ -z "$found" ] || fail "the key stands in $found"

# ---- the rule of repair ----
# Wrong shapes and prose cost a role its turns, then fail a branch or let a poll abstain; the run itself ends by a
# verdict.
for kind in twice object broken shape prose; do
    hostile $kind ok:4,$kind:1
    go $kind
    hang_up
    [ "$code" -le 1 ] || { fail "a run under $kind ended with $code"; tail -3 "$work/$kind.txt" >&2; }
    grep -q "^$kind paid" "$work/$kind.ledger" || fail "no call met $kind"
done
for kind in twice object; do # ids are made unique, objects are taken as they are: nothing is lost by them
    expect "the snapshot under $kind" "$(json "$work/$kind.json" .final_snapshot)" "$(json "$work/good.json" .final_snapshot)"
done

# ---- a certificate that nobody signed ----
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 1 -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
    port=$(some_port)
    openssl s_server -accept 127.0.0.1:$port -key "$work/tls.key" -cert "$work/tls.crt" -quiet >/dev/null 2>&1 </dev/null &
    tls=$!
    list "https://localhost:$port/v1" 5
    sed -i 's/backoff_ms: 20/backoff_ms: 200/' "$work/models.yaml" # until it listens
    go tls
    kill $tls 2>/dev/null
    wait $tls 2>/dev/null
    expect "exit at a bad certificate" "$code" 4
    grep -qi "certificate" "$work/tls.txt" || { fail "a bad certificate is not told"; tail -3 "$work/tls.txt" >&2; }
else
    echo "no openssl here: the bad certificate was left out"
fi
kill $server
wait $server 2>/dev/null
finish
