// encode_view: encodes views as values of other messages.
#pragma once

#include "convert/encode_state.hpp"
#include "views/view_bytes.hpp"

namespace thriftlens::python {

[[nodiscard]] inline on_unknown unknown_of_view(const encode_state& state, PyObject* view) {
  return state.options.unknown.of_views.value_or(unknown_in_view(view));
}
/// Whether it is a view whose unknown fields matter; others are encoded like any mapping or sequence.
[[nodiscard]] inline bool is_view_as_bytes(const encode_state& state, PyObject* from) {
  return is_view(from) && unknown_of_view(state, from) != on_unknown::drop;
}
/// Copies the bytes of a view of exactly this type; encodes the decoded value of others.
THRIFTLENS_NOINLINE bool encode_view(protocol auto format, encode_state& state, const type_node& type,
                                     PyObject* view) {
  const encode_options& options = state.options;
  const on_unknown unknown = unknown_of_view(state, view);
  const bool is_plain = options.missing == on_missing::error && !options.writes_defaults();
  if (is_plain && is_strict_view_of(view, type)) {
    const result<void> status =
        try_append_view(view, format.id, unknown, {.depth = state.depth_left()}, state.out);
    return status || state.fail_in_view(status.error());
  }
  const object plain(decode_view_with(view, unknown, options.names));
  if (!plain) return false;
  const bool outer = std::exchange(state.keeps_view, unknown == on_unknown::keep);
  const bool status = encode_value(format, state, type, plain.get());
  state.keeps_view = outer;
  return status;
}

}  // namespace thriftlens::python
