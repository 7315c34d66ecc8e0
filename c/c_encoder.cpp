// SPDX-License-Identifier: BSD-2-Clause
// The encoder for the caller: devices, pictures in, packets out.
#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "c/c_devices.h"
#include "c/c_encoder_handles.h"
#include "cuda/gpu_coding_devices.h"
#include "machine/threads.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

Settings settled_settings(const tandem_encode_settings* chosen, const VideoFormat& format) {
    const GivenSettings given = chosen != nullptr ? chosen->given : GivenSettings();
    Settings settings = given.settings();
    settle_rates(given, settings);
    fit_to_standard(chosen_options(given), format, settings);
    return settings;
}

/// Devices say what befell them from threads of their own.
void add_note(tandem_encoder& encoder, const std::string& note) {
    const std::lock_guard lock(encoder.notes_mutex);
    encoder.notes.push_back(note);
}

/// What make() makes; null, and a note that `work` is the CPU's, where it fails.
template <class Make> auto made_or_noted(tandem_encoder& encoder, const char* work, Make make) -> decltype(make()) {
    try {
        return make();
    } catch (const RunError& error) {
        add_note(encoder, std::string(work) + " on the CPU: " + error.what());
        return nullptr;
    }
}

CodingDevices coding_devices_of(tandem_encoder& encoder, const DeviceChoice& choice) {
    CodingDevices devices;
    devices.on_warning = [&encoder](const std::string& warning) { add_note(encoder, warning); };
    if (!choice.gpus) return devices;
    devices.cpu_shares = choice.cpu_shares;
    devices.make_mpeg = [&encoder, ordinals = choice.ordinals](const MpegTools& tools) {
        return std::optional(made_or_noted(encoder, "pictures are coded", [&] {
            auto backend = make_gpu_mpeg_backend(tools, ordinals);
            const bool does = backend && backend->supports(tools);
            return does ? std::move(backend) : nullptr;
        }));
    };
    devices.make_costs = [&encoder, ordinals = choice.ordinals] {
        return std::optional(
            made_or_noted(encoder, "pictures are looked at ahead", [&] { return make_gpu_cost_meter(ordinals); }));
    };
    devices.make_filter = [&encoder, ordinals = choice.ordinals] {
        return std::optional(
            made_or_noted(encoder, "pictures are filtered", [&] { return make_gpu_picture_filter(ordinals); }));
    };
    return devices;
}

CoprocessorOptions coprocessor_options_of(tandem_encoder& encoder, const DeviceChoice& choice) {
    CoprocessorOptions options;
    options.fallback_shares = choice.cpu_shares;
    options.on_warning = [&encoder](const std::string& warning) { add_note(encoder, warning); };
    return options;
}

/// The part that is shown of a picture at coded size.
FramePtr cut_to(const Frame& picture, const VideoFormat& format) {
    auto cut = std::make_shared<Frame>(format.width, format.height);
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView from = picture.plane(plane).view();
        const MutablePlaneView to = cut->plane(plane).view();
        for (int y = 0; y < to.height; ++y)
            std::copy_n(from.row(y), to.width, to.row(y));
    }
    return cut;
}

void measure(const EncodedPicture& picture, const VideoFormat& format, tandem_packet_info& info) {
    const SquaredErrors errors = squared_errors(*picture.source, *picture.reconstruction, format.width, format.height);
    std::ranges::copy(errors.error, info.squared_errors);
    std::ranges::copy(errors.samples, info.samples);
    const auto shown = [&](const Frame& frame) {
        const PlaneView luma = frame.luma().view();
        return PlaneView{luma.data, format.width, format.height, luma.stride};
    };
    info.ssim = ssim(shown(*picture.source), shown(*picture.reconstruction));
}

void take_packet(tandem_encoder& to, const EncodedPicture& picture, int reorder_delay) {
    const PictureStats& stats = picture.stats;
    auto packet = std::make_unique<tandem_packet>();
    packet->bytes.assign(picture.bytes.begin(), picture.bytes.end());
    tandem_packet_info& info = packet->info;
    info.pts = stats.display_index;
    info.dts = stats.coding_index - reorder_delay;
    info.type = "IPB"[static_cast<std::size_t>(stats.type) - 1];
    info.is_key = picture.key ? 1 : 0;
    info.quantiser = stats.quantiser;
    info.intra = stats.intra;
    info.forward = stats.forward;
    info.backward = stats.backward;
    info.both = stats.both;
    info.skipped = stats.skipped;
    info.mean_length = stats.mean_mv;
    if (to.measures) measure(picture, to.format, info);
    if (to.keeps_reconstructions) packet->reconstruction = cut_to(*picture.reconstruction, to.format);
    to.packets.push_back(std::move(packet));
}

