// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_series.h"

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/bench/child_process.h"
#include "app/compare/compare_provenance.h"
#include "app/compare/encoders/command_encoder.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"
#include "machine/errors.h"
#include "me/search.h"

namespace tandem {
namespace {

/// Opens the device and asks what it searches: {"names": "...", "searches": [...]} or {"missing": why}.
Json probe_device(const CompareOptions& options, const NamedDevice& device) {
    spdlog::set_level(spdlog::level::err);
    std::vector<std::unique_ptr<Estimator>> estimators;
    try {
        estimators = open_devices(device.choice);
    } catch (const RunError& error) {
        return {{"missing", error.what()}};
    }
    Json found = {{"names", ""}, {"searches", Json::array()}};
    std::string names;
    for (const auto& estimator : estimators)
        names += (names.empty() ? "" : ", ") + estimator->name();
    found["names"] = names;
    for (const Algorithm search : options.searches) {
        Settings settings = options.settings;
        settings.search.algorithm = search;
        const SearchParams params = search_params(settings, PictureType::predicted, largest_distance(settings));
        if (any_does(estimators, params)) found["searches"].push_back(search_row(search).name);
    }
    return found;
}

/// Whether a list of names, as probe_device makes it, has a search's.
bool names_search(const Json& names, Algorithm search) {
    const auto is_its_name = [&](const Json& name) {
        return name.get_ref<const std::string&>() == search_row(search).name;
    };
    return std::any_of(names.begin(), names.end(), is_its_name);
}

/// Why a peer cannot be run here; empty where it can.
std::string why_missing(const Peer& peer) {
    if (peer.kind == PeerKind::library)
        return library_has_encoder(peer.encoder) ? "" : "libavcodec has no such encoder here";
    return program_exists(peer.encoder) ? "" : "the command is not installed";
}

/// Its version; InputError where the encoder refuses the options.
Json probe_peer(const Peer& peer, const CompareOptions& options, const ComparedClip& clip) {
    if (peer.kind == PeerKind::library) {
        // Not closed again, since this process ends: some libraries (SVT-AV1) wait for ever for a first picture then.
        for (const PointTarget& target : targets_of(options))
            static_cast<void>(make_library_encoder(peer, peer_settings_of(options, target, 1), clip.format).release());
    } else {
        codec_of_command(peer);
    }
    return peer_version(peer);
}

class Selection {
  public:
    Selection(const CompareOptions& options, const std::vector<ComparedClip>& clips)
        : options_(options), clips_(clips) {}

    /// False after an interrupt.
    bool take_all() {
        for (const NamedDevice& device : options_.devices)
            if (!take_device(device)) return false;
        for (const Peer& peer : options_.peers)
            if (!take_peer(peer)) return false;
        return true;
    }

    AvailableSeries selected() {
        AvailableSeries available;
        for (const Series& series : all_series(options_)) {
            const std::optional<std::string> maker = maker_of(series);
            if (!maker) continue;
            available.series.push_back(series);
            available.makers.push_back(*maker);
        }
        if (available.series.empty())
            throw RunError(
                "nothing is left to compare: this machine has none of the devices and peers that are asked for");
        return available;
    }

  private:
    /// Nothing where it cannot run here.
    std::optional<std::string> maker_of(const Series& series) const {
        if (series.peer) {
            const auto version = peers_.find(series.peer->text);
            return version != peers_.end() ? std::optional(version->second) : std::nullopt;
        }
        const auto device = devices_.find(series.device.name);
        if (device == devices_.end()) return std::nullopt;
        const Json& searches = device->second["searches"];
        const bool runs = searches.is_null() || names_search(searches, series.search);
        return runs ? std::optional(device->second["names"].get<std::string>()) : std::nullopt;
    }

    bool take_device(const NamedDevice& device) {
        if (!device.choice.gpus) {
            devices_[device.name] = {{"names", ""}, {"searches", nullptr}};
            return true;
        }
        const auto found = run_in_child([&] { return probe_device(options_, device); });
        if (!found) return false;
        if (found->contains("missing")) {
            const std::string why =
                fmt::format("{} is left out: {}", device.name, (*found)["missing"].get<std::string>());
            if (options_.devices_are_chosen)
                spdlog::warn("warning: {}", why);
            else
                spdlog::debug("{}", why);
            return true;
        }
        for (const Algorithm search : options_.searches) {
            if (!names_search((*found)["searches"], search))
                spdlog::warn("warning: {} does not run {}, which is left out there", device.name,
                             search_row(search).name);
        }
        devices_[device.name] = *found;
        return true;
    }

    bool take_peer(const Peer& peer) {
        if (const std::string why = why_missing(peer); !why.empty()) {
            if (options_.peers_are_chosen) throw InputError(fmt::format("--peers {}: {}", peer.text, why));
            spdlog::warn("warning: {} is left out: {}", peer.text, why);
            return true;
        }
        std::optional<Json> version;
        try {
            for (const ComparedClip& clip : clips_) {
                version = run_in_child([&] { return probe_peer(peer, options_, clip); });
                if (!version) return false;
            }
        } catch (const InputError& error) {
            if (options_.peers_are_chosen) throw;
            spdlog::warn("warning: {} is left out: {}", peer.text, error.what());
            return true;
        }
        peers_[peer.text] = version->get<std::string>();
        return true;
    }

    const CompareOptions& options_;
    const std::vector<ComparedClip>& clips_;
    // What is here, by name; a peer may be called like a device.
    std::map<std::string, Json> devices_;
    std::map<std::string, std::string> peers_; ///< Their versions.
};

} // namespace

std::optional<AvailableSeries> available_series(const CompareOptions& options, const std::vector<ComparedClip>& clips) {
    Selection selection(options, clips);
    if (!selection.take_all()) return std::nullopt;
    return selection.selected();
}

} // namespace tandem
