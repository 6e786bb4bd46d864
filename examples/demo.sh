#!/bin/sh
# The main job on real records: a hand is recorded, replayed, checked and scored; then three evenings are judged.
# One of these records holds broken rules: there `check` must end with 3, and this script still ends with 0.
set -eu
cd "$(dirname "$0")/.."
KIBITZ_DB=$(mktemp -d)/demo.db
export KIBITZ_DB NO_COLOR=1
trap 'rm -rf "$(dirname "$KIBITZ_DB")"' EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
run() { say "kibitz $*"; kibitz "$@"; }
# Runs a command that must end with the exit code given first.
expect() {
    want=$1; shift
    say "kibitz $*"
    got=0; kibitz "$@" || got=$?
    if [ "$got" -ne "$want" ]; then echo "expected exit code $want, got $got" >&2; exit 1; fi
}

echo "A hand of Kaiser, typed at the table: the auction, the trump suit, eight tricks."
match=$(kibitz new kaiser --seat N=Olena --seat E=Marcel --seat S=Walter --seat W=Doris --dealer W)
say "kibitz record $match   < the ten lines below"
kibitz record "$match" < examples/kaiser-hand.txt
run replay "$match"
expect 0 check "$match"
run score "$match"

echo; echo "A Kaiser evening with hidden hands: a revoke nobody noticed, and a sum that is one too high."
expect 3 check examples/kaiser-evening.kib
run show examples/kaiser-evening.kib --at 96
run sheet examples/kaiser-evening.kib --format text

echo; echo "A Scopa match in which the order of scoring decides."
expect 0 check examples/scopa-sunday.kib
run sheet examples/scopa-sunday.kib --format text

echo; echo "The two worked hands of Bridge Solitaire."
expect 0 check examples/bridge-solitaire-1.kib
run score examples/bridge-solitaire-1.kib
run sheet examples/bridge-solitaire-1.kib --format text
expect 0 check examples/bridge-solitaire-2.kib
run replay examples/bridge-solitaire-2.kib

echo; echo "The evening goes into the store and comes out again unchanged."
run import examples/kaiser-evening.kib
kibitz export kaiser-evening --format kib | sed '/^=/d' | diff - examples/kaiser-evening.kib && echo "exported as it was written"
