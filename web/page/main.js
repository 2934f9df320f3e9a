// The page: every custom element that a page of ours can hold.
import './elements/theme.js';
import './elements/simulation.js';
import './elements/play.js';
