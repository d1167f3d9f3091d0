// decode: wire bytes straight to Python objects under a schema.
#include "call/relaxations.hpp"
#include "convert/codec_object.hpp"
#include "convert/collector.hpp"
#include "convert/enum_members.hpp"
#include "convert/equal_hashes.hpp"
#include "convert/object_sizes.hpp"
#include "convert/text.hpp"
#include "convert/value.hpp"
#include "support/imported.hpp"

#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/view/explain.hpp>

#include <array>

namespace thriftlens::python {

namespace {

/// A value as one that can be a key: dict and struct become a tuple of pairs, list a tuple, set a frozenset.
PyObject* freeze(object value);

PyObject* freeze_items(PyObject* dict) {
  object pairs(PyTuple_New(PyDict_GET_SIZE(dict)));
  if (!pairs) return nullptr;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t place = 0;
  for (Py_ssize_t i = 0; PyDict_Next(dict, &place, &key, &item); ++i) {
    object frozen(freeze(object::share(item)));
    PyObject* pair = frozen ? PyTuple_Pack(2, key, frozen.get()) : nullptr;
    if (pair == nullptr) return nullptr;
    PyTuple_SET_ITEM(pairs.get(), i, pair);
  }
  return pairs.release();
}

PyObject* freeze(object value) {
  if (!value) return nullptr;
  if (PyDict_CheckExact(value.get())) return freeze_items(value.get());
  if (PyAnySet_CheckExact(value.get())) return PyFrozenSet_New(value.get());
  if (!PyList_CheckExact(value.get())) return value.release();
  object items(PyTuple_New(PyList_GET_SIZE(value.get())));
  for (Py_ssize_t i = 0; items && i < PyTuple_GET_SIZE(items.get()); ++i) {
    PyObject* frozen = freeze(object::share(PyList_GET_ITEM(value.get(), i)));
    if (frozen == nullptr) return nullptr;
    PyTuple_SET_ITEM(items.get(), i, frozen);
  }
  return items.release();
}

/// A dict with room for that many entries, where this Python lets one ask for it.
PyObject* new_dict([[maybe_unused]] std::uint32_t entries) {
#if PY_VERSION_HEX < 0x030D0000
  if (entries > 5 && entries <= 32) return _PyDict_NewPresized(static_cast<Py_ssize_t>(entries));
#endif
  return PyDict_New();
}

/// The name of a wire type, borrowed. Null with a Python error set.
PyObject* word_of(ttype type) {
  static std::array<shared_object, 17> words{};
  return interned(words[static_cast<std::size_t>(type)], std::string(to_string(type)).c_str());
}

/// One decode. Every function gives a new reference, or null with a Python error set or a fault noted.
template <protocol Protocol>
class value_reader {
 public:
  value_reader(schema_keys& keys, byte_view data, const decode_options& options, bool yields_gil = false)
      : in_(data, options.bounds),
        image_(keys.image()),
        fields_(image_.fields.data()),
        types_(image_.types.data()),
        names_(keys.fields(options.names)),
        keys_(keys),
        options_(options),
        room_(data.size()),
        memory_left_(options.bounds.max_objects(data.size())),
        spare_left_(spare_constant + spare_times * data.size()),
        turn_left_(yields_gil ? turn : static_cast<std::size_t>(-1)),
        pause_(data.size()) {}

  /// What the objects that are still to be made may take, and a bound for those of another reader.
  [[nodiscard]] std::size_t memory_left() const noexcept { return memory_left_; }
  /// Goes on at a place inside the bytes.
  void seek(const thriftlens::detail::wire_position& place) noexcept { in_.seek(place); }

  PyObject* value(type_kind kind, std::uint32_t index) {
    const thriftlens::detail::image::type_node& type = types_[index];
    switch (kind) {
      case type_kind::bool_:
        return boolean();
      case type_kind::i8:
        return number<std::int8_t>(&reader::read_i8);
      case type_kind::i16:
        return number<std::int16_t>(&reader::read_i16);
      case type_kind::i32:
        return number<std::int32_t>(&reader::read_i32);
      case type_kind::i64:
        return wide_number();
      case type_kind::double_:
        return real();
      case type_kind::string:
        return text();
      case type_kind::binary:
        return bytes();
      case type_kind::uuid:
        return unique();
      case type_kind::enum_:
        return enumeration(type);
      case type_kind::list:
        return list(type);
      case type_kind::set:
        return set(type);
      case type_kind::map:
        return map(type);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(image_.structs[type.first]);
      case type_kind::void_:
        break;
    }
    return new_reference(Py_None);
  }
  [[nodiscard]] bool finish() { return in_.at_end() || fail(errc::trailing_bytes, in_.at()); }
  [[nodiscard]] fault why() const noexcept {
    if (earlier_.code != errc::ok) return earlier_;
    fault found = in_.fault();
    found.field_id = field_id_;
    return found;
  }

