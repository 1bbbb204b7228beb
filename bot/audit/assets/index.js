"use strict";
(() => {
  const table = document.getElementById("games");
  if (!table) return;
  const body = table.tBodies[0];
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const figure = Number(text.replace("\u2212", "-").replace(/[,%+]/g, ""));
    return column === 0 || Number.isNaN(figure) ? text : figure;
  };
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const order = (one, other) => {
      const first = value(one, column), second = value(other, column);
      if (typeof first !== typeof second) return typeof first === "number" ? -1 : 1;
      return (first < second ? -1 : first > second ? 1 : 0) * (down ? -1 : 1);
    };
    body.append(...[...body.rows].sort(order));
  }));
})();
