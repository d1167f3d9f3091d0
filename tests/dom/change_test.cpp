#include <thriftlens/dom/change.hpp>

#include "dom/model.hpp"

#include <thriftlens/dom/document.hpp>

#include <gtest/gtest.h>

namespace {

using namespace thriftlens_test;
using tl::errc;

// Random edits on a document and on a plain tree side by side: the bytes must be those that decode, modify, encode give.
template <class P>
class script {
 public:
  explicit script(unsigned seed) : random_(seed), type_(dom_schema().type("Tree")), root_(random_model(random_, type_, 4)) {
    bytes_ = wire_bytes_of<P>(root_);
  }
  void run(int edits, bool with_schema) {
    doc_.load<P>(bytes_, with_schema ? type_ : tl::type());
    for (int i = 0; i < edits; ++i) step(doc_.root(), root_, type_, 0);
    tl::buffer out;
    doc_.write(out);
    ASSERT_EQ(out.str(), wire_bytes_of<P>(root_));
    tl::document again;
    ASSERT_TRUE((again.try_load_all<P>(out, with_schema ? type_ : tl::type())));
  }

 private:
  tl::node_value value_of(const model& from) {
    switch (static_cast<int>(from.wire)) {
      case 2: return from.number != 0;
      case 3: return static_cast<std::int8_t>(from.number);
      case 6: return static_cast<std::int16_t>(from.number);
      case 8: return static_cast<std::int32_t>(from.number);
      case 10: return from.number;
      case 4: return from.real;
      case 11: kept_.push_back(std::make_unique<std::string>(from.text)); return *kept_.back();
      default: break;
    }
    kept_.push_back(std::make_unique<std::string>(wire_bytes_of<P>(from)));
    return tl::node_value::wire<P>(*kept_.back(), from.wire);
  }
  tl::map_key key_of(const model& from) {
    switch (static_cast<int>(from.wire)) {
      case 2: return from.number != 0;
      case 4: return from.real;
      case 11: kept_.push_back(std::make_unique<std::string>(from.text)); return *kept_.back();
      case 12: kept_.push_back(std::make_unique<std::string>(wire_bytes_of<P>(from))); return tl::map_key::wire(*kept_.back());
      default: return from.number;
    }
  }
  void step(const tl::node& at, model& of, tl::type type, int depth) {
    ASSERT_TRUE(at) << at.error().what();
    if (of.wire == tl::ttype::struct_) return in_struct(at, of, type, depth);
    if (of.wire == tl::ttype::map) return in_map(at, of, type, depth);
    if (tl::is_container(of.wire)) return in_list(at, of, type, depth);
    of = random_model(random_, type, 0);
    at.set(value_of(of));
  }
  void in_struct(const tl::node& at, model& of, tl::type type, int depth) {
    const std::size_t which = of.fields.empty() ? 0 : below(random_, of.fields.size());
    const bool known = !of.fields.empty() && type.field(of.fields[which].first);
    switch (random_() % 6) {
      case 0: {
        std::vector<tl::field_info> all;
        for (tl::field_info each : type.fields()) all.push_back(each);
        const tl::field_info field = all[below(random_, all.size())];
        const model made = random_model(random_, field.type(), 2 - depth / 2);
        if (type.kind() == tl::type_kind::union_ && at.type()) std::erase_if(of.fields, [&](const auto& each) { return each.first != field.id() && type.field(each.first); });
        const std::size_t there = of.field(field.id());
        at.set(field.id(), value_of(made));
        if (there < of.fields.size()) {
          of.fields[there].second = made;
        } else {
          const auto place = std::find_if(of.fields.begin(), of.fields.end(), [&](const auto& each) { return each.first > field.id(); });
          of.fields.insert(place, {field.id(), made});
        }
        return;
      }
      case 1:
        if (of.fields.empty()) return;
        if (random_() % 2 == 0) at.erase(of.fields[which].first);
        else at.field(of.fields[which].first).erase();
        of.fields.erase(of.fields.begin() + static_cast<std::ptrdiff_t>(which));
        return;
      default:
        if (known) step(at.field(of.fields[which].first), of.fields[which].second, type.field(of.fields[which].first).type(), depth + 1);
    }
  }
  void in_list(const tl::node& at, model& of, tl::type type, int depth) {
    const std::size_t count = of.elements.size(), which = count == 0 ? 0 : below(random_, count);
    switch (random_() % 8) {
      case 0: {
        const model made = random_model(random_, type.element(), 2 - depth / 2);
        at.append(value_of(made));
        of.elements.push_back(made);
        return;
      }
      case 1: {
        const model made = random_model(random_, type.element(), 2 - depth / 2);
        at.insert(static_cast<std::int64_t>(which), value_of(made));
        of.elements.insert(of.elements.begin() + static_cast<std::ptrdiff_t>(which), made);
        return;
      }
      case 2:
        if (count == 0) return;
        at.erase(static_cast<std::int64_t>(which));
        of.elements.erase(of.elements.begin() + static_cast<std::ptrdiff_t>(which));
        return;
      case 3:
        if (of.element == tl::ttype::i32) {
          at.sort();
          std::stable_sort(of.elements.begin(), of.elements.end(), [](const model& left, const model& right) { return left.number < right.number; });
        } else {
          std::size_t seen = 0;
          at.filter([&seen](const tl::node&) { return ++seen % 2 == 1; });
          for (std::size_t i = 1; i < of.elements.size(); ++i) of.elements.erase(of.elements.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return;
      case 4:
        if (count == 0) return;
        of.elements.push_back(of.elements[which]);
        at.append(at[static_cast<std::int64_t>(which)]);
        return;
      default:
        if (count != 0) step(at[static_cast<std::int64_t>(which)], of.elements[which], type.element(), depth + 1);
    }
  }
  void in_map(const tl::node& at, model& of, tl::type type, int depth) {
    const std::size_t count = of.entries.size(), which = count == 0 ? 0 : below(random_, count);
    const auto find = [&](const model& key) {
      for (std::size_t i = 0; i < of.entries.size(); ++i)
        if (wire_bytes_of<P>(of.entries[i].first) == wire_bytes_of<P>(key)) return i;
      return of.entries.size();
    };
    switch (random_() % 6) {
      case 0: {
        if (count == 0 && !at.type() && std::is_same_v<P, tl::compact>) return;  // nobody knows the key's width
        const model key = random_model(random_, type.key(), 1), made = random_model(random_, type.value(), 2 - depth / 2);
        at.set(key_of(key), value_of(made));
        if (const std::size_t there = find(key); there < count) of.entries[there].second = made;
        else of.entries.emplace_back(key, made);
        return;
      }
      case 1:
        if (count == 0) return;
        ASSERT_TRUE(at.erase(key_of(of.entries[which].first)));
        of.entries.erase(of.entries.begin() + static_cast<std::ptrdiff_t>(which));
        return;
      case 2: {
        const model key = random_model(random_, type.key(), 1);
        if (count == 0 || find(key) != count) return;
        at.rename(key_of(of.entries[which].first), key_of(key));
        of.entries[which].first = key;
        return;
      }
      default:
        if (count != 0) step(at.key(key_of(of.entries[which].first)), of.entries[which].second, type.value(), depth + 1);
    }
  }

  chance random_;
  tl::type type_;
  model root_;
  std::string bytes_;
  tl::document doc_;
  std::vector<std::unique_ptr<std::string>> kept_;
};

TEST(change, random_edits_equal_decode_modify_encode) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(script<tl::binary>(seed).run(40, true));
    ASSERT_NO_FATAL_FAILURE(script<tl::compact>(seed).run(40, true));
    ASSERT_NO_FATAL_FAILURE(script<tl::binary>(seed).run(10, false));
    ASSERT_NO_FATAL_FAILURE(script<tl::compact>(seed).run(10, false));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
