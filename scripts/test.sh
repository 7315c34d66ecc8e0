#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs what is missing, builds Tandem and runs all its tests.
#
#   scripts/test.sh [--preset NAME] [--werror] [--no-setup] [ctest options]
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
while (($# > 0)); do
    case $1 in
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    --werror) configure=(-DTANDEM_WERROR=ON); shift ;;
    --no-setup) setup=no; shift ;;
    -h | --help) sed -n '3,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) break ;;
    esac
done

if [[ $setup == yes ]]; then
    scripts/setup.sh --test
fi
echo "test: configuring and building build/$preset"
cmake --preset "$preset" -DTANDEM_TESTS=ON "${configure[@]}"
cmake --build --preset "$preset"
if ctest --preset "$preset" --no-tests=error "$@"; then
    echo "test: all tests passed (preset $preset)"
else
    code=$?
    echo "test: FAILED (preset $preset); again with: scripts/test.sh --preset $preset --rerun-failed" >&2
    exit "$code"
fi
