#include "evidence/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ropebench {
namespace {

using ::testing::HasSubstr;

using Fields = std::vector<std::string>;

TEST(ReadCsv, ReadsWhatRfc4180Describes) {
  const std::pair<std::string, std::vector<Fields>> cases[] = {
      {"", {}},
      {"\n\r\n\n", {}},
      {"a,b\n", {{"a", "b"}}},
      {"a,b", {{"a", "b"}}},
      {"a,b\r\nc,\r\n", {{"a", "b"}, {"c", ""}}},
      {"\xEF\xBB\xBF"
       "a\n",
       {{"a"}}},
      {"\"a,b\",\"\"\"c\"\"\"\n", {{"a,b", "\"c\""}}},
      {"\"two\nlines\",x\ny,z\n", {{"two\nlines", "x"}, {"y", "z"}}},
      {",\n", {{"", ""}}},
      {" a , \"b\n", {}},
  };
  for (const auto& [text, expected] : cases) {
    std::vector<Fields> rows;
    for (const CsvRow& row : ReadCsv(text)) {
      if (row.error.empty()) rows.push_back(row.fields);
    }
    EXPECT_EQ(rows, expected) << text;
  }
}

TEST(ReadCsv, ABadRowIsNamedByItsLineAndTheRestGoesOn) {
  const std::pair<std::string, const char*> cases[] = {
      {"a\"b", "quote inside a plain field"},
      {"\"a\"b", "text after a quoted field"},
      {"\"a", "never closed"},
      {"x,\"a\"\rz", "text after a quoted field"},
      {std::string(kMaxCsvFieldBytes + 1, 'x'), "more than 65536 bytes"},
      {"\"" + std::string(kMaxCsvFieldBytes + 1, 'x') + "\"", "more than 65536 bytes"},
      {std::string(kMaxCsvFields, ','), "more than 256 fields"},
  };
  for (const auto& [bad, reason] : cases) {
    const std::vector<CsvRow> rows = ReadCsv("first\n\n" + bad + "\nlast\n");
    ASSERT_EQ(rows.size(), 3u) << reason;
    EXPECT_EQ(rows[1].line, 3);
    EXPECT_THAT(rows[1].error, HasSubstr(reason));
    EXPECT_TRUE(rows[1].fields.empty());
    EXPECT_EQ(rows[2].line, 4);
    EXPECT_EQ(rows[2].fields, Fields{"last"});
  }
}

}  // namespace
}  // namespace ropebench
