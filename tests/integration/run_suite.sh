# Who is to judge by pictures sees what is asked: each scene of the suite shows, from the camera that runs of it look through,
# every thing that its predicates name.
. "$(dirname "$0")/lib.sh"
suite=$ETNA_SOURCE_DIR/configs/suite/SUITE.json
looked=0
while read -r scene; do
    name=$(jq -r .name <<<"$scene")
    file=$scenes/$(jq -r '.scene | sub("[.](json|glb)$"; "")' <<<"$scene").glb
    camera=$(jq -r '.camera // empty' <<<"$scene")
    [ -e "$file" ] || continue # composed of what is not installed here
    "$etna" probe list "$file" ${camera:+--camera "$camera"} --json >"$work/seen.json" 2>"$work/seen.txt" || fail "$name: $(cat "$work/seen.txt")"
    expect "what $name does not show" "$(jq -c --slurpfile seen "$work/seen.json" '[.steps[].after[], (.goal.after // [])[] | .. | arrays | .[] | strings] | unique - $seen[0].objects' <<<"$scene")" "[]"
    looked=$((looked + 1))
done < <(jq -c '.scenes[]' "$suite")
[ $looked -ge 13 ] || fail "$looked scenes were looked at"
finish
