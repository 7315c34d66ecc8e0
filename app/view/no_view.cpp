// SPDX-License-Identifier: BSD-2-Clause
// A build without FFmpeg: streams cannot be decoded to be shown.
#include "app/view/view.h"
#include "machine/errors.h"

namespace tandem {

int run_view(const Arguments&) {
    throw InputError("this build has no FFmpeg, so that tandem view cannot decode what it shows");
}

} // namespace tandem
