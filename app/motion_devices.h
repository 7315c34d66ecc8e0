// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <vector>

#include "me/estimator.h"

namespace tandem {

/// The GPUs' estimators, none where they are not wanted, with a message that says where motion is searched.
std::vector<std::unique_ptr<Estimator>> open_devices(bool use_gpus);

} // namespace tandem
