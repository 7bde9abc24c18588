"""`irrun run`, the default command: compute a model's outputs."""

from __future__ import annotations

import sys
from typing import Any

import click

from irrun.cli.options import InputShape, MemorySize, color_option, ops_option, shape_option, weights_option
from irrun.cli.terminal import say, show_findings


def _not_negative(_: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not value >= 0:
        raise click.BadParameter("a tolerance is a number of at least 0", param=parameter)
    return value


@click.command("run", short_help="Compute the outputs of a model.")
@click.argument("model", required=False, type=click.Path(allow_dash=True))
@click.option(
    "-m",
    "--model",
    "model_option",
    type=click.Path(),
    metavar="MODEL",
    help="The model, if -m is what you are used to.",
)
@click.option("-i", "--input", "inputs", multiple=True, metavar="NAME=VALUE", help="Feed an input: JSON, or a file.")
@click.option("--inputs", "--load-inputs", "archives", multiple=True, metavar="FILE.npz", help="Feed several inputs.")
@click.option("--random", "seed", type=click.IntRange(0), metavar="SEED", help="Fill the inputs that are not given.")
@click.option("--save-inputs", metavar="FILE.npz", help="Keep the inputs, for --inputs.")
@shape_option
@click.option("-o", "--output", "outputs", multiple=True, metavar="NAME", help="Compute this output, or layer, only.")
@click.option("--save", "saves", multiple=True, metavar="DIR|FILE.npz|NAME=FILE.npy", help="Save outputs.")
@click.option("--expect", "expects", multiple=True, metavar="NAME=VALUE", help="Compare an output with a reference.")
@click.option("--rtol", type=float, callback=_not_negative, help="Relative tolerance of --expect; 1e-5, integers 0.")
@click.option("--atol", type=float, callback=_not_negative, help="Absolute tolerance of --expect; 1e-5, integers 0.")
@weights_option
@click.option("--layer", type=click.IntRange(0), metavar="N", help="Of several bare layers, run the N-th, from 0.")
@click.option("--strict", is_flag=True, help="Refuse where declared ports contradict what is inferred.")
@click.option("--max-memory", type=MemorySize(), metavar="SIZE", help="Refuse to need more, as 2GiB.")
@click.option("--json", "as_json", is_flag=True, help="Print one report in JSON, and nothing else, on stdout.")
@click.option("-v", "--verbose", is_flag=True, help="A line for each layer as it runs, on stderr.")
@ops_option
@color_option
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str | None,
    model_option: str | None,
    shapes: tuple[InputShape, ...],
    as_json: bool,
    verbose: bool,
    color: str,
    **options: Any,
) -> None:
    """Compute the outputs of MODEL, an .xml, and print them; findings go to stderr.

    NAME is a tensor name, a layer name, or an index. VALUE is JSON if it can be read as such, else a .npy, or an entry
    of an .npz as FILE.npz:KEY. MODEL `-` is stdin; a file that is called like a command is run with `irrun run FILE`.

    \b
    irrun model.xml --input data=x.npy --input axes=[2,3]
    irrun model.xml --input data=all.npz:data --output mean --save mean=mean.npy
    irrun model.xml --inputs all.npz --save results
    irrun model.xml --random 0 --shape data=1,3,224,224 --save-inputs all.npz
    irrun model.xml --input data=x.npy --expect mean=ref.npy --rtol 1e-3 --json
    irrun page.md --layer 2 --input data=x.npy --input axes=[2,3]

    MODEL may also be a file with bare layers, or a page with examples: the ports of a layer are then its inputs, by the
    names that the specification gives them, and what comments say of their values is fed where nothing else is.

    --save DIR makes an .npy for each output and an index.json that says which is which. bf16, f8, f4 and nf4, which
    .npy does not know, are saved as f32. --random draws integers from {0, 1} and floats from the standard normal
    distribution. Without --max-memory, a run may take what memory is free.

    --json: {irrun, model, exit_status, inputs, outputs, findings}; of each output name, names, layer, element_type,
    shape, dtype, min, max, mean (of what is finite), nan, infinite, values (the first thousand), files and expected.
    Numbers that are not finite are the texts "NaN", "Infinity" and "-Infinity".

    Exit code 0: every output was computed, saved, and as expected; 1: not so; 2: usage, or a file that cannot be read.
    """
    if (model is None) == (model_option is None):
        raise click.UsageError("one MODEL is needed" if model is None else "MODEL is given twice, once by -m")
    from irrun.cli.describe import output_text, report_json
    from irrun.cli.job import Request, perform

    watch = None
    if verbose:
        from irrun.cli.verbose import Follower

        watch = Follower()
    outcome = perform(Request(model=model or model_option or "", shapes=shapes, watch=watch, **options))
    if as_json:
        say(report_json(outcome, outcome.status))
    else:
        for output in outcome.outputs:
            say(output_text(output))
        sys.stdout.flush()
        show_findings(outcome.shown(notes=verbose), color)
    context.exit(outcome.status)
