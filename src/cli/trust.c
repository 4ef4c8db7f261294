#include "cli/trust.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/schedule_file.h"

/* How a row of the table fits words. */
enum shape {
  EXACT,   /* the word itself */
  SWITCH,  /* "-fNAME" stands for -fno-NAME, too; "-mNAME" likewise */
  VALUE,   /* the word begins so; letters, digits and "+-_.=" follow: no comma, which hands words on to other programs, and no path */
  MACRO,   /* what is defined follows, or is the next word */
  FOLDER,  /* a file or folder follows, or is the next word */
  LANGUAGE /* a language follows, or is the next word */
};

static const struct {
  const char *flag;
  enum shape shape;
} harmless[] = {
    {"-D", MACRO},
    {"-U", MACRO},
    {"-I", FOLDER},
    {"-isystem", FOLDER},
    {"-include", FOLDER},
    {"-x", LANGUAGE},
    {"-std=", VALUE},
    {"-W", VALUE},
    {"-w", EXACT},
    {"-ansi", EXACT},
    {"-pedantic", EXACT},
    {"-pedantic-errors", EXACT},
    {"-pthread", EXACT},
    {"-O", EXACT},
    {"-O0", EXACT},
    {"-O1", EXACT},
    {"-O2", EXACT},
    {"-O3", EXACT},
    {"-Os", EXACT},
    {"-Oz", EXACT},
    {"-Og", EXACT},
    {"-Ofast", EXACT},
    {"-g", EXACT},
    {"-g0", EXACT},
    {"-g1", EXACT},
    {"-g2", EXACT},
    {"-g3", EXACT},
    {"-ggdb", EXACT},
    {"-gdwarf-4", EXACT},
    {"-gdwarf-5", EXACT},
    {"-gline-tables-only", EXACT},
    {"-fpic", SWITCH},
    {"-fPIC", SWITCH},
    {"-fpie", SWITCH},
    {"-fPIE", SWITCH},
    {"-fplt", SWITCH},
    {"-fsemantic-interposition", SWITCH},
    {"-fasynchronous-unwind-tables", SWITCH},
    {"-fomit-frame-pointer", SWITCH},
    {"-foptimize-sibling-calls", SWITCH},
    {"-finline", SWITCH},
    {"-finline-functions", SWITCH},
    {"-funroll-loops", SWITCH},
    {"-fvectorize", SWITCH},
    {"-fslp-vectorize", SWITCH},
    {"-ftree-vectorize", SWITCH},
    {"-fdata-sections", SWITCH},
    {"-ffunction-sections", SWITCH},
    {"-fmerge-all-constants", SWITCH},
    {"-fstack-protector", SWITCH},
    {"-fstack-protector-strong", SWITCH},
    {"-fstack-protector-all", SWITCH},
    {"-fstack-clash-protection", SWITCH},
    {"-fcommon", SWITCH},
    {"-fopenmp", SWITCH},
    {"-fopenmp-simd", SWITCH},
    {"-fopenmp-version=", VALUE},
    {"-fstrict-aliasing", SWITCH},
    {"-fstrict-overflow", SWITCH},
    {"-fstrict-enums", SWITCH},
    {"-fstrict-flex-arrays", SWITCH},
    {"-fstrict-return", SWITCH},
    {"-fdelete-null-pointer-checks", SWITCH},
    {"-fwrapv", SWITCH},
    {"-ftrapv", SWITCH},
    {"-ffast-math", SWITCH},
    {"-fmath-errno", SWITCH},
    {"-fsigned-zeros", SWITCH},
    {"-ffinite-math-only", SWITCH},
    {"-ftrapping-math", SWITCH},
    {"-frounding-math", SWITCH},
    {"-fassociative-math", SWITCH},
    {"-freciprocal-math", SWITCH},
    {"-funsafe-math-optimizations", SWITCH},
    {"-ffp-contract=", VALUE},
    {"-fsigned-char", SWITCH},
    {"-funsigned-char", SWITCH},
    {"-fshort-enums", SWITCH},
    {"-fshort-wchar", SWITCH},
    {"-fchar8_t", SWITCH},
    {"-fms-extensions", SWITCH},
    {"-fgnu-keywords", SWITCH},
    {"-fgnu89-inline", SWITCH},
    {"-fdollars-in-identifiers", SWITCH},
    {"-fblocks", SWITCH},
    {"-fpermissive", SWITCH},
    {"-fbuiltin", SWITCH},
    {"-ffreestanding", SWITCH},
    {"-fhosted", SWITCH},
    {"-fexceptions", SWITCH},
    {"-fcxx-exceptions", SWITCH},
    {"-frtti", SWITCH},
    {"-fthreadsafe-statics", SWITCH},
    {"-faligned-allocation", SWITCH},
    {"-fsized-deallocation", SWITCH},
    {"-fassume-sane-operator-new", SWITCH},
    {"-fcoroutines", SWITCH},
    {"-fconcepts", SWITCH},
    {"-felide-constructors", SWITCH},
    {"-fheddle-optimised", EXACT},
    {"-fvisibility=", VALUE},
    {"-fvisibility-inlines-hidden", SWITCH},
    {"-ftls-model=", VALUE},
    {"-ftemplate-depth=", VALUE},
    {"-fconstexpr-depth=", VALUE},
    {"-fconstexpr-steps=", VALUE},
    {"-fbracket-depth=", VALUE},
    {"-ferror-limit=", VALUE},
    {"-fdiagnostics-color", SWITCH},
    {"-march=", VALUE},
    {"-mtune=", VALUE},
    {"-mcmodel=", VALUE},
    {"-m64", EXACT},
    {"-mcx16", SWITCH},
    {"-mpopcnt", SWITCH},
    {"-mred-zone", SWITCH},
    {"-msse2", SWITCH},
    {"-msse3", SWITCH},
    {"-mssse3", SWITCH},
    {"-msse4.1", SWITCH},
    {"-msse4.2", SWITCH},
    {"-mavx", SWITCH},
    {"-mavx2", SWITCH},
    {"-mfma", SWITCH},
    {"-mbmi", SWITCH},
    {"-mbmi2", SWITCH},
    {"-mlzcnt", SWITCH},
};

