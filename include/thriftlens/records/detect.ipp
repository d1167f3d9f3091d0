// detect: bodies of detect.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/framing_table.hpp>
#include <thriftlens/records/records.hpp>
#include <thriftlens/records/score.hpp>

#include <algorithm>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

[[nodiscard]] inline score score_struct(protocol_id which, byte_view bytes, const limits& bounds) {
  return visit_protocol(which, [&](auto tag) { return score_struct<decltype(tag)>(bytes, bounds); });
}

/// Scores the struct after a message header; empty without such a header.
[[nodiscard]] inline score score_message(protocol_id which, byte_view bytes, const limits& bounds,
                                         message_header& header) {
  return visit_protocol(which, [&](auto tag) {
    using P = decltype(tag);
    typename P::reader in(bytes, bounds);
    if (!read_message(in, header)) return score();
    return score_struct<P>(bytes.part(bytes.size() - in.remaining(), in.remaining()), bounds);
  });
}

class detector {
 public:
  detector(byte_view bytes, const detect_options& options) : bytes_(bytes), options_(options) {}

  [[nodiscard]] std::vector<guess> run() {
    for (const protocol_id which : {protocol_id::binary, protocol_id::compact}) {
      values(which);
      list(which);
      for (const framing_row& row : framing_table)
        if (row.of != framing::message) records_of(row.of, which);
    }
    for (const protocol_id which : {protocol_id::binary, protocol_id::compact})
      for (const framing_row& row : framing_table)
        if (row.put_header != nullptr || row.append_line != nullptr)
          records_of(row.of, which, confluent_prefix);
    records_of(framing::message, protocol_id::binary);
    if (!options_.is_all) truncated_message();
    tjson();
    return ranked();
  }

 private:
  using shapes = guess::shape_kind;
  // Score of "unknown", which a guess must exceed.
  static constexpr double unknown_bits = 7;
  static constexpr std::size_t max_records = 64;
  // Confluent's serializers write a zero byte and a schema id before the value.
  static constexpr std::size_t confluent_prefix = 5;
  [[nodiscard]] static bool is_confluent(byte_view bytes) noexcept {
    return bytes.size() > confluent_prefix && bytes[0] == 0 && bytes[1] == 0;
  }

  void add(guess candidate) {
    if (candidate.bits > 0) guesses_.push_back(candidate);
  }
  // One struct, at the start or after an unknown header.
  void values(protocol_id which) {
    for (std::size_t prefix_size = 0; prefix_size <= options_.max_prefix_size && prefix_size < bytes_.size();
         ++prefix_size) {
      const byte_view rest = bytes_.part(prefix_size, bytes_.size() - prefix_size);
      const score scored = score_struct(which, rest, options_.limits);
      const bool is_too_deep = scored.is_too_deep && prefix_size == 0 && !begins_with_text();
      if (!scored.is_complete && !is_too_deep && !(scored.is_truncated && !options_.is_all)) continue;
      add({.protocol = which,
           .prefix_size = prefix_size,
           .is_too_deep = is_too_deep,
           .bits = scored.bits - prefix_bits(prefix_size)});
    }
  }

  // Printable text: read as Compact, it nests deeply by chance.
  [[nodiscard]] bool begins_with_text() const noexcept {
    const std::string_view front = bytes_.text().substr(0, 64);
    return std::all_of(front.begin(), front.end(), [](char letter) {
      return (letter >= ' ' && letter <= '~') || letter == '\n' || letter == '\r' || letter == '\t';
    });
  }
  void list(protocol_id which) {
    list_header header;
    const score scored = visit_protocol(
        which, [&](auto tag) { return score_list<decltype(tag)>(bytes_, options_.limits, header); });
    if (!scored.is_complete && !(scored.is_truncated && !options_.is_all)) return;
    add({.shape = shapes::list,
         .protocol = which,
         .prefix_size = scored.size,
         .count = header.size,
         .bits = scored.bits});
  }
  [[nodiscard]] double prefix_bits(std::size_t prefix_size) const noexcept {
    if (prefix_size == confluent_prefix && is_confluent(bytes_)) return 8;
    return prefix_size == 0 ? 0 : 10 + 6 * static_cast<double>(prefix_size);
  }

