// footer_fuzz: any bytes as the footer of a Parquet file: the operations of tl.parquet end in a value or an
// error, and footers written from a valid one are valid.
#include <thriftlens/edit.hpp>
#include <thriftlens/path.hpp>
#include <thriftlens/policy.hpp>
#include <thriftlens/schema.hpp>
#include <thriftlens/view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace tl = thriftlens;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void try_footer(const tl::view<tl::compact>& footer) {
  static const tl::plan statistics = tl::plan::compile(
      footer.type(), {"$.row_groups[0].columns[1].meta_data.statistics", "$.schema[1].name", "$.num_rows"});
  static const tl::selection rows =
      tl::selection::compile(footer.type(), "{ version schema num_rows row_groups { * -columns } }");
  std::vector<tl::view<tl::compact>> found;
  require(tl::get_many(footer, statistics, found) <= found.size());
  const bool is_sound = static_cast<bool>(tl::try_validate(footer));
  tl::buffer out;
  const bool is_cut = static_cast<bool>(tl::try_append_trimmed(footer, rows, out));
  require(is_cut || out.empty());
  const tl::result<tl::buffer> edited = tl::edit(footer)
                                            .set("$.created_by", "fuzz")
                                            .erase("$.row_groups[*].columns[*].meta_data.statistics")
                                            .try_apply();
  if (!is_sound || !edited) return;  // an edit refuses fields that are there twice, known or not
  require(static_cast<bool>(tl::try_validate(tl::view<tl::compact>(*edited, footer.type()))));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tl::schema schema =
      tl::schema::load(THRIFTLENS_SOURCE_DIR "/python/thriftlens/parquet.thrift");
  static const tl::type footer = schema.type("FileMetaData");
  const tl::byte_view bytes(data, size);
  try_footer(tl::view<tl::compact>(bytes, footer));
  return 0;
}
