// SPDX-License-Identifier: BSD-2-Clause
// --device: where motion is searched.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "coding/coding_devices.h"
#include "me/coprocessor/coprocessor.h"
#include "me/coprocessor/device_choice.h"
#include "me/rows/search_names.h"

namespace tandem {

inline constexpr NameTable<Split, 3> split_names{
    {{"auto", Split::automatic}, {"pictures", Split::pictures}, {"bands", Split::bands}}};

/// Throws InputError for a word that is none of these.
DeviceChoice parse_device(std::string_view text, std::string_view option = "--device");

/// The GPUs' estimators for a choice, none where the CPU works alone, with a message that names them. Only a verbose
/// run says why there are none. A GPU that is asked for and cannot be used is a RunError with the reason; one that is
/// not there, while others are, an InputError that names what is.
std::vector<std::unique_ptr<Estimator>> open_devices(const DeviceChoice& choice);

/// Whether open_devices() has opened GPUs. The destructors of a driver's globals take their time: such a process ends
/// best without them (std::_Exit()).
bool gpus_are_in_use();

/// Whether one of these devices does the search.
bool any_does(const std::vector<std::unique_ptr<Estimator>>& devices, const SearchParams& search);

/// Says so where none of these devices does the search, which is left to the CPU then: a warning where GPUs were asked
/// for.
void say_if_left_to_the_cpu(const DeviceChoice& choice, const std::vector<std::unique_ptr<Estimator>>& devices,
                            const SearchParams& search);

/// Who codes pictures beside the CPU: the GPUs where there are some, with a message that names them or says that the
/// decision is left to the CPU. `verify` as in CodingDevices.
CodingDevices coding_devices(const DeviceChoice& choice, bool verify);

/// Of a coprocessor with these devices, which says as a warning what it has to say. `trace` as there.
CoprocessorOptions coprocessor_options(const DeviceChoice& choice, Split split, Trace* trace);

} // namespace tandem
