package org.leasehold.resource.openstack;

import tools.jackson.databind.JsonNode;

/**
 * What a service answered.
 *
 * @param body a missing node when there was none
 */
public record Answer(int status, JsonNode body) {}
