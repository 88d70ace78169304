# Shared by the tests of the real programs. Each test gets a folder of its own with its own store and runtime directory,
# and leaves no process, socket or file behind: that is checked at the end of every one of them.
set -u
etna=$ETNA_BIN/etna
worker=$ETNA_BIN/etna-worker
scenes=$ETNA_SCENES
data=${ETNA_TEST_DATA:-$ETNA_SOURCE_DIR/../shared/data}
work=$(mktemp -d "${TMPDIR:-/tmp}/etna-test.XXXXXX")
export ETNA_STORE=$work/store XDG_RUNTIME_DIR=$work/runtime TMPDIR=$work/tmp
mkdir -m 0700 "$XDG_RUNTIME_DIR" "$TMPDIR"

# Kept in a file: what fails behind a pipe or in parentheses has variables of its own.
fail() { echo "FAILED: $*" | tee -a "$work/.failed" >&2; }
skip() { # what failed before it has failed all the same
    echo "SKIPPED: $*"
    [ ! -e "$work/.failed" ] || finish
    rm -rf "$work"
    exit 0
}
need_data() { [ -e "$data/$1" ] || skip "$1 is not in \$ETNA_TEST_DATA"; }

# expect WHAT GOT WANTED
expect() { [ "$2" = "$3" ] || fail "$1: got '$2', expected '$3'"; }

# json FILE FILTER
json() { jq -r "$2" "$1"; }

# is NAME FILTER: a condition on $work/NAME.json.
is() { jq -e "$2" "$work/$1.json" >/dev/null || fail "$1: not so: $2: $(jq -c . "$work/$1.json" | head -c 600)"; }

# refused CODE WHAT ARGS...: `etna ARGS` must end with CODE, one line on stderr and nothing on stdout; with --json the error
# as one document.
refused() {
    local code=$1 what=$2
    shift 2
    timeout 400 "$etna" "$@" >"$work/stdout.txt" 2>"$work/stderr.txt"
    expect "$what: exit code" $? "$code"
    [ "$(grep -c . "$work/stderr.txt")" = 1 ] || { fail "$what: not one line"; head -5 "$work/stderr.txt" >&2; }
    case " $* " in
    *" --json "*) jq -e '.schema == "etna.error/1" and .error.what != ""' "$work/stdout.txt" >/dev/null || fail "$what: no document on stdout" ;;
    *) [ ! -s "$work/stdout.txt" ] || fail "$what: something on stdout" ;;
    esac
    echo "$what: $(head -1 "$work/stderr.txt" | sed "s|$work/||g")"
}

# faulty WHAT WORDS ARGS...: refused for its input, and that line says WORDS.
faulty() {
    local what=$1 words=$2
    shift 2
    refused 3 "$what" "$@"
    grep -qi -- "$words" "$work/stderr.txt" || fail "$what: \"$words\" is not said"
}

