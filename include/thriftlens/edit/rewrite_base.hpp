// rewrite_base: what the parts of a rewrite runner share: failures, and values that are made from edits
// alone. Never reads a value of the input.
#pragma once

#include <thriftlens/edit/edit_guide.hpp>
#include <thriftlens/edit/rewrite_request.hpp>
#include <thriftlens/edit/value_in.hpp>
#include <thriftlens/edit/wire_copier.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// State of one pass.
template <protocol P>
class rewrite_base : public wire_copier<P> {
 public:
  rewrite_base(const view<P>& root, const rewrite_request<P>& what, splicer& out)
      : wire_copier<P>(root.whole(), out),
        root_(root),
        image_(root.image()),
        what_(what),
        guide_(what.edits, what.entries, what.values) {}

  rewrite_report report;

  /// Why an edit could not be made; ok where the reader knows, or after out_of_order. What is absent is known
  /// for sure only at the end of sound bytes: the pass goes on to it.
  errc code = errc::ok;
  std::uint32_t failing_edit = edit_node::none;
  std::size_t where = 0;  ///< offset of the value it failed at
  /// A field that was made stands further on: run again with two_pass; then it never is.
  bool out_of_order = false;
  /// An edit failed before the end of a struct: its field may stand further on. Run again with two_pass.
  bool is_guess = false;

  /// Where the bytes are at fault.
  [[nodiscard]] fault why() const noexcept {
    fault made = in_.fault();
    made.field_id = field_id_;
    return made;
  }

 protected:
  using wire_copier<P>::copied_;
  using wire_copier<P>::in_;
  using wire_copier<P>::out_;
  using wire_copier<P>::own;

  /// What applies to one value.
  struct place {
    std::uint32_t kept = selection_node::whole;
    redact_target hidden = {};
    edit_nodes edits = {};

    [[nodiscard]] bool is_plain() const noexcept {
      return kept == selection_node::whole && hidden.stays() && edits.empty();
    }
    [[nodiscard]] place without_edits() const noexcept { return {kept, hidden, {}}; }
  };
  // ---- failures ----

