// SPDX-License-Identifier: BSD-2-Clause
// The constants of the two transforms, shared by the kernels of every level.
#pragma once

#include <cstdint>

namespace tandem {

/// sqrt(2) cos((2n+1) k pi / 16) in 1/16384, for k > 0; 1 for k = 0. [k][n]
/// Rows k = 0 and 4 are exact in this normalisation, so blocks of one grey value transform without error.
alignas(64) inline constexpr std::int16_t forward_columns[8][8] = {
    {16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384},
    {22725, 19266, 12873, 4520, -4520, -12873, -19266, -22725},
    {21407, 8867, -8867, -21407, -21407, -8867, 8867, 21407},
    {19266, -4520, -22725, -12873, 12873, 22725, 4520, -19266},
    {16384, -16384, -16384, 16384, 16384, -16384, -16384, 16384},
    {12873, -22725, 4520, 19266, -19266, -4520, 22725, -12873},
    {8867, -21407, 21407, -8867, -8867, 21407, -21407, 8867},
    {4520, -12873, 19266, -22725, 22725, -19266, 12873, -4520},
};

/// The same in 1/8192, for n in pairs: [n / 2][k][n % 2]. With one bit less the row pass's sums stay within 32 bits.
alignas(64) inline constexpr std::int16_t forward_rows[4][8][2] = {
    {{8192, 8192},
     {11363, 9633},
     {10703, 4433},
     {9633, -2260},
     {8192, -8192},
     {6436, -11363},
     {4433, -10703},
     {2260, -6436}},
    {{8192, 8192},
     {6436, 2260},
     {-4433, -10703},
     {-11363, -6436},
     {-8192, 8192},
     {2260, 9633},
     {10703, -4433},
     {9633, -11363}},
    {{8192, 8192},
     {-2260, -6436},
     {-10703, -4433},
     {6436, 11363},
     {8192, -8192},
     {-9633, -2260},
     {-4433, 10703},
     {11363, -9633}},
    {{8192, 8192},
     {-9633, -11363},
     {4433, 10703},
     {2260, -9633},
     {-8192, 8192},
     {11363, -6436},
     {-10703, 4433},
     {6436, -2260}},
};

/// After the columns the values are 45.25 (32 sqrt 2) times an orthonormal transform's: the most that 16 bits hold.
inline constexpr int forward_columns_shift = 10;
inline constexpr int forward_rows_shift = 17;

/// s(v) s(u) / 8 with s(0) = 1, s(k) = sqrt(2) cos(k pi / 16): what Arai, Agui and Nakajima's inverse wants its input
/// multiplied by ("A fast DCT-SQ scheme for images", 1988).
alignas(64) inline constexpr float inverse_scale[64] = {
    0.1250000000f, 0.1733799807f, 0.1633203706f, 0.1469844503f, 0.1250000000f, 0.0982118698f, 0.0676495125f,
    0.0344874224f, 0.1733799807f, 0.2404849416f, 0.2265318616f, 0.2038732892f, 0.1733799807f, 0.1362237767f,
    0.0938325694f, 0.0478354290f, 0.1633203706f, 0.2265318616f, 0.2133883476f, 0.1920444392f, 0.1633203706f,
    0.1283199918f, 0.0883883476f, 0.0450599889f, 0.1469844503f, 0.2038732892f, 0.1920444392f, 0.1728354290f,
    0.1469844503f, 0.1154849416f, 0.0795474113f, 0.0405529186f, 0.1250000000f, 0.1733799807f, 0.1633203706f,
    0.1469844503f, 0.1250000000f, 0.0982118698f, 0.0676495125f, 0.0344874224f, 0.0982118698f, 0.1362237767f,
    0.1283199918f, 0.1154849416f, 0.0982118698f, 0.0771645710f, 0.0531518809f, 0.0270965939f, 0.0676495125f,
    0.0938325694f, 0.0883883476f, 0.0795474113f, 0.0676495125f, 0.0531518809f, 0.0366116524f, 0.0186644585f,
    0.0344874224f, 0.0478354290f, 0.0450599889f, 0.0405529186f, 0.0344874224f, 0.0270965939f, 0.0186644585f,
    0.0095150584f,
};

inline constexpr float sqrt_2 = 1.4142135624f;        ///< 2 cos(pi / 4).
inline constexpr float rotation_sum = 1.8477590650f;  ///< 2 cos(pi / 8).
inline constexpr float rotation_less = 1.0823922003f; ///< 2 (cos(pi / 8) - sin(pi / 8)).
inline constexpr float rotation_more = 2.6131259298f; ///< 2 (cos(pi / 8) + sin(pi / 8)).

} // namespace tandem
