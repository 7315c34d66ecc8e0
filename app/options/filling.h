// SPDX-License-Identifier: BSD-2-Clause
// From arguments to the fields of a plain struct.
#pragma once

#include <optional>
#include <string_view>

#include "app/options/arguments.h"
#include "app/options/setting_names.h"
#include "me/search.h"

namespace tandem {

/// Sets what the user gave; the rest stays as the struct has it.
class Filling {
  public:
    explicit Filling(const Arguments& arguments) : arguments_(arguments) {}
    template <class Number> void integer(std::string_view name, Number& to) const {
        if (arguments_.given(name)) to = static_cast<Number>(arguments_.integer(name));
    }
    void integer(std::string_view name, std::optional<int>& to) const {
        if (arguments_.given(name)) to = static_cast<int>(arguments_.integer(name));
    }
    void real(std::string_view name, double& to) const {
        if (arguments_.given(name)) to = arguments_.real(name);
    }
    void toggle(std::string_view name, bool& to) const {
        if (arguments_.given(name)) to = true;
    }
    template <class Names, class Value> void choice(std::string_view name, const Names& names, Value& to) const {
        if (arguments_.given(name)) to = value_named(names, arguments_.text(name)).value();
    }
    void search(std::string_view name, Algorithm& to) const {
        if (arguments_.given(name)) to = algorithm_by_name(arguments_.text(name)).value();
    }

  private:
    const Arguments& arguments_;
};

} // namespace tandem
