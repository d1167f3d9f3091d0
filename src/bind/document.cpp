// document: thriftlens.Document, a message as an editable tree.
#include "caches/path_cache.hpp"
#include "call/common_options.hpp"
#include "call/constructor_arguments.hpp"
#include "call/method.hpp"
#include "edit/change_object.hpp"
#include "edit/edit_object.hpp"
#include "schema/type_object.hpp"
#include "support/heap_class.hpp"
#include "support/throwing.hpp"

#include <thriftlens/dom/document.hpp>

#include <atomic>
#include <optional>
#include <stdexcept>

namespace thriftlens::python {

namespace {

/// The child of a node that a step of a path leads to.
[[nodiscard]] node child_at(const node& parent, const path_step& step) {
  if (step.kind == path_step::form::field) return parent.field(step.id);
  return step.kind == path_step::form::index ? parent.index(step.first) : parent.key(step.key);
}
/// The step as the changes of a node take it.
[[nodiscard]] map_key key_of(const path_step& step) {
  if (step.kind == path_step::form::field) return std::int64_t{step.id};
  return step.kind == path_step::form::index ? map_key(step.first) : step.key;
}

struct document_call {
  protocol_id protocol = protocol_id::binary;
  document_options document = {};
};
struct write_call {
  std::optional<protocol_id> protocol;
};

struct document_state {
  std::shared_ptr<schema_keys> keys;
  type of;
  protocol_id protocol = protocol_id::binary;
  object data;  // bytes
  std::optional<document> tree;
  std::atomic<bool> is_busy = false;
};
struct document_object {
  PyObject_HEAD document_state state;
};
document_state& document_of(PyObject* self) noexcept {
  return reinterpret_cast<document_object*>(self)->state;
}

/// One call at a time: a function that sort or filter calls must not use the document. Throws
/// runtime_error if another call is in progress.
class turn {
 public:
  explicit turn(PyObject* self) : of_(document_of(self)) {
    if (of_.is_busy.exchange(true)) throw std::runtime_error("the document is in use");
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() { of_.is_busy = false; }

  document_state* operator->() const noexcept { return &of_; }

  /// A path to one value.
  [[nodiscard]] path compiled(PyObject* text) const {
    const std::optional<path> target = paths_of(*of_.keys).find(of_.of, text);
    require(target.has_value());
    if (!target->is_single()) require(result<void>(target->misfit_of_several("")));
    if (target->enters_key()) require(result<void>(target->misfit("documents have no paths to keys", 0)));
    return *target;
  }
  [[nodiscard]] node at(PyObject* text) const { return of_.tree->at(compiled(text)); }
  [[nodiscard]] node parent_of(const path& target) const {
    node at = of_.tree->root();
    for (const path_step& step : target.steps().first(target.steps().size() - 1)) at = child_at(at, step);
    return at;
  }
  [[nodiscard]] object decoded(const node& at) const {
    scratch_buffer memory;
    require(at.try_append_to(memory.get()));
    const byte_view bytes(memory.get().data(), memory.get().size());
    object value(decode(*of_.keys, at.type(), bytes, {.protocol = of_.protocol}));
    require(static_cast<bool>(value));
    return value;
  }
  [[nodiscard]] object result_of(PyObject* function, const node& at) const {
    const object value = decoded(at);
    object result(PyObject_CallOneArg(function, value.get()));
    require(static_cast<bool>(result));
    return result;
  }
  /// The value of a change; valid while `out` is.
  [[nodiscard]] node_value encoded_value(const path& target, type to, PyObject* value, buffer& out) const {
    require(append_object(*of_.keys, to, target.text(), value, out, taking_views(of_.protocol)));
    return node_value::wire({out.data(), out.size()}, to.wire(), of_.protocol);
  }

 private:
  document_state& of_;
};

/// The value of a change below a parent, which may be absent.
template <class T>
T changed_below(result<T> status) {
  if (!status && status.error().code() == errc::absent)
    require(result<void>(status.error().with_hint("set the parent first")));
  require(status);
  return *std::move(status);
}
/// Throws UsageError if the field of a struct is required.
void check_removal(type of, std::int16_t id, const std::string& at, const char* change) {
  const field_info field = of && of.is_struct() ? of.find_field(id) : field_info();
  if (!field || !field.required()) return;
  std::string text = std::string(field.name()) + " is required and cannot be " + change;
  raise(error(errc::missing_required, std::move(text), error::no_offset, at), family::plain);
  throw error_is_set();
}
void check_removal(const turn& self, const path& target, const char* change) {
  if (target.empty() || target.steps().back().kind != path_step::form::field) return;
  check_removal(self.parent_of(target).type(), target.steps().back().id, std::string(target.text()), change);
}

constexpr auto create_table = table(choice<&document_call::protocol>("protocol"),
                                    depth_option<&document_call::document, &document_options::limits>());
constexpr auto create_signature = named_signature<"Document", create_table, "type", "data">;
void load(document_state& at, const type_object& of, byte_view data, const document_call& call) {
  at.keys = of.keys;
  at.of = of.of;
  at.protocol = call.protocol;
  at.data = object(to_python(data));
  require(static_cast<bool>(at.data));
  require(visit_protocol(at.protocol, [&](auto tag) {
    return at.tree.emplace().try_load<decltype(tag)>(bytes_in(at.data.get()), at.of, call.document);
  }));
}
PyObject* new_document(PyTypeObject* of, PyObject* by_position, PyObject* by_name) {
  const constructor_arguments args(by_position, by_name);
  positional_values positionals;
  document_call call;
  bytes_like data;
  if (!create_signature().read(args.get(), positionals, call)) return nullptr;
  if (!is_type(positionals[0])) return raise_wrong_type("expected a thriftlens.Type", positionals[0]);
  if (!data.take(positionals[1])) return nullptr;
  object self(new_instance(of));
  require(static_cast<bool>(self));
  load(*std::construct_at(&document_of(self.get())), type_of(positionals[0]), data.bytes(), call);
  return self.release();
}
void destroy_document(PyObject* self) {
  std::destroy_at(&document_of(self));
  free_instance(self);
}

constexpr positional get_list[] = {{"path"}, {"default", "None"}}, sort_list[] = {{"path"}, {"key", "None"}};
constexpr auto get_signature = signature_from<"get", get_list, empty_table, passing::by_name_too>;
object get_method(const turn& self, PyObject** positionals) {
  const node at = self.at(positionals[0]);
  if (at.presence() != presence::absent) return self.decoded(at);
  return object::share(positionals[1] == nullptr ? Py_None : positionals[1]);
}
constexpr auto set_signature = named_signature<"set", empty_table, "path", "value">;
void set_method(const turn& self, PyObject** positionals) {
  const path target = self.compiled(positionals[0]);
  scratch_buffer memory;
  const node_value value = self.encoded_value(target, target.to(), positionals[1], memory.get());
  if (target.empty())
    require(self->tree->root().try_set(value));
  else
    changed_below(self.parent_of(target).try_set(key_of(target.steps().back()), value));
}

constexpr auto append_signature = named_signature<"append", empty_table, "path", "value">;
void append_method(const turn& self, PyObject** positionals) {
  const path target = self.compiled(positionals[0]);
  const std::string name(target.to().name());
  if (!target.to().is_sequence())
    require(raise_type_error("append() needs a list or set, not %.200s", name.c_str()));
  scratch_buffer memory;
  const node_value value = self.encoded_value(target, target.to().element(), positionals[1], memory.get());
  node at = self->tree->at(target);
  if (at.presence() == presence::absent && !target.empty())
    at = changed_below(self.parent_of(target).try_create(key_of(target.steps().back())));
  require(at.try_append(value));
}
constexpr auto erase_signature = named_signature<"erase", empty_table, "path">;
bool erase_method(const turn& self, PyObject** positionals) {
  const path target = self.compiled(positionals[0]);
  check_removal(self, target, "erased");
  const node at = self->tree->at(target);
  if (at.presence() == presence::absent) return false;
  require(at.try_erase());
  return true;
}
constexpr auto move_signature = named_signature<"move", empty_table, "source", "target">;
void move_method(const turn& self, PyObject** positionals) {
  const path source = self.compiled(positionals[0]), target = self.compiled(positionals[1]);
  check_removal(self, source, "moved");
  if (target.empty()) require(raise_value_error("move() cannot replace the document itself"));
  changed_below(self.parent_of(target).try_move(key_of(target.steps().back()), self->tree->at(source)));
}

constexpr auto merge_table = table(flag_or_number<&merge_options::lists>("append_lists", 1, 1),
                                   flag_or_number<&merge_options::maps>("replace_maps", 1, 1));
constexpr auto merge_signature = named_signature<"merge", merge_table, "other">;
void merge_method(const turn& self, PyObject** positionals, const merge_options& call) {
  if (PyObject_TypeCheck(positionals[0], document_class()) == 0)
    require(raise_wrong_type("merge() needs a Document", positionals[0]));
  if (&document_of(positionals[0]) == self.operator->()) return;
  const turn other(positionals[0]);
  if (other->of != self->of) require(raise_type_error("merge() needs a document of the same type"));
  require(self->tree->root().try_merge(other->tree->root(), call));
}

constexpr auto sort_signature = signature_from<"sort", sort_list, empty_table, passing::by_name_too>;
void sort_method(const turn& self, PyObject** positionals) {
  const node at = self.at(positionals[0]);
  PyObject* const key = positionals[1];
  if (is_omitted(key)) return require(at.try_sort());
  require(at.try_sort([&](const node& lhs, const node& rhs) {
    const object lhs_key = self.result_of(key, lhs), rhs_key = self.result_of(key, rhs);
    const int is_less = PyObject_RichCompareBool(lhs_key.get(), rhs_key.get(), Py_LT);
    require(is_less >= 0);
    return is_less == 1;
  }));
}
constexpr auto filter_signature = named_signature<"filter", empty_table, "path", "keep">;
std::size_t filter_method(const turn& self, PyObject** positionals) {
  const node at = self.at(positionals[0]);
  return value_or_throw(at.try_filter([&](const node& child) {
    const int keeps = PyObject_IsTrue(self.result_of(positionals[1], child).get());
    require(keeps >= 0);
    if (keeps == 0) check_removal(at.type(), child.id(), child.path(), "erased");
    return keeps == 1;
  }));
}

constexpr auto write_table = table(choice<&write_call::protocol>("protocol"));
constexpr auto write_signature = signature_from<"to_bytes", no_positionals, write_table>;
PyObject* write_method(const turn& self, PyObject**, const write_call& call) {
  return bytes_of(bytes_in(self->data.get()).size(), [&](buffer& out) {
    return visit_protocol(call.protocol.value_or(self->protocol),
                          [&](auto tag) { return self->tree->try_append_to<decltype(tag)>(out); });
  });
}

/// A method of a document: a function of its turn. Without a result it returns None.
template <auto Function, class... Call>
PyObject* in_document(PyObject* of, PyObject** positionals, const Call&... call) {
  const turn self(of);
  if constexpr (!std::is_void_v<decltype(Function(self, positionals, call...))>)
    return to_python(Function(self, positionals, call...));
  Function(self, positionals, call...);
  return new_none();
}
template <auto Signature, auto Function, class... Call>
method document_method(const char* doc) {
  return method_of<Signature, in_document<Function, Call...>>(doc);
}

PyObject* changed_property(PyObject* of, void*) { return to_python(turn(of)->tree->changed()); }
PyObject* represent_document(PyObject* of) {
  const turn self(of);
  return shown_text("<thriftlens.Document of " + std::string(self->of.name()) +
                    (self->tree->changed() ? ", changed>" : ">"));
}
PyGetSetDef document_properties[] = {
    {"changed", translate_exceptions<changed_property>::call, nullptr, "Whether it was changed.", nullptr},
    {}};

std::vector<method> document_methods() {
  return {document_method<get_signature, get_method>(
              "The value at a path, decoded; the default if it is absent."),
          document_method<set_signature, set_method>("Replaces a value, or adds an absent field or entry."),
          document_method<append_signature, append_method>(
              "Appends an element to a list or set; an absent one is created."),
          document_method<erase_signature, erase_method>("Removes a value; returns whether it existed."),
          document_method<move_signature, move_method>(
              "Moves a value to another field or key, or before an element of a list."),
          document_method<merge_signature, merge_method, merge_options>(
              "Merges another document of the type, deeply; its values have priority. Lists and sets are "
              "replaced, maps merged."),
          document_method<sort_signature, sort_method>(
              "Sorts elements, or entries by key: in their natural order, or by a function of the value."),
          document_method<filter_signature, filter_method>(
              "Removes the fields, elements or entries for whose value `keep` is false; returns how many."),
          document_method<write_signature, write_method, write_call>(
              "The bytes; unchanged parts are copied. protocol: that of the document by default.")};
}

}  // namespace

PyTypeObject* document_class() {
  static shared_object cached;
  return class_once(cached, [] {
    const std::string doc = create_signature().text("type") +
                            "A value as an editable tree over its bytes, whose parts are opened when they "
                            "are used. Paths lead to one value. After an error it is unchanged.";
    return new_class({"thriftlens.Document", sizeof(document_object)},
                     {{Py_tp_methods, method_table("$self", document_methods())},
                      {Py_tp_getset, document_properties},
                      type_slot<new_document>(Py_tp_new),
                      type_slot<represent_document>(Py_tp_repr),
                      raw_slot(Py_tp_dealloc, destroy_document),
                      doc_slot(doc.c_str())});
  });
}

}  // namespace thriftlens::python
