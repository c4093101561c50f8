// SPDX-License-Identifier: MIT
#include "core/base/clean_text.h"
#include "core/base/try.h"
#include "core/base/xml.h"
#include "core/codec/json.h"
#include "sessions/report/report.h"
#include "sessions/report/review.h"
#include "sessions/report/review_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline report {
namespace {

constexpr const char* kReviewStyle = R"css(
.remarks{border-left:3px solid var(--accent);padding:4px 0 4px 12px;margin-top:12px}
.remarks h3{font-size:13px;margin:0 0 4px}
.remark{margin:0 0 6px;white-space:pre-wrap;overflow-wrap:anywhere}
.remark b{color:var(--muted);font-weight:600}
.remarks textarea,.bar input{width:100%;font:inherit;padding:6px 8px;border:1px solid var(--border);border-radius:4px;color:var(--text);background:var(--surface)}
button{font:inherit;padding:6px 12px;border:1px solid var(--accent);border-radius:4px;background:var(--surface);color:var(--accent);margin:4px 8px 0 0;cursor:pointer}
.bar{position:sticky;bottom:0;background:var(--raised);border-top:1px solid var(--border);padding:8px 12px;margin-top:16px}
.bar span{color:var(--muted);font-size:12px}
@media print{.bar,.remarks textarea,.remarks button{display:none}}
)css";

/// Works from a file: nothing is fetched. Comments live in the page's own data block; every text goes in as text, never as HTML.
constexpr const char* kScript = R"js(
(function () {
  'use strict';
  var block = document.getElementById('review-data');
  var data = JSON.parse(block.textContent);
  function uuid() {
    var b = crypto.getRandomValues(new Uint8Array(16));
    b[6] = b[6] & 15 | 64; b[8] = b[8] & 63 | 128;
    var h = Array.from(b, function (x) { return (x + 256).toString(16).slice(1); }).join('');
    return [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join('-');
  }
  function show() {
    document.querySelectorAll('.remarks').forEach(function (place) {
      var list = place.querySelector('.list');
      list.textContent = '';
      data.comments.filter(function (c) { return c.target === place.dataset.target; }).forEach(function (c) {
        var row = document.createElement('p'), who = document.createElement('b');
        row.className = 'remark';
        who.textContent = c.author + ', ' + c.at.slice(0, 16).replace('T', ' ') + ' UTC: ';
        row.append(who, c.text);
        list.append(row);
      });
    });
    block.textContent = JSON.stringify(data, null, 1).replace(/</g, '\\u003c');
  }
  function save(name, type, text) {
    var link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type: type}));
    link.download = name;
    link.click();
  }
  var author = document.getElementById('author'), status = document.getElementById('status');
  document.querySelectorAll('.remarks button').forEach(function (button) {
    button.addEventListener('click', function () {
      var place = button.closest('.remarks'), box = place.querySelector('textarea');
      if (!author.value.trim()) { status.textContent = 'Enter your name first.'; author.focus(); return; }
      if (!box.value.trim()) { status.textContent = 'The comment is empty.'; box.focus(); return; }
      data.comments.push({id: uuid(), target: place.dataset.target, author: author.value.trim(), at: new Date().toISOString(),
                          text: box.value.trim()});
      box.value = '';
      status.textContent = 'Not saved yet: save the page or the comments, and send the file back.';
      show();
    });
  });
  var stem = 'review-' + data.name.replace(/[^A-Za-z0-9+_.-]/g, '_');
  document.getElementById('save-json').addEventListener('click', function () {
    save(stem + '.json', 'application/json', JSON.stringify(data, null, 1));
    status.textContent = 'Saved as ' + stem + '.json.';
  });
  document.getElementById('save-page').addEventListener('click', function () {
    status.textContent = '';
    save(stem + '.html', 'text/html', '<!DOCTYPE html>\n' + document.documentElement.outerHTML + '\n');
    status.textContent = 'Saved as ' + stem + '.html.';
  });
  show();
})();
)js";

std::string remarksAt(const ReviewTarget& target)
{
    return fmt::format("<div class=\"remarks\" data-target=\"{0}\"><h3>{1}</h3><div class=\"list\"></div>"
                       "<textarea rows=\"2\" aria-label=\"Comment on {1}\"></textarea><button type=\"button\">Comment</button></div>\n",
                       escapeXml(target.id), escapeXml(target.title));
}

/// JSON that cannot end its script element.
std::string inScript(std::string json)
{
    for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
        json.replace(at, 1, "\\u003c");
    return json;
}

} // namespace

Result<std::string> reviewPage(const Store& store, const Catalog& catalog, const SessionId& session)
{
    KL_ASSIGN(Report report, sessionReport(store, catalog, session));
    KL_ASSIGN(const SessionHeader header, store.session(session));
    KL_ASSIGN(const std::vector<ReviewComment> comments, reviewComments(store, session));
    Json data{{"schema", "kernelloop.review/1"}, {"session", session.text}, {"name", header.name}, {"kernel", header.kernel}};
    data["comments"] = Json::array();
    for (const ReviewComment& comment : comments)
        data["comments"].push_back(commentToJson(comment));
    std::string end =
        "<div class=\"bar\"><input id=\"author\" placeholder=\"Your name\" aria-label=\"Your name\">"
        "<button type=\"button\" id=\"save-json\">Save the comments</button>"
        "<button type=\"button\" id=\"save-page\">Save the page with them</button><span id=\"status\" role=\"status\"></span></div>\n";
    end += fmt::format("<script type=\"application/json\" id=\"review-data\">{}</script>\n", inScript(escapeHidden(encodePretty(data))));
    report.model.title += " (review)";
    return toHtml(report.model, {kReviewStyle, remarksAt, end, kScript});
}

} // namespace kl::inline report
