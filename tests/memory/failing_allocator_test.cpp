// Makes every allocation of every operation fail: the output must be unchanged.
#include "memory/allocator.hpp"
#include "support/cases.hpp"
#include "support/hex.hpp"
#include "support/test.hpp"

#include <thriftlens/json/bound.hpp>
#include <thriftlens/json/json_text.hpp>
#include <thriftlens/thriftlens.hpp>

#include <new>
#include <stdexcept>
#include <thread>

namespace memory = thriftlens_test::memory;
using thriftlens_test::hex;

namespace {

struct note {
  std::int32_t number = 0;
  std::string text;
};
struct page {
  std::int64_t id = 0;
  std::string title;
  std::vector<note> notes;
  std::map<std::string, note> named;
};
/// Has a note whose text cannot be written.
struct refusing {
  std::string text;
};
struct refusing_page {
  std::vector<refusing> notes;
};

}  // namespace

template <>
struct thriftlens::binding<note> : thriftlens::numbered {};
template <>
struct thriftlens::binding<page> : thriftlens::numbered {};
template <>
struct thriftlens::adapter<refusing> {
  using wire = std::string;
  static std::string to_wire(const refusing& from) {
    if (from.text == "refused") throw std::runtime_error("refused");
    return from.text;
  }
  static refusing from_wire(std::string from) { return {std::move(from)}; }
};
template <>
struct thriftlens::binding<refusing_page> : thriftlens::numbered {};

namespace {

constexpr std::string_view page_idl = R"idl(
struct Note { 1: i32 number  2: string text (pii = "hash") }
struct Page {
  1: i64 id
  2: string title (pii = "keep_last(3)")
  3: list<Note> notes
  4: map<string, Note> named
  5: map<Note, i32> ranks
  6: set<string> tags (pii = "hash")
  7: optional string remark = "a default of some length"
  8: optional map<string, list<i64>> deep
  9: optional bool flag
}
struct Cut { 1: i64 id  3: list<Note> notes }
)idl";
const tl::schema& pages() {
  static const tl::schema loaded = tl::schema::parse(page_idl);
  return loaded;
}
tl::type page_type() { return pages().type("Page"); }
tl::type note_type() { return pages().type("Note"); }

std::string sample_json() {
  std::string notes, named, ranks, tags;
  for (int i = 0; i < 60; ++i) {
    const std::string number = std::to_string((i * 37) % 100);
    const std::string note =
        R"({"number":)" + number + R"(,"text":"text \"of\" note )" + std::to_string(i) + R"("})";
    const std::string comma = i == 0 ? "" : ",";
    notes += comma + note;
    named += comma + R"("k)" + std::to_string((i * 37) % 61) + R"(":)" + note;
    ranks += comma + "[" + note + "," + std::to_string(i) + "]";
    tags += comma + R"("tag )" + std::to_string(i) + '"';
  }
  return R"({"id":7,"title":"a title","notes":[)" + notes + R"(],"named":{)" + named + R"(},"ranks":[)" +
         ranks + R"(],"tags":[)" + tags + R"(],"deep":{"b":[1,2,3],"a":[4]}})";
}

page sample_page() {
  page result{7, "a title", {}, {}};
  for (int i = 0; i < 60; ++i)
    result.notes.push_back({i, "note " + std::to_string(i) + std::string(100, 'x')});
  for (int i = 0; i < 60; ++i) result.named["k" + std::to_string(i)] = {i, std::string(5000, 'y')};
  return result;
}

constexpr std::string_view prefix = "what stood there before";

using operation = std::function<bool(tl::buffer&)>;

/// The output after `prefix` without failures.
std::string expected_of(const operation& run) {
  tl::buffer out{tl::byte_view(prefix)};
  EXPECT_TRUE(run(out));
  EXPECT_EQ(out.text().substr(0, prefix.size()), prefix);
  EXPECT_GT(out.size(), prefix.size());
  return out.str();
}

/// One run whose `number`th allocation fails. True if that many were made.
bool fails_at(std::size_t number, memory::failing mode, const operation& run, const std::string& expected) {
  tl::buffer out{tl::byte_view(prefix)};
  bool is_ok = false, threw = false;
  memory::fail_at(number, mode);
  try {
    is_ok = run(out);
  } catch (const std::bad_alloc&) {
    threw = true;
  }
  const bool failed = memory::has_failed();
  memory::fail_at(0);
  EXPECT_NE(is_ok, threw) << "an allocation failure was reported as an error of the data";
  EXPECT_TRUE(failed || is_ok);
  EXPECT_EQ(out.text(), is_ok ? std::string_view(expected) : prefix) << "allocation " << number;
  return failed;
}

