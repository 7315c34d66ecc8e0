#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Makes the project's own clips with `tandem synth`: each .y4m with its true motion beside it as .npy.
#
#   sequences/make_clips.sh FOLDER [NAME...]
#
# Without names: all of them. TANDEM names the command (default: tandem, from PATH). The clips are the same on every
# machine; what is in each is in sequences/README.md.
set -euo pipefail

tandem=${TANDEM:-tandem}

# Name and options of each clip.
clips() {
    cat <<'LIST'
pan_whole_352x288_25       --scene pan --speed 3,-2
pan_half_352x288_25        --scene pan --speed 1.5,0.5
pan_quarter_352x288_25     --scene pan --speed 0.75,-1.25
pan_fast_352x288_25        --scene pan --speed 22.5,9
pan_720x576_25             --scene pan --speed 6.5,-1.5 --size 720x576 --frames 50
pan_1920x1080_24           --scene pan --speed 11.5,2.25 --size 1920x1080 --frames 24 --fps 24
zoom_in_352x288_25         --scene zoom --zoom 1.01
zoom_out_352x288_25        --scene zoom --zoom 0.99
rotation_352x288_25        --scene rotation --rotate 0.5
objects_352x288_25         --scene objects --objects 8
objects_720x576_25         --scene objects --objects 16 --size 720x576 --frames 50
objects_fast_640x360_25    --scene objects --objects 12 --object-speed 40 --size 640x360 --frames 50
pan_far_640x360_25         --scene pan --speed 96,-40 --size 640x360 --frames 50
zoom_fast_640x360_25       --scene zoom --zoom 1.06 --size 640x360 --frames 50
noise_352x288_25           --scene noise --noise 8
noise_only_352x288_25      --scene noise --noise 12 --speed 0,0
fade_352x288_25            --scene fade
cut_352x288_25             --scene cut
LIST
}

usage() { sed -n '3,8s/^# \{0,1\}//p' "$0"; }

case ${1-} in
-h | --help) usage; exit 0 ;;
'') usage >&2; exit 2 ;;
-*) echo "make_clips: unknown option $1" >&2; exit 2 ;;
esac
folder=$1
shift
for name in "$@"; do
    if ! clips | cut -d' ' -f1 | grep -xF -- "$name" >/dev/null; then
        echo "make_clips: no clip is called $name" >&2
        exit 2
    fi
done
mkdir -p "$folder"

while read -r name options; do
    if (($# > 0)) && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    read -ra words <<<"$options"
    "$tandem" synth "${words[@]}" -o "$folder/$name.y4m" --truth "$folder/$name.npy"
    echo "$folder/$name.y4m"
done < <(clips)
