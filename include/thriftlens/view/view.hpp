// view: a value inside wire bytes with its type; decoded on access.
// Allocates only to compile paths, to describe errors and to compare keys that are structs or containers.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/protocol/traits.hpp>
#include <thriftlens/view/children.hpp>
#include <thriftlens/view/explain.hpp>
#include <thriftlens/view/locate.hpp>
#include <thriftlens/view/numbers_view.hpp>
#include <thriftlens/view/path_visitor.hpp>
#include <thriftlens/view/print.hpp>
#include <thriftlens/view/range.hpp>
#include <thriftlens/view/scalar.hpp>
#include <thriftlens/view/step_question.hpp>
#include <thriftlens/view/walker.hpp>

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// A value of a message. Passed by value, 64 bytes. Valid while the bytes and the schema live.
///
///     tl::view order(bytes, type);                  // Binary; else tl::view<tl::compact>(bytes, type)
///     order["user"]["name"].as<std::string_view>();
///
/// Steps (`v["user"]["name"]`) never fail by themselves: the first error is stored and reported by the final
/// access, with code, byte offset and path. A step takes the first field of an id; duplicates are not
/// detected (before decisions on untrusted input call validate). Bytes after the value are not read. Absent
/// at the root is reported only if the bytes end there: else it is trailing_bytes, and missing_required for a
/// field that the IDL requires (presence and try_value_or treat both as errors).
template <protocol P>
class view {
 public:
  using protocol_type = P;

  view() noexcept = default;
  /// The value of type `of` at the start of `bytes`. O(1): reads nothing. Of the bounds only `depth` applies.
  view(byte_view bytes THRIFTLENS_LIFETIMEBOUND, type of THRIFTLENS_LIFETIMEBOUND,
       const limits& bounds = {}) noexcept
      : begin_(bytes.begin()),
        end_(bytes.end()),
        image_(of.image()),
        location_(detail::root_location<P>(bytes, of, bounds)),
        root_type_(of.index()),
        depth_(static_cast<std::uint16_t>(location_.at.depth_left)),
        code_(errc::ok) {}
  /// A struct without a schema: fields are accessed by id.
  explicit view(byte_view bytes THRIFTLENS_LIFETIMEBOUND, const limits& bounds = {}) noexcept
      : view(bytes, thriftlens::type(), bounds) {}
  view(thriftlens::type, byte_view, const limits& = {}) = delete;  // bytes first, then the type
  template <detail::wide_range Range, class... More>
  explicit view(const Range&, const More&...) = delete;

  // ---- steps: O(bytes before the value) ----

  /// The field of that name (of a struct, union or exception); of a map, the entry with that key.
  [[nodiscard]] view operator[](std::string_view name) const noexcept {
    return location_.wire == ttype::map ? key(name) : field(name);
  }
  /// A struct's field by id, a list's or set's element by index (negative: from the end), a map's entry by
  /// key.
  template <integer_value Int>
  [[nodiscard]] view operator[](Int which) const noexcept {
    // A number outside std::int64_t is never an index, id or key.
    const auto number = static_cast<std::int64_t>(which);
    if (std::is_unsigned_v<Int> && number < 0) [[unlikely]]
      return out_of_range(static_cast<std::uint64_t>(which));
    if (location_.wire == ttype::map) return key(number);
    return location_.wire == ttype::struct_ ? field_of(number) : index(number);
  }
  [[nodiscard]] view field(std::string_view name) const noexcept;
  /// With a schema an unknown id is no_such_field, like an unknown name.
  [[nodiscard]] view field(std::int16_t id) const noexcept;
  [[nodiscard]] view field(const thriftlens::field_info& which) const noexcept {
    return step({asked::field, which.index()},
                [&](detail::walker<P>& at) { return at.field(which.id(), which.index()); });
  }
  [[nodiscard]] view index(std::int64_t index) const noexcept {
    return step(detail::question_of_index(index), [&](detail::walker<P>& at) { return at.index(index); });
  }
  /// The value of the first entry with that key. Errors: value_type, value_range or unknown_enum_name for a
  /// key that does not fit the key type.
  [[nodiscard]] view key(map_key key) const noexcept;

