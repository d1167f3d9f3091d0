// decode_key: decodes map keys and set elements: hashable, unique, and not many with one hash.
#pragma once

#include "convert/decode_state.hpp"
#include "convert/equal_hashes.hpp"
#include "convert/freeze.hpp"

#include <thriftlens/protocol/key_equality.hpp>

namespace thriftlens::python {

/// Kinds for which a sender can choose many keys with the same hash.
constexpr bool has_unkeyed_hash(type_kind kind) noexcept {
  // Before Python 3.10 every NaN has the hash 0, and none equals another.
  if (PY_VERSION_HEX < 0x030A0000 && kind == type_kind::double_) return true;
  return kind == type_kind::uuid || kind >= type_kind::list;
}
/// The hash of uuid.UUID, without calling it: the number modulo 2^61 - 1.
inline Py_hash_t uuid_hash(const std::uint8_t* bytes) noexcept {
  constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;
  const std::uint64_t high = detail::load_be<std::uint64_t>(bytes) % modulus * 8 % modulus;  // 2^64 is 8
  return static_cast<Py_hash_t>((high + detail::load_be<std::uint64_t>(bytes + 8) % modulus) % modulus);
}

/// Checks of the keys of one container.
struct key_check {
  /// `is_model`: the keys are objects of a model, with any hash.
  key_check(type_kind key_kind, const map_header& container, bool is_model)
      : kind(key_kind),
        header(container),
        has_models(is_model),
        has_wire_hash(!is_model && key_kind == type_kind::uuid && sizeof(Py_hash_t) == 8),
        counts_hashes(container.size > max_equal_hashes && (is_model || has_unkeyed_hash(key_kind))) {}

  type_kind kind;
  map_header header;
  bool has_models;
  bool has_wire_hash;  ///< that of uuid_hash()
  bool counts_hashes;
  equal_hashes hashes = {};
  std::size_t first_repeated = detail::repeated_keys::none;
  detail::pod_vector<std::uint8_t> dropped = {};  ///< keys that equal a later one, for on_duplicate::last

  [[nodiscard]] bool drops(std::uint32_t index) const { return !dropped.empty() && dropped[index] != 0; }
};
/// Called before the first key: finds equal keys whose Python objects may differ.
THRIFTLENS_INLINE void find_repeated(decoding auto& state, key_check& check) {
  if (check.header.size > 1 && detail::has_spellings(check.header.key)) find_spelled(state, check);
}
THRIFTLENS_NOINLINE void find_spelled(decoding auto& state, key_check& check) {
  if (!state.options.takes_last()) {
    check.first_repeated = detail::find_repeated_key<state_protocol<decltype(state)>>(state.in, check.header);
    return;
  }
  detail::comparable_keys<state_protocol<decltype(state)>> keys;
  auto in = state.in;
  if (!keys.add_entries(in, check.header, check.header.size)) return;  // decoding reports the fault
  detail::repeated_keys().find_earlier(keys, check.dropped);
}
/// Called after a key could not be added. Its hash may refuse a converted value, such as Decimal("sNaN").
THRIFTLENS_COLD bool refuse_key(decoding auto& state, const key_check& check, const std::uint8_t* here) {
  if (check.has_models) state.stop_with_cause(here);
  return false;
}
THRIFTLENS_INLINE bool add_element(decoding auto& state, const key_check& check, PyObject* set,
                                   const object& item, const std::uint8_t* here) {
  return PySet_Add(set, item.get()) == 0 || refuse_key(state, check, here);
}
THRIFTLENS_INLINE bool add_entry(decoding auto& state, const key_check& check, PyObject* dict,
                                 const object& key, const object& item, const std::uint8_t* here) {
  return PyDict_SetItem(dict, key.get(), item.get()) == 0 || refuse_key(state, check, here);
}
/// Called after a key was added. False with a fault or a Python error set.
THRIFTLENS_INLINE bool accept_key(decoding auto& state, key_check& check, PyObject* key, bool is_new,
                                  const std::uint8_t* here) {
  if (!is_new) [[unlikely]]
    return state.options.takes_last() || state.fail(errc::duplicate_key, here);
  return !check.counts_hashes || count_hash(state, check, key, here);
}
/// Decodes map keys and set elements to hashable objects.
struct plain_key {
  static constexpr bool is_model = false;
  type_kind kind;
  std::uint32_t index;

  THRIFTLENS_INLINE object operator()(decoding auto& state) const {
    object unfrozen(decode_value(state, kind, index));
    return kind < type_kind::list ? std::move(unfrozen) : freeze_key(state, std::move(unfrozen));
  }
};
object freeze_key(decoding auto& state, object unfrozen) {
  object frozen(freeze(std::move(unfrozen)));
  if (!frozen) return frozen;
  const Py_ssize_t size = PyObject_Size(frozen.get());
  if (size < 0 || !state.charge(static_cast<std::size_t>(size) * tuple_size(2) + set_size(0)))
    return object();
  return frozen;
}

[[nodiscard]] bool count_hash(decoding auto& state, key_check& check, PyObject* key,
                              const std::uint8_t* here) {
  const Py_hash_t hash = check.has_wire_hash ? uuid_hash(here) : PyObject_Hash(key);
  if (hash == -1 && PyErr_Occurred() != nullptr) return refuse_key(state, check, here);
  return check.hashes.add(hash) || state.fail(errc::hash_flood, here);
}

}  // namespace thriftlens::python
