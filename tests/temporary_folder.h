// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdlib.h> // mkdtemp() is POSIX's.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tandem::test {

/// A folder that is removed with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "tandem-test-XXXXXX").string()) {
        if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    }
    ~TemporaryFolder() {
        std::error_code ignored; // What cannot be removed stays; a destructor does not throw.
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

} // namespace tandem::test
