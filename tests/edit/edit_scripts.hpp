// edit_scripts: batches of edits of malformed bytes from a sequence of choices, and checks of the results.
#pragma once

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/policy/validate.hpp>
#include <thriftlens/schema/schema.hpp>
#include <thriftlens/view/conform.hpp>

#include "support/hex.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thriftlens_test {

/// Takes numbers from bytes; zeros after their end.
class choices {
 public:
  explicit choices(std::string_view bytes) noexcept : remaining_(bytes) {}

  [[nodiscard]] std::size_t below(std::size_t limit) noexcept {
    if (remaining_.empty()) return 0;
    const std::size_t taken = static_cast<std::uint8_t>(remaining_.front());
    remaining_.remove_prefix(1);
    return taken % limit;
  }
  /// False when the bytes are used up.
  [[nodiscard]] bool one_in(std::size_t n) noexcept { return !remaining_.empty() && below(n) == 0; }
  [[nodiscard]] std::string_view take(std::size_t size) noexcept {
    const std::string_view taken = remaining_.substr(0, size);
    remaining_.remove_prefix(taken.size());
    return taken;
  }
  [[nodiscard]] std::string_view rest() const noexcept { return remaining_; }

 private:
  std::string_view remaining_;
};

/// Structs with every case of the editor: fixed leading fields, only scalars, unions, all containers.
inline const thriftlens::schema& edited_schema() {
  static const thriftlens::schema loaded = thriftlens::schema::parse(R"(
    enum E { A, B = 7 }
    union U { 1: i32 i, 2: string s, 3: list<U> l, 4: bool b, 5: Plain p }
    struct Plain { 1: i32 a, 2: i64 b, 3: string s, 4: bool c, 5: double d, 6: string t }
    struct In { 1: optional i32 c, 2: optional bool b, 3: optional list<In> more, 4: optional In in }
    struct T {
      1: required i32 v, 2: optional list<T> kids, 3: optional map<string, T> named, 4: optional U u, 5: optional set<E> e,
      6: optional map<In, binary> by, 7: optional bool b, 8: optional double d, 9: optional list<list<bool>> ll, 10: optional In in,
      11: optional list<i32> n, 12: optional map<bool, i16> f, 20: optional map<i16, i64> m, 21: optional uuid id, 22: optional string s,
      23: optional list<Plain> plains, 300: optional i8 y, 301: optional map<double, U> r
    }
  )");
  return loaded;
}

/// Values of a type as wire bytes; some contradict it.
template <class P>
class value_maker {
 public:
  value_maker(choices& from, thriftlens::buffer& out) noexcept : from_(from), out_(out) {}

  void value(thriftlens::type of, int depth) {
    using kinds = thriftlens::type_kind;
    switch (of.kind()) {
      case kinds::bool_:
        return out_.write_bool(from_.one_in(2));
      case kinds::i8:
        return out_.write_i8(static_cast<std::int8_t>(from_.below(256)));
      case kinds::i16:
        return out_.write_i16(static_cast<std::int16_t>(from_.below(5) * 99));
      case kinds::enum_:
      case kinds::i32:
        return out_.write_i32(static_cast<std::int32_t>(from_.below(8)));
      case kinds::i64:
        return out_.write_i64(static_cast<std::int64_t>(from_.below(9)) * 1234567);
      case kinds::double_:
        return out_.write_double(static_cast<double>(from_.below(4)) / 2);
      case kinds::uuid:
        return out_.write_uuid({1, 2, 3});
      case kinds::string:
      case kinds::binary:
        return out_.write_bytes(std::string_view("abcdefgh").substr(0, from_.below(9)));
      case kinds::list:
      case kinds::set:
        return elements(of, depth);
      case kinds::map:
        return entries(of, depth);
      default:
        return fields(of, depth);
    }
  }

 private:
  void fields(thriftlens::type of, int depth) {
    const auto outer = out_.begin_struct();
    const auto known = of.fields();
    const bool in_order = from_.below(4) != 0;
    std::size_t at = 0;
    for (std::size_t remaining = depth > 0 ? from_.below(8) : 0; remaining != 0 && at < known.size();
         --remaining) {
      at = in_order ? at + from_.below(3) : from_.below(known.size());
      if (at >= known.size()) break;
      if (from_.one_in(24)) {
        out_.write_field(thriftlens::ttype::i32, known[at].id());
        out_.write_i32(5);
      } else {
        out_.write_field(known[at].type().wire(), known[at].id());
        value(known[at].type(), depth - 1);
      }
      ++at;
    }
    out_.write_stop();
    out_.end_struct(outer);
  }
  void elements(thriftlens::type of, int depth) {
    const auto size = static_cast<std::uint32_t>(depth > 0 ? from_.below(4) : 0);
    const thriftlens::list_header header{of.element().wire(), size};
    if (of.wire() == thriftlens::ttype::set)
      out_.write_set(header);
    else
      out_.write_list(header);
    for (std::uint32_t i = 0; i < size; ++i) value(of.element(), depth - 1);
  }
  void entries(thriftlens::type of, int depth) {
    const auto size = static_cast<std::uint32_t>(depth > 0 ? from_.below(3) : 0);
    out_.write_map({of.key().wire(), of.value().wire(), size});
    for (std::uint32_t i = 0; i < size; ++i) {
      value(of.key(), depth - 1);
      value(of.value(), depth - 1);
    }
  }

