// sasl: SASL PLAIN negotiation before framed messages, as in Hive. PLAIN is unencrypted: it exposes the
// password to anyone who can read the connection.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/endian.hpp>
#include <thriftlens/core/error.hpp>
#include <thriftlens/core/joined.hpp>
#include <thriftlens/transport/header_entry.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// Credentials that a client sends, "anonymous" for empty ones, or that a server requires. A server with an
/// empty user refuses all clients unless `anyone` is set.
struct sasl_credentials {
  std::string_view user = {};
  std::string_view password = {};
  bool anyone = false;  ///< server: accepts every user; the application checks session headers
};

namespace detail {

enum class sasl_status : std::uint8_t { start = 1, ok = 2, bad = 3, error = 4, complete = 5 };
inline constexpr std::size_t sasl_head_size = 5;

inline void append_sasl(sasl_status status, std::string_view text, buffer& out) {
  std::uint8_t* const to = out.prepare(sasl_head_size);
  to[0] = static_cast<std::uint8_t>(status);
  store_be(to + 1, static_cast<std::uint32_t>(text.size()));
  out.commit(to + sasl_head_size);
  out.append(byte_view(text));
}

/// Comparison in constant time.
[[nodiscard]] inline bool is_same_secret(std::string_view lhs, std::string_view rhs) noexcept {
  unsigned difference = lhs.size() == rhs.size() ? 0u : 1u;
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const char right_char = rhs.empty() ? '\0' : rhs[i % rhs.size()];
    const auto left_char = static_cast<unsigned char>(lhs[i]);
    difference |= static_cast<unsigned>(left_char ^ static_cast<unsigned char>(right_char));
  }
  return difference == 0;
}

/// Outcome of a frame of the peer.
struct sasl_answer {
  enum class state : std::uint8_t { pending, complete, refused, unexpected };
  state status = state::pending;
  std::string message = {};
};

/// One side of a negotiation.
class sasl_negotiation {
 public:
  /// The first frames of a client.
  void begin_client(const sasl_credentials& credentials, buffer& out) {
    const auto or_anonymous = [](std::string_view text) {
      return text.empty() ? std::string_view("anonymous") : text;
    };
    std::string plain(1, '\0');
    plain.append(or_anonymous(credentials.user)).append(1, '\0').append(or_anonymous(credentials.password));
    append_sasl(sasl_status::start, "PLAIN", out);
    append_sasl(sasl_status::ok, plain, out);
    has_begun_ = true;
  }
  void begin_server(const sasl_credentials& demanded) {
    demanded_user_ = demanded.user;
    demanded_password_ = demanded.password;
    takes_anyone_ = demanded.anyone;
    has_begun_ = true;
  }
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  /// Handles a frame received by a client.
  [[nodiscard]] sasl_answer take_as_client(std::uint8_t raw, std::string_view text) const {
    using state = sasl_answer::state;
    switch (static_cast<sasl_status>(raw)) {
      case sasl_status::ok:
        return {};
      case sasl_status::complete:
        return {.status = state::complete};
      case sasl_status::bad:
      case sasl_status::error:
        return {.status = state::refused, .message = joined({"the server refuses: ", text})};
      case sasl_status::start:
        break;
    }
    return {.status = state::unexpected};
  }
  /// Handles a frame received by a server; appends the response to `out`.
  [[nodiscard]] sasl_answer take_as_server(std::uint8_t raw, std::string_view text, buffer& out) {
    using state = sasl_answer::state;
    const auto status = static_cast<sasl_status>(raw);
    if (!has_mechanism_) {
      if (status != sasl_status::start) return {.status = state::unexpected};
      has_mechanism_ = true;
      return text == "PLAIN" ? sasl_answer{} : refuse(joined({"unsupported mechanism ", text}), out);
    }
    if (status != sasl_status::ok && status != sasl_status::complete) return {.status = state::unexpected};
    if (!split(text)) return refuse("invalid PLAIN response", out);
    if (!is_demanded()) return refuse("wrong user or password", out);
    append_sasl(sasl_status::complete, {}, out);
    return {.status = state::complete};
  }
  /// Credentials received from the client.
  [[nodiscard]] std::string_view user() const noexcept { return user_; }
  [[nodiscard]] std::string_view password() const noexcept { return password_; }

 private:
  static sasl_answer refuse(std::string message, buffer& out) {
    append_sasl(sasl_status::bad, message, out);
    return {.status = sasl_answer::state::refused, .message = std::move(message)};
  }
  // [authorization] NUL user NUL password
  bool split(std::string_view text) {
    const std::size_t first = text.find('\0');
    const std::size_t second = first == text.npos ? text.npos : text.find('\0', first + 1);
    if (second == text.npos || text.find('\0', second + 1) != text.npos) return false;
    user_ = text.substr(first + 1, second - first - 1);
    password_ = text.substr(second + 1);
    return !user_.empty();
  }
  [[nodiscard]] bool is_demanded() const noexcept {
    if (takes_anyone_) return true;
    if (demanded_user_.empty()) return false;
    const bool is_user = is_same_secret(user_, demanded_user_);
    const bool is_password = is_same_secret(password_, demanded_password_);
    return is_user && is_password;
  }

  bool has_begun_ = false;
  bool has_mechanism_ = false;
  bool takes_anyone_ = false;
  std::string demanded_user_;
  std::string demanded_password_;
  std::string user_;
  std::string password_;
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI
