// stream_trim: bodies of stream_trim.hpp.
#pragma once

#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/edit/stream_machine.hpp>
#include <thriftlens/edit/stream_trim.hpp>

#include <algorithm>
#include <cstring>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
stream_trimmer<P>::stream_trimmer(const selection& selected, const trim_options& options)
    : machine_(std::make_unique<detail::stream_machine<P>>(selected, options)), limits_(options.limits) {}
template <protocol P>
stream_trimmer<P>::stream_trimmer(stream_trimmer&&) noexcept = default;
template <protocol P>
stream_trimmer<P>& stream_trimmer<P>::operator=(stream_trimmer&&) noexcept = default;
template <protocol P>
stream_trimmer<P>::~stream_trimmer() = default;

template <protocol P>
bool stream_trimmer<P>::done() const noexcept {
  return machine_ == nullptr || machine_->is_complete();
}

template <protocol P>
std::uint64_t stream_trimmer<P>::least_left() const noexcept {
  if (machine_ == nullptr) return 0;  // moved from
  const std::uint64_t least = machine_->least_left();
  return done() || least > rest_size_ ? least - rest_size_ : 1;
}

template <protocol P>
void stream_trimmer<P>::drop_rest() noexcept {
  if (machine_ == nullptr) return;  // moved from
  failure_.reset();
  machine_->drop_rest();
  written_ = 0;
}

template <protocol P>
result<std::size_t> stream_trimmer<P>::try_feed(byte_view part, buffer& out) {
  if (detail::overlaps(part, out)) return detail::overlap_error();
  detail::rollback guard(out);
  std::size_t used = 0;
  while (!failure_ && !done() && used != part.size()) {
    const byte_view rest(part.begin() + used, part.size() - used);
    used += rest_size_ != 0 ? feed_rest(rest, out) : feed_part(rest, out);
    if (machine_->failure()) failure_ = machine_->failure();
  }
  if (!failure_) check_output(out.size() - guard.before());
  if (failure_) return *failure_;
  guard.keep();
  return used;
}

/// Completes the stored rest with the first bytes of the part. Returns the bytes of the part that were used.
template <protocol P>
std::size_t stream_trimmer<P>::feed_rest(byte_view part, buffer& out) {
  const std::size_t old_size = rest_size_, taken = (std::min)(part.size(), max_rest_size - old_size);
  std::memcpy(rest_ + old_size, part.data(), taken);
  const byte_view segment(rest_, old_size + taken);
  const byte_ptr end = machine_->run(segment, passed_, segment.begin() + old_size, out);
  const auto size = static_cast<std::size_t>(end - segment.begin());
  passed_ += size;
  if (size >= old_size) {
    rest_size_ = 0;
    return size - old_size;
  }
  if (machine_->failure()) {
    rest_size_ = old_size - size;
    std::memmove(rest_, end, rest_size_);
    return 0;
  }
  rest_size_ = segment.size() - size;
  std::memmove(rest_, end, rest_size_);
  return taken;
}
template <protocol P>
std::size_t stream_trimmer<P>::feed_part(byte_view part, buffer& out) {
  const byte_ptr end = machine_->run(part, passed_, part.end(), out);
  const auto used = static_cast<std::size_t>(end - part.begin());
  passed_ += used;
  if (done() || machine_->failure()) return used;
  rest_size_ = part.size() - used;
  THRIFTLENS_ASSERT(rest_size_ <= detail::stream_machine<P>::max_rest);
  std::memcpy(rest_, end, rest_size_);
  return part.size();
}
template <protocol P>
void stream_trimmer<P>::check_output(std::size_t added) {
  written_ += added;
  if (written_ > limits_.max_output(offset())) failure_ = machine_->too_long(passed_);
}

template <protocol P>
result<trim_report> stream_trimmer<P>::try_finish() {
  if (!failure_ && !done()) failure_ = machine_->cut_off(passed_, rest_size_);
  if (failure_) return *failure_;
  return trim_report{machine_->dropped_fields()};
}

#if defined(THRIFTLENS_COMPILED)
template class stream_trimmer<binary>;
template class stream_trimmer<compact>;
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
