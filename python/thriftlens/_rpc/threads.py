"""The threads in which handlers run. One that is stuck does not keep the process from ending, as it would in a ThreadPoolExecutor."""

from __future__ import annotations

import collections
import concurrent.futures
import threading
import weakref
from typing import Any, Callable, Optional


class Threads(concurrent.futures.Executor):
    """Up to so many threads, each started when all others are busy. Those that still run when the process ends, end with it.

    A job that is cancelled before it runs leaves the queue at once, with its arguments."""

    def __init__(self, most: int, name: str):
        self._most = most
        self._name = name
        self._count = 0
        self._lock = threading.Lock()
        self._queue = _Queue()
        self._end = weakref.finalize(self, self._queue.close)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> concurrent.futures.Future[Any]:
        """The future result of the call."""
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        with self._lock:
            if not self._end.alive:
                raise RuntimeError("the threads are shut down")
            if self._queue.put(future, (fn, args, named)) and self._count < self._most:
                self._count += 1
                threading.Thread(target=_work, args=(self._queue,), name=f"{self._name} {self._count}", daemon=True).start()
        future.add_done_callback(self._queue.discard)
        return future

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """Takes no more calls; those taken are carried out. Waits for none of them."""
        with self._lock:
            self._end()


class _Queue:
    """Jobs in their order. Unlike a queue.Queue it can drop one from the middle."""

    def __init__(self) -> None:
        self._jobs: collections.OrderedDict[concurrent.futures.Future[Any], Any] = collections.OrderedDict()
        self._news = threading.Condition()
        self._waiting = 0
        self._is_closed = False

    def put(self, future: concurrent.futures.Future[Any], job: Any) -> bool:
        """Whether there are more jobs than threads that wait for one."""
        with self._news:
            self._jobs[future] = job
            self._news.notify()
            return len(self._jobs) > self._waiting

    def discard(self, future: concurrent.futures.Future[Any]) -> None:
        with self._news:
            self._jobs.pop(future, None)

    def close(self) -> None:
        with self._news:
            self._is_closed = True
            self._news.notify_all()

    def take(self) -> Optional[tuple[concurrent.futures.Future[Any], Any]]:
        """Waits for the next job. None: there are no more."""
        with self._news:
            self._waiting += 1
            try:
                while not self._jobs:
                    if self._is_closed:
                        return None
                    self._news.wait()
                return self._jobs.popitem(last=False)
            finally:
                self._waiting -= 1


def _work(queue: _Queue) -> None:
    while (job := queue.take()) is not None:
        _do(job[0], *job[1])
        del job  # while it waits, nothing of the last call is held


def _do(future: concurrent.futures.Future[Any], call: Callable[..., Any], args: Any, named: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call(*args, **named)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
