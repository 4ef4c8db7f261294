#include "cli/cc/cc_line.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "program/compile.h"

enum trait {
  ARGUMENT = 1,   /* alone, it takes the next word */
  JOINED = 2,     /* more may follow in the same word */
  NO_BITCODE = 4, /* means nothing, or harm, for bitcode: output files, linker, assembler, instrumentation, prefix maps of debug files */
  NO_NATIVE = 8,  /* not for clang */
  PASS = 16,      /* not a compilation to native code */
  APART = 32,     /* bitcode and native code come of different modules, so clang has to make two */
};

struct option {
  const char *name;
  unsigned traits;
};

/* What is not here is one word that bitcode and native code share. Longest match wins. */
static const struct option options[] = {
    {"-c", NO_BITCODE},
    {"-o", ARGUMENT | JOINED | NO_BITCODE},
    {"--output", ARGUMENT | NO_BITCODE},
    {"--output=", JOINED | NO_BITCODE},
    {"-x", ARGUMENT | JOINED | NO_BITCODE},
    {"--language", ARGUMENT | NO_BITCODE},
    {"--language=", JOINED | NO_BITCODE},
    /* other products than native code */
    {"-E", PASS},
    {"-S", PASS},
    {"-M", PASS},
    {"-MM", PASS},
    {"--preprocess", PASS},
    {"--assemble", PASS},
    {"-fsyntax-only", PASS},
    {"-emit-llvm", PASS},
    {"-emit-ast", PASS},
    {"-emit-interface-stubs", PASS},
    {"-extract-api", PASS},
    {"--analyze", PASS},
    {"--precompile", PASS},
    {"-rewrite-objc", PASS},
    {"-verify-pch", PASS},
    {"-###", PASS},
    {"-cc1", JOINED | PASS},
    {"--version", PASS},
    {"-help", PASS},
    {"--help", JOINED | PASS},
    {"--target-help", PASS},
    {"--autocomplete=", JOINED | PASS},
    {"-print-", JOINED | PASS},
    {"--print-", JOINED | PASS},
    {"-ccc-print-", JOINED | PASS},
    {"-dumpmachine", PASS},
    {"-dumpversion", PASS},
    {"--driver-mode=", JOINED | PASS},
    /* files written beside the object */
    {"-MD", NO_BITCODE},
    {"-MMD", NO_BITCODE},
    {"-MP", NO_BITCODE},
    {"-MG", NO_BITCODE},
    {"-MV", NO_BITCODE},
    {"-MF", ARGUMENT | JOINED | NO_BITCODE},
    {"-MT", ARGUMENT | JOINED | NO_BITCODE},
    {"-MQ", ARGUMENT | JOINED | NO_BITCODE},
    {"-MJ", ARGUMENT | JOINED | NO_BITCODE},
    {"-dependency-file", ARGUMENT | NO_BITCODE},
    {"-dependency-dot", ARGUMENT | NO_BITCODE},
    {"-module-dependency-dir", ARGUMENT | NO_BITCODE},
    {"-save-temps", JOINED | NO_BITCODE | APART},
    {"--save-temps", JOINED | NO_BITCODE | APART},
    {"-ftime-trace", JOINED | NO_BITCODE},
    {"-ftime-report", JOINED | NO_BITCODE},
    {"-fproc-stat-report", JOINED | NO_BITCODE},
    {"-fsave-optimization-record", JOINED | NO_BITCODE},
    {"-foptimization-record-", JOINED | NO_BITCODE},
    {"-serialize-diagnostics", ARGUMENT | NO_BITCODE},
    {"--serialize-diagnostics", ARGUMENT | NO_BITCODE},
    {"-gen-cdb-fragment-path", ARGUMENT | NO_BITCODE},
    {"-gsplit-dwarf", JOINED | NO_BITCODE | APART},
    {"-dumpdir", ARGUMENT | NO_BITCODE},
    {"-H", NO_BITCODE},
    {"-v", NO_BITCODE},
    {"--verbose", NO_BITCODE},
    {"-Rpass", JOINED | NO_BITCODE},
    /* assembler and linker */
    {"-Wa,", JOINED | NO_BITCODE},
    {"-Xassembler", ARGUMENT | NO_BITCODE},
    {"-Wl,", JOINED | NO_BITCODE},
    {"-Xlinker", ARGUMENT | NO_BITCODE},
    {"-Xoffload-linker", ARGUMENT | JOINED | NO_BITCODE},
    {"-l", ARGUMENT | JOINED | NO_BITCODE},
    {"-L", ARGUMENT | JOINED | NO_BITCODE},
    {"-T", ARGUMENT | JOINED | NO_BITCODE},
    {"-u", ARGUMENT | JOINED | NO_BITCODE},
    {"-undef", 0},
    {"-undefined", ARGUMENT | NO_BITCODE},
    {"-e", ARGUMENT | JOINED | NO_BITCODE},
    {"-z", ARGUMENT | JOINED | NO_BITCODE},
    {"-rpath", ARGUMENT | JOINED | NO_BITCODE},
    {"-r", NO_BITCODE},
    {"-rdynamic", NO_BITCODE},
    {"-s", NO_BITCODE},
    {"-t", NO_BITCODE},
    {"-fuse-ld=", JOINED | NO_BITCODE},
    {"-static-libsan", NO_BITCODE},
    {"-static-libtsan", NO_BITCODE},
    /* instrumentation of the native program, and link-time optimisation (its objects would be bitcode without native code) */
    {"--coverage", NO_BITCODE | APART},
    {"-coverage", NO_BITCODE | APART},
    {"-fprofile-", JOINED | NO_BITCODE | APART},
    {"-fcs-profile-generate", JOINED | NO_BITCODE | APART},
    {"-ftest-coverage", NO_BITCODE | APART},
    {"-fcoverage-mapping", NO_BITCODE | APART},
    {"-pg", NO_BITCODE | APART},
    {"-finstrument-function", JOINED | NO_BITCODE | APART},
    {"-fxray-", JOINED | NO_BITCODE | APART},
    {"-fsanitize", JOINED | NO_BITCODE | APART},
    {"-fembed-bitcode", JOINED | NO_BITCODE | APART},
    {"-flto", JOINED | NO_BITCODE | NO_NATIVE},
    {"-ffat-lto-objects", NO_BITCODE | NO_NATIVE},
    {"-fwhole-program-vtables", NO_BITCODE | NO_NATIVE},
    {"-fvirtual-function-elimination", NO_BITCODE | NO_NATIVE},
    {"-fsplit-lto-unit", NO_BITCODE | NO_NATIVE},
    {"-fheddle-optimised", NO_BITCODE | APART | NO_NATIVE},
    {"-fheddle=run", NO_BITCODE | NO_NATIVE},
    {"-fheddle-spec=", JOINED | NO_BITCODE | NO_NATIVE},
    /* sources are looked for where they are */
    {"-fdebug-prefix-map=", JOINED | NO_BITCODE | APART},
    {"-ffile-prefix-map=", JOINED | NO_BITCODE | APART},
    {"-fdebug-compilation-dir", ARGUMENT | NO_BITCODE | APART},
    {"-fdebug-compilation-dir=", JOINED | NO_BITCODE | APART},
    /* the rest that takes a word */
    {"-A", ARGUMENT | JOINED},
    {"-B", ARGUMENT | JOINED},
    {"-D", ARGUMENT | JOINED},
    {"-F", ARGUMENT | JOINED},
    {"-G", ARGUMENT | JOINED},
    {"-I", ARGUMENT | JOINED},
    {"-U", ARGUMENT | JOINED},
    {"-b", ARGUMENT | JOINED},
    {"--config", ARGUMENT},
    {"--define-macro", ARGUMENT},
    {"--imacros", ARGUMENT},
    {"--include", ARGUMENT},
    {"--include-directory", ARGUMENT},
    {"--param", ARGUMENT},
    {"--specs", ARGUMENT},
    {"--sysroot", ARGUMENT},
    {"--vfsoverlay", ARGUMENT},
    {"-Xanalyzer", ARGUMENT},
    {"-Xarch_", JOINED | ARGUMENT},
    {"-Xclang", ARGUMENT},
    {"-Xopenmp-target", ARGUMENT | JOINED},
    {"-Xpreprocessor", ARGUMENT},
    {"-arch", ARGUMENT},
    {"-ccc-gcc-name", ARGUMENT},
    {"-ccc-install-dir", ARGUMENT},
    {"-cxx-isystem", ARGUMENT | JOINED},
    {"-fmodules-user-build-path", ARGUMENT},
    {"-ftrapv-handler", ARGUMENT},
    {"-ftrapv-handler=", JOINED},
    {"-idirafter", ARGUMENT | JOINED},
    {"-imacros", ARGUMENT | JOINED},
    {"-imultilib", ARGUMENT},
    {"-include", ARGUMENT | JOINED},
    {"-include-pch", ARGUMENT},
    {"-iprefix", ARGUMENT | JOINED},
    {"-iquote", ARGUMENT | JOINED},
    {"-isysroot", ARGUMENT | JOINED},
    {"-isystem", ARGUMENT | JOINED},
    {"-isystem-after", ARGUMENT | JOINED},
    {"-ivfsoverlay", ARGUMENT | JOINED},
    {"-iwithprefix", ARGUMENT | JOINED},
    {"-iwithprefixbefore", ARGUMENT | JOINED},
    {"-iwithsysroot", ARGUMENT | JOINED},
    {"-meabi", ARGUMENT},
    {"-mllvm", ARGUMENT},
    {"-mthread-model", ARGUMENT},
    {"-resource-dir", ARGUMENT},
    {"-specs", ARGUMENT},
    {"-stdlib++-isystem", ARGUMENT | JOINED},
    {"-target", ARGUMENT},
    {"-vfsoverlay", ARGUMENT},
    {"-working-directory", ARGUMENT},
};

