// value: bodies of value.hpp.
#pragma once

#include <thriftlens/dom/value.hpp>

#include <thriftlens/core/joined.hpp>
#include <thriftlens/core/quote.hpp>
#include <thriftlens/schema/suggest.hpp>

namespace thriftlens::inline THRIFTLENS_ABI {

THRIFTLENS_BODY std::string node_value::described() const {
  switch (form_) {
    case form::integer:
      return detail::joined({"the integer ", number_});
    case form::real:
      return detail::joined({"the double ", std::to_string(real())});
    case form::boolean:
      return number_ != 0 ? "the bool true" : "the bool false";
    case form::text:
      return detail::joined({"the text ", detail::in_quotes(bytes_.text())});
    case form::empty:
      return "an empty value";
    default:
      return detail::with_article(type_ ? type_.name() : std::string(to_string(wire_)));
  }
}
THRIFTLENS_BODY std::string node_value::unfit_text(thriftlens::type expected, errc code) const {
  if (code == errc::unknown_enum_name && expected.is_enum())
    return detail::no_such_member_text(expected, bytes_.text());
  const bool is_unfit = code == errc::value_type || code == errc::value_range;
  if (!is_unfit || (type_ && type_.name() == expected.name())) return {};
  return detail::joined({"expected ", expected.name(), ", got ", described()});
}

}  // namespace thriftlens::inline THRIFTLENS_ABI
