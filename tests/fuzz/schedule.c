/* Schedule files: report/schedule_parse.c, and what is written again. */
#include "cli/trust.h"
#include "report/schedule_file.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct text content = {0}, once = {0}, demands = {0};
  struct schedule_file f, g;
  struct diag d = {0};
  text_append(&content, (const char *)data, n);
  if (schedule_file_parse(&f, "F", text_str(&content), n, &d) == ERR_NONE) {
    trust_demands(&f, "F", &demands);
    MUST(f.allowed.count == 0 || demands.count > 0);
    schedule_file_text(&f, &once);
    MUST(schedule_file_parse(&g, "G", text_str(&once), once.count, &d) == ERR_NONE);
    MUST(schedule_steps(&f) == schedule_steps(&g) && f.kind == g.kind && f.content == g.content);
    MUST(f.flags.count == g.flags.count && f.sites.count == g.sites.count && f.stops.count == g.stops.count);
    schedule_file_release(&g);
    schedule_file_release(&f);
  } else {
    MUST(d.message.count > 0);
  }
  diag_release(&d);
  text_release(&content);
  text_release(&once);
  text_release(&demands);
  return 0;
}
