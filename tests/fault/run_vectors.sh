# Vectors and votes of models about assets: found by them, kept, capped, and paid once over an indexing that is killed; what
# a server answers otherwise than it should is one line, and what was answered before stays.
. "$(dirname "$0")/../integration/lib.sh"
export ETNA_MODELS=$work/models.yaml

# choosing [OPTION...]: starts the server; sets `proxy`
choosing() {
    rm -f "$work/port"
    "$ETNA_BIN/choosing-model" --ledger "$work/ledger" "$@" >"$work/port" &
    proxy=$!
    await "choosing-model does not serve" $proxy has_line "$work/port"
    cat >"$ETNA_MODELS" <<END
endpoints:
  local: {wire: chat, url: "http://127.0.0.1:$line/v1"}
  other: {wire: anthropic, url: "http://127.0.0.1:$line/v1"}
models:
  vectors: {endpoint: local, id: vectors-1, price: {in: 1, out: 2}}
  judge: {endpoint: local, id: judge-1, price: {in: 1, out: 2}}
  claude: {endpoint: other, id: claude-1}
END
}
hang_up() { kill $proxy; wait $proxy 2>/dev/null; }
texts() { grep -c ^text "$work/ledger"; }

mkdir "$work/models"
for colour in red blue green old; do
    for name in chair table bookcase sofa lamp vase wardrobe bench desk stool; do
        for n in 1 2 3 4 5; do
            x=1.$n$(printf '%03d' $(($(echo "$colour$name" | cksum | cut -d' ' -f1) % 1000)))
            printf 'v 0 0 0\nv %s 0 0\nv %s 1 0\nv 0 1 0\nv 0 0 1\nv %s 0 1\nv %s 1 1\nv 0 1 1\n' $x $x $x $x >"$work/models/$colour $name $n.obj"
            printf 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >>"$work/models/$colour $name $n.obj"
        done
    done
done

choosing --delay 250
"$etna" assets index "$work/models" --json >"$work/plain.json" || fail "the models cannot be indexed"
expect "assets" "$(json "$work/plain.json" .assets)" 200
"$etna" assets find "a chair" --embeddings vectors >"$work/out" 2>&1
expect "find without vectors" "$?" 3
grep -q "index --embeddings vectors" "$work/out" || fail "what to type is not said: $(cat "$work/out")"
expect "what was asked for nothing" "$(cat "$work/ledger")" ""
"$etna" assets index "$work/models" --embeddings claude >"$work/out" 2>&1
expect "a wire without vectors" "$?" 2
"$etna" assets index "$work/models" --embeddings builtin >"$work/out" 2>&1
expect "the built-in agent's vectors" "$?" 2

# ---- killed on the way: only the call that was under way is asked again, and that is told ----
"$etna" assets index "$work/models" --embeddings vectors >"$work/out" 2>&1 &
indexing=$!
await "no call was made" $indexing test -s "$work/ledger"
sleep 0.6
kill -9 $indexing
wait $indexing 2>/dev/null
before=$(texts)
[ "$before" -lt 600 ] || fail "it was not killed in time"
sleep 0.4
"$etna" assets index "$work/models" --embeddings vectors --json >"$work/index.json" || fail "the index does not go on"
expect "assets with vectors" "$(json "$work/index.json" .embedded)" 200
twice=$(sort "$work/ledger" | uniq -d | wc -l)
[ "$twice" -le 96 ] || fail "$twice texts were asked for twice, more than one call has"
expect "calls that may be lost, told" "$(json "$work/index.json" .used.lost_calls)" "$([ "$twice" -gt 0 ] && echo 1 || echo 0)"
expect "texts of all models, each asked for" "$(sort -u "$work/ledger" | wc -l)" "$(($(texts) - twice))"
asked=$(texts)
"$etna" assets index "$work/models" --embeddings vectors --json >"$work/again.json" || fail "the index fails when it is there"
expect "what a second index asks for" "$(texts) $(json "$work/again.json" .used.calls)" "$asked 0"
expect "the index's hash" "$(json "$work/again.json" .index)" "$(json "$work/plain.json" .index)"
hang_up

# ---- found, chosen, kept ----
choosing --choice "blue"
"$etna" assets find "a sofa for the hall" --embeddings vectors --rerank judge --json >"$work/find.json"
expect "find with a vote" "$?" 0
json "$work/find.json" '.assets[0].name' | grep -q sofa || fail "no sofa: $(cat "$work/find.json")"
"$etna" assets find "a bench" --rerank judge -k 10 --json >"$work/bench.json"
expect "calls of a vote against the order" "$(json "$work/bench.json" .models.calls)" 2
hang_up
cp "$work/ledger" "$work/ledger.before"
"$etna" assets find "a sofa for the hall" --embeddings vectors --rerank judge --json >"$work/kept.json"
expect "the same without a server" "$?" 0
expect "what it finds" "$(json "$work/kept.json" '.assets|tostring')" "$(json "$work/find.json" '.assets|tostring')"
expect "what it asks" "$(json "$work/kept.json" .models.calls)" 0
"$etna" assets find "a stool" --embeddings vectors >"$work/out" 2>&1
expect "another without a server" "$?" 4
grep -q "connect" "$work/out" || fail "why is not said: $(cat "$work/out")"

# ---- a model that takes none of them, one that votes for whatever is first, one that says nothing ----
choosing --choice trombone
"$etna" assets find "a blue lamp" --rerank judge >"$work/out"
expect "find when the model takes none" "$?" 1
grep -q "judge takes none" "$work/out" || fail "who refused is not said: $(cat "$work/out")"
hang_up
choosing --kind waving
"$etna" assets find "a red lamp" --rerank judge >"$work/out"
expect "find when the model says nothing" "$?" 0
grep -q "does not answer with a choice; the order stands" "$work/out" || fail "that there is no vote is not said: $(cat "$work/out")"
hang_up
choosing --kind mute
"$etna" assets find "a green lamp" --rerank judge >"$work/out"
expect "find when the model is mute" "$?" 0
grep -q "does not answer with a choice" "$work/out" || fail "that it is mute is not said: $(cat "$work/out")"
hang_up

# ---- bounds are not up for a vote, nor for vectors ----
choosing --choice wardrobe
"$etna" assets find "a wardrobe under 10 cm" --embeddings vectors --rerank judge >"$work/out"
expect "find beyond its bounds" "$?" 1
hang_up

# ---- money, and servers that answer otherwise ----
choosing
"$etna" assets find "an old desk" --embeddings vectors --max-cost 0.000001 >"$work/out" 2>&1
expect "a cap that is too low" "$?" 3
grep -q -- "--max-cost" "$work/out" || fail "the cap is not named: $(cat "$work/out")"
hang_up
for kind in short zero words; do
    choosing --kind $kind
    "$etna" assets find "a $kind desk" --embeddings vectors >"$work/out" 2>&1
    expect "vectors that are $kind" "$?" 4
    expect "lines" "$(wc -l <"$work/out")" 1
    hang_up
done
choosing --kind money
"$etna" assets find "a mauve desk" --embeddings vectors >"$work/out" 2>&1
expect "a server without quota" "$?" 4
grep -q "no quota" "$work/out" || fail "why is not said: $(cat "$work/out")"
hang_up
choosing
"$etna" assets find "a mauve desk" --embeddings vectors --json >"$work/mauve.json"
expect "the same later" "$?" 0
expect "what was refused is not booked" "$(json "$work/mauve.json" .models.lost_calls)" 0
hang_up
finish
