"""The unmodified `openstack` command in forks of this process.

Its interpreter takes two seconds of CPU to import the client and its plugins. A fork has them already: this process
imports what the first command imported. Needs Debian's Python, to which Debian's client belongs.
"""

import contextlib
import importlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback


_imported = False


def openstack(words, environment, timeout=120):
    """Runs the command with these words; returns what `subprocess.run` returns, with output as text."""
    # Not on the first lines of this module: scripts that never call the command run without the client.
    from openstackclient import shell
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as modules:
        child = os.fork()
        if child == 0:
            _be_the_command(shell.main, words, environment, output, errors, modules)
        code = _await(child, timeout)
        output, errors, modules = (_text(file) for file in (output, errors, modules))
        _import(modules.split())
        return subprocess.CompletedProcess(["openstack", *words], code, output, errors)


def _text(file):
    file.seek(0)
    return file.read().decode()


def _import(modules):
    """Imports the modules once; the command imports those that cannot be imported alone."""
    global _imported
    if not _imported:
        _imported = True
        for module in modules:
            if module not in sys.modules:
                with contextlib.suppress(Exception):
                    importlib.import_module(module)


def _be_the_command(main, words, environment, output, errors, modules):
    """Runs the command in this process; never returns."""
    code = 1
    try:
        os.dup2(output.fileno(), 1)
        os.dup2(errors.fileno(), 2)
        os.environ.clear()
        os.environ.update(environment)
        # A script may have switched off the messages of its libraries.
        logging.disable(logging.NOTSET)
        sys.argv = ["openstack", *words]
        code = main(list(words))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        if not _imported:
            os.write(modules.fileno(), " ".join(sorted(sys.modules)).encode())
        os._exit(code or 0)


def _await(child, timeout):
    deadline = time.monotonic() + timeout
    pause = 0.01
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise subprocess.TimeoutExpired("openstack", timeout)
        time.sleep(pause)
        pause = min(0.1, 1.5 * pause)
