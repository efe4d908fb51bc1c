package org.leasehold.resource.openstack.compute;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Nova's data of a host. */
public final class FakeHost {
    public final String name;
    public final String service;
    public String type = "QEMU";
    public long memoryMb = 262_144;
    public boolean up = true;
    public boolean enabled = true;
    public List<String> features = List.of();

    FakeHost(String name, String service) {
        this.name = name;
        this.service = service;
    }

    public String id() {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
