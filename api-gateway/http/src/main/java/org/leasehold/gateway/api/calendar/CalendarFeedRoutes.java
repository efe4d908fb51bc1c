package org.leasehold.gateway.api.calendar;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.calendar.CalendarRequestBodies.FeedRequest;
import org.leasehold.gateway.api.calendar.CalendarResponses.CreatedFeed;
import org.leasehold.gateway.api.calendar.CalendarResponses.FeedLine;
import org.leasehold.gateway.api.calendar.CalendarResponses.FeedList;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.problem.SubscriptionProblems;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.request.header.PublicBaseUrl;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.calendar.CalendarFeeds;
import org.leasehold.readmodel.calendar.CalendarFeeds.CalendarFeed;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.vocabulary.UserId;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.util.UUID;

/** Routes for feeds, by which programs that cannot log in read the calendar of a project. */
@RestController
@Tag(name = "calendar")
class CalendarFeedRoutes {

    private final CalendarFeeds feeds;
    private final EventLogPositions positions;
    private final CommandContextFactory contexts;

    CalendarFeedRoutes(
            CalendarFeeds feeds, EventLogPositions positions, CommandContextFactory contexts) {
        this.feeds = feeds;
        this.positions = positions;
        this.contexts = contexts;
    }

    @Operation(
            operationId = "openCalendarFeed",
            summary = "Create a calendar feed of the project",
            description =
                    "Returns a secret address of an iCalendar file."
                            + " Anyone with the address sees the names, times and"
                            + " resources of the project's leases without a login."
                            + " Only this response contains the address. If you"
                            + " repeat the request with its Idempotency-Key, the same"
                            + " feed gets a new address, and the old one stops"
                            + " working.")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @PostMapping("/api/calendar/feeds")
    ResponseEntity<CreatedFeed> open(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody FeedRequest wish,
            HttpServletRequest request) {
        String root = baseUrl(request);
        CalendarFeedSecret secret = CalendarFeedSecret.generate();
        CommandContext context = contexts.forSubscription(caller, request);
        CalendarFeed feed =
                new CalendarFeed(
                        contexts.subscriptionIdFor(context),
                        caller.project(),
                        caller.user(),
                        wish.name(),
                        context.now());
        SubscriptionProblems.requireCreated(
                feeds.open(feed, secret.hash(), context),
                context,
                Problem.of(
                        409,
                        "too-many-feeds",
                        "The project has %s feeds already; end one that nobody needs."
                                .formatted(CalendarFeeds.MAX_PER_PROJECT)));
        return ResponseEntity.status(HttpStatus.CREATED)
                .headers(EventLogHeaders.at(positions.last()))
                .body(CreatedFeed.of(feed, root + secret.path()));
    }

    private static String baseUrl(HttpServletRequest request) {
        try {
            return PublicBaseUrl.of(request);
        } catch (IllegalArgumentException malformedHeader) {
            throw new ProblemException(
                    Problem.of(400, "bad-request", "The X-Forwarded headers are malformed."));
        }
    }

    @Operation(
            operationId = "listCalendarFeeds",
            summary = "List calendar feeds of the project, oldest first",
            description =
                    "Their addresses are secret and not stored, so the"
                            + " list does not have them. The Link header with"
                            + " rel=next leads to the next page.")
    @GetMapping("/api/calendar/feeds")
    ResponseEntity<FeedList> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        Page<FeedLine> page =
                feeds.list(caller.project(), paging.marker(), paging.limit()).map(FeedLine::of);
        return NextPageLink.response(request, page, FeedList::new);
    }

    @Operation(
            operationId = "closeCalendarFeed",
            summary = "Delete a calendar feed",
            description =
                    "Its address stops working at once. Members may delete"
                            + " every feed of their project, readers only their own.")
    @ApiResponse(responseCode = "204")
    @DeleteMapping("/api/calendar/feeds/{id}")
    ResponseEntity<Void> close(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        UserId user = caller.hasRole(Role.MEMBER) ? null : caller.user();
        if (!feeds.close(id, caller.project(), user, contexts.of(caller, request))) {
            throw new ProblemException(Problem.notFound("feed"));
        }
        return ResponseEntity.noContent().headers(EventLogHeaders.at(positions.last())).build();
    }
}
