#include <thriftlens/dom/open.hpp>

#include "dom/model.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>

namespace {

using namespace thriftlens_test;
namespace dom = thriftlens::detail::dom;

TEST(open, paths_cross_every_kind_of_level) {
  tl::document doc;
  doc.start<tl::compact>(dom_schema().type("Tree"));
  const tl::node root = doc.root();
  root.create("kids")
      .append(tl::empty_value{})
      .create("named")
      .create("a\"b")
      .create("leaf")
      .set("number", 1);
  root.create("flags").set(std::int64_t{-7}, true);
  root.create("reals").create("BLUE").append(1.5);
  root.set(77, "unknown");
  EXPECT_EQ(root.path(), "$");
  EXPECT_EQ(root["kids"][0]["named"]["a\"b"]["leaf"]["number"].path(),
            "$.kids[0].named{\"a\\\"b\"}.leaf.number");
  EXPECT_EQ(root["flags"][-7].path(), "$.flags{-7}");
  EXPECT_EQ(root["reals"]["BLUE"][0].path(), "$.reals{5}[0]");
  EXPECT_EQ(root[77].path(), "$.#77");
}

TEST(open, scalars_have_no_level_and_levels_are_created_once) {
  model list{.wire = tl::ttype::list, .element = tl::ttype::i32};
  list.elements.push_back({.wire = tl::ttype::i32, .number = 5});
  const std::string bytes = wire_bytes_of<tl::binary>(list);
  dom::tree of;
  of.source = bytes;
  of.root.bytes = of.source.data();
  of.root.size = static_cast<std::uint32_t>(bytes.size());
  of.root.wire = tl::ttype::list;
  ASSERT_EQ(dom::open(of, of.root, nullptr), tl::errc::ok);
  const dom::level* result = of.root.below;
  EXPECT_EQ(dom::open(of, of.root, nullptr), tl::errc::ok);
  EXPECT_EQ(of.root.below, result);
  EXPECT_EQ(dom::open(of, of.root.below->items[0], of.root.below), tl::errc::wrong_type);
  EXPECT_EQ(dom::offset_of(of, result->items[0].bytes), 5u);
  EXPECT_EQ(dom::offset_of(of, nullptr), tl::error::no_offset);
}

}  // namespace
