// places: wire bytes with a single error, and the path and offset that every reader must report.
#pragma once

#include <thriftlens/core/limits.hpp>
#include <thriftlens/core/path_builder.hpp>
#include <thriftlens/protocol/key_step.hpp>
#include <thriftlens/schema/schema.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test::places {

namespace tl = thriftlens;
using tl::errc, tl::ttype;

inline const tl::schema& idl() {
  static const tl::schema full = tl::schema::parse(R"(
    enum E { ONE = 1, TWO = 2 }
    struct Leaf { 1: i32 n }
    struct Need { 1: required i32 r }
    struct Box {
      1: optional Box next
      2: list<Box> items
      3: set<Box> some
      4: map<bool, Box> by_bool
      5: map<i8, Box> by_i8
      6: map<i16, Box> by_i16
      7: map<i32, Box> by_i32
      8: map<i64, Box> by_i64
      9: map<double, Box> by_double
      10: map<string, Box> by_string
      11: map<binary, Box> by_binary
      12: map<uuid, Box> by_uuid
      13: map<E, Box> by_enum
      14: map<list<i32>, Box> by_list
      15: map<Leaf, Box> by_struct
      30: i32 n
      31: string s
      32: list<i32> numbers
      33: map<string, i32> counts
      34: bool flag
      35: Need need
      36: set<i32> unique
      37: list<string> words
      38: Pick pick
    }
    union Pick { 1: i32 a, 2: i32 b })");
  return full;
}
inline tl::type box_type() { return idl().type("Box"); }

enum class fault {
  wrong_type,          // a field
  wrong_type_of_bool,  // a field whose value Compact has in the header
  wrong_elements,      // a list's header
  wrong_set,           // a set's header
  wrong_values,        // a map's header
  truncated_text,      // in its bytes
  truncated_number,
  truncated_element,
  truncated_key,
  truncated_value,   // of a map
  truncated_header,  // of a list
  negative_size,     // of a text
  large_list,        // more elements than bytes
  depth,
  unknown_element,  // truncated, of the field is not in the IDL
  missing_required,
  duplicate_field,
  duplicate_then_cut,  // whose second value is truncated as well
  second_member,       // of a union
  second_then_cut,     // whose value is truncated as well
};
inline constexpr fault all_faults[] = {fault::wrong_type,       fault::wrong_type_of_bool,
                                       fault::wrong_elements,   fault::wrong_set,
                                       fault::wrong_values,     fault::truncated_text,
                                       fault::truncated_number, fault::truncated_element,
                                       fault::truncated_key,    fault::truncated_value,
                                       fault::truncated_header, fault::negative_size,
                                       fault::large_list,       fault::depth,
                                       fault::unknown_element,  fault::missing_required,
                                       fault::duplicate_field,  fault::duplicate_then_cut,
                                       fault::second_member,    fault::second_then_cut};
[[nodiscard]] inline std::string_view name_of(fault of) {
  constexpr std::string_view names[] = {
      "wrong_type",       "wrong_type_of_bool", "wrong_elements",     "wrong_set",     "wrong_values",
      "truncated_text",   "truncated_number",   "truncated_element",  "truncated_key", "truncated_value",
      "truncated_header", "negative_size",      "large_list",         "depth",         "unknown_element",
      "missing_required", "duplicate_field",    "duplicate_then_cut", "second_member", "second_then_cut"};
  return names[static_cast<std::size_t>(of)];
}
/// Faults that are seen without an IDL.
[[nodiscard]] inline bool is_of_bytes(fault of) {
  return of >= fault::truncated_text && of <= fault::unknown_element;
}

/// Names of fields that contain a box, one per kind of step.
inline constexpr std::string_view all_steps[] = {"next",      "items",   "some",    "by_bool",   "by_i8",
                                                 "by_i16",    "by_i32",  "by_i64",  "by_double", "by_string",
                                                 "by_binary", "by_uuid", "by_enum", "by_list",   "by_struct"};

