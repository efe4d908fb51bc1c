package org.leasehold.gateway.request.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The known names that are near an unknown one: most likely it is a misspelling of them. Callers
 * pass only names that the client may see.
 */
public final class NearNames {

    /** The part of a client's name that is compared. It bounds the work. */
    private static final int COMPARED_LENGTH = 64;

    private static final int MAX_SUGGESTIONS = 3;
    private static final int MAX_DISTANCE = 2;

    /** Up to this length, two edits may change a name into any other. */
    private static final int SHORT_NAME = 4;

    private NearNames() {}

    /**
     * Returns the end of a sentence about an unknown name, such as {@code ; did you mean "min"?};
     * empty if no known name is near.
     */
    public static String suggestion(String unknown, Collection<String> known) {
        return suggestion(find(unknown, known));
    }

    /** Returns the end of a sentence that suggests these names. */
    public static String suggestion(List<String> near) {
        return near.isEmpty()
                ? ""
                : near.stream()
                        .map(name -> '"' + name + '"')
                        .collect(Collectors.joining(" or ", "; did you mean ", "?"));
    }

    /** Returns the known names that are near an unknown one, the nearest first. */
    public static List<String> find(String unknown, Collection<String> known) {
        if (unknown.length() > COMPARED_LENGTH) {
            return List.of();
        }
        String name = unknown.toLowerCase(Locale.ROOT);
        int furthest = name.length() <= SHORT_NAME ? 1 : MAX_DISTANCE;
        return known.stream()
                .filter(each -> Math.abs(each.length() - name.length()) <= furthest)
                .map(each -> new Candidate(each, distance(name, each.toLowerCase(Locale.ROOT))))
                .filter(each -> each.distance() <= furthest)
                .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                .limit(MAX_SUGGESTIONS)
                .map(Candidate::name)
                .toList();
    }

    private record Candidate(String name, int distance) {}

    /** Returns the edit distance: letters to add, remove or replace, or neighbours to swap. */
    private static int distance(String one, String other) {
        int[] earlier = new int[other.length() + 1];
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] now = new int[other.length() + 1];
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                boolean same = one.charAt(i - 1) == other.charAt(j - 1);
                int replaced = before[j - 1] + (same ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
                if (areSwapped(one, i, other, j)) {
                    now[j] = Math.min(now[j], 1 + earlier[j - 2]);
                }
            }
            earlier = before;
            before = now;
        }
        return before[other.length()];
    }

    private static boolean areSwapped(String one, int i, String other, int j) {
        return i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
    }
}
