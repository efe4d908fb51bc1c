package org.leasehold.runtime.audit;

import org.leasehold.query.seal.HeadSigner;
import org.leasehold.saga.node.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.util.concurrent.TimeUnit;

/** Signs the head of each day that is over, if events are sealed. */
final class DailyHeadSigner {

    private static final Logger LOG = LoggerFactory.getLogger(DailyHeadSigner.class);

    private final HeadSigner heads;
    private final Node node;

    DailyHeadSigner(HeadSigner heads, Node node) {
        this.heads = heads;
        this.node = node;
    }

    @Scheduled(initialDelay = 10, fixedDelay = 60, timeUnit = TimeUnit.SECONDS)
    void sign() {
        if (node.works()) {
            heads.signDailyHead()
                    .ifPresent(
                            head ->
                                    LOG.atInfo()
                                            .addKeyValue("head", head.number())
                                            .log("The day that is over is signed"));
        }
    }
}
