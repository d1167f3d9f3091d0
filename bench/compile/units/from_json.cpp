// Reads JSON.
#include <thriftlens/json/from_json.hpp>
thriftlens::result<thriftlens::buffer> bytes_of(thriftlens::type type, std::string_view json) {
  return thriftlens::try_from_json<thriftlens::binary>(type, json);
}
