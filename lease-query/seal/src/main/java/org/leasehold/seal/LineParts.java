package org.leasehold.seal;

/**
 * What a line of an export has in it byte by byte, and the hash or the signature after it.
 *
 * @param first JSON
 * @param second without a quotation mark in it
 */
record LineParts(String first, String second) {

    static final String HASH = ",\"hash\":\"";
    static final String SIGNATURE = ",\"signature\":\"";

    private static final String END = "\"}";

    String joined(String start, String between) {
        return start + first + between + second + END;
    }

    /**
     * Reads a line that begins as it should. Of all that look like it, the last one is what is
     * between: the second part has no quotation mark.
     *
     * @throws IllegalArgumentException if it does not go on so
     */
    static LineParts of(String text, String start, String between) {
        int middle = text.lastIndexOf(between);
        int second = middle + between.length();
        int end = text.length() - END.length();
        if (middle < start.length() || second > end || !text.endsWith(END)) {
            throw new IllegalArgumentException("not a line of an export");
        }
        return new LineParts(text.substring(start.length(), middle), text.substring(second, end));
    }
}
