// node: bodies of node.hpp.
#pragma once

#include <thriftlens/dom/node.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/overlap.hpp>
#include <thriftlens/core/rollback.hpp>
#include <thriftlens/dom/change.hpp>
#include <thriftlens/dom/follow.hpp>
#include <thriftlens/dom/key_index.hpp>
#include <thriftlens/dom/merge.hpp>
#include <thriftlens/dom/move.hpp>
#include <thriftlens/dom/open.hpp>
#include <thriftlens/dom/parent.hpp>
#include <thriftlens/dom/undo.hpp>
#include <thriftlens/dom/write.hpp>
#include <thriftlens/path/path.hpp>
#include <thriftlens/schema/suggest.hpp>
#include <thriftlens/view/print.hpp>
#include <thriftlens/view/view.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY node_value::node_value(const node& of) noexcept : form_(form::node), code_(of.code()) {
  if (code_ == errc::ok) *this = node_value(*of.tree(), *of.slot(), of.type(), of.wire());
}

THRIFTLENS_BODY thriftlens::type node::type() const noexcept {
  return code() == errc::ok ? slot_type() : thriftlens::type();
}
THRIFTLENS_BODY thriftlens::type node::slot_type() const noexcept {
  const std::uint32_t known = detail::dom::type_of(*tree_, in_, *slot());
  return known == detail::image::none ? thriftlens::type() : thriftlens::type(tree_->image, known);
}
THRIFTLENS_BODY detail::dom::slot* node::moved_slot() const noexcept {
  if (in_->wire != ttype::struct_) return nullptr;
  const std::uint32_t number = detail::dom::changer(*tree_).find_field(*in_, id_);
  return number == detail::dom::key_index::none ? nullptr : &in_->items[number];
}
THRIFTLENS_BODY node node::noted(class error&& failure) const {
  node copy = failed(failure.code());
  static_cast<void>(detail::dom::note(*tree_, std::move(failure)));
  copy.note_ = tree_->failures;
  return copy;
}
THRIFTLENS_BODY errc node::open() const {
  if (code() != errc::ok) return code();
  return detail::dom::open(*tree_, *slot(), in_);
}
THRIFTLENS_BODY detail::dom::parent node::here() const { return {*tree_, *slot(), type()}; }
THRIFTLENS_BODY errc node::find(const map_key& step, std::uint32_t& number) const {
  const errc code = open();
  return code == errc::ok ? here().find(step, number) : code;
}

