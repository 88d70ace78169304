# The vendors' own clients (openai, @anthropic-ai/sdk, @google/genai) send for the same conversation what we send, but
# for the differences that sdk_differences.json explains; our bodies and our reading fit their types; and a run whose
# every call goes through the openai client to `etna serve-builtin` ends as it does in-process. No vendor is called.
. "$(dirname "$0")/lib.sh"
node_modules || skip "Node.js is absent: the vendors' clients were not run"
for package in openai @anthropic-ai/sdk @google/genai typescript; do
    [ -d "$modules/node_modules/$package" ] || skip "$package could not be fetched: the vendors' clients were not run"
done
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "Node.js is older than 20: the vendors' clients were not run"
here=$modules/sdks.$$
trap 'rm -rf "$here"' EXIT
mkdir "$here"
cp "$ETNA_SOURCE_DIR"/tests/integration/sdk_* "$here"
cat >"$here/tsconfig.json" <<'END'
{ "compilerOptions": { "strict": true, "noEmit": true, "skipLibCheck": true, "module": "nodenext", "target": "es2022", "types": [] }, "files": ["typed.ts", "served.ts"] }
END

(cd "$here" && node sdk_compare.mjs "$ETNA_BIN/sdk-wire" typed.ts >"$work/compare.txt" 2>&1) || fail "what we send: $(cat "$work/compare.txt")"
cat "$work/compare.txt"

export SERVED_KEY=a-key-of-the-test
serve_builtin --key-env SERVED_KEY
mkfifo "$work/hold"
(cd "$here" && exec node sdk_served.mjs "$url" "$SERVED_KEY" served.ts <"$work/hold" >"$work/client.txt" 2>&1) &
client=$!
exec 7>"$work/hold"
await "the client does not serve" $client has_line "$work/client.txt"
through=$line
cat >"$work/models.yaml" <<END
endpoints:
  client: {wire: chat, url: "$through", key_env: SERVED_KEY, attempts: 1}
models:
  client: {endpoint: client, id: builtin, image_quality: 40, image_side: {planner: 64, executor: 64, evaluator: 64, judge: 64}, output_tokens: 4096}
END
head -1 "$scenes/study.steps" >"$work/steps"
run_ok "$work/here" "$scenes/study.glb" --steps "$work/steps" --no-images --paper-solver # which is looked for with tools
ETNA_MODELS=$work/models.yaml run_ok "$work/there" "$scenes/study.glb" --steps "$work/steps" --model client --facts on --paper-solver
expect "the snapshot through the client" "$(json "$work/there/stdout.json" .final_snapshot)" "$(json "$work/here/stdout.json" .final_snapshot)"
exec 7>&-
wait "$client" || fail "what the client says of serve-builtin: $(cat "$work/client.txt")"
tail -1 "$work/client.txt"
kill "$server" && wait "$server"

[ -e "$here/typed.ts" ] && [ -e "$here/served.ts" ] && (cd "$here" && "$modules/node_modules/.bin/tsc" -p . >"$work/types.txt" 2>&1) ||
    fail "types: $(cut -c1-300 "$work/types.txt" | head -20)"
rm -f "$work/hold"
finish
