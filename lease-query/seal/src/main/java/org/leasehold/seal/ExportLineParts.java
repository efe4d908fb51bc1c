package org.leasehold.seal;

/**
 * The embedded JSON of a line of an export, byte by byte, and the hash or signature after it.
 *
 * @param first JSON
 * @param second contains no quotation mark
 */
record ExportLineParts(String first, String second) {

    static final String HASH = ",\"hash\":\"";
    static final String SIGNATURE = ",\"signature\":\"";

    private static final String END = "\"}";

    String join(String start, String between) {
        return start + first + between + second + END;
    }

    /**
     * Reads a line with a known start. The last occurrence of {@code between} separates the parts,
     * as the second part has no quotation mark.
     *
     * @throws IllegalArgumentException if the rest has another form
     */
    static ExportLineParts of(String text, String start, String between) {
        int middle = text.lastIndexOf(between);
        int second = middle + between.length();
        int end = text.length() - END.length();
        if (middle < start.length() || second > end || !text.endsWith(END)) {
            throw new IllegalArgumentException("not a line of an export");
        }
        return new ExportLineParts(
                text.substring(start.length(), middle), text.substring(second, end));
    }
}