/// In its own thread, so that no thread-local cache remains.
template <class Run>
auto in_a_thread(Run run) {
  std::optional<decltype(run())> made;
  std::thread([&] { made.emplace(run()); }).join();
  return *std::move(made);
}

/// Makes every allocation fail in turn, under sanitizers every third; there must be at least `least`.
void every_allocation_fails(const char* label, std::size_t least, const operation& run) {
  SCOPED_TRACE(label);
  const std::string expected = in_a_thread([&] { return expected_of(run); });
  const std::size_t held = memory::held();
  std::size_t failed = 0;
  for (const memory::failing mode : {memory::failing::once, memory::failing::from_there_on}) {
    const std::size_t step = thriftlens_test::is_sanitized ? 3 : 1;
    std::size_t number = 1;
    while (in_a_thread([&] { return fails_at(number, mode, run, expected); }) && !testing::Test::HasFailure())
      number += step;
    failed = number - 1;
  }
  EXPECT_GE(failed, least);
  EXPECT_EQ(memory::held(), held) << "memory leaked";
}

template <class P>
class failing_allocator : public testing::Test {
 protected:
  static const tl::buffer& bytes() {
    static const tl::buffer result = tl::from_json<P>(page_type(), sample_json());
    return result;
  }
  static tl::view<P> root() { return {bytes(), page_type()}; }
};
struct protocol_name {
  template <class P>
  static std::string GetName(int) {
    return std::string(P::name);
  }
};
TYPED_TEST_SUITE(failing_allocator, protocols, protocol_name);

template <class P>
using other_than = std::conditional_t<std::is_same_v<P, tl::binary>, tl::compact, tl::binary>;

TYPED_TEST(failing_allocator, to_json) {
  const auto with = [this](const tl::to_json_options& options) {
    return [this, options](tl::buffer& out) {
      return tl::try_append_json<TypeParam>(page_type(), this->bytes(), out, options).has_value();
    };
  };
  every_allocation_fails("usual", 3, with({}));
  every_allocation_fails("pretty", 3, with({.format = {.pretty = 2}}));
  every_allocation_fails("defaults", 3, with({.defaults = tl::on_absent::write}));
  every_allocation_fails("last duplicate", 3, with({.leniency = {.duplicates = tl::on_duplicate::last}}));
}

TYPED_TEST(failing_allocator, from_json) {
  const std::string text = sample_json();
  const auto with = [&text](const tl::from_json_options& options) {
    return [&text, options](tl::buffer& out) {
      return tl::try_append_from_json<TypeParam>(page_type(), text, out, options).has_value();
    };
  };
  every_allocation_fails("usual", 1, with({}));
  every_allocation_fails("last duplicate", 1, with({.leniency = {.duplicates = tl::on_duplicate::last}}));
  every_allocation_fails("defaults", 1, with({.defaults = tl::on_absent::write}));
}

TYPED_TEST(failing_allocator, encode) {
  const page result = sample_page();
  every_allocation_fails("bound", 3, [&](tl::buffer& out) {
    return tl::try_append_encoded<TypeParam>(result, out).has_value();
  });
  every_allocation_fails("flat", 1, [&](tl::buffer& out) {
    return tl::try_append_encoded<TypeParam>(result.named.begin()->second, out).has_value();
  });
  const auto by_name = tl::bind_by_name<page>(page_type());
  every_allocation_fails("by name", 3, [&](tl::buffer& out) {
    return by_name.template try_append_encoded<TypeParam>(result, out).has_value();
  });
  const tl::bound_json<page> bound;
  every_allocation_fails("as JSON", 3, [&](tl::buffer& out) {
    const auto text = bound.try_to_json(result);
    if (text) out.append(tl::byte_view(*text));
    return text.has_value();
  });
}