THRIFTLENS_BODY node node::field(std::string_view name) const {
  if (code() != errc::ok) return failed(code());
  if (slot()->wire != ttype::struct_) return failed(errc::wrong_type);
  const thriftlens::type self = type();
  if (!self) return failed(errc::no_such_field);
  const field_info which = self.find_field(name);
  if (!which)
    return noted(detail::dom::error_at(path(), errc::no_such_field, detail::no_such_field_text(self, name)));
  return field(which.id());
}
THRIFTLENS_BODY node node::field(std::int16_t id) const {
  if (const errc code = open(); code != errc::ok) return opened(code);
  if (slot()->wire != ttype::struct_) return failed(errc::wrong_type);
  const std::uint32_t number = detail::dom::changer(*tree_).find_field(*slot()->below, id);
  return number == detail::dom::key_index::none ? failed(errc::absent, id) : child(number);
}
THRIFTLENS_BODY node node::index(std::int64_t index) const {
  if (const errc code = open(); code != errc::ok) return opened(code);
  if (!is_sequence(slot()->wire)) return failed(errc::wrong_type);
  const std::int64_t at = here().element(index);
  return at < 0 ? missing_index(index) : child(static_cast<std::uint32_t>(at));
}
THRIFTLENS_BODY node node::missing_index(std::int64_t index) const {
  if (std::in_range<std::int32_t>(index)) return failed(errc::bad_index, index);
  return missing_index(std::to_string(index));
}
THRIFTLENS_BODY node node::missing_index(const std::string& digits) const {
  if (const errc code = open(); code != errc::ok) return opened(code);
  if (!here().is_list()) return failed(errc::wrong_type);
  return noted(detail::dom::error_at(path() + '[' + digits + ']', errc::bad_index));
}
THRIFTLENS_BODY node node::key(map_key key) const {
  if (const errc code = open(); code != errc::ok) return opened(code);
  if (slot()->wire != ttype::map) return failed(errc::wrong_type);
  std::uint32_t number = 0;
  errc code = detail::dom::changer(*tree_).fit_key(*slot()->below, key);
  if (code == errc::ok) code = here().find(key, number);
  if (code == errc::ok) return child(number + 1);
  if (code == errc::unknown_enum_name)
    return noted(detail::dom::error_at(path(), code, detail::no_such_member_text(type().key(), key.text())));
  if (code != errc::absent) return failed(code);
  return noted(detail::dom::error_at(path() + detail::dom::parent::spelled_key(key), code));
}
THRIFTLENS_BODY node node::at(const thriftlens::path& compiled) const {
  if (code() != errc::ok) return *this;
  if (compiled.from() && compiled.from() != type())
    return noted(detail::dom::error_at(path(), errc::wrong_type, "the path is for a different type"));
  return take(compiled.steps());
}
THRIFTLENS_BODY result<node> node::try_at(std::string_view text) const {
  if (code() != errc::ok) return *this;
  const result<thriftlens::path> compiled = thriftlens::path::try_compile(type(), text);
  if (!compiled) return compiled.error();
  return at(*compiled);
}
THRIFTLENS_BODY node node::take(std::span<const path_step> steps) const {
  const detail::dom::slot* last = slot();
  detail::dom::level* in = in_;
  const std::size_t taken = detail::dom::follow(*tree_, steps, in, last);
  node here = taken == 0 ? *this : node(*tree_, *in, *last);
  for (const path_step& step : steps.subspan(taken)) here = here.take(step);
  return here;
}
THRIFTLENS_BODY node node::take(const path_step& step) const {
  switch (step.kind) {
    case path_step::form::field:
      return field(step.id);
    case path_step::form::index:
      return index(step.first);
    case path_step::form::key:
      return key(step.key);
    case path_step::form::key_at:
      return failed(errc::wrong_type);
    default:
      return noted(detail::dom::error_at(
          path(), errc::wrong_type,
          detail::joined({detail::several_values_text, "; iterate over elements() or entries()"})));
  }
}

THRIFTLENS_BODY std::string node::path() const {
  if (tree_ == nullptr) return "$";
  const detail::dom::slot* at = slot();
  return at == nullptr ? detail::dom::path_of(*tree_, in_) + '?' : detail::dom::path_of(*tree_, in_, at);
}
THRIFTLENS_BODY error node::error() const {
  const errc code = this->code();
  if (code == errc::ok) return {};
  if (tree_ == nullptr || (code == errc::absent && tree_->root.erased()))
    return thriftlens::error(code, "no value is loaded");
  if (note_ != 0 && note_ == tree_->failures) return tree_->failure;
  if (code_ == errc::ok) return thriftlens::error(code, "the node was erased");
  if (slot() == nullptr) return detail::dom::error_at(path(), code, "the node has moved or was erased");
  std::string text;
  if (code == errc::wrong_type)
    text = detail::joined(
        {"the operation does not apply to ", detail::described_value(slot_type(), slot()->wire)});
  return thriftlens::error(code, std::move(text), offset(), path() + missing_step(code));
}
THRIFTLENS_BODY std::string node::missing_step(errc code) const {
  if (code == errc::bad_index) return '[' + std::to_string(which_) + ']';
  if (code != errc::absent || slot()->wire != ttype::struct_) return {};
  return detail::dom::step_to_field(*tree_, detail::dom::type_of(*tree_, in_, *slot()),
                                    static_cast<std::int16_t>(which_));
}
THRIFTLENS_BODY std::size_t node::offset() const noexcept {
  return detail::dom::offset_of(*tree_, detail::dom::bytes_of(*slot()).begin());
}
THRIFTLENS_BODY error node::misread(errc code, const char* requested) const {
  std::string text;
  if (code == errc::wrong_type)
    text = detail::joined({"expected ", requested, ", found ", to_string(slot()->wire)});
  if (code == errc::unfit_value) text = detail::joined({"the number does not fit ", requested});
  return thriftlens::error(code, std::move(text), offset(), path());
}
THRIFTLENS_BODY error node::refused(errc code, const map_key* step, std::string text) const {
  if (code_ != errc::ok || tree_ == nullptr) return error();
  std::string location = path();
  if (step != nullptr && slot() != nullptr) location += here().spelled(*step);  // it may be erased by now
  return detail::dom::error_at(std::move(location), code, std::move(text));
}
THRIFTLENS_BODY error node::refused_value(errc code, const node_value& value, const map_key* step) const {
  if (slot() == nullptr) return refused(code, step);
  const thriftlens::type to = step == nullptr ? type() : here().type_of(*step);
  return refused(code, step, to ? value.unfit_text(to, code) : std::string());
}

