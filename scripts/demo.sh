#!/usr/bin/env bash
# Sets up what is missing, installs the package into .venv and runs the main job: a Thrift payload to JSON and back.
. "$(dirname "$0")/lib.sh"

say "packages"
need_packages "${DEMO_PACKAGES[@]}"
need_compiler
say "Python environment"
need_venv
say "thriftlens into .venv (compiles for about a minute)"
install_package ""
thriftlens=$VENV/bin/thriftlens
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "the IDL, parsed now: thriftlens describe idl/shop.thrift Order"
"$thriftlens" describe idl/shop.thrift Order
for protocol in binary:order.bin compact:order.cmp; do
  payload=idl/${protocol#*:} protocol=${protocol%:*}
  say "$payload ($(wc -c <"$payload") bytes, $protocol) to JSON: thriftlens to-json idl/shop.thrift Order $payload --protocol $protocol"
  "$thriftlens" to-json idl/shop.thrift Order "$payload" --protocol "$protocol" --pretty
  "$thriftlens" to-json idl/shop.thrift Order "$payload" --protocol "$protocol" >"$work/order.json"
  say "and back: thriftlens from-json idl/shop.thrift Order order.json --protocol $protocol -o order.thrift"
  "$thriftlens" from-json idl/shop.thrift Order "$work/order.json" --protocol "$protocol" -o "$work/order.thrift"
  cmp "$payload" "$work/order.thrift"
  echo "identical: $(wc -c <"$work/order.thrift") bytes"
done

say "done; next: . .venv/bin/activate && thriftlens --help"
