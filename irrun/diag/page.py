"""What a code means, for people: one explanation, and the page of all of them.

`python -m irrun.diag.page` prints docs/diagnostics.md.
"""

from __future__ import annotations

from irrun.diag.codes import CODES, Blocks, Code

_BLOCKS = {
    Blocks.MODEL: "stops the model",
    Blocks.LAYER: "stops a run that depends on the layer",
    Blocks.STRICT: "stops a run only with `--strict`",
    Blocks.NOTHING: "stops nothing",
}
_RANGES = {
    "IR0": "XML",
    "IR1": "Structure and graph",
    "IR2": "Operations and attributes",
    "IR3": "Types and shapes",
    "IR4": "Declared against inferred",
    "IR5": "Weights",
    "IR6": "Run time",
    "IR7": "Examples whose numbers are wrong",
}


def explanation(code: Code) -> str:
    """What `irrun explain` prints: what the code means, why it matters, an example, and what to write instead."""
    return "\n\n".join(
        [
            f"{code.id}: {code.title} ({code.severity}; {_BLOCKS[code.blocks].replace('`', '')})",
            code.means,
            f"Why it matters: {code.matters}",
            f"Example:\n    {code.example}",
            f"Instead:\n    {code.instead}",
        ]
    )


def diagnostics_page() -> str:
    """The Markdown page of all codes, in ranges."""
    lines = [
        "# Diagnostics",
        "",
        "Every code irrun can report. `irrun explain CODE` prints the same on the command line.",
        "",
        "<!-- generated from irrun/diag/codes.py by: python -m irrun.diag.page -->",
    ]
    for start, title in _RANGES.items():
        codes = [code for code in CODES.values() if code.id.startswith(start)]
        if codes:
            lines += ["", f"## {start}xx: {title}"]
        for code in codes:
            lines += _section(code)
    return "\n".join(lines) + "\n"


def _section(code: Code) -> list[str]:
    return [
        "",
        f"### {code.id}: {code.title}",
        "",
        f"*{str(code.severity).capitalize()}; {_BLOCKS[code.blocks]}.*",
        "",
        code.means,
        "",
        f"Why it matters: {code.matters}",
        "",
        "Example:",
        "",
        *_fenced(code.example),
        "",
        "Instead:",
        "",
        *_fenced(code.instead),
    ]


def _fenced(text: str) -> list[str]:
    return ["```", text, "```"]


if __name__ == "__main__":
    print(diagnostics_page(), end="")  # noqa: T201  # this is what it is for
