// build: turns loaded and resolved IDL into the immutable image.
#pragma once

#include <thriftlens/idl/fwd.hpp>
#include <thriftlens/schema/image.hpp>

#include <memory>

namespace thriftlens::inline THRIFTLENS_ABI::detail {

/// The image of a loaded and resolved set of programs, whose warnings it takes. Linear.
[[nodiscard]] std::shared_ptr<const schema_image> build_image(idl::program_set& from);

}  // namespace thriftlens::inline THRIFTLENS_ABI::detail

#if !defined(THRIFTLENS_COMPILED_LOADER)
#include <thriftlens/schema/build.ipp>
#endif
