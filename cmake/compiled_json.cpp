// The unit behind thriftlens::compiled_json.
#include <thriftlens/compiled_json.ipp>
