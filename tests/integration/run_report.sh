# report.html: written for every run that ran, whole by itself, telling what happened and, of a failed run, why and what
# to try.
. "$(dirname "$0")/lib.sh"

# page FILE: well-formed HTML with images inside, and nothing that would be fetched or run.
page() {
    local page=$1
    [ -s "$page" ] || { fail "$page is not there"; return; }
    grep -q "default-src 'none'; img-src data:; style-src 'unsafe-inline'" "$page" || fail "$page has no CSP"
    # attributes only, not the text of somebody's goal; megabytes of base64 on a line would keep grep busy for minutes
    sed 's/\(src="data:image\/webp;base64,\)[A-Za-z0-9+\/=]*"/\1"/g' "$page" >"$work/bare.html"
    LC_ALL=C grep -Eio '<[^>]*(src|href|srcset|action|data)="[^"]{0,15}' "$work/bare.html" | grep -v -e 'src="data:image/webp' -e 'href="#step-' && fail "$page names something outside itself"
    LC_ALL=C grep -Eiq '<(script|iframe|object|embed|link|form)|<[^>]* on[a-z]+=|url\(|@import' "$work/bare.html" && fail "$page could run or fetch something"
    if command -v tidy >/dev/null; then
        tidy -q -e "$page" 2>"$work/tidy.txt" || { fail "$page is no good HTML"; head -5 "$work/tidy.txt" >&2; }
    else
        echo "tidy is not here: HTML not validated"
    fi
}
tells() { grep -qF -- "$2" "$1" || fail "$1 does not say: $2"; }
images() { grep -o 'src="data:image/webp;base64,' "$1" | wc -l; }

