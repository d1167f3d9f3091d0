// change_object: the methods that record changes.
#include "edit/change_object.hpp"

#include "caches/path_cache.hpp"
#include "call/common_options.hpp"
#include "call/relaxations.hpp"
#include "convert/json_text.hpp"
#include "docs/edit_docs.hpp"
#include "support/argument.hpp"
#include "support/heap_class.hpp"

#include <thriftlens/edit/edit_summary.hpp>
#include <thriftlens/json/from_json.hpp>

#include <optional>
#include <utility>

namespace thriftlens::python {

namespace {

using detail::edit_action;

// ---- values

/// A new value in one of three forms; the others are null.
struct new_value {
  PyObject* object = nullptr;
  PyObject* json = nullptr;
  PyObject* wire = nullptr;
  std::optional<thriftlens::choice<on_unknown::error, on_unknown::drop, on_unknown::keep>> unknown = {};

  /// False with TypeError set unless exactly one form is present.
  [[nodiscard]] bool check_single(const char* method) const {
    const int count = (object != nullptr ? 1 : 0) + (is_omitted(json) ? 0 : 1) + (is_omitted(wire) ? 0 : 1);
    return count == 1 || raise_type_error("%s() takes exactly one of a value, json= and wire=", method);
  }
};

[[nodiscard]] encode_options encoding_of(protocol_id protocol, const new_value& value) {
  encode_options options = taking_views(protocol);
  if (value.unknown) options.unknown = {*value.unknown, *value.unknown};
  return options;
}
/// False with a Python error set.
[[nodiscard]] bool append_json(protocol_id protocol, type to, std::string_view at, const new_value& value,
                               buffer& out) {
  json_text text;
  from_json_options options;
  if (value.unknown) options.leniency.unknown = *value.unknown;
  if (!text.take(value.json)) return false;
  const result<void> status = try_append_from_json(protocol, to, text.text(), out, options);
  if (!status) raise(placed(status.error(), at), family::json);
  return static_cast<bool>(status);
}

/// Appends the wire bytes of a new value. False with a Python error set.
[[nodiscard]] bool append_value(change_state& at, type to, std::string_view path, const new_value& value,
                                buffer& out) {
  if (value.object != nullptr)
    return append_object(*at.keys, to, path, value.object, out, encoding_of(at.protocol, value));
  if (!is_omitted(value.json)) return append_json(at.protocol, to, path, value, out);
  bytes_like bytes;
  if (!bytes.take(value.wire)) return false;
  out.append(bytes.bytes());
  return true;
}

/// The type of the value that an action takes.
type type_put(edit_action action, const path& target) {
  const type to = target.to();
  const bool has_elements = to.is_sequence();
  return action == edit_action::append && has_elements ? to.element() : to;
}

// ---- changes

/// The path of a change. Nothing with a Python error set, which includes changes during apply().
[[nodiscard]] std::optional<path> target_of(const change_state& at, PyObject* text) {
  if (!is_idle(at)) return std::nullopt;
  return paths_of(*at.keys).find(at.of, text);
}

template <edit_action Action>
void record(change_state& at, const path& target, const wire_bytes& value) {
  with_changes(at, [&](auto& changes) {
    if constexpr (Action == edit_action::set)
      changes.set(target, value);
    else if constexpr (Action == edit_action::create)
      changes.create(target, value);
    else if constexpr (Action == edit_action::insert)
      changes.insert(target, value);
    else
      changes.append(target, value);
  });
}

constexpr positional put_list[] = {{"path"}, {"value", "..."}};
constexpr auto put_table = table(any_object<&new_value::json>("json"), any_object<&new_value::wire>("wire"),
                                 choice<&new_value::unknown>("unknown"));

template <edit_action Action>
const signature_of<new_value>& put_signature() {
  static const signature_of<new_value> signature(name_of(Action), {put_list, true}, put_table);
  return signature;
}
template <edit_action Action>
PyObject* put_method(PyObject* self, PyObject** positionals, new_value& value) {
  value.object = positionals[1];
  change_state& at = state_of(self);
  if (!value.check_single(name_of(Action))) return nullptr;
  const std::optional<path> target = target_of(at, positionals[0]);
  if (!target) return nullptr;
  scratch_buffer memory;
  buffer& bytes = memory.get();
  if (!append_value(at, type_put(Action, *target), target->text(), value, bytes)) return nullptr;
  if (!is_idle(at)) return nullptr;  // the value's own code ran
  record<Action>(at, *target, wire_bytes{{bytes.data(), bytes.size()}});
  return new_reference(self);
}

constexpr auto erase_signature = named_signature<"erase", empty_table, "path">;
PyObject* erase_method(PyObject* self, PyObject** positionals) {
  change_state& at = state_of(self);
  const std::optional<path> target = target_of(at, positionals[0]);
  if (!target) return nullptr;
  with_changes(at, [&](auto& changes) { changes.erase(*target); });
  return new_reference(self);
}

/// Calls a Python function with the old value, decoded with unknown="keep". The returned bytes are valid
/// until the next call.
class changer {
 public:
  changer(change_state& owner, const path& target, std::size_t which)
      : owner_(&owner), target_(target), which_(which) {}
  template <protocol Protocol>
  wire_bytes operator()(const view<Protocol>& old) {
    bytes_.clear();
    if (!owner_->raised) owner_->raised = !call(old);
    return {{bytes_.data(), bytes_.size()}};
  }

