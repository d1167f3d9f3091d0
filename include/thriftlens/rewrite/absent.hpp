// absent: fields, entries and values that edits create.
#pragma once

#include <thriftlens/rewrite/state.hpp>
#include <thriftlens/rewrite/value_in.hpp>

#include <cstdint>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Writes values that the input does not have, from edits alone.
template <protocol P>
class absent_writer {
  using context = rewrite_state<P>;

 public:
  explicit absent_writer(context& pass) noexcept : pass_(pass), guide_(pass.guide) {}

  bool make_field(const image::struct_node* in, std::size_t at, byte_ptr position, std::int16_t& last) {
    edit_decision decision;
    const edit_nodes edits = guide_.request(at).at;
    if (!decide_absent(edits, decision, position)) return false;
    guide_.request(at).seen = decision.makes || pass_.code == errc::absent;
    if (!decision.makes) return true;
    pass_.flush(position);
    const image::field_node& field = pass_.field_of(*in, guide_.id(at));
    if (decision.edit != edit_node::none) {
      pass_.put_field({field.wire, field.id}, guide_.value(decision.edit), last);
      return true;
    }
    pass_.put_header({field.wire, field.id}, false, last);
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
      pass_.flush(position);
      if (!make_entry(requested, decision, self)) return false;
      ++count;
    }
    return true;
  }

 private:
  /// Decides about an absent value. If it is required, the failure is recorded and nothing is created.
  [[nodiscard]] bool decide_absent(edit_nodes at, edit_decision& decision, byte_ptr position) {
    if (!pass_.decide(at, decision)) return false;
    if (decision.edit != edit_node::none) decision.makes = !guide_.needs_old(decision.edit);
    const bool may_be_absent = decision.makes || decision.edit != edit_node::none || !decision.strict;
    if (!may_be_absent) static_cast<void>(pass_.reject(errc::absent, decision.any, position));
    return true;
  }
  bool make_entry(const edit_request& of, const edit_decision& decision, const image::type_node& self) {
    const map_key key = guide_.steps().key(of.step);
    const errc status = append_value<P>(pass_.own(), {pass_.schema, self.first}, key);
    if (status != errc::ok) return pass_.reject(status, decision.any);
    if (decision.edit == edit_node::none) return build(of.at, self.second);
    pass_.own().append(guide_.value(decision.edit));
    return true;
  }

  bool build(edit_nodes at, std::uint32_t type) {
    const edit_guide::marker mark = guide_.mark();
    const image::type_node& self = pass_.schema->types[type];
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
      if (!make_field(&pass_.schema->structs[self.first], i, pass_.copied, last)) return false;
    }
    pass_.own().commit(P::put_stop(pass_.own().prepare(1)));
    return has_required(at, requests, self.first);
  }
  bool has_required(edit_nodes at, edit_requests requests, std::uint32_t structure) noexcept {
    const image::struct_node& node = pass_.schema->structs[structure];
    if (node.required_count == 0) return true;
    for (std::uint32_t i = node.fields.begin; i < node.fields.begin + node.fields.size; ++i) {
      if (!field_info(pass_.schema, i).required()) continue;
      const std::size_t made = guide_.find_field(requests, pass_.schema->fields[i].id);
      if (made != requests.end && guide_.request(made).seen) continue;
      pass_.missing = {node.type, i};
      return pass_.reject(errc::missing_required, guide_.any(at), pass_.copied);
    }
    return true;
  }
  [[nodiscard]] map_header header_of(const image::type_node& map, std::int64_t count) const noexcept {
    return {pass_.wire_of(map.first), pass_.wire_of(map.second), static_cast<std::uint32_t>(count)};
  }
  bool build_map(edit_nodes at, const image::type_node& self) {
    const std::size_t position = pass_.out->position();
    std::int64_t count = 0;
    if (!make_entries(guide_.collect(at, true), self, count, pass_.copied)) return false;
    std::uint8_t fresh[P::max_map_header];
    const map_header header = header_of(self, count);
    pass_.out->replace(position, 0, fresh, static_cast<std::size_t>(P::put_map(fresh, header) - fresh));
    return true;
  }
  bool build_list(edit_nodes at, const image::type_node& self) {
    if (!only_appends(at)) return false;
    const auto values = guide_.appends(at);
    const list_header list{pass_.wire_of(self.first), static_cast<std::uint32_t>(values.size())};
    buffer& out = put_header(self.wire, list);
    const std::size_t begin = out.size();
    for (const std::uint32_t edit : values) out.append(guide_.value(edit));
    return self.wire == ttype::list || are_unique(begin, list, at);
  }
  buffer& put_header(ttype wire, const list_header& list) {
    buffer& out = pass_.own();
    out.commit(pass_.put_list(out.prepare(P::max_list_header), wire, list));
    return out;
  }
  bool are_unique(std::size_t begin, const list_header& set, edit_nodes at) {
    return pass_.are_unique(begin, set.element, set.size, guide_.any(at));
  }
  bool only_appends(edit_nodes at) noexcept {
    for (std::size_t i = at.begin; i < at.end; ++i) {
      if (guide_.steps()[guide_[i]].children != 0 || !guide_.extras(i).inserts.empty())
        return pass_.reject(errc::bad_index, guide_.node(i).any, pass_.copied);
    }
    return true;
  }

  context& pass_;
  edit_guide& guide_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
