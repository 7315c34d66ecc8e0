// SPDX-License-Identifier: BSD-2-Clause
// The fields of a file, asked for by the numbers of their pictures.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/interrupt.h"
#include "app/motion/picture_pairs.h"
#include "me/fields/field_file.h"

namespace tandem {

class NumberedFields {
  public:
    /// `role`: the option that names the file, for messages. Throws InputError where the file cannot be read or its
    /// fields are of pictures of another size. Where its blocks are others (.tmf), each block has the vector of the one
    /// in which its middle lies. Both this and field_of() throw Interrupted where an interrupt ends the wait for
    /// a pipe.
    NumberedFields(std::string role, const std::string& path, const FieldGeometry& geometry);

    /// The field of this pair; pairs are asked for in rising order, and the file is read in its own. Throws InputError
    /// where the file has none for its picture, or one from another reference.
    MotionField field_of(const PicturePair& pair);
    /// The best vectors of the same in raster order, as exact as the file has them.
    std::vector<Pels> vectors_of(const PicturePair& pair);
    /// What the costs are counted in; empty where the file does not say it, or has other blocks than these.
    const std::string& metric() const { return metric_; }

  private:
    bool has_these_blocks() const { return reader_->geometry() == geometry_; }

    std::string role_, path_, metric_;
    FieldGeometry geometry_;
    std::unique_ptr<FieldReader> reader_;
};

} // namespace tandem