  choices& from_;
  typename P::writer out_;
};

/// A value of the type in wire bytes, often damaged; or whatever bytes are left.
template <class P>
std::string hostile_bytes(choices& from, thriftlens::type of) {
  if (from.one_in(4)) return std::string(from.rest());
  const std::size_t damages = from.one_in(2) ? from.below(4) : 0;
  std::size_t where[4] = {}, damage_bytes[4] = {};
  for (std::size_t i = 0; i < damages; ++i) {
    where[i] = from.below(256);
    damage_bytes[i] = from.below(256);
  }
  const bool cut = from.one_in(4);
  const std::size_t lacks = cut ? from.below(12) : 0;
  thriftlens::buffer result;
  value_maker<P>(from, result).value(of, 4);
  std::string bytes = result.str();
  for (std::size_t i = 0; i < damages; ++i)
    bytes[where[i] % bytes.size()] = static_cast<char>(damage_bytes[i]);
  if (cut) bytes.resize(bytes.size() - lacks % bytes.size());
  return bytes;
}

/// A reproducible batch of edits of a value.
template <class P>
class edit_script {
 public:
  edit_script(choices from, const thriftlens::view<P>& values) : from_(from), values_(values) {}

  std::string* script_log = nullptr;  ///< log of the edits
  bool may_break_rules = false;  ///< some edit makes structs, or puts in values that were not read through
  bool uses_offsets = true;      ///< some values are replaced by offsets of others

  thriftlens::edit<P> make(const thriftlens::view<P>& of) {
    thriftlens::edit<P> result(of);
    add_to(result, of.type());
    return result;
  }
  /// Adds the edits to an edit or a rewrite of a value of that type.
  template <class To>
  void add_to(To& to, thriftlens::type of) {
    for (std::size_t remaining = from_.below(6); remaining != 0; --remaining) add(to, of);
  }

 private:
  using type = thriftlens::type;
  using kinds = thriftlens::type_kind;

  type step(std::string& path, type at) {
    if (at.is_struct()) {
      const auto known = at.fields();
      const auto field = known[from_.below(known.size())];
      path += ".#" + std::to_string(field.id());
      return field.type();
    }
    if (at.kind() == kinds::map) {
      path += key(at.key());
      return at.value();
    }
    static constexpr const char* which[] = {"[0]", "[1]", "[2]", "[-1]", "[-3]", "[*]", "[1:]", "[:-1]"};
    path += which[from_.below(std::size(which))];
    return at.element();
  }
  std::string key(type of) {
    if (from_.one_in(6)) return "{*}";
    const std::size_t which = from_.below(4);
    if (of.kind() == kinds::string) return "{\"" + std::string("abcdefgh").substr(0, which) + "\"}";
    if (of.kind() == kinds::bool_) return which % 2 == 0 ? "{true}" : "{false}";
    if (of.kind() == kinds::double_) return which % 2 == 0 ? "{0.5}" : "{1.5}";
    if (of.is_struct()) return "{x\"00\"}";
    return "{" + std::to_string(which * 99) + "}";
  }

