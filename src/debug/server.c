#include "debug/server.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "debug/course.h"
#include "debug/packet.h"
#include "debug/registers.h"
#include "machine/machine.h"
#include "report/action.h"
#include "report/place.h"
#include "report/report.h"
#include "report/witness.h"

#define PACKET_MOST "4000" /* hexadecimal: bytes of a packet */
#define READ_MOST   0x1000u

/* How often an execution is run until it is known what is shared. */
enum { EXECUTIONS_MOST = 10 };

/* Signals by gdb's numbers. */
enum { SIGNAL_INT = 2, SIGNAL_TRAP = 5, SIGNAL_ABORT = 6, SIGNAL_ARITHMETIC = 8, SIGNAL_MEMORY = 11 };

struct debug_server {
  struct machine *m;
  const struct image *image;
  struct witness witness;
  struct code_map map;
  struct course course;
  struct packet_line line;
  struct text packet, reply;
  uint32_t thread;         /* whose registers are asked for */
  bool running;            /* the debugger waits for a stop */
  bool told;               /* of the finding */
  struct course_stop stop; /* the present one */
  struct course_request request_made;
  struct names names;
};

/* --- threads: gdb's numbers are tids + 1 --- */

static bool is_thread(const struct debug_server *s, uint64_t number) {
  return number > 0 && number <= THREADS_MAX && machine_owner(s->m, (uint32_t)number - 1) == number - 1 &&
         tset_has(machine_alive(s->m), (uint32_t)number - 1);
}

static void put_threads(struct debug_server *s) {
  const struct tset *alive = machine_alive(s->m);
  text_putc(&s->reply, 'm');
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1))
    if (machine_owner(s->m, t) == t) text_printf(&s->reply, "%s%x", s->reply.count > 1 ? "," : "", t + 1);
  if (s->reply.count == 1) text_puts(&s->reply, "1");
}

/* "thread 0.1, waits for mutex m". */
static void put_thread_text(struct debug_server *s, uint32_t t, struct text *out) {
  text_printf(out, "thread %s", machine_thread_name(s->m, t));
  bool goes_on = t == s->course.thread && s->course.at != s->course.end;
  if (!tset_has(machine_alive(s->m), t) || goes_on) return;
  const struct event *pending = machine_pending(s->m, t);
  text_puts(out, ", ");
  if (pending->op == EVENT_END)
    text_puts(out, "at its end");
  else if (tset_has(machine_enabled(s->m), t))
    text_printf(out, "before %s", event_op_text((enum event_op)pending->op));
  else
    action_wait_text(&s->names, s->m, pending, out);
}

static void put_extra(struct debug_server *s, const char *at) {
  struct text text = {0};
  uint64_t number = hex_read(&at);
  if (is_thread(s, number)) put_thread_text(s, (uint32_t)number - 1, &text);
  hex_put(&s->reply, text_str(&text), text.count);
  text_release(&text);
}

/* --- stops --- */

static int signal_of(const struct debug_server *s) {
  static const uint8_t signals[FINDING_COUNT] = {
      [FINDING_ASSERTION] = SIGNAL_ABORT,
      [FINDING_ABORT] = SIGNAL_ABORT,
      [FINDING_UNCAUGHT_EXCEPTION] = SIGNAL_ABORT,
      [FINDING_USE_AFTER_FREE] = SIGNAL_MEMORY,
      [FINDING_OUT_OF_BOUNDS] = SIGNAL_MEMORY,
      [FINDING_DOUBLE_FREE] = SIGNAL_ABORT,
      [FINDING_BAD_FREE] = SIGNAL_ABORT,
      [FINDING_NULL_DEREFERENCE] = SIGNAL_MEMORY,
      [FINDING_DIVISION_BY_ZERO] = SIGNAL_ARITHMETIC,
  };
  if (s->stop.reason == COURSE_INTERRUPTED) return SIGNAL_INT;
  if (s->stop.reason != COURSE_END || !s->witness.shown) return SIGNAL_TRAP;
  return signals[s->witness.finding.kind] ? signals[s->witness.finding.kind] : SIGNAL_TRAP;
}

