"""Well-formed fragments made ill-formed in one place: what people really write, deterministic from a seed.

Each damage takes a text and a `random.Random`, and gives the text with one thing broken, or None where there is nothing
of its kind to break. The layers that a reader should find are the same before and after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from irrun.source import Span


@dataclass(frozen=True)
class Damaged:
    """A damaged text, where in it the damage is, and the code of the one finding about it (None for none)."""

    text: str
    span: Span
    code: str | None


Damage = Callable[[str, Random], Damaged | None]

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
START = re.compile(r"<(?:layer|data|input|output|port)\b(?:[^<>\"']|\"[^\"]*\")*>")
ATTRIBUTE = re.compile(r"\s([\w-]+)=\"([^\"]*)\"")
ODD_SPACES = "\u00a0\u2007\u202f\u3000"


def outside_comments(pattern: str | re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that do not lie in a comment or between quotes."""
    covered = [match.span() for match in COMMENT.finditer(text)]
    covered += [match.span() for match in re.finditer(r"\"[^\"]*\"", COMMENT.sub(lambda m: " " * len(m[0]), text))]
    for match in re.finditer(pattern, text):
        if not any(start <= match.start() < end for start, end in covered):
            yield match


def pick(pattern: str | re.Pattern[str], text: str, random: Random) -> re.Match[str] | None:
    """One of the matches."""
    found = list(outside_comments(pattern, text))
    return random.choice(found) if found else None


def replaced(text: str, start: int, end: int, by: str, code: str | None) -> Damaged:
    """The text with one stretch replaced."""
    return Damaged(text[:start] + by + text[end:], Span(start, start + len(by)), code)


# ellipses


def ellipsis_in_a_tag(text: str, random: Random) -> Damaged | None:
    """Three dots before, between or after attributes, with or without white space around."""
    tag = pick(r"<(?:layer|port)\b(?:[^<>\"']|\"[^\"]*\")*>", text, random)
    if tag is None:
        return None
    name_end = re.match(r"<\w+", tag[0]).end()
    places = [name_end, *[match.end() for match in ATTRIBUTE.finditer(tag[0])]]
    at = tag.start() + random.choice(places)
    dots = random.choice(["...", "\u2026", "...."])
    before, after = random.choice([" ", ""]), random.choice(["", " "])
    damaged = text[:at] + before + dots + after + text[at:]
    return Damaged(damaged, Span(at + len(before), at + len(before) + len(dots)), "IR010")


def ellipsis_in_data(text: str, random: Random) -> Damaged | None:
    """Three dots in `<data>`: there are attributes that are not shown."""
    tag = pick(r"<data\b", text, random)
    return None if tag is None else _inserted(text, tag.end(), " ", random.choice(["...", "\u2026"]), "IR010")


def ellipsis_for_a_name(text: str, random: Random) -> Damaged | None:
    """Three dots in place of a layer's name."""
    tag = pick(r"<layer(?=\s[^<>]*\btype=)", text, random)
    return None if tag is None else replaced(text, tag.start() + 1, tag.end(), "...", "IR010")


def ellipsis_as_content(text: str, random: Random) -> Damaged | None:
    """Three dots between elements, on a line of their own or not."""
    tag = pick(r"</(?:layer|input|output|port)>", text, random)
    around = random.choice(["\n", " ", ""])
    return (
        None if tag is None else _inserted(text, tag.end(), around, random.choice(["...", "\u2026"]), "IR010", around)
    )


def _inserted(text: str, at: int, before: str, dots: str, code: str | None, after: str = "") -> Damaged:
    start = at + len(before)
    return Damaged(text[:at] + before + dots + after + text[at:], Span(start, start + len(dots)), code)


# tags that do not end, end in themselves, or end wrongly


def port_ends_in_itself(text: str, random: Random) -> Damaged | None:
    """`<port id="2"/>` and then its dims."""
    tag = pick(r"<port\b[^<>]*[^/<>](?=>(?:\s|<!--(?:(?!-->)[\s\S])*-->)*<dim>)", text, random)
    return None if tag is None else _related(text, tag.end(), tag.end(), "/", "IR011", tag.start())