  template <class To>
  void add(To& to, type at) {
    std::string path = "$";
    for (std::size_t depth = from_.below(5); depth != 0 && (at.is_struct() || at.is_container()); --depth)
      at = step(path, at);
    const std::size_t action = from_.below(8);
    if (script_log != nullptr) *script_log += " " + std::to_string(action) + " " + path + ";";
    if (action == 7) return static_cast<void>(to.erase(path));
    if (action == 6) return replace(to, path, at);
    if (action == 5 && at.is_container() && at.kind() != kinds::map) at = at.element();
    may_break_rules |= action == 3;
    const std::size_t subject = from_.below(16);
    if (action >= 3)
      return at.is_struct() || at.is_container() || subject < 2 ? add_bytes(to, action, path, at)
                                                                : add_number(to, action, path, at, subject);
    if (at.is_struct() || at.is_container() || subject == 0)
      return subject % 4 == 3 ? static_cast<void>(to.set(path, some_view()))
                              : add_bytes(to, action, path, at);
    if (subject == 1)
      to.set(path, some_view());
    else if (subject == 2)
      to.set(path, "text");
    else if (at.kind() == kinds::bool_)
      to.set(path, subject % 2 == 0);
    else if (at.kind() == kinds::double_)
      to.set(path, static_cast<double>(subject) / 4);
    else if (at.wire() == thriftlens::ttype::string)
      to.set(path, std::string(subject % 3 == 0 ? 300 : subject, 'x'));
    else
      add_number(to, action, path, at, subject);
  }
  template <class To>
  void add_bytes(To& to, std::size_t action, const std::string& path, type of) {
    may_break_rules = true;
    const std::string text = hostile_bytes<P>(from_, of);
    note(text);
    add_as(to, action, path, thriftlens::wire_bytes{text});
  }
  template <class To>
  static void add_number(To& to, std::size_t action, const std::string& path, type of, std::size_t subject) {
    if (of.kind() == kinds::uuid) return static_cast<void>(to.set(path, thriftlens::uuid_bytes{3, 2, 1}));
    add_as(to, action, path, of.is_enum() ? 7 : static_cast<int>(subject) - 8);
  }
  template <class To, class T>
  static void add_as(To& to, std::size_t action, const std::string& path, const T& value) {
    if (action == 3)
      to.create(path, value);
    else if (action == 4)
      to.insert(path, value);
    else if (action == 5)
      to.append(path, value);
    else
      to.set(path, value);
  }
  template <class To>
  void replace(To& to, const std::string& path, type at) {
    may_break_rules = true;
    const std::size_t subject = from_.below(4);
    const std::string text = hostile_bytes<P>(from_, at);
    note(text);
    if (subject == 0)
      to.replace(path, [](const thriftlens::view<P>& old) { return old; });
    else if (subject == 1 && uses_offsets)
      to.replace(path,
                 [](const thriftlens::view<P>& old) { return static_cast<std::int64_t>(old.offset()); });
    else if (subject == 2)
      to.replace(path, [](const thriftlens::view<P>&) { return "text"; });
    else
      to.replace(path, [text](const thriftlens::view<P>&) { return thriftlens::wire_bytes{text}; });
  }
  void note(const std::string& bytes) {
    if (script_log != nullptr) *script_log += " x" + hex(bytes) + ";";
  }
  thriftlens::view<P> some_view() {
    may_break_rules = true;
    thriftlens::view<P> at = values_;
    for (std::size_t depth = from_.below(4); depth != 0 && at && at.type().is_struct(); --depth) {
      const auto known = at.type().fields();
      at = at.field(known[from_.below(known.size())]);
    }
    return at;
  }

  choices from_;
  thriftlens::view<P> values_;
};

/// Checks one script. `broken` is the first violated property.
template <class P>
class edit_promises {
 public:
  std::string broken;
  std::size_t applied = 0, refused = 0, in_place = 0;

  /// The choices: root, edits, message.
  void check(choices from) {
    const thriftlens::schema& schema = edited_schema();
    const thriftlens::type types[] = {schema.type("T"), schema.type("T"), schema.type("U"),
                                      schema.type("Plain"), schema.type("In")};
    const thriftlens::type of = types[from.below(std::size(types))];
    static constexpr std::uint32_t depths[] = {64, 64, 64, 3, 5, 9};
    const thriftlens::limits bounds{.depth = depths[from.below(std::size(depths))]};
    const std::size_t gathers_from = std::size_t{1} << from.below(13);
    const std::size_t inside = from.one_in(6) ? 1 + from.below(20) : 0;
    choices script(from.take(48));
    const std::string bytes = hostile_bytes<P>(from, of);
    std::string copy = bytes;
    const thriftlens::view<P> v = part(thriftlens::view<P>(bytes, of, bounds), inside);
    if (!v) return;
    edit_script<P> first(script, v);
    const thriftlens::edit<P> changes = first.make(v);
    check_changes(v, changes, gathers_from, first.may_break_rules);
    if (broken.empty()) {
      const thriftlens::edit<P> second =
          edit_script<P>(script, v).make(part(thriftlens::view<P>(copy, of, bounds), inside));
      written_in_place(second, bytes, v, copy);
    }
    if (!broken.empty()) explain(script, v, bytes);
  }

 private:
  using errc = thriftlens::errc;