 private:
  using reader = typename Protocol::reader;

  bool fail(errc code, const std::uint8_t* where, std::int16_t field_id = 0) {
    field_id_ = field_id;
    return in_.reject(code, where);
  }
  PyObject* stop(errc code, const std::uint8_t* where, std::int16_t field_id = 0) {
    fail(code, where, field_id);
    return nullptr;
  }
  /// Counts what a container takes. False where that is more than the bytes may cost.
  THRIFTLENS_INLINE bool charge(std::size_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return fail(errc::output_limit, in_.at());
    memory_left_ -= bytes;
    return true;
  }

  /// After each element of a container. A large value would stop all other threads until its end.
  THRIFTLENS_INLINE void count_element() {
    if (--turn_left_ == 0) [[unlikely]]
      end_turn();
  }
  THRIFTLENS_COLD void end_turn() {
    turn_left_ = turn;
    pause_.yield_gil();
  }

  // ---- scalars

  PyObject* boolean() {
    bool found = false;
    if (!in_.read_bool(found)) return nullptr;
    return new_reference(found ? Py_True : Py_False);
  }
  template <class Int>
  THRIFTLENS_INLINE PyObject* number(bool (reader::*read)(Int&)) {
    Int found = 0;
    return (in_.*read)(found) ? PyLong_FromLong(found) : nullptr;
  }
  PyObject* wide_number() {
    std::int64_t found = 0;
    return in_.read_i64(found) ? PyLong_FromLongLong(found) : nullptr;
  }
  PyObject* real() {
    double found = 0;
    return in_.read_double(found) ? PyFloat_FromDouble(found) : nullptr;
  }
  THRIFTLENS_INLINE PyObject* text() {
    const std::uint8_t* start = in_.at();
    byte_view found;
    if (!in_.read_bytes(found)) return nullptr;
    PyObject* made = text_of(found);
    return made != nullptr ? made : broken_text(found, start);
  }
  THRIFTLENS_COLD PyObject* broken_text(byte_view found, const std::uint8_t* start) {
    if (PyErr_Occurred() != nullptr) return nullptr;
    pause_.resume();  // the error handler may be the caller's
    if (options_.invalid_utf8 == on_invalid_utf8::error) return stop(errc::invalid_utf8, start);
    const bool replaces = options_.invalid_utf8 == on_invalid_utf8::replace;
    return PyUnicode_DecodeUTF8(found.text().data(), static_cast<Py_ssize_t>(found.size()),
                                replaces ? "replace" : "surrogateescape");
  }
  PyObject* bytes() {
    byte_view found;
    if (!in_.read_bytes(found)) return nullptr;
    return PyBytes_FromStringAndSize(found.text().data(), static_cast<Py_ssize_t>(found.size()));
  }
  PyObject* unique() {
    uuid_bytes found{};
    if (!in_.read_uuid(found)) return nullptr;
    pause_.resume();  // Python code runs: here, and where uuids are hashed and compared
    PyObject* of = uuid_class();
    object raw(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(found.data()),
                                         static_cast<Py_ssize_t>(found.size())));
    if (of == nullptr || !raw) return nullptr;
    return PyObject_CallFunctionObjArgs(of, Py_None, raw.get(), nullptr);  // UUID(hex, bytes)
  }
  PyObject* enumeration(const thriftlens::detail::image::type_node& type) {
    std::int32_t found = 0;
    if (!in_.read_i32(found)) return nullptr;
    if (options_.enums != enum_values::number) [[unlikely]]
      return named_enumeration(type.first, found);
    return PyLong_FromLong(found);
  }
  PyObject* named_enumeration(std::uint32_t which, std::int32_t found) {
    const std::uint32_t member = image_.find_member(image_.enums[which], found);
    if (member == thriftlens::detail::image::none) return PyLong_FromLong(found);
    if (options_.enums == enum_values::name) return new_reference(keys_.members()[member]);
    if (PyObject* made = keys_.member_object(member)) return new_reference(made);
    pause_.resume();  // Python code runs where the class is made
    if (!make_members(keys_, which)) return nullptr;
    return new_reference(keys_.member_object(member));
  }

