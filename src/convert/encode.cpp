// encode: encodes Python objects to wire bytes.
#include "call/relaxations.hpp"
#include "convert/codec_object.hpp"
#include "convert/declared_fields.hpp"
#include "convert/number_list.hpp"
#include "convert/surrogates.hpp"
#include "convert/value.hpp"
#include "support/bytes_like.hpp"
#include "support/imported.hpp"
#include "support/locked.hpp"
#include "support/scratch_buffer.hpp"
#include "views/view_bytes.hpp"

#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/dispatch.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/protocol/struct_ids.hpp>
#include <thriftlens/protocol/unknown_key.hpp>
#include <thriftlens/schema/nearest.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/schema/zero_value.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace thriftlens::python {

namespace {

/// PyObject_IsInstance, and -1 if `of` is null.
int is_instance(PyObject* value, PyObject* of) { return of == nullptr ? -1 : PyObject_IsInstance(value, of); }

/// Types of the values of unknown fields, by wire type.
constexpr auto wire_types = [] {
  std::array<thriftlens::detail::image::type_node, 17> types{};
  const auto set = [&](ttype wire, type_kind kind) { types[static_cast<std::size_t>(wire)].kind = kind; };
  set(ttype::bool_, type_kind::bool_);
  set(ttype::i8, type_kind::i8);
  set(ttype::i16, type_kind::i16);
  set(ttype::i32, type_kind::i32);
  set(ttype::i64, type_kind::i64);
  set(ttype::double_, type_kind::double_);
  set(ttype::string, type_kind::binary);
  set(ttype::uuid, type_kind::uuid);
  set(ttype::list, type_kind::list);
  set(ttype::set, type_kind::set);
  set(ttype::map, type_kind::map);
  set(ttype::struct_, type_kind::struct_);
  return types;
}();

/// Encodes one value. Functions return false with an error in reason() or a Python error set.
template <protocol Protocol>
class value_writer {
 public:
  value_writer(schema_keys& keys, buffer& out, const encode_options& options)
      : out_(out),
        image_(keys.image()),
        fields_(image_.fields.data()),
        types_(image_.types.data()),
        names_(keys.fields(options.names)),
        layouts_(keys.layouts),
        options_(options),
        depth_left_(std::min(options.bounds.depth, limits::max_depth)) {}
  ~value_writer() {
    release(0);
    release_order(0);
  }
  value_writer(const value_writer&) = delete;
  value_writer& operator=(const value_writer&) = delete;

  bool value(const thriftlens::detail::image::type_node& type, PyObject* from) {
    switch (type.kind) {
      case type_kind::bool_:
        return boolean(type, from);
      case type_kind::i8:
        return number<std::int8_t>(type, from, &Protocol::put_i8);
      case type_kind::i16:
        return number<std::int16_t>(type, from, &Protocol::put_i16);
      case type_kind::i32:
        return number<std::int32_t>(type, from, &Protocol::put_i32);
      case type_kind::i64:
        return number<std::int64_t>(type, from, &Protocol::put_i64);
      case type_kind::double_:
        return real(type, from);
      case type_kind::string:
        return text(type, from);
      case type_kind::binary:
        return bytes(type, from);
      case type_kind::uuid:
        return unique(type, from);
      case type_kind::enum_:
        return enumeration(type, from);
      case type_kind::list:
      case type_kind::set:
        return elements(type, from);
      case type_kind::map:
        return entries(type, from);
      case type_kind::struct_:
      case type_kind::union_:
      case type_kind::exception_:
        return structure(type, from);
      case type_kind::void_:
        break;
    }
    return from == Py_None || mismatch(type, from);
  }

  [[nodiscard]] error reason() {
    return error(code_, std::move(detail_), error::no_offset, path_.text() + path_in_view_);
  }

 private:
  /// The written bytes of a set element.
  struct part {
    std::size_t begin, end;
  };

  bool fail(errc code, std::string detail = {}) {
    code_ = code;
    detail_ = std::move(detail);
    return false;
  }
  THRIFTLENS_COLD bool mismatch(const thriftlens::detail::image::type_node& type, PyObject* from) {
    PyErr_Clear();
    std::string expected(to_string(type.kind));
    if (!is_wire_type(type))
      expected = thriftlens::type(&image_, static_cast<std::uint32_t>(&type - types_)).name();
    return fail(errc::value_type, "expected " + expected + ", got " + name_of(from));
  }
  [[nodiscard]] static bool is_wire_type(const thriftlens::detail::image::type_node& type) noexcept {
    const auto* const first = wire_types.data();
    return !std::less<>()(&type, first) && std::less<>()(&type, first + wire_types.size());
  }
  static std::string name_of(PyObject* value) { return value == Py_None ? "None" : Py_TYPE(value)->tp_name; }

  // ---- scalars

  bool boolean(const thriftlens::detail::image::type_node& type, PyObject* from) {
    bool is = false;
    if (!truth(type, from, is)) return false;
    put([&](std::uint8_t* to) { return Protocol::put_bool(to, is); });
    return true;
  }
  THRIFTLENS_INLINE bool truth(const thriftlens::detail::image::type_node& type, PyObject* from, bool& is) {
    if (from != Py_True && from != Py_False) [[unlikely]]
      return foreign_truth(type, from, is);
    is = from == Py_True;
    return true;
  }
  THRIFTLENS_COLD bool foreign_truth(const thriftlens::detail::image::type_node& type, PyObject* from,
                                     bool& is) {
    const int truth_value = is_numpy_bool(from) ? PyObject_IsTrue(from) : -1;
    if (truth_value < 0) return mismatch(type, from);
    is = truth_value != 0;
    return true;
  }
  static bool is_numpy_bool(PyObject* from) {
    const std::string_view name = Py_TYPE(from)->tp_name;
    return name == "numpy.bool" || name == "numpy.bool_";
  }

  template <class Write>
  THRIFTLENS_INLINE void put(Write write) {
    out_.commit(write(out_.prepare(16)));
  }

