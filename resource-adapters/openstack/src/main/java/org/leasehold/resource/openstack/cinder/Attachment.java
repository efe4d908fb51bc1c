package org.leasehold.resource.openstack.cinder;

/**
 * That a volume is attached, or about to be, or kept for a server that is shelved, by Cinder's
 * word, which may be its holder's.
 *
 * @param id Cinder's name of the attachment
 * @param server where; empty if not to a server
 */
public record Attachment(String id, String server) {}
