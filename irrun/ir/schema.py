"""What IR's elements may hold: the one small table that whoever reads or mends IR goes by."""

from __future__ import annotations

SCHEMA: dict[str, tuple[str, ...]] = {
    "net": ("layers", "edges", "rt_info", "meta_data", "statistics", "pre-process"),
    "body": ("layers", "edges", "rt_info", "meta_data", "statistics"),
    "layers": ("layer",),
    "layer": (
        *("data", "input", "output", "rt_info", "body", "then_body", "else_body"),
        *("port_map", "then_port_map", "else_port_map", "back_edges"),
    ),
    "data": (),
    "input": ("port",),
    "output": ("port",),
    "port": ("dim", "rt_info"),
    "dim": (),
    "edges": ("edge",),
    "edge": (),
    "fragment": ("net", "layers", "edges", "layer"),
}
"""Element -> the elements it may hold. What stands in rt_info, meta_data, port maps and the like is kept as it is."""

ATTRIBUTES: dict[str, frozenset[str]] = {
    "net": frozenset({"name", "version"}),
    "layer": frozenset({"id", "name", "type", "version", "output_names"}),
    "port": frozenset({"id", "precision", "names"}),
    "edge": frozenset({"from-layer", "from-port", "to-layer", "to-port"}),
}
"""Element -> its own XML attributes, none where it is not listed; those of `<data>` are the operation's."""
