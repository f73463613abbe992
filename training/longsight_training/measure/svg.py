"""Line charts as SVG: axes, ticks, a legend, bands for intervals, and a text for those who do not see them.

Colours are Okabe and Ito's, which colour-blind people can tell apart; dashes and markers differ too, so that colour is never alone.
"""

from __future__ import annotations

import math
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#777777")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "down", "plus")
LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT, BELOW = 62, 40, 500, 320, 52
LEGEND_GAP, LINE = 20, 20
MOST_MARKERS = 24
"""A line of more points is drawn without markers."""
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Line:
    """A series of points, by rising x."""

    name: str
    points: Sequence[Point]
    style: int
    """Chooses colour, dash and marker: equal numbers look equal in every chart."""
    faint: bool = False
    """For what stands behind another line, and is not in the legend."""


@dataclass(frozen=True)
class Chart:
    title: str
    description: str
    """What it shows, for those who do not see it."""
    x_label: str
    y_label: str
    lines: Sequence[Line] = field(default_factory=tuple)
    x_log: bool = False
    x_ticks: Sequence[float] | None = None
    """None: round numbers."""
    y_from_zero: bool = True


@dataclass(frozen=True)
class _Scale:
    low: float
    high: float
    start: float
    length: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high, value = (math.log(part) if self.log else part for part in (self.low, self.high, value))
        return round(self.start + (value - low) / (high - low) * self.length, 2)


def draw(chart: Chart) -> str:
    """The SVG's text. A chart without points says so."""
    legend = [line for line in chart.lines if not line.faint]
    widest = max((_width(line.name) for line in legend), default=0)
    width = round(LEFT + PLOT_WIDTH + LEGEND_GAP + 44 + widest)
    height = max(TOP + PLOT_HEIGHT + BELOW, TOP + len(legend) * LINE + 20)
    root = ET.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", "width": str(width), "height": str(height),
        "role": "img", "aria-labelledby": "title description",
        "font-family": "system-ui, sans-serif", "font-size": "12", "fill": "#222",
    })
    _text(root, "title", chart.title, id="title")
    _text(root, "desc", chart.description, id="description")
    ET.SubElement(root, "rect", width=str(width), height=str(height), fill="#fff")
    _text(root, "text", chart.title, x=str(LEFT), y="22", **{"font-size": "14", "font-weight": "600"})
    points = [point for line in chart.lines for point in line.points]
    if points:
        _plot(root, chart, points)
        for place, line in enumerate(legend):
            _legend(root, line, LEFT + PLOT_WIDTH + LEGEND_GAP, TOP + 8 + place * LINE)
    else:
        _text(root, "text", "There is nothing to show.", x=str(LEFT), y=str(TOP + 20))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def _width(text: str) -> float:
    """Of a text in the legend, in a wide font: nobody knows which one will be there."""
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF" or unicodedata.category(letter) == "So":
        return 16
    if letter in "mwMW@%—…":
        return 12
    return 10 if letter.isupper() else 4.5 if letter in " .,:;'|ijlI" else 8


def _plot(root: ET.Element, chart: Chart, points: Sequence[Point]) -> None:
    y_values = [value for point in points for value in (point.y, point.low, point.high) if value is not None]
    y_ticks = round_ticks(min(0.0, *y_values) if chart.y_from_zero else min(y_values), max(y_values))
    x_low, x_high = min(point.x for point in points), max(point.x for point in points)
    if x_low == x_high:
        x_low, x_high = (x_low / 2, x_high * 2) if chart.x_log else (x_low - 1, x_high + 1)
    x = _Scale(x_low, x_high, LEFT, PLOT_WIDTH, chart.x_log)
    y = _Scale(y_ticks[0], y_ticks[-1], TOP + PLOT_HEIGHT, -PLOT_HEIGHT)
    x_ticks = round_ticks(x_low, x_high) if chart.x_ticks is None else chart.x_ticks
    _axes(root, chart, x, y, [tick for tick in x_ticks if x_low <= tick <= x_high], y_ticks)
    for line in chart.lines:
        _band(root, line, x, y)
    for line in chart.lines:
        _line(root, line, x, y)


def round_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from at or below `low` to at or above `high`; at least two."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{tick * step:.12g}") for tick in range(first, last + 1)]


