package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.resource.Resources.Part;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** The pages of a list in memory. */
final class InMemoryPages {

    private InMemoryPages() {}

    static <T> List<T> inOrder(Collection<T> ascending, SortDirection direction) {
        List<T> list = new ArrayList<>(ascending);
        return direction == SortDirection.ASCENDING ? list : list.reversed();
    }

    static <T> Page<T> page(List<T> items, Function<T, String> id, Part part) {
        return page(
                items,
                id,
                part.after() == null ? null : part.after().toString(),
                part.limit() == null ? 1000 : part.limit());
    }

    static <T> Page<T> page(
            List<T> items, Function<T, String> id, @Nullable String after, int limit) {
        int from = items.stream().map(id).toList().indexOf(after) + 1;
        int to = Math.min(items.size(), from + limit);
        List<T> page = items.subList(from, to);
        return new Page<>(page, to < items.size() ? id.apply(page.getLast()) : null);
    }
}
