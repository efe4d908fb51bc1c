package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.request.error.RequestId;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.v1.FakeCloudPlugins;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.springframework.mock.web.MockHttpServletRequest;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

class DenialRecorderTest {

    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-11-21T10:00:30Z"), ZoneOffset.UTC);
    private static final Caller ALICE =
            new Caller(
                    new UserId("u1"),
                    "ada",
                    new ProjectId("p1"),
                    "demo",
                    Set.of(Role.MEMBER),
                    "basic");

    private final List<LoginDenial> written = new CopyOnWriteArrayList<>();

    private record LoginDenial(Why why, String rule, String target, CommandContext context) {}

    private DenialRecorder recorder(DenialLog kept) {
        return new DenialRecorder(
                new CommandContextFactory(CLOCK),
                new InMemoryEngine(CLOCK, new FakeCloudPlugins()).leases(),
                kept);
    }

    private void write(Why why, String rule, String target, CommandContext context) {
        written.add(new LoginDenial(why, rule, target, context));
    }

    private static MockHttpServletRequest request(String address) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/secret/path");
        request.setRemoteAddr(address);
        request.addHeader("Leasehold-Reason", "an anonymous text");
        request.setAttribute(RequestId.class.getName(), new RequestId("req-1"));
        return request;
    }

    @Test
    void a_failed_login_is_recorded_with_the_named_user_and_the_address()
            throws InterruptedException {
        DenialRecorder recorder = recorder(this::write);
        recorder.recordLoginDenial(Why.LOGIN_FAILED, ALICE, request("192.0.2.1"));
        recorder.destroy();

        LoginDenial denial = written.getFirst();
        assertThat(denial.why()).isEqualTo(Why.LOGIN_FAILED);
        assertThat(denial.rule()).isEqualTo("login");
        assertThat(denial.target()).isEqualTo("-");
        assertThat(denial.context().user()).isEqualTo("u1");
        assertThat(denial.context().project()).isEqualTo("p1");
        assertThat(denial.context().roles()).isEmpty();
        assertThat(denial.context().reason()).isNull();
        assertThat(denial.context().requestId()).isEqualTo("req-1");
        assertThat(denial.context().origin()).isEqualTo(RequestOrigin.of("192.0.2.1", null));
    }

    @Test
    void a_login_with_an_unknown_name_is_recorded_without_the_name() throws InterruptedException {
        DenialRecorder recorder = recorder(this::write);
        recorder.recordLoginDenial(Why.LOGIN_THROTTLED, null, request("192.0.2.1"));
        recorder.destroy();

        LoginDenial denial = written.getFirst();
        assertThat(denial.why()).isEqualTo(Why.LOGIN_THROTTLED);
        assertThat(denial.context().user()).isEqualTo("-");
        assertThat(denial.context().project()).isEqualTo("-");
    }

    @Test
    void the_records_of_denied_logins_in_a_minute_are_limited() throws InterruptedException {
        DenialRecorder recorder = recorder(this::write);
        for (int i = 0; i < 500; i++) {
            recorder.recordLoginDenial(Why.LOGIN_FAILED, null, request("192.0.2." + i % 250));
        }
        recorder.destroy();

        assertThat(written).hasSize(LoginRecordLimiter.MAX_RECORDS);
    }
}
