// The unit behind thriftlens::loader.
#include <thriftlens/loader.ipp>
