# A sentence moves one bottle, and another moves all three: the first promise of the README.
. "$(dirname "$0")/lib.sh"

run_ok "$work/one" "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block"
expect "steps" "$(json "$work/one/stdout.json" '.steps | length')" 1
expect "moved" "$(json "$work/one/stdout.json" '.steps[0].object' | grep -ic red)" 1
expect "run.json is the printed document" "$(jq -S . "$work/one/run.json")" "$(jq -S . "$work/one/stdout.json")"
for image in step-00.png step-01.png; do
    [ "$(head -c 8 "$work/one/$image" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$image is no PNG"
done

run_ok "$work/all" "$scenes/bottles.glb" --goal "Put all three bottles on the yellow block"
expect "steps" "$(json "$work/all/stdout.json" '.steps | length')" 3
expect "distinct objects" "$(json "$work/all/stdout.json" '[.steps[].object] | unique | length')" 3

# The bottles stand on the block: their undersides are at its top.
"$etna" scene info "$work/all/result.glb" --json >"$work/info.json" || fail "scene info of the result"
top=$(json "$work/info.json" '[.objects[] | select(.name | test("yellow"; "i")) | .max[2]][0]')
low=$(json "$work/info.json" "[.objects[] | select(.name | test(\"bottle\"; \"i\")) | (.min[2] - $top) | fabs] | max < 0.002")
expect "all bottles on the block" "$low" true

"$etna" runs --json >"$work/runs.json" || fail "runs"
expect "runs" "$(json "$work/runs.json" '[.runs[].status] | join(",")')" complete,complete
"$etna" show "$(json "$work/one/stdout.json" .run)" >"$work/show.txt" || fail "show"
grep -qi "red bottle" "$work/show.txt" || fail "show does not tell of the red bottle"
finish
