package org.leasehold.resource.openstack.heat;

/**
 * A resource of a stack in Heat, but none that is nothing but a stack of others.
 *
 * @param name with the path of the stack that it is nested in before it, followed by a dot
 * @param type such as {@code OS::Nova::Server}
 * @param cloudId what the cloud calls it; empty as long as there is none
 */
public record StackResource(String name, String type, String cloudId) {}
