"""Bars as SVG, small and without anything from outside; the colours follow the reader's light or dark."""

from html import escape

STYLE = """<style>
text{font:12px system-ui,sans-serif;fill:#24292f}.head{font-weight:600}.faint{fill:#6a737d}
.ours{fill:#2f6fde}.peer{fill:#a8b1bd}.good{fill:#2b8a57}.bad{fill:#cf4545}
.must{stroke:#24292f;stroke-width:2}.aim{stroke:#24292f;stroke-width:2;stroke-dasharray:2 2}
@media(prefers-color-scheme:dark){text{fill:#d6dce3}.faint{fill:#8b95a1}.ours{fill:#5c94f5}
.peer{fill:#5d6773}.good{fill:#41a873}.bad{fill:#e06666}.must,.aim{stroke:#d6dce3}}
</style>"""
WIDTH, LEFT, RIGHT, LINE, TOP = 760, 300, 100, 22, 34


class Bars:
    """Lines of bars from a common zero: add them, then ask for the text."""

    def __init__(self, title, most):
        self.title, self.most, self.pieces, self.y = title, most, [], TOP

    def x(self, value):
        return LEFT + min(value, self.most) / self.most * (WIDTH - LEFT - RIGHT)

    def put(self, x, y, text, kind="", anchor="start"):
        self.pieces.append(f'<text x="{x:.0f}" y="{y}" class="{kind}" text-anchor="{anchor}">'
                           f"{escape(text)}</text>")

    def head(self, text):
        self.y += 6
        self.put(LEFT - 8, self.y + 15, text, "head", "end")
        self.y += LINE

    def mark(self, value, kind):
        if value is not None and value <= self.most:
            x = self.x(value)
            self.pieces.append(f'<path d="M{x:.1f} {self.y + 1}v{LINE - 2}" class="{kind}"/>')

    def bar(self, label, value, kind, told, must=None, aim=None):
        self.put(LEFT - 8, self.y + 15, label, anchor="end")
        length = max(1.0, self.x(value) - LEFT)
        self.pieces.append(f'<rect x="{LEFT}" y="{self.y + 4}" width="{length:.1f}" '
                           f'height="{LINE - 8}" rx="2" class="{kind}"/>')
        self.mark(must, "must")
        self.mark(aim, "aim")
        edge = max([self.x(value)] + [self.x(v) for v in (must, aim) if v is not None and v <= self.most])
        self.put(edge + 6, self.y + 15, told, "faint")
        self.y += LINE

    def text(self):
        height = self.y + 10
        title = f'<text x="12" y="20" class="head">{escape(self.title)}</text>'
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
                f'width="{WIDTH}" height="{height}" role="img"><title>{escape(self.title)}</title>\n'
                f'{STYLE}\n{title}\n' + "\n".join(self.pieces) + "\n</svg>\n")
