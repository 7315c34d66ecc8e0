// SPDX-License-Identifier: BSD-2-Clause
// --csv: a row of CSV for each picture in coding order.
#pragma once

#include <string>

#include "app/encode/records/picture_record.h"
#include "files/atomic_file.h"

namespace tandem {

class StatsFile {
  public:
    explicit StatsFile(const std::string& path);
    void write(const PictureRecord& record);
    void close() { file_.close(); }
    void finish() { file_.finish(); }

  private:
    AtomicFile file_;
};

} // namespace tandem
