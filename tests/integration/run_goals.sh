# Goals as people say them. Each must end complete with nothing new in the way, and then be true: what a person would
# look for in the picture is asked of the result's boxes.
. "$(dirname "$0")/lib.sh"

# All objects of a scene by name, as jq sees them below: $a before, $b after.
defs='def o($s; $n): $s.objects[] | select(.name == $n);
def mid($o): [($o.min[0] + $o.max[0]) / 2, ($o.min[1] + $o.max[1]) / 2];
def flat($p; $q): (($p[0] - $q[0]) * ($p[0] - $q[0]) + ($p[1] - $q[1]) * ($p[1] - $q[1])) | sqrt;
def over($p; $o): $p[0] >= $o.min[0] and $p[0] <= $o.max[0] and $p[1] >= $o.min[1] and $p[1] <= $o.max[1];
def stands($x; $on): (($x.min[2] - $on.max[2]) | fabs) < 0.003 and over(mid($x); $on);
def overlap($p; $q): $p.min[0] < $q.max[0] and $p.max[0] > $q.min[0] and $p.min[1] < $q.max[1] and $p.max[1] > $q.min[1];
def gap($p; $q): [([$p.min[0] - $q.max[0], $q.min[0] - $p.max[0], 0] | max), ([$p.min[1] - $q.max[1], $q.min[1] - $p.max[1], 0] | max)] | flat(.; [0, 0]);'

# goal NAME SCENE EDITS WHAT... : a run of the options WHAT
goal() {
    local name=$1 scene=$scenes/$2.glb edits=$3
    shift 3
    run_ok "$work/$name" "$scene" --no-images "$@" || return 1
    "$etna" scene info "$scene" --json >"$work/$name/before.json" || fail "scene info of $scene"
    "$etna" scene info "$work/$name/result.glb" --json >"$work/$name/after.json" || fail "scene info of $name"
    [ "$(json "$work/$name/stdout.json" '.steps | length')" -le "$edits" ] || fail "$name took more than $edits edits"
}

# true_of NAME WHAT CONDITION
true_of() {
    local got
    got=$(jq -n --slurpfile before "$work/$1/before.json" --slurpfile after "$work/$1/after.json" "$defs \$before[0] as \$a | \$after[0] as \$b | $3" 2>&1)
    [ "$got" = true ] || fail "$1: $2 ($got)"
}

goal front living 3 --goal "Move the long table to the front of the shelf, where the chair and the plant are"
true_of front "the table is before the shelf, and near it" 'o($b; "Long Table") as $t | o($b; "Shelf") as $s |
    ($t.max[1] <= $s.min[1]) and ($s.min[1] - $t.max[1] < 1) and ((mid($t)[0] - mid($s)[0]) | fabs) < 0.6'
true_of front "chair and plant left its place and stand on the floor" '[("Chair", "Plant") as $n | (overlap(o($b; $n); o($b; "Long Table")) | not) and
    ((o($b; $n).min[2] - o($b; "Floor").max[2]) | fabs) < 0.01] | all'

goal list study 3 --steps "$scenes/study.steps"
true_of list "the phone is on the book, the plant on the phone" 'stands(o($b; "Phone"); o($b; "Book")) and stands(o($b; "Plant"); o($b; "Phone"))'
true_of list "the pen is where the phone was" 'flat(mid(o($b; "Pen")); mid(o($a; "Phone"))) < 0.04 and ((o($b; "Pen").min[2] - o($a; "Phone").min[2]) | fabs) < 0.003'

goal swap living 4 --goal "Switch the position of the small round sofa and the wooden table"
true_of swap "each is where the other was" 'flat(mid(o($b; "Round Sofa")); mid(o($a; "Wooden Table"))) < 0.15 and flat(mid(o($b; "Wooden Table")); mid(o($a; "Round Sofa"))) < 0.15'
true_of swap "the vase stands on a table or a cabinet" '[("Wooden Table", "Long Table", "Cabinet") as $n | stands(o($b; "Vase"); o($b; $n))] | any'

goal bowl living 1 --goal "Take the bowl off the cabinet and put it inside the shelf"
true_of bowl "the bowl is inside the shelf" 'o($b; "Bowl") as $x | o($b; "Shelf") as $s |
    [range(3) as $k | $x.min[$k] >= $s.min[$k] - 0.001 and $x.max[$k] <= $s.max[$k] + 0.001] | all'

