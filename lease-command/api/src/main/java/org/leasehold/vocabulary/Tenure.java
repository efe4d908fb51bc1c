package org.leasehold.vocabulary;

/**
 * The right of a reservation to act on the resources that it holds. A later tenure of the same
 * resources has a higher generation; work that carries an older one must do nothing.
 *
 * @param reservation the holder
 * @param generation the fencing token; rises with every hand-over
 */
public record Tenure(ReservationId reservation, long generation) {}
