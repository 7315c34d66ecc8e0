// SPDX-License-Identifier: BSD-2-Clause
// Small clips for the tests of the command.
#pragma once

#include <string>

namespace tandem::test {

/// A YUV4MPEG2 stream of a panning texture.
std::string y4m_clip(int width, int height, int frames, const std::string& header_tags = "F25:1 Ip A1:1 C420jpeg");
/// The same pictures without headers.
std::string yuv_clip(int width, int height, int frames);

} // namespace tandem::test
