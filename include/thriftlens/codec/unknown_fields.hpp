// unknown_fields: fields that a binding does not know, kept as they came so that they can be written back.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/header.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A member of this type, named by tl::keep_unknown, keeps what the binding does not know. Owns its bytes;
/// copying copies.
class unknown_fields {
 public:
  /// One kept field: its value's bytes lie at `begin` in bytes(). A bool is one byte, as in a container.
  struct entry {
    std::int16_t id = 0;
    ttype type = ttype::stop;
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] const std::vector<entry>& entries() const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return entries_;
  }
  void entries() const&& = delete;
  /// The value's bytes, in the protocol they came in.
  [[nodiscard]] byte_view value(const entry& of) const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return byte_view(bytes_).part(of.begin, of.size);
  }
  void value(const entry& of) const&& = delete;
  [[nodiscard]] protocol_id protocol() const noexcept { return protocol_; }
  void clear() noexcept {
    entries_.clear();
    bytes_.clear();
  }

  /// For decoders: keeps a field whose value stands at `value`.
  void add(protocol_id from, field_header field, byte_view value) {
    protocol_ = from;
    const std::size_t begin = bytes_.size();
    bytes_.append(value);
    entries_.push_back({field.id, field.type, begin, value.size()});
  }

  /// The same fields with their values in protocol To. Cost: a copy, or a conversion where they came in the
  /// other one. Error: that of the conversion; values were checked when they came, so only nesting beyond
  /// `bounds` can fail.
  template <class To>
  [[nodiscard]] result<unknown_fields> in_protocol(const limits& bounds = {}) const {
    if (protocol_ == To::id || empty()) return *this;
    unknown_fields converted;
    for (const entry& each : entries_) {
      buffer carried;
      result<void> done = try_append_converted(protocol_, To::id, value(each), carried, bounds, each.type);
      if (!done) return std::move(done).error();
      converted.add(To::id, {each.type, each.id}, carried);
    }
    return converted;
  }

  friend bool operator==(const unknown_fields& left, const unknown_fields& right) noexcept {
    if (left.size() != right.size() || (left.protocol_ != right.protocol_ && !left.empty())) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const entry &one = left.entries_[i], &other = right.entries_[i];
      if (one.id != other.id || one.type != other.type || left.value(one) != right.value(other)) return false;
    }
    return true;
  }

 private:
  std::vector<entry> entries_;
  buffer bytes_;
  protocol_id protocol_ = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