goal left living 1 --goal "Bring the bowl over to the long table and leave it there"
true_of left "the bowl is on the long table, where it was brought to stay" 'stands(o($b; "Bowl"); o($b; "Long Table"))'

goal lamp living 1 --goal "Move the lamp to the corner of the room, facing the sofa"
true_of lamp "the lamp is within reach of a corner of walls" 'o($b; "Floor Lamp") as $l | ([gap($l; o($b; "Left Wall")), gap($l; o($b; "Right Wall"))] | min) < 0.4 and gap($l; o($b; "Back Wall")) < 0.4'
true_of lamp "its front points to the sofa" 'o($b; "Floor Lamp") as $l | (mid(o($b; "Sofa")) | [.[0] - mid($l)[0], .[1] - mid($l)[1]]) as $d | ($l.yaw_deg * 3.141592653589793 / 180) as $y |
    (($y | sin) * $d[0] - ($y | cos) * $d[1]) / flat($d; [0, 0]) > 0.97'

goal clear kitchen 6 --goal "Clear the table, then put the tray in its middle"
true_of clear "the tray is in the middle of the table" 'stands(o($b; "Tray"); o($b; "Table")) and flat(mid(o($b; "Tray")); mid(o($b; "Table"))) < 0.1'
true_of clear "nothing else is on it, and nothing went to the floor" '[$b.objects[] | select(.static | not) | select(.name != "Tray" and .name != "Table") |
    (stands(.; o($b; "Table")) | not) and (. as $x | o($a; $x.name).min[2] < 0.1 or $x.min[2] > 0.3)] | all'

goal hang office 1 --goal "Hang the picture above the desk"
true_of hang "the picture hangs flat on the wall over the middle of the desk" 'o($b; "Picture Frame") as $p | o($b; "Desk") as $d |
    (($p.max[1] - o($b; "Wall").min[1]) | fabs) < 0.001 and ($p.max[1] - $p.min[1]) < 0.03 and ((mid($p)[0] - mid($d)[0]) | fabs) < 0.4 and $p.min[2] > $d.max[2]'
true_of hang "nothing else was moved" '[$b.objects[] | select(.name != "Picture Frame") | . as $x | (o($a; $x.name).min[0] - $x.min[0]) | fabs < 0.0005] | all'

goal plates kitchen 1 --goal "Stack the plates"
true_of plates "one plate lies in the other" 'o($b; "Blue Plate") as $u | o($b; "White Plate") as $l |
    flat(mid($u); mid($l)) < 0.03 and ($u.min[2] - $l.min[2]) > 0.002 and ($u.min[2] - $l.min[2]) < 0.03'

goal trade kitchen 3 --goal "Swap the kettle and the toaster"
true_of trade "each is where the other was" 'flat(mid(o($b; "Kettle")); mid(o($a; "Toaster"))) < 0.1 and flat(mid(o($b; "Toaster")); mid(o($a; "Kettle"))) < 0.1'

goal bread kitchen 1 --goal "Put the kettle next to the bread"
true_of bread "beside the board that the bread lies on, on the counter" 'o($b; "Kettle") as $k | gap($k; o($b; "Bread")) < 0.25 and
    (($k.min[2] - o($a; "Kettle").min[2]) | fabs) < 0.003'

# What stands is not hung, and what cannot hang is refused with the reason before anything is searched.
mkdir -p "$work/mug"
"$etna" run "$scenes/office.glb" --goal "Hang the mug above the desk" --no-images --json -o "$work/mug" >"$work/mug/stdout.json" 2>"$work/mug/stderr.txt"
expect "exit code when a mug is to be hung" $? 3
expect "its code" "$(json "$work/mug/stdout.json" .error.code)" impossible
case "$(json "$work/mug/stdout.json" .error.what)" in
*"Mug cannot be hung"*"not flat"*) ;;
*) fail "why the mug cannot hang: $(json "$work/mug/stdout.json" .error.what)" ;;
esac
# Beside what stands on a slope no map knows a place: the true shapes find how it stands there.
goal slope outdoor 1 --goal "Put the ball to the left of the watering can"
true_of slope "the ball is left of the can, close to it and on the lawn" 'o($b; "Ball") as $x | o($b; "Watering Can") as $can |
    ($x.max[0] < $can.min[0] + 0.05) and gap($x; $can) < 0.45 and (($x.min[2] - $can.min[2]) | fabs) < 0.2'
finish