# A complete run: each step with its pictures, constraints, verdicts, times.
run_ok "$work/done" "$scenes/bottles.glb" --goal "Put all three bottles on the yellow block"
html=$work/done/report.html
page "$html"
expect "pictures: the scene and each step, once" "$(images "$html")" 4
tells "$html" "What moved, and why"
[ "$(wc -c <"$html")" -lt $((4 * 300000)) ] || fail "the page has $(wc -c <"$html") bytes, more than 300 KB a step"
tells "$html" "Complete."
tells "$html" "Put all three bottles on the yellow block"
tells "$html" "stands on Yellow Block"
tells "$html" "at (0."
tells "$html" " m of it"
tells "$html" "excellent"
tells "$html" "where it was to go."
expect "a picture is a WebP" "$(grep -o 'src="data:image/webp;base64,[^"]*' "$html" | tail -1 | cut -d, -f2 | base64 -d | cut -c9-12 | head -1 | tr -d '\0')" WEBP
run=$(json "$work/done/run.json" .run)
"$etna" show "$run" --html "$work/again.html" || fail "show --html"
cmp "$html" "$work/again.html" || fail "show --html writes another page than the run did"
LC_ALL=C "$etna" show "$run" >"$work/show.txt" || fail "show"
grep -q -- "|-- node 1, step 1: kept" "$work/show.txt" || { fail "show draws no tree"; tail -20 "$work/show.txt" >&2; }
# Half of what was to be printed is no answer.
for asked in "show $run" "show $run --json" "runs" "runs --json" "store stats --json" "store verify" "help" "help run" "version"; do
    "$etna" $asked >/dev/full 2>"$work/err.txt"
    expect "$asked on a full disk: exit code" $? 4
    expect "$asked on a full disk: what it says" "$(cat "$work/err.txt")" "etna: standard output cannot be written"
done
"$etna" show "$run" 2>"$work/err.txt" | true
expect "a reader that went away has what it wanted" "$(cat "$work/err.txt")" ""
expect "evaluators' texts in the document" "$(json "$work/done/run.json" '[.tree[].branches[] | select(.state == "accepted").evaluations[].text | length > 0] | all')" true

# A run that went back: the tree with the anchor's move, and what was given up.
list_served
run_ok "$work/back" "$scenes/crowded.glb" --steps "$scenes/crowded.steps" --model served --facts on
page "$work/back/report.html"
tells "$work/back/report.html" "2→1"
tells "$work/back/report.html" "done, then given up"

# A failed run: why, what to try, in the page and in one line on the terminal.
"$etna" run "$scenes/bottles.glb" --steps <(echo "Put the table on the red bottle") --early-end ordered -o "$work/failed" >"$work/failed.txt" 2>"$work/failed.err"
expect "exit code of a run that fails" $? 1
html=$work/failed/report.html
page "$html"
tells "$html" "Nothing was changed."
expect "the scene is shown" "$(images "$html")" 1
tells "$html" ">Why<"
tells "$html" "could not be done"
tells "$html" "What to try next"
[ "$(wc -L <"$work/failed.txt")" -lt 300 ] || { fail "the end of a failed run is long"; cat "$work/failed.txt" >&2; }
grep -q "^failed: 0 edits, .* s; .*could not be done: " "$work/failed.txt" || { fail "the end of a failed run does not say why"; cat "$work/failed.txt" >&2; }
[ ! -e "$work/failed/result.glb" ] || fail "a failed run left a result"

# A goal that is not understood writes nothing, and its run can still be shown.
"$etna" run "$scenes/bottles.glb" --goal 'Frobnicate <script>alert("1")</script> & co' -o "$work/none" >/dev/null 2>&1
expect "exit code of an unreadable goal" $? 3
[ ! -e "$work/none" ] || fail "an unreadable goal wrote something"
"$etna" show "$("$etna" runs --json | jq -r '.runs[0].run')" --html "$work/none.html" || fail "show --html of an unreadable goal"
page "$work/none.html"
tells "$work/none.html" "The instruction was not understood"
tells "$work/none.html" "--model NAME"

# On a terminal one line is rewritten while it runs, cleared before the summary, and never wraps.
if command -v script >/dev/null; then
    script -qec "stty cols 60; $etna run $scenes/crowded.glb --steps $scenes/crowded.steps --model served --facts on --early-end ordered --no-images" "$work/terminal.txt" >/dev/null
    grep -q "step 1: 4 running" "$work/terminal.txt" || fail "a terminal is not told of step 1"
    grep -q "planning | 1 backtrack" "$work/terminal.txt" || fail "a terminal is not told of the backtrack"
    widest=$(tr '\r' '\n' <"$work/terminal.txt" | sed 's/\x1b\[K//g' | grep -E '^[0-9]+\.[0-9] s  ' | wc -L)
    [ "$widest" -gt 40 ] && [ "$widest" -lt 60 ] || fail "the line on a terminal of 60 columns has $widest"
    grep -q "$(printf '\r\033\\[K 1  Red Box: ')" "$work/terminal.txt" || fail "the line on a terminal is not cleared before the summary"
else
    echo "script is not here: the line on a terminal is not looked at"
fi

# A run by another coordinator has the same page, with its pictures.
ETNA_STORE=$work/theirs "$etna" coordinator --listen "ipc://$work/c.sock" >"$work/coordinator.txt" 2>&1 &
coordinator=$!
await "the coordinator does not listen" $coordinator test -S "$work/c.sock"
"$worker" --connect "ipc://$work/c.sock" --cache "$work/cache" >"$work/worker.txt" 2>&1 &
theirs=$!
"$etna" run "$scenes/bottles.glb" --goal "Put the red bottle on the yellow block" --connect "ipc://$work/c.sock" --early-end ordered \
    -o "$work/remote" >"$work/remote.txt" 2>&1
expect "run by --connect" $? 0
page "$work/remote/report.html"
expect "pictures by --connect" "$(images "$work/remote/report.html")" 2
tells "$work/remote/report.html" "where it was to go."
kill "$coordinator" "$theirs" 2>/dev/null
wait "$coordinator" "$theirs" 2>/dev/null
finish
