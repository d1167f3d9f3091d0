// collector: the cyclic garbage collector stands still while containers are made that are in no cycle.
// Never left standing while code of the caller's, or another thread, can run: resume() comes first.
#pragma once

#include "support/object.hpp"

#include <cstddef>

namespace thriftlens::python {

/// A collector that runs every 700 containers goes over all those made before again and again. From
/// Python 3.12 on it waits for the interpreter's loop, and so runs in no decode.
class collector_pause {
 public:
  /// Shorter inputs make too few containers.
  static constexpr std::size_t least = 4096;

  explicit collector_pause([[maybe_unused]] std::size_t input) noexcept {
#if PY_VERSION_HEX < 0x030C0000
    if (input >= least) stopped_ = stop();
#endif
  }
  collector_pause(const collector_pause&) = delete;
  collector_pause& operator=(const collector_pause&) = delete;
  ~collector_pause() { resume(); }

  void resume() noexcept {
#if PY_VERSION_HEX < 0x030C0000
    if (stopped_) start();
    stopped_ = false;
#endif
  }
  /// Lets other threads run, with the collector as they expect it.
  void yield_gil() noexcept {
#if PY_VERSION_HEX < 0x030C0000
    const bool was_stopped = stopped_;
    resume();
#endif
    PyEval_RestoreThread(PyEval_SaveThread());
#if PY_VERSION_HEX < 0x030C0000
    if (was_stopped) stopped_ = stop();
#endif
  }

 private:
#if PY_VERSION_HEX >= 0x030C0000
#elif PY_VERSION_HEX >= 0x030A0000
  static bool stop() noexcept { return PyGC_Disable() == 1; }
  static void start() noexcept { PyGC_Enable(); }
#else
  static PyObject* called(const char* name) noexcept {
    static PyObject* const module = PyImport_ImportModule("gc");
    return module == nullptr ? nullptr : PyObject_CallMethod(module, name, nullptr);
  }
  static bool stop() noexcept {
    const object is_on(called("isenabled"));
    const bool stopped = is_on.get() == Py_True && object(called("disable"));
    PyErr_Clear();
    return stopped;
  }
  /// There may be an error to be raised.
  static void start() noexcept {
    PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&kind, &value, &trace);
    const object done(called("enable"));
    PyErr_Restore(kind, value, trace);
  }
#endif

#if PY_VERSION_HEX < 0x030C0000
  bool stopped_ = false;
#endif
};

}  // namespace thriftlens::python
