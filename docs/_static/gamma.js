/* γ to play with: units of two or three annotators, their best alignment, and chance by random2.

   The alignment is exact (all partitions into unitary alignments), and so is the expected disorder:
   the mean over all virtual documents that the five documents of the pool allow. The same
   definitions as `accordeur.gamma`, for documents of one length (docs/concepts/gamma.md).

   A unit is {start, end, category}; a document has a list of units for each annotator. */
"use strict";

const TEXT = "Marie Curie moved to Paris in the autumn";
const CATEGORIES = ["Person", "Place", "Time"];
const NAMES = ["anna", "ben", "cleo"];
const DEFAULTS = { alpha: 1, beta: 1, empty: 1 };

const unit = (start, end, category) => ({ start, end, category });
const POOL = [
  [[unit(0, 6, 0), unit(10, 18, 1)], [unit(0, 6, 0), unit(12, 18, 1), unit(30, 36, 2)]],
  [[unit(4, 15, 1)], [unit(4, 15, 1), unit(22, 28, 0)]],
  [[unit(2, 9, 0), unit(20, 25, 0), unit(31, 40, 2)], [unit(2, 9, 0), unit(20, 27, 1)]],
  [[unit(14, 21, 2), unit(26, 33, 1)], [unit(14, 21, 2), unit(25, 33, 1)]],
  [[unit(7, 12, 0), unit(17, 29, 1)], [unit(7, 12, 0), unit(17, 29, 1), unit(34, 40, 2)]],
];
const EXAMPLES = {
  "Same units": [
    [unit(0, 11, 0), unit(21, 26, 1)], [unit(0, 11, 0), unit(21, 26, 1)], [unit(0, 11, 0), unit(21, 26, 1)],
  ],
  "Worked example": [
    [unit(0, 11, 0), unit(21, 26, 1)], [unit(6, 11, 0)], [unit(0, 11, 0), unit(18, 26, 1)],
  ],
  "Other category": [
    [unit(0, 11, 0), unit(21, 26, 1)], [unit(0, 11, 0), unit(21, 26, 0)], [unit(0, 11, 0), unit(21, 26, 1)],
  ],
  "One split in two": [
    [unit(0, 11, 0), unit(21, 40, 2)], [unit(0, 5, 0), unit(6, 11, 0), unit(21, 40, 2)], [unit(0, 11, 0), unit(27, 40, 2)],
  ],
  "Nothing in common": [
    [unit(0, 5, 0), unit(12, 17, 1)], [unit(21, 26, 1), unit(30, 40, 2)], [unit(6, 11, 0), unit(27, 33, 2)],
  ],
};

/* The dissimilarity of two units: its part of position, its part of category, and their sum. */
function dissimilarity(u, v, { alpha, beta, empty }) {
  if (!u || !v) return { position: 0, category: 0, total: empty };
  const shift = Math.abs(u.start - v.start) + Math.abs(u.end - v.end);
  const lengths = u.end - u.start + (v.end - v.start);
  const position = alpha * (shift / lengths) ** 2 * empty;
  const category = beta * (u.category === v.category ? 0 : 1) * empty;
  return { position, category, total: position + category };
}

/* The mean dissimilarity over the pairs of a unitary alignment: one unit or null of each annotator. */
function unitaryDisorder(tuple, weights) {
  let sum = 0;
  let pairs = 0;
  for (let a = 0; a < tuple.length; a++) {
    for (let b = a + 1; b < tuple.length; b++, pairs++) sum += dissimilarity(tuple[a], tuple[b], weights).total;
  }
  return sum / pairs;
}