struct sample {
  std::string name;
  std::string bytes;
  std::string sound;  // the same without the error, up to its location
  errc code = errc::ok;
  std::string path;     // of the error, as every reader reports it
  std::string id_path;  // the same for readers without an IDL
  std::size_t offset = 0;
  std::size_t value = 0;        // offset of the value at `path` in `sound`
  std::string question = "$";   // a path across the error
  std::string wildcards = "$";  // the same, to all elements and entries
  std::string selection;        // of the field with the error
};

/// Writes samples in protocol P.
template <class P>
class maker {
 public:
  using writer = typename P::writer;

  [[nodiscard]] static sample make(fault which, const std::vector<std::string_view>& steps) {
    maker damaged(which, true), sound(which, false);
    damaged.run(steps);
    sound.run(steps);
    sample result = std::move(damaged.sample_);
    result.bytes = damaged.text();
    result.sound = sound.text();
    result.value = sound.sample_.value;
    for (std::string_view step : steps) result.name += std::string(step) + '.';
    result.name += name_of(which);
    result.name += '_';
    result.name += P::name;
    return result;
  }

 private:
  maker(fault which, bool damaged) : which_(which), damaged_(damaged), out_(bytes_) {}

  [[nodiscard]] std::string text() const { return std::string(bytes_.text()).substr(0, end_); }
  [[nodiscard]] std::size_t here() const { return bytes_.size(); }

