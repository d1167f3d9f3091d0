"""Writes the requests of the benchmark as JSON: make_requests.py OUT"""

import json
import sys

PATH = {"id": "90071992547"}
HEADERS = {
    "X-Token": "c2VjcmV0LXRva2Vu",
    "Cookie": "theme=dark; locale=de-DE; sid=8f14e45f",
    "User-Agent": "bench/1.0",
    "Accept": "*/*",
}
JSON = {**HEADERS, "Content-Type": "application/json"}
QUERY = "q=green+tea%20cups&page=3&size=50&marks=1,2,3,4"
ADDRESS = {"street": "Long Street 12", "city": "Hamburg", "zip": "20095", "country": "DE"}


def item(n):
    return {
        "sku": 1000000 + n,
        "title": f"Tea cup number {n}, green",
        "price": 3.25 + n,
        "tags": ["tea", "cup", f"n{n}"],
        "gift": n % 2 == 0,
    }


def body(items):
    request = {
        "note": 'leave it at the "door"',
        "address": ADDRESS,
        "items": [item(n) for n in range(items)],
        "labels": {"source": "web", "campaign": "spring"},
        "total": 123456789,
        "express": True,
    }
    return json.dumps(request, separators=(",", ":"))


def case(name, method="GET", query=QUERY, headers=HEADERS, text=""):
    return {
        "name": name,
        "method": method,
        "url": f"http://shop/orders/90071992547?{query}",
        "headers": headers,
        "path_params": PATH,
        "body": text,
    }


CASES = [
    case("parts"),
    case(
        "form",
        "POST",
        headers={**HEADERS, "Content-Type": "application/x-www-form-urlencoded"},
        text="coupon=SPRING%2020&other=1",
    ),
    case("small_body", "POST", headers=JSON, text=body(1)),
    case("body_3kb", "POST", headers=JSON, text=body(26)),
    case("body_60kb", "POST", headers=JSON, text=body(560)),
]
with open(sys.argv[1], "w", encoding="utf-8") as out:
    json.dump({"cases": CASES}, out)
