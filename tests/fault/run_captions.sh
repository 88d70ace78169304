# Captions of assets by a model that sees: found by them, kept, capped, and paid once over an indexing of 200 that is
# killed; what a server answers otherwise than it should is told, and what was answered before stays.
. "$(dirname "$0")/../integration/lib.sh"
export ETNA_MODELS=$work/models.yaml

# choosing [OPTION...]: starts the server; sets `proxy` and `upstream`
choosing() {
    rm -f "$work/port"
    "$ETNA_BIN/choosing-model" --ledger "$work/ledger" "$@" >"$work/port" &
    proxy=$!
    await "choosing-model does not serve" $proxy has_line "$work/port"
    upstream=$line
    models "$line"
}
models() { # PORT
    cat >"$ETNA_MODELS" <<END
endpoints:
  local: {wire: chat, url: "http://127.0.0.1:$1/v1"}
models:
  eyes: {endpoint: local, id: eyes-1, price: {in: 1, out: 2}}
  other: {endpoint: local, id: eyes-2, price: {in: 1, out: 2}}
END
}
hang_up() { kill $proxy; wait $proxy 2>/dev/null; }
pictures() { grep -c ^picture "$work/ledger"; }

mkdir "$work/models"
for n in $(seq 1 200); do
    x=1.$(printf '%03d' "$n")
    printf 'v 0 0 0\nv %s 0 0\nv %s 1 0\nv 0 1 0\nv 0 0 1\nv %s 0 1\nv %s 1 1\nv 0 1 1\n' $x $x $x $x >"$work/models/chair $n.obj"
    printf 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >>"$work/models/chair $n.obj"
done

choosing --delay 20
"$etna" assets index "$work/models" --json >"$work/plain.json" || fail "the models cannot be indexed"
expect "assets" "$(json "$work/plain.json" .assets)" 200
expect "what was asked for nothing" "$(cat "$work/ledger")" ""
"$etna" assets find "a chair with zebra stripes" | grep -q zebra && fail "it is found by what nobody said"
"$etna" assets index "$work/models" --captions builtin >"$work/out" 2>&1
expect "the built-in agent's captions" "$?" 2

# ---- a cap, then killed on the way: only the call that was under way is asked again, and that is told ----
"$etna" assets index "$work/models" --captions eyes --max-cost 0.02 >"$work/out" 2>&1
expect "a cap that is too low for all" "$?" 3
grep -q -- "--max-cost" "$work/out" || fail "the cap is not named: $(cat "$work/out")"
capped=$(pictures)
[ "$capped" -gt 0 ] && [ "$capped" -lt 200 ] || fail "$capped pictures were asked for under a cap"
for try in 1 2 3; do
    "$etna" assets index "$work/models" --captions eyes >"$work/out" 2>&1 &
    indexing=$!
    before=$(pictures)
    more() { [ "$(pictures)" -gt $((before + 10)) ]; }
    await "no call was made" $indexing more
    kill -9 $indexing
    wait $indexing 2>/dev/null
done
[ "$(pictures)" -lt 200 ] || fail "it was not killed in time"
sleep 0.2
"$etna" assets index "$work/models" --captions eyes --json >"$work/index.json" || fail "the index does not go on"
expect "assets with captions" "$(json "$work/index.json" .captioned)" 200
expect "pictures of all models, each asked for" "$(sort -u "$work/ledger" | wc -l)" 200
twice=$(($(pictures) - 200))
[ "$twice" -le 3 ] || fail "$twice pictures were asked for twice after three kills"
asked=$(pictures)
"$etna" assets index "$work/models" --captions eyes --json >"$work/again.json" || fail "the index fails when it is there"
expect "what a second index asks for" "$(pictures) $(json "$work/again.json" .used.calls)" "$asked 0"
expect "the index's hash" "$(json "$work/again.json" .index)" "$(json "$work/index.json" .index)"
[ "$(json "$work/index.json" .index)" != "$(json "$work/plain.json" .index)" ] || fail "captions are not in the index"
hang_up

