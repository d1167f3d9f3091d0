// write_quick: Binary to JSON text under the usual options, with both places, in and out, in registers.
// In: the bytes of one value, its type. Out: text at the end of a buffer; or nothing, and json_writer does it
// or says what is wrong. Never says why it gave up, never leaves a byte in the buffer when it did.
#pragma once

#include <thriftlens/core/rollback.hpp>
#include <thriftlens/json/write.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/simd/json_quote.hpp>
#include <thriftlens/view/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// One value's way to text, the quick one. Used once. It writes what json_writer writes, or nothing.
class quick_json_writer {
 public:
  /// Whether values are written by these rules here at all.
  [[nodiscard]] static bool serves(const to_json_options& options) noexcept {
    return options.pretty == 0 && options.duplicates == json_duplicates::error &&
           options.mismatch == json_mismatch::error && options.invalid_utf8 == json_utf8::error &&
           options.defaults == json_defaults::omit &&
           (options.select == nullptr || !options.select->checks_required());
  }

  quick_json_writer(byte_view bytes, const schema_image& image, buffer& to, const to_json_options& options,
                    const limits& bounds)
      : end_(bytes.end()),
        far_(bytes.size() < widest_field ? bytes.begin() : bytes.end() - (widest_field - 1)),
        fields_(image.fields.data()),
        names_(image.field_texts.data()),
        text_(image.text.data()),
        name_(options.names == json_names::alias ? &image::field_text::json_alias
                                                 : &image::field_text::json_name),
        string_size_(bounds.string_size),
        quoted_i64_(options.int64 == json_int64::string),
        bytes_(bytes),
        image_(image),
        to_(to),
        options_(options),
        bounds_(bounds),
        start_(to.size()),
        most_(bounds.max_output(bytes.size())) {
    if (options.select != nullptr) select(*options.select);
  }

  /// True if the whole of the bytes was one value of the type and is written. Else the buffer is as before.
  [[nodiscard]] bool run(type root) {
    const image::type_node& node = root.node();
    const std::uint32_t depth = bounds_.depth < limits::deepest ? bounds_.depth : limits::deepest;
    const place start{bytes_.begin(), first_room()};
    if (bytes_.size() < node.width || (options_.select != nullptr && options_.select->from() != root))
      return false;
    const place done = is_struct(node.kind) ? struct_value(start, image_.structs[node.first], depth)
                                            : any_value(start, node.kind, root.index(), depth);
    if (done && done.in == end_ && static_cast<std::size_t>(done.out - base_) - start_ <= most_) [[likely]] {
      to_.commit(done.out);
      if (!unchecked_ || simd::valid_utf8({base_ + start_, to_.size() - start_})) [[likely]]
        return true;
    }
    to_.truncate(start_);
    return false;
  }

 private:
  using kinds = type_kind;

  // The next byte to be read and the next to be written, passed and returned by value. No `out`: given up.
  struct place {
    const std::uint8_t* in;
    std::uint8_t* out;
    [[nodiscard]] explicit operator bool() const noexcept { return out != nullptr; }
  };
  static constexpr place given_up{nullptr, nullptr};

  // Where `out` is not behind soft_end_, this much is free: for a block of a name, a number or short text,
  // brackets.
  static constexpr std::size_t slack = 640, short_text = 64;
  // Header and value of a field of a number.
  static constexpr std::size_t widest_field = 11;

  // ---- room

  // A text is rarely more than twice as long as the bytes.
  THRIFTLENS_INLINE std::uint8_t* first_room() {
    constexpr std::size_t most = 65536;
    std::uint8_t* out = to_.reserve((bytes_.size() < most / 2 ? bytes_.size() * 2 : most) + slack);
    base_ = to_.data();
    soft_end_ = base_ + to_.capacity() - slack;
    return out;
  }

