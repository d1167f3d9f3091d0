// unknown_fields: stores fields that a binding does not know, to write them back.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/protocol/header.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The type of the member named by tl::keep_unknown. Owns its bytes.
class unknown_fields {
 public:
  /// One field; the bytes of its value begin at `begin` in bytes(). A bool is one byte, as in a container.
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
  /// The bytes of the value, in protocol().
  [[nodiscard]] byte_view value(const entry& of) const& noexcept THRIFTLENS_LIFETIMEBOUND {
    return byte_view(bytes_).part(of.begin, of.size);
  }
  void value(const entry& of) const&& = delete;
  [[nodiscard]] protocol_id protocol() const noexcept { return protocol_; }
  void clear() noexcept {
    entries_.clear();
    bytes_.clear();
  }

  /// For decoders: stores a field.
  void add(protocol_id from, field_header field, byte_view value) {
    protocol_ = from;
    const std::size_t begin = bytes_.size();
    bytes_.append(value);
    entries_.push_back({field.id, field.type, begin, value.size()});
  }

  /// The fields in protocol To: a copy, or a conversion. Error: of the conversion, which can only be nesting
  /// above `bounds`, as values were checked before.
  template <class To>
  [[nodiscard]] result<unknown_fields> try_in_protocol(const limits& bounds = {}) const {
    if (protocol_ == To::id || empty()) return *this;
    unknown_fields converted;
    for (const entry& field : entries_) {
      buffer carried;
      result<void> appended =
          try_append_converted(protocol_, To::id, value(field), carried, bounds, field.type);
      if (!appended) return std::move(appended).error();
      converted.add(To::id, {field.type, field.id}, carried);
    }
    return converted;
  }
  template <class To>
  [[nodiscard]] unknown_fields in_protocol(const limits& bounds = {}) const {
    return try_in_protocol<To>(bounds).value();
  }

  friend bool operator==(const unknown_fields& lhs, const unknown_fields& rhs) noexcept {
    if (lhs.size() != rhs.size() || (lhs.protocol_ != rhs.protocol_ && !lhs.empty())) return false;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
      if (!lhs.has_same_entry(rhs, i)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool has_same_entry(const unknown_fields& other, std::size_t at) const noexcept {
    const entry &own = entries_[at], &others = other.entries_[at];
    return own.id == others.id && own.type == others.type && value(own) == other.value(others);
  }

  std::vector<entry> entries_;
  buffer bytes_;
  protocol_id protocol_ = {};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
