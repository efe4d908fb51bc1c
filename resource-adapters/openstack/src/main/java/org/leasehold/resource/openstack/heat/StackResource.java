package org.leasehold.resource.openstack.heat;

/**
 * A resource of a stack in Heat, but none that is only a stack of others.
 *
 * @param name with the path of its nested stack as prefix, followed by a dot
 * @param type such as {@code OS::Nova::Server}
 * @param cloudId the cloud's id of it; empty while there is none
 */
public record StackResource(String name, String type, String cloudId) {}
