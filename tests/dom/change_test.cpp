#include <thriftlens/dom/change.hpp>

#include "dom/model.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

#include <thriftlens/dom/document.hpp>
#include <thriftlens/policy/validate.hpp>

namespace {

using namespace thriftlens_test;
using tl::errc;

// Random edits of a document and of a plain tree: the bytes must equal those of decode, modify, encode.
template <class P>
class script {
 public:
  explicit script(unsigned seed)
      : random_(seed), type_(dom_schema().type("Tree")), root_(random_model(random_, type_, 4)) {
    bytes_ = wire_bytes_of<P>(root_);
  }
  void run(int edits, bool with_schema) {
    doc_.load<P>(bytes_, with_schema ? type_ : tl::type());
    for (int i = 0; i < edits; ++i) step(doc_.root(), root_, type_, 0);
    tl::buffer out;
    const std::string expected = wire_bytes_of<P>(root_);
    if (const auto written = doc_.try_append_to(out); !written) {  // a set has equal elements
      const tl::view<P> value(expected, type_);
      ASSERT_EQ(written.error().code(), tl::errc::duplicate_key);
      ASSERT_EQ(errc_of(tl::try_validate(value, unique_keys)), tl::errc::duplicate_key);
      ++duplicates;
      return;
    }
    ASSERT_EQ(out.str(), expected);
    tl::document second;
    ASSERT_TRUE((second.try_load_all<P>(out, with_schema ? type_ : tl::type())));
  }

  static inline std::size_t duplicates = 0;

 private:
  static constexpr tl::validate_options unique_keys{.enum_numbers = tl::validate_options::enum_check::any,
                                                    .keys = tl::validate_options::key_check::unique,
                                                    .rules = tl::validate_options::rule_check::ignore};