def _axes(root: ET.Element, chart: Chart, x: _Scale, y: _Scale, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> None:
    bottom = TOP + PLOT_HEIGHT
    grid = ET.SubElement(root, "g", stroke="#ddd")
    labels = ET.SubElement(root, "g")
    for tick in y_ticks:
        ET.SubElement(grid, "line", x1=str(LEFT), x2=str(LEFT + PLOT_WIDTH), y1=str(y(tick)), y2=str(y(tick)))
        _text(labels, "text", f"{tick:g}", x=str(LEFT - 8), y=str(y(tick) + 4), **{"text-anchor": "end"})
    for tick in x_ticks:
        ET.SubElement(grid, "line", x1=str(x(tick)), x2=str(x(tick)), y1=str(TOP), y2=str(bottom))
        _text(labels, "text", f"{tick:g}", x=str(x(tick)), y=str(bottom + 18), **{"text-anchor": "middle"})
    ET.SubElement(root, "path", d=f"M{LEFT} {TOP}V{bottom}H{LEFT + PLOT_WIDTH}", fill="none", stroke="#222")
    _text(root, "text", chart.x_label, x=str(LEFT + PLOT_WIDTH / 2), y=str(bottom + 40), **{"text-anchor": "middle"})
    middle = TOP + PLOT_HEIGHT / 2
    _text(root, "text", chart.y_label, x="16", y=str(middle), transform=f"rotate(-90 16 {middle})", **{"text-anchor": "middle"})


def _band(root: ET.Element, line: Line, x: _Scale, y: _Scale) -> None:
    bounded = [point for point in line.points if point.low is not None and point.high is not None]
    bounds = [(x(point.x), y(point.low), y(point.high)) for point in bounded]
    if len(bounds) > 1:
        corners = [(at, high) for at, _, high in bounds] + [(at, low) for at, low, _ in reversed(bounds)]
        ET.SubElement(root, "polygon", {"points": _pairs(corners), "fill": _colour(line), "fill-opacity": "0.13"})


def _line(root: ET.Element, line: Line, x: _Scale, y: _Scale) -> None:
    places = [(x(point.x), y(point.y)) for point in line.points]
    if len(places) > 1:
        ET.SubElement(root, "polyline", {"points": _pairs(places), "fill": "none", **_stroke(line)})
    if len(places) <= MOST_MARKERS and not line.faint:
        for place in places:
            _marker(root, line, *place)


def _legend(root: ET.Element, line: Line, x: float, y: float) -> None:
    ET.SubElement(root, "line", {"x1": str(x), "x2": str(x + 32), "y1": str(y), "y2": str(y), **_stroke(line)})
    if len(line.points) <= MOST_MARKERS:
        _marker(root, line, x + 16, y)
    _text(root, "text", line.name, x=str(x + 40), y=str(y + 4))


def _marker(root: ET.Element, line: Line, x: float, y: float) -> None:
    kind = MARKERS[line.style % len(MARKERS)]
    shapes = {
        "square": "M-3.5 -3.5H3.5V3.5H-3.5Z", "triangle": "M0 -4.5L4.5 3.5H-4.5Z", "diamond": "M0 -5L5 0L0 5L-5 0Z",
        "cross": "M-4 -4L4 4M-4 4L4 -4", "down": "M0 4.5L4.5 -3.5H-4.5Z", "plus": "M-5 0H5M0 -5V5",
    }
    if kind == "circle":
        ET.SubElement(root, "circle", cx=str(x), cy=str(y), r="3.5", fill=_colour(line))
    else:
        ET.SubElement(root, "path", {
            "d": shapes[kind], "transform": f"translate({x} {y})", "fill": _colour(line), "stroke": _colour(line),
            "stroke-width": "1.5",
        })


def _stroke(line: Line) -> dict[str, str]:
    stroke = {"stroke": _colour(line), "stroke-width": "1" if line.faint else "2", "stroke-linejoin": "round"}
    dash = DASHES[line.style % len(DASHES)]
    if line.faint:
        return {**stroke, "stroke-opacity": "0.3"}
    return {**stroke, "stroke-dasharray": dash} if dash else stroke


def _colour(line: Line) -> str:
    return COLOURS[line.style % len(COLOURS)]


def _pairs(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def _text(parent: ET.Element, tag: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, tag, attributes).text = NOT_XML.sub("\ufffd", text)
