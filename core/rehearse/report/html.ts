import {CLASSES} from '../judgement.js';
import type {RehearsalOutcome, RouteCounts, Tally} from '../tally.js';

/** One file without scripts: everything in it from elsewhere is text. */
export function htmlReport(tally: Tally): string {
  const {counts, exemptions, routes, latency, unequal, asked, bad, isFine} = tally;
  const verdict = isFine ? 'No unexplained difference' : asked === 0 ? 'Nothing was asked' : 'There are differences';
  const sections = CLASSES.filter(name => name !== 'equal').map(name => {
    const all = unequal.filter(({class: of}) => of === name);
    return all.length === 0 ? '' : `<h2>${escaped(name)} (${all.length})</h2>${all.map(detailsOf).join('')}`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Rehearsal: ${verdict}</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body><main>
<h1>${verdict}</h1>
<p>${asked} requests asked of the old storage twice and of the new one.</p>
<ul class="counts">${CLASSES.map(name => `<li class="${classOf(name)}"><b>${counts[name]}</b> ${name}</li>`).join('')}</ul>
<h2>By route</h2>
${table(['plugin', 'route', ...CLASSES], routes.map(rowOf))}
<h2>Times of answers, in milliseconds</h2>
${table(
  ['storage', 'half', '95 %', '99 %'],
  (['old', 'new'] as const).map(side => [side, ...Object.values(latency[side]).map(String)]),
)}
<h2>Exemptions that were used</h2>
${
  exemptions.length === 0
    ? '<p>None.</p>'
    : table(
        ['requests', 'exemption'],
        exemptions.map(({what, requests}) => [String(requests), what]),
      )
}
${bad.length === 0 ? '' : `<h2>Entries that could not be read (${bad.length})</h2><ul>${bad.map(one => `<li>${escaped(one)}</li>`).join('')}</ul>`}
${sections.join('\n')}
</main></body></html>
`;
}

function rowOf({plugin, route, counts}: RouteCounts): readonly string[] {
  return [plugin, route, ...CLASSES.map(name => String(counts[name]))];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map(text => `<th scope="col">${escaped(text)}</th>`).join('');
  const body = rows.map(cells => `<tr>${cells.map(text => `<td>${escaped(text)}</td>`).join('')}</tr>`).join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function detailsOf(outcome: RehearsalOutcome): string {
  const {class: of, source, plugin, method, path, parameters, asked, difference} = outcome;
  const open = of === 'differs' || of === 'error' ? ' open' : '';
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['recorded', `${method} ${path}?${readable(parameters)}`],
    ['asked', asked && readable(asked)],
    ['at', difference?.at],
    ['old', difference && (difference.old ?? 'nothing')],
    ['new', difference && (difference.new ?? 'nothing')],
  ];
  const list = fields.flatMap(([name, text]) =>
    text === undefined ? [] : [`<dt>${name}</dt><dd><code>${escaped(text)}</code></dd>`],
  );
  const title = `${plugin} ${method} ${path}`;
  return `<details class="${classOf(of)}"${open}><summary>${escaped(title)} <small>${escaped(source)}</small></summary><dl>${list.join('')}</dl></details>\n`;
}

const classOf = (name: string): string => name.replaceAll(' ', '-');

/** Parameters without their escapes, as far as they are sound. */
function readable(parameters: string): string {
  try {
    return decodeURIComponent(parameters.replaceAll('+', ' '));
  } catch {
    return parameters;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, mark => ENTITIES[mark] ?? mark);
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--bad:#c22;--odd:#a60;--good:#183}
@media (prefers-color-scheme:dark){:root{--bad:#f77;--odd:#fb5;--good:#6d8}}
body{font:15px/1.5 system-ui,sans-serif;margin:0}main{max-width:70rem;margin:auto;padding:1.5rem}
h1{margin-top:0}.counts{display:flex;flex-wrap:wrap;gap:1.5rem;list-style:none;padding:0}.counts b{font-size:1.4rem}
.differs,.error{border-color:var(--bad)}.counts .differs,.counts .error{color:var(--bad)}
.unsupported,.noise,.within-tolerance{border-color:var(--odd)}.counts .equal{color:var(--good)}
.wide{overflow-x:auto}table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top}
details{border-left:4px solid var(--line);padding:.2rem .8rem;margin:.5rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0;min-width:0}code{white-space:pre-wrap;overflow-wrap:anywhere}
`;
