// arrow_encoder: rows of Arrow arrays to wire bytes, without intermediate values. Never reads past the length
// of an array.
#pragma once

#include <thriftlens/columns/arrow_source.hpp>
#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/simd/utf8.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes one row after another to one buffer. Functions that return bool return false after an error, which
/// failure() then returns; the caller drops the incomplete row from the buffer.
template <protocol P>
class arrow_encoder {
 public:
  arrow_encoder(const arrow_source_tree& from, buffer& out, on_missing missing, on_invalid_utf8 invalid,
                std::size_t max_size)
      : nodes_(from.nodes.data()),
        writer_(out),
        out_(out),
        missing_(missing),
        checks_utf8_(invalid == on_invalid_utf8::error),
        max_size_(max_size) {}

  [[nodiscard]] bool is_null(std::size_t row) const { return is_null(nodes_[0], row); }
  /// The struct of a row that is not null.
  [[nodiscard]] bool row(std::size_t row) {
    end_ = output_end(out_.size(), max_size_);
    return structure(nodes_[0], row);
  }
  /// The error of the row that failed; another row may follow.
  [[nodiscard]] error failure() {
    error result(code_, std::move(message_), error::no_offset, path_.text());
    writer_ = typename P::writer(out_);
    parts_.clear();
    message_.clear();
    path_.back_to(0);
    return result;
  }

 private:
  using form = arrow_form;

  bool reject(errc code, std::string message = {}) {
    code_ = code;
    message_ = std::move(message);
    return false;
  }
  THRIFTLENS_COLD bool broken() {
    return reject(errc::wrong_type, "the offsets of the Arrow array are out of range");
  }
  THRIFTLENS_COLD bool out_of_range(const arrow_source& of, const std::string& number) {
    return reject(errc::value_range, joined({number, " is outside the range of ", to_string(of.kind)}));
  }

  // ---- nulls

  [[nodiscard]] THRIFTLENS_INLINE bool is_null(const arrow_source& of, std::size_t index) const {
    if (of.has_null_bit(index)) return true;
    if (of.form >= form::group || of.form == form::nothing) [[unlikely]]
      return is_odd_null(of, index);
    return false;
  }
  // For arrays whose nulls are those of other arrays.
  [[nodiscard]] bool is_odd_null(const arrow_source& of, std::size_t index) const {
    switch (of.form) {
      case form::group:
        return std::all_of(of.members.begin(), of.members.end(), [&](const arrow_source::member& field) {
          return field.source == arrow_source::none || is_null(nodes_[field.source], index);
        });
      case form::dense_union:
      case form::sparse_union: {
        const chosen_member chosen = chosen_of(of, index);
        return chosen.is_valid &&
               (chosen.member == nullptr || is_null(nodes_[chosen.member->source], chosen.index));
      }
      case form::dictionary: {
        std::size_t key = 0;
        const arrow_source& values = nodes_[of.children[0]];
        return dictionary_key(of, index, key) && is_null(values, key);
      }
      default:
        return true;
    }
  }

  // ---- scalars

