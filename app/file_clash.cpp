// SPDX-License-Identifier: BSD-2-Clause
#include "app/file_clash.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "video/errors.h"
#include "video/sink.h"

namespace tandem {
namespace {

/// The name under which the system knows a standard stream's file, so that redirected ones compare too.
std::string system_name(const FileRole& file) {
    // Absolute, because names of files that do not exist yet are compared as they are written.
    if (file.path != "-") return std::filesystem::absolute(file.path).string();
    return file.written ? "/dev/stdout" : "/dev/stdin";
}

enum class Kind { absent, regular, device, other };

Kind kind_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return Kind::absent;
    if (S_ISREG(status.st_mode)) return Kind::regular;
    return S_ISCHR(status.st_mode) ? Kind::device : Kind::other;
}

bool clash(const FileRole& a, const FileRole& b) {
    if (a.path == "-" && b.path == "-" && a.written == b.written) return true;
    const std::string first = system_name(a), second = system_name(b);
    if (kind_of(first) == Kind::device) return false;
    // A pipe that is standard input and output at once (a socket, a terminal) is nobody's mistake.
    if ((a.path == "-" || b.path == "-") && kind_of(first) != Kind::regular) return false;
    return same_file(first, second);
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
        struct stat status {};
        if (::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
        const Use use{&role, name};
        const Use& first = first_uses.try_emplace({status.st_dev, status.st_ino}, use).first->second;
        if (first.role != use.role && (first.role->written || role.written))
            throw InputError(fmt::format("{} and {} are the same file", shown(first), shown(use)));
    };
    for (const FileRole& role : files) {
        add(role, role.path == "-" ? system_name(role) : role.path);
        for (const std::string& name : role.more)
            add(role, name);
    }
}

} // namespace tandem
