#include "value_script.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

#include "value/expr_text.h"

#define RLIMIT "1000000"

static struct {
  __typeof__(Z3_mk_config) *mk_config;
  __typeof__(Z3_mk_context) *mk_context;
  __typeof__(Z3_del_context) *del_context;
  __typeof__(Z3_del_config) *del_config;
  __typeof__(Z3_eval_smtlib2_string) *eval;
} z3;

void script_open(void) {
  void *library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "%s\n", dlerror()), exit(2);
  z3.mk_config = (__typeof__(z3.mk_config))dlsym(library, "Z3_mk_config");
  z3.mk_context = (__typeof__(z3.mk_context))dlsym(library, "Z3_mk_context");
  z3.del_context = (__typeof__(z3.del_context))dlsym(library, "Z3_del_context");
  z3.del_config = (__typeof__(z3.del_config))dlsym(library, "Z3_del_config");
  z3.eval = (__typeof__(z3.eval))dlsym(library, "Z3_eval_smtlib2_string");
}

enum value_answer script_ask(const struct value_pool *p, const struct expr *conditions, size_t count) {
  struct text script = {0};
  text_puts(&script, "(set-option :rlimit " RLIMIT ")\n");
  expr_print_smt(p, conditions, count, &script);
  Z3_config config = z3.mk_config();
  Z3_context context = z3.mk_context(config);
  const char *said = z3.eval(context, text_str(&script));
  enum value_answer answer = strcmp(said, "sat\n") == 0 ? VALUE_YES : strcmp(said, "unsat\n") == 0 ? VALUE_NO : VALUE_UNKNOWN;
  if (answer == VALUE_UNKNOWN && strncmp(said, "unknown", 7) != 0) fprintf(stderr, "Z3: %s\n", said), exit(2);
  z3.del_context(context);
  z3.del_config(config);
  text_release(&script);
  return answer;
}