void open_encoder(tandem_encoder& made, const tandem_encode_settings* chosen, const tandem_encoder_format* format,
                  const std::string& device) {
    made.format = video_format_of(format);
    made.keeps_reconstructions = format->keeps_reconstructions != 0;
    made.measures = format->measures != 0;
    const Settings settings = settled_settings(chosen, made.format);
    const DeviceChoice choice = device_choice(device);
    auto gpus = open_gpus(choice, device);
    made.pool = std::make_unique<TaskPool>(threads_or_all(settings.threads));
    made.motion = std::make_unique<Coprocessor>(std::move(gpus), make_cpu_estimator(*made.pool, rank_of_searches),
                                                coprocessor_options_of(made, choice));
    const auto take = [&made](const EncodedPicture& picture) {
        take_packet(made, picture, made.encoder->promise().reorder_delay);
    };
    made.encoder = std::make_unique<Encoder>(settings, made.format, *made.motion, *made.pool, take, nullptr,
                                             coding_devices_of(made, choice));
    for (const std::string& note : made.encoder->notes())
        add_note(made, note);
}

void check_codes(const tandem_encoder& encoder) {
    if (!encoder.encoder) throw InputError("this encoder could not be made");
    if (encoder.has_failed) throw InputError("this encoder failed at a picture before");
    if (encoder.is_finished) throw InputError("this encoder has finished its stream");
}

/// Whatever is thrown while pictures are coded leaves the encoder without a way on.
template <class Body> void while_coding(tandem_encoder& encoder, const Body& body) {
    try {
        body();
    } catch (...) {
        encoder.has_failed = true;
        throw;
    }
}

void push(tandem_encoder& encoder, const FramePtr& picture) {
    const VideoFormat& format = encoder.format;
    if (picture->width() != format.width || picture->height() != format.height)
        throw InputError("picture: " + std::to_string(picture->width()) + "x" + std::to_string(picture->height()) +
                         " in a video of " + std::to_string(format.width) + "x" + std::to_string(format.height));
    while_coding(encoder, [&] { encoder.encoder->push(picture); });
}

void finish(tandem_encoder& encoder) {
    encoder.is_finished = true;
    while_coding(encoder, [&] {
        const std::vector<std::uint8_t> trailer = encoder.encoder->finish();
        if (encoder.packets.empty()) return; // No picture came: an encoder holds some of each stream back to its end.
        std::vector<std::uint8_t>& last = encoder.packets.back()->bytes;
        last.insert(last.end(), trailer.begin(), trailer.end());
    });
}

} // namespace
} // namespace tandem

tandem_status tandem_encoder_create(const tandem_encode_settings* settings, const tandem_encoder_format* format,
                                    const char* device, tandem_encoder** encoder) {
    if (encoder == nullptr) return TANDEM_BAD_INPUT;
    *encoder = new (std::nothrow) tandem_encoder;
    if (*encoder == nullptr) return TANDEM_FAILED;
    return tandem::guarded((*encoder)->message, [&] {
        if (device == nullptr) throw tandem::InputError("device: NULL is none of " + std::string(tandem::device_words));
        tandem::open_encoder(**encoder, settings, format, device);
    });
}

void tandem_encoder_destroy(tandem_encoder* encoder) { delete encoder; }

const char* tandem_encoder_message(const tandem_encoder* encoder) {
    return encoder != nullptr ? encoder->message.c_str() : "there is no encoder";
}

const char* tandem_encoder_note(tandem_encoder* encoder, size_t index) {
    if (encoder == nullptr) return nullptr;
    const std::lock_guard lock(encoder->notes_mutex);
    return index < encoder->notes.size() ? encoder->notes[index].c_str() : nullptr;
}

tandem_status tandem_encoder_push(tandem_encoder* encoder, const tandem_picture* picture) {
    if (encoder == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(encoder->message, [&] {
        tandem::check_codes(*encoder);
        tandem::push(*encoder, tandem::frame_of("picture", picture));
    });
}

tandem_status tandem_encoder_push_handle(tandem_encoder* encoder, const tandem_picture_handle* picture) {
    if (encoder == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(encoder->message, [&] {
        tandem::check_codes(*encoder);
        if (picture == nullptr) throw tandem::InputError("picture: NULL");
        tandem::push(*encoder, picture->frame);
    });
}

tandem_status tandem_encoder_finish(tandem_encoder* encoder) {
    if (encoder == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(encoder->message, [&] {
        tandem::check_codes(*encoder);
        tandem::finish(*encoder);
    });
}

tandem_status tandem_encoder_take(tandem_encoder* encoder, tandem_packet** packet) {
    if (packet != nullptr) *packet = nullptr;
    if (encoder == nullptr || packet == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(encoder->message, [&] {
        if (encoder->packets.empty()) return;
        *packet = encoder->packets.front().release();
        encoder->packets.pop_front();
    });
}
