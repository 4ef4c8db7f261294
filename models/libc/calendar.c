/* Dates. The time zone is UTC; the locale is C. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "internal.h"

char *tzname[2] = {(char *)"UTC", (char *)"UTC"};
char *__tzname[2] = {(char *)"UTC", (char *)"UTC"};
long timezone, __timezone;
int daylight, __daylight;
void tzset(void) {}

static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }
static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Days from 1970-01-01 to the first of January. */
static int64_t year_start(int64_t year) {
  int64_t y = year - 1;
  return 365 * (year - 1970) + (floor_div(y, 4) - 492) - (floor_div(y, 100) - 19) + (floor_div(y, 400) - 4);
}

/* Days of the year before a month, 0..11. */
static int month_start(int month, bool leap) {
  static const short starts[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  return starts[month] + (leap && month > 1);
}

static struct tm *to_calendar(time_t time, struct tm *to) {
  int64_t days = floor_div(time, 86400), second = time - days * 86400;
  int64_t year = 1970 + floor_div(days, 366);
  if (days < 0) year--;
  if (year > INT_MAX + 1900ll + 1 || year < INT_MIN) return HD_ERRNO = EOVERFLOW, NULL;
  while (year_start(year + 1) <= days) {
    int64_t step = (days - year_start(year + 1)) / 366;
    year += step > 1 ? step : 1;
  }
  while (year_start(year) > days) {
    int64_t step = (year_start(year) - days) / 366;
    year -= step > 1 ? step : 1;
  }
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) return HD_ERRNO = EOVERFLOW, NULL;
  int of_year = (int)(days - year_start(year)), month = 11;
  while (month_start(month, is_leap(year)) > of_year) month--;
  *to = (struct tm){.tm_sec = (int)(second % 60),
                    .tm_min = (int)(second / 60 % 60),
                    .tm_hour = (int)(second / 3600),
                    .tm_mday = of_year - month_start(month, is_leap(year)) + 1,
                    .tm_mon = month,
                    .tm_year = (int)(year - 1900),
                    .tm_wday = (int)(((days + 4) % 7 + 7) % 7),
                    .tm_yday = of_year,
                    .tm_zone = "GMT"};
  return to;
}

/* The C library's static result: two threads that use it race, and are told so. */
static struct tm shared;

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict to) {
  return to_calendar(*time, to);
}
struct tm *gmtime(const time_t *time) {
  return to_calendar(*time, &shared);
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict to) {
  to = to_calendar(*time, to);
  if (to) to->tm_zone = "UTC";
  return to;
}

struct tm *localtime(const time_t *time) {
  return localtime_r(time, &shared);
}

/* Normalises the fields. */
static time_t from_calendar(struct tm *t, const char *zone) {
  int64_t month = t->tm_mon, year = (int64_t)t->tm_year + 1900 + floor_div(month, 12);
  month -= floor_div(month, 12) * 12;
  int64_t days = year_start(year) + month_start((int)month, is_leap(year)) + t->tm_mday - 1;
  int64_t seconds = days * 86400 + t->tm_hour * 3600ll + t->tm_min * 60ll + t->tm_sec;
  struct tm normal;
  if (!to_calendar(seconds, &normal)) return -1;
  normal.tm_zone = zone;
  *t = normal;
  return seconds;
}

time_t mktime(struct tm *t) { return from_calendar(t, "UTC"); }
time_t timelocal(struct tm *t) { return from_calendar(t, "UTC"); }
time_t timegm(struct tm *t) { return from_calendar(t, "GMT"); }

/* What strftime has written so far. */
struct writer {
  char *to;
  size_t used, size;
  bool full;
};

static void put(struct writer *w, char c) {
  if (w->used + 1 < w->size)
    w->to[w->used++] = c;
  else
    w->full = true;
}

/* How a field is written: "%_5d": padding ' ', width 5. */
struct field {
  char padding; /* '0', ' ', '-' for none, 0 for the conversion's own */
  int width;
  bool upper, swap;
};

static void put_text(struct writer *w, const struct field *f, const char *text, size_t n) {
  for (int pad = f->width - (int)n; pad > 0; pad--) put(w, f->padding == '0' ? '0' : ' ');
  for (size_t i = 0; i < n && text[i]; i++) {
    int c = (unsigned char)text[i];
    put(w, (char)(f->upper ? hd_toupper(c) : f->swap ? (hd_toupper(c) == c ? hd_tolower(c) : hd_toupper(c)) : c));
  }
}

