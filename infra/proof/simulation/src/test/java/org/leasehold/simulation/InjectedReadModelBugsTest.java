package org.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.eventhandling.DomainEventMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceReplaced;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.lease.InMemoryLeases;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.List;

/** Tests that the simulation detects wrong views, accounts and charges. */
class InjectedReadModelBugsTest extends InjectedBugsFixture {

    @Test
    void the_simulation_detects_a_missing_project_filter() {
        assertThat(complaint(Indiscreet::new)).contains("another's lease");
    }

    private static final class Indiscreet extends EngineParts {
        @Override
        InMemoryLeases leases() {
            return new InMemoryLeases() {
                @Override
                protected boolean isOf(LeaseView lease, @Nullable ProjectId project) {
                    return true;
                }
            };
        }
    }

    @Test
    void the_simulation_detects_usage_that_ignores_an_early_end() {
        assertThat(complaint(Unending::new)).contains("is accounted for");
    }

    /** Counts an ending lease as active until its resources are released or its window is over. */
    private static final class Unending extends EngineParts {
        @Override
        List<AccountEntry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.account(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof LeaseEnding))
                            .toList(),
                    until);
        }
    }

    @Test
    void the_simulation_detects_usage_that_ignores_an_outage() {
        assertThat(complaint(Unfailing::new)).contains("is accounted for");
    }

    /** Counts a host that is down as active. */
    private static final class Unfailing extends EngineParts {
        @Override
        List<AccountEntry> account(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.account(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof ResourceFailed))
                            .toList(),
                    until);
        }
    }

    @Test
    void the_simulation_detects_charges_without_credits() {
        assertThat(complaint(Greedy::new)).contains("is charged for");
    }

    /** Charges lost time without a credit. */
    private static final class Greedy extends EngineParts {
        @Override
        List<Charge> charges(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.charges(life, until).stream()
                    .filter(charge -> charge.what() != Charge.What.CREDIT)
                    .toList();
        }
    }

    @Test
    void the_simulation_detects_charges_for_a_replaced_resource() {
        assertThat(complaint(Unreplaced::new)).contains("is charged for");
    }

    /** Continues to charge for a replaced resource. */
    private static final class Unreplaced extends EngineParts {
        @Override
        List<Charge> charges(List<? extends DomainEventMessage<?>> life, Instant until) {
            return super.charges(
                    life.stream()
                            .filter(message -> !(message.getPayload() instanceof ResourceReplaced))
                            .toList(),
                    until);
        }
    }
}