  void run(const std::vector<std::string_view>& steps) {
    box(steps, 0);
    sample_.path = path_.text();
    sample_.id_path = ids_.text();
  }
  void box(const std::vector<std::string_view>& steps, std::size_t at) {
    ++level_;
    const tl::struct_mark outer = out_.begin_struct();
    if (at == steps.size())
      last();
    else
      step(steps, at);
    out_.write_stop();
    out_.end_struct(outer);
  }
  void empty_box(std::int32_t n) {
    const tl::struct_mark outer = out_.begin_struct();
    out_.write_field(ttype::i32, 30);
    out_.write_i32(n);
    out_.write_stop();
    out_.end_struct(outer);
  }
  void to_field(std::string_view name) {
    const std::int16_t id = box_type().find_field(name).id();
    path_.field(name);
    ids_.field_id(id);
    sample_.selection += "{ " + std::string(name) + ' ';
    closing_ += '}';
    sample_.question += '.' + std::string(name);
    sample_.wildcards += '.' + std::string(name);
  }
  void step(const std::vector<std::string_view>& steps, std::size_t at) {
    const tl::field_info field = box_type().find_field(steps[at]);
    to_field(field.name());
    const ttype wire = field.type().wire();
    out_.write_field(wire, field.id());
    if (wire == ttype::struct_) return box(steps, at + 1);
    ++level_;
    if (wire == ttype::map) return entry(field.type().key(), steps, at);
    const tl::list_header header{ttype::struct_, 2};
    if (wire == ttype::set)
      out_.write_set(header);
    else
      out_.write_list(header);
    empty_box(-1);
    path_.index(1);
    ids_.index(1);
    sample_.question += "[1]";
    sample_.wildcards += "[*]";
    box(steps, at + 1);
  }
  void entry(tl::type key, const std::vector<std::string_view>& steps, std::size_t at) {
    out_.write_map({key.wire(), ttype::struct_, 2});
    write_key(key, false);
    empty_box(-1);
    const std::size_t begin = here();
    write_key(key, true);
    const tl::byte_view wire(bytes_.data() + begin, here() - begin);
    tl::detail::path_builder spelled;
    tl::detail::add_key_step<P>(spelled, wire, key.wire());
    tl::detail::add_key_step<P>(path_, wire, key.wire());
    tl::detail::add_key_step<P>(ids_, wire, key.wire());
    sample_.question += spelled.steps();
    sample_.wildcards += "{*}";
    box(steps, at + 1);
  }
  void write_key(tl::type key, bool second) {
    const int n = second ? 2 : 1;
    using kind = tl::type_kind;
    const kind of = key.kind();
    if (of == kind::bool_) return out_.write_bool(second);
    if (of == kind::i8) return out_.write_i8(static_cast<std::int8_t>(-n));
    if (of == kind::i16) return out_.write_i16(static_cast<std::int16_t>(-300 * n));
    if (of == kind::i32 || of == kind::enum_) return out_.write_i32(n);
    if (of == kind::i64) return out_.write_i64(std::int64_t{-5'000'000'000} * n);
    if (of == kind::double_) return out_.write_double(second ? 1.5 : 2.0);
    if (of == kind::string) return out_.write_bytes(std::string_view(second ? "a \"key\" \n" : "k"));
    if (of == kind::binary)
      return out_.write_bytes(std::string_view(second ? "\xff\x01" : "\xfe", second ? 2 : 1));
    if (of == kind::uuid) return out_.write_uuid(tl::uuid_bytes{static_cast<std::uint8_t>(n), 0xab});
    if (of == kind::list) {
      out_.write_list({ttype::i32, 1});
      return out_.write_i32(n);
    }
    const tl::struct_mark outer = out_.begin_struct();
    out_.write_field(ttype::i32, 1);
    out_.write_i32(n);
    out_.write_stop();
    out_.end_struct(outer);
  }

  // ---- the fault ----

  void expect(errc code, std::size_t offset) {
    sample_.code = code;
    sample_.offset = offset;
  }
  /// What follows is not there.
  void cut(std::size_t size) {
    if (damaged_) end_ = size;
  }
  void field(std::string_view name, ttype wire) {
    to_field(name);
    sample_.selection += closing_;
    out_.write_field(wire, box_type().find_field(name).id());
    sample_.value = here();
  }
  void last() {
    using enum fault;
    switch (which_) {
      case wrong_type:
        return wrong_field("n", ttype::i32, ttype::string);
      case wrong_type_of_bool:
        return wrong_field("flag", ttype::i32, ttype::bool_);
      case wrong_elements:
        return wrong_list("numbers", ttype::list);
      case wrong_set:
        return wrong_list("unique", ttype::set);
      case wrong_values:
        return wrong_map();
      case truncated_text:
        field("s", ttype::string);
        expect(errc::truncated, here());
        out_.write_bytes(std::string_view("abcdef"));
        return cut(here() - 2);
      case truncated_number:
        field("n", ttype::i32);
        expect(errc::truncated, here());
        out_.write_i32(300);
        return cut(here() - 1);
      case truncated_element:
      case truncated_header:
        return cut_list();
      case truncated_key:
      case truncated_value:
        return cut_map();
      case negative_size:
        return bad_size();
      case large_list:
        return long_list();
      case depth:
        return deep();
      case unknown_element:
        return unknown_field();
      case missing_required:
        return lacking();
      case duplicate_field:
      case duplicate_then_cut:
        return twice();
      case second_member:
      case second_then_cut:
        return two_members();
    }
  }
  void wrong_field(std::string_view name, ttype right, ttype wrong) {
    const std::size_t begin = here();
    // For bools the reverse, since another type instead of a bool is like any other.
    field(name == "flag" ? "n" : name, damaged_ ? wrong : right);
    expect(errc::type_mismatch, begin);
    if (!damaged_)
      out_.write_i32(7);
    else if (wrong == ttype::bool_)
      out_.write_bool(true);
    else
      out_.write_bytes(std::string_view("seven"));
  }
  void wrong_list(std::string_view name, ttype wire) {
    field(name, wire);
    sample_.question += "[0]";
    sample_.wildcards += "[*]";
    expect(errc::type_mismatch, here());
    out_.write_list({damaged_ ? ttype::i16 : ttype::i32, 1});
    if (damaged_)
      out_.write_i16(7);
    else
      out_.write_i32(7);
  }
  void wrong_map() {
    field("counts", ttype::map);
    sample_.question += "{\"k\"}";
    sample_.wildcards += "{*}";
    expect(errc::type_mismatch, here());
    out_.write_map({ttype::string, damaged_ ? ttype::i64 : ttype::i32, 1});
    out_.write_bytes(std::string_view("k"));
    if (damaged_)
      out_.write_i64(7);
    else
      out_.write_i32(7);
  }
  void cut_list() {
    field("words", ttype::list);
    const std::size_t begin = here();
    out_.write_list({ttype::string, 2});
    if (which_ == fault::truncated_header) {
      expect(errc::truncated, begin);
      cut(begin);
      return;
    }
    out_.write_bytes(std::string_view("first"));
    path_.index(1);
    ids_.index(1);
    sample_.question += "[1]";
    sample_.value = here();
    expect(errc::truncated, here());
    out_.write_bytes(std::string_view("second"));
    cut(here() - 1);
  }
  void cut_map() {
    field("counts", ttype::map);
    out_.write_map({ttype::string, ttype::i32, 2});
    out_.write_bytes(std::string_view("first"));
    out_.write_i32(1);
    sample_.value = here();
    expect(errc::truncated, here());
    out_.write_bytes(std::string_view("second"));
    sample_.question += "{\"second\"}";
    if (which_ == fault::truncated_key) {
      path_.key_at(1);
      ids_.key_at(1);
      cut(here() - 1);
      return;
    }
    path_.text_key("second");
    ids_.text_key("second");
    sample_.value = here();
    expect(errc::truncated, here());
    out_.write_i32(300);
    cut(here() - 1);
  }
  void bad_size() {
    field("s", ttype::string);
    expect(errc::negative_size, here());
    if (!damaged_) return out_.write_bytes(std::string_view("abc"));
    // A size of -1, in either protocol.
    if (P::id == tl::protocol_id::binary)
      out_.write_i32(-1);
    else
      bytes_.append(tl::byte_view("\xff\xff\xff\xff\x0f", 5));
  }
  void long_list() {
    field("numbers", ttype::list);
    expect(errc::truncated, here());
    out_.write_list({ttype::i32, damaged_ ? 100'000u : 1u});
    out_.write_i32(7);
  }
  // Structs below structs, the last of them one too deep.
  void deep() {
    to_field("next");
    out_.write_field(ttype::struct_, box_type().find_field("next").id());
    expect(errc::depth_limit, here());
    const tl::struct_mark outer = out_.begin_struct();
    if (level_++ < tl::limits().depth)
      deep();
    else
      sample_.selection += closing_;
    out_.write_stop();
    out_.end_struct(outer);
  }
  void lacking() {
    field("need", ttype::struct_);
    const tl::struct_mark outer = out_.begin_struct();
    if (!damaged_) {
      out_.write_field(ttype::i32, 1);
      sample_.value = here();
      out_.write_i32(1);
    }
    path_.field("r");
    ids_.field_id(1);
    expect(errc::missing_required, here());
    out_.write_stop();
    out_.end_struct(outer);
  }
  void twice() {
    field("n", ttype::i32);
    out_.write_i32(1);
    expect(errc::duplicate_field, here());
    if (!damaged_) return;
    out_.write_field(ttype::i32, 30);
    out_.write_i32(300);
    if (which_ == fault::duplicate_then_cut) cut(here() - 1);
  }
  void unknown_field() {
    constexpr std::int16_t id = 90;
    sample_.selection += "{ n " + closing_ + '}';
    sample_.question += ".n";
    sample_.wildcards += ".n";
    path_.field_id(id);
    ids_.field_id(id);
    path_.index(1);
    ids_.index(1);
    out_.write_field(ttype::list, id);
    out_.write_list({ttype::string, 2});
    out_.write_bytes(std::string_view("first"));
    sample_.value = here();
    expect(errc::truncated, here());
    out_.write_bytes(std::string_view("second"));
    cut(here() - 1);
  }
  void two_members() {
    field("pick", ttype::struct_);
    const tl::struct_mark outer = out_.begin_struct();
    if (damaged_) {
      out_.write_field(ttype::i32, 1);
      out_.write_i32(1);
    }
    path_.field("b");
    ids_.field_id(2);
    expect(errc::union_members, here());
    out_.write_field(ttype::i32, 2);
    sample_.value = here();
    out_.write_i32(300);
    if (which_ == fault::second_then_cut) cut(here() - 1);
    out_.write_stop();
    out_.end_struct(outer);
  }

  fault which_;
  bool damaged_;
  tl::buffer bytes_;
  writer out_;
  std::size_t end_ = std::string::npos;
  std::uint32_t level_ = 0;
  tl::detail::path_builder path_, ids_;
  std::string closing_;
  sample sample_;
};

/// All faults after every kind of step, and after two steps.
template <class P>
[[nodiscard]] const std::vector<sample>& samples() {
  static const std::vector<sample> full = [] {
    std::vector<sample> items;
    for (const fault which : all_faults) {
      items.push_back(maker<P>::make(which, {}));
      for (std::size_t i = 0; i < std::size(all_steps); ++i) {
        items.push_back(maker<P>::make(which, {all_steps[i]}));
        items.push_back(maker<P>::make(which, {all_steps[i], all_steps[(i * 7 + 3) % std::size(all_steps)]}));
      }
    }
    return items;
  }();
  return full;
}
[[nodiscard]] inline fault fault_of(const sample& of) {
  for (const fault item : all_faults)
    if (of.name.find(std::string(name_of(item)) + '_' + "binary") != std::string::npos ||
        of.name.find(std::string(name_of(item)) + '_' + "compact") != std::string::npos)
      return item;
  return fault::depth;
}

/// The error of a reader for the bytes; code ok without one.
template <class P>
using reader = std::function<tl::error(const sample&)>;

/// A redaction does not report keys, which may be sensitive.
[[nodiscard]] inline std::string without_keys(std::string_view path) {
  std::string text;
  char quote = 0;
  bool inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (!inside && c == '{') text += "{*}";
    inside = inside || c == '{';
    if (!inside) text += c;
    if (quote != 0 && c == '\\') ++i;
    if (inside && c == '"') quote = quote == 0 ? c : char{0};
    if (c == '}' && quote == 0) inside = false;
  }
  return text;
}

/// The path of a sample that a reader must report.
enum class path_of { names, ids, no_keys };

/// Compares the errors of a reader with the expected ones, for samples that `sees` accepts.
template <class P>
void expect_places(std::string_view name, const reader<P>& read, const std::function<bool(fault)>& sees,
                   path_of named = path_of::names) {
  for (const sample& item : samples<P>()) {
    if (!sees(fault_of(item))) continue;
    const tl::error log = read(item);
    const std::string path = named == path_of::names ? item.path
                             : named == path_of::ids ? item.id_path
                                                     : without_keys(item.path);
    EXPECT_TRUE(log.code() == item.code && log.path() == path && log.offset() == item.offset &&
                log.source() == tl::error_source::data)
        << name << ", " << item.name << "\n  must say: " << to_string(item.code) << " at " << path
        << " (byte " << item.offset << ")\n  says:     " << to_string(log.code()) << " at " << log.path()
        << " (byte " << log.offset() << ")";
  }
}

inline bool sees_all(fault) { return true; }
/// A lookup does not read bytes after its target, or other fields.
inline bool is_seen_on_the_way(fault of) { return of < fault::missing_required; }

template <class T>
tl::error error_of(const tl::result<T>& of) {
  return of ? tl::error() : of.error();
}

}  // namespace thriftlens_test::places
