# etna doctor: what a model lacks shows in its answer, by name, with what to do and in the entry for models.yaml; and what is
# wrong with the machine is told a line each. The model is one with eyes of the test's own (seeing.c), behind the servers that
# misbehave and write sloppily, too; the built-in agent's server answers no questions at large, and that is told.
. "$(dirname "$0")/../integration/lib.sh"

# see KIND: starts a server with eyes; sets `port`
see() {
    [ -n "${seeing:-}" ] && { kill $seeing; wait $seeing 2>/dev/null; }
    rm -f "$work/port"
    "$ETNA_BIN/seeing-model" --kind "$1" >"$work/port" &
    seeing=$!
    await "seeing-model does not serve" $seeing has_line "$work/port"
    port=$line
}
# ask PORT [OPTION...]: sets `code`; what was said is in $work/doctor
ask() {
    local at=$1
    shift
    "$etna" doctor --model m --url "http://127.0.0.1:$at/v1" "$@" >"$work/doctor" 2>"$work/err"
    code=$?
}
# says WHAT ROW MARK WORDS
says() { grep -Eq "^$3 +$2 .*$4" "$work/doctor" || fail "$1: no \"$3 $2 .*$4\": $(cat "$work/doctor" "$work/err")"; }
# entry WHAT WORDS: the last line is an entry with these words, and the list takes it
entry() {
    tail -1 "$work/doctor" | grep -q "$2" || fail "$1: the entry is $(tail -1 "$work/doctor")"
    printf 'endpoints:\n  m: {wire: chat, url: "http://127.0.0.1:%s/v1"}\nmodels:\n' "$port" >"$work/models.yaml"
    tail -1 "$work/doctor" >>"$work/models.yaml"
    "$etna" doctor --models "$work/models.yaml" >"$work/machine" || fail "$1: $(cat "$work/machine")"
    grep -q "^ok *models  *1 in $work/models.yaml" "$work/machine" || fail "$1: the list does not take it: $(cat "$work/machine")"
}

see good
ask "$port"
expect "the exit of a good model" "$code" 0
says good vision ok 'two of two places'
says good coordinates ok shares
says good marks ok asked
says good "tool calls" ok called
says good "tool results" ok used
says good verdict ok read
says good pictures ok '8 in one request'
says good server ok '6 answers'
says good price odd 'no price'
says good price odd 'about 700 for a picture'
entry good '"coordinates": "shares"'
ask "$port" --json
expect "as JSON" "$(json "$work/doctor" '.schema + " " + (.passed | tostring) + " " + .findings.vision.mark')" "etna-doctor-1 true ok"
# with the entry that was written
"$etna" doctor --models "$work/models.yaml" --model m >"$work/doctor" || fail "by its entry: $(cat "$work/doctor")"
sed -i 's/"id"/"price": {"in": 2.0, "out": 8.0}, "knobs": {"temperature": 0.5}, "id"/' "$work/models.yaml"
"$etna" doctor --models "$work/models.yaml" --model m >"$work/doctor" || fail "with a price: $(cat "$work/doctor")"
says "with a price" price ok '0.0[0-9]+ USD by the list'
entry "with a price" '"price": {"in": 2.0, "out": 8.0}.*"temperature": 0.5'

for kind in thousandths pixels percent thousandths_y_first; do
    see $kind
    ask "$port"
    expect "the exit of $kind" "$code" 0
    says $kind vision ok 'two of two places'
    says $kind coordinates odd "$kind, though"
    entry $kind "\"coordinates\": \"$kind\""
