package org.leasehold.query.metering;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.vocabulary.ReservationId;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The difference between two accounts of a lease. Overrun is left out: it was not promised, and no
 * project is charged for it.
 */
final class AccountDifference {

    private static final int ACTIVE = 0;
    private static final int LOST = 1;

    /** The changes of the slots' difference, by allocation and instant. */
    private final Map<Key, TreeMap<Instant, int[]>> changes = new LinkedHashMap<>();

    private record Key(ReservationId reservation, ResourceId resource, Allocation allocation) {}

    private AccountDifference() {}

    /** Returns the lines in an order that follows from both accounts, without their common part. */
    static List<AccountDifferenceLine> of(List<AccountEntry> before, List<AccountEntry> after) {
        AccountDifference difference = new AccountDifference();
        before.forEach(entry -> difference.add(entry, -1));
        after.forEach(entry -> difference.add(entry, 1));
        List<AccountDifferenceLine> lines = new ArrayList<>();
        difference.changes.forEach((key, instants) -> add(lines, key, instants));
        return lines;
    }

    private void add(AccountEntry entry, int sign) {
        int which =
                switch (entry.what()) {
                    case ACTIVE -> ACTIVE;
                    case LOST -> LOST;
                    case OVERRUN -> -1;
                };
        if (which < 0) {
            return;
        }
        Key key =
                new Key(
                        entry.reservation(),
                        entry.resource(),
                        Objects.requireNonNull(entry.promised()));
        TreeMap<Instant, int[]> instants = changes.computeIfAbsent(key, _ -> new TreeMap<>());
        instants.computeIfAbsent(entry.starts(), _ -> new int[2])[which] += sign * entry.slots();
        instants.computeIfAbsent(entry.ends(), _ -> new int[2])[which] -= sign * entry.slots();
    }

    private static void add(
            List<AccountDifferenceLine> lines, Key key, Map<Instant, int[]> instants) {
        int active = 0;
        int lost = 0;
        Instant from = Instant.MIN;
        for (Map.Entry<Instant, int[]> instant : instants.entrySet()) {
            int[] change = instant.getValue();
            if (change[ACTIVE] == 0 && change[LOST] == 0) {
                // Both accounts change in the same way there.
                continue;
            }
            if (active != 0 || lost != 0) {
                lines.add(
                        new AccountDifferenceLine(
                                key.reservation(),
                                key.resource(),
                                key.allocation(),
                                from,
                                instant.getKey(),
                                active,
                                lost));
            }
            active += change[ACTIVE];
            lost += change[LOST];
            from = instant.getKey();
        }
    }
}
