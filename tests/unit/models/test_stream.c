/* scanf, streams and files: every program text here runs on the model and on the C library, and must see the same. */
#include "models.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

int m_sscanf(const char *text, const char *format, ...);
int m_fscanf(FILE *f, const char *format, ...);
MODEL(fopen);
MODEL(fclose);
MODEL(fgetc);
MODEL(ungetc);
MODEL(fputc);
MODEL(fputs);
MODEL(fgets);
MODEL(fread);
MODEL(fwrite);
MODEL(fseek);
MODEL(ftell);
MODEL(feof);
MODEL(ferror);
MODEL(rewind);
MODEL(getline);
MODEL(fprintf);
MODEL(remove);
MODEL(rename);
MODEL(tmpfile);
MODEL(fmemopen);
MODEL(open_memstream);
MODEL(fflush);
MODEL(fileno);
MODEL(pipe);
MODEL(read);
MODEL(write);
MODEL(close);
MODEL(lseek);
MODEL(dup2);
MODEL(dup);
MODEL(fstat);
MODEL(stat);
MODEL(access);
int m_open(const char *path, int flags, ...);
extern FILE *m_stdout, *m_stdin;

enum { ROUNDS = 40000 };

static void integers_scan_alike(void **state) {
  (void)state;
  static const char *const formats[] = {"%d%n",  "%i%n",  "%u%n",   "%x%n",  "%o%n",  "%3d%n",
                                        "%2i%n", "%4x%n", " %d %n", "%*d%n", "%1d%n", "%5i%n"};
  for (int i = 0; i < ROUNDS; i++) {
    char text[16];
    unsigned n = below(9);
    for (unsigned k = 0; k < n; k++) text[k] = "0012789xXaf -+."[below(15)];
    text[n] = 0;
    const char *format = formats[below(sizeof formats / sizeof *formats)];
    int a = -77, b = -77, p = -1, q = -1;
    int x = m_sscanf(text, format, &a, &p), y = sscanf(text, format, &b, &q);
    if (x != y || a != b || p != q) fail_msg("sscanf(\"%s\", \"%s\"): %d (%d, %d), expected %d (%d, %d)", text, format, x, a, p, y, b, q);
  }
}

static void floating_point_scans_alike(void **state) {
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    char text[16];
    unsigned n = below(9);
    for (unsigned k = 0; k < n; k++) text[k] = "0127.e-+ "[below(9)];
    text[n] = 0;
    const char *format = below(3) ? "%lf%n" : "%4lf%n";
    double a = -77, b = -77;
    int p = -1, q = -1, x = m_sscanf(text, format, &a, &p), y = sscanf(text, format, &b, &q);
    if (x != y || a != b || p != q) fail_msg("sscanf(\"%s\", \"%s\"): %d (%g, %d), expected %d (%g, %d)", text, format, x, a, p, y, b, q);
  }
}

static void text_scans_alike(void **state) {
  (void)state;
  static const char *const formats[] = {"%s%n",  "%3s%n", "%[ab]%n", "%[^,]%n",  "%[]a]%n", "%[^]a]%n", "%[a-c]%n", "%c%n",
                                        " %c%n", "%2c%n", "a%s%n",   "%*s %s%n", "%[-a]%n", "%%%s%n",   "ab %s%n",  "%*[ab]%s%n"};
  for (int i = 0; i < ROUNDS; i++) {
    char text[16], a[32] = "", b[32] = "";
    unsigned n = below(9);
    for (unsigned k = 0; k < n; k++) text[k] = "abc,] %-"[below(8)];
    text[n] = 0;
    const char *format = formats[below(sizeof formats / sizeof *formats)];
    int p = -1, q = -1, x = m_sscanf(text, format, a, &p), y = sscanf(text, format, b, &q);
    if (x != y || (strncmp(format, "%2c", 3) && memcmp(a, b, sizeof a)) || p != q)
      fail_msg("sscanf(\"%s\", \"%s\"): %d (\"%s\", %d), expected %d (\"%s\", %d)", text, format, x, a, p, y, b, q);
  }
}

