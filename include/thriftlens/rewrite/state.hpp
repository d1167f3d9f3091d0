// state: parts shared by the rewrite runners: failures, and values built from edits alone. Never reads
// a value of the input.
#pragma once

#include <thriftlens/rewrite/edit_guide.hpp>
#include <thriftlens/rewrite/request.hpp>
#include <thriftlens/rewrite/value_in.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// State of one pass.
template <protocol P>
class rewrite_base : public wire_copier<P> {
 public:
  rewrite_base(const view<P>& root, const rewrite_request<P>& request, splicer& out)
      : wire_copier<P>(root.whole(), out),
        root_(root),
        image_(root.image()),
        request_(request),
        guide_(request.edits, request.entries, request.values) {}

  rewrite_report report;

  /// Why an edit failed; ok if the fault is the reader's, or after out_of_order. Absence is certain only at
  /// the end of well-formed bytes: the pass continues to it.
  errc code = errc::ok;
  std::uint32_t failing_edit = edit_node::none;
  std::size_t where = 0;  ///< offset of the value it failed at
  /// A field that was created occurs later in the struct: run again with two_pass, which never sets this.
  bool out_of_order = false;
  /// An edit failed before the end of a struct, where its field may still occur. Run again with two_pass.
  bool is_guess = false;

  /// The fault of the bytes.
  [[nodiscard]] fault failure() const noexcept {
    fault result = in_.fault();
    result.field_id = field_id_;
    return result;
  }

 protected:
  using wire_copier<P>::copied_;
  using wire_copier<P>::in_;
  using wire_copier<P>::out_;
  using wire_copier<P>::own;

  /// The selection, rules and edits of one value.
  struct actions {
    std::uint32_t selected = selection_node::entire;
    redact_target hidden = {};
    edit_nodes edits = {};

    [[nodiscard]] bool is_plain() const noexcept {
      return selected == selection_node::entire && hidden.stays() && edits.empty();
    }
    [[nodiscard]] actions without_edits() const noexcept { return {selected, hidden, {}}; }
  };
  // ---- failures ----

  /// The first failure counts.
  bool reject(errc reason, std::uint32_t edit, byte_ptr at) noexcept {
    if (code != errc::ok) return false;
    code = reason;
    failing_edit = edit;
    where = static_cast<std::size_t>(at - in_.begin());
    return false;
  }
  bool reject(errc reason, std::uint32_t edit) noexcept { return reject(reason, edit, in_.at()); }
  bool fail_field(errc reason, std::int16_t id, byte_ptr at) noexcept {
    field_id_ = id;
    return in_.reject(reason, at);
  }
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& decision) {
    if (out_->exceeds()) [[unlikely]]
      return reject(errc::output_limit, guide_.any(at));
    return guide_.decide(at, decision) || reject(errc::edit_conflict, decision.edit);
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
    return to.node == redact_target::none ? nullptr : &request_.rules->nodes[to.node];
  }

  // ---- absent fields and entries ----

  /// Decides about an absent value. If it is required, the failure is recorded and nothing is created.
  [[nodiscard]] bool decide_absent(edit_nodes at, edit_decision& decision, byte_ptr position) {
    if (!decide(at, decision)) return false;
    if (decision.edit != edit_node::none) decision.makes = !guide_.needs_old(decision.edit);
    const bool may_be_absent = decision.makes || decision.edit != edit_node::none || !decision.strict;
    if (!may_be_absent) static_cast<void>(reject(errc::absent, decision.any, position));
    return true;
  }
  bool make_field(const image::struct_node* in, std::size_t at, byte_ptr position, std::int16_t& last) {
    edit_decision decision;
    const edit_nodes edits = guide_.request(at).at;
    if (!decide_absent(edits, decision, position)) return false;
    guide_.request(at).seen = decision.makes || code == errc::absent;
    if (!decision.makes) return true;
    this->flush(position);
    const image::field_node& field = field_of(*in, guide_.id(at));
    if (decision.edit != edit_node::none) {
      this->put_field({field.wire, field.id}, guide_.value(decision.edit), last);
      return true;
    }
    this->put_header({field.wire, field.id}, false, last);
    return build(edits, field.type);
  }
  /// Creates the requested entries that the map lacks, in the order of their edits.
  bool make_entries(edit_requests requests, const image::type_node& self, std::int64_t& count,
                    byte_ptr position) {
    if (requests.empty()) return true;
    for (const std::size_t at : guide_.unseen(requests)) {
      const edit_request requested = guide_.request(at);
      edit_decision decision;
      if (!decide_absent(requested.at, decision, position)) return false;
      if (!decision.makes) continue;
      this->flush(position);
      if (!make_entry(requested, decision, self)) return false;
      ++count;
    }
    return true;
  }
  bool make_entry(const edit_request& of, const edit_decision& decision, const image::type_node& self) {
    const map_key key = guide_.steps().key(of.step);
    const errc status = append_value<P>(own(), {image_, self.first}, key);
    if (status != errc::ok) return reject(status, decision.any);
    if (decision.edit == edit_node::none) return build(of.at, self.second);
    own().append(guide_.value(decision.edit));
    return true;
  }

  // ---- absent values ----

  bool build(edit_nodes at, std::uint32_t type) {
    const edit_guide::marker mark = guide_.mark();
    const image::type_node& self = image_->types[type];
    const bool ok = self.wire == ttype::struct_ ? build_struct(at, self)
                    : self.wire == ttype::map   ? build_map(at, self)
                                                : build_list(at, self);
    guide_.release(mark);
    return ok;
  }
  bool build_struct(edit_nodes at, const image::type_node& self) {
    const edit_requests requests = guide_.collect(at, false);
    std::int16_t last = 0;
    for (std::size_t i = requests.begin; i < requests.end; ++i) {
      if (!make_field(&image_->structs[self.first], i, copied_, last)) return false;
    }
    own().commit(P::put_stop(own().prepare(1)));
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
    own().commit(this->put_list(own().prepare(P::list_room), self.wire, list));
    for (const std::uint32_t edit : values) own().append(guide_.value(edit));
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
  const rewrite_request<P>& request_;
  edit_guide guide_;
  buffer scratch_;
  std::int16_t field_id_ = 0;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