  template <class Int>
  THRIFTLENS_INLINE bool number(const thriftlens::detail::image::type_node& type, PyObject* from,
                                std::uint8_t* (*store)(std::uint8_t*, Int) noexcept) {
    std::int64_t parsed = 0;
    if (!integer(type, from, parsed)) return false;
    if (parsed != static_cast<Int>(parsed)) [[unlikely]]
      return out_of_range(type, from);
    put([&](std::uint8_t* to) { return store(to, static_cast<Int>(parsed)); });
    return true;
  }
  THRIFTLENS_INLINE bool integer(const thriftlens::detail::image::type_node& type, PyObject* from,
                                 std::int64_t& parsed) {
    if (!PyLong_CheckExact(from)) [[unlikely]]
      return indexed(type, from, parsed);
    int overflow = 0;
    parsed = PyLong_AsLongLongAndOverflow(from, &overflow);
    return overflow == 0 || out_of_range(type, from);
  }
  // Subclasses of int and objects with __index__, such as NumPy integers. A bool is neither a number nor an
  // enum.
  THRIFTLENS_NOINLINE bool indexed(const thriftlens::detail::image::type_node& type, PyObject* from,
                                   std::int64_t& parsed) {
    if (PyBool_Check(from)) return mismatch(type, from);
    object index(PyNumber_Index(from));
    if (!index) return mismatch_unless_raised(type, from);
    int overflow = 0;
    parsed = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
    return overflow == 0 || out_of_range(type, from);
  }
  THRIFTLENS_COLD bool out_of_range(const thriftlens::detail::image::type_node& type, PyObject* from) {
    std::string shown = "a number";
    if (object repr{PyObject_Repr(from)}; repr && PyUnicode_GET_LENGTH(repr.get()) <= 40) {
      if (const char* text = PyUnicode_AsUTF8(repr.get())) shown = text;
    }
    PyErr_Clear();
    return fail(errc::value_range, shown + " is outside the range of " + std::string(to_string(type.kind)));
  }

  bool real(const thriftlens::detail::image::type_node& type, PyObject* from) {
    double parsed = 0;
    if (PyFloat_CheckExact(from)) {
      parsed = PyFloat_AS_DOUBLE(from);
    } else {
      if (PyBool_Check(from) || is_numpy_bool(from)) return mismatch(type, from);
      parsed = PyFloat_AsDouble(from);
      if (parsed == -1.0 && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) return out_of_range(type, from);
        return mismatch_unless_raised(type, from);
      }
    }
    put([&](std::uint8_t* to) { return Protocol::put_double(to, parsed); });
    return true;
  }

