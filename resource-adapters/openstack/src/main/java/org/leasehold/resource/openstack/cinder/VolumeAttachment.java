package org.leasehold.resource.openstack.cinder;

/**
 * An attachment of a volume that is used, prepared, or kept for a shelved server. It is Cinder's
 * data, which the volume's holder may have written.
 *
 * @param id Cinder's id of it
 * @param server the server's id; empty if it is not to a server
 */
public record VolumeAttachment(String id, String server) {}