def end_tag_missing(text: str, random: Random) -> Damaged | None:
    """`</input>`, `</output>`, `</port>` or `</layer>` left out."""
    tag = pick(r"</(?:input|output|port|layer)>", text, random)
    if tag is None:
        return None
    openings = list(outside_comments(rf"<{tag[0][2:-1]}\b", text[: tag.start()]))
    if not openings:
        return None
    return _related(text, tag.start(), tag.end(), "", "IR012", openings[-1].start())


def data_not_closed(text: str, random: Random) -> Damaged | None:
    """`<data ...>` without its `/`, or without its end."""
    tag = pick(r"<data\b(?:[^<>\"']|\"[^\"]*\")*?(/>)", text, random)
    if tag is None:
        return None
    by = random.choice([">", ""])
    return _related(text, tag.start(1), tag.end(1), by, "IR012" if by else "IR013", tag.start())


def _related(text: str, start: int, end: int, by: str, code: str, at: int) -> Damaged:
    """A damage that is said where the element begins."""
    return Damaged(text[:start] + by + text[end:], Span(at, at + 1), code)


def end_tag_broken(text: str, random: Random) -> Damaged | None:
    """`<dim>5/dim>`, `</xdim>`, `<dim>5<dim>`, `</ dim>`, `</dim`."""
    tag = pick(r"</(dim|port)>", text, random)
    if tag is None:
        return None
    name = tag[1]
    ways = [f"/{name}>", f"</x{name}>", f"</ {name}>", f"<\\{name}>", f"</{name}", f"< /{name}>"]
    if name == "dim":
        ways += ["<dim>", "</dm>", "</>"]
    return replaced(text, tag.start(), tag.end(), random.choice(ways), "IR015")


def stray_end(text: str, random: Random) -> Damaged | None:
    """A second `>` behind a tag."""
    tag = pick(r"(?:</\w+|/)>|<(?:layer|input|output)\b(?:[^<>\"']|\"[^\"]*\")*>", text, random)
    return None if tag is None else _inserted(text, tag.end(), random.choice(["", " "]), ">", "IR016")


def start_tag_missing(text: str, random: Random) -> Damaged | None:
    """`<input>` left out."""
    tag = pick(r"<input>(?=(?:\s|<!--(?:(?!-->)[\s\S])*-->)*<port)", text, random)
    if tag is None:
        return None
    port = text.index("<port", tag.end()) - len(tag[0])
    return _related(text, tag.start(), tag.end(), "", "IR026", port)


def input_in_two(text: str, random: Random) -> Damaged | None:
    """Two `<input>` sections in one layer."""
    inside = [
        port.start()
        for section in outside_comments(r"<(input|output)>[\s\S]*?</\1>", text)
        for port in list(outside_comments(r"<port\b", text))[0:]
        if section.start() < port.start() < section.end() and "<port" in text[section.start() : port.start()]
    ]
    if not inside:
        return None
    at = random.choice(inside)
    name = "output" if text.rfind("<output>", 0, at) > text.rfind("<input>", 0, at) else "input"
    return _inserted(text, at, f"</{name}>", f"<{name}>", "IR014")


# inside tags


def comma(text: str, random: Random) -> Damaged | None:
    """A comma between two attributes."""
    found = pick(r"(?<=\")\s+(?=[\w-]+=\")", text, random)
    if found is None:
        return None
    return _inserted(text, found.start(), random.choice(["", " "]), random.choice([",", ";"]), "IR017", "")


def unquoted(text: str, random: Random) -> Damaged | None:
    """A value without quotes."""
    tags = list(outside_comments(START, text))
    values = [
        (tag.start() + match.start() + 1, tag.start() + match.end(), match)
        for tag in tags
        for match in ATTRIBUTE.finditer(tag[0])
        if re.fullmatch(r"[\w-]+(?:,[\w-]+)*", match[2])
    ]
    if not values:
        return None
    start, end, match = random.choice(values)
    return replaced(text, start, end, f"{match[1]}={match[2]}", "IR018")


def odd_space(text: str, random: Random) -> Damaged | None:
    """A space that XML does not know, in a tag or between tags."""
    places = [match.start() for match in outside_comments(r"(?<=[\">]) | (?=[\w-]+=\"| *<)", text)]
    if not places:
        return None
    at = random.choice(places)
    return replaced(text, at, at + 1, random.choice(ODD_SPACES), "IR020")