  THRIFTLENS_INLINE bool text(const thriftlens::detail::image::type_node& type, PyObject* from) {
    if (!PyUnicode_Check(from)) [[unlikely]]
      return mismatch(type, from);
    if (PyUnicode_IS_COMPACT_ASCII(from)) [[likely]]
      return run(PyUnicode_DATA(from), static_cast<std::size_t>(PyUnicode_GET_LENGTH(from)));
    return wide_text(from);
  }
  THRIFTLENS_NOINLINE bool wide_text(PyObject* from) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(from, &size);
    if (data != nullptr) return run(data, static_cast<std::size_t>(size));
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
    PyErr_Clear();
    return surrogate_text(from);
  }
  THRIFTLENS_COLD bool surrogate_text(PyObject* from) {
    std::string text;
    if (bytes_of_surrogates(from, options_.invalid_utf8, text)) return run(text.data(), text.size());
    return PyErr_Occurred() == nullptr && fail(errc::invalid_utf8, unpaired_surrogate);
  }
  bool bytes(const thriftlens::detail::image::type_node& type, PyObject* from) {
    bytes_like held;
    if (PyUnicode_Check(from) || !PyObject_CheckBuffer(from)) return mismatch(type, from);
    if (!held.take(from)) {
      PyErr_Clear();
      return fail(errc::value_type, "bytes must be contiguous, this " + name_of(from) + " has gaps");
    }
    return run(held.bytes().data(), held.bytes().size());
  }
  /// A size and that many bytes.
  THRIFTLENS_INLINE bool run(const void* data, std::size_t size) {
    if (size > 0x7fffffffu) [[unlikely]]
      return fail(errc::size_limit);
    std::uint8_t* to =
        Protocol::put_size(out_.prepare(Protocol::size_room + size), static_cast<std::uint32_t>(size));
    if (size != 0) std::memcpy(to, data, size);
    out_.commit(to + size);
    return true;
  }
  bool unique(const thriftlens::detail::image::type_node& type, PyObject* from) {
    const int known = is_instance(from, uuid_class());
    if (known < 0) return false;
    object raw = known == 1 ? object(attribute_of<"bytes">(from)) : object();
    if (!raw || !PyBytes_Check(raw.get()) || PyBytes_GET_SIZE(raw.get()) != 16) return mismatch(type, from);
    uuid_bytes id;
    std::memcpy(id.data(), PyBytes_AS_STRING(raw.get()), id.size());
    put([&](std::uint8_t* to) { return Protocol::put_uuid(to, id); });
    return true;
  }

  /// The number, a member of any Enum class, or the name of a member.
  bool enumeration(const thriftlens::detail::image::type_node& type, PyObject* from) {
    std::int64_t parsed = 0;
    if (PyUnicode_Check(from)) {
      if (!member(type, from, parsed)) return false;
    } else if (PyLong_Check(from)) {
      if (!integer(type, from, parsed)) return false;
    } else {
      const int known = is_instance(from, enum_class());
      object inner = known == 1 ? object(attribute_of<"value">(from)) : object();
      if (known < 0 || (known == 1 && !inner)) return false;
      if (!integer(type, known == 1 ? inner.get() : from, parsed)) return false;
    }
    if (parsed != static_cast<std::int32_t>(parsed)) return out_of_range(type, from);
    put([&](std::uint8_t* to) { return Protocol::put_i32(to, static_cast<std::int32_t>(parsed)); });
    return true;
  }
  bool member(const thriftlens::detail::image::type_node& type, PyObject* name, std::int64_t& parsed) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(name, &size);
    if (data == nullptr) return mismatch(type, name);
    const std::string_view label(data, static_cast<std::size_t>(size));
    const thriftlens::detail::image::enum_node& node = image_.enums[type.first];
    const std::uint32_t at = image_.find_member(node, label);
    if (at != thriftlens::detail::image::none) {
      parsed = image_.enum_members[at].value;
      return true;
    }
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < node.members.size; ++i)
      known.emplace_back(image_.view(image_.enum_members[node.members.begin + i].name));
    return fail(errc::unknown_enum_name, "enum " + std::string(image_.view(node.name)) + " has no member '" +
                                             std::string(label) + "'" +
                                             thriftlens::detail::did_you_mean(label, known));
  }

  // ---- views

  /// Whether it is a view whose unknown fields matter; others are encoded like any mapping or sequence.
  [[nodiscard]] bool is_view_as_bytes(PyObject* from) const {
    return is_view(from) && unknown_of_view(from) != on_unknown::drop;
  }
  [[nodiscard]] on_unknown unknown_of_view(PyObject* from) const {
    return options_.views.value_or(unknown_in_view(from));
  }
  /// Copies the bytes of a view of exactly this type; encodes the decoded value of others.
  THRIFTLENS_NOINLINE bool view_value(const thriftlens::detail::image::type_node& type, PyObject* from) {
    const on_unknown unknown = unknown_of_view(from);
    const bool is_plain = options_.missing == on_missing::error && !options_.writes_defaults();
    if (is_plain && is_strict_view_of(from, type)) {
      const result<void> status = try_append_view(from, Protocol::id, unknown, {.depth = depth_left_}, out_);
      if (status) return true;
      const std::string_view inside = status.error().path();
      path_in_view_ = inside.substr(std::min<std::size_t>(1, inside.size()));
      return fail(status.error().code(), std::string(status.error().detail()));
    }
    const object plain(decode_view_with(from, unknown, options_.names));
    if (!plain) return false;
    const bool outer = std::exchange(keeps_view_, unknown == on_unknown::keep);
    const bool status = value(type, plain.get());
    keeps_view_ = outer;
    return status;
  }
  [[nodiscard]] bool keeps_unknown() const noexcept { return keeps_view_ || options_.keeps_unknown(); }

  // ---- containers

  [[nodiscard]] bool enter() {
    if (depth_left_ == 0) [[unlikely]]
      return fail(errc::depth_limit);
    --depth_left_;
    return true;
  }
  void leave() noexcept { ++depth_left_; }

  /// Any iterable except text, bytes and mappings.
  bool elements(const thriftlens::detail::image::type_node& type, PyObject* from) {
    if (!PyList_Check(from) && is_view_as_bytes(from)) return view_value(type, from);
    const bool is_other = PyUnicode_Check(from) || PyBytes_Check(from) || PyByteArray_Check(from);
    if (is_other || PyDict_Check(from)) return mismatch(type, from);
    if (number_array numbers; type.kind == type_kind::list && !PyList_Check(from) && numbers.take(from) &&
                              numbers.fits(types_[type.first].kind))
      return put_numbers(types_[type.first], numbers);
    object items(fixed_sequence(from, ""));
    if (!items) return mismatch_unless_raised(type, from);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
    if (!enter() || !countable(count)) return false;
    const list_header header{types_[type.first].wire, static_cast<std::uint32_t>(count)};
    put([&](std::uint8_t* to) {
      return type.kind == type_kind::set ? Protocol::put_set(to, header) : Protocol::put_list(to, header);
    });
    const bool compares = type.kind == type_kind::set && count > 1;
    const bool sorts = compares && PyAnySet_Check(from);
    const std::size_t base = parts_.size(), begin = out_.size();
    if (!put_elements(types_[type.first], items.get(), count, sorts)) return false;
    const map_header set{header.element, ttype::stop, header.size};
    if (compares && !differ(begin, set)) return false;
    if (sorts) sort_parts(base);
    leave();
    return true;
  }
  /// A list of the numbers of an array.
  THRIFTLENS_NOINLINE bool put_numbers(const thriftlens::detail::image::type_node& element,
                                       const number_array& from) {
    if (!enter() || !countable(static_cast<Py_ssize_t>(from.size()))) return false;
    const list_header header{element.wire, static_cast<std::uint32_t>(from.size())};
    put([&](std::uint8_t* to) { return Protocol::put_list(to, header); });
    const std::size_t count = append_numbers<Protocol>(out_, element.kind, from);
    if (count != from.size()) {
      fail(errc::value_range,
           from.text(count) + " is outside the range of " + std::string(to_string(element.kind)));
      return path_.index(count);
    }
    leave();
    return true;
  }
  THRIFTLENS_INLINE bool put_elements(const thriftlens::detail::image::type_node& element, PyObject* items,
                                      Py_ssize_t count, bool keeps_parts) {
    for (Py_ssize_t i = 0; i < count; ++i) {
      const std::size_t start = out_.size();
      // Python code called for an element may change the caller's list.
      if (PySequence_Fast_GET_SIZE(items) != count) [[unlikely]]
        return changed();
      object item = object::share(PySequence_Fast_GET_ITEM(items, i));
      if (!value(element, item.get())) [[unlikely]]
        return path_.index(static_cast<std::size_t>(i));
      if (keeps_parts) parts_.push_back({start, out_.size()});
    }
    return true;
  }
  /// A TypeError becomes a mismatch; other Python errors are passed on.
  bool mismatch_unless_raised(const thriftlens::detail::image::type_node& type, PyObject* from) {
    if (PyErr_Occurred() != nullptr && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    return mismatch(type, from);
  }
  /// Whether the keys written from `begin` on are unique; for set elements, the value type is stop.
  bool differ(std::size_t begin, const map_header& map) {
    const byte_view written(out_.data() + begin, out_.size() - begin);
    const std::size_t repeated = thriftlens::detail::find_repeated_key<Protocol>(
        typename Protocol::reader(written, thriftlens::detail::key_limits), map);
    if (repeated == thriftlens::detail::repeated_keys::none) return true;
    const bool is_set = map.value == ttype::stop;
    fail(errc::duplicate_key,
         is_set ? std::string(thriftlens::detail::duplicate_element_text) : std::string());
    return is_set ? path_.index(repeated) : path_.key_at(repeated);
  }
  /// Sorts elements by their bytes, so that equal sets, which have no order in Python, give equal bytes.
  void sort_parts(std::size_t base) {
    const auto first = parts_.begin() + static_cast<std::ptrdiff_t>(base);
    const std::size_t begin = first->begin;
    const buffer unsorted(byte_view(out_.data() + begin, out_.size() - begin));
    const auto bytes = [&](const part& element) {
      return byte_view(unsorted.data() + (element.begin - begin), element.end - element.begin);
    };
    std::sort(first, parts_.end(),
              [&](const part& a, const part& b) { return bytes(a).text() < bytes(b).text(); });
    out_.truncate(begin);
    for (auto element = first; element != parts_.end(); ++element) out_.append(bytes(*element));
    parts_.resize(base);
  }
  [[nodiscard]] bool countable(Py_ssize_t count) { return count <= 0x7fffffff || fail(errc::size_limit); }
  bool changed() {
    PyErr_SetString(PyExc_RuntimeError, "a container was changed while it was encoded");
    return false;
  }

  /// A mapping, or an iterable of pairs.
  bool entries(const thriftlens::detail::image::type_node& type, PyObject* from) {
    if (PyDict_Check(from)) return dict_entries(type, from);
    if (is_view_as_bytes(from)) return view_value(type, from);
    object pairs = has_keys(from) ? object(PyMapping_Items(from)) : object();
    if (PyErr_Occurred() != nullptr) return false;
    if (!pairs && !PyUnicode_Check(from) && !PyBytes_Check(from)) pairs = fixed_sequence(from, "");
    return pairs ? pair_entries(type, from, pairs.get()) : mismatch_unless_raised(type, from);
  }
  bool pair_entries(const thriftlens::detail::image::type_node& type, PyObject* from, PyObject* pairs) {
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(pairs);
    map_header header;
    if (!begin_entries(type, count, header)) return false;
    const std::size_t begin = out_.size();
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (PySequence_Fast_GET_SIZE(pairs) != count) return changed();
      object pair = object::share(PySequence_Fast_GET_ITEM(pairs, i));
      if (!PyTuple_Check(pair.get()) || PyTuple_GET_SIZE(pair.get()) != 2) return mismatch(type, from);
      if (!entry(type, i, PyTuple_GET_ITEM(pair.get(), 0), PyTuple_GET_ITEM(pair.get(), 1))) return false;
    }
    return end_entries(begin, header, true);
  }
  static bool has_keys(PyObject* from) { return PyMapping_Check(from) != 0 && has_attribute<"keys">(from); }
  bool dict_entries(const thriftlens::detail::image::type_node& type, PyObject* from) {
    const object fixed = fixed_dict(from);
    return fixed && fixed_entries(type, fixed.get());
  }
  bool fixed_entries(const thriftlens::detail::image::type_node& type, PyObject* from) {
    const Py_ssize_t count = PyDict_GET_SIZE(from);
    map_header header;
    if (!begin_entries(type, count, header)) return false;
    const std::size_t begin = out_.size();
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    Py_ssize_t written = 0;
    PyTypeObject* const exact = exact_key_type(types_[type.first].kind);
    bool compares = false;
    while (PyDict_Next(from, &position, &key, &item) != 0) {
      // Python code called for an entry may change the dict.
      if (written == count) [[unlikely]]
        return changed();
      object key_owner = object::share(key), item_owner = object::share(item);
      compares |= Py_TYPE(key) != exact;
      if (!entry(type, written++, key, item)) [[unlikely]]
        return false;
      if (PyDict_GET_SIZE(from) != count) [[unlikely]]
        return changed();
    }
    if (written != count) [[unlikely]]
      return changed();
    return end_entries(begin, header, compares);
  }
  /// The class whose unequal objects are always unequal keys, or null.
  [[nodiscard]] static PyTypeObject* exact_key_type(type_kind kind) noexcept {
    if (kind == type_kind::string) return &PyUnicode_Type;
    return kind >= type_kind::i8 && kind <= type_kind::i64 ? &PyLong_Type : nullptr;
  }
  bool end_entries(std::size_t begin, const map_header& header, bool compares) {
    if (compares && !differ(begin, header)) return false;
    leave();
    return true;
  }
  bool begin_entries(const thriftlens::detail::image::type_node& type, Py_ssize_t count, map_header& header) {
    if (!enter() || !countable(count)) return false;
    header = {types_[type.first].wire, types_[type.second].wire, static_cast<std::uint32_t>(count)};
    put([&](std::uint8_t* to) { return Protocol::put_map(to, header); });
    return true;
  }
  THRIFTLENS_INLINE bool entry(const thriftlens::detail::image::type_node& type, Py_ssize_t at, PyObject* key,
                               PyObject* item) {
    const std::size_t begin = out_.size();
    if (!value(types_[type.first], key)) [[unlikely]]
      return path_.key_at(static_cast<std::size_t>(at));
    const std::size_t key_end = out_.size();
    if (!value(types_[type.second], item)) [[unlikely]]
      return thriftlens::detail::add_key_step<Protocol>(path_, {out_.data() + begin, key_end - begin},
                                                        types_[type.first].wire);
    return true;
  }

  // ---- structs

  bool structure(const thriftlens::detail::image::type_node& type, PyObject* from) {
    if (!PyDict_Check(from) && is_view_as_bytes(from)) return view_value(type, from);
    const thriftlens::detail::image::struct_node& node = image_.structs[type.first];
    if (!enter()) return false;
    const std::size_t base = slots_.size();
    slots_.resize(base + node.fields.size, nullptr);
    const std::size_t first = order_.size();
    if (!gather(type, node, base, from)) return false;
    if (!(order_.size() == first ? write(node, base) : write_in_order(node, base, first))) return false;
    release(base);
    leave();
    return true;
  }
  void release(std::size_t base) noexcept {
    for (std::size_t i = base; i < slots_.size(); ++i) Py_XDECREF(slots_[i]);
    slots_.resize(base);
  }

  /// None or msgspec.UNSET.
  [[nodiscard]] static bool is_absent(PyObject* item) noexcept {
    if (item == Py_None) return true;
    const PyTypeObject* const of = Py_TYPE(item);
    return of->tp_basicsize == static_cast<Py_ssize_t>(sizeof(PyObject)) &&
           std::string_view(of->tp_name) == "msgspec.UnsetType";
  }

  /// Stores the values in slots by field index; None and msgspec.UNSET count as absent.
  bool gather(const thriftlens::detail::image::type_node& type,
              const thriftlens::detail::image::struct_node& node, std::size_t base, PyObject* from) {
    if (PyDict_Check(from)) return gather_dict(node, base, from);
    if (const auto known = layouts_.find(layout_key(type, from));
        known != nullptr && (!known->has_unknown || options_.skips_unknown()))
      return gather_by_layout(type, *known, node, base, from);
    if (PyTuple_Check(from) && !has_attribute<"_fields">(from)) return gather_pairs(type, node, base, from);
    if (has_keys(from)) {
      object plain(PyDict_New());
      if (!plain || PyDict_Update(plain.get(), from) != 0) return false;
      return gather_dict(node, base, plain.get());
    }
    return gather_attributes(type, node, base, from);
  }
  bool gather_dict(const thriftlens::detail::image::struct_node& node, std::size_t base, PyObject* from) {
    const object_scope alone(from);
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    std::uint32_t next = 0;
    if (keeps_unknown()) [[unlikely]] {
      while (PyDict_Next(from, &position, &key, &item) != 0)
        if (!gather_in_order(node, base, key, item)) return false;
      return true;
    }
    while (PyDict_Next(from, &position, &key, &item) != 0) {
      if (!gather_one(node, base, key, item, next)) return false;
    }
    return true;
  }
  /// The decoded form of structs in map keys.
  bool gather_pairs(const thriftlens::detail::image::type_node& type,
                    const thriftlens::detail::image::struct_node& node, std::size_t base, PyObject* from) {
    std::uint32_t next = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(from); ++i) {
      PyObject* pair = PyTuple_GET_ITEM(from, i);
      if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) return mismatch(type, from);
      PyObject *const key = PyTuple_GET_ITEM(pair, 0), *const item = PyTuple_GET_ITEM(pair, 1);
      if (!(keeps_unknown() ? gather_in_order(node, base, key, item)
                            : gather_one(node, base, key, item, next)))
        return false;
    }
    return true;
  }
  /// For structs with unknown fields: also records the order of the keys, in which all fields are written.
  bool gather_in_order(const thriftlens::detail::image::struct_node& node, std::size_t base, PyObject* key,
                       PyObject* item) {
    std::int16_t id = 0;
    std::uint32_t at = 0;
    if (is_unknown_key(key, id) && !has_alias(node, id)) return gather_unknown(node, id, item);
    if (!find(node, key, at)) return false;
    if (is_absent(item)) return true;
    PyObject*& slot = slots_[base + at];
    if (slot != nullptr) return fail_at(errc::duplicate_field, node.fields.begin + at);
    slot = new_reference(item);
    order_.push_back({at, 0, nullptr});
    return true;
  }
  bool gather_unknown(const thriftlens::detail::image::struct_node& node, std::int16_t id, PyObject* item) {
    const std::uint32_t known = image_.find_field(node, id);
    if (known != thriftlens::detail::image::none)
      return fail(errc::unknown_key, "the IDL declares the field with id " + std::to_string(id) +
                                         ": use its name '" +
                                         std::string(image_.view(image_.field_texts[known].name)) + '\'');
    if (!ids_.add(out_.size(), id)) return duplicate_unknown(id);
    if (item != Py_None) order_.push_back({thriftlens::detail::image::none, id, new_reference(item)});
    return true;
  }
  bool duplicate_unknown(std::int16_t id) {
    fail(errc::duplicate_field);
    return path_.field_id(id);
  }
  [[nodiscard]] static bool is_unknown_key(PyObject* key, std::int16_t& id) {
    if (!PyUnicode_Check(key) || !PyUnicode_IS_COMPACT_ASCII(key)) return false;
    const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(key));
    return thriftlens::detail::parse_unknown_key({static_cast<const char*>(PyUnicode_DATA(key)), size}, id);
  }
  [[nodiscard]] bool has_alias(const thriftlens::detail::image::struct_node& node, std::int16_t id) const {
    return options_.by_alias() &&
           image_.find_alias(node, thriftlens::detail::unknown_key(id)) != thriftlens::detail::image::none;
  }
  void release_order(std::size_t first) noexcept {
    for (std::size_t i = first; i < order_.size(); ++i) Py_XDECREF(order_[i].item);
    order_.resize(first);
  }
  static constexpr std::uint32_t max_absent = 8;  // fields skipped before the name is looked up
  // Runs no Python code, so the dict cannot change during PyDict_Next.
  THRIFTLENS_INLINE bool gather_one(const thriftlens::detail::image::struct_node& node, std::size_t base,
                                    PyObject* key, PyObject* item, std::uint32_t& next) {
    PyObject* const* const names = names_ + node.fields.begin;
    // Names usually are in field order, and identical to those that decode uses.
    const std::uint32_t end = std::min(next + max_absent, node.fields.size);
    std::uint32_t at = next;
    while (at < end && names[at] != key) ++at;
    if (at == end) [[unlikely]] {
      if (!find(node, key, at)) return false;
      if (at == thriftlens::detail::image::none) return true;
    }
    next = at + 1;
    if (is_absent(item)) return true;
    PyObject*& slot = slots_[base + at];
    if (slot != nullptr) [[unlikely]]
      return fail_at(errc::duplicate_field, node.fields.begin + at);
    slot = new_reference(item);
    return true;
  }
  THRIFTLENS_NOINLINE bool find(const thriftlens::detail::image::struct_node& node, PyObject* key,
                                std::uint32_t& at) {
    at = thriftlens::detail::image::none;
    if (!PyUnicode_Check(key))
      return fail(errc::value_type, "the keys of a struct are field names, got " + name_of(key));
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(key, &size);
    if (data == nullptr && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return false;
    PyErr_Clear();
    const std::string_view name =
        data != nullptr ? std::string_view(data, static_cast<std::size_t>(size)) : "\xef\xbf\xbd";
    const std::uint32_t index =
        options_.by_alias() ? image_.find_alias(node, name) : image_.find_field(node, name);
    if (index == thriftlens::detail::image::none) return options_.skips_unknown() || no_field(node, name);
    at = index - node.fields.begin;
    return true;
  }
  THRIFTLENS_COLD bool no_field(const thriftlens::detail::image::struct_node& node, std::string_view name) {
    std::vector<std::string> known;
    for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i) {
      const thriftlens::detail::image::field_text& text = image_.field_texts[i];
      known.emplace_back(image_.view(options_.by_alias() ? text.alias : text.name));
    }
    return fail(errc::unknown_key,
                std::string(to_string(node.kind)) + ' ' + std::string(image_.view(node.name)) +
                    " has no field '" + std::string(name) + "'" +
                    thriftlens::detail::did_you_mean(name, known) + unknown_key_hint(name));
  }
  [[nodiscard]] std::string unknown_key_hint(std::string_view name) const {
    std::int16_t id = 0;
    const bool is_unknown = thriftlens::detail::parse_unknown_key(name, id);
    return is_unknown ? "; unknown=\"keep\" accepts it" : std::string();
  }

  // ---- objects of known classes

  [[nodiscard]] layout_cache::key layout_key(const thriftlens::detail::image::type_node& type,
                                             PyObject* from) const noexcept {
    return {Py_TYPE(from), layout_cache::tag_of(Py_TYPE(from)), type.first, options_.by_alias()};
  }
  /// Like gather_attributes, but skips attributes that the class cannot have.
  bool gather_by_layout(const thriftlens::detail::image::type_node& type, const object_layout& layout,
                        const thriftlens::detail::image::struct_node& node, std::size_t base,
                        PyObject* from) {
    using source = object_layout::source;
    bool fits = layout.is_declared || node.fields.size == 0;
    object instance;
    if (layout.has_instance) {
      instance = object(PyObject_GenericGetDict(from, nullptr));
      if (!instance) return false;
      fits |= gather_instance(layout, node, base, instance.get());
    }
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      const object_layout::field& field = layout.fields[i];
      if (field.from == source::nowhere || slots_[base + i] != nullptr) continue;
      object item;
      if (field.from == source::slot) {
        item = object::share(*reinterpret_cast<PyObject**>(reinterpret_cast<char*>(from) + field.at));
      } else if (field.from == source::item && field.at < PyTuple_GET_SIZE(from)) {
        item = object::share(PyTuple_GET_ITEM(from, field.at));
      } else if (!attribute(field, instance.get(), from, names_[node.fields.begin + i], item)) {
        return false;
      }
      fits |= static_cast<bool>(item);
      if (item && !is_absent(item.get())) slots_[base + i] = item.release();
    }
    return fits || mismatch(type, from);
  }
  /// Reads the prefix of the instance's dict that is in field order, as __init__ fills it. True if there is
  /// any.
  bool gather_instance(const object_layout& layout, const thriftlens::detail::image::struct_node& node,
                       std::size_t base, PyObject* instance) {
    PyObject* const* const names = names_ + node.fields.begin;
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    std::uint32_t at = 0;
    bool has_match = false;
    while (PyDict_Next(instance, &position, &key, &item) != 0) {
      const std::uint32_t end = std::min(at + max_absent, node.fields.size);
      while (at < end && names[at] != key) ++at;
      if (at == end) break;
      has_match = true;
      if (!is_absent(item) && layout.fields[at].is_instance()) slots_[base + at] = new_reference(item);
      ++at;
    }
    return has_match;
  }
  /// Reads a field from the instance's dict, or else as an attribute. `item` is null if it is absent.
  bool attribute(const object_layout::field& field, PyObject* instance, PyObject* from, PyObject* name,
                 object& item) {
    using source = object_layout::source;
    if (field.is_instance()) {
      item = object::share(PyDict_GetItemWithError(instance, name));
      if (item || field.from == source::instance) return PyErr_Occurred() == nullptr;
      if (PyErr_Occurred() != nullptr) return false;
    }
    item = object(PyObject_GetAttr(from, name));
    if (item) return true;
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return false;
    PyErr_Clear();
    return true;
  }
  /// Caches the layout of a class, if its instances have a common one.
  void remember_layout(const thriftlens::detail::image::type_node& type,
                       const thriftlens::detail::image::struct_node& node, PyObject* from, PyObject* declared,
                       bool has_unknown) {
    PyTypeObject* const of = Py_TYPE(from);
    if (!layout_maker::can_have_layout(of)) return;
    const bool is_tuple = PyTuple_Check(from) != 0;
    if (is_tuple ? declared == nullptr : PyMapping_Check(from) != 0) return;
    auto layout = std::make_shared<object_layout>();
    layout->is_declared = declared != nullptr;
    const layout_maker maker(of);
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      PyObject* const name = names_[node.fields.begin + i];
      Py_ssize_t item = is_tuple ? PySequence_Index(declared, name) : -1;
      if (is_tuple && item == -1) PyErr_Clear();
      layout->fields.push_back(maker.field(name, item));
      layout->has_instance |= layout->fields.back().is_instance();
    }
    layout->has_unknown = has_unknown;
    const layout_cache::key key = layout_key(type, from);
    if (key.tag != 0) layouts_.put(key, std::move(layout));
  }

  /// Reads attributes of an object. A class that declares its fields may not have unknown ones; other objects
  /// must have at least one field of the struct.
  bool gather_attributes(const thriftlens::detail::image::type_node& type,
                         const thriftlens::detail::image::struct_node& node, std::size_t base,
                         PyObject* from) {
    if (!has_attributes(from)) return mismatch(type, from);
    object declared(declared_fields(from));
    std::uint32_t at = 0;
    bool has_unknown = false;
    for (Py_ssize_t i = 0; declared && i < PyTuple_GET_SIZE(declared.get()); ++i) {
      if (!find(node, PyTuple_GET_ITEM(declared.get(), i), at)) return false;
      has_unknown |= at == thriftlens::detail::image::none;
    }
    const object extra(extra_fields(from));
    for (Py_ssize_t i = 0; extra && i < PyTuple_GET_SIZE(extra.get()); ++i) {
      if (!find(node, PyTuple_GET_ITEM(extra.get(), i), at)) return false;
    }
    if (!extra) remember_layout(type, node, from, declared.get(), has_unknown);
    bool fits = declared || node.fields.size == 0;
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      object item(PyObject_GetAttr(from, names_[node.fields.begin + i]));
      fits |= static_cast<bool>(item);
      if (item) {
        if (!is_absent(item.get())) slots_[base + i] = item.release();
      } else if (PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
      } else {
        return false;
      }
    }
    return fits || mismatch(type, from);
  }
  bool write(const thriftlens::detail::image::struct_node& node, std::size_t base) {
    std::int16_t last_id = 0, first = 0;
    std::uint32_t members = 0;
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      PyObject* item = slots_[base + i];
      const std::uint32_t index = node.fields.begin + i;
      if (item == nullptr) {
        if ((fields_[index].flags &
             (thriftlens::detail::image::required | thriftlens::detail::image::has_default)) != 0 &&
            !absent(node, index, last_id))
          return false;
        continue;
      }
      if (node.kind == type_kind::union_ && ++members > 1) [[unlikely]]
        return two_members(node, first, fields_[index].id);
      first = fields_[index].id;
      if (!write_field(fields_[index], item, last_id)) [[unlikely]]
        return mark_field(index);
    }
    put([](std::uint8_t* to) { return Protocol::put_stop(to); });
    return true;
  }
  /// Writes the fields in the order of their keys, then those for absent ones.
  bool write_in_order(const thriftlens::detail::image::struct_node& node, std::size_t base,
                      std::size_t first) {
    std::int16_t last_id = 0, previous = 0;
    std::uint32_t members = 0;
    const std::size_t end = order_.size();
    for (std::size_t i = first; i < end; ++i) {
      const ordered_field entry = order_[i];
      const std::uint32_t index = node.fields.begin + entry.at;
      const std::int16_t id = entry.item != nullptr ? entry.id : fields_[index].id;
      if (node.kind == type_kind::union_ && ++members > 1) return two_members(node, previous, id);
      previous = id;
      if (entry.item != nullptr) {
        if (!unknown_field(entry.id, entry.item, last_id)) return path_.field_id(entry.id);
        continue;
      }
      if (!write_field(fields_[index], slots_[base + entry.at], last_id)) return mark_field(index);
    }
    release_order(first);
    for (std::uint32_t i = 0; i < node.fields.size; ++i)
      if (slots_[base + i] == nullptr && !absent(node, node.fields.begin + i, last_id)) return false;
    put([](std::uint8_t* to) { return Protocol::put_stop(to); });
    return true;
  }
  THRIFTLENS_COLD bool two_members(const thriftlens::detail::image::struct_node& node, std::int16_t first,
                                   std::int16_t second) {
    return fail(errc::union_members,
                thriftlens::detail::two_members_text({&image_, node.type}, first, second));
  }
  THRIFTLENS_INLINE bool write_field(const thriftlens::detail::image::field_node& field, PyObject* item,
                                     std::int16_t& last_id) {
    if (field.wire == ttype::bool_) {
      bool is = false;
      if (!truth(types_[field.type], item, is)) return false;
      put([&](std::uint8_t* to) { return Protocol::put_bool_field(to, field.id, is, last_id); });
      return true;
    }
    put([&](std::uint8_t* to) { return Protocol::put_field(to, field.wire, field.id, last_id); });
    return value(types_[field.type], item);
  }
  THRIFTLENS_COLD bool mark_field(std::uint32_t index) {
    return path_.field(image_.view(image_.field_texts[index].name));
  }

  THRIFTLENS_COLD bool fail_at(errc code, std::uint32_t index) {
    fail(code);
    return mark_field(index);
  }

  /// Handles an absent field that is required or has a default.
  bool absent(const thriftlens::detail::image::struct_node& node, std::uint32_t index,
              std::int16_t& last_id) {
    const thriftlens::detail::image::field_node& field = fields_[index];
    if ((field.flags & thriftlens::detail::image::required) != 0) [[unlikely]]
      return options_.missing == on_missing::zero ? zero(index, last_id)
                                                  : fail_at(errc::missing_required, index);
    if (!options_.writes_defaults() || (field.flags & thriftlens::detail::image::has_default) == 0 ||
        node.kind == type_kind::union_)
      return true;
    const thriftlens::detail::image::field_text& text = image_.field_texts[index];
    if (field.wire == ttype::bool_) {
      const bool is = image_.value(text.default_binary)[0] != 0;
      put([&](std::uint8_t* to) { return Protocol::put_bool_field(to, field.id, is, last_id); });
      return true;
    }
    put([&](std::uint8_t* to) { return Protocol::put_field(to, field.wire, field.id, last_id); });
    out_.append(
        image_.value(Protocol::id == protocol_id::binary ? text.default_binary : text.default_compact));
    return true;
  }

  bool zero(std::uint32_t index, std::int16_t& last_id) {
    buffer bytes;
    thriftlens::detail::zero_writer<Protocol> zeros(image_, bytes, depth_left_, limits().max_output(0));
    if (!zeros.field(index)) {
      fail(zeros.code(), zeros.message());
      path_.steps_of(zeros.steps());
      return mark_field(index);
    }
    thriftlens::detail::append_raw_field<Protocol>(out_, {fields_[index].wire, fields_[index].id}, bytes,
                                                   last_id);
    return true;
  }

  // ---- unknown fields: {"i32": 7}, as decode returns them, or frozen in keys

  template <ttype Type>
  using constant = thriftlens::detail::ttype_constant<Type>;
  [[nodiscard]] static const thriftlens::detail::image::type_node& node_of(ttype wire) noexcept {
    return wire_types[static_cast<std::size_t>(wire)];
  }
  bool shape_fault(const char* shape, PyObject* from) {
    return fail(errc::value_type, std::string("expected ") + shape + ", got " + name_of(from));
  }
  /// Whether it is a list or tuple of that size; -1 means any size.
  static bool is_row(PyObject* from, Py_ssize_t size) {
    const bool is_row = PyList_Check(from) || PyTuple_Check(from);
    return is_row && (size < 0 || PySequence_Fast_GET_SIZE(from) == size);
  }
  static object at(PyObject* row, Py_ssize_t i) {
    const object_scope alone(row);
    const bool has_it = i < PySequence_Fast_GET_SIZE(row);
    return object::share(has_it ? PySequence_Fast_GET_ITEM(row, i) : Py_None);
  }

  bool unknown_field(std::int16_t id, PyObject* tagged, std::int16_t& last_id) {
    constexpr const char* shape = "a dict of a wire type and a value, such as {'i32': 7}";
    object type_name, item;
    if (PyDict_Check(tagged) && PyDict_GET_SIZE(tagged) == 1) {
      PyObject *key = nullptr, *value = nullptr;
      Py_ssize_t position = 0;
      const object_scope alone(tagged);
      if (PyDict_Next(tagged, &position, &key, &value) == 0) return shape_fault(shape, tagged);
      type_name = object::share(key);
      item = object::share(value);
    } else if (PyTuple_Check(tagged) && is_row(tagged, 1) && is_row(PyTuple_GET_ITEM(tagged, 0), 2)) {
      type_name = at(PyTuple_GET_ITEM(tagged, 0), 0);
      item = at(PyTuple_GET_ITEM(tagged, 0), 1);
    } else {
      return shape_fault(shape, tagged);
    }
    ttype wire = ttype::stop;
    if (!wire_of(type_name.get(), wire, false)) return false;
    if (wire != ttype::bool_) {
      put([&](std::uint8_t* to) { return Protocol::put_field(to, wire, id, last_id); });
      return unknown_value(wire, item.get());
    }
    bool is = false;
    if (!truth(node_of(wire), item.get(), is)) return false;
    put([&](std::uint8_t* to) { return Protocol::put_bool_field(to, id, is, last_id); });
    return true;
  }
  /// "stop" is the element type of an empty container.
  bool wire_of(PyObject* type_name, ttype& wire, bool is_element) {
    Py_ssize_t size = 0;
    const char* const data = PyUnicode_Check(type_name) ? PyUnicode_AsUTF8AndSize(type_name, &size) : nullptr;
    if (data == nullptr) {
      PyErr_Clear();
      return shape_fault("the name of a wire type", type_name);
    }
    const std::string_view name(data, static_cast<std::size_t>(size));
    wire = thriftlens::detail::find_ttype(name);
    if (wire != ttype::void_ && (is_element || wire != ttype::stop)) return true;
    return fail(errc::value_type, thriftlens::detail::no_ttype_text(name));
  }
  bool unknown_value(ttype wire, PyObject* from) {
    if (wire == ttype::stop) return fail(errc::value_type, "'stop' is not a value type");
    return thriftlens::detail::visit_ttype(wire, [&](auto known) { return this->unknown(known, from); });
  }
  template <ttype Scalar>
  bool unknown(constant<Scalar>, PyObject* from) {
    return value(node_of(Scalar), from);
  }
  bool unknown(constant<ttype::list>, PyObject* from) { return unknown_sequence(ttype::list, from); }
  bool unknown(constant<ttype::set>, PyObject* from) { return unknown_sequence(ttype::set, from); }
  bool unknown_sequence(ttype type, PyObject* from) {
    constexpr const char* shape = "[element type, [elements]]";
    if (!is_row(from, 2)) return shape_fault(shape, from);
    const object type_name = at(from, 0), items = at(from, 1);
    list_header list;
    if (!is_row(items.get(), -1)) return shape_fault(shape, from);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
    if (!wire_of(type_name.get(), list.element, true) || !enter() || !countable(count)) return false;
    list.size = static_cast<std::uint32_t>(count);
    put([&](std::uint8_t* to) {
      return type == ttype::set ? Protocol::put_set(to, list) : Protocol::put_list(to, list);
    });
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!is_row(items.get(), count)) return changed();
      if (!unknown_value(list.element, at(items.get(), i).get()))
        return path_.index(static_cast<std::size_t>(i));
    }
    leave();
    return true;
  }
  bool unknown(constant<ttype::map>, PyObject* from) {
    constexpr const char* shape = "[key type, value type, [[key, value]]]";
    if (!is_row(from, 3)) return shape_fault(shape, from);
    const object key = at(from, 0), item = at(from, 1), pairs = at(from, 2);
    map_header map;
    if (!is_row(pairs.get(), -1)) return shape_fault(shape, from);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(pairs.get());
    if (!wire_of(key.get(), map.key, true) || !wire_of(item.get(), map.value, true)) return false;
    if (!enter() || !countable(count)) return false;
    map.size = static_cast<std::uint32_t>(count);
    put([&](std::uint8_t* to) { return Protocol::put_map(to, map); });
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!is_row(pairs.get(), count)) return changed();
      if (!unknown_pair(map, at(pairs.get(), i).get(), static_cast<std::size_t>(i))) return false;
    }
    leave();
    return true;
  }
  bool unknown_pair(const map_header& map, PyObject* pair, std::size_t number) {
    if (!is_row(pair, 2)) {
      shape_fault("[key, value]", pair);
      return path_.key_at(number);
    }
    const object key = at(pair, 0), item = at(pair, 1);
    const std::size_t begin = out_.size();
    if (!unknown_value(map.key, key.get())) return path_.key_at(number);
    const std::size_t size = out_.size() - begin;
    return unknown_value(map.value, item.get()) ||
           thriftlens::detail::add_key_step<Protocol>(path_, {out_.data() + begin, size}, map.key);
  }
  /// A dict of unknown fields, or a tuple of pairs.
  bool unknown(constant<ttype::struct_>, PyObject* from) {
    const bool is_dict = PyDict_Check(from);
    if (!is_dict && !PyTuple_Check(from)) return shape_fault("a dict of unknown fields", from);
    const object pairs(is_dict ? PyDict_Items(from) : new_reference(from));
    if (!pairs || !enter()) return false;
    const std::size_t begin = out_.size();
    std::int16_t last_id = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(pairs.get()); ++i)
      if (!unknown_member(begin, at(pairs.get(), i).get(), last_id)) return false;
    put([](std::uint8_t* to) { return Protocol::put_stop(to); });
    leave();
    return true;
  }
  bool unknown_member(std::size_t in, PyObject* pair, std::int16_t& last_id) {
    if (!is_row(pair, 2)) return shape_fault("a pair of \"#<id>\" and a value", pair);
    const object key = at(pair, 0), item = at(pair, 1);
    std::int16_t id = 0;
    if (!is_unknown_key(key.get(), id))
      return fail(errc::unknown_key, "the keys of unknown fields must be \"#<id>\"");
    if (!ids_.add(in, id)) return duplicate_unknown(id);
    return item.get() == Py_None || unknown_field(id, item.get(), last_id) || path_.field_id(id);
  }

  /// A field in the order of the keys: the slot of a known one, or the owned value of an unknown one.
  struct ordered_field {
    std::uint32_t at;
    std::int16_t id;
    PyObject* item;
  };

  buffer& out_;
  const schema_image& image_;
  const thriftlens::detail::image::field_node* const fields_;
  const thriftlens::detail::image::type_node* const types_;
  PyObject* const* const names_;
  layout_cache& layouts_;
  const encode_options& options_;
  std::uint32_t depth_left_;
  std::vector<PyObject*> slots_;        // owned field values of the open structs
  std::vector<ordered_field> order_;    // fields of the open structs that may have unknown fields
  thriftlens::detail::struct_ids ids_;  // by the start of their struct in the output
  std::vector<part> parts_;             // elements of the open sets
  errc code_ = errc::ok;
  std::string detail_;
  std::string path_in_view_;  // of an error in the bytes of a view
  bool keeps_view_ = false;   // inside a decoded view that keeps its unknown fields
  thriftlens::detail::path_builder path_{thriftlens::detail::path_builder::order::innermost_first};
};

