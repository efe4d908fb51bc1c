package org.leasehold.query.origin;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;

import java.sql.ResultSet;
import java.sql.SQLException;

/** How to read where a request came from beside what it led to. */
public final class Origins {

    /** The columns of {@link #join}. */
    public static final String COLUMNS =
            "origin.request_id AS came, host(origin.address) AS address, origin.agent";

    /** Whether a request came from one of the addresses of a parameter called {@code addresses}. */
    public static final String IS_FROM =
            """
            address >= network(:addresses::inet)
            AND address <= set_masklen(broadcast(:addresses::inet),
                CASE family(:addresses::inet) WHEN 4 THEN 32 ELSE 128 END)\
            """;

    private Origins() {}

    /** Each is looked up by its key: the planner cannot read the table as a whole instead. */
    public static String join(String requestId) {
        return """
        LEFT JOIN LATERAL (
            SELECT * FROM request_origin WHERE request_id = %s OFFSET 0) origin ON true\
        """
                .formatted(requestId);
    }

    /** Null if it is not kept. */
    public static @Nullable RequestOrigin of(ResultSet row) throws SQLException {
        return row.getString("came") == null
                ? null
                : RequestOrigin.of(row.getString("address"), row.getString("agent"));
    }
}
