// Any bytes: guesses are ranked and their probabilities add up to at most one; for a struct, infer drafts IDL
// that parses, declares all its fields, and is the type that identify returns.
#include <thriftlens/compare/identify.hpp>
#include <thriftlens/compare/infer.hpp>
#include <thriftlens/protocol/binary.hpp>
#include <thriftlens/protocol/compact.hpp>
#include <thriftlens/records/detect.hpp>
#include <thriftlens/schema/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace tl = thriftlens;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

template <class P>
void learn(tl::byte_view bytes) {
  tl::inference draft;
  if (!draft.try_add<P>(bytes)) return;
  const std::string idl = draft.idl("Root");
  const tl::result<tl::schema> schema = tl::schema::try_parse(idl);
  if (!schema) return require(idl.find("// also as") != std::string::npos || idl.size() > 100000);
  const std::vector<tl::type> types = {schema->type("Root")};
  const std::vector<tl::candidate> found = tl::identify<P>(bytes, types);
  require(found.size() == 1);
  require(found[0].unknown == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tl::byte_view input(data, size);
  double all = 0, before = 1;
  for (const tl::guess& each : tl::detect(input)) {
    require(each.probability <= before && !each.to_string().empty());
    before = each.probability;
    all += each.probability;
  }
  require(all <= 1.000001);
  learn<tl::binary>(input);
  learn<tl::compact>(input);
  return 0;
}
