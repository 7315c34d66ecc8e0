#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs what is missing, builds Tandem and runs all its tests.
#
#   scripts/test.sh [--preset NAME] [--werror] [--no-setup] [options of ctest]
#
# NAME is one of CMakePresets.json (default: release). Examples:
#   scripts/test.sh --preset asan
#   scripts/test.sh -L bitstream
#   scripts/test.sh -R Encode --repeat until-fail:3
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
configure=(-DTANDEM_WERROR=OFF)
setup=yes
for_ctest=()
while (($# > 0)); do
    case $1 in
    --preset) [[ -n ${2-} ]] || { echo "test: --preset needs a name" >&2; exit 2; }
              preset=$2; shift 2 ;;
    --preset=*) set -- --preset "${1#*=}" "${@:2}" ;;
    --werror) configure=(-DTANDEM_WERROR=ON); shift ;;
    --no-setup) setup=no; shift ;;
    -h | --help) sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) for_ctest+=("$1"); shift ;;
    esac
done

# ctest itself passes over what it does not know, and over words that belong to no option.
check_words_for_ctest() {
    local known before= word
    known=$(ctest --help | grep -oE '(^|[ ,])--?[A-Za-z][A-Za-z-]*' | tr -d ' ,')
    for word in "${for_ctest[@]}"; do
        if [[ $word == -* && ! $word =~ ^-j[0-9]+$ ]] && ! grep -qxF -e "${word%%=*}" <<<"$known"; then
            echo "test: neither this script nor ctest has the option $word" >&2
            exit 2
        elif [[ $word != -* && $before != -* ]]; then
            echo "test: no option stands before $word" >&2
            exit 2
        fi
        before=$word
    done
}
if command -v ctest >/dev/null; then
    check_words_for_ctest
fi
if [[ $setup == yes ]]; then
    scripts/setup.sh --test
fi
check_words_for_ctest
# Where no GPU runs the tests, PTX is enough to see that its code compiles: half of the compiler's time. The presets for
# other machines keep their machine code.
if [[ $preset == release ]] && ! nvidia-smi -L >/dev/null 2>&1; then
    configure+=(-DTANDEM_CUDA_PTX=ON)
fi
echo "test: configuring and building build/$preset"
cmake --preset "$preset" -DTANDEM_TESTS=ON "${configure[@]}"
cmake --build --preset "$preset"
if ctest --preset "$preset" --no-tests=error "${for_ctest[@]}"; then
    echo "test: all tests passed (preset $preset)"
else
    code=$?
    echo "test: FAILED (preset $preset); again with: scripts/test.sh --preset $preset --rerun-failed" >&2
    exit "$code"
fi
