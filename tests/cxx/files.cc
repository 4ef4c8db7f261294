// File streams, and iterators over streams.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <vector>

int main() {
  std::ifstream missing("/nonexistent/file");
  std::cout << missing.is_open() << missing.rdstate() << '\n';
  const char *name = "heddle-cxx-files"; /* in a folder of the test's own: others run beside it */
  {
    std::ofstream out(name);
    for (int i = 0; i < 3000; i++) out << "line " << i << '\n';
    std::cout << out.tellp() << '\n';
  }
  std::ifstream in(name);
  std::string word;
  long sum = 0;
  int i;
  while (in >> word >> i) sum += i;
  std::cout << sum << in.eof() << '\n';
  in.clear();
  in.seekg(-5, std::ios::end);
  in >> i;
  std::cout << i << '\n';
  in.close();
  std::fstream both(name, std::ios::in | std::ios::out);
  both.seekp(5);
  both << "X";
  both.seekg(0);
  std::getline(both, word);
  std::cout << word << '\n';
  both.close();
  std::ofstream append(name, std::ios::app | std::ios::binary);
  append << "end";
  append.close();
  std::ifstream again(name);
  std::vector<std::string> lines;
  while (std::getline(again, word)) lines.push_back(word);
  std::cout << lines.size() << lines.back() << '\n';
  std::ifstream bytes(name, std::ios::binary);
  std::cout << std::count(std::istreambuf_iterator<char>(bytes), std::istreambuf_iterator<char>(), '\n') << '\n';
  std::remove(name);
  std::istringstream numbers("3 1 2");
  std::vector<int> v{std::istream_iterator<int>(numbers), {}};
  std::sort(v.begin(), v.end());
  std::copy(v.begin(), v.end(), std::ostream_iterator<int>(std::cout, ","));
  std::tm when = {};
  when.tm_year = 120;
  when.tm_mon = 1;
  when.tm_mday = 3;
  when.tm_hour = 14;
  std::cout << std::put_time(&when, "%Y-%m-%d %H:%M:%S") << '\n';
  std::istringstream date("2021-Mar-04 05:06");
  date >> std::get_time(&when, "%Y-%b-%d %H:%M");
  std::cout << when.tm_year << ' ' << when.tm_mon << ' ' << when.tm_mday << ' ' << when.tm_hour << ' ' << when.tm_min << ' ' << date.fail() << '\n';
}
