"use strict";
// Lists what stands behind a figure, and opens one entry at a time. Everything is set as text; nothing is fetched.
// #list/FACET=HEX/.../v=FIGURE lists entries, #entry/N/v=FIGURE opens one.
(() => {
  const PAGE = 50;
  const host = document.getElementById("entries");
  if (!host) return;
  const tools = document.querySelector(".tools");
  const status = document.getElementById("count");
  let words, index, varying = [], shown = PAGE, state = { marks: {}, figure: null, search: "", entry: null };

  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== null) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  };
  const own = (text) => make("span", { class: "own" }, text);
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? values[name] : hole));

  const bytes = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (one) => one.charCodeAt(0));
  const inflate = async (id) => {
    const stream = new Blob([bytes(id)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const failure = () => (typeof DecompressionStream === "undefined" ? words.old_browser : words.open_failed);
  const spelled = (text) => Array.from(new TextEncoder().encode(text), (one) => one.toString(16).padStart(2, "0")).join("");
  const read = (hex) => {
    try {
      return new TextDecoder().decode(Uint8Array.from(hex.match(/../g) || [], (one) => parseInt(one, 16)));
    } catch (error) {
      return "";
    }
  };
  const number = (value) => (value === null ? words.no_value : String(Number(value.toPrecision(4))));

  // ---- the address of what is shown ----------------------------------------------------------------------------------

  const parse = () => {
    const [kind, ...parts] = decodeURIComponent(location.hash.slice(1)).split("/");
    if (kind !== "list" && kind !== "entry") return false;
    state = { marks: {}, figure: null, search: "", entry: null };
    if (kind === "entry") state.entry = Number(parts.shift());
    for (const part of parts) {
      const [name, value] = part.split("=");
      if (name === "v" && index.figures[Number(value)] !== undefined) state.figure = Number(value);
      else if (index.facets[Number(name)] !== undefined && value !== undefined) state.marks[Number(name)] = read(value);
    }
    return true;
  };
  const address = () => {
    const marks = Object.entries(state.marks).map(([facet, value]) => `${facet}=${spelled(value)}`);
    return "#list/" + [...marks, ...(state.figure === null ? [] : [`v=${state.figure}`])].join("/");
  };
  const change = () => {
    state.entry = null;
    shown = PAGE;
    history.replaceState(null, "", address());
    list();
  };

  // ---- the list ------------------------------------------------------------------------------------------------------

  const chosen = () => {
    const wanted = state.search.toLowerCase();
    const found = [];
    index.entries.forEach(([title, marks, figures], place) => {
      if (state.entry !== null && state.entry !== place) return;
      if (Object.entries(state.marks).some(([facet, value]) => marks[facet] !== value)) return;
      if (state.figure !== null && state.entry === null && figures[state.figure] === null) return;
      if (wanted && !`${title} ${marks.join(" ")}`.toLowerCase().includes(wanted)) return;
      found.push(place);
    });
    if (state.figure !== null) {
      const value = (place) => index.entries[place][2][state.figure];
      found.sort((one, other) => value(one) - value(other) || one - other);
    }
    return found;
  };

  const picker = (label, options, value, pick) => {
    const select = make("select", { onchange: () => pick(select.value) });
    for (const [key, text] of options) select.append(make("option", { value: key, selected: key === value }, text));
    return make("label", {}, label, select);
  };

  const controls = () => {
    tools.replaceChildren();
    index.facets.forEach((name, facet) => {
      const values = varying[facet];
      if (!values) return;
      const options = [["*", words.any], ...values.map((value) => ["=" + value, value || "–"])];
      const now = facet in state.marks ? "=" + state.marks[facet] : "*";
      tools.append(picker(name, options, now, (value) => {
        if (value === "*") delete state.marks[facet];
        else state.marks[facet] = value.slice(1);
        change();
      }));
    });
    const figures = [["", words.none], ...index.figures.map((title, place) => [String(place), title])];
    tools.append(picker(words.figure, figures, state.figure === null ? "" : String(state.figure), (value) => {
      state.figure = value === "" ? null : Number(value);
      change();
    }));
    const search = make("input", { type: "search", oninput: () => {
      state.search = search.value;
      shown = PAGE;
      entries();
    } });
    tools.append(make("label", {}, words.search, search));
    tools.append(make("button", { type: "button", onclick: () => { state.marks = {}; state.figure = null; change(); } }, words.everything));
  };

  const entries = () => {
    const found = chosen();
    const figure = state.figure === null ? "" : " · " + index.figures[state.figure];
    status.textContent = fill(words.count, { count: found.length, all: index.entries.length }) + figure;
    host.replaceChildren(...found.slice(0, shown).map(entry));
    if (found.length > shown) {
      host.append(make("button", { type: "button", class: "more", onclick: () => { shown += PAGE; entries(); } },
        fill(words.more, { count: found.length - shown })));
    }
  };
  const list = () => { controls(); entries(); };

  // ---- an entry ------------------------------------------------------------------------------------------------------

  const entry = (place) => {
    const [title, marks, figures] = index.entries[place];
    const value = state.figure === null ? "" : make("span", { class: "figure" }, number(figures[state.figure]));
    const where = marks.filter((mark, facet) => mark && varying[facet] && !title.includes(mark)).join(" · ");
    const body = make("div", {});
    const details = make("details", { open: state.entry === place }, make("summary", {}, value, own(title), where ? make("span", { class: "soft own" }, " · " + where) : ""), body);
    const load = async () => {
      if (!details.open || body.childElementCount) return;
      try {
        detail(body, await inflate("b" + place), place);
      } catch (error) {
        body.replaceChildren(make("p", { class: "warn" }, failure()));
      }
    };
    details.addEventListener("toggle", load);
    if (details.open) load();
    return details;
  };

  const detail = (body, block, place) => {
    const figures = index.entries[place][2];
    const facts = make("dl", {}, ...block.names.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { class: "own" }, value)]));
    const all = index.figures.map((title, n) => [title, n]).filter(([, n]) => figures[n] !== null);
    const scores = make("div", {});
    let narrow = state.figure !== null;
    const draw = () => {
      let group = null;
      scores.replaceChildren();
      block.findings.forEach((finding) => {
        if (narrow && finding[4].length && !finding[4].includes(state.figure)) return;
        if (finding[6] !== group) scores.append(...heading(group = finding[6], block.sources[group]));
        scores.append(score(finding, block.sources[finding[6]]));
      });
    };
    const box = make("input", { type: "checkbox", checked: narrow, onchange: () => { narrow = box.checked; draw(); } });
    const only = state.figure === null ? "" : make("p", {}, make("label", {}, box, " " + fill(words.only_behind, { figure: index.figures[state.figure] })));
    const values = make("p", { class: "soft" }, ...all.map(([title, n]) => make("span", { class: "value own" }, `${title} `, make("b", {}, number(figures[n])))));
    draw();
    body.replaceChildren(facts, values, only, scores);
  };

  const heading = (group, source) => [
    ...(group ? [make("h3", {}, own(group))] : []),
    ...(source ? [make("p", { class: "soft" }, own(source.run), " · ", make("code", {}, source.command))] : []),
  ];

  const score = ([title, value, lines, by, , turns, , item], source) => {
    const details = make("details", {}, make("summary", {}, make("span", { class: "figure" }, value), own(title)));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) return;
      details.append(...lines.map((line) => make("p", { class: "own" }, line)));
      const told = [item, by, turns.length ? fill(words.turn, { turns: turns.join(", ") }) : ""].filter(Boolean);
      details.append(make("p", { class: "soft own" }, told.join(" · ")));
      for (const turn of turns) {
        const said = source && source.turns[turn];
        if (said) details.append(make("blockquote", { class: "own" }, make("b", {}, `〔${turn}〕`, own(said[0])), own(said[1])));
      }
    });
    return details;
  };

  // ---- begin ---------------------------------------------------------------------------------------------------------

  const go = () => {
    if (!parse()) {
      const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (aim && aim.tagName === "DETAILS") aim.open = true;
      return;
    }
    shown = PAGE;
    list();
    document.getElementById("list").scrollIntoView();
    document.querySelector("#list h2").focus({ preventScroll: true });
  };
  const begin = async () => {
    words = JSON.parse(new TextDecoder().decode(bytes("words")));
    index = await inflate("index");
    varying = index.facets.map((_, facet) => {
      const values = [...new Set(index.entries.map(([, marks]) => marks[facet]))];
      return values.length > 1 ? values : null;
    });
    addEventListener("hashchange", go);
    list();
    go();
    document.documentElement.dataset.ready = "yes";
  };
  begin().catch(() => { status.textContent = failure(); });
})();