  /// The value of a path. wrong_type for a path compiled for another type, or one that selects several values
  /// (see for_each).
  [[nodiscard]] view at(const thriftlens::path& path) const noexcept;
  /// Compiles the text at each call: use a compiled path for many values. Throws if the path does not
  /// compile; a broken view is returned unchanged.
  [[nodiscard]] view at(std::string_view text) const { return try_at(text).value(); }
  [[nodiscard]] result<view> try_at(std::string_view text) const {
    if (code_ != errc::ok) return *this;
    result<thriftlens::path> path = thriftlens::path::try_compile(type(), text);
    if (!path) return std::move(path).error();
    return at(*path);
  }
  void at(detail::path_list) const = delete;  // takes one path; see get_many()
  void try_at(detail::path_list) const = delete;
  /// Calls `visit(view)` for every value of the path, in wire order, without absent ones; returns their
  /// number. Compiles a text at each call: errors also those of path::try_compile.
  template <class Path, class Visit>
  std::size_t for_each(const Path& path, Visit&& visit) const {
    return try_for_each(path, std::forward<Visit>(visit)).value();
  }
  template <class Visit>
  [[nodiscard]] result<std::size_t> try_for_each(const thriftlens::path& path, Visit&& visit) const;
  template <class Visit>
  void try_for_each(detail::path_list, Visit&&) const = delete;
  template <class Visit>
  [[nodiscard]] result<std::size_t> try_for_each(std::string_view text, Visit&& visit) const {
    if (code_ != errc::ok) return error();
    result<thriftlens::path> path = thriftlens::path::try_compile(type(), text);
    if (!path) return std::move(path).error();
    return try_for_each(*path, std::forward<Visit>(visit));
  }

  // ---- presence, type, position ----

  [[nodiscard]] thriftlens::presence presence() const noexcept {
    if (code_ == errc::ok) return thriftlens::presence::present;
    return code_ == errc::absent || code_ == errc::bad_index ? thriftlens::presence::absent
                                                             : thriftlens::presence::error;
  }
  /// Whether the value is present.
  [[nodiscard]] explicit operator bool() const noexcept { return code_ == errc::ok; }
  /// ok, or the first error.
  [[nodiscard]] errc code() const noexcept { return code_; }
  /// The error with message, path and offset; its code is ok if there was none. Cold.
  [[nodiscard]] class error error() const;
  /// The IDL type, typedefs resolved; false without a schema or for an unknown field.
  [[nodiscard]] thriftlens::type type() const noexcept {
    return location_.type == detail::image::none ? thriftlens::type()
                                                 : thriftlens::type(image_, location_.type);
  }
  [[nodiscard]] ttype wire() const noexcept { return location_.wire; }
  /// Offset of the value in the bytes.
  [[nodiscard]] std::size_t offset() const noexcept {
    return static_cast<std::size_t>(location_.at.at - begin_);
  }
  /// "$.user.ids[3]". Cold: reads the bytes again.
  [[nodiscard]] std::string path() const;

  // ---- scalars: O(1) ----

