package org.leasehold.gateway.api.capacity;

import org.leasehold.readmodel.capacity.Forecasts;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Forecasts that are good for a week, not for two, and that lack history for more. */
public final class FakeForecasts implements Forecasts {

    private final List<AskForecast> questions = new CopyOnWriteArrayList<>();

    AskForecast lastQuestion() {
        return questions.getLast();
    }

    @Override
    public Forecast forecast(AskForecast question) {
        questions.add(question);
        return switch (question.weeks()) {
            case 1 ->
                    new Forecast(
                            24,
                            trial("0.810"),
                            List.of(
                                    new Hour(
                                            question.from(),
                                            new BigDecimal("12.500"),
                                            new BigDecimal("9.000"),
                                            new BigDecimal("16.125"),
                                            new BigDecimal("4.000000"),
                                            new BigDecimal("16.000000"))));
            case 2 -> new Forecast(26, trial("0.690"), List.of());
            default -> new Forecast(27, null, List.of());
        };
    }

    private static Trial trial(String coverage) {
        return new Trial(
                8, new BigDecimal(coverage), new BigDecimal("3.100"), new BigDecimal("4.200"));
    }
}
