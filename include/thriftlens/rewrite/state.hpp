// state: the input, output, request and failure of one pass.
#pragma once

#include <thriftlens/protocol/key_equality.hpp>
#include <thriftlens/rewrite/edit_guide.hpp>
#include <thriftlens/rewrite/request.hpp>
#include <thriftlens/rewrite/wire_copier.hpp>
#include <thriftlens/view/view.hpp>

#include <cstdint>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// An edit before or at an element.
struct list_event {
  std::int64_t index;
  std::uint32_t insert;  // the edit, or none for a child
  std::uint32_t node;
};

/// Shared by the functions that rewrite values. They return false with an error here or in the
/// reader.
template <protocol P>
class rewrite_state : public wire_copier<P> {
 public:
  rewrite_state(const view<P>& from, const rewrite_request<P>& input, splicer& output)
      : wire_copier<P>(from.whole(), output),
        root(from),
        schema(from.image()),
        request(input),
        guide(input.edits, input.entries, input.values) {}

  using wire_copier<P>::in;
  using wire_copier<P>::out;

  view<P> root;
  const schema_image* schema;
  const rewrite_request<P>& request;
  edit_guide guide;
  buffer scratch;
  std::vector<list_event> events;  ///< of the open lists
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
  /// The type of a struct that edits create, and the index of the required field that it lacks.
  struct {
    std::uint32_t type = image::none, field = image::none;
  } missing;

  /// The fault of the bytes.
  [[nodiscard]] fault failure() const noexcept {
    fault result = in.fault();
    result.field_id = field_id_;
    return result;
  }

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
    where = static_cast<std::size_t>(at - in.begin());
    return false;
  }
  bool reject(errc reason, std::uint32_t edit) noexcept { return reject(reason, edit, in.at()); }
  bool fail_field(errc reason, std::int16_t id, byte_ptr at) noexcept {
    field_id_ = id;
    return in.reject(reason, at);
  }
  [[nodiscard]] bool decide(edit_nodes at, edit_decision& decision) {
    if (out->exceeds()) [[unlikely]]
      return reject(errc::output_limit, guide.any(at));
    return guide.decide(at, decision) || reject(errc::edit_conflict, decision.edit);
  }
  /// The output is within its bound.
  [[nodiscard]] bool fits(edit_nodes at = {}) noexcept {
    if (!out->exceeds()) return true;
    return at.empty() ? in.reject(errc::output_limit) : reject(errc::output_limit, guide.any(at));
  }

  /// Whether the elements of a set, which are the output from `begin` on, are unique.
  [[nodiscard]] bool are_unique(std::size_t begin, ttype element, std::uint32_t count, std::uint32_t edit) {
    const buffer& written = this->own();
    typename P::reader elements(byte_view(written.data() + begin, written.size() - begin), key_limits);
    const bool unique = find_repeated_key<P>(elements, {element, ttype::stop, count}) == repeated_keys::none;
    return unique || reject(errc::duplicate_key, edit);
  }
  [[nodiscard]] ttype wire_of(std::uint32_t type) const noexcept { return schema->types[type].wire; }
  /// The field of that id, which the IDL knows.
  [[nodiscard]] const image::field_node& field_of(const image::struct_node& of,
                                                  std::int16_t id) const noexcept {
    return schema->fields[schema->find_field(of, id)];
  }
  [[nodiscard]] const redact_node* rules_of(const redact_target& to) const noexcept {
    return to.node == redact_target::none ? nullptr : &request.rules->nodes[to.node];
  }

 private:
  std::int16_t field_id_ = 0;
};

template <protocol P>
class value_rewriter;

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