static const struct option *find_option(const char *word) {
  const struct option *best = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    size_t n = strlen(options[i].name);
    if (n < longest || strncmp(word, options[i].name, n) != 0) continue;
    if (word[n] == 0 || (options[i].traits & JOINED)) best = &options[i], longest = n;
  }
  return best;
}

/* One word of a response file, as clang reads them: quotes of both kinds, backslash before any character. */
static const char *response_word(const char *p, struct text *word) {
  char quote = 0;
  for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
    if (*p == '\\' && p[1] && quote != '\'')
      text_putc(word, *++p);
    else if (quote ? *p == quote : (*p == '"' || *p == '\''))
      quote = quote ? 0 : *p;
    else
      text_putc(word, *p);
  }
  return p;
}

/* Appends the word; of "@file" what is in the file, if there is such a file. */
static enum err add_word(struct args *words, const char *word, int depth, struct diag *d) {
  enum { MAX_DEPTH = 20 };
  struct text content = {0}, item = {0};
  enum err e = ERR_NONE;
  if (*word != '@' || file_read(word + 1, FILE_INPUT, &content, d) != ERR_NONE) {
    args_add(words, word);
    return ERR_NONE;
  }
  if (depth == MAX_DEPTH) e = diag_set(d, ERR_FILE, "%s includes itself", word);
  for (const char *p = text_str(&content); e == ERR_NONE;) {
    while (isspace((unsigned char)*p)) p++;
    if (!*p) break;
    text_clear(&item);
    p = response_word(p, &item);
    e = add_word(words, text_str(&item), depth + 1, d);
  }
  text_release(&content);
  text_release(&item);
  return e;
}

