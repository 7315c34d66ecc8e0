#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# From a fresh clone to a coded video: installs what is missing, builds, codes a clip to MPEG-2, has FFmpeg decode it
# and compares the decoded pictures with the source.
#
#   scripts/quickstart.sh [--output FOLDER] [CLIP] [-- options of tandem encode]
#
# Without CLIP, `tandem synth` draws one. FOLDER is out/ in the checkout unless given.
set -euo pipefail
called_from=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf 'quickstart: %s\n' "$*"; }
fail() { printf 'quickstart: %s\n' "$*" >&2; exit 1; }
absolute() { if [[ $1 == /* ]]; then printf '%s' "$1"; else printf '%s/%s' "$called_from" "$1"; fi; }

clip=
output=$PWD/out
while (($# > 0)); do
    case $1 in
    --output) [[ -n ${2-} ]] || { echo "quickstart: --output needs a folder" >&2; exit 2; }
              output=$(absolute "$2"); shift 2 ;;
    -h | --help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --) shift; break ;;
    -*) echo "quickstart: unknown option $1 (options of tandem encode come after --)" >&2; exit 2 ;;
    *) [[ -z $clip ]] || { echo "quickstart: one clip at a time" >&2; exit 2; }
       clip=$(absolute "$1"); shift ;;
    esac
done
[[ -z $clip || ( -r $clip && ! -d $clip ) ]] || { echo "quickstart: cannot read $clip" >&2; exit 2; }

scripts/setup.sh
mkdir -p "$output"
output=$(cd "$output" && pwd)

log=$output/build.log
say "building (the log is $log)"
# As in scripts/test.sh: without a GPU there is nothing to run its machine code.
configure=()
nvidia-smi -L >/dev/null 2>&1 || configure+=(-DTANDEM_CUDA_PTX=ON)
if ! { cmake --preset release "${configure[@]}" && cmake --build --preset release --target tandem; } >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    fail "the build failed (above)"
fi
tandem=$PWD/build/release/app/tandem

if [[ -z $clip ]]; then
    clip=$output/synthetic.y4m
    say "drawing a clip: $clip"
    "$tandem" synth --scene objects --speed 1.5,0.5 --frames 60 --quiet -o "$clip"
fi
name=$(basename "${clip%.*}")
stream=$output/$name.m2v
report=$output/$name.json
say "coding $clip"
"$tandem" encode "$clip" -o "$stream" --psnr --quiet --report "$report" "$@"

# What FFmpeg decodes, beside the source. The psnr filter pairs pictures by time, so both sides get one time base and
# the picture's number as time; its summary is made from the mean squared error of all pictures. The decoded pictures
# are counted on a branch of their own, since the filter repeats the last picture of the shorter side.
say "FFmpeg decodes it"
IFS=, read -r width height rate < <(ffprobe -v error -select_streams v:0 \
    -show_entries stream=width,height,r_frame_rate -of csv=p=0 "$stream")
source_format=()
case ${clip,,} in
*.yuv | *.raw) source_format=(-f rawvideo -pixel_format yuv420p -video_size "${width}x${height}") ;;
esac
by_number="settb=1/25,setpts=N"
# Options may have left out pictures of the source, before and behind.
coded=$(sed -n 's/.*"frames": *\([0-9]*\).*/\1/p' "$report" | head -n 1)
seek=$(sed -n 's/.*"seek": *\([0-9]*\).*/\1/p' "$report" | head -n 1)
same_pictures="trim=start_frame=$seek:end_frame=$((seek + coded))"
decoding=$output/$name.decoding
trap 'rm -f "$decoding"' EXIT
said=$(ffmpeg -hide_banner -nostats -v info -xerror -err_detect explode -progress "$decoding" -r 25 -i "$stream" \
    -noautorotate "${source_format[@]}" -r 25 -i "$clip" \
    -filter_complex "[0:v:0]$by_number,split[a][count];[1:v:0]$same_pictures,format=yuv420p,$by_number[b];[a][b]psnr[difference]" \
    -map '[count]' -f null - -map '[difference]' -f null - 2>&1 </dev/null) ||
    { printf '%s\n' "$said" | tail -n 20 >&2; fail "FFmpeg does not decode $stream"; }
frames=$(sed -n 's/^frame= *//p' "$decoding" | tail -n 1)
psnr=$(sed -n 's/.*PSNR y:\([^ ]*\) u:\([^ ]*\) v:\([^ ]*\) .*/\1 \2 \3/p' <<<"$said" | tail -n 1)
read -r psnr_y psnr_u psnr_v <<<"$psnr" || fail "FFmpeg's psnr filter said nothing"
bytes=$(stat -c %s "$stream")
speed=$(sed -n 's/.*"fps": *\([0-9]*\.\{0,1\}[0-9]\{0,1\}\).*/\1/p' "$report" | head -n 1)
bitrate=$(awk -v bytes="$bytes" -v frames="$frames" -v rate="$rate" \
    'BEGIN { split(rate, r, "/"); printf "%.1f", bytes * 8 / 1000 / (frames * r[2] / r[1]) }')

cat <<END

  picture      ${width}x${height}, $rate pictures/s
  frames       $frames
  bytes        $bytes
  bit rate     $bitrate kbit/s
  PSNR         Y $psnr_y  U $psnr_u  V $psnr_v dB
  speed        $speed frames/s
  stream       $stream
  report       $report

END
[[ $frames == "$coded" ]] || fail "FFmpeg decodes $frames pictures, but $coded were coded"
say "done; play it with: ffplay $stream"
