// records: bodies of records.hpp.
#pragma once

#include <thriftlens/records/records.hpp>

#include <thriftlens/core/joined.hpp>

#include <cstring>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY void records::feed(byte_view chunk) {
  THRIFTLENS_ASSERT(!is_last_);
  if (chunk.empty()) return;
  if (window_.empty()) {
    pending_.clear();
  } else if (window_.begin() != pending_.begin()) {
    std::memmove(pending_.data(), window_.data(), window_.size());
    pending_.truncate(window_.size());
  }
  pending_.append(chunk);
  window_ = pending_;
}

THRIFTLENS_BODY void records::advance(std::size_t used) noexcept {
  window_ = window_.part(used, window_.size() - used);
  offset_ += used;
}

THRIFTLENS_BODY error records::fault_of(const detail::cut& failed) const {
  std::string text =
      failed.code == errc::bad_frame ? detail::joined({"the line is not ", to_string(options_.framing)})
      : failed.limit != 0
          ? detail::joined({"a size exceeds the limit of ", failed.limit, " bytes (option record_size)"})
          : std::string();
  const error fault =
      error(failed.code, std::move(text), static_cast<std::size_t>(offset_ + failed.at)).in_record(number_);
  return failed.state == detail::cut_state::lost ? fault.with_hint("the start of the next record is unknown")
                                                 : fault;
}

THRIFTLENS_BODY result<bool> records::try_next(record& out) {
  if (!can_continue()) return lost_;
  if (window_.size() < required_ && !is_last_) return false;
  if (const std::size_t size = cutter_.plain_size(window_)) {
    out = {.bytes = window_.part(0, size),
           .number = number_++,
           .offset = offset_,
           .size = size,
           .protocol = options_.protocol};
    advance(size);
    required_ = 1;
    return true;
  }
  const detail::cut next = cutter_.first(window_, is_last_);
  required_ = 1;
  if (next.state == detail::cut_state::record) [[likely]] {
    out = {.bytes = next.value,
           .number = number_++,
           .offset = offset_ + next.begin,
           .size = next.used - next.begin,
           .is_null = next.is_null,
           .protocol = next.protocol};
    if (next.is_message) out.message = next.message;
    out.header = next.header;
    advance(next.used);
    return true;
  }
  if (next.state == detail::cut_state::wait || next.state == detail::cut_state::end) {
    advance(next.used);
    required_ = next.required - next.used;
    return false;
  }
  error failure = fault_of(next);
  if (next.state == detail::cut_state::lost) {
    lost_ = failure;
    return failure;
  }
  advance(next.used);
  ++number_;
  return failure;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
