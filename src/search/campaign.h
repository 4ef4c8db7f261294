/* A folder that keeps an exploration which takes longer than one sitting: what was found, and what is left. It holds one SQLite database,
 * written in transactions: a process that is killed loses what it did since the last one.
 *
 * One changed byte could make a BUG a BOUNDED, so a campaign is whole or an error: SQLite looks at its pages, and each value begins with a
 * checksum of its name and itself. Both values are there from the first transaction on, the state empty until it is saved. */
#pragma once
#include "base/err.h"
#include "base/wire.h"

struct campaign;

/* Opens the folder's campaign, or begins one (the folder is made if it is not there). `of` says what is explored; ERR_USAGE if the folder
 * holds something else's, or another process works on it; ERR_FILE, ERR_FORMAT. */
[[nodiscard]] enum err campaign_open(const char *folder, const char *of, struct campaign **out, struct diag *d);
/* May be NULL. */
void campaign_close(struct campaign *c);
/* Has a state been saved? */
bool campaign_begun(const struct campaign *c);
/* The state saved when it was opened. */
struct wire campaign_state(const struct campaign *c);
[[nodiscard]] enum err campaign_save(struct campaign *c, const struct text *state, struct diag *d);
enum err campaign_corrupt(const struct campaign *c, struct diag *d);
