"use strict";
// Optional: colours, copying, sorting, searching, exploring, decisions. The page reads whole without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const kept = {
    read(key) { try { return localStorage.getItem(key); } catch { return null; } },
    write(key, text) { try { localStorage.setItem(key, text); } catch { /* a page that may not store */ } },
  };
  const make = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };

  let n_fields = 0;
  const labelled = (text, field) => {
    field.id ||= `field-${n_fields += 1}`;
    return make("span", { className: "field" }, make("label", { htmlFor: field.id, textContent: text }), " ", field);
  };

  // Colours: before the page is drawn, so that it never flashes.
  const dark = document.getElementById("dark");
  const automatic = dark.media;
  const paint = (theme) => { dark.media = { dark: "screen", light: "not all" }[theme] ?? automatic; };
  paint(kept.read("accordeur-theme"));

  const start = () => {
    const words = JSON.parse(document.body.dataset.words);

    const themes = document.querySelector(".theme");
    themes.hidden = false;
    for (const choice of all("input", themes)) {
      choice.checked = choice.value === (kept.read("accordeur-theme") ?? "auto");
      choice.addEventListener("change", () => { kept.write("accordeur-theme", choice.value); paint(choice.value); });
    }

    // A box that does not scroll needs no stop of the keyboard.
    const sized = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
        else target.removeAttribute("tabindex");
      }
    });
    for (const box of all(".scroll")) sized.observe(box);

    // Copy a sentence or a BibTeX entry.
    const copy = (button) => {
      button.hidden = false;
      button.addEventListener("click", async () => {
        const source = document.getElementById(button.dataset.copy);
        const label = button.textContent;
        try {
          await navigator.clipboard.writeText(source.textContent);
        } catch {
          const wasHidden = source.hidden; // what is hidden cannot be selected
          source.hidden = false;
          const range = document.createRange();
          range.selectNodeContents(source);
          getSelection().removeAllRanges();
          getSelection().addRange(range);
          document.execCommand("copy");
          source.hidden = wasHidden;
        }
        button.textContent = words.copied;
        setTimeout(() => { button.textContent = label; }, 1500);
      });
      return button;
    };
    all("[data-copy]").forEach(copy);
    const copier = (label, target) => {
      const button = make("button", { type: "button", className: "copy", textContent: label });
      button.dataset.copy = target;
      return copy(button);
    };
    for (const card of all(".card")) {
      card.addEventListener("beforetoggle", () => {
        const entry = card.querySelector(".card-foot a");
        const buttons = [copier(words.copy_sentence, `${card.id}-s`)];
        if (entry) buttons.push(copier(words.copy_bibtex, `${entry.hash.slice(1)}-entry`));
        card.querySelector(".card-foot").prepend(...buttons);
      }, { once: true });
    }

    // Sort a table by a column, with its folded rows: numbers by their value, texts by the language.
    const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
    const keyOf = (row, column) => {
      const cell = row.cells[column];
      return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
    };
    for (const block of all("div.table")) {
      const tables = all("table", block);
      if (!tables[0].classList.contains("sortable")) continue;
      const bodies = tables.map((table) => table.tBodies[0]);
      const lengths = bodies.map((body) => body.rows.length);
      const heads = tables.map((table) => [...table.tHead.rows[0].cells]);
      for (const row of heads) {
        row.forEach((head, column) => {
          if (head.classList.contains("strip")) return;
          const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
          head.append(button);
          button.addEventListener("click", () => {
            const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
            heads.flat().forEach((other) => other.removeAttribute("aria-sort"));
            for (const same of heads) same[column].setAttribute("aria-sort", order);
            const rows = bodies.flatMap((body) => [...body.rows]).sort((a, b) => {
              const [x, y] = [keyOf(a, column), keyOf(b, column)];
              return typeof x === "number" && typeof y === "number" ? x - y : collator.compare(String(x), String(y));
            });
            if (order === "descending") rows.reverse();
            bodies.forEach((body, place) => body.append(...rows.splice(0, lengths[place])));
          });
        });
      }
    }

    // Search the rows of a table that is folded because it is long.
    const searched = (label, list, textOf, changed) => {
      const field = make("input", { type: "search", autocomplete: "off" });
      const output = make("output");
      field.addEventListener("input", () => {
        const wanted = field.value.trim().toLowerCase();
        let shown = 0;
        for (const one of list) {
          one.hidden = !textOf(one).toLowerCase().includes(wanted);
          shown += one.hidden ? 0 : 1;
        }
        output.textContent = wanted ? words.shown.replace("#", shown) : "";
        changed?.(wanted);
      });
      return make("p", { className: "tools" }, labelled(label, field), " ", output);
    };
    for (const block of all("div.table:has(> details)")) {
      const fold = block.querySelector(":scope > details");
      const rows = all("tbody tr", block);
      if (rows.length < 30) continue;
      const tools = searched(words.search_rows, rows, (row) => row.cells[0].textContent, (wanted) => { fold.open = wanted !== ""; });
      block.querySelector(".caption").after(tools);
    }
    for (const hint of all(".explore")) hint.hidden = false;
    const documents = all("details.document");
    if (documents.length > 1) {
      documents[0].before(searched(words.search_documents, documents, (entry) => entry.dataset.document, (wanted) => {
        for (const fold of all("details.fold:has(details.document)")) fold.open = wanted !== "";
      }));
    }

    // Light up a unitary alignment: pointed at, or reached with the arrow keys.
    for (const entry of documents) {
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
        unit.setAttribute("aria-label", unit.querySelector("title").textContent);
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

    const list = document.querySelector(".disagreements");
    if (list) discuss(list, words);

    // Mark the section being read in the table of contents.
    const links = new Map(all("nav.contents a").map((link) => [link.hash.slice(1), link]));
    const watch = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-10% 0px -80% 0px" });
    for (const section of all("main section")) watch.observe(section);

    // Open what an address or a link points into, also where the browser does not.
    const reveal = (hash) => {
      const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
      if (!target) return;
      const closed = all("details:not([open])").filter((fold) => fold.contains(target));
      for (const fold of closed) fold.open = true;
      if (closed.length) target.scrollIntoView();
    };
    addEventListener("hashchange", () => reveal(location.hash));
    document.addEventListener("click", (event) => reveal(event.target.closest?.('a[href^="#"]')?.hash));
    reveal(location.hash);

    // Open what is folded before printing, where the style sheet cannot, and close it again.
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = CSS.supports("selector(details::details-content)") ? [] : all("details:not([open])");
      for (const entry of opened) entry.open = true;
    });
    addEventListener("afterprint", () => { for (const entry of opened) entry.open = false; });
  };

  // The disagreements: filters, links that set them, decisions and their export.
  const discuss = (list, words) => {
    const cards = all(".disagreement", list).map((element) => {
      const said = new Map(all("[data-annotator]", element).map((one) => [one.dataset.annotator, one.dataset.category]));
      return { element, said, text: element.textContent.toLowerCase(), ...element.dataset };
    });
    const fold = list.querySelector("details");
    const of = {
      layer: (card) => [card.layer],
      cause: (card) => [card.cause],
      annotator: (card) => [...card.said.keys()],
      category: (card) => [...card.said.values()].filter(Boolean),
      batch: (card) => [card.batch].filter(Boolean),
      document: (card) => [card.document],
    };
    const fields = Object.fromEntries(Object.entries(of).flatMap(([name, values]) => {
      const found = [...new Set(cards.flatMap(values))].sort(new Intl.Collator(document.documentElement.lang, { numeric: true }).compare);
      if (found.length < 2) return [];
      const options = found.map((value) => make("option", { value, textContent: words[`${name}_${value}`] ?? value }));
      return [[name, make("select", {}, make("option", { value: "", textContent: words.all }), ...options)]];
    }));
    const search = make("input", { type: "search", autocomplete: "off" });
    const output = make("output");
    const clear = make("button", { type: "button", className: "copy", textContent: words.clear, hidden: true });
    let pair = null; // annotator → category, set by a cell of a confusion matrix
    const apply = () => {
      const wanted = search.value.trim().toLowerCase();
      let shown = 0;
      for (const card of cards) {
        const fits = card.text.includes(wanted)
          && Object.entries(fields).every(([name, field]) => !field.value || of[name](card).includes(field.value))
          && (!pair || Object.entries(pair).every(([who, category]) => card.said.get(who) === category));
        card.element.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      const filtered = Boolean(wanted || pair || Object.values(fields).some((field) => field.value));
      output.textContent = filtered ? words.shown.replace("#", shown) : "";
      if (pair) output.textContent = `${Object.entries(pair).map((one) => one.join(": ")).join(", ")} – ${output.textContent}`;
      clear.hidden = !filtered;
      if (fold && filtered) fold.open = true;
    };
    const reset = () => {
      pair = null;
      search.value = "";
      for (const field of Object.values(fields)) field.value = "";
    };
    for (const field of [search, ...Object.values(fields)]) field.addEventListener("input", apply);
    clear.addEventListener("click", () => { reset(); apply(); });
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[data-filter]");
      if (!link) return;
      const { said, ...chosen } = JSON.parse(link.dataset.filter);
      reset();
      pair = said ?? null;
      for (const [name, value] of Object.entries(chosen)) if (fields[name]) fields[name].value = value;
      apply();
    });
    const filters = Object.entries(fields).map(([name, field]) => labelled(words[name], field));
    list.prepend(make("div", { className: "tools filters" }, ...filters, labelled(words.search, search), clear, output));

    // Decisions: kept with this page, written as the file that `accordeur adjudicate` reads.
    const tagsets = JSON.parse(list.dataset.tagsets);
    const store = `accordeur-decisions:${location.pathname}`;
    const decided = JSON.parse(kept.read(store) ?? "{}");
    const who = make("input", { autocomplete: "name", value: decided[""] ?? "" });
    const save = make("button", { type: "button", className: "copy" });
    const note = make("output");
    const count = () => Object.keys(decided).filter((name) => name).length;
    const changed = () => {
      kept.write(store, JSON.stringify(decided));
      save.textContent = words.export.replace("#", count());
      save.disabled = !count() || !who.value.trim();
      note.textContent = count() && !who.value.trim() ? words.who_first : "";
    };
    const decidable = cards.filter((card) => card.case);
    for (const card of decidable) {
      const before = decided[card.case];
      const choices = [["", words.open], ...(tagsets[card.layer] ?? []).map((one) => [one, one]), ["(nothing)", words.nothing]];
      if (card.unit) choices.push(["(no category)", words.no_category]);
      const decision = make("select", {}, ...choices.map(([value, textContent]) => make("option", { value, textContent })));
      const why = make("input", { value: before?.why ?? "" });
      decision.value = before?.decision ?? "";
      const reason = labelled(words.why, why);
      reason.hidden = !decision.value;
      const update = () => {
        reason.hidden = !decision.value;
        if (decision.value) decided[card.case] = { decision: decision.value, why: why.value, when: `${new Date().toISOString().slice(0, 19)}Z` };
        else delete decided[card.case];
        card.element.classList.toggle("decided", decision.value !== "");
        changed();
      };
      decision.addEventListener("change", update);
      why.addEventListener("change", update);
      card.element.classList.toggle("decided", decision.value !== "");
      card.element.append(make("p", { className: "tools" }, labelled(words.decision, decision), reason));
    }
    who.addEventListener("input", () => { decided[""] = who.value; changed(); });
    const quoted = (text) => `"${(/^'*[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    save.addEventListener("click", () => {
      const rows = [["case", "layer", "document", "where", "decision", "start", "end", "who", "when", "why"]];
      for (const card of decidable) {
        const one = decided[card.case];
        if (one) rows.push([card.case, card.layer, card.document, card.where, one.decision, "", "", who.value.trim(), one.when, one.why]);
      }
      const file = new Blob(["\ufeff", rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")], { type: "text/csv" });
      const link = make("a", { href: URL.createObjectURL(file), download: "decisions.csv" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    if (decidable.length) {
      changed();
      list.querySelector(".filters").after(make("div", { className: "tools decisions" }, labelled(words.who, who), save, note));
    }
  };

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();
