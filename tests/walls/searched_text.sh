#!/bin/sh
# searched_text.sh: is every place that searches text named in searched_text.txt? A new one has to say there whose text it is;
# text of our own is data, and is not searched.
set -eu
cd "$(dirname "$0")/../.."
found=$(mktemp)
listed=$(mktemp)
trap 'rm -f "$found" "$listed"' EXIT
grep -roE --include='*.c' --include='*.h' --include='*.cc' '\b(strstr|strcasestr|sscanf|vsscanf|memmem)\(' \
    coordinator http proto referee store worker | cut -d: -f1 | sort | uniq -c | awk '{print $2, $1}' >"$found"
awk '!/^#/ && NF && $2 != "-" {print $1, $2}' tests/walls/searched_text.txt | sort >"$listed"
rooms=$(awk '!/^#/ && $2 == "-" {print "^" $1}' tests/walls/searched_text.txt)
grep -v "$rooms" "$found" | sort -o "$found"
if ! diff "$listed" "$found"; then
    echo "these search text otherwise than tests/walls/searched_text.txt says (< listed, > found)" >&2
    exit 1
fi
