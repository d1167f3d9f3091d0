#!/usr/bin/env bash
# usage: run.sh PROGRAM   PROGRAM is thriftlens_bench_http. Requests by dynamicgo (where there is Go) and by a plan, answers compared first.
set -euo pipefail
cd "$(dirname "$0")"
program=$(realpath "$1")
PATH=$PATH:/usr/local/go/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 make_requests.py "$work/requests.json"
touch "$work/peer"
if ! command -v go >/dev/null; then
  echo "no Go here: without dynamicgo"
elif (cd ../peers/http && GOFLAGS=-mod=mod go build -o "$work/peer_program" .); then
  SONIC_NO_ASYNC_GC=1 GOMAXPROCS=1 "$work/peer_program" "$PWD/bench.thrift" "$work/requests.json" "$work/peer"
else
  echo "dynamicgo does not build here (no module proxy?): without it"
fi
"$program" "$PWD/bench.thrift" "$work/requests.json" "$work/peer"
