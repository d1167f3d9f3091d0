#include <thriftlens/rewrite/absent.hpp>

#include <thriftlens/rewrite/pass.hpp>
#include <thriftlens/schema.hpp>

#include "support/test.hpp"
#include "support/tree.hpp"

using namespace thriftlens_test;

namespace {

template <class P>
struct rewrite_absent_of : testing::Test {};
TYPED_TEST_SUITE(rewrite_absent_of, protocols);

template <class P>
tl::result<std::string> created(const char* path) {
  static const tl::schema schema = tl::schema::parse(
      "struct Free { 1: string name } struct Strict { 1: required i64 id, 2: string name }"
      "struct Root { 1: i64 id, 2: Free free, 3: Strict strict }");
  const std::string bytes = encode<P>(structure({{1, i64(1)}})), name = encode<P>(text("made"));
  tl::detail::edit_entry entry(tl::detail::edit_action::create, tl::path::compile(schema.type("Root"), path),
                               0, 0);
  entry.value_size = name.size();
  tl::detail::edit_tree tree;
  EXPECT_EQ(tree.add<tl::binary>(entry.target_path, entry.action, 0), tl::errc::ok);
  tl::detail::rewrite_request<P> request;
  request.edits = &tree;
  request.entries = {&entry, 1};
  request.values = tl::byte_view(std::string_view(name));
  tl::buffer out;
  const tl::view<P> input(bytes, schema.type("Root"));
  const auto written = tl::detail::run_rewrite(input, request, std::size_t{1} << 20, out);
  if (!written) return written.error();
  return tl::view<P>(out, schema.type("Root")).at(path).template as<std::string>();
}

TYPED_TEST(rewrite_absent_of, creates_absent_parents) {
  EXPECT_EQ(created<TypeParam>("$.free.name").value(), "made");
}
TYPED_TEST(rewrite_absent_of, parents_without_a_required_field_are_errors) {
  EXPECT_EQ(errc_of(created<TypeParam>("$.strict.name")), tl::errc::missing_required);
}

}  // namespace
