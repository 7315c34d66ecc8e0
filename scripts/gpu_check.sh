#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Everything that needs a GPU, in one go: the tests labelled gpu, CUDA's sanitizers on the small cases of them, and the
# benchmark. A short table comes last; exit code 0 only if all of it passed.
#
#   scripts/gpu_check.sh [--no-sanitizers] [--no-benchmark] [--quick] [FOLDER]
#
# FOLDER gets the logs (default: a new one under /tmp). The programs are taken from the folder that
# TANDEM_GPU_BINARIES names (cuda_device_test, cuda_coding_test, tandem_cuda_bench, tandem_split_bench, built with the
# preset "device", and gpu_command_test where the command is built); where it is not set they are built here, in
# build/gpu-check. A step may take TANDEM_STEP_SECONDS (default 900).
set -uo pipefail
called_from=$PWD
[[ ${TANDEM_GPU_BINARIES:-/} == /* ]] || TANDEM_GPU_BINARIES=$called_from/$TANDEM_GPU_BINARIES
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sanitizers=yes benchmark=yes bench_options=() logs=
while (($# > 0)); do
    case $1 in
    --no-sanitizers) sanitizers=no ;;
    --no-benchmark) benchmark=no ;;
    --quick) bench_options+=(--quick) ;;
    -h | --help) sed -n '3,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "gpu_check: unknown option $1" >&2; exit 2 ;;
    /*) logs=$1 ;;
    *) logs=$called_from/$1 ;;
    esac
    shift
done
logs=${logs:-$(mktemp -d /tmp/tandem-gpu-XXXXXX)}
mkdir -p "$logs"

binaries=${TANDEM_GPU_BINARIES:-}
if [[ -z $binaries ]]; then
    cmake --preset device -B build/gpu-check -DTANDEM_APP=OFF >"$logs/build.log" 2>&1 &&
        cmake --build build/gpu-check --target cuda_device_test cuda_coding_test tandem_cuda_bench tandem_split_bench >>"$logs/build.log" 2>&1 || {
        tail -20 "$logs/build.log" >&2
        echo "gpu_check: the build failed, see $logs/build.log" >&2
        exit 1
    }
    binaries=$logs/bin
    mkdir -p "$binaries"
    cp build/gpu-check/tests/cuda/cuda_{device,coding}_test build/gpu-check/cuda/tandem_{cuda,split}_bench "$binaries/"
fi

table=()
failed=0
# step NAME COMMAND...: runs it with its output in a log, notes how it went.
step() {
    local name=$1 begin=$SECONDS result=passed
    shift
    if ! timeout "${TANDEM_STEP_SECONDS:-900}" "$@" >"$logs/$name.log" 2>&1; then
        result=FAILED
        failed=1
        grep -nE 'FAILED|Failure|=========|rror' "$logs/$name.log" | head -25
        tail -5 "$logs/$name.log"
    fi
    table+=("$(printf '%-12s %-7s %4d s  %s' "$name" "$result" $((SECONDS - begin)) \
        "$(grep -E '^\[  (PASSED|SKIPPED)|ERROR SUMMARY|RACECHECK SUMMARY|^ceiling of' "$logs/$name.log" | tail -1)")")
}

nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null
if grep -q . < <(readelf -d "$binaries/cuda_device_test" 2>/dev/null | grep 'NEEDED.*libcuda'); then
    echo "gpu_check: cuda_device_test is linked to the driver's library" >&2
    failed=1
fi
step tests "$binaries/cuda_device_test" --gtest_brief=1
step coding "$binaries/cuda_coding_test" --gtest_brief=1
[[ -x $binaries/gpu_command_test ]] && step command "$binaries/gpu_command_test" --gtest_brief=1
if [[ $benchmark == yes ]]; then
    step benchmark "$binaries/tandem_cuda_bench" "${bench_options[@]}"
    cat "$logs/benchmark.log"
    step splitting "$binaries/tandem_split_bench" "${bench_options[@]}"
    cat "$logs/splitting.log"
fi
if [[ $sanitizers == yes ]]; then
    for tool in memcheck racecheck initcheck synccheck; do
        step $tool compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 20 \
            "$binaries/cuda_device_test" --gtest_brief=1 --gtest_filter='Device*Test.SmallCases*'
        step coding-$tool compute-sanitizer --tool $tool --error-exitcode 9 --print-limit 20 \
            "$binaries/cuda_coding_test" --gtest_brief=1 --gtest_filter=DeviceCoding.TakesReferencesThatTheCpuMade
    done
fi

echo
printf '%s\n' "${table[@]}"
skipped=("$logs/tests.log")
[[ -e $logs/command.log ]] && skipped+=("$logs/command.log")
if grep -q 'SKIPPED' "${skipped[@]}"; then
    echo "gpu_check: tests were skipped: $(grep -h -m1 -E 'driver|NVIDIA|CUDA' "${skipped[@]}" | head -1)"
    failed=1
fi
echo "logs: $logs"
exit $failed
