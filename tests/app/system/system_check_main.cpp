// SPDX-License-Identifier: BSD-2-Clause
// Says of .mpg and .ts files when their bytes come and when their pictures are due.
//     system_check 25 film.mpg film.ts
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/app/system/system_stream.h"

int main(int count, char** words) {
    using namespace tandem::test;
    if (count < 3) return 2;
    for (int i = 2; i < count; ++i) {
        const std::string name = words[i];
        std::ifstream file(name, std::ios::binary);
        const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        const bool transport = name.size() > 3 && name.substr(name.size() - 3) == ".ts";
        const SystemStream stream = transport ? read_transport_stream(bytes) : read_program_stream(bytes);
        const double buffer = stream.buffer_bytes > 0 ? stream.buffer_bytes : 1e9;
        const SystemFindings found = play(stream, buffer, std::atof(words[1]));
        std::printf(
            "%s: %zu pictures, %zu late, least slack %.4f s, longest stay %.3f s, fullest %.0f of %.0f bytes, %zu "
            "overflows, mux rate %.0f bit/s, clock gap %.3f s, %zu problems%s%s\n",
            name.c_str(), found.pictures, found.late, found.least_slack, found.longest_stay, found.fullest_bytes,
            stream.buffer_bytes, found.overflows, stream.bits_per_second, stream.longest_clock_gap,
            stream.problems.size(), stream.problems.empty() ? "" : ": ",
            stream.problems.empty() ? "" : stream.problems.front().c_str());
    }
    return 0;
}
