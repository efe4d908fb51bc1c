package org.leasehold.resource.openstack.compute;

/** A server on a host. */
public record NovaServer(String id, String name, String project, String status) {}
