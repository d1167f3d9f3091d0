"""The threads in which handlers run. One that is stuck does not keep the process from ending, as it would in a ThreadPoolExecutor."""

from __future__ import annotations

import concurrent.futures
import queue
import threading
import weakref
from typing import Any, Callable


class Threads(concurrent.futures.Executor):
    """Up to so many threads, each made when all others are busy. Those that still run when the process ends, end with it."""

    def __init__(self, most: int, name: str):
        self._most = most
        self._name = name
        self._count = 0
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._end = weakref.finalize(self, self._jobs.put, None)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> concurrent.futures.Future[Any]:
        """What the call will give."""
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        with self._lock:
            if not self._end.alive:
                raise RuntimeError("the threads are shut down")
            self._jobs.put((future, fn, args, named))
            if self._count < self._most and not self._idle.acquire(blocking=False):
                self._count += 1
                threading.Thread(target=_work, args=(self._jobs, self._idle), name=f"{self._name} {self._count}", daemon=True).start()
        return future

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """Takes no more calls; those taken are carried out. Waits for none of them."""
        with self._lock:
            self._end()


def _work(jobs: queue.SimpleQueue[Any], idle: threading.Semaphore) -> None:
    while True:
        job = jobs.get()
        if job is None:
            jobs.put(None)  # for the next thread
            return
        _do(*job)
        del job  # while it waits, nothing of the last call is held
        idle.release()


def _do(future: concurrent.futures.Future[Any], call: Callable[..., Any], args: Any, named: Any) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call(*args, **named)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
