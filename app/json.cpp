// SPDX-License-Identifier: BSD-2-Clause
#include "app/json.h"

#include <cmath>

#include "app/about.h"
#include "machine/simd_level.h"

namespace tandem {

Json figure_json(double value) {
    if (std::isnan(value)) return nullptr;
    return std::isinf(value) ? Json("inf") : Json(value);
}

void add_provenance(Json& report) {
    report["simd"] = std::string(name_of(simd_level()));
    report["versions"] = {{"tandem", version_number()}};
    for (const auto& [name, value] : build_features())
        report["versions"][name] = value;
    const Machine machine = this_machine();
    report["machine"] = {{"processor", machine.processor}, {"system", machine.system}, {"threads", machine.threads}};
}

std::string json_text(const Json& report) { return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

} // namespace tandem
