# Collision against Blender's exact boolean. Pairs of real models, each slid onto the other and pushed in by a random
# depth around the threshold: our verdict is to be "the intersection is empty along none of the ways once it is shifted
# by the threshold". Held where our depth is over 1 mm away from the threshold (or ours finds no overlap at all) and
# both models are closed: of others an exact boolean is not defined, so those are counted and their disagreements listed
# only.
#
# A disagreement is explained, and by whom is right:
#   ours     a model cuts itself, and the boolean agrees as soon as it is told to look for that (use_self)
#   ours     the surfaces cross where the boolean finds nothing between them, and it agrees when told to look closer
#   both     free on the way to the threshold but not at it (thin parts pass through): depth is the first free place by METHODS.md 6
. "$(dirname "$0")/lib.sh"
command -v blender >/dev/null || skip "Blender is not installed"
need_data assets
closed=6 any=3 # 200 and 100 take minutes
[ -z "${ETNA_FULL:-}" ] || { closed=200 any=100; }
furniture=/usr/share/sweethome3d/furniture

{
    find -L "$data/assets" -name '*.glb' | LC_ALL=C sort
    for library in "$furniture"/*.sh3f; do
        [ -e "$library" ] && "$etna" scene info "$library" --json | jq -r --arg l "$library" '.models[] | "\($l)#\(.index)"' | awk 'NR % 5 == 2'
    done
} >"$work/models.txt"

mkdir -m 0700 "$work/of-blender" # it leaves a folder for sound there

# ask NAME COUNT SEED CLOSED
ask() {
    "$ETNA_BIN/pairs" "$2" "$3" "$4" <"$work/models.txt" >"$work/$1.pairs" || fail "$1: fewer than $2 pairs: $(wc -l <"$work/$1.pairs")"
    XDG_RUNTIME_DIR=$work/of-blender blender -noaudio -b --factory-startup -P "$ETNA_SOURCE_DIR/tests/bench/peers/exact_boolean.py" -- "$work/$1.pairs" "$work/$1.told" >"$work/$1.log" 2>&1 ||
        { fail "$1: Blender ended with code $?"; tail -3 "$work/$1.log" >&2; }
    expect "$1: pairs that Blender judged" "$(wc -l <"$work/$1.told")" "$2"
    jq -c '. + {far: (((.depth - .threshold) | fabs) > 0.001 or .deeper or .depth == 0), theirs: (.free == null)}
           | . + {why: (if .theirs == .collides then "agree"
                        elif (.cuts_itself | add) > 0 and ((.careful == null) == .collides) then "ours: it cuts itself"
                        elif (.crossing // 0) > 0 and ((.careful == null) == .collides) then "ours: surfaces cross where it finds nothing"
                        elif .theirs and (.collides | not) and .at_depth != null then "both: free on the way"
                        else "UNEXPLAINED" end)}' "$work/$1.told" >"$work/$1.judged"
    echo "$1: $2 pairs, $(jq -s 'map(.names[]) | unique | length' "$work/$1.judged") models; both closed: $(jq -s 'map(select(.closed)) | length' "$work/$1.judged");" \
        "over 1 mm from the threshold: $(jq -s 'map(select(.far)) | length' "$work/$1.judged")," \
        "of these $(jq -s 'map(select(.far and .collides)) | length' "$work/$1.judged") collide"
    jq -r 'select(.far) | (if .closed then "closed" else "open" end) + ", " + .why' "$work/$1.judged" | LC_ALL=C sort | uniq -c
    jq -r 'select(.far and .why != "agree") | "  \(if .closed then "closed" else "open" end), \(.why): \(.names | map(split("/")[-1]) | join(" and ")): " +
           "threshold \(.threshold * 1e5 | round / 100) mm, depth \(.depth * 1e5 | round / 100) mm, ours \(if .collides then "collides" else "free" end)"' "$work/$1.judged"
}

ask closed $closed 1 1
[ $closed -lt 200 ] || [ "$(jq -s 'map(select(.far)) | length' "$work/closed.judged")" -ge 60 ] || fail "hardly a pair is far from its threshold"
[ $closed -lt 200 ] || [ "$(jq -s 'map(select(.far and .collides)) | length' "$work/closed.judged")" -ge 20 ] || fail "hardly a pair collides"
unexplained=$(jq -s 'map(select(.far and .why == "UNEXPLAINED")) | length' "$work/closed.judged")
expect "unexplained disagreements of closed models" "$unexplained" 0
ask any $any 2 0
finish
