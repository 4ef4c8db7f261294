#include "cli/debugger.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/console.h"
#include "debug/server.h"
#include "program/args.h"
#include "program/process.h"

/* How often is looked whether gdb is still there while it has not connected. */
#define LOOK_MS 100

/* What gdb is told before it connects. The library's printers come with gcc, for programs that load its shared library: this one does not.
 */
static const char prelude[] =
    "set confirm off\n"
    "python\n"
    "import glob, sys\n"
    "try:\n"
    "  sys.path[:0] = glob.glob('/usr/share/gcc*/python')\n"
    "  from libstdcxx.v6.printers import register_libstdcxx_printers\n"
    "  register_libstdcxx_printers(None)\n"
    "except Exception:\n"
    "  pass\n"
    "end\n";

/* A socket that waits for gdb, in a folder of its own or where the user says. */
struct listener {
  int fd;
  bool bound;                  /* the address is ours */
  struct text folder, address; /* folder: to be removed; address: what gdb connects to */
};

static enum err start_listening(struct listener *l, const struct sockaddr *at, socklen_t size, struct diag *d) {
  l->bound = l->fd >= 0 && bind(l->fd, at, size) == 0;
  if (l->bound && listen(l->fd, 1) == 0) return ERR_NONE;
  return diag_set(d, ERR_FILE, "cannot listen at %s: %s", text_str(&l->address), strerror(errno));
}

static enum err listen_at_socket(struct listener *l, struct diag *d) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const char *path = text_str(&l->address);
  if (l->address.count >= sizeof at.sun_path) return diag_set(d, ERR_FILE, "%s is too long for a socket's name", path);
  memcpy(at.sun_path, path, l->address.count + 1);
  l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return start_listening(l, (struct sockaddr *)&at, sizeof at, d);
}

static enum err listen_at_port(struct listener *l, unsigned long port, struct diag *d) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  l->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (l->fd >= 0) setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return start_listening(l, (struct sockaddr *)&at, sizeof at, d);
}

/* `address`: a port, with a colon before it or without, or a socket's name; NULL: anything that nobody else can reach. */
static enum err listener_open(struct listener *l, const char *address, struct diag *d) {
  char *end;
  *l = (struct listener){.fd = -1};
  if (!address) {
    enum err e = file_make_folder("gdb", &l->folder, d);
    text_printf(&l->address, "%s/socket", text_str(&l->folder));
    return e != ERR_NONE ? e : listen_at_socket(l, d);
  }
  const char *digits = address + (*address == ':');
  unsigned long port = strtoul(digits, &end, 10);
  bool number = *digits >= '0' && *digits <= '9' && *end == 0;
  if (number && (port == 0 || port > 65535)) return diag_set(d, ERR_USAGE, "--gdb-server: %s is no port", digits);
  text_printf(&l->address, number ? ":%s" : "%s", digits);
  return number ? listen_at_port(l, port, d) : listen_at_socket(l, d);
}

static void listener_close(struct listener *l) {
  if (l->fd >= 0) close(l->fd);
  if (l->bound && *text_str(&l->address) != ':') unlink(text_str(&l->address));
  if (l->folder.count) {
    struct text file = {0};
    text_printf(&file, "%s/commands", text_str(&l->folder));
    unlink(text_str(&file));
    rmdir(text_str(&l->folder));
    text_release(&file);
  }
  text_release(&l->folder);
  text_release(&l->address);
}

/* Waits until gdb connects, or is gone (`pid` > 0). Its descriptor, or -1. */
static int accept_gdb(const struct listener *l, pid_t *pid, int *status) {
  struct pollfd ready = {.fd = l->fd, .events = POLLIN};
  while (!deadline_passed) {
    int n = poll(&ready, 1, LOOK_MS);
    if (n > 0) return accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
    if (*pid <= 0 || waitpid(*pid, status, WNOHANG) != *pid) continue;
    *pid = -1;
    return -1;
  }
  return -1;
}

static enum err write_prelude(const struct listener *l, struct text *path, struct diag *d) {
  text_printf(path, "%s/commands", text_str(&l->folder));
  FILE *f = fopen(text_str(path), "we");
  bool good = f && fputs(prelude, f) >= 0;
  if (f && fclose(f) != 0) good = false;
  return good ? ERR_NONE : diag_set(d, ERR_FILE, "cannot write %s: %s", text_str(path), strerror(errno));
}

static enum err start_gdb(const struct listener *l, const char *file, const struct options *o, pid_t *pid, struct diag *d) {
  struct args command = {0};
  struct text path = {0}, commands = {0};
  enum err e = ERR_NONE;
  if (!process_find("gdb", &path)) {
    e = diag_set(d, ERR_TOOL, "there is no gdb");
    diag_hint(d, "install the package gdb, or connect another debugger with --gdb-server");
  }
  if (e == ERR_NONE) e = write_prelude(l, &commands, d);
  args_add(&command, text_str(&path));
  args_add(&command, "-q"), args_add(&command, "-x"), args_add(&command, text_str(&commands));
  args_add(&command, "-ex"), args_addf(&command, "target remote %s", text_str(&l->address));
  args_append_argv(&command, o->arguments.count, o->arguments.data);
  args_add(&command, file);
  if (e == ERR_NONE && (*pid = process_start(&command, -1, -1, -1)) < 0)
    e = diag_set(d, ERR_TOOL, "cannot start %s: %s", text_str(&path), strerror(errno));
  args_release(&command);
  text_release(&path);
  text_release(&commands);
  return e;
}

static enum err debug(struct debug_server *server, const char *file, const struct options *o, int *code, struct diag *d) {
  struct listener l;
  pid_t pid = 0;
  int status = 0, fd = -1;
  enum err e = listener_open(&l, o->gdb_server, d);
  if (e == ERR_NONE && !o->gdb_server) e = start_gdb(&l, file, o, &pid, d);
  if (e == ERR_NONE && o->gdb_server)
    fprintf(stderr, "heddle: waiting for gdb: gdb -ex 'target remote %s' %s\n", text_str(&l.address), file);
  if (e == ERR_NONE) {
    if (pid > 0) signal(SIGINT, SIG_IGN); /* gdb's: it asks for a stop by itself */
    signal(SIGPIPE, SIG_IGN);
    fd = accept_gdb(&l, &pid, &status);
    if (fd < 0 && pid >= 0) e = diag_set(d, deadline_passed ? ERR_INTERRUPTED : ERR_TOOL, "no debugger has connected");
  }
  if (fd >= 0) debug_server_run(server, fd), close(fd);
  if (pid > 0) status = process_wait(pid);
  *code = pid ? process_exit_code(status) : EXIT_SAFE;
  listener_close(&l);
  return e;
}

int debugger_run(const struct session *s, const struct report_finding *finding, const struct options *o) {
  struct diag d = {0};
  struct debug_server *server = NULL;
  int code = EXIT_SAFE;
  enum err e = debug_server_new(&server, s->m, &s->image, finding, text_str(&s->debug), &d);
  if (e == ERR_NONE) e = debug(server, text_str(&s->debug), o, &code, &d);
  if (e != ERR_NONE) code = console_complain(&d);
  debug_server_free(server);
  diag_release(&d);
  return code;
}