  bool value(const arrow_source& of, std::size_t index) {
    if (of.form == form::dictionary) [[unlikely]]
      return dictionary(of, index);
    switch (of.kind) {
      case type_kind::bool_:
        return boolean(of, index);
      case type_kind::i8:
        return number<std::int8_t, &P::writer::write_i8>(of, index);
      case type_kind::i16:
        return number<std::int16_t, &P::writer::write_i16>(of, index);
      case type_kind::i32:
        return number<std::int32_t, &P::writer::write_i32>(of, index);
      case type_kind::i64:
        return number<std::int64_t, &P::writer::write_i64>(of, index);
      case type_kind::double_:
        return real(of, index);
      case type_kind::string:
      case type_kind::binary:
        return bytes(of, index);
      default:
        return wide_value(of, index);
    }
  }
  bool wide_value(const arrow_source& of, std::size_t index) {
    switch (of.kind) {
      case type_kind::enum_:
        return of.form == form::bytes ? member(of, index)
                                      : number<std::int32_t, &P::writer::write_i32>(of, index);
      case type_kind::uuid:
        return uuid(of, index);
      case type_kind::list:
      case type_kind::set:
        return list(of, index);
      case type_kind::map:
        return map(of, index);
      default:
        return structure(of, index);
    }
  }
  bool boolean(const arrow_source& of, std::size_t index) {
    const std::size_t at = of.offset + index;
    writer_.write_bool((of.values[at / 8] >> at % 8 & 1) != 0);
    return true;
  }
  template <class T, auto Write>
  THRIFTLENS_INLINE bool number(const arrow_source& of, std::size_t index) {
    if (of.is_exact) [[likely]] {
      (writer_.*Write)(of.template value_at<T>(of.values, index));
      return true;
    }
    std::int64_t number = 0;
    if (!integer(of, of.form, index, number)) return false;
    if (number != static_cast<T>(number)) return out_of_range(of, std::to_string(number));
    (writer_.*Write)(static_cast<T>(number));
    return true;
  }
  template <class T>
  [[nodiscard]] static std::int64_t widened(const arrow_source& of, std::size_t index) noexcept {
    return static_cast<std::int64_t>(of.template value_at<T>(of.values, index));
  }
  // Of any width; a uint64 that int64 cannot represent is an error.
  bool integer(const arrow_source& of, form source_form, std::size_t index, std::int64_t& number) {
    using read = std::int64_t (*)(const arrow_source&, std::size_t) noexcept;
    static constexpr read readers[] = {widened<std::int8_t>,   widened<std::int16_t>, widened<std::int32_t>,
                                       widened<std::int64_t>,  widened<std::uint8_t>, widened<std::uint16_t>,
                                       widened<std::uint32_t>, widened<std::uint64_t>};
    number = readers[static_cast<int>(source_form) - static_cast<int>(form::i8)](of, index);
    if (source_form != form::u64 || number >= 0) return true;
    return out_of_range(of, std::to_string(static_cast<std::uint64_t>(number)));
  }
  bool real(const arrow_source& of, std::size_t index) {
    double value = 0;
    std::int64_t number = 0;
    if (of.is_exact) [[likely]]
      value = of.template value_at<double>(of.values, index);
    else if (of.form == form::f32)
      value = static_cast<double>(of.template value_at<float>(of.values, index));
    else if (integer(of, of.form, index, number))
      value = static_cast<double>(number);
    else
      return false;
    writer_.write_double(value);
    return true;
  }
  bool bytes(const arrow_source& of, std::size_t index) {
    const result<byte_view> value = of.blobs.try_value(index);
    if (!value) return broken();
    if (value->size() > 0x7fffffffu) return reject(errc::size_limit);
    if (checks_utf8_ && of.kind == type_kind::string && !simd::valid_utf8(*value))
      return reject(errc::invalid_utf8);
    if (out_.size() + value->size() > end_) return reject(errc::output_limit);
    writer_.write_bytes(*value);
    return true;
  }
  bool uuid(const arrow_source& of, std::size_t index) {
    const result<byte_view> id_bytes = of.blobs.try_value(index);
    uuid_bytes id{};
    if (!id_bytes) return broken();
    if (of.is_text && !parse_uuid(id_bytes->text(), id))
      return reject(errc::value_type, "expected the text of a uuid");
    if (!of.is_text && !copy_uuid(*id_bytes, id))
      return reject(errc::value_type, "expected the 16 bytes of a uuid");
    writer_.write_uuid(id);
    return true;
  }
  [[nodiscard]] static bool copy_uuid(byte_view from, uuid_bytes& to) noexcept {
    if (from.size() != to.size()) return false;
    std::copy(from.begin(), from.end(), to.begin());
    return true;
  }
  // A member by name, or a number by its digits, as columns write a number without a name.
  bool member(const arrow_source& of, std::size_t index) {
    const result<byte_view> text = of.blobs.try_value(index);
    if (!text) return broken();
    const std::string_view name = text->text();
    const std::optional<std::int32_t> known = of.of.member_value(name);
    std::int32_t number = known.value_or(0);
    if (!known) {
      const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (code != std::errc() || end != name.data() + name.size())
        return reject(errc::unknown_enum_name, no_such_member_text(of.of, name));
    }
    writer_.write_i32(number);
    return true;
  }
  bool dictionary_key(const arrow_source& of, std::size_t index, std::size_t& key) const {
    arrow_encoder& self = const_cast<arrow_encoder&>(*this);
    std::int64_t position = 0;
    if (!self.integer(of, of.index_form, index, position)) return false;
    if (position < 0 || static_cast<std::size_t>(position) >= nodes_[of.children[0]].length) return false;
    key = static_cast<std::size_t>(position);
    return true;
  }
  bool dictionary(const arrow_source& of, std::size_t index) {
    std::size_t key = 0;
    if (!dictionary_key(of, index, key)) return broken();
    return value(nodes_[of.children[0]], key);
  }

  // ---- containers

  /// Bytes of an element or a key.
  struct part {
    std::size_t begin, size;
  };
  struct extent {
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  template <class T>
  [[nodiscard]] static bool between(const arrow_source& of, std::size_t index, extent& to) noexcept {
    const auto begin = of.template value_at<T>(of.offsets, index),
               end = of.template value_at<T>(of.offsets, index + 1);
    if (begin < 0 || end < begin) return false;
    to = {static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)};
    return true;
  }
  /// The range of the elements in the child array.
  bool extent_of(const arrow_source& of, std::size_t index, extent& to) {
    bool fits = true;
    switch (of.form) {
      case form::list:
        fits = between<std::int32_t>(of, index, to);
        break;
      case form::large_list:
        fits = between<std::int64_t>(of, index, to);
        break;
      default:
        to = {(of.offset + index) * of.width, of.width};
    }
    const std::size_t held = nodes_[of.children[0]].length;
    if (!fits || to.begin > held || to.count > held - to.begin) return broken();
    return to.count <= 0x7fffffffu || reject(errc::size_limit);
  }
  bool null_in_container(const arrow_source& of) {
    return reject(errc::value_type, joined({"expected ", of.of.name(), ", got null"}));
  }
  /// A value that must not be null.
  bool present(const arrow_source& of, std::size_t index) {
    if (is_null(of, index)) return null_in_container(of);
    return value(of, index) && (out_.size() <= end_ || reject(errc::output_limit));
  }
  bool list(const arrow_source& of, std::size_t index) {
    extent at;
    if (!extent_of(of, index, at)) return false;
    const arrow_source& element = nodes_[of.children[0]];
    writer_.write_list({element.wire, static_cast<std::uint32_t>(at.count)});
    const bool is_set = of.kind == type_kind::set && at.count > 1;
    const std::size_t base = parts_.size();
    for (std::size_t i = 0; i < at.count; ++i) {
      const std::size_t begin = out_.size();
      if (!present(element, at.begin + i)) return path_.index(i);
      if (is_set) parts_.push_back({begin, out_.size() - begin});
    }
    return !is_set || differ(base, element.wire, std::string(duplicate_element_text)) ||
           path_.index(duplicate_);
  }
  bool map(const arrow_source& of, std::size_t index) {
    extent at;
    if (!extent_of(of, index, at)) return false;
    const arrow_source& key = nodes_[of.children[1]];
    const arrow_source& item = nodes_[of.children[2]];
    writer_.write_map({key.wire, item.wire, static_cast<std::uint32_t>(at.count)});
    const std::size_t base = parts_.size();
    for (std::size_t i = 0; i < at.count; ++i)
      if (!entry(of, at.begin + i, i)) return false;
    return differ(base, key.wire) || path_.key_at(duplicate_);
  }
  /// `position`: the index in the map.
  bool entry(const arrow_source& map, std::size_t index, std::size_t position) {
    const arrow_source& held = nodes_[map.children[0]];
    const arrow_source& key = nodes_[map.children[1]];
    const std::size_t child = held.offset + index, begin = out_.size();
    if (held.has_null_bit(index)) return null_in_container(key) || path_.key_at(position);
    if (!present(key, child)) return path_.key_at(position);
    const part written{begin, out_.size() - begin};
    parts_.push_back(written);
    return present(nodes_[map.children[2]], child) || name_entry(key, written);
  }

