// SPDX-License-Identifier: BSD-2-Clause
// The pictures of files for Python.
#include <memory>
#include <mutex>
#include <string>

#include "c/tandem_encoder.h"
#include "python/encode_settings.h"
#include "python/module.h"
#include "python/pictures.h"

namespace py = pybind11;

namespace tandem::python {
namespace {

/// The pictures of a file, one after the other.
class Clip {
  public:
    /// `settings`: of the encode that the pictures are for; None: they are searched, and keep their range of luma.
    Clip(const std::string& path, const py::object& settings) {
        const std::string name = whole_text("path", path);
        const tandem_encode_settings* of = settings.is_none() ? nullptr : made<EncodeSettings>(settings).get();
        tandem_clip* opened = nullptr;
        const tandem_status status = [&] {
            const OthersRun others_run;
            return of == nullptr ? tandem_clip_open(name.c_str(), &opened)
                                 : tandem_clip_open_to_encode(name.c_str(), of, &opened);
        }();
        clip_.reset(opened);
        refuse(status, tandem_clip_message(opened));
    }

    /// None after the last.
    std::unique_ptr<Picture> read() {
        tandem_picture_handle* picture = nullptr;
        call([&] { return tandem_clip_read(clip_.get(), &picture); });
        return picture != nullptr ? std::make_unique<Picture>(picture) : nullptr;
    }

    py::tuple format() {
        tandem_encoder_format format;
        tandem_encoder_format_defaults(&format);
        call([&] { return tandem_clip_format(clip_.get(), &format); });
        return tuple_of(format);
    }

  private:
    template <class Body> void call(const Body& body) {
        python::call(mutex_, body, [&] { return tandem_clip_message(clip_.get()); });
    }

    struct Close {
        void operator()(tandem_clip* clip) const { tandem_clip_close(clip); }
    };
    std::mutex mutex_; ///< Guards the clip.
    std::unique_ptr<tandem_clip, Close> clip_;
};

} // namespace

void add_clips(py::module_& module) {
    py::class_<Clip>(module, "Clip")
        .def(py::init<const std::string&, const py::object&>(), py::arg("path"), py::arg("settings") = py::none())
        .def("read", made_first(&Clip::read))
        .def("format", made_first(&Clip::format));
}

} // namespace tandem::python
