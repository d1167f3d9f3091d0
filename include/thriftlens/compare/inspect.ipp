// inspect: bodies of inspect.hpp.
#pragma once

#include <thriftlens/compare/inspect.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/protocol/integer.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/walk.hpp>
#include <thriftlens/schema/walk_types.hpp>
#include <thriftlens/view/explain.hpp>
#include <thriftlens/view/walker.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

template <protocol P>
class inspector : public walk<inspector<P>, P, schema_types> {
  using base = walk<inspector<P>, P, schema_types>;
  friend base;

 public:
  inspector(typename P::reader& in, const inspect_options& options, std::string& out)
      : base(in, options.of.image()),
        options_(options),
        out_(out),
        max_size_(options.limits.max_output(in.remaining())) {}

  void run() {
    const byte_view bytes(in_.begin(), in_.remaining());
    const wire_location root = root_location<P>(bytes, options_.of, options_.limits);
    line({});
    if (value(root.wire, root.type) && !in_.at_end()) static_cast<void>(in_.reject(errc::trailing_bytes));
    static_cast<void>(fits());
    if (in_.failed()) add_fault(bytes, root.wire);
  }

 private:
  using base::in_, base::types_;

  template <class... Parts>
  void add(const Parts&... parts) {
    static_cast<void>(((out_ += parts), ...));
  }
  [[nodiscard]] bool fits() noexcept { return out_.size() <= max_size_ || in_.reject(errc::output_limit); }
  void add_fault(byte_view bytes, ttype wire) {
    if (out_.size() > max_size_) out_.resize(out_.rfind('\n', max_size_ - 1) + 1);
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    const error reason = with_looks(error(in_.fault().code, {}, in_.fault().offset), bytes, P::id, wire);
    ((out_ += "! ") += reason.what()) += '\n';
  }
  /// Doubles the text's memory, up to the most that may be written.
  THRIFTLENS_COLD void grow() {
    const std::size_t doubled = out_.capacity() * 2, enough = output_end(max_size_, widest_line);
    if (out_.capacity() >= enough) return;
    if (doubled <= enough) return out_.reserve(doubled);
    // A string that grows needs twice its memory; a new one does not.
    std::string larger;
    larger.reserve(enough);
    larger += out_;
    out_.swap(larger);
  }
  void line(std::string_view label) { line(label, in_.offset()); }
  void line(std::string_view label, std::size_t offset) {
    if (out_.capacity() - out_.size() < widest_line) grow();
    char text[24];
    std::snprintf(text, sizeof text, "%08zx  ", offset);
    out_ += text;
    out_.append(std::size_t{depth_} * 2, ' ');
    out_ += label;
    if (!label.empty()) out_ += ' ';
  }
  [[nodiscard]] std::string name_of(std::uint32_t type) const {
    return thriftlens::type(types_.image(), type).name();
  }

  bool value(ttype wire, std::uint32_t type) {
    if (!fits()) return false;
    if (type != image::none && types_.wire(type) != wire) {
      out_ += joined({"(declared ", name_of(type), ") "});
      type = image::none;
    }
    out_ += to_string(wire);
    ++depth_;
    const bool ok = base::value(wire, type);
    --depth_;
    return ok;
  }
  /// The value's own line reports what the IDL declares.
  bool mismatch(const walk_mismatch&, std::uint32_t&) noexcept { return true; }

