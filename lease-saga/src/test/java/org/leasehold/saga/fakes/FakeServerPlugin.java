package org.leasehold.saga.fakes;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.resource.server.ServerRequestCompleter;
import org.leasehold.resource.server.Servers;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A plug-in for servers that plans and completes requests, as the only one. It changes no server.
 */
public abstract class FakeServerPlugin implements Plugins, ResourcePlugin, Servers {

    public static final ProjectId PROJECT = new ProjectId("astronomy");
    public static final UserId USER = new UserId("ada");

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return Optional.of(this);
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(kind().value()));
    }

    @Override
    public ResourceKind kind() {
        return ResourceKind.SERVER;
    }

    @Override
    public Planning planning() {
        return new ServerPlanning();
    }

    @Override
    public Optional<RequestCompleter> requestCompleter() {
        return Optional.of(new ServerRequestCompleter(this));
    }

    @Override
    public Listening subscribe(Runnable news) {
        return () -> {};
    }

    @Override
    public Acting acting() {
        throw new UnsupportedOperationException();
    }
}
