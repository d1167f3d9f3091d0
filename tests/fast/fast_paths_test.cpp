// Every fast path and its reference implementation on the same inputs (docs/fast-paths.md).
#include "fast/inputs.hpp"
#include "support/test.hpp"

#include <thriftlens/codec/decode.hpp>
#include <thriftlens/codec/encode.hpp>
#include <thriftlens/columns/column_writer.hpp>
#include <thriftlens/dom/fast/fast_fields.hpp>
#include <thriftlens/edit/edit.hpp>
#include <thriftlens/edit/trim.hpp>
#include <thriftlens/json/fast/fast_write.hpp>
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/policy/rewrite.hpp>
#include <thriftlens/rewrite/fast/fast_edit.hpp>
#include <thriftlens/rewrite/fast/fast_rewrite.hpp>
#include <thriftlens/rewrite/fast/fast_trim.hpp>
#include <thriftlens/view/fast/fast_plan.hpp>
#include <thriftlens/view/plan.hpp>

using namespace thriftlens_test;

struct flat_order {
  std::int64_t id = 0;
  std::string name;
  double price = 0;
  std::string note;
  bool operator==(const flat_order&) const = default;
};
template <>
struct tl::binding<flat_order> : tl::numbered {};

namespace {

constexpr std::string_view front = "front";  // existing contents of the output

void append(tl::buffer& out, const std::string& text) { out.append({text.data(), text.size()}); }

// ---- fast paths and reference implementations; false: the input is declined or rejected

/// Several paths in one pass: view/fast/fast_plan.hpp against view/plan.hpp.
template <class P>
struct plan_pair {
  using protocol = P;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const tl::plan plan = plan_of(in.type);
    std::vector<tl::view<P>> actual(plan.size());
    const tl::view<P> value(in.bytes, in.type);
    tl::detail::fast_plan<P, tl::plan> run(plan, value, actual);
    return run.run() && describe(actual, out);
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    const tl::plan plan = plan_of(in.type);
    std::vector<tl::view<P>> actual(plan.size());
    static_cast<void>(tl::detail::generic_get_many<P>(tl::view<P>(in.bytes, in.type), plan, actual));
    return describe(actual, out);
  }

 private:
  static tl::plan plan_of(const tl::type& type) {
    std::vector<std::string> texts;
    for (const tl::field_info field : type.fields()) texts.push_back("$." + std::string(field.name()));
    return tl::plan::compile(type, std::vector<std::string_view>(texts.begin(), texts.end()));
  }
  static bool describe(const std::vector<tl::view<P>>& actual, tl::buffer& out) {
    for (const tl::view<P>& item : actual) {
      const tl::result<tl::byte_view> bytes = item.try_bytes();
      append(out, std::to_string(static_cast<int>(item.code())) + (bytes ? "=" : "!"));
      if (bytes) out.append(*bytes);
    }
    return true;
  }
};

/// One path: view/fast/fast_locate.hpp against generic_locate.
template <class P>
struct locate_pair {
  using protocol = P;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const tl::view<P> value(in.bytes, in.type);
    const tl::path path = path_of(in.type);
    tl::detail::located actual;
    tl::detail::fast_locator<P> run(value.whole(), in.type.image());
    return run.run(value.location(), path.steps(), actual) && describe(actual, value, out);
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    const tl::view<P> value(in.bytes, in.type);
    const tl::path path = path_of(in.type);
    tl::detail::located actual;
    tl::detail::generic_locate<P>(value.whole(), in.type.image(), value.location(), path.steps(), actual);
    return describe(actual, value, out);
  }

 private:
  static tl::path path_of(const tl::type& type) {
    const auto fields = type.fields();
    return tl::path::compile(type, "$." + std::string(fields[fields.size() - 1].name()));
  }
  static bool describe(const tl::detail::located& actual, const tl::view<P>& value, tl::buffer& out) {
    append(out, std::to_string(static_cast<int>(actual.code)));
    if (actual.code != tl::errc::ok) return true;
    append(out, "=" + std::to_string(actual.location.at.at - value.whole().begin()) + " " +
                    std::to_string(actual.location.type) + " " +
                    std::to_string(actual.location.at.depth_left) + " " +
                    std::to_string(actual.location.at.inline_bool));
    return true;
  }
};

