// SPDX-License-Identifier: BSD-2-Clause
// Codes a few pictures to MPEG-2 with the installed encoder library and looks at how the stream begins and ends.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "encoder/encoder.h"
#include "me/coprocessor/coprocessor.h"

int main() {
    tandem::VideoFormat format;
    format.width = 48;
    format.height = 32;
    tandem::Coprocessor motion({}, tandem::make_cpu_estimator(1));
    std::vector<std::uint8_t> stream;
    int pictures = 0;
    tandem::Encoder encoder({}, format, motion, [&](const tandem::EncodedPicture& picture) {
        stream.insert(stream.end(), picture.bytes.begin(), picture.bytes.end());
        ++pictures;
    });
    for (int number = 0; number < 3; ++number) {
        tandem::Frame frame(format.width, format.height);
        for (int plane = 0; plane < 3; ++plane)
            frame.plane(plane).fill(static_cast<std::uint8_t>(100 + 10 * number));
        encoder.push(frame);
    }
    const std::vector<std::uint8_t> end = encoder.finish();
    stream.insert(stream.end(), end.begin(), end.end());

    std::printf("%d pictures, %zu bytes\n", pictures, stream.size());
    // sequence_header_code at the start, sequence_end_code at the end (ISO/IEC 13818-2, table 6-1).
    const bool starts = stream.size() > 8 && stream[2] == 0x01 && stream[3] == 0xB3;
    const bool ends = stream.size() > 8 && stream.end()[-2] == 0x01 && stream.end()[-1] == 0xB7;
    return pictures == 3 && starts && ends ? 0 : 1;
}