  /// The first failure counts.
  bool reject(errc why, std::uint32_t edit, byte_ptr at) noexcept {
    if (code != errc::ok) return false;
    code = why;
    failing_edit = edit;
    where = static_cast<std::size_t>(at - in_.begin());
    return false;
  }
  bool reject(errc why, std::uint32_t edit) noexcept { return reject(why, edit, in_.at()); }
  bool fail_field(errc why, std::int16_t id, byte_ptr at) noexcept {
    field_id_ = id;
    return in_.reject(why, at);
  }
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& made) {
    if (out_->exceeds()) [[unlikely]]
      return reject(errc::output_limit, guide_.any(at));
    return guide_.decide(at, made) || reject(errc::edit_conflict, made.edit);
  }
  /// The output is within its bound.
  [[nodiscard]] bool fits(edit_nodes at = {}) noexcept {
    if (!out_->exceeds()) return true;
    return at.empty() ? in_.reject(errc::output_limit) : reject(errc::output_limit, guide_.any(at));
  }

  [[nodiscard]] ttype wire_of(std::uint32_t type) const noexcept { return image_->types[type].wire; }
  /// The field of that id, which the IDL knows.
  [[nodiscard]] const image::field_node& field_of(const image::struct_node& in,
                                                  std::int16_t id) const noexcept {
    return image_->fields[image_->find_field(in, id)];
  }
  [[nodiscard]] const redact_node* rules_of(const redact_target& to) const noexcept {
    return to.node == redact_target::none ? nullptr : &what_.rules->nodes[to.node];
  }

  // ---- fields and entries that were not there ----

  /// What is asked for at a value that is not there. Where it had to be, that is noted and nothing is made.
  [[nodiscard]] bool decide_absent(edit_nodes at, edit_decision& made, byte_ptr before) {
    if (!decide(at, made)) return false;
    if (made.edit != edit_node::none) made.makes = !guide_.needs_old(made.edit);
    const bool may_be_absent = made.makes || made.edit != edit_node::none || !made.strict;
    if (!may_be_absent) static_cast<void>(reject(errc::absent, made.any, before));
    return true;
  }
  bool make_field(const image::struct_node* in, std::size_t at, byte_ptr before, std::int16_t& last) {
    edit_decision made;
    const edit_nodes edits = guide_.request(at).at;
    if (!decide_absent(edits, made, before)) return false;
    guide_.request(at).seen = made.makes || code == errc::absent;
    if (!made.makes) return true;
    this->flush(before);
    const image::field_node& field = field_of(*in, guide_.id(at));
    if (made.edit != edit_node::none) {
      this->put_field({field.wire, field.id}, guide_.value(made.edit), last);
      return true;
    }
    this->put_header({field.wire, field.id}, false, last);
    return build(edits, field.type);
  }
  /// The requested entries that were not seen, in the order they were asked for.
  bool make_entries(edit_requests asked, const image::type_node& self, std::int64_t& count, byte_ptr before) {
    if (asked.empty()) return true;
    for (const std::size_t at : guide_.unseen(asked)) {
      const edit_request each = guide_.request(at);
      edit_decision made;
      if (!decide_absent(each.at, made, before)) return false;
      if (!made.makes) continue;
      this->flush(before);
      if (!make_entry(each, made, self)) return false;
      ++count;
    }
    return true;
  }
  bool make_entry(const edit_request& of, const edit_decision& made, const image::type_node& self) {
    const map_key key = guide_.steps().key(of.step);
    const errc why = append_value<P>(own(), {image_, self.first}, key);
    if (why != errc::ok) return reject(why, made.any);
    if (made.edit == edit_node::none) return build(of.at, self.second);
    own().append(guide_.value(made.edit));
    return true;
  }

  // ---- values that were not there ----

  /// Writes a value from edits alone.
  bool build(edit_nodes at, std::uint32_t type) {
    const edit_guide::marker mark = guide_.mark();
    const image::type_node& self = image_->types[type];
    const bool done = self.wire == ttype::struct_ ? build_struct(at, self)
                      : self.wire == ttype::map   ? build_map(at, self)
                                                  : build_list(at, self);
    guide_.release(mark);
    return done;
  }
  bool build_struct(edit_nodes at, const image::type_node& self) {
    const edit_requests asked = guide_.collect(at, false);
    std::int16_t last = 0;
    for (std::size_t i = asked.begin; i < asked.end; ++i) {
      if (!make_field(&image_->structs[self.first], i, copied_, last)) return false;
    }
    own().commit(P::put_stop(own().reserve(1)));
    return true;
  }
  bool build_map(edit_nodes at, const image::type_node& self) {
    const std::size_t position = out_->position();
    std::int64_t count = 0;
    if (!make_entries(guide_.collect(at, true), self, count, copied_)) return false;
    std::uint8_t fresh[P::map_room];
    const map_header header{wire_of(self.first), wire_of(self.second), static_cast<std::uint32_t>(count)};
    out_->replace(position, 0, fresh, static_cast<std::size_t>(P::put_map(fresh, header) - fresh));
    return true;
  }
  bool build_list(edit_nodes at, const image::type_node& self) {
    if (!only_appends(at)) return false;
    const std::vector<std::uint32_t> values = guide_.appends(at);
    const list_header list{wire_of(self.first), static_cast<std::uint32_t>(values.size())};
    own().commit(this->put_list(own().reserve(P::list_room), self.wire, list));
    for (const std::uint32_t each : values) own().append(guide_.value(each));
    return true;
  }
  bool only_appends(edit_nodes at) noexcept {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      if (guide_.steps()[guide_[i]].children != 0 || !guide_.extras(i).inserts.empty())
        return reject(errc::bad_index, guide_.node(i).any, copied_);
    }
    return true;
  }

  view<P> root_;
  const schema_image* image_;
  const rewrite_request<P>& what_;
  edit_guide guide_;
  buffer scratch_;
  std::int16_t field_id_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
