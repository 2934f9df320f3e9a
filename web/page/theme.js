// Applies the chosen colours before anything is drawn. It is a plain script,
// not a module, because a module runs after the first paint.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('ackademy.theme');
  } catch {
    // A browser that keeps nothing follows the system.
  }
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
})();
