/* errno, strerror, strsignal and their kin. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "internal.h"

static __thread int error_number;

int *__hd_errno(void) { return &error_number; }
int *__errno_location(void) { return &error_number; }

struct named {
  const char *name, *text;
};

static const struct named errors[] = {
    [0] = {"0", "Success"},
    [EPERM] = {"EPERM", "Operation not permitted"},
    [ENOENT] = {"ENOENT", "No such file or directory"},
    [ESRCH] = {"ESRCH", "No such process"},
    [EINTR] = {"EINTR", "Interrupted system call"},
    [EIO] = {"EIO", "Input/output error"},
    [ENXIO] = {"ENXIO", "No such device or address"},
    [E2BIG] = {"E2BIG", "Argument list too long"},
    [ENOEXEC] = {"ENOEXEC", "Exec format error"},
    [EBADF] = {"EBADF", "Bad file descriptor"},
    [ECHILD] = {"ECHILD", "No child processes"},
    [EAGAIN] = {"EAGAIN", "Resource temporarily unavailable"},
    [ENOMEM] = {"ENOMEM", "Cannot allocate memory"},
    [EACCES] = {"EACCES", "Permission denied"},
    [EFAULT] = {"EFAULT", "Bad address"},
    [ENOTBLK] = {"ENOTBLK", "Block device required"},
    [EBUSY] = {"EBUSY", "Device or resource busy"},
    [EEXIST] = {"EEXIST", "File exists"},
    [EXDEV] = {"EXDEV", "Invalid cross-device link"},
    [ENODEV] = {"ENODEV", "No such device"},
    [ENOTDIR] = {"ENOTDIR", "Not a directory"},
    [EISDIR] = {"EISDIR", "Is a directory"},
    [EINVAL] = {"EINVAL", "Invalid argument"},
    [ENFILE] = {"ENFILE", "Too many open files in system"},
    [EMFILE] = {"EMFILE", "Too many open files"},
    [ENOTTY] = {"ENOTTY", "Inappropriate ioctl for device"},
    [ETXTBSY] = {"ETXTBSY", "Text file busy"},
    [EFBIG] = {"EFBIG", "File too large"},
    [ENOSPC] = {"ENOSPC", "No space left on device"},
    [ESPIPE] = {"ESPIPE", "Illegal seek"},
    [EROFS] = {"EROFS", "Read-only file system"},
    [EMLINK] = {"EMLINK", "Too many links"},
    [EPIPE] = {"EPIPE", "Broken pipe"},
    [EDOM] = {"EDOM", "Numerical argument out of domain"},
    [ERANGE] = {"ERANGE", "Numerical result out of range"},
    [EDEADLK] = {"EDEADLK", "Resource deadlock avoided"},
    [ENAMETOOLONG] = {"ENAMETOOLONG", "File name too long"},
    [ENOLCK] = {"ENOLCK", "No locks available"},
    [ENOSYS] = {"ENOSYS", "Function not implemented"},
    [ENOTEMPTY] = {"ENOTEMPTY", "Directory not empty"},
    [ELOOP] = {"ELOOP", "Too many levels of symbolic links"},
    [ENOMSG] = {"ENOMSG", "No message of desired type"},
    [EIDRM] = {"EIDRM", "Identifier removed"},
    [ECHRNG] = {"ECHRNG", "Channel number out of range"},
    [EL2NSYNC] = {"EL2NSYNC", "Level 2 not synchronized"},
    [EL3HLT] = {"EL3HLT", "Level 3 halted"},
    [EL3RST] = {"EL3RST", "Level 3 reset"},
    [ELNRNG] = {"ELNRNG", "Link number out of range"},
    [EUNATCH] = {"EUNATCH", "Protocol driver not attached"},
    [ENOCSI] = {"ENOCSI", "No CSI structure available"},
    [EL2HLT] = {"EL2HLT", "Level 2 halted"},
    [EBADE] = {"EBADE", "Invalid exchange"},
    [EBADR] = {"EBADR", "Invalid request descriptor"},
    [EXFULL] = {"EXFULL", "Exchange full"},
    [ENOANO] = {"ENOANO", "No anode"},
    [EBADRQC] = {"EBADRQC", "Invalid request code"},
    [EBADSLT] = {"EBADSLT", "Invalid slot"},
    [EBFONT] = {"EBFONT", "Bad font file format"},
    [ENOSTR] = {"ENOSTR", "Device not a stream"},
    [ENODATA] = {"ENODATA", "No data available"},
    [ETIME] = {"ETIME", "Timer expired"},
    [ENOSR] = {"ENOSR", "Out of streams resources"},
    [ENONET] = {"ENONET", "Machine is not on the network"},
    [ENOPKG] = {"ENOPKG", "Package not installed"},
    [EREMOTE] = {"EREMOTE", "Object is remote"},
    [ENOLINK] = {"ENOLINK", "Link has been severed"},
    [EADV] = {"EADV", "Advertise error"},
    [ESRMNT] = {"ESRMNT", "Srmount error"},
    [ECOMM] = {"ECOMM", "Communication error on send"},
    [EPROTO] = {"EPROTO", "Protocol error"},
    [EMULTIHOP] = {"EMULTIHOP", "Multihop attempted"},
    [EDOTDOT] = {"EDOTDOT", "RFS specific error"},
    [EBADMSG] = {"EBADMSG", "Bad message"},
    [EOVERFLOW] = {"EOVERFLOW", "Value too large for defined data type"},
    [ENOTUNIQ] = {"ENOTUNIQ", "Name not unique on network"},
    [EBADFD] = {"EBADFD", "File descriptor in bad state"},
    [EREMCHG] = {"EREMCHG", "Remote address changed"},
    [ELIBACC] = {"ELIBACC", "Can not access a needed shared library"},
    [ELIBBAD] = {"ELIBBAD", "Accessing a corrupted shared library"},
    [ELIBSCN] = {"ELIBSCN", ".lib section in a.out corrupted"},
    [ELIBMAX] = {"ELIBMAX", "Attempting to link in too many shared libraries"},
    [ELIBEXEC] = {"ELIBEXEC", "Cannot exec a shared library directly"},
    [EILSEQ] = {"EILSEQ", "Invalid or incomplete multibyte or wide character"},
    [ERESTART] = {"ERESTART", "Interrupted system call should be restarted"},
    [ESTRPIPE] = {"ESTRPIPE", "Streams pipe error"},
    [EUSERS] = {"EUSERS", "Too many users"},
    [ENOTSOCK] = {"ENOTSOCK", "Socket operation on non-socket"},
    [EDESTADDRREQ] = {"EDESTADDRREQ", "Destination address required"},
    [EMSGSIZE] = {"EMSGSIZE", "Message too long"},
    [EPROTOTYPE] = {"EPROTOTYPE", "Protocol wrong type for socket"},
    [ENOPROTOOPT] = {"ENOPROTOOPT", "Protocol not available"},
    [EPROTONOSUPPORT] = {"EPROTONOSUPPORT", "Protocol not supported"},
    [ESOCKTNOSUPPORT] = {"ESOCKTNOSUPPORT", "Socket type not supported"},
    [EOPNOTSUPP] = {"EOPNOTSUPP", "Operation not supported"},
    [EPFNOSUPPORT] = {"EPFNOSUPPORT", "Protocol family not supported"},
    [EAFNOSUPPORT] = {"EAFNOSUPPORT", "Address family not supported by protocol"},
    [EADDRINUSE] = {"EADDRINUSE", "Address already in use"},
    [EADDRNOTAVAIL] = {"EADDRNOTAVAIL", "Cannot assign requested address"},
    [ENETDOWN] = {"ENETDOWN", "Network is down"},
    [ENETUNREACH] = {"ENETUNREACH", "Network is unreachable"},
    [ENETRESET] = {"ENETRESET", "Network dropped connection on reset"},
    [ECONNABORTED] = {"ECONNABORTED", "Software caused connection abort"},
    [ECONNRESET] = {"ECONNRESET", "Connection reset by peer"},
    [ENOBUFS] = {"ENOBUFS", "No buffer space available"},
    [EISCONN] = {"EISCONN", "Transport endpoint is already connected"},
    [ENOTCONN] = {"ENOTCONN", "Transport endpoint is not connected"},
    [ESHUTDOWN] = {"ESHUTDOWN", "Cannot send after transport endpoint shutdown"},
    [ETOOMANYREFS] = {"ETOOMANYREFS", "Too many references: cannot splice"},
    [ETIMEDOUT] = {"ETIMEDOUT", "Connection timed out"},
    [ECONNREFUSED] = {"ECONNREFUSED", "Connection refused"},
    [EHOSTDOWN] = {"EHOSTDOWN", "Host is down"},
    [EHOSTUNREACH] = {"EHOSTUNREACH", "No route to host"},
    [EALREADY] = {"EALREADY", "Operation already in progress"},
    [EINPROGRESS] = {"EINPROGRESS", "Operation now in progress"},
    [ESTALE] = {"ESTALE", "Stale file handle"},
    [EUCLEAN] = {"EUCLEAN", "Structure needs cleaning"},
    [ENOTNAM] = {"ENOTNAM", "Not a XENIX named type file"},
    [ENAVAIL] = {"ENAVAIL", "No XENIX semaphores available"},
    [EISNAM] = {"EISNAM", "Is a named type file"},
    [EREMOTEIO] = {"EREMOTEIO", "Remote I/O error"},
    [EDQUOT] = {"EDQUOT", "Disk quota exceeded"},
    [ENOMEDIUM] = {"ENOMEDIUM", "No medium found"},
    [EMEDIUMTYPE] = {"EMEDIUMTYPE", "Wrong medium type"},
    [ECANCELED] = {"ECANCELED", "Operation canceled"},
    [ENOKEY] = {"ENOKEY", "Required key not available"},
    [EKEYEXPIRED] = {"EKEYEXPIRED", "Key has expired"},
    [EKEYREVOKED] = {"EKEYREVOKED", "Key has been revoked"},
    [EKEYREJECTED] = {"EKEYREJECTED", "Key was rejected by service"},
    [EOWNERDEAD] = {"EOWNERDEAD", "Owner died"},
    [ENOTRECOVERABLE] = {"ENOTRECOVERABLE", "State not recoverable"},
    [ERFKILL] = {"ERFKILL", "Operation not possible due to RF-kill"},
    [EHWPOISON] = {"EHWPOISON", "Memory page has hardware error"},
};

static const struct named signals[] = {
    [SIGHUP] = {"HUP", "Hangup"},
    [SIGINT] = {"INT", "Interrupt"},
    [SIGQUIT] = {"QUIT", "Quit"},
    [SIGILL] = {"ILL", "Illegal instruction"},
    [SIGTRAP] = {"TRAP", "Trace/breakpoint trap"},
    [SIGABRT] = {"ABRT", "Aborted"},
    [SIGBUS] = {"BUS", "Bus error"},
    [SIGFPE] = {"FPE", "Floating point exception"},
    [SIGKILL] = {"KILL", "Killed"},
    [SIGUSR1] = {"USR1", "User defined signal 1"},
    [SIGSEGV] = {"SEGV", "Segmentation fault"},
    [SIGUSR2] = {"USR2", "User defined signal 2"},
    [SIGPIPE] = {"PIPE", "Broken pipe"},
    [SIGALRM] = {"ALRM", "Alarm clock"},
    [SIGTERM] = {"TERM", "Terminated"},
    [SIGSTKFLT] = {"STKFLT", "Stack fault"},
    [SIGCHLD] = {"CHLD", "Child exited"},
    [SIGCONT] = {"CONT", "Continued"},
    [SIGSTOP] = {"STOP", "Stopped (signal)"},
    [SIGTSTP] = {"TSTP", "Stopped"},
    [SIGTTIN] = {"TTIN", "Stopped (tty input)"},
    [SIGTTOU] = {"TTOU", "Stopped (tty output)"},
    [SIGURG] = {"URG", "Urgent I/O condition"},
    [SIGXCPU] = {"XCPU", "CPU time limit exceeded"},
    [SIGXFSZ] = {"XFSZ", "File size limit exceeded"},
    [SIGVTALRM] = {"VTALRM", "Virtual timer expired"},
    [SIGPROF] = {"PROF", "Profiling timer expired"},
    [SIGWINCH] = {"WINCH", "Window changed"},
    [SIGPOLL] = {"POLL", "I/O possible"},
    [SIGPWR] = {"PWR", "Power failure"},
    [SIGSYS] = {"SYS", "Bad system call"},
};

#define COUNT(table) (int)(sizeof(table) / sizeof *(table))

const char *__hd_error_text(int number) { return number >= 0 && number < COUNT(errors) ? errors[number].text : NULL; }

/* "PREFIX123" into at least 48 bytes. */
static char *numbered(char *to, const char *prefix, long number) {
  char digits[24];
  int n = 0;
  unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
  do digits[n++] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) digits[n++] = '-';
  char *out = to;
  while (*prefix) *out++ = *prefix++;
  while (n) *out++ = digits[--n];
  *out = 0;
  return to;
}

