// What makes a page hard to use, as a list: controls without names, broken references, faint text, small targets.
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
  const light = ([r, g, b]) => { const part = (one) => { const c = one / 255; return c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; }; return .2126 * part(r) + .7152 * part(g) + .0722 * part(b); };
  const colour = (text) => { const found = text.match(/[\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
  const over = (top, under) => [0, 1, 2].map((at) => top[at] * top[3] + under[at] * (1 - top[3]));
  function behind(node) {
    const found = [];
    for (let each = node; each; each = each.parentElement) { const one = colour(getComputedStyle(each).backgroundColor); if (one[3] > 0) found.push(one); if (one[3] === 1) break; }
    return found.reverse().reduce((under, top) => over(top, under), matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, node = text.parentElement;
    if (!text.textContent.trim() || !shown(node) || node.closest('svg, script, style, noscript, option, .skip, .hidden')) continue;
    const style = getComputedStyle(node), under = behind(node), ink = over(colour(style.color), under), [high, low] = [light(ink), light(under)].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700), ratio = (high + .05) / (low + .05);
    if (ratio < (large ? 3 : 4.5)) tell(`contrast ${ratio.toFixed(2)}`, node);
  }
  for (const node of all('button, select, input:not([type=file]), textarea, nav a')) if (node.getBoundingClientRect().height < 24 && !node.closest('label')) tell('too small', node);
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`wider than the window: ${document.documentElement.scrollWidth}`);
  return faults;
})()
