package org.leasehold.bench;

import java.util.List;

/** How long it takes to list leases, and to find out when something is free. */
record Reads(Gateway gateway, Settings settings) {

    private static final int WARM_UP = 10;
    private static final int LISTS = 50;
    private static final int QUESTIONS = 500;

    List<Figure> list() throws InterruptedException {
        ClosedLoop.Outcome whole = alone(LISTS, "/v1/leases");
        ClosedLoop.Outcome page = alone(QUESTIONS, "/api/leases?limit=100");
        String all = "all %d leases".formatted(settings.leases());
        return List.of(
                Figure.told("list", all + ", p50", whole.millis(50), "ms"),
                Figure.below("list", all + ", p99", whole.millis(99), "ms", 500),
                Figure.told("list", "a page of 100, p50", page.millis(50), "ms"),
                Figure.told("list", "a page of 100, p99", page.millis(99), "ms"));
    }

    List<Figure> availability() throws InterruptedException {
        ask(WARM_UP);
        ClosedLoop.Outcome answered = ask(QUESTIONS);
        return List.of(
                Figure.told("availability", "p50", answered.millis(50), "ms"),
                Figure.told("availability", "p99", answered.millis(99), "ms"));
    }

    private ClosedLoop.Outcome alone(int times, String path) throws InterruptedException {
        ClosedLoop.Question question = _ -> gateway.get(path);
        ClosedLoop.run(1, 200, ClosedLoop.times(WARM_UP), question).clean();
        return ClosedLoop.run(1, 200, ClosedLoop.times(times), question).clean();
    }

    /** From one to fifty hosts with the property, for one to eight hours, within thirty days. */
    private ClosedLoop.Outcome ask(int times) throws InterruptedException {
        return ClosedLoop.run(
                        1,
                        200,
                        ClosedLoop.times(times),
                        random ->
                                gateway.post(
                                        "/api/availability",
                                        """
                                        {"kind": "physical:host", "duration": "PT%dH", "parameters": %s}\
                                        """
                                                .formatted(
                                                        1 + random.nextInt(8),
                                                        Fleet.parameters(
                                                                1 + random.nextInt(50),
                                                                Fleet.FILTER))))
                .clean();
    }
}