# await WHAT PID COMMAND...: until COMMAND succeeds; WHAT fails, and the test ends, when process PID ends before, or after two
# minutes, which is told with what the test's processes said last: a test that hangs tells nobody where.
await() {
    local what=$1 pid=$2 end=$((SECONDS + 120))
    shift 2
    until "$@" 2>/dev/null; do
        kill -0 "$pid" 2>/dev/null || "$@" 2>/dev/null || { fail "$what"; finish; }
        [ "$SECONDS" -lt $end ] || { fail "$what, after two minutes"; tail -n 3 "$work"/*.txt "$work"/*.err >&2 2>/dev/null; finish; }
        sleep 0.02
    done
}
# A port that the kernel gives to no outgoing connection.
some_port() { echo $((20000 + RANDOM % 12000)); }
# has_line FILE: sets `line` to its first line.
has_line() { [ -e "$1" ] && read -r line <"$1"; }

# serve_builtin ARGS...: the built-in agent over HTTP; sets `server` and `url`.
serve_builtin() {
    : >"$work/url"
    "$etna" serve-builtin --listen 127.0.0.1:0 "$@" >"$work/url" 2>"$work/serve.txt" &
    server=$!
    await "serve-builtin does not serve" $server has_line "$work/url"
    url=$line
}
# script_serve NAME [OPTIONS]: a model that answers what $work/script.json says, as `scripted` of $work/models.yaml. Its ledger is
# $work/NAME.ledger; OPTIONS are added to the model's entry.
script_serve() {
    local name=$1
    mkfifo "$work/$name.end"
    "$ETNA_BIN/scripted-model" --script "$work/script.json" --ledger "$work/$name.ledger" >"$work/$name.url" <"$work/$name.end" &
    scripted=$!
    exec 9>"$work/$name.end"
    await "scripted-model does not serve" $scripted has_line "$work/$name.url"
    cat >"$work/models.yaml" <<END
endpoints:
  scripted: {wire: chat, url: "$line", attempts: 2, budget_ms: 2000}
models:
  scripted: {endpoint: scripted, id: scripted${2:+, $2}}
END
}
script_stop() {
    exec 9>&-
    wait $scripted
}
# list_served: the same as the model `served`. Of it, as of any network model, an instruction of a list is one edit: what
# the built-in agent mends by a second one takes going back there.
list_served() {
    serve_builtin
    served=$server
    export ETNA_MODELS=$work/served.yaml
    cat >"$ETNA_MODELS" <<END
endpoints:
  served: {wire: chat, url: "$url"}
models:
  served: {endpoint: served, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}}
END
}
# serve_mcp: the tools over HTTP, on the bottles; sets `server` and `url`. What it says goes to $work/err.
serve_mcp() {
    mkdir -p "$work/out"
    : >"$work/err"
    "$etna" mcp "$scenes/bottles.glb" --folder "$work/out" --http 127.0.0.1:0 2>>"$work/err" </dev/null &
    server=$!
    await "etna mcp does not serve" $server grep -q serving "$work/err"
    url=$(sed -n 's/^serving MCP at //p' "$work/err")
}
# listed PID: sets `run` to the run that is listed as running, or to nothing when PID ends before.
listed() {
    run=
    while [ -z "$run" ] && kill -0 "$1" 2>/dev/null; do
        run=$("$etna" runs --json 2>/dev/null | jq -r '[.runs[] | select(.status == "running")][0].run // empty')
        sleep 0.02
    done
}

# Processes whose environment names this test's folder: ours, wherever they were re-parented to.
leftovers() {
    local p
    for p in /proc/[0-9]*; do
        case "$(readlink "$p/exe" 2>/dev/null)" in
        "$ETNA_BIN"/*) tr '\0' '\n' <"$p/environ" 2>/dev/null | grep -qxF "ETNA_STORE=$ETNA_STORE" && echo "${p#/proc/}" ;;
        esac
    done
}

# Waits until none of this test's processes is left, at most SECONDS.
await_quiet() {
    local end=$((SECONDS + $1))
    while [ -n "$(leftovers)" ] && [ "$SECONDS" -lt "$end" ]; do sleep 0.05; done
    [ -z "$(leftovers)" ] || fail "still running after $1 s: $(leftovers | tr '\n' ' ')"
}

# run_ok OUT ARGS...: a run that must end complete with nothing new in its result. Prints nothing; leaves
# OUT/stdout.json.
run_ok() {
    local out=$1 scene=$2
    shift 2
    mkdir -p "$out"
    "$etna" run "$scene" "$@" --early-end ordered --json -o "$out" >"$out/stdout.json" 2>"$out/stderr.txt"
    local code=$?
    [ $code = 0 ] || { fail "etna run $scene $*: exit $code"; tail -25 "$out/stderr.txt" >&2; return 1; }
    expect "status of $scene" "$(json "$out/stdout.json" .status)" complete
    "$etna" check "$out/result.glb" --against "$scene" --json >"$out/check.json" 2>"$out/check.txt" || {
        fail "etna check finds something new in $out"
        cat "$out/check.json" "$out/check.txt" >&2
    }
    verified "$scene" "$out/result.glb"
}

# verified SCENE RESULT: the verifier, which shares no code with the search, finds nothing; what the sentence leaves behind
# is named in $left_behind, a name a line. Nor is anything that moved where no hand gets at it through the room's air.
verified() {
    local name code flags=()
    while read -r name; do [ -z "$name" ] || flags+=(--named "$name"); done <<<"${left_behind:-}"
    case $1 in *.glb | *.gltf) ;; *) return ;; esac
    "$ETNA_BIN/scene-verify" "${flags[@]}" "$1" "$2" >"$2.verified" 2>&1
    code=$?
    [ $code != 3 ] || echo "not verified: $(cat "$2.verified")"
    [ $code != 1 ] || fail "the verifier finds in $2: $(cat "$2.verified")"
    [ $code != 2 ] || fail "the verifier is misused: $(cat "$2.verified")"
    "$ETNA_BIN/scene-hand" "$1" "$2" >"$2.felt" 2>&1
    code=$?
    [ $code != 1 ] || fail "no hand gets at what was moved in $2: $(cat "$2.felt")"
    [ $code = 0 ] || [ $code = 1 ] || echo "not felt for: $(cat "$2.felt")"
}

# node_modules: sets `modules` to a folder of the packages of package.json, fetched once; false where Node is absent.
node_modules() {
    modules=$ETNA_BIN/../validator
    command -v node >/dev/null && command -v npm >/dev/null || return 1
    mkdir -p "$modules"
    (
        flock 9 # two tests may come here at once
        cmp -s "$ETNA_SOURCE_DIR/tests/integration/package.json" "$modules/package.json" && [ -d "$modules/node_modules/gltfpack" ] && exit 0
        cp "$ETNA_SOURCE_DIR/tests/integration/package.json" "$modules"
        cd "$modules" && npm install --no-audit --no-fund --no-package-lock >npm.log 2>&1
    ) 9>"$modules/lock"
}
# errors FILE: prints the number of errors the official validator finds.
errors() {
    (cd "$modules" && node -e '
        const v = require("gltf-validator"), fs = require("fs"), path = require("path"), file = process.argv[1];
        v.validateBytes(new Uint8Array(fs.readFileSync(file)), {
            externalResourceFunction: async u => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(u))))
        }).then(r => console.log(r.issues.numErrors), e => { console.error(e); process.exit(1); });' "$1")
}
no_new_errors() { # IN OUT
    local before after
    before=$(errors "$1") && after=$(errors "$2") || { fail "the validator failed on $2"; return; }
    [ "$after" -le "$before" ] || fail "$2 has $after errors, its input $before"
}

finish() {
    local p
    [ -z "${served:-}" ] || { kill "$served" && wait "$served"; }
    await_quiet 20
    for p in $(leftovers); do kill -9 "$p" 2>/dev/null; done
    local left
    left=$(find "$XDG_RUNTIME_DIR" "$TMPDIR" -mindepth 1 2>/dev/null | head -5)
    [ -z "$left" ] || fail "left behind: $left"
    if [ ! -e "$work/.failed" ]; then
        rm -rf "$work"
        echo "passed"
    else
        echo "$(grep -c ^FAILED "$work/.failed") failures; kept $work" >&2
        exit 1
    fi
}
