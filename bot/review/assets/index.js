(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const { h, fill, rich, amount } = drawing({ ...data, names: [] });

  // -- every table with heads can be sorted -------------------------------------------------------------------------

  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const figure = parseFloat(text.replace("\u2212", "-").replace(/[,+]/g, ""));
    return row.cells[column].classList.contains("n") && !Number.isNaN(figure) ? figure : text;
  };
  function sortable(table) {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.querySelector("button")) head.replaceChildren(h("button", { type: "button" }, ...head.childNodes));
      head.firstElementChild.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const order = (one, other) => {
          const first = value(one, column), second = value(other, column);
          if (typeof first !== typeof second) return typeof first === "number" ? -1 : 1;
          return (first < second ? -1 : first > second ? 1 : 0) * (down ? -1 : 1);
        };
        body.append(...[...body.rows].sort(order));
      });
    });
  }
  for (const table of document.querySelectorAll("table:not(.choices)")) if (table.tHead) sortable(table);

  // -- the list of decisions ----------------------------------------------------------------------------------------

  if (!$("listed")) return;
  const W = data.words, STEP = 25;
  let most = STEP;
  const habit = (row) => `${row.kind}-${row.situation}`;
  const fits = (row) => (!$("f-habit").value || habit(row) === $("f-habit").value)
    && (!$("f-category").value || row.category === $("f-category").value) && (!$("f-grade").value || row.grade === $("f-grade").value)
    && (!$("f-riichi").checked || row.riichi) && (!$("f-dealer").checked || row.dealer);

  function line(row) {
    const head = [h("span", { class: "badge " + row.grade }, W["grade_" + row.grade]), " ", h("b", {}, row.hand), " ", fill(W.turn, { turn: row.turn }),
      " \u00b7 ", W["habit_" + row.kind], ", ", W["sit_" + row.situation], " \u00b7 ", h("span", { class: "source" }, row.game), h("span", { class: "cost" }, "\u2212" + amount(row.loss))];
    return h("li", {}, h(row.page ? "a" : "div", { class: "card", href: row.page || null }, h("span", { class: "card-head" }, ...head), h("span", { class: "say" }, ...rich(row.say))));
  }
  function list() {
    const found = data.decisions.filter(fits);
    const lost = found.reduce((sum, row) => sum + row.loss, 0);
    $("count").textContent = found.length ? fill(W.listed_count, { n: found.length, lost: amount(lost) }) : W.f_none;
    $("found").replaceChildren(...found.slice(0, most).map(line));
    $("more").hidden = found.length <= most;
  }
  for (const id of ["f-habit", "f-category", "f-grade", "f-riichi", "f-dealer"]) $(id).addEventListener("change", () => { most = STEP; list(); });
  $("more").addEventListener("click", () => { most += STEP; list(); });

  /** A habit's address opens its decisions. */
  function route() {
    const wanted = /^#habit-(.+)$/.exec(location.hash);
    if (!wanted) return;
    for (const id of ["f-category", "f-grade"]) $(id).value = "";
    for (const id of ["f-riichi", "f-dealer"]) $(id).checked = false;
    $("f-habit").value = wanted[1];
    most = STEP;
    list();
    $("listed").scrollIntoView();
  }
  window.addEventListener("hashchange", route);
  list();
  route();
})();
