package org.leasehold.runtime.moving;

/**
 * Something that an operator is to know.
 *
 * @param about what it is about, such as {@code lease 5c1f…}
 */
record Note(String about, String text) {

    @Override
    public String toString() {
        return about + ": " + text;
    }
}
