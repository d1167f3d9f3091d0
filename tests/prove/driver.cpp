// Runs generated cases through the C++ API: reads requests from standard input and writes answers, until the
// input ends (proving/driver.py). A message is a number of parts and the parts, each a size and its bytes;
// numbers are 32 bits, little endian. A request: operation, protocol, IDL, type, data, arguments. An answer:
// "ok" and results, or an error code. Alternative routes to one result are compared here ("differs"). An
// operation with the prefix "failing " is also run with allocations that fail; "measured " answers its cost.
#include <thriftlens/compare/compare.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/compare/inspect.hpp>
#include <thriftlens/dom/document.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/stream_trim.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/json/from_json.hpp>
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/policy/redact.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/protocol/convert.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/plan.hpp>

#include "memory/allocator.hpp"
#include "simd/guarded.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tl = thriftlens;
namespace memory = thriftlens_test::memory;

#if defined(THRIFTLENS_PROVE_STEPS)
namespace thriftlens_test {
std::uint64_t steps_so_far() noexcept;  // support/step_count.cpp
}
#endif

namespace {

using parts = std::vector<std::string>;

/// Two ways to one result that gave different ones.
struct differs : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool condition, const std::string& what) {
  if (!condition) throw differs(what);
}

[[nodiscard]] bool read_number(std::uint32_t& number) {
  unsigned char bytes[4];
  if (!std::cin.read(reinterpret_cast<char*>(bytes), 4)) return false;
  number = 0;
  for (int i = 3; i >= 0; --i) number = number << 8 | bytes[i];
  return true;
}
[[nodiscard]] bool read_parts(parts& request) {
  std::uint32_t count = 0, size = 0;
  if (!read_number(count)) return false;
  request.resize(count);
  for (std::string& part : request) {
    if (!read_number(size)) return false;
    part.resize(size);
    if (!std::cin.read(part.data(), static_cast<std::streamsize>(size))) return false;
  }
  return true;
}
void write_number(std::size_t number) {
  for (int i = 0; i < 4; ++i) std::cout.put(static_cast<char>(number >> 8 * i & 255));
}
void write_parts(const parts& answer) {
  write_number(answer.size());
  for (const std::string& part : answer) {
    write_number(part.size());
    std::cout << part;
  }
  std::cout.flush();
}

/// Bytes that end before an unreadable page: reads after them end the process.
class exact_bytes {
 public:
  explicit exact_bytes(std::string_view bytes)
      : memory_(bytes.size()), begin_(memory_.hold(bytes)), size_(bytes.size()) {}
  [[nodiscard]] std::string_view view() const noexcept {
    return {reinterpret_cast<const char*>(begin_), size_};
  }

 private:
  thriftlens_test::guarded memory_;
  const std::uint8_t* begin_;
  std::size_t size_;
};

struct request {
  tl::type type;
  std::string_view data;
  std::span<const std::string> arguments;
};

using operation = std::function<parts(const request&)>;
using operation_table = std::map<std::string, operation>;

parts error_of(const tl::error& error) { return {std::string(to_string(error.code()))}; }
template <class Result>
parts answer(const Result& result) {
  if (!result) return error_of(result.error());
  return {"ok", std::string(std::string_view(*result))};
}
std::vector<std::string_view> texts(std::span<const std::string> of) { return {of.begin(), of.end()}; }

template <class P>
struct operations {
  using view = tl::view<P>;
  using other = std::conditional_t<std::is_same_v<P, tl::binary>, tl::compact, tl::binary>;

  static parts convert(const request& in) {
    const auto converted = tl::try_convert<P, other>(in.data);
    if (converted) {
      tl::document document;
      document.load_all<P>(in.data, in.type);
      tl::buffer same;
      document.append_to(same);
      require(same.text() == in.data, "an unchanged document has the same bytes");
      require(tl::equal(view(in.data, in.type), tl::view<other>(converted->text(), in.type)),
              "converted: equal");
    }
    return answer(converted);
  }

