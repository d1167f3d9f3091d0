#!/usr/bin/env bash
# usage: run.sh VENV PAYLOADS OUT [--quick]   VENV has thriftlens; PAYLOADS is what `thriftlens_bench --dump` wrote
set -euo pipefail
cd "$(dirname "$0")/../.."
venv=$1 payloads=$2 out=$3
"$venv/bin/pip" install --quiet thriftpy2 thrift msgspec orjson
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT
thrift -out "$generated" --gen py idl/bench.thrift 2>/dev/null
PYTHONPATH=$generated "$venv/bin/python" bench/python/bench.py "$payloads" "$out" "${@:4}"
