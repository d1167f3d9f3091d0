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
    out_ += "},\"includes\":[";
    each(root.includes, [&](std::uint32_t i) { text(image_.programs[image_.indices[i]].name); });
    out_ += "],\"enums\":[";
    each(root.enums, [&](std::uint32_t i) { enumeration(image_.enums[i]); });
    out_ += "],\"typedefs\":[";
    each(root.typedefs, [&](std::uint32_t i) {
      named_type(image_.typedefs[i]);
      out_ += '}';
    });
    out_ += "],\"structs\":[";
    each(root.structs, [&](std::uint32_t i) { structure(image_.structs[i]); });
    out_ += "],\"consts\":[";
    each(root.consts, [&](std::uint32_t i) { constant(image_.consts[i]); });
    out_ += "],\"services\":[";
    each(root.services, [&](std::uint32_t i) { service(image_.services[i]); });
    out_ += "]}";
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
  void text(image::slice part) { append_quoted(out_, image_.view(part)); }
  void key(std::string_view name) {
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
  }
  /// A scope that stands twice is written once, with its last name.
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
    key("annotations");
    out_ += '[';
    each(annotations, [&](std::uint32_t i) {
      out_ += '[';
      text(image_.annotations[i].key);
      out_ += ',';
      text(image_.annotations[i].value);
      out_ += ']';
    });
    out_ += ']';
  }
  void enumeration(const image::enum_node& node) {
    out_ += "{\"name\":";
    text(node.name);
    out_ += ",\"values\":[";
    each(node.members, [&](std::uint32_t i) {
      out_ += '[';
      text(image_.enum_members[i].name);
      out_ += ',' + std::to_string(image_.enum_members[i].value) + ']';
    });
    out_ += ']';
    extras(node.doc, node.annotations);
    out_ += '}';
  }
  void named_type(const auto& node) {
    out_ += "{\"name\":";
    text(node.name);
    out_ += ",\"type\":";
    reference(node.type);
    extras(node.doc, node.annotations);
  }
  void constant(const image::const_node& node) {
    named_type(node);
    out_ += ",\"value\":";
    append_described_value(out_, image_, node.type, node.written);
    out_ += '}';
  }
  void structure(const image::struct_node& node) {
    out_ += "{\"name\":";
    text(node.name);
    out_ += ",\"kind\":\"";
    out_ += to_string(node.kind);
    out_ += "\",\"fields\":";
    fields(node, 0);
    extras(node.doc, node.annotations);
    out_ += '}';
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
    out_ += (node.flags & image::required) != 0   ? "\"required\""
            : (node.flags & image::optional) != 0 ? "\"optional\""
                                                  : "\"default\"";
    if ((node.flags & image::has_default) != 0) {
      key("default");
      append_described_value(out_, image_, node.type, texts.default_written);
    }
    if (image_.view(texts.alias) != image_.view(texts.name)) {
      key("alias");
      text(texts.alias);
    }
    extras(texts.doc, texts.annotations);
    out_ += '}';
  }
  void reference(std::uint32_t index) {
    const image::type_node& node = image_.types[index];
    const thriftlens::type self(&image_, index);
    if (node.kind == type_kind::list || node.kind == type_kind::set) {
      out_ += node.kind == type_kind::list ? "{\"list\":" : "{\"set\":";
      reference(node.first);
    } else if (node.kind == type_kind::map) {
      out_ += "{\"map\":[";
      reference(node.first);
      out_ += ',';
      reference(node.second);
      out_ += ']';
    } else if (is_struct(node.kind) || node.kind == type_kind::enum_) {
      out_ += "{\"";
      out_ += to_string(node.kind);
      out_ += "\":";
      append_quoted(out_, self.name());
    } else {
      out_ += '"';
      out_ += to_string(node.kind);
      out_ += '"';
      return;
    }
    out_ += '}';
  }
  void service(const image::service_node& node) {
    out_ += "{\"name\":";
    text(node.name);
    out_ += ",\"extends\":";
    if (node.base == image::none)
      out_ += "null";
    else
      append_quoted(out_, service_info(&image_, node.base).name());
    out_ += ",\"functions\":[";
    each(node.functions, [&](std::uint32_t i) { function(image_.functions[i]); });
    out_ += ']';
    extras(node.doc, node.annotations);
    out_ += '}';
  }
  void function(const image::function_node& node) {
    out_ += "{\"name\":";
    text(node.name);
    out_ += node.oneway ? ",\"oneway\":true" : ",\"oneway\":false";
    key("returns");
    reference(node.returns);
    key("args");
    fields(image_.structs[node.arguments], 0);
    key("throws");
    fields(image_.structs[node.result], image_.types[node.returns].kind == type_kind::void_ ? 0 : 1);
    extras(node.doc, node.annotations);
    out_ += '}';
  }

  const schema_image& image_;
  std::string out_;
};

/// The files that the root's declarations name types of, beyond those it includes, and how an include in the
/// root finds them.
class include_finder {
 public:
  explicit include_finder(const schema_image& image)
      : image_(image), named_(image.programs.size()), met_(image.types.size()) {
    const image::program_node& root = image.programs[0];
    each(root.typedefs, [&](std::uint32_t i) { type(image.typedefs[i].type); });
    each(root.consts, [&](std::uint32_t i) { type(image.consts[i].type); });
    each(root.structs, [&](std::uint32_t i) { fields(image.structs[i]); });
    each(root.services, [&](std::uint32_t i) {
      if (image.services[i].base != image::none)
        named_[image.services[image.services[i].base].program] = true;
      each(image.services[i].functions, [&](std::uint32_t f) {
        fields(image.structs[image.functions[f].arguments]);
        fields(image.structs[image.functions[f].result]);
      });
    });
  }

