// print: a view in a stream, as text like JSON for people: logs, tests, debuggers. Never reads further
// than it prints; never the text to send on: that is to_json.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/core/utf8.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/view/fwd.hpp>
#include <thriftlens/view/range.hpp>

#include <charconv>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Structs by field name, or `"#7"` where the IDL does not know the id; enums by name; binary as `x"0800"`;
/// map keys as values. What is left out is `…`.
template <protocol P>
class view_printer {
 public:
  static constexpr std::size_t max_size = 240;

  explicit view_printer(std::string& out) noexcept : out_(out) {}

  void root(const view<P>& of) {
    if (of)
      value(of);
    else
      fault(of.error().what());
  }

 private:
  void fault(std::string_view why) {
    out_ += '<';
    out_ += why;
    out_ += '>';
  }
  void value(const view<P>& of) {
    if (of.wire() == ttype::struct_)
      fields(of);
    else if (of.wire() == ttype::map)
      entries(of);
    else if (has_children(of.wire()))
      in_brackets("[]", of.try_elements(), [this](const view<P>& each) { value(each); });
    else
      scalar(of);
  }
  void fields(const view<P>& of) {
    in_brackets("{}", of.try_fields(), [this](const field_item<P>& each) {
      append_quoted(out_, each.info ? std::string(each.name()) : '#' + std::to_string(each.id));
      out_ += ": ";
      value(each.value);
    });
  }
  void entries(const view<P>& of) {
    in_brackets("{}", of.try_entries(), [this](const entry_item<P>& each) {
      value(each.key);
      if (cut_) return;
      out_ += ": ";
      value(each.value);
    });
  }
  /// The children until the text is long enough; then the range is not asked for another.
  template <class Range, class Print>
  void in_brackets(const char* brackets, Range children, Print&& print) {
    out_ += brackets[0];
    bool first = true;
    for (const auto& each : children) {
      if (!first) out_ += ", ";
      first = false;
      if (out_.size() >= max_size) cut();
      if (!cut_) print(each);
      if (cut_) break;
    }
    if (children.code() != errc::ok) fault(sentence(children.code()));
    out_ += brackets[1];
  }
  void cut() {
    out_ += "…";
    cut_ = true;
  }

  void scalar(const view<P>& of) {
    const bool printed = put<std::int64_t>(of, [&](std::int64_t number) { integer(of.type(), number); }) ||
                         put<bool>(of, [&](bool truth) { out_ += truth ? "true" : "false"; }) ||
                         put<double>(of, [&](double number) { real(number); }) ||
                         put<uuid_bytes>(of, [&](const uuid_bytes& id) { uuid(id); }) ||
                         put<byte_view>(of, [&](byte_view bytes) { text(of.type(), bytes); });
    if (!printed) fault(sentence(errc::wrong_type));
  }
  /// False: it is no T.
  template <class T, class Print>
  bool put(const view<P>& of, Print&& print) {
    T value{};
    const errc code = of.get(value);
    if (code == errc::ok)
      print(value);
    else if (code != errc::wrong_type)
      fault(sentence(code));
    return code != errc::wrong_type;
  }
  void integer(const type& of, std::int64_t number) {
    const bool named = of && of.is_enum();
    const std::string_view name = named ? of.member_name(static_cast<std::int32_t>(number)) : "";
    if (name.empty())
      out_ += std::to_string(number);
    else
      append_quoted(out_, name);
  }
  void real(double number) {
    char digits[32];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  void uuid(const uuid_bytes& id) {
    char digits[uuid_text_size];
    append_quoted(out_, {digits, static_cast<std::size_t>(put_uuid_text(digits, id.data()) - digits)});
  }
  void text(const type& of, byte_view bytes) {
    const std::size_t left = out_.size() < max_size ? max_size - out_.size() : 0;
    const bool binary = of && of.kind() == type_kind::binary;
    const std::string_view shown = binary ? bytes.text().substr(0, left / 2) : utf8_cut(bytes.text(), left);
    if (binary)
      hex(shown);
    else
      append_quoted(out_, shown);
    if (shown.size() < bytes.size()) cut();
  }
  void hex(std::string_view bytes) {
    out_ += "x\"";
    for (const char each : bytes) append_hex(out_, static_cast<std::uint8_t>(each));
    out_ += '"';
  }

  std::string& out_;
  bool cut_ = false;  // no more is printed but closing brackets
};

}  // namespace detail

/// `{"id": 7, "items": [{"sku": "a", "price": 1.5}, …]}`: text for people, not for programs. An absent or
/// broken value is its error in angle brackets; so is a place where the bytes break.
template <class Traits, protocol P>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const view<P>& of) {
  std::string text;
  detail::view_printer<P>(text).root(of);
  return out << text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
