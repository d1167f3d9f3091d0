#include <thriftlens/http/multipart.hpp>

#include "support/test.hpp"

namespace {
std::string fields(std::string_view body, std::string_view boundary = "B", std::size_t max = 10) {
  std::string seen;
  const bool done =
      tl::detail::each_form_field(body, boundary, max, [&](std::string_view name, std::string_view value) {
        seen.append(name).append(1, '>').append(value).append(1, ' ');
      });
  return done ? seen : "refused";
}
}  // namespace

TEST(multipart, returns_fields_and_ignores_files) {
  EXPECT_EQ(fields("--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                   "--B\r\ncontent-disposition: form-data; name=f; filename=\"x\"\r\n\r\nDATA\r\n"
                   "--B\r\nX: y\r\nContent-Disposition: form-data; name=b\r\n\r\nl\r\n2\r\n--B--\r\n"),
            "a>1 b>l\r\n2 ");
  EXPECT_EQ(fields("--B--"), "");
}
TEST(multipart, rejects_truncated_bodies_and_too_many_parts) {
  EXPECT_EQ(fields(""), "refused");
  EXPECT_EQ(fields("--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1"), "refused");
  EXPECT_EQ(fields("--B\r\nno headers\r\n--B--"), "refused");
  EXPECT_EQ(fields("--B--", ""), "refused");
  const std::string part = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n";
  EXPECT_EQ(fields(part + part + "--B--", "B", 1), "refused");
  EXPECT_EQ(fields(part + part + "--B--", "B", 2), "a>1 a>1 ");
}