  static parts to_json(const request& in) {
    const auto json = tl::try_to_json<P>(in.type, in.data);
    tl::buffer out;
    out.append(tl::byte_view(std::string_view("before")));
    const auto appended = tl::try_append_json(view(in.data, in.type), out);
    require(appended.has_value() == json.has_value(), "append_json");
    require(out.text() == "before" + (json ? json->str() : std::string()), "append_json leaves the buffer");
    return answer(json);
  }
  static parts from_json(const request& in) { return answer(tl::try_from_json<P>(in.type, in.data)); }

  static std::string json_or_code(const view& of) {
    const auto json = tl::try_to_json(of);
    return json ? json->str() : std::string(to_string(json.error().code()));
  }
  /// JSON of the values at the paths, or codes.
  static parts get(const request& in) { return get_of(in, true); }
  /// `sound`: the bytes are a value; for others, get_many and at may report different errors.
  static parts get_of(const request& in, bool sound) {
    const view root(in.data, in.type);
    std::vector<view> values(in.arguments.size());
    const auto compiled = tl::plan::try_compile(in.type, texts(in.arguments));
    if (!compiled) return error_of(compiled.error());
    get_many(root, *compiled, std::span<view>(values));
    parts results{"ok"};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const view direct = root.at(in.arguments[i]);
      require(!sound || direct.code() == values[i].code(), "get_many and at: " + in.arguments[i]);
      results.push_back(json_or_code(values[i]));
      require(!sound || json_or_code(direct) == results.back(), "values of " + in.arguments[i]);
    }
    return results;
  }

  template <class Edit>
  static void add(Edit& edit, std::span<const std::string> change) {
    const tl::wire_bytes value{change[2]};
    if (change[0] == "erase")
      edit.erase(change[1]);
    else if (change[0] == "set")
      edit.set(change[1], value);
    else if (change[0] == "create")
      edit.create(change[1], value);
    else if (change[0] == "insert")
      edit.insert(change[1], value);
    else if (change[0] == "append")
      edit.append(change[1], value);
    else
      edit.replace(change[1], [value](const view&) { return value; });
  }
  /// Arguments: verb, path and wire bytes of every change.
  static parts edit(const request& in) {
    const view root(in.data, in.type);
    tl::edit<P> edit(root);
    tl::rewrite<P> rewrite(root);
    for (std::size_t i = 0; i + 2 < in.arguments.size(); i += 3) {
      add(edit, in.arguments.subspan(i, 3));
      add(rewrite, in.arguments.subspan(i, 3));
    }
    const auto changed = edit.try_apply();
    const auto rewritten = rewrite.try_apply();
    const auto pieces = edit.try_apply_gather(1);
    require(changed.has_value() == rewritten.has_value() && changed.has_value() == pieces.has_value(),
            "edit and rewrite");
    if (changed) {
      require(changed->text() == rewritten->text(), "edit and rewrite");
      require(changed->str() == pieces->join().str(), "apply and apply_gather");
    } else {
      require(changed.error().code() == rewritten.error().code(), "codes of edit and rewrite");
      require(changed.error().code() == pieces.error().code(), "codes of apply and apply_gather");
    }
    return answer(changed);
  }

  /// Arguments: the selection, the size of the pieces of the streaming trim, and "write" for defaults.
  static parts trim(const request& in) {
    const auto selected = tl::selection::try_compile(in.type, in.arguments[0]);
    if (!selected) return error_of(selected.error());
    const view root(in.data, in.type);
    const bool omits = in.arguments[2] != "write";
    const tl::trim_options options{.defaults = omits ? tl::on_absent::omit : tl::on_absent::write};
    const auto trimmed = tl::try_trim(root, *selected, options);
    tl::stream_trimmer<P> stream(*selected, options);
    tl::buffer out;
    const std::size_t step = std::stoul(in.arguments[1]);
    tl::result<tl::trim_report> ended = tl::trim_report();
    for (std::size_t at = 0; ended && at < in.data.size(); at += step) {
      const exact_bytes piece(in.data.substr(at, step));
      if (const auto fed = stream.try_feed(piece.view(), out); !fed) ended = fed.error();
    }
    if (ended) ended = stream.try_finish();
    require(ended.has_value() == trimmed.has_value(), "trim and stream_trimmer");
    if (trimmed) require(out.text() == trimmed->text(), "trim and stream_trimmer");
    if (!omits) return answer(trimmed);
    const auto rewritten = tl::rewrite(root).trim(*selected).try_apply();
    require(rewritten.has_value() == trimmed.has_value(), "trim and rewrite");
    if (trimmed) require(rewritten->text() == trimmed->text(), "trim and rewrite");
    return answer(trimmed);
  }

  /// Arguments: path and action.
  static parts redact(const request& in) {
    tl::redact_options options;
    options.paths = {{in.arguments[0], in.arguments[1]}};
    options.unmatched = tl::redact_options::unmatched_rules::ignore;
    const auto rules = tl::redaction::try_compile(in.type, options);
    if (!rules) return error_of(rules.error());
    const view root(in.data, in.type);
    const auto redacted = tl::try_redact(root, *rules);
    const auto rewritten = tl::rewrite(root).redact(*rules).try_apply();
    require(rewritten.has_value() == redacted.has_value(), "redact and rewrite");
    if (redacted) require(rewritten->text() == redacted->text(), "redact and rewrite");
    return answer(redacted);
  }

  static parts validate(const request& in) {
    tl::validate_options options;
    options.keys = tl::validate_options::key_check::unique;
    options.enum_numbers = tl::validate_options::enum_check::any;
    const auto valid = tl::try_validate(view(in.data, in.type), options);
    return valid ? parts{"ok"} : error_of(valid.error());
  }

  /// Argument: other data. Whether they are equal, and the number of differences.
  static parts compare(const request& in) {
    const exact_bytes data(in.arguments[0]);
    const view left(in.data, in.type), right(data.view(), in.type);
    const auto equal = tl::try_equal(left, right);
    const auto differences = tl::try_differences(left, right);
    if (!equal || !differences) return error_of(equal ? differences.error() : equal.error());
    require(*equal == differences->empty(), "equal and differences");
    return {"ok", *equal ? "equal" : "different"};
  }

  /// All operations on every prefix of the data, or on the data with one changed byte: none may crash. The
  /// number of prefixes that some operation accepts.
  static parts broken(const request& in) {
    std::size_t accepted = 0;
    const std::size_t step = 1 + in.data.size() / 64;
    for (std::size_t size = 0; size < in.data.size(); size += step) {
      const exact_bytes prefix(in.data.substr(0, size));
      accepted += survive({in.type, prefix.view(), in.arguments});
      std::string changed(in.data);
      changed[size] = static_cast<char>(changed[size] ^ (1 << size % 8));
      const exact_bytes other_data(changed);
      survive({in.type, other_data.view(), in.arguments});
    }
    return {"ok", std::to_string(accepted)};
  }
  /// Argument: paths. Whether the bytes are accepted.
  static bool survive(const request& in) {
    const view root(in.data, in.type);
    const bool accepted = tl::try_to_json<P>(in.type, in.data).has_value();
    static_cast<void>(tl::try_convert<P, other>(in.data));
    static_cast<void>(validate(in));
    static_cast<void>(get_of(in, false));
    tl::document document;
    static_cast<void>(document.try_load_all<P>(in.data, in.type));
    tl::edit<P> edit(root);
    for (const std::string& path : in.arguments) edit.erase(path);
    static_cast<void>(edit.try_apply());
    return accepted;
  }

  // ---- operations that are only measured

  /// Arguments: paths.
  static parts lookups(const request& in) {
    const tl::plan paths = tl::plan::compile(in.type, texts(in.arguments));
    std::vector<view> values(in.arguments.size());
    return {"ok", std::to_string(tl::get_many(view(in.data, in.type), paths, std::span<view>(values)))};
  }
  /// Argument: a path of several values.
  static parts for_each(const request& in) {
    const auto count = view(in.data, in.type).try_for_each(in.arguments[0], [](const view&) {});
    return count ? parts{"ok", std::to_string(*count)} : error_of(count.error());
  }
  static parts document(const request& in) {
    tl::document document;
    if (const auto loaded = document.try_load_all<P>(in.data, in.type); !loaded)
      return error_of(loaded.error());
    tl::buffer out;
    document.append_to(out);
    return {"ok", out.str()};
  }
  static parts inspect(const request& in) { return {"ok", tl::inspect<P>(in.data, {.of = in.type})}; }
  static parts infer(const request& in) {
    tl::inference of;
    const auto added = of.template try_add<P>(in.data);
    return added ? parts{"ok", of.idl()} : error_of(added.error());
  }
  static parts write_tjson(const request& in) {
    return answer(tl::try_convert<P, tl::tjson>(in.data, {.of = in.type}));
  }
  /// Data: IDL.
  static parts parse(const request& in) {
    const auto schema = tl::schema::try_parse(in.data);
    return schema ? parts{"ok"} : error_of(schema.error());
  }

  static const operation_table& table() {
    static const operation_table all{
        {"convert", convert},   {"to_json", to_json}, {"from_json", from_json}, {"get", get},
        {"edit", edit},         {"trim", trim},       {"redact", redact},       {"validate", validate},
        {"compare", compare},   {"broken", broken},   {"get_many", lookups},    {"for_each", for_each},
        {"document", document}, {"inspect", inspect}, {"infer", infer},         {"write_tjson", write_tjson},
        {"parse", parse}};
    return all;
  }
};

