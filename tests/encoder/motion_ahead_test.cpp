// SPDX-License-Identifier: BSD-2-Clause
// The quantisers of the picture types, which the search's price of a bit hangs on too.
#include <gtest/gtest.h>

#include "encoder/motion_ahead.h"

namespace tandem {
namespace {

struct QuantiserRow {
    int qp;
    double ip_factor, pb_factor;
    int intra, predicted, bidirectional;
};

TEST(QuantiserCode, IsTheFactorsNearestWithinItsLimits) {
    for (const QuantiserRow& row : {QuantiserRow{8, 1.4, 1.3, 6, 8, 10}, // 5.7 and 10.4
                                    QuantiserRow{9, 1.4, 1.3, 6, 9, 12}, // 6.4 and 11.7
                                    QuantiserRow{8, 1, 1, 8, 8, 8},      // None.
                                    QuantiserRow{8, 0.5, 0.5, 16, 8, 4}, // The other way.
                                    QuantiserRow{1, 1.4, 0.4, 1, 1, 1},  // 0.7 and 0.4
                                    QuantiserRow{1, 2.5, 1.3, 1, 1, 1},  // 0.4 and 1.3
                                    QuantiserRow{31, 0.8, 1.3, 31, 31, 31}}) {
        SCOPED_TRACE(testing::Message() << row.qp << " " << row.ip_factor << " " << row.pb_factor);
        Settings settings;
        settings.qp = row.qp;
        settings.ip_factor = row.ip_factor;
        settings.pb_factor = row.pb_factor;
        EXPECT_EQ(quantiser_code(settings, PictureType::intra), row.intra);
        EXPECT_EQ(quantiser_code(settings, PictureType::predicted), row.predicted);
        EXPECT_EQ(quantiser_code(settings, PictureType::bidirectional), row.bidirectional);
    }
}

} // namespace
} // namespace tandem
