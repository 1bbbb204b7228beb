// What makes a page hard to use, as a list: controls without names, broken references, headings that skip a level,
// faint text, focus that is not seen or jumps, small targets.
(() => {
  const faults = [], shown = (node) => { const box = node.getBoundingClientRect(), style = getComputedStyle(node); return box.width > 1 && box.height > 1 && style.visibility !== 'hidden' && !node.closest('[hidden]'); };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const named = (node) => (node.getAttribute('aria-label') || (node.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('') || [...(node.labels ?? [])].map((one) => one.textContent).join('') || node.textContent).trim();
  const tell = (what, node) => faults.push(`${what}: ${node.outerHTML.slice(0, 120)}`);
  for (const node of all('a, button, input, select, textarea, summary, [role=dialog], nav, progress')) if (!named(node)) tell('no name', node);
  for (const node of document.querySelectorAll('[aria-labelledby], [for]')) for (const id of (node.getAttribute('aria-labelledby') ?? node.htmlFor ?? '').split(' ')) if (id && !document.getElementById(id)) tell('refers to nothing', node);
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((each) => each === id).length > 1) faults.push(`two of one id: ${id}`);
  for (const node of document.querySelectorAll('[tabindex]')) if (node.tabIndex > 0) tell('an order of its own', node);
  for (const node of all('[onclick], div[role=button], span[role=button]')) tell('no control', node);
  if (!document.documentElement.lang || !document.title) faults.push('no language, or no title');
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((node) => node.getClientRects().length).map((node) => [Number(node.tagName[1]), node]);
  headings.forEach(([level, node], at) => { if (level > (at ? headings[at - 1][0] : 0) + 1) tell('skips a level', node); });
  const light = ([r, g, b]) => { const part = (one) => { const c = one / 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; }; return .2126 * part(r) + .7152 * part(g) + .0722 * part(b); };
  const colour = (text) => { const found = text.match(/[\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
  const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
  function behind(node) {
    const found = [];
    for (let each = node; each; each = each.parentElement) { const one = colour(getComputedStyle(each).backgroundColor); if (one[3] > 0) found.push(one); if (one[3] === 1) break; }
    return found.reverse().reduce((under, top) => over(top, under), matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]);
  }
  const contrast = (one, other) => { const [high, low] = [light(one), light(other)].sort((a, b) => b - a); return (high + .05) / (low + .05); };
  const opacity = (node) => { let all = 1; for (let each = node; each; each = each.parentElement) all *= Number(getComputedStyle(each).opacity); return all; };
  function read(node, text, style) {
    const under = behind(node), size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    const [r, g, b, a] = colour(style.color), ratio = contrast(over([r, g, b, a * opacity(node)], under), under);
    if (ratio < (large ? 3 : 4.5)) tell(`contrast ${ratio.toFixed(2)} of ${text.trim().slice(0, 20)}`, node);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, node = text.parentElement;
    if (text.textContent.trim() && shown(node) && !node.closest('svg, script, style, noscript, option, .skip, .hidden, :disabled')) read(node, text.textContent, getComputedStyle(node));
  }
  for (const node of all('select')) read(node, node.value, getComputedStyle(node));
  for (const node of all('input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea')) read(node, node.value || node.placeholder, getComputedStyle(node, node.value ? null : '::placeholder'));
  for (const node of all('button, select, input:not([type=file]), textarea, nav a')) if (node.getBoundingClientRect().height < 24 && !node.closest('label')) tell('too small', node);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
  // Focus: seen on the element or on the label that stands for it, and from each to the next down the page, or in the next column
  const had = document.activeElement, looks = (node) => { const one = getComputedStyle(node); return [one.outlineStyle, one.outlineWidth, one.outlineColor, one.boxShadow, one.backgroundColor, one.borderColor, one.textDecorationLine].join(); };
  const stands = (node) => (shown(node) && !node.matches('.hidden') ? node : node.labels?.[0]);
  const order = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((node) => !node.disabled && node.tabIndex >= 0 && !node.closest('[hidden], .skip, details:not([open]) > :not(summary)') && stands(node) && shown(stands(node)) && (!document.querySelector('dialog[open]') || node.closest('dialog[open]')));
  let last = null;
  for (const node of order) {
    had?.blur?.();
    document.activeElement.blur();
    const one = stands(node), before = looks(one), box = one.getBoundingClientRect(), fixed = Boolean(one.closest('.door'));
    node.focus({ preventScroll: true, focusVisible: true });
    const style = getComputedStyle(one);
    if (looks(one) === before) tell('focus not seen', node);
    else if (style.outlineStyle !== 'none' && contrast(over(colour(style.outlineColor), behind(one.parentElement)), behind(one.parentElement)) < 3) tell('faint focus', node);
    if (last && !last.fixed && !fixed && box.bottom <= last.box.top - 1 && box.left < last.box.right) tell('focus goes up', node);
    if (last && box.top < last.box.bottom && last.box.top < box.bottom && box.right <= last.box.left - 1 && box.bottom - box.top < 100 && last.box.bottom - last.box.top < 100) tell('focus goes back', node);
    last = { box, fixed };
  }
  document.activeElement.blur();
  had?.focus?.({ preventScroll: true });
  return faults;
})()
