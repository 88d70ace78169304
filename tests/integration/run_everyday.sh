# What strangers ask of everyday rooms ($ETNA_TEST_DATA/../goals/public.jsonl): whatever ends complete is sound by geometry
# that shares no code with the search. $ETNA_EVERY: each so-manieth goal; 1: all.
. "$(dirname "$0")/lib.sh"

goals=$data/../goals/public.jsonl
[ -s "$goals" ] || skip "there are no goals beside \$ETNA_TEST_DATA"
every=${ETNA_EVERY:-12}
complete=0 asked=0
while IFS=$'\t' read -r id scene goal; do
    asked=$((asked + 1))
    mkdir -p "$work/$id"
    "$etna" run "$data/../$scene" --goal "$goal" --no-images --early-end ordered -o "$work/$id" >"$work/$id/stdout.txt" 2>"$work/$id/stderr.txt" || continue
    complete=$((complete + 1))
    verified "$data/../$scene" "$work/$id/result.glb"
    rm -rf "${work:?}/$id"
done < <(jq -r 'select(.goal and (.import | not) and (.scene | endswith(".glb"))) | [.id, .scene, .goal] | @tsv' "$goals" | awk -v n="$every" 'NR % n == 1 % n')
echo "$complete of $asked complete"
[ $((complete * 2)) -ge "$asked" ] || fail "only $complete of $asked goals ended complete: too few to say anything"
finish
