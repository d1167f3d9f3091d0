"use strict";
// The inspector on the first page has the theme that a reader chose by hand, not only the system's.
function dress_inspector() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const put = () => {
    const chosen = document.body.dataset.theme;
    const theme = chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
    for (const frame of document.querySelectorAll("iframe.sample")) frame.src = frame.src.split("#")[0] + "#theme=" + theme;
  };
  put();
  new MutationObserver(put).observe(document.body, {attributeFilter: ["data-theme"]});
  dark.addEventListener("change", put);
}
// A page must have all words of a search. Where none has, each word is offered alone.
function offer_words() {
  const results = document.getElementById("search-results");
  const words = (new URLSearchParams(location.search).get("q") || "").split(/\s+/).filter((word) => word !== "");
  if (results === null || words.length < 2) return;
  const offer = () => {
    const summary = results.querySelector(".search-summary");
    if (summary === null || !/did not match/.test(summary.textContent) || results.querySelector(".single-words")) return;
    const offered = document.createElement("p");
    offered.className = "single-words";
    offered.append("No page has all of these words. Search for one of them:");
    for (const word of words) {
      const link = document.createElement("a");
      link.href = "?q=" + encodeURIComponent(word);
      link.textContent = word;
      offered.append(" ", link);
    }
    results.append(offered);
  };
  offer();
  new MutationObserver(offer).observe(results, {childList: true, subtree: true, characterData: true});
}
addEventListener("DOMContentLoaded", () => { dress_inspector(); offer_words(); });
