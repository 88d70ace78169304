# A real house of other people's making: 85 objects, 146 K triangles, sofas that hover, one camera.
. "$(dirname "$0")/lib.sh"
house=scenes/aws_small_house/small_house.glb
need_data $house
run_ok "$work/tablet" "$data/$house" --goal "Put the tablet on the kitchen table"
expect "moved" "$(json "$work/tablet/stdout.json" '[.steps[].object] | join(",")')" Tablet_01_001
run_ok "$work/list" "$data/$house" --steps <(printf '%s\n' "Put the tablet on the kitchen table" "Put trash 1 on carpet 2")
finish
