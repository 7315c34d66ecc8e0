// SPDX-License-Identifier: BSD-2-Clause
// vbv_check FILE ...: a line for each elementary stream, saying whether its buffer holds; exit code 1 where one does
// not.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>

#include "tests/encoder/rate/vbv_checker.h"

int main(int count, char** names) {
    using namespace tandem::test;
    bool holds = count > 1;
    for (int i = 1; i < count; ++i) {
        try {
            std::ifstream file(names[i], std::ios::binary);
            const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
            const BufferedStream stream =
                read_buffered_stream({reinterpret_cast<const std::uint8_t*>(chars.data()), chars.size()});
            const BufferFindings found = check_buffer(stream);
            holds = holds && found.underflows.empty() && found.overflows.empty() && found.wrong_delays.empty();
            std::printf("%s: %zu pictures, %.0f bit/s, buffer %.0f bits, %s, lowest %.0f bits: %s\n", names[i],
                        stream.pictures.size(), stream.bits_per_second, stream.buffer_bits,
                        found.constant_rate ? "constant" : "variable", found.lowest_bits, text_of(found).c_str());
        } catch (const std::exception& problem) {
            std::printf("%s: %s\n", names[i], problem.what());
            holds = false;
        }
    }
    return holds ? 0 : 1;
}
