// Tables sort by a click on a head and, where they are long, filter by a word. The page can be read without this.
"use strict";
const key = (row, i) => {
  const cell = row.cells[i], v = cell.dataset.v;
  return v === undefined ? cell.textContent.trim() : Number(v);
};
const compare = (a, b) => {
  const x = typeof a === "number", y = typeof b === "number";
  if (x && y) return a - b;
  return x ? -1 : y ? 1 : a.localeCompare(b, "en", { numeric: true });
};
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  if (body.rows.length < 2) continue;
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.title = "Sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("n"), now = head.getAttribute("aria-sort");
      const down = now ? now === "ascending" : numeric;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(key(a, i), key(b, i)));
      body.append(...rows);
    });
  });
  if (body.rows.length <= 14) continue;
  const label = document.createElement("label"), input = document.createElement("input");
  label.className = "filter";
  input.type = "search";
  label.append("Show rows with", input);
  input.addEventListener("input", () => {
    const word = input.value.trim().toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(word);
  });
  table.parentElement.before(label);
}