template <protocol Protocol>
encoded append_as(schema_keys& keys, type of, PyObject* value, buffer& out, const encode_options& options,
                  error& reason) {
  const std::size_t start = out.size();
  value_writer<Protocol> writer(keys, out, options);
  if (writer.value(of.node(), value)) return encoded::ok;
  out.truncate(start);
  if (PyErr_Occurred() != nullptr) return encoded::raised;
  reason = writer.reason();
  return encoded::refused;
}

}  // namespace

encoded try_append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out,
                           const encode_options& options, error& reason) {
  if (!keys.prepare()) return encoded::raised;
  return visit_protocol(options.protocol, [&](auto tag) {
    return append_as<decltype(tag)>(keys, of, value, out, options, reason);
  });
}

bool append_encoded(schema_keys& keys, type of, PyObject* value, buffer& out, const encode_options& options) {
  error reason;
  const encoded status = try_append_encoded(keys, of, value, out, options, reason);
  if (status == encoded::refused) {
    raise(reason, family::encode);
    name_option(encoder_signature(), &options);
  }
  return status == encoded::ok;
}

PyObject* encode(schema_keys& keys, type of, PyObject* value, const encode_options& options) {
  scratch_buffer memory;
  buffer& out = memory.get();
  if (!append_encoded(keys, of, value, out, options)) return nullptr;
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(out.data()),
                                   static_cast<Py_ssize_t>(out.size()));
}

}  // namespace thriftlens::python
