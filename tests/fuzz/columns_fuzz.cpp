// Any bytes as a record: invalid ones leave the columns unchanged, valid ones add one row, whose values are
// readable through Arrow's structs and which converts back to an equal record. Arrow's structs with one
// changed member are rejected, or are not read out of bounds. First input byte: protocol and options. Last
// two: the change, and its column.
#include <thriftlens/columns/columns.hpp>
#include <thriftlens/columns/from_columns.hpp>

#include "columns/samples.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tl = thriftlens;
using thriftlens_test::all_of, thriftlens_test::batch;

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

/// Invalid members whose effect can be detected: none makes an array larger than it is.
void spoil(ArrowSchema& schema, ArrowArray& array, std::uint8_t how) {
  static const void* const nothing[3] = {};
  const auto shorter = static_cast<std::int64_t>(how >> 4);
  switch (how % 16) {
    case 0:
      schema.format = nullptr;
      break;
    case 1:
      schema.format = "+w:x";
      break;
    case 2:
      schema.format = "tdD";
      break;
    case 3:
      schema.name = nullptr;
      break;
    case 4:
      schema.release = nullptr;
      break;
    case 5:
      schema.n_children -= shorter;
      break;
    case 6:
      schema.children = nullptr;
      break;
    case 7:
      array.length = -shorter;
      break;
    case 8:
      array.length -= shorter;
      break;
    case 9:
      array.offset = -1 - shorter;
      break;
    case 10:
      array.offset = INT64_MAX - shorter;
      break;
    case 11:
      array.n_buffers -= shorter;
      break;
    case 12:
      array.buffers = nullptr;
      break;
    case 13:
      array.buffers = const_cast<const void**>(nothing);
      break;
    case 14:
      array.n_children -= shorter;
      break;
    default:
      array.children = nullptr;
  }
}
/// One struct of the batch is spoilt while it becomes records, and then as it was.
template <class Protocol>
void there_with_a_lie(const batch& made, std::uint8_t how, std::uint8_t which) {
  auto* schema = const_cast<ArrowSchema*>(&made.schema());
  auto* array = const_cast<ArrowArray*>(&made.array());
  while (which % 4 != 0 && schema->n_children != 0) {
    const auto child = static_cast<std::int64_t>(which / 4) % schema->n_children;
    schema = schema->children[child];
    array = array->children[child];
    which = static_cast<std::uint8_t>(which / 4 * 4 + which % 4 - 1);
  }
  const ArrowSchema good_schema = *schema;
  const ArrowArray good_array = *array;
  spoil(*schema, *array, how);
  static_cast<void>(tl::try_from_columns<Protocol>(thriftlens_test::column_schema().type("Row"),
                                                   made.schema(), made.array()));
  *schema = good_schema;
  *array = good_array;
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
  if (bytes.size() >= 2) there_with_a_lie<Protocol>(made, bytes[bytes.size() - 1], bytes[bytes.size() - 2]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const tl::columns_options how{
      .types = {.enums = (data[0] & 1) != 0 ? tl::enum_values::name : tl::enum_values::number,
                .unions = (data[0] & 2) != 0 ? tl::column_unions::dense : tl::column_unions::structure,
                .nesting = (data[0] & 4) != 0 ? tl::column_nesting::flat : tl::column_nesting::structs},
      .defaults = (data[0] & 8) != 0 ? tl::on_absent::write : tl::on_absent::omit};
  const tl::byte_view bytes(data + 1, size - 1);
  if ((data[0] & 0x80) != 0)
    check<tl::compact>(bytes, how);
  else
    check<tl::binary>(bytes, how);
  return 0;
}
