// print: a view in a stream, as JSON-like text for logs, tests and debuggers. Reads only what it prints. For
// text to send use to_json.
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

/// Structs by field name, or `"#7"` for an unknown id; enums by name; binary as `x"0800"`; map keys as
/// values. Omitted parts are `…`.
template <protocol P>
class view_printer {
 public:
  static constexpr std::size_t max_size = 240;

  explicit view_printer(std::string& out) noexcept : out_(out) {}

  THRIFTLENS_COLD void root(const view<P>& of) {
    if (of)
      value(of);
    else
      fault(of.error().what());
  }

 private:
  THRIFTLENS_COLD void fault(std::string_view reason) {
    out_ += '<';
    out_ += reason;
    out_ += '>';
    failed_ = true;
  }
  THRIFTLENS_COLD void value(const view<P>& of) {
    if (of.wire() == ttype::struct_)
      fields(of);
    else if (of.wire() == ttype::map)
      entries(of);
    else if (has_children(of.wire()))
      in_brackets("[]", of.try_elements(), [this](const view<P>& element) { value(element); });
    else
      scalar(of);
  }
  THRIFTLENS_COLD void fields(const view<P>& of) {
    in_brackets("{}", of.try_fields(), [this](const field_item<P>& item) {
      append_quoted(out_, item.info ? std::string(item.name()) : '#' + std::to_string(item.id));
      out_ += ": ";
      value(item.value);
    });
  }
  THRIFTLENS_COLD void entries(const view<P>& of) {
    in_brackets("{}", of.try_entries(), [this](const entry_item<P>& item) {
      value(item.key);
      if (cut_) return;
      out_ += ": ";
      value(item.value);
    });
  }
  /// Prints children until the text is long enough; then stops reading the range.
  template <class Range, class Print>
  THRIFTLENS_COLD void in_brackets(const char* brackets, Range children, Print&& print) {
    out_ += brackets[0];
    bool first = true;
    for (const auto& child : children) {
      if (!first) out_ += ", ";
      first = false;
      if (out_.size() >= max_size) cut();
      if (!cut_) print(child);
      if (cut_) break;
    }
    if (children.code() != errc::ok && !failed_) fault(sentence(children.code()));
    out_ += brackets[1];
  }
  void cut() {
    out_ += "…";
    cut_ = true;
  }

  THRIFTLENS_COLD void scalar(const view<P>& of) {
    const bool printed = put<std::int64_t>(of, [&](std::int64_t number) { integer(of.type(), number); }) ||
                         put<bool>(of, [&](bool truth) { out_ += truth ? "true" : "false"; }) ||
                         put<double>(of, [&](double number) { real(number); }) ||
                         put<uuid_bytes>(of, [&](const uuid_bytes& id) { uuid(id); }) ||
                         put<byte_view>(of, [&](byte_view bytes) { text(of.type(), bytes); });
    if (!printed) fault(sentence(errc::wrong_type));
  }
  /// False: not a T.
  template <class T, class Print>
  THRIFTLENS_COLD bool put(const view<P>& of, Print&& print) {
    T value{};
    const errc code = of.get(value);
    if (code == errc::ok)
      print(value);
    else if (code != errc::wrong_type)
      fault(sentence(code));
    return code != errc::wrong_type;
  }
  THRIFTLENS_COLD void integer(const type& of, std::int64_t number) {
    const bool named = of && of.is_enum();
    const std::string_view name = named ? of.member_name(static_cast<std::int32_t>(number)) : "";
    if (name.empty())
      out_ += std::to_string(number);
    else
      append_quoted(out_, name);
  }
  THRIFTLENS_COLD void real(double number) {
    char digits[32];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  THRIFTLENS_COLD void uuid(const uuid_bytes& id) {
    char digits[uuid_text_size];
    append_quoted(out_, {digits, static_cast<std::size_t>(put_uuid_text(digits, id.data()) - digits)});
  }
  THRIFTLENS_COLD void text(const type& of, byte_view bytes) {
    const std::size_t remaining = out_.size() < max_size ? max_size - out_.size() : 0;
    const bool binary = of && of.kind() == type_kind::binary;
    const std::string_view shown =
        binary ? bytes.text().substr(0, remaining / 2) : utf8_cut(bytes.text(), remaining);
    if (binary)
      hex(shown);
    else
      append_quoted(out_, shown);
    if (shown.size() < bytes.size()) cut();
  }
  THRIFTLENS_COLD void hex(std::string_view bytes) {
    out_ += "x\"";
    for (const char character : bytes) append_hex(out_, static_cast<std::uint8_t>(character));
    out_ += '"';
  }

  std::string& out_;
  bool cut_ = false;     // only closing brackets are printed
  bool failed_ = false;  // ranges that end early have the same cause
};

}  // namespace detail

/// `{"id": 7, "items": [{"sku": "a", "price": 1.5}, …]}`: text for people, not for programs. An absent or
/// broken value is its error in angle brackets, also at the position where the bytes break.
template <class Traits, protocol P>
THRIFTLENS_COLD std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                                             const view<P>& of) {
  std::string text;
  detail::view_printer<P>(text).root(of);
  return out << text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
