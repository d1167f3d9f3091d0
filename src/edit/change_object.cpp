// change_object: arguments, values and functions of changes.
#include "edit/change_object.hpp"

#include "caches/path_cache.hpp"
#include "call/relaxations.hpp"
#include "call/spelling.hpp"
#include "call/type_docs.hpp"
#include "convert/json_text.hpp"

#include <thriftlens/edit/edit_summary.hpp>
#include <thriftlens/json/from_json.hpp>

#include <optional>
#include <utility>

namespace thriftlens::python {

namespace {

using thriftlens::detail::edit_action;

// ---- values

/// A new value, in one of three forms; null where it was not given.
struct given_value {
  PyObject* object = nullptr;
  PyObject* json = nullptr;
  PyObject* wire = nullptr;
  std::optional<thriftlens::choice<on_unknown::error, on_unknown::drop, on_unknown::keep>> unknown = {};

  [[nodiscard]] static bool is_given(PyObject* part) noexcept { return part != nullptr && part != Py_None; }
  /// False with TypeError set unless it was given once.
  [[nodiscard]] bool is_one(const char* method) const {
    const int count = (object != nullptr ? 1 : 0) + (is_given(json) ? 1 : 0) + (is_given(wire) ? 1 : 0);
    if (count == 1) return true;
    PyErr_Format(PyExc_TypeError, "%s() takes a value, json= or wire=, and one of them only", method);
    return false;
  }
};

/// The error of a new value, placed where the change puts the value.
[[nodiscard]] error placed(const error& why, std::string_view at) {
  std::string place(at.empty() ? std::string_view("$") : at);
  if (!why.path().empty()) place.append(why.path(), 1);
  error made(why.code(), std::string(why.detail()), why.offset(), std::move(place));
  if (why.line() == 0) return std::move(made).in(why.source());
  made.locate(why.line(), why.column());
  return made;
}

/// False with a Python error set.
[[nodiscard]] bool append_object(schema_keys& keys, type to, std::string_view at, PyObject* given,
                                 buffer& out, const encode_options& options) {
  error why;
  const encoded done = try_append_encoded(keys, to, given, out, options, why);
  if (done == encoded::refused) raise(placed(why, at), family::encode);
  return done == encoded::done;
}
/// Of a view all bytes are taken unless more is said.
[[nodiscard]] encode_options taking_views(protocol_id protocol) {
  return {.protocol = protocol, .views = on_unknown::keep};
}
/// False with a Python error set.
[[nodiscard]] bool append_json(protocol_id protocol, type to, std::string_view at, const given_value& given,
                               buffer& out) {
  json_text text;
  from_json_options options;
  if (given.unknown) options.unknown = *given.unknown;
  if (!text.take(given.json)) return false;
  const result<void> done = try_append_from_json(protocol, to, text.text(), out, options);
  if (!done) raise(placed(done.error(), at), family::json);
  return static_cast<bool>(done);
}

/// The wire bytes of a new value at the end of `out`. False with a Python error set.
[[nodiscard]] bool append_given(change_state& at, type to, std::string_view place, const given_value& given,
                                buffer& out) {
  if (given.object != nullptr) {
    encode_options options = taking_views(at.protocol);
    if (given.unknown) options.unknown = *given.unknown;
    if (given.unknown) options.views = options.unknown;
    return append_object(*at.keys, to, place, given.object, out, options);
  }
  if (given_value::is_given(given.json)) return append_json(at.protocol, to, place, given, out);
  bytes_like bytes;
  if (!bytes.take(given.wire)) return false;
  out.append(bytes.bytes());
  return true;
}

/// The type of what an action puts at a path.
type type_put(edit_action action, const path& target) {
  const type to = target.to();
  const bool has_elements = to.kind() == type_kind::list || to.kind() == type_kind::set;
  return action == edit_action::append && has_elements ? to.element() : to;
}

// ---- changes

/// The path of a change. Nothing with a Python error set, also while changes are being applied.
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
constexpr auto put_table =
    table(any_object<&given_value::json>("json"), any_object<&given_value::wire>("wire"),
          choice<&given_value::unknown>("unknown"));

template <edit_action Action>
const signature_of<given_value>& put_signature() {
  static const signature_of<given_value> made(name_of(Action), {put_list, true}, put_table);
  return made;
}
template <edit_action Action>
PyObject* put_method(PyObject* self, const arguments& given) {
  positional_values found;
  given_value value;
  if (!put_signature<Action>().read(given, found, value)) return nullptr;
  value.object = found[1];
  change_state& at = state_of(self);
  if (!value.is_one(name_of(Action))) return nullptr;
  const std::optional<path> target = target_of(at, found[0]);
  if (!target) return nullptr;
  kept_buffer memory;
  buffer& bytes = memory.get();
  if (!append_given(at, type_put(Action, *target), target->text(), value, bytes)) return nullptr;
  if (!is_idle(at)) return nullptr;  // the value's own code ran
  record<Action>(at, *target, wire_bytes{{bytes.data(), bytes.size()}});
  return new_reference(self);
}

constexpr positional erase_list[] = {{"path"}};
const signature_of<no_options>& erase_signature() {
  static const signature_of<no_options> made("erase", {erase_list, true}, empty_table);
  return made;
}
PyObject* erase_method(PyObject* self, const arguments& given) {
  positional_values found;
  no_options call;
  if (!erase_signature().read(given, found, call)) return nullptr;
  change_state& at = state_of(self);
  const std::optional<path> target = target_of(at, found[0]);
  if (!target) return nullptr;
  with_changes(at, [&](auto& changes) { changes.erase(*target); });
  return new_reference(self);
}

/// Calls a Python function with the old value, in which unknown fields are kept by id as decode has them with
/// unknown="keep"; the bytes of the new value are valid until the next call.
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
    const object before(
        decode_view(*owner_->keys, old, {.protocol = Protocol::id, .unknown = on_unknown::keep}));
    if (!before) return false;
    const object change = object::share(owner_->functions[which_].get());
    const object after(PyObject_CallOneArg(change.get(), before.get()));
    encode_options options = taking_views(Protocol::id);
    options.unknown = on_unknown::keep;
    return after && append_object(*owner_->keys, target_.to(), target_.text(), after.get(), bytes_, options);
  }