THRIFTLENS_BODY result<std::size_t> node::try_size() const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  return std::size_t{slot()->below->live()};
}
template <class Item>
result<node_range<Item>> node::children(ttype requested) const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  if (slot()->wire != requested && !(requested == ttype::list && slot()->wire == ttype::set))
    return failed(errc::wrong_type).error();
  return node_range<Item>(*tree_, *slot()->below);
}
THRIFTLENS_BODY result<void> node::try_append_to(buffer& out) const {
  if (code() != errc::ok) return error();
  if (detail::overlaps(tree_->source, out)) return detail::overlap_error();
  detail::rollback guard(out);
  return visit_protocol(tree_->protocol, [&](auto tag) -> result<void> {
    detail::dom::tree_writer<decltype(tag)> writer(*tree_, out);
    if (writer.write_complete(*slot())) {
      guard.keep();
      return {};
    }
    return write_error(writer.failure(), writer.level_of_fault());
  });
}
THRIFTLENS_BODY error node::write_error(const fault& failure, const detail::dom::level* where) const {
  std::string location = where == nullptr ? path() : detail::dom::path_of(*tree_, where);
  if (failure.code == errc::missing_required)
    location += detail::dom::step_to_field(*tree_, where->type, failure.field_id);
  const bool is_repeated = failure.code == errc::duplicate_key;
  return detail::dom::error_at(std::move(location), failure.code,
                               is_repeated ? std::string(detail::duplicate_element_text) : std::string());
}

THRIFTLENS_BODY result<void> node::try_set(const node_value& value) const {
  if (code() != errc::ok) return error();
  const errc code = detail::dom::changer(*tree_).set(*slot(), in_, value);
  if (code != errc::ok) return refused_value(code, value);
  return {};
}
THRIFTLENS_BODY result<node> node::try_set(map_key step, const node_value& value) const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  std::uint32_t number = 0;
  if (const errc code = here().set(step, value, number); code != errc::ok)
    return refused_value(code, value, &step);
  return child(here().value_number(number));
}
THRIFTLENS_BODY result<node> node::try_insert(std::int64_t index, const node_value& value) const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  if (!here().is_list()) return failed(errc::wrong_type).error();
  const map_key step(index);
  std::uint32_t number = 0;
  const errc code = here().set_or_insert(step, value, number);
  if (code == errc::ok) return child(number);
  return code == errc::bad_index ? missing_index(index).error() : refused_value(code, value, &step);
}
THRIFTLENS_BODY result<node> node::try_append(const node_value& value) const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  return try_insert(slot()->below->count, value);
}
THRIFTLENS_BODY result<node> node::try_create(map_key step) const {
  std::uint32_t number = 0;
  const errc code = find(step, number);
  if (code == errc::ok) return child(here().value_number(number));
  if (code != errc::absent || this->code() != errc::ok)
    return code_ == errc::ok ? opened(code).error() : error();
  return try_set(step, empty_value{});
}
THRIFTLENS_BODY result<void> node::try_erase() const {
  if (code() != errc::ok) return error();
  if (in_ == nullptr) return refused(errc::absent);
  const auto number = static_cast<std::uint32_t>(slot() - in_->items);
  if (!detail::dom::changer::may_change(in_, *slot())) return refused(errc::wrong_type);
  return to_result(detail::dom::changer(*tree_).erase(*in_, number - number % in_->stride()));
}
THRIFTLENS_BODY result<bool> node::try_erase(map_key step) const {
  std::uint32_t number = 0;
  errc code = find(step, number);
  if (code_ == errc::ok && (code == errc::absent || code == errc::bad_index)) return false;
  if (code == errc::ok) code = detail::dom::changer(*tree_).erase(*slot()->below, number);
  if (code != errc::ok) return refused(code, &step);
  return true;
}
THRIFTLENS_BODY result<void> node::try_rename(map_key from, map_key to) const {
  errc code = open();
  if (code == errc::ok) code = here().rename(from, to);
  if (code != errc::ok) return refused(code, &from);
  return {};
}

