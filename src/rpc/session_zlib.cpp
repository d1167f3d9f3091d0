// session_zlib: compression and decompression.
#include "rpc/session_zlib.hpp"

#include "support/imported.hpp"
#include "support/to_python.hpp"

#include <algorithm>

namespace thriftlens::python {

namespace {

object memory_of(byte_view bytes) {
  return object(PyMemoryView_FromMemory(const_cast<char*>(bytes.text().data()),
                                        static_cast<Py_ssize_t>(bytes.size()), PyBUF_READ));
}
bool append_bytes(PyObject* bytes, buffer& out) {
  if (bytes == nullptr || !PyBytes_Check(bytes)) return false;
  out.append(bytes_in(bytes));
  return true;
}
bool cleared(bool result) {
  PyErr_Clear();
  return result;
}
bool is_true(PyObject* of, const char* name) {
  const object value(PyObject_GetAttrString(of, name));
  return value && PyObject_IsTrue(value.get()) == 1;
}

PyObject* decompressor(int bits) {
  PyObject* const make = imported<"zlib", "decompressobj">();
  return make == nullptr ? nullptr : PyObject_CallFunction(make, "i", bits);
}

}  // namespace

bool session_zlib::undo(std::uint32_t transform, byte_view in, std::size_t max_size, buffer& out) {
  if (transform != zlib && transform != gzip) return false;
  constexpr int window = 15, with_gzip_head = 16;  // zlib's wbits
  const object inflate(decompressor(transform == gzip ? window + with_gzip_head : window));
  const object data = memory_of(in);
  if (!inflate || !data) return cleared(false);
  const auto bound = static_cast<Py_ssize_t>(std::min<std::size_t>(max_size, PY_SSIZE_T_MAX));
  const object bytes(PyObject_CallMethod(inflate.get(), "decompress", "On", data.get(), bound));
  const bool is_complete = bytes && is_true(inflate.get(), "eof") && !is_true(inflate.get(), "unused_data");
  return cleared(is_complete && append_bytes(bytes.get(), out));
}

bool session_zlib::apply(std::uint32_t transform, byte_view in, buffer& out) {
  if (transform != zlib) return false;
  PyObject* const compress = imported<"zlib", "compress">();
  const object data = memory_of(in);
  if (compress == nullptr || !data) return cleared(false);
  const object bytes(PyObject_CallFunctionObjArgs(compress, data.get(), nullptr));
  return cleared(append_bytes(bytes.get(), out));
}

}  // namespace thriftlens::python
