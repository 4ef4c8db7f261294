// Formatted output and input: every manipulator, string streams, custom locales, errors.
#include <iomanip>
#include <iostream>
#include <limits>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

template <class T>
static void formats(T value) {
  std::cout << value << '|' << std::setw(14) << value << '|' << std::left << std::setw(14) << std::setfill('*') << value << '|' << std::internal
            << std::setw(14) << value << '|' << std::right << std::hex << value << '|' << std::showbase << std::uppercase << std::setw(14) << value << '|'
            << std::oct << value << '|' << std::dec << std::showpos << value << std::noshowpos << '|' << std::nouppercase << std::noshowbase << std::setfill(' ')
            << '\n';
}

static void floats(double d) {
  std::ostringstream out;
  for (int precision : {0, 3, 6, 17}) {
    out << std::setprecision(precision) << d << ' ' << std::fixed << d << ' ' << std::scientific << d << ' ' << std::showpoint << d << std::noshowpoint
        << std::hexfloat << ' ' << d << std::defaultfloat << ' ' << std::uppercase << d << ' ' << static_cast<long double>(d) << std::nouppercase << ' '
        << std::internal << std::showpos << std::setw(12) << d << std::noshowpos << std::right << '\n';
  }
  std::cout << out.str();
}

struct grouping : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
  std::string do_truename() const override { return "ja"; }
};

static void input() {
  std::istringstream in("12 -7 0x1f 077 3.25e2 word 1 true A  text to the end\nsecond line\n\nlast");
  int a, b, c, d;
  double e;
  std::string word, line;
  bool f, g;
  char h;
  in >> a >> b >> std::hex >> c >> std::oct >> d >> std::dec >> e >> word >> f >> std::boolalpha >> g >> h >> std::ws;
  std::getline(in, line);
  std::cout << a << b << ' ' << c << ' ' << d << ' ' << e << word << f << g << h << line << '\n';
  while (std::getline(in, line)) std::cout << '[' << line << ']';
  std::cout << in.eof() << in.fail() << in.bad() << '\n';
  for (const char *text : {"", "x", "99999999999", "-1", "1e999", "  42 ", "+5", "1.5.5", "-", "0x", "infinity", "1e", "300"}) {
    std::istringstream one(text);
    int i = -5;
    one >> i;
    std::cout << text << ": " << i << ' ' << one.rdstate() << "; ";
    std::istringstream two(text), three(text), four(text), five(text);
    unsigned short u = 9;
    double real = -5;
    float small = -5;
    long long big = -5;
    two >> u;
    three >> real;
    four >> small;
    five >> std::setw(2) >> big;
    std::cout << u << ' ' << two.rdstate() << "; " << real << ' ' << three.rdstate() << "; " << small << ' ' << four.rdstate() << "; " << big << ' '
              << five.rdstate() << '\n';
  }
  std::istringstream raw("abc,def\nghi");
  char buffer[8];
  raw.getline(buffer, sizeof buffer, ',');
  std::cout << buffer << raw.gcount();
  raw.get(buffer, 3);
  std::cout << buffer << raw.gcount() << static_cast<char>(raw.peek());
  raw.ignore(10, '\n');
  raw.unget();
  raw.ignore();
  raw.read(buffer, 8);
  std::cout << std::string(buffer, static_cast<size_t>(raw.gcount())) << raw.rdstate();
  raw.clear();
  raw.seekg(1);
  raw.putback('a');
  raw >> std::setw(3) >> buffer;
  std::cout << buffer << raw.tellg() << '\n';
  int overflow[2] = {0, 0};
  std::istringstream many("1 2 x");
  int i = 0;
  while (many >> overflow[i % 2]) i++;
  std::cout << i << overflow[0] << overflow[1] << many.rdstate() << '\n';
}

