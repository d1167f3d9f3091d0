// Any bytes as a record: what cannot be read leaves the columns as they were, what can be read is one row
// whose every value Arrow's structs lead to, and which becomes a record again that reads as the same row.
// First input byte: the protocol and the options.
#include <thriftlens/columns/columns.hpp>
#include <thriftlens/columns/from_columns.hpp>

#include "columns/samples.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tl = thriftlens;
using thriftlens_test::all_of;
using thriftlens_test::batch;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

/// The rows of the records that the columns become.
template <class Protocol>
std::string there_and_back(const batch& made, const tl::columns_options& how) {
  const auto records = tl::try_from_columns<Protocol>(thriftlens_test::column_schema().type("Row"),
                                                      made.schema(), made.array());
  require(static_cast<bool>(records));
  tl::columns rows = tl::columns::compile(all_of("Row"), how);
  for (std::size_t i = 0; i < records->size(); ++i)
    require(static_cast<bool>(rows.try_append<Protocol>((*records)[i])));
  return batch(rows).text();
}

template <class Protocol>
void check(tl::byte_view bytes, const tl::columns_options& how) {
  tl::columns rows = tl::columns::compile(all_of("Row"), how);
  rows.append_null();
  const tl::result<void> done = rows.try_append<Protocol>(bytes);
  require(rows.rows() == (done ? 2u : 1u));
  rows.append_null();
  const batch made(rows);
  const std::string text = made.text();
  const std::string null = text.substr(0, text.find('\n') + 1);
  require(text.ends_with(null));
  require(done || text == null + null);
  if (done) require(there_and_back<Protocol>(made, how) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const tl::columns_options how{
      .enums = (data[0] & 1) != 0 ? tl::column_enums::name : tl::column_enums::number,
      .unions = (data[0] & 2) != 0 ? tl::column_unions::dense : tl::column_unions::structure,
      .nesting = (data[0] & 4) != 0 ? tl::column_nesting::flat : tl::column_nesting::structs,
      .defaults = (data[0] & 8) != 0 ? tl::on_absent::write : tl::on_absent::omit};
  const tl::byte_view bytes(data + 1, size - 1);
  if ((data[0] & 0x80) != 0)
    check<tl::compact>(bytes, how);
  else
    check<tl::binary>(bytes, how);
  return 0;
}