# ---- without a server: found by them, and told ----
"$etna" assets find "a chair with zebra stripes" | grep -q zebra || fail "it is not found by a caption"
"$etna" assets index "$work/models" --captions eyes --json >"$work/kept.json"; expect "the index without a server" "$?" 0
expect "its hash" "$(json "$work/kept.json" .index)" "$(json "$work/index.json" .index)"
"$etna" assets index "$work/models" --json >"$work/kept.json"; expect "the index without a model" "$?" 0
expect "its hash" "$(json "$work/kept.json" .index)" "$(json "$work/index.json" .index)"
"$etna" assets show "chair 7.obj" --json >"$work/show.json"
expect "what it says" "$(json "$work/show.json" '.caption | [.model, .physical, .functional, .contextual, .front] | tostring')" \
    '["eyes-1","boxy, zebra stripes","For quokkas","In savannahs.","right side"]'

# ---- its front was said to be its right side: it is that which looks into a room and at what it is put before ----
gltf() { # FILE: its JSON
    tail -c +21 "$1" | head -c "$(od -An -tu4 -j12 -N4 "$1" | tr -d ' ')"
}
"$etna" furnish --room 6x6 --goal "a chair against the north wall" -o "$work/room" >/dev/null || fail "no chair comes into a room"
gltf "$work/room/result.glb" >"$work/room.json"
expect "a chair's front in a room" "$(json "$work/room.json" '.nodes[] | select(.name == "chair") | .extras.etna.front')" +X
expect "how it is turned to look away from the north wall" \
    "$(json "$work/room.json" '.nodes[] | select(.name == "chair") | .rotation[1] * 1000 | round')" -707
"$etna" furnish "$work/room/result.glb" --goal "a chair against the south wall" -o "$work/more" >/dev/null || fail "no second chair comes"
gltf "$work/more/result.glb" >"$work/more.json"
expect "the second one's front" "$(json "$work/more.json" '.nodes[] | select(.extras.etna.query) | .extras.etna | [.front, .front_source] | tostring')" \
    '["+X","caption"]'
expect "how it is turned to look away from the south wall" \
    "$(json "$work/more.json" '.nodes[] | select(.extras.etna.query) | .matrix[:3] | map(round) | tostring')" '[0,0,-1]'

# ---- answers that are none; a server that refuses; one that misbehaves ----
choosing --kind waving
asked=$(pictures)
"$etna" assets index "$work/models" --captions other >"$work/out" 2>&1; expect "an index by a model that only waves" "$?" 4
grep -q "could be read" "$work/out" || fail "why is not said: $(cat "$work/out")"
expect "what it was paid for" "$(pictures)" "$((asked + 16))"
"$etna" assets index "$work/models" --json >"$work/kept.json"
expect "the index's hash" "$(json "$work/kept.json" .index)" "$(json "$work/index.json" .index)"
hang_up
choosing --kind money
sed -i 's/eyes-2/eyes-3/' "$ETNA_MODELS"
"$etna" assets index "$work/models" --captions other >"$work/out" 2>&1; expect "a server without quota" "$?" 4
grep -q "no quota" "$work/out" || fail "why is not said: $(cat "$work/out")"
hang_up
choosing
"$ETNA_BIN/hostile-model" --upstream "$upstream" --faults ok:40,429:3,429r:2,500:3,early:3,late:2,half:2,garbage:2,html:2,chunked:4,zipped:4,shape:2,redirect:1 \
    --ledger "$work/hostile.ledger" >"$work/hostile.port" 2>/dev/null &
hostile=$!
await "hostile-model does not serve" $hostile has_line "$work/hostile.port"
models "$line"
sed -i 's/eyes-2/eyes-4/' "$ETNA_MODELS"
: >"$work/ledger"
for try in $(seq 1 60); do
    timeout 120 "$etna" assets index "$work/models" --captions other --patience 5 --json >"$work/hostile.json" 2>"$work/out"
    code=$?
    [ $code = 0 ] && break
    expect "the index by a server that misbehaves" "$code" 4
    [ "$code" = 4 ] || break
done
expect "captions by a server that misbehaves" "$(json "$work/hostile.json" .captioned)" 200
kill $hostile; wait $hostile 2>/dev/null
hang_up
finish
