// from_columns: bodies of from_columns.hpp.
#pragma once

#include <thriftlens/columns/arrow_owner.hpp>
#include <thriftlens/columns/from_columns.hpp>

#include <memory>
#include <utility>

namespace thriftlens::inline THRIFTLENS_ABI {

/// The data that an exported array owns.
struct record_column::exported final : detail::arrow_array_owner {
  explicit exported(std::shared_ptr<const data> shared) : records(std::move(shared)) { format = "z"; }

  std::shared_ptr<const data> records;
};

THRIFTLENS_BODY void record_column::data::close(bool is_null) {
  const std::size_t at = offsets.size() - 1;
  offsets.push_back(static_cast<std::int32_t>(bytes.size()));
  if (is_null && validity.empty()) validity.assign(at / 8 + 1, 0xff);
  if (validity.empty()) return;
  if (validity.size() <= at / 8) validity.push_back(0xff);
  if (!is_null) return;
  validity[at / 8] = static_cast<std::uint8_t>(validity[at / 8] & ~(1u << at % 8));
  ++nulls;
}

THRIFTLENS_BODY void record_column::export_schema(ArrowSchema& out) {
  out = ArrowSchema{};
  out.format = "z";
  out.name = "";
  out.flags = ARROW_FLAG_NULLABLE;
  out.release = [](ArrowSchema* schema) { schema->release = nullptr; };
}

THRIFTLENS_BODY void record_column::export_array(ArrowArray& out) const {
  static constexpr std::uint8_t nothing[64] = {};
  const std::uint8_t* const bytes = data_->bytes.size() == 0 ? nothing : data_->bytes.data();
  const std::uint8_t* const validity = data_->nulls == 0 ? nullptr : data_->validity.data();
  auto owner = std::make_unique<exported>(data_);
  owner->add_buffer(validity, data_->validity.size());
  owner->add_buffer(data_->offsets.data(), data_->offsets.size() * sizeof(std::int32_t));
  owner->add_buffer(bytes, data_->bytes.size());
  out = ArrowArray{};
  out.length = static_cast<std::int64_t>(size());
  out.null_count = data_->nulls;
  detail::give_owner(out, std::move(owner));
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
