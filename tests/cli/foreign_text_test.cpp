// SPDX-License-Identifier: MIT
// Text that a stranger wrote, on its way to a terminal, a report, a page: it shows, and does nothing.
#include "kloop.h"

#include "core/base/sha256.h"
#include "kernels/data/base64.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A title's end, a cleared screen, a C1 sequence, an override that turns "txt.exe" round, a mark, an isolate.
constexpr const char* kForged = "evil\x1b]0;OWNED\x07\x1b[2J\x7f\xc2\x9b"
                                "31m\xe2\x80\xae"
                                "exe\xe2\x80\x8f\xe2\x81\xa6.";
constexpr const char* kForgedJson = R"(evil\u001b]0;OWNED\u0007\u001b[2J\u007f\u009b31m\u202eexe\u200f\u2066.)";
constexpr const char* kShown = "evil]0;OWNED[2J31mexe.";

/// What of a text could steer a terminal or mislead a reader; empty when all is well.
std::string harmIn(const std::string& text, bool lineEndsOfCsv = false)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool csv = lineEndsOfCsv && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if ((c < 0x20 && c != '\n' && c != '\t' && !csv) || c == 0x7F)
            return "byte " + std::to_string(c) + " after " + text.substr(i > 40 ? i - 40 : 0, 40);
    }
    for (const char* hidden : {"\xc2\x9b", "\xe2\x80\xae", "\xe2\x80\x8f", "\xe2\x81\xa6"})
        if (text.find(hidden) != std::string::npos)
            return "a hidden character in " + text;
    return {};
}

class ForeignText : public Kloop {
protected:
    void forgedKernel(const std::string& source = "extern \"C\" __global__ void f() {}\n") const
    {
        std::filesystem::create_directories(file("k"));
        write("k/kernel.json", R"({"id": "forged", "title": ")" + std::string(kForgedJson) + R"(", "source": "k.cu", "sizes": ["N"],
  "problems": ["N=8"], "smallest": "N=8", "suite": ["N=8"], "buffers": [{"name": "y", "type": "f32", "count": "N", "role": "output"}],
  "reference": {"expression": "1", "index": ["i:N"]}, "variants": [{"id": "a", "title": ")" +
                                   kForgedJson + R"(", "launches": [{"entry": "f", "grid": ["1"], "block": ["32"], "args": ["y"]}]}]})");
        write("k/k.cu", source);
    }
    void forgedSession() const
    {
        ASSERT_EQ(kloop({"session", "new", std::string("N") + kForged, kForged + std::string(" [x](javascript:alert) # \\[y](z)"),
                         "--kernel", "transpose", "--on", "sample"})
                      .code,
                  0);
        ASSERT_EQ(kloop({"session", "step"}).code, 0);
    }
    /// Both streams are harmless, and the text is there.
    static void expectShown(const Answer& answer)
    {
        EXPECT_EQ(harmIn(answer.out), "");
        EXPECT_EQ(harmIn(answer.err), "");
        EXPECT_THAT(answer.out + answer.err, HasSubstr(kShown));
    }
};

TEST_F(ForeignText, OfADescriptor)
{
    forgedKernel();
    expectShown(kloop({"kernels", "check", file("k")}));
    ASSERT_EQ(kloop({"kernels", "add", file("k")}).code, 0);
    EXPECT_EQ(harmIn(kloop({"kernels"}).out), "");
    write("k/kernel.json", std::string("{\"id\": \"") + kForgedJson + "\"}");
    EXPECT_EQ(harmIn(kloop({"kernels", "check", file("k")}).err), "");
    const Answer named = kloop({"run", kForged});
    EXPECT_EQ(named.code, 4);
    EXPECT_EQ(harmIn(named.err), "");
}

TEST_F(ForeignText, OfTheCompiler)
{
    forgedKernel();
    useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[],"unavailable":"no GPU"}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"build-many"'*)
        printf '%s\n' "{\"event\":\"result\",\"id\":$id,\"body\":{\"compiler\":\"NVRTC\",\"arch\":\"sm_90\",\"jobs\":1,\"seconds\":1,\"points\":[{\"kernel\":\"forged/a\",\"ok\":false,\"arch\":\"sm_90\",\"log\":\"k.cu(1): error: )" +
              std::string(kForgedJson) + R"(\"}]}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)");
    const Answer answer = kloop({"compile", file("k")});
    EXPECT_EQ(answer.code, 1);
    expectShown(answer);
}