TYPED_TEST(failing_allocator, encode_in_pieces) {
  const page result = sample_page();
  std::size_t number = 1;
  for (bool failed = true; failed; ++number) {
    tl::gather_list out;
    out.own().append(tl::byte_view(prefix));
    out.link(out.own().size(), tl::byte_view(prefix));
    bool threw = false;
    memory::fail_at(number);
    try {
      EXPECT_TRUE(tl::try_append_encoded<TypeParam>(result, out));
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    failed = memory::has_failed();
    memory::fail_at(0);
    EXPECT_EQ(threw, failed);
    if (!failed) {
      every_allocation_fails("pieces put together", 1,
                             [&](tl::buffer& full) { return out.append_to(full), true; });
      break;
    }
    EXPECT_EQ(out.size(), 2 * prefix.size());
    EXPECT_EQ(out.link_count(), 1u);
  }
  EXPECT_GT(number, 4u);
}

TYPED_TEST(failing_allocator, an_exception_in_a_callback_leaves_the_output_unchanged) {
  refusing_page result;
  for (int i = 0; i < 100; ++i) result.notes.push_back({std::string(100, 'a')});
  result.notes.push_back({"refused"});
  tl::buffer out{tl::byte_view(prefix)};
  EXPECT_THROW(static_cast<void>(tl::try_append_encoded<TypeParam>(result, out)), std::runtime_error);
  EXPECT_EQ(out.text(), prefix);
  tl::gather_list pieces;
  EXPECT_THROW(static_cast<void>(tl::try_append_encoded<TypeParam>(result, pieces)), std::runtime_error);
  EXPECT_TRUE(pieces.empty());
  auto change = tl::edit(this->root());
  change.replace("$.notes[*].number", [calls = 0](const tl::view<TypeParam>& old) mutable {
    if (++calls == 50) throw std::runtime_error("no more");
    return old.template as<std::int32_t>();
  });
  EXPECT_THROW(static_cast<void>(change.try_append_to(out)), std::runtime_error);
  EXPECT_EQ(out.text(), prefix);
}

TYPED_TEST(failing_allocator, convert) {
  every_allocation_fails("convert", 3, [this](tl::buffer& out) {
    return tl::try_append_converted<TypeParam, other_than<TypeParam>>(this->bytes(), out).has_value();
  });
}

TYPED_TEST(failing_allocator, trim) {
  const tl::selection some = tl::selection::compile(page_type(), "{ id notes { text } ranks deep }");
  const tl::selection target = tl::selection::compile(page_type(), pages().type("Cut"));
  const auto with = [this](const tl::selection& selected, const tl::trim_options& options) {
    return [this, &selected, options](tl::buffer& out) {
      return tl::try_append_trimmed(this->root(), selected, out, options).has_value();
    };
  };
  every_allocation_fails("selected", 1, with(some, {}));
  every_allocation_fails("unknown dropped", 1, with(some, {.unknown = tl::on_unknown::drop}));
  every_allocation_fails("to a type", 1, with(target, {.defaults = tl::on_absent::write}));
}

TYPED_TEST(failing_allocator, redact) {
  const tl::redaction rules = tl::redaction::compile(
      page_type(), {.annotation = "pii",
                    .paths = {{"$.named{*}.text", "constant(\"longer than what stood there before it\")"}},
                    .key = tl::redact_hash::key_bytes{1, 2, 3}});
  every_allocation_fails("redact", 2, [&](tl::buffer& out) {
    return tl::try_append_redacted(this->root(), rules, out).has_value();
  });
}

TYPED_TEST(failing_allocator, rewrite) {
  const tl::redaction rules =
      tl::redaction::compile(page_type(), {.annotation = "pii", .key = tl::redact_hash::key_bytes{1, 2, 3}});
  const std::string longer(3000, 'z');
  every_allocation_fails("rewrite", 5, [&](tl::buffer& out) {
    tl::rewrite<TypeParam> change(this->root());
    change.trim("{ id title notes { text } tags }").redact(rules).set("$.notes[1].text", longer);
    return change.try_append_to(out).has_value();
  });
}

TYPED_TEST(failing_allocator, edit) {
  const std::string longer(3000, 'z');
  const auto applied = [this](auto build) {
    return [this, build](tl::buffer& out) {
      tl::edit<TypeParam> change(this->root());
      build(change);
      return change.try_append_to(out).has_value();
    };
  };
  every_allocation_fails("quick", 1, applied([](auto& change) { change.set("$.id", std::int64_t{8}); }));
  every_allocation_fails("values on the heap", 2, applied([&](auto& change) {
                           change.set("$.title", longer).set("$.notes[1].text", longer);
                         }));
  every_allocation_fails("general", 5, applied([&](auto& change) {
                           change.set("$.notes[*].text", longer)
                               .create("$.named{\"new\"}.number", 5)
                               .append("$.tags", "more")
                               .erase("$.deep");
                         }));
  const std::string key = hex(tl::from_json<TypeParam>(note_type(), R"({"text":"new","number":77})").str());
  every_allocation_fails("key by its wire bytes", 5, applied([key](auto& change) {
                           change.set("$.ranks{x\"" + key + "\"}", 5).erase("$.ranks{x\"00\"}");
                         }));
  every_allocation_fails("JSON text", 5, applied([](auto& change) {
                           change.set("$.notes[2]", tl::json_text{R"({"number":5})"});
                         }));
  every_allocation_fails("replace", 5, applied([&](auto& change) {
                           change.replace("$.notes[*].text", [&](const tl::view<TypeParam>&) {
                             return std::string_view(longer);
                           });
                         }));
  const auto retained = tl::edit(this->root()).set("$.notes[*].text", longer);
  every_allocation_fails("kept and applied to another", 3, [&](tl::buffer& out) {
    return retained.try_append_to(this->root(), out).has_value();
  });
  every_allocation_fails("in pieces", 3, [&](tl::buffer& out) {
    const auto pieces = retained.try_apply_gather(16);
    if (!pieces) return false;
    const tl::buffer full = pieces->join();
    out.append(tl::byte_view(full));
    return true;
  });
}

/// Lookups are noexcept: where keys cannot be compared for lack of memory, they give an error.
TYPED_TEST(failing_allocator, lookups_by_struct_keys) {
  const auto step_of = [](std::string_view json) {
    return "$.ranks{x\"" + hex(tl::from_json<TypeParam>(note_type(), json).str()) + "\"}";
  };
  const std::string last = step_of(R"({"number":83,"text":"text \"of\" note 59"})");
  const std::string swapped = step_of(R"({"text":"text \"of\" note 59","number":83})");
  const tl::path path = tl::path::compile(page_type(), last);
  const tl::plan plan = tl::plan::compile(page_type(), {last, swapped, "$.id"});
  const auto root = this->root();
  const auto all_fail = [&](const char* label, auto lookup) {
    SCOPED_TRACE(label);
    std::size_t number = 1;
    for (bool failed = true; failed; ++number) {
      memory::fail_at(number, memory::failing::from_there_on);
      const tl::view<TypeParam> entry = lookup();
      failed = memory::has_failed();
      memory::fail_at(0);
      ASSERT_EQ(entry.code(), failed ? tl::errc::no_memory : tl::errc::ok) << "allocation " << number;
      if (!failed) {
        EXPECT_EQ(entry.template as<std::int32_t>(), 59);
      }
    }
    EXPECT_GT(number, 3u);
  };
  all_fail("at", [&]() noexcept { return root.at(path); });
  all_fail("key", [&]() noexcept { return root["ranks"].key(path.steps().back().key); });
  for (const std::size_t slot : {0u, 1u})
    all_fail("get_many", [&]() noexcept {
      tl::view<TypeParam> values[3];
      get_many(root, plan, std::span<tl::view<TypeParam>>(values));
      EXPECT_TRUE(values[2]);
      return values[slot];
    });
}

