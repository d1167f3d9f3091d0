// build_values: adds the values of constants and defaults to an image.
#pragma once

#include <thriftlens/schema/encode_const.hpp>
#include <thriftlens/schema/image.hpp>
#include <thriftlens/schema/text_builder.hpp>

#include <cstdint>
#include <span>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// Encodes values once all structs of the image are stored. Borrows its arguments.
class value_builder {
 public:
  value_builder(const idl::program_set& from, schema_image& into, text_builder& texts)
      : into_(into), texts_(texts) {
    for (const idl::program& program : from.programs)
      for (const idl::struct_& definition : program.structs) completion_.fields.push_back(definition.fields);
  }

  /// Adds a value as Binary, for readers and for descriptions, which are nearly always equal.
  THRIFTLENS_COLD void add(std::uint32_t type, const idl::const_value& from, image::slice& value,
                           image::slice& written) {
    const encoded_value first = encode_spelled(type, from, repeated_elements::dropped);
    value = first.bytes;
    written = first.dropped ? encode_spelled(type, from, repeated_elements::retained).bytes : value;
  }
  /// Adds the defaults of the struct's fields, which are in source order.
  void add_defaults(const image::struct_node& node, std::span<const idl::field> source) {
    if (!node.has_defaults) return;
    for (std::uint32_t i = 0; i < source.size(); ++i) {
      if (const idl::const_value* value = source[i].default_value)
        add_default(into_.indices[node.declared + i], *value);
    }
  }

 private:
  struct encoded_value {
    image::slice bytes;
    bool dropped;  ///< elements of sets
  };
  encoded_value encode(protocol_id protocol, std::uint32_t type, const idl::const_value& from,
                       repeated_elements repeated, const_completion* completion = nullptr) {
    bytes_.clear();
    spellings_.clear();
    const_encoder encoder(into_, bytes_, protocol, repeated, spellings_, completion);
    encoder.value(type, from);
    const image::slice part{static_cast<std::uint32_t>(into_.bytes.size()),
                            static_cast<std::uint32_t>(bytes_.size())};
    into_.bytes.append({bytes_.data(), bytes_.size()});
    return {part, encoder.dropped()};
  }
  /// Encodes as Binary and records spellings that the bytes do not preserve.
  THRIFTLENS_COLD encoded_value encode_spelled(std::uint32_t type, const idl::const_value& from,
                                               repeated_elements repeated) {
    const encoded_value value = encode(binary::id, type, from, repeated);
    for (const const_spelling& spelling : spellings_)
      into_.spellings.push_back({value.bytes.begin + spelling.at, texts_.text(spelling.written())});
    return value;
  }
  THRIFTLENS_COLD void add_default(std::uint32_t field, const idl::const_value& value) {
    image::field_text& texts = into_.field_texts[field];
    const std::uint32_t type = into_.fields[field].type;
    add(type, value, texts.default_binary, texts.default_written);
    const_completion* const completion = has_structs(value) ? &completion_ : nullptr;
    if (completion != nullptr)
      texts.default_binary = encode(binary::id, type, value, repeated_elements::dropped, completion).bytes;
    texts.default_compact = encode(compact::id, type, value, repeated_elements::dropped, completion).bytes;
  }

  schema_image& into_;
  text_builder& texts_;
  buffer bytes_;
  pod_vector<const_spelling> spellings_;
  const_completion completion_;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail
