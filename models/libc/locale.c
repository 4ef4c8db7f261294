/* <locale.h>: the C locale, and C.UTF-8, which differs in its multibyte characters alone. */
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <nl_types.h>
#include <stdlib.h>

#include "internal.h"

extern struct __locale_struct __hd_locale;
bool __hd_utf8; /* set by setlocale(), which as in C races with what depends on the locale */

static bool ends_in_utf8(const char *name) {
  for (; *name; name++)
    if (*name == '.' && (!hd_strcmp(name, ".UTF-8") || !hd_strcmp(name, ".utf8"))) return true;
  return false;
}

static const char *from_environment(void) {
  extern char *getenv(const char *name);
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (int i = 0; i < 3; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) return value;
  }
  return "C";
}

char *setlocale(int category, const char *name) {
  static char utf8_name[] = "C.UTF-8", plain_name[] = "C";
  if (category < 0 || category > LC_IDENTIFICATION) return HD_ERRNO = EINVAL, NULL;
  bool encodes = category == LC_ALL || category == LC_CTYPE;
  if (!name) return encodes && __hd_utf8 ? utf8_name : plain_name;
  if (!*name) name = from_environment();
  bool utf8 = ends_in_utf8(name);
  if (!utf8 && hd_strcmp(name, "C") && hd_strcmp(name, "POSIX")) return NULL;
  if (encodes && __hd_utf8 != utf8) __hd_utf8 = utf8;
  return utf8 ? utf8_name : plain_name;
}

struct lconv *localeconv(void) {
  static char empty[] = "", point[] = ".";
  static struct lconv conventions = {.decimal_point = point,
                                     .thousands_sep = empty,
                                     .grouping = empty,
                                     .int_curr_symbol = empty,
                                     .currency_symbol = empty,
                                     .mon_decimal_point = empty,
                                     .mon_thousands_sep = empty,
                                     .mon_grouping = empty,
                                     .positive_sign = empty,
                                     .negative_sign = empty,
                                     .int_frac_digits = CHAR_MAX,
                                     .frac_digits = CHAR_MAX,
                                     .p_cs_precedes = CHAR_MAX,
                                     .p_sep_by_space = CHAR_MAX,
                                     .n_cs_precedes = CHAR_MAX,
                                     .n_sep_by_space = CHAR_MAX,
                                     .p_sign_posn = CHAR_MAX,
                                     .n_sign_posn = CHAR_MAX,
                                     .int_p_cs_precedes = CHAR_MAX,
                                     .int_p_sep_by_space = CHAR_MAX,
                                     .int_n_cs_precedes = CHAR_MAX,
                                     .int_n_sep_by_space = CHAR_MAX,
                                     .int_p_sign_posn = CHAR_MAX,
                                     .int_n_sign_posn = CHAR_MAX};
  HD_SHARED_RESULT(localeconv);
  return &conventions;
}

static bool known(const char *name) { return !*name || !hd_strcmp(name, "C") || !hd_strcmp(name, "POSIX") || ends_in_utf8(name); }

locale_t newlocale(int mask, const char *name, locale_t base) {
  (void)mask, (void)base;
  if (known(name)) return &__hd_locale;
  HD_ERRNO = ENOENT;
  return NULL;
}

locale_t __newlocale(int mask, const char *name, locale_t base);
locale_t __newlocale(int mask, const char *name, locale_t base) { return newlocale(mask, name, base); }
locale_t duplocale(locale_t l) { return l; }
locale_t __duplocale(locale_t l);
locale_t __duplocale(locale_t l) { return l; }
void freelocale(locale_t l) { (void)l; }
void __freelocale(locale_t l);
void __freelocale(locale_t l) { (void)l; }
locale_t uselocale(locale_t l) { return (void)l, LC_GLOBAL_LOCALE; }
locale_t __uselocale(locale_t l);
locale_t __uselocale(locale_t l) { return (void)l, LC_GLOBAL_LOCALE; }

/* Of the category LC_TIME, from ABDAY_1 on: names of days and months, short and long, then formats. */
static const char *const times[] = {
    "Sun",   "Mon",       "Tue",     "Wed",      "Thu",      "Fri", "Sat", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday",
    "Friday", "Saturday",  "Jan",     "Feb",      "Mar",      "Apr", "May", "Jun",    "Jul",    "Aug",     "Sep",       "Oct",
    "Nov",   "Dec",       "January", "February", "March",    "April", "May", "June",  "July",   "August",  "September", "October",
    "November", "December", "AM",    "PM",       "%a %b %e %H:%M:%S %Y", "%m/%d/%y", "%H:%M:%S", "%I:%M:%S %p"};
_Static_assert(DAY_1 == ABDAY_1 + 7 && ABMON_1 == DAY_1 + 7 && MON_1 == ABMON_1 + 12 && AM_STR == MON_1 + 12, "the table's order");
_Static_assert(D_T_FMT == AM_STR + 2 && T_FMT_AMPM == ABDAY_1 + sizeof times / sizeof *times - 1, "the table's order");

char *nl_langinfo(nl_item item) {
  if (item >= ABDAY_1 && item <= T_FMT_AMPM) return (char *)times[item - ABDAY_1];
  switch (item) {
    case CODESET:
      return (char *)(__hd_utf8 ? "UTF-8" : "ANSI_X3.4-1968");
    case RADIXCHAR:
      return (char *)".";
    case CRNCYSTR:
      return (char *)"-";
    case YESEXPR:
      return (char *)"^[yY]";
    case NOEXPR:
      return (char *)"^[nN]";
    default:
      return (char *)"";
  }
}

char *nl_langinfo_l(nl_item item, locale_t l) { return (void)l, nl_langinfo(item); }
size_t __ctype_get_mb_cur_max(void) { return __hd_utf8 ? 6 : 1; }

/* Messages are not translated. */
char *gettext(const char *text);
char *gettext(const char *text) { return (char *)text; }
char *dgettext(const char *domain, const char *text);
char *dgettext(const char *domain, const char *text) { return (void)domain, (char *)text; }
char *dcgettext(const char *domain, const char *text, int category);
char *dcgettext(const char *domain, const char *text, int category) { return (void)domain, (void)category, (char *)text; }
char *ngettext(const char *one, const char *many, unsigned long n);
char *ngettext(const char *one, const char *many, unsigned long n) { return (char *)(n == 1 ? one : many); }
char *textdomain(const char *domain);
char *textdomain(const char *domain) { return (char *)(domain ? domain : "messages"); }
char *bindtextdomain(const char *domain, const char *folder);
char *bindtextdomain(const char *domain, const char *folder) { return (void)domain, (char *)folder; }
char *bind_textdomain_codeset(const char *domain, const char *codeset);
char *bind_textdomain_codeset(const char *domain, const char *codeset) { return (void)domain, (char *)codeset; }