/* The alignment with the lowest disorder; `disorder` is NaN without units. */
function bestAlignment(document, weights) {
  const units = document.flatMap((own, annotator) => own.map((one) => ({ ...one, annotator })));
  const known = new Map();

  function cheapest(used) {
    const first = units.findIndex((_, i) => !(used & (1 << i)));
    if (first < 0) return { total: 0, tuples: null };
    if (known.has(used)) return known.get(used);
    let best = { total: Infinity };
    const tuple = new Array(document.length).fill(null);
    const choose = (annotator, taken) => {
      if (annotator === document.length) {
        const disorder = unitaryDisorder(tuple, weights);
        const rest = cheapest(taken);
        if (disorder + rest.total < best.total) {
          best = { total: disorder + rest.total, tuples: { tuple: [...tuple], disorder, rest: rest.tuples } };
        }
        return;
      }
      tuple[annotator] = null;
      choose(annotator + 1, taken);
      units.forEach((one, i) => {
        if (one.annotator !== annotator || taken & (1 << i)) return;
        tuple[annotator] = one;
        choose(annotator + 1, taken | (1 << i));
      });
      tuple[annotator] = null;
    };
    tuple[units[first].annotator] = units[first];
    choose(units[first].annotator + 1, used | (1 << first));
    known.set(used, best);
    return best;
  }

  const found = cheapest(0);
  const tuples = [];
  for (let one = found.tuples; one; one = one.rest) tuples.push({ units: one.tuple, disorder: one.disorder });
  const meanUnits = units.length / document.length;
  return { tuples, total: found.total, meanUnits, disorder: meanUnits ? found.total / meanUnits : NaN };
}

/* All virtual documents of n annotators, each from another document of the pool. */
function virtualDocuments(n, pool = POOL) {
  const found = [];
  const extend = (from, chosen) => {
    if (chosen.length === n) return found.push(chosen);
    for (let d = from; d < pool.length; d++) pool[d].forEach((own) => extend(d + 1, [...chosen, own]));
    return undefined;
  };
  extend(0, []);
  return found;
}

function expectedDisorder(n, weights, pool = POOL) {
  const all = virtualDocuments(n, pool).map((one) => bestAlignment(one, weights).disorder);
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}

/* ------------------------------------------------------------------------------------- drawing */

const STEP = 16;
const ROW = 46;
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  const made = name.startsWith("svg:")
    ? window.document.createElementNS(SVG, name.slice(4))
    : window.document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

const number = (value) => (Number.isFinite(value) ? value.toFixed(3) : "–");
const words = (one) => `“${TEXT.slice(one.start, one.end).trim()}” ${CATEGORIES[one.category]}`;

/* Bars of the units and lines of their alignment; `onBar` is told of each bar. */
function drawing(document, found, { text = "", names = NAMES, onBar = () => {} } = {}) {
  const top = text ? 30 : 8;
  const svg = element("svg:svg", {
    viewBox: `-52 0 ${STEP * TEXT.length + 60} ${top + ROW * document.length}`,
    class: "gamma-drawing",
    role: "group",
    "aria-label": "Units of each annotator, and lines between aligned ones",
  });
  [...text].forEach((letter, i) => {
    svg.append(element("svg:text", { x: STEP * (i + 0.5), y: 18, "text-anchor": "middle", class: "gamma-text" }, letter));
  });
  const middle = (one) => (STEP * (one.start + one.end)) / 2;
  found.tuples.forEach(({ units, disorder }) => {
    const real = units.map((one, a) => one && [middle(one), top + ROW * a + 14]).filter(Boolean);
    svg.append(element("svg:polyline", { points: real.map((one) => one.join()).join(" "), class: "gamma-line" }));
    if (real.length > 1) {
      const [[x1, y1], [x2, y2]] = real;
      const label = { x: (x1 + x2) / 2 + 5, y: (y1 + y2) / 2 + 5, class: "gamma-cost" };
      svg.append(element("svg:text", label, number(disorder)));
    }
  });
  const alone = found.tuples.filter(({ units }) => units.filter(Boolean).length === 1).flatMap(({ units }) => units);
  document.forEach((own, a) => {
    const y = top + ROW * a;
    svg.append(element("svg:text", { x: -8, y: y + 19, "text-anchor": "end", class: "gamma-name" }, names[a]));
    svg.append(element("svg:line", { x1: 0, x2: STEP * TEXT.length, y1: y + 14, y2: y + 14, class: "gamma-track" }));
    own.forEach((one, i) => {
      const bar = element("svg:g", { class: `gamma-unit gamma-category-${one.category}` });
      const width = STEP * (one.end - one.start);
      const isAlone = alone.some((u) => u && u.annotator === a && u.start === one.start && u.end === one.end);
      bar.append(
        element("svg:rect", { x: STEP * one.start, y, width, height: 28, rx: 4, class: isAlone ? "gamma-alone" : "" }),
        element("svg:text", { x: middle(one), y: y + 19, "text-anchor": "middle" }, CATEGORIES[one.category].slice(0, Math.max(1, Math.floor(width / 9)))),
      );
      onBar(bar, a, i, svg);
      svg.append(bar);
    });
  });
  return svg;
}

