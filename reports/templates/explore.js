"use strict";
// Optional: copying, sorting, exploring alignments. The page reads whole without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // A box that does not scroll needs no stop of the keyboard.
  const sized = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const box of all(".scroll")) sized.observe(box);

  // Copy a sentence or a BibTeX entry.
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      const label = button.textContent;
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        const range = document.createRange();
        range.selectNodeContents(source);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand("copy");
      }
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }

  // Sort a table by a column: numbers by their value, texts by the page's language.
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
  };
  for (const table of all("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (head.classList.contains("strip")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const descending = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].sort((a, b) => {
          const [x, y] = [keyOf(a, column), keyOf(b, column)];
          return typeof x === "number" && typeof y === "number"
            ? x - y : collator.compare(String(x), String(y));
        });
        if (descending) rows.reverse();
        table.tBodies[0].append(...rows);
      });
    });
  }

  // Light up a unitary alignment: pointed at, or reached with the arrow keys.
  for (const entry of all("details.document")) {
    const pictures = all("svg.alignment", entry);
    const units = all(".unit", entry);
    const light = (unitary) => {
      for (const picture of pictures) picture.classList.toggle("lit", unitary !== null);
      for (const piece of all("svg.alignment [data-t]", entry)) {
        piece.classList.toggle("on", unitary !== null && piece.dataset.t === unitary);
      }
    };
    for (const picture of pictures) picture.setAttribute("role", "group");
    units.forEach((unit, place) => {
      unit.setAttribute("role", "img");
      unit.setAttribute("aria-label", unit.dataset.label);
      unit.setAttribute("tabindex", place ? "-1" : "0");
      unit.addEventListener("pointerenter", () => light(unit.dataset.t));
      unit.addEventListener("pointerleave", () => light(null));
      unit.addEventListener("focus", () => light(unit.dataset.t));
      unit.addEventListener("blur", () => light(null));
      unit.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const next = step && units[place + step];
        if (!next) return;
        event.preventDefault();
        unit.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      });
    });
  }

  // Filter the alignments by the name of the document.
  const tools = document.querySelector(".tools");
  if (tools) {
    tools.hidden = false;
    const documents = all("details.document");
    const field = tools.querySelector("input");
    const output = tools.querySelector("output");
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      let shown = 0;
      for (const entry of documents) {
        entry.hidden = !entry.dataset.document.toLowerCase().includes(wanted);
        shown += entry.hidden ? 0 : 1;
      }
      output.textContent = wanted ? output.dataset.words.replace("#", shown) : "";
    });
  }

  // Mark the section being read in the table of contents.
  const links = new Map(all("nav.contents a").map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const section of all("main > section")) watch.observe(section);

  // Open what is folded before printing, and close it again.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details.document:not([open]), details.document > details:not([open])")
      .filter((entry) => entry.matches("details.document"));
    for (const entry of opened) entry.open = true;
  });
  addEventListener("afterprint", () => { for (const entry of opened) entry.open = false; });
})();
