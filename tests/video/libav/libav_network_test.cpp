// SPDX-License-Identifier: BSD-2-Clause
// A file may name others, and whoever made it must not learn by that who opens it.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/source.h"

namespace tandem {
namespace {

/// Counts who connects to a port of this machine, and hangs up, so that nobody waits for an answer.
class Listener {
  public:
    Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        listens_ =
            ::bind(socket_, any, size) == 0 && ::listen(socket_, 8) == 0 && ::getsockname(socket_, any, &size) == 0;
        port_ = ntohs(address.sin_port);
        if (listens_) thread_ = std::thread([this] { accept_all(); });
    }
    ~Listener() {
        stop();
        ::close(socket_);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    bool listens() const { return listens_; }
    int port() const { return port_; }
    /// How many came until now.
    int stop() {
        ::shutdown(socket_, SHUT_RDWR); // accept() fails from now on.
        if (thread_.joinable()) thread_.join();
        return connections_;
    }

  private:
    void accept_all() {
        for (int other = 0; (other = ::accept(socket_, nullptr, nullptr)) >= 0; ++connections_)
            ::close(other);
    }

    int socket_;
    bool listens_ = false;
    int port_ = 0;
    int connections_ = 0; ///< The thread's until it has ended.
    std::thread thread_;
};

TEST(LibavNetwork, APlaylistOfUrlsIsRefusedWithoutAConnection) {
    if (!built_with_libav()) GTEST_SKIP() << "this build has no FFmpeg";
    Listener listener;
    if (!listener.listens()) GTEST_SKIP() << "no socket can listen here";
    const test::Scratch scratch;
    const std::string url = "http://127.0.0.1:" + std::to_string(listener.port()) + "/a.ts\n";
    const std::string list =
        scratch.file("x.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n" + url + "#EXT-X-ENDLIST\n");
    EXPECT_THROW(open_source(list), InputError);
    EXPECT_EQ(listener.stop(), 0);
}

} // namespace
} // namespace tandem
