# What a run calls complete, held against the scene's triangles by the referee, which shares no code with the search: the
# suite's facts hold, nothing is hidden in a solid, out of reach, unsupported or without its load, and what moved was either
# told or carried. $ETNA_AUDIT=all: every scene of the suite, and its whole list of steps besides its first step and its goal.
. "$(dirname "$0")/lib.sh"
suite=$scenes/SUITE.json
all=${ETNA_AUDIT:-}

# ask NAME ARGS...: a run of $scene; true where it ends complete or does a part of it.
ask() {
    local name=$1
    shift
    mkdir -p "$work/$name"
    "$etna" run "$scene" "$@" --no-images --early-end ordered --json -o "$work/$name" >"$work/$name/stdout.json" 2>"$work/$name/stderr.txt"
    status=$(jq -r '.status // "refused"' "$work/$name/stdout.json" 2>/dev/null)
    echo "$name: $status" | tee -a "$work/became.txt"
    [ -s "$work/$name/result.glb" ]
}

# sound NAME: nothing that the verifier finds, and nothing moved that nobody told.
sound() {
    local folder=$work/$1 untold
    verified "$scene" "$folder/result.glb"
    "$etna" scene info "$scene" --json >"$folder/before.json" && "$etna" scene info "$folder/result.glb" --json >"$folder/after.json" ||
        fail "$1: scene info"
    # A load keeps its distance from some thing that was moved by an edit.
    untold=$(jq -n -r --slurpfile a "$folder/before.json" --slurpfile b "$folder/after.json" --slurpfile run "$folder/stdout.json" '
        def mid: [range(3) as $k | (.min[$k] + .max[$k]) / 2];
        def far($p; $q): [range(3) as $k | ($p[$k] - $q[$k]) | . * .] | add | sqrt;
        ($a[0].objects | map({(.name): mid}) | add) as $was | ($b[0].objects | map({(.name): mid}) | add) as $is |
        [$run[0].steps[].object] as $told | ($was | keys[]) as $n |
        select($is[$n] != null and far($was[$n]; $is[$n]) > 0.02 and ($told | index($n) | not)) |
        select([$told[] | (far($was[$n]; $was[.]) - far($is[$n]; $is[.])) | fabs < 0.02] | any | not) | $n') || fail "$1: jq"
    [ -z "$untold" ] || fail "$1: moved, and neither told nor carried: $untold"
}

# true_of NAME REFEREE_ARGS...: the suite's facts of it.
true_of() {
    local name=$1 untrue
    shift
    "$ETNA_BIN/etna-referee" "$@" >"$work/$name/judged.json" 2>"$work/$name/judged.txt" || { fail "$name: the referee: $(cat "$work/$name/judged.txt")"; return; }
    untrue=$(jq -r '[.steps[] | select(.reached) | .predicates[] | select(.holds | not) | .says] | join("; ")' "$work/$name/judged.json")
    [ -z "$untrue" ] || fail "$name is called complete, and is not so: $untrue"
}

audit() { # SCENE_NAME FILE CAMERA FIRST_STEP GOAL
    local name=$1 view=()
    scene=$scenes/${2%.json}
    scene=${scene%.glb}.glb
    [ -e "$scene" ] || { echo "$name: no $scene"; return; }
    [ "$3" = - ] || view=(--camera "$3")
    if ask "$name-first" "${view[@]}" --goal "$4"; then
        sound "$name-first"
        [ "$status" != complete ] || true_of "$name-first" "$suite" "$name" "$scene" "$work/$name-first/result.glb"
    fi
    if [ "$5" != - ] && ask "$name-goal" "${view[@]}" --goal "$5"; then
        sound "$name-goal"
        [ "$status" != complete ] || true_of "$name-goal" --goal "$suite" "$name" "$scene" "$work/$name-goal/result.glb"
    fi
    [ -n "$all" ] || return
    jq -r --arg n "$name" '.scenes[] | select(.name == $n) | .steps[].text' "$suite" >"$work/$name.steps"
    ! ask "$name-steps" "${view[@]}" --steps "$work/$name.steps" || sound "$name-steps"
}

picked='true'
[ -n "$all" ] || picked='(.scene | endswith(".glb"))'
while IFS=$'\t' read -r name file camera first goal; do
    audit "$name" "$file" "$camera" "$first" "$goal"
done < <(jq -r ".scenes[] | select($picked) | [.name, .scene, .camera // \"-\", .steps[0].text, .goal.text // \"-\"] | @tsv" "$suite")

# A test in which nothing ends complete would hold nothing.
complete=$(grep -c ': complete$' "$work/became.txt")
[ "$complete" -ge 10 ] || fail "only $complete runs ended complete"
finish
