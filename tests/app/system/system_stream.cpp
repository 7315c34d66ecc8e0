// SPDX-License-Identifier: BSD-2-Clause
#include "tests/app/system/system_stream.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tandem::test {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr double clock_rate = 90000, fine_clock_rate = 27e6;

bool has_start_code(Bytes bytes, std::size_t at) {
    return at + 4 <= bytes.size() && bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1;
}

/// 33 bits in five bytes, with markers: a time stamp, an SCR of 11172-1.
double stamp(Bytes five) {
    const std::uint64_t base = std::uint64_t{five[0]} >> 1 & 7;
    const std::uint64_t middle = (std::uint64_t{five[1]} << 8 | five[2]) >> 1;
    const std::uint64_t low = (std::uint64_t{five[3]} << 8 | five[4]) >> 1;
    return static_cast<double>(base << 30 | middle << 15 | low) / clock_rate;
}

struct PesHeader {
    std::size_t bytes = 0; ///< From the start code to the payload.
    std::optional<double> seconds;
    double buffer_bytes = 0;
};

double buffer_size(std::uint8_t high, std::uint8_t low) {
    const double unit = (high & 0x20) != 0 ? 1024 : 128;
    return unit * ((high & 0x1F) << 8 | low);
}

/// 13818-1 clause 2.4.3.6.
PesHeader mpeg2_pes_header(Bytes packet) {
    PesHeader header;
    header.bytes = 9U + packet[8];
    const int flags = packet[7];
    std::size_t at = 9;
    if ((flags & 0x80) != 0) {
        header.seconds = stamp(packet.subspan(at, 5));
        if ((flags & 0x40) != 0) header.seconds = stamp(packet.subspan(at + 5, 5));
        at += (flags & 0x40) != 0 ? 10 : 5;
    }
    if ((flags & 1) != 0) {
        const int extension = packet[at++];
        if ((extension & 0x80) != 0) at += 16;
        if ((extension & 0x40) != 0) at += 1U + packet[at];
        if ((extension & 0x20) != 0) at += 2;
        if ((extension & 0x10) != 0) header.buffer_bytes = buffer_size(packet[at], packet[at + 1]);
    }
    return header;
}

/// 11172-1 clause 2.4.3.3.
PesHeader mpeg1_packet_header(Bytes packet) {
    PesHeader header;
    std::size_t at = 6;
    while (packet[at] == 0xFF)
        ++at;
    if ((packet[at] & 0xC0) == 0x40) {
        header.buffer_bytes = buffer_size(packet[at], packet[at + 1]);
        at += 2;
    }
    const int kind = packet[at] >> 4;
    if (kind == 2) header.seconds = stamp(packet.subspan(at, 5));
    if (kind == 3) header.seconds = stamp(packet.subspan(at + 5, 5));
    at += kind == 2 ? 5 : kind == 3 ? 10 : 1;
    header.bytes = at;
    return header;
}

PesHeader pes_header(Bytes packet) {
    return (packet[6] & 0xC0) == 0x80 ? mpeg2_pes_header(packet) : mpeg1_packet_header(packet);
}

struct PackHeader {
    std::size_t bytes = 0;
    double seconds = 0, bytes_per_second = 0;
};

PackHeader pack_header(Bytes pack) {
    const auto rate = [&](std::size_t at, int shift) {
        const std::uint32_t bits = std::uint32_t{pack[at]} << 16 | std::uint32_t{pack[at + 1]} << 8 | pack[at + 2];
        return 50.0 * static_cast<double>(bits >> shift & 0x3FFFFF);
    };
    if ((pack[4] & 0xC0) != 0x40) return {12, stamp(pack.subspan(4, 5)), rate(9, 1)};
    // system_clock_reference_base has its markers elsewhere than a time stamp, and an extension.
    const std::uint64_t bits = std::uint64_t{pack[4]} << 40 | std::uint64_t{pack[5]} << 32 |
                               std::uint64_t{pack[6]} << 24 | std::uint64_t{pack[7]} << 16 |
                               std::uint64_t{pack[8]} << 8 | pack[9];
    const std::uint64_t base = (bits >> 43 & 7) << 30 | (bits >> 27 & 0x7FFF) << 15 | (bits >> 11 & 0x7FFF);
    const std::uint64_t fine = bits >> 1 & 0x1FF;
    return {14U + (pack[13] & 7U), static_cast<double>(base * 300 + fine) / fine_clock_rate, rate(10, 2)};
}

class ProgramReader {
  public:
    explicit ProgramReader(Bytes bytes) : bytes_(bytes) {}

