// The playground: sends the question, shows what is being read, opens footnotes beside the answer.
// Everything that is shown comes escaped from the server or is set as text.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const smooth = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";

// ---------------------------------------------------------------- a document of its own

function showMark(root, behavior = "auto") {
  const target = $("mark", root) || $(".quoted", root);
  if (target) target.scrollIntoView({ block: "center", behavior });
  return target !== null;
}

function openReader() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (showMark(document) || !wanted || document.getElementById(wanted)) return;
  // A long document shows a stretch only: fetch the one the address means.
  const address = new URL(location.href);
  if (address.searchParams.get("at") === wanted || address.searchParams.has("sig")) return;
  address.search = "";
  address.searchParams.set("at", wanted);
  location.replace(address);
}

// ---------------------------------------------------------------- the playground

function playground(desk) {
  const form = $("#ask");
  const box = $("#question");
  const send = $(".send", form);
  const turns = $("#turns");
  const beside = $("#source");
  const words = $("#words").dataset;
  let running = null;
  let opened = null;

  const announce = (text) => { $("#announce").textContent = text; };

  function grow() {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight}px`;
  }

  function setRunning(controller) {
    running = controller;
    send.textContent = controller ? send.dataset.stop : send.dataset.ask;
    send.classList.toggle("stopping", controller !== null);
  }

  // ------------------------------------------------------------ asking

  async function ask(text) {
    const turn = $("#turn-template").content.firstElementChild.cloneNode(true);
    const reply = $(".reply", turn);
    $(".asked-words", turn).textContent = text;
    turns.append(turn);
    document.body.classList.add("asked");
    box.value = "";
    box.placeholder = box.dataset.again;
    grow();
    turn.scrollIntoView({ block: "start", behavior: smooth });
    setRunning(new AbortController());
    const outcome = await answered(text, reply, running.signal);
    setRunning(null);
    reply.removeAttribute("aria-busy");
    announce(outcome);
    turn.scrollIntoView({ block: "start", behavior: smooth });
  }

  async function answered(text, reply, signal) {
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "text/event-stream" },
        body: new URLSearchParams({
          question: text,
          thread: desk.dataset.thread,
          timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
        }),
        signal,
      });
      if (!response.ok) {
        if (!box.value) box.value = text;
        grow();
        return showProblem(reply, await response.json());
      }
      for await (const [name, data] of events(response.body)) {
        if (name === "progress") showProgress(reply, data);
        else if (name === "answer") return showAnswer(reply, data);
        else if (name === "error") return showProblem(reply, data);
      }
      throw new Error("the stream ended early");
    } catch {
      return signal.aborted
        ? showProblem(reply, { error: words.stopped, hint: "" })
        : showProblem(reply, { error: words.lost, hint: words.lostHint });
    }
  }

  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (kept + value).split("\n\n");
      kept = blocks.pop();
      for (const block of blocks) {
        const name = block.match(/^event: (.*)$/m);
        const data = block.match(/^data: (.*)$/m);
        if (name && data) yield [name[1], JSON.parse(data[1])];
      }
    }
  }

  function showAnswer(reply, { html, footnotes }) {
    reply.innerHTML = html;
    return words.answered.replace("{n}", footnotes);
  }

  function showProblem(reply, { error, hint }) {
    const box = document.createElement("p");
    box.className = "trouble";
    box.textContent = [error, hint].filter(Boolean).join(" ");
    reply.replaceChildren(box);
    return box.textContent;
  }

  // ------------------------------------------------------------ progress

  function showProgress(reply, { stage, document: title, section, parts }) {
    const place = [title, section].filter(Boolean).join(" › ");
    const line = place ? `${words[stage] || ""} ${place}`.trim() : words[stage] || words.map;
    const now = $(".now-words", reply);
    if (now.textContent !== line) {
      now.textContent = line;
      if (place) addToTrail($(".trail", reply), place);
    }
    if (parts.length) showParts($(".parts", reply), parts);
  }

  function addToTrail(trail, place) {
    if ($$("li", trail).some((item) => item.textContent === place)) return;
    const item = document.createElement("li");
    item.textContent = place;
    trail.append(item);
    while (trail.children.length > 6) trail.firstElementChild.remove();
  }

  function showParts(list, parts) {
    const states = {
      pending: words.pending, reading: words.partReading, answered: words.partAnswered,
      partial: words.partial, not_covered: words.notCovered,
    };
    list.hidden = false;
    list.replaceChildren(...parts.map(({ question, state }) => {
      const item = document.createElement("li");
      const asked = document.createElement("span");
      const label = document.createElement("span");
      item.className = state;
      asked.className = "part-question";
      asked.textContent = question;
      label.className = "state";
      label.textContent = states[state] || state;
      item.append(asked, " ", label);
      return item;
    }));
  }

  // ------------------------------------------------------------ footnotes and their source

  const footnoteOf = (link) => document.getElementById(link.dataset.footnote);
  const footnotes = () => $$(".footnote", $(".turn:last-child", turns) || turns);

  async function openSource(link) {
    const note = footnoteOf(link);
    markOpened(note);
    beside.hidden = false;
    document.body.classList.add("reading");
    beside.setAttribute("aria-busy", "true");
    const address = new URL(link.href);
    address.hash = "";
    address.searchParams.set("view", "panel");
    try {
      const response = await fetch(address, { headers: { Accept: "text/html" } });
      const html = await response.text();
      if (opened !== note) return;
      beside.innerHTML = html;
      beside.scrollTop = 0;
      centre($("mark", beside) || $(".quoted", beside));
      beside.focus({ preventScroll: true });
    } catch {
      location.assign(link.href);
    } finally {
      beside.removeAttribute("aria-busy");
    }
  }

  function centre(target) {
    if (!target) return;
    const offset = target.getBoundingClientRect().top - beside.getBoundingClientRect().top;
    beside.scrollTop += offset - beside.clientHeight / 3;
  }

  function markOpened(note) {
    $$(".opened").forEach((each) => each.classList.remove("opened"));
    opened = note;
    if (!note) return;
    note.classList.add("opened");
    $$(`[data-footnote="${note.id}"].marker`).forEach((each) => each.classList.add("opened"));
  }

  function closeSource() {
    const note = opened;
    markOpened(null);
    beside.hidden = true;
    beside.replaceChildren();
    document.body.classList.remove("reading");
    if (note) $(".footnote", note).focus();
  }

  function step(by) {
    const links = footnotes();
    if (!links.length) return false;
    const current = links.findIndex((link) => link === document.activeElement || footnoteOf(link) === opened);
    const next = current < 0 ? (by > 0 ? 0 : links.length - 1) : (current + by + links.length) % links.length;
    links[next].focus();
    links[next].scrollIntoView({ block: "nearest", behavior: smooth });
    if (!beside.hidden) openSource(links[next]);
    return true;
  }

  async function showRounds(details) {
    const place = $(".rounds", details);
    if (!details.open || !details.dataset.trace || $(".round-list", place)) return;
    const response = await fetch(details.dataset.trace, { headers: { Accept: "text/html" } });
    if (response.ok) place.innerHTML = await response.text();
  }

  // ------------------------------------------------------------ events

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) {
      running.abort();
      return;
    }
    const chosen = event.submitter && event.submitter.name === "example" ? event.submitter.value : "";
    const text = (chosen || box.value).trim();
    if (text) ask(text);
  });

  box.addEventListener("input", grow);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running && box.value.trim()) form.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) {
      closeSource();
      return;
    }
    const link = event.target.closest("a[data-footnote]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    openSource(link);
  });

  document.addEventListener("toggle", (event) => {
    if (event.target.matches("details.how")) showRounds(event.target);
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const typing = document.activeElement === box;
    if (event.key === "Escape") {
      if (!beside.hidden) closeSource();
      else if (running) running.abort();
      else if (typing) box.blur();
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      box.focus();
    } else if (["ArrowRight", "ArrowLeft"].includes(event.key) && !(typing && box.value)) {
      if (event.target.closest(".table, pre")) return;
      if (step(event.key === "ArrowRight" ? 1 : -1)) event.preventDefault();
    }
  });

  grow();
}

const desk = $("[data-thread]");
if (desk) playground(desk);
else if ($(".document")) {
  openReader();
  addEventListener("hashchange", openReader);
}
