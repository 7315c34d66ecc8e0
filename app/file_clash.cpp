// SPDX-License-Identifier: BSD-2-Clause
#include "app/file_clash.h"

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Of "-" that of the standard stream, so that redirected ones compare too; nothing where there is no such file.
std::optional<struct stat> status_of(const std::string& path, bool written) {
    struct stat status {};
    const int result =
        path == "-" ? ::fstat(written ? STDOUT_FILENO : STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
    return result == 0 ? std::optional(status) : std::nullopt;
}

/// The number of the open file that a name stands for, "-" included; -1: it is no such name.
int descriptor_of(const FileRole& file) {
    if (file.path == "-") return file.written ? STDOUT_FILENO : STDIN_FILENO;
    return file.written ? named_descriptor(file.path).value_or(-1) : -1;
}

bool clash(const FileRole& a, const FileRole& b) {
    const bool standard = a.path == "-" || b.path == "-";
    if (descriptor_of(a) >= 0 && descriptor_of(a) == descriptor_of(b)) return true;
    const auto first = status_of(a.path, a.written), second = status_of(b.path, b.written);
    if (first && S_ISCHR(first->st_mode)) return false;
    if (!standard) return same_file(a.path, b.path);
    // A pipe that is standard input and output at once (a socket, a terminal) is nobody's mistake.
    return first && second && S_ISREG(first->st_mode) && first->st_dev == second->st_dev &&
           first->st_ino == second->st_ino;
}

std::string described(const FileRole& file) {
    return fmt::format("{} ({})", file.role,
                       file.path == "-" ? (file.written ? "standard output" : "standard input") : file.path);
}

} // namespace

void refuse_shared_files(const std::vector<FileRole>& files) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t j = i + 1; j < files.size(); ++j) {
            const FileRole& a = files[i];
            const FileRole& b = files[j];
            if (a.path.empty() || b.path.empty()) continue;
            // Two that read may share a file, but not a pipe.
            if (!(a.written || b.written) && !(a.path == "-" && b.path == "-")) continue;
            if (!clash(a, b)) continue;
            throw InputError(fmt::format("{} and {} are the same file", described(a), described(b)));
        }
    }
}

void refuse_shared_existing_files(const std::vector<FileRole>& files) {
    struct Use {
        const FileRole* role;
        std::string name;
    };
    const auto shown = [](const Use& use) {
        const FileRole& role = *use.role;
        return fmt::format("{} ({})", use.name, use.name == role.path ? role.role : role.role + " " + role.path);
    };
    std::map<std::pair<dev_t, ino_t>, Use> first_uses;
    const auto add = [&](const FileRole& role, const std::string& name) {
        const auto status = status_of(name, role.written);
        if (!status || !S_ISREG(status->st_mode)) return;
        const Use use{&role, name};
        const Use& first = first_uses.try_emplace({status->st_dev, status->st_ino}, use).first->second;
        if (first.role != use.role && (first.role->written || role.written))
            throw InputError(fmt::format("{} and {} are the same file", shown(first), shown(use)));
    };
    for (const FileRole& role : files) {
        add(role, role.path);
        for (const std::string& name : role.more)
            add(role, name);
    }
}

} // namespace tandem
