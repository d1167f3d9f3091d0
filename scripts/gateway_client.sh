#!/usr/bin/env bash
# Generates a client from the gateway's OpenAPI document with openapi-python-client (from PyPI, in a separate folder) and calls a running gateway:
# scripts/gateway_client.sh. PYTHON is an interpreter with thriftlens[gateway]; reports and skips if the generator is not available.
. "$(dirname "$0")/lib.sh"

python=${PYTHON:-$VENV/bin/python}
here=$PWD/tests/python/gateway
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet 'openapi-python-client>=0.26' ruff >"$work/pip.log" 2>&1 || { echo "skipped: $(tail -1 "$work/pip.log")"; exit 0; }

"$python" - "$here/shop.thrift" >"$work/address" <<'EOF' &
import runpy, sys
from pathlib import Path

import thriftlens as tl

file = Path(sys.argv[1])
shop = runpy.run_path(str(file.with_name("conftest.py")))["Shop"]
idl = tl.load(file)
tl.serve(idl, "Shop", shop(idl), ready=lambda server: print(server.address, flush=True))
EOF
until [ -s "$work/address" ]; do sleep 0.1; done
"$python" -m thriftlens serve "$here/shop.thrift" --upstream "$(cat "$work/address")" --listen :0 --no-log >"$work/gateway" &
until grep -qs serving "$work/gateway"; do sleep 0.1; done
url=$(grep -o 'http:.*' "$work/gateway")

"$python" -c "import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen('$url/openapi.json').read())" >"$work/openapi.json"
(cd "$work" && PATH=$work/venv/bin:$PATH venv/bin/openapi-python-client generate --path openapi.json --meta none --output-path shop_client --fail-on-warning)
cd "$work" && venv/bin/python - "$url" <<'EOF'
import io, sys

from shop_client import Client
from shop_client.api.shop import shop_all, shop_drop, shop_get, shop_note, shop_put, shop_upload
from shop_client.models import NotFound, OrderAnswer, PaymentVoucher, Problem, ShopNoteBody, ShopPutBody, ShopUploadForm, Status, Voucher
from shop_client.types import File

client = Client(base_url=sys.argv[1])
order = shop_get.sync(7, client=client, tags=["a", "b"], status=Status.NEW)
assert isinstance(order, OrderAnswer), order
assert (order.id, order.tags, order.status, order.user.name, order.prices.additional_properties) == (7, ["a", "b"], Status.NEW, "Ann", {"1": 2.5}), order
assert order.payment.card == "4"
part = shop_get.sync(7, client=client, fields="{id user{id phone}}")  # what is required is asked for
assert part.to_dict() == {"id": 7, "user": {"id": 1, "phone": "123"}}, part
missing = shop_get.sync(404, client=client)
assert isinstance(missing, NotFound) and (missing.id, missing.why) == (404, "none"), missing
broken = shop_get.sync(500, client=client)
assert broken.exception == "Broken" and broken.fields.why == "oh", broken
put = shop_put.sync_detailed(client=client, body=ShopPutBody(id=5, tags=["x"], payment=PaymentVoucher(Voucher("v"))))
assert put.status_code == 201 and put.parsed.payment.voucher.code == "v", put
assert shop_upload.sync(client=client, body=ShopUploadForm(title="t", file=File(io.BytesIO(b"\0\xff"), "a.bin"))) == 2
assert [each.id for each in shop_all.sync(client=client, size=3)] == [0, 1, 2]
assert shop_drop.sync_detailed(1, client=client).status_code == 204
assert shop_note.sync_detailed(client=client, body=ShopNoteBody(text="hi")).status_code == 202
bad = shop_put.sync_detailed(client=client, body=ShopPutBody(id=1 << 70))
assert bad.status_code == 400 and isinstance(bad.parsed, Problem) and bad.parsed.path == "$.id", bad
print("a generated client: get, fields, put, a file, all, delete, a oneway call, exceptions and a problem")
EOF
