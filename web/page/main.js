// The page: every custom element that a page of ours can hold.
import './elements/theme.js';
import './elements/word.js';
import './elements/forms.js'; // before the simulations, which it keeps closed until they are shown
import './elements/simulation.js';
import './elements/play.js';
