package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Acting;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequiredRight;
import org.leasehold.resource.ResourcePlugin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A gate before a product's plug-ins. A closed gate delays an action until the test opens it: a
 * slow cloud without guesses about its speed.
 */
final class PluginGate {

    /** An action of a plug-in for a reservation. */
    enum Action {
        START("onStart"),
        ADJUST("onAdjust"),
        END("onEnd");

        private final String method;

        Action(String method) {
            this.method = method;
        }
    }

    private final Set<Action> closed = EnumSet.noneOf(Action.class);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();

    void close(Action action) {
        lock.lock();
        try {
            closed.add(action);
        } finally {
            lock.unlock();
        }
    }

    void open() {
        lock.lock();
        try {
            closed.clear();
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void pass(Method method) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (closed.stream().anyMatch(action -> action.method.equals(method.getName()))) {
                opened.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the same plug-ins, behind this gate. */
    Plugins before(Plugins plugins) {
        return new Plugins() {
            @Override
            public Optional<ResourcePlugin> find(ResourceKind kind) {
                return plugins.find(kind).map(plugin -> new GatedPlugin(plugin, gated(plugin)));
            }

            @Override
            public SortedSet<String> kinds() {
                return plugins.kinds();
            }

            @Override
            public SortedMap<String, String> names() {
                return plugins.names();
            }
        };
    }

    private Acting gated(ResourcePlugin plugin) {
        Acting acting = plugin.acting();
        return (Acting)
                Proxy.newProxyInstance(
                        Acting.class.getClassLoader(),
                        new Class<?>[] {Acting.class},
                        (_, method, arguments) -> {
                            pass(method);
                            return call(acting, method, arguments);
                        });
    }

    private static @Nullable Object call(Acting acting, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(acting, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A plug-in behind a gate. It overrides each method: a default would hide a part. */
    record GatedPlugin(ResourcePlugin plugin, Acting acting) implements ResourcePlugin {

        @Override
        public ResourceKind kind() {
            return plugin.kind();
        }

        @Override
        public Planning planning() {
            return plugin.planning();
        }

        @Override
        public Optional<RequestCompleter> requestCompleter() {
            return plugin.requestCompleter();
        }

        @Override
        public Optional<LeaseTagSource> leaseTagSource() {
            return plugin.leaseTagSource();
        }

        @Override
        public Optional<DefaultLeaseSource> defaultLeaseSource() {
            return plugin.defaultLeaseSource();
        }

        @Override
        public Optional<ContainedServerSource> containedServerSource() {
            return plugin.containedServerSource();
        }

        @Override
        public Listening subscribe(Runnable news) {
            return plugin.subscribe(news);
        }

        @Override
        public CloudCheck check() {
            return plugin.check();
        }

        @Override
        public List<RequiredRight> rights() {
            return plugin.rights();
        }

        @Override
        public void close() {
            plugin.close();
        }
    }
}
