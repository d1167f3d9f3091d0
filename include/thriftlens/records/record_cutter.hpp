// record_cutter: where the first record of a window of bytes ends. Never keeps the window, never knows
// where it lies in the input: that is records.
#pragma once

#include <thriftlens/core/buffer.hpp>
#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/errc.hpp>
#include <thriftlens/core/limits.hpp>
#include <thriftlens/protocol/message.hpp>
#include <thriftlens/records/framing.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace thriftlens::inline THRIFTLENS_ABI {

/// How records are read.
struct records_options {
  thriftlens::limits limits = {};  ///< `depth` counts here, for the structs that are skipped
  thriftlens::framing framing = thriftlens::framing::none;
  protocol_id protocol = default_protocol;  ///< of the values; messages say theirs themselves
  /// Bytes of the longest record, a size in front not counted; and so of what is held in memory of chunks.
  std::size_t record_size = std::size_t{256} << 20;
  std::uint64_t offset = 0;  ///< where in the input the bytes begin that are given
  std::uint64_t number = 0;  ///< of the first record
  /// Bytes in front of each value that are passed over, messages excepted: 5 for what Confluent's serializers
  /// write, a zero and the number of a schema.
  std::size_t lead = 0;

  friend bool operator==(const records_options&, const records_options&) = default;
};

namespace detail {

enum class cut_state : std::uint8_t {
  record,  ///< whole
  wait,    ///< not whole yet: more bytes come
  end,     ///< nothing is left
  bad,     ///< this one cannot be read, the next one can
  lost,    ///< where the next one begins cannot be known
};

struct cut {
  cut_state state = cut_state::end;
  errc code = errc::ok;
  bool is_null = false;
  bool is_message = false;
  std::size_t used = 0;    ///< bytes of the window up to the next record; what is wrong begins at `at`
  std::size_t begin = 0;   ///< blank lines are in front of it
  std::size_t at = 0;      ///< of what is wrong
  std::size_t wanted = 0;  ///< bytes that the window must have before another try makes sense
  byte_view value = {};    ///< in the window; of lines in the cutter, until the next cut
  byte_view header = {};   ///< Finagle's, in front of a message
  protocol_id protocol = default_protocol;
  message_header message = {};
  std::string_view words = {};  ///< instead of the code's own
};

class record_cutter {
 public:
  explicit record_cutter(const records_options& how) noexcept : how_(how) {}

  /// The first record of `window`; `is_last`: no bytes come after it. Bytes touched: those of the record.
  /// Allocates for lines only.
  [[nodiscard]] cut first(byte_view window, bool is_last);
  /// Bytes of the struct at the front where records are structs without frames; 0 where first() has to say
  /// more, which finds the same. Of 114 bytes each: 16 ns a record, 65 by first().
  [[nodiscard]] std::size_t plain_size(byte_view window) const noexcept;

 private:
  [[nodiscard]] cut struct_at(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut sized(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut framed(byte_view window, bool is_last, std::size_t head,
                           std::uint64_t size) const noexcept;
  [[nodiscard]] cut message(byte_view window, bool is_last) const noexcept;
  [[nodiscard]] cut framed_message(byte_view window, bool is_last) const noexcept;
  // The message in a frame, Finagle's header in front of it or not; `at` counts in the frame.
  [[nodiscard]] cut message_in(byte_view inside) const noexcept;
  [[nodiscard]] cut line(byte_view window, bool is_last);
  // The text of a line, decoded.
  [[nodiscard]] cut decoded(byte_view text, std::size_t begin, std::size_t used);
  [[nodiscard]] bool decode_base64(byte_view text);
  [[nodiscard]] bool decode_hex(byte_view text);
  // Finagle's header at the front of what is in a frame; empty where there is none.
  [[nodiscard]] byte_view finagle_header(byte_view inside) const noexcept;
  // A value that must be one struct from its first byte, behind what leads it, to its last.
  [[nodiscard]] cut whole_struct(cut found, protocol_id which) const noexcept;
  [[nodiscard]] static cut unfinished(bool is_last, std::size_t wanted) noexcept;
  [[nodiscard]] static cut lost(errc code, std::size_t at, std::string_view words = {}) noexcept;

  records_options how_;
  buffer line_;
};

}  // namespace detail

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/records/record_cutter.ipp>
#endif
