"""Daemon threads for handlers: unlike those of a ThreadPoolExecutor, they do not keep the process
alive."""

from __future__ import annotations

import collections
import concurrent.futures
import functools
import threading
import weakref
from typing import TYPE_CHECKING, Callable, Optional, TypeVar

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")

_T = TypeVar("_T")
_Job = Callable[[], None]


class Threads(concurrent.futures.Executor):
    """Up to `limit` daemon threads, started when all others are busy.

    A job that is cancelled before it runs is removed from the queue immediately, with its
    arguments."""

    def __init__(self, limit: int, name: str):
        self._limit = limit
        self._name = name
        self._count = 0
        self._lock = threading.Lock()
        self._queue = _Queue()
        self._end = weakref.finalize(self, self._queue.close)

    def submit(
        self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> concurrent.futures.Future[_T]:
        """Queues a call."""
        future: concurrent.futures.Future[_T] = concurrent.futures.Future()
        job = functools.partial(_run_job, future, functools.partial(fn, *args, **kwargs))
        with self._lock:
            if not self._end.alive:
                raise RuntimeError("the threads are shut down")
            if self._queue.put(future, job) and self._count < self._limit:
                self._start_thread()
        future.add_done_callback(self._queue.discard)
        return future

    def _start_thread(self) -> None:
        self._count += 1
        name = f"{self._name} {self._count}"
        threading.Thread(target=_run_jobs, args=(self._queue,), name=name, daemon=True).start()

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """Accepts no more calls. Queued calls still run."""
        with self._lock:
            self._end()


class _Queue:
    """A queue of jobs, which can be removed from the middle."""

    def __init__(self) -> None:
        self._jobs: collections.OrderedDict[object, _Job] = collections.OrderedDict()
        self._changed = threading.Condition()
        self._waiting = 0
        self._is_closed = False

    def put(self, future: object, job: _Job) -> bool:
        """future: the key of the job for discard. Returns whether there are more jobs than waiting
        threads."""
        with self._changed:
            self._jobs[future] = job
            self._changed.notify()
            return len(self._jobs) > self._waiting

    def discard(self, future: object) -> None:
        with self._changed:
            self._jobs.pop(future, None)

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def take(self) -> Optional[_Job]:
        """Waits for the next job. None: the queue is closed."""
        with self._changed:
            self._waiting += 1
            try:
                while not self._jobs:
                    if self._is_closed:
                        return None
                    self._changed.wait()
                return self._jobs.popitem(last=False)[1]
            finally:
                self._waiting -= 1


def _run_jobs(queue: _Queue) -> None:
    while (job := queue.take()) is not None:
        job()
        del job  # release the arguments while waiting


def _run_job(future: concurrent.futures.Future[_T], call: Callable[[], _T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
