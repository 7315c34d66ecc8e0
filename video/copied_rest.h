// SPDX-License-Identifier: BSD-2-Clause
// What of a file goes into the container beside its pictures, which are coded.
#pragma once

#include <string>

namespace tandem {

/// Sound, subtitles, data, chapters, metadata and rotation of one file, for one container.
struct CopiedRest {
    std::string path; ///< The file that all is copied from; empty: nothing is.
    bool sound = true;
    bool rotation = true;       ///< The pictures still have to be turned by who plays them.
    double begin = 0;           ///< Time of the first coded picture, in seconds as the file counts them.
    bool from_beginning = true; ///< No picture was left out before it: what begins earlier is kept, and pictures wait.
    bool to_end = true;         ///< All is copied to its own end, else to the end of the pictures.
};

} // namespace tandem
