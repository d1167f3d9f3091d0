// json: wire bytes to JSON text and back, without the GIL where the work is long enough to pay for handing it over.
#include "kept_buffer.hpp"
#include "value.hpp"

#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/to_json.hpp>

namespace thriftlens::python {

namespace {

/// Shorter inputs are done before another thread could take the GIL and give it back.
constexpr std::size_t least_unlocked = 4096;

/// Runs `work` on a buffer and gives its bytes.
template <class Work>
PyObject* bytes_of(std::size_t input, family kind, Work work) {
  kept_buffer memory;
  PyThreadState* unlocked = input >= least_unlocked ? PyEval_SaveThread() : nullptr;
  const result<void> done = work(memory.get());
  if (unlocked != nullptr) PyEval_RestoreThread(unlocked);
  if (!done) return raise(done.error(), kind);
  return PyBytes_FromStringAndSize(memory.get().text().data(), static_cast<Py_ssize_t>(memory.get().size()));
}

}  // namespace

PyObject* to_json(type of, byte_view data, protocol_id protocol, const to_json_options& options, const limits& bounds) {
  return bytes_of(data.size(), family::decode, [&](buffer& out) { return try_append_json(protocol, of, data, out, options, bounds); });
}

PyObject* from_json(type of, std::string_view text, protocol_id protocol, const from_json_options& options, const limits& bounds) {
  return bytes_of(text.size(), family::json, [&](buffer& out) { return try_append_from_json(protocol, of, text, out, options, bounds); });
}

}  // namespace thriftlens::python
