// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/pass_log.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "encoder/rate/size_model.h"
#include "machine/errors.h"

namespace tandem {

namespace {

constexpr std::string_view first_line = "tandem pass log, version 1";
constexpr std::string_view letters = "IPB";
constexpr double quantiser_unit = 1000; // Written in thousandths, free of locales and rounding.

/// Reads fields one after the other and fails with the line's number.
class LogReader {
  public:
    LogReader(const std::string& text, const std::string& name) : rest_(text), name_(name) {}

    std::string_view line() {
        ++number_;
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) fail("the file ends before its last line; its pass was not finished");
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return line_;
    }
    bool at_end() const { return rest_.empty(); }

    std::string_view word(const char* what) {
        const std::size_t end = line_.find(' ');
        const std::string_view word = line_.substr(0, end);
        if (word.empty()) fail(std::string("there is no ") + what);
        line_.remove_prefix(end == std::string_view::npos ? line_.size() : end + 1);
        return word;
    }
    std::int64_t number(const char* what, std::int64_t low, std::int64_t high) {
        const std::string_view text = word(what);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
            fail(std::string(what) + " is \"" + std::string(text) + "\", and has to be " + std::to_string(low) + ".." +
                 std::to_string(high));
        }
        return value;
    }
    void end_of_line() {
        if (!line_.empty()) fail("\"" + std::string(line_) + "\" is more than there has to be");
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(name_ + ", line " + std::to_string(number_) + ": " + what);
    }

  private:
    std::string_view rest_, line_;
    std::string name_;
    int number_ = 0;
};

constexpr std::int64_t many = 1LL << 50;

PassStream parse_stream_line(LogReader& reader) {
    reader.line();
    PassStream stream;
    stream.codec = reader.word("codec");
    stream.width = static_cast<int>(reader.number("width", 1, 65535));
    stream.height = static_cast<int>(reader.number("height", 1, 65535));
    stream.frame_rate.numerator = reader.number("frame rate's numerator", 1, many);
    stream.frame_rate.denominator = reader.number("frame rate's denominator", 1, many);
    reader.end_of_line();
    return stream;
}

PassRecord parse_picture(LogReader& reader) {
    PassRecord picture;
    picture.display_index = reader.number("number on display", 0, many);
    const std::string_view type = reader.word("type");
    const std::size_t letter = type.size() == 1 ? letters.find(type) : std::string_view::npos;
    if (letter == std::string_view::npos) reader.fail("type is \"" + std::string(type) + "\", and has to be I, P or B");
    picture.type = picture_types[letter];
    picture.quantiser = static_cast<double>(reader.number("quantiser in thousandths", 1, 1000000)) / quantiser_unit;
    picture.bits = static_cast<std::uint64_t>(reader.number("number of bits", 1, many));
    picture.intra = static_cast<std::uint64_t>(reader.number("intra cost", 0, many));
    picture.inter = static_cast<std::uint64_t>(reader.number("inter cost", 0, many));
    reader.end_of_line();
    return picture;
}

} // namespace

std::string pass_log_beginning(const PassStream& stream) {
    return std::string(first_line) + "\n" + stream.codec + " " + std::to_string(stream.width) + " " +
           std::to_string(stream.height) + " " + std::to_string(stream.frame_rate.numerator) + " " +
           std::to_string(stream.frame_rate.denominator) + "\n";
}

std::string pass_log_line(const PassRecord& picture) {
    const auto thousandths = static_cast<std::int64_t>(picture.quantiser * quantiser_unit + 0.5);
    return std::to_string(picture.display_index) + " " + letters[index_of(picture.type)] + " " +
           std::to_string(thousandths) + " " + std::to_string(picture.bits) + " " + std::to_string(picture.intra) +
           " " + std::to_string(picture.inter) + "\n";
}

std::string pass_log_end(std::size_t pictures) { return "end " + std::to_string(pictures) + "\n"; }

PassLog parse_pass_log(const std::string& text, const std::string& name) {
    LogReader reader(text, name);
    if (reader.line() != first_line) {
        reader.fail("it is not \"" + std::string(first_line) +
                    "\": this is no log of a pass, or one of another version of tandem");
    }
    PassLog log;
    log.stream = parse_stream_line(reader);
    while (!reader.line().starts_with("end "))
        log.pictures.push_back(parse_picture(reader));
    reader.word("end");
    const auto count = static_cast<std::int64_t>(log.pictures.size());
    reader.number("number of pictures", count, count);
    reader.end_of_line();
    if (!reader.at_end()) reader.fail("there is more behind the last line");
    if (log.pictures.empty()) reader.fail("it holds no picture");
    return log;
}

} // namespace tandem
