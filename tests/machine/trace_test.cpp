// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "machine/trace.h"

namespace tandem {
namespace {

using std::chrono::microseconds;

TEST(Trace, IsAnEmptyListWithoutSpans) {
    EXPECT_EQ(Trace().end(), "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n]}\n");
}

TEST(Trace, WritesCompleteEventsAndNamesEachThreadOnce) {
    Trace trace;
    const auto start = Trace::Clock::now();
    trace.add("motion", "motion cpu", 1, start, start + microseconds(500));
    trace.add("decide", "coding", 0, start + microseconds(10), start + microseconds(30));
    trace.add("motion", "motion cpu", 2, start + microseconds(500), start + microseconds(500));
    const std::vector<Trace::Span> spans = trace.spans();
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].end_us - spans[0].begin_us, 500);
    EXPECT_EQ(spans[1].begin_us - spans[0].begin_us, 10);
    const auto event = [&](std::size_t i, const std::string& name, const std::string& tid, const std::string& picture) {
        return "{\"ph\":\"X\",\"name\":\"" + name + "\",\"cat\":\"tandem\",\"pid\":1,\"tid\":" + tid +
               ",\"ts\":" + std::to_string(spans[i].begin_us) +
               ",\"dur\":" + std::to_string(spans[i].end_us - spans[i].begin_us) + ",\"args\":{\"picture\":" + picture +
               "}}";
    };
    const auto name = [](const std::string& tid, const std::string& thread) {
        return "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":" + tid + ",\"args\":{\"name\":\"" + thread +
               "\"}}";
    };
    EXPECT_EQ(trace.end(), "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + name("0", "motion cpu") + ",\n" +
                               event(0, "motion", "0", "1") + ",\n" + name("1", "coding") + ",\n" +
                               event(1, "decide", "1", "0") + ",\n" + event(2, "motion", "0", "2") + "\n]}\n");
}

TEST(Trace, EscapesWhatJsonMustNotContain) {
    Trace trace;
    const auto now = Trace::Clock::now();
    trace.add("a\"b\\c\n\x01\x1f\x7f", "GPU \xC3\xA9", 0, now, now);
    const std::string json = trace.end();
    EXPECT_NE(json.find(R"("a\"b\\c\u000a\u0001\u001f\u007f")"), std::string::npos) << json;
    EXPECT_NE(json.find("\"GPU \xC3\xA9\""), std::string::npos) << json;
}

TEST(Trace, PartsThatAreTakenAreTheWholeAndAreForgotten) {
    Trace whole, parts;
    const auto now = Trace::Clock::now();
    std::string taken = parts.take();
    for (int i = 0; i < 5; ++i) {
        for (Trace* trace : {&whole, &parts})
            trace->add("a", i % 2 == 0 ? "one" : "two", i, now, now);
        if (i == 3) continue;
        taken += parts.take();
        EXPECT_TRUE(parts.spans().empty()) << i;
    }
    taken += parts.take();
    taken += parts.end();
    // Times begin at each one's construction.
    const auto without_times = [](std::string text) {
        for (std::size_t at = 0; (at = text.find("\"ts\":", at)) != std::string::npos;)
            text.erase(at, text.find(",\"dur\"", at) - at);
        return text;
    };
    EXPECT_EQ(without_times(taken), without_times(whole.end()));
}

TEST(Trace, TakesSpansFromManyThreads) {
    Trace trace;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&trace, t] {
            for (int i = 0; i < 250; ++i) {
                const auto now = Trace::Clock::now();
                trace.add("work", "thread " + std::to_string(t), i, now, now);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    std::vector<std::int64_t> next(4);
    for (const Trace::Span& span : trace.spans()) {
        const auto t = static_cast<std::size_t>(span.thread.back() - '0');
        EXPECT_EQ(span.picture, next[t]++) << "spans of one thread keep their order";
    }
    EXPECT_EQ(next, std::vector<std::int64_t>(4, 250));
}

} // namespace
} // namespace tandem