TYPED_TEST(failing_allocator, edit_in_place) {
  tl::buffer own = this->bytes();
  const std::string expected = own.str();
  std::size_t number = 1;
  for (bool failed = true; failed; ++number) {
    const auto change = tl::edit(tl::view<TypeParam>(own, page_type()))
                            .replace("$.notes[*].number", [](const tl::view<TypeParam>& old) {
                              return old.template as<std::int32_t>() / 2 * 2;
                            });
    memory::fail_at(number);
    try {
      static_cast<void>(change.try_apply_in_place({own.data(), own.size()}));
    } catch (const std::bad_alloc&) {
      EXPECT_EQ(own.text(), expected);
    }
    failed = memory::has_failed();
    memory::fail_at(0);
  }
  EXPECT_GT(number, 4u);
}

TYPED_TEST(failing_allocator, document) {
  const auto written = [this](auto write) {
    return [this, write](tl::buffer& out) {
      tl::document doc;
      doc.load(this->root());
      doc.at("$.notes[3]").set("text", std::string(4000, 'q'));
      doc.at("$.named{\"k5\"}").set("number", 9);
      return write(doc, out).has_value();
    };
  };
  every_allocation_fails("own protocol", 5, written([](const tl::document& doc, tl::buffer& out) {
                           return doc.try_append_to(out);
                         }));
  every_allocation_fails("own protocol by name", 5, written([](const tl::document& doc, tl::buffer& out) {
                           return doc.template try_append_to<TypeParam>(out);
                         }));
  every_allocation_fails("other protocol", 6, written([](const tl::document& doc, tl::buffer& out) {
                           return doc.template try_append_to<other_than<TypeParam>>(out);
                         }));
  every_allocation_fails("node", 5, written([](const tl::document& doc, tl::buffer& out) {
                           return doc.at("$.notes").try_append_to(out);
                         }));
}

