package org.leasehold.topic;

import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/** Which numbers of a project's are there, in eight bytes each: a topic may have millions. */
final class Numbers {

    private static final int BLOCK = 1024;

    /** What a number was seen with; 0 for those that were not seen. */
    private final TreeMap<Long, long[]> blocks = new TreeMap<>();

    private long greatest;

    enum Seen {
        NEVER,
        WITH_THIS_ID,
        WITH_ANOTHER_ID
    }

    /** Numbers that follow each other. */
    record Gap(long first, long last) {

        @Override
        public String toString() {
            return first == last ? "" + first : first + " to " + last;
        }
    }

    /** Notes a number, from 1, and says whether it was there before. */
    Seen take(long number, UUID id) {
        long[] block = blocks.computeIfAbsent(number / BLOCK, _ -> new long[BLOCK]);
        int place = (int) (number % BLOCK);
        long mark = mark(id);
        if (block[place] == 0) {
            block[place] = mark;
            greatest = Math.max(greatest, number);
            return Seen.NEVER;
        }
        return block[place] == mark ? Seen.WITH_THIS_ID : Seen.WITH_ANOTHER_ID;
    }

    /** Ids are random: two of them hardly ever have the same. */
    private static long mark(UUID id) {
        long mark = id.getMostSignificantBits() ^ id.getLeastSignificantBits();
        return mark == 0 ? 1 : mark;
    }

    /** The greatest that is there; 0 for none. */
    long greatest() {
        return greatest;
    }

    /** Tells which of 1 to a last one, seen or not, are not there. */
    void gaps(long last, Consumer<Gap> each) {
        long before = 0;
        for (var block : blocks.headMap(last / BLOCK, true).entrySet()) {
            for (int place = 0; place < BLOCK; place++) {
                long number = block.getKey() * BLOCK + place;
                if (block.getValue()[place] != 0 && number <= last) {
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
