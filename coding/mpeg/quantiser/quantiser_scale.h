// SPDX-License-Identifier: BSD-2-Clause
// Quantisers that mean the same whatever quantiser_scale_codes stand for.
#pragma once

namespace tandem {

/// The encoder reckons with quantisers that are half of quantiser_scale (13818-2 table 7-6), so that twice the
/// quantiser is twice the step. With q_scale_type 0 that is quantiser_scale_code itself, 1..31; with q_scale_type 1
/// (non-linear) codes 1..31 stand for 0.5..56. A fraction of a code lies between its neighbours in proportion; codes
/// are 1..31.
double quantiser_of_code(double code, bool non_linear);

/// The inverse. Beyond the quantisers of codes 1 and 31 these; with q_scale_type 0 the quantiser itself.
double code_of_quantiser(double quantiser, bool non_linear);

} // namespace tandem
