// inspect: wire bytes as an indented tree for people, with or without a schema.
// In: bytes of one value. Out: a line for each value: offset, id or index, wire type, content; the fault
// where the bytes break. Never fails: what can be shown is shown. Output is linear in the bytes, and bounded.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/view/explain.hpp>
#include <thriftlens/view/scalar.hpp>
#include <thriftlens/view/walker.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

struct inspect_options {
  type of = {};                          ///< names fields and enum members; none: ids only
  std::uint32_t text_size = 60;          ///< bytes of a string that are shown
  std::uint32_t elements = 0xffffffffu;  ///< elements or entries of a container that are shown
  limits bounds = {};                    ///< output_size: bytes of text, without the line that says so
};

namespace detail {

template <protocol P>
class inspector {
 public:
  inspector(byte_view bytes, const inspect_options& options, std::string& out)
      : in_(bytes, options.bounds),
        options_(options),
        image_(options.of.image()),
        out_(out),
        most_(options.bounds.max_output(bytes.size())) {}

  void run() {
    wire_spot root = root_spot<P>({in_.begin(), static_cast<std::size_t>(in_.end() - in_.begin())},
                                  options_.of, options_.bounds);
    line(0, {});
    if (value(root.wire, root.type, 0) && !in_.at_end()) {
      static_cast<void>(in_.fail(errc::trailing_bytes));
    }
    static_cast<void>(fits());
    if (!in_.failed()) return;
    if (out_.size() > most_) out_.resize(out_.rfind('\n', most_ - 1) + 1);
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    const byte_view whole(in_.begin(), static_cast<std::size_t>(in_.end() - in_.begin()));
    const errc code = in_.fault().code;
    out_ += "! " + words_with_looks(std::string(sentence(code)), code, whole, P::id, root.wire) + " (byte " +
            std::to_string(in_.fault().offset) + ")\n";
  }
  [[nodiscard]] const fault& why() const noexcept { return in_.fault(); }

 private:
  [[nodiscard]] bool fits() noexcept { return out_.size() <= most_ || in_.fail(errc::output_limit); }
  /// Doubles the text's memory, but not beyond what may be written.
  THRIFTLENS_COLD void grow() {
    const std::size_t doubled = out_.capacity() * 2, enough = output_end(most_, widest_line);
    if (out_.capacity() >= enough) return;
    if (doubled <= enough) return out_.reserve(doubled);
    // A string that grows takes twice its memory; one that is made does not.
    std::string larger;
    larger.reserve(enough);
    larger += out_;
    out_.swap(larger);
  }
  void line(unsigned depth, std::string_view label) {
    if (out_.capacity() - out_.size() < widest_line) grow();
    char offset[24];
    std::snprintf(offset, sizeof offset, "%08zx  ", in_.offset());
    out_ += offset;
    out_.append(std::size_t{depth} * 2, ' ');
    out_ += label;
    if (!label.empty()) out_ += ' ';
  }
  [[nodiscard]] const image::type_node* node(std::uint32_t type) const noexcept {
    return type == image::none ? nullptr : &image_->types[type];
  }

