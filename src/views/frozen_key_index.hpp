// frozen_key_index: where the values of a map stand whose keys are structs or containers. Never made for a
// map that is asked for a few keys; never hashed, so that no key can be chosen to be slow.
#pragma once

#include "convert/value.hpp"
#include "support/kept_buffer.hpp"
#include "views/element_index.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace thriftlens::python {

/// How a key of that view is written to be looked for.
[[nodiscard]] inline encode_options key_options(const decode_options& options) noexcept {
  return {.protocol = options.protocol, .names = options.names, .invalid_utf8 = options.invalid_utf8};
}

/// An entry by the bytes of its key, or by those that encode writes for what decode makes of it: fields and
/// elements may have another order there, and defaults or fields that the IDL does not know.
struct frozen_entry {
  std::string key;
  bool is_decoded = false;
  thriftlens::detail::wire_location value;
};

/// The entries of a map, sorted: bytes go before decoded keys, then the first counts. Nothing where a key is
/// broken, without a Python error. Code of Python's may run.
template <protocol Protocol>
[[nodiscard]] std::vector<frozen_entry> frozen_entries(schema_keys& keys, const view<Protocol>& of,
                                                       const decode_options& options) {
  std::vector<frozen_entry> all;
  children<Protocol> inside(of.whole(), of.image(), of.location());
  bool is_sound = true;
  while (is_sound && inside.next()) {
    const std::uint8_t* const begin = inside.key().at.at;
    const auto size = static_cast<std::size_t>(inside.value().at.at - begin);
    const std::string_view wire = byte_view(begin, size).text();
    const object key(decode_key(keys, of.child(inside.key()), options));
    kept_buffer memory;
    is_sound = key && append_encoded(keys, of.type().key(), key.get(), memory.get(), key_options(options));
    const std::string_view decoded = byte_view(memory.get().data(), memory.get().size()).text();
    all.push_back({std::string(wire), false, inside.value()});
    if (is_sound && decoded != wire) all.push_back({std::string(decoded), true, inside.value()});
  }
  if (!is_sound || inside.code() != errc::ok) all.clear();
  PyErr_Clear();  // the view says what is broken
  std::stable_sort(all.begin(), all.end(), [](const frozen_entry& left, const frozen_entry& right) {
    return std::tie(left.key, left.is_decoded) < std::tie(right.key, right.is_decoded);
  });
  return all;
}

/// The entries of a map that is asked often.
template <protocol Protocol>
class frozen_key_index final : public cached_index {
 public:
  /// So often a map is asked before its keys are decoded.
  static constexpr std::uint32_t asked_before = 8;

  explicit frozen_key_index(const view<Protocol>&) {}

  /// Whether the map was asked often enough to fill(). Counts.
  [[nodiscard]] bool wants_entries() noexcept {
    if (asked_ < asked_before) ++asked_;
    return asked_ == asked_before && !is_filled_;
  }
  void fill(std::vector<frozen_entry> entries) noexcept {
    entries_ = std::move(entries);
    is_filled_ = true;
  }
  /// Whether locate() knows all entries.
  [[nodiscard]] bool is_ready() const noexcept { return !entries_.empty(); }
  /// The place of the value of the key that encode writes so. False where there is none.
  [[nodiscard]] bool locate(byte_view key, thriftlens::detail::wire_location& found) const {
    const auto first =
        std::lower_bound(entries_.begin(), entries_.end(), key.text(),
                         [](const frozen_entry& each, std::string_view text) { return each.key < text; });
    if (first == entries_.end() || first->key != key.text()) return false;
    found = first->value;
    return true;
  }

 private:
  std::vector<frozen_entry> entries_;
  std::uint32_t asked_ = 0;
  bool is_filled_ = false;
};

}  // namespace thriftlens::python