static void several_conversions_scan(void **state) {
  (void)state;
  char name[16], *allocated;
  int a, b;
  long c;
  float f;
  assert_int_equal(m_sscanf("point 3, -4 : 5000000000 2.5e1", "%15s %d , %d :%ld%f", name, &a, &b, &c, &f), 5);
  assert_string_equal(name, "point");
  assert_int_equal(a, 3);
  assert_int_equal(b, -4);
  assert_int_equal(c, 5000000000);
  assert_true(f == 25.0f);
  assert_int_equal(m_sscanf("1 2", "%2$d %1$d", &a, &b), 2);
  assert_int_equal(a, 2);
  assert_int_equal(b, 1);
  assert_int_equal(m_sscanf("  a-word-that-is-longer-than-thirty-two-bytes x", "%ms", &allocated), 1);
  assert_string_equal(allocated, "a-word-that-is-longer-than-thirty-two-bytes");
  free(allocated);
  assert_int_equal(m_sscanf("", "%d", &a), EOF);
  assert_int_equal(m_sscanf("x", "%d", &a), 0);
}

/* A random program over a file, on both libraries. */
static void files_behave_alike(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    static const char *const modes[] = {"w+", "r+", "a+", "w+", "r"};
    const char *mode = modes[below(5)];
    FILE *m = m_fopen("file.txt", "w"), *t = tmpfile();
    assert_non_null(m);
    m_fputs("first line\nsecond line\n", m);
    m_fclose(m);
    char path[64];
    sprintf(path, "/proc/self/fd/%d", fileno(t));
    fputs("first line\nsecond line\n", t);
    fflush(t);
    FILE *mine = m_fopen("./file.txt", mode), *theirs = fopen(path, mode);
    assert_non_null(mine);
    assert_non_null(theirs);
    for (int step = 0; step < 40; step++) {
      char a[16] = "", b[16] = "";
      switch (below(9)) {
        case 0:
          assert_int_equal(m_fgetc(mine), fgetc(theirs));
          break;
        case 1: {
          long at = (long)below(30);
          assert_int_equal(m_fseek(mine, at, SEEK_SET), fseek(theirs, at, SEEK_SET));
          break;
        }
        case 2: {
          m_fseek(mine, 0, SEEK_CUR), fseek(theirs, 0, SEEK_CUR); /* C asks for it between reading and writing */
          int x = m_fputs("out", mine), y = fputs("out", theirs);
          assert_int_equal(x < 0, y < 0);
          m_fseek(mine, 0, SEEK_CUR), fseek(theirs, 0, SEEK_CUR);
          break;
        }
        case 3: {
          const char *x = m_fgets(a, 8, mine), *y = fgets(b, 8, theirs);
          assert_int_equal(x != NULL, y != NULL);
          assert_string_equal(a, b);
          break;
        }
        case 4:
          assert_int_equal(m_fread(a, 3, 4, mine), fread(b, 3, 4, theirs));
          assert_memory_equal(a, b, 12);
          break;
        case 5:
          assert_int_equal(m_ftell(mine), ftell(theirs));
          break;
        case 6:
          assert_int_equal(m_feof(mine), feof(theirs));
          break;
        case 7:
          m_fseek(mine, -2, SEEK_END), fseek(theirs, -2, SEEK_END);
          break;
        case 8: {
          int x = m_fgetc(mine), y = fgetc(theirs);
          assert_int_equal(x, y);
          if (x != EOF) {
            assert_int_equal(m_ungetc(x, mine), ungetc(y, theirs));
            assert_int_equal(m_fgetc(mine), fgetc(theirs));
          }
          break;
        }
      }
    }
    m_rewind(mine), rewind(theirs);
    char a[512] = "", b[512] = "";
    assert_int_equal(m_fread(a, 1, 511, mine), fread(b, 1, 511, theirs));
    assert_string_equal(a, b);
    m_fclose(mine), fclose(theirs), fclose(t);
    assert_int_equal(m_remove("file.txt"), 0);
  }
}

