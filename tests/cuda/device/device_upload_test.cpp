// SPDX-License-Identifier: BSD-2-Clause
// Planes arrive on the device as they were, whatever their size is beside the ring's.
#include <algorithm>
#include <random>
#include <vector>

#include "cuda/device/upload_ring.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

class DeviceUploadTest : public DeviceTest {};

void expect_arrival(cuda::UploadRing& ring, int width, int height, int stride, std::size_t pitch, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> samples(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height));
    for (std::uint8_t& sample : samples)
        sample = static_cast<std::uint8_t>(random() >> 24);
    const std::vector<std::uint8_t> before = samples;
    const std::size_t bytes = pitch * static_cast<std::size_t>(height);
    cuda::DeviceBuffer<std::uint8_t> device;
    cuda::PinnedBuffer<std::uint8_t> back;
    cuda::Stream stream;
    cuda::fill(device.reserve(bytes), 0xA5, bytes, stream);
    ring.upload({samples.data(), width, height, stride}, pitch, device.data(), stream);
    std::fill(samples.begin(), samples.end(), std::uint8_t{0}); // They have been read.
    cuda::copy_to_host(back.reserve(bytes), device.data(), bytes, stream);
    stream.synchronise();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto at = static_cast<std::size_t>(y);
            ASSERT_EQ(back.data()[at * pitch + static_cast<std::size_t>(x)],
                      before[at * static_cast<std::size_t>(stride) + static_cast<std::size_t>(x)])
                << width << "x" << height << " at " << x << ", " << y;
        }
    }
}

TEST_F(DeviceUploadTest, SmallCasesOfPlanesBesideTheRing) {
    cuda::UploadRing ring;
    expect_arrival(ring, 1, 1, 1, 64, 1);
    expect_arrival(ring, 1920, 1080, 1920, 1920, 2);
    expect_arrival(ring, 2000, 3300, 2064, 2048, 3);
    expect_arrival(ring, 64, 5000, 64, 64, 4);
    expect_arrival(ring, 16384, 645, 16448, 16384, 5);
    expect_arrival(ring, 2'100'000, 5, 2'100'000, 2'100'032, 6); // Rows longer than a slot.
    expect_arrival(ring, 17, 33, 80, 64, 7);
}

} // namespace
} // namespace tandem::test
