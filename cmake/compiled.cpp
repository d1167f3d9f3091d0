// The unit behind thriftlens::compiled, which links thriftlens::loader.
#define THRIFTLENS_LOADER_LINKED
#include <thriftlens/compiled.ipp>
