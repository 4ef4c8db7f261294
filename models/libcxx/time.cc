/* Dates in text, as the C locale writes them. */
#include <time.h>

#include "facet.h"

namespace std {

namespace {

/* __timepunct_cache's layout: its texts in order. */
struct time_data {
  heddle::facet_head head;
  const char *texts[47];
  bool allocated;
};
constinit time_data classic_texts = {
    {},
    {"%m/%d/%y",
     "%m/%d/%y",
     "%H:%M:%S",
     "%H:%M:%S",
     "%a %b %e %H:%M:%S %Y",
     "%a %b %e %H:%M:%S %Y",
     "AM",
     "PM",
     "%I:%M:%S %p",
     "Sunday",
     "Monday",
     "Tuesday",
     "Wednesday",
     "Thursday",
     "Friday",
     "Saturday",
     "Sun",
     "Mon",
     "Tue",
     "Wed",
     "Thu",
     "Fri",
     "Sat",
     "January",
     "February",
     "March",
     "April",
     "May",
     "June",
     "July",
     "August",
     "September",
     "October",
     "November",
     "December",
     "Jan",
     "Feb",
     "Mar",
     "Apr",
     "May",
     "Jun",
     "Jul",
     "Aug",
     "Sep",
     "Oct",
     "Nov",
     "Dec"},
    false,
};
static_assert(sizeof(time_data) == sizeof(__timepunct_cache<char>), "the data is laid out as __timepunct_cache");

extern "C" const void *const timepunct_char_vtable[2] __asm__("_ZTVSt11__timepunctIcE");
extern "C" const void *const time_put_char_vtable[2] __asm__("_ZTVSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE");
extern "C" const void *const time_get_char_vtable[2] __asm__("_ZTVNSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEE");
constinit struct {
  heddle::facet_head head;
  time_data *data;
  __c_locale c_locale;
  const char *name;
} classic_timepunct = {{timepunct_char_vtable + 2, 1}, &classic_texts, nullptr, "C"};
constinit heddle::facet_head classic_time_put = {time_put_char_vtable + 2, 1};
constinit heddle::facet_head classic_time_get = {time_get_char_vtable + 2, 1};

}  // namespace

/* Works out what the fields that were read say about those that were not. */
void __time_get_state::_M_finalize_state(tm *when) {
  if (_M_have_I && _M_is_pm) when->tm_hour += 12;
  if (_M_have_century) {
    int year_of_century = _M_want_century ? when->tm_year % 100 : 0;
    if (year_of_century < 0) year_of_century += 100;
    when->tm_year = (_M_century - 19) * 100 + year_of_century;
  }
  const int year = when->tm_year + 1900;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  static const int days_before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  auto day_of_year = [&](int month, int day) { return days_before[month] + (leap && month > 1) + day - 1; };
  const int y = year - 1; /* weekday of January 1st: days since a Sunday */
  const int first_weekday = ((y + y / 4 - y / 100 + y / 400 + 1) % 7 + 7) % 7;
  if (_M_want_xday && !_M_have_wday) {
    if (!(_M_have_mon && _M_have_mday) && _M_have_yday) {
      int month = 11;
      while (month > 0 && day_of_year(month, 1) > when->tm_yday) month--;
      if (!_M_have_mon) when->tm_mon = month;
      if (!_M_have_mday) when->tm_mday = when->tm_yday - day_of_year(month, 1) + 1;
      _M_have_mon = _M_have_mday = 1;
    }
    if (when->tm_mon >= 0 && when->tm_mon < 12) when->tm_wday = (first_weekday + day_of_year(when->tm_mon, when->tm_mday)) % 7;
  }
  if (_M_want_xday && !_M_have_yday && (_M_have_mon || _M_have_mday) && when->tm_mon >= 0 && when->tm_mon < 12)
    when->tm_yday = day_of_year(when->tm_mon, when->tm_mday);
  if ((_M_have_uweek || _M_have_wweek) && _M_have_wday) {
    const int shift = _M_have_uweek ? 0 : 1; /* weeks begin on Sunday or Monday */
    const int begin = (7 - (first_weekday - shift)) % 7 + (static_cast<int>(_M_week_no) - 1) * 7;
    const int day = begin + (when->tm_wday - shift + 7) % 7;
    int month = 11;
    while (month > 0 && day_of_year(month, 1) > day) month--;
    if (!_M_have_yday) when->tm_yday = day;
    if (!_M_have_mon) when->tm_mon = month;
    if (!_M_have_mday) when->tm_mday = day - day_of_year(month, 1) + 1;
  }
}

template <>
const char *__timepunct_cache<char>::_S_timezones[14] = {"GMT", "HST", "AKST", "PST", "MST", "CST", "EST",
                                                         "AST", "NST", "CET",  "IST", "EET", "CST", "JST"};

template <>
void __timepunct<char>::_M_put(char *to, size_t n, const char *format, const tm *when) const noexcept {
  if (strftime(to, n, format, when) == 0) *to = '\0';
}

template <>
void __timepunct<char>::_M_initialize_timepunct(__c_locale) {
  if (_M_data == nullptr) _M_data = new __timepunct_cache<char>;
  auto *made = reinterpret_cast<time_data *>(_M_data);
  for (size_t i = 0; i < sizeof made->texts / sizeof *made->texts; i++) made->texts[i] = classic_texts.texts[i];
}

}  // namespace std

FACET_ACCESS(std::__timepunct<char>, heddle::FACET_TIMEPUNCT, std::classic_timepunct)
FACET_ACCESS(std::time_put<char>, heddle::FACET_TIME_PUT, std::classic_time_put)
FACET_ACCESS(std::time_get<char>, heddle::FACET_TIME_GET, std::classic_time_get)

template class std::__timepunct<char>;
template class std::time_put<char>;
template class std::time_get<char>;
