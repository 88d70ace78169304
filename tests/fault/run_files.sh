# A coordinator that may open no more files says so, once, stays where it listens, and serves again when others have gone.
. "$(dirname "$0")/../integration/lib.sh"
port=$(some_port)
url=tcp://127.0.0.1:$port
(
    ulimit -n 96
    exec "$etna" coordinator --listen $url >"$work/out.txt" 2>"$work/log.txt"
) &
coordinator=$!
await "the coordinator does not listen" $coordinator grep -q "listening at" "$work/log.txt"
"$etna" runs --connect $url >"$work/runs.txt" 2>&1
expect "before" "$?" 0

# Strangers, who are cut off after ten seconds, and come again.
: >"$work/crowding"
crowd() {
    local fds=() fd k
    while [ -e "$work/crowding" ]; do
        for k in $(seq 150); do { exec {fd}<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null && fds+=("$fd"); done
        sleep 1
        for fd in "${fds[@]}"; do exec {fd}>&-; done
        fds=()
    done
}
crowd 2>/dev/null &
crowd=$!
await "it is not told that there are no files" $coordinator grep -q "no more files can be opened" "$work/log.txt"
rm "$work/crowding"
wait $crowd
await "it is not told that there are files again" $coordinator grep -q "files can be opened again" "$work/log.txt"
"$etna" runs --connect $url >"$work/runs.txt" 2>&1
expect "after" "$?" 0
kill $coordinator
wait $coordinator
expect "the coordinator's exit" "$?" 143
finish