static enum cc_input_kind kind_by_name(const char *path, bool *pass) {
  static const char *const sources[] = {".c", ".i",  ".cc",  ".cp",  ".cxx", ".cpp", ".CPP", ".c++",
                                        ".C", ".CC", ".CXX", ".C++", ".ii",  ".bc",  ".ll"};
  static const char *const assembler[] = {".s", ".S", ".sx", ".asm"};
  static const char *const other[] = {".h",  ".H",  ".hh",  ".hpp", ".hxx", ".h++", ".m",    ".mm",   ".mi",   ".mii",
                                      ".cu", ".cl", ".rs",  ".pcm", ".ast", ".pch", ".cppm", ".ccm",  ".cxxm", ".c++m",
                                      ".f",  ".F",  ".f90", ".F90", ".hip", ".iim", ".hlsl", ".clcpp"};
  const char *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) return CC_LINKER;
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    if (strcmp(dot, sources[i]) == 0) return CC_SOURCE;
  for (size_t i = 0; i < sizeof assembler / sizeof *assembler; i++)
    if (strcmp(dot, assembler[i]) == 0) return CC_ASSEMBLER;
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (strcmp(dot, other[i]) == 0) *pass = true;
  return CC_LINKER;
}

static enum cc_input_kind kind_by_language(const char *language, bool *pass) {
  static const char *const sources[] = {"c", "c++", "cpp-output", "c++-cpp-output", "ir"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    if (strcmp(language, sources[i]) == 0) return CC_SOURCE;
  if (strncmp(language, "assembler", strlen("assembler")) == 0) return CC_ASSEMBLER;
  *pass = true; /* headers to precompile, Objective-C, CUDA ... */
  return CC_LINKER;
}

static void add_input(struct cc_line *line, const char *path, const char *language) {
  bool pass = false;
  enum cc_input_kind kind = language ? kind_by_language(language, &pass) : kind_by_name(path, &pass);
  if (strcmp(path, "-") == 0) {
    line->reads_stdin = true;
    if (!language) pass = true; /* clang: an error, or -E */
  }
  if (pass) line->mode = CC_PASS;
  *vec_push(&line->inputs) = (struct cc_input){kind, path, language};
}

/* -Wp,A,B is the options A and B: only those that name dependency files are left out. */
static void add_preprocessor_list(struct args *common, const char *list) {
  struct text kept = {0};
  bool skip_file = false;
  for (size_t n; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    bool dependency = strncmp(list, "-M", 2) == 0;
    if (!dependency && !skip_file) {
      text_putc(&kept, ',');
      text_append(&kept, list, n);
    }
    skip_file = dependency && n > 2 && (list[2] == 'D' || list[2] == 'M' || list[2] == 'F' || list[2] == 'T' || list[2] == 'Q');
  }
  if (kept.count) args_addf(common, "-Wp%s", text_str(&kept));
  text_release(&kept);
}

static void add_to_bitcode(struct cc_line *line, const char *word, const char *argument, unsigned traits) {
  static const char file_map[] = "-ffile-prefix-map=";
  if (strncmp(word, file_map, strlen(file_map)) == 0) args_addf(&line->common, "-fmacro-prefix-map=%s", word + strlen(file_map));
  if (strncmp(word, "-Wp,", 4) == 0)
    add_preprocessor_list(&line->common, word + 4);
  else if (!(traits & NO_BITCODE)) {
    args_add(&line->common, word);
    if (argument) args_add(&line->common, argument);
  }
  if (strstr(word, "pch") || (argument && strstr(argument, "pch"))) line->uses_pch = true;
}

/* True if it is such an option: nothing else is to be done with it. */
static bool read_sanitizers(struct cc_line *line, const char *word) {
  static const char *const lists[] = {"-fsanitize-ignorelist=", "-fsanitize-blacklist="};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) { /* clang asks for -fsanitize= with it, which it is not told itself */
    if (strncmp(word, lists[i], strlen(lists[i])) != 0) continue;
    args_add(&line->native, "-Xclang"), args_addf(&line->native, "%s%s", lists[0], word + strlen(lists[i]));
    return true;
  }
  struct text rest = {0};
  bool is_one = sanitizers_read(&line->sanitizers, word, &rest);
  if (rest.count) args_add(&line->native, text_str(&rest));
  text_release(&rest);
  return is_one;
}

