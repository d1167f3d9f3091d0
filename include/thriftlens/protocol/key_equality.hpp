// key_equality: finds equal map keys and set elements. They are equal if their canonical encodings are.
#pragma once

#include <thriftlens/core/repeated_keys.hpp>
#include <thriftlens/protocol/canonical.hpp>

#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The keys of a map, or elements of a set, as byte strings that are equal if the keys are.
template <protocol P>
class comparable_keys {
 public:
  /// Reads a key. Strings are borrowed. False: the reader failed.
  [[nodiscard]] bool add(typename P::reader& in, ttype wire) {
    key added{nullptr, bytes_.size(), 0};
    if (wire == ttype::string) {
      byte_view text;
      if (!in.read_bytes(text)) return false;
      added = {text.data(), 0, text.size()};
    } else {
      if (!append_canonical_key<P>(in, bytes_, wire)) return false;
      added.size = bytes_.size() - added.begin;
    }
    keys_.push_back(added);
    return true;
  }
  /// Same for a key that is all of `bytes`.
  [[nodiscard]] bool add(byte_view bytes, ttype wire) {
    typename P::reader in(bytes, key_limits);
    return is_value_type(wire) && add(in, wire) && in.at_end();
  }
  /// Reads entries of a map, or elements of a set (whose value type is stop), until there are `count` keys.
  [[nodiscard]] bool add_entries(typename P::reader& in, const map_header& map, std::size_t count) {
    while (size() < count)
      if (!add(in, map.key) || (map.value != ttype::stop && !in.skip(map.value))) return false;
    return true;
  }
  void clear() noexcept {
    bytes_.clear();
    keys_.clear();
  }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t at) const noexcept {
    const key& of = keys_[at];
    return byte_view(of.borrowed != nullptr ? of.borrowed : bytes_.data() + of.begin, of.size).text();
  }
  /// Whether the keys are strictly ascending, hence unique.
  [[nodiscard]] bool ascend() const noexcept {
    for (std::size_t i = 1; i < size(); ++i)
      if (!((*this)[i - 1] < (*this)[i])) return false;
    return true;
  }
  /// Index of the first key that equals an earlier one, or repeated_keys::none.
  [[nodiscard]] std::size_t find_repeated() const {
    return ascend() ? repeated_keys::none : repeated_keys().first(*this);
  }

 private:
  struct key {
    byte_ptr borrowed;
    std::size_t begin;
    std::size_t size;
  };

  buffer bytes_;
  pod_vector<key> keys_;
};

/// Index of the first key of a map, or element of a set, that equals an earlier one; repeated_keys::none if
/// all are unique or bytes before it are invalid. `in`: at the first entry. `map`: the value type of a set is
/// stop. Linear in the bytes of the container and, for keys that are containers, their depth.
template <protocol P>
[[nodiscard]] std::size_t find_repeated_key(typename P::reader in, const map_header& map);
/// Whether a map or set has two equal keys or elements. False for other wire types.
template <protocol P>
[[nodiscard]] bool repeats_key(byte_view container, ttype wire);
/// Moves the reader from the first entry, or element, to that of the index.
template <class Reader>
[[nodiscard]] bool skip_to_entry(Reader& in, const map_header& map, std::size_t count) {
  for (; count != 0; --count)
    if (!in.skip(map.key) || (map.value != ttype::stop && !in.skip(map.value))) return false;
  return true;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/protocol/key_equality.ipp>
#endif
