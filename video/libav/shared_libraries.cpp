// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/shared_libraries.h"

#include <dlfcn.h>

#include "machine/errors.h"

namespace tandem {
namespace {

[[noreturn]] void fail(const std::string& why) {
    throw InputError("FFmpeg's libraries are needed and cannot be loaded: " + why +
                     "; without them there are y4m and yuv to read, and y4m, yuv, .m1v and .m2v to write");
}

} // namespace

SharedLibraries::SharedLibraries(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        handles_.push_back(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL));
        if (handles_.back() == nullptr) fail(::dlerror());
    }
}

void* SharedLibraries::address_of(const char* name) const {
    for (void* handle : handles_) {
        if (void* address = ::dlsym(handle, name)) return address;
    }
    fail(std::string("they have no ") + name);
}

} // namespace tandem
