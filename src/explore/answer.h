/* What workers tell their master, as bytes (wire.h): parts that several kinds of them have in common. */
#pragma once
#include "explore/session.h"
#include "explore/wire.h"

void answer_put_text(struct text *out, const struct text *t);
void answer_get_text(struct wire *w, struct text *t);
/* All outcomes; they are added to those that are known. */
void answer_put_outcomes(const struct explore_result *r, struct text *out);
void answer_get_outcomes(struct session *s, struct wire *w);
/* The schedules of the findings from `from` on. */
void answer_put_findings(const struct explore_result *r, size_t from, struct text *out);

void session_clear_outcomes(struct session *s);
/* Makes an execution, or the beginning of one, that somebody else made. False if it is not possible. */
[[nodiscard]] bool session_repeat(struct session *s, const struct schedule *schedule);
