package org.leasehold.runtime.moving;

/**
 * A message for an operator.
 *
 * @param about its subject, such as {@code lease 5c1f…}
 */
record ImportMessage(String about, String text) {

    @Override
    public String toString() {
        return about + ": " + text;
    }
}
