// SPDX-License-Identifier: BSD-2-Clause
// What stands behind the handles of the encoder's C interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "c/c_handles.h"
#include "c/tandem_encoder.h"
#include "encoder/encoder.h"
#include "encoder/settings/given_settings.h"
#include "machine/task_pool.h"

struct tandem_encode_settings {
    std::string message;
    tandem::GivenSettings given;
};

struct tandem_packet {
    std::vector<std::uint8_t> bytes;
    tandem_packet_info info{};       ///< But for its bytes.
    tandem::FramePtr reconstruction; ///< At the size that is shown; null: not kept.
};

struct tandem_encoder {
    std::string message;
    tandem::VideoFormat format;
    bool keeps_reconstructions = false, measures = false;
    bool is_finished = false;
    bool has_failed = false;                            ///< While pictures were coded: it codes no more.
    std::mutex notes_mutex;                             ///< Of the notes, which devices' threads write.
    std::deque<std::string> notes;                      ///< Each stays where it is.
    std::deque<std::unique_ptr<tandem_packet>> packets; ///< In coding order.
    std::unique_ptr<tandem::TaskPool> pool;             ///< Outlives what stands below it.
    std::unique_ptr<tandem::Coprocessor> motion;
    std::unique_ptr<tandem::Encoder> encoder; ///< Null where it could not be made.
};

namespace tandem {

/// Throws InputError that names what is wrong.
VideoFormat video_format_of(const tandem_encoder_format* caller);

} // namespace tandem
