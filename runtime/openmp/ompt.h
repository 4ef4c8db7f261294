/* As much of OMPT, the interface for tools of OpenMP 5.1 (chapter 19), as tool.c asks for. It is the same in all libraries that have it, so
 * no header of theirs is needed. */
#pragma once
#include <stddef.h>
#include <stdint.h>

union ompt_data {
  uint64_t value;
  void *ptr;
};

enum ompt_callback {
  OMPT_PARALLEL_BEGIN = 3,
  OMPT_PARALLEL_END = 4,
  OMPT_TASK_CREATE = 5,
  OMPT_TASK_SCHEDULE = 6,
  OMPT_IMPLICIT_TASK = 7,
  OMPT_SYNC_REGION_WAIT = 16,
  OMPT_DEPENDENCES = 18,
  OMPT_SYNC_REGION = 23,
  OMPT_REDUCTION = 31
};
enum ompt_endpoint { OMPT_BEGIN = 1, OMPT_END = 2, OMPT_BEGINEND = 3 };
enum ompt_sync_region { OMPT_TASKWAIT = 5, OMPT_TASKGROUP = 6, OMPT_SYNC_REDUCTION = 7 }; /* all others are barriers */
enum ompt_task_flag { OMPT_TASK_INITIAL = 1 << 0, OMPT_TASK_UNDEFERRED = 1 << 27, OMPT_TASK_UNTIED = 1 << 28 };
enum ompt_task_status {
  OMPT_COMPLETE = 1,
  OMPT_YIELD = 2,
  OMPT_CANCEL = 3,
  OMPT_DETACH = 4,
  OMPT_EARLY_FULFILL = 5,
  OMPT_LATE_FULFILL = 6,
  OMPT_SWITCH = 7,
  OMPT_TASKWAIT_COMPLETE = 8
};
enum ompt_dependence_type {
  OMPT_IN = 1,
  OMPT_OUT = 2,
  OMPT_INOUT = 3,
  OMPT_MUTEXINOUTSET = 4,
  OMPT_SOURCE = 5,
  OMPT_SINK = 6,
  OMPT_INOUTSET = 7
};
struct ompt_dependence {
  union ompt_data variable;
  int type;
};

typedef void ompt_function(void);
typedef ompt_function *ompt_lookup(const char *name);
typedef int ompt_set_callback(int which, ompt_function *callback);
/* Of a task's calls, where the library's frames end and its own begin, and where it called the library. */
struct ompt_frame {
  union ompt_data exit, enter;
  int exit_flags, enter_flags;
};
typedef int ompt_get_task_info(int ancestor, int *flags, union ompt_data **data, struct ompt_frame **frame, union ompt_data **parallel,
                               int *index);
typedef int ompt_get_task_memory(void **address, size_t *size, int block);

struct ompt_start_tool_result {
  int (*initialize)(ompt_lookup *lookup, int device, union ompt_data *data);
  void (*finalize)(union ompt_data *data);
  union ompt_data data;
};