  // ---- containers

  PyObject* list(const thriftlens::detail::image::type_node& type) {
    const std::uint8_t* start = in_.at();
    list_header header;
    if (!in_.read_list(header) || !in_.enter()) return nullptr;
    const thriftlens::detail::image::type_node& element = types_[type.first];
    if (header.element != element.wire && header.size != 0) [[unlikely]]
      return stop(errc::type_mismatch, start);
    if (header.size > room_) [[unlikely]]
      return growing_list(element.kind, type.first, header.size);
    room_ -= header.size;
    if (!charge(list_size(header.size) + (is_shared(element.kind) ? 0 : header.size * small_object_size)))
      return nullptr;
    object made(PyList_New(static_cast<Py_ssize_t>(header.size)));
    if (!made) return nullptr;
    for (std::uint32_t i = 0; i < header.size; ++i) {
      PyObject* item = value(element.kind, type.first);
      if (item == nullptr) [[unlikely]]
        return nullptr;
      PyList_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), item);
      count_element();
    }
    in_.leave();
    return made.release();
  }
  // More elements announced, in all lists together, than there are bytes: the fault will show, but nothing is
  // allocated on trust.
  THRIFTLENS_COLD PyObject* growing_list(type_kind kind, std::uint32_t index, std::uint32_t size) {
    object made(PyList_New(0));
    for (std::uint32_t i = 0; made && i < size; ++i) {
      object item(value(kind, index));
      if (!item || PyList_Append(made.get(), item.get()) != 0) return nullptr;
      if (!charge(2 * sizeof(PyObject*))) return nullptr;
      count_element();
    }
    in_.leave();
    return made.release();
  }
  /// Kinds whose values are mostly objects that are there already.
  [[nodiscard]] static bool is_shared(type_kind kind) noexcept {
    return kind == type_kind::bool_ || kind == type_kind::i8 || kind >= type_kind::list;
  }

  PyObject* set(const thriftlens::detail::image::type_node& type) {
    const std::uint8_t* start = in_.at();
    list_header header;
    if (!in_.read_set(header) || !in_.enter()) return nullptr;
    const thriftlens::detail::image::type_node& element = types_[type.first];
    if (header.element != element.wire && header.size != 0) [[unlikely]]
      return stop(errc::type_mismatch, start);
    object made(PySet_New(nullptr));
    if (!made || !read_elements(type.first, header, made.get())) [[unlikely]]
      return nullptr;
    const auto size = static_cast<std::size_t>(PySet_GET_SIZE(made.get()));
    if (!charge(set_size(size) + (is_shared(element.kind) ? 0 : size * small_object_size))) [[unlikely]]
      return nullptr;
    in_.leave();
    return made.release();
  }

  THRIFTLENS_INLINE bool read_elements(std::uint32_t element, const list_header& header, PyObject* into) {
    key_check check{types_[element].kind, {header.element, ttype::stop, header.size}};
    find_repeated(check);
    for (std::uint32_t i = 0; i < header.size; ++i) {
      const std::uint8_t* here = in_.at();
      object item = key(check.kind, element);
      if (item && check.drops(i)) continue;
      const Py_ssize_t before = PySet_GET_SIZE(into);
      if (!item || PySet_Add(into, item.get()) != 0) [[unlikely]]
        return false;
      const bool is_new = PySet_GET_SIZE(into) != before && i != check.first_repeated;
      if (!accept(check, item.get(), is_new, here)) [[unlikely]]
        return false;
      count_element();
    }
    return true;
  }

  PyObject* map(const thriftlens::detail::image::type_node& type) {
    const std::uint8_t* start = in_.at();
    map_header header;
    if (!in_.read_map(header) || !in_.enter()) return nullptr;
    if (header.size != 0 && !has_types(header, type)) [[unlikely]]
      return stop(errc::type_mismatch, start);
    object made(PyDict_New());
    if (!made || !read_entries(type, header, made.get())) [[unlikely]]
      return nullptr;
    const auto size = static_cast<std::size_t>(PyDict_GET_SIZE(made.get()));
    if (!charge(dict_size(size) + 2 * size * small_object_size)) [[unlikely]]
      return nullptr;
    in_.leave();
    return made.release();
  }
  [[nodiscard]] bool has_types(const map_header& header,
                               const thriftlens::detail::image::type_node& type) const noexcept {
    return header.key == types_[type.first].wire && header.value == types_[type.second].wire;
  }
  THRIFTLENS_INLINE bool read_entries(const thriftlens::detail::image::type_node& type,
                                      const map_header& header, PyObject* into) {
    const type_kind item_kind = types_[type.second].kind;
    key_check check{types_[type.first].kind, header};
    find_repeated(check);
    for (std::uint32_t i = 0; i < header.size; ++i) {
      const std::uint8_t* here = in_.at();
      object name = key(check.kind, type.first);
      if (!name) [[unlikely]]
        return false;
      object item(value(item_kind, type.second));
      if (item && check.drops(i)) continue;
      const Py_ssize_t before = PyDict_GET_SIZE(into);
      if (!item || PyDict_SetItem(into, name.get(), item.get()) != 0) [[unlikely]]
        return false;
      const bool is_new = PyDict_GET_SIZE(into) != before && i != check.first_repeated;
      if (!accept(check, name.get(), is_new, here)) [[unlikely]]
        return false;
      count_element();
    }
    return true;
  }
  /// What the keys of one container are checked for.
  struct key_check {
    key_check(type_kind key_kind, const map_header& container)
        : kind(key_kind),
          header(container),
          counts_hashes(container.size > max_equal_hashes && has_unkeyed_hash(key_kind)) {}

    type_kind kind;
    map_header header;
    bool counts_hashes;
    equal_hashes hashes = {};
    std::size_t first_repeated = thriftlens::detail::repeated_keys::none;
    std::vector<bool> dropped = {};  ///< keys that equal a later one, if the last counts

    [[nodiscard]] bool drops(std::uint32_t index) const { return !dropped.empty() && dropped[index]; }
  };
  /// Before the first key: finds equal keys of which Python's objects may differ.
  THRIFTLENS_INLINE void find_repeated(key_check& check) {
    if (check.header.size > 1 && thriftlens::detail::has_spellings(check.header.key)) find_spelled(check);
  }
  THRIFTLENS_NOINLINE void find_spelled(key_check& check) {
    if (!options_.takes_last()) {
      check.first_repeated = thriftlens::detail::find_repeated_key<Protocol>(in_, check.header);
      return;
    }
    thriftlens::detail::comparable_keys<Protocol> keys;
    reader in = in_;
    if (!keys.add_entries(in, check.header, check.header.size)) return;  // decoding reports the fault
    check.dropped.resize(check.header.size);
    thriftlens::detail::repeated_keys().for_each(keys, true,
                                                 [&](std::size_t at) { check.dropped[at] = true; });
  }
  /// After a key was added. False with a fault noted, or a Python error set.
  THRIFTLENS_INLINE bool accept(key_check& check, PyObject* key, bool is_new, const std::uint8_t* here) {
    if (!is_new) [[unlikely]]
      return options_.takes_last() || fail(errc::duplicate_key, here);
    return !check.counts_hashes || count_hash(check.hashes, check.kind, key, here);
  }
  /// A map key or set element: hashable.
  THRIFTLENS_INLINE object key(type_kind kind, std::uint32_t index) {
    object made(value(kind, index));
    return kind < type_kind::list ? std::move(made) : frozen_key(std::move(made));
  }
  object frozen_key(object made) {
    object frozen(freeze(std::move(made)));
    if (!frozen) return frozen;
    const Py_ssize_t size = PyObject_Size(frozen.get());
    if (size < 0 || !charge(static_cast<std::size_t>(size) * tuple_size(2) + set_size(0))) return object();
    return frozen;
  }

  /// Whoever sends the bytes can choose keys of these kinds so that many of them have one hash.
  static constexpr bool has_unkeyed_hash(type_kind kind) noexcept {
    // Before Python 3.10 every NaN has the hash 0, and none equals another.
    if (PY_VERSION_HEX < 0x030A0000 && kind == type_kind::double_) return true;
    return kind == type_kind::uuid || kind >= type_kind::list;
  }
  [[nodiscard]] bool count_hash(equal_hashes& hashes, type_kind kind, PyObject* key,
                                const std::uint8_t* here) {
    const Py_hash_t hash =
        kind == type_kind::uuid && sizeof(Py_hash_t) == 8 ? uuid_hash(here) : PyObject_Hash(key);
    if (hash == -1 && PyErr_Occurred() != nullptr) return false;
    return hashes.add(hash) || fail(errc::hash_flood, here);
  }
  /// What uuid.UUID has for a hash, without calling it: the number modulo 2^61 - 1.
  static Py_hash_t uuid_hash(const std::uint8_t* bytes) noexcept {
    constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;
    const std::uint64_t high =
        thriftlens::detail::load_be<std::uint64_t>(bytes) % modulus * 8 % modulus;  // 2^64 is 8
    return static_cast<Py_hash_t>((high + thriftlens::detail::load_be<std::uint64_t>(bytes + 8) % modulus) %
                                  modulus);
  }

  // ---- structs

  PyObject* structure(const thriftlens::detail::image::struct_node& node) {
    const bool spare = spare_left_ != 0 && !in_.at_end() && *in_.at() != 0;
    object made(spare ? new_dict(node.fields.size) : PyDict_New());
    if (!made) return nullptr;
    const struct_mark outer = in_.begin_struct();
    const thriftlens::detail::image::field_node* next = fields_ + node.fields.begin;
    std::uint32_t required = 0;
    field_header header;
    for (;;) {
      const std::uint8_t* here = in_.at();
      if (!in_.read_field(header)) [[unlikely]]
        return nullptr;
      if (header.type == ttype::stop) break;
      const thriftlens::detail::image::field_node* const field = field_of(node, header.id, next);
      const bool is_done = field != nullptr && has_wire_type(*field, header.type)
                               ? read_value(node, *field, made.get(), here, required)
                               : other_value(field != nullptr, header, made.get(), here);
      if (!is_done) [[unlikely]]
        return nullptr;
    }
    in_.end_struct(outer);
    // Two that the IDL knows were met before.
    const bool has_two = node.kind == type_kind::union_ && PyDict_GET_SIZE(made.get()) > 1;
    if (has_two && !fail(errc::union_members, in_.at() - 1)) return nullptr;
    return close_struct(node, std::move(made), required, spare);
  }
  /// The field of that id, mostly the `next`; null where the IDL has none.
  THRIFTLENS_INLINE const thriftlens::detail::image::field_node* field_of(
      const thriftlens::detail::image::struct_node& node, std::int16_t id,
      const thriftlens::detail::image::field_node*& next) {
    if (next == fields_ + node.fields.begin + node.fields.size || next->id != id) {
      const std::uint32_t found = image_.find_field(node, id);
      if (found == thriftlens::detail::image::none) return nullptr;
      next = fields_ + found;
    }
    return next++;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool has_wire_type(const thriftlens::detail::image::field_node& field,
                                                     ttype wire) {
    return field.wire == wire && (!options_.skips_mismatch() || fits(field));
  }
  /// What the IDL does not know, or has another type for.
  THRIFTLENS_NOINLINE bool other_value(bool is_known, field_header field, PyObject* into,
                                       const std::uint8_t* here) {
    if (is_known && !options_.skips_mismatch()) return fail(errc::type_mismatch, here);
    if (!is_known && options_.unknown == on_unknown::error) return fail(errc::unknown_field, here);
    const bool keeps = !is_known && options_.unknown == on_unknown::keep;
    return keeps ? keep(field, into, here) : in_.skip(field.type);
  }
  /// Counts the required fields.
  THRIFTLENS_INLINE bool read_value(const thriftlens::detail::image::struct_node& node,
                                    const thriftlens::detail::image::field_node& field, PyObject* into,
                                    const std::uint8_t* here, std::uint32_t& required) {
    object item(value(field.kind, field.type));
    if (!item) [[unlikely]]
      return look_back(node, field, into, here);
    const Py_ssize_t before = PyDict_GET_SIZE(into);
    if (PyDict_SetItem(into, names_[&field - fields_], item.get()) != 0) [[unlikely]]
      return false;
    if (PyDict_GET_SIZE(into) != before) [[likely]]
      required += field.flags & thriftlens::detail::image::required;
    else if (!options_.takes_last())
      return fail(errc::duplicate_field, here, field.id);
    const bool is_second =
        node.kind == type_kind::union_ && PyDict_GET_SIZE(into) > 1 && members(node, into) > 1;
    return !is_second || fail(errc::union_members, here);
  }
  /// The fields in the dict that the IDL knows.
  THRIFTLENS_COLD std::uint32_t members(const thriftlens::detail::image::struct_node& node, PyObject* into) {
    std::uint32_t count = 0;
    for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i)
      count += PyDict_GetItemWithError(into, names_[i]) != nullptr ? 1u : 0u;
    return count;
  }
  /// Always false. A field's value is broken: that the field may not be there comes before it.
  THRIFTLENS_COLD bool look_back(const thriftlens::detail::image::struct_node& node,
                                 const thriftlens::detail::image::field_node& field, PyObject* into,
                                 const std::uint8_t* here) {
    if (PyErr_Occurred() != nullptr) return false;
    const auto offset = static_cast<std::size_t>(here - in_.begin());
    const bool has_it = PyDict_GetItemWithError(into, names_[&field - fields_]) != nullptr;
    if (has_it && !options_.takes_last())
      earlier_ = {errc::duplicate_field, field.id, offset};
    else if (!has_it && node.kind == type_kind::union_ && members(node, into) != 0)
      earlier_ = {errc::union_members, field.id, offset};
    return false;
  }
  THRIFTLENS_INLINE PyObject* close_struct(const thriftlens::detail::image::struct_node& node, object made,
                                           std::uint32_t required, bool spare) {
    if (required != node.required_count && !options_.omits_missing()) [[unlikely]]
      return missing(node, made.get());
    const bool has_defaults = node.has_defaults && node.kind != type_kind::union_;
    if (options_.writes_defaults() && has_defaults && !add_defaults(node, made.get())) return nullptr;
    const auto entries = static_cast<std::size_t>(PyDict_GET_SIZE(made.get()));
    return charge_struct(node.fields.size, entries, spare) ? made.release() : nullptr;
  }

  /// A dict that was made for all fields may take much more than those that are there: while that does not
  /// come to much.
  THRIFTLENS_INLINE bool charge_struct(std::size_t fields, std::size_t entries, bool spare) {
    std::size_t size = struct_size(entries);
    if (spare && fields <= 32 && entries * 2 < fields) {
      const std::size_t presized = struct_size(fields), more = presized > size ? presized - size : 0;
      spare_left_ -= more < spare_left_ ? more : spare_left_;
      size += more;
    }
    return charge(size);
  }
  /// With mismatches skipped: the elements of a container have the types of the IDL too.
  [[nodiscard]] bool fits(const thriftlens::detail::image::field_node& field) {
    const thriftlens::detail::image::type_node& type = types_[field.type];
    if (!is_container(type.wire)) return true;
    reader ahead = in_;
    if (type.kind == type_kind::map) {
      map_header header;
      return !ahead.read_map(header) || header.size == 0 ||
             (header.key == types_[type.first].wire && header.value == types_[type.second].wire);
    }
    list_header header;
    return !ahead.read_list(header) || header.size == 0 || header.element == types_[type.first].wire;
  }
  THRIFTLENS_COLD PyObject* missing(const thriftlens::detail::image::struct_node& node, PyObject* made) {
    const std::uint32_t first = node.fields.begin;
    for (std::uint32_t i = first; i < first + node.fields.size; ++i) {
      if ((fields_[i].flags & thriftlens::detail::image::required) == 0 ||
          PyDict_GetItemWithError(made, names_[i]) != nullptr)
        continue;
      return stop(errc::missing_required, in_.at() - 1, fields_[i].id);
    }
    return nullptr;
  }
  bool add_defaults(const thriftlens::detail::image::struct_node& node, PyObject* made) {
    const std::uint32_t first = node.fields.begin;
    for (std::uint32_t i = first; i < first + node.fields.size; ++i) {
      if ((fields_[i].flags & thriftlens::detail::image::has_default) == 0 ||
          PyDict_GetItemWithError(made, names_[i]) != nullptr)
        continue;
      // As the constant stands in the IDL: defaults of structs inside it may be as many as 2 to the number of
      // types, or have no end.
      decode_options own = options_;
      own.bounds = {.depth = limits::max_depth, .output_size = memory_left_ + 1};
      own.defaults = on_absent::omit;
      value_reader<binary> from(keys_, image_.value(image_.field_texts[i].default_binary), own);
      object item(from.value(fields_[i].kind, fields_[i].type));
      if (!item && PyErr_Occurred() == nullptr) return fail(from.why().code, in_.at());
      if (!item || PyDict_SetItem(made, names_[i], item.get()) != 0) return false;
      const std::size_t taken = memory_left_ + 1 - from.memory_left();
      if (!charge(taken + 64 + image_.field_texts[i].default_binary.size)) return false;
    }
    return true;
  }

  // ---- fields that the IDL does not know: "#5": {"i32": 7}, as JSON has them, but for bytes

  template <ttype Type>
  using constant = thriftlens::detail::ttype_constant<Type>;

  bool keep(field_header field, PyObject* into, const std::uint8_t* here) {
    object name(PyUnicode_FromString(thriftlens::detail::unknown_key(field.id).c_str()));
    object tagged(name ? PyDict_New() : nullptr);
    object item(tagged && charge(dict_size(1) + small_object_size) ? unknown_value(field.type) : nullptr);
    PyObject* const word = item ? word_of(field.type) : nullptr;
    if (word == nullptr || PyDict_SetItem(tagged.get(), word, item.get()) != 0) return false;
    const Py_ssize_t before = PyDict_GET_SIZE(into);
    if (PyDict_SetItem(into, name.get(), tagged.get()) != 0) return false;
    const bool is_new = PyDict_GET_SIZE(into) != before;
    return is_new || options_.takes_last() || fail(errc::duplicate_field, here, field.id);
  }
  PyObject* unknown_value(ttype type) {
    return thriftlens::detail::visit_ttype(type, [this](auto known) { return this->unknown(known); });
  }
  PyObject* unknown(constant<ttype::bool_>) { return boolean(); }
  PyObject* unknown(constant<ttype::i8>) { return number<std::int8_t>(&reader::read_i8); }
  PyObject* unknown(constant<ttype::i16>) { return number<std::int16_t>(&reader::read_i16); }
  PyObject* unknown(constant<ttype::i32>) { return number<std::int32_t>(&reader::read_i32); }
  PyObject* unknown(constant<ttype::i64>) { return wide_number(); }
  PyObject* unknown(constant<ttype::double_>) { return real(); }
  PyObject* unknown(constant<ttype::string>) { return bytes(); }
  PyObject* unknown(constant<ttype::uuid>) { return unique(); }
  PyObject* unknown(constant<ttype::list>) { return unknown_sequence(ttype::list); }
  PyObject* unknown(constant<ttype::set>) { return unknown_sequence(ttype::set); }
  PyObject* unknown(constant<ttype::map>) {
    map_header map;
    if (!thriftlens::detail::open_map(in_, map)) return nullptr;
    object entries(PyList_New(0));
    for (std::uint32_t i = 0; entries && i < map.size; ++i) {
      object key(unknown_value(map.key)), item(key ? unknown_value(map.value) : nullptr);
      object pair(item ? list_of({key.get(), item.get()}) : nullptr);
      if (!pair || !append(entries.get(), pair.get())) return nullptr;
    }
    in_.leave();
    return entries ? list_of({element_word(map.key), element_word(map.value), entries.get()}) : nullptr;
  }
  PyObject* unknown(constant<ttype::struct_>) {
    object made(PyDict_New());
    if (!made || !charge(dict_size(0))) return nullptr;
    const struct_mark outer = in_.begin_struct();
    for (;;) {
      const std::uint8_t* const here = in_.at();
      field_header field;
      if (!in_.read_field(field)) return nullptr;
      if (field.type == ttype::stop) break;
      if (!keep(field, made.get(), here)) return nullptr;
    }
    in_.end_struct(outer);
    return made.release();
  }
  PyObject* unknown_sequence(ttype type) {
    list_header list;
    if (!thriftlens::detail::open_sequence(in_, type, list)) return nullptr;
    object items(PyList_New(0));
    for (std::uint32_t i = 0; items && i < list.size; ++i) {
      object item(unknown_value(list.element));
      if (!item || !append(items.get(), item.get())) return nullptr;
    }
    in_.leave();
    return items ? list_of({element_word(list.element), items.get()}) : nullptr;
  }
  static PyObject* element_word(ttype type) { return word_of(is_value_type(type) ? type : ttype::stop); }
  /// Null with a Python error set or a fault noted, also where one of the objects is null.
  PyObject* list_of(std::initializer_list<PyObject*> objects) {
    if (!charge(list_size(objects.size()) + objects.size() * small_object_size)) return nullptr;
    object made(PyList_New(0));
    for (PyObject* const each : objects)
      if (!made || each == nullptr || PyList_Append(made.get(), each) != 0) return nullptr;
    return made.release();
  }
  bool append(PyObject* list, PyObject* item) {
    return charge(2 * sizeof(PyObject*) + small_object_size) && PyList_Append(list, item) == 0;
  }

  reader in_;
  const schema_image& image_;
  const thriftlens::detail::image::field_node* const fields_;
  const thriftlens::detail::image::type_node* const types_;
  PyObject* const* const names_;
  schema_keys& keys_;
  const decode_options& options_;
  // What dicts may take for fields that are not there: then they are made as the fields come.
  static constexpr std::size_t spare_constant = std::size_t{1} << 20, spare_times = 8;
  static constexpr std::size_t turn = 2048;  // elements, after which other threads may run

  std::size_t room_;         // list elements that may still be made room for
  std::size_t memory_left_;  // bytes of objects
  std::size_t spare_left_;
  std::size_t turn_left_;
  std::int16_t field_id_ = 0;
  fault earlier_;  // than the reader's
  collector_pause pause_;
};

