// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/device/locked_pages.h"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <future>
#include <vector>

#include "cuda/device/check.h"

namespace tandem::cuda {

namespace {

constexpr std::size_t page = 4096, huge_page = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Begins at a huge page where it is as large as one. Null: there is no room.
void* map_pages(std::size_t bytes) {
    const std::size_t before = bytes < huge_page ? 0 : huge_page - page;
    void* const mapped = mmap(nullptr, bytes + before, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    if (before == 0) return mapped;
    auto* const first = static_cast<std::uint8_t*>(mapped);
    const std::size_t skipped = (huge_page - reinterpret_cast<std::uintptr_t>(mapped) % huge_page) % huge_page;
    if (skipped > 0) munmap(first, skipped);
    if (before > skipped) munmap(first + skipped + bytes, before - skipped);
#ifdef MADV_HUGEPAGE
    static_cast<void>(madvise(first + skipped, bytes, MADV_HUGEPAGE)); // A hint.
#endif
    return first + skipped;
}

/// The system clears a page when it is first written, which takes far longer than to lock it: threads share that.
void touch_pages(std::uint8_t* first, std::size_t bytes) {
    constexpr std::size_t share = 2 * huge_page;
    const auto touch_share = [first, bytes](std::size_t begin) {
        for (std::size_t i = begin; i < std::min(begin + share, bytes); i += page)
            const_cast<volatile std::uint8_t*>(first)[i] = 0;
    };
    std::vector<std::future<void>> others;
    for (std::size_t begin = share; begin < bytes; begin += share)
        others.push_back(std::async(touch_share, begin)); // By get() where the system gives no thread.
    touch_share(0);
    for (std::future<void>& other : others)
        other.get();
}

} // namespace

void LockedPages::Unmap::operator()(void* pages) const noexcept { munmap(pages, bytes); }

void LockedPages::Unlock::operator()(void* pages) const noexcept {
    static_cast<void>(cudaHostUnregister(pages));
    static_cast<void>(cudaGetLastError());
    unmap(pages);
}

LockedPages::LockedPages(std::size_t bytes) {
    constexpr const char* what = "locking pages of the host's memory";
    check(injected_error(Fault::allocation), what);
    const std::size_t whole = rounded_up(std::max<std::size_t>(bytes, 1), page);
    std::unique_ptr<void, Unmap> pages(map_pages(whole), Unmap{whole});
    if (!pages) check(cudaErrorMemoryAllocation, what);
    touch_pages(static_cast<std::uint8_t*>(pages.get()), whole);
    check(cudaHostRegister(pages.get(), whole, cudaHostRegisterPortable), what);
    pages_ = {pages.release(), Unlock{Unmap{whole}}};
    bytes_ = bytes;
}

} // namespace tandem::cuda
