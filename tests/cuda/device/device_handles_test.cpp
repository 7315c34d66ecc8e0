// SPDX-License-Identifier: BSD-2-Clause
// What owns events of a device, and copies of rows.
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/device/handles.h"
#include "tests/cuda/device/device_fixture.h"

namespace tandem::test {
namespace {

class DeviceHandlesTest : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (!IsSkipped()) cuda::use_device(0);
    }
};

TEST_F(DeviceHandlesTest, AnEventThatWasLetGoIsUsedAgain) {
    auto first = std::make_unique<cuda::Event>();
    const cudaEvent_t handle = first->get();
    EXPECT_NE(cuda::Event().get(), handle);
    first.reset();
    const cuda::Event again, other;
    EXPECT_EQ(again.get(), handle);
    EXPECT_NE(other.get(), handle);
}

TEST_F(DeviceHandlesTest, ATimedEventIsNoneThatWasLetGo) {
    { const cuda::Event patient; }
    cuda::Stream stream;
    cuda::Event begin(cuda::Event::Kind::timed), end(cuda::Event::Kind::timed);
    begin.record(stream);
    end.record(stream);
    end.synchronise();
    EXPECT_GE(cuda::elapsed_ms(begin, end), 0);
}

/// Up and down through every pair of pitches; what stands between the rows on the host stays.
TEST_F(DeviceHandlesTest, RowsGoUpAndDownWhateverTheirPitches) {
    constexpr std::size_t row_bytes = 40, rows = 5;
    cuda::Stream stream;
    for (const std::size_t device_pitch : {40U, 48U, 64U}) {
        const cuda::DeviceMemory device(device_pitch * rows);
        for (const std::size_t pitch : {40U, 48U, 50U}) {
            std::vector<std::uint8_t> from(pitch * rows), to(pitch * rows, 0xA5);
            for (std::size_t i = 0; i < from.size(); ++i)
                from[i] = static_cast<std::uint8_t>(i * 7 + device_pitch);
            cuda::copy_rows_to_device(device.data(), device_pitch, from.data(), pitch, row_bytes, rows, stream);
            cuda::copy_rows_to_host(to.data(), pitch, device.data(), device_pitch, row_bytes, rows, stream);
            stream.synchronise();
            for (std::size_t i = 0; i < to.size(); ++i)
                ASSERT_EQ(to[i], i % pitch < row_bytes ? from[i] : 0xA5) << i << ", " << pitch << ", " << device_pitch;
        }
    }
}

} // namespace
} // namespace tandem::test
