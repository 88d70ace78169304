# Rooms that nobody drew, each with one thing to be put to another. What a run did must hold before the verifier, which
# is then a place found; where a run did nothing, trying every place says whether there was one. Of the rooms with a
# place 97 of 100 must end complete. $ETNA_ROOMS of them, from $ETNA_ROOM on.
. "$(dirname "$0")/lib.sh"

first=${ETNA_ROOM:-1}
last=$((first + ${ETNA_ROOMS:-24} - 1))
library=
[ ! -e /usr/share/sweethome3d/furniture/Scopia.sh3f ] || library=--library

# room SEED: prints one word of what became of it, and why.
room() {
    local folder=$work/room-$1 what relation where code
    "$ETNA_BIN/room-maker" "$1" "$folder" $library || { echo "unmade"; return; }
    "$etna" scene compose "$folder/spec.json" -o "$folder/scene.glb" >"$folder/composed.txt" 2>&1 || { echo "unmade"; return; }
    { read -r what; read -r relation; read -r where; } <"$folder/ask.txt"
    "$etna" run "$folder/scene.glb" --goal "$(cat "$folder/goal.txt")" --no-images --early-end ordered --json -o "$folder/out" \
        >"$folder/run.json" 2>"$folder/run.txt"
    code=$?
    if [ $code = 0 ]; then
        "$ETNA_BIN/scene-verify" "$folder/scene.glb" "$folder/out/result.glb" >"$folder/verified.txt" && echo "complete" || echo "bad $(head -1 "$folder/verified.txt")"
        return
    fi
    timeout 100 "$ETNA_BIN/scene-place" "$folder/scene.glb" "$what" "$relation" "$where" >"$folder/place.txt" || { echo "none"; return; }
    echo "failed $(tail -1 "$folder/run.txt" | sed "s|$work/||g")"
}

for seed in $(seq "$first" "$last"); do
    became=$(room "$seed")
    echo "$seed $became" | tee -a "$work/became.txt"
    case $became in failed* | bad*) echo "    $(cat "$work/room-$seed/goal.txt")" ;; esac
    [ -n "${ETNA_KEEP:-}" ] || rm -rf "$work/room-$seed" "$ETNA_STORE"
done

# A place was found in `found` of them.
count() { grep -c "^[0-9]* $1" "$work/became.txt" || true; }
complete=$(count complete)
found=$((complete + $(count failed)))
echo "$complete complete of $found with a place; $(count none) without one, $(count unmade) not made"
[ "$(count bad)" = 0 ] || fail "$(count bad) results that the verifier does not let pass"
[ $((complete * 100)) -ge $((found * 97)) ] || fail "$complete of $found rooms with a place are complete: under 97 %"
[ "$found" -ge $(((last - first + 1) / 3)) ] || fail "only $found rooms have a place: too few to say anything"
finish