done
see changing
ask "$port"
expect "the exit of changing" "$code" 0
says changing coordinates odd 'thousandths at first, then shares'
tail -1 "$work/doctor" | grep -q coordinates && fail "changing: the entry says how it counts"
see blind
ask "$port"
expect "the exit of blind" "$code" 1
says blind vision BAD 'takes no picture: .*image input is not supported.*--reader'
says blind marks ok asked
says blind pictures "not asked" ''
see unseeing
ask "$port"
expect "the exit of unseeing" "$code" 1
says unseeing vision BAD 'beside what was asked for'
see toolless
ask "$port"
expect "the exit of toolless" "$code" 1
says toolless "tool calls" BAD 'takes none: .*does not support tools.*no-mcp-tools'
says toolless "tool results" "not asked" ''
says toolless vision ok 'two of two'
see untooled
ask "$port"
expect "the exit of untooled" "$code" 1
says untooled "tool calls" BAD 'none is called: .*lower edge'
see texttools
ask "$port"
expect "the exit of texttools" "$code" 0
says texttools "tool calls" odd 'in the text'
says texttools "tool results" ok used
see few
ask "$port"
expect "the exit of few" "$code" 0
says few pictures odd '8 in one request are refused: .*at most 4 images'
entry few '"images_max": 1'
see markless
ask "$port"
expect "the exit of markless" "$code" 1
says markless marks BAD 'Sure!'
see free
ask "$port"
expect "the exit of free" "$code" 0
says free price odd '6 of 6 answers tell no usage'
see hanging
ask "$port" --patience 1
expect "the exit of hanging" "$code" 1
says hanging server BAD 'no answer within 1 s'

# Behind a server that misbehaves, a few tries bring the same; what never answers is told in its own words.
see good
"$ETNA_BIN/hostile-model" --upstream "$port" --faults ok:2,429r:1,half:1 --seed 3 >"$work/hostile" &
hostile=$!
await "hostile-model does not serve" $hostile has_line "$work/hostile"
ask "$line" --patience 20
says "behind hostile" server '(ok|BAD)' .
[ "$code" -le 1 ] || fail "behind hostile: exit $code"
kill $hostile
for fault in 500 garbage html shape huge; do
    rm -f "$work/hostile"
    "$ETNA_BIN/hostile-model" --upstream "$port" --faults $fault:1 >"$work/hostile" &
    hostile=$!
    await "hostile-model does not serve" $hostile has_line "$work/hostile"
    ask "$line" --patience 20
    expect "the exit of $fault" "$code" 1
    expect "bad rows of $fault" "$(grep -c ^BAD "$work/doctor")" 1
    says $fault server BAD .
    kill $hostile
    wait $hostile 2>/dev/null
done

# Behind one that writes sloppily.
for row in "bold_marks planner marks odd spelling" "thousandths executor coordinates odd thousandths" "verdict_bold evaluator verdict ok read" \
    "prose planner marks BAD marks" "verdict_score evaluator verdict BAD read"; do
    set -- $row
    rm -f "$work/sloppy"
    "$ETNA_BIN/sloppy-model" --upstream "$port" --kind "$1" --role "$2" --how always >"$work/sloppy" &
    sloppy=$!
    await "sloppy-model does not serve" $sloppy has_line "$work/sloppy"
    ask "$line"
    says "$1" "$3" "$4" "$5"
    kill $sloppy
    wait $sloppy 2>/dev/null
done

serve_builtin
ask "$(sed 's/.*:\([0-9]*\).*/\1/' <<<"$url")"
expect "the exit of serve-builtin" "$code" 1
says serve-builtin server BAD "this is etna serve-builtin"
kill $server
wait $server

# The machine.
"$etna" doctor >"$work/machine" || fail "$(cat "$work/machine")"
for row in versions kernel memory files clock disk store sockets ports models; do
    grep -Eq "^(ok|odd) +$row " "$work/machine" || fail "no $row: $(cat "$work/machine")"
done
"$etna" doctor --store /proc/none >"$work/machine"
expect "the exit of a store that can't be" $? 1
grep -q '^BAD *disk .*--store' "$work/machine" || fail "a store that can't be: $(cat "$work/machine")"
TMPDIR=/proc/none "$etna" doctor --json >"$work/machine"
expect "as JSON" "$(json "$work/machine" '.schema + " " + (.passed | tostring) + " " + ([.rows[] | select(.mark == "BAD")][0].name)')" "etna-doctor-1 false temporary"
(ulimit -n 300 && "$etna" doctor >"$work/machine") || fail "few files are no fault"
grep -q '^odd *files .*ulimit' "$work/machine" || fail "few files: $(cat "$work/machine")"
printf 'models: [' >"$work/bad.yaml"
"$etna" doctor --models "$work/bad.yaml" >"$work/machine" || fail "the built-in agent needs no list"
grep -q '^odd *models .*bad.yaml' "$work/machine" || fail "a bad list: $(cat "$work/machine")"
"$etna" doctor --model nobody >"$work/doctor" 2>"$work/err"
expect "the exit of a model that is not there" $? 2
kill $seeing
finish
