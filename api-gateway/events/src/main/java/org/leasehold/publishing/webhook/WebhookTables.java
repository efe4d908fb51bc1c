package org.leasehold.publishing.webhook;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The tables of the deliveries to webhooks, and the connections that they share. */
record WebhookTables(
        WebhookConnections connections, WebhookOffsetTable webhooks, DeliveryTable deliveries) {

    static WebhookTables of(JdbcClient jdbc, TransactionTemplate transactions) {
        WebhookConnections connections = new WebhookConnections(transactions);
        WebhookOffsetTable webhooks = new WebhookOffsetTable(jdbc, connections);
        return new WebhookTables(
                connections, webhooks, new DeliveryTable(jdbc, connections, webhooks));
    }
}
