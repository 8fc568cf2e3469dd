#include "evidence/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ropebench {
namespace {

struct BadRow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ == text_.size(); }

  CsvRow Next() {
    CsvRow row;
    row.line = line_;
    const std::size_t start = at_;
    try {
      do {
        if (row.fields.size() == kMaxCsvFields) {
          throw BadRow(fmt::format("has more than {} fields", kMaxCsvFields));
        }
        row.fields.push_back(Peek() == '"' ? Quoted() : Plain());
      } while (Take(','));
      if (!AtEnd() && !TakeLineBreak()) throw BadRow("has text after a quoted field");
    } catch (const BadRow& error) {
      row.fields.clear();
      row.error = error.what();
      at_ = std::min(text_.find('\n', start), text_.size());
      line_ = row.line + (Take('\n') ? 1 : 0);
    }
    return row;
  }

 private:
  char Peek() const { return AtEnd() ? '\0' : text_[at_]; }

  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeLineBreak() {
    if (text_.substr(at_, 2) == "\r\n") ++at_;
    if (!Take('\n')) return false;
    ++line_;
    return true;
  }

  std::string Plain() {
    std::size_t end = std::min(text_.find_first_of(",\n\"", at_), text_.size());
    if (end < text_.size() && text_[end] == '"') throw BadRow("has a quote inside a plain field");
    if (end < text_.size() && text_[end] == '\n' && end > at_ && text_[end - 1] == '\r') --end;
    const std::string_view field = text_.substr(at_, end - at_);
    if (field.size() > kMaxCsvFieldBytes) throw TooLong();
    at_ = end;
    return std::string(field);
  }

  std::string Quoted() {
    std::string field;
    std::size_t at = at_ + 1;
    for (;;) {
      const std::size_t quote = std::min(text_.find('"', at), text_.size());
      field.append(text_.substr(at, std::min(quote - at, kMaxCsvFieldBytes + 1)));
      if (field.size() > kMaxCsvFieldBytes) throw TooLong();
      if (quote == text_.size()) throw BadRow("has a quote that is never closed");
      at = quote + 1;
      if (at == text_.size() || text_[at] != '"') break;
      field += '"';
      ++at;
    }
    line_ += static_cast<int>(std::count(field.begin(), field.end(), '\n'));
    at_ = at;
    return field;
  }

  static BadRow TooLong() {
    return BadRow(fmt::format("has a field of more than {} bytes", kMaxCsvFieldBytes));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<CsvRow> ReadCsv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<CsvRow> rows;
  Reader reader(text);
  while (!reader.AtEnd()) {
    CsvRow row = reader.Next();
    const bool is_empty = row.error.empty() && row.fields.size() == 1 && row.fields[0].empty();
    if (!is_empty) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ropebench
