"""Metrics of a gateway in Prometheus text format."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Iterator, Mapping

from ..._optional import absence
from .answers import Answer, Refusal
from .upstream import Upstream

if TYPE_CHECKING:
    from prometheus_client import Metric

Upstreams = Mapping[str, Upstream]
_PREFIX = "thriftlens_gateway_"

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counts requests in plain numbers; prometheus_client formats them on request."""

    def __init__(self) -> None:
        self.in_flight = 0
        self.reloads = {"ok": 0, "error": 0}
        self._requests: dict[tuple[str, str, int], int] = {}
        self._seconds: dict[tuple[str, str], tuple[list[int], list[float]]] = {}

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """route: the pattern, not the path, so that clients cannot create new rows."""
        key = (method, route, status)
        self._requests[key] = self._requests.get(key, 0) + 1
        histogram = self._seconds.get(key[:2])
        if histogram is None:
            histogram = self._seconds[key[:2]] = ([0] * (len(BOUNDS) + 1), [0.0])
        histogram[0][bisect_left(BOUNDS, seconds)] += 1
        histogram[1][0] += seconds

    def answer(self, upstreams: Upstreams) -> Answer:
        """The response with all metrics."""
        try:
            from prometheus_client import CollectorRegistry, generate_latest
            from prometheus_client.exposition import CONTENT_TYPE_LATEST
        except ImportError as error:
            raise Refusal(
                501,
                "missing_package",
                "metrics need " + absence("prometheus_client", error, "'thriftlens[gateway]'"),
            ) from None
        registry = CollectorRegistry()
        registry.register(_Collector(self, upstreams))
        return Answer(
            200, [(b"content-type", CONTENT_TYPE_LATEST.encode())], generate_latest(registry)
        )

    def families(self, upstreams: Upstreams) -> Iterator[Metric]:
        from prometheus_client import core

        yield from self._counters(upstreams)
        yield core.GaugeMetricFamily(
            f"{_PREFIX}in_flight", "Requests in progress.", value=self.in_flight
        )
        text = "Time from request head to response."
        seconds = core.HistogramMetricFamily(f"{_PREFIX}seconds", text, labels=["method", "route"])
        for (method, route), (counts, total) in self._seconds.items():
            seconds.add_metric([method, route], _buckets(counts), total[0])
        yield seconds

    def _counters(self, upstreams: Upstreams) -> Iterator[Metric]:
        from prometheus_client.core import CounterMetricFamily

        requests = {(*key[:2], str(key[2])): number for key, number in self._requests.items()}
        faults = {(name, upstream.address): upstream.faults for name, upstream in upstreams.items()}
        reloads = {(outcome,): number for outcome, number in self.reloads.items()}
        counters = (
            ("requests", "Requests by route and status.", "method route status", requests),
            ("upstream_faults", "Connections and calls that failed.", "service address", faults),
            ("reloads", "Reloads of the IDL.", "outcome", reloads),
        )
        for name, text, labels, rows in counters:
            counter = CounterMetricFamily(_PREFIX + name, text, labels=labels.split())
            for values, number in rows.items():
                counter.add_metric(list(values), number)
            yield counter


def _buckets(counts: list[int]) -> list[tuple[str, float]]:
    total, buckets = 0, []
    for bound, number in zip([*map(str, BOUNDS), "+Inf"], counts):
        total += number
        buckets.append((bound, float(total)))
    return buckets


class _Collector:
    """The collector interface of prometheus_client."""

    def __init__(self, metrics: Metrics, upstreams: Upstreams):
        self._metrics = metrics
        self._upstreams = upstreams

    def collect(self) -> Iterator[Metric]:
        return self._metrics.families(self._upstreams)