/* What cc_line_shares_module() asks. Bitcode is made without fortified functions (cc_line_bitcode()), and with debug information. */
static void note_modules(struct cc_line *line, const char *word, const char *argument, unsigned traits) {
  if ((traits & APART) || strstr(word, "_FORTIFY_SOURCE") || (argument && strstr(argument, "_FORTIFY_SOURCE"))) line->apart = true;
  if (strncmp(word, "-g", 2) == 0 && strncmp(word, "-gz", 3) != 0) line->described = true;
}

/* What is meant by it. LLVM's large model jumps through a register that functions keep, if one that keeps most of them ends in a call of
 * another (runtime/inline.c): the medium one sets the same bounds, but for code, of which 2 GB are to be had. */
static const char *meant(const struct cc_line *line, const char *word) {
  return line->watched && strcmp(word, "-mcmodel=large") == 0 ? "-mcmodel=medium" : word;
}

/* One option and its argument, if it takes one. Returns the index of its last word. */
static size_t read_option(struct cc_line *line, size_t i, const char **language) {
  char **words = line->words.list.data;
  const char *word = meant(line, words[i]);
  const struct option *o = find_option(word);
  unsigned traits = o ? o->traits : 0;
  bool exact = o && word[strlen(o->name)] == 0;
  bool separate = (traits & ARGUMENT) && (exact || strcmp(o->name, "-Xarch_") == 0) && i + 1 < line->words.list.count;
  const char *argument = separate ? words[i + 1] : NULL, *value = argument ? argument : o ? word + strlen(o->name) : "";
  if (traits & PASS) line->mode = CC_PASS;
  note_modules(line, word, argument, traits);
  if (o && strcmp(o->name, "-c") == 0 && line->mode == CC_LINK) line->mode = CC_OBJECT;
  if (o && (strcmp(o->name, "-o") == 0 || strncmp(o->name, "--output", 8) == 0)) line->output = value;
  if (o && (strcmp(o->name, "-x") == 0 || strncmp(o->name, "--language", 10) == 0)) *language = strcmp(value, "none") ? value : NULL;
  if (strcmp(word, "-fheddle-optimised") == 0) line->optimised = true;
  if (o && strcmp(o->name, "-fheddle-spec=") == 0) args_add(&line->specs, value);
  if (line->watched && read_sanitizers(line, word)) return i;
  if (strcmp(word, "-l") == 0 || strncmp(word, "-l", 2) == 0) *vec_push(&line->inputs) = (struct cc_input){CC_LINKER, word, NULL};
  if (!(link_kind_read(&line->kind, word) && line->watched) && !(traits & NO_NATIVE)) {
    args_add(&line->native, word);
    if (argument) args_add(&line->native, argument);
  }
  add_to_bitcode(line, word, argument, traits);
  return separate ? i + 1 : i;
}

