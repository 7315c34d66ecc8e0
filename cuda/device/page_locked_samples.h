// SPDX-License-Identifier: BSD-2-Clause
// Planes in memory that devices read themselves, at their own speed, without a copy by the host.
#pragma once

namespace tandem::cuda {

/// From now on new planes of this process lie in page-locked memory, as far as there is some, which the device of this
/// number gives out and every device reads.
void lock_pages_of_new_planes(int ordinal);

/// Whether devices can read from there themselves.
bool is_page_locked(const void* memory);

} // namespace tandem::cuda