def on_the_layer(text: str, random: Random) -> Damaged | None:
    """An attribute of `<data>` on `<layer>`."""
    found = [
        (match, data)
        for match in outside_comments(r"<layer\b(?:[^<>\"']|\"[^\"]*\")*(?=>\s*<data\b)", text)
        for data in [re.compile(r"<data\b((?:\s+[\w-]+=\"[^\"]*\")+)\s*/>").search(text, match.end())]
        if data is not None
        and not text[match.end() + 1 : data.start()].strip()
        and not {name for name, _ in ATTRIBUTE.findall(data[1])} & {"name", "type", "id", "version"}
    ]
    if not found:
        return None
    layer, data = random.choice(found)
    damaged = text[: layer.end()] + data[1] + text[layer.end() : data.start()] + text[data.end() :]
    start = layer.end() + len(data[1]) - len(data[1].lstrip())
    return Damaged(damaged, Span(start, start + 1), "IR022")


def as_text_of_data(text: str, random: Random) -> Damaged | None:
    """Attributes as the text of `<data>`."""
    data = pick(r"<data((?:\s+[\w-]+=\"[^\"]*\")+)\s*/>", text, random)
    if data is None:
        return None
    return Damaged(
        f"{text[: data.start()]}<data>{data[1].strip()}</data>{text[data.end() :]}",
        Span(data.start() + len("<data>"), data.start() + len("<data>") + 1),
        "IR022",
    )


def precision_of_others(text: str, random: Random) -> Damaged | None:
    """`F32` for FP32."""
    found = pick(r"precision=\"FP(32|16|64)\"", text, random)
    if found is None:
        return None
    by = random.choice([f"F{found[1]}", f"fp{found[1]}", f"float{found[1]}"])
    return replaced(text, found.start(), found.end(), f'precision="{by}"', "IR024")


# comments


def comment_broken(text: str, random: Random) -> Damaged | None:
    """`< -- like this -->`."""
    comments = [match for match in COMMENT.finditer(text) if "<" not in match[0][1:] and "\n" not in match[0]]
    if not comments:
        return None
    comment = random.choice(comments)
    inside = comment[0][4:-3]
    if not inside.strip() or inside.strip()[0] in "->!" or inside.strip()[0].isdigit():
        return None
    ways = [
        f"< --{inside}-->",
        f"<--{inside}-->",
        f"<!-{inside}-->",
        f"<! --{inside}-->",
        f"<!--{inside}->",
        f"<!--{inside}-- >",
        f"<!\u2013{inside}\u2013>",
    ]
    return replaced(text, *comment.span(), random.choice(ways), "IR019")


def comment_with_markup(text: str, random: Random) -> Damaged | None:
    """A comment that holds tags: no damage to XML, but to readers by regular expressions."""
    tag = pick(r"</?(?:dim|port|input|output|layer)\b(?:[^<>\"']|\"[^\"]*\")*>|<data\b[^<>]*/>", text, random)
    inside = random.choice(
        ["<dim>7</dim>", '<port id="9">', "</input>", "a > b", "<layer ... type='Abs'/>", "<", "...", '"']
    )
    if tag is None or tag[0] == "<dim>":
        return None
    return _inserted(text, tag.end(), "", f"<!-- {inside} -->", None)


DAMAGES: dict[str, Damage] = {
    each.__name__: each
    for each in (
        ellipsis_in_a_tag,
        ellipsis_in_data,
        ellipsis_for_a_name,
        ellipsis_as_content,
        port_ends_in_itself,
        end_tag_missing,
        data_not_closed,
        end_tag_broken,
        stray_end,
        start_tag_missing,
        input_in_two,
        comma,
        unquoted,
        odd_space,
        on_the_layer,
        as_text_of_data,
        precision_of_others,
        comment_broken,
        comment_with_markup,
    )
}
"""Every kind of damage, by name."""


def damage(text: str, seed: int, count: int = 1) -> str:
    """The text with `count` damages of kinds and in places that the seed chooses."""
    random = Random(seed)
    for _ in range(count):
        done = DAMAGES[random.choice(sorted(DAMAGES))](text, random)
        text = text if done is None else done.text
    return text
