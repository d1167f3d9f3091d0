// columns: bodies of columns.hpp.
#pragma once

#include <thriftlens/columns/column_writer.hpp>
#include <thriftlens/columns/columns.hpp>
#include <thriftlens/core/joined.hpp>

#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {
[[nodiscard]] inline std::optional<error> find_bad_option(const columns_options& of) {
  return find_bad_option({{"enums", of.types.enums},
                          {"mismatch", of.leniency.mismatch},
                          {"invalid_utf8", of.leniency.invalid_utf8},
                          {"missing_required", of.leniency.missing_required},
                          {"unknown", of.leniency.unknown}});
}
}  // namespace detail

THRIFTLENS_BODY result<columns> columns::compiled(const selection& selected_fields,
                                                  const std::optional<predicate>& where,
                                                  const columns_options& options) {
  if (std::optional<error> bad = detail::find_bad_option(options)) [[unlikely]]
    return *std::move(bad);
  result<detail::column_plan> plan = detail::column_plan::try_compile(selected_fields, options);
  if (!plan) return plan.error();
  const type row = plan->root().of;
  if (where && where->from() != row)
    return error(errc::wrong_type, detail::joined({"expected a condition on ", row.name(), ", found one on ",
                                                   where->from().name()}));
  return columns(std::make_shared<const shared>(shared{std::move(*plan), options, selected_fields, where}),
                 std::make_shared<column_memory>());
}

template <protocol P>
result<void> columns::try_append(byte_view bytes, std::int64_t record, std::int64_t offset) {
  const std::size_t initial_rows = rows_;
  restore();
  detail::column_writer<P> writer(plan(), set_, scratch_, bytes, shared_->options);
  bool ok = false;
  const auto each_row = [&] { close_row(record, offset, nullptr); };
  if (plan().from.is_struct()) {
    ok = writer.row(where(), each_row);
  } else {
    ok = writer.rows(where(), each_row);
  }
  if (ok) [[likely]]
    return {};
  error reason = writer.failure();
  cut(initial_rows);
  return reject({record, offset, std::move(reason)});
}

#if defined(THRIFTLENS_COMPILED)
template result<void> columns::try_append<binary>(byte_view, std::int64_t, std::int64_t);
template result<void> columns::try_append<compact>(byte_view, std::int64_t, std::int64_t);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
