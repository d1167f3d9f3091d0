// idl_load by thriftlens: from the file to the finished schema image, includes and all.
#include "payloads.hpp"

#include <thriftlens/schema/schema.hpp>

namespace {

std::string answer(const std::string& file) {
  const thriftlens::schema schema = thriftlens::schema::load(file);
  const thriftlens::schema_image& image = *schema.image();
  std::vector<std::string> structs;
  const thriftlens::detail::image::slice own = image.programs[0].structs;
  for (std::uint32_t i = own.begin; i < own.begin + own.size; ++i) {
    const thriftlens::type type(&image, image.structs[i].type);
    std::string text = type.name();
    for (const thriftlens::field_info field : type.fields()) text += ' ' + std::string(field.name());
    structs.push_back(text);
  }
  return bench::idl_load::answer_of(std::move(structs));
}

const bool entered = [] {
  for (const auto& payload : bench::idl_load::payloads()) {
    bench::contestant({.task = "idl_load",
                       .payload = payload.name,
                       .name = "thriftlens",
                       .answer = [file = payload.file] { return answer(file); },
                       .run = bench::timed([file = payload.file] { return thriftlens::schema::load(file); }),
                       .bytes = bench::read_file(payload.file).size()});
  }
  return true;
}();

}  // namespace