/* --------------------------------------------------------------------------------- interaction */

function play(root) {
  const state = { n: 2, units: structuredClone(EXAMPLES["Worked example"]), weights: { ...DEFAULTS }, chosen: null, virtual: 0 };
  const place = (name) => root.querySelector(`[data-part=${name}]`);
  const shown = () => state.units.slice(0, state.n);

  function change(one, start, end) {
    const length = Math.max(1, Math.min(end - start, TEXT.length));
    one.start = Math.max(0, Math.min(start, TEXT.length - length));
    one.end = one.start + length;
  }

  function onBar(bar, a, i, svg) {
    const one = state.units[a][i];
    const isChosen = state.chosen && state.chosen.a === a && state.chosen.i === i;
    bar.setAttribute("tabindex", "0");
    bar.setAttribute("role", "button");
    bar.setAttribute("aria-label", `${NAMES[a]}: ${words(one)}, characters ${one.start} to ${one.end}`);
    bar.setAttribute("aria-pressed", String(Boolean(isChosen)));
    bar.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / box.width;
      const at = (x) => ((x - box.left) * scale + svg.viewBox.baseVal.x) / STEP;
      const from = at(event.clientX);
      const { start, end } = one;
      const edge = Math.min(0.7, (end - start) / 4);
      const part = from - start < edge ? "start" : end - from < edge ? "end" : "both";
      state.chosen = { a, i };
      const move = (moved) => {
        const by = Math.round(at(moved.clientX) - from);
        if (part === "start") change(one, Math.max(0, Math.min(start + by, end - 1)), end);
        else if (part === "end") change(one, start, Math.min(TEXT.length, Math.max(end + by, start + 1)));
        else change(one, start + by, end + by);
        show();
      };
      const stop = () => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", stop);
        window.removeEventListener("pointercancel", stop);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", stop);
      window.addEventListener("pointercancel", stop);
      show();
    });
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by && event.shiftKey) change(one, one.start, Math.min(TEXT.length, Math.max(one.end + by, one.start + 1)));
      else if (by) change(one, one.start + by, one.end + by);
      else if (event.key === "Delete" || event.key === "Backspace") return remove(a, i, event);
      else if (event.key === "Enter" || event.key === " ") one.category = (one.category + 1) % CATEGORIES.length;
      else return undefined;
      event.preventDefault();
      state.chosen = { a, i };
      show();
      return place("drawing").querySelectorAll(".gamma-unit")[indexOf(a, i)].focus();
    });
  }

  const indexOf = (a, i) => shown().slice(0, a).reduce((sum, own) => sum + own.length, 0) + i;

  function remove(a, i, event) {
    if (event) event.preventDefault();
    state.units[a].splice(i, 1);
    state.chosen = null;
    show();
  }

  function add(a) {
    const free = [...TEXT].findIndex((_, at) => at + 5 <= TEXT.length && state.units[a].every((u) => u.end <= at || u.start >= at + 5));
    if (free < 0 || state.units[a].length > 4) return;
    state.units[a].push(unit(free, free + 5, 0));
    state.chosen = { a, i: state.units[a].length - 1 };
    show();
  }

  function button(text, act, pressed) {
    const made = element("button", { type: "button" }, text);
    if (pressed !== undefined) made.setAttribute("aria-pressed", String(pressed));
    made.addEventListener("click", act);
    return made;
  }

  function showTools() {
    const tools = place("tools");
    tools.replaceChildren(
      ...NAMES.slice(0, state.n).map((name, a) => button(`+ unit of ${name}`, () => add(a))),
      button(state.n === 2 ? "+ third annotator" : "− third annotator", () => {
        state.n = 5 - state.n;
        state.chosen = null;
        state.virtual = 0;
        show();
      }),
    );
    if (!state.chosen) return;
    const { a, i } = state.chosen;
    const one = state.units[a][i];
    tools.append(
      element("span", { class: "gamma-chosen" }, `${NAMES[a]}, ${words(one)}: `),
      ...CATEGORIES.map((name, k) => button(name, () => { one.category = k; show(); }, one.category === k)),
      button("remove", () => remove(a, i)),
    );
  }

  function showTable(found) {
    const rows = found.tuples.map(({ units, disorder }) => {
      const real = units.filter(Boolean);
      let why = "no partner: Δ∅";
      if (real.length > 1 && state.n === 2) {
        const { position, category } = dissimilarity(...real, state.weights);
        why = `position ${number(position)} + category ${number(category)}`;
      } else if (real.length > 1) why = "mean over its three pairs";
      return element(
        "tr", {},
        ...units.map((one) => element("td", {}, one ? words(one) : "∅")),
        element("td", {}, why),
        element("td", { class: "gamma-number" }, number(disorder)),
      );
    });
    const heads = [...NAMES.slice(0, state.n), "made of", "cost"];
    place("table").replaceChildren(
      element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((one) => element("th", {}, one)))), element("tbody", {}, ...rows)),
    );
  }

  function showChance() {
    const all = virtualDocuments(state.n);
    const one = all[state.virtual % all.length];
    const found = bestAlignment(one, state.weights);
    place("chance").replaceChildren(
      element("p", {}, `Virtual document ${(state.virtual % all.length) + 1} of ${all.length}: disorder ${number(found.disorder)}. `,
        button("next", () => { state.virtual += 1; show(); })),
      drawing(one, found, { names: ["text 1", "text 2", "text 3"] }),
    );
  }

  function show() {
    const document = shown();
    const found = bestAlignment(document, state.weights);
    const expected = expectedDisorder(state.n, state.weights);
    const gamma = 1 - found.disorder / expected;
    place("drawing").replaceChildren(drawing(document, found, { text: TEXT, onBar }));
    const chosen = state.chosen && place("drawing").querySelectorAll(".gamma-unit")[indexOf(state.chosen.a, state.chosen.i)];
    if (chosen) chosen.classList.add("gamma-is-chosen");
    const sum = found.tuples.map(({ disorder }) => number(disorder)).join(" + ") || "0";
    place("result").replaceChildren(
      element("p", {}, "observed disorder = (", sum, `) / ${found.meanUnits.toFixed(2)} units per annotator = `, element("b", {}, number(found.disorder))),
      element("p", {}, "expected disorder = ", element("b", {}, number(expected))),
      element("p", { class: "gamma-value" }, "γ = 1 − observed / expected = ", element("b", {}, number(gamma))),
    );
    showTable(found);
    showTools();
    showChance();
  }

  place("examples").append(
    ...Object.entries(EXAMPLES).map(([name, units]) =>
      button(name, () => {
        state.units = structuredClone(units);
        state.chosen = null;
        show();
      })),
  );
  const sliders = [["alpha", "α, weight of position", 0, 3], ["beta", "β, weight of category", 0, 3], ["empty", "Δ∅, cost of the empty unit", 0.1, 3]];
  place("weights").append(
    ...sliders.map(([key, label, min, max]) => {
      const input = element("input", { type: "range", min, max, step: 0.1, value: DEFAULTS[key] });
      const value = element("output", {}, String(DEFAULTS[key]));
      input.addEventListener("input", () => {
        state.weights[key] = Number(input.value);
        value.textContent = input.value;
        show();
      });
      return element("label", {}, `${label} `, input, " ", value);
    }),
  );
  show();
  root.classList.add("gamma-is-alive");
}

window.accordeurGamma = { bestAlignment, expectedDisorder, virtualDocuments, POOL, EXAMPLES, TEXT };
window.addEventListener("DOMContentLoaded", () => window.document.querySelectorAll(".gamma-play").forEach(play));
