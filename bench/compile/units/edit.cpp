// Loads IDL, changes fields, removes sensitive data.
#include <thriftlens/edit.hpp>
#include <thriftlens/policy.hpp>
#include <thriftlens/schema.hpp>
thriftlens::buffer cleaned(const std::string& file, thriftlens::byte_view bytes) {
  const thriftlens::schema schema = thriftlens::schema::load(file);
  const thriftlens::type order = schema.type("Order");
  const thriftlens::view<thriftlens::binary> view(bytes, order);
  const thriftlens::buffer changed = thriftlens::edit(view).set("$.id", 7).erase("$.debug").apply();
  const auto rules = thriftlens::redaction::compile(order, {.annotation = "pii"});
  return thriftlens::redact(thriftlens::view<thriftlens::binary>(changed, order), rules);
}
