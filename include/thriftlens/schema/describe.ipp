// describe: bodies of describe.hpp.
#pragma once

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/describe.hpp>
#include <thriftlens/schema/describe_value.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

/// Number of fields before the exceptions in a function's result.
[[nodiscard]] inline std::uint32_t first_thrown(const schema_image& image,
                                                const image::function_node& of) noexcept {
  return image.types[of.returns].kind == type_kind::void_ ? 0 : 1;
}

/// Writes the JSON form. Type names are relative to the root file.
class json_describer {
 public:
  explicit json_describer(const schema_image& image) : image_(image) {}

  [[nodiscard]] std::string program() {
    const image::program_node& root = image_.programs[0];
    out_ = "{\"schema\":\"thriftlens.describe/1\",\"program\":";
    text(root.name);
    out_ += ",\"namespaces\":{";
    namespaces(root.namespaces);
    out_ += '}';
    array("includes", root.includes, [&](std::uint32_t i) { text(image_.programs[image_.indices[i]].name); });
    declarations("enums", root.enums, image_.enums);
    declarations("typedefs", root.typedefs, image_.typedefs);
    declarations("structs", root.structs, image_.structs);
    declarations("consts", root.consts, image_.consts);
    declarations("services", root.services, image_.services);
    out_ += '}';
    return std::move(out_);
  }
  [[nodiscard]] std::string type(thriftlens::type of) {
    if (of.is_struct())
      write(of.structure());
    else if (of.is_enum())
      write(image_.enums[of.node().first]);
    else
      reference(of.index());
    return std::move(out_);
  }

