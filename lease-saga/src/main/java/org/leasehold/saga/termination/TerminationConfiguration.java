package org.leasehold.saga.termination;

import org.axonframework.config.ConfigurerModule;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.StatelessSaga;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.List;

@Configuration(proxyBeanMethods = false)
class TerminationConfiguration {

    @Bean
    ConfigurerModule terminationProcess(ReactionExecutor reactions, Leases leases) {
        Termination termination = new Termination(lease -> active(leases, lease));
        return configurer ->
                configurer
                        .eventProcessing()
                        .registerEventHandler(
                                _ -> new StatelessSaga(termination::react, reactions));
    }

    private static List<ReservationId> active(Leases leases, LeaseId lease) {
        return leases.find(lease, null).stream()
                .flatMap(found -> found.reservations().stream())
                .filter(reservation -> reservation.status() == ReservationView.Status.ACTIVE)
                .map(ReservationView::id)
                .toList();
    }
}
