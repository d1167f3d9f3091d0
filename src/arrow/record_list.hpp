// record_list: the records of a call of ColumnReader.read.
#pragma once

#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "views/view_bytes.hpp"
#include "views/view_object.hpp"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

/// The records of a call, borrowed for its duration.
class record_list {
 public:
  record_list(type of, protocol_id protocol) : of_(of), protocol_(protocol) {}

  /// Takes a sequence of bytes, views, exceptions or None. False with a Python error set.
  [[nodiscard]] bool take(PyObject* sequence) {
    sequence_ = fixed_sequence(sequence, "records must be a sequence of bytes");
    if (!sequence_) return false;
    const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence_.get()));
    PyObject** const items = PySequence_Fast_ITEMS(sequence_.get());
    spans_.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      if (!add(items[i])) return false;
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept { return spans_.size(); }
  [[nodiscard]] bool is_null(std::size_t index) const noexcept {
    return nulls_.size() > index && nulls_[index];
  }
  [[nodiscard]] result<byte_view> try_value(std::size_t index) const {
    for (const auto& [at, reason] : errors_)
      if (at == index) return reason;
    return spans_[index];
  }

 private:
  bool add(PyObject* record) {
    if (record == Py_None) {
      nulls_.resize(spans_.size() + 1);
      nulls_.back() = true;
      spans_.emplace_back();
      return true;
    }
    if (PyBytes_CheckExact(record)) {
      spans_.push_back(bytes_in(record));
      return true;
    }
    if (PyExceptionInstance_Check(record)) return add_error(record);
    if (is_view(record)) return add_view(record);
    buffers_.push_back(std::make_unique<bytes_like>());
    if (!buffers_.back()->take(record)) return false;
    spans_.push_back(buffers_.back()->bytes());
    return true;
  }
  /// Adds a record that a scan rejected, as an exception.
  bool add_error(PyObject* of) {
    const object message(PyObject_Str(of));
    std::string_view text;
    if (!message || !utf8_of(message.get(), text, errc::truncated, family::decode)) return false;
    errors_.emplace_back(spans_.size(), error(errc::truncated, std::string(text)));
    spans_.emplace_back();
    return true;
  }
  /// The bytes of a view, converted if they have the other protocol.
  bool add_view(PyObject* record) {
    const std::optional<view_parts> parts = parts_of_view(record);
    if (!parts) return false;
    const result<byte_view> bytes =
        std::visit([&](const auto& at) { return bytes_of_view(at, record); }, parts->at);
    if (!bytes) return raise(bytes.error(), family::decode) != nullptr;
    spans_.push_back(*bytes);
    return true;
  }
  template <protocol P>
  result<byte_view> bytes_of_view(const view<P>& at, PyObject* record) {
    if (at.type() != of_)
      return error(errc::wrong_type,
                   "expected a view of " + of_.name() + ", found one of " + at.type().name());
    return P::id == protocol_ ? at.try_bytes() : converted(record);
  }
  result<byte_view> converted(PyObject* view) {
    buffer& out = converted_.emplace_back();
    const result<void> status = try_append_view(view, protocol_, on_unknown::keep, limits(), out);
    if (!status) return status.error();
    return byte_view(out);
  }

  type of_;
  protocol_id protocol_;
  std::deque<buffer> converted_;
  object sequence_;
  std::vector<byte_view> spans_;
  std::vector<bool> nulls_;
  std::vector<std::pair<std::size_t, error>> errors_;  ///< by index; few
  std::vector<std::unique_ptr<bytes_like>> buffers_;
};

}  // namespace thriftlens::python
