// sample_document: fixture with a document of the type Tree that has all kinds of values.
#pragma once

#include "dom/model.hpp"

#include <thriftlens/dom/document.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace thriftlens_test {

template <class P>
class sample_document : public testing::Test {
 protected:
  // kids[2], named {"a","b"}, numbers, leaf …
  static model sample() {
    model leaf{.wire = tl::ttype::struct_};
    leaf.fields.emplace_back(std::int16_t{1}, model{.wire = tl::ttype::bool_, .number = 1});
    leaf.fields.emplace_back(std::int16_t{4}, model{.wire = tl::ttype::i32, .number = 42});
    leaf.fields.emplace_back(std::int16_t{6}, model{.wire = tl::ttype::double_, .real = 2.5});
    leaf.fields.emplace_back(std::int16_t{7}, model{.wire = tl::ttype::string, .text = "text"});
    leaf.fields.emplace_back(std::int16_t{9}, model{.wire = tl::ttype::i32, .number = 5});
    model inner{.wire = tl::ttype::struct_};
    inner.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "inner"});
    model numbers{.wire = tl::ttype::list, .element = tl::ttype::i32};
    for (int index : {30, -10, 20})
      numbers.elements.push_back(model{.wire = tl::ttype::i32, .number = index});
    model named{.wire = tl::ttype::map, .key = tl::ttype::string, .element = tl::ttype::struct_};
    for (const char* key : {"b", "a"})
      named.entries.emplace_back(model{.wire = tl::ttype::string, .text = key}, inner);
    model root{.wire = tl::ttype::struct_};
    root.fields.emplace_back(std::int16_t{1}, leaf);
    root.fields.emplace_back(std::int16_t{3}, named);
    root.fields.emplace_back(std::int16_t{4}, numbers);
    root.fields.emplace_back(std::int16_t{10}, model{.wire = tl::ttype::string, .text = "root"});
    return root;
  }
  sample_document() : bytes(wire_bytes_of<P>(sample())) { doc.load<P>(bytes, dom_schema().type("Tree")); }
  std::string written() const {
    tl::buffer out;
    doc.append_to(out);
    return out.str();
  }
  std::string bytes;
  tl::document doc;
};
using both_protocols = testing::Types<tl::binary, tl::compact>;

template <class T>
std::vector<T> elements_as(const tl::node& of) {
  std::vector<T> items;
  for (const tl::node& element : of.elements()) items.push_back(element.as<T>());
  return items;
}
inline std::vector<std::string> keys_of(const tl::node& of) {
  std::vector<std::string> items;
  for (const tl::node_entry& entry : of.entries()) items.push_back(entry.key.as<std::string>());
  return items;
}

}  // namespace thriftlens_test
