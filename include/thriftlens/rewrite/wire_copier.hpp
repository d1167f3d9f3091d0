// wire_copier: copies wire bytes in runs as long as possible, and fixes changed headers.
#pragma once

#include <thriftlens/protocol/concept.hpp>
#include <thriftlens/protocol/cursor.hpp>
#include <thriftlens/protocol/splice.hpp>
#include <thriftlens/protocol/traits.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The ids that the next header of a struct counts from, in the input and in the output.
struct last_ids {
  std::int16_t in = 0;
  std::int16_t out = 0;
};

/// A container's header in the output, where its size may still change.
struct open_header {
  std::size_t at = 0;
  std::size_t size = 0;
};

/// Reads with `in` and writes to `out`. Bytes from `copied` to the reader's position are copied by the next
/// flush().
template <protocol P>
class wire_copier {
 public:
  using reader_type = typename P::reader;

  wire_copier(byte_view input, splicer& output) noexcept : in(input), out(&output) {}

  reader_type in;
  splicer* out;
  byte_ptr copied = nullptr;

  [[nodiscard]] buffer& own() noexcept { return out->own(); }
  void begin_at(const wire_position& at) noexcept {
    in.seek(at);
    copied = in.at();
  }
  void flush(byte_ptr end) {
    if (end != copied) out->copy({copied, static_cast<std::size_t>(end - copied)});
    copied = end;
  }
  /// The value that was just skipped is not copied.
  void leave_out() noexcept { copied = in.at(); }
  /// Skips the value; nothing from `begin` on is copied.
  [[nodiscard]] bool skip_without_copy(byte_ptr begin, ttype wire) {
    flush(begin);
    const bool ok = in.skip(wire);
    if (ok) leave_out();
    return ok;
  }
  void insert(byte_view bytes) {
    flush(in.at());
    own().append(bytes);
  }

  // ---- fields ----

  void put_header(field_header header, bool truth, std::int16_t& last) {
    own().commit(thriftlens::detail::put_header<P>(own().prepare(P::max_field_header), header, truth, last));
  }
  /// `bytes` as in an element.
  void put_field(field_header header, byte_view bytes, std::int16_t& last) {
    append_raw_field<P>(own(), header, bytes, last);
  }
  /// Keeps a field's header, unless its delta counts from a dropped or new field.
  void keep_header(last_ids& ids, const field_header& header, byte_ptr begin) {
    if (P::traits.headers_are_deltas && ids.out != ids.in) {
      flush(begin);
      put_header(header, in.here().inline_bool == 1, ids.out);
      leave_out();
    }
    ids.out = header.id;
  }

  // ---- containers ----

  [[nodiscard]] bool read_list(ttype wire, list_header& list) {
    return wire == ttype::set ? in.read_set(list) : in.read_list(list);
  }
  /// Copies a container's header, which was just read, to where it can be changed later.
  [[nodiscard]] open_header open(byte_ptr begin) {
    flush(begin);
    const open_header header{out->position(), static_cast<std::size_t>(in.at() - begin)};
    own().append({begin, header.size});
    leave_out();
    return header;
  }
  [[nodiscard]] static std::uint8_t* put_list(std::uint8_t* to, ttype wire, list_header list) noexcept {
    return wire == ttype::set ? P::put_set(to, list) : P::put_list(to, list);
  }
  void close(const open_header& header, ttype wire, list_header changed) {
    std::uint8_t fresh[P::max_list_header];
    close(header, fresh, put_list(fresh, wire, changed));
  }
  void close(const open_header& header, map_header changed) {
    std::uint8_t fresh[P::max_map_header];
    close(header, fresh, P::put_map(fresh, changed));
  }
  /// Writes a bool of a field header as in an element.
  void put_inline_bool(std::int8_t value) {
    own().commit(P::put_bool(own().prepare(P::max_number), value == 1));
  }

 private:
  void close(const open_header& header, byte_ptr fresh, byte_ptr end) {
    flush(in.at());
    out->replace(header.at, header.size, fresh, static_cast<std::size_t>(end - fresh));
  }
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
