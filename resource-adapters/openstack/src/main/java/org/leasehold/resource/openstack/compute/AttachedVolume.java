package org.leasehold.resource.openstack.compute;

/**
 * A volume that a server has, by Nova's word. Cinder's is not enough: whoever has a volume may tell
 * Cinder that it is attached to any server.
 *
 * @param server the server's id
 * @param volume the volume's id
 * @param project whose the server is
 * @param status the server's, as Nova has it, such as {@code ACTIVE}
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
