// children: the values directly inside a struct, list, set or map, one after the other.
// In: a value. Out: each field, element or entry; then the end, or a fault.
// Never allocates; reads each byte of the value once.
#pragma once

#include <thriftlens/view/walker.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Walks over the children of one value. next() must answer true before the others are asked.
template <protocol P>
class children {
 public:
  using reader_type = typename P::reader;

  /// Of nothing: there are no children.
  children() noexcept : children(byte_view(), nullptr, {}) { code_ = errc::ok; }
  /// Opens the value. A value of another wire type than these four, or one whose elements contradict the IDL,
  /// has code() at once.
  children(byte_view bytes, const schema_image* image, const wire_spot& spot) noexcept
      : walker_(bytes, image, spot), image_(image), outer_(spot) {
    if (spot.wire == ttype::struct_) {
      static_cast<void>(in().begin_struct());
      if (spot.type != image::none) structure_ = &image->structs[image->types[spot.type].first];
    } else if (spot.wire == ttype::map) {
      code_ = walker_.open_map(map_, key_.type);
      left_ = map_.size;
      key_.wire = map_.key;
      value_ = walker_.spot();
    } else if (is_container(spot.wire)) {
      code_ = walker_.open_list(left_);
      value_ = walker_.spot();
    } else {
      code_ = errc::wrong_type;
    }
    if (code_ != errc::ok) broken_at_ = walker_.broken_at();
  }

  /// To the next child. False at the end, or where the bytes are broken: then code() is not ok.
  [[nodiscard]] bool next() noexcept {
    if (code_ != errc::ok) return false;
    if (inside_ && !in().skip(value_.wire)) return stop(in().fault().code);
    inside_ = false;
    if (outer_.wire == ttype::struct_) return next_field();
    if (left_ == 0) return false;
    --left_;
    ++index_;
    if (outer_.wire == ttype::map) {
      key_.at = in().here();
      if (!in().skip(key_.wire)) return stop(in().fault().code);
    }
    value_.at = in().here();
    return inside_ = true;
  }

  [[nodiscard]] errc code() const noexcept { return code_; }
  /// Where to point when code() is not ok, as walker::broken_at().
  [[nodiscard]] wire_position broken_at() const noexcept { return broken_at_; }

  /// Elements or entries that are still to come; 0 for structs.
  [[nodiscard]] std::uint32_t left() const noexcept { return left_; }
  [[nodiscard]] std::int16_t id() const noexcept { return id_; }
  /// Node of the present field, or image::none where the IDL does not know it.
  [[nodiscard]] std::uint32_t field() const noexcept { return field_; }
  [[nodiscard]] const wire_spot& key() const noexcept { return key_; }
  [[nodiscard]] const wire_spot& value() const noexcept { return value_; }
  [[nodiscard]] std::int64_t index() const noexcept { return index_; }
  /// Where the value ends; only after next() answered false without a fault.
  [[nodiscard]] const std::uint8_t* end() noexcept { return in().at(); }

 private:
  [[nodiscard]] reader_type& in() noexcept { return walker_.reader(); }
  bool stop(errc code) noexcept {
    code_ = code;
    broken_at_ = walker_.broken_at();
    return false;
  }
  bool next_field() noexcept {
    if (at_stop_) return false;
    field_header header;
    const std::uint8_t* begin = in().at();
    if (!in().read_field(header)) return stop(in().fault().code);
    if (header.type == ttype::stop) {
      at_stop_ = true;
      const bool at_root = outer_.at.at == in().begin();
      if (!at_root || in().at_end()) return false;
      static_cast<void>(in().fail(errc::trailing_bytes));
      return stop(errc::trailing_bytes);
    }
    id_ = header.id;
    value_ = {in().here(), image::none, header.type};
    field_ = structure_ == nullptr ? image::none : image_->find_field(*structure_, header.id);
    if (field_ != image::none) {
      value_.type = image_->fields[field_].type;
      if (image_->fields[field_].wire != header.type) {
        static_cast<void>(stop(errc::type_mismatch));
        broken_at_.at = begin;
        return false;
      }
    }
    return inside_ = true;
  }

  walker<P> walker_;
  const schema_image* image_;
  const image::struct_node* structure_ = nullptr;
  wire_spot outer_;
  wire_spot key_;
  wire_spot value_;
  map_header map_;
  std::int64_t index_ = -1;
  std::uint32_t left_ = 0;
  std::uint32_t field_ = image::none;
  std::int16_t id_ = 0;
  errc code_ = errc::ok;
  bool inside_ = false;
  bool at_stop_ = false;
  wire_position broken_at_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI
