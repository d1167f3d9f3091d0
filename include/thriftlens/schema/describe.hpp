// describe: a schema as text for people and as JSON for programs (`thriftlens.describe/1`).
// In: a schema or one of its types. Out: text in IDL's own spelling, or one JSON object.
// Never meant to be fast; never fails.
#pragma once

#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/describe_value.hpp>
#include <thriftlens/schema/schema.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thriftlens::inline THRIFTLENS_ABI {

namespace detail {

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
    array("enums", root.enums, [&](std::uint32_t i) { enumeration(image_.enums[i]); });
    array("typedefs", root.typedefs, [&](std::uint32_t i) { type_definition(image_.typedefs[i]); });
    array("structs", root.structs, [&](std::uint32_t i) { structure(image_.structs[i]); });
    array("consts", root.consts, [&](std::uint32_t i) { constant(image_.consts[i]); });
    array("services", root.services, [&](std::uint32_t i) { service(image_.services[i]); });
    out_ += '}';
    return std::move(out_);
  }
  [[nodiscard]] std::string type(thriftlens::type of) {
    if (of.is_struct())
      structure(of.structure());
    else if (of.is_enum())
      enumeration(image_.enums[of.node().first]);
    else
      reference(of.index());
    return std::move(out_);
  }

 private:
  void each(image::slice part, auto write) {
    for (std::uint32_t i = 0; i < part.size; ++i) {
      if (i != 0) out_ += ',';
      write(part.begin + i);
    }
  }
  void array(std::string_view name, image::slice part, auto write) {
    key(name);
    out_ += '[';
    each(part, write);
    out_ += ']';
  }
  void text(image::slice part) { append_quoted(out_, image_.view(part)); }
  void pair(image::slice first, image::slice second) {
    out_ += '[';
    text(first);
    out_ += ',';
    text(second);
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
    for (std::uint32_t i = 0; i < part.size; ++i)
      last[image_.view(image_.namespaces[part.begin + i].scope)] = i;
    bool first = true;
    for (std::uint32_t i = 0; i < part.size; ++i) {
      const image::namespace_node& node = image_.namespaces[part.begin + i];
      if (last[image_.view(node.scope)] != i) continue;
      if (!std::exchange(first, false)) out_ += ',';
      text(node.scope);
      out_ += ':';
      text(node.name);
    }
  }
  void extras(image::slice doc, image::slice annotations) {
    if (doc.size != 0) {
      key("doc");
      text(doc);
    }
    if (annotations.size == 0) return;
    array("annotations", annotations,
          [&](std::uint32_t i) { pair(image_.annotations[i].key, image_.annotations[i].value); });
  }
  void enumeration(const image::enum_node& node) {
    open(node.name);
    array("values", node.members, [&](std::uint32_t i) {
      out_ += '[';
      text(image_.enum_members[i].name);
      out_ += ',' + std::to_string(image_.enum_members[i].value) + ']';
    });
    close(node.doc, node.annotations);
  }
  void named_type(const auto& node) {
    open(node.name);
    key("type");
    reference(node.type);
    extras(node.doc, node.annotations);
  }
  void type_definition(const image::typedef_node& node) {
    named_type(node);
    out_ += '}';
  }
  void constant(const image::const_node& node) {
    named_type(node);
    value(node.type, node.written, "value");
    out_ += '}';
  }
  void structure(const image::struct_node& node) {
    open(node.name);
    key("kind");
    append_quoted(out_, to_string(node.kind));
    key("fields");
    fields(node, 0);
    close(node.doc, node.annotations);
  }
  void fields(const image::struct_node& node, std::uint32_t from) {
    out_ += '[';
    each({node.declared + from, node.fields.size - from}, [&](std::uint32_t i) { field(image_.indices[i]); });
    out_ += ']';
  }
  void field(std::uint32_t index) {
    const image::field_node& node = image_.fields[index];
    const image::field_text& texts = image_.field_texts[index];
    out_ += "{\"id\":" + std::to_string(node.id) + ",\"name\":";
    text(texts.name);
    out_ += ",\"type\":";
    reference(node.type);
    key("req");
    append_quoted(out_, requiredness(node.flags));
    if ((node.flags & image::has_default) != 0) value(node.type, texts.default_written, "default");
    if (image_.view(texts.alias) != image_.view(texts.name)) {
      key("alias");
      text(texts.alias);
    }
    close(texts.doc, texts.annotations);
  }
  void value(std::uint32_t type, image::slice bytes, std::string_view name) {
    key(name);
    append_described_value(out_, image_, type, bytes);
  }
  [[nodiscard]] static std::string_view requiredness(std::uint8_t flags) noexcept {
    if ((flags & image::required) != 0) return "required";
    return (flags & image::optional) != 0 ? "optional" : "default";
  }
  void reference(std::uint32_t index) {
    const image::type_node& node = image_.types[index];
    const bool declared = is_struct(node.kind) || node.kind == type_kind::enum_;
    if (!declared && !is_container(node.wire)) return append_quoted(out_, to_string(node.kind));
    out_ += '{';
    append_quoted(out_, to_string(node.kind));
    out_ += ':';
    if (declared)
      append_quoted(out_, thriftlens::type(&image_, index).name());
    else if (node.kind == type_kind::map)
      map_reference(node);
    else
      reference(node.first);
    out_ += '}';
  }
  void map_reference(const image::type_node& node) {
    out_ += '[';
    reference(node.first);
    out_ += ',';
    reference(node.second);
    out_ += ']';
  }
  void service(const image::service_node& node) {
    open(node.name);
    key("extends");
    if (node.base == image::none)
      out_ += "null";
    else
      append_quoted(out_, service_info(&image_, node.base).name());
    array("functions", node.functions, [&](std::uint32_t i) { function(image_.functions[i]); });
    close(node.doc, node.annotations);
  }
  void function(const image::function_node& node) {
    open(node.name);
    key("oneway");
    out_ += node.oneway ? "true" : "false";
    key("returns");
    reference(node.returns);
    key("args");
    fields(image_.structs[node.arguments], 0);
    key("throws");
    fields(image_.structs[node.result], image_.types[node.returns].kind == type_kind::void_ ? 0 : 1);
    close(node.doc, node.annotations);
  }

  const schema_image& image_;
  std::string out_;
};

/// The files that the root's declarations name types of, beyond those it includes, and how an include in the
/// root finds them.
class include_finder {
 public:
  explicit include_finder(const schema_image& image)
      : image_(image), named_(image.programs.size()), seen_(image.types.size()) {
    const image::program_node& root = image.programs[0];
    each(root.typedefs, [&](std::uint32_t i) { type(image.typedefs[i].type); });
    each(root.consts, [&](std::uint32_t i) { type(image.consts[i].type); });
    each(root.structs, [&](std::uint32_t i) { fields(image.structs[i]); });
    each(root.services, [&](std::uint32_t i) { service(image.services[i]); });
  }

  /// Calls `visit(path)` for each, after the root's own.
  void for_each(auto visit) const {
    std::vector<std::string> paths(image_.programs.size());
    std::vector<std::uint32_t> open = {0};
    for (std::size_t next = 0; next < open.size(); ++next) {
      const image::program_node& from = image_.programs[open[next]];
      const bool direct = open[next] == 0;
      for (std::uint32_t i = 0; i < from.includes.size; ++i) {
        const std::uint32_t to = image_.indices[from.includes.begin + i];
        const std::string_view written = image_.view(image_.include_paths[from.include_paths + i]);
        if (direct) visit(written);
        if (to == 0 || !paths[to].empty()) continue;
        paths[to] = direct ? std::string(written) : path_to(to, written, from, paths[open[next]]);
        open.push_back(to);
        if (!direct && named_[to]) visit(std::string_view(paths[to]));
      }
    }
  }

 private:
  /// A file is found beside the one that includes it, or elsewhere by the path alone.
  [[nodiscard]] std::string path_to(std::uint32_t to, std::string_view written,
                                    const image::program_node& from, std::string_view path_of_from) const {
    const std::string beside = folder(image_.view(from.file)) + std::string(written);
    const bool is_beside = beside == image_.view(image_.programs[to].file);
    return (is_beside ? folder(path_of_from) : std::string()) + std::string(written);
  }
  static void each(image::slice part, auto visit) {
    for (std::uint32_t i = part.begin; i < part.begin + part.size; ++i) visit(i);
  }
  static std::string folder(std::string_view file) {
    return std::string(file.substr(0, file.rfind('/') + 1));
  }
  void fields(const image::struct_node& of) {
    each(of.fields, [&](std::uint32_t i) { type(image_.fields[i].type); });
  }
  void service(const image::service_node& of) {
    if (of.base != image::none) named_[image_.services[of.base].program] = true;
    each(of.functions, [&](std::uint32_t i) {
      fields(image_.structs[image_.functions[i].arguments]);
      fields(image_.structs[image_.functions[i].result]);
    });
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
  std::vector<bool> named_;  // by program
  std::vector<bool> seen_;   // by type
};

/// Writes the text form.
class text_describer {
 public:
  explicit text_describer(const schema_image& image) : image_(image) {}

  [[nodiscard]] std::string program() {
    const image::program_node& root = image_.programs[0];
    out_ = "// program " + word(root.name) + '\n';
    for_all(root.namespaces, [&](std::uint32_t i) {
      const image::namespace_node& node = image_.namespaces[i];
      out_ += "namespace " + word(node.scope) + ' ' + word(node.name) + '\n';
    });
    include_finder(image_).for_each([&](std::string_view path) {
      out_ += "include ";
      append_idl_literal(out_, path);
      out_ += '\n';
    });
    sections(root.typedefs, [&](std::uint32_t i) { type_definition(image_.typedefs[i]); });
    sections(root.enums, [&](std::uint32_t i) { enumeration(image_.enums[i]); });
    sections(root.consts, [&](std::uint32_t i) { constant(image_.consts[i]); });
    sections(root.structs, [&](std::uint32_t i) { structure(image_.structs[i]); });
    sections(root.services, [&](std::uint32_t i) { service(image_.services[i]); });
    return std::move(out_);
  }
  [[nodiscard]] std::string type(thriftlens::type of) {
    if (of.is_struct())
      structure(of.structure());
    else if (of.is_enum())
      enumeration(image_.enums[of.node().first]);
    else
      out_ = of.name() + '\n';
    return std::move(out_);
  }

 private:
  static void for_all(image::slice part, auto write) {
    for (std::uint32_t i = 0; i < part.size; ++i) write(part.begin + i);
  }
  /// Each behind an empty line.
  void sections(image::slice part, auto write) {
    for_all(part, [&](std::uint32_t i) {
      out_ += '\n';
      write(i);
    });
  }
  [[nodiscard]] std::string word(image::slice part) const { return std::string(image_.view(part)); }
  [[nodiscard]] std::string name_of(std::uint32_t type) const {
    return thriftlens::type(&image_, type).name();
  }
  [[nodiscard]] std::string annotated(image::slice part) const {
    if (part.size == 0) return {};
    std::string text = " (";
    for (std::uint32_t i = 0; i < part.size; ++i) {
      const image::annotation_node& node = image_.annotations[part.begin + i];
      text += (i == 0 ? "" : ", ") + word(node.key) + " = ";
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
    std::string_view text = image_.view(part);
    if (text.empty()) return;
    const std::string margin(indent);
    if (text.find('\n') == std::string_view::npos) {
      out_ += margin + "/** " + std::string(text) + " */\n";
      return;
    }
    out_ += margin + "/**\n";
    for (bool more = true; more;) {
      const std::string_view line = text.substr(0, text.find('\n'));
      out_ += margin + (line.empty() ? " *" : " * ") + std::string(line) + '\n';
      more = line.size() != text.size();
      if (more) text.remove_prefix(line.size() + 1);
    }
    out_ += margin + " */\n";
  }
  void type_definition(const image::typedef_node& node) {
    doc(node.doc, "");
    out_ += "typedef " + name_of(node.type) + ' ' + word(node.name) + annotated(node.annotations) + '\n';
  }
  void constant(const image::const_node& node) {
    doc(node.doc, "");
    out_ += "const " + name_of(node.type) + ' ' + word(node.name);
    value(node.type, node.written);
    out_ += annotated(node.annotations) + '\n';
  }
  void enumeration(const image::enum_node& node) {
    doc(node.doc, "");
    out_ += "enum " + name_of(node.type) + " {\n";
    for_all(node.members, [&](std::uint32_t i) {
      const image::enum_member_node& member = image_.enum_members[i];
      doc(member.doc, "  ");
      out_ += "  " + word(member.name) + " = " + std::to_string(member.value) +
              annotated(member.annotations) + '\n';
    });
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void structure(const image::struct_node& node) {
    doc(node.doc, "");
    out_ += std::string(to_string(node.kind)) + ' ' + name_of(node.type) + " {\n";
    for (std::uint32_t i = 0; i < node.fields.size; ++i) {
      const field_info info(&image_, image_.indices[node.declared + i]);
      doc(info.texts().doc, "  ");
      out_ += "  ";
      field(info, node.kind != type_kind::union_);
      out_ += '\n';
    }
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void field(const field_info& info, bool with_requiredness) {
    out_ += std::to_string(info.id()) + ": ";
    if (with_requiredness && info.requiredness() == field_requiredness::required) out_ += "required ";
    if (with_requiredness && info.requiredness() == field_requiredness::optional) out_ += "optional ";
    out_ += info.type().name() + ' ' + std::string(info.name());
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
  void service(const image::service_node& node) {
    doc(node.doc, "");
    out_ += "service " + word(node.name);
    if (node.base != image::none) out_ += " extends " + service_info(&image_, node.base).name();
    out_ += " {\n";
    for_all(node.functions, [&](std::uint32_t i) { function(image_.functions[i]); });
    out_ += '}' + annotated(node.annotations) + '\n';
  }
  void function(const image::function_node& node) {
    doc(node.doc, "  ");
    out_ +=
        std::string("  ") + (node.oneway ? "oneway " : "") + name_of(node.returns) + ' ' + word(node.name);
    arguments(image_.structs[node.arguments], 0, true);
    const std::uint32_t first = image_.types[node.returns].kind == type_kind::void_ ? 0 : 1;
    if (image_.structs[node.result].fields.size > first) {
      out_ += " throws ";
      arguments(image_.structs[node.result], first, false);
    }
    out_ += annotated(node.annotations) + '\n';
  }

  const schema_image& image_;
  std::string out_;
};

}  // namespace detail

/// The root file's declarations as IDL, typedefs seen through, ids and defaults written out. It loads again
/// where the root stood and describes itself the same; it includes besides what typedefs of its includes lead
/// to. (It cannot tell two included files of one base name apart, and annotations within types are not in
/// it.)
[[nodiscard]] inline std::string describe(const schema& of) {
  return detail::text_describer(*of.image()).program();
}
/// One type's declaration.
[[nodiscard]] inline std::string describe(type of) { return detail::text_describer(*of.image()).type(of); }

/// The root file as one JSON object, schema `thriftlens.describe/1`, on one line.
[[nodiscard]] inline std::string describe_json(const schema& of) {
  return detail::json_describer(*of.image()).program();
}
/// One type: the object it has in `structs` or `enums`, or the type as fields write it.
[[nodiscard]] inline std::string describe_json(type of) {
  return detail::json_describer(*of.image()).type(of);
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