/// Selections, edits and rules of a type that use every second field.
struct requests {
  explicit requests(const tl::type& type) {
    bool takes = true;
    for (const tl::field_info field : type.fields()) {
      const std::string path = "$." + std::string(field.name());
      if (takes) kept.push_back(tl::path::compile(type, path));
      takes = !takes;
      if (field.type().kind() != tl::type_kind::string) continue;
      (text.empty() ? text : hidden) = path;
    }
  }
  /// Rules for `hidden`.
  [[nodiscard]] tl::redaction rules(const tl::type& type) const {
    return tl::redaction::compile(type, {.paths = {{hidden, "blank"}}});
  }
  std::vector<tl::path> kept;
  std::string text, hidden;  // paths of two strings; empty if the type has none
};

/// Edits, fused passes and redactions fall back themselves; in pieces they use only the general pass.
template <class P, class Task>
bool gather(const Task& task, tl::buffer& out) {
  const tl::result<tl::gathered> outcome = task.try_apply_gather();
  if (!outcome) return false;
  for (const tl::byte_view piece : outcome->pieces()) out.append(piece);
  return true;
}

/// One text set.
template <class P>
struct edit_pair {
  using protocol = P;
  static constexpr bool falls_back = true;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    return task(in).try_append_to(out).has_value();
  }
  static bool reference(const damaged_input& in, tl::buffer& out) { return gather<P>(task(in), out); }

 private:
  static tl::edit<P> task(const damaged_input& in) {
    tl::edit<P> result(tl::view<P>(in.bytes, in.type));
    const requests request(in.type);
    if (!request.text.empty()) result.set(request.text, "new");
    return result;
  }
};

/// A selection, a redaction and an edit in one pass.
template <class P>
struct rewrite_pair {
  using protocol = P;
  static constexpr bool falls_back = true;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    return task(in).try_append_to(out).has_value();
  }
  static bool reference(const damaged_input& in, tl::buffer& out) { return gather<P>(task(in), out); }

 private:
  static tl::rewrite<P> task(const damaged_input& in) {
    const requests request(in.type);
    tl::rewrite<P> result(tl::view<P>(in.bytes, in.type));
    result.trim(tl::selection::compile(in.type, request.kept));
    if (!request.hidden.empty()) result.redact(request.rules(in.type));
    if (!request.text.empty()) result.set(request.text, "new");
    return result;
  }
};

/// One text hidden.
template <class P>
struct redact_pair {
  using protocol = P;
  static constexpr bool falls_back = true;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const requests request(in.type);
    const tl::view<P> value(in.bytes, in.type);
    return !request.hidden.empty() && tl::try_append_redacted(value, request.rules(in.type), out).has_value();
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    const requests request(in.type);
    if (request.hidden.empty()) return false;
    tl::rewrite<P> result(tl::view<P>(in.bytes, in.type));
    result.redact(request.rules(in.type));
    return gather<P>(result, out);
  }
};

/// Keeps every second field. The fast path does not support a limit of the output, even if it is not reached.
template <class P>
struct trim_pair {
  using protocol = P;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const tl::selection selected = tl::selection::compile(in.type, requests(in.type).kept);
    EXPECT_TRUE(tl::detail::fast_trim<P>::serves(selected, {}));
    return tl::detail::fast_trim<P>::run(tl::view<P>(in.bytes, in.type), selected, out).has_value();
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    const tl::selection selected = tl::selection::compile(in.type, requests(in.type).kept);
    tl::trim_options options;
    options.limits.output_size = std::numeric_limits<std::size_t>::max() / 2;
    EXPECT_FALSE(tl::detail::fast_trim<P>::serves(selected, options));
    return tl::try_append_trimmed(tl::view<P>(in.bytes, in.type), selected, out, options).has_value();
  }
};

/// Binary to JSON: json/fast/fast_write.hpp against json/write/write.hpp.
struct json_pair {
  using protocol = tl::binary;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    return tl::detail::fast_json_writer(in.bytes, *in.type.image(), out, options(), {}).run(in.type);
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    return tl::detail::json_writer<tl::binary>(in.bytes, *in.type.image(), out, options(), {})
        .run(in.type)
        .has_value();
  }

 private:
  static const tl::to_json_options& options() {
    static const tl::to_json_options usual = {.leniency = {.nonfinite = tl::json_nonfinite::string}};
    return usual;
  }
};

/// A struct with all fields, into an object: codec/fast/fast_decode.hpp against codec/decode.hpp.
struct decode_pair {
  using protocol = tl::binary;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    flat_order object;
    return tl::detail::codec::fast_decode<tl::binary, false>(in.bytes, object, {}) && describe(object, out);
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    tl::result<flat_order> object(std::in_place);
    tl::detail::codec::decode_any<flat_order, tl::binary>(in.bytes, {}, object);
    return object && describe(*object, out);
  }

 private:
  static bool describe(const flat_order& object, tl::buffer& out) {
    append(out, std::to_string(object.id) + object.name + std::to_string(object.price) + object.note);
    return true;
  }
};

