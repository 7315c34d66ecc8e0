// SPDX-License-Identifier: BSD-2-Clause
// One file must not have two roles.
#pragma once

#include <string>
#include <vector>

namespace tandem {

struct FileRole {
    std::string role; ///< As messages name it: "the input", "--stats".
    std::string path; ///< Empty: the role is not used. "-": standard input or output.
    bool written = false;
    std::vector<std::string> more{}; ///< Those that are there of the further files that `path` stands for.
};

/// Throws InputError when two roles, one of them written, name the same file: by the same name, another spelling of it,
/// a hard or symbolic link, or by a redirected standard stream; or when two read standard input. Devices such as
/// /dev/null may have many roles.
void refuse_shared_files(const std::vector<FileRole>& files);

/// Throws InputError when two roles, one of them written, share a regular file that is there, their `more` included.
void refuse_shared_existing_files(const std::vector<FileRole>& files);

} // namespace tandem
