// SPDX-License-Identifier: BSD-2-Clause
// The words of a command line, checked against the option table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/options/option_row.h"
#include "video/frame.h"

namespace tandem {

/// What a user gave to one command. Every value has passed its row's check. Asking for an option that the
/// table does not have is a fault of the program: std::logic_error.
class Arguments {
  public:
    /// `words`: what follows the command's name. Throws InputError for anything the table does not allow, with the
    /// nearest name for an unknown option. With --help or --version among them, nothing that is missing matters.
    Arguments(const CommandRow& command, const std::vector<std::string>& words);

    const CommandRow& command() const { return *command_; }
    /// True when the user gave it (a switch: is on).
    bool given(std::string_view name) const;
    /// The option in the spelling that the user chose, for messages: "--range" of "merange"; else its name.
    std::string written(std::string_view name) const;
    std::string text(std::string_view name) const; ///< Empty when it has no value.
    /// What stands between its commas. Throws InputError where that is nothing.
    std::vector<std::string> list(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    int threads() const; ///< Of --threads; 0 for auto.
    double real(std::string_view name) const;
    Rational ratio(std::string_view name) const;
    std::pair<int, int> size(std::string_view name) const;
    std::pair<double, double> pair(std::string_view name) const;
    /// Nothing: as far as the picture goes.
    std::optional<std::pair<int, int>> range(std::string_view name) const;
    const std::string& positional() const { return positional_; }
    const std::vector<std::string>& positionals() const { return positionals_; } ///< All of a repeated one.
    const std::string& second() const { return second_; }                        ///< Empty when it was not given.

  private:
    void take_positional(const std::vector<std::string>& words);
    void check_complete() const;
    const OptionRow& row(std::string_view name) const;
    const CommandRow* command_;
    std::map<std::string, std::string, std::less<>> values_, written_; ///< By the options' names.
    std::string positional_, second_;
    std::vector<std::string> positionals_;
};

/// The name among `known` that is most like `word`, or empty when none is.
std::string nearest_name(std::string_view word, const std::vector<std::string>& known);

} // namespace tandem
