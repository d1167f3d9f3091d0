// detect: bodies of detect.hpp.
#pragma once

#include <thriftlens/protocol/looks_like.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/records.hpp>
#include <thriftlens/records/weigh.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

[[nodiscard]] inline weight weigh_struct(protocol_id which, byte_view bytes, const limits& bounds) {
  return visit_protocol(which, [&](auto tag) { return weigh_struct<decltype(tag)>(bytes, bounds); });
}

/// Of the struct behind a message header; nothing where there is none.
[[nodiscard]] inline weight weigh_message(protocol_id which, byte_view bytes, const limits& bounds,
                                          message_header& header) {
  return visit_protocol(which, [&](auto tag) {
    using P = decltype(tag);
    typename P::reader in(bytes, bounds);
    if (!read_message(in, header)) return weight();
    return weigh_struct<P>(bytes.part(bytes.size() - in.remaining(), in.remaining()), bounds);
  });
}

/// Tries one reading after another.
class detector {
 public:
  detector(byte_view bytes, const detect_options& options) : bytes_(bytes), options_(options) {}

  [[nodiscard]] std::vector<guess> run() {
    for (const protocol_id which : {protocol_id::binary, protocol_id::compact}) {
      values(which);
      list(which);
      for (const thriftlens::framing each : {framing::none, framing::u32, framing::u32le, framing::varint,
                                             framing::kafka, framing::base64, framing::hex})
        records_of(each, which);
    }
    for (const protocol_id which : {protocol_id::binary, protocol_id::compact})
      for (const thriftlens::framing each : {framing::u32, framing::varint, framing::kafka, framing::base64})
        records_of(each, which, confluent_lead);
    records_of(framing::message, protocol_id::binary);
    if (!options_.is_all) cut_message();
    text();
    return ranked();
  }

 private:
  using shapes = guess::shape_kind;
  // What a reading must be better than: that the bytes are nothing known.
  static constexpr double unknown_bits = 7;
  static constexpr std::size_t most_records = 64;
  // What Confluent's serializers put in front: a zero, and the number of a schema.
  static constexpr std::size_t confluent_lead = 5;
  [[nodiscard]] static bool is_confluent(byte_view bytes) noexcept {
    return bytes.size() > confluent_lead && bytes[0] == 0 && bytes[1] == 0;
  }

  void add(guess found) {
    if (found.bits > 0) found_.push_back(found);
  }
  // One struct, at the front or behind a header that nobody knows.
  void values(protocol_id which) {
    for (std::size_t lead = 0; lead <= options_.max_lead && lead < bytes_.size(); ++lead) {
      const byte_view rest = bytes_.part(lead, bytes_.size() - lead);
      const weight found = weigh_struct(which, rest, options_.limits);
      const bool is_too_deep = found.is_too_deep && lead == 0 && !begins_with_text();
      if (!found.is_whole && !is_too_deep && !(found.is_cut && !options_.is_all)) continue;
      add({.protocol = which,
           .lead = lead,
           .is_too_deep = is_too_deep,
           .bits = found.bits - lead_bits(lead)});
    }
  }

  // Letters and blanks alone: as Compact they nest deeply by chance.
  [[nodiscard]] bool begins_with_text() const noexcept {
    const std::string_view front = bytes_.text().substr(0, 64);
    return std::all_of(front.begin(), front.end(), [](char each) {
      return (each >= ' ' && each <= '~') || each == '\n' || each == '\r' || each == '\t';
    });
  }
  // A list of structs that stands alone.
  void list(protocol_id which) {
    list_header header;
    const weight found = visit_protocol(
        which, [&](auto tag) { return weigh_list<decltype(tag)>(bytes_, options_.limits, header); });
    if (!found.is_whole && !(found.is_cut && !options_.is_all)) return;
    add({.shape = shapes::list,
         .protocol = which,
         .lead = found.size,
         .count = header.size,
         .bits = found.bits});
  }
  [[nodiscard]] double lead_bits(std::size_t lead) const noexcept {
    if (lead == confluent_lead && is_confluent(bytes_)) return 8;
    return lead == 0 ? 0 : 10 + 6 * static_cast<double>(lead);
  }