  change_state* owner_;
  path target_;
  std::size_t which_;
  buffer bytes_;
};

constexpr positional replace_list[] = {{"path"}, {"change"}};
const signature_of<no_options>& replace_signature() {
  static const signature_of<no_options> made("replace", {replace_list, true}, empty_table);
  return made;
}
PyObject* replace_method(PyObject* self, const arguments& given) {
  positional_values found;
  no_options call;
  if (!replace_signature().read(given, found, call)) return nullptr;
  change_state& at = state_of(self);
  const std::optional<path> target = target_of(at, found[0]);
  if (!target) return nullptr;
  const std::size_t which = at.functions.size();
  at.functions.push_back(object::share(found[1]));  // one that no edit knows does no harm
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
  for (const object& each : state_of(self).functions) Py_VISIT(each.get());
  return 0;
}

/// The functions are gone, and so are the changes that would call them.
int clear(PyObject* self) {
  change_state& at = state_of(self);
  if (at.functions.empty()) return 0;
  at.changes.emplace<0>();
  std::vector<object>().swap(at.functions);
  return 0;
}

/// The memory of the object that was destroyed last: it is large enough to go to malloc and back. None
/// without a GIL, where memory is that of a thread.
PyObject* spare_memory = nullptr;

PyObject* allocate(PyTypeObject* of) {
  PyObject* const made = has_no_gil ? nullptr : std::exchange(spare_memory, nullptr);
  if (made == nullptr) return of->tp_alloc(of, 0);
  PyObject_Init(made, of);
  PyObject_GC_Track(made);
  return made;
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
  return {put_signature<Action>(), relaxed_method<in_turn<put_method<Action>>::call, put_signature<Action>>(),
          doc};
}

}  // namespace

std::vector<method> change_methods() {
  return {put<edit_action::set>(edit_set_doc),
          put<edit_action::create>(edit_create_doc),
          put<edit_action::insert>(edit_insert_doc),
          put<edit_action::append>(edit_append_doc),
          {erase_signature(), fast_method<in_turn<erase_method>::call>(), edit_erase_doc},
          {replace_signature(), fast_method<in_turn<replace_method>::call>(), edit_replace_doc}};
}

PyTypeObject* make_change_class(const char* name, PyMethodDef* methods, const char* doc) {
  PyType_Slot slots[] = {{Py_tp_methods, methods},
                         {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                         {Py_tp_clear, reinterpret_cast<void*>(clear)},
                         {Py_tp_repr, type_slot<in_turn<represent>::call>()},
                         {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                         {Py_tp_doc, const_cast<char*>(doc)},
                         {0, nullptr}};
  constexpr unsigned int flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC;
  PyType_Spec spec = {name, sizeof(change_object), 0, flags, slots};
  auto* made = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (made != nullptr) made->tp_new = nullptr;
  return made;
}

PyObject* make_change_object(PyTypeObject* of, std::shared_ptr<schema_keys> keys, type to,
                             protocol_id protocol) {
  PyObject* const made = of == nullptr ? nullptr : allocate(of);
  if (made == nullptr) return nullptr;
  change_state& at = *std::construct_at(&state_of(made));
  at.keys = std::move(keys);
  at.of = to;
  at.protocol = protocol;
  return made;
}

bool hold_data(change_state& at, PyObject* data) {
  if (!at.data.take(data)) return false;
  at.owner = object::share(data);
  at.size = at.data.bytes().size();
  return true;
}

}  // namespace thriftlens::python