static void host_files_are_copied_when_written(void **state) {
  (void)state;
  shim.files[1] = (struct shim_file){"data/input", "one\ntwo\n", 8};
  FILE *f = m_fopen("data/input", "r");
  char *line = NULL;
  size_t size = 0;
  assert_int_equal(m_getline(&line, &size, f), 4);
  assert_string_equal(line, "one\n");
  m_fclose(f);
  f = m_fopen("data/input", "a");
  assert_int_equal(m_fprintf(f, "three %d\n", 3), 8);
  m_fclose(f);
  f = m_fopen("./data//input", "r");
  int lines = 0;
  while (m_getline(&line, &size, f) > 0) lines++;
  assert_int_equal(lines, 3);
  assert_string_equal(line, "three 3\n");
  m_fclose(f);
  free(line);
  assert_string_equal(shim.files[1].bytes, "one\ntwo\n");
  assert_int_equal(m_remove("data/input"), 0);
  assert_null(m_fopen("data/input", "r"));
  assert_int_equal(m_errno, ENOENT);
  assert_int_equal(m_access("data/input", F_OK), -1);
  f = m_fopen("new", "w");
  m_fputs("text", f);
  m_fclose(f);
  assert_int_equal(m_rename("new", "data/input"), 0);
  struct stat s;
  assert_int_equal(m_stat("data/input", &s), 0);
  assert_int_equal(s.st_size, 4);
  assert_true(S_ISREG(s.st_mode));
  assert_int_equal(m_stat("new", &s), -1);
  assert_int_equal(m_remove("data/input"), 0);
}

static void standard_input_is_read(void **state) {
  (void)state;
  shim.files[0] = (struct shim_file){"", "12 word\nrest", 12};
  int n;
  char word[8];
  assert_int_equal(m_fscanf(m_stdin, "%d %7s", &n, word), 2);
  assert_int_equal(n, 12);
  assert_string_equal(word, "word");
  assert_int_equal(m_fgetc(m_stdin), '\n');
  assert_string_equal(m_fgets(word, sizeof word, m_stdin), "rest");
  assert_int_equal(m_fgetc(m_stdin), EOF);
  assert_true(m_feof(m_stdin));
}

static void memory_streams_hold_what_is_written(void **state) {
  (void)state;
  char *bytes;
  size_t size;
  FILE *f = m_open_memstream(&bytes, &size);
  for (int i = 0; i < 100; i++) m_fprintf(f, "%d,", i);
  m_fflush(f);
  assert_int_equal(size, strlen(bytes));
  m_fclose(f);
  assert_int_equal(size, 290);
  assert_int_equal(strncmp(bytes, "0,1,2,3,", 8), 0);
  free(bytes);
  char block[8] = "abc";
  f = m_fmemopen(block, sizeof block, "r+");
  assert_int_equal(m_fgetc(f), 'a');
  m_fclose(f);
}

static void pipes_carry_bytes(void **state) {
  (void)state;
  int ends[2];
  char to[8] = "";
  assert_int_equal(m_pipe(ends), 0);
  assert_int_equal(m_write(ends[1], "abcdef", 6), 6);
  assert_int_equal(m_read(ends[0], to, 4), 4);
  assert_string_equal(to, "abcd");
  assert_int_equal(m_close(ends[1]), 0);
  assert_int_equal(m_read(ends[0], to, 8), 2);
  assert_int_equal(m_read(ends[0], to, 8), 0);
  assert_int_equal(m_close(ends[0]), 0);
  assert_int_equal(m_close(ends[0]), -1);
  assert_int_equal(m_errno, EBADF);
}

static void standard_output_can_be_redirected(void **state) {
  (void)state;
  shim_reset();
  int fd = m_open("log", O_CREAT | O_RDWR | O_TRUNC, 0600), saved = m_dup(1);
  assert_true(fd > 2);
  assert_int_equal(m_dup2(fd, 1), 1);
  m_fputs("to the file", m_stdout);
  assert_string_equal(shim.output[1], "");
  assert_int_equal(m_dup2(saved, 1), 1);
  m_fputs("to the screen", m_stdout);
  assert_string_equal(shim.output[1], "to the screen");
  char to[32] = "";
  assert_int_equal(m_lseek(fd, 0, SEEK_SET), 0);
  assert_int_equal(m_read(fd, to, sizeof to), 11);
  assert_string_equal(to, "to the file");
  m_close(fd), m_close(saved);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_scan_alike),    cmocka_unit_test(floating_point_scans_alike),
      cmocka_unit_test(text_scans_alike),       cmocka_unit_test(several_conversions_scan),
      cmocka_unit_test(files_behave_alike),     cmocka_unit_test(host_files_are_copied_when_written),
      cmocka_unit_test(standard_input_is_read), cmocka_unit_test(memory_streams_hold_what_is_written),
      cmocka_unit_test(pipes_carry_bytes),      cmocka_unit_test(standard_output_can_be_redirected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