TEST_F(ForeignText, OfASessionReachesEverySurfaceClean)
{
    KL_NEEDS_SAMPLE();
    forgedSession();
    expectShown(kloop({"session", "list"}));
    expectShown(kloop({"session", "show"}));
    const std::string markdown = kloop({"report", "--format", "md"}).out;
    EXPECT_EQ(harmIn(markdown), "");
    EXPECT_THAT(markdown, HasSubstr("evil\\]0;OWNED\\[2J31mexe."));
    EXPECT_EQ(harmIn(kloop({"report", "--format", "csv"}).out, true), "");
    EXPECT_EQ(harmIn(kloop({"prompt"}).out), "");
    EXPECT_EQ(harmIn(kloop({"learn"}).out), "");
    ASSERT_EQ(kloop({"report", "-o", file("r.html")}).code, 0);
    EXPECT_THAT(read("r.html"), HasSubstr(kShown));
    EXPECT_EQ(harmIn(read("r.html")), "");
    ASSERT_EQ(kloop({"report", "--history", "-o", file("h.csv")}).code, 0);
    EXPECT_EQ(harmIn(read("h.csv"), true), "");
}

TEST_F(ForeignText, StaysDataInJson)
{
    KL_NEEDS_SAMPLE();
    forgedSession();
    const Answer list = kloop({"session", "list", "--json"});
    EXPECT_EQ(harmIn(list.out), "");
    EXPECT_EQ(list.json()["sessions"][0]["name"], std::string("N") + kForged);
    const Answer report = kloop({"report", "--format", "json"});
    EXPECT_EQ(harmIn(report.out), "");
    EXPECT_THAT(report.json().dump(), HasSubstr("\xe2\x80\xae"));
}

TEST_F(ForeignText, IsNoMarkupInMarkdown)
{
    KL_NEEDS_SAMPLE();
    forgedSession();
    const std::string text = kloop({"report", "--format", "md"}).out;
    EXPECT_THAT(text, HasSubstr("\\[x\\](javascript:alert)"));
    EXPECT_THAT(text, HasSubstr("\\\\\\[y\\](z)")); // a backslash of its own frees no bracket
}

TEST_F(ForeignText, OfAReviewer)
{
    KL_NEEDS_SAMPLE();
    forgedSession();
    Json review = kloop({"review", "show", "--json"}).json();
    review["comments"].push_back({{"id", "11111111-1111-4111-8111-111111111111"},
                                  {"target", "session"},
                                  {"author", kForged},
                                  {"at", "2026-01-01T00:00:00Z"},
                                  {"text", std::string("two\nlines ") + kForged}});
    write("review.json", review.dump());
    const Answer import = kloop({"review", "import", file("review.json")});
    ASSERT_EQ(import.code, 0) << import.err;
    const Answer shown = kloop({"review", "show"});
    expectShown(shown);
    EXPECT_THAT(shown.out, HasSubstr("two lines")); // one row of the table
    ASSERT_EQ(kloop({"review", "export", "-o", file("review.html")}).code, 0);
    EXPECT_EQ(harmIn(read("review.html")), "");
    EXPECT_EQ(kloop({"review", "import", file("review.html"), "--json"}).json()["known"], 1); // the same words came back
}

TEST_F(ForeignText, OfABundle)
{
    KL_NEEDS_SAMPLE();
    const std::string device =
        kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).json()["device"]["name"].get<std::string>();
    ASSERT_EQ(kloop({"export", "transpose", "-o", file("b.json")}).code, 0);
    std::string bundle = read("b.json");
    for (std::size_t at = bundle.find(device); at != std::string::npos; at = bundle.find(device, at + 1))
        bundle.replace(at, device.size(), kForgedJson);
    write("b.json", bundle);
    const std::string elsewhere = "KERNELLOOP_DB=" + quoted(file("other.db"));
    const Answer import = kloop({"import", file("b.json")}, elsewhere);
    EXPECT_EQ(harmIn(import.out + import.err), "");
    expectShown(kloop({"show", "transpose/naive"}, elsewhere));
}

/// The text of an element, and whether the page's policy names its hash.
std::string allowedText(const std::string& page, const std::string& tag)
{
    const auto begin = page.find('<' + tag + '>') + tag.size() + 2;
    const std::string text = page.substr(begin, page.find("</" + tag + '>', begin) - begin);
    const auto digest = computeSha256(text);
    EXPECT_THAT(page, HasSubstr(tag + "-src 'sha256-" + toBase64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'"));
    return text;
}

TEST_F(ForeignText, PagesTellTheBrowserWhatTheyMayDo)
{
    KL_NEEDS_SAMPLE();
    forgedSession();
    ASSERT_EQ(kloop({"report", "-o", file("r.html")}).code, 0);
    const std::string report = read("r.html");
    const std::string policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
    EXPECT_THAT(report, HasSubstr(policy));
    EXPECT_LT(report.find(policy), report.find("<style>")); // it holds for what follows it
    EXPECT_THAT(report, HasSubstr("script-src 'none'"));
    EXPECT_THAT(report, Not(HasSubstr(" style="))); // which no hash would allow
    allowedText(report, "style");
    ASSERT_EQ(kloop({"review", "export", "-o", file("review.html")}).code, 0);
    const std::string review = read("review.html");
    EXPECT_THAT(review, HasSubstr(policy));
    EXPECT_THAT(allowedText(review, "style"), HasSubstr(".remarks"));
    EXPECT_THAT(allowedText(review, "script"), HasSubstr("review-data"));
}

} // namespace
} // namespace kl::test
