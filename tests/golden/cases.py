# SPDX-License-Identifier: BSD-2-Clause
"""What checksums.py runs: clips, files, and the options that are put together."""

CLIPS = {
    "objects": "--scene objects --size 176x144 --frames 8",
    "pan": "--scene pan --size 97x65 --frames 7 --speed 3.5,-1.25",
    "zoom": "--scene zoom --size 33x17 --frames 6 --zoom 1.04",
    "turn": "--scene rotation --size 16x16 --frames 5 --rotate 3",
    "noise": "--scene noise --size 97x65 --frames 6 --seed 7",
    "fade": "--scene fade --size 176x144 --frames 9",
    "cut": "--scene cut --size 97x65 --frames 12 --seed 3",
    "cif": "--scene objects --size 352x288 --frames 5 --speed 9.25,4 --objects 12 --noise 2",
    "thin": "--scene pan --size 5x40 --frames 5 --noise 3",
}
EVERY_CLIP = "{" + "|".join(CLIPS) + "}"
MATRICES = {
    "intra.txt": "# only intra\n" + " ".join(str(8 + (i * 37) % 90 if i else 8) for i in range(64)) + "\n",
    "both.txt": "\n".join(str(8 + i // 2) for i in range(64)) + "\n" + ", ".join(str(16 + i % 40) for i in range(64)),
}
FIXED = "--scenecut 0 --b-adapt 0 --mbtree 0"  # Types by a fixed pattern, and one quantiser for all of a picture.
SEARCH = "{full|tss|log|diamond|hexagon|smpuhex|hier}"

# One thing at a time: a group's name, the clip, and the options of encode; {a|b} stands for a and for b.
ENCODES = [
    ("qp", "objects", "--codec {mpeg1|mpeg2} --qp {1|2|4|8|16|31}"),
    ("clip", EVERY_CLIP, "--codec {mpeg1|mpeg2} --bframes 1 --keyint 4 " + FIXED),
    ("preset", "cif", "--preset {ultrafast|superfast|veryfast|faster|fast} {|--qp 6}"),
    ("preset", "cif", "--preset {medium|slow|slower|veryslow|placebo} {|--qp 6}"),
    ("plan", "cut", "--qp 6 --scenecut {0|40} --b-adapt {0|1|2} --mbtree {0|1} --bframes {0|3}"),
    ("filter", "{noise|cut|turn}", "--mcstf {0|0.5|4} --qp {3|16} --bframes {0|2}"),
    ("decision", "objects", "--codec {mpeg1|mpeg2} --decision {tm5|sm3|cost|rd} --trellis {0|1} --bframes 1"),
    ("deadzone", "objects", "--trellis 0 --deadzone-intra {0|16|32} --deadzone-inter {0|8|20}"),
    ("cqm", "objects", "--codec {mpeg1|mpeg2} --cqm {flat|mpeg} --qp 5"),
    ("matrix", "objects", "--codec {mpeg1|mpeg2} --matrix in/{intra|both}.txt --qp 5"),
    ("group", "cut", "--codec {mpeg1|mpeg2} --bframes {0|1|2|3} --keyint {1|2|5|12} " + FIXED),
    ("group", "cut", "--codec {mpeg1|mpeg2} --closed-gop --bframes {1|2|3} --keyint {2|5|6} " + FIXED),
    ("group", "cut", "--bframes 8 --keyint 12 {|" + FIXED + "}"),
    ("nonlinear", "pan", "--qscale-type nonlinear --qp {1|4|9|17|25|31} --bframes 1"),
    ("tables", "cut", "{--intra-vlc 1|--intra-vlc 0|--alternate-scan|--intra-vlc 1 --alternate-scan} "
     "{--qp 2|--decision rd|--trellis 0}"),
    ("dc", "objects", "--intra-dc-precision {9|10|11} --qp 2 --keyint 3"),
    ("slices", "objects", "{--codec mpeg1 --slices 1|--codec mpeg1 --slices 7|--slices 9|--slices 20|--slices 99}"),
    ("factor", "objects", "--ip-factor {0.5|1} --pb-factor {1|3} --bframes {1|2} " + FIXED),
    ("header", "objects", "{--maxrate 4000|--maxrate 1500 --codec mpeg1|--fps 30000/1001|--fps 50 --bframes 2}"),
    ("intra", "objects", "{--intra-refresh 1|--intra-refresh 3|--intra-threshold -4000|--intra-threshold 6000}"),
    ("me", "objects", "--me " + SEARCH + " {--merange 4|--merange 31 --bframes 2|--merange 63 --codec mpeg1}"),
    ("me", "objects", "--me " + SEARCH + " --me-reference recon --bframes 1"),
    ("me", "cif", "--me " + SEARCH + " --merange 24"),
    ("grid", "pan", "--grid 2 {|--merange 5 --bframes 1|--me-reference recon}"),
    ("range", "pan", "--merange {0|1|200}"),
    ("metric", "pan", "--metric {sad|ssd|satd} --planes {luma|all} --bframes 1 --merange 7"),
    ("candidates", "objects", "--candidates {1|2|3|8|16} --bframes 1"),
    ("ahead", "fade", "--lookahead {1|2|16} --bframes {0|3}"),
    ("null", "fade", "{--null-threshold 256|--null-threshold 4000 --bframes 1|--null-gain 1|--null-gain 4}"),
    ("tss", "objects", "--me tss --first-step 4"),
    ("log", "objects", "--me log {--first-step 9|--step-sequence halving}"),
    ("smpuhex", "objects", "--me smpuhex --passes {1|4} {|--block-order raster}"),
    ("smpuhex", "objects", "--me smpuhex {--smpuhex-converged 100|--smpuhex-wide 2000}"),
    ("hier", "objects", "--me hier --merange 20 --levels {1|4|5} --level-candidates {1|8}"),
    ("tune", "cut", "{--tune ssim|--tune grain|--aq-mode 1 --mbtree 0|--aq-mode 2 --qscale-type nonlinear}"),
    ("control", "{cut|fade}", "{--crf 18|--crf 30 --mbtree 0|--bitrate 60|--bitrate 60 --preset superfast}"),
    ("control", "{cut|fade}", "{--bitrate 80 --two-pass|--bitrate 300 --cbr --vbv-bufsize 100 --vbv-soft}"),
    ("control", "{cut|fade}", "{--bitrate 60|--crf 20} --vbv-maxrate 100 --vbv-bufsize 70 --vbv-soft"),
    ("part", "cut", "{--seek 3|--seek 2 --frames 5 --bframes 2|--frames 1 --bframes 1|--seek 11 --frames 3}"),
    ("decisions", "cut", "--decisions o.tdf --codec {mpeg1|mpeg2} --decision {tm5|sm3|cost|rd} --bframes {0|2}"),
    ("decisions", "{pan|zoom|turn|thin}", "--decisions o.tdf {--frames 1|--preset placebo|--lookahead 40 --aq-mode 1}"),
]
MOTIONS = [  # The same of motion.
    ("search", "objects", "--search " + SEARCH + " {|--precision 1/2 --candidates 2}"),
    ("search", "objects", "--search " + SEARCH + " --predictor previous --lambda 1.5"),
    ("search", "objects", "--search " + SEARCH + " --precision 1/4 --interpolation six-tap --boundary padded"),
    ("search", "objects", "--search " + SEARCH + " --precision 1/8 --lambda 4 --candidates 3 --range 6 --metric satd"),
    ("search", "objects", "--search " + SEARCH + " --predictor neighbours --lambda 8 --planes all --metric ssd"),
    ("block", "pan", "--block {4x4|8x8|16x8|12x20|7x5|32x32|128x64} --range 9,5"),
    ("block", "noise", "--block {4x4|8x8|16x8|12x20|7x5|32x32|128x64} --search smpuhex --precision 1/2"),
    ("grid", "pan", "{--grid 1/2|--grid 1/4|--grid 1/8} --precision 1/8 --range 4,3 --candidates 4"),
    ("grid", "zoom", "{--grid 1/2|--grid 1/4} --precision 1/4 --range 3 --boundary padded --interpolation six-tap"),
    ("picture", "{pan|zoom|turn|noise|cut|thin}", "--range picture"),
    ("picture", "cif", "--range picture --search hier"),
    ("brute", "pan", "--brute --range 10 {|--metric ssd --candidates 4|--metric satd --planes all --block 8x8}"),
    ("null", "fade", "{--null-threshold 2000|--null-level 4|--null-gain 3|--null-gain 2 --candidates 4}"),
    ("part", "cut", "{--step 2|--seek 2 --frames 3|--step 3 --seek 1}"),
    ("rate", "cut", "--rate-unit {1|8} --lambda {0.00390625|3} --predictor {zero|neighbours}"),
    ("candidates", "cut", "--candidates {2|16} --search {full|hexagon}"),
    ("given", "objects", "--search given --hint in/field.{tmf|npy} {|--boundary padded}"),
    ("given", "pan", "--search given --hint in/flow-%02d.flo --block 8x8"),
    ("hint", "objects", "--search {tss|smpuhex|full} --hint in/field.{tmf|npy} --lambda 2 --candidates 3"),
    ("hint", "objects", "--predictor neighbours --hint in/field.tmf --lambda 4"),
    ("compare", "objects", "--compare in/field.{tmf|npy} --search log"),
    ("compare", "pan", "--compare in/flow-%02d.flo --block 8x8"),
    ("pictures", "{objects|zoom|cut}", "--precision 1/4 --compensate c.y4m --residual r.yuv"),
    ("draw", "objects", "--draw d.m2v {--block 8x8|--compare in/field.tmf|--draw-longest 3 --frames 3}"),
]

# What the random cases throw together.
ENCODE_AXES = """--qp {1|2|3|5|8|12|20|31}, --me SEARCH, --merange {4|7|12|16|33|63}, --bframes {0|1|2|3},
    --keyint {1|2|3|4|6|12}, --decision {tm5|sm3|cost|rd}, --trellis {0|1}, --deadzone-intra {0|3|12|24},
    --deadzone-inter {0|6|16|30}, --closed-gop, --me-reference recon, --candidates {1|2|4|7|12}, --metric {ssd|satd},
    --planes all, --lookahead {1|2|3|7|20}, --null-threshold {100|700|3000}, --null-gain {1|2|5},
    --intra-refresh {1|2|5|40}, --intra-threshold {-900|800|3000}, --matrix in/{intra|both}.txt, --slices 35,
    --ip-factor {0.8|1|2}, --pb-factor {0.7|1|2.2}, --frames {2|3|4}, --seek {1|2}, --scenecut {0|60},
    --b-adapt {0|1}, --mbtree 0, --preset {superfast|slow}"""
MPEG2_AXES = "--qscale-type nonlinear, --intra-vlc {0|1}, --alternate-scan, --intra-dc-precision {8|9|10|11}"
MOTION_AXES = """--block {4x4|8x8|8x16|16x16|20x12|24x24|64x32|5x9}, --range {0|3|5|9|14:3|2:17|picture},
    --boundary padded, --metric {ssd|satd}, --planes all, --lambda {0.5|2|7.25|40}, --rate-unit {1|2|4|8},
    --predictor {zero|previous|neighbours}, --candidates {1|2|3|5|9}, --null-threshold {300|2500}, --null-level {2|5},
    --null-gain {1|6}, --step {1|2}, --seek {1|2}, --compensate c.yuv, --residual r.y4m, --passes {1|3},
    --block-order raster, --levels {1|2|4}, --level-candidates {1|2|7}, --first-step {3|8}, --step-sequence halving"""
