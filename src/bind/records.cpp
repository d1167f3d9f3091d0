// records: functions on which thriftlens.scan, thriftlens.detect and thriftlens.Message are built.
#include "call/common_options.hpp"
#include "call/cut_call.hpp"
#include "call/method.hpp"
#include "docs/record_docs.hpp"
#include "support/argument.hpp"
#include "support/bytes_like.hpp"
#include "support/named_tuple.hpp"
#include "support/unlocked.hpp"

#include <thriftlens/json/tjson.hpp>
#include <thriftlens/protocol/select.hpp>
#include <thriftlens/records/append_framed.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/records/framing_table.hpp>
#include <thriftlens/records/records.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace thriftlens::python {

namespace {

constexpr auto cut_signature = signature_from<"cut_records", cut_data, cut_options, passing::by_name_too>;

/// The records of one call, collected without the GIL.
struct cut_result {
  struct row {
    record item;
    std::size_t from = 0;  ///< of the value, in the data
    std::string copied;    ///< the value, decoded from a line of text
  };
  std::vector<row> rows;
  cut_status end;
};

cut_result cut(byte_view data, const cut_call& call) {
  cut_result output;
  output.end = cut(data, call, [&](const record& item, byte_view, byte_view) {
    cut_result::row row{.item = item, .from = 0, .copied = {}};
    if (is_inside(item.bytes, data))
      row.from = static_cast<std::size_t>(item.bytes.data() - data.data());
    else
      row.copied = item.bytes.text();
    output.rows.push_back(std::move(row));
    return output.rows.size() < call.count;
  });
  return output;
}

named_tuple message_class("thriftlens._core.RecordMessage",
                          "The message header of a record. `header`: where Finagle's header begins and ends "
                          "in the data, or None.",
                          {"name", "kind", "sequence_id", "strict", "protocol", "header"});
PyObject* message_of(const record& of, byte_view data) {
  if (!of.message) return new_none();
  const auto at = of.header.empty() ? 0 : of.header.data() - data.data();
  const auto end = at + static_cast<Py_ssize_t>(of.header.size());
  return message_class.make(of.message->name, to_string(of.message->type), of.message->sequence_id,
                            of.message->strict, spellings<protocol_id>[static_cast<std::size_t>(of.protocol)],
                            of.header.empty() ? new_none() : new_tuple(at, end));
}
PyObject* value_of(const cut_result::row& row, byte_view data) {
  if (row.item.is_null) return new_none();
  return is_inside(row.item.bytes, data) ? new_tuple(row.from, row.from + row.item.bytes.size())
                                         : to_python(byte_view(row.copied));
}
/// (offset, size, (begin, end) of the value in the data or the value itself or None, message or None).
PyObject* row_of(const cut_result::row& row, byte_view data) {
  return new_tuple(row.item.offset, row.item.size, value_of(row, data), message_of(row.item, data));
}

named_tuple cut_class("thriftlens._core.CutRecords",
                      "Records as (offset, size, (begin, end) of the value or its bytes or None, message or "
                      "None). `next`: where to continue in the data; `needed`: bytes that the next record "
                      "needs.",
                      {"rows", "next", "needed", "error", "can_continue"});
PyObject* cut_function(PyObject*, PyObject** positionals, cut_call& call) {
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  call.start = std::min<std::uint64_t>(call.start, data.bytes().size());
  const cut_result output =
      without_gil(data.bytes().size() - call.start, [&] { return cut(data.bytes(), call); });
  object rows(
      new_list(output.rows, [&](const cut_result::row& entry) { return row_of(entry, data.bytes()); }));
  if (!rows) return nullptr;
  return cut_class.make(std::move(rows), output.end.next, output.end.bytes_needed,
                        exception_or_none(output.end.reason, family::decode), output.end.can_continue);
}

named_tuple framing_class(
    "thriftlens._core.Framing",
    "A framing of records. `is_sized`: a header with the size precedes every record; "
    "`is_text`: one record per line; `has_null`: it has null records. `bits`: improbability "
    "of a header or line among random bytes, as a power of two.",
    {"name", "description", "is_sized", "is_text", "has_null", "bits"});
constexpr auto framings_signature = signature_from<"framings", no_positionals>;
PyObject* framings_function(PyObject*, PyObject**) {
  return new_list(detail::framing_table, [](const detail::framing_row& row) {
    return framing_class.make(
        to_string(row.of), detail::framing_descriptions[static_cast<std::size_t>(row.of)],
        row.read_header != nullptr, row.append_line != nullptr, row.put_null != nullptr, row.bits);
  });
}

struct frame_call {
  framing kind = framing::none;
  std::uint64_t start = 0;
};
constexpr auto frame_table = table(required_choice<&frame_call::kind>("framing"));
constexpr auto frame_signature = signature_from<"frame", required_positionals<"record">, frame_table>;
PyObject* frame_function(PyObject*, PyObject** positionals, const frame_call& call) {
  if (positionals[0] == Py_None)
    return bytes_of(0, [&](buffer& out) { return try_append_null_record(call.kind, out); });
  bytes_like record;
  if (!record.take(positionals[0])) return nullptr;
  return bytes_of(0, [&](buffer& out) { return try_append_framed(record.bytes(), call.kind, out); });
}

named_tuple frame_class(
    "thriftlens._core.Frame",
    "A frame or line: where its content begins and ends in the data, perhaps after the end "
    "of the data; or the bytes that a line encodes, else None.",
    {"begin", "end", "content"});
constexpr auto read_frame_table =
    table(required_choice<&frame_call::kind>("framing"), number<&frame_call::start>("start", 0, max_offset));
constexpr auto read_frame_signature = signature_from<"read_frame", cut_data, read_frame_table>;
PyObject* read_line(byte_view line, bool (*decode_word)(byte_view, buffer&)) {
  buffer content;
  if (!decode_word(detail::last_word(detail::trimmed(line)), content)) return new_none();
  return frame_class.make(std::size_t{0}, line.size(), byte_view(content));
}
PyObject* read_frame_at(byte_view data, std::size_t start, framing kind) {
  const byte_view window = data.part(start, data.size() - start);
  const detail::framing_row& row = detail::row_of(kind);
  if (row.decode_word != nullptr) return read_line(window, row.decode_word);
  if (row.read_header == nullptr) return frame_class.make(start, data.size(), new_none());
  const detail::frame_header header = row.read_header(window);
  if (header.code != errc::ok) return new_none();
  return frame_class.make(start + header.begin, start + header.begin + header.size, new_none());
}
PyObject* read_frame_function(PyObject*, PyObject** positionals, const frame_call& call) {
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  return read_frame_at(data.bytes(), std::min<std::uint64_t>(call.start, data.bytes().size()), call.kind);
}

struct head_call {
  message_type kind = message_type::call;
  std::int32_t sequence_id = 0;
  wire_form protocol = wire_form::binary;
  std::uint64_t strict = 1;
};

bool take_kind(message_type& to, const char* name, PyObject* value) {
  return find_value(value,
                    {message_type::call, message_type::reply, message_type::exception, message_type::oneway},
                    to) ||
         raise_value_error("%s must be 'call', 'reply', 'exception' or 'oneway', not %s", name,
                           shown(value).c_str());
}
bool take_call_id(std::int32_t& to, const char* name, PyObject* value_object) {
  const long value = PyLong_AsLong(value_object);
  if (value == -1 && PyErr_Occurred()) return false;
  to = static_cast<std::int32_t>(value);
  return to == value || raise_value_error("%s must fit 32 bits", name);
}

/// Appends the text before the struct: `[1,"name",1,7,`. The caller adds `]` after it.
result<void> try_append_tjson_head(const message_header& head, buffer& out) {
  result<void> status = tjson::try_append_message(head, "", out);
  if (status) out.truncate(out.size() - 1);
  return status;
}

constexpr auto head_table =
    table(converted<&take_kind, &head_call::kind>("kind", "'call'"),
          converted<&take_call_id, &head_call::sequence_id>("sequence_id", "0"),
          choice<&head_call::protocol>("protocol"), number<&head_call::strict>("strict", 0, 1));
constexpr auto head_signature = named_signature<"message_head", head_table, "name">;
result<void> try_append_head(const message_header& head, wire_form protocol, buffer& out) {
  if (protocol == wire_form::tjson) return try_append_tjson_head(head, out);
  visit_protocol(protocol_of(protocol), [&](auto tag) {
    typename decltype(tag)::writer to(out);
    write_message(to, head);
  });
  return {};
}
PyObject* head_function(PyObject*, PyObject** positionals, const head_call& call) {
  message_header head{
      .name = {}, .type = call.kind, .sequence_id = call.sequence_id, .strict = call.strict != 0};
  if (!PyUnicode_Check(positionals[0])) return raise_type_error("name must be a str");
  if (!utf8_of(positionals[0], head.name, errc::value_type, family::encode)) return nullptr;
  return bytes_of(0, [&](buffer& out) { return try_append_head(head, call.protocol, out); });
}

struct detect_call {
  detect_options detect = {};
  std::uint64_t all_guesses = 1;
};
constexpr auto detect_table = table(number<&detect_call::all_guesses>("all", 0, 1),
                                    depth_option<&detect_call::detect, &detect_options::limits>());
constexpr auto detect_signature = named_signature<"detect", detect_table, "data">;
named_tuple guess_class("thriftlens._core.GuessRow",
                        "A form that bytes may have, with its score in bits and its description.",
                        {"shape", "protocol", "framing", "prefix_size", "value_count", "bits", "text"});
PyObject* row_of(const guess& of) {
  constexpr const char* shapes[] = {"struct", "message", "structs", "messages", "list"};
  const char* protocol =
      of.is_tjson ? "tjson" : spellings<protocol_id>[static_cast<std::size_t>(of.protocol)];
  return guess_class.make(shapes[static_cast<std::size_t>(of.shape)], protocol, to_string(of.framing),
                          of.prefix_size, of.count, of.bits, of.to_string());
}
PyObject* detect_function(PyObject*, PyObject** positionals, detect_call& call) {
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  call.detect.is_all = call.all_guesses != 0;
  const std::vector<guess> guesses =
      without_gil(data.bytes().size(), [&] { return detect(data.bytes(), call.detect); });
  return new_list(guesses, [](const guess& entry) { return row_of(entry); });
}

constexpr auto text_signature = named_signature<"text_message", empty_table, "data">;
named_tuple text_message_class("thriftlens._core.TextMessage",
                               "A message in JSON protocol, and where its struct begins and ends.",
                               {"name", "kind", "sequence_id", "begin", "end"});
PyObject* text_function(PyObject*, PyObject** positionals) {
  bytes_like data;
  if (!data.take(positionals[0])) return nullptr;
  const result<tjson::message> message = tjson::try_read_message(data.bytes().text());
  if (!message) return raise_error(message.error());
  return text_message_class.make(message->name, to_string(message->type), message->sequence_id,
                                 message->offset, message->offset + message->body.size());
}

}  // namespace

std::span<const method> records_functions() {
  static const method methods[] = {method_of<cut_signature, cut_function>(cut_records_doc),
                                   method_of<framings_signature, framings_function>(framings_doc),
                                   method_of<frame_signature, frame_function>(frame_doc),
                                   method_of<read_frame_signature, read_frame_function>(read_frame_doc),
                                   method_of<detect_signature, detect_function>(detect_doc),
                                   method_of<text_signature, text_function>(text_message_doc),
                                   method_of<head_signature, head_function>(message_head_doc)};
  return methods;
}

}  // namespace thriftlens::python
