package org.leasehold.resource.openstack.host;

/** A server on some host. */
record Server(String id, String name, String project, String status) {}
