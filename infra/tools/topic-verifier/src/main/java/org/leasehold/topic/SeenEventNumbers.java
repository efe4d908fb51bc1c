package org.leasehold.topic;

import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/** The seen numbers of a project, in eight bytes each: a topic may have millions. */
final class SeenEventNumbers {

    private static final int BLOCK_SIZE = 1024;

    /** The marks of the seen numbers; 0 for numbers not seen. */
    private final TreeMap<Long, long[]> blocks = new TreeMap<>();

    private long greatest;

    enum Seen {
        NEVER,
        WITH_THIS_ID,
        WITH_ANOTHER_ID
    }

    /** A range of consecutive numbers. */
    record Gap(long first, long last) {

        @Override
        public String toString() {
            return first == last ? "" + first : first + " to " + last;
        }
    }

    /** Adds a number, from 1, and returns whether it was seen before. */
    Seen addNumber(long number, UUID id) {
        long[] block = blocks.computeIfAbsent(number / BLOCK_SIZE, _ -> new long[BLOCK_SIZE]);
        int index = (int) (number % BLOCK_SIZE);
        long mark = markOf(id);
        if (block[index] == 0) {
            block[index] = mark;
            greatest = Math.max(greatest, number);
            return Seen.NEVER;
        }
        return block[index] == mark ? Seen.WITH_THIS_ID : Seen.WITH_ANOTHER_ID;
    }

    /** Returns a mark for an id. Ids are random: two of them hardly ever have the same mark. */
    private static long markOf(UUID id) {
        long mark = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
        return mark == 0 ? 1 : mark;
    }

    /** Returns the greatest number seen; 0 for none. */
    long greatest() {
        return greatest;
    }

    /** Passes on the missing ranges from 1 to a last number, which may be missing itself. */
    void forEachGap(long last, Consumer<Gap> each) {
        long before = 0;
        for (var block : blocks.headMap(last / BLOCK_SIZE, true).entrySet()) {
            for (int index = 0; index < BLOCK_SIZE; index++) {
                long number = block.getKey() * BLOCK_SIZE + index;
                if (block.getValue()[index] != 0 && number <= last) {
                    if (number > before + 1) {
                        each.accept(new Gap(before + 1, number - 1));
                    }
                    before = number;
                }
            }
        }
        if (before < last) {
            each.accept(new Gap(before + 1, last));
        }
    }
}
