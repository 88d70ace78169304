// Shows the pairs of pairs.js one after the other, in an order and with sides of each person's own, and saves what was answered.
// Which system made which picture is not in this page: it stands in key.json, which stays with who counts.
'use strict';
(() => {
  const questions = [
    ['physical', 'Which one looks more physically correct?'],
    ['plausible', 'Which one looks more plausible?'],
    ['consistent', 'Which one does more exactly what was asked for?'],
  ];
  const choices = [['left', 'Left'], ['tie', 'No difference'], ['right', 'Right']];
  const find = id => document.getElementById(id);
  const random = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
  const order = study.pairs.map(pair => ({ pair, swapped: random() < 0.5 }));
  for (let i = order.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [order[i], order[k]] = [order[k], order[i]];
  }
  const votes = [];
  let at = -1;

  const put = (parent, tag, text) => {
    const made = document.createElement(tag);
    if (text) made.textContent = text;
    parent.append(made);
    return made;
  };
  const ask = form => {
    form.replaceChildren();
    for (const [name, text] of questions) {
      const set = put(form, 'fieldset');
      put(set, 'legend', text);
      for (const [value, word] of choices) {
        const label = put(set, 'label');
        const radio = put(label, 'input');
        Object.assign(radio, { type: 'radio', name, value, required: true });
        label.append(' ' + word);
      }
    }
  };
  const show = () => {
    const { pair, swapped } = order[at];
    find('pair').hidden = false;
    find('how').hidden = true;
    find('progress').textContent = `${at + 1} of ${order.length}`;
    find('asked').replaceChildren();
    for (const text of pair.asked) put(find('asked'), 'li', text);
    find('start').querySelector('img').src = `pictures/${pair.start}.png`;
    find('left').querySelector('img').src = `pictures/${swapped ? pair.b : pair.a}.png`;
    find('right').querySelector('img').src = `pictures/${swapped ? pair.a : pair.b}.png`;
    ask(find('answers'));
    find('next').textContent = 'Next';
  };
  const keep = () => {
    const { pair, swapped } = order[at];
    const said = new FormData(find('answers'));
    const side = value => value === 'tie' ? 'tie' : (value === 'left') === swapped ? 'b' : 'a';
    const vote = { pair: pair.pair };
    for (const [name] of questions) vote[name] = side(said.get(name));
    votes.push(vote);
  };
  const save = () => {
    const who = Array.from(crypto.getRandomValues(new Uint8Array(8)), b => b.toString(16).padStart(2, '0')).join('');
    const text = JSON.stringify({ schema: 'etna.votes/1', study: study.id, who, votes });
    const link = document.createElement('a');
    link.href = 'data:application/json,' + encodeURIComponent(text);
    link.download = `votes-${who}.json`;
    link.click();
    find('pair').hidden = true;
    find('how').hidden = false;
    find('how').textContent = `Thank you. Please send back the file votes-${who}.json.`;
    find('next').hidden = true;
  };
  find('next').addEventListener('click', () => {
    if (at >= 0 && !find('answers').reportValidity()) return;
    if (at >= 0) keep();
    at++;
    if (at < order.length) show();
    else save();
  });
})();