/* The words of a file, one after the other, as the compiler will read them. */
struct reading {
  const struct schedule_file *file;
  size_t at;
  const char *folders[2]; /* resolved; NULL: there is none */
};

static const char *word(const struct reading *r, size_t i) {
  return i < r->file->flags.count ? schedule_string(r->file, r->file->flags.data[i]) : NULL;
}

static bool is_plain(const char *value) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.=";
  return value[strspn(value, plain)] == 0;
}

static bool is_switch(const char *flag, const char *w) {
  if (strcmp(flag, w) == 0) return true;
  return strncmp(w, flag, 2) == 0 && strncmp(w + 2, "no-", 3) == 0 && strcmp(w + 5, flag + 2) == 0;
}

static bool lies_below(const char *path, const char *folder) {
  size_t n = strlen(folder);
  if (n == 1) return true; /* "/": whoever works there has all files below it */
  return strncmp(path, folder, n) == 0 && (path[n] == 0 || path[n] == '/');
}

static bool climbs(const char *path) {
  for (const char *at = path; *at; at += strcspn(at, "/"), at += *at == '/')
    if (strncmp(at, "..", 2) == 0 && (at[2] == 0 || at[2] == '/')) return true;
  return false;
}

/* Below one of the folders, wherever links lead. What is not there cannot be read, but may come: then its name decides. */
static bool is_near(const struct reading *r, const char *path) {
  char resolved[PATH_MAX];
  if (!*path || strchr("-@=$", *path)) return false; /* other meanings for the compiler */
  bool there = realpath(path, resolved) != NULL;
  if (!there && (*path != '/' || climbs(path))) return *path != '/' && !climbs(path);
  for (size_t i = 0; i < sizeof r->folders / sizeof *r->folders; i++)
    if (r->folders[i] && lies_below(there ? resolved : path, r->folders[i])) return true;
  return false;
}

static bool fits(const struct reading *r, enum shape shape, const char *value) {
  if (shape == LANGUAGE) return strcmp(value, "c") == 0 || strcmp(value, "c++") == 0;
  if (shape == FOLDER) return is_near(r, value);
  return *value != '-' && *value != '@'; /* of a macro: words that are options could come to stand alone, "@FILE" is replaced first */
}

/* Does the word fit a row? Sets `*words`: how many of them it takes. */
static bool is_harmless(const struct reading *r, size_t *words) {
  const char *w = word(r, r->at), *next = word(r, r->at + 1);
  *words = 1;
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
    const char *flag = harmless[i].flag;
    enum shape shape = harmless[i].shape;
    size_t n = strlen(flag);
    if (shape == EXACT && strcmp(w, flag) == 0) return true;
    if (shape == SWITCH && is_switch(flag, w)) return true;
    if (shape == EXACT || shape == SWITCH || strncmp(w, flag, n) != 0) continue;
    if (shape == VALUE && is_plain(w + n)) return true;
    if (shape == VALUE) continue;
    *words = w[n] ? 1 : 2;
    if (w[n] ? shape == MACRO || fits(r, shape, w + n) : next && fits(r, shape, next)) return true;
  }
  return false;
}

static void demand(const char *key, const char *w, struct text *demands) {
  text_printf(demands, "%s%s %s", demands->count ? ", " : "", key, w);
}

static void find_folders(struct reading *r, const char *path, char current[PATH_MAX], char own[PATH_MAX]) {
  char resolved[PATH_MAX];
  r->folders[0] = realpath(".", current);
  if (!realpath(path, resolved)) return;
  char *slash = strrchr(resolved, '/');
  slash[slash == resolved] = 0;
  r->folders[1] = strcpy(own, resolved);
}

void trust_demands(const struct schedule_file *f, const char *path, struct text *demands) {
  char current[PATH_MAX], own[PATH_MAX];
  struct reading r = {.file = f};
  find_folders(&r, path, current, own);
  for (size_t words; r.at < f->flags.count; r.at += words) {
    if (is_harmless(&r, &words)) continue;
    words = 1;
    demand("flag", word(&r, r.at), demands);
  }
  for (size_t i = 0; i < f->allowed.count; i++) demand("allow", schedule_string(f, f->allowed.data[i]), demands);
}

bool trust_is_needed(const struct schedule_file *f, const char *path) {
  struct text demands = {0};
  trust_demands(f, path, &demands);
  bool needed = demands.count > 0;
  text_release(&demands);
  return needed;
}
