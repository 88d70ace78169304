#!/bin/sh
# searched_text.sh: is every file that searches text named in searched_text.txt? A new one has to say there whose text it is;
# text of our own is data, and is not searched. A file that searches none any more leaves the list.
set -eu
cd "$(dirname "$0")/../.."
listed=$(mktemp)
found=$(mktemp)
trap 'rm -f "$listed" "$found"' EXIT
awk '!/^#/ && NF {print $1}' tests/walls/searched_text.txt | sort >"$listed"
rooms=$(grep '/$' "$listed")
grep -rlE --include='*.c' --include='*.h' --include='*.cc' '\b(strstr|strcasestr|sscanf|vsscanf|memmem)\(' \
    coordinator http proto referee store worker | while read -r file; do
    for room in $rooms; do
        case $file in "$room"*) file=$room ;; esac
    done
    echo "$file"
done | sort -u >"$found"
if ! diff "$listed" "$found"; then
    echo "these search text otherwise than tests/walls/searched_text.txt says (< listed, > found)" >&2
    exit 1
fi
