# Stores that somebody spoilt: cut short at any place, a pipe in place of a file, another user's, a cache that was cut. No command
# dies by a signal or waits for ever; each says in a line, with --json by a document, what is wrong, and a cache is made anew.
. "$(dirname "$0")/../integration/lib.sh"
scene=$scenes/bottles.glb
run_it() { "$etna" run "$scene" --goal "Put the red bottle on the yellow block" --early-end ordered --no-images --json; }
run_it >"$work/run.json" 2>"$work/run.txt" || fail "the run before: exit $?"
cp -r "$ETNA_STORE" "$work/whole"
spoil() { # then the store is as it was, but for what is done to it next
    rm -rf "$ETNA_STORE"
    cp -r "$work/whole" "$ETNA_STORE"
}
# lives WHAT COMMAND...: it ends as commands do, and where it is not satisfied it says so.
lives() {
    local what=$1 code
    shift
    "$@" >"$work/out.json" 2>"$work/out.txt"
    code=$?
    case $code in
    0 | 1) return ;;
    4) ;;
    *) fail "$what: exit $code" ;;
    esac
    grep -q "^etna: " "$work/out.txt" || fail "$what: nothing is said"
    jq -e '.schema == "etna.error/1" and .error.what != ""' "$work/out.json" >/dev/null || fail "$what: no document: $(head -c 200 "$work/out.json")"
}

size=$(stat -c %s "$work/whole/journal/data.mdb")
for at in 4096 8192 12288 $((size / 4)) $((size / 2)) $((size * 3 / 4)) $((size - 4096)) $((size - 1)); do
    for command in "runs" "store verify" "store stats" "run"; do
        spoil
        truncate -s "$at" "$ETNA_STORE/journal/data.mdb"
        case $command in
        run) lives "run on a store cut at $at" run_it ;;
        *) lives "$command of a store cut at $at" "$etna" $command --json ;;
        esac
    done
done
spoil
: >"$ETNA_STORE/journal/data.mdb"
expect "runs of a store that nobody has written to" "$("$etna" runs --json | jq '.runs | length')" 0
run_it >"$work/fresh.json" 2>"$work/fresh.txt" || fail "a run in a store that nobody has written to: exit $?"

spoil
rm "$ETNA_STORE/journal/data.mdb"
mkfifo "$ETNA_STORE/journal/data.mdb"
refused 4 "a store that is a pipe" runs --json
spoil
rm "$ETNA_STORE/owner"
mkfifo "$ETNA_STORE/owner"
lives "a store whose owner's record is a pipe" "$etna" runs --json
lives "a run on it" run_it
if [ "$(id -u)" = 0 ]; then
    spoil
    chown -R 65534 "$ETNA_STORE"
    refused 2 "another user's store" runs --json
    refused 2 "a run on another user's store" run "$scene" --goal "Put the red bottle on the yellow block" --json
fi

for at in 8192 16384 65536; do
    spoil
    truncate -s $at "$ETNA_STORE/cache/data.mdb"
    run_it >"$work/cache.json" 2>"$work/cache.txt" || fail "a run with a cache cut at $at: exit $?: $(tail -1 "$work/cache.txt")"
    expect "its snapshot" "$(json "$work/cache.json" .final_snapshot)" "$(json "$work/run.json" .final_snapshot)"
done
finish
