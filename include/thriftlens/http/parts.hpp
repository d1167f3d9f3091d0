// parts: the values that a plan looks up in the parts of one request.
#pragma once

#include <thriftlens/core/result.hpp>
#include <thriftlens/http/message.hpp>
#include <thriftlens/http/multipart.hpp>
#include <thriftlens/http/plain_text.hpp>
#include <thriftlens/http/plan_image.hpp>
#include <thriftlens/http/url_text.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Format of the body.
enum class body_kind : std::uint8_t { empty, json, form, text };

/// Splits a request once and looks up its parameters in the tables of the plan.
class http_parts {
 public:
  http_parts(const plan_image& plan, const http_request& request)
      : plan_(plan), request_(request), texts_(plan.slot_count) {}
  http_parts(const http_parts&) = delete;
  http_parts& operator=(const http_parts&) = delete;

  /// Errors: size_limit by http_limits, json_syntax for a malformed multipart form.
  [[nodiscard]] result<void> load() {
    if (result<void> checked = check_sizes(); !checked) return checked;
    if (!take_headers() || !take_url()) return too_large("too many parameters");
    for (const http_pair& param : request_.path_params) set(http_part::path, param.name, param.value);
    return take_body();
  }

  [[nodiscard]] body_kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_json_declared() const noexcept { return is_json_declared_; }
  /// The text to read as JSON: the body or an empty object.
  [[nodiscard]] std::string_view json() const noexcept {
    return kind_ == body_kind::json ? request_.body : std::string_view("{}");
  }
  [[nodiscard]] std::string_view raw_body() const noexcept { return request_.body; }
  [[nodiscard]] std::string_view raw_uri() const noexcept { return request_.url; }
  [[nodiscard]] byte_view base() const noexcept { return request_.base; }
  /// The text of a slot; its data is null if the request has no such parameter.
  [[nodiscard]] std::string_view text(std::uint32_t slot) const noexcept {
    return slot < texts_.size() ? texts_[slot] : std::string_view();
  }
  /// Sets a slot without a text. A slot of a list also collects later texts. The text must outlive the parts.
  void set(std::uint32_t slot, std::string_view text) {
    if (text.data() == nullptr) text = "";
    if (texts_[slot].data() == nullptr)
      texts_[slot] = text;
    else if (slot < plan_.repeats.size() && plan_.repeats[slot])
      more_.push_back({slot, text});
  }
  /// The elements of a slot of a list: its texts if it has several, or the elements of a text with encoded
  /// commas. Empty if the caller has to split the only text at its commas.
  [[nodiscard]] std::vector<std::string_view> repeated_texts(std::uint32_t slot) {
    std::vector<std::string_view> elements;
    for (const later_text& later : more_) {
      if (later.slot != slot) continue;
      if (elements.empty()) elements.push_back(texts_[slot]);
      elements.push_back(later.text);
    }
    for (const later_text& later : encoded_)
      if (later.slot == slot && elements.empty()) return split_encoded(later.text);
    return elements;
  }

 private:
  [[nodiscard]] static error too_large(const char* text) { return error(errc::size_limit, text); }
  [[nodiscard]] result<void> check_sizes() const {
    const http_limits& bounds = plan_.options.bounds;
    if (request_.body.size() > bounds.body_size) return too_large("the body exceeds the limit");
    if (request_.url.size() > bounds.url_size) return too_large("the URL exceeds the limit");
    if (request_.headers.size() + request_.cookies.size() > bounds.headers)
      return too_large("too many headers");
    for (const auto& list : {request_.headers, request_.cookies}) {
      for (const http_pair& header : list)
        if (header.name.size() + header.value.size() > bounds.header_size)
          return too_large("a header exceeds the limit");
    }
    return {};
  }
  [[nodiscard]] const key_table& table(http_part part) const noexcept {
    return plan_.keys[static_cast<std::size_t>(part)];
  }
  void set(http_part part, std::string_view name, std::string_view value) {
    const std::uint32_t slot = table(part).find(name);
    if (slot != key_table::none) set(slot, value);
  }

  [[nodiscard]] bool take_headers() {
    bool fits = true;
    for (const http_pair& header : request_.headers) fits &= take_header(header);
    if (table(http_part::cookie).empty()) return fits;
    for (const http_pair& cookie : request_.cookies) fits &= take_cookie(cookie);
    return fits;
  }
  [[nodiscard]] bool take_header(const http_pair& header) {
    const std::uint32_t slot = table(http_part::header).find_lower(header.name);
    if (slot != key_table::none && !is_named(header.name, "host")) set(slot, header.value);
    if (content_type_.empty() && is_named(header.name, "content-type")) content_type_ = header.value;
    return !is_named(header.name, "cookie") || take_cookies(header.value);
  }
  // By the rules of a Cookie header.
  [[nodiscard]] bool take_cookie(const http_pair& cookie) {
    line_.assign(cookie.name).append("=").append(cookie.value);
    const std::size_t prefix_size = cookie.name.size() + 1;
    return each_cookie(line_, parameters(), [&](std::string_view name, std::string_view value) {
      const auto at = static_cast<std::size_t>(value.data() - line_.data());
      if (at >= prefix_size)
        set(http_part::cookie, name, cookie.value.substr(at - prefix_size, value.size()));
    });
  }
  [[nodiscard]] static bool is_named(std::string_view name, std::string_view expected) {
    return name.size() == expected.size() && lower_text(name) == expected;
  }
  [[nodiscard]] std::size_t parameters() const noexcept { return plan_.options.bounds.parameters; }
  [[nodiscard]] bool take_cookies(std::string_view line) {
    if (table(http_part::cookie).empty()) return true;
    return each_cookie(line, parameters(), [&](std::string_view name, std::string_view value) {
      set(http_part::cookie, name, value);
    });
  }

