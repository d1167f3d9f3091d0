// frozen_key_index: positions of the values of a map whose keys are structs or containers. Sorted, not
// hashed, so that hostile keys cannot slow it down.
#pragma once

#include "convert/value.hpp"
#include "support/scratch_buffer.hpp"
#include "views/entry_index.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace thriftlens::python {

/// The encoding of keys for lookups in a view with these options.
[[nodiscard]] inline encode_options key_options(const decode_options& options) noexcept {
  return {
      .protocol = options.protocol, .names = options.names, .invalid_utf8 = options.leniency.invalid_utf8};
}

/// An entry by the bytes of its key, or by those of the key decoded and encoded again, which may differ in
/// the order of fields and elements, defaults and unknown fields.
struct frozen_entry {
  std::string key;
  bool is_decoded = false;
  detail::wire_location value;
};

/// Adds the current entry of `inside`, by its original bytes and by other bytes of its decoded key. False
/// with a Python error set.
template <protocol Protocol>
[[nodiscard]] bool add_frozen_entry(schema_keys& keys, const view<Protocol>& of,
                                    const children<Protocol>& inside, const decode_options& options,
                                    std::vector<frozen_entry>& entries) {
  const object key(decode_key(keys, of.child(inside.key()), options));
  scratch_buffer memory;
  if (!key || !append_encoded(keys, of.type().key(), key.get(), memory.get(), key_options(options)))
    return false;
  const std::string_view wire = key_bytes(inside), decoded = byte_view(memory.get()).text();
  entries.push_back({std::string(wire), false, inside.value()});
  if (decoded != wire) entries.push_back({std::string(decoded), true, inside.value()});
  return true;
}
/// The sorted entries of a map: original bytes before decoded keys, then the first of equal keys. Empty,
/// without a Python error, if a key is malformed. May run Python code.
template <protocol Protocol>
[[nodiscard]] std::vector<frozen_entry> frozen_entries(schema_keys& keys, const view<Protocol>& of,
                                                       const decode_options& options) {
  std::vector<frozen_entry> entries;
  children<Protocol> inside(of.whole(), of.image(), of.location());
  bool is_sound = true;
  while (is_sound && inside.next()) is_sound = add_frozen_entry(keys, of, inside, options, entries);
  if (!is_sound || inside.code() != errc::ok) entries.clear();
  PyErr_Clear();  // the view reports the error
  std::stable_sort(entries.begin(), entries.end(), [](const frozen_entry& a, const frozen_entry& b) {
    return std::tie(a.key, a.is_decoded) < std::tie(b.key, b.is_decoded);
  });
  return entries;
}

template <protocol Protocol>
class frozen_key_index final : public cached_index {
 public:
  static constexpr std::uint32_t lookups_before_decoding = 8;

  explicit frozen_key_index(const view<Protocol>&) {}

  /// Counts lookups; true once there are enough to fill() the index.
  [[nodiscard]] bool wants_entries() noexcept {
    if (lookups_ < lookups_before_decoding) ++lookups_;
    return lookups_ == lookups_before_decoding && !is_filled_;
  }
  void fill(std::vector<frozen_entry> entries) noexcept {
    entries_ = std::move(entries);
    is_filled_ = true;
  }
  /// Whether locate() knows all entries.
  [[nodiscard]] bool is_ready() const noexcept { return !entries_.empty(); }
  /// False if no key has that encoding.
  [[nodiscard]] bool locate(byte_view key, detail::wire_location& location) const {
    return find_entry_of_key(entries_, key, location);
  }

 private:
  std::vector<frozen_entry> entries_;
  std::uint32_t lookups_ = 0;
  bool is_filled_ = false;
};

}  // namespace thriftlens::python
