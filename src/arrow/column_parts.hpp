// column_parts: reads records into columns, in parts by several threads, without Python.
#pragma once

#include <thriftlens/columns/columns.hpp>
#include <thriftlens/protocol/select.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace thriftlens::python {

/// The part of the records that one thread reads.
struct column_part {
  columns rows;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::unique_ptr<ArrowArray>> batches = {};
  error reason = {};  ///< of the record at `begin`

  explicit column_part(columns of) : rows(std::move(of)) {}
  column_part(column_part&&) = default;
  ~column_part() {
    for (const auto& batch : batches)
      if (batch != nullptr && batch->release != nullptr) batch->release(batch.get());
  }
  void take() {
    batches.push_back(std::make_unique<ArrowArray>());
    rows.take(*batches.back());
  }
};

template <protocol P, class Records>
result<void> append_record(columns& rows, const Records& records, std::size_t at, std::int64_t number) {
  if (records.is_null(at)) {
    rows.append_null(number);
    return {};
  }
  const result<byte_view> bytes = records.try_value(at);
  if (!bytes) return rows.reject({number, 0, bytes.error()});
  return rows.try_append<P>(*bytes, number);
}
/// Reserves memory for the rows of the rest, from the size of the first `row_count`.
template <class Records>
void expect_rest(column_part& part, const Records& records, std::size_t row_count) {
  constexpr std::size_t max_bytes = std::size_t{1} << 30;
  std::size_t bytes = 0;
  for (std::size_t at = part.begin; at < part.end && bytes < max_bytes; ++at) {
    const result<byte_view> bytes_of_record = records.is_null(at) ? byte_view() : records.try_value(at);
    if (bytes_of_record) bytes += bytes_of_record->size();
  }
  const std::size_t times = (part.end - part.begin) / row_count + 1;
  part.rows.expect(part.rows.rows() * (times + 1), bytes);
}
template <protocol P, class Records>
void read_part(column_part& part, const Records& records, std::int64_t first) {
  constexpr std::size_t sample_size = 256;
  const std::size_t sample_end = part.begin + sample_size;
  for (; part.begin < part.end; ++part.begin) {
    if (part.begin == sample_end) expect_rest(part, records, sample_size);
    const auto number = first + static_cast<std::int64_t>(part.begin);
    const result<void> status = append_record<P>(part.rows, records, part.begin, number);
    if (!status) {
      part.reason = status.error();
      return;
    }
    if (part.rows.is_full()) part.take();
  }
  part.take();
}
/// Calls `work(index)` in a thread per index. Rethrows the first exception.
template <class Work>
void run_threads(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> thrown(count);
  const auto run = [&](std::size_t at) {
    try {
      work(at);
    } catch (...) {
      thrown[at] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back(run, i);
  run(0);
  for (std::thread& item : threads) item.join();
  for (const std::exception_ptr& item : thrown)
    if (item != nullptr) std::rethrow_exception(item);
}
template <class Records>
void read_parts(std::vector<column_part>& parts, protocol_id protocol, const Records& records,
                std::int64_t first) {
  run_threads(parts.size(), [&](std::size_t at) {
    visit_protocol(protocol, [&](auto tag) { read_part<decltype(tag)>(parts[at], records, first); });
  });
}

}  // namespace thriftlens::python