 private:
  /// Elements of an array or object.
  void elements(const auto& list, auto write_element) {
    bool first = true;
    for (const auto element : list) {
      if (!std::exchange(first, false)) out_ += ',';
      write_element(element);
    }
  }
  void array(std::string_view name, image::slice part, auto write_element) {
    key(name);
    out_ += '[';
    elements(part.indices(), write_element);
    out_ += ']';
  }
  void declarations(std::string_view name, image::slice part, const auto& nodes) {
    array(name, part, [&](std::uint32_t i) { write(nodes[i]); });
  }
  void text(image::slice part) { append_quoted(out_, image_.view(part)); }
  void write(const image::annotation_node& node) {
    out_ += '[';
    text(node.key);
    out_ += ',';
    text(node.value);
    out_ += ']';
  }
  /// Begins the object of a declaration.
  void open(image::slice name) {
    out_ += "{\"name\":";
    text(name);
  }
  /// Ends it.
  void close(image::slice doc, image::slice annotations) {
    extras(doc, annotations);
    out_ += '}';
  }
  void key(std::string_view name) {
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
  }
  /// A duplicate scope is written once, with its last name.
  void namespaces(image::slice part) {
    std::unordered_map<std::string_view, std::uint32_t> last;
    const auto scope_of = [this](std::uint32_t i) { return image_.view(image_.namespaces[i].scope); };
    for (const std::uint32_t i : part.indices()) last[scope_of(i)] = i;
    std::vector<std::uint32_t> shown;
    std::ranges::copy_if(part.indices(), std::back_inserter(shown),
                         [&](std::uint32_t i) { return last[scope_of(i)] == i; });
    elements(shown, [this](std::uint32_t i) { write(image_.namespaces[i]); });
  }
  void write(const image::namespace_node& node) {
    text(node.scope);
    out_ += ':';
    text(node.name);
  }
  void extras(image::slice doc, image::slice annotations) {
    if (doc.size != 0) named_text("doc", doc);
    if (annotations.size == 0) return;
    declarations("annotations", annotations, image_.annotations);
  }
  void write(const image::enum_node& node) {
    open(node.name);
    declarations("values", node.members, image_.enum_members);
    member_annotations(node.members);
    close(node.doc, node.annotations);
  }
  void write(const image::enum_member_node& node) {
    out_ += '[';
    text(node.name);
    out_ += ',' + std::to_string(node.value) + ']';
  }
  /// [name, annotations] of members with annotations, if there are any.
  void member_annotations(image::slice members) {
    std::vector<std::uint32_t> annotated;
    std::ranges::copy_if(members.indices(), std::back_inserter(annotated),
                         [&](std::uint32_t i) { return image_.enum_members[i].annotations.size != 0; });
    if (annotated.empty()) return;
    key("member_annotations");
    out_ += '[';
    elements(annotated, [this](std::uint32_t i) {
      const image::enum_member_node& member = image_.enum_members[i];
      out_ += '[';
      text(member.name);
      out_ += ",[";
      elements(member.annotations.indices(), [this](std::uint32_t at) { write(image_.annotations[at]); });
      out_ += "]]";
    });
    out_ += ']';
  }
  /// Annotations of a written type, and of its parameters in an array.
  void written(std::uint32_t written_index) {
    if (written_index == image::none) return;
    const image::written_type& of = image_.written_types[written_index];
    if (of.annotations.size != 0) declarations("type_annotations", of.annotations, image_.annotations);
    if (of.first == image::none && of.second == image::none) return;
    key("type_parameters");
    out_ += '[';
    parameter(of.first);
    if (of.second != image::none) {
      out_ += ',';
      parameter(of.second);
    }
    out_ += ']';
  }
  void parameter(std::uint32_t written_index) {
    const std::size_t begin = out_.size();
    written(written_index);
    if (out_.size() == begin)
      out_ += "{}";
    else
      out_[begin] = '{', out_ += '}';
  }
  void named_type(const auto& node, std::uint32_t written_index) {
    open(node.name);
    key("type");
    reference(node.type);
    written(written_index);
    extras(node.doc, node.annotations);
  }
  void write(const image::typedef_node& node) {
    named_type(node, node.written);
    out_ += '}';
  }
  void write(const image::const_node& node) {
    named_type(node, node.written_as);
    value(node.type, node.written, "value");
    out_ += '}';
  }
  void write(const image::struct_node& node) {
    open(node.name);
    key("kind");
    append_quoted(out_, to_string(node.kind));
    fields("fields", node, 0);
    close(node.doc, node.annotations);
  }
  void fields(std::string_view name, const image::struct_node& node, std::uint32_t from) {
    array(name, {node.declared + from, node.fields.size - from},
          [&](std::uint32_t i) { field(field_info(&image_, image_.indices[i])); });
  }
  void field(const field_info& info) {
    const image::field_text& texts = info.texts();
    out_ += joined({"{\"id\":", info.id(), ",\"name\":"});
    text(texts.name);
    key("type");
    reference(info.node().type);
    key("req");
    append_quoted(out_, requiredness(info.requiredness()));
    if (info.has_default()) value(info.node().type, texts.default_written, "default");
    if (info.alias() != info.name()) named_text("alias", texts.alias);
    written(texts.written);
    close(texts.doc, texts.annotations);
  }
  void named_text(std::string_view name, image::slice part) {
    key(name);
    text(part);
  }
  void value(std::uint32_t type, image::slice bytes, std::string_view name) {
    key(name);
    append_described_value(out_, image_, type, bytes);
  }
  [[nodiscard]] static std::string_view requiredness(field_requiredness of) noexcept {
    if (of == field_requiredness::required) return "required";
    return of == field_requiredness::optional ? "optional" : "default";
  }
  void reference(std::uint32_t index) {
    const thriftlens::type of(&image_, index);
    const bool is_base = !of.is_struct() && !of.is_enum() && !of.is_container();
    if (!is_base) out_ += '{';
    append_quoted(out_, to_string(of.kind()));
    if (is_base) return;
    out_ += ':';
    if (of.is_container())
      arguments(of.node());
    else
      append_quoted(out_, of.name());
    out_ += '}';
  }
  /// Of a container's type.
  void arguments(const image::type_node& node) {
    if (node.kind != type_kind::map) return reference(node.first);
    out_ += '[';
    reference(node.first);
    out_ += ',';
    reference(node.second);
    out_ += ']';
  }
  void write(const image::service_node& node) {
    open(node.name);
    key("extends");
    if (node.base == image::none)
      out_ += "null";
    else
      append_quoted(out_, service_info(&image_, node.base).name());
    declarations("functions", node.functions, image_.functions);
    close(node.doc, node.annotations);
  }
  void write(const image::function_node& node) {
    open(node.name);
    key("oneway");
    out_ += node.oneway ? "true" : "false";
    key("streaming");
    const auto index = static_cast<std::uint32_t>(&node - image_.functions.data());
    append_quoted(out_, to_string(function_info(&image_, index).streaming()));
    key("returns");
    reference(node.returns);
    written(node.written);
    fields("args", image_.structs[node.arguments], 0);
    fields("throws", image_.structs[node.result], first_thrown(image_, node));
    close(node.doc, node.annotations);
  }

