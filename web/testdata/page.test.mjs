// The modules of the page that need no browser.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {asPlace, asRun, decode, encode, pack, placeIn, unpack, withPlace} from '../page/link.js';
import {highlight} from '../page/draw/starlark.js';
import {h, serialize} from '../page/draw/tree.js';
import {fit, layOut} from '../page/draw/layout.js';
import {duration, stateLook, verdictLook} from '../page/words.js';
import {byLine, entriesOf, placeOf, wordsOf} from '../page/windowmap.js';
import {stretched} from '../page/beside.js';
import {freeze} from '../page/connection.js';

test('a link comes back as it was', () => {
  const run = {scenario: '01-a/ü.star', steps: ["relay#2 publish work-1'2", 'worker1 ack (kept)'], position: 1};
  const link = encode(run);
  assert.match(link, /^v1\.[A-Za-z0-9_-]+$/);
  assert.deepEqual(asRun(decode('http://127.0.0.1:7979/play#' + link)), run);
  assert.deepEqual(asRun(decode('#' + link)), run);
});

test('what is no link is null', () => {
  for (const text of ['', '#', '#the-run', 'v1.', 'v1.***', 'v2.e30', '#v1.' + btoa('{"a"'), 'v1.' + encode(1).slice(3) + 'A', '#v1._w']) {
    assert.equal(asRun(decode(text)), null, text);
  }
});

test('a link that is shared is short, carries the text, and is bounded', async () => {
  const run = {scenario: 'mine.star', steps: ['worker1 ack'], position: 1, text: 'def handle(d):\n    d.ack()\n'.repeat(50)};
  const link = await pack(run);
  assert.ok(link.length < 300, link);
  assert.deepEqual(asRun(await unpack('http://127.0.0.1:7979/play#' + link)), run);
  assert.deepEqual(asRun(await unpack('#' + encode(run))), run);
  assert.deepEqual(asRun({text: 'x', steps: [], position: 0}), {scenario: 'scenario.star', text: 'x', steps: [], position: 0});
  for (const bad of [await pack({...run, text: 'x'.repeat(1e7)}), link.slice(0, -20), 'v1.' + 'e'.repeat(1 << 20), 'v1.', '', await pack(7)]) {
    assert.equal(asRun(await unpack(bad)), null, bad.slice(0, 40));
  }
});

test('a place is checked and cut to its steps', () => {
  assert.equal(asPlace({steps: [1], position: 0}), null);
  assert.equal(asPlace({steps: [], position: -1}), null);
  assert.equal(asPlace({steps: [], position: 0.5}), null);
  assert.equal(asPlace({steps: 'abc', position: 0}), null);
  assert.equal(asPlace(null), null);
  assert.equal(asRun({steps: [], position: 0}), null);
  assert.deepEqual(asPlace({steps: ['a'], position: 7}), {steps: ['a'], position: 1});
});

test('a place keeps a budget that is not the own one', () => {
  const place = {steps: ['a'], position: 1, budget: 'one_fault'};
  assert.deepEqual(placeIn(withPlace('', 'one', place), 'one'), place);
  assert.deepEqual(asPlace({...place, budget: ''}), {steps: ['a'], position: 1});
});

test('each simulation of a lesson has its own place in the address', () => {
  const first = withPlace('#the-run', 'one', {steps: ['a'], position: 1});
  const both = withPlace(first, 'two', {steps: [], position: 0});
  assert.deepEqual(placeIn(both, 'one'), {steps: ['a'], position: 1});
  assert.deepEqual(placeIn(both, 'two'), {steps: [], position: 0});
  assert.equal(placeIn(both, 'three'), null);
  assert.equal(placeIn(both, 'toString'), null);
});

const kinds = (source) => highlight(source).map((line) => line.map(({kind, text}) => kind ? `${kind}:${text}` : text));

test('starlark is coloured line by line', () => {
  assert.deepEqual(kinds('def handle(d):\n    d.ack()  # now\n'), [
    ['keyword:def', ' ', 'name:handle', '(', 'd', '):'], ['    ', 'd', '.', 'call:ack', '()  ', 'comment:# now']]);
  assert.deepEqual(kinds('x = """a\n# b\n"""\nTrue'), [['x', ' = ', 'string:"""a'], ['string:# b'], ['string:"""'], ['number:True']]);
  assert.deepEqual(kinds('"a\\"b" + \'c'), [['string:"a\\"b"', ' + ', "string:'c"]]);
  assert.deepEqual(kinds('"""never\nclosed'), [['string:"""never'], ['string:closed']]);
  assert.deepEqual(kinds('\n\na'), [[], [], ['a']]);
  assert.deepEqual(kinds(''), [[]]);
});

test('highlighting loses no character', () => {
  const source = 'load("x")\n\tif a == 0x1F: # "no string"\n  b = r"\\d" + \'\'\'q\n"""\'\'\'\n';
  assert.equal(highlight(source).map((line) => line.map(({text}) => text).join('')).join('\n') + '\n', source);
});

test('a tree is escaped', () => {
  assert.equal(serialize(h('text', {title: '"<&'}, '<b>&')), '<text title="&quot;&lt;&amp;">&lt;b&gt;&amp;</text>\n');
  assert.equal(serialize(h('g', {a: undefined, b: 1 / 3}, null)), '<g b="0.33"/>\n');
});