  // Bits of what stands around one record.
  [[nodiscard]] static double frame_bits(framing which) noexcept {
    switch (which) {
      case framing::varint:
        return 6;
      case framing::base64:
      case framing::hex:
        return 8;
      default:
        return 20;
    }
  }
  // Less than others where they say the same of the same bytes.
  [[nodiscard]] static double rareness(framing which) noexcept {
    return which == framing::kafka ? 2 : which == framing::varint ? 1 : 0;
  }
  // A byte 0 in front is rather a mark of its own than an empty struct.
  static constexpr double first_empty = 8;
  void records_of(framing how, protocol_id which, std::size_t lead = 0) {
    records in({.limits = options_.limits,
                .framing = how,
                .protocol = which,
                .record_size = bytes_.size() + 1,
                .lead = lead});
    in.borrow(bytes_, options_.is_all);
    guess found{.protocol = which, .framing = how, .lead = lead, .count = 0};
    if (!weigh_records(in, found) || found.count == 0 || !is_enough(found, in)) return;
    found.bits -= rareness(how) + (lead == 0 ? 0 : 8);
    add(named(found));
  }
  // Adds up what the first records say; false where one cannot be read, or where u32 says the same of them.
  [[nodiscard]] bool weigh_records(records& in, guess& found) {
    bool has_null = false;
    int first = -1;  // byte of the first record
    record each;
    for (; found.count < most_records; ++found.count) {
      const result<bool> done = in.try_next(each);
      if (!done) return false;
      if (!*done) break;
      has_null = has_null || each.is_null;
      found.bits += record_bits(each, found.framing, found.lead);
      if (found.framing == framing::none) found.bits += unframed_bits(each, found.count, first);
      if (found.count == 0) read_first(each, found, first);
    }
    return found.framing != framing::kafka || has_null;
  }
  // What the first record tells of those after it.
  void read_first(const record& each, guess& found, int& first) {
    if (!each.bytes.empty()) first = each.bytes[0];
    if (found.framing != framing::message) return;
    found.protocol = each.protocol;
    is_framed_ = starts_with_frame(each);
  }
  [[nodiscard]] static double unframed_bits(const record& each, std::size_t number, int first) noexcept {
    const double empty = number == 0 && each.size == 1 ? first_empty : 0;
    return likeness(each.bytes, first) - empty;
  }
  // With the shape and the framing that a reader of it is told.
  [[nodiscard]] guess named(guess found) const noexcept {
    const bool is_message = found.framing == framing::message;
    const bool is_one = found.count == 1;
    found.shape = is_one ? shapes::value : shapes::records;
    if (!is_message) return found;
    found.shape = is_one ? shapes::message : shapes::messages;
    found.framing = is_framed_ ? framing::u32 : framing::none;
    return found;
  }
  // A message whose end was not given.
  void cut_message() {
    for (const std::size_t frame : {std::size_t{0}, std::size_t{4}}) {
      if (bytes_.size() <= frame) return;
      const byte_view rest = bytes_.part(frame, bytes_.size() - frame);
      if (rest[0] != 0x80 && rest[0] != 0x82) continue;
      const protocol_id which = rest[0] == 0x82 ? protocol_id::compact : protocol_id::binary;
      message_header header;
      const weight body = weigh_message(which, rest, options_.limits, header);
      if (!body.is_cut) continue;
      add({.shape = shapes::message,
           .protocol = which,
           .framing = frame == 0 ? framing::none : framing::u32,
           .bits = 16 + text_bits(header.name) + body.bits});
    }
  }
  [[nodiscard]] bool is_enough(const guess& found, const records& in) const noexcept {
    // One struct without a frame is a value, and was weighed as one.
    if (found.count == 1 && found.framing == framing::none) return false;
    return found.count == most_records || in.rest().empty() || !options_.is_all;
  }
  [[nodiscard]] bool starts_with_frame(const record& first) const noexcept {
    return first.size >= 8 && load_be<std::uint32_t>(bytes_.data()) == first.size - 4;
  }
  // Records of one kind begin with the same field as a rule.
  [[nodiscard]] static double likeness(byte_view bytes, int first) noexcept {
    return first < 0 || bytes.size() < 2 ? 0 : bytes[0] == first ? 7 : -2;
  }
  [[nodiscard]] double record_bits(const record& each, framing how, std::size_t lead) const {
    if (each.is_null) return 8;
    const byte_view led(each.bytes.data() - lead, lead + each.bytes.size());
    if (lead != 0 && !is_confluent(led)) return -100;
    const weight found = weigh_struct(each.protocol, each.bytes, options_.limits);
    // A struct without a frame ends where it ends: that it is whole says nothing, and zeros are empty
    // structs.
    if (how == framing::none) return each.size == 1 ? -4 : found.bits - 7;
    if (!each.message) return found.bits + frame_bits(how) - 6;
    return (each.message->strict ? 16 : 4) + text_bits(each.message->name) + found.bits;
  }

