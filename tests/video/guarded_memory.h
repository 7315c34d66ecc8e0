// SPDX-License-Identifier: BSD-2-Clause
// Memory whose ends are seen: a byte before or behind it ends the program.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

namespace tandem::test {

/// Memory between two pages that no one may touch.
class GuardedMemory {
  public:
    explicit GuardedMemory(std::size_t bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        usable_ = (bytes + page - 1) / page * page;
        whole_ = usable_ + 2 * page;
        void* memory = mmap(nullptr, whole_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        start_ = static_cast<std::uint8_t*>(memory);
        first_ = start_ + page;
        if (mprotect(first_, usable_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    }
    ~GuardedMemory() { munmap(start_, whole_); }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    /// `bytes` that begin after one guard or end before the other.
    std::uint8_t* place(std::size_t bytes, bool at_end) { return at_end ? first_ + usable_ - bytes : first_; }

  private:
    std::uint8_t* start_ = nullptr;
    std::uint8_t* first_ = nullptr;
    std::size_t usable_ = 0, whole_ = 0;
};

} // namespace tandem::test
