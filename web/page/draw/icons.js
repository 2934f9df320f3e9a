// The shapes. Each is drawn in a box of 16 by 16 around the origin, once as
// filled and once as stroked paths, so that the diagram and the page share
// them.

/**
 * @typedef {'check' | 'hollow' | 'double' | 'over' | 'pause' | 'cross' | 'octagon' | 'question' | 'play' | 'hourglass'
 *   | 'burst' | 'dot' | 'dots' | 'bar' | 'diamond' | 'slashed' | 'letter' | 'back' | 'speech' | 'square' | 'next'
 *   | 'rewind' | 'end' | 'dice' | 'link' | 'keys' | 'sun' | 'moon' | 'half'} Shape
 */

/** @type {Record<Shape, {fill?: string, line?: string}>} */
export const shapes = {
  check: {fill: 'M0-7a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM-1.2 3.6L-4 .8l1.3-1.3l1.5 1.5L3-2.8l1.3 1.3z'},
  hollow: {line: 'M0-5.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z'},
  double: {line: 'M-6-6h8v8h-8zM-2 2v4h8v-8h-4'},
  over: {line: 'M-6 5.5h12M-5 1h6a4 4 0 0 0 0-6.500h-4M-1-8.200l-3 2.700l3 2.700'},
  pause: {fill: 'M-5-6h3.600v12h-3.600zM1.400-6h3.600v12h-3.600z'},
  cross: {line: 'M-5-5L5 5M5-5L-5 5'},
  octagon: {fill: 'M-3-7h6l4 4v6l-4 4h-6l-4-4v-6zM-1-4.500v5.500h2v-5.500zM-1 2.500v2h2v-2z'},
  question: {line: 'M-3.500-3a3.500 3.500 0 1 1 5 3.200c-1.200.6-1.500 1.200-1.500 2.300M0 5.800v.2'},
  play: {fill: 'M-4.500-6.500L6 0L-4.500 6.500z'},
  hourglass: {line: 'M-4.500-6.500h9M-4.500 6.500h9M-3.500-6.500c0 5 7 8 7 13M3.500-6.500c0 5-7 8-7 13'},
  burst: {fill: 'M0-8l1.900 4.200l4-2.300l-1.500 4.200l3.600 1.900l-3.600 1.900l1.500 4.200l-4-2.300l-1.900 4.200l-1.900-4.200l-4 2.300l1.500-4.200l-3.600-1.900l3.600-1.900l-1.500-4.200l4 2.300z'},
  dot: {fill: 'M0-3.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 1 0 0-7z'},
  dots: {fill: 'M-5-1.500a1.500 1.500 0 1 0 0 3a1.500 1.500 0 1 0 0-3zM0-1.500a1.500 1.500 0 1 0 0 3a1.500 1.500 0 1 0 0-3zM5-1.500a1.500 1.500 0 1 0 0 3a1.500 1.500 0 1 0 0-3z'},
  bar: {line: 'M-6 0h8M3.500-6v12'},
  diamond: {fill: 'M0-7L7 0L0 7L-7 0z'},
  slashed: {line: 'M0-6.500L6.500 0L0 6.500L-6.500 0zM-5.500 5.500L5.500-5.500'},
  letter: {line: 'M-6.500-4.500h13v9h-13zM-6.500-4L0 1L6.500-4'},
  back: {line: 'M-5 0h7a3.500 3.500 0 0 1 0 7h-2M-2-4l-4 4l4 4'},
  speech: {line: 'M-6.500-5.500h13v8h-7l-3.500 3.500v-3.500h-2.500z'},
  square: {fill: 'M-4-4h8v8h-8z'},
  next: {fill: 'M-5-6L3 0L-5 6zM3.500-6h2v12h-2z'},
  rewind: {fill: 'M5-6L-3 0L5 6zM-5.500-6h2v12h-2z'},
  end: {fill: 'M-7-6L0 0L-7 6zM0-6L7 0L0 6z'},
  dice: {line: 'M-6-6h12v12h-12zM-3-3v.1M3-3v.1M0 0v.1M-3 3v.1M3 3v.1'},
  link: {line: 'M-1.500 1.500a3 3 0 0 0 4.200 0l2.300-2.300a3 3 0 0 0-4.200-4.200l-1 1M1.500-1.500a3 3 0 0 0-4.200 0l-2.300 2.300a3 3 0 0 0 4.200 4.200l1-1'},
  keys: {line: 'M-7-4.500h14v9h-14zM-4-1.500v.1M-1.300-1.500v.1M1.300-1.500v.1M4-1.500v.1M-3 2h6'},
  sun: {line: 'M0-3a3 3 0 1 0 0 6a3 3 0 1 0 0-6zM0-7v1M0 6v1M-7 0h1M6 0h1M-5-5l.7.7M4.300 4.300l.7.7M-5 5l.7-.7M4.300-4.300l.7-.7'},
  moon: {line: 'M2.500-6.500a6.500 6.500 0 1 0 4 8.500a5.500 5.500 0 0 1-4-8.500z'},
  half: {fill: 'M0-6a6 6 0 0 0 0 12z', line: 'M0-6a6 6 0 1 0 0 12a6 6 0 1 0 0-12z'},
};
