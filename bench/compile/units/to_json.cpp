// Writes JSON.
#include <thriftlens/json/to_json.hpp>
#include <thriftlens/view.hpp>
thriftlens::result<thriftlens::buffer> json_of(const thriftlens::view<thriftlens::binary>& value) {
  return thriftlens::try_to_json(value);
}
