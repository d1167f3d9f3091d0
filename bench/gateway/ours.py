"""The gateway that is measured."""

import os
from pathlib import Path

import thriftlens as tl

app = tl.gateway(
    Path(__file__).with_name("shop.thrift"),
    upstream=os.environ["UPSTREAM"],
    transport="framed",
    protocol="binary",
)