  // A leading zero byte is more likely a marker than an empty struct.
  static constexpr double first_empty = 8;
  void records_of(framing kind, protocol_id which, std::size_t prefix_size = 0) {
    records in({.limits = options_.limits,
                .framing = kind,
                .protocol = which,
                .record_size = bytes_.size() + 1,
                .prefix_size = prefix_size});
    in.borrow(bytes_, options_.is_all);
    guess candidate{.protocol = which, .framing = kind, .prefix_size = prefix_size, .count = 0};
    if (!score_records(in, candidate) || candidate.count == 0 || !is_enough(candidate, in)) return;
    candidate.bits -= row_of(kind).rareness + (prefix_size == 0 ? 0 : 8);
    add(classified(candidate));
  }
  // Adds the scores of the first records. False if one is malformed, or if u32 fits equally well.
  [[nodiscard]] bool score_records(records& in, guess& candidate) {
    bool has_null = false;
    int first = -1;  // byte of the first record
    record entry;
    for (; candidate.count < max_records; ++candidate.count) {
      const result<bool> is_read = in.try_next(entry);
      if (!is_read) return false;
      if (!*is_read) break;
      has_null = has_null || entry.is_null;
      candidate.bits += record_bits(entry, candidate.framing, candidate.prefix_size);
      if (candidate.framing == framing::none) candidate.bits += unframed_bits(entry, candidate.count, first);
      if (candidate.count == 0) read_first(entry, candidate, first);
    }
    return row_of(candidate.framing).put_null == nullptr || has_null;
  }
  void read_first(const record& entry, guess& candidate, int& first) {
    if (!entry.bytes.empty()) first = entry.bytes[0];
    if (candidate.framing != framing::message) return;
    candidate.protocol = entry.protocol;
    is_framed_ = starts_with_frame(entry);
  }
  [[nodiscard]] static double unframed_bits(const record& entry, std::size_t number, int first) noexcept {
    const double empty = number == 0 && entry.size == 1 ? first_empty : 0;
    return likeness(entry.bytes, first) - empty;
  }
  // Sets the shape and the framing to use for reading.
  [[nodiscard]] guess classified(guess candidate) const noexcept {
    const bool is_message = candidate.framing == framing::message;
    const bool is_one = candidate.count == 1;
    candidate.shape = is_one ? shapes::value : shapes::records;
    if (!is_message) return candidate;
    candidate.shape = is_one ? shapes::message : shapes::messages;
    candidate.framing = is_framed_ ? framing::u32 : framing::none;
    return candidate;
  }
  void truncated_message() {
    for (const std::size_t frame : {std::size_t{0}, std::size_t{4}}) {
      if (bytes_.size() <= frame) return;
      const byte_view rest = bytes_.part(frame, bytes_.size() - frame);
      if (rest[0] != 0x80 && rest[0] != 0x82) continue;
      const protocol_id which = rest[0] == 0x82 ? protocol_id::compact : protocol_id::binary;
      message_header header;
      const score body = score_message(which, rest, options_.limits, header);
      if (!body.is_truncated) continue;
      add({.shape = shapes::message,
           .protocol = which,
           .framing = frame == 0 ? framing::none : framing::u32,
           .bits = 16 + text_bits(header.name) + body.bits});
    }
  }
  [[nodiscard]] bool is_enough(const guess& candidate, const records& in) const noexcept {
    // One struct without a frame is a value, which values() scores.
    if (candidate.count == 1 && candidate.framing == framing::none) return false;
    return candidate.count == max_records || in.rest().empty() || !options_.is_all;
  }
  [[nodiscard]] bool starts_with_frame(const record& first) const noexcept {
    return first.size >= 8 && load_be<std::uint32_t>(bytes_.data()) == first.size - 4;
  }
  // Records of one type usually begin with the same field.
  [[nodiscard]] static double likeness(byte_view bytes, int first) noexcept {
    return first < 0 || bytes.size() < 2 ? 0 : bytes[0] == first ? 7 : -2;
  }
  [[nodiscard]] double record_bits(const record& entry, framing kind, std::size_t prefix_size) const {
    if (entry.is_null) return 8;
    const byte_view prefixed(entry.bytes.data() - prefix_size, prefix_size + entry.bytes.size());
    if (prefix_size != 0 && !is_confluent(prefixed)) return -100;
    const score scored = score_struct(entry.protocol, entry.bytes, options_.limits);
    // Unframed structs are complete by definition, which proves nothing; zeros are empty structs.
    if (kind == framing::none) return entry.size == 1 ? -4 : scored.bits - 7;
    if (!entry.message) return scored.bits + row_of(kind).bits - 6;
    return (entry.message->strict ? 16 : 4) + text_bits(entry.message->name) + scored.bits;
  }

