#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Installs the Debian (or Ubuntu) packages that Tandem needs and that are missing. Nothing missing: nothing is done.
#
#   scripts/setup.sh            to build and run tandem
#   scripts/setup.sh --test     also to run the tests, those in a browser (Chromium) and in players among them
#   scripts/setup.sh --lint     also to check format and lint (scripts/lint.py)
#   scripts/setup.sh --bench    also to run the benchmarks and the measuring scripts
#   scripts/setup.sh --report   also to draw figures (matplotlib)
#   scripts/setup.sh --list     only says what is missing
set -euo pipefail

# Each row: the package's name in Debian 12 and, for other systems, how to see that it is there:
# cmd:PROGRAM on the path, pc:MODULE known to pkg-config, or py:MODULE known to python3.
run_packages=(
    "g++ cmd:g++"
    "cmake cmd:cmake"
    "ninja-build cmd:ninja"
    "pkg-config cmd:pkg-config"
    "ffmpeg cmd:ffmpeg"
    "libavcodec-dev pc:libavcodec"
    "libavformat-dev pc:libavformat"
    "libavfilter-dev pc:libavfilter"
    "libavutil-dev pc:libavutil"
    "libswscale-dev pc:libswscale"
    "libkissfft-dev pc:kissfft-float"
    "libcli11-dev pc:CLI11"
    "libfmt-dev pc:fmt"
    "libspdlog-dev pc:spdlog"
    "nlohmann-json3-dev pc:nlohmann_json"
)
test_packages=(
    "libgtest-dev pc:gtest"
    "mpeg2dec cmd:mpeg2dec"
    "python3 cmd:python3"
    "python3-dev pc:python3"
    "python3-numpy py:numpy"
    "python3-scipy py:scipy"
    "python3-pybind11 py:pybind11"
    "pybind11-dev py:pybind11"
    "python3-pytest py:pytest"
    "python3-aiohttp py:aiohttp"
    "python3-matplotlib py:matplotlib"
    "chromium cmd:chromium"
    "fonts-dejavu-core cmd:chromium"
    "mpv cmd:mpv"
    "gstreamer1.0-tools cmd:gst-launch-1.0"
    "gstreamer1.0-plugins-base cmd:gst-launch-1.0"
    "gstreamer1.0-plugins-good cmd:gst-launch-1.0"
    "gstreamer1.0-libav cmd:gst-launch-1.0"
)
lint_packages=(
    "python3 cmd:python3"
    "clang-format-14 cmd:clang-format-14"
    "flake8 cmd:flake8"
    "eslint cmd:eslint"
)
bench_packages=(
    "libbenchmark-dev pc:benchmark"
    "python3 cmd:python3"
    "python3-scipy py:scipy"
)

report_packages=(
    "python3 cmd:python3"
    "python3-matplotlib py:matplotlib"
)

usage() { sed -n '3,11s/^# \{0,1\}//p' "$0"; }

wanted=("${run_packages[@]}")
list_only=no
for word in "$@"; do
    case $word in
    --test) wanted+=("${test_packages[@]}") ;;
    --lint) wanted+=("${lint_packages[@]}") ;;
    --bench) wanted+=("${bench_packages[@]}") ;;
    --report) wanted+=("${report_packages[@]}") ;;
    --list) list_only=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "setup.sh: unknown option $word" >&2; usage >&2; exit 2 ;;
    esac
done

by_packages=no
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    by_packages=yes
fi

# Ubuntu has Chromium as a snap only, which apt-get cannot bring into a container. Tests in a browser are skipped without.
without_chromium=no
if [[ $by_packages == yes ]] && grep -qs '^ID=ubuntu' /etc/os-release; then
    without_chromium=yes
fi

# is_there PACKAGE PROBE
is_there() {
    if [[ $by_packages == yes ]]; then
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true) == installed ]]
    elif [[ $2 == cmd:* ]]; then
        command -v "${2#cmd:}" >/dev/null
    elif [[ $2 == py:* ]]; then
        python3 -c "import ${2#py:}" 2>/dev/null
    else
        command -v pkg-config >/dev/null && pkg-config --exists "${2#pc:}"
    fi
}

missing=()
for row in "${wanted[@]}"; do
    read -r package probe <<<"$row"
    if [[ $package == chromium && $without_chromium == yes ]]; then
        command -v chromium >/dev/null || echo "setup: please install Chromium yourself, or tests in a browser are skipped"
        continue
    fi
    if ! is_there "$package" "$probe" && [[ " ${missing[*]-} " != *" $package "* ]]; then
        missing+=("$package")
    fi
done

if ((${#missing[@]} == 0)); then
    echo "setup: all that is needed is there"
    exit 0
fi
echo "setup: missing: ${missing[*]}"
if [[ $list_only == yes ]]; then
    exit 1
fi

if [[ $by_packages == no ]]; then
    cat >&2 <<END
setup: there is no apt-get here. Please install these with your system's package manager (the names above are Debian's):
  a C++20 compiler (g++ 12 or newer, clang 14 or newer), CMake 3.25 or newer, Ninja, pkg-config,
  FFmpeg 5 to 9 with the headers of libavcodec, libavformat, libavfilter, libavutil and libswscale (optional: see README.md),
  KissFFT in single precision (optional, for --me poc),
  CLI11, fmt, spdlog and nlohmann-json; for the tests GoogleTest, mpeg2dec, Chromium and Python 3, and for the
  Python module Python's headers, NumPy, pybind11 and pytest.
Then run the same command again.
END
    exit 1
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo. As root, run: apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# apt TEXT ARGUMENT...: apt-get without questions; what it says is shown only when it fails.
apt() {
    echo "setup: $1"
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -q -y "${@:2}" \
        >"$log" 2>&1 </dev/null; then
        tail -n 30 "$log" >&2
        echo "setup: apt-get ${*:2} failed (above)" >&2
        return 1
    fi
}
# Old package lists may still do, so a failed update is not the end.
apt "reading the package lists" update || true
apt "installing ${missing[*]}" install --no-install-recommends "${missing[@]}"
echo "setup: done"