static void put_number(struct writer *w, const struct field *f, int64_t value, int digits, char padding) {
  char text[24];
  int n = 0;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do text[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (f->padding) padding = f->padding;
  int width = padding == '-' ? 0 : f->width ? f->width : digits, length = n + (value < 0);
  if (padding == ' ')
    for (; length < width; length++) put(w, ' ');
  if (value < 0) put(w, '-');
  for (; length < width; length++) put(w, '0');
  while (n) put(w, text[--n]);
}

/* ISO 8601: the week, and the year that it belongs to. */
static int iso_week(const struct tm *t, int64_t *year) {
  *year = (int64_t)t->tm_year + 1900;
  int monday_based = (t->tm_wday + 6) % 7, week = (t->tm_yday - monday_based + 10) / 7;
  if (week < 1) {
    int64_t before = --*year;
    int last = t->tm_yday + (is_leap(before) ? 366 : 365);
    return (last - monday_based + 10) / 7;
  }
  int length = is_leap(*year) ? 366 : 365;
  if (week == 53 && t->tm_yday - monday_based + 3 >= length) {
    ++*year;
    return 1;
  }
  return week;
}

static int hour12(const struct tm *t) { return t->tm_hour % 12 ? t->tm_hour % 12 : 12; }

static void format_time(struct writer *w, const char *format, const struct tm *t);

static void put_composed(struct writer *w, const struct field *f, const char *format, const struct tm *t) {
  char text[256];
  struct writer inner = {text, 0, sizeof text, false};
  format_time(&inner, format, t);
  text[inner.used] = 0;
  struct field plain = *f;
  if (plain.padding == '-') plain.padding = 0;
  put_text(w, &plain, text, inner.used);
}

static void put_name(struct writer *w, const struct field *f, const char *const *names, int count, int i, size_t length) {
  put_text(w, f, i >= 0 && i < count ? names[i] : "?",
           i >= 0 && i < count && length ? length
           : i >= 0 && i < count         ? hd_strlen(names[i])
                                         : 1);
}

static void put_half(struct writer *w, struct field f, const struct tm *t, bool lower) {
  const char *text = t->tm_hour >= 12 ? "PM" : "AM";
  if (f.swap || lower) text = t->tm_hour >= 12 ? "pm" : "am";
  f.swap = false;
  put_text(w, &f, text, 2);
}

static void put_seconds(struct writer *w, const struct field *f, const struct tm *t) {
  struct tm copy = *t;
  put_number(w, f, from_calendar(&copy, "UTC"), 1, '-');
}

/* long: one row a conversion. False if there is none such. */
static bool put_conversion(struct writer *w, struct field f, char c, const struct tm *t) {
  int64_t year = (int64_t)t->tm_year + 1900, iso_year;
  int week = iso_week(t, &iso_year);
  switch (c) {
    case 'a':
      put_name(w, &f, day_names, 7, t->tm_wday, 3);
      break;
    case 'A':
      put_name(w, &f, day_names, 7, t->tm_wday, 0);
      break;
    case 'b':
    case 'h':
      put_name(w, &f, month_names, 12, t->tm_mon, 3);
      break;
    case 'B':
      put_name(w, &f, month_names, 12, t->tm_mon, 0);
      break;
    case 'c':
      put_composed(w, &f, "%a %b %e %H:%M:%S %Y", t);
      break;
    case 'C':
      put_number(w, &f, floor_div(year, 100), 1, '0');
      break;
    case 'd':
      put_number(w, &f, t->tm_mday, 2, '0');
      break;
    case 'D':
    case 'x':
      put_composed(w, &f, "%m/%d/%y", t);
      break;
    case 'e':
      put_number(w, &f, t->tm_mday, 2, ' ');
      break;
    case 'F':
      put_composed(w, &f, "%Y-%m-%d", t);
      break;
    case 'g':
      put_number(w, &f, (iso_year % 100 + 100) % 100, 2, '0');
      break;
    case 'G':
      put_number(w, &f, iso_year, 1, '0');
      break;
    case 'H':
      put_number(w, &f, t->tm_hour, 2, '0');
      break;
    case 'I':
      put_number(w, &f, hour12(t), 2, '0');
      break;
    case 'j':
      put_number(w, &f, t->tm_yday + 1, 3, '0');
      break;
    case 'k':
      put_number(w, &f, t->tm_hour, 2, ' ');
      break;
    case 'l':
      put_number(w, &f, hour12(t), 2, ' ');
      break;
    case 'm':
      put_number(w, &f, t->tm_mon + 1, 2, '0');
      break;
    case 'M':
      put_number(w, &f, t->tm_min, 2, '0');
      break;
    case 'n':
      put_text(w, &f, "\n", 1);
      break;
    case 'p':
      put_half(w, f, t, false);
      break;
    case 'P':
      put_half(w, f, t, true);
      break;
    case 'r':
      put_composed(w, &f, "%I:%M:%S %p", t);
      break;
    case 'R':
      put_composed(w, &f, "%H:%M", t);
      break;
    case 's':
      put_seconds(w, &f, t);
      break;
    case 'S':
      put_number(w, &f, t->tm_sec, 2, '0');
      break;
    case 't':
      put_text(w, &f, "\t", 1);
      break;
    case 'T':
    case 'X':
      put_composed(w, &f, "%H:%M:%S", t);
      break;
    case 'u':
      put_number(w, &f, t->tm_wday ? t->tm_wday : 7, 1, '0');
      break;
    case 'U':
      put_number(w, &f, (t->tm_yday - t->tm_wday + 7) / 7, 2, '0');
      break;
    case 'V':
      put_number(w, &f, week, 2, '0');
      break;
    case 'w':
      put_number(w, &f, t->tm_wday, 1, '0');
      break;
    case 'W':
      put_number(w, &f, (t->tm_yday - (t->tm_wday + 6) % 7 + 7) / 7, 2, '0');
      break;
    case 'y':
      put_number(w, &f, (year % 100 + 100) % 100, 2, '0');
      break;
    case 'Y':
      put_number(w, &f, year, 1, '0');
      break;
    case 'z':
      put_text(w, &f, "+0000", 5);
      break;
    case 'Z':
      put_text(w, &f, t->tm_zone ? t->tm_zone : "", t->tm_zone ? hd_strlen(t->tm_zone) : 0);
      break;
    case '%':
      put_text(w, &f, "%", 1);
      break;
    default:
      return false;
  }
  return true;
}

static void format_time(struct writer *w, const char *format, const struct tm *t) {
  for (; *format; format++) {
    if (*format != '%') {
      put(w, *format);
      continue;
    }
    const char *start = format++;
    struct field field = {0};
    for (; *format && hd_strchr("_-0^#", *format); format++) {
      if (*format == '^')
        field.upper = true;
      else if (*format == '#')
        field.swap = true;
      else
        field.padding = *format == '_' ? ' ' : *format;
    }
    for (; hd_isdigit(*format); format++) field.width = field.width * 10 + (*format - '0');
    if (*format == 'E' || *format == 'O') format++;
    if (put_conversion(w, field, *format, t)) continue;
    while (start <= format && *start) put(w, *start++);
    if (!*format) return;
  }
}

size_t strftime(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict t) {
  struct writer w = {to, 0, size, false};
  format_time(&w, format, t);
  if (w.full || !size) return 0;
  to[w.used] = 0;
  return w.used;
}

size_t strftime_l(char *restrict to, size_t size, const char *restrict format, const struct tm *restrict t, locale_t l) {
  return (void)l, strftime(to, size, format, t);
}

char *asctime_r(const struct tm *restrict t, char *restrict to) {
  struct writer w = {to, 0, 26, false};
  format_time(&w, "%a %b %e %H:%M:%S ", t);
  put_number(&w, &(struct field){0}, (int64_t)t->tm_year + 1900, 1, '0');
  put(&w, '\n');
  if (w.full) return HD_ERRNO = EOVERFLOW, NULL;
  to[w.used] = 0;
  return to;
}

static char shared_text[32];

char *asctime(const struct tm *t) { return asctime_r(t, shared_text); }

char *ctime_r(const time_t *time, char *to) {
  struct tm t;
  return localtime_r(time, &t) ? asctime_r(&t, to) : NULL;
}

char *ctime(const time_t *time) { return ctime_r(time, shared_text); }