  /// The value as T (see scalar.hpp). Throws the error of a step, wrong_type, or unfit_value (-1 as an
  /// unsigned).
  template <class T>
  [[nodiscard]] T as() const {
    static_assert(detail::check_scalar<T>());
    T value{};
    if (errc code = get(value); code != errc::ok) detail::raise(scalar_error(code, detail::scalar_word<T>()));
    return value;
  }
  template <class T>
  [[nodiscard]] result<T> try_as() const {
    static_assert(detail::check_scalar<T>());
    T value{};
    if (errc code = get(value); code != errc::ok) return scalar_error(code, detail::scalar_word<T>());
    return value;
  }
  /// The cheap form of try_as(): returns only the code, and sets `value` only if it is ok.
  template <scalar_value T>
  [[nodiscard]] errc get(T& value) const noexcept(!std::is_same_v<T, std::string>) {
    if (code_ != errc::ok) return code_;
    if (detail::borrow_text<P>(location_.wire, location_.at.at, end_, value)) [[likely]]
      return errc::ok;
    T read{};
    typename P::reader in = reader();
    errc code = detail::read_scalar<P>(in, location_.wire, read);
    if (code == errc::ok) value = std::move(read);
    return code;
  }
  /// The value, or the fallback if it is absent. Broken bytes and wrong types still throw.
  template <class T>
  [[nodiscard]] T value_or(std::type_identity_t<T> fallback) const {
    static_assert(detail::check_scalar<T>());
    return presence() == thriftlens::presence::absent ? fallback : as<T>();
  }
  template <class T>
  [[nodiscard]] result<T> try_value_or(std::type_identity_t<T> fallback) const {
    static_assert(detail::check_scalar<T>());
    if (presence() == thriftlens::presence::absent) return fallback;
    return try_as<T>();
  }
  /// For an absent field with a default in the IDL a view of that default; otherwise the view itself.
  [[nodiscard]] view or_default() const noexcept;
  /// The name of an enum's value; empty if the IDL has none for the number. Throws wrong_type for other
  /// types.
  [[nodiscard]] std::string_view enum_name() const { return try_enum_name().value(); }
  [[nodiscard]] result<std::string_view> try_enum_name() const;

  // ---- containers and structs ----

  /// Number of elements of a list or set, entries of a map, bytes of a string or binary: O(1). Number of
  /// fields of a struct: reads it.
  [[nodiscard]] std::size_t size() const { return try_size().value(); }
  [[nodiscard]] result<std::size_t> try_size() const;
  /// The bytes of the value, without field header. O(its bytes): finds its end. A bool field of Compact,
  /// whose value is in the header, is returned as the byte of an element.
  [[nodiscard]] byte_view bytes() const { return try_bytes().value(); }
  [[nodiscard]] result<byte_view> try_bytes() const;
  /// The elements of a list or set of numbers, decoded on access (about a nanosecond each) without a copy.
  /// They are validated here, so iterating cannot fail: O(1), but O(bytes) for varints (i16, i32 and i64 of
  /// Compact) and for an unsigned T or an enum, whose range is checked. Errors: wrong_type unless T has the
  /// width of the elements; truncated and bad_varint; unfit_value for a number outside T.
  template <class T>
  [[nodiscard]] auto numbers() const {
    static_assert(detail::check_number<T>());
    return try_numbers<T>().value();
  }
  template <class T>
  [[nodiscard]] auto try_numbers() const {
    static_assert(detail::check_number<T>());
    return numbers_result<T>();
  }
  /// Copies the elements of a list or set of numbers. Returns their number. Errors: those of numbers(), and
  /// buffer_too_small if `into` is shorter than the list.
  template <class Range>
  std::size_t copy_to(Range&& into) const {
    return try_copy_to(into).value();
  }
  template <class Range>
  [[nodiscard]] result<std::size_t> try_copy_to(Range&& into) const {
    static_assert(number_range<Range>,
                  "thriftlens: copy_to: a vector, array or span of integers, enums, doubles or bools");
    return copy_numbers(
        std::span<std::ranges::range_value_t<Range>>(std::ranges::data(into), std::ranges::size(into)));
  }

  /// The fields on the wire; unknown ones have a value without type. Iterating throws errors; the ranges of
  /// the try_ calls end instead and report the error as their code().
  [[nodiscard]] field_range<P> fields() const noexcept {
    return {*this, location_.wire == ttype::struct_, at_fault::raises};
  }
  [[nodiscard]] field_range<P> try_fields() const noexcept {
    return {*this, location_.wire == ttype::struct_, at_fault::ends};
  }
  /// The elements of a list or set.
  [[nodiscard]] element_range<P> elements() const noexcept { return {*this, is_list(), at_fault::raises}; }
  [[nodiscard]] element_range<P> try_elements() const noexcept { return {*this, is_list(), at_fault::ends}; }
  /// The entries of a map: pairs of views.
  [[nodiscard]] entry_range<P> entries() const noexcept {
    return {*this, location_.wire == ttype::map, at_fault::raises};
  }
  [[nodiscard]] entry_range<P> try_entries() const noexcept {
    return {*this, location_.wire == ttype::map, at_fault::ends};
  }
  /// The set field of a union. absent if none is set, union_members for several. Reads all of the union.
  [[nodiscard]] view member() const noexcept;
  /// The field of the last step; a false handle if that was not a field step.
  [[nodiscard]] thriftlens::field_info field_info() const noexcept {
    return asked_ == asked::field && image_ != nullptr && which_ != detail::image::none
               ? thriftlens::field_info(image_, which_)
               : thriftlens::field_info();
  }