  bool value(ttype wire, std::uint32_t type, unsigned depth) {
    if (!fits()) return false;
    const image::type_node* known = node(type);
    if (known != nullptr && known->wire != wire) {
      out_ += "(the IDL says " + thriftlens::type(image_, type).name() + ") ";
      type = image::none;
    }
    out_ += to_string(wire);
    if (wire == ttype::struct_) return structure(type, depth);
    if (wire == ttype::map) return mapping(type, depth);
    if (is_container(wire)) return sequence(wire, type, depth);
    out_ += ' ';
    bool done = scalar(wire, type);
    out_ += '\n';
    return done;
  }
  bool structure(std::uint32_t type, unsigned depth) {
    const image::struct_node* known = node(type) == nullptr ? nullptr : &image_->structs[node(type)->first];
    if (known != nullptr) out_ += " " + thriftlens::type(image_, type).name();
    out_ += '\n';
    const struct_mark outer = in_.begin_struct();
    field_header field;
    while (!in_.failed()) {
      const wire_position begin = in_.here();
      if (!in_.read_field(field)) return false;
      if (field.type == ttype::stop) break;
      const wire_position behind = in_.here();
      std::uint32_t at = known == nullptr ? image::none : image_->find_field(*known, field.id);
      std::string label = '#' + std::to_string(field.id);
      if (at != image::none) label += ' ' + std::string(image_->view(image_->field_texts[at].name));
      in_.seek(begin);
      line(depth + 1, label);
      in_.seek(behind);
      if (!value(field.type, at == image::none ? image::none : image_->fields[at].type, depth + 1))
        return false;
    }
    in_.end_struct(outer);
    return !in_.failed();
  }
  bool sequence(ttype wire, std::uint32_t type, unsigned depth) {
    list_header list;
    if (!(wire == ttype::set ? in_.read_set(list) : in_.read_list(list)) || !in_.enter()) return false;
    out_ += " of " + std::to_string(list.size) + ' ' +
            std::string(list.size == 0 && list.element == ttype::stop ? "?" : to_string(list.element)) + '\n';
    std::uint32_t element = node(type) == nullptr ? image::none : node(type)->first;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (i == options_.elements)
        return more(list.size - i, depth) && skip_many<P>(in_, list.element, list.size - i) &&
               (in_.leave(), true);
      line(depth + 1, '[' + std::to_string(i) + ']');
      if (!value(list.element, element, depth + 1)) return false;
    }
    in_.leave();
    return true;
  }
  bool mapping(std::uint32_t type, unsigned depth) {
    map_header map;
    if (!in_.read_map(map) || !in_.enter()) return false;
    out_ += " of " + std::to_string(map.size) + ' ' + std::string(to_string(map.key)) + " to " +
            std::string(to_string(map.value)) + '\n';
    const image::type_node* known = node(type);
    for (std::uint32_t i = 0; i < map.size; ++i) {
      bool shown = i < options_.elements;
      if (i == options_.elements) more(map.size - i, depth);
      if (shown) line(depth + 1, "key");
      if (!(shown ? value(map.key, known == nullptr ? image::none : known->first, depth + 1)
                  : in_.skip(map.key)))
        return false;
      if (shown) line(depth + 1, "  =");
      if (!(shown ? value(map.value, known == nullptr ? image::none : known->second, depth + 1)
                  : in_.skip(map.value)))
        return false;
    }
    in_.leave();
    return true;
  }
  bool more(std::uint32_t count, unsigned depth) {
    line(depth + 1, "… " + std::to_string(count) + " more");
    out_ += '\n';
    return true;
  }

  bool scalar(ttype wire, std::uint32_t type) {
    if (wire == ttype::bool_) return boolean();
    if (wire == ttype::double_) return real();
    if (wire == ttype::uuid) return unique();
    if (wire != ttype::string) return integer(wire, type);
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    text(bytes);
    return true;
  }
  bool boolean() {
    bool flag = false;
    if (!in_.read_bool(flag)) return false;
    out_ += flag ? "true" : "false";
    return true;
  }
  bool real() {
    double number = 0;
    if (!in_.read_double(number)) return false;
    char digits[32];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return true;
  }
  bool unique() {
    uuid_bytes id{};
    if (!in_.read_uuid(id)) return false;
    for (std::size_t i = 0; i < id.size(); ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) out_ += '-';
      hex(id[i]);
    }
    return true;
  }
  bool integer(ttype wire, std::uint32_t type) {
    std::int64_t value = 0;
    if (read_integer_of<P>(in_, wire, value) != errc::ok) return false;
    out_ += std::to_string(value);
    if (node(type) == nullptr || node(type)->kind != type_kind::enum_) return true;
    std::string_view name = thriftlens::type(image_, type).member_name(static_cast<std::int32_t>(value));
    if (!name.empty()) out_ += " " + std::string(name);
    return true;
  }
  void hex(std::uint8_t byte) {
    constexpr char digits[] = "0123456789abcdef";
    out_ += digits[byte >> 4];
    out_ += digits[byte & 15];
  }
  /// Valid UTF-8 as a quoted text, everything else in hex.
  void text(byte_view bytes) {
    std::string_view shown = bytes.text().substr(0, options_.text_size);
    std::string_view rest = shown;
    while (std::size_t length = utf8_length(rest)) rest.remove_prefix(length);
    bool cut = shown.size() < bytes.size();
    if (rest.empty() || (cut && rest.size() < 4)) {
      append_quoted(out_, shown.substr(0, shown.size() - rest.size()));
    } else {
      out_ += "0x";
      for (char each : shown) hex(static_cast<std::uint8_t>(each));
    }
    if (cut) out_ += "… (" + std::to_string(bytes.size()) + " bytes)";
  }

  typename P::reader in_;
  const inspect_options& options_;
  const schema_image* image_;
  static constexpr std::size_t widest_line = 8192;  // unless the caller wants to see long texts

  std::string& out_;
  std::size_t most_;
};

}  // namespace detail

/// The tree of one value: a struct, or a value of `options.of`. Where the bytes are broken the text ends in a
/// line that begins with `!`, and `why` (if given) is the fault. A line shows its depth, so a line of 150
/// bytes may stand for one byte: beyond 16 MiB and 8 bytes for each byte (or options.bounds) the text ends in
/// the same way, with output_limit.
template <protocol P>
[[nodiscard]] std::string inspect(byte_view bytes, const inspect_options& options = {},
                                  fault* why = nullptr) {
  std::string out;
  detail::inspector<P> work(bytes, options, out);
  work.run();
  if (why != nullptr) *why = work.why();
  return out;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
