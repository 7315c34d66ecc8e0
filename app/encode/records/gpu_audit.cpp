// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/gpu_audit.h"

#include <fmt/format.h>

#include "machine/errors.h"

namespace tandem {
namespace {

std::string text_of(const Candidate& candidate) {
    return fmt::format("({:g},{:g}) pels, distortion {}, cost {}", candidate.mv.x / double{eighths_per_pel},
                       candidate.mv.y / double{eighths_per_pel}, candidate.distortion, candidate.cost);
}

/// Of the blocks (column, row), in raster order.
void compare_block(const MotionField& found, const MotionField& expected, int column, int row, std::int64_t picture,
                   const std::string& backend) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(expected.candidates()); ++k) {
        const Candidate& gpu = found.block(column, row)[k];
        const Candidate& cpu = expected.block(column, row)[k];
        if (gpu == cpu) continue;
        throw RunError(fmt::format("--verify-gpu: picture {} (in display order), block {},{} (column, row), candidate "
                                   "{}: {} found {}, the CPU {}",
                                   picture, column, row, k, backend, text_of(gpu), text_of(cpu)));
    }
}

} // namespace

void GpuAudit::compare(const MotionRequest& request, std::int64_t picture, const MotionField& field,
                       const std::string& backend) {
    const MotionField expected = [&] {
        const std::lock_guard lock(mutex_);
        return cpu_->estimate(request);
    }();
    if (field.columns() != expected.columns() || field.rows() != expected.rows() ||
        field.candidates() != expected.candidates()) {
        throw RunError(
            fmt::format("--verify-gpu: picture {}: {} gave {}x{} blocks of {} candidates, the CPU {}x{} of {}", picture,
                        backend, field.columns(), field.rows(), field.candidates(), expected.columns(), expected.rows(),
                        expected.candidates()));
    }
    const int end = request.end_row == -1 ? expected.rows() : request.end_row;
    for (int row = request.first_row; row < end; ++row) {
        for (int column = 0; column < expected.columns(); ++column)
            compare_block(field, expected, column, row, picture, backend);
    }
    ++fields_;
}

} // namespace tandem
