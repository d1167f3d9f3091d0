#!/usr/bin/env bash
# Installs missing packages and thriftlens into .venv, and runs the main job: a Thrift payload to JSON and back.
. "$(dirname "$0")/lib.sh"

say "packages"
need_packages "${DEMO_PACKAGES[@]}"
need_compiler
say "Python environment"
need_venv
say "thriftlens into .venv (the first time it compiles: about three minutes on two cores)"
install_package ""
work=build/demo
mkdir -p $work

thriftlens() { "$VENV/bin/python" -m thriftlens "$@"; }
run() { printf '$ thriftlens %s\n' "$*"; thriftlens "$@"; }

say "the IDL, parsed now"
run describe idl/shop.thrift Order
say "a payload to JSON: idl/order.bin, $(wc -c <idl/order.bin) bytes written by Apache Thrift"
run to-json idl/shop.thrift Order idl/order.bin --pretty
for protocol in binary compact; do
  payload=idl/order.$([ $protocol = binary ] && echo bin || echo cmp)
  say "$protocol: to JSON and back to the identical bytes"
  run to-json idl/shop.thrift Order $payload --protocol $protocol -o $work/order.json
  run from-json idl/shop.thrift Order $work/order.json --protocol $protocol -o $work/order.thrift
  cmp $payload $work/order.thrift
  echo "$payload: $(wc -c <$payload) bytes, $(wc -c <$work/order.json) bytes of JSON, $(wc -c <$work/order.thrift) identical bytes again"
done

say "done; next: . .venv/bin/activate && thriftlens --help"
