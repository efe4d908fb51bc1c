package org.leasehold.resource.openstack.compute;

/**
 * A volume of a server, from Nova. Cinder's data is not enough: the volume's owner can make Cinder
 * record an attachment to any server.
 *
 * @param server the server's id
 * @param volume the volume's id
 * @param project the server's project
 * @param status the server's, in Nova's word, such as {@code ACTIVE}
 * @param isRoot whether the server started from it
 * @param goesWithServer whether Nova deletes it with the server
 */
public record AttachedVolume(
        String server,
        String volume,
        String project,
        String status,
        boolean isRoot,
        boolean goesWithServer) {}
