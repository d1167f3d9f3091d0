"""The command line: loads commands on demand; reports errors, and exits with a status."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import sys
from typing import Any, Callable, Iterator, Mapping, NoReturn, Optional

from . import signals as _signals
from .source import Closed

with _signals.quiet_interrupt():  # the slow imports
    import click
    from click.shell_completion import CompletionItem

from .. import __version__
from .._errors import Error, MissingFileError, RelaxingOption, spelling_options
from .._text import did_you_mean, escaped_lines, in_one_line
from . import completion as _completion
from . import examples as _examples
from .commands import COMMANDS, MODULES
from .report import STATUS, STATUSES, abandon_output, fail, is_usage_error

_SYNONYMS = {
    "decode": "to-json",
    "dump": "inspect",
    "encode": "from-json",
    "erase": "delete",
    "validate": "check",
}
_COMMAND = "thriftlens.command"  # key in context.meta: the context of the command
_CLOSED = 141  # 128 + SIGPIPE, as shells report it


def _load(name: str) -> click.Command:
    module = importlib.import_module(
        f"{__package__}.commands.{MODULES.get(name, name.replace('-', '_'))}"
    )
    command = next(
        value
        for value in vars(module).values()
        if isinstance(value, click.Command) and value.name == name
    )
    command.context_class = _CommandContext
    return _examples.attach(command, _examples.EXAMPLES[name])


class _CommandContext(click.Context):
    """The context of a command, which its errors refer to after it has ended."""

    def __init__(self, *arguments: object, **options: object):
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.meta[_COMMAND] = self


class _Table(Mapping[str, click.Command]):
    """The commands by name. A module is imported when its command is first looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Commands(click.Group):
    """Reports errors as one line on stderr and an exit status."""

    _context: Optional[click.Context] = None
    """That of the group, while a command runs and its error is reported."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        options.setdefault("prog_name", "thriftlens")
        options.setdefault("complete_var", "_THRIFTLENS_COMPLETE")  # also for python -m thriftlens
        is_standalone = options.pop("standalone_mode", True)
        run = functools.partial(super().main, *arguments, standalone_mode=False, **options)
        if not is_standalone:
            return run()
        try:
            with _signals.stopping():
                sys.exit(self._status(run))
        except KeyboardInterrupt:
            abandon_output()
            _signals.finish(_signals.Stopped.by_keyboard())
        except _signals.Stopped as stopped:
            abandon_output()
            _signals.finish(stopped)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _closed_pipe():
            return super().make_context(*arguments, **options)

    def _spell_option(self, option: RelaxingOption, argument: str) -> str:
        """The option as it is written on the command line; empty if the command lacks it or was
        called with it."""
        name, value = option
        if name == "include_dirs":
            return "-I DIR or --stub NAME=TEXT"
        context = self._context.meta.get(_COMMAND) if self._context else None
        if context is None:
            return ""
        for parameter in context.command.params:
            if parameter.name == name and value in getattr(parameter.type, "choices", (value,)):
                flag = parameter.opts[0]
                if value is None:
                    return f"a larger {flag}"
                return "" if context.params.get(name) == value else f"{flag} {value}"
        return ""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[Optional[str], Optional[click.Command], list[str]]:
        name = arguments[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = f"; did you mean {_SYNONYMS[name]!r}?" if name in _SYNONYMS else None
            context.fail(f"no command {name!r}{hint or did_you_mean(name, COMMANDS)}")
        return super().resolve_command(context, arguments)

    def invoke(self, context: click.Context) -> object:
        self._context = context
        with _closed_pipe():
            result = super().invoke(context)
        return context.meta.get(STATUS, result)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        return [
            *_completion.commands(incomplete),
            *click.Command.shell_complete(self, context, incomplete),
        ]

    def _status(self, run: Callable[[], object]) -> int:
        with spelling_options(self._spell_option):
            try:
                status = run()
                return status if isinstance(status, int) else 0
            except click.ClickException as error:
                error.__dict__["message"] = escaped_lines(error.message)
                error.show()
                return error.exit_code
            except click.Abort as error:
                raise KeyboardInterrupt from error
            except Closed:
                abandon_output()
                return _CLOSED
            except Exception as error:
                _fail(error)


def _fail(error: Exception) -> NoReturn:
    """Exits with an error that is not a bug of thriftlens, else raises it."""
    if isinstance(error, Error):
        fail(error, status=2 if is_usage_error(error) or isinstance(error, MissingFileError) else 1)
    if isinstance(error, OSError):
        abandon_output()
        fail(_os_error_text(error), status=2)
    if isinstance(error, (ImportError, MemoryError)):
        fail("out of memory" if isinstance(error, MemoryError) else in_one_line(error), status=2)
    if not _is_of_library(error):
        raise error
    fail(f"{type(error).__name__}: {in_one_line(error) or type(error).__name__}")


def _os_error_text(error: OSError) -> str:
    reason = error.strerror or in_one_line(error)
    return f"{os.fsdecode(error.filename)}: {reason}" if error.filename else reason


def _is_of_library(error: Exception) -> bool:
    """Whether an exception comes from a package that thriftlens uses, by its class or by the
    function that raised it."""
    modules = [type(error).__module__]
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is not None:
        modules.append(str(trace.tb_frame.f_globals.get("__name__", "")))
    return any(
        module.partition(".")[0] not in ("", "builtins", "__main__", "thriftlens")
        for module in modules
    )


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """Turns BrokenPipeError into Closed, before click catches it and exits with 1."""
    try:
        yield
    except BrokenPipeError:
        raise Closed() from None


@click.group(
    cls=_Commands,
    commands=_Table(),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=STATUSES,
)
@click.version_option(__version__, prog_name="thriftlens")
def main() -> None:
    """Work on Apache Thrift data with IDL that is parsed at run time.

    FILE defaults to standard input (-). PATH and SELECTION: see `thriftlens help paths` and
    `thriftlens help selections`."""


_examples.attach(main, _examples.FIRST)