 private:
  /// False with a Python error set.
  template <protocol Protocol>
  [[nodiscard]] bool call(const view<Protocol>& old) {
    const object old_value(decode_view(
        *owner_->keys, old, {.protocol = Protocol::id, .leniency = {.unknown = on_unknown::keep}}));
    if (!old_value) return false;
    const object change = object::share(owner_->functions[which_].get());
    const object new_object(PyObject_CallOneArg(change.get(), old_value.get()));
    const encode_options options{.protocol = Protocol::id, .unknown = {on_unknown::keep, on_unknown::keep}};
    return new_object &&
           append_object(*owner_->keys, target_.to(), target_.text(), new_object.get(), bytes_, options);
  }

  change_state* owner_;
  path target_;
  std::size_t which_;
  buffer bytes_;
};

constexpr auto replace_signature = named_signature<"replace", empty_table, "path", "change">;
PyObject* replace_method(PyObject* self, PyObject** positionals) {
  change_state& at = state_of(self);
  const std::optional<path> target = target_of(at, positionals[0]);
  if (!target) return nullptr;
  const std::size_t which = at.functions.size();
  at.functions.push_back(object::share(positionals[1]));  // one that no edit knows does no harm
  with_changes(at, [&](auto& changes) { changes.replace(*target, changer(at, *target, which)); });
  return new_reference(self);
}

// ---- the object

PyObject* represent(PyObject* self) {
  change_state& at = state_of(self);
  std::string text = std::string("<") + Py_TYPE(self)->tp_name + " " + at.of.name();
  if (at.changes.index() != 0) with_changes(at, [&](auto& changes) { text += ", " + changes.summary(); });
  return shown_text(text + ">");
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  for (const object& function : state_of(self).functions) Py_VISIT(function.get());
  return 0;
}

/// Also drops the changes that would call the functions.
int clear(PyObject* self) {
  change_state& at = state_of(self);
  if (at.functions.empty()) return 0;
  at.changes.emplace<0>();
  std::vector<object>().swap(at.functions);
  return 0;
}

/// The memory of the last destroyed object, reused because it is too large for pymalloc. Unused in
/// free-threaded builds, where memory belongs to a thread.
PyObject* spare_memory = nullptr;

PyObject* allocate(PyTypeObject* of) {
  PyObject* const self = has_no_gil ? nullptr : std::exchange(spare_memory, nullptr);
  if (self == nullptr) return of->tp_alloc(of, 0);
  PyObject_Init(self, of);
  PyObject_GC_Track(self);
  return self;
}

void destroy(PyObject* self) {
  PyTypeObject* of = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  std::destroy_at(&state_of(self));
  if (!has_no_gil && spare_memory == nullptr)
    spare_memory = self;
  else
    of->tp_free(self);
  Py_DECREF(of);
}

template <edit_action Action>
method put(const char* doc) {
  constexpr auto takes = put_signature<Action>;
  return relaxed_call<takes, in_turn<of_call<takes, put_method<Action>>>::call>(doc);
}

}  // namespace

error placed(const error& reason, std::string_view at) {
  std::string full_path(at.empty() ? std::string_view("$") : at);
  if (!reason.path().empty()) full_path.append(reason.path(), 1);
  error moved(reason.code(), std::string(reason.detail()), reason.offset(), std::move(full_path));
  if (reason.line() == 0) return std::move(moved).in(reason.source());
  moved.locate(reason.line(), reason.column());
  return moved;
}
bool append_object(schema_keys& keys, type to, std::string_view at, PyObject* value, buffer& out,
                   const encode_options& options) {
  error reason;
  const encoded status = try_append_encoded(keys, to, value, out, options, reason);
  if (status == encoded::refused) raise(placed(reason, at), family::encode);
  return status == encoded::ok;
}

std::vector<method> change_methods() {
  return {put<edit_action::set>(edit_set_doc),
          put<edit_action::create>(edit_create_doc),
          put<edit_action::insert>(edit_insert_doc),
          put<edit_action::append>(edit_append_doc),
          method_in_turn<erase_signature, erase_method>(edit_erase_doc),
          method_in_turn<replace_signature, replace_method>(edit_replace_doc)};
}

PyTypeObject* make_change_class(const char* name, PyMethodDef* methods, const char* doc) {
  return new_class({name, sizeof(change_object), Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC},
                   {{Py_tp_methods, methods},
                    raw_slot(Py_tp_traverse, traverse),
                    raw_slot(Py_tp_clear, clear),
                    type_slot<in_turn<represent>::call>(Py_tp_repr),
                    raw_slot(Py_tp_dealloc, destroy),
                    doc_slot(doc)});
}

PyObject* make_change_object(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                             protocol_id protocol) {
  PyObject* const self = of == nullptr ? nullptr : allocate(of);
  if (self == nullptr) return nullptr;
  change_state& at = *std::construct_at(&state_of(self));
  at.keys = std::move(keys);
  at.of = to;
  at.protocol = protocol;
  return self;
}

bool hold_data(change_state& at, PyObject* data) {
  if (!at.data.take(data)) return false;
  at.owner = object::share(data);
  at.size = at.data.bytes().size();
  return true;
}

}  // namespace thriftlens::python
