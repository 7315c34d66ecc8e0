// SPDX-License-Identifier: BSD-2-Clause
// A vector that does not write what nobody has said.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace tandem {

/// Leaves elements that are given no value undefined, so that memory is first touched by who fills it.
template <class Element> struct UndefinedElements : std::allocator<Element> {
    static_assert(std::is_trivially_default_constructible_v<Element>);
    template <class Other> struct rebind { using other = UndefinedElements<Other>; };
    template <class Other> void construct(Other* place) { ::new (static_cast<void*>(place)) Other; }
    template <class Other, class... Values> void construct(Other* place, Values&&... values) {
        ::new (static_cast<void*>(place)) Other(std::forward<Values>(values)...);
    }
};

/// resize(count) leaves new elements undefined.
template <class Element> using UndefinedVector = std::vector<Element, UndefinedElements<Element>>;

} // namespace tandem
