// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/shared_rows.h"

#include "app/devices/device_choice.h"

namespace tandem {

using enum ValueKind;
using namespace section;

// clang-format off
OptionRow input_res_row() {
    return {"input-res", 0, "WxH", size, "", 1, 16384, files,
        "The size of a raw .yuv input whose name does not tell it (as clip_352x288_30.yuv does)."};
}
OptionRow fps_row() {
    return {"fps", 0, "N[/D]", ratio, "", 0, 0, files,
        "The frame rate (25, 30000/1001, 29.97); overrides what the input says."};
}
OptionRow seek_row() {
    return {"seek", 0, "N", integer, "0", 0, most_pictures, files, "Leaves out the first N pictures of the input."};
}
OptionRow frames_row() {
    return {"frames", 0, "N", integer, "", 1, most_pictures, files, "Takes at most N pictures.", false, {}, true};
}
OptionRow device_row() {
    return {"device", 0, "DEVICE", device, "auto", 0, 0, machine,
        "Where motion is searched. auto: on the GPUs when there are any, else the CPU; cpu; gpu: all GPUs; gpu:0,2: "
        "these; cpu+gpu, cpu+gpu:0: shared by measured speed. The result is the same (of poc nearly: docs/cuda.md).",
        false, {}, true};
}
OptionRow split_row() {
    return {"split", 0, joined_names(split_names, "|"), choice, "auto", 0, 0, machine,
        "How several devices share the work: whole pictures, bands of one picture, or bands while devices would be "
        "idle. The result is the same."};
}
OptionRow threads_row() {
    return {"threads", 0, "N|auto", integer, "auto", 0, 1024, machine,
        "Threads; auto, or 0, is as many as the machine runs at once. The result is the same."};
}
OptionRow simd_row() {
    return {"simd", 0, "auto|scalar|avx2|avx512", choice, "auto", 0, 0, machine,
        "The instruction set of the kernels; auto is the machine's best. The result is the same."};
}
OptionRow report_row() {
    return {"report", 0, "FILE", file, "", 0, 0, measures, "Writes settings, versions, machine and totals as JSON."};
}
OptionRow trace_row() {
    return {"trace", 0, "FILE", file, "", 0, 0, measures,
        "Writes what ran when, on which thread, for chrome://tracing or Perfetto."};
}

std::vector<OptionRow> help_rows() {
    return {
        {"help", 'h', "", none, "", 0, 0, messages, "Shows help; --help all shows every option."},
        {"fullhelp", 0, "", none, "", 0, 0, messages, "Shows every option, as --help all does."},
        {"version", 0, "", none, "", 0, 0, messages, "Shows the version and what this build contains."},
    };
}

std::vector<OptionRow> message_rows() {
    std::vector<OptionRow> rows{
        {"quiet", 'q', "", none, "", 0, 0, messages, "Says nothing but errors."},
        {"verbose", 'v', "", none, "", 0, 0, messages, "Says more: settings, backends, a line a picture."},
    };
    for (OptionRow& row : help_rows())
        rows.push_back(std::move(row));
    return rows;
}
// clang-format on

} // namespace tandem