#if defined(THRIFTLENS_PROVE_ALLOCATOR)
/// The answer, after runs in which one allocation failed, or all from it on. These throw std::bad_alloc,
/// report no_memory or give the same answer.
parts run_failing(const operation& run, const request& input) {
  const parts expected = run(input);
  memory::reset_peak();
  require(run(input) == expected, "a second run");
  const std::size_t count = memory::allocations();
  for (const memory::failing mode : {memory::failing::once, memory::failing::from_there_on}) {
    for (std::size_t number = 1; number <= count; number += 1 + count / 40) {
      parts result;
      memory::fail_at(number, mode);
      try {
        result = run(input);
      } catch (const std::bad_alloc&) {
      } catch (const differs&) {  // one of the routes had no memory
      }
      memory::fail_at(0);
      const bool is_told = std::find(result.begin(), result.end(), "no_memory") != result.end();
      require(result.empty() || result == expected || is_told, "with a failing allocation");
    }
  }
  return expected;
}
/// Code of the result, steps, allocations, largest number of bytes held and size of the result.
parts run_measured(const operation& run, const request& input) {
  const std::size_t held = memory::held();
  memory::reset_peak();
  std::uint64_t steps = 0;
#if defined(THRIFTLENS_PROVE_STEPS)
  steps = thriftlens_test::steps_so_far();
#endif
  const parts result = run(input);
#if defined(THRIFTLENS_PROVE_STEPS)
  steps = thriftlens_test::steps_so_far() - steps;
#endif
  const std::size_t allocations = memory::allocations(), peak = memory::peak() - held;
  return {result[0], std::to_string(steps), std::to_string(allocations), std::to_string(peak),
          std::to_string(result.size() > 1 ? result[1].size() : 0)};
}
#endif

parts run_as(std::string_view name, const operation_table& table, const request& input) {
  const auto starts = [&](std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
  };
  const bool failing = starts("failing "), measured = starts("measured ");
  const operation& run = table.at(std::string(name));
#if defined(THRIFTLENS_PROVE_ALLOCATOR)
  if (failing) return run_failing(run, input);
  if (measured) return run_measured(run, input);
#else
  static_cast<void>(failing);
  if (measured) return {"unsupported"};
#endif
  return run(input);
}

parts run(const parts& message) {
  const auto schema = tl::schema::try_parse(message[2]);
  if (!schema) return error_of(schema.error());
  const exact_bytes data(message[4]);
  const request input{schema->type(message[3]), data.view(), std::span(message).subspan(5)};
  const auto& table =
      message[1] == "binary" ? operations<tl::binary>::table() : operations<tl::compact>::table();
  try {
    return run_as(message[0], table, input);
  } catch (const differs& difference) {
    return {"differs", difference.what()};
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (parts message; read_parts(message);) write_parts(run(message));
}
