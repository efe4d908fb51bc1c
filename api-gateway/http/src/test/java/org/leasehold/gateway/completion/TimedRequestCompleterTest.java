package org.leasehold.gateway.completion;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

class TimedRequestCompleterTest {

    private static final ResourceKind KIND = new ResourceKind("sample");
    private static final ResourceKind OTHER = new ResourceKind("plain");
    private static final RequestCompleter.Asker ASKER =
            new RequestCompleter.Asker(new ProjectId("p1"), null, "req-1");

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Test
    @Timeout(30)
    void a_hanging_completion_is_cancelled_after_the_timeout() throws InterruptedException {
        try (var completions =
                new TimedRequestCompleter(plugins(this::hang), Duration.ofMillis(20))) {
            Completion completion = completions.complete(KIND, Map.of(), Map.of(), ASKER);

            assertThat(completion).isInstanceOf(Completion.Unknown.class);
            assertThat(((Completion.Unknown) completion).fault().kind())
                    .isEqualTo(Fault.Kind.RETRYABLE);
            stopped.await();
        }
    }

    private Completion hang(Map<String, @Nullable Object> asked) {
        try {
            new CountDownLatch(1).await();
            throw new AssertionError("nobody counts down");
        } catch (InterruptedException givenUp) {
            stopped.countDown();
            Thread.currentThread().interrupt();
            return new Completion.Complete(asked);
        }
    }

    @Test
    void fields_that_the_cloud_adds_are_removed_from_the_request() {
        try (var completions =
                new TimedRequestCompleter(
                        plugins(Completion.Complete::new), Duration.ofMinutes(1))) {
            assertThat(completions.complete(KIND, Map.of("said", 1, "asked", 2), Map.of(), ASKER))
                    .isEqualTo(new Completion.Complete(Map.of("asked", 2)));
            assertThat(completions.cloudOnlyParameters(KIND)).containsExactly("said");
        }
    }

    @Test
    void a_kind_without_a_completer_is_left_unchanged() {
        try (var completions =
                new TimedRequestCompleter(plugins(this::hang), Duration.ofMinutes(1))) {
            assertThat(completions.complete(OTHER, Map.of("said", 1), Map.of(), ASKER))
                    .isEqualTo(new Completion.Complete(Map.of("said", 1)));
            assertThat(completions.cloudOnlyParameters(OTHER)).isEmpty();
        }
    }

    private interface Cloud {
        Completion answer(Map<String, @Nullable Object> asked);
    }

    private static Plugins plugins(Cloud cloud) {
        return new Plugins() {
            @Override
            public Optional<ResourcePlugin> find(ResourceKind kind) {
                return kind.equals(KIND) ? Optional.of(new Sample(cloud)) : Optional.empty();
            }

            @Override
            public SortedSet<String> kinds() {
                return new TreeSet<>(Set.of(KIND.value()));
            }
        };
    }

    private record Sample(Cloud cloud) implements ResourcePlugin, RequestCompleter {

        @Override
        public ResourceKind kind() {
            return KIND;
        }

        @Override
        public Optional<RequestCompleter> requestCompleter() {
            return Optional.of(this);
        }

        @Override
        public Set<String> addedParameters() {
            return Set.of("said");
        }

        @Override
        public Completion complete(
                Map<String, @Nullable Object> asked,
                Map<String, @Nullable Object> present,
                Asker asker) {
            return cloud.answer(asked);
        }

        @Override
        public Planning planning() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Acting acting() {
            throw new UnsupportedOperationException();
        }
    }
}
