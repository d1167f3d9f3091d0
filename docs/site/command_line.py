"""Help texts in the command line reference: commands in backquotes and examples are code."""

import re


def as_code(lines):
    """Lines that must not be wrapped (`| Examples:`, `|   thriftlens ...`) as a heading and a block
    of code; other lines as they are.
    """
    output, language = [], ""
    for line in lines:
        if not line.startswith("| "):
            language = ""
            output.append(line)
        elif not language:
            language = "sh" if line.startswith("| Examples") else "text"
            output += [line[2:], "", f".. code-block:: {language}", ""]
        else:
            output.append(" " + line[2:])
    return output


def epilog_as_code(app, context, lines):
    lines[:] = as_code(lines)


def backquotes_as_code(app, context, lines):
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line) for line in lines]
