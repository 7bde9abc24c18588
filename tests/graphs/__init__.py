"""Random graphs: operations wired at random, with what plain NumPy makes of each.

`wiring` builds a graph and its XML; the other modules hold a maker for each operation, by its versioned name. A maker draws
the operands and attributes of one layer and says in NumPy what the layer computes.
"""
