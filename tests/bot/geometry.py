"""Where things lie on a page in a browser: what meets, what is outside, what a finger misses."""

from __future__ import annotations

import json

DESK, WIDE, PHONE, SIDE = (1440, 900), (1920, 1080), (390, 844), (844, 390)
"""Two screens, and a phone held upright and on its side."""
SIZES = (SIDE, PHONE, DESK, WIDE)
PHONES = (PHONE, SIDE)
_PARTS = """
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
  const all = (parts) => [...document.querySelectorAll(parts)].filter(seen);
  const box = (one) => one.getBoundingClientRect();
  const name = (one) => `${one.outerHTML.slice(0, 60)} ${['x', 'y', 'right', 'bottom'].map((key) => Math.round(box(one)[key]))}`;
"""  # noqa: E501 - one line of a script


async def shown(page, parts):
    """Number of the visible elements that fit."""
    return await page.ask(f"(() => {{ {_PARTS} return all({json.dumps(parts)}).length; }})()")


async def meeting(page, parts, others):
    """The visible elements of two kinds that lie upon one another by more than a pixel."""
    return await page.ask(f"""(() => {{ {_PARTS}
      const share = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 1;
      return all({json.dumps(parts)}).flatMap((one) => all({json.dumps(others)})
        .filter((other) => one !== other && !one.contains(other) && !other.contains(one))
        .filter((other) => share(box(one), box(other), 'left', 'right') && share(box(one), box(other), 'top', 'bottom'))
        .map((other) => name(one) + ' meets ' + name(other)));
    }})()""")


async def outside(page, parts, frame=None):
    """The visible elements that reach out of the first visible one of a frame, or of the window."""
    return await page.ask(f"""(() => {{ {_PARTS}
      const frame = {json.dumps(frame)}, window_ = {{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }};
      const limit = frame ? box(all(frame)[0]) : window_;
      return all({json.dumps(parts)}).filter((one) => {{
        const r = box(one);
        return r.left < limit.left - 1 || r.top < limit.top - 1 || r.right > limit.right + 1 || r.bottom > limit.bottom + 1;
      }}).map(name);
    }})()""")  # noqa: E501 - one line of a script


async def missed(page, targets):
    """The visible targets that are lower than 44 pixels, or narrower than a tile must be, so that a finger misses."""
    return await page.ask(
        f"(() => {{ {_PARTS} return all({json.dumps(targets)})"
        ".filter((one) => box(one).height < 43.5 || box(one).width < 33.5).map(name); })()"
    )
