// growth by thriftlens: checks that cost is linear. Each operation on 4000 to 32000 fields (ids end at
// 32767), or on 5000 to 40000 elements, entries, edits or paths. There is no other contestant: the report
// compares each size with half of it.
#include <contest.hpp>

#include <thriftlens/json.hpp>
#include <thriftlens/thriftlens.hpp>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace tl = thriftlens;
using view = tl::view<tl::binary>;

/// A struct, list or map of `count` things, and a compiled path to each.
struct sample {
  tl::schema schema;
  tl::type type;
  std::string json;
  tl::buffer bytes;
  std::vector<std::string> texts;
  std::vector<tl::path> paths;
  tl::buffer out;
  tl::document document;
  std::vector<view> values;
  std::optional<tl::plan> plan;
  std::optional<tl::selection> selection;

  sample(const std::string& idl, std::string text)
      : schema(tl::schema::parse(idl)), type(schema.type("S")), json(std::move(text)) {
    bytes = tl::from_json<tl::binary>(type, json);
  }
  void add(std::string path) {
    paths.push_back(tl::path::compile(type, path));
    texts.push_back(std::move(path));
  }
  [[nodiscard]] view seen() const { return view(bytes, type); }
};

std::unique_ptr<sample> fields(int count) {
  std::string idl = "struct S {", json;
  for (int i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    idl += number + ": optional i32 f" + number + '\n';
    json += (i == 1 ? "{\"f" : ",\"f") + number + "\":" + number;
  }
  auto result = std::make_unique<sample>(idl + "}", json + "}");
  for (int i = 1; i <= count; ++i) result->add("$.f" + std::to_string(i));
  return result;
}
std::unique_ptr<sample> elements(int count) {
  std::string json = "{\"l\":[";
  for (int i = 0; i < count; ++i)
    json +=
        (i == 0 ? "{\"a\":" : ",{\"a\":") + std::to_string(i) + ",\"b\":\"text " + std::to_string(i) + "\"}";
  auto result =
      std::make_unique<sample>("struct E {1: i32 a, 2: string b} struct S {1: list<E> l}", json + "]}");
  for (int i = 0; i < count; ++i) result->add("$.l[" + std::to_string(i) + "].a");
  return result;
}
std::unique_ptr<sample> entries(int count) {
  std::string json = "{\"m\":{";
  for (int i = 0; i < count; ++i)
    json += (i == 0 ? "\"key " : ",\"key ") + std::to_string(i * 7919 % count) + "\":" + std::to_string(i);
  auto result = std::make_unique<sample>("struct S {1: map<string, i32> m}", json + "}}");
  for (int i = 0; i < count; ++i) result->add("$.m{\"key " + std::to_string(i * 7919 % count) + "\"}");
  return result;
}

using operation = std::size_t(sample&);

std::size_t skip(sample& of) {
  tl::binary::reader reader{tl::byte_view(of.bytes)};
  return reader.skip(tl::ttype::struct_) ? of.bytes.size() - reader.remaining() : 0;
}
std::size_t get_last(sample& of) {
  return static_cast<std::size_t>(of.seen().at(of.paths.back()).as<std::int32_t>());
}
std::size_t iterate(sample& of) {
  std::size_t sum = 0;
  for (const auto& field : of.seen().fields()) {
    ++sum;
    if (field.value.wire() == tl::ttype::list)
      for (const auto& element : field.value.elements())
        sum += static_cast<std::size_t>(element["a"].as<std::int32_t>());
    if (field.value.wire() == tl::ttype::map)
      for (const auto& entry : field.value.entries())
        sum += static_cast<std::size_t>(entry.value.template as<std::int32_t>());
  }
  return sum;
}
std::size_t get_many(sample& of) {
  if (!of.plan)
    of.plan = tl::plan::compile(of.type, std::vector<std::string_view>(of.texts.begin(), of.texts.end()));
  of.values.resize(of.paths.size());
  return tl::get_many(of.seen(), *of.plan, std::span(of.values));
}
std::size_t compile_plan(sample& of) {
  return tl::plan::try_compile(of.type, std::vector<std::string_view>(of.texts.begin(), of.texts.end()))
      .has_value();
}
std::size_t set_all(sample& of) {
  of.out.clear();
  const view from = of.seen();
  tl::edit edit(from);
  for (const tl::path& path : of.paths) edit.set(path, 7);
  return edit.try_append_to(of.out) ? of.out.size() : 0;
}
std::size_t erase_all(sample& of) {
  of.out.clear();
  const view from = of.seen();
  tl::edit edit(from);
  for (const tl::path& path : of.paths) edit.erase(path);
  return edit.try_append_to(of.out) ? of.out.size() : 0;
}
std::size_t trim_one(sample& of) {
  of.out.clear();
  if (!of.selection)
    of.selection = tl::selection::compile(
        of.type, "{ " + std::string(of.type.fields()[of.type.fields().size() - 1].name()) + " }");
  return tl::try_append_trimmed(of.seen(), *of.selection, of.out) ? of.out.size() : 0;
}
std::size_t load_and_write(sample& of) {
  of.out.clear();
  if (!of.document.try_load_all<tl::binary>(of.bytes, of.type)) return 0;
  of.document.root().at(of.paths.back()).set(7);
  of.document.append_to(of.out);
  return of.out.size();
}
std::size_t to_json(sample& of) {
  of.out.clear();
  return tl::try_append_json<tl::binary>(of.type, of.bytes, of.out) ? of.out.size() : 0;
}
std::size_t from_json(sample& of) {
  of.out.clear();
  return tl::try_append_from_json<tl::binary>(of.type, of.json, of.out) ? of.out.size() : 0;
}
std::size_t validate(sample& of) {
  return tl::validator::compile(of.type).valid<tl::binary>(of.bytes) ? 1 : 0;
}
std::size_t compare(sample& of) { return tl::equal(of.seen(), of.seen()) ? 1 : 0; }

void enter(const std::string& things, std::unique_ptr<sample> (*make)(int), std::vector<int> counts,
           const std::string& name, operation* run) {
  for (const int count : counts) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "%05d", count);
    bench::contestant({.task = "growth",
                       .payload = things + "_" + name + "_" + digits,
                       .name = "thriftlens",
                       .answer =
                           [=] {
                             const std::unique_ptr<sample> of = make(count);
                             return run(*of) == 0 ? "nothing was done" : std::to_string(count);
                           },
                       .run =
                           [=](benchmark::State& state) {
                             const std::unique_ptr<sample> of = make(count);
                             benchmark::DoNotOptimize(run(*of));  // compiles once outside the loop
                             for (auto _ : state) benchmark::DoNotOptimize(run(*of));
                           }});
  }
}

const bool entered = [] {
  const std::vector<std::pair<std::string, operation*>> operations{{"skip", skip},
                                                                   {"get_last", get_last},
                                                                   {"iterate", iterate},
                                                                   {"get_many", get_many},
                                                                   {"compile_plan", compile_plan},
                                                                   {"set", set_all},
                                                                   {"erase", erase_all},
                                                                   {"trim", trim_one},
                                                                   {"load_write", load_and_write},
                                                                   {"to_json", to_json},
                                                                   {"from_json", from_json},
                                                                   {"validate", validate},
                                                                   {"compare", compare}};
  for (const auto& [name, run] : operations) {
    enter("fields", fields, {4000, 8000, 16000, 32000}, name, run);
    enter("elements", elements, {5000, 10000, 20000, 40000}, name, run);
    enter("entries", entries, {5000, 10000, 20000, 40000}, name, run);
  }
  return true;
}();

}  // namespace
