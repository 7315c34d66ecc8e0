// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/foreign_options.h"

#include <algorithm>
#include <array>

namespace tandem {
namespace {

constexpr std::string_view quantiser = "the quantiser is --qp N, where 1 is the finest and 31 the smallest file; --crf "
                                       "Q keeps a quality, --bitrate a rate";
constexpr std::string_view quality = "constant quality is --crf Q";
constexpr std::string_view rate = "the bit rate is --bitrate KBPS, in kbit/s: 1500, not 1500k";
constexpr std::string_view most = "the highest rate of a buffer is --vbv-maxrate KBPS, its size --vbv-bufsize KBIT";
constexpr std::string_view passes = "passes are --pass N --stats FILE, or --two-pass, which makes both";
constexpr std::string_view standard = "discs and broadcasts are --compat vcd, svcd, dvd, atsc or dvb";
constexpr std::string_view speed = "presets are --preset ultrafast to placebo, as x264's are called";
constexpr std::string_view progressive = "tandem codes progressive pictures only";
constexpr std::string_view references = "MPEG-1 and MPEG-2 have one reference in each direction";
constexpr std::string_view no_deblocking = "MPEG-1 and MPEG-2 have no loop filter";
constexpr std::string_view no_filter = "filters are --filter CHAIN, as FFmpeg's -vf has them";
constexpr std::string_view no_sound = "the input's sound is left out by --no-audio";
constexpr std::string_view sound =
    "sound is copied as it is (--audio-codec copy) or left out (--no-audio); tandem codes none";
constexpr std::string_view streams = "the first video is coded, and all else that the container can hold is copied";
constexpr std::string_view keyint = "the distance of I pictures is --keyint N";
constexpr std::string_view bframes = "the number of B pictures between anchors is --bframes N";
constexpr std::string_view fps = "the frame rate is --fps N[/D]";
constexpr std::string_view duration = "the length is --duration TIME";
constexpr std::string_view frames = "the number of pictures is --frames N";
constexpr std::string_view seek = "the beginning is left out by --seek N, pictures, or --seek TIME";
constexpr std::string_view codec = "the codec is --codec mpeg1 or mpeg2";
constexpr std::string_view search = "the search is --me, and its reach --merange N";
constexpr std::string_view pixels = "tandem codes 8-bit 4:2:0, and converts what a container holds";
constexpr std::string_view placement = "I pictures come every --keyint N, and B pictures as --bframes N says";
constexpr std::string_view one_by_one = "options are given one by one, each with two dashes";
constexpr std::string_view scaling = "scaling and cropping are --filter scale=W:H and --filter crop=W:H:X:Y";
constexpr std::string_view even_times =
    "pictures always come at even times: those of the input's rate, or of --fps N[/D]";
constexpr std::string_view no_weights = "MPEG-1 and MPEG-2 have no weighted prediction";
constexpr std::string_view slices = "the number of slices is --slices N";
constexpr std::string_view level = "profile and level follow from size, frame rate and --maxrate KBPS";

// x264 and FFmpeg's private options with two dashes, FFmpeg's and mpeg2enc's with one.
constexpr std::array table{
    ForeignOption{"-crf", quality},
    ForeignOption{"-q", quantiser}, // As -q:v.
    ForeignOption{"--qscale", quantiser},
    ForeignOption{"-qscale", quantiser},
    ForeignOption{"--quantisation", quantiser},
    ForeignOption{"-qp", quantiser},
    ForeignOption{"-b", rate},
    ForeignOption{"--video-bitrate", rate},
    ForeignOption{"-maxrate", most},
    ForeignOption{"-minrate", "a constant rate is --cbr"},
    ForeignOption{"-bufsize", most},
    ForeignOption{"-pass", passes},
    ForeignOption{"-passlogfile", passes},
    ForeignOption{"--nal-hrd", "a constant rate is --cbr, a highest one --vbv-maxrate and --vbv-bufsize"},
    ForeignOption{"-qmin", "the finest quantiser is --qpmin N"},
    ForeignOption{"-qmax", "the coarsest quantiser is --qpmax N"},
    ForeignOption{"-preset", speed},
    ForeignOption{"-tune", "what to be good for is --tune psnr, ssim, grain or animation"},
    ForeignOption{"--ref", references},
    ForeignOption{"-refs", references},
    ForeignOption{"--gop", keyint},
    ForeignOption{"--max-gop-size", keyint},
    ForeignOption{"-g", keyint},
    ForeignOption{"-G", keyint},
    ForeignOption{"--no-scenecut", placement},
    ForeignOption{"--b-pyramid", placement},
    ForeignOption{"--open-gop", "groups are open unless --closed-gop is given"},
    ForeignOption{"-bf", bframes},
    ForeignOption{"--b-per-refframe", bframes},
    ForeignOption{"-R", bframes},
    ForeignOption{"--deblock", no_deblocking},
    ForeignOption{"--no-deblock", no_deblocking},
    ForeignOption{"--no-cabac", "MPEG-1 and MPEG-2 have no arithmetic coding"},
    ForeignOption{"--tff", progressive},
    ForeignOption{"--bff", progressive},
    ForeignOption{"--interlace-mode", progressive},
    ForeignOption{"-I", progressive},
    ForeignOption{"--subme", "half-pel vectors are always refined; --decision rd chooses by coding"},
    ForeignOption{"-subq", "half-pel vectors are always refined; --decision rd chooses by coding"},
    ForeignOption{"-mbd", "macroblocks are decided by --decision; rd is the one that codes to choose"},
    ForeignOption{"-trellis", "trellis quantisation is --trellis 0 or 1, and on by default"},
    ForeignOption{"-me_method", search},
    ForeignOption{"-motion_est", search},
    ForeignOption{"-me_range", search},
    ForeignOption{"--profile", level},
    ForeignOption{"-profile", level},
    ForeignOption{"--level", level},
    ForeignOption{"-level", level},
    ForeignOption{"-target", standard},
    ForeignOption{"--bluray-compat", standard},
    ForeignOption{"-threads", "the number of threads is --threads N"},
    ForeignOption{"-r", fps},
    ForeignOption{"--frame-rate", fps},
    ForeignOption{"-framerate", fps},
    ForeignOption{"-vframes", frames},
    ForeignOption{"-frames", frames},
    ForeignOption{"-t", duration},
    ForeignOption{"-ss", seek},
    ForeignOption{"-i", "the input stands by itself: tandem encode INPUT -o FILE"},
    ForeignOption{"--input", "the input stands by itself: tandem encode INPUT -o FILE"},
    ForeignOption{"-c", codec},
    ForeignOption{"-vcodec", codec},
    ForeignOption{"--video-norm", "the frame rate of the input is kept, or --fps sets it"},
    ForeignOption{"-s", "the size of raw input is --input-res WxH; tandem does not scale"},
    ForeignOption{"-pix_fmt", pixels},
    ForeignOption{"--input-csp", pixels},
    ForeignOption{"--output-csp", pixels},
    ForeignOption{"--input-depth", pixels},
    ForeignOption{"--output-depth", pixels},
    ForeignOption{"-vf", no_filter},
    ForeignOption{"--video-filter", no_filter},
    ForeignOption{"-an", no_sound},
    ForeignOption{"-acodec", sound},
    ForeignOption{"-c:a", sound},
    ForeignOption{"-codec:a", sound},
    ForeignOption{"-b:a", sound},
    ForeignOption{"-ac", sound},
    ForeignOption{"-ar", sound},
    ForeignOption{"-sn", streams},
    ForeignOption{"-dn", streams},
    ForeignOption{"-map", streams},
    ForeignOption{"-codec", codec},
    ForeignOption{"--vf", no_filter},
    ForeignOption{"-filter", no_filter},
    ForeignOption{"--deinterlace", "interlaced pictures are deinterlaced by themselves; --filter yadif chooses how"},
    ForeignOption{"-color_range", "the range is --range limited or full"},
    ForeignOption{"--input-range", "the range is --range limited or full"},
    ForeignOption{"-color_primaries", "colours are --colorprim, --transfer, --colormatrix and --range"},
    ForeignOption{"-colorspace", "colours are --colorprim, --transfer, --colormatrix and --range"},
    ForeignOption{"-color_trc", "colours are --colorprim, --transfer, --colormatrix and --range"},
    ForeignOption{"-aspect", "the aspect is --aspect N:D"},
    ForeignOption{"-to", duration},
    ForeignOption{"-loglevel", "messages are --quiet or --verbose"},
    ForeignOption{"-hide_banner", "messages are --quiet or --verbose"},
    ForeignOption{"--cqp", quantiser},
    ForeignOption{"--me-range", search},
    ForeignOption{"--rc", "rates are --crf, --qp, --bitrate and --cbr"},
    ForeignOption{"-y", "a file that is there is replaced when the new one is complete, without asking"},
    ForeignOption{"--cqmfile", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"--custom-quant-matrices", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"-K", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"--intra_dc_prec", "the precision of intra DC is --intra-dc-precision BITS"},
    ForeignOption{"-D", "the precision of intra DC is --intra-dc-precision BITS"},
    ForeignOption{"--dump-yuv", "the reconstruction is written by --recon FILE"},
    ForeignOption{"--muxer", "the extension of --output FILE chooses the container"},
    ForeignOption{"--demuxer", "the kind of INPUT is told by its name and its first bytes"},
    ForeignOption{"-f", "the extension of --output FILE chooses the container"},
    ForeignOption{"--format", "the extension of --output FILE chooses the container"},
    // HandBrake's, and more of x264's, FFmpeg's and mpeg2enc's.
    ForeignOption{"-e", codec},
    ForeignOption{"--encoder", codec},
    ForeignOption{"--encoder-preset", speed},
    ForeignOption{"--encoder-tune", "what to be good for is --tune psnr, ssim, grain or animation"},
    ForeignOption{"--encoder-profile", level},
    ForeignOption{"--encoder-level", level},
    ForeignOption{"--quality", quality},
    ForeignOption{"--multi-pass", passes},
    ForeignOption{"--turbo", passes},
    ForeignOption{"--encopts", one_by_one},
    ForeignOption{"--x264-params", one_by_one},
    ForeignOption{"-x264-params", one_by_one},
    ForeignOption{"-x264opts", one_by_one},
    ForeignOption{"--rate", fps},
    ForeignOption{"--cfr", even_times},
    ForeignOption{"--vfr", even_times},
    ForeignOption{"--pfr", even_times},
    ForeignOption{"--force-cfr", even_times},
    ForeignOption{"-vsync", even_times},
    ForeignOption{"-fps_mode", even_times},
    ForeignOption{"--width", scaling},
    ForeignOption{"--height", scaling},
    ForeignOption{"--maxWidth", scaling},
    ForeignOption{"--maxHeight", scaling},
    ForeignOption{"--crop", scaling},
    ForeignOption{"--scale", scaling},
    ForeignOption{"--rotate", "turning is --filter transpose=1; a file that asks players to turn it needs nothing"},
    ForeignOption{"--decomb", "interlaced pictures are deinterlaced by themselves; --filter yadif chooses how"},
    ForeignOption{"--detelecine", "film in interlaced video is restored by --filter fieldmatch,decimate"},
    ForeignOption{"--aencoder", sound},
    ForeignOption{"--audio", sound},
    ForeignOption{"--ab", sound},
    ForeignOption{"--subtitle", streams},
    ForeignOption{"--all-audio", streams},
    ForeignOption{"--all-subtitles", streams},
    ForeignOption{"-c:s", streams},
    ForeignOption{"-scodec", streams},
    ForeignOption{"-c:d", streams},
    ForeignOption{"--markers", "the input's chapters are kept"},
    ForeignOption{"--start-at", seek},
    ForeignOption{"--stop-at", duration},
    ForeignOption{"-metadata", "the input's tags are kept as they are"},
    ForeignOption{"-map_metadata", "the input's tags are kept as they are"},
    ForeignOption{"-map_chapters", "the input's chapters are kept"},
    ForeignOption{"-shortest", duration},
    ForeignOption{"-movflags", "the extension of --output FILE chooses the container, which has no options"},
    ForeignOption{"-tag", "the extension of --output FILE chooses the container, which has no options"},
    ForeignOption{"-vtag", "the extension of --output FILE chooses the container, which has no options"},
    ForeignOption{"-strict", "nothing here is experimental"},
    ForeignOption{"-hwaccel", "the device is --device auto, cpu or gpu"},
    ForeignOption{"-nostdin", "standard input is read where the input is - alone"},
    ForeignOption{"-stats", "progress is shown on terminals; figures of each picture are --csv FILE"},
    ForeignOption{"-benchmark", "where the time goes is --csv FILE and --trace FILE"},
    ForeignOption{"-psnr", "PSNR is measured by --psnr"},
    ForeignOption{"-sc_threshold", "cuts are found by --scenecut N"},
    ForeignOption{"-keyint_min", "the least distance of I pictures is --min-keyint N"},
    ForeignOption{"-b_strategy", "B pictures are left out where they do not pay by --b-adapt 0, 1 or 2"},
    ForeignOption{"-flags", one_by_one},
    ForeignOption{"-mpv_flags", one_by_one},
    ForeignOption{"-slices", slices},
    ForeignOption{"--sliced-threads", slices},
    ForeignOption{"--slice-max-size", slices},
    ForeignOption{"-dc", "the precision of intra DC is --intra-dc-precision BITS"},
    ForeignOption{"-intra_vlc", "the second table of intra codes is --intra-vlc 1, and auto chooses"},
    ForeignOption{"-non_linear_quant", "the other quantiser scale is --qscale-type"},
    ForeignOption{"-alternate_scan", "the other scan is --alternate-scan"},
    ForeignOption{"-intra_matrix", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"-inter_matrix", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"--weightp", no_weights},
    ForeignOption{"--weightb", no_weights},
    ForeignOption{"--no-weightb", no_weights},
    ForeignOption{"--no-mbtree", "it is --mbtree 0"},
    ForeignOption{"--no-mcstf", "it is --mcstf 0"},
    ForeignOption{"--partitions", "macroblocks of MPEG-1 and MPEG-2 have no parts"},
    ForeignOption{"--8x8dct", "the transform of MPEG-1 and MPEG-2 is 8x8"},
    ForeignOption{"--no-8x8dct", "the transform of MPEG-1 and MPEG-2 is 8x8"},
    ForeignOption{"--direct", "MPEG-1 and MPEG-2 have no direct prediction"},
    ForeignOption{"--chroma-qp-offset", "MPEG-1 and MPEG-2 have one quantiser for luma and chroma"},
    ForeignOption{"--no-psy", "no decision here is psychovisual but --tune ssim, grain and animation"},
    ForeignOption{"--psy-rd", "no decision here is psychovisual but --tune ssim, grain and animation"},
    ForeignOption{"--seq-length", "the length is --duration TIME, or --frames N"},
    ForeignOption{"--reduce-hf", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"-N", "quantiser matrices are read from a file: --matrix FILE"},
    ForeignOption{"--quantization", quantiser},
    ForeignOption{"--playback-field-order", progressive},
    ForeignOption{"--reduction-4x4", search},
    ForeignOption{"--reduction-2x2", search},
    ForeignOption{"-4", search},
    ForeignOption{"-2", search},
    ForeignOption{"--progress", "progress is shown on terminals, unless --quiet"},
    ForeignOption{"--no-progress", "--quiet shows no progress"},
};

} // namespace

std::span<const ForeignOption> foreign_options() { return table; }

std::string_view foreign_answer(std::string_view word) {
    const std::string_view name = word.substr(0, word.find_first_of("=:"));
    // FFmpeg's streams come after a colon ("-c:a"): what is answered for one of them is not what is for video.
    auto found = std::ranges::find(table, word, &ForeignOption::name);
    if (found == table.end()) found = std::ranges::find(table, name, &ForeignOption::name);
    return found == table.end() ? std::string_view() : found->answer;
}

} // namespace tandem
