// SPDX-License-Identifier: BSD-2-Clause
// No locks, because a signal's handler reads the table. Invariant: the name of a place is written by the thread that has
// moved it from `free` to `busy` alone, and read by whoever has moved it from `noted` to `busy`.
#include "files/temporary_file.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace tandem {

namespace {

enum class Place : int { free, busy, noted };

struct Note {
    std::atomic<Place> place{Place::free};
    std::array<char, PATH_MAX> name{}; ///< Absolute or not, as it was made; ends with 0.
};
static_assert(std::atomic<Place>::is_always_lock_free, "signal handlers may use nothing else");

/// More outputs than any command has open at once; a file that finds no place is removed by its owner alone.
constexpr std::size_t most_noted = 64;
std::array<Note, most_noted> notes;

bool take(Note& note, Place from) { return note.place.compare_exchange_strong(from, Place::busy); }

void remember(const std::string& name) {
    if (name.size() >= PATH_MAX) return;
    for (Note& note : notes) {
        if (!take(note, Place::free)) continue;
        std::copy(name.begin(), name.end(), note.name.begin());
        note.name[name.size()] = '\0';
        note.place.store(Place::noted);
        return;
    }
}

} // namespace

int create_temporary(const std::string& directory, std::string& name) {
    static std::atomic<unsigned> counter{0};
    constexpr int attempts = 1000;
    for (int i = 0; i < attempts; ++i) {
        name = directory + "/.tandem-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) + ".tmp";
        const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) remember(name);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    errno = EEXIST;
    return -1;
}

void forget_temporary(const std::string& name) {
    for (Note& note : notes) {
        if (!take(note, Place::noted)) continue;
        const bool same = name == note.name.data();
        note.place.store(same ? Place::free : Place::noted);
        if (same) return;
    }
}

void remove_temporaries() noexcept {
    // The places stay taken: the process ends.
    for (Note& note : notes)
        if (take(note, Place::noted)) ::unlink(note.name.data());
}

} // namespace tandem
