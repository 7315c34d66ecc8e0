// SPDX-License-Identifier: BSD-2-Clause
#include "app/synth/synth_rows.h"

#include "app/options/shared_rows.h"

namespace tandem {
namespace {

using enum ValueKind;
using namespace section;

// clang-format off
std::vector<OptionRow> scene_rows() {
    return {
    {"output", 'o', "FILE", file, "", 0, 0, files, "The clip: .y4m, .yuv, or - for y4m on standard output.", true},
    {"truth", 0, "FILE", file, "", 0, 0, files, "Writes the true motion as a NumPy array, .npy; see TRUE MOTION."},
    {"block", 0, "N", integer, "16", 1, 128, files, "One true vector for each NxN pels; 1 is the dense field."},
    {"hidden", 0, "unknown|counted", choice, "unknown", 0, 0, files,
        "Pels that the picture before did not show, or that an object hid there: no truth, or that of what they belong to."},

    {"scene", 0, "pan|zoom|rotation|objects|noise|fade|cut|occlusion|repeats|blur", choice, "pan", 0, 0, scene,
        "What happens; the options below work with every scene and each scene has its own defaults."},
    {"size", 0, "WxH", size, "352x288", 1, 16384, scene, "Size of the pictures."},
    {"frames", 0, "N", integer, "100", 1, 1000000, scene,
        "Number of pictures. A fade is black at the last, a cut comes in the middle."},
    {"fps", 0, "N[/D]", ratio, "25", 0, 0, scene, "The frame rate written in the file."},
    {"seed", 0, "N", integer, "1", 0, 1000000000, scene, "Another number, another texture and other objects."},
    {"speed", 0, "X,Y", pair, "", -256, 256, scene,
        "Pels that the background moves per picture, right and down, fractions allowed (pan, fade, cut, blur: "
        "1.5,0.75; objects: 0.5,0; noise: 1,0; occlusion: 2,-1; repeats: 5.5,-2.75; zoom, rotation: 0,0)."},
    {"zoom", 0, "F", real, "", 0.5, 2, scene, "Magnification per picture (zoom: 1.01; else 1); over all pictures 1/64 to 64."},
    {"rotate", 0, "DEGREES", real, "", -90, 90, scene, "Clockwise turn per picture (rotation: 0.5; else 0)."},
    {"objects", 0, "N", integer, "", 0, 1000, scene, "Textured discs and rectangles that move on their own (objects: 6; occlusion: 24; else 0)."},
    {"object-speed", 0, "N", real, "", 0, 128, scene, "Pels an object moves per picture, at most and each way (occlusion: 8; else 4)."},
    {"noise", 0, "SIGMA", real, "", 0, 64, scene, "Standard deviation of noise on luma, half of it on chroma (noise: 8; else 0)."},
    {"blur", 0, "SIGMA", real, "", 0, 16, scene,
        "Out of focus by so many pels at the most, in and out within 8 pictures (blur: 2; else 0)."},
    {"repeat", 0, "PELS", integer, "", 0, 128, scene,
        "Fine texture repeats after so many pels, 8, 16, 32, 64 or 128; coarse texture is weaker then (repeats: 8; else 0, not at all)."},
    };
}
// clang-format on

} // namespace

CommandRow synth_command() {
    return {
        "synth",
        "Draws clips whose motion is known",
        "",
        none,
        "",
        rows_by_section({scene_rows(), {threads_row()}, message_rows()}),
        "Draws a scene whose motion is known exactly. The texture is evaluated where the camera looks, in integers, so "
        "that sub-pel motion is not interpolated and every machine draws the same samples.\n"
        "TRUE MOTION: little-endian float32 of shape (pictures - 1, rows, columns, 2), x then y in pels: prediction(p) "
        "= "
        "previous(p + vector). NaN where there is no one truth: the pels of a block belong to several objects, were "
        "hidden or outside of the picture before (--hidden counted: those have that of what they belong to), or the scene "
        "was cut. Zoom and rotation: the vector of the block's "
        "centre. numpy.load() reads it."};
}

} // namespace tandem
