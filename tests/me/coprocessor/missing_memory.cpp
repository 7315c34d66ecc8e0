// SPDX-License-Identifier: BSD-2-Clause
#include "tests/me/coprocessor/missing_memory.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int> pieces_left{0}; ///< The piece that makes it 0 is missing; below 1 there are all.

void* piece(std::size_t bytes, std::size_t alignment) {
    if (pieces_left > 0 && --pieces_left == 0) throw std::bad_alloc();
    void* memory = nullptr;
    if (::posix_memalign(&memory, alignment, bytes) != 0) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return piece(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return piece(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try { // AddressSanitizer's does not call ours.
    return piece(bytes, alignof(std::max_align_t));
} catch (const std::bad_alloc&) {
    return nullptr;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tandem::test {

int failures_of(const std::function<void()>& run) {
    int failures = 0;
    for (int first = 1;; ++first) {
        bool failed = false;
        pieces_left = first;
        try {
            run();
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        if (pieces_left.exchange(0) > 0) return failures;
        failures += failed ? 1 : 0;
    }
}

} // namespace tandem::test
