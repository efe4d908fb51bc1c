package org.leasehold.resource.openstack.compute;

/** A server on a host. */
public record Server(String id, String name, String project, String status) {}