/// A flat object into bytes: codec/fast/fast_encode.hpp against codec/encode.hpp.
template <class P>
struct encode_pair {
  using protocol = P;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const tl::result<flat_order> object = tl::try_decode<flat_order, P>(in.bytes);
    return object && tl::detail::codec::fast_encode<P>(*object, out, {});
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    const tl::result<flat_order> object = tl::try_decode<flat_order, P>(in.bytes);
    return object && tl::detail::codec::encode_any<P>(*object, out, {}).has_value();
  }
};

/// The end of a struct with a prefix template: schema/prefix_template.hpp compared with a reader's skip.
template <class P>
struct skip_pair {
  using protocol = P;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const tl::byte_view bytes(in.bytes);
    const std::uint8_t* at = bytes.begin();
    tl::detail::scanner<P> scan(bytes.end());
    if (!scan.skip_known(at, tl::ttype::struct_, in.type.index(), *in.type.image(), 64)) return false;
    append(out, std::to_string(at - bytes.begin()));
    return true;
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    typename P::reader reader(tl::byte_view(in.bytes), tl::limits{.depth = 64});
    if (!reader.skip(tl::ttype::struct_)) return false;
    append(out, std::to_string(reader.offset()));
    return true;
  }
};

/// The leading fields of a struct as slots: dom/fast/fast_fields.hpp against a reader.
struct slot_pair {
  using protocol = tl::binary;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    const std::vector<tl::detail::dom::slot> actual = slots(in);
    for (const tl::detail::dom::slot& item : actual)
      describe({item.wire, item.id}, item.bytes, item.size, in, out);
    return !actual.empty();
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    tl::binary::reader reader{tl::byte_view(in.bytes)};
    for (std::size_t remaining = slots(in).size(); remaining != 0; --remaining) {
      tl::field_header field;
      if (!reader.read_field(field)) return false;
      const std::uint8_t* const value = reader.at();
      if (!reader.skip(field.type)) return false;
      describe(field, value, static_cast<std::size_t>(reader.at() - value), in, out);
    }
    return true;
  }

 private:
  static std::vector<tl::detail::dom::slot> slots(const damaged_input& in) {
    tl::detail::dom::tree of;
    of.image = in.type.image();
    const std::span<const tl::detail::image::field_node> fields = of.fields(*of.structure(in.type.index()));
    std::vector<tl::detail::dom::slot> actual;
    const std::uint8_t* const end =
        tl::detail::dom::fast_fields(tl::byte_view(in.bytes), fields, 0x7fffffff, actual);
    EXPECT_EQ(end,
              actual.empty() ? tl::byte_view(in.bytes).begin() : actual.back().bytes + actual.back().size);
    return actual;
  }
  static void describe(tl::field_header field, const std::uint8_t* value, std::size_t size,
                       const damaged_input& in, tl::buffer& out) {
    append(out, std::to_string(field.id) + " " + std::string(tl::to_string(field.type)) + " " +
                    std::to_string(value - tl::byte_view(in.bytes).begin()) + " " + std::to_string(size) +
                    "\n");
  }
};

/// The non-recursive fields of a type, as columns.
tl::selection column_fields(const tl::type& type) {
  std::string names;
  for (const tl::field_info field : type.fields()) {
    const std::string name(field.name());
    const tl::selection selected = tl::selection::compile(type, "{ " + name + " }");
    if (tl::detail::column_plan::try_compile(selected, {})) names += name + ' ';
  }
  if (names.empty()) names = std::string(type.fields()[0].name()) + " { }";
  return tl::selection::compile(type, "{ " + names + "}");
}

/// Compares columns/fast/fast_columns.hpp with columns/column_writer.hpp alone. Repeats every record.
template <class P>
struct column_pair {
  using protocol = P;
  static constexpr bool falls_back = true;
  static bool fast(const damaged_input& in, tl::buffer& out) {
    return write(in, tl::detail::column_speculation::on, out);
  }
  static bool reference(const damaged_input& in, tl::buffer& out) {
    return write(in, tl::detail::column_speculation::off, out);
  }

