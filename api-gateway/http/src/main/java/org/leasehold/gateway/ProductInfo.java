package org.leasehold.gateway;

/**
 * The build of this engine, and the cloud that it leases.
 *
 * @param simulated whether the cloud is simulated, so that no real host is touched
 */
public record ProductInfo(String version, boolean simulated) {}