  const schema_image& image_;
  std::string out_;
};

/// Files beyond the root's includes whose types the root's declarations use, and their paths for an include.
class include_finder {
 public:
  explicit include_finder(const schema_image& image)
      : image_(image),
        named_(image.programs.size()),
        seen_(image.types.size()),
        path_of_(image.programs.size()) {
    const image::program_node& root = image.programs[0];
    for (const std::uint32_t i : root.typedefs.indices()) type(image.typedefs[i].type);
    for (const std::uint32_t i : root.consts.indices()) type(image.consts[i].type);
    for (const std::uint32_t i : root.structs.indices()) fields(image.structs[i]);
    for (const std::uint32_t i : root.services.indices()) service(image.services[i]);
  }

  /// Their paths, after the root's own includes.
  [[nodiscard]] std::vector<std::string> paths() {
    open_ = {0};
    for (std::size_t next = 0; next < open_.size(); ++next) add_includes(open_[next]);
    return std::move(paths_);
  }

 private:
  /// All includes of the root; of other files those that are used.
  void add_includes(std::uint32_t program) {
    const image::program_node& from = image_.programs[program];
    std::uint32_t written = from.include_paths;
    for (const std::uint32_t i : from.includes.indices()) {
      const std::uint32_t to = image_.indices[i];
      const std::string path = path_to(to, image_.view(image_.include_paths[written++]), program);
      const bool fresh = to != 0 && path_of_[to].empty();
      if (program == 0 || (fresh && named_[to])) paths_.push_back(path);
      if (!fresh) continue;
      path_of_[to] = path;
      open_.push_back(to);
    }
  }
  /// A file is found next to the including file, or by its path.
  [[nodiscard]] std::string path_to(std::uint32_t to, std::string_view written, std::uint32_t from) const {
    const std::string beside = folder(image_.view(image_.programs[from].file)) + std::string(written);
    const bool is_beside = from != 0 && beside == image_.view(image_.programs[to].file);
    return (is_beside ? folder(path_of_[from]) : std::string()) + std::string(written);
  }
  static std::string folder(std::string_view file) {
    return std::string(file.substr(0, file.rfind('/') + 1));
  }
  void fields(const image::struct_node& of) {
    for (const std::uint32_t i : of.fields.indices()) type(image_.fields[i].type);
  }
  void service(const image::service_node& of) {
    if (of.base != image::none) named_[image_.services[of.base].program] = true;
    for (const std::uint32_t i : of.functions.indices()) {
      fields(image_.structs[image_.functions[i].arguments]);
      fields(image_.structs[image_.functions[i].result]);
    }
  }
  void type(std::uint32_t index) {
    if (seen_[index]) return;
    seen_[index] = true;
    const image::type_node& node = image_.types[index];
    if (is_struct(node.kind))
      named_[image_.structs[node.first].program] = true;
    else if (node.kind == type_kind::enum_)
      named_[image_.enums[node.first].program] = true;
    else if (is_container(node.wire))
      type(node.first);
    if (node.kind == type_kind::map) type(node.second);
  }