  // ---- for other modules ----

  [[nodiscard]] const detail::wire_location& location() const noexcept { return location_; }
  /// All bytes of the root.
  [[nodiscard]] byte_view whole() const noexcept { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
  /// False for a default-constructed view.
  [[nodiscard]] bool has_bytes() const noexcept { return begin_ != nullptr; }
  [[nodiscard]] const schema_image* image() const noexcept { return image_; }
  /// "an i64": the IDL's word for the value, else that of the wire. Cold.
  [[nodiscard]] std::string described() const { return detail::described_value(type(), location_.wire); }
  /// An error at the value's offset and path. Cold.
  [[nodiscard]] class error value_error(errc code, std::string message) const;
  [[nodiscard]] thriftlens::type root_type() const noexcept {
    return root_type_ == detail::image::none ? thriftlens::type() : thriftlens::type(image_, root_type_);
  }
  [[nodiscard]] limits bounds() const noexcept { return {.depth = depth_}; }
  /// Whether this is the value that the first step started from.
  [[nodiscard]] bool is_root() const noexcept {
    return location_.at.at == begin_ && location_.at.depth_left == depth_;
  }
  /// Another value of the same bytes.
  [[nodiscard]] THRIFTLENS_INLINE view child(const detail::wire_location& location,
                                             std::uint32_t field = detail::image::none) const noexcept {
    return view(*this, location, errc::ok, field == detail::image::none ? asked::nothing : asked::field,
                field);
  }
  /// Constructs a child view at `to`.
  THRIFTLENS_INLINE void put_child(view* to, const detail::wire_location& location) const noexcept {
    ::new (static_cast<void*>(to)) view(*this, location, errc::ok, asked::nothing, detail::image::none);
  }
  /// This view with the error of its children.
  [[nodiscard]] view broken(const children<P>& inside) const noexcept {
    return broken(inside.code(), inside.broken_at());
  }
  /// This view with an error at `where`.
  [[nodiscard]] view broken(errc code, const detail::wire_position& where,
                            const detail::step_question& step = {}) const noexcept {
    view copy = *this;
    copy.code_ = code;
    copy.location_.at = where;
    copy.asked_ = step.kind;
    copy.which_ = step.which;
    return copy;
  }

 private:
  using asked = detail::asked;

  [[nodiscard]] bool is_list() const noexcept { return is_sequence(location_.wire); }
  [[nodiscard]] typename P::reader reader() const noexcept {
    typename P::reader in(whole());
    in.seek(location_.at);
    return in;
  }
  [[nodiscard]] view failed(errc code, asked what = asked::nothing, std::uint32_t which = 0) const noexcept {
    if (code_ != errc::ok) return *this;
    view copy = *this;
    copy.code_ = code;
    copy.asked_ = what;
    copy.which_ = which;
    return copy;
  }
  [[nodiscard]] THRIFTLENS_COLD view failed_name(errc code, std::string_view name) const noexcept {
    return failed(code, asked::name, detail::thread_missing_names().add(name));
  }
  [[nodiscard]] view field_of(std::int64_t id) const noexcept {
    if (id == static_cast<std::int16_t>(id)) return field(static_cast<std::int16_t>(id));
    const bool is_shown = id == static_cast<std::int32_t>(id);
    return failed(errc::no_such_field, is_shown ? asked::id : asked::nothing, static_cast<std::uint32_t>(id));
  }
  [[nodiscard]] THRIFTLENS_COLD view out_of_range(std::uint64_t number) const noexcept {
    if (location_.wire == ttype::struct_) return failed(errc::no_such_field);
    if (location_.wire == ttype::map) return failed(errc::value_range, asked::key);
    const detail::step_question step = detail::question_of_index(number);
    return failed(is_list() ? errc::bad_index : errc::wrong_type, step.kind, step.which);
  }
  THRIFTLENS_INLINE view(const view& from, const detail::wire_location& location, errc code, asked what,
                         std::uint32_t which) noexcept
      : begin_(from.begin_),
        end_(from.end_),
        image_(from.image_),
        location_(detail::by_members(location)),
        root_type_(from.root_type_),
        which_(which),
        depth_(from.depth_),
        code_(code),
        asked_(what) {}
  template <class Step>
  [[nodiscard]] THRIFTLENS_INLINE view step(const detail::step_question& question,
                                            Step&& take) const noexcept {
    if (code_ != errc::ok) [[unlikely]]
      return *this;
    detail::walker<P> at(whole(), image_, location_);
    const errc code = take(at);
    if (code == errc::ok) [[likely]]
      return view(*this, at.location(), code, question.kind, question.which);
    return view(*this, {at.broken_at(), location_.type, location_.wire}, code, question.kind, question.which);
  }
  template <number_value T>
  [[nodiscard]] result<numbers_view<P, T>> numbers_result() const;
  template <class T>
  [[nodiscard]] result<std::size_t> copy_numbers(std::span<T> into) const;
  [[nodiscard]] children<P> all_children() const noexcept { return {whole(), image_, location_}; }
  /// The value of a path of one step that is in the prefix template; else nullptr.
  [[nodiscard]] const std::uint8_t* in_prefix(const thriftlens::path& path) const noexcept;
  [[nodiscard]] THRIFTLENS_INLINE view field_at(const std::uint8_t* at, const path_step& by) const noexcept {
    return view(*this, {{at, location_.at.depth_left - 1, 0, -1}, by.type, by.wire}, errc::ok, asked::field,
                by.field);
  }
  [[nodiscard]] view along(std::span<const path_step> steps) const noexcept;
  [[nodiscard]] class error scalar_error(errc code, const char* expected) const;
  /// The field id of missing_required; else 0.
  [[nodiscard]] std::int16_t missing_id() const noexcept {
    return code_ == errc::missing_required ? location_.at.last_id : std::int16_t{0};
  }
  /// The path in error(), which for an absent value includes the failed step.
  [[nodiscard]] std::string requested_path() const;
  [[nodiscard]] class error fault_error(const struct fault& cause) const {
    return detail::explain<P>(whole(), root_type(), cause, bounds());
  }

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  const schema_image* image_ = nullptr;
  detail::wire_location location_;  // of the value, or of the error
  std::uint32_t root_type_ = detail::image::none;
  std::uint32_t which_ = detail::image::none;  // by asked_: a field node, an id, a name's number, an index
  std::uint16_t depth_ = 0;
  errc code_ = errc::absent;
  asked asked_ = asked::nothing;
};
static_assert(sizeof(void*) != 8 || sizeof(view<binary>) == 64);

/// The default protocol is Binary: bytes do not identify theirs. Compact is view<compact>(bytes, type).
view(byte_view, type, const limits& = {}) -> view<binary>;
explicit view(byte_view, const limits& = {}) -> view<binary>;
view(type, byte_view, const limits& = {}) -> view<binary>;
template <detail::wide_range Range, class... More>
explicit view(const Range&, const More&...) -> view<binary>;

// ---- bodies ----

template <protocol P>
view<P> view<P>::field(std::string_view name) const noexcept {
  if (code_ != errc::ok) return *this;
  if (location_.wire != ttype::struct_) return failed_name(errc::wrong_type, name);
  if (location_.type == detail::image::none) return failed_name(errc::no_such_field, name);
  thriftlens::field_info which = type().find_field(name);
  return which ? field(which) : failed_name(errc::no_such_field, name);
}

template <protocol P>
view<P> view<P>::field(std::int16_t id) const noexcept {
  const auto number = static_cast<std::uint32_t>(id);
  if (code_ != errc::ok || location_.wire != ttype::struct_)
    return failed(errc::wrong_type, asked::id, number);
  const detail::schema_types types(image_);
  const std::uint32_t node = types.find(types.structure(location_.type), id);
  if (node == detail::image::none && location_.type != detail::image::none)
    return failed(errc::no_such_field, asked::id, number);
  return step({asked::field, node}, [&](detail::walker<P>& at) { return at.field(id, node); });
}

template <protocol P>
view<P> view<P>::key(map_key key) const noexcept {
  if (code_ != errc::ok || location_.wire != ttype::map) return failed(errc::wrong_type, asked::key);
  const errc fits = location_.type == detail::image::none ? errc::ok : key.fit(type().key());
  if (fits != errc::ok) return failed(fits, asked::key, detail::store_key(key));
  detail::step_question question{asked::key};
  return step(question, [&](detail::walker<P>& at) {
    const errc code = at.key(key);
    if (code == errc::absent) question.which = detail::store_key(key);
    return code;
  });
}

template <protocol P>
THRIFTLENS_INLINE const std::uint8_t* view<P>::in_prefix(const thriftlens::path& path) const noexcept {
  const std::span<const path_step> steps = path.steps();
  if (!P::traits.has_fixed_layout || steps.size() != 1 || !steps[0].place || code_ != errc::ok)
    return nullptr;
  if (steps[0].prefix.levels > location_.at.depth_left || path.from() != type()) return nullptr;
  return detail::prefix_value(steps[0], location_.at.at, end_);
}
template <protocol P>
THRIFTLENS_INLINE view<P> view<P>::at(const thriftlens::path& path) const noexcept {
  if (const std::uint8_t* value = in_prefix(path)) [[likely]]
    return field_at(value, path.steps()[0]);
  if (code_ != errc::ok || (path.from() && path.from() != type())) [[unlikely]]
    return failed(errc::wrong_type, asked::other_type);
  return along(path.steps());
}
template <protocol P>
THRIFTLENS_INLINE view<P> view<P>::along(std::span<const path_step> steps) const noexcept {
  detail::located to;
  detail::locate<P>(whole(), image_, location_, steps, to);
  if (to.last == nullptr) return *this;
  const detail::step_question question = detail::question_of(*to.last, to.last == &steps.back(), to.code);
  return view(*this, to.location, to.code, question.kind, question.which);
}

template <protocol P>
template <class Visit>
result<std::size_t> view<P>::try_for_each(const thriftlens::path& path, Visit&& visit) const {
  if (code_ != errc::ok || (path.from() && path.from() != type()))
    return failed(errc::wrong_type, asked::other_type).error();
  detail::path_visitor<P, Visit> visitor(visit);
  visitor.run(*this, path.steps());
  if (visitor.failure()) return visitor.failure()->error();
  return visitor.count();
}

template <protocol P>
view<P> view<P>::or_default() const noexcept {
  thriftlens::field_info which = field_info();
  if (code_ != errc::absent || !which || !which.has_default()) return *this;
  if constexpr (detail::by_protocol<byte_view>::holds<P>)
    return view(which.defaults()[P::id], which.type());
  else
    return *this;  // the schema has no default bytes of this protocol
}

template <protocol P>
result<std::string_view> view<P>::try_enum_name() const {
  if (code_ == errc::ok && !(type() && type().is_enum())) return scalar_error(errc::wrong_type, "an enum");
  std::int32_t number = 0;
  if (errc code = get(number); code != errc::ok) return scalar_error(code, "an enum");
  return type().member_name(number);
}

template <protocol P>
result<std::size_t> view<P>::try_size() const {
  if (code_ != errc::ok) return error();
  std::size_t size = 0;
  if (location_.wire == ttype::struct_) {
    children<P> inside = all_children();
    while (inside.next()) ++size;
    if (inside.code() != errc::ok) return broken(inside).error();
    return size;
  }
  typename P::reader in = reader();
  if (detail::read_size(in, location_.wire, size)) return size;
  if (in.failed()) return fault_error(in.fault());
  return value_error(errc::wrong_type, detail::joined({"the value is ", described(), ", which has no size"}));
}
template <protocol P>
result<byte_view> view<P>::try_bytes() const {
  if (code_ != errc::ok) return error();
  if (location_.at.inline_bool >= 0) return byte_view(&detail::bool_bytes<P>[location_.at.inline_bool], 1);
  typename P::reader in = reader();
  if (!in.skip(location_.wire)) return fault_error(in.fault());
  return detail::bytes_since(location_.at.at, in);
}

template <protocol P>
template <number_value T>
result<numbers_view<P, T>> view<P>::numbers_result() const {
  if (code_ != errc::ok) return error();
  detail::walker<P> at(whole(), image_, location_);
  std::uint32_t size = 0;
  if (errc code = at.open_list(size); code != errc::ok) return broken(code, at.broken_at()).error();
  if (size == 0) return numbers_view<P, T>();
  if (at.wire() != detail::number_wire<T>)
    return value_error(
        errc::wrong_type,
        detail::joined({"expected a list of ", to_string(detail::number_wire<T>), ", found ", described()}));
  byte_view elements;
  if (!detail::read_numbers<P, T>(at.reader(), size, elements)) return fault_error(at.reader().fault());
  const numbers_view<P, T> numbers(elements, size);
  if (detail::first_unfit_number(numbers) != size)
    return scalar_error(errc::unfit_value, detail::scalar_word<T>());
  return numbers;
}

template <protocol P>
template <class T>
result<std::size_t> view<P>::copy_numbers(std::span<T> into) const {
  const result<numbers_view<P, T>> numbers = numbers_result<T>();
  if (!numbers) return numbers.error();
  if (numbers->size() > into.size()) return failed(errc::buffer_too_small).error();
  numbers->copy_to(into.data());
  return numbers->size();
}

template <protocol P>
view<P> view<P>::member() const noexcept {
  if (code_ != errc::ok || location_.wire != ttype::struct_) return failed(errc::wrong_type);
  children<P> inside = all_children();
  view set_member = failed(errc::absent);
  while (inside.next()) {
    if (set_member) return failed(errc::union_members);
    set_member = child(inside.value(), inside.field());
  }
  return inside.code() == errc::ok ? set_member : broken(inside);
}

template <protocol P>
std::string view<P>::path() const {
  return detail::path_of<P>(whole(), root_type(), location_.at, bounds());
}

template <protocol P>
THRIFTLENS_COLD class error view<P>::error() const {
  if (code_ == errc::ok) return {};
  if (!detail::is_about_step(code_)) return fault_error({code_, missing_id(), offset()});
  if (begin_ == nullptr) return thriftlens::error(code_);
  return thriftlens::error(code_, detail::step_words(code_, asked_, which_, type(), location_.wire), offset(),
                           requested_path());
}

template <protocol P>
std::string view<P>::requested_path() const {
  const detail::step_question step{asked_, which_};
  if (code_ == errc::absent) return path() + step.field_text(image_);
  return code_ == errc::bad_index ? path() + step.index_text() : path();
}

template <protocol P>
class error view<P>::value_error(errc code, std::string message) const {
  return thriftlens::error(code, std::move(message), offset(), path());
}

template <protocol P>
class error view<P>::scalar_error(errc code, const char* expected) const {
  if (code_ != errc::ok) return error();
  if (code == errc::unfit_value)
    return value_error(code, detail::joined({"the number does not fit ", expected}));
  if (code == errc::wrong_type)
    return value_error(code, detail::joined({"expected ", expected, ", found ", described()}));
  auto in = reader();
  if (in.skip(location_.wire)) in.reject(code, location_.at.at);
  return fault_error(in.fault());
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
