// SPDX-License-Identifier: BSD-2-Clause
// Several backends that share the pictures of one stream.
#pragma once

#include <memory>
#include <vector>

#include "coding/mpeg/mpeg_backend.h"

namespace tandem {

/// Hands whole pictures out among `backends` (at least one, each of which supports `tools`), by who will be done first
/// at the speed that was measured so far. An I picture goes to whoever that is, and a P picture to the backend that
/// makes its reference: so groups of pictures are coded beside each other. A B picture goes to whoever will be done
/// first, as soon as its references can be read there. What a picture becomes does not depend on who codes it.
///
///     auto both = make_sharing_backend(tools, std::move(backends));
///     both->code(job, done);    // as any backend
std::unique_ptr<MpegBackend> make_sharing_backend(const MpegTools& tools,
                                                  std::vector<std::unique_ptr<MpegBackend>> backends);

} // namespace tandem
