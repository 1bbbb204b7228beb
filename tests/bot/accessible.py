"""What makes a page hard to use: controls without roles or names, headings, focus, faint text, small targets."""

from __future__ import annotations

from pathlib import Path

FAULTS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""A script whose value is a list of what is wrong with the page, each with the beginning of its element."""
CONTROLS = frozenset((
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "listbox",
    "MenuListPopup", "menuitem", "tab", "option", "dialog", "DisclosureTriangle", "progressbar", "spinbutton",
))  # fmt: skip
"""Roles that need a name."""


async def faults(page):
    """What is wrong with a page: what the script finds, and the controls to which the browser gives no role or name."""
    tree = (await page.call("Accessibility.getFullAXTree"))["nodes"]
    wrong = []
    for node in tree:
        role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
        focusable = any(one["name"] == "focusable" and one["value"]["value"] for one in node.get("properties", ()))
        if node.get("ignored") or role in {"RootWebArea", "main", "MenuListPopup"}:
            continue
        if focusable and role in {"", "generic", "none"}:
            wrong.append(f"no role: {name}")
        if role in CONTROLS and not name.strip():
            wrong.append(f"no accessible name: {role}")
    return wrong + await page.ask(FAULTS)
