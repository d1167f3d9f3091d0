// record_cutter: finds the end of the first record in a window of bytes. Keeps no window and no input
// offset.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/records/framing.hpp>

#include <cstddef>
#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI {

struct records_options {
  thriftlens::limits limits = {};  ///< only `depth` applies, to skipping
  thriftlens::framing framing = thriftlens::framing::none;
  protocol_id protocol = default_protocol;  ///< of values; messages identify their own
  /// Maximum record size without its size prefix; also bounds the memory for chunks.
  std::size_t record_size = std::size_t{256} << 20;
  std::uint64_t offset = 0;  ///< offset of the first byte within the input
  std::uint64_t number = 0;  ///< number of the first record
  /// Bytes to skip before every value except messages: 5 for Confluent's serializers, which write a zero byte
  /// and a schema id.
  std::size_t prefix_size = 0;

  friend bool operator==(const records_options&, const records_options&) = default;
};

namespace detail {

enum class cut_state : std::uint8_t {
  record,  ///< complete
  wait,    ///< incomplete: more bytes are needed
  end,     ///< end of input
  bad,     ///< malformed; the next record can be read
  lost,    ///< malformed; the start of the next record is unknown
};

struct cut {
  cut_state state = cut_state::end;
  errc code = errc::ok;
  bool is_null = false;
  bool is_message = false;
  std::size_t used = 0;      ///< bytes of the window up to the next record
  std::size_t begin = 0;     ///< start of the record, after blank lines
  std::size_t at = 0;        ///< offset of the error
  std::size_t limit = 0;     ///< maximum record size, if the record exceeds it
  std::size_t required = 0;  ///< window size required before the next attempt
  byte_view value = {};      ///< in the window, or in the cutter until the next cut if lines are decoded
  byte_view header = {};     ///< Finagle's, before a message
  protocol_id protocol = default_protocol;
  message_header message = {};
};

class record_cutter {
 public:
  explicit record_cutter(const records_options& options) noexcept : options_(options) {}

  /// The first record of `window`; `is_last`: the input ends with it. Reads only the record's bytes.
  /// Allocates only for base64 and hex lines.
  [[nodiscard]] cut first(byte_view window, bool is_last);
  /// Size of the first struct if records are unframed; 0 if first() must be called. Fast path: 16 ns instead
  /// of 65 for a record of 114 bytes.
  [[nodiscard]] std::size_t plain_size(byte_view window) const noexcept;

 private:
  [[nodiscard]] cut struct_at(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut sized(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut framed(byte_view window, bool is_last, std::size_t head,
                           std::uint64_t size) const noexcept;
  [[nodiscard]] cut message(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut framed_message(byte_view window, bool is_last) const noexcept;
  // The message in a frame, with or without Finagle's header; `at` is relative to the frame.
  [[nodiscard]] cut message_in(byte_view inside) const noexcept;
  [[nodiscard]] cut line(byte_view window, bool is_last);
  [[nodiscard]] cut decoded(byte_view text, std::size_t begin, std::size_t used);
  // Finagle's header at the start of a frame's content; empty without one.
  [[nodiscard]] byte_view finagle_header(byte_view inside) const noexcept;
  // Requires the value, without its prefix, to be exactly one struct.
  [[nodiscard]] cut checked_struct(cut candidate, protocol_id which) const noexcept;
  [[nodiscard]] static cut unfinished(bool is_last, std::size_t required) noexcept;
  [[nodiscard]] static cut lost(errc code, std::size_t at) noexcept;
  [[nodiscard]] cut too_large(std::size_t at) const noexcept {
    cut result = lost(errc::size_limit, at);
    result.limit = options_.record_size;
    return result;
  }

  records_options options_;
  buffer line_;
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/record_cutter.ipp>
#endif