  // Pairs of a query or a form, for one or two tables.
  [[nodiscard]] bool take_pairs(std::string_view text, http_part part, http_part also) {
    const bool is_strict = plan_.options.request.url_syntax == http_url_syntax::go;
    return each_pair(text, parameters(), is_strict, [&](std::string_view name, std::string_view value) {
      std::string_view key;
      if (!decoded_.decode(name, is_strict, key)) return;
      const std::uint32_t slot = table(part).find(key);
      const std::uint32_t second = part == also ? key_table::none : table(also).find(key);
      if (slot == key_table::none && second == key_table::none) return;
      std::string_view decoded;
      if (!decoded_.decode(value, is_strict, decoded)) return;
      if (slot != key_table::none) set_encoded(slot, decoded, value);
      if (second != key_table::none) set_encoded(second, decoded, value);
    });
  }
  // For a list also stores the encoded text, which distinguishes separators from commas in elements.
  void set_encoded(std::uint32_t slot, std::string_view text, std::string_view encoded) {
    const bool is_list = slot < plan_.repeats.size() && plan_.repeats[slot];
    const bool has_comma = text.data() != encoded.data() && text.find(',') != std::string_view::npos;
    if (is_list && plan_.options.request.url_syntax == http_url_syntax::standard && has_comma &&
        texts_[slot].data() == nullptr && !looks_like_json(trim_blanks(text)))
      encoded_.push_back({slot, encoded});
    set(slot, text);
  }
  [[nodiscard]] bool take_url() {
    const std::string_view query = query_of(request_.url);
    // Lists are decoded a second time, element by element.
    decoded_.reserve((query.size() + (is_form() ? request_.body.size() : 0)) *
                     (plan_.repeats.empty() ? 1 : 3));
    return table(http_part::query).empty() || take_pairs(query, http_part::query, http_part::query);
  }
  [[nodiscard]] bool is_form() const {
    const std::string_view method = request_.method;
    return (method == "POST" || method == "PUT" || method == "PATCH") &&
           is_media_type(content_type_, "application/x-www-form-urlencoded");
  }

  [[nodiscard]] result<void> take_body() {
    is_json_declared_ = is_json_type(content_type_);
    if (request_.body.empty()) return {};
    if (is_form()) {
      kind_ = body_kind::form;
      if (!take_pairs(request_.body, http_part::form, http_part::body))
        return too_large("too many parameters");
      return {};
    }
    if (is_media_type(content_type_, "multipart/form-data")) return take_multipart();
    kind_ = plan_.reads_raw_body && !is_json_object() ? body_kind::text : body_kind::json;
    return {};
  }
  // Whether fields are read from a body that another field takes unchanged.
  [[nodiscard]] bool is_json_object() const noexcept {
    const bool may_be_json = content_type_.empty() || is_json_declared_;
    return plan_.reads_json && may_be_json && trim_blanks(request_.body).starts_with('{');
  }
  [[nodiscard]] result<void> take_multipart() {
    kind_ = body_kind::form;
    const bool is_read = each_form_field(request_.body, parameter_of(content_type_, "boundary"), parameters(),
                                         [&](std::string_view name, std::string_view value) {
                                           set(http_part::form, name, value);
                                           set(http_part::body, name, value);
                                         });
    if (!is_read)
      return error(errc::json_syntax, "the body is not a valid multipart form, or has too many parts");
    return {};
  }

  [[nodiscard]] std::vector<std::string_view> split_encoded(std::string_view text) {
    std::vector<std::string_view> elements;
    for (bool more = true; more;) {
      const std::size_t comma = text.find(',');
      std::string_view element;
      static_cast<void>(decoded_.decode(text.substr(0, comma), false, element));
      elements.push_back(element);
      more = comma != std::string_view::npos;
      if (more) text.remove_prefix(comma + 1);
    }
    return elements;
  }

  const plan_image& plan_;
  const http_request& request_;
  struct later_text {
    std::uint32_t slot;
    std::string_view text;
  };
  std::vector<std::string_view> texts_;
  std::vector<later_text> more_;
  std::vector<later_text> encoded_;  // lists with encoded commas
  decoded_texts decoded_;
  std::string line_;
  std::string_view content_type_;
  body_kind kind_ = body_kind::empty;
  bool is_json_declared_ = false;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
