/* How the site's search ranks pages: the words that people search by stand in index entries of the
   pages that answer them; guides and concepts come before the lists of the reference, and every page
   before the index pages, which name them all. */
var Scorer = {
  score([page, , , , score]) {
    if (/^contributing\/|^architecture$|(^|\/)index$/.test(page)) return score - 40;
    return /^(how-to|concepts|tutorials)\//.test(page) ? score + 6 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