    SystemStream read() {
        std::size_t at = 0;
        while (has_start_code(bytes_, at)) {
            const int id = bytes_[at + 3];
            if (id == 0xB9) break;
            if (id == 0xBA)
                at += begin_pack(at);
            else
                at += packet(at, id);
            // A sector of a Video CD ends with zero bytes.
            while (at + 4 <= bytes_.size() && bytes_[at] == 0 && !has_start_code(bytes_, at))
                ++at;
        }
        if (at + 4 < bytes_.size()) stream_.problems.push_back("no start code at byte " + std::to_string(at));
        return std::move(stream_);
    }

  private:
    double time_of(std::size_t at) const {
        return pack_.seconds + static_cast<double>(at - pack_at_) / pack_.bytes_per_second;
    }
    std::size_t begin_pack(std::size_t at) {
        const PackHeader next = pack_header(bytes_.subspan(at));
        if (pack_.bytes > 0) {
            // libavformat's clock of MPEG-1 is up to half a millisecond early.
            constexpr double tolerated = 0.0005;
            if (time_of(at) > next.seconds + tolerated)
                stream_.problems.push_back("the pack at byte " + std::to_string(at) + " begins " +
                                           std::to_string(time_of(at) - next.seconds) + " s too soon for the mux rate");
            stream_.longest_clock_gap = std::max(stream_.longest_clock_gap, next.seconds - pack_.seconds);
        }
        pack_ = next;
        pack_at_ = at;
        stream_.bits_per_second = 8 * next.bytes_per_second;
        return next.bytes;
    }
    std::size_t packet(std::size_t at, int id) {
        const std::size_t bytes = 6U + (std::size_t{bytes_[at + 4]} << 8 | bytes_[at + 5]);
        if (id != 0xE0) return bytes;
        const Bytes whole = bytes_.subspan(at, std::min(bytes, bytes_.size() - at));
        const PesHeader header = pes_header(whole);
        if (header.buffer_bytes > 0) stream_.buffer_bytes = header.buffer_bytes;
        if (header.seconds) stream_.times.push_back({stream_.video.size(), *header.seconds});
        const Bytes payload = whole.subspan(header.bytes);
        stream_.video.insert(stream_.video.end(), payload.begin(), payload.end());
        stream_.arrivals.push_back({payload.size(), time_of(at + header.bytes), time_of(at + whole.size())});
        return bytes;
    }

    Bytes bytes_;
    SystemStream stream_;
    PackHeader pack_;
    std::size_t pack_at_ = 0;
};

constexpr std::size_t packet_bytes = 188;

struct TransportPacket {
    int pid = 0;
    bool begins_pes = false;
    std::optional<double> clock;
    Bytes payload;
};

TransportPacket transport_packet(Bytes packet) {
    TransportPacket read;
    read.pid = (packet[1] & 0x1F) << 8 | packet[2];
    read.begins_pes = (packet[1] & 0x40) != 0;
    const int control = packet[3] >> 4 & 3;
    std::size_t at = 4;
    if ((control & 2) != 0) {
        const std::size_t length = packet[4];
        if (length >= 7 && (packet[5] & 0x10) != 0) {
            const std::uint64_t base = std::uint64_t{packet[6]} << 25 | std::uint64_t{packet[7]} << 17 |
                                       std::uint64_t{packet[8]} << 9 | std::uint64_t{packet[9]} << 1 | packet[10] >> 7;
            const std::uint64_t fine = (packet[10] & 1U) << 8 | packet[11];
            read.clock = static_cast<double>(base * 300 + fine) / fine_clock_rate;
        }
        at += 1 + length;
    }
    if ((control & 1) != 0) read.payload = packet.subspan(std::min(at, packet_bytes));
    return read;
}

bool begins_video(const TransportPacket& packet) {
    return packet.begins_pes && has_start_code(packet.payload, 0) && packet.payload[3] >> 4 == 0xE;
}

/// The clock at each packet: between two of its values it goes on evenly, as clause 2.4.2.2 has it, and beyond the last
/// as before it.
std::vector<double> packet_times(Bytes bytes, SystemStream& stream) {
    std::vector<std::pair<std::size_t, double>> clocks;
    const std::size_t count = bytes.size() / packet_bytes;
    for (std::size_t i = 0; i < count; ++i) {
        if (const auto clock = transport_packet(bytes.subspan(i * packet_bytes, packet_bytes)).clock)
            clocks.emplace_back(i, *clock);
    }
    std::vector<double> times(count, 0.0);
    if (clocks.size() < 2) {
        stream.problems.push_back("fewer than two clock references");
        return times;
    }
    for (std::size_t k = 1; k < clocks.size(); ++k) {
        const auto [from, begin] = clocks[k - 1];
        const auto [to, end] = clocks[k];
        if (end < begin) stream.problems.push_back("the clock goes back at packet " + std::to_string(to));
        stream.longest_clock_gap = std::max(stream.longest_clock_gap, end - begin);
        const double step = (end - begin) / static_cast<double>(to - from);
        for (std::size_t i = k == 1 ? 0 : from; i < (k + 1 == clocks.size() ? count : to); ++i)
            times[i] = begin + step * (static_cast<double>(i) - static_cast<double>(from));
    }
    return times;
}

} // namespace

