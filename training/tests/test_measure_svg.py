"""The charts: well-formed, complete, readable without colours."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ET

from longsight_training.measure.run_log import smooth
from longsight_training.measure.svg import COLOURS, DASHES, LEFT, MARKERS, PLOT_HEIGHT, PLOT_WIDTH, TOP, Chart, Line, Point, draw, round_ticks

SVG = "{http://www.w3.org/2000/svg}"
KS = (16, 32, 64, 128, 256, 512)


def chart(*lines: Line, **more) -> Chart:
    return Chart("Recall", "What it shows", "K", "recall", lines, **more)


def line(name: str = "a", style: int = 0, **more) -> Line:
    return Line(name, [Point(k, index / 5, index / 5 - 0.1, index / 5 + 0.1) for index, k in enumerate(KS)], style, **more)


def parse(made: Chart) -> ET.Element:
    return ET.fromstring(draw(made))


def pairs(element: ET.Element) -> list[tuple[float, float]]:
    return [tuple(map(float, pair.split(","))) for pair in element.attrib["points"].split()]


class Drawing(unittest.TestCase):
    def test_has_a_title_and_a_description_for_those_who_do_not_see_it(self) -> None:
        root = parse(chart(line()))
        self.assertEqual(root.attrib["role"], "img")
        self.assertEqual([root[0].text, root[1].text], ["Recall", "What it shows"])
        self.assertEqual(root.attrib["aria-labelledby"], f"{root[0].attrib['id']} {root[1].attrib['id']}")

    def test_points_lie_where_they_belong(self) -> None:
        root = parse(chart(line(), x_log=True, x_ticks=KS))
        places = pairs(root.find(f"{SVG}polyline"))
        self.assertEqual([x for x, _ in places], [LEFT + PLOT_WIDTH * index / 5 for index in range(6)])
        # The bands reach from −0.1 to 1.1, so the axis from −0.5 to 1.5.
        for index, (_, y) in enumerate(places):
            self.assertAlmostEqual(y, TOP + PLOT_HEIGHT * (1.5 - index / 5) / 2, delta=0.02)
        band = pairs(root.find(f"{SVG}polygon"))
        self.assertEqual(len(band), 12)
        self.assertLess(band[0][1], places[0][1])
        self.assertGreater(band[-1][1], places[0][1])

    def test_ticks_are_named(self) -> None:
        texts = [element.text for element in parse(chart(line(), x_log=True, x_ticks=KS)).iter(f"{SVG}text")]
        for k in KS:
            self.assertIn(str(k), texts)
        self.assertIn("K", texts)
        self.assertIn("recall", texts)

    def test_colour_is_never_alone(self) -> None:
        looks = {(COLOURS[style % len(COLOURS)], DASHES[style % len(DASHES)], MARKERS[style % len(MARKERS)]) for style in range(40)}
        self.assertEqual(len(looks), 40)
        without_colour = {(DASHES[style % len(DASHES)], MARKERS[style % len(MARKERS)]) for style in range(35)}
        self.assertEqual(len(without_colour), 35)
        root = parse(chart(line("a", 0), line("b", 1)))
        first, second = root.findall(f"{SVG}polyline")
        self.assertNotEqual(first.attrib["stroke"], second.attrib["stroke"])
        self.assertNotEqual(first.get("stroke-dasharray"), second.get("stroke-dasharray"))

    def test_any_name_is_well_formed(self) -> None:
        root = parse(chart(line("<a> & \u0000\ud800 ]]> “b”")))
        self.assertIn("<a> & \ufffd\ufffd ]]> “b”", [element.text for element in root.iter(f"{SVG}text")])

    def test_no_name_in_the_legend_is_cut_off(self) -> None:
        # Advances of DejaVu Sans, a wide font, at 12 pixels; a full-width sign takes the whole of them.
        for letters, advance in (("W" * 40, 11.9), ("m" * 40, 11.7), ("QOGD" * 10, 9.45), ("0123456789" * 4, 7.64), ("漢字" * 20, 12), ("abcdeghnopq" * 4, 7.7)):
            root = parse(chart(line(letters)))
            (name,) = [element for element in root.iter(f"{SVG}text") if element.text == letters]
            self.assertGreaterEqual(float(root.attrib["width"]), float(name.attrib["x"]) + len(letters) * advance, letters)

    def test_faint_lines_are_not_in_the_legend(self) -> None:
        texts = [element.text for element in parse(chart(line("behind", faint=True), line("before"))).iter(f"{SVG}text")]
        self.assertIn("before", texts)
        self.assertNotIn("behind", texts)

    def test_little_or_nothing_to_show(self) -> None:
        self.assertIn("There is nothing to show.", [element.text for element in parse(chart()).iter(f"{SVG}text")])
        for points in ([Point(0, 0)], [Point(5, 0.5)], [Point(1, 2), Point(1, 2)], [Point(1, -3), Point(2, -3)]):
            parse(chart(Line("one", points, 0)))
        parse(chart(Line("one", [Point(64, 0.5)], 0), x_log=True))


class Ticks(unittest.TestCase):
    def test_are_round_and_hold_all_between_them(self) -> None:
        self.assertEqual(round_ticks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1])
        self.assertEqual(round_ticks(0, 900), [0, 200, 400, 600, 800, 1000])
        self.assertEqual(round_ticks(0.2, 0.31), [0.2, 0.25, 0.3, 0.35])
        for low, high in ((0, 0), (3, 3), (-1e-9, 1e-9), (1e20, 1e25), (0.1, 0.1 + 1e-6)):
            ticks = round_ticks(low, high)
            self.assertTrue(2 <= len(ticks) <= 8, ticks)
            self.assertTrue(ticks[0] <= low + 1e-12 * abs(low) and ticks[-1] >= high - 1e-12 * abs(high), ticks)


class Smoothing(unittest.TestCase):
    def test_is_the_mean_of_those_around(self) -> None:
        points = [(step, float(step * step)) for step in range(1, 8)]
        self.assertEqual(smooth(points, 1), points)
        found = smooth(points, 3)
        self.assertEqual(found[0], (1, 1.0))
        self.assertAlmostEqual(found[3][1], (9 + 16 + 25) / 3)
        self.assertEqual(found[-1], (7, 49.0))
