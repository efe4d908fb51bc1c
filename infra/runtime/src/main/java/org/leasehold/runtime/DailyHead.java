package org.leasehold.runtime;

import org.leasehold.query.seal.Heads;
import org.leasehold.saga.node.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.util.concurrent.TimeUnit;

/** Signs the head of each day that is over, if events are sealed. */
final class DailyHead {

    private static final Logger LOG = LoggerFactory.getLogger(DailyHead.class);

    private final Heads heads;
    private final Node node;

    DailyHead(Heads heads, Node node) {
        this.heads = heads;
        this.node = node;
    }

    @Scheduled(initialDelay = 10, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
    void sign() {
        if (node.works()) {
            heads.ofTheDay()
                    .ifPresent(
                            head ->
                                    LOG.atInfo()
                                            .addKeyValue("head", head.number())
                                            .log("The day that is over is signed"));
        }
    }
}
