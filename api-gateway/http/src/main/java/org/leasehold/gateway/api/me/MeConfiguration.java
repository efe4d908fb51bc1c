package org.leasehold.gateway.api.me;

import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.gateway.api.me.MeResponses.ClientLimits;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.lease.LeaseLimits;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.subscription.WebhookRules;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class MeConfiguration {

    @Bean
    ClientLimits clientLimits(LimitSettings settings, LeaseLimits leases, WebhookRules webhooks) {
        return new ClientLimits(
                settings.requests().perSecond(),
                settings.requests().burst(),
                settings.requests().atOnce(),
                settings.bodies().largest().toBytes(),
                settings.bodies().largestTemplate().toBytes(),
                PageSize.MAX,
                leases.reservationsPerLease(),
                leases.leasesPerProject(),
                webhooks.maxPerProject(),
                Resources.MAX_VALUES);
    }
}
