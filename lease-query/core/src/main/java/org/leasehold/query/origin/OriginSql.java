package org.leasehold.query.origin;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;

import java.sql.ResultSet;
import java.sql.SQLException;

/** SQL to read the origins of requests together with their consequences. */
public final class OriginSql {

    /** The columns of {@link #join}. */
    public static final String COLUMNS =
            "origin.request_id AS came, host(origin.address) AS address, origin.agent";

    /** The condition that a request came from the addresses in parameter {@code addresses}. */
    public static final String ADDRESS_CONDITION =
            """
            address >= network(:addresses::inet)
            AND address <= set_masklen(broadcast(:addresses::inet),
                CASE family(:addresses::inet) WHEN 4 THEN 32 ELSE 128 END)\
            """;

    private OriginSql() {}

    /** Returns a join by key: the planner cannot read the table as a whole instead. */
    public static String join(String requestId) {
        return """
        LEFT JOIN LATERAL (
            SELECT * FROM request_origin WHERE request_id = %s OFFSET 0) origin ON true\
        """
                .formatted(requestId);
    }

    /** Returns the origin; null if it is not stored. */
    public static @Nullable RequestOrigin of(ResultSet row) throws SQLException {
        return row.getString("came") == null
                ? null
                : RequestOrigin.of(row.getString("address"), row.getString("agent"));
    }
}
