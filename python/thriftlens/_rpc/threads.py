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
        self.start(
            future, functools.partial(_run_job, future, functools.partial(fn, *args, **kwargs))
        )
        future.add_done_callback(self.discard)
        return future

    def start(self, key: object, job: _Job) -> None:
        """Queues a job that raises nothing. key: for discard."""
        if self._queue.put(key, job) and self._count < self._limit:
            with self._lock:
                if self._count < self._limit:
                    self._start_thread()

    def discard(self, key: object) -> bool:
        """Removes a job from the queue. False: it has begun."""
        return self._queue.discard(key)

    def _start_thread(self) -> None:
        self._count += 1
        name = f"{self._name} {self._count}"
        threading.Thread(target=_run_jobs, args=(self._queue,), name=name, daemon=True).start()

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """Accepts no more calls. Queued calls still run."""
        self._end()


class _Queue:
    """A queue of jobs, which can be removed from the middle. Each idle thread waits for a lock of
    its own."""

    def __init__(self) -> None:
        self._jobs: collections.OrderedDict[object, _Job] = collections.OrderedDict()
        self._lock = threading.RLock()
        self._idle: list[threading.Lock] = []
        self._is_closed = False

    def put(self, key: object, job: _Job) -> bool:
        """Returns whether no thread waits."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are shut down")
            self._jobs[key] = job
            if not self._idle:
                return True
            self._idle.pop().release()
            return False

    def discard(self, key: object) -> bool:
        with self._lock:
            return self._jobs.pop(key, None) is not None

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            while self._idle:
                self._idle.pop().release()

    def take(self, wake: threading.Lock) -> Optional[_Job]:
        """Waits for the next job. None: the queue is closed. wake: of this thread, acquired."""
        while True:
            with self._lock:
                if self._jobs:
                    return self._jobs.popitem(last=False)[1]
                if self._is_closed:
                    return None
                self._idle.append(wake)
            wake.acquire()


def _run_jobs(queue: _Queue) -> None:
    wake = threading.Lock()
    wake.acquire()
    while (job := queue.take(wake)) is not None:
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
