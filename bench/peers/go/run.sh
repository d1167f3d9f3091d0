#!/usr/bin/env bash
# usage: run.sh PAYLOADS OUT [--quick]   PAYLOADS is what `thriftlens_bench --dump` wrote. Without Go it says so and succeeds.
set -euo pipefail
cd "$(dirname "$0")"
payloads=$(realpath "$1") out=$(realpath "$(dirname "$2")")/$(basename "$2")
PATH=$PATH:/usr/local/go/bin
if ! command -v go >/dev/null; then
  echo "no Go here: without dynamicgo, Frugal and Kitex"
  exit 0
fi
idl=$(realpath ../../../idl/bench.thrift)
program=$(mktemp)
trap 'rm -f "$program"' EXIT
if ! GOFLAGS=-mod=mod go build -o "$program" .; then
  echo "the Go contestants do not build here (no module proxy?): without them"
  exit 0
fi
SONIC_NO_ASYNC_GC=1 GOMAXPROCS=1 "$program" "$idl" "$payloads" "$out" "${@:3}"
