// tjson: bodies of tjson.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/json/read/text_source.hpp>
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/json/tjson/read_tjson.hpp>
#include <thriftlens/json/tjson/write_tjson.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/protocol/looks_like.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[nodiscard]] inline ttype tjson_root(const tjson_options& options) noexcept {
  return options.of ? options.of.wire() : ttype::struct_;
}
[[nodiscard]] inline std::uint32_t tjson_root_type(const tjson_options& options) noexcept {
  return options.of ? options.of.index() : image::none;
}
}  // namespace detail

template <std::same_as<tjson> From, protocol To>
result<void> try_append_converted(std::string_view text, buffer& out, const tjson_options& options) {
  if (detail::overlaps(byte_view(text), out)) return detail::overlap_error();
  detail::rollback guard(out);
  detail::tjson_reader<To> step(text, options.of.image(), out, options.limits);
  if (!step.run(detail::tjson_root(options), detail::tjson_root_type(options))) return step.fault();
  guard.keep();
  return {};
}
template <protocol From, std::same_as<tjson> To>
result<void> try_append_converted(input_bytes bytes, buffer& out, const tjson_options& options) {
  if (detail::overlaps(bytes, out)) return detail::overlap_error();
  typename From::reader in(bytes, options.limits);
  const ttype wire = detail::tjson_root(options);
  detail::tjson_writer<From> step(in, options.of.image(), out, options.limits.max_output(bytes.size()));
  if (step.run(wire, detail::tjson_root_type(options))) return {};
  const fault failure = in.fault();
  return detail::with_looks(error(failure.code, step.message(), failure.offset, step.path()), bytes, From::id,
                            wire);
}

namespace detail {
/// Reads `[1,"name",type,sequence id,{…}]`. The struct is the text from the header to the last bracket.
class tjson_message_reader {
 public:
  explicit tjson_message_reader(std::string_view text) : text_(text) {}

  [[nodiscard]] result<tjson::message> run() {
    // The token finder checks all of the text, which may be far longer than the header.
    if (in_.open(text_, at_) != errc::ok) return fault(errc::invalid_utf8);
    std::int64_t version = 0, type = 0, sequence = 0;
    if (!take('[') || !integer(version) || !take(',')) return fault(errc::json_syntax);
    if (version != 1)
      return fault(errc::bad_message, "unsupported version of Apache's JSON protocol; expected 1");
    if (!name() || !take(',') || !integer(type) || !take(',') || !integer(sequence) || !take(','))
      return fault(errc::json_syntax);
    if (type < 0 || !set_type(header_, static_cast<unsigned>(type & 0xff)) || type > 0xff)
      return fault(errc::bad_message);
    if (sequence != static_cast<std::int32_t>(sequence)) return fault(errc::integer_range);
    message_.type = header_.type;
    message_.sequence_id = static_cast<std::int32_t>(sequence);
    return body() ? result<tjson::message>(std::move(message_)) : fault(errc::json_syntax);
  }

 private:
  [[nodiscard]] bool take(char symbol) {
    if (in_.peek(at_) != static_cast<std::uint8_t>(symbol)) return false;
    in_.advance(at_);
    return true;
  }
  [[nodiscard]] bool integer(std::int64_t& number) {
    std::uint64_t magnitude = 0;
    bool is_negative = false;
    static_cast<void>(in_.peek(at_));
    if (!in_.take_plain_integer(at_, magnitude, is_negative) || magnitude > 0xffffffffu) return false;
    number = static_cast<std::int64_t>(is_negative ? 0 - magnitude : magnitude);
    return true;
  }
  [[nodiscard]] bool name() {
    if (in_.peek(at_) != '"') return false;
    // The name may take the rest of the text.
    message_.name.resize(in_.remaining(at_) + 32);
    auto* to = reinterpret_cast<std::uint8_t*>(message_.name.data());
    const std::uint8_t* end = in_.take_string(at_, to);
    if (end == nullptr) return false;
    message_.name.resize(static_cast<std::size_t>(end - to));
    message_.name.shrink_to_fit();
    return true;
  }
  [[nodiscard]] bool body() {
    if (in_.peek(at_) != '{') return false;
    const auto begin = static_cast<std::size_t>(at_ - in_.begin());
    const std::size_t last = text_.find_last_not_of(" \t\r\n");
    if (last <= begin || text_[last] != ']') return false;
    message_.body = text_.substr(begin, last - begin);
    message_.offset = begin;
    return true;
  }
  [[nodiscard]] error fault(errc code, std::string reason = {}) const {
    if (code == errc::json_syntax && reason.empty())
      reason = R"(a message of Apache's JSON protocol is [1,"name",type,sequence id,{…}])";
    return error(code, std::move(reason), static_cast<std::size_t>(at_ - in_.begin())).in(error_source::json);
  }

  std::string_view text_;
  text_source in_;
  const std::uint8_t* at_ = nullptr;
  message_header header_;
  tjson::message message_;
};

}  // namespace detail

THRIFTLENS_BODY result<tjson::message> tjson::try_read_message(std::string_view text) {
  return detail::tjson_message_reader(text).run();
}
THRIFTLENS_BODY result<void> tjson::try_append_message(const message_header& header, std::string_view body,
                                                       buffer& out) {
  detail::out_cursor to(out, static_cast<std::size_t>(-1) / 2);
  static_cast<void>(to.need(8));
  to.put("[1,");
  const errc code = detail::put_string(to, header.name, on_invalid_utf8::error);
  if (code != errc::ok) return to.abandon(), error(code, "the name of a message is not valid UTF-8");
  static_cast<void>(to.need(64 + body.size()));
  to.put(',');
  to.move_to(detail::put_integer(to.at(), static_cast<std::int64_t>(header.type)));
  to.put(',');
  to.move_to(detail::put_integer(to.at(), std::int64_t{header.sequence_id}));
  to.put(',');
  to.put(body);
  to.put(']');
  static_cast<void>(to.finish());
  return {};
}

#if defined(THRIFTLENS_COMPILED)
template result<void> try_append_converted<tjson, binary>(std::string_view, buffer&, const tjson_options&);
template result<void> try_append_converted<tjson, compact>(std::string_view, buffer&, const tjson_options&);
template result<void> try_append_converted<binary, tjson>(input_bytes, buffer&, const tjson_options&);
template result<void> try_append_converted<compact, tjson>(input_bytes, buffer&, const tjson_options&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
