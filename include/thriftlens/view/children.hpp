// children: iterates the values directly inside a struct, list, set or map.
#pragma once

#include <thriftlens/view/walker.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The children of one value. The accessors of a child require that next() returned true.
template <protocol P>
class children {
 public:
  using reader_type = typename P::reader;

  /// No children.
  children() noexcept : children(byte_view(), nullptr, {}) { code_ = errc::ok; }
  /// Opens the value. code() is an error at once for a value of another wire type, or if its elements
  /// contradict the IDL.
  children(byte_view bytes, const schema_image* image, const detail::wire_location& location) noexcept
      : walker_(bytes, image, location), types_(image), outer_(location) {
    code_ = open();
    value_ = walker_.location();
    if (code_ != errc::ok) broken_at_ = walker_.broken_at();
  }

  /// Moves to the next child. False at the end, and on an error: then code() is not ok.
  [[nodiscard]] bool next() noexcept {
    if (code_ != errc::ok) return false;
    if (inside_ && !in().skip(value_.wire)) return stop();
    inside_ = outer_.wire == ttype::struct_ ? next_field() : next_item();
    return inside_;
  }

  [[nodiscard]] errc code() const noexcept { return code_; }
  /// Position of the error if code() is not ok, as walker::broken_at().
  [[nodiscard]] detail::wire_position broken_at() const noexcept { return broken_at_; }

  /// Number of elements or entries not read yet; 0 for structs.
  [[nodiscard]] std::uint32_t left() const noexcept { return remaining_; }
  [[nodiscard]] std::int16_t id() const noexcept { return id_; }
  /// Node of the current field, or image::none if the IDL does not know it.
  [[nodiscard]] std::uint32_t field() const noexcept { return field_; }
  [[nodiscard]] const detail::wire_location& key() const noexcept { return key_; }
  [[nodiscard]] const detail::wire_location& value() const noexcept { return value_; }
  [[nodiscard]] std::int64_t index() const noexcept { return index_; }
  /// End of the value. Requires that next() returned false without an error.
  [[nodiscard]] const std::uint8_t* end() noexcept { return in().at(); }

 private:
  [[nodiscard]] reader_type& in() noexcept { return walker_.reader(); }
  /// Records the reader's fault. Always returns false.
  bool stop() noexcept { return stop(in().fault().code); }
  bool stop(errc code) noexcept {
    code_ = code;
    broken_at_ = walker_.broken_at();
    return false;
  }
  errc open() noexcept {
    if (outer_.wire != ttype::struct_ && outer_.wire != ttype::map) return walker_.open_list(remaining_);
    if (outer_.wire == ttype::struct_) {
      in().begin_struct();
      structure_ = types_.structure(outer_.type);
      return errc::ok;
    }
    const errc code = walker_.open_map(map_);
    remaining_ = map_.size;
    key_ = {{}, types_.first(outer_.type), map_.key};
    return code;
  }
  bool next_item() noexcept {
    if (remaining_ == 0) return false;
    --remaining_;
    ++index_;
    if (outer_.wire == ttype::map) {
      key_.at = in().here();
      if (!in().skip(key_.wire)) return stop();
    }
    value_.at = in().here();
    return true;
  }
  bool next_field() noexcept {
    if (at_stop_) return false;
    field_header header;
    auto begin = in().at();
    if (!in().read_field(header)) return stop();
    if (header.type == ttype::stop) return end_struct();
    id_ = header.id;
    field_ = types_.find(structure_, header.id);
    value_ = {in().here(), detail::type_of_field(types_, field_), header.type};
    if (detail::fits(types_, value_.type, header.type)) return true;
    return mismatch(begin);
  }
  bool mismatch(const std::uint8_t* begin) noexcept {
    stop(errc::type_mismatch);
    broken_at_.at = begin;
    return false;
  }
  bool end_struct() noexcept {
    at_stop_ = true;
    if (detail::absence(in(), outer_.at.at, false) == errc::absent) return false;
    in().reject(errc::trailing_bytes);
    return stop();
  }

  detail::walker<P> walker_;
  detail::schema_types types_;
  const detail::image::struct_node* structure_ = nullptr;
  detail::wire_location outer_;
  detail::wire_location key_;
  detail::wire_location value_;
  map_header map_;
  std::int64_t index_ = -1;
  std::uint32_t remaining_ = 0;
  std::uint32_t field_ = detail::image::none;
  std::int16_t id_ = 0;
  errc code_ = errc::ok;
  bool inside_ = false;
  bool at_stop_ = false;
  detail::wire_position broken_at_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