  THRIFTLENS_COLD bool name_entry(const arrow_source& key, const part& of) {
    return add_key_step<P>(path_, byte_view(out_.data() + of.begin, of.size), key.wire);
  }
  /// Whether no two of the parts from `base` on are equal; they are dropped.
  bool differ(std::size_t base, ttype wire, std::string message = {}) {
    comparable_keys<P> keys;
    for (std::size_t i = base; i < parts_.size(); ++i)
      static_cast<void>(keys.add({out_.data() + parts_[i].begin, parts_[i].size}, wire));
    duplicate_ = keys.find_repeated();
    parts_.resize(base);
    return duplicate_ == repeated_keys::none || reject(errc::duplicate_key, std::move(message));
  }

  // ---- structs

  bool structure(const arrow_source& of, std::size_t index) {
    if (of.form >= form::dense_union) return union_member(of, index);
    const std::size_t child = of.offset + index;
    const struct_mark outer = writer_.begin_struct();
    std::uint32_t written = 0;
    for (const arrow_source::member& field : of.members) {
      if (field.source == arrow_source::none || is_null(nodes_[field.source], child)) {
        if (field.required && missing_ == on_missing::error)
          return fail_field(errc::missing_required, of, field);
        continue;
      }
      if (++written > 1 && of.kind == type_kind::union_) return fail_field(errc::union_members, of, field);
      writer_.write_field(field.wire, field.id);
      if (!value(nodes_[field.source], child)) return name_field(of, field);
    }
    writer_.write_stop();
    writer_.end_struct(outer);
    return out_.size() <= end_ || reject(errc::output_limit);
  }
  THRIFTLENS_COLD bool name_field(const arrow_source& of, const arrow_source::member& which) {
    const schema_image& image = *of.of.image();
    return path_.field(image.field_name(which.field));
  }
  THRIFTLENS_COLD bool fail_field(errc code, const arrow_source& of, const arrow_source::member& which) {
    reject(code);
    return name_field(of, which);
  }

  /// The union member of a value; null if the type id has none.
  struct chosen_member {
    bool is_valid = false;
    const arrow_source::member* member = nullptr;
    std::size_t index = 0;
  };
  [[nodiscard]] chosen_member chosen_of(const arrow_source& of, std::size_t index) const {
    const auto id = of.template value_at<std::int8_t>(of.values, index);
    if (id < 0) return {};
    const std::uint32_t member = of.by_type_id[static_cast<std::size_t>(id)];
    if (member == arrow_source::none) return {true};
    chosen_member chosen{true, &of.members[member], of.offset + index};
    if (of.form == form::sparse_union) return chosen;
    const auto position = of.template value_at<std::int32_t>(of.offsets, index);
    chosen.index = static_cast<std::size_t>(position);
    chosen.is_valid = position >= 0 && chosen.index < nodes_[chosen.member->source].length;
    return chosen;
  }
  bool union_member(const arrow_source& of, std::size_t index) {
    const chosen_member chosen = chosen_of(of, index);
    if (!chosen.is_valid || chosen.member == nullptr) return broken();
    const struct_mark outer = writer_.begin_struct();
    writer_.write_field(chosen.member->wire, chosen.member->id);
    if (!value(nodes_[chosen.member->source], chosen.index)) return name_field(of, *chosen.member);
    writer_.write_stop();
    writer_.end_struct(outer);
    return true;
  }

  const arrow_source* nodes_;
  typename P::writer writer_;
  buffer& out_;
  on_missing missing_;
  bool checks_utf8_;
  std::size_t max_size_;
  std::size_t end_ = 0;
  std::vector<part> parts_;
  std::size_t duplicate_ = 0;
  errc code_ = errc::ok;
  std::string message_;
  path_builder path_{path_builder::order::innermost_first};
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
