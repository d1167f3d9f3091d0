// decode: decodes wire bytes to Python objects.
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

namespace image = detail::image;

/// A hashable form of a value: a dict or struct becomes a tuple of pairs, a list a tuple, a set a frozenset.
PyObject* freeze(object value);

PyObject* freeze_items(PyObject* dict) {
  object pairs(PyTuple_New(PyDict_GET_SIZE(dict)));
  if (!pairs) return nullptr;
  PyObject *key = nullptr, *item = nullptr;
  Py_ssize_t position = 0;
  for (Py_ssize_t i = 0; PyDict_Next(dict, &position, &key, &item); ++i) {
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

/// A dict with capacity for that many entries, if this Python version supports it.
PyObject* new_dict([[maybe_unused]] std::uint32_t entries) {
#if PY_VERSION_HEX < 0x030D0000
  if (entries > 5 && entries <= 32) return _PyDict_NewPresized(static_cast<Py_ssize_t>(entries));
#endif
  return PyDict_New();
}

/// The name of a wire type, borrowed. Null with a Python error set.
PyObject* type_name(ttype type) {
  static std::array<shared_object, 17> names{};
  return interned(names[static_cast<std::size_t>(type)], std::string(to_string(type)).c_str());
}

/// Decodes one value. Functions return a new reference, or null (false) with a Python error or a fault set.
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
        list_elements_left_(data.size()),
        memory_left_(options.bounds.max_objects(data.size())),
        spare_left_(spare_constant + spare_times * data.size()),
        turn_left_(yields_gil ? turn : static_cast<std::size_t>(-1)),
        pause_(data.size()) {}

  /// The remaining memory for objects.
  [[nodiscard]] std::size_t memory_left() const noexcept { return memory_left_; }
  void seek(const detail::wire_position& position) noexcept { in_.seek(position); }

  PyObject* value(type_kind kind, std::uint32_t index) {
    const image::type_node& type = types_[index];
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
  [[nodiscard]] fault first_fault() const noexcept {
    if (earlier_.code != errc::ok) return earlier_;
    fault current = in_.fault();
    current.field_id = field_id_;
    return current;
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
  /// Counts memory of a container. False if it exceeds the limit for the size of the input.
  THRIFTLENS_INLINE bool charge(std::size_t bytes) {
    if (bytes > memory_left_) [[unlikely]]
      return fail(errc::output_limit, in_.at());
    memory_left_ -= bytes;
    return true;
  }

  /// Called for every element of a container, to let other threads run during a large value.
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
    bool decoded = false;
    if (!in_.read_bool(decoded)) return nullptr;
    return new_reference(decoded ? Py_True : Py_False);
  }
  template <class Int>
  THRIFTLENS_INLINE PyObject* number(bool (reader::*read)(Int&)) {
    Int decoded = 0;
    return (in_.*read)(decoded) ? PyLong_FromLong(decoded) : nullptr;
  }
  PyObject* wide_number() {
    std::int64_t decoded = 0;
    return in_.read_i64(decoded) ? PyLong_FromLongLong(decoded) : nullptr;
  }
  PyObject* real() {
    double decoded = 0;
    return in_.read_double(decoded) ? PyFloat_FromDouble(decoded) : nullptr;
  }
  THRIFTLENS_INLINE PyObject* text() {
    const std::uint8_t* start = in_.at();
    byte_view utf8;
    if (!in_.read_bytes(utf8)) return nullptr;
    PyObject* str = text_of(utf8);
    return str != nullptr ? str : broken_text(utf8, start);
  }
  THRIFTLENS_COLD PyObject* broken_text(byte_view utf8, const std::uint8_t* start) {
    if (PyErr_Occurred() != nullptr) return nullptr;
    pause_.resume();  // the error handler may be the caller's
    if (options_.invalid_utf8 == on_invalid_utf8::error) return stop(errc::invalid_utf8, start);
    const bool replaces = options_.invalid_utf8 == on_invalid_utf8::replace;
    return PyUnicode_DecodeUTF8(utf8.text().data(), static_cast<Py_ssize_t>(utf8.size()),
                                replaces ? "replace" : "surrogateescape");
  }
  PyObject* bytes() {
    byte_view bytes_read;
    if (!in_.read_bytes(bytes_read)) return nullptr;
    return PyBytes_FromStringAndSize(bytes_read.text().data(), static_cast<Py_ssize_t>(bytes_read.size()));
  }
  PyObject* unique() {
    uuid_bytes uuid{};
    if (!in_.read_uuid(uuid)) return nullptr;
    pause_.resume();  // Python code runs here, and when uuids are hashed and compared
    PyObject* of = uuid_class();
    object raw(PyBytes_FromStringAndSize(reinterpret_cast<const char*>(uuid.data()),
                                         static_cast<Py_ssize_t>(uuid.size())));
    if (of == nullptr || !raw) return nullptr;
    return PyObject_CallFunctionObjArgs(of, Py_None, raw.get(), nullptr);  // UUID(hex, bytes)
  }
  PyObject* enumeration(const image::type_node& type) {
    std::int32_t value_read = 0;
    if (!in_.read_i32(value_read)) return nullptr;
    if (options_.enums != enum_values::number) [[unlikely]]
      return named_enumeration(type.first, value_read);
    return PyLong_FromLong(value_read);
  }
  PyObject* named_enumeration(std::uint32_t which, std::int32_t number) {
    const std::uint32_t member = image_.find_member(image_.enums[which], number);
    if (member == image::none) return PyLong_FromLong(number);
    if (options_.enums == enum_values::name) return new_reference(keys_.members()[member]);
    if (PyObject* cached = keys_.member_object(member)) return new_reference(cached);
    pause_.resume();  // creating the class runs Python code
    if (!make_members(keys_, which)) return nullptr;
    return new_reference(keys_.member_object(member));
  }

  // ---- containers

  PyObject* list(const image::type_node& type) {
    const std::uint8_t* start = in_.at();
    list_header header;
    if (!in_.read_list(header) || !in_.enter()) return nullptr;
    const image::type_node& element = types_[type.first];
    if (header.element != element.wire && header.size != 0) [[unlikely]]
      return stop(errc::type_mismatch, start);
    if (header.size > list_elements_left_) [[unlikely]]
      return growing_list(element.kind, type.first, header.size);
    list_elements_left_ -= header.size;
    if (!charge(list_size(header.size) + (is_shared(element.kind) ? 0 : header.size * small_object_size)))
      return nullptr;
    object items(PyList_New(static_cast<Py_ssize_t>(header.size)));
    if (!items) return nullptr;
    for (std::uint32_t i = 0; i < header.size; ++i) {
      PyObject* item = value(element.kind, type.first);
      if (item == nullptr) [[unlikely]]
        return nullptr;
      PyList_SET_ITEM(items.get(), static_cast<Py_ssize_t>(i), item);
      count_element();
    }
    in_.leave();
    return items.release();
  }
  // All lists together announce more elements than there are bytes: the input is malformed, so nothing is
  // preallocated.
  THRIFTLENS_COLD PyObject* growing_list(type_kind kind, std::uint32_t index, std::uint32_t size) {
    object items(PyList_New(0));
    for (std::uint32_t i = 0; items && i < size; ++i) {
      object item(value(kind, index));
      if (!item || PyList_Append(items.get(), item.get()) != 0) return nullptr;
      if (!charge(2 * sizeof(PyObject*))) return nullptr;
      count_element();
    }
    in_.leave();
    return items.release();
  }
  /// Kinds whose values mostly are existing objects, or are counted by themselves.
  [[nodiscard]] static bool is_shared(type_kind kind) noexcept {
    return kind == type_kind::bool_ || kind == type_kind::i8 || kind >= type_kind::list;
  }

  PyObject* set(const image::type_node& type) {
    const std::uint8_t* start = in_.at();
    list_header header;
    if (!in_.read_set(header) || !in_.enter()) return nullptr;
    const image::type_node& element = types_[type.first];
    if (header.element != element.wire && header.size != 0) [[unlikely]]
      return stop(errc::type_mismatch, start);
    object items(PySet_New(nullptr));
    if (!items || !read_elements(type.first, header, items.get())) [[unlikely]]
      return nullptr;
    const auto size = static_cast<std::size_t>(PySet_GET_SIZE(items.get()));
    if (!charge(set_size(size) + (is_shared(element.kind) ? 0 : size * small_object_size))) [[unlikely]]
      return nullptr;
    in_.leave();
    return items.release();
  }

  THRIFTLENS_INLINE bool read_elements(std::uint32_t element, const list_header& header, PyObject* into) {
    key_check check{types_[element].kind, {header.element, ttype::stop, header.size}};
    find_repeated(check);
    for (std::uint32_t i = 0; i < header.size; ++i) {
      const std::uint8_t* here = in_.at();
      object item = key(check.kind, element);
      if (item && check.drops(i)) continue;
      const Py_ssize_t previous_size = PySet_GET_SIZE(into);
      if (!item || PySet_Add(into, item.get()) != 0) [[unlikely]]
        return false;
      const bool is_new = PySet_GET_SIZE(into) != previous_size && i != check.first_repeated;
      if (!accept(check, item.get(), is_new, here)) [[unlikely]]
        return false;
      count_element();
    }
    return true;
  }

  PyObject* map(const image::type_node& type) {
    const std::uint8_t* start = in_.at();
    map_header header;
    if (!in_.read_map(header) || !in_.enter()) return nullptr;
    if (header.size != 0 && !has_types(header, type)) [[unlikely]]
      return stop(errc::type_mismatch, start);
    object dict(PyDict_New());
    if (!dict || !read_entries(type, header, dict.get())) [[unlikely]]
      return nullptr;
    const auto size = static_cast<std::size_t>(PyDict_GET_SIZE(dict.get()));
    if (!charge(dict_size(size) + 2 * size * small_object_size)) [[unlikely]]
      return nullptr;
    in_.leave();
    return dict.release();
  }
  [[nodiscard]] bool has_types(const map_header& header, const image::type_node& type) const noexcept {
    return header.key == types_[type.first].wire && header.value == types_[type.second].wire;
  }
  THRIFTLENS_INLINE bool read_entries(const image::type_node& type, const map_header& header,
                                      PyObject* into) {
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
      const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
      if (!item || PyDict_SetItem(into, name.get(), item.get()) != 0) [[unlikely]]
        return false;
      const bool is_new = PyDict_GET_SIZE(into) != previous_size && i != check.first_repeated;
      if (!accept(check, name.get(), is_new, here)) [[unlikely]]
        return false;
      count_element();
    }
    return true;
  }
  /// Checks of the keys of one container.
  struct key_check {
    key_check(type_kind key_kind, const map_header& container)
        : kind(key_kind),
          header(container),
          counts_hashes(container.size > max_equal_hashes && has_unkeyed_hash(key_kind)) {}

    type_kind kind;
    map_header header;
    bool counts_hashes;
    equal_hashes hashes = {};
    std::size_t first_repeated = detail::repeated_keys::none;
    std::vector<bool> dropped = {};  ///< keys that equal a later one, for on_duplicate::last

    [[nodiscard]] bool drops(std::uint32_t index) const { return !dropped.empty() && dropped[index]; }
  };
  /// Called before the first key: finds equal keys whose Python objects may differ.
  THRIFTLENS_INLINE void find_repeated(key_check& check) {
    if (check.header.size > 1 && detail::has_spellings(check.header.key)) find_spelled(check);
  }
  THRIFTLENS_NOINLINE void find_spelled(key_check& check) {
    if (!options_.takes_last()) {
      check.first_repeated = detail::find_repeated_key<Protocol>(in_, check.header);
      return;
    }
    detail::comparable_keys<Protocol> keys;
    reader in = in_;
    if (!keys.add_entries(in, check.header, check.header.size)) return;  // decoding reports the fault
    check.dropped.resize(check.header.size);
    detail::repeated_keys().for_each(keys, true, [&](std::size_t at) { check.dropped[at] = true; });
  }
  /// Called after a key was added. False with a fault or a Python error set.
  THRIFTLENS_INLINE bool accept(key_check& check, PyObject* key, bool is_new, const std::uint8_t* here) {
    if (!is_new) [[unlikely]]
      return options_.takes_last() || fail(errc::duplicate_key, here);
    return !check.counts_hashes || count_hash(check.hashes, check.kind, key, here);
  }
  /// A hashable map key or set element.
  THRIFTLENS_INLINE object key(type_kind kind, std::uint32_t index) {
    object unfrozen(value(kind, index));
    return kind < type_kind::list ? std::move(unfrozen) : frozen_key(std::move(unfrozen));
  }
  object frozen_key(object unfrozen) {
    object frozen(freeze(std::move(unfrozen)));
    if (!frozen) return frozen;
    const Py_ssize_t size = PyObject_Size(frozen.get());
    if (size < 0 || !charge(static_cast<std::size_t>(size) * tuple_size(2) + set_size(0))) return object();
    return frozen;
  }

  /// Kinds for which a sender can choose many keys with the same hash.
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
  /// The hash of uuid.UUID, without calling it: the number modulo 2^61 - 1.
  static Py_hash_t uuid_hash(const std::uint8_t* bytes) noexcept {
    constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;
    const std::uint64_t high = detail::load_be<std::uint64_t>(bytes) % modulus * 8 % modulus;  // 2^64 is 8
    return static_cast<Py_hash_t>((high + detail::load_be<std::uint64_t>(bytes + 8) % modulus) % modulus);
  }

  // ---- structs

  PyObject* structure(const image::struct_node& node) {
    const bool spare = spare_left_ != 0 && !in_.at_end() && *in_.at() != 0;
    object dict(spare ? new_dict(node.fields.size) : PyDict_New());
    if (!dict) return nullptr;
    const struct_mark outer = in_.begin_struct();
    const image::field_node* next = fields_ + node.fields.begin;
    std::uint32_t required = 0;
    field_header header;
    for (;;) {
      const std::uint8_t* here = in_.at();
      if (!in_.read_field(header)) [[unlikely]]
        return nullptr;
      if (header.type == ttype::stop) break;
      const image::field_node* const field = field_of(node, header.id, next);
      const bool is_read = field != nullptr && has_wire_type(*field, header.type)
                               ? read_value(node, *field, dict.get(), here, required)
                               : other_value(field != nullptr, header, dict.get(), here);
      if (!is_read) [[unlikely]]
        return nullptr;
    }
    in_.end_struct(outer);
    // Two known fields have been reported by read_value().
    const bool has_two = node.kind == type_kind::union_ && PyDict_GET_SIZE(dict.get()) > 1;
    if (has_two && !fail(errc::union_members, in_.at() - 1)) return nullptr;
    return close_struct(node, std::move(dict), required, spare);
  }
  /// The field of that id, usually `next`; null for an unknown field.
  THRIFTLENS_INLINE const image::field_node* field_of(const image::struct_node& node, std::int16_t id,
                                                      const image::field_node*& next) {
    if (next == fields_ + node.fields.begin + node.fields.size || next->id != id) {
      const std::uint32_t index = image_.find_field(node, id);
      if (index == image::none) return nullptr;
      next = fields_ + index;
    }
    return next++;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool has_wire_type(const image::field_node& field, ttype wire) {
    return field.wire == wire && (!options_.skips_mismatch() || fits(field));
  }
  /// An unknown field, or one of another type.
  THRIFTLENS_NOINLINE bool other_value(bool is_known, field_header field, PyObject* into,
                                       const std::uint8_t* here) {
    if (is_known && !options_.skips_mismatch()) return fail(errc::type_mismatch, here);
    if (!is_known && options_.unknown == on_unknown::error) return fail(errc::unknown_field, here);
    const bool keeps = !is_known && options_.unknown == on_unknown::keep;
    return keeps ? keep(field, into, here) : in_.skip(field.type);
  }
  /// Adds required fields to `required`.
  THRIFTLENS_INLINE bool read_value(const image::struct_node& node, const image::field_node& field,
                                    PyObject* into, const std::uint8_t* here, std::uint32_t& required) {
    object item(value(field.kind, field.type));
    if (!item) [[unlikely]]
      return look_back(node, field, into, here);
    const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
    if (PyDict_SetItem(into, names_[&field - fields_], item.get()) != 0) [[unlikely]]
      return false;
    if (PyDict_GET_SIZE(into) != previous_size) [[likely]]
      required += field.flags & image::required;
    else if (!options_.takes_last())
      return fail(errc::duplicate_field, here, field.id);
    const bool is_second =
        node.kind == type_kind::union_ && PyDict_GET_SIZE(into) > 1 && members(node, into) > 1;
    return !is_second || fail(errc::union_members, here);
  }
  /// The number of known fields in the dict.
  THRIFTLENS_COLD std::uint32_t members(const image::struct_node& node, PyObject* into) {
    std::uint32_t count = 0;
    for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i)
      count += PyDict_GetItemWithError(into, names_[i]) != nullptr ? 1u : 0u;
    return count;
  }
  /// Always false. A duplicate field or second union member takes precedence over the fault in its value.
  THRIFTLENS_COLD bool look_back(const image::struct_node& node, const image::field_node& field,
                                 PyObject* into, const std::uint8_t* here) {
    if (PyErr_Occurred() != nullptr) return false;
    const auto offset = static_cast<std::size_t>(here - in_.begin());
    const bool has_it = PyDict_GetItemWithError(into, names_[&field - fields_]) != nullptr;
    if (has_it && !options_.takes_last())
      earlier_ = {errc::duplicate_field, field.id, offset};
    else if (!has_it && node.kind == type_kind::union_ && members(node, into) != 0)
      earlier_ = {errc::union_members, field.id, offset};
    return false;
  }
  THRIFTLENS_INLINE PyObject* close_struct(const image::struct_node& node, object dict,
                                           std::uint32_t required, bool spare) {
    if (required != node.required_count && !options_.omits_missing()) [[unlikely]]
      return missing(node, dict.get());
    const bool has_defaults = node.has_defaults && node.kind != type_kind::union_;
    if (options_.writes_defaults() && has_defaults && !add_defaults(node, dict.get())) return nullptr;
    const auto entries = static_cast<std::size_t>(PyDict_GET_SIZE(dict.get()));
    return charge_struct(node.fields.size, entries, spare) ? dict.release() : nullptr;
  }

  /// Counts memory of a struct. A presized dict takes more than its entries need, which `spare_left_` limits.
  THRIFTLENS_INLINE bool charge_struct(std::size_t fields, std::size_t entries, bool spare) {
    std::size_t size = struct_size(entries);
    if (spare && fields <= 32 && entries * 2 < fields) {
      const std::size_t presized = struct_size(fields), more = presized > size ? presized - size : 0;
      spare_left_ -= more < spare_left_ ? more : spare_left_;
      size += more;
    }
    return charge(size);
  }
  /// For on_mismatch::drop: whether the elements of a container have the declared types.
  [[nodiscard]] bool fits(const image::field_node& field) {
    const image::type_node& type = types_[field.type];
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
  THRIFTLENS_COLD PyObject* missing(const image::struct_node& node, PyObject* dict) {
    const std::uint32_t first = node.fields.begin;
    for (std::uint32_t i = first; i < first + node.fields.size; ++i) {
      if ((fields_[i].flags & image::required) == 0 || PyDict_GetItemWithError(dict, names_[i]) != nullptr)
        continue;
      return stop(errc::missing_required, in_.at() - 1, fields_[i].id);
    }
    return nullptr;
  }
  bool add_defaults(const image::struct_node& node, PyObject* dict) {
    const std::uint32_t first = node.fields.begin;
    for (std::uint32_t i = first; i < first + node.fields.size; ++i) {
      if ((fields_[i].flags & image::has_default) == 0 || PyDict_GetItemWithError(dict, names_[i]) != nullptr)
        continue;
      // Without the defaults of structs inside it, which can be exponentially many or endless.
      decode_options own = options_;
      own.bounds = {.depth = limits::max_depth, .output_size = memory_left_ + 1};
      own.defaults = on_absent::omit;
      value_reader<binary> from(keys_, image_.value(image_.field_texts[i].default_binary), own);
      object item(from.value(fields_[i].kind, fields_[i].type));
      if (!item && PyErr_Occurred() == nullptr) return fail(from.first_fault().code, in_.at());
      if (!item || PyDict_SetItem(dict, names_[i], item.get()) != 0) return false;
      const std::size_t taken = memory_left_ + 1 - from.memory_left();
      if (!charge(taken + 64 + image_.field_texts[i].default_binary.size)) return false;
    }
    return true;
  }

  // ---- unknown fields: "#5": {"i32": 7}, as in JSON except for bytes

  template <ttype Type>
  using constant = detail::ttype_constant<Type>;

  bool keep(field_header field, PyObject* into, const std::uint8_t* here) {
    object name(PyUnicode_FromString(detail::unknown_key(field.id).c_str()));
    object tagged(name ? PyDict_New() : nullptr);
    object item(tagged && charge(dict_size(1) + small_object_size) ? unknown_value(field.type) : nullptr);
    PyObject* const name_of_type = item ? type_name(field.type) : nullptr;
    if (name_of_type == nullptr || PyDict_SetItem(tagged.get(), name_of_type, item.get()) != 0) return false;
    const Py_ssize_t previous_size = PyDict_GET_SIZE(into);
    if (PyDict_SetItem(into, name.get(), tagged.get()) != 0) return false;
    const bool is_new = PyDict_GET_SIZE(into) != previous_size;
    return is_new || options_.takes_last() || fail(errc::duplicate_field, here, field.id);
  }
  PyObject* unknown_value(ttype type) {
    return detail::visit_ttype(type, [this](auto known) { return this->unknown(known); });
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
    if (!detail::open_map(in_, map)) return nullptr;
    object entries(PyList_New(0));
    for (std::uint32_t i = 0; entries && i < map.size; ++i) {
      object key(unknown_value(map.key)), item(key ? unknown_value(map.value) : nullptr);
      object pair(item ? list_of({key.get(), item.get()}) : nullptr);
      if (!pair || !append(entries.get(), pair.get())) return nullptr;
    }
    in_.leave();
    return entries ? list_of({element_type_name(map.key), element_type_name(map.value), entries.get()})
                   : nullptr;
  }
  PyObject* unknown(constant<ttype::struct_>) {
    object dict(PyDict_New());
    if (!dict || !charge(dict_size(0))) return nullptr;
    const struct_mark outer = in_.begin_struct();
    for (;;) {
      const std::uint8_t* const here = in_.at();
      field_header field;
      if (!in_.read_field(field)) return nullptr;
      if (field.type == ttype::stop) break;
      if (!keep(field, dict.get(), here)) return nullptr;
    }
    in_.end_struct(outer);
    return dict.release();
  }
  PyObject* unknown_sequence(ttype type) {
    list_header list;
    if (!detail::open_sequence(in_, type, list)) return nullptr;
    object items(PyList_New(0));
    for (std::uint32_t i = 0; items && i < list.size; ++i) {
      object item(unknown_value(list.element));
      if (!item || !append(items.get(), item.get())) return nullptr;
    }
    in_.leave();
    return items ? list_of({element_type_name(list.element), items.get()}) : nullptr;
  }
  static PyObject* element_type_name(ttype type) {
    return type_name(is_value_type(type) ? type : ttype::stop);
  }
  /// Null with a Python error or a fault set, also if one of the objects is null.
  PyObject* list_of(std::initializer_list<PyObject*> objects) {
    if (!charge(list_size(objects.size()) + objects.size() * small_object_size)) return nullptr;
    object items(PyList_New(0));
    for (PyObject* const entry : objects)
      if (!items || entry == nullptr || PyList_Append(items.get(), entry) != 0) return nullptr;
    return items.release();
  }
  bool append(PyObject* list, PyObject* item) {
    return charge(2 * sizeof(PyObject*) + small_object_size) && PyList_Append(list, item) == 0;
  }

  reader in_;
  const schema_image& image_;
  const image::field_node* const fields_;
  const image::type_node* const types_;
  PyObject* const* const names_;
  schema_keys& keys_;
  const decode_options& options_;
  // Memory for absent fields in presized dicts; after that, dicts are not presized.
  static constexpr std::size_t spare_constant = std::size_t{1} << 20, spare_times = 8;
  static constexpr std::size_t turn = 2048;  // elements, after which other threads may run

  std::size_t list_elements_left_;  // list elements that may still be preallocated
  std::size_t memory_left_;         // bytes of objects
  std::size_t spare_left_;
  std::size_t turn_left_;
  std::int16_t field_id_ = 0;
  fault earlier_;  // than the reader's
  collector_pause pause_;
};

/// `taken`: null, or receives the memory of the objects; then other threads run meanwhile.
template <protocol Protocol>
PyObject* decode_as(schema_keys& keys, type of, byte_view data, const decode_options& options,
                    std::size_t* taken = nullptr) {
  value_reader<Protocol> in(keys, data, options, taken != nullptr);
  const std::size_t limit = in.memory_left();
  object result(in.value(of.kind(), of.index()));
  if (taken != nullptr) *taken = limit - in.memory_left();
  if (result && in.finish()) return result.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  PyThreadState* const state = taken != nullptr ? PyEval_SaveThread() : nullptr;
  const error reason = detail::explain<Protocol>(data, of, in.first_fault(), options.bounds);
  if (state != nullptr) PyEval_RestoreThread(state);
  return raise(reason, family::decode, options);
}

static_assert(image::required == 1);  // counted by adding

}  // namespace

template <protocol Protocol>
PyObject* decode_view(schema_keys& keys, const view<Protocol>& of, const decode_options& options) {
  if (of.code() != errc::ok) return raise(of.error(), family_of(of.code()), options);
  if (!keys.prepare()) return nullptr;
  value_reader<Protocol> in(keys, of.whole(), options);
  in.seek(of.location().at);
  object result(in.value(of.type().kind(), of.type().index()));
  const bool is_complete = result && (!of.is_root() || in.finish());  // the root is all of its bytes
  if (is_complete) return result.release();
  if (PyErr_Occurred() != nullptr) return nullptr;
  return raise(detail::explain<Protocol>(of.whole(), of.root_type(), in.first_fault(), options.bounds),
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
