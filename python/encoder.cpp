// SPDX-License-Identifier: BSD-2-Clause
// The encoder for Python, on the C interface.
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "c/tandem_encoder.h"
#include "python/encode_settings.h"
#include "python/module.h"
#include "python/one_process.h"
#include "python/pictures.h"
#include "video/frame_rate.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

struct EndEncoder {
    void operator()(tandem_encoder* encoder) const { tandem_encoder_destroy(encoder); }
};
struct EndPacket {
    void operator()(tandem_packet* packet) const { tandem_packet_free(packet); }
};

/// Everything that the package makes a tandem.Packet of, by name.
py::dict dict_of(const tandem_packet* packet, bool is_measured) {
    tandem_packet_info info;
    refuse(tandem_packet_describe(packet, &info, sizeof info), "packet");
    py::dict told;
    told["data"] = py::bytes(reinterpret_cast<const char*>(info.data), info.bytes);
    told["type"] = std::string(1, info.type);
    told["quantiser"] = info.quantiser;
    told["pts"] = info.pts;
    told["dts"] = info.dts;
    told["is_key"] = info.is_key != 0;
    py::dict blocks;
    blocks["intra"] = info.intra;
    blocks["forward"] = info.forward;
    blocks["backward"] = info.backward;
    blocks["both"] = info.both;
    blocks["skipped"] = info.skipped;
    told["macroblocks"] = blocks;
    told["mean_length"] = info.mean_length;
    if (is_measured) {
        told["squared_errors"] = py::make_tuple(info.squared_errors[0], info.squared_errors[1], info.squared_errors[2]);
        told["samples"] = py::make_tuple(info.samples[0], info.samples[1], info.samples[2]);
        told["ssim"] = info.ssim;
    }
    if (tandem_picture_handle* picture = tandem_packet_reconstruction(packet))
        told["reconstruction"] = std::make_unique<Picture>(picture);
    return told;
}

/// One stream.
class Encoder {
  public:
    Encoder(const py::object& settings, const py::tuple& format, const std::string& device, bool keeps, bool measures)
        : measures_(measures) {
        const tandem_encode_settings* of = made<EncodeSettings>(settings).get();
        tandem_encoder_format wanted = format_of(format);
        wanted.keeps_reconstructions = keeps ? 1 : 0;
        wanted.measures = measures ? 1 : 0;
        const std::string name = whole_text("device", device);
        tandem_encoder* created = nullptr;
        const tandem_status status = [&] {
            const OthersRun others_run;
            return tandem_encoder_create(of, &wanted, name.c_str(), &created);
        }();
        encoder_.reset(created);
        refuse(status, tandem_encoder_message(created));
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        if (!process_.is_here()) {
            static_cast<void>(encoder_.release());
            return;
        }
        const OthersRun others_run;
        encoder_.reset();
    }

    void push(const py::object& picture) {
        const tandem_picture_handle* samples = made<Picture>(picture).get();
        call([&] { return tandem_encoder_push_handle(encoder_.get(), samples); });
    }

    void finish() {
        call([&] { return tandem_encoder_finish(encoder_.get()); });
    }

    /// Those that are ready, in coding order.
    py::list take() {
        py::list taken;
        while (true) {
            tandem_packet* packet = nullptr;
            call([&] { return tandem_encoder_take(encoder_.get(), &packet); });
            const std::unique_ptr<tandem_packet, EndPacket> owned(packet);
            if (!owned) return taken;
            taken.append(dict_of(packet, measures_));
        }
    }

    /// What a user should know of the stream or of devices.
    std::vector<std::string> notes() {
        std::vector<std::string> notes;
        call([&] {
            while (const char* note = tandem_encoder_note(encoder_.get(), notes.size()))
                notes.emplace_back(note);
            return TANDEM_OK;
        });
        return notes;
    }

  private:
    template <class Body> void call(const Body& body) {
        process_.refuse_elsewhere("this encoder");
        python::call(mutex_, body, [&] { return tandem_encoder_message(encoder_.get()); });
    }

    const bool measures_;
    std::unique_ptr<tandem_encoder, EndEncoder> encoder_;
    std::mutex mutex_; ///< Guards the encoder.
    const OfOneProcess process_;
};

py::list encode_settings() {
    py::list all;
    tandem_encode_setting row;
    for (std::size_t index = 0; tandem_encode_setting_at(index, &row) == TANDEM_OK; ++index)
        all.append(
            py::make_tuple(row.name, row.type, row.words, row.least, row.most, row.usual, row.spelling, row.help));
    return all;
}

/// 30000/1001 of 2997/100.
std::pair<std::int64_t, std::int64_t> rate_meant(std::int64_t numerator, std::int64_t denominator) {
    const Rational meant = rate_of_decimal({numerator, denominator});
    return {meant.numerator, meant.denominator};
}

int colour_code(const std::string& option, const std::string& name) {
    return tandem_colour_code(whole_text("colour", option).c_str(), whole_text("colour", name).c_str());
}

} // namespace

void add_encoder(py::module_& module) {
    module.def("encode_settings", &encode_settings);
    module.def("rate_meant", &rate_meant);
    module.def("colour_code", &colour_code);
    py::class_<EncodeSettings>(module, "EncodeSettings").def(py::init<const py::dict&>(), py::arg("given"));
    py::class_<Encoder>(module, "Encoder")
        .def(py::init<const py::object&, const py::tuple&, const std::string&, bool, bool>(), py::arg("settings"),
             py::arg("format"), py::arg("device"), py::arg("keeps_reconstructions"), py::arg("measures"))
        .def("push", made_first(&Encoder::push), py::arg("picture"))
        .def("finish", made_first(&Encoder::finish))
        .def("take", made_first(&Encoder::take))
        .def("notes", made_first(&Encoder::notes));
}

} // namespace tandem::python
