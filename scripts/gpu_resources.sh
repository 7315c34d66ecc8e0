#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What each kernel takes of a multiprocessor, as the compiler says it: registers, shared memory and the memory on the
# stack that spilled registers would need. Exit code 1 if a kernel spills.
#
#   scripts/gpu_resources.sh [ARCHITECTURE]     (default: 90, that is sm_90)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
architecture=${1:-90}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

report() {
    local name=${1//\//.}
    nvcc -I. -O3 -DNDEBUG -std=c++20 "-arch=sm_$architecture" -Xptxas=-v -cubin -o "$folder/$name.cubin" "$1" \
        2>"$folder/$name.log" || { cat "$folder/$name.log" >&2; exit 255; }
}
export -f report
export architecture folder
find cuda -name '*.cu' | xargs -P "$(nproc)" -I{} bash -c 'report {}'

cat "$folder"/*.log | c++filt | awk '
    /Compiling entry function/ {
        name = $0
        sub(/^[^\x27]*\x27/, "", name); sub(/\x27 for .*$/, "", name); sub(/^void /, "", name)
        gsub(/tandem::cuda::|\(anonymous namespace\)::|tandem::|\(int\)/, "", name)
        gsub(/\(Metric\)0/, "sad", name); gsub(/\(Metric\)1/, "ssd", name); gsub(/\(Metric\)2/, "satd", name); gsub(/\(Metric\)3/, "zsad", name)
        sub(/\(.*$/, "", name)
    }
    /bytes stack frame/ { stack = $1; spills = $5 + $9; if (spills > 0) failed = 1 }
    /Used [0-9]+ registers/ {
        shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART, RLENGTH - 11) : 0
        for (i = 1; i < NF; ++i) if ($i == "Used") registers = $(i + 1)
        printf "%-34s %9d %13d %7d %7d\n", name, registers, shared, stack, spills | "sort"
    }
    BEGIN { printf "%-34s %9s %13s %7s %7s\n", "kernel", "registers", "static shared", "stack", "spills" }
    END { close("sort"); exit failed }'