static void put_stop(struct debug_server *s) {
  uint32_t thread = s->stop.thread;
  int signal = signal_of(s);
  text_printf(&s->reply, "T%02xthread:%x;", (unsigned)signal, thread + 1);
  if (s->stop.reason == COURSE_WATCHPOINT) text_printf(&s->reply, "watch:%" PRIx64 ";", s->stop.address);
  if (s->stop.reason == COURSE_BREAKPOINT) text_puts(&s->reply, "swbreak:;");
  if (s->stop.reason == COURSE_BEGIN) text_puts(&s->reply, "replaylog:begin;");
  if (s->stop.reason == COURSE_END && (signal == SIGNAL_TRAP || s->told)) text_puts(&s->reply, "replaylog:end;");
}

/* To the user's terminal: the protocol allows it while the program runs. */
static void tell(struct debug_server *s, const char *text) {
  struct text out = {0};
  text_putc(&out, 'O');
  hex_put(&out, text, strlen(text));
  packet_send(&s->line, out.data, out.count);
  text_release(&out);
}

static void put_finding(const struct debug_server *s, struct text *out) {
  if (!s->witness.shown)
    text_puts(out, "heddle: the execution ends here; it does not show the finding of its schedule\n");
  else
    text_printf(out, "heddle: %s: %s\n", finding_kind_text(s->witness.finding.kind), text_str(&s->witness.finding.message));
}

static void say_stop(struct debug_server *s) {
  struct text text = {0};
  bool ends = s->stop.reason == COURSE_END && !s->told;
  if (ends) put_finding(s, &text);
  if (text.count && s->running) tell(s, text_str(&text));
  put_stop(s);
  if (ends) s->told = true;
  packet_send(&s->line, s->reply.data, s->reply.count);
  text_release(&text);
}

/* --- requests --- */

static void put_memory(struct debug_server *s, const char *at) {
  uint64_t address = hex_read(&at), size = *at == ',' ? (at++, hex_read(&at)) : 0;
  if (size > READ_MOST) size = READ_MOST;
  for (uint64_t i = 0; i < size; i++) {
    uint8_t byte;
    if (!frames_read(&s->course.frames, address + i, &byte)) break;
    hex_put(&s->reply, &byte, 1);
  }
  if (s->reply.count == 0) text_puts(&s->reply, "E01");
}

static void change_point(struct debug_server *s, const char *at, bool set) {
  char kind = *at;
  if (kind) at++;
  uint64_t address = *at == ',' ? (at++, hex_read(&at)) : 0, size = *at == ',' ? (at++, hex_read(&at)) : 0;
  uint32_t code = code_at(&s->map, address);
  bool good = kind == '2' ? course_watch(&s->course, address, size, set) : code != UINT32_MAX;
  if (kind > '2') return; /* unknown: an empty answer */
  if (good && kind != '2') course_break(&s->course, code, set);
  text_puts(&s->reply, good ? "OK" : "E02");
}

static void choose_thread(struct debug_server *s, const char *at) {
  char what = *at;
  if (what) at++;
  const char *digits = at;
  uint64_t number = hex_read(&digits);
  if (what == 'g' && is_thread(s, number)) s->thread = (uint32_t)number - 1;
  if (what == 'g' && number == 0 && *at != '-') s->thread = s->stop.thread;
  text_puts(&s->reply, what != 'g' || number == 0 || is_thread(s, number) ? "OK" : "E03");
}

static struct frame_registers registers_of(const struct debug_server *s) { return course_registers(&s->course, s->thread); }

static void put_features(struct debug_server *s) {
  text_puts(&s->reply,
            "l<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
            "<target><architecture>i386:x86-64</architecture></target>");
}

/* --- monitor commands --- */

static void say_buffers(struct debug_server *s, struct text *out) {
  struct machine_store store;
  const struct tset *alive = machine_alive(s->m);
  bool any = false;
  for (uint32_t t = tset_next(alive, 0); t < AGENTS_FROM; t = tset_next(alive, t + 1)) {
    for (uint32_t i = 0; machine_store(s->m, t, i, &store); i++) {
      struct place place = place_of_site(s->image, store.site);
      any = true;
      text_printf(out, "thread %s  ", machine_thread_name(s->m, t));
      names_object_text(&s->names, s->m, store.address, store.size, out);
      if (store.size <= 8)
        text_printf(out, " = %" PRIu64 "  stored at ", store.value);
      else
        text_printf(out, ", %" PRIu64 " bytes  stored at ", store.size);
      place_text(&place, out);
      text_putc(out, '\n');
    }
  }
  if (!any)
    text_puts(out, machine_options(s->m)->memory == MEMORY_SC ? "under SC no store waits in a buffer\n" : "no store waits in a buffer\n");
}

