# Many runs at once on one store, each a command of its own: all end as they do one by one, also when the first owner of the
# store is killed in the middle, which takes nobody with it. ETNA_TOGETHER runs, ETNA_AT_ONCE at a time.
. "$(dirname "$0")/../integration/lib.sh"
runs=${ETNA_TOGETHER:-6}
at_once=${ETNA_AT_ONCE:-3}
goal="Put all three bottles on the yellow block"

# one FOLDER SEED: a run, its exit code left in FOLDER/SEED.code. The pid in FOLDER/SEED.pid is the run's own.
one() {
    mkdir -p "$1/$2"
    "$etna" run "$scenes/bottles.glb" --goal "$goal" --early-end ordered --no-images --seed "$2" --json -o "$1/$2" >"$1/$2.json" 2>"$1/$2.txt" &
    echo $! >"$1/$2.pid"
    wait $!
    echo $? >"$1/$2.code"
}
export -f one
export etna scenes goal
together() { # FOLDER: in the background, as `background`
    mkdir -p "$1"
    seq "$runs" | xargs -P"$at_once" -I{} bash -c 'one "$0" {}' "$1" 2>/dev/null &
    background=$!
}
compare() { # FOLDER SEED: as the run that was alone
    expect "run $2 of $1: snapshot" "$(json "$work/$1/$2.json" '.status + " " + .final_snapshot')" "$wanted"
    cmp -s "$work/$1/$2/result.glb" "$work/alone/1/result.glb" || fail "run $2 of $1: another result.glb"
}
codes() { cat "$work/$1"/*.code | sort | uniq -c | awk '{ printf "%s x %s;", $1, $2 }'; }

one "$work/alone" 1
wanted=$(json "$work/alone/1.json" '.status + " " + .final_snapshot')
case $wanted in complete\ ????????*) ;; *) fail "alone it ends '$wanted': $(tail -3 "$work/alone/1.txt")" ;; esac

together "$work/all"
wait $background
expect "exit codes" "$(codes all)" "$runs x 0;"
for n in $(seq "$runs"); do compare all "$n"; done

together "$work/killed"
await "nobody begins" $background test -s "$work/killed/1.pid"
listed "$(cat "$work/killed/1.pid")"
timeout 20 "$etna" resume "$run" >"$work/owner.txt" 2>&1 # refused by the name of who owns the store
owner=$(sed -n 's/.*process \([0-9]*\) on .*/\1/p' "$work/owner.txt")
[ -n "$owner" ] || fail "the owner is not named: $(cat "$work/owner.txt")"
kill -9 $owner
wait $background
expect "exit codes without the first owner" "$(codes killed)" "$((runs - 1)) x 0;1 x 137;"
for n in $(seq "$runs"); do
    [ "$(cat "$work/killed/$n.code")" != 0 ] || compare killed "$n"
done
await_quiet 20
"$etna" store verify >"$work/verify.txt" 2>&1 || fail "store verify: $(cat "$work/verify.txt")"
finish
