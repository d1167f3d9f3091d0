// records: bodies of records.hpp.
#pragma once

#include <thriftlens/records/records.hpp>

#include <cstring>
#include <string>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY void records::feed(byte_view chunk) {
  THRIFTLENS_ASSERT(!is_last_);
  if (chunk.empty()) return;
  if (window_.empty()) {
    held_.clear();
  } else if (window_.begin() != held_.begin()) {
    std::memmove(held_.data(), window_.data(), window_.size());
    held_.truncate(window_.size());
  }
  held_.append(chunk);
  window_ = held_;
}

THRIFTLENS_BODY void records::advance(std::size_t used) noexcept {
  window_ = window_.part(used, window_.size() - used);
  offset_ += used;
}

THRIFTLENS_BODY error records::fault_of(const detail::cut& found) const {
  std::string words = "record " + std::to_string(number_) + ": ";
  words += found.words.empty() ? detail::sentence(found.code) : found.words;
  if (found.state == detail::cut_state::lost) words += "; where the next record begins is not known";
  return error(found.code, std::move(words), static_cast<std::size_t>(offset_ + found.at));
}

THRIFTLENS_BODY result<bool> records::try_next(record& out) {
  if (!can_continue()) return lost_;
  if (window_.size() < wanted_ && !is_last_) return false;
  if (const std::size_t size = cutter_.plain_size(window_)) {
    out = {.bytes = window_.part(0, size),
           .number = number_++,
           .offset = offset_,
           .size = size,
           .protocol = how_.protocol};
    advance(size);
    wanted_ = 1;
    return true;
  }
  const detail::cut found = cutter_.first(window_, is_last_);
  wanted_ = 1;
  if (found.state == detail::cut_state::record) [[likely]] {
    out = {.bytes = found.value,
           .number = number_++,
           .offset = offset_ + found.begin,
           .size = found.used - found.begin,
           .is_null = found.is_null,
           .protocol = found.protocol};
    if (found.is_message) out.message = found.message;
    out.header = found.header;
    advance(found.used);
    return true;
  }
  if (found.state == detail::cut_state::wait || found.state == detail::cut_state::end) {
    advance(found.used);
    wanted_ = found.wanted - found.used;
    return false;
  }
  error why = fault_of(found);
  if (found.state == detail::cut_state::lost) {
    lost_ = why;
    return why;
  }
  advance(found.used);
  ++number_;
  return why;
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