test('a text is cut to its room', () => {
  assert.equal(fit('publish', 100, 6), 'publish');
  assert.equal(fit('publish', 30, 6), 'publ…');
  assert.equal(fit('publish', 0, 6), 'pu…');
});

test('a diagram without lanes or rows has a place', () => {
  const layout = layOut({lanes: [], rows: [], bands: []}, 300);
  assert.equal(layout.width, 300);
  assert.equal(layout.rows.length, 0);
});

test('durations are said as people say them', () => {
  assert.deepEqual([0, 30, 119, 120, 150, 7199, 7200, 9000].map(duration),
    ['0 s', '30 s', '119 s', '2 min', '2 min 30 s', '119 min 59 s', '2 h', '2 h 30 min']);
});

test('a word that the page does not know is shown', () => {
  assert.equal(verdictLook('half_done').text, 'half done');
  assert.equal(verdictLook('toString').text, 'toString');
  assert.equal(stateLook('asleep').tone, 'calm');
});

test('a snapshot is frozen through and through', () => {
  const value = freeze({a: [{b: 1}]});
  assert.throws(() => { value.a[0].b = 2; }, TypeError);
});

const way = (word) => ({word, steps: ['a'], fits: true, intents: ['work-1']});
const gap = (line, faults) => ({line, column: 5, last: line, call: 'commit', text: 'tx.commit()', end: false, occurrences: [],
  faults: faults.map(([kind, mark, ...words]) => ({kind, mark, ways: words.map(way)}))});

test('a mark tells the harm of a crash before that of other faults', () => {
  assert.deepEqual(entriesOf([gap(1, [['lost_request', 'harmful', 'unresolved'], ['crash', 'harmful', 'lost'], ['stall', 'harmless']])]),
    [{word: 'lost', kinds: ['crash']}, {word: 'unresolved', kinds: ['lost_request']}]);
  assert.deepEqual(entriesOf([gap(1, [['crash', 'harmful', 'lost']]), gap(1, [['stall', 'harmful', 'lost']])]), [{word: 'lost', kinds: ['crash', 'stall']}]);
});

test('harmless, unreached and undecided are never one for another', () => {
  const word = (...faults) => entriesOf([gap(1, faults)]).map(({word}) => word);
  assert.deepEqual(word(['crash', 'harmless'], ['stall', 'impossible']), ['harmless']);
  assert.deepEqual(word(['crash', 'unreached'], ['stall', 'unreached']), ['unreached']);
  assert.deepEqual(word(['crash', 'harmless'], ['stall', 'undecided']), ['undecided']);
  assert.deepEqual(word(['crash', 'harmful', 'lost'], ['stall', 'undecided']), ['lost', 'undecided']);
  assert.deepEqual(word(['crash', 'impossible']), []);
});

test('the map is read line by line', () => {
  const lines = byLine({always: [], handlers: [{name: 'handle', processes: ['worker1'], gaps: [
    gap(3, [['crash', 'harmless']]), gap(4, [['crash', 'harmful', 'lost']]), gap(4, [['crash', 'harmless']]), gap(5, [['crash', 'impossible']])]}]});
  assert.deepEqual([...lines.keys()], [3, 4]);
  assert.equal(lines.get(4).gaps.length, 2);
  assert.deepEqual(wordsOf(lines), ['harmless', 'lost']);
  assert.equal(placeOf(gap(1, [])), 'tx.commit()');
  assert.equal(placeOf({...gap(1, []), occurrences: [2]}), 'tx.commit(), time 2');
  assert.equal(placeOf({...gap(1, []), end: true, call: 'end'}), 'the end of the handler');
});

test('runs side by side have an empty row where only the other makes a step', () => {
  const row = {arrows: [], marks: [{lane: 'w', kind: 'ack', label: ''}]};
  const run = (...names) => ({
    steps: names.map((name, index) => ({name, kind: 'step', text: name, at: index})), position: names.length,
    diagram: {lanes: [], rows: names.map(() => row), bands: [{lane: 'w', kind: 'handler', first: 1, last: names.length, label: '', end: ''}, {lane: 'w', kind: 'unacked', first: 0, last: 0, label: '', end: ''}]},
  });
  const rows = [{match: 'same', a: 1, b: 1}, {match: 'only_b', a: 0, b: 2}, {match: 'plain', a: 2, b: 3}];
  const compared = {a: run('x', 'z'), b: run('x', 'y', 'z'), rows};
  const a = stretched(compared, 'a');
  assert.deepEqual(a.numbers, ['1', '', '#2']);
  assert.deepEqual(a.snapshot.steps.map(({name, kind, at}) => [name, kind, at]), [['x', 'step same', 0], ['', 'absent', 0], ['z', 'step plain', 1]]);
  assert.deepEqual(a.snapshot.diagram.rows, [row, {arrows: [], marks: []}, row]);
  assert.deepEqual(a.snapshot.diagram.bands.map(({first, last}) => [first, last]), [[1, 3], [0, 0]]);
  assert.deepEqual(stretched(compared, 'b').numbers, ['1', '+2', '#3']);
  assert.deepEqual(compared.a.diagram.bands[0].last, 2); // the snapshot itself stays
});