  bool structure(std::uint32_t type) {
    if (type != image::none) add(' ', name_of(type));
    out_ += '\n';
    return this->each_field(type, [&](const walked_field& field) {
      line(label_of(field), static_cast<std::size_t>(field.begin - in_.begin()));
      return value(field.header.type, field.type);
    });
  }
  [[nodiscard]] std::string label_of(const walked_field& field) const {
    std::string label = '#' + std::to_string(field.header.id);
    if (field.node == image::none) return label;
    return (label += ' ') += field_info(types_.image(), field.node).name();
  }
  void heading(const list_header& list) {
    const bool has_type = list.size != 0 || list.element != ttype::stop;
    add(" of ", std::to_string(list.size), ' ', has_type ? to_string(list.element) : "?", '\n');
  }
  void heading(const map_header& map) {
    add(" of ", std::to_string(map.size), ' ', to_string(map.key), " to ", to_string(map.value), '\n');
  }
  bool part(std::string_view label, ttype wire, std::uint32_t type) {
    line(label);
    return value(wire, type);
  }
  bool sequence(ttype wire, std::uint32_t type) {
    return this->in_sequence(wire, type, [&](const list_header& list, std::uint32_t element, auto...) {
      heading(list);
      std::uint32_t remaining = list.size;
      const bool ok = show(remaining, [&](std::uint32_t i) {
        return part('[' + std::to_string(i) + ']', list.element, element);
      });
      return ok && skip_many<P>(in_, list.element, remaining);
    });
  }
  bool mapping(std::uint32_t type) {
    return this->in_map(type, [&](const map_header& map, std::uint32_t key, std::uint32_t item, auto...) {
      heading(map);
      std::uint32_t remaining = map.size;
      const bool ok = show(remaining, [&](std::uint32_t) {
        return part("key", map.key, key) && part("  =", map.value, item);
      });
      return ok && skip_entries(in_, map, remaining);
    });
  }
  /// Calls `write(index)` for the parts that are shown; `remaining` becomes the number of the others.
  template <class Write>
  bool show(std::uint32_t& remaining, Write write) {
    const std::uint32_t shown = (std::min)(remaining, options_.elements);
    for (std::uint32_t i = 0; i < shown; ++i)
      if (!write(i)) return false;
    remaining -= shown;
    if (remaining != 0) more(remaining);
    return true;
  }
  void more(std::uint32_t count) {
    line(joined({"… ", count, " more"}));
    out_ += '\n';
  }

  bool scalar(ttype wire, std::uint32_t type) {
    out_ += ' ';
    const bool ok = wire == ttype::bool_     ? boolean()
                    : wire == ttype::double_ ? real()
                    : wire == ttype::uuid    ? unique()
                    : wire == ttype::string  ? text()
                                             : integer(wire, type);
    out_ += '\n';
    return ok;
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
    char text[uuid_text_size];
    out_.append(text, put_uuid_text(text, id.data()));
    return true;
  }
  bool integer(ttype wire, std::uint32_t type) {
    std::int64_t value = 0;
    if (!read_integer(in_, wire, value)) return false;
    out_ += std::to_string(value);
    if (type == image::none || types_.image()->types[type].kind != type_kind::enum_) return true;
    const std::string_view name =
        thriftlens::type(types_.image(), type).member_name(static_cast<std::int32_t>(value));
    if (!name.empty()) out_ += ' ';
    out_ += name;
    return true;
  }
  bool text() {
    byte_view bytes;
    if (!in_.read_bytes(bytes)) return false;
    const std::string_view shown = bytes.text().substr(0, options_.text_size);
    const bool cut = shown.size() < bytes.size();
    content(shown, cut);
    if (cut) add("… (", std::to_string(bytes.size()), " bytes)");
    return true;
  }
  /// Valid UTF-8 as a quoted text, everything else in hex.
  void content(std::string_view shown, bool cut) {
    const std::size_t valid = utf8_size(shown);
    if (valid == shown.size() || (cut && shown.size() - valid < 4))
      append_quoted(out_, shown.substr(0, valid));
    else
      hex(shown);
  }
  /// Size of the leading part that is complete characters of UTF-8.
  [[nodiscard]] static std::size_t utf8_size(std::string_view text) noexcept {
    std::string_view rest = text;
    while (const std::size_t length = utf8_length(rest)) rest.remove_prefix(length);
    return text.size() - rest.size();
  }
  void hex(std::string_view bytes) {
    constexpr char digits[] = "0123456789abcdef";
    out_ += "0x";
    for (const char character : bytes) {
      const auto byte = static_cast<std::uint8_t>(character);
      out_ += digits[byte >> 4];
      out_ += digits[byte & 15];
    }
  }

  static constexpr std::size_t widest_line = 8192;  // unless long texts are shown

  const inspect_options& options_;
  std::string& out_;
  std::size_t max_size_;
  unsigned depth_ = 0;
};

}  // namespace detail

template <protocol P>
std::string inspect(input_bytes bytes, const inspect_options& options, fault* failure) {
  std::string out;
  typename P::reader in(bytes, options.limits);
  detail::inspector<P>(in, options, out).run();
  if (failure != nullptr) *failure = in.fault();
  return out;
}

#if defined(THRIFTLENS_COMPILED)
template std::string inspect<binary>(input_bytes, const inspect_options&, fault*);
template std::string inspect<compact>(input_bytes, const inspect_options&, fault*);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