  // `{"1":{"i32":` and `[1,"name",1,`: what Apache's JSON protocol looks like.
  void text() {
    std::string_view rest = bytes_.text().substr(0, 64);
    const char first = take_letter(rest), second = take_letter(rest);
    guess found{.is_tjson = true};
    if (first == '[' && second == '1' && take_letter(rest) == ',' && take_letter(rest) == '"') {
      found.shape = shapes::message;
      found.bits = 40;
    } else if (first == '{' && second == '"') {
      found.bits = field_text_bits(rest);
    } else if (first == '{' && second == '}') {
      found.bits = 8;
    }
    add(found);
  }
  [[nodiscard]] static double field_text_bits(std::string_view rest) noexcept {
    const std::size_t digits = (std::min)(rest.find_first_not_of("-0123456789"), rest.size());
    rest.remove_prefix(digits);
    for (const char wanted : {'"', ':', '{', '"'})
      if (take_letter(rest) != wanted) return 0;
    constexpr std::string_view names[] = {"tf",  "i8",  "i16", "i32", "i64", "dbl",
                                          "str", "rec", "lst", "set", "map", "uid"};
    const std::string_view name = rest.substr(0, rest.find('"'));
    return digits != 0 && std::find(std::begin(names), std::end(names), name) != std::end(names) ? 60 : 0;
  }

  [[nodiscard]] std::vector<guess> ranked() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const guess& a, const guess& b) { return a.bits > b.bits; });
    constexpr std::size_t most = 8;
    if (found_.size() > most) found_.resize(most);
    const double best = found_.empty() ? 0 : found_.front().bits;
    double all = std::exp2(unknown_bits - best);
    for (const guess& each : found_) all += std::exp2(each.bits - best);
    for (guess& each : found_) each.sure = std::exp2(each.bits - best) / all;
    return std::move(found_);
  }

  byte_view bytes_;
  const detect_options& options_;
  bool is_framed_ = false;
  std::vector<guess> found_;
};

}  // namespace detail

THRIFTLENS_BODY std::vector<guess> detect(byte_view bytes, const detect_options& options) {
  return detail::detector(bytes, options).run();
}

THRIFTLENS_BODY std::string guess::to_string() const {
  constexpr std::string_view shapes[] = {"one struct", "one message", "structs", "messages",
                                         "a list of structs"};
  std::string words(is_tjson ? "Apache's JSON protocol" : detail::name_of(protocol));
  (words += ", ") += shapes[static_cast<std::size_t>(shape)];
  const bool is_many = shape == shape_kind::records || shape == shape_kind::messages;
  if (framing == thriftlens::framing::none)
    words += is_many ? " back to back" : "";
  else if (framing == thriftlens::framing::base64 || framing == thriftlens::framing::hex)
    (words += is_many ? " in lines of " : " in a line of ") += thriftlens::to_string(framing);
  else
    ((words += is_many ? " in frames (" : " in a frame (") += thriftlens::to_string(framing)) += ')';
  if (is_too_deep) words += " nested too deeply";
  if (lead != 0 && shape != shape_kind::list)
    words += " behind " + std::to_string(lead) + (lead == 1 ? " byte" : " bytes");
  return words;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