enum err cc_line_read(struct cc_line *line, int argc, char **argv, struct diag *d) {
  const char *language = NULL;
  bool only_inputs = false;
  line->mode = CC_LINK;
  for (int i = 0; i < argc; i++) {
    enum err e = add_word(&line->words, argv[i], 0, d);
    if (e != ERR_NONE) return e;
  }
  for (size_t i = 0; i < line->words.list.count; i++) line->watched |= strcmp(line->words.list.data[i], "-fheddle=run") == 0;
  for (size_t i = 0; i < line->words.list.count; i++) {
    const char *word = line->words.list.data[i];
    if (!only_inputs && word[0] == '-' && word[1] && strcmp(word, "--") != 0) {
      i = read_option(line, i, &language);
      continue;
    }
    args_add(&line->native, word);
    if (!only_inputs && strcmp(word, "--") == 0)
      only_inputs = true;
    else
      add_input(line, word, language);
  }
  if (line->inputs.count == 0 || (line->output && strcmp(line->output, "-") == 0)) line->mode = CC_PASS;
  return ERR_NONE;
}

void cc_line_release(struct cc_line *line) {
  args_release(&line->words);
  args_release(&line->native);
  args_release(&line->common);
  args_release(&line->specs);
  vec_release(&line->inputs);
}

bool cc_line_has_openmp(const struct cc_line *line) {
  return compile_has_openmp((const char *const *)line->common.list.data, line->common.list.count);
}

void cc_line_add_folder(struct cc_line *line, const char *folder) {
  struct args *const lists[] = {&line->common, &line->native};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) args_add(lists[i], "-idirafter"), args_add(lists[i], folder);
}

static bool is_module(const struct cc_input *input) {
  const char *dot = strrchr(input->path, '.');
  if (input->language) return strcmp(input->language, "ir") == 0;
  return dot && (strcmp(dot, ".bc") == 0 || strcmp(dot, ".ll") == 0);
}

bool cc_line_shares_module(const struct cc_line *line) {
  size_t sources = 0;
  for (size_t i = 0; i < line->inputs.count; i++) {
    const struct cc_input *input = &line->inputs.data[i];
    if (input->kind == CC_SOURCE && is_module(input)) return false;
    sources += input->kind == CC_SOURCE;
  }
  return line->watched && sources == 1 && line->described && !line->apart && !line->uses_pch && !cc_line_has_openmp(line);
}

void cc_line_bitcode(const struct cc_line *line, const struct cc_input *input, const char *compiler, struct args *out) {
  /* The program's own accesses are wanted: what the front end makes of the user's -O, before any pass. Fortified functions are another
   * library's business, and what is only a warning was said by the native compilation. */
  static const char *const fixed[] = {"-g",
                                      "-fstandalone-debug", /* as compile.c */
                                      "-fno-lto",
                                      "-w",
                                      "-Qunused-arguments",
                                      "-Wno-error",
                                      "-fno-crash-diagnostics",
                                      "-Xclang",
                                      "-disable-O0-optnone",
                                      "-U_FORTIFY_SOURCE",
                                      "-emit-llvm",
                                      "-c",
                                      "-o",
                                      "-"};
  args_add(out, compiler);
  args_append(out, &line->common);
  if (!line->optimised) args_add(out, "-Xclang"), args_add(out, "-disable-llvm-passes");
  if (cc_line_has_openmp(line)) args_add(out, COMPILE_OPENMP_PRIVATE);
  if (line->uses_pch) args_add(out, "-Xclang"), args_add(out, "-fno-validate-pch");
  args_append_argv(out, sizeof fixed / sizeof *fixed, fixed);
  if (input->language) args_add(out, "-x"), args_add(out, input->language);
  if (input->path[0] == '-' && input->path[1]) args_add(out, "--");
  args_add(out, input->path);
}

void cc_line_object(const struct cc_line *line, const struct cc_input *input, struct text *path) {
  if (line->output) {
    text_puts(path, line->output);
    return;
  }
  const char *slash = strrchr(input->path, '/'), *base = slash ? slash + 1 : input->path, *dot = strrchr(base, '.');
  text_append(path, base, dot ? (size_t)(dot - base) : strlen(base));
  text_puts(path, ".o");
}

const char *cc_line_program(const struct cc_line *line) { return line->output ? line->output : "a.out"; }
