package org.leasehold.gateway.api.capacity;

import org.leasehold.readmodel.capacity.Capacities;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Returns ten hosts for all queries: nine are in service and two and a half are taken. */
public final class FakeCapacities implements Capacities {

    private final List<AskCapacity> questions = new CopyOnWriteArrayList<>();

    AskCapacity lastQuestion() {
        return questions.getLast();
    }

    @Override
    public List<Series> findSeries(AskCapacity question) {
        questions.add(question);
        return List.of(
                new Series(
                        question.by() == null ? null : "east",
                        List.of(
                                new Bucket(
                                        question.from(),
                                        question.to(),
                                        new BigDecimal("10.000000"),
                                        new BigDecimal("9.000000"),
                                        new BigDecimal("2.500000"),
                                        new BigDecimal("1.000000"),
                                        new BigDecimal("0.250000"),
                                        new BigDecimal("0.000000"))),
                        new Extreme(question.from(), new BigDecimal("2.500000")),
                        new Extreme(question.from(), new BigDecimal("6.500000")),
                        question.wanted() > 6
                                ? new Extreme(question.from(), new BigDecimal("6.500000"))
                                : null));
    }

    @Override
    public List<Standing> capacityAt(Instant at) {
        return List.of();
    }
}
