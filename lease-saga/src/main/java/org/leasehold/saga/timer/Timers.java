package org.leasehold.saga.timer;

import java.util.List;

/**
 * Durable timers. Calls in a transaction take effect with it. A timer's command may be sent more
 * than once.
 */
public interface Timers {

    /**
     * Sets timers. One with the same key is replaced, also while it fires: its command is then sent
     * once more at the new time.
     */
    void set(List<Timer> timers);

    /** Cancels timers; keys without a timer are no error. */
    void cancel(List<String> keys);
}
