/* One execution, as if the program ran natively. */
#pragma once
struct session;

/* Runs the program of an open session, whose machine echoes. The exit code, its own or one of ours; what went wrong has been said. */
int exec_session(const struct session *s);
