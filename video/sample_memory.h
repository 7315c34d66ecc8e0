// SPDX-License-Identifier: BSD-2-Clause
// Memory that planes lie in. It goes round: what one plane lets go is the next plane's of that size, since the pages of
// fresh memory cost as much as a search of a picture, and locking them for a device many times that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tandem {

/// Where memory comes from that has not been used before. Thread-safe.
class SampleMemorySource {
  public:
    virtual ~SampleMemorySource() = default;
    /// 64-byte aligned and uninitialised; null where the source has none (left). Never throws.
    virtual void* allocate(std::size_t bytes) noexcept = 0;
    /// Takes back what allocate() gave.
    virtual void release(void* memory) noexcept = 0;
};

/// From now on new planes of this process ask `source` first, and the heap where it has nothing; null: the heap alone.
/// The source lives until its last piece has been released. In a forked process the heap is the source, and spare
/// pieces of its parent are released. Thread-safe.
void use_sample_memory(std::shared_ptr<SampleMemorySource> source);

/// Uninitialised memory, 64-byte aligned, with one owner.
class SampleMemory {
  public:
    SampleMemory() = default;
    /// Throws std::bad_alloc.
    explicit SampleMemory(std::size_t bytes);
    std::uint8_t* data() const;

  private:
    struct Piece;
    struct Spares;
    struct GiveBack {
        void operator()(Piece* piece) const noexcept;
    };
    static Spares& spares();
    friend void use_sample_memory(std::shared_ptr<SampleMemorySource> source);

    std::unique_ptr<Piece, GiveBack> piece_;
};

} // namespace tandem