static char *unknown_text(const char *prefix, int number) {
  static __thread char text[48];
  return numbered(text, prefix, number);
}

char *strerror(int number) {
  const char *text = __hd_error_text(number);
  return text ? (char *)text : unknown_text("Unknown error ", number);
}

char *strerror_l(int number, locale_t l) { return (void)l, strerror(number); }

/* GNU's, which may leave the buffer alone. */
char *strerror_r(int number, char *buffer, size_t size) {
  const char *text = __hd_error_text(number);
  if (text) return (char *)text;
  if (!size) return buffer;
  char own[48];
  numbered(own, "Unknown error ", number);
  size_t n = hd_strnlen(own, size - 1);
  __builtin_memcpy(buffer, own, n);
  buffer[n] = 0;
  return buffer;
}

/* POSIX's. */
int __xpg_strerror_r(int number, char *buffer, size_t size) {
  char own[48];
  const char *text = __hd_error_text(number);
  int result = text ? 0 : EINVAL;
  if (!text) text = numbered(own, "Unknown error ", number);
  size_t length = hd_strlen(text), n = length < size ? length : size ? size - 1 : 0;
  if (size) {
    __builtin_memcpy(buffer, text, n);
    buffer[n] = 0;
  }
  return !result && n < length ? ERANGE : result;
}

const char *strerrorname_np(int number) { return number >= 0 && number < COUNT(errors) ? errors[number].name : NULL; }
const char *strerrordesc_np(int number) { return __hd_error_text(number); }
const char *sigabbrev_np(int number) { return number > 0 && number < COUNT(signals) ? signals[number].name : NULL; }
const char *sigdescr_np(int number) { return number > 0 && number < COUNT(signals) ? signals[number].text : NULL; }

/* As glibc, whose SIGRTMIN keeps two signals to itself. */
int __libc_current_sigrtmin(void) { return 34; }
int __libc_current_sigrtmax(void) { return 64; }

char *strsignal(int number) {
  const char *text = number > 0 && number < COUNT(signals) ? signals[number].text : NULL;
  if (text) return (char *)text;
  if (number >= 34 && number <= 64) return unknown_text("Real-time signal ", number - 34);
  return unknown_text("Unknown signal ", number);
}
