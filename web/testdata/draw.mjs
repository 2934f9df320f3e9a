// Draws the snapshot that comes in, as wide as the argument says, and writes
// the two pictures: the diagram without a browser.
import {text} from 'node:stream/consumers';
import {drawDiagram} from '../page/draw/diagram.js';
import {serialize} from '../page/draw/tree.js';

const {head, body} = drawDiagram(JSON.parse(await text(process.stdin)), Number(process.argv[2]));
process.stdout.write(serialize(head) + serialize(body));
