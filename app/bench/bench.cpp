// SPDX-License-Identifier: BSD-2-Clause
#include "app/bench/bench.h"

#include "app/bench/bench_encode.h"
#include "app/bench/bench_motion.h"

namespace tandem {

int run_bench(const Arguments& arguments) {
    return arguments.positional() == "encode" ? run_bench_encode(arguments) : run_bench_motion(arguments);
}

} // namespace tandem