  // At least `count` bytes before soft_end_. The output moves. Null where more has been written than is
  // allowed.
  THRIFTLENS_COLD std::uint8_t* more_room(std::uint8_t* out, std::size_t count) {
    const auto held = static_cast<std::size_t>(out - to_.data());
    if (held - start_ > most_) return nullptr;
    out = to_.reserve_after(out, count + slack, detail::output_end(start_, most_));
    base_ = to_.data();
    soft_end_ = base_ + to_.capacity() - slack;
    return out;
  }
  // For all but long texts and names.
  [[nodiscard]] THRIFTLENS_INLINE bool room(std::uint8_t*& out) {
    if (out <= soft_end_) [[likely]]
      return true;
    out = more_room(out, 0);
    return out != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE bool room(std::uint8_t*& out, std::size_t count) {
    if (soft_end_ - out >= static_cast<std::ptrdiff_t>(count)) [[likely]]
      return true;
    out = more_room(out, count);
    return out != nullptr;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::size_t left(const std::uint8_t* in) const noexcept {
    return static_cast<std::size_t>(end_ - in);
  }

  // ---- values

  THRIFTLENS_NOINLINE place any_value(place at, type_kind kind, std::uint32_t type, std::uint32_t depth) {
    return value(at, kind, type, depth);
  }
  // There is room, and the bytes of a value of fixed width are there.
  THRIFTLENS_INLINE place value(place at, type_kind kind, std::uint32_t type, std::uint32_t depth) {
    switch (kind) {
      case kinds::bool_:
        return bool_value(at);
      case kinds::i8:
        return {at.in + 1, put_integer(at.out, std::int64_t{load_be<std::int8_t>(at.in)})};
      case kinds::i16:
        return {at.in + 2, put_integer(at.out, std::int64_t{load_be<std::int16_t>(at.in)})};
      case kinds::i32:
        return {at.in + 4, put_integer(at.out, std::int64_t{load_be<std::int32_t>(at.in)})};
      case kinds::i64:
        return i64_value(at);
      case kinds::double_:
        return double_value(at);
      case kinds::string:
        return string_value(at);
      case kinds::binary:
        return binary_value(at);
      case kinds::enum_:
        return enum_value(at, image_.types[type]);
      case kinds::list:
      case kinds::set:
        return list_value(at, image_.types[type], depth);
      case kinds::map:
        return map_value(at, type, depth);
      case kinds::struct_:
      case kinds::union_:
      case kinds::exception_:
        return struct_value(at, image_.structs[image_.types[type].first], depth);
      case kinds::uuid:
        return left(at.in) < 16 ? given_up : place{at.in + 16, put_uuid(at.out, at.in)};
      case kinds::void_:
        return given_up;
    }
    // There are no other kinds; told so, compilers do not look for them.
    __builtin_unreachable();
  }

  THRIFTLENS_INLINE place bool_value(place at) {
    const bool is = *at.in != 0;
    std::memcpy(at.out, is ? "true\0\0\0" : "false\0\0", 8);
    return {at.in + 1, at.out + (is ? 4 : 5)};
  }
  THRIFTLENS_INLINE place i64_value(place at) {
    const auto number = load_be<std::int64_t>(at.in);
    if (!quoted_i64_) [[likely]]
      return {at.in + 8, put_integer(at.out, number)};
    return {at.in + 8, put_quoted(at.out, number)};
  }
  THRIFTLENS_INLINE static std::uint8_t* put_quoted(std::uint8_t* out, std::int64_t number) noexcept {
    *out = '"';
    out = put_integer(out + 1, number);
    *out = '"';
    return out + 1;
  }
  THRIFTLENS_INLINE place double_value(place at) {
    const auto number = load_be<double>(at.in);
    if (!std::isfinite(number)) [[unlikely]]
      return nonfinite(at, number);
    return {at.in + 8, put_double(at.out, number)};
  }
  THRIFTLENS_COLD place nonfinite(place at, double number) const {
    if (options_.nonfinite == json_nonfinite::error) return given_up;
    const std::string_view text = nonfinite_text(number);
    std::memcpy(at.out, text.data(), text.size());
    return {at.in + 8, at.out + text.size()};
  }
  THRIFTLENS_NOINLINE place enum_value(place at, const image::type_node& type) {
    const auto number = load_be<std::int32_t>(at.in);
    if (options_.enums == json_enums::name) {
      const std::uint32_t member = image_.find_member(image_.enums[type.first], number);
      if (member != image::none) {
        const std::string_view name = image_.view(image_.enum_members[member].json_name);
        if (!room(at.out, name.size())) return given_up;
        std::memcpy(at.out, name.data(), name.size());
        return {at.in + 4, at.out + name.size()};
      }
    }
    return {at.in + 4, put_integer(at.out, std::int64_t{number})};
  }

  // What stands behind its size.
  [[nodiscard]] THRIFTLENS_INLINE bool read_bytes(const std::uint8_t*& in, byte_view& bytes) const noexcept {
    const std::size_t there = left(in);
    if (there < 4) [[unlikely]]
      return false;
    const auto size = load_be<std::uint32_t>(in);
    if (size > there - 4 || size > string_size_) [[unlikely]]
      return false;
    bytes = byte_view(in + 4, size);
    in += 4 + std::size_t{size};
    return true;
  }
  THRIFTLENS_INLINE place string_value(place at) {
    byte_view text;
    if (!read_bytes(at.in, text)) [[unlikely]]
      return given_up;
    return {at.in, put_text(at.out, text)};
  }
  // Null where the text is not UTF-8 or too much.
  THRIFTLENS_INLINE std::uint8_t* put_text(std::uint8_t* out, byte_view text) {
    if (text.size() >= short_text) [[unlikely]] {
      if (text.size() > detail::escape_step) return put_long_text(out, text);
      if (!room(out, simd::json_quote_room(text.size()))) return nullptr;
    }
    const simd::json_quoted done = simd::quote_json(out, text);
    if (done.form > simd::text_form::utf8) [[unlikely]] {
      if (done.form == simd::text_form::ill_formed) return nullptr;
      unchecked_ = true;
    }
    return done.end;
  }
  // Piece by piece: the room for escapes would be six times the size.
  THRIFTLENS_NOINLINE std::uint8_t* put_long_text(std::uint8_t* out, byte_view text) {
    if (!simd::valid_utf8(text)) return nullptr;
    *out++ = '"';
    for (std::size_t at = 0; at < text.size(); at += detail::escape_step) {
      const std::size_t now = text.size() - at < detail::escape_step ? text.size() - at : detail::escape_step;
      if (!room(out, simd::json_escape_room(now))) return nullptr;
      out = simd::escape_json(out, {text.data() + at, now}).end;
    }
    *out++ = '"';
    return out;
  }
  THRIFTLENS_INLINE place binary_value(place at) {
    byte_view bytes;
    if (!read_bytes(at.in, bytes)) [[unlikely]]
      return given_up;
    if (bytes.size() >= short_text && !room(at.out, simd::base64_text_room(bytes.size()) + 2)) [[unlikely]]
      return given_up;
    *at.out = '"';
    std::uint8_t* out = simd::encode_base64(at.out + 1, bytes);
    *out = '"';
    return {at.in, out + 1};
  }

  // By the other writer: what is rare.
  THRIFTLENS_NOINLINE place slow_value(place at, std::uint32_t type, std::uint32_t depth) {
    const std::size_t written = static_cast<std::size_t>(at.out - base_) - start_;
    if (written >= most_ || selected_ != selection_node::whole) return given_up;
    limits left = bounds_;
    left.output_size = most_ - written;
    rollback guard(to_);
    to_.commit(at.out);
    const std::uint8_t* in =
        json_writer<binary>(bytes_, image_, to_, options_, left, utf8_check::now).part(type, {at.in, depth});
    return in == nullptr ? given_up : place{in, more_room(to_.end(), 0)};
  }

  static_assert(simd::json_quote_room(short_text) + 64 <= slack &&
                simd::base64_text_room(short_text) + 64 <= slack);

  // ---- lists and sets

  THRIFTLENS_NOINLINE place list_value(place at, const image::type_node& type, std::uint32_t depth) {
    if (depth-- == 0 || left(at.in) < 5) [[unlikely]]
      return given_up;
    const image::type_node& element = image_.types[type.first];
    const std::uint8_t wire = *at.in;
    const std::size_t count = load_be<std::uint32_t>(at.in + 1);
    const std::uint8_t* in = at.in + 5;
    std::uint8_t* out = at.out;
    *out++ = '[';
    if (count != 0) {
      if (wire != static_cast<std::uint8_t>(element.wire) || count > bounds_.container_size ||
          count * detail::binary_least_width[wire] > left(in)) [[unlikely]]
        return given_up;
      const place behind = elements(in, out, element.kind, type.first, count, depth);
      if (!behind) [[unlikely]]
        return given_up;
      in = behind.in;
      out = behind.out - 1;  // the last comma
    }
    *out++ = ']';
    if (!room(out)) [[unlikely]]
      return given_up;
    return {in, out};
  }
  // Each with a comma behind it.
  THRIFTLENS_INLINE place elements(const std::uint8_t* in, std::uint8_t* out, type_kind kind,
                                   std::uint32_t type, std::size_t count, std::uint32_t depth) {
    const auto each = [&](auto write) THRIFTLENS_INLINE_LAMBDA {
      const std::uint8_t* from = in;
      std::uint8_t* to = out;
      for (std::size_t i = 0; i < count; ++i) {
        if (!room(to)) [[unlikely]]
          return given_up;
        const place behind = write(place{from, to});
        if (!behind) [[unlikely]]
          return given_up;
        from = behind.in;
        to = behind.out;
        *to++ = ',';
      }
      return place{from, to};
    };
    if (kind == kinds::i32)
      return each([&](place at) THRIFTLENS_INLINE_LAMBDA {
        return place{at.in + 4, put_integer(at.out, std::int64_t{load_be<std::int32_t>(at.in)})};
      });
    if (kind == kinds::i64) return each([&](place at) THRIFTLENS_INLINE_LAMBDA { return i64_value(at); });
    if (kind == kinds::string)
      return each([&](place at) THRIFTLENS_INLINE_LAMBDA { return string_value(at); });
    if (kind == kinds::struct_) {
      const image::struct_node& node = image_.structs[image_.types[type].first];
      return each([&](place at) THRIFTLENS_INLINE_LAMBDA { return struct_value(at, node, depth); });
    }
    return each([&](place at) THRIFTLENS_INLINE_LAMBDA { return any_value(at, kind, type, depth); });
  }

  // ---- maps

  // Whether all keys so far stood in one of two strict orders, and so cannot repeat.
  struct key_order {
    std::uint64_t leading = 0;
    byte_view text;
    bool by_text = true, by_size = true, any = false;
  };

  THRIFTLENS_NOINLINE place map_value(place at, std::uint32_t map_type, std::uint32_t depth) {
    const image::type_node& type = image_.types[map_type];
    const image::type_node &key = image_.types[type.first], &item = image_.types[type.second];
    if (!usual_key(key.kind)) [[unlikely]]
      return slow_value(at, map_type, depth);
    if (depth-- == 0 || left(at.in) < 6) [[unlikely]]
      return given_up;
    const std::uint8_t key_wire = at.in[0], item_wire = at.in[1];
    const std::size_t count = load_be<std::uint32_t>(at.in + 2);
    const std::uint8_t* in = at.in + 6;
    std::uint8_t* out = at.out;
    *out++ = '{';
    if (count != 0) {
      if (count > 0x7fffffffu || count > bounds_.container_size ||
          key_wire != static_cast<std::uint8_t>(key.wire) ||
          item_wire != static_cast<std::uint8_t>(item.wire) ||
          count * (std::size_t{detail::binary_least_width[key_wire]} +
                   detail::binary_least_width[item_wire]) >
              left(in)) [[unlikely]]
        return given_up;
      const place behind = entries(in, out, type, count, depth);
      if (!behind) [[unlikely]]
        return given_up;
      in = behind.in;
      out = behind.out - 1;  // the last comma
    }
    *out++ = '}';
    if (!room(out)) [[unlikely]]
      return given_up;
    return {in, out};
  }
  // Keys of which different bytes make different texts.
  [[nodiscard]] static bool usual_key(type_kind kind) noexcept {
    return kind == kinds::string || (kind >= kinds::i8 && kind <= kinds::i64);
  }
  // Each with a comma behind it.
  THRIFTLENS_INLINE place entries(const std::uint8_t* in, std::uint8_t* out, const image::type_node& type,
                                  std::size_t count, std::uint32_t depth) {
    const type_kind key = image_.types[type.first].kind, item = image_.types[type.second].kind;
    const std::size_t width = image_.types[type.second].width;
    if (!marks_) marks_.emplace();
    const std::size_t base = marks_->size();
    key_order order;
    bool ascending = true;
    std::int64_t before = 0;
    std::size_t look = entry_marks::first_look;
    const auto repeated = [&] {
      return !(key == kinds::string ? order.by_text || order.by_size : ascending) &&
             marks_->find_repeated(bytes_.begin(), base, 0) != entry_marks::none;
    };
    for (std::size_t i = 0; i < count; ++i) {
      if (!room(out)) [[unlikely]]
        return given_up;
      const std::uint8_t* from = in;
      if (key == kinds::string) {
        byte_view text;
        if (!read_bytes(in, text)) [[unlikely]]
          return given_up;
        from += 4;
        follow(order, text);
        out = put_text(out, text);
        if (out == nullptr || !room(out)) [[unlikely]]
          return given_up;
      } else {
        std::int64_t number = 0;
        if (!read_key(key, in, number)) [[unlikely]]
          return given_up;
        ascending &= i == 0 || number > before;
        before = number;
        out = put_quoted(out, number);
      }
      marks_->push(
          {static_cast<std::size_t>(from - bytes_.begin()), static_cast<std::size_t>(in - bytes_.begin())});
      *out++ = ':';
      if (left(in) < width) [[unlikely]]
        return given_up;
      const place behind =
          item == kinds::string ? string_value({in, out}) : value({in, out}, item, type.second, depth);
      if (!behind) [[unlikely]]
        return given_up;
      in = behind.in;
      out = behind.out;
      *out++ = ',';
      if (i == look) [[unlikely]] {
        if (repeated()) return given_up;
        look *= 2;
      }
    }
    if (repeated()) return given_up;
    marks_->drop_to(base);
    return {in, out};
  }
  [[nodiscard]] THRIFTLENS_INLINE bool read_key(type_kind kind, const std::uint8_t*& in,
                                                std::int64_t& number) const noexcept {
    const std::size_t width = kind == kinds::i32 ? 4 : kind == kinds::i64 ? 8 : kind == kinds::i16 ? 2 : 1;
    if (left(in) < width) [[unlikely]]
      return false;
    if (kind == kinds::i32)
      number = load_be<std::int32_t>(in);
    else if (kind == kinds::i64)
      number = load_be<std::int64_t>(in);
    else if (kind == kinds::i16)
      number = load_be<std::int16_t>(in);
    else
      number = load_be<std::int8_t>(in);
    in += width;
    return true;
  }
  // Orders: that of the bytes, and that of the sizes first.
  THRIFTLENS_INLINE void follow(key_order& order, byte_view text) const noexcept {
    const std::uint64_t leading = leading_of(text);
    if (order.any) [[likely]] {
      if (order.leading == leading) [[unlikely]] {
        order.by_text &= ascend(order.text.data(), order.text.size(), text.data(), text.size());
        order.by_size &=
            order.text.size() < text.size() || (order.text.size() == text.size() && order.by_text);
      } else {
        order.by_text &= order.leading < leading;
        order.by_size &=
            order.text.size() < text.size() || (order.text.size() == text.size() && order.leading < leading);
      }
    }
    order.leading = leading;
    order.text = text;
    order.any = true;
  }
  [[nodiscard]] THRIFTLENS_INLINE std::uint64_t leading_of(byte_view text) const noexcept {
    if (left(text.data()) < 8) [[unlikely]]
      return detail::leading_bytes(text.data(), text.size());
    const std::uint64_t leading = load_be<std::uint64_t>(text.data());
    return text.size() >= 8 ? leading : leading & ~(~std::uint64_t{0} >> (8 * text.size()));
  }

  // ---- structs

  // What is known of a struct whose fields did not all come in the order of their ids. Those in [run, the
  // expected one) are written and not yet in `seen`; from `top` on none is.
  struct open_struct {
    open_struct(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
                field_set::pool& words)
        : node(of),
          first(begin),
          last(begin + of.fields.size),
          run(begin),
          top(begin),
          depth(levels),
          seen(of.fields.size, words) {}
    const image::struct_node& node;
    const image::field_node* first;
    const image::field_node* last;
    const image::field_node* run;
    const image::field_node* top;
    std::uint32_t depth;
    field_set seen;
    std::uint32_t required = 0;
    std::uint32_t members = 0;
    // Between the loop, which has them in registers, and look().
    const image::field_node* field = nullptr;
    const std::uint8_t* in = nullptr;
    std::uint8_t* out = nullptr;
  };
  // Made when it is needed. (A std::optional sets all its bytes first.)
  class late_struct {
   public:
    late_struct() noexcept {}
    ~late_struct() {
      if (made_) [[unlikely]]
        value_.~open_struct();
    }
    late_struct(const late_struct&) = delete;
    late_struct& operator=(const late_struct&) = delete;
    [[nodiscard]] explicit operator bool() const noexcept { return made_; }
    open_struct& operator*() noexcept { return value_; }
    open_struct* operator->() noexcept { return &value_; }
    void make(const image::struct_node& of, const image::field_node* begin, std::uint32_t levels,
              field_set::pool& words) {
      ::new (static_cast<void*>(&value_)) open_struct(of, begin, levels, words);
      made_ = true;
    }

   private:
    union {
      open_struct value_;
    };
    bool made_ = false;
  };
  enum class next_field : std::uint8_t { found, passed, none };

  THRIFTLENS_NOINLINE place struct_value(place at, const image::struct_node& node, std::uint32_t depth) {
    if (selected_ != selection_node::whole) [[unlikely]]
      return selected_struct(at, depth);
    if (depth-- == 0) [[unlikely]]
      return given_up;
    const image::field_node* field = fields_ + node.fields.begin;
    const image::field_node* const first = field;
    const image::field_node* const last = first + node.fields.size;
    const image::field_text* name = names_ + node.fields.begin;
    late_struct now;
    const std::uint8_t* in = at.in;
    std::uint8_t* out = at.out;
    const std::ptrdiff_t open = out - base_;
    for (;;) {
      // The expected field, far enough from the end for its header and any number: one comparison.
      if (in >= far_ || field == last || (load_le<std::uint32_t>(in) & 0xffffffu) != field->header)
          [[unlikely]] {
        if (in != end_ && *in == 0) [[likely]]
          break;
        if (!now) now.make(node, first, depth, words_);
        now->field = field, now->in = in, now->out = out;
        const next_field next = look(*now);
        field = now->field, in = now->in, out = now->out;
        name = names_ + (field - fields_);
        if (next == next_field::none) [[unlikely]]
          return given_up;
        if (next == next_field::passed) continue;
      }
      if (!put_name(out, name)) [[unlikely]]
        return given_up;
      const place behind = value({in + 3, out}, field->kind, field->type, depth);
      if (!behind) [[unlikely]]
        return given_up;
      in = behind.in;
      out = behind.out;
      ++field;
      ++name;
    }
    if (!complete(node, now, first, field)) [[unlikely]]
      return given_up;
    *out = '{';
    out += out - base_ == open;
    base_[open] = '{';
    *out++ = '}';
    if (!room(out)) [[unlikely]]
      return given_up;
    return {in + 1, out};
  }
  // `,"name":` with room for it and a number behind it.
  THRIFTLENS_INLINE bool put_name(std::uint8_t*& out, const image::field_text* texts) {
    const image::slice name = texts->*name_;
    if (!room(out)) [[unlikely]]
      return false;
    const char* text = text_ + name.begin;
    std::memcpy(out, text, 32);
    if (name.size > 32) [[unlikely]] {
      if (!room(out, name.size)) return false;
      std::memcpy(out, text, name.size);
    }
    out += name.size;
    return true;
  }
  // Whether all that must be there is; of a union, no more than one.
  THRIFTLENS_INLINE bool complete(const image::struct_node& node, late_struct& now,
                                  const image::field_node* first,
                                  const image::field_node* field) const noexcept {
    std::uint32_t required = rank(node, first, field), members = static_cast<std::uint32_t>(field - first);
    if (now) {
      close_run(*now, field);
      required = now->required;
      members = now->members;
    }
    const bool lacks = required != node.required_count;
    if (lacks && options_.missing_required == missing_required::error) [[unlikely]]
      return false;
    return node.kind != kinds::union_ || members <= 1;
  }
  // Required fields before `field`.
  THRIFTLENS_INLINE static std::uint32_t rank(const image::struct_node& node, const image::field_node* first,
                                              const image::field_node* field) noexcept {
    return field == first + node.fields.size ? node.required_count : field->required_rank;
  }

  // The field whose header stands at `in`, where it is neither the expected one nor the end. `found`: it is
  // to be written next, as expected.
  THRIFTLENS_NOINLINE next_field look(open_struct& now) {
    close_run(now, now.field);
    const std::size_t there = left(now.in);
    if (there < 3 || !is_value_type(*now.in)) return next_field::none;
    const std::uint8_t wire = *now.in;
    const std::uint32_t index = image_.find_field(now.node, load_be<std::int16_t>(now.in + 1));
    if (index == image::none)
      return unknown(now.in, static_cast<ttype>(wire), now.depth) ? next_field::passed : next_field::none;
    const image::field_node* found = fields_ + index;
    if (static_cast<std::uint8_t>(found->wire) != wire || there - 3 < found->width) return next_field::none;
    if (found < now.top) return out_of_order(now, found) ? next_field::passed : next_field::none;
    now.field = now.run = found;
    return next_field::found;
  }
  THRIFTLENS_INLINE static void close_run(open_struct& now, const image::field_node* field) noexcept {
    if (now.run == field) return;
    now.seen.add_new(static_cast<std::size_t>(now.run - now.first),
                     static_cast<std::size_t>(field - now.first));
    now.required += rank(now.node, now.first, field) - rank(now.node, now.first, now.run);
    now.members += static_cast<std::uint32_t>(field - now.run);
    now.run = now.top = field;
  }
  THRIFTLENS_NOINLINE bool unknown(const std::uint8_t*& in, ttype wire, std::uint32_t depth) const {
    if (options_.unknown == json_unknown::error) return false;
    binary_skipper skipper(end_);
    in = skipper.skip(in + 3, wire, depth);
    return in != nullptr;
  }
  // Writes a field that stands behind one of a higher id. What follows it is expected only where nothing from
  // there on was seen.
  THRIFTLENS_NOINLINE bool out_of_order(open_struct& now, const image::field_node* found) {
    if (!now.seen.add(static_cast<std::size_t>(found - now.first))) return false;
    now.required += (found->flags & image::required) != 0 ? 1 : 0;
    ++now.members;
    if (!put_name(now.out, names_ + (found - fields_))) return false;
    const place behind = any_value({now.in + 3, now.out}, found->kind, found->type, now.depth);
    now.in = behind.in;
    now.out = behind.out;
    now.field = now.run = found + 1 < now.top ? now.last : found + 1;
    return static_cast<bool>(behind);
  }

  // ---- structs of which a part is selected

  THRIFTLENS_COLD void select(const selection& what) {
    nodes_ = what.nodes().data();
    selected_ = what.root();
    scan_.emplace(end_);
  }
  THRIFTLENS_NOINLINE place selected_struct(place at, std::uint32_t depth) {
    const std::uint32_t selected = std::exchange(selected_, selection_node::whole);
    if (depth-- == 0) return given_up;
    const selection_node& what = nodes_[selected];
    const std::ptrdiff_t open = at.out - base_;
    const std::uint32_t members = selected_fields(at, what, depth);
    const bool is_union = what.structure.kind() == kinds::union_;
    if (!at || (is_union && members > 1)) return given_up;
    selected_ = selected;
    *at.out = '{';
    at.out += at.out - base_ == open;
    base_[open] = '{';
    *at.out++ = '}';
    if (!room(at.out)) return given_up;
    return {at.in + 1, at.out};
  }
  // Up to the stop; gives up where ids do not ascend. The number of fields written.
  std::uint32_t selected_fields(place& at, const selection_node& what, std::uint32_t depth) {
    const selection_node::part* part = what.parts.data();
    const selection_node::part* const last = part + what.parts.size();
    std::uint32_t members = 0;
    std::int32_t highest = -0x8001;
    while (at && at.in != end_ && *at.in != 0) {
      const std::int32_t id = left(at.in) < 3 ? highest : load_be<std::int16_t>(at.in + 1);
      const detail::scan_field header{static_cast<ttype>(*at.in), static_cast<std::int16_t>(id), -1};
      for (; part != last && part->id < id; ++part) {
        if (is_missed(*part)) at = given_up;
      }
      if (!at || id <= highest) return give_up(at);
      highest = id;
      at.in += 3;
      if (part != last && part->id == id) {
        at = selected_field(at, *part++, header.type, depth);
        ++members;
      } else if (!dropped_field(at.in, what, header, depth)) {
        return give_up(at);
      }
    }
    for (; part != last; ++part) {
      if (is_missed(*part)) return give_up(at);
    }
    return at && at.in != end_ ? members : give_up(at);
  }
  static std::uint32_t give_up(place& at) noexcept {
    at = given_up;
    return 0;
  }
  [[nodiscard]] bool is_missed(const selection_node::part& part) const noexcept {
    return (fields_[part.field].flags & image::required) != 0 &&
           options_.missing_required == missing_required::error;
  }
  place selected_field(place at, const selection_node::part& part, ttype wire, std::uint32_t depth) {
    const image::field_node& known = fields_[part.field];
    if (known.wire != wire || left(at.in) < known.width || !put_name(at.out, names_ + part.field))
      return given_up;
    selected_ = part.child;
    const place behind = any_value(at, known.kind, known.type, depth);
    selected_ = selection_node::whole;
    return behind;
  }
  bool dropped_field(const std::uint8_t*& in, const selection_node& what, const detail::scan_field& header,
                     std::uint32_t depth) {
    const bool refuses = what.unknown && options_.unknown == json_unknown::error;
    if (refuses && !what.structure.field(header.id)) return false;
    return is_value_type(static_cast<std::uint8_t>(header.type)) &&
           scan_->skip_field(in, header, what.structure.index(), image_, depth);
  }

  const std::uint8_t* end_;
  const std::uint8_t* far_;  // before it, the widest_field bytes of a field are there
  std::uint8_t* base_ = nullptr;
  std::uint8_t* soft_end_ = nullptr;
  const image::field_node* fields_;
  const image::field_text* names_;
  const char* text_;
  image::slice image::field_text::*name_;
  std::uint32_t string_size_;
  bool quoted_i64_;
  bool unchecked_ = false;
  byte_view bytes_;
  const schema_image& image_;
  buffer& to_;
  const to_json_options& options_;
  const limits& bounds_;
  std::size_t start_;
  std::size_t most_;                                // bytes of output
  std::uint32_t selected_ = selection_node::whole;  // in nodes_: what is kept of the structs inside the value
  const selection_node* nodes_ = nullptr;
  std::optional<detail::scanner<binary>> scan_;
  field_set::pool words_;
  std::optional<entry_marks> marks_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
