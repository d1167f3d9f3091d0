// The unit behind thriftlens::compiled.
#include <thriftlens/compiled.ipp>
