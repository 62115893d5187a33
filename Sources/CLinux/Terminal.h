#pragma once
// Async-signal-safe; does nothing when no echo is off.
void linux_terminal_restore(void);
