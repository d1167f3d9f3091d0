// loader: the bodies of the IDL loader, for one unit of a program that is built without thriftlens::loader.
#pragma once

#if !defined(THRIFTLENS_COMPILED_LOADER) && !defined(THRIFTLENS_COMPILED)
#error "thriftlens: this unit and all others are compiled with THRIFTLENS_COMPILED_LOADER"
#endif

#include <thriftlens/idl/load.ipp>
#include <thriftlens/schema/build.ipp>
#include <thriftlens/schema/describe.ipp>
#include <thriftlens/schema/schema.ipp>
#include <thriftlens/schema/store.ipp>
#include <thriftlens/schema/suggest.ipp>
