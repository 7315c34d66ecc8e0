// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/shared_library.h"

#include <dlfcn.h>

#include "machine/errors.h"

namespace tandem {
namespace {

[[noreturn]] void fail(const std::string& why) {
    throw InputError("FFmpeg's libraries are needed and cannot be loaded: " + why +
                     "; without them there are y4m and yuv to read, and y4m, yuv, .m1v and .m2v to write");
}

} // namespace

SharedLibrary::SharedLibrary(const std::string& name)
    : name_(name), handle_(::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) fail(::dlerror());
}

void* SharedLibrary::address_of(const char* name) const {
    void* address = ::dlsym(handle_, name);
    if (address == nullptr) fail(name_ + " has no " + name);
    return address;
}

} // namespace tandem
