#include <thriftlens/dom/parent.hpp>

#include "dom/sample_document.hpp"

namespace {

using namespace thriftlens_test;
using tl::errc;
namespace dom = thriftlens::detail::dom;

template <class P>
class parent : public sample_document<P> {
 protected:
  dom::parent of(const tl::node& node) {
    static_cast<void>(node.size());
    return {*node.tree(), *node.slot(), node.type()};
  }
};
TYPED_TEST_SUITE(parent, both_protocols);

TYPED_TEST(parent, finds_the_child_of_a_step) {
  const tl::node root = this->doc.root();
  const dom::parent structure = this->of(root), map = this->of(root["named"]),
                    list = this->of(root["numbers"]);
  std::uint32_t number = 0;
  EXPECT_EQ(structure.find("numbers", number), errc::ok);
  EXPECT_EQ(number, 2u);
  EXPECT_EQ(structure.find(1, number), errc::ok);
  EXPECT_EQ(structure.find("kids", number), errc::absent);
  EXPECT_EQ(structure.find("none", number), errc::no_such_field);
  EXPECT_EQ(structure.find(65537, number), errc::no_such_field);
  EXPECT_EQ(map.find("a", number), errc::ok);
  EXPECT_EQ(map.value_number(number), 3u);
  EXPECT_EQ(map.find("c", number), errc::absent);
  EXPECT_EQ(map.find(1, number), errc::value_type);
  EXPECT_EQ(list.find(-1, number), errc::ok);
  EXPECT_EQ(number, 2u);
  EXPECT_EQ(list.find(3, number), errc::bad_index);
  EXPECT_EQ(list.find(-4, number), errc::bad_index);
  EXPECT_EQ(list.find("a", number), errc::bad_index);
}

TYPED_TEST(parent, writes_steps_as_in_paths) {
  const tl::node root = this->doc.root();
  const dom::parent structure = this->of(root), map = this->of(root["named"]),
                    list = this->of(root["numbers"]);
  EXPECT_EQ(structure.spelled("leaf"), ".leaf");
  EXPECT_EQ(structure.spelled(4), ".numbers");
  EXPECT_EQ(structure.spelled(99), ".#99");
  EXPECT_EQ(structure.spelled(65537), ".#65537");
  EXPECT_EQ(map.spelled("a"), "{\"a\"}");
  EXPECT_EQ(map.spelled(true), "{true}");
  EXPECT_EQ(list.spelled(-1), "[-1]");
  EXPECT_EQ(structure.type_of("leaf").name(), "Leaf");
  EXPECT_EQ(map.type_of("a").name(), "Tree");
  EXPECT_EQ(list.type_of(0).name(), "i32");
}

}  // namespace
