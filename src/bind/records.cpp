// records: cut_records, detect, text_message and message_head, on which thriftlens.scan and
// thriftlens.Message are built.
#include "call/cut_call.hpp"
#include "call/method.hpp"
#include "call/spelling.hpp"
#include "docs/record_docs.hpp"
#include "support/bytes_like.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/json/tjson.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/records.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

const signature_of<cut_call>& cut_signature() {
  static const signature_of<cut_call> signature("cut_records", {cut_data, true}, cut_options);
  return signature;
}

/// The records of one call, collected without the GIL.
struct cut_result {
  struct row {
    record item;
    std::size_t from = 0;  ///< of the value, in the data
    std::string copied;    ///< the value, decoded from a line of text
  };
  std::vector<row> rows;
  error reason;
  bool can_continue = true;
  std::size_t bytes_needed = 0;
  std::size_t next = 0;  ///< in the data
};

bool is_inside(byte_view part, byte_view window) noexcept {
  return std::less_equal<>()(window.begin(), part.begin()) && std::less_equal<>()(part.end(), window.end());
}

cut_result cut(byte_view data, const cut_call& call) {
  cut_result output;
  const byte_view window = data.part(call.start, data.size() - call.start);
  records in(call.options);
  in.borrow(window, call.last != 0);
  while (output.rows.size() < call.count) {
    record item;
    const result<bool> status = in.try_next(item);
    if (!status) output.reason = status.error();
    if (!status || !*status) break;
    cut_result::row row{.item = item, .from = 0, .copied = {}};
    if (is_inside(item.bytes, data))
      row.from = static_cast<std::size_t>(item.bytes.data() - data.data());
    else
      row.copied = item.bytes.text();
    output.rows.push_back(std::move(row));
  }
  output.can_continue = in.can_continue();
  output.bytes_needed = in.required();
  output.next = data.size() - in.rest().size();
  return output;
}

/// (name, type, sequence id, strict, protocol, (begin, end) of Finagle's header in the data or None), or
/// None.
PyObject* message_of(const record& of, byte_view data) {
  if (!of.message) return new_reference(Py_None);
  object name(shown_text(of.message->name));
  const auto at = static_cast<Py_ssize_t>(of.header.empty() ? 0 : of.header.data() - data.data());
  const object header(of.header.empty()
                          ? new_reference(Py_None)
                          : Py_BuildValue("(nn)", at, at + static_cast<Py_ssize_t>(of.header.size())));
  if (!name || !header) return nullptr;
  return Py_BuildValue("(OsiisO)", name.get(), to_string(of.message->type).data(), of.message->sequence_id,
                       of.message->strict ? 1 : 0,
                       spellings<protocol_id>[static_cast<std::size_t>(of.protocol)], header.get());
}
/// (offset, size, (begin, end) of the value in the data or the value itself or None, message).
PyObject* row_of(const cut_result::row& row, byte_view data) {
  object message(message_of(row.item, data));
  if (!message) return nullptr;
  object value;
  if (row.item.is_null)
    value = object::share(Py_None);
  else if (is_inside(row.item.bytes, data))
    value = object(Py_BuildValue("(nn)", static_cast<Py_ssize_t>(row.from),
                                 static_cast<Py_ssize_t>(row.from + row.item.bytes.size())));
  else
    value = object(PyBytes_FromStringAndSize(row.copied.data(), static_cast<Py_ssize_t>(row.copied.size())));
  if (!value) return nullptr;
  return Py_BuildValue("(KKOO)", static_cast<unsigned long long>(row.item.offset),
                       static_cast<unsigned long long>(row.item.size), value.get(), message.get());
}

PyObject* cut_function(PyObject*, const arguments& args) {
  positional_values positionals;
  cut_call call;
  bytes_like data;
  if (!cut_signature().read(args, positionals, call) || !data.take(positionals[0])) return nullptr;
  call.start = std::min<std::uint64_t>(call.start, data.bytes().size());
  const cut_result output = [&] {
    const unlocked free(data.bytes().size() - call.start);
    return cut(data.bytes(), call);
  }();
  object rows(PyList_New(0));
  if (!rows) return nullptr;
  for (const cut_result::row& entry : output.rows) {
    if (!append_new(rows, row_of(entry, data.bytes()))) return nullptr;
  }
  object reason(output.reason.code() == errc::ok ? new_reference(Py_None)
                                                 : exception_of(output.reason, family::decode));
  if (!reason) return nullptr;
  return Py_BuildValue("(OnnOO)", rows.get(), static_cast<Py_ssize_t>(output.next),
                       static_cast<Py_ssize_t>(output.bytes_needed), reason.get(),
                       output.can_continue ? Py_True : Py_False);
}

struct head_call {
  message_type kind = message_type::call;
  std::int32_t sequence_id = 0;
  wire_form protocol = wire_form::binary;
  std::uint64_t strict = 1;
};

