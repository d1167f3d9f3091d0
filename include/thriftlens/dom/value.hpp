// value: a value for a change of a document: a C++ scalar, another node, a view, wire bytes or an empty
// value. Borrows text, bytes and nodes. The change checks it against the type.
#pragma once

#include <thriftlens/core/byte_view.hpp>
#include <thriftlens/core/result.hpp>
#include <thriftlens/core/uuid.hpp>
#include <thriftlens/dom/fwd.hpp>
#include <thriftlens/schema/type.hpp>
#include <thriftlens/view/fwd.hpp>
#include <thriftlens/view/scalar.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace thriftlens::inline THRIFTLENS_ABI {

/// An empty value: a struct without fields, a list, set or map of size 0, "" …
struct empty_value {
  /// Wire type of a value without a schema.
  ttype wire = ttype::stop;
};

/// A value to set in a document. Valid while its source is.
class node_value {
 public:
  enum class form : unsigned char { integer, real, boolean, text, uuid, wire, node, moved, empty };

  /// A number above std::int64_t gives value_range when it is set.
  template <integer_value Int>
  node_value(Int number) noexcept  // NOLINT: implicit on purpose
      : number_(static_cast<std::int64_t>(number)),
        wire_(wire_of<Int>()),
        form_(form::integer),
        code_(std::is_unsigned_v<Int> && number_ < 0 ? errc::value_range : errc::ok) {}
  template <class Enum>
    requires std::is_enum_v<Enum>
  node_value(Enum number) noexcept
      : node_value(+static_cast<std::underlying_type_t<Enum>>(number)) {  // NOLINT: implicit on purpose
    wire_ = ttype::i32;
  }
  node_value(bool truth) noexcept
      : number_(truth), wire_(ttype::bool_), form_(form::boolean) {}  // NOLINT: implicit on purpose
  node_value(double real) noexcept                                    // NOLINT: implicit on purpose
      : number_(std::bit_cast<std::int64_t>(real)), wire_(ttype::double_), form_(form::real) {}
  /// A string or binary, or the name of an enum member.
  node_value(std::string_view text) noexcept
      : bytes_(text.data(), text.size()),
        wire_(ttype::string),
        form_(form::text) {}  // NOLINT: implicit on purpose
  node_value(const char* text) noexcept
      : node_value(std::string_view(text)) {}  // NOLINT: implicit on purpose
  node_value(const std::string& text) noexcept
      : node_value(std::string_view(text)) {}                           // NOLINT: implicit on purpose
  node_value(byte_view binary) noexcept : node_value(binary.text()) {}  // NOLINT: implicit on purpose
  node_value(const uuid_bytes& id) noexcept
      : bytes_(id.data(), id.size()), wire_(ttype::uuid), form_(form::uuid) {}  // NOLINT: implicit on purpose
  node_value(empty_value nothing) noexcept
      : wire_(nothing.wire), form_(form::empty) {}  // NOLINT: implicit on purpose
  /// A copy of the value of a node of any document.
  node_value(const node& of) noexcept;  // NOLINT: implicit on purpose
  /// A copy of the value of a slot of type `type`. Internal.
  node_value(const detail::dom::tree& tree, const detail::dom::slot& slot, thriftlens::type type,
             ttype wire) noexcept
      : type_(type), tree_(&tree), slot_(&slot), wire_(wire), form_(form::node) {}
  /// The value itself instead of a copy, for moves.
  [[nodiscard]] node_value linked() const noexcept {
    node_value result = *this;
    result.form_ = form::moved;
    return result;
  }
  /// The value of a view, of either protocol. A view with an error gives its code when it is set.
  template <protocol P>
  node_value(const view<P>& of)
      : type_(of.type()),
        wire_(of.wire()),
        protocol_(P::id),
        form_(form::wire) {  // NOLINT: implicit on purpose
    result<byte_view> bytes = of.try_bytes();
    if (bytes)
      bytes_ = *bytes;
    else
      code_ = bytes.error().code();
  }
  /// A value by its wire bytes in protocol P.
  template <protocol P>
  [[nodiscard]] static node_value wire(byte_view bytes, ttype wire) noexcept {
    return node_value::wire(bytes, wire, P::id);
  }
  [[nodiscard]] static node_value wire(byte_view bytes, ttype wire, protocol_id protocol) noexcept {
    node_value result{empty_value{wire}};
    result.bytes_ = bytes;
    result.protocol_ = protocol;
    result.form_ = form::wire;
    return result;
  }

  [[nodiscard]] form kind() const noexcept { return form_; }
  [[nodiscard]] errc code() const noexcept { return code_; }
  [[nodiscard]] std::int64_t integer() const noexcept { return number_; }
  [[nodiscard]] double real() const noexcept { return std::bit_cast<double>(number_); }
  /// Text, wire bytes or the bytes of a uuid.
  [[nodiscard]] byte_view bytes() const noexcept { return bytes_; }
  /// Wire type of a value without a schema.
  [[nodiscard]] ttype wire() const noexcept { return wire_; }
  [[nodiscard]] thriftlens::type type() const noexcept { return type_; }
  [[nodiscard]] protocol_id protocol() const noexcept { return protocol_; }
  [[nodiscard]] const detail::dom::tree* tree() const noexcept { return tree_; }
  [[nodiscard]] const detail::dom::slot* slot() const noexcept { return slot_; }
  /// "the integer 5", "the text 'x'": for errors. Cold.
  [[nodiscard]] std::string described() const;
  /// Why the value does not fit a type; empty if the code is sufficient. Cold.
  [[nodiscard]] std::string unfit_text(thriftlens::type expected, errc code) const;

 private:
  template <class Int>
  static constexpr ttype wire_of() noexcept {
    return sizeof(Int) == 1   ? ttype::i8
           : sizeof(Int) == 2 ? ttype::i16
           : sizeof(Int) == 4 ? ttype::i32
                              : ttype::i64;
  }

  byte_view bytes_;
  std::int64_t number_ = 0;
  thriftlens::type type_;
  const detail::dom::tree* tree_ = nullptr;
  const detail::dom::slot* slot_ = nullptr;
  ttype wire_ = ttype::stop;
  protocol_id protocol_ = {};
  form form_;
  errc code_ = errc::ok;
};

}  // namespace thriftlens::inline THRIFTLENS_ABI

#if !defined(THRIFTLENS_COMPILED)
#include <thriftlens/dom/value.ipp>
#endif
