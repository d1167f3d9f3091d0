#include <thriftlens/json/fast/fast_scalar.hpp>
#include <thriftlens/json/fast/fast_write.hpp>
#include <thriftlens/json/write/write.hpp>

#include "json/samples.hpp"
#include "support/test.hpp"

using thriftlens_test::sample_type;

namespace {

// A single value by the fast writer, which may fall back, and by the general one.
void expect_equal_results(const tl::type& type, tl::byte_view bytes, const tl::to_json_options& options) {
  tl::buffer fast(tl::byte_view("before", 6)), general(tl::byte_view("before", 6));
  const bool is_ok = tl::detail::fast_json_writer(bytes, *type.image(), fast, options, {}).run(type);
  const tl::result<void> expected =
      tl::detail::json_writer<tl::binary>(bytes, *type.image(), general, options, {}).run(type);
  EXPECT_EQ(is_ok, expected.has_value());
  EXPECT_EQ(fast.str(), general.str());
}

}  // namespace

TEST(fast_scalar_writer, equals_the_general_writer) {
  for (const char* type : {"bool", "i8", "i16", "i32", "i64", "double", "uuid", "Color"})
    for (const char fill : {'\0', '\1', '\5', '\x7f', '\xff'})
      for (std::size_t size = 0; size <= 17; ++size)
        for (const tl::to_json_options& options :
             {tl::to_json_options{}, tl::to_json_options{.format = {.enums = tl::enum_values::name}},
              tl::to_json_options{.format = {.int64 = tl::json_int64::string}},
              tl::to_json_options{.leniency = {.nonfinite = tl::json_nonfinite::string}}}) {
          const std::string bytes(size, fill);
          expect_equal_results(sample_type(type), bytes, options);
        }
}

TEST(fast_scalar_writer, strings_of_every_size) {
  for (const char* type : {"string", "binary"})
    for (const char fill : {'a', '\n', '\1', '"', '\xff'})
      for (const std::size_t size : {0u, 1u, 31u, 63u, 64u, 65u, 700u, 4096u, 4097u, 9000u}) {
        const std::string head = {0, 0, static_cast<char>(size >> 8), static_cast<char>(size & 255)};
        const std::string bytes = head + std::string(size, fill);
        expect_equal_results(sample_type(type), bytes, {});
        expect_equal_results(sample_type(type), tl::byte_view(bytes.data(), bytes.size() - 1), {});
      }
}