static void say_threads(struct debug_server *s, struct text *out) {
  const struct tset *alive = machine_alive(s->m);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) {
    if (machine_owner(s->m, t) != t) continue;
    text_puts(out, t == s->course.thread ? "> " : "  ");
    put_thread_text(s, t, out);
    text_putc(out, '\n');
  }
}

static void say_position(struct debug_server *s, struct text *out) {
  const struct course *c = &s->course;
  text_printf(out, "instruction %" PRIu64 " of %" PRIu64 ", step %zu of %zu, thread %s\n", c->at, c->end, c->step, c->steps.steps.count,
              machine_thread_name(s->m, c->thread));
}

static void say_output(struct debug_server *s, struct text *out) {
  const struct text *output = machine_output(s->m, 1);
  text_append(out, text_str(output), output->count);
  if (output->count && output->data[output->count - 1] != '\n') text_putc(out, '\n');
}

static void say_help(struct debug_server *s, struct text *out);

static const struct monitor_command {
  const char *name, *help;
  void (*say)(struct debug_server *s, struct text *out);
} commands[] = {
    {"buffers", "stores that others cannot see yet (TSO, PSO)", say_buffers},
    {"finding", "what this execution shows", NULL},
    {"output", "what the program has written so far", say_output},
    {"position", "where in the execution this is", say_position},
    {"threads", "threads and what they stand before", say_threads},
    {"help", "this text", say_help},
};
#define NCOMMANDS (sizeof commands / sizeof *commands)

static void say_help(struct debug_server *s, struct text *out) {
  (void)s;
  for (size_t i = 0; i < NCOMMANDS; i++) text_printf(out, "monitor %-9s %s\n", commands[i].name, commands[i].help);
}

static void obey_monitor(struct debug_server *s, const char *digits) {
  struct text command = {0}, out = {0};
  hex_text(digits, &command);
  size_t i = 0;
  while (i < NCOMMANDS && strcmp(commands[i].name, text_str(&command)) != 0) i++;
  if (i == NCOMMANDS)
    text_printf(&out, "there is no command \"%s\"; monitor help lists them\n", text_str(&command));
  else if (commands[i].say)
    commands[i].say(s, &out);
  else
    put_finding(s, &out);
  if (out.count)
    hex_put(&s->reply, out.data, out.count);
  else
    text_puts(&s->reply, "OK");
  text_release(&command);
  text_release(&out);
}

/* --- the protocol --- */

static bool starts(const char **packet, const char *prefix) {
  size_t n = strlen(prefix);
  if (strncmp(*packet, prefix, n) != 0) return false;
  *packet += n;
  return true;
}

/* The course goes on. */
static bool go(struct debug_server *s, enum course_way way, uint32_t thread) {
  s->request_made = (struct course_request){way, thread};
  s->running = true;
  return true;
}

/* "vCont;s:2;c": the first action that is a step is for a thread, or for the present one. */
static bool resume(struct debug_server *s, const char *at) {
  for (; *at == ';'; at += strcspn(at, ";")) {
    char what = *++at;
    if (what != 's' && what != 'S') continue;
    at += strcspn(at, ":;");
    uint64_t number = *at == ':' ? (at++, hex_read(&at)) : 0;
    return go(s, COURSE_STEP, is_thread(s, number) ? (uint32_t)number - 1 : s->stop.thread);
  }
  return go(s, COURSE_GO, THREADS_MAX);
}

static void answer_query(struct debug_server *s, const char *p) {
  if (starts(&p, "qSupported")) {
    text_puts(&s->reply, "PacketSize=" PACKET_MOST
                         ";QStartNoAckMode+;swbreak+;vContSupported+;ReverseStep+;ReverseContinue+;"
                         "qXfer:features:read+");
  } else if (starts(&p, "qXfer:features:read:target.xml:0,")) {
    put_features(s);
  } else if (starts(&p, "qfThreadInfo")) {
    put_threads(s);
  } else if (starts(&p, "qsThreadInfo")) {
    text_puts(&s->reply, "l");
  } else if (starts(&p, "qThreadExtraInfo,")) {
    put_extra(s, p);
  } else if (starts(&p, "qRcmd,")) {
    obey_monitor(s, p);
  } else if (strcmp(p, "qC") == 0) {
    text_printf(&s->reply, "QC%x", s->stop.thread + 1);
  } else if (starts(&p, "qAttached")) {
    text_puts(&s->reply, "1");
  }
}