  static thriftlens::view<P> part(const thriftlens::view<P>& of, std::size_t which) {
    return which == 0 || !of.type().is_struct()
               ? of
               : of.field(of.type().fields()[which % of.type().fields().size()]);
  }
  void explain(choices script, const thriftlens::view<P>& v, const std::string& bytes) {
    broken += ": " + std::string(P::name) + " " + v.type().name() + " at byte " + std::to_string(v.offset()) +
              " of " + hex(bytes) + ", depth left " + std::to_string(v.location().at.depth_left) + ":";
    edit_script<P> report(script, v);
    report.script_log = &broken;
    static_cast<void>(report.make(v));
    if (!answer_) return;
    broken += *answer_ ? " -> " + hex((*answer_)->text()) : std::string(" -> ") + answer_->error().what();
  }
  void require(bool holds, const char* promise) {
    if (!holds && broken.empty()) broken = promise;
  }
  void require_code(const thriftlens::error& reason) {
    require(reason.code() != errc::ok && reason.code() != errc::internal, "a failure has a code");
  }
  void require_same(const thriftlens::result<thriftlens::buffer>& answer, bool succeeded,
                    const thriftlens::error* reason, const char* promise) {
    require(answer.has_value() == succeeded, promise);
    if (!broken.empty() || succeeded) return;
    require(answer.error().code() == reason->code() && answer.error().path() == reason->path() &&
                answer.error().offset() == reason->offset(),
            promise);
  }

  void check_changes(const thriftlens::view<P>& v, const thriftlens::edit<P>& changes,
                     std::size_t gathers_from, bool may_break_rules) {
    answer_ = changes.try_apply();
    if (*answer_)
      ++applied;
    else
      ++refused;
    if (!*answer_) require_code(answer_->error());
    thriftlens::buffer out(thriftlens::byte_view("head", 4));
    const thriftlens::result<void> appended = changes.try_append_to(out);
    require_same(*answer_, appended.has_value(), appended ? nullptr : &appended.error(),
                 "apply and apply_to agree");
    require(out.text() == "head" + (*answer_ ? (*answer_)->str() : std::string()),
            "apply_to appends the answer or nothing");
    const thriftlens::result<thriftlens::gathered> pieces = changes.try_apply_gather(gathers_from);
    require_same(*answer_, pieces.has_value(), pieces ? nullptr : &pieces.error(),
                 "apply and apply_gather agree");
    if (!broken.empty() || !*answer_) return;
    require(pieces->join() == **answer_ && pieces->size() == (*answer_)->size(),
            "apply and apply_gather give the same bytes");
    complete(v, **answer_, may_break_rules);
  }
  /// A successful result is complete and no worse than the input.
  void complete(const thriftlens::view<P>& v, const thriftlens::buffer& out, bool may_break_rules) {
    const thriftlens::limits bounds{.depth = v.location().at.depth_left};
    const thriftlens::view<P> output(out, v.type(), bounds);
    const thriftlens::result<thriftlens::byte_view> read = output.try_bytes();
    require(read.has_value(), "what is answered can be read");
    if (!broken.empty()) return;
    require(read->size() == out.size(), "what is answered can be read to its end");
    const thriftlens::result<thriftlens::byte_view> old = v.try_bytes();
    require(old.has_value(), "what is broken is refused");
    if (!broken.empty() || thriftlens::detail::conforms<P>(*old, v.type(), bounds)) return;
    require(!thriftlens::detail::conforms<P>(out, v.type(), bounds), "what conformed conforms");
    if (may_break_rules || !thriftlens::try_validate(thriftlens::view<P>(*old, v.type(), bounds))) return;
    require(thriftlens::try_validate(output).has_value(), "what was valid is valid");
  }
  void written_in_place(const thriftlens::edit<P>& changes, const std::string& bytes,
                        const thriftlens::view<P>& v, std::string& copy) {
    const thriftlens::result<thriftlens::byte_view> old = v.try_bytes();
    const std::size_t begin = v.offset(), size = old ? old->size() : bytes.size() - begin;
    if (v.location().at.inline_bool >= 0) return;  // it has no bytes of its own
    const thriftlens::result<void> written =
        changes.try_apply_in_place({reinterpret_cast<std::uint8_t*>(copy.data()) + begin, size});
    if (written) {
      ++in_place;
      require(answer_->has_value(), "apply and apply_in_place agree");
      if (!broken.empty()) return;
      require(copy == bytes.substr(0, begin) + (*answer_)->str() + bytes.substr(begin + size),
              "apply and apply_in_place give the same bytes");
    } else {
      require_code(written.error());
      require(copy == bytes, "apply_in_place writes all or nothing");
      if (*answer_)
        require(written.error().code() == errc::not_same_size, "apply and apply_in_place agree");
      else
        require_same(*answer_, false, &written.error(), "apply and apply_in_place fail alike");
    }
  }

  std::optional<thriftlens::result<thriftlens::buffer>> answer_;
};

}  // namespace thriftlens_test
