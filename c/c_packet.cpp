// SPDX-License-Identifier: BSD-2-Clause
// Coded pictures for the caller.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c/c_encoder_handles.h"

tandem_status tandem_packet_describe(const tandem_packet* packet, tandem_packet_info* info, size_t size) {
    if (packet == nullptr || info == nullptr || size == 0 || size > sizeof *info) return TANDEM_BAD_INPUT;
    tandem_packet_info all = packet->info;
    all.data = packet->bytes.data();
    all.bytes = packet->bytes.size();
    std::memcpy(info, &all, size); // An older caller's struct is shorter.
    return TANDEM_OK;
}

tandem_picture_handle* tandem_packet_reconstruction(const tandem_packet* packet) {
    if (packet == nullptr || packet->reconstruction == nullptr) return nullptr;
    auto* made = new (std::nothrow) tandem_picture_handle;
    if (made == nullptr) return nullptr;
    made->frame = packet->reconstruction;
    made->has_chroma = true;
    return made;
}

void tandem_packet_free(tandem_packet* packet) { delete packet; }