static void locales() {
  std::ostringstream out;
  out.imbue(std::locale(out.getloc(), new grouping));
  out << 1234567 << ' ' << -1234.5 << ' ' << std::boolalpha << true << false << ' ' << std::hex << 0x123456 << ' ' << std::dec << std::setw(12) << 12345
      << ' ' << std::fixed << 9876543.25;
  std::cout << out.str() << ' ' << out.getloc().name() << ' ' << std::locale().name() << '\n';
  std::istringstream in("1.234.567 12.34 3,5");
  in.imbue(out.getloc());
  int a, b;
  double c;
  in >> a;
  std::cout << a << ' ' << in.rdstate() << ' ';
  in >> b;
  std::cout << b << ' ' << in.rdstate() << ' ';
  in.clear();
  in >> c;
  std::cout << c << '\n';
  std::locale copy = out.getloc(), combined(std::locale::classic(), copy, std::locale::numeric);
  std::cout << (copy == out.getloc()) << (copy == std::locale::classic()) << std::use_facet<std::numpunct<char>>(combined).thousands_sep()
            << std::has_facet<std::ctype<char>>(combined) << std::isupper('A', copy) << std::tolower('Q', copy) << '\n';
  try {
    std::locale none("no_SUCH");
  } catch (const std::runtime_error &e) {
    std::cout << e.what() << '\n';
  }
}

static void states() {
  std::ostringstream out;
  out.exceptions(std::ios::failbit);
  try {
    out.setstate(std::ios::failbit);
  } catch (const std::ios_base::failure &e) {
    std::cout << e.what() << ' ' << e.code().category().name() << '\n';
  }
  std::stringstream both;
  both << 1 << ' ' << 2;
  int a, b;
  both >> a >> b;
  both.clear();
  both.str("again 3");
  std::string s;
  both >> s >> a;
  both.clear();
  both.seekp(0);
  both << "AGAIN";
  std::cout << a << b << s << both.str() << both.tellp() << '\n';
  std::stringstream moved = std::move(both);
  std::stringstream swapped("x");
  swapped.swap(moved);
  std::cout << swapped.str() << moved.str() << '\n';
  std::ostream null(nullptr);
  null << 1;
  std::cout << null.rdstate() << (null ? 'y' : 'n') << '\n';
  int index = std::ios_base::xalloc();
  std::cout.iword(index + 20) = 5;
  std::cout << std::cout.iword(index + 20) << std::cout.iword(index) << '\n';
  std::ostringstream copied;
  copied.copyfmt(std::cout);
  copied << std::cout.rdbuf() << std::quoted("a \"quote\"") << static_cast<const void *>(nullptr) << static_cast<const char *>("x");
  std::cout << copied.str() << '\n';
  std::istringstream from("copied through\nbuffers");
  std::cout << from.rdbuf() << std::endl;
  std::streambuf *saved = std::cout.rdbuf(copied.rdbuf());
  std::cout << "redirected";
  std::cout.rdbuf(saved);
  std::cout << copied.str() << std::ends << std::flush << "\n";
  std::cerr << "";
  std::clog << "";
}

int main() {
  formats(0);
  formats(-42);
  formats(123456789L);
  formats(static_cast<short>(-1));
  formats(18446744073709551615ull);
  formats(true);
  formats('c');
  formats("text");
  formats(std::string("string"));
  std::cout << std::boolalpha << true << false << std::noboolalpha << reinterpret_cast<void *>(0x1234) << '\n';
  for (double d : {0.0, 1.0, -2.5, 3.14159265358979, 1e10, 1e-7, 123456789.0, 1e300, std::numeric_limits<double>::infinity(), -0.0}) floats(d);
  input();
  locales();
  states();
  std::thread a([] { std::cout << "line\n"; }), b([] { std::cout << "line\n"; });
  a.join();
  b.join();
  std::cout << std::setw(3);
  int n = 0, sum = 0;
  while (std::cin >> n) sum += n;
  std::cout << sum << std::cin.eof() << '\n';
}