THRIFTLENS_BODY result<node> node::try_move(map_key step, const node& from) const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  if (from.code() != errc::ok) return from.error();
  std::uint32_t number = 0;
  detail::dom::level& below = *slot()->below;  // this node is absent after a move out of its list
  const errc code =
      detail::dom::mover(here(), *from.tree_, from.in_, *from.slot(), from.type()).move(step, number);
  if (code == errc::edit_conflict) return refused(code, &step, "a value cannot be moved into itself");
  if (code != errc::ok) return refused_value(code, from, &step);
  return node(*tree_, below, number);
}

THRIFTLENS_BODY result<void> node::try_merge(const node& from, const merge_options& options) const {
  if (code() != errc::ok) return error();
  if (from.code() != errc::ok) return from.error();
  const errc code = from.wire() == wire() ? merge_from(from, options) : errc::value_type;
  if (code == errc::value_type) return refused_value(code, from);
  return to_result(code);
}
THRIFTLENS_BODY errc node::merge_from(const node& from, const merge_options& options) const {
  detail::dom::undo_log undo(*tree_);
  undo.keep_above(in_);
  detail::dom::merger work(*tree_, *from.tree_, options, undo);
  const errc code = work.merge(*slot(), in_, *from.slot(), from.in_);
  if (code != errc::ok) undo.roll_back();
  return code;
}

THRIFTLENS_BODY result<void> node::open_to_arrange() const {
  if (const errc code = open(); code != errc::ok) return opened(code).error();
  if (slot()->below->frozen) return refused(errc::wrong_type);
  return {};
}
THRIFTLENS_BODY result<void> node::open_to_sort() const {
  if (wire() == ttype::struct_) return failed(errc::wrong_type).error();
  return open_to_arrange();
}
THRIFTLENS_BODY result<void> node::try_sort() const {
  if (result<void> opened = open_to_sort(); !opened) return opened;
  detail::dom::level& below = *slot()->below;
  const ttype sorted = below.wire == ttype::map ? below.key : below.value;
  if (below.live() != 0 && has_children(sorted)) return failed(errc::wrong_type).error();
  detail::dom::sort_scalars(below, tree_->protocol);
  return {};
}

namespace detail::dom {
template <std::same_as<node> Node>
std::string printed(const Node& of) {
  if (!of) return '<' + std::string(of.error().what()) + '>';
  buffer written;
  const bool opened = of.slot()->expanded;
  const result<void> appended = opened ? of.try_append_to(written) : result<void>();
  if (!appended) return '<' + std::string(appended.error().what()) + '>';
  const byte_view bytes = opened ? byte_view(written) : bytes_of(*of.slot());
  std::string text;
  visit_protocol(of.tree()->protocol, [&](auto tag) {
    using P = decltype(tag);
    view<P> at(bytes, of.type());
    if (!of.type()) at = at.child({at.location().at, image::none, of.wire()});
    thriftlens::detail::view_printer<P>(text).root(at);
  });
  return text;
}
}  // namespace detail::dom

#if defined(THRIFTLENS_COMPILED)
template result<node_range<node_field>> node::children<node_field>(ttype) const;
template result<node_range<node>> node::children<node>(ttype) const;
template result<node_range<node_entry>> node::children<node_entry>(ttype) const;
template std::string detail::dom::printed<node>(const node&);
#endif

}  // namespace thriftlens::inline THRIFTLENS_ABI