/* What is said by an answer, and not by going on. */
static void answer(struct debug_server *s, const char *p) {
  const struct frame_registers r = registers_of(s);
  switch (*p) {
    case '?':
      put_stop(s);
      return;
    case 'g':
      registers_all(&r, &s->reply);
      return;
    case 'p':
      p++;
      registers_one(&r, hex_read(&p), &s->reply);
      return;
    case 'm':
      put_memory(s, p + 1);
      return;
    case 'Z':
    case 'z':
      change_point(s, p + 1, *p == 'Z');
      return;
    case 'H':
      choose_thread(s, p + 1);
      return;
    case 'T':
      p++;
      text_puts(&s->reply, is_thread(s, hex_read(&p)) ? "OK" : "E03");
      return;
    case 'G':
    case 'P':
    case 'M':
      text_puts(&s->reply, "E04"); /* nothing can be changed */
      return;
    case 'q':
      answer_query(s, p);
      return;
    default:
      if (strcmp(p, "vCont?") == 0) text_puts(&s->reply, "vCont;c;C;s;S");
      return;
  }
}

/* Does the packet make the course go on? */
static bool goes(struct debug_server *s, const char *p) {
  switch (*p) {
    case 'c':
      return go(s, COURSE_GO, THREADS_MAX);
    case 's':
      return go(s, COURSE_STEP, s->stop.thread);
    case 'b':
      if (p[1] != 'c' && p[1] != 's') return false;
      return go(s, p[1] == 'c' ? COURSE_BACK : COURSE_STEP_BACK, s->stop.thread);
    case 'v':
      return starts(&p, "vCont;") && resume(s, p - 1);
    case 'k':
      return go(s, COURSE_QUIT, 0);
    case 'D':
      packet_puts(&s->line, "OK");
      return go(s, COURSE_QUIT, 0);
    default:
      return false;
  }
}

static struct course_request serve(void *context, const struct course_stop *stop) {
  struct debug_server *s = context;
  s->stop = *stop, s->thread = stop->thread;
  if (stop->reason != COURSE_END) s->told = false;
  text_clear(&s->reply);
  if (s->running) say_stop(s);
  s->running = false;
  while (packet_receive(&s->line, &s->packet)) {
    const char *p = text_str(&s->packet);
    if (goes(s, p)) return s->request_made;
    text_clear(&s->reply);
    if (strcmp(p, "QStartNoAckMode") == 0) {
      packet_puts(&s->line, "OK");
      s->line.quiet = true;
      continue;
    }
    answer(s, p);
    packet_send(&s->line, text_str(&s->reply), s->reply.count);
  }
  return (struct course_request){.way = COURSE_QUIT};
}

static bool interrupted(void *context) {
  struct debug_server *s = context;
  return packet_interrupted(&s->line);
}

enum err debug_server_new(struct debug_server **server, struct machine *m, const struct image *image, const struct report_finding *finding,
                          const char *debug_file, struct diag *d) {
  struct debug_server *s = mem_alloc(sizeof *s);
  s->m = m, s->image = image, s->line = (struct packet_line){.in = -1, .out = -1};
  enum err e = code_map_open(&s->map, image, debug_file, d);
  /* Memory that turns out to be shared is so from the next execution on, in which other steps are visible. */
  for (int i = 0; e == ERR_NONE && (i == 0 || (i < EXECUTIONS_MOST && machine_sharing_changed(m))); i++) {
    if (i) witness_release(&s->witness);
    e = witness_make(&s->witness, m, image, &finding->schedule, NULL, d);
  }
  if (e == ERR_NONE && !course_open(&s->course, m, &s->map, &s->witness.replayer.made))
    e = diag_set(d, ERR_DIVERGED, "the schedule's steps cannot be taken twice in the same way");
  *server = s;
  if (e != ERR_NONE) debug_server_free(s), *server = NULL;
  return e;
}

void debug_server_run(struct debug_server *s, int fd) {
  s->line.in = s->line.out = fd;
  s->course.serve = serve, s->course.interrupted = interrupted, s->course.context = s;
  course_run(&s->course);
}

void debug_server_free(struct debug_server *s) {
  if (!s) return;
  course_close(&s->course);
  code_map_close(&s->map);
  witness_release(&s->witness);
  names_release(&s->names);
  text_release(&s->packet);
  text_release(&s->reply);
  mem_free(s, sizeof *s);
}