/// Operations without output: they throw, and free their memory.
TYPED_TEST(failing_allocator, readers) {
  const tl::buffer turned =
      tl::edit(this->root()).set("$.notes[3].number", 1000).erase("$.notes[7].text").apply();
  const tl::view<TypeParam> other(turned, page_type());
  const auto log = [](tl::buffer& out, const auto& result) {
    out.append(tl::byte_view(result.data(), result.size()));
    return true;
  };
  every_allocation_fails("inspect", 3, [&](tl::buffer& out) {
    return log(out, tl::inspect<TypeParam>(this->bytes(), {.of = page_type()}));
  });
  every_allocation_fails("differences", 3, [&](tl::buffer& out) {
    const auto actual = tl::try_differences(this->root(), other);
    return log(out, actual->at(0).path + std::to_string(actual->size()));
  });
  every_allocation_fails("equal", 1, [&](tl::buffer& out) {
    return log(out, std::string(*tl::try_equal(this->root(), other) ? "yes" : "no"));
  });
  every_allocation_fails("decode", 3, [&](tl::buffer& out) {
    return log(out, tl::try_decode<page, TypeParam>(this->bytes())->title);
  });
  every_allocation_fails("path", 1, [&](tl::buffer& out) {
    return log(out, this->root().at("$.named{\"k3\"}.text").template as<std::string>());
  });
  every_allocation_fails("validate", 1, [&](tl::buffer& out) {
    tl::validate_options options;
    options.keys = tl::validate_options::key_check::unique;
    return log(out, std::string(tl::try_validate(this->root(), options) ? "valid" : "invalid"));
  });
  every_allocation_fails("plan", 3, [&](tl::buffer& out) {
    const auto plan =
        tl::plan::try_compile(page_type(), {"$.id", "$.named{\"k3\"}.text", "$.notes[1].number"});
    std::vector<tl::view<TypeParam>> values(3);
    get_many(this->root(), *plan, std::span<tl::view<TypeParam>>(values));
    return log(out, values[1].template as<std::string>());
  });
  every_allocation_fails("selection", 3, [&](tl::buffer& out) {
    return log(out,
               std::string(tl::selection::try_compile(page_type(), "id notes { number }") ? "yes" : "no"));
  });
  every_allocation_fails("rules", 5, [&](tl::buffer& out) {
    tl::redact_options options;
    options.paths = {{"$.notes[*].text", "keep_last(2)"}};
    return log(out, std::string(tl::redaction::try_compile(page_type(), options) ? "yes" : "no"));
  });
  every_allocation_fails("schema", 20, [&](tl::buffer& out) {
    return log(out, std::string(tl::schema::try_parse(page_idl)->type("Page").name()));
  });
  every_allocation_fails("describe", 3, [&](tl::buffer& out) { return log(out, tl::describe(page_type())); });
}

TEST(failing_allocator_store, a_reload_keeps_the_schema) {
  tl::schema_store store{tl::schema::parse("struct Old { 1: i32 a }")};
  std::size_t number = 1;
  for (bool failed = true; failed; ++number) {
    bool threw = false;
    memory::fail_at(number);
    try {
      static_cast<void>(store.try_reload("no such file.thrift"));
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    failed = memory::has_failed();
    memory::fail_at(0);
    EXPECT_TRUE(threw || !failed);
    const tl::schema current = store.current();
    EXPECT_EQ(current.type("Old").name(), "Old");
  }
  EXPECT_GT(number, 3u);
}

}  // namespace