  const schema_image& image_;
  std::vector<bool> named_;           // by program
  std::vector<bool> seen_;            // by type
  std::vector<std::string> path_of_;  // by program; empty: not visited
  std::vector<std::uint32_t> open_;   // programs whose includes are being visited
  std::vector<std::string> paths_;
};

/// Writes the text form.
class text_describer {
 public:
  explicit text_describer(const schema_image& image) : image_(image) {}

  [[nodiscard]] std::string program() {
    const image::program_node& root = image_.programs[0];
    out_ = joined({"// program ", text_of(root.name), '\n'});
    for (const auto i : root.namespaces.indices()) {
      const image::namespace_node& node = image_.namespaces[i];
      out_ += joined({"namespace ", text_of(node.scope), ' ', text_of(node.name), '\n'});
    }
    for (const std::string& path : include_finder(image_).paths()) include(path);
    declarations(root);
    return std::move(out_);
  }
  [[nodiscard]] std::string type(thriftlens::type of) {
    if (of.is_struct())
      write(of.structure());
    else if (of.is_enum())
      write(image_.enums[of.node().first]);
    else
      out_ = of.name() + '\n';
    return std::move(out_);
  }

 private:
  void include(std::string_view path) {
    out_ += "include ";
    append_idl_literal(out_, path);
    out_ += '\n';
  }
  void declarations(const image::program_node& of) {
    sections(of.typedefs, image_.typedefs);
    sections(of.enums, image_.enums);
    sections(of.consts, image_.consts);
    sections(of.structs, image_.structs);
    sections(of.services, image_.services);
  }
  /// Separated by empty lines.
  void sections(image::slice part, const auto& nodes) {
    for (const std::uint32_t i : part.indices()) {
      out_ += '\n';
      write(nodes[i]);
    }
  }
  [[nodiscard]] std::string text_of(image::slice part) const { return std::string(image_.view(part)); }
  [[nodiscard]] std::string name_of(std::uint32_t type) const {
    return thriftlens::type(&image_, type).name();
  }
  /// A written type with its annotations and those of its parameters.
  [[nodiscard]] std::string name_of(std::uint32_t type, std::uint32_t written_index) const {
    if (written_index == image::none) return name_of(type);
    const image::written_type& carried = image_.written_types[written_index];
    const thriftlens::type of(&image_, type);
    std::string name = of.name();
    if (of.is_container()) {
      const image::type_node& node = of.node();
      name = std::string(to_string(of.kind())) + '<' + name_of(node.first, carried.first);
      if (node.kind == type_kind::map) name += joined({", ", name_of(node.second, carried.second)});
      name += '>';
    }
    return name + annotated(carried.annotations);
  }
  [[nodiscard]] std::string annotated(image::slice part) const {
    if (part.size == 0) return {};
    std::string text = " (";
    for (const std::uint32_t i : part.indices()) {
      const image::annotation_node& node = image_.annotations[i];
      text += joined({i == part.begin ? "" : ", ", text_of(node.key), " = "});
      append_idl_literal(text, image_.view(node.value));
    }
    return text + ')';
  }
  void value(std::uint32_t type, image::slice bytes) {
    out_ += " = ";
    append_described_value(out_, image_, type, bytes, described_as::idl);
  }
  /// Ends the line.
  void doc(image::slice part, std::string_view indent) {
    if (part.size == 0) return;
    const std::string margin(indent), text = text_of(part);
    const bool one_line = text.find('\n') == std::string::npos;
    out_ += margin + (one_line ? joined({"/** ", text}) : "/**\n");
    if (!one_line) doc_lines(margin, text);
    out_ += " */\n";
  }
  void doc_lines(const std::string& margin, const std::string& text) {
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = text.find('\n', begin);
      doc_line(margin, text.substr(begin, end - begin));
    }
    out_ += margin;
  }
  void doc_line(const std::string& margin, const std::string& line) {
    out_ += margin + (line.empty() ? " *" : " * ") + line + '\n';
  }
  void write(const image::typedef_node& node) {
    doc(node.doc, "");
    out_ += joined({"typedef ", name_of(node.type, node.written), ' ', text_of(node.name),
                    annotated(node.annotations), '\n'});
  }
  void write(const image::const_node& node) {
    doc(node.doc, "");
    out_ += joined({"const ", name_of(node.type, node.written_as), ' ', text_of(node.name)});
    value(node.type, node.written);
    out_ += annotated(node.annotations) + '\n';
  }
  void write(const image::enum_node& node) {
    doc(node.doc, "");
    out_ += joined({"enum ", name_of(node.type), " {\n"});
    for (const std::uint32_t i : node.members.indices()) {
      const image::enum_member_node& member = image_.enum_members[i];
      doc(member.doc, "  ");
      out_ += joined({"  ", text_of(member.name), " = ", member.value, annotated(member.annotations), '\n'});
    }
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void write(const image::struct_node& node) {
    doc(node.doc, "");
    out_ += joined({to_string(node.kind), ' ', name_of(node.type), " {\n"});
    for (const field_info info : thriftlens::type(&image_, node.type).fields()) {
      doc(info.texts().doc, "  ");
      out_ += "  ";
      field(info, node.kind != type_kind::union_);
      out_ += '\n';
    }
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void field(const field_info& info, bool with_requiredness) {
    out_ += joined({info.id(), ": "});
    if (with_requiredness && info.requiredness() == field_requiredness::required) out_ += "required ";
    if (with_requiredness && info.requiredness() == field_requiredness::optional) out_ += "optional ";
    out_ += name_of(info.type().index(), info.texts().written) + ' ' + std::string(info.name());
    if (info.has_default()) value(info.type().index(), info.texts().default_written);
    out_ += annotated(info.texts().annotations);
  }
  void arguments(const image::struct_node& node, std::uint32_t from, bool with_requiredness) {
    out_ += '(';
    for (std::uint32_t i = from; i < node.fields.size; ++i) {
      if (i != from) out_ += ", ";
      const field_info info(&image_, image_.indices[node.declared + i]);
      if (!info.doc().empty()) {
        out_ += '\n';
        doc(info.texts().doc, "    ");
        out_ += "    ";
      }
      field(info, with_requiredness);
    }
    out_ += ')';
  }
  void write(const image::service_node& node) {
    doc(node.doc, "");
    out_ += joined({"service ", text_of(node.name)});
    if (node.base != image::none) out_ += joined({" extends ", service_info(&image_, node.base).name()});
    out_ += " {\n";
    for (const std::uint32_t i : node.functions.indices()) write(image_.functions[i]);
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void write(const image::function_node& node) {
    doc(node.doc, "  ");
    out_ += node.oneway ? "  oneway " : "  ";
    out_ += name_of(node.returns, node.written) + ' ' + text_of(node.name);
    arguments(image_.structs[node.arguments], 0, true);
    exceptions(node);
    out_ += annotated(node.annotations) + '\n';
  }
  void exceptions(const image::function_node& node) {
    const std::uint32_t first = first_thrown(image_, node);
    if (image_.structs[node.result].fields.size <= first) return;
    out_ += " throws ";
    arguments(image_.structs[node.result], first, false);
  }

  const schema_image& image_;
  std::string out_;
};

}  // namespace detail

THRIFTLENS_LOADER_BODY std::string describe(const schema& of) {
  return detail::text_describer(*of.image()).program();
}
THRIFTLENS_LOADER_BODY std::string describe(type of) { return detail::text_describer(*of.image()).type(of); }
THRIFTLENS_LOADER_BODY std::string describe_json(const schema& of) {
  return detail::json_describer(*of.image()).program();
}
THRIFTLENS_LOADER_BODY std::string describe_json(type of) {
  return detail::json_describer(*of.image()).type(of);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