  tl::node_value value_of(const model& from) {
    switch (static_cast<int>(from.wire)) {
      case 2:
        return from.number != 0;
      case 3:
        return static_cast<std::int8_t>(from.number);
      case 6:
        return static_cast<std::int16_t>(from.number);
      case 8:
        return static_cast<std::int32_t>(from.number);
      case 10:
        return from.number;
      case 4:
        return from.real;
      case 11:
        kept_.push_back(std::make_unique<std::string>(from.text));
        return *kept_.back();
      default:
        break;
    }
    kept_.push_back(std::make_unique<std::string>(wire_bytes_of<P>(from)));
    return tl::node_value::wire<P>(*kept_.back(), from.wire);
  }
  tl::map_key key_of(const model& from) {
    switch (static_cast<int>(from.wire)) {
      case 2:
        return from.number != 0;
      case 4:
        return from.real;
      case 11:
        kept_.push_back(std::make_unique<std::string>(from.text));
        return *kept_.back();
      case 12:
        kept_.push_back(std::make_unique<std::string>(wire_bytes_of<P>(from)));
        return tl::map_key::wire(*kept_.back());
      default:
        return from.number;
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
    const bool known = !of.fields.empty() && type.find_field(of.fields[which].first);
    switch (random_() % 6) {
      case 0: {
        std::vector<tl::field_info> items;
        for (tl::field_info item : type.fields()) items.push_back(item);
        const tl::field_info field = items[below(random_, items.size())];
        const model result = random_model(random_, field.type(), 2 - depth / 2);
        if (type.kind() == tl::type_kind::union_ && at.type())
          std::erase_if(of.fields, [&](const auto& item) {
            return item.first != field.id() && type.find_field(item.first);
          });
        const std::size_t there = of.field(field.id());
        at.set(field.id(), value_of(result));
        if (there < of.fields.size()) {
          of.fields[there].second = result;
        } else {
          const auto position = std::find_if(of.fields.begin(), of.fields.end(),
                                             [&](const auto& item) { return item.first > field.id(); });
          of.fields.insert(position, {field.id(), result});
        }
        return;
      }
      case 1:
        if (of.fields.empty()) return;
        if (random_() % 2 == 0)
          at.erase(of.fields[which].first);
        else
          at.field(of.fields[which].first).erase();
        of.fields.erase(of.fields.begin() + static_cast<std::ptrdiff_t>(which));
        return;
      default:
        if (known)
          step(at.field(of.fields[which].first), of.fields[which].second,
               type.find_field(of.fields[which].first).type(), depth + 1);
    }
  }
  void in_list(const tl::node& at, model& of, tl::type type, int depth) {
    const std::size_t count = of.elements.size(), which = count == 0 ? 0 : below(random_, count);
    switch (random_() % 8) {
      case 0: {
        const model result = random_model(random_, type.element(), 2 - depth / 2);
        at.append(value_of(result));
        of.elements.push_back(result);
        return;
      }
      case 1: {
        const model result = random_model(random_, type.element(), 2 - depth / 2);
        at.insert(static_cast<std::int64_t>(which), value_of(result));
        of.elements.insert(of.elements.begin() + static_cast<std::ptrdiff_t>(which), result);
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
          std::stable_sort(of.elements.begin(), of.elements.end(),
                           [](const model& lhs, const model& rhs) { return lhs.number < rhs.number; });
        } else {
          std::size_t seen = 0;
          at.filter([&seen](const tl::node&) { return ++seen % 2 == 1; });
          for (std::size_t i = 1; i < of.elements.size(); ++i)
            of.elements.erase(of.elements.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return;
      case 4:
        if (count == 0) return;
        of.elements.push_back(of.elements[which]);
        at.append(at[static_cast<std::int64_t>(which)]);
        return;
      default:
        if (count != 0)
          step(at[static_cast<std::int64_t>(which)], of.elements[which], type.element(), depth + 1);
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
        if (count == 0 && !at.type() && std::is_same_v<P, tl::compact>)
          return;  // the width of the key is unknown
        const model key = random_model(random_, type.key(), 1),
                    result = random_model(random_, type.value(), 2 - depth / 2);
        at.set(key_of(key), value_of(result));
        if (const std::size_t there = find(key); there < count)
          of.entries[there].second = result;
        else
          of.entries.emplace_back(key, result);
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
        if (count != 0)
          step(at.key(key_of(of.entries[which].first)), of.entries[which].second, type.value(), depth + 1);
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
  for (unsigned seed = 0; seed < thriftlens_test::cases(1500u); ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(script<tl::binary>(seed).run(40, true));
    ASSERT_NO_FATAL_FAILURE(script<tl::compact>(seed).run(40, true));
    ASSERT_NO_FATAL_FAILURE(script<tl::binary>(seed).run(10, false));
    ASSERT_NO_FATAL_FAILURE(script<tl::compact>(seed).run(10, false));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_LT(script<tl::binary>::duplicates, thriftlens_test::cases(600u));  // most results are written
}

// Invalid calls return their code and leave the document unchanged.
template <class P>
void refusals_change_nothing() {
  const tl::type type = dom_schema().type("Tree");
  tl::document doc, other;
  doc.start<P>(type);
  const tl::node root = doc.root();
  root.create("leaf").set("number", 1);
  root.create("kids").append(tl::empty_value{});
  root.create("named").create("a");
  root.create("flags").set(std::int64_t{1}, true);
  root.create("numbers").append(1);
  root.create("reals").create("RED").append(0.5);
  root.create("pick").set("number", 5);
  tl::buffer retained;
  doc.append_to(retained);
  const auto refuses = [&](errc expected, const auto& status) {
    ASSERT_EQ(errc_of(status), expected);
    tl::buffer current;
    doc.append_to(current);
    EXPECT_EQ(current.text(), retained.text());
  };
  const std::string cut("\x08\x00", 2);
  const auto broken = tl::node_value::template wire<P>(cut, tl::ttype::struct_);
  const tl::node absent = root["by_leaf"];
  // Fields: values of another type, out of range, unknown names, malformed bytes, absent nodes.
  refuses(errc::value_type, root.try_set("name", 5));
  refuses(errc::value_type, root.try_set("leaf", "text"));
  refuses(errc::value_range, root.try_set("far", 40000));
  refuses(errc::no_such_field, root.try_set("nothing", 5));
  refuses(errc::unknown_enum_name, root["leaf"].try_set("color", "PINK"));
  refuses(errc::truncated, root.try_set("leaf", broken));
  refuses(errc::absent, root.try_set("leaf", absent));
  refuses(errc::value_range, root["leaf"].try_set("tiny", 128));
  refuses(errc::value_range, root["leaf"].try_set("tiny", -129));
  refuses(errc::value_range, root["leaf"].try_set("number", std::int64_t{1} << 31));
  refuses(errc::value_range, root["leaf"].try_set("real", (std::int64_t{1} << 53) + 1));
  // Entries: keys that do not fit, and values that do not.
  refuses(errc::value_type, root["flags"].try_set(std::int64_t{2}, "text"));
  refuses(errc::truncated, root["named"].try_set("b", broken));
  refuses(errc::truncated, root["named"].try_set("a", broken));
  refuses(errc::absent, root["named"].try_set("b", absent));
  refuses(errc::value_type, root["flags"].try_set("word", true));
  refuses(errc::unknown_enum_name, root["reals"].try_set("PINK", tl::empty_value{}));
  refuses(errc::value_type, root["flags"].try_rename(std::int64_t{1}, "word"));
  refuses(errc::unknown_enum_name, root["reals"].try_rename("RED", "PINK"));
  refuses(errc::value_type, root["numbers"].try_append("text"));
  refuses(errc::value_range, root["numbers"].try_append(std::int64_t{1} << 31));
  refuses(errc::truncated, root["kids"].try_append(broken));
  refuses(errc::bad_index, root["numbers"].try_insert(2, 5));
  refuses(errc::bad_index, root["numbers"].try_insert(-2, 5));
  refuses(errc::value_type, root["numbers"][0].try_set("text"));
  refuses(errc::truncated, root["leaf"].try_set(broken));
  refuses(errc::absent, root["leaf"].try_set(absent));
  EXPECT_TRUE(root["leaf"].try_set("tiny", 127).has_value());
  EXPECT_TRUE(root["leaf"].try_set("tiny", -128).has_value());
  EXPECT_TRUE(root["leaf"].try_set("number", (std::int64_t{1} << 31) - 1).has_value());
  EXPECT_TRUE(root["leaf"].try_set("number", -(std::int64_t{1} << 31)).has_value());
  EXPECT_TRUE(root["leaf"].try_set("real", std::int64_t{1} << 53).has_value());
  EXPECT_TRUE(root["leaf"].try_set("real", -(std::int64_t{1} << 53)).has_value());
  EXPECT_TRUE(root["numbers"].try_insert(1, 5).has_value());
  EXPECT_TRUE(root["numbers"].try_insert(0, 5).has_value());
}

TEST(change, errors_have_their_code_and_change_nothing) {
  refusals_change_nothing<tl::binary>();
  refusals_change_nothing<tl::compact>();
}

}  // namespace
