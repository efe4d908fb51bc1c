package org.leasehold.gateway.api.event;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.api.event.EventResponses.EventNumbers;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.security.Caller;
import org.leasehold.history.Epochs;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.LastEventNumbers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The numbers of events, for consumers that check whether they have all events. */
@RestController
@Tag(name = "events")
class EventNumberRoutes {

    private final LastEventNumbers numbers;
    private final Epochs epochs;

    EventNumberRoutes(LastEventNumbers numbers, ObjectProvider<Epochs> epochs) {
        this.numbers = numbers;
        this.epochs = epochs.getIfAvailable(() -> Epochs.FIRST);
    }

    @Operation(
            operationId = "listEventNumbers",
            summary = "List the last event number of each project",
            description =
                    "All numbers belong to one position. A consumer that"
                            + " has all events of each project from 1 to its number"
                            + " has missed none. Callers get the numbers of those"
                            + " projects whose events they may see. The response is"
                            + " not paged. Epochs say which positions belong to lost"
                            + " events.")
    @AnsweredFrom(EventFeed.READ_MODEL)
    @GetMapping("/api/events/numbers")
    EventNumbers list(@AuthenticationPrincipal Caller caller) {
        return EventNumbers.of(numbers.findVisible(EventAccess.audience(caller)), epochs);
    }
}