SystemStream read_program_stream(Bytes bytes) { return ProgramReader(bytes).read(); }

SystemStream read_transport_stream(Bytes bytes) {
    SystemStream stream;
    const std::vector<double> times = packet_times(bytes, stream);
    int video_pid = -1;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Bytes whole = bytes.subspan(i * packet_bytes, packet_bytes);
        if (whole[0] != 0x47) stream.problems.push_back("no sync byte in packet " + std::to_string(i));
        TransportPacket packet = transport_packet(whole);
        if (video_pid < 0 && begins_video(packet)) video_pid = packet.pid;
        if (packet.pid != video_pid || packet.payload.empty()) continue;
        if (packet.begins_pes) {
            const PesHeader header = pes_header(packet.payload);
            if (header.seconds) stream.times.push_back({stream.video.size(), *header.seconds});
            packet.payload = packet.payload.subspan(header.bytes);
        }
        stream.video.insert(stream.video.end(), packet.payload.begin(), packet.payload.end());
        const double end = i + 1 < times.size() ? times[i + 1] : times[i];
        stream.arrivals.push_back({packet.payload.size(), times[i], std::max(end, times[i])});
    }
    return stream;
}

namespace {

struct AccessUnit {
    std::size_t begin = 0, end = 0;
    double due = 0;
};

/// Pictures with the headers before them; the bytes between two time stamps' pictures are due a period apart.
std::vector<AccessUnit> access_units(const SystemStream& stream, double pictures_per_second) {
    std::vector<AccessUnit> units;
    bool has_picture = false;
    const Bytes video = stream.video;
    for (std::size_t i = 0; has_start_code(video, i) || i + 4 <= video.size(); ++i) {
        if (!has_start_code(video, i)) continue;
        const int code = video[i + 3];
        const bool headers = code == 0xB3 || code == 0xB8;
        if ((headers || code == 0x00) && (units.empty() || has_picture)) {
            if (!units.empty()) units.back().end = i;
            units.push_back({i, video.size(), 0});
            has_picture = false;
        }
        has_picture = has_picture || code == 0x00;
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        while (next + 1 < stream.times.size() && stream.times[next + 1].offset <= units[i].begin)
            ++next;
        const bool has_stamp = next < stream.times.size() && stream.times[next].offset <= units[i].begin &&
                               (i == 0 || stream.times[next].offset > units[i - 1].begin);
        units[i].due = has_stamp ? stream.times[next].seconds : units[i - 1].due + 1 / pictures_per_second;
    }
    return units;
}

} // namespace

SystemFindings play(const SystemStream& stream, double buffer_bytes, double pictures_per_second) {
    SystemFindings found;
    const std::vector<AccessUnit> units = access_units(stream, pictures_per_second);
    found.pictures = units.size();
    std::size_t coming = 0, due = 0, offset = 0; // The unit that bytes belong to, the next to be taken out.
    std::size_t taken = 0;                       // Bytes.
    constexpr double rounding = 2 / clock_rate;  // Time stamps are whole periods.
    for (const ArrivingBytes& chunk : stream.arrivals) {
        // What is due before the chunk's end leaves before it is whole.
        while (due < units.size() && units[due].due <= chunk.end && units[due].end <= offset)
            taken = units[due++].end;
        offset += chunk.count;
        const double inside = static_cast<double>(offset - std::min(taken, offset));
        found.fullest_bytes = std::max(found.fullest_bytes, inside);
        if (inside > buffer_bytes) ++found.overflows;
        while (coming < units.size() && units[coming].end <= offset) {
            const double slack = units[coming].due - chunk.end;
            found.least_slack = std::min(found.least_slack, slack);
            found.late += slack < -rounding ? 1 : 0;
            ++coming;
        }
        if (coming < units.size() && units[coming].begin < offset)
            found.longest_stay = std::max(found.longest_stay, units[coming].due - chunk.begin);
    }
    return found;
}

} // namespace tandem::test
