// columns: bodies of columns.hpp.
// In: its declarations. Out: what thriftlens::compiled holds, or every unit that is header-only.
// Never declares what a user calls.
#pragma once

#include <thriftlens/columns/column_writer.hpp>
#include <thriftlens/columns/columns.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

template <protocol P>
result<void> columns::try_append(byte_view bytes, std::int64_t record, std::int64_t offset) {
  const std::size_t before = rows_;
  detail::column_writer<P> writer(plan(), set_, scratch_, bytes, shared_->options);
  bool done = false;
  if (plan().from.is_struct()) {
    done = writer.row();
    if (done) close_row(record, offset, nullptr);
  } else {
    done = writer.rows([&] { close_row(record, offset, nullptr); });
  }
  if (done) [[likely]]
    return {};
  error why = writer.why();
  cut(before);
  return reject({record, offset, std::move(why)});
}

#if defined(THRIFTLENS_COMPILED)
template result<void> columns::try_append<binary>(byte_view, std::int64_t, std::int64_t);
template result<void> columns::try_append<compact>(byte_view, std::int64_t, std::int64_t);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
