/* How the site's search ranks pages: the words that people search by stand in index entries of the
   pages that answer them; guides and concepts come before the lists of the reference, every page
   before the index pages and the longest lists, which name them all, and the developers' pages come
   last. Where few pages have all words, those with at least half of them follow: rare words count
   most. */
const AFTER_ALL_OTHERS = -1000;

var Scorer = {
  score([page, , , , score]) {
    if (/^contributing\/|^architecture$/.test(page)) return score + 2 * AFTER_ALL_OTHERS;
    if (/(^|\/)index$/.test(page)) return score - 40;
    if (/^reference\/(python|commands|campaign-file)$/.test(page)) return score + AFTER_ALL_OTHERS;
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

const ENOUGH = 5;
const withAllWords = Search.performTermsSearch; // the scorer is read after the search itself

Search.performTermsSearch = (words, excluded) => {
  const whole = withAllWords(words, excluded);
  if (whole.length >= ENOUGH || words.size < 2) return whole;
  const listed = new Set(whole.map(([page]) => page));
  const partly = new Map();
  for (const word of words) {
    const pages = withAllWords(new Set([word]), excluded);
    const rarity = Math.log(Search._index.docnames.length / pages.length);
    for (const result of pages) {
      if (listed.has(result[0])) continue;
      const found = partly.get(result[0]) ?? { result, n: 0, score: AFTER_ALL_OTHERS };
      found.n += 1;
      found.score += rarity * (10 + result[4]);
      partly.set(result[0], found);
    }
  }
  for (const { result, n, score } of partly.values()) {
    if (2 * n >= words.size) whole.push(result.with(4, score));
  }
  return whole;
};