  /// Calls `visit(path)` for each, after the root's own.
  void for_each(auto visit) const {
    std::vector<std::string> paths(image_.programs.size());
    std::vector<std::uint32_t> open = {0};
    for (std::size_t next = 0; next < open.size(); ++next) {
      const image::program_node& from = image_.programs[open[next]];
      for (std::uint32_t i = 0; i < from.includes.size; ++i) {
        const std::uint32_t to = image_.indices[from.includes.begin + i];
        const std::string_view written = image_.view(image_.include_paths[from.include_paths + i]);
        const bool direct = open[next] == 0;
        if (direct) visit(written);
        if (to == 0 || !paths[to].empty()) continue;
        // Found beside the file that includes it, or elsewhere by the path alone.
        const std::string beside = folder(image_.view(from.file)) + std::string(written);
        paths[to] = !direct && beside == image_.view(image_.programs[to].file)
                        ? folder(paths[open[next]]) + std::string(written)
                        : std::string(written);
        open.push_back(to);
        if (!direct && named_[to]) visit(std::string_view(paths[to]));
      }
    }
  }

 private:
  static void each(image::slice part, auto visit) {
    for (std::uint32_t i = part.begin; i < part.begin + part.size; ++i) visit(i);
  }
  static std::string folder(std::string_view file) {
    return std::string(file.substr(0, file.rfind('/') + 1));
  }
  void fields(const image::struct_node& of) {
    each(of.fields, [&](std::uint32_t i) { type(image_.fields[i].type); });
  }
  void type(std::uint32_t index) {
    if (met_[index]) return;
    met_[index] = true;
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
  std::vector<bool> met_;    // by type
};

/// Writes the text form.
class text_describer {
 public:
  explicit text_describer(const schema_image& image) : image_(image) {}

  [[nodiscard]] std::string program() {
    const image::program_node& root = image_.programs[0];
    out_ = "// program " + word(root.name) + '\n';
    for (std::uint32_t i = 0; i < root.namespaces.size; ++i) {
      const image::namespace_node& node = image_.namespaces[root.namespaces.begin + i];
      out_ += "namespace " + word(node.scope) + ' ' + word(node.name) + '\n';
    }
    include_finder(image_).for_each([&](std::string_view path) {
      out_ += "include ";
      append_idl_literal(out_, path);
      out_ += '\n';
    });
    for_all(root.typedefs, [&](std::uint32_t i) {
      out_ += '\n';
      doc(image_.typedefs[i].doc, "");
      out_ += "typedef " + name_of(image_.typedefs[i].type) + ' ' + word(image_.typedefs[i].name) +
              annotated(image_.typedefs[i].annotations) + '\n';
    });
    for_all(root.enums, [&](std::uint32_t i) { out_ += '\n', enumeration(image_.enums[i]); });
    for_all(root.consts, [&](std::uint32_t i) { out_ += '\n', constant(image_.consts[i]); });
    for_all(root.structs, [&](std::uint32_t i) { out_ += '\n', structure(image_.structs[i]); });
    for_all(root.services, [&](std::uint32_t i) { out_ += '\n', service(image_.services[i]); });
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
    const std::string_view text = image_.view(part);
    if (text.empty()) return;
    out_ += indent;
    if (text.find('\n') == std::string_view::npos) {
      out_ += "/** " + std::string(text) + " */\n";
      return;
    }
    out_ += "/**\n";
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      out_ += std::string(indent) + (begin == end ? " *" : " * ") +
              std::string(text.substr(begin, end - begin)) + '\n';
      begin = end + 1;
    }
    out_ += std::string(indent) + " */\n";
  }
  void constant(const image::const_node& node) {
    doc(node.doc, "");
    out_ += "const " + name_of(node.type) + ' ' + word(node.name);
    value(node.type, node.written);
    out_ += annotated(node.annotations) + '\n';
  }
  void enumeration(const image::enum_node& node) {
    doc(node.doc, "");
    out_ += "enum " + thriftlens::type(&image_, node.type).name() + " {\n";
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
    out_ += std::string(to_string(node.kind)) + ' ' + thriftlens::type(&image_, node.type).name() + " {\n";
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
    for_all(node.functions, [&](std::uint32_t i) {
      const image::function_node& function = image_.functions[i];
      doc(function.doc, "  ");
      out_ += std::string("  ") + (function.oneway ? "oneway " : "") + name_of(function.returns) + ' ' +
              word(function.name);
      arguments(image_.structs[function.arguments], 0, true);
      const std::uint32_t first = image_.types[function.returns].kind == type_kind::void_ ? 0 : 1;
      if (image_.structs[function.result].fields.size > first) {
        out_ += " throws ";
        arguments(image_.structs[function.result], first, false);
      }
      out_ += annotated(function.annotations) + '\n';
    });
    out_ += '}' + annotated(node.annotations) + '\n';
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
