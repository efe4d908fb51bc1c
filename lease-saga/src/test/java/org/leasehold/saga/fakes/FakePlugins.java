package org.leasehold.saga.fakes;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.InventoryResult;
import org.leasehold.resource.LoadResult;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** A plug-in for hosts that records its calls and returns the test's results. */
public final class FakePlugins implements Plugins, ResourcePlugin, Acting {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Function<String, Result> answer = _ -> new Result.Done();
    private volatile boolean on = true;
    private volatile Supplier<Survey> survey = () -> new Survey.Seen(Map.of());
    private volatile InventoryResult inventory = new InventoryResult.Known(Map.of(), Map.of());
    private volatile LoadResult running = new LoadResult.Known(Map.of());
    private volatile LossResult losses = new LossResult.Unchecked();
    private volatile Runnable lossListener = () -> {};
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Fence fence = () -> true;
    private volatile Others others = _ -> Optional.empty();
    private volatile boolean actsAsUser;
    private volatile @Nullable TrustId trust;

    /** Sets the results of calls such as {@code start 0000-…-1}. */
    public void answer(Function<String, Result> newAnswer) {
        answer = newAnswer;
    }

    public static Result failed(Fault.Kind kind, String message) {
        return new Result.Failed(new Fault(kind, message));
    }

    /** Returns whether the reservation that was prepared or started last may act now. */
    public boolean mayAct() {
        return fence.isValid();
    }

    /** Returns the request of another reservation, as the one that was ended last sees it. */
    public Optional<Map<String, @Nullable Object>> wishOf(ReservationId other) {
        return others.requestOf(other);
    }

    /** Returns the other reservations that the one that was ended last sees. */
    public List<Other> othersWishing(String parameter, Object value) {
        return others.findHolders(parameter, value);
    }

    /** Makes it need a trust from now on. */
    public void actAsUsers() {
        actsAsUser = true;
    }

    /** Returns the trust with which the last reservation was started or ended. */
    public @Nullable TrustId trust() {
        return trust;
    }

    public void switchOff() {
        on = false;
    }

    public List<String> calls() {
        return List.copyOf(calls);
    }

    private Result called(String call) {
        calls.add(call);
        return answer.apply(call);
    }

    @Override
    public Optional<ResourcePlugin> find(ResourceKind kind) {
        return on && kind.equals(kind()) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public SortedSet<String> kinds() {
        return new TreeSet<>(List.of(kind().value()));
    }

    @Override
    public ResourceKind kind() {
        return ResourceKind.PHYSICAL_HOST;
    }

    @Override
    public Planning planning() {
        return new FakePlanning(actsAsUser, Set.of());
    }

    @Override
    public Acting acting() {
        return this;
    }

    @Override
    public Discovery discover(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return called("enrol " + name);
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return called("retire " + name);
    }

    @Override
    public Result prepare(Assignment assignment) {
        fence = assignment.fence();
        return called("prepare " + assignment.reservation());
    }

    @Override
    public Result onStart(Assignment assignment) {
        fence = assignment.fence();
        trust = assignment.trust();
        return called("start " + assignment.reservation());
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return called(
                "adjust %s leaving %s"
                        .formatted(
                                assignment.reservation(),
                                leaving.stream().map(Allocation::name).toList()));
    }

    @Override
    public Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        return called(
                "move %s from %s to %s"
                        .formatted(
                                assignment.reservation(),
                                replacements.stream().map(each -> each.from().name()).toList(),
                                replacements.stream().map(each -> each.to().name()).toList()));
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return called("before end " + assignment.reservation());
    }

    @Override
    public Result onEnd(Assignment assignment) {
        trust = assignment.trust();
        others = assignment.others();
        return called("end " + assignment.reservation());
    }

    public void says(InventoryResult newInventory) {
        inventory = newInventory;
    }

    @Override
    public InventoryResult inventory(Collection<String> names) {
        return inventory;
    }

    public void says(LossResult newLosses) {
        losses = newLosses;
    }

    /** Runs an action after each reading of losses. */
    public void afterReadingLosses(Runnable action) {
        lossListener = action;
    }

    @Override
    public LossResult findLosses(Collection<ReservationId> reservations) {
        LossResult answer = losses;
        lossListener.run();
        return answer;
    }

    public void says(LoadResult newRunning) {
        running = newRunning;
    }

    @Override
    public LoadResult readLoads(Collection<String> names) {
        calls.add("running " + names);
        return running;
    }

    @Override
    public Listening subscribe(Runnable news) {
        listeners.add(news);
        return () -> listeners.remove(news);
    }

    /** Sends a notification of the cloud to the listeners. */
    public void sendNews() {
        listeners.forEach(Runnable::run);
    }

    /** Sets the result of {@link #survey}; {@link #inspect} returns the same. */
    public void surveys(Supplier<Survey> newSurvey) {
        survey = newSurvey;
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return switch (survey.get()) {
            case Survey.Seen(var things, _) -> things.getOrDefault(reservation, List.of());
            case Survey.Unseen _ -> List.of();
        };
    }

    @Override
    public Survey survey() {
        return survey.get();
    }
}
