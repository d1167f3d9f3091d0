// change_object: the common part of Edit and Rewrite: changes to the bytes of one value, applied in one pass.
#pragma once

#include "caches/schema_keys.hpp"
#include "call/method.hpp"
#include "convert/value.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/locked.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/edit/edit.hpp>
#include <thriftlens/policy/rewrite.hpp>

#include <memory>
#include <variant>
#include <vector>

namespace thriftlens::python {

struct change_state {
  std::shared_ptr<schema_keys> keys;
  type of;
  protocol_id protocol = protocol_id::binary;
  object owner;  // of the bytes
  bytes_like data;
  std::size_t size = 0;  // of the bytes
  std::variant<std::monostate, edit<binary>, edit<compact>, rewrite<binary>, rewrite<compact>> changes;
  std::vector<object> functions;  // of the replace changes, in order
  bool applying = false;
  bool raised = false;  // a function set a Python error during apply
};

struct change_object {
  PyObject_HEAD change_state state;
};
[[nodiscard]] inline change_state& state_of(PyObject* self) noexcept {
  return reinterpret_cast<change_object*>(self)->state;
}

/// Calls `work` with the edit or rewrite.
template <class Work>
void with_changes(change_state& at, Work&& work) {
  switch (at.changes.index()) {
    case 1:
      return work(std::get<1>(at.changes));
    case 2:
      return work(std::get<2>(at.changes));
    case 3:
      return work(std::get<3>(at.changes));
    default:
      return work(std::get<4>(at.changes));  // throws if the garbage collector has cleared it
  }
}

/// False with a Python error set.
[[nodiscard]] inline bool is_idle(const change_state& at) {
  return !at.applying ||
         raise_as(PyExc_RuntimeError, "an edit cannot be changed or applied while it is being applied");
}

/// Raises the error of changes. A missing field without an offset concerns the changes, not the data.
inline PyObject* raise_failure(const error& reason) {
  if (reason.code() == errc::absent)
    return raise_error(reason.with_hint("create() adds missing structs and maps"));
  const bool is_of_changes = reason.code() == errc::missing_required && reason.offset() == error::no_offset;
  return is_of_changes ? raise(reason, family::plain) : raise_error(reason);
}

/// The bytes that `apply(buffer)` appends, a result<void>. Null with a Python error set.
template <class Apply>
[[nodiscard]] PyObject* applied(change_state& at, Apply&& apply) {
  struct scope {
    bool& flag;
    ~scope() { flag = false; }
  };
  if (!is_idle(at)) return nullptr;
  scratch_buffer memory;
  at.raised = false;
  at.applying = true;
  const result<void> status = [&] {
    const scope working{at.applying};
    const unlocked free(at.functions.empty() ? at.size : 0);  // functions need the GIL
    return apply(memory.get());
  }();
  if (at.raised) return nullptr;
  return status ? bytes_from(memory.get()) : raise_failure(status.error());
}

/// The error with its path below `at`, the target of the change.
[[nodiscard]] error placed(const error& reason, std::string_view at);
/// Appends the bytes of a new value at that path. False with a Python error set.
[[nodiscard]] bool append_object(schema_keys& keys, type to, std::string_view at, PyObject* value,
                                 buffer& out, const encode_options& options);
/// By default, all bytes of a view are copied, including unknown fields.
[[nodiscard]] inline encode_options taking_views(protocol_id protocol) {
  return {.protocol = protocol, .unknown = {.of_views = on_unknown::keep}};
}
/// set, create, insert, append, erase and replace.
[[nodiscard]] std::vector<method> change_methods();
/// A class of change objects. Null with a Python error set.
[[nodiscard]] PyTypeObject* make_change_class(const char* name, PyMethodDef* methods, const char* doc);
/// An object of the class, without changes. Null with a Python error set.
[[nodiscard]] PyObject* make_change_object(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                                           protocol_id protocol);
/// Borrows the bytes of `data`, which the object keeps alive. False with a Python error set.
[[nodiscard]] bool hold_data(change_state& at, PyObject* data);

/// Changes is edit or rewrite.
template <template <protocol> class Changes, protocol Protocol>
void start_changes(change_state& at, const view<Protocol>& of, std::size_t output_size) {
  auto& changes = at.changes.emplace<Changes<Protocol>>(of);
  if (output_size != limits::automatic) changes.output_size(output_size);
}
/// An object of the class that collects changes to `data`. Null with a Python error set.
template <template <protocol> class Changes>
[[nodiscard]] PyObject* make_changes(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                                     PyObject* data, protocol_id protocol, const limits& bounds) {
  object self(make_change_object(of, std::move(keys), to, protocol));
  if (!self || !hold_data(state_of(self.get()), data)) return nullptr;
  change_state& at = state_of(self.get());
  visit_protocol(protocol, [&]<class Protocol>(Protocol) {
    start_changes<Changes>(at, view<Protocol>(at.data.bytes(), to, bounds), bounds.output_size);
  });
  return self.release();
}

}  // namespace thriftlens::python
