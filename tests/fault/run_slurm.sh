# `etna launch slurm` on a Slurm of three nodes, all on this host: while a batch runs, the coordinator's node is drained and
# its job queued again, another node dies with all that runs on it, and the workers are preempted. Every scene ends as it
# does at home, and no hand touches anything.
. "$(dirname "$0")/../integration/lib.sh"
count=${ETNA_SLURM_SCENES:-200}
for program in munged slurmctld slurmd sbatch scontrol; do
    command -v $program >/dev/null || PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip "Slurm's daemons want root"
PATH=$PATH:/usr/sbin
base=$work/slurm
mkdir -p "$base/state" "$base/spool-n1" "$base/spool-n2" "$base/spool-n3" "$base/run"
chmod 0755 "$work" "$base" "$base/run"
host=$(hostname -s)
dd if=/dev/urandom of="$base/munge.key" bs=1024 count=1 2>/dev/null
chmod 0600 "$base/munge.key"
cat >"$base/slurm.conf" <<C
ClusterName=etna
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$base/run/munge.sock
StateSaveLocation=$base/state
SlurmdSpoolDir=$base/spool-%n
SlurmctldPidFile=$base/run/slurmctld.pid
SlurmdPidFile=$base/run/slurmd-%n.pid
SlurmctldLogFile=$base/slurmctld.log
SlurmdLogFile=$base/slurmd-%n.log
SlurmctldPort=16817
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobRequeue=1
ReturnToService=2
MailProg=/bin/true
SlurmdTimeout=15
KillWait=5
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16821 CPUs=4 State=UNKNOWN
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16822 CPUs=4 State=UNKNOWN
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=16823 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityTier=1
PartitionName=urgent Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=10
C
export SLURM_CONF=$base/slurm.conf

# Its daemons are nobody's children: they are ended by their numbers, whatever becomes of the test. Another Slurm on this
# host is not ours: what is, was started with this configuration.
ours() { # PATTERN [SETTING]: the processes of this Slurm whose command line is like PATTERN, and whose environment has SETTING
    local pid
    for pid in $(pgrep -f "$1"); do
        tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "SLURM_CONF=$SLURM_CONF" || continue
        [ -z "${2:-}" ] || tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "$2" || continue
        echo "$pid"
    done
}
end_slurm() {
    scancel -u root 2>/dev/null
    sleep 1
    for file in "$base"/run/*.pid; do [ ! -s "$file" ] || kill "$(cat "$file")" 2>/dev/null; done
    sleep 2
    for file in "$base"/run/*.pid; do [ ! -s "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null; done
    for pid in $(ours 'slurmstepd: \['); do kill -9 "$pid" 2>/dev/null; done
}
trap end_slurm EXIT
munged --force --key-file="$base/munge.key" --socket="$base/run/munge.sock" --pid-file="$base/run/munge.pid" \
    --log-file="$base/munge.log" --seed-file="$base/run/munge.seed" 2>/dev/null || skip "munged does not run here"
slurmctld || skip "slurmctld does not run here"
for node in n1 n2 n3; do slurmd -N $node || skip "slurmd does not run here"; done
for _ in $(seq 100); do [ "$(sinfo -h -t idle -o %D)" = 3 ] && break; sleep 0.2; done
[ "$(sinfo -h -t idle -o %D)" = 3 ] || skip "Slurm's nodes do not come up here"

for i in $(seq "$count"); do
    echo "{\"name\": \"scene-$i\", \"scene\": \"$scenes/bottles.glb\", \"goal\": \"Put all three bottles on the yellow block\", \"seed\": $i, \"flags\": [\"--no-images\"]}"
done >"$work/list.jsonl"
"$etna" batch "$work/list.jsonl" -o "$work/home" --workers 2 >"$work/home.txt" 2>&1 || fail "the batch at home: $(tail -1 "$work/home.txt")"

job=$work/job
"$etna" launch slurm -o "$job" --workers 4 --listen tcp://127.0.0.1:16890 --local "$work/nodes" --submit >"$work/launch.txt" 2>&1 || fail "launch: $(cat "$work/launch.txt")"
for _ in $(seq 300); do [ -s "$job/join" ] && break; sleep 0.2; done
"$etna" batch "$work/list.jsonl" -o "$work/away" --connect "@$job/join" >"$work/away.txt" 2>&1 &
batch=$!
ended() { [ "$(grep -c '"state":"ended"' "$work/away/.batch/journal" 2>/dev/null || :)" -ge "$1" ]; }
coordinator=$(cat "$job/coordinator.job")
node_of() { squeue -h -j "$1" -o %N; }

await "nothing ends before a node is drained" $batch ended $((count / 10))
first=$(node_of "$coordinator")
scontrol update "nodename=$first" state=drain reason=test
scontrol requeue "$coordinator" || fail "the coordinator cannot be queued again"

# Slurm holds back for two minutes what is queued again.
for _ in $(seq 1500); do [ "$(squeue -h -j "$coordinator" -o %T)" = RUNNING ] && break; sleep 0.2; done
await "nothing ends after the coordinator went to another node" $batch ended $((count * 4 / 10))
second=$(node_of "$coordinator")
[ "$second" != "$first" ] || fail "the coordinator stayed on the drained node"
scontrol update "nodename=$first" state=resume

# A node that dies: its daemon, its jobs' shepherds and all that they started.
for node in n1 n2 n3; do [ "$node" = "$second" ] || dead=$node; done
kill -9 "$(cat "$base/run/slurmd-$dead.pid")"
for pid in $(ours 'etna-worker --connect|slurmstepd' "SLURMD_NODENAME=$dead"); do kill -9 "$pid"; done

await "nothing ends after a node died" $batch ended $((count * 6 / 10))
# Of the eight processors that are left, once Slurm knows, the urgent job takes more than are free.
for _ in $(seq 600); do [[ "$(sinfo -h -n "$dead" -o %T)" = down* ]] && break; sleep 0.2; done
sbatch --partition=urgent --ntasks=7 --time=1 --output=/dev/null --wrap 'sleep 15' >/dev/null || fail "the urgent job"

wait $batch
expect "the batch: exit" "$?" 0
grep -q "DUE TO PREEMPTION" "$job"/logs/worker-* || fail "no worker was preempted"
cmp "$work/home/summary.csv" "$work/away/summary.csv" || fail "another summary than at home: $(tail -2 "$work/away.txt")"
"$etna" drain --connect "@$job/join" --wait 600 >/dev/null || fail "drain"
for _ in $(seq 1500); do [ -z "$(squeue -h)" ] && break; sleep 0.2; done
[ -z "$(squeue -h)" ] || { fail "jobs are left"; squeue >&2; }
end_slurm
finish
