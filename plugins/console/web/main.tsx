import 'uplot/dist/uPlot.min.css';
import './style/base.css';
import './style/parts.css';
import './style/pages.css';
import './style/traces.css';
import './style/services.css';
import {render} from 'preact';
import {App} from './app.js';
import {followLinks} from './base/location.js';

followLinks();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
