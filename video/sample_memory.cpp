// SPDX-License-Identifier: BSD-2-Clause
#include "video/sample_memory.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace tandem {

namespace {

constexpr std::size_t alignment = 64;
/// Smaller pieces are the heap's, which has them at hand.
constexpr std::size_t least_bytes = std::size_t{64} << 10;
/// Of all pieces that wait for a plane. None under the address sanitizer, which knows memory by its being let go.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t most_spare_bytes = 0;
#else
constexpr std::size_t most_spare_bytes = std::size_t{512} << 20;
#endif

} // namespace

/// A piece and where it came from; no source: the heap.
struct SampleMemory::Piece {
    std::shared_ptr<SampleMemorySource> source;
    void* memory = nullptr;
    std::size_t bytes;

    Piece(std::shared_ptr<SampleMemorySource> from, std::size_t size) : source(std::move(from)), bytes(size) {
        if (source) memory = source->allocate(bytes);
        if (memory != nullptr) return;
        source = nullptr;
        memory = ::operator new (bytes, std::align_val_t{alignment});
    }
    ~Piece() {
        if (source) {
            source->release(memory);
        } else {
            ::operator delete (memory, std::align_val_t{alignment});
        }
    }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
};

/// Pieces without a plane, the one let go last at the end. Lives as long as the process: planes may be let go at its
/// very end.
struct SampleMemory::Spares {
    std::mutex mutex;
    std::shared_ptr<SampleMemorySource> source;
    std::vector<std::unique_ptr<Piece>> pieces; ///< With room for all that there can be: giving back cannot fail.
    std::size_t bytes = 0;

    Spares() { pieces.reserve(most_spare_bytes / least_bytes + 1); }

    void drop() {
        pieces.clear();
        bytes = 0;
        source = nullptr;
    }

    std::unique_ptr<Piece> take(std::size_t wanted) {
        const auto fits = [&](const std::unique_ptr<Piece>& piece) { return piece->bytes == wanted; };
        const auto found = std::find_if(pieces.rbegin(), pieces.rend(), fits);
        if (found == pieces.rend()) return nullptr;
        std::unique_ptr<Piece> piece = std::move(*found);
        pieces.erase(std::next(found).base());
        bytes -= wanted;
        return piece;
    }
};

/// A forked process shares its parent's page-locked memory, of which it has no copy: there no spare piece is used, and
/// the heap is the source.
SampleMemory::Spares& SampleMemory::spares() {
    static Spares& all = *new Spares;
    static const int told = pthread_atfork([] { spares().mutex.lock(); }, [] { spares().mutex.unlock(); },
                                           [] {
                                               spares().drop();
                                               spares().mutex.unlock();
                                           });
    static_cast<void>(told); // Without the memory for it there is no fork either.
    return all;
}

SampleMemory::SampleMemory(std::size_t bytes) {
    if (bytes < least_bytes) {
        piece_.reset(new Piece(nullptr, bytes));
        return;
    }
    std::shared_ptr<SampleMemorySource> source;
    {
        const std::lock_guard lock(spares().mutex);
        piece_.reset(spares().take(bytes).release());
        source = spares().source;
    }
    if (!piece_) piece_.reset(new Piece(std::move(source), bytes));
}

std::uint8_t* SampleMemory::data() const { return static_cast<std::uint8_t*>(piece_ ? piece_->memory : nullptr); }

/// Keeps the piece, and lets the oldest ones go when there is too much.
void SampleMemory::GiveBack::operator()(Piece* piece) const noexcept {
    std::unique_ptr<Piece> returned(piece);
    if (piece->bytes < least_bytes || piece->bytes > most_spare_bytes) return;
    Spares& all = spares();
    const std::lock_guard lock(all.mutex);
    if (all.source != piece->source) return;
    all.bytes += piece->bytes;
    all.pieces.push_back(std::move(returned));
    while (all.bytes > most_spare_bytes) {
        all.bytes -= all.pieces.front()->bytes;
        all.pieces.erase(all.pieces.begin());
    }
}

void use_sample_memory(std::shared_ptr<SampleMemorySource> source) {
    SampleMemory::Spares& all = SampleMemory::spares();
    std::vector<std::unique_ptr<SampleMemory::Piece>> dropped;
    const std::lock_guard lock(all.mutex);
    if (all.source == source) return;
    all.source = std::move(source);
    dropped.swap(all.pieces);
    all.bytes = 0;
}

} // namespace tandem
