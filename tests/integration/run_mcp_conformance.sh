# The official conformance suite passes what applies to a server of tools, over Streamable HTTP, in every revision that
# it knows; mcp_conformance.json says what applies and why the rest does not. The suite wants Node.js 22, which is
# fetched beside it where the machine's is older: 200 MB to fetch, and a minute, so it is labelled "full" and no part of
# the plain suite.
. "$(dirname "$0")/lib.sh"
command -v node >/dev/null && command -v npm >/dev/null || skip "Node.js is absent: the conformance suite was not run"
here=$ETNA_SOURCE_DIR/tests/integration
version=$(jq -r .suite "$here/mcp_conformance.json")
suite=$ETNA_BIN/../conformance
major() { "$1" -p 'process.versions.node.split(".")[0]'; }
node=$(command -v node) packages="@modelcontextprotocol/conformance@$version"
if [ "$(major node)" -lt 22 ]; then
    case "$(uname -m)" in x86_64) machine=x64 ;; aarch64) machine=arm64 ;; *) skip "Node.js is older than 22: the conformance suite was not run" ;; esac
    packages="$packages node-linux-$machine@22"
    node=$suite/node_modules/node-linux-$machine/bin/node
fi
mkdir -p "$suite"
(
    flock 9
    [ "$(cat "$suite/installed" 2>/dev/null)" = "$packages" ] && exit 0
    cd "$suite" && rm -f installed && { [ -e package.json ] || echo '{ "private": true }' >package.json; }
    # shellcheck disable=SC2086
    npm install --no-save --no-audit --no-fund --no-package-lock $packages >npm.log 2>&1 && echo "$packages" >installed
) 9>"$suite/lock" || skip "the conformance suite could not be fetched ($suite/npm.log)"
[ "$(major "$node")" -ge 22 ] || { fail "$node is no Node.js 22"; finish; }

mkdir "$work/found"
: >"$work/renamed"
serve_mcp
mkfifo "$work/hold"
"$node" "$here/mcp_rename.mjs" "$url" <"$work/hold" >"$work/renamed" 2>"$work/renamed.err" &
between=$!
exec 7>"$work/hold"
await "what gives names does not" $between has_line "$work/renamed"
renamed=$line

# Its exit is not asked: it counts what does not apply, too. What it found is.
conformance() { "$node" "$suite/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --timeout 300000 "$@" >>"$work/conformance.txt" 2>&1; }
for revision in $(jq -r '.revisions[]' "$here/mcp_conformance.json"); do
    conformance --url "$url" --suite all --spec-version "$revision" -o "$work/found/$revision"
    for scenario in $(jq -r '.by_other_names[]' "$here/mcp_conformance.json"); do
        ls "$work/found/$revision" | grep -q "^server-$scenario-20" || continue # the revision has it not
        conformance --url "$renamed" --scenario "$scenario" --spec-version "$revision" -o "$work/found/$revision.renamed"
    done
done
"$node" "$here/mcp_judge.mjs" "$work/found" >"$work/judged.txt" 2>&1 || fail "the conformance suite: $(grep -v ': .* apply' "$work/judged.txt")"
grep ': .* apply' "$work/judged.txt"

exec 7>&-
wait "$between"
kill -TERM "$server"
wait "$server"
expect "exit code" $? 0
rm -f "$work/hold"
finish