bool take_kind(message_type& to, const char* name, PyObject* value) {
  for (unsigned raw = 1; is_message_type(raw); ++raw) {
    to = static_cast<message_type>(raw);
    if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, to_string(to).data()) == 0)
      return true;
  }
  PyErr_Format(PyExc_ValueError, "%s must be 'call', 'reply', 'exception' or 'oneway', not %R", name, value);
  return false;
}
bool take_sequence_id(std::int32_t& to, const char* name, PyObject* value_object) {
  const long value = PyLong_AsLong(value_object);
  if (value == -1 && PyErr_Occurred()) return false;
  to = static_cast<std::int32_t>(value);
  if (to == value) return true;
  PyErr_Format(PyExc_ValueError, "%s must fit 32 bits", name);
  return false;
}

/// Appends the text before the struct: `[1,"name",1,7,`. The caller adds `]` after it.
result<void> try_append_tjson_head(const message_header& head, buffer& out) {
  result<void> status = tjson::try_append_message(head, "", out);
  if (status) out.truncate(out.size() - 1);
  return status;
}

const signature_of<head_call>& head_signature() {
  static constexpr positional list[] = {{"name"}};
  static constexpr auto options =
      table(converted<&take_kind, &head_call::kind>("kind", "'call'"),
            converted<&take_sequence_id, &head_call::sequence_id>("sequence_id", "0"),
            choice<&head_call::protocol>("protocol"), number<&head_call::strict>("strict", 0, 1));
  static const signature_of<head_call> signature("message_head", {list, true}, options);
  return signature;
}
PyObject* head_function(PyObject*, const arguments& args) {
  positional_values positionals;
  head_call call;
  if (!head_signature().read(args, positionals, call)) return nullptr;
  if (!PyUnicode_Check(positionals[0])) {
    PyErr_SetString(PyExc_TypeError, "name must be a str");
    return nullptr;
  }
  message_header head{
      .name = {}, .type = call.kind, .sequence_id = call.sequence_id, .strict = call.strict != 0};
  if (!utf8_of(positionals[0], head.name, errc::value_type, family::encode)) return nullptr;
  return bytes_of(0, [&](buffer& out) {
    if (call.protocol == wire_form::tjson) return try_append_tjson_head(head, out);
    visit_protocol(protocol_of(call.protocol), [&](auto tag) {
      typename decltype(tag)::writer to(out);
      write_message(to, head);
    });
    return result<void>();
  });
}

struct detect_call {
  detect_options detect = {};
  std::uint64_t all_guesses = 1;
};
const signature_of<detect_call>& detect_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr auto options = table(number<&detect_call::all_guesses>("all", 0, 1),
                                        depth_option<&detect_call::detect, &detect_options::limits>());
  static const signature_of<detect_call> signature("detect", {list, true}, options);
  return signature;
}
/// (shape, protocol, framing, lead, count, bits, text).
PyObject* row_of(const guess& of) {
  constexpr const char* shapes[] = {"struct", "message", "structs", "messages", "list"};
  const char* protocol =
      of.is_tjson ? "tjson" : spellings<protocol_id>[static_cast<std::size_t>(of.protocol)];
  const std::string text = of.to_string();
  return Py_BuildValue("(sssnnds)", shapes[static_cast<std::size_t>(of.shape)], protocol,
                       to_string(of.framing).data(), static_cast<Py_ssize_t>(of.lead),
                       static_cast<Py_ssize_t>(of.count), of.bits, text.c_str());
}
PyObject* detect_function(PyObject*, const arguments& args) {
  positional_values positionals;
  detect_call call;
  bytes_like data;
  if (!detect_signature().read(args, positionals, call) || !data.take(positionals[0])) return nullptr;
  call.detect.is_all = call.all_guesses != 0;
  const std::vector<guess> guesses = [&] {
    const unlocked free(data.bytes().size());
    return detect(data.bytes(), call.detect);
  }();
  object rows(PyList_New(0));
  if (!rows) return nullptr;
  for (const guess& entry : guesses) {
    if (!append_new(rows, row_of(entry))) return nullptr;
  }
  return rows.release();
}

struct no_options {
  int none = 0;
};
const signature_of<no_options>& text_signature() {
  static constexpr positional list[] = {{"data"}};
  static constexpr option_table<no_options, 0> none{};
  static const signature_of<no_options> signature("text_message", {list, true}, none);
  return signature;
}
PyObject* text_function(PyObject*, const arguments& args) {
  positional_values positionals;
  bytes_like data;
  if (!text_signature().read(args, positionals) || !data.take(positionals[0])) return nullptr;
  const result<tjson::message> message = tjson::try_read_message(data.bytes().text());
  if (!message) return raise_error(message.error());
  object name(shown_text(message->name));
  if (!name) return nullptr;
  return Py_BuildValue("(Osinn)", name.get(), to_string(message->type).data(), message->sequence_id,
                       static_cast<Py_ssize_t>(message->offset),
                       static_cast<Py_ssize_t>(message->offset + message->body.size()));
}

}  // namespace

std::span<const method> records_functions() {
  static const method methods[] = {{cut_signature(), fast_method<cut_function>(), cut_records_doc},
                                   {detect_signature(), fast_method<detect_function>(), detect_doc},
                                   {text_signature(), fast_method<text_function>(), text_message_doc},
                                   {head_signature(), fast_method<head_function>(), message_head_doc}};
  return methods;
}

}  // namespace thriftlens::python
