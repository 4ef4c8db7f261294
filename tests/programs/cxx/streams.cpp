// output: native
// iostream and sstream: formatting, parsing, precision, manipulators.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

int main() {
  std::cout << "text " << 42 << ' ' << -7L << ' ' << 3.14159 << ' ' << true << std::boolalpha << false << '\n';
  std::cout << std::hex << std::showbase << 255 << std::dec << ' ' << std::setw(8) << std::setfill('*') << 42 << ' ' << std::left
            << std::setw(6) << "ab" << '|' << '\n';
  std::cout << std::fixed << std::setprecision(2) << 2.71828 << ' ' << std::scientific << 12345.678 << std::endl;
  std::ostringstream out;
  out << "x=" << 1 << ",y=" << 2.5f;
  std::istringstream in("12 abc 7.5 0x1f");
  int n;
  std::string word;
  double d;
  in >> n >> word >> d;
  std::cout << out.str() << ' ' << n << word << std::defaultfloat << d << '\n';
  std::string line;
  std::istringstream lines("first line\nsecond\n\nlast");
  while (std::getline(lines, line)) std::cout << '[' << line << ']';
  std::cout << '\n';
  int bad = 0;
  std::istringstream wrong("zz");
  if (!(wrong >> bad)) std::cout << "no number" << '\n';
  std::cerr << "to stderr\n";
  return 0;
}