 private:
  static bool write(const damaged_input& in, tl::detail::column_speculation mode, tl::buffer& out) {
    const tl::columns_options options;
    const tl::result<tl::detail::column_plan> plan =
        tl::detail::column_plan::try_compile(column_fields(in.type), options);
    tl::detail::column_set columns(*plan);
    tl::detail::column_scratch scratch(*plan, mode);
    for (int i = 0; i < 2; ++i) {
      tl::detail::column_writer<P> writer(*plan, columns, scratch, in.bytes, options);
      if (!writer.row(nullptr, [] {})) return false;
    }
    for (std::uint32_t node = 0; node < plan->nodes.size(); ++node) describe(columns[node], out);
    return true;
  }
  static void describe(const tl::detail::column_data& data, tl::buffer& out) {
    append(out, std::to_string(data.length) + " " + std::to_string(data.nulls) + "\n");
    for (const tl::detail::column_buffer* item : {&data.validity, &data.offsets, &data.values})
      if (!item->empty()) out.append(tl::byte_view(item->data(), item->size()));
  }
};

template <class Pair>
class fast_path : public testing::Test {
 protected:
  int served_valid = 0, declined = 0;

  void compare(const damaged_input& in) {
    tl::buffer fast(tl::byte_view(front.data(), front.size())), reference(fast.text());
    const bool served = Pair::fast(in, fast);
    if (!served) {
      ++declined;
      ASSERT_EQ(fast.text(), front) << "the output changed";
      if constexpr (requires { Pair::falls_back; }) {
        ASSERT_FALSE(Pair::reference(in, reference)) << "the fast path declines what the reference accepts";
      }
      return;
    }
    served_valid += in.kind == input_kind::valid ? 1 : 0;
    ASSERT_TRUE(Pair::reference(in, reference)) << "the reference rejects what the fast path accepts";
    ASSERT_EQ(fast.text(), reference.text());
  }
};
using all_pairs =
    testing::Types<locate_pair<tl::binary>, locate_pair<tl::compact>, plan_pair<tl::binary>,
                   plan_pair<tl::compact>, edit_pair<tl::binary>, edit_pair<tl::compact>,
                   rewrite_pair<tl::binary>, rewrite_pair<tl::compact>, redact_pair<tl::binary>,
                   redact_pair<tl::compact>, trim_pair<tl::binary>, trim_pair<tl::compact>, json_pair,
                   decode_pair, encode_pair<tl::binary>, encode_pair<tl::compact>, skip_pair<tl::binary>,
                   skip_pair<tl::compact>, slot_pair, column_pair<tl::binary>, column_pair<tl::compact>>;
TYPED_TEST_SUITE(fast_path, all_pairs);

TYPED_TEST(fast_path, equals_its_reference_or_declines) {
  const auto compare = [this](const damaged_input& in) { this->compare(in); };
  each_input<typename TypeParam::protocol>([&](const damaged_input& in) {
    if (this->HasFatalFailure()) return;
    compare(in);
  });
  EXPECT_GT(this->declined, 0) << "no input was declined";
}

// No fast path may decline messages of the expected form.
TYPED_TEST(fast_path, handles_plain_messages) {
  using P = typename TypeParam::protocol;
  static const tl::schema schema =
      tl::schema::parse("struct Plain { 1: i64 id, 2: string name, 3: double price, 4: string note }");
  const tl::type type = schema.type("Plain");
  each_damage(type,
              encode<P>(structure({{1, i64(7)}, {2, text("seven")}, {3, real(0.5)}, {4, text("note")}})), 1,
              [&](const damaged_input& in) { this->compare(in); });
  EXPECT_EQ(this->served_valid, 1);
}

/// The output of writers for a record, twice, so that learned layouts are used.
template <class P>
std::string column_faults(const damaged_input& in, tl::detail::column_speculation mode) {
  const tl::columns_options options;
  const auto plan = *tl::detail::column_plan::try_compile(column_fields(in.type), options);
  tl::detail::column_set columns(plan);
  tl::detail::column_scratch scratch(plan, mode);
  std::string text;
  for (int i = 0; i < 2; ++i) {
    tl::detail::column_writer<P> writer(plan, columns, scratch, in.bytes, options);
    text += writer.row(nullptr, [] {}) ? std::string("ok") : std::string(writer.failure().what());
  }
  return text;
}
template <class P>
void expect_same_column_faults() {
  each_damage(order_type(), order_bytes<P>(), 5, [](const damaged_input& in) {
    ASSERT_EQ(column_faults<P>(in, tl::detail::column_speculation::on),
              column_faults<P>(in, tl::detail::column_speculation::off));
  });
}
TEST(column_pair, errors_equal_those_of_the_reference) {
  expect_same_column_faults<tl::binary>();
  expect_same_column_faults<tl::compact>();
}

}  // namespace