  // Apache's JSON protocol: `{"1":{"i32":` or `[1,"name",1,`.
  void tjson() {
    std::string_view rest = bytes_.text().substr(0, 64);
    const char first = take_letter(rest), second = take_letter(rest);
    guess candidate{.is_tjson = true};
    if (first == '[' && second == '1' && take_letter(rest) == ',' && take_letter(rest) == '"') {
      candidate.shape = shapes::message;
      candidate.bits = 40;
    } else if (first == '{' && second == '"') {
      candidate.bits = field_text_bits(rest);
    } else if (first == '{' && second == '}') {
      candidate.bits = 8;
    }
    add(candidate);
  }
  [[nodiscard]] static double field_text_bits(std::string_view rest) noexcept {
    const std::size_t digits = (std::min)(rest.find_first_not_of("-0123456789"), rest.size());
    rest.remove_prefix(digits);
    for (const char expected : {'"', ':', '{', '"'})
      if (take_letter(rest) != expected) return 0;
    constexpr std::string_view names[] = {"tf",  "i8",  "i16", "i32", "i64", "dbl",
                                          "str", "rec", "lst", "set", "map", "uid"};
    const std::string_view name = rest.substr(0, rest.find('"'));
    return digits != 0 && std::find(std::begin(names), std::end(names), name) != std::end(names) ? 60 : 0;
  }

  [[nodiscard]] std::vector<guess> ranked() {
    std::stable_sort(guesses_.begin(), guesses_.end(),
                     [](const guess& a, const guess& b) { return a.bits > b.bits; });
    constexpr std::size_t max_guesses = 8;
    if (guesses_.size() > max_guesses) guesses_.resize(max_guesses);
    const double best = guesses_.empty() ? 0 : guesses_.front().bits;
    double total = std::exp2(unknown_bits - best);
    for (const guess& entry : guesses_) total += std::exp2(entry.bits - best);
    for (guess& entry : guesses_) entry.probability = std::exp2(entry.bits - best) / total;
    return std::move(guesses_);
  }

  byte_view bytes_;
  const detect_options& options_;
  bool is_framed_ = false;
  std::vector<guess> guesses_;
};

}  // namespace detail

THRIFTLENS_BODY std::vector<guess> detect(input_bytes bytes, const detect_options& options) {
  return detail::detector(bytes, options).run();
}

THRIFTLENS_BODY std::string guess::to_string() const {
  constexpr std::string_view shapes[] = {"one struct", "one message", "structs", "messages",
                                         "a list of structs"};
  std::string text(is_tjson ? "Apache's JSON protocol" : detail::name_of(protocol));
  (text += ", ") += shapes[static_cast<std::size_t>(shape)];
  const bool is_many = shape == shape_kind::records || shape == shape_kind::messages;
  if (framing == thriftlens::framing::none)
    text += is_many ? " back to back" : "";
  else if (detail::row_of(framing).append_line != nullptr)
    (text += is_many ? " in lines of " : " in a line of ") += thriftlens::to_string(framing);
  else
    ((text += is_many ? " in frames (" : " in a frame (") += thriftlens::to_string(framing)) += ')';
  if (is_too_deep) text += " nested too deeply";
  if (prefix_size != 0 && shape != shape_kind::list)
    text += detail::joined({" after ", prefix_size, prefix_size == 1 ? " byte" : " bytes"});
  return text;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
