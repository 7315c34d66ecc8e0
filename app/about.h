// SPDX-License-Identifier: BSD-2-Clause
// What this program and this machine are: for --version and reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tandem {

std::string version_number();
/// Of the sources, as Git names it, "-dirty" at its end where files were changed; empty where it is not known.
std::string source_revision();
/// Libraries and what was built in: {"libavcodec", "59.37.100"}, {"CUDA", "no"}, ...
std::vector<std::pair<std::string, std::string>> build_features();
/// All of it in lines, as --version shows it.
std::string version_text();

struct Machine {
    std::string processor; ///< As the system names it.
    std::string system;    ///< "Linux 6.1.0 x86_64".
    int threads = 0;       ///< That this process may use.
};
Machine this_machine();

} // namespace tandem