/// `taken`: null, or where the bytes that the objects take are told; then other threads run meanwhile.
template <protocol Protocol>
PyObject* decode_as(schema_keys& keys, type of, byte_view data, const decode_options& options,
                    std::size_t* taken = nullptr) {
  value_reader<Protocol> in(keys, data, options, taken != nullptr);
  const std::size_t most = in.memory_left();
  object made(in.value(of.kind(), of.index()));
  if (taken != nullptr) *taken = most - in.memory_left();
  if (made && in.finish()) return made.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  PyThreadState* const state = taken != nullptr ? PyEval_SaveThread() : nullptr;
  const error why = thriftlens::detail::explain<Protocol>(data, of, in.why(), options.bounds);
  if (state != nullptr) PyEval_RestoreThread(state);
  return raise(why, family::decode, options);
}

static_assert(thriftlens::detail::image::required == 1);  // counted by adding

}  // namespace

template <protocol Protocol>
PyObject* decode_view(schema_keys& keys, const view<Protocol>& of, const decode_options& options) {
  if (of.code() != errc::ok) return raise(of.error(), family_of(of.code()), options);
  if (!keys.prepare()) return nullptr;
  value_reader<Protocol> in(keys, of.whole(), options);
  in.seek(of.location().at);
  object made(in.value(of.type().kind(), of.type().index()));
  const bool done = made && (!of.is_root() || in.finish());  // the root is all of its bytes
  if (done) return made.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  return raise(thriftlens::detail::explain<Protocol>(of.whole(), of.root_type(), in.why(), options.bounds),
               family::decode, options);
}
template PyObject* decode_view(schema_keys&, const view<binary>&, const decode_options&);
template PyObject* decode_view(schema_keys&, const view<compact>&, const decode_options&);

template <protocol Protocol>
PyObject* decode_key(schema_keys& keys, const view<Protocol>& of, const decode_options& options) {
  return freeze(object(decode_view(keys, of, options)));
}
template PyObject* decode_key(schema_keys&, const view<binary>&, const decode_options&);
template PyObject* decode_key(schema_keys&, const view<compact>&, const decode_options&);

PyObject* raise(const error& reason, family kind, const decode_options& options) {
  raise(reason, kind);
  name_option(decoder_signature(), &options);
  return nullptr;
}

PyObject* decode(schema_keys& keys, type of, byte_view data, const decode_options& options) {
  if (!keys.prepare()) return nullptr;
  return visit_protocol(options.protocol,
                        [&](auto tag) { return decode_as<decltype(tag)>(keys, of, data, options); });
}
PyObject* decode_yielding_gil(schema_keys& keys, type of, byte_view data, const decode_options& options,
                              std::size_t& taken) {
  if (!keys.prepare()) return nullptr;
  return visit_protocol(options.protocol,
                        [&](auto tag) { return decode_as<decltype(tag)>(keys, of, data, options, &taken); });
}

}  // namespace thriftlens::python
