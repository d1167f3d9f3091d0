"""What stands below the help of a command, as the reference of the command line shows it."""


def as_code(lines):
    """Lines that must not be wrapped (`| Examples:`, `|   thriftlens ...`) as a heading and a block of code; other lines as they are."""
    made, language = [], ""
    for line in lines:
        if not line.startswith("| "):
            language = ""
            made.append(line)
        elif not language:
            language = "sh" if line.startswith("| Examples") else "text"
            made += [line[2:], "", f".. code-block:: {language}", ""]
        else:
            made.append(" " + line[2:])
    return made


def epilog_as_code(app, context, lines):
    lines[:] = as_code(lines)
